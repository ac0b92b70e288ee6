"""A conversation in lines: say something, ask something. Knows streams, nothing of games."""

import sys
from collections.abc import Iterable
from contextlib import suppress
from io import TextIOWrapper
from shutil import get_terminal_size
from textwrap import fill
from typing import TextIO

BOLD, RESET = "\x1b[1m", "\x1b[0m"


def printable(text: str) -> str:
    """The text without anything that moves a cursor, changes a colour or turns a line round."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


class LeftError(Exception):
    """The other side has nothing more to say: end of input."""


class Line:
    """Plain sentences out, answers in.

    colour only ever adds: the words alone say everything. Where the input is no terminal, answers are echoed after the
    prompt, so that a transcript reads like the conversation it was. width: columns to break lines at, between words.
    """

    def __init__(
        self, source: TextIO, sink: TextIO, *, live: bool, colour: bool = False, width: int | None = None
    ) -> None:
        self._source, self._sink, self._live, self._colour, self._width = source, sink, live, colour, width

    def say(self, lines: Iterable[str]) -> None:
        """Lines, each heard in one go."""
        text = "".join(self._fit(line) + "\n" for line in lines)
        if text:
            self._sink.write(text)
            self._sink.flush()

    def _fit(self, text: str) -> str:
        if self._width is None:
            return text
        return "\n".join(fill(line, self._width) if len(line) > self._width else line for line in text.split("\n"))

    def ask(self, prompt: str) -> str:
        """An answer, without surrounding space. Raises LeftError at the end of input."""
        if prompt:
            prompt = self._fit(prompt)
            self._sink.write(f"{BOLD}{prompt}{RESET}\n" if self._colour else prompt + "\n")
        self._sink.write("> ")
        self._sink.flush()
        answer = self._source.readline()
        if not answer:
            self._sink.write("\n")
            self._sink.flush()
            raise LeftError
        if not self._live:
            self._sink.write(printable(answer.strip().replace("\t", " ")) + "\n")
        return answer.strip()


def standard(environ: dict[str, str]) -> Line:
    """The conversation on standard input and output; colour on a terminal, unless NO_COLOR is set or TERM is dumb."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # what cannot be read or shown is a question mark, never a fall
    live = sys.stdin.isatty()
    if live:
        with suppress(ImportError):
            import readline  # noqa: F401, PLC0415 - line editing and history, where the system has it
    colour = sys.stdout.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    width = get_terminal_size().columns if sys.stdout.isatty() else None
    return Line(sys.stdin, sys.stdout, live=live, colour=colour, width=width)
