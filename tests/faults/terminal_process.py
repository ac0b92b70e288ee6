"""Real processes of pubdice with piped input: started, killed at a moment, and what they had told by then."""

import os
import re
import subprocess
import threading
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path

from pubdice.core.dice import Hand
from support.console import COMMAND

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


def start(words: tuple[str, ...], data: Path) -> subprocess.Popen[bytes]:
    """A process with pipes."""
    pipe, environ = subprocess.PIPE, {**os.environ, "PUBDICE_DATA": str(data)}
    return subprocess.Popen([COMMAND, *words], stdin=pipe, stdout=pipe, stderr=pipe, env=environ)


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
    with start(words, data) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        timer = threading.Timer(kill_after_s or 0, process.kill)
        if kill_after_s is not None:
            timer.start()
        try:
            process.stdin.write("".join(line + "\n" for line in typed).encode())
            process.stdin.flush()
            if is_all:
                process.stdin.close()
        except BrokenPipeError:
            pass
        written = b""
        while line := process.stdout.readline():
            written += line
            if kill_after_lines is not None and written.count(b"\n") >= kill_after_lines:
                process.kill()
        status, err = process.wait(), process.stderr.read().decode()
        timer.cancel()
    whole = written[: written.rfind(b"\n") + 1].decode()
    return Ended(status, tuple(whole.splitlines()), err)
