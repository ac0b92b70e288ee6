"""A conversation in lines: say something, ask something. Knows streams, nothing of games."""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from shutil import get_terminal_size
from textwrap import fill
from threading import Timer
from typing import TextIO

from pubdice.text.language import ISOLATES, printable

_ITEM = re.compile(r"\s*(?:[-*] |[0-9]+\. |\S{1,6}(?: \S{1,3}){0,3} {2,})?")
PATIENCE_S = 1.0
"""How long something may take before a line says that it takes longer."""
BOLD, RESET = "\x1b[1m", "\x1b[0m"


class LeftError(Exception):
    """The other side has nothing more to say: end of input."""


class Console:
    """Plain sentences out, answers in.

    colour only ever adds: the words alone say everything. Where the input is no terminal, answers are echoed after the
    prompt, so that a transcript reads like the conversation it was. width: columns to break lines at, between words.
    aside: a terminal for words beside the conversation, such as that something takes long; None if nobody reads them.
    """

    def __init__(
        self,
        source: TextIO,
        sink: TextIO,
        *,
        live: bool,
        colour: bool = False,
        width: int | None = None,
        aside: TextIO | None = None,
    ) -> None:
        self._source, self._sink, self._live, self._colour, self._width = source, sink, live, colour, width
        self._aside, self._waits = aside, False

    def say(self, lines: Iterable[str]) -> None:
        """Lines, each heard in one go."""
        text = "".join(self._fit(line.translate(ISOLATES)) + "\n" for line in lines)
        if text:
            self._sink.write(text)
            self._sink.flush()

    def _fit(self, text: str) -> str:
        if self._width is None:
            return text
        return "\n".join(self._broken(line, self._width) for line in text.split("\n"))

    @staticmethod
    def _broken(line: str, width: int) -> str:
        """Broken between words; the rest of an item of a list stands under its first word."""
        mark = _ITEM.match(line)
        return fill(line, width, subsequent_indent=" " * len(mark[0])) if mark and len(line) > width else line

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Say a line once what stands inside has taken ``PATIENCE_S``; inside another such wait, nothing more."""
        if self._aside is None or self._waits:
            yield
            return
        timer = Timer(PATIENCE_S, self._tell_aside, (text,))
        timer.daemon, self._waits = True, True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            self._waits = False

    def _tell_aside(self, text: str) -> None:
        """On another thread: the line, on a terminal that may be closed by now."""
        assert self._aside is not None, "somebody reads it"
        with suppress(OSError, ValueError):
            self._aside.write(self._fit(text) + "\n")
            self._aside.flush()

    def put(self, text: str) -> None:
        """A text for files and programs: in UTF-8 whatever the terminal speaks, and not a line broken."""
        self._sink.flush()
        if isinstance(self._sink, TextIOWrapper):
            self._sink.buffer.write(text.encode())
            self._sink.buffer.flush()
        else:
            self._sink.write(text)

    def forget(self) -> None:
        """Drop what was typed before it was asked for, on a terminal: it was meant for no question."""
        if self._live and self._source is sys.stdin:
            with suppress(ImportError, OSError):
                import termios  # noqa: PLC0415 - not on every system

                termios.tcflush(self._source, termios.TCIFLUSH)

    def ask(self, prompt: str) -> str:
        """An answer, without surrounding space. Raises LeftError at the end of input."""
        if prompt:
            prompt = self._fit(prompt)
            self._sink.write(f"{BOLD}{prompt}{RESET}\n" if self._colour else prompt + "\n")
        self._sink.flush()
        try:
            answer = self._read("> ").strip()
        except EOFError:
            self._sink.write("\n")
            self._sink.flush()
            raise LeftError from None
        if not self._live:
            self._sink.write(printable(answer.replace("\t", " ")) + "\n")
        return answer

    def _read(self, mark: str) -> str:
        if self._live and self._source is sys.stdin and self._sink is sys.stdout:
            return input(mark)  # with line editing and history, where readline was imported
        self._sink.write(mark)
        self._sink.flush()
        answer = self._source.readline()
        if not answer:
            raise EOFError
        return answer


def standard(environ: dict[str, str]) -> Console:
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
    aside = sys.stderr if sys.stderr.isatty() else None
    return Console(sys.stdin, sys.stdout, live=live, colour=colour, width=width, aside=aside)
