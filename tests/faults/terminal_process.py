"""Real processes of pubdice with piped input: started, killed at a moment, and what they had told by then."""

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, cast

from pubdice.core.dice import Hand
from support.console import COMMAND
from support.forked_process import ForkedProcess

_TOLD = re.compile(r"(?:^|(?<=[.!] ))([A-Z][\w ]*?) (rolled|kept|rerolls?) ([1-6](?: [1-6])*|all four)(?=[.:])")
_MARKED = re.compile(r"Keep (?:[1-6]|none)|Nothing marked")


@dataclass(frozen=True)
class Ended:
    """How a process ended: its status (-9 if it was killed in time) and the whole lines it had written."""

    status: int
    lines: tuple[str, ...]
    err: str

    @property
    def told(self) -> tuple[tuple[str, str, Hand], ...]:
        """Every roll and keep told, in order."""
        return tuple(
            (
                name,
                "rolled" if verb == "rolled" else "kept",
                tuple(sorted(int(face) for face in dice if face.isdigit())),
            )
            for line in self.lines
            for name, verb, dice in _TOLD.findall(line)
        )

    @property
    def marked(self) -> int:
        """How many marks were acknowledged, those told again to who comes back left out."""
        asked = dropwhile(lambda line: not line.startswith("> "), self.lines)
        return sum(bool(_MARKED.match(line)) for line in asked)


@dataclass(frozen=True)
class Piped:
    """A process, what is typed into it, what it writes, and its errors once it has ended."""

    process: ForkedProcess
    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]

    def ended(self) -> tuple[int, str]:
        """Its status and its errors, once it has ended."""
        status = self.process.wait()
        self.stderr.seek(0)
        return status, self.stderr.read().decode()


@contextmanager
def start(words: tuple[str, ...], data: Path) -> Iterator[Piped]:
    """A process with pipes; it is killed in the end, if it still runs."""
    reading, writing = os.pipe()
    with TemporaryFile() as stderr, open(writing, "wb", buffering=0) as stdin:
        try:
            environ = {**os.environ, "PUBDICE_DATA": str(data)}
            process = ForkedProcess(str(COMMAND), words, stderr.fileno(), environ, reading)
        finally:
            os.close(reading)
        with process.stdout:
            try:
                yield Piped(process, stdin, cast(IO[bytes], process.stdout.buffer), stderr)
            finally:
                process.kill()
                process.wait()


def play(
    words: tuple[str, ...],
    typed: tuple[str, ...],
    data: Path,
    *,
    kill_after_s: float | None = None,
    kill_after_lines: int | None = None,
    is_all: bool = True,
) -> Ended:
    """Type everything; kill -9 the process after a delay from its start, or once it has written so many lines.

    is_all: nothing more will be typed. If not, the process waits for more, and cannot end before it is killed.
    """
    with start(words, data) as game:
        timer = threading.Timer(kill_after_s or 0, game.process.kill)
        if kill_after_s is not None:
            timer.start()
        try:
            game.stdin.write("".join(line + "\n" for line in typed).encode())
            if is_all:
                game.stdin.close()
        except BrokenPipeError:
            pass
        written = b""
        while line := game.stdout.readline():
            written += line
            if kill_after_lines is not None and written.count(b"\n") >= kill_after_lines:
                game.process.kill()
        status, err = game.ended()
        timer.cancel()
    whole = written[: written.rfind(b"\n") + 1].decode()
    return Ended(status, tuple(whole.splitlines()), err)
