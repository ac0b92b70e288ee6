"""A conversation in lines: say something, ask something. Knows streams, nothing of games."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from io import TextIOWrapper
from shutil import get_terminal_size
from threading import Timer
from typing import TYPE_CHECKING, TextIO

from pubdice.command_line import folded
from pubdice.text.language import ISOLATES, printable

if TYPE_CHECKING:
    from pubdice.terminal.board import DrawnLine

PATIENCE_S = 1.0
"""The time something may take before a line says that it takes longer."""
MARK = "> "
BOLD, RESET = "\x1b[1m", "\x1b[0m"
Artist = Callable[[int, int], "list[DrawnLine]"]
"""Draws in so many columns and rows."""


class LeftError(Exception):
    """The other side has nothing more to say: end of input."""


class Console:
    """Plain sentences out, answers in.

    colour only ever adds: the words alone say everything. If the input is no terminal, answers are echoed after the
    prompt, so that a transcript reads like the conversation. width: gives the columns to break lines at, between
    words, as wide as the terminal is by then. aside: a
    terminal for words beside the conversation, such as that something takes long; None if nobody reads them.
    """

    def __init__(
        self,
        source: TextIO,
        sink: TextIO,
        *,
        live: bool,
        colour: bool = False,
        width: Callable[[], int] | None = None,
        aside: TextIO | None = None,
    ) -> None:
        self._source, self._sink, self._live, self._colour, self._width = source, sink, live, colour, width
        self._aside, self._waits = aside, False

    @property
    def live(self) -> bool:
        """True if somebody types at a terminal."""
        return self._live

    def say(self, lines: Iterable[str]) -> None:
        """Lines, each heard in one go."""
        text = "".join(self._fit(line.translate(ISOLATES)) + "\n" for line in lines)
        if text:
            self._sink.write(text)
            self._sink.flush()

    def _fit(self, text: str) -> str:
        if self._width is None:
            return text
        width = self._width()
        return "\n".join(folded(line, width) for line in text.split("\n"))

    def drawing(self, picture: "Artist") -> AbstractContextManager[None]:
        """Draw a picture under what is said inside; here nothing is drawn."""
        return nullcontext()

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
        """Write a text for files and programs: in UTF-8 in any terminal, and no line broken."""
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
        answer = self._line().strip()
        if not self._live:
            self._sink.write(printable(answer.replace("\t", " ")) + "\n")
        return answer

    def _line(self) -> str:
        """A line after the mark. Raises LeftError at the end of input."""
        try:
            return self._read()
        except (EOFError, KeyboardInterrupt) as left:
            self._sink.write("\n")  # what is said next, here or by the shell, begins a line
            self._sink.flush()
            if isinstance(left, EOFError):
                raise LeftError from None
            raise

    def _read(self) -> str:
        if self._live and self._source is sys.stdin and self._sink is sys.stdout:
            return input(MARK)  # with line editing and history, where readline was imported
        self._sink.write(MARK)
        self._sink.flush()
        answer = self._source.readline()
        if not answer:
            raise EOFError
        return answer


def terminal_size() -> tuple[int, int]:
    """The terminal's columns and rows as they are now, whatever COLUMNS says: a resize does not change that."""
    with suppress(OSError, ValueError):
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
        if columns and rows:
            return columns, rows
    size = get_terminal_size()
    return size.columns, size.lines
