"""Real processes of pubdice with piped input: started, killed at a moment, and what they had told by then."""

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path
from typing import IO, cast

from pubdice.core.dice import Hand
from support.started import Started

_TOLD = re.compile(r"(?:^|(?<=[.!] ))([A-Z][\w ]*?) (rolled|kept|rerolls?) ([1-6](?: [1-6])*|all four)(?=[.:])")
_MARKED = re.compile(r"Keep (?:[1-6]|none)|Nothing marked")


@dataclass(frozen=True)
class Ended:
    """A process's end: its status (-9 if it was killed in time) and the whole lines it had written."""

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
        """The number of marks acknowledged, without those told again after a return."""
        asked = dropwhile(lambda line: not line.startswith("> "), self.lines)
        return sum(bool(_MARKED.match(line)) for line in asked)


@contextmanager
def start(words: tuple[str, ...], data: Path) -> Iterator[tuple[Started, IO[bytes]]]:
    """A process, and the pipe into which is typed. It is killed if the work with it fails."""
    reading, writing = os.pipe()
    with open(writing, "wb", buffering=0) as typed:
        try:
            process = Started(*words, environ={**os.environ, "PUBDICE_DATA": str(data)}, stdin=reading)
        finally:
            os.close(reading)
        with process:
            yield process, typed


def play(
    words: tuple[str, ...],
    typed: tuple[str, ...],
    data: Path,
    *,
    kill_after_s: float | None = None,
    kill_after_lines: int | None = None,
    is_all: bool = True,
) -> Ended:
    """Type everything. Kill -9 the process after a delay from its start, or once it has written so many lines.

    is_all: nothing more will be typed. If not, the process waits for more, and cannot end before it is killed.
    """
    with start(words, data) as (process, stdin):
        timer = threading.Timer(kill_after_s or 0, process.kill)
        if kill_after_s is not None:
            timer.start()
        try:
            stdin.write("".join(line + "\n" for line in typed).encode())
            if is_all:
                stdin.close()
        except BrokenPipeError:
            pass
        written = b""
        told = cast(IO[bytes], process.stdout.buffer)  # a kill may cut a letter in two
        while line := told.readline():
            written += line
            if kill_after_lines is not None and written.count(b"\n") >= kill_after_lines:
                process.kill()
        status, err = process.wait(), process.errors()
        timer.cancel()
    whole = written[: written.rfind(b"\n") + 1].decode()
    return Ended(status, tuple(whole.splitlines()), err)
