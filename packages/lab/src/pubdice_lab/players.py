"""A user's own players: objects with ``choose(view)``, and programs with a protocol of one line a choice.

A program is a subprocess in its own session and process group. It gets a line of JSON and answers with a line of text
within a timeout. All reads are bounded. At the end its group is killed.
"""

import json
import os
import select
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from subprocess import PIPE, Popen
from threading import current_thread, main_thread
from time import monotonic
from typing import Any, NoReturn

from pubdice.text.language import shorten

PROTOCOL = "pubdice arena 1"
READY_S = 10.0
"""Seconds in which a program must say that it is ready."""
LONGEST_ANSWER, KEPT_ERRORS = 1_000, 2_000
"""The most bytes of an answer, and the bytes to keep of the end of a program's standard error."""
LOOKS_EVERY_S = 0.05
"""Seconds in which the arena notices that a program ended, even if another process holds its pipes."""


class ForfeitError(BaseException):
    """The fault that puts a player out. As a BaseException, it passes any ``except Exception`` of the player."""

    def __init__(self, code: str, found: str = "", last: str = "") -> None:
        super().__init__(code)
        self.code, self.found, self.last = code, shorten(found, 80), shorten(last, 200)


@dataclass(frozen=True, slots=True)
class PlayerView:
    """The view of a player at a choice. The table has no hidden information. ``match`` and ``seat`` count from 1.

    Attributes:
        rules: the lines of a record's header.
        position: the match so far in one line, for ``pubdice.read_position``.
        dice: the player's locked dice and free dice.
        scores: of this round, by seat; None for a seat without one.
        moves: all legal moves, as notation.

    """

    game: str
    rules: Mapping[str, str]
    format: str
    match: int
    seat: int
    position: str
    dice: tuple[str, str]
    scores: tuple[str | None, ...]
    points: tuple[int, ...]
    moves: tuple[str, ...]


def _ring(*_: object) -> NoReturn:
    raise ForfeitError("slow")


def _asked(player: Any, view: PlayerView, seconds: float) -> object:
    """Ask an object. In the main thread, an alarm ends a slow choice."""
    here, interrupted = current_thread() is main_thread(), list[int]()

    def interrupt(number: int, _: object) -> NoReturn:
        interrupted.append(number)
        raise KeyboardInterrupt

    before = {}
    try:
        if here:
            before[signal.SIGALRM] = signal.signal(signal.SIGALRM, _ring)
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not in a worker: it ignores SIGINT
                before[signal.SIGINT] = signal.signal(signal.SIGINT, interrupt)
            signal.setitimer(signal.ITIMER_REAL, seconds)
        return player.choose(view)
    except BaseException as error:
        if isinstance(error, ForfeitError) or interrupted:
            raise
        said, name = _text(str, error), type(error).__name__
        raise ForfeitError("raised", f"{name}: {said}" if said else name) from None
    finally:
        if here:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def _text(of: Callable[[object], str], value: object) -> str:
    """An object's own text, or "" if that fails. The object is a stranger's."""
    with suppress(Exception):
        return str.__str__(of(value))
    return ""


RUNNING: set[int] = set()
"""The process groups of running programs."""


def kill_group(group: int) -> None:
    """Kill all processes of a group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


class Program:
    """A program as a player. Raises ForfeitError if it breaks the protocol."""

    def __init__(self, command: tuple[str, ...]) -> None:
        try:
            self._process: Any = Popen(  # noqa: S603  what somebody names is what runs
                command, stdin=PIPE, stdout=PIPE, stderr=PIPE, bufsize=0, start_new_session=True
            )
        except (OSError, ValueError, TypeError, IndexError) as error:  # for a command that cannot run
            raise ForfeitError("no-start", getattr(error, "strerror", "") or str(error)) from None
        RUNNING.add(self._process.pid)
        self._said: dict[Any, bytes] = {self._process.stdout: b"", self._process.stderr: b""}
        self._open = list(self._said)
        for pipe in (self._process.stdin, *self._open):
            os.set_blocking(pipe.fileno(), False)

    def ask(self, told: Mapping[str, Any], seconds: float) -> str:
        """Send a line and return the answer."""
        by, line, out = monotonic() + seconds, json.dumps(told).encode() + b"\n", self._process.stdout
        self._look(0.0)
        more = self._said[out]
        while not more and b"\n" not in self._said[out][:LONGEST_ANSWER]:
            if len(self._said[out]) >= LONGEST_ANSWER:
                raise ForfeitError("long", str(LONGEST_ANSWER))
            if monotonic() >= by:
                self._fail("slow")
            status = self._process.poll()  # before the read, so all earlier output is still read
            with suppress(BrokenPipeError):
                line = line[self._process.stdin.write(line) or 0 :] if line else line
            if not self._look(min(by - monotonic(), LOOKS_EVERY_S)) and status is not None:
                self._fail("ended", str(status if status >= 0 else 128 - status))
        if not more:
            answer, _, more = self._said[out].partition(b"\n")
        if more:
            raise ForfeitError("unasked", more.decode(errors="replace").strip())
        self._said[out] = b""
        return answer.decode(errors="replace").strip()

    def _look(self, seconds: float) -> bool:
        """Read output, and wait for it at most so many seconds. True if there was any."""
        ready = select.select(self._open, [], [], max(0.0, seconds))[0]
        for pipe in ready:
            if not (found := pipe.read(4 * LONGEST_ANSWER)):
                self._open.remove(pipe)
            kept = KEPT_ERRORS if pipe is self._process.stderr else 8 * LONGEST_ANSWER
            self._said[pipe] = (self._said[pipe] + (found or b""))[-kept:]
        return bool(ready)

    def _fail(self, code: str, found: str = "") -> NoReturn:
        lines = self._said[self._process.stderr].decode(errors="replace").split("\n")
        raise ForfeitError(code, found, next((line.strip() for line in reversed(lines) if line.strip()), ""))

    def close(self) -> None:
        """Kill the program and all processes of its group."""
        kill_group(self._process.pid)
        self._process.wait()
        RUNNING.discard(self._process.pid)
        for pipe in (self._process.stdin, *self._said):
            pipe.close()


@contextmanager
def seated(player: Any, seconds: float, told: Mapping[str, Any]) -> Iterator[Callable[[PlayerView], str]]:
    """A player ready for questions: an object, or a program, which ends with the block. Raises ForfeitError."""

    def choose(view: PlayerView) -> str:
        begun = monotonic()
        found = program.ask(asdict(view), seconds) if program else _asked(player, view, seconds)
        if monotonic() - begun > seconds:
            raise ForfeitError("slow")
        if type(found) is not str or found not in view.moves:  # a subclass of str may claim to equal any move
            raise ForfeitError("illegal", found if type(found) is str else _text(repr, found))
        return found

    program = Program(player) if isinstance(player, tuple) else None
    try:
        if program and (found := program.ask({"protocol": PROTOCOL, **told}, READY_S)) != "ready":
            raise ForfeitError("not-ready", found)
        yield choose
    finally:
        if program:
            program.close()
