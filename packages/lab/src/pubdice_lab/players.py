"""A user's own players: objects with ``choose(view)``, and programs that answer each question with one line.

A program runs as a subprocess in its own session and process group. For each choice it gets a line of JSON, and must
answer with a line of text in time. The number of bytes read from it is limited. At the end its whole group is killed.
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
"""The seconds in which a program must say that it is ready."""
LONGEST_ANSWER, KEPT_ERRORS = 1_000, 2_000
"""The most bytes of an answer, and the number of bytes that are kept from the end of a program's standard error."""
LOOKS_EVERY_S = 0.05
"""The seconds after which the arena looks if the program has ended. Another process may hold its pipes open."""


class ForfeitError(BaseException):
    """The fault that puts a player out of the arena.

    It is a BaseException, so an ``except Exception`` in the player's own code does not catch it.
    """

    def __init__(self, code: str, found: str = "", last: str = "") -> None:
        super().__init__(code)
        self.code, self.found, self.last = code, shorten(found, 80), shorten(last, 200)


@dataclass(frozen=True, slots=True)
class PlayerView:
    """The view of a player at a choice. The table has no hidden information. ``match`` and ``seat`` count from 1.

    Attributes:
        rules: The lines of a record's header.
        position: The match so far in one line, for ``pubdice.read_position``.
        dice: The player's locked dice and free dice, as notation.
        scores: The scores of this round, by seat. None for a seat without a score.
        moves: All legal moves, as notation.

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
    """Ask an object for its choice. In the main thread, an alarm ends a choice that takes too long."""
    here, interrupted = current_thread() is main_thread(), list[int]()

    def interrupt(number: int, _: object) -> NoReturn:
        interrupted.append(number)
        raise KeyboardInterrupt

    before = {}
    try:
        if here:
            before[signal.SIGALRM] = signal.signal(signal.SIGALRM, _ring)
            # a worker process ignores SIGINT, so there this is skipped
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
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
    """Return ``of(value)``, or "" if that raises an error. The value is a stranger's object."""
    with suppress(Exception):
        return str.__str__(of(value))
    return ""


RUNNING: set[int] = set()
"""The process groups of all programs that are running."""


def kill_group(group: int) -> None:
    """Kill all processes of a group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


class Program:
    """A program that plays. Its methods raise ForfeitError if the program breaks the protocol."""

    def __init__(self, command: tuple[str, ...]) -> None:
        try:
            self._process: Any = Popen(  # noqa: S603 the user names the command to run
                command, stdin=PIPE, stdout=PIPE, stderr=PIPE, bufsize=0, start_new_session=True
            )
        except (OSError, ValueError, TypeError, IndexError) as error:  # the command cannot be run
            raise ForfeitError("no-start", getattr(error, "strerror", "") or str(error)) from None
        RUNNING.add(self._process.pid)
        self._said: dict[Any, bytes] = {self._process.stdout: b"", self._process.stderr: b""}
        self._open = list(self._said)
        for pipe in (self._process.stdin, *self._open):
            os.set_blocking(pipe.fileno(), False)

    def ask(self, told: Mapping[str, Any], seconds: float) -> str:
        """Send an object as a line of JSON, and return the answer."""
        by, line, out = monotonic() + seconds, json.dumps(told).encode() + b"\n", self._process.stdout
        self._look(0.0)
        more = self._said[out]
        while not more and b"\n" not in self._said[out][:LONGEST_ANSWER]:
            if len(self._said[out]) >= LONGEST_ANSWER:
                raise ForfeitError("long", str(LONGEST_ANSWER))
            if monotonic() >= by:
                self._fail("slow")
            status = self._process.poll()  # polled before the read, so all output up to its end is still read
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
        """Read the output that is there. If there is none, wait at most ``seconds``. Returns True if any came."""
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
    """Yield the function that asks a player for a move. Raises ForfeitError.

    The player is an object or a program. A program is started here, and ends with the block.
    """

    def choose(view: PlayerView) -> str:
        begun = monotonic()
        found = program.ask(asdict(view), seconds) if program else _asked(player, view, seconds)
        if monotonic() - begun > seconds:
            raise ForfeitError("slow")
        if type(found) is not str or found not in view.moves:  # a subclass of str could claim to equal any move
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
