"""Line-by-line input and output: say lines, ask a question. This module knows streams, but no games."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from io import TextIOWrapper
from shutil import get_terminal_size
from threading import Timer
from typing import TYPE_CHECKING, TextIO
from unicodedata import normalize

from pubdice.command_line import folded
from pubdice.text.language import ISOLATES, printable

if TYPE_CHECKING:
    from pubdice.terminal.board import DrawnLine

PATIENCE_S = 1.0
"""The seconds of work after which a line says that it takes longer."""
MARK = "> "
BOLD, RESET = "\x1b[1m", "\x1b[0m"
Artist = Callable[[int, int], "list[DrawnLine]"]
"""A function that draws a picture in a number of columns and rows."""


class LeftError(Exception):
    """The input has ended, so the player has left."""


class Console:
    """A console that writes plain sentences and reads answers. If the input is not a terminal, each answer is echoed,
    as in a transcript.

    - ``live``: True if a person types at a terminal.
    - ``colour``: True to set questions in bold. Colour carries no information.
    - ``width``: returns the columns at which lines wrap now. None never wraps.
    - ``aside``: a terminal for notes such as "this takes long", which are not part of the game. None drops such notes.
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
        """True if a person types at a terminal."""
        return self._live

    def say(self, lines: Iterable[str]) -> None:
        """Write lines, wrapped, and flush once."""
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
        """Keep a picture below everything that is said inside the block. A plain console draws nothing."""
        return nullcontext()

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """If the block takes longer than ``PATIENCE_S``, say ``text``. Inside another block of this kind, say
        nothing.
        """
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
        """Write the line from the timer's thread. Errors are ignored, because the terminal may be closed by then."""
        assert self._aside is not None, "a person reads it"
        with suppress(OSError, ValueError):
            self._aside.write(self._fit(text) + "\n")
            self._aside.flush()

    def put(self, text: str) -> None:
        """Write a text for files and programs: always in UTF-8, and never wrapped."""
        self._sink.flush()
        if isinstance(self._sink, TextIOWrapper):
            self._sink.buffer.write(text.encode())
            self._sink.buffer.flush()
        else:
            self._sink.write(text)

    def forget(self) -> None:
        """On a terminal, drop the lines that were typed before the question was asked. They cannot be answers to it."""
        if self._live and self._source is sys.stdin:
            with suppress(ImportError, OSError):
                import termios  # noqa: PLC0415 - not on every system

                termios.tcflush(self._source, termios.TCIFLUSH)

    def ask(self, prompt: str) -> str:
        """Ask, and return the answer stripped. Raises LeftError at the end of input."""
        if prompt:
            prompt = self._fit(prompt)
            self._sink.write(f"{BOLD}{prompt}{RESET}\n" if self._colour else prompt + "\n")
        self._sink.flush()
        answer = self._line().strip()
        if not self._live:
            self._sink.write(printable(answer.replace("\t", " ")) + "\n")
        return answer

    def _line(self) -> str:
        """Read a line after the mark, with its letters composed (NFC). Raises LeftError at the end of input."""
        try:
            return normalize("NFC", self._read())
        except (EOFError, KeyboardInterrupt) as left:
            self._sink.write("\n")  # so the next text, here or in the shell, begins on a new line
            self._sink.flush()
            if isinstance(left, EOFError):
                raise LeftError from None
            raise

    def _read(self) -> str:
        if self._live and self._source is sys.stdin and self._sink is sys.stdout:
            return input(MARK)  # with line editing and history if readline was imported
        self._sink.write(MARK)
        self._sink.flush()
        answer = self._source.readline()
        if not answer:
            raise EOFError
        return answer


def terminal_size() -> tuple[int, int]:
    """Return the terminal's columns and rows now.

    COLUMNS and LINES in the environment count only if there is no terminal, because they go stale when a terminal is
    resized.
    """
    with suppress(OSError, ValueError):
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
        if columns and rows:
            return columns, rows
    size = get_terminal_size()
    return size.columns, size.lines
