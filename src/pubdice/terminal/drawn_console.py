"""A console with a drawing: sentences scroll up, and the current table stays drawn below them.

Before the console says a sentence, it erases the drawing and the question. So the scrollback holds the same sentences
that a pipe would get. The cursor moves up only over the console's own lines, so the shell's output stays untouched.
"""

import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import RLock, current_thread, main_thread
from types import FrameType
from typing import TextIO

from pubdice.terminal.board import BOLD, DIM, RESET
from pubdice.terminal.console import MARK, Artist, Console, terminal_size
from pubdice.text.emoji import cells


class _ResizedError(Exception):
    """The terminal was resized while a person was typing. ``typed`` is the line so far."""

    def __init__(self, typed: str) -> None:
        super().__init__(typed)
        self.typed = typed


class DrawnConsole(Console):
    """A console on a terminal whose cursor can be moved."""

    def __init__(self, source: TextIO, sink: TextIO, aside: TextIO | None = None) -> None:
        super().__init__(source, sink, live=True, colour=True, width=lambda: terminal_size()[0], aside=aside)
        self._lines: list[int] = []  # the widths in columns of all lines below the latest sentence
        self._lock = RLock()
        self._picture: Artist | None = None
        self._question, self._asking = "", False

    @contextmanager
    def drawing(self, picture: Artist) -> Iterator[None]:
        """Keep the picture below everything that is said and asked inside the block. Typing is echoed only during a
        question.
        """
        self._picture = picture
        self._echo(on=False)
        try:
            yield
        finally:
            self._picture = None
            with self._lock:
                self._erase()
                self._sink.flush()
            self._echo(on=True)

    def say(self, lines: Iterable[str]) -> None:
        """Write sentences above a fresh drawing. If an answer is half typed, it appears again below the drawing."""
        with self._lock:
            begun = _being_typed() if self._asking else None
            self._erase(begun)
            super().say(lines)
            self._draw()
            if begun is not None:
                self._put_question()
                self._sink.write(MARK + begun)
                self._sink.flush()

    def ask(self, prompt: str) -> str:
        """Ask below the drawing. Afterwards the answer stays among the sentences, in faint letters."""
        if self._picture is None:
            return super().ask(prompt)
        # an empty prompt repeats the question, because the redraw has erased it
        self._question = prompt or self._question
        typed = ""
        while True:
            with self._lock:
                self._erase()
                self._draw()
                self._put_question()
                self._sink.flush()
            try:
                answer = self._typed(typed)
                break
            except _ResizedError as resized:
                typed = resized.typed
        with self._lock:
            self._erase()
            if answer:
                self._sink.write(f"{DIM}{MARK}{answer}{RESET}\n")
            self._sink.flush()
        return answer

    def _typed(self, before: str) -> str:
        """Read a line that already begins with ``before``. Raises LeftError at the end of input, and _ResizedError."""
        self._echo(on=True)
        answer = ""
        try:
            with _heard_resizes(), _begun(before), self._while_asking():
                answer = self._line()
        except _ResizedError as resized:
            self._sink.write("\n")
            answer = resized.typed
            raise
        finally:
            self._lines.append(len(MARK) + cells(answer) + 1)  # 1 more, because the cursor may need a row of its own
            self._echo(on=False)
        return answer.strip()

    @contextmanager
    def _while_asking(self) -> Iterator[None]:
        """Note that a person may be typing after the mark "> ". ``say`` then restores the mark and the typed text."""
        try:
            import readline  # noqa: PLC0415 - as the console has it
        except ImportError:
            yield
            return

        def begin() -> None:
            self._asking = True

        readline.set_pre_input_hook(begin)  # readline calls this after it has written the mark
        try:
            yield
        finally:
            self._asking = False
            readline.set_pre_input_hook(None)

    def _tell_aside(self, text: str) -> None:
        if self._picture is None:
            super()._tell_aside(text)
        elif current_thread() is not main_thread():
            with suppress(OSError, ValueError):
                self.say([text])

    def _put_question(self) -> None:
        for line in self._fit(self._question).split("\n"):
            self._put(line, f"{BOLD}{line}{RESET}")

    def _put(self, line: str, written: str) -> None:
        self._sink.write(written + "\n")
        self._lines.append(cells(line))

    def _draw(self) -> None:
        if self._picture is None:
            return
        for line in self._picture(*terminal_size()):
            self._sink.write(line.write() + "\n")
            self._lines.append(line.width())
        self._sink.flush()

    def _erase(self, typed: str | None = None) -> None:
        """Erase all lines below the latest sentence. If the terminal has become narrower, they take more rows now.

        The rows are erased one by one, because tmux keeps a copy in its history if a program clears the screen at once.
        ``typed`` is the text so far on the line with the cursor, or None if no line is being typed.
        """
        if self._lines or typed is not None:
            columns, most = terminal_size()
            rows = sum(max(1, -(-line // columns)) for line in self._lines)
            rows += (len(MARK) + cells(typed)) // columns if typed else 0
            self._sink.write("\r\x1b[2K" + "\x1b[A\x1b[2K" * min(rows, most - 1))
            self._lines = []

    def _echo(self, *, on: bool) -> None:
        """Switch the terminal's echo of typed characters on or off. It is on only during a question."""
        if self._source is not sys.stdin:
            return
        with suppress(ImportError, OSError, ValueError):
            import termios  # noqa: PLC0415 - not on every system

            modes = termios.tcgetattr(self._source)
            modes[3] = modes[3] | termios.ECHO if on else modes[3] & ~termios.ECHO
            termios.tcsetattr(self._source, termios.TCSADRAIN, modes)


def _being_typed() -> str:
    with suppress(ImportError):
        import readline  # noqa: PLC0415 - as the console has it

        return readline.get_line_buffer()
    return ""


@contextmanager
def _heard_resizes() -> Iterator[None]:
    """Raise _ResizedError if the terminal is resized inside the block (SIGWINCH). Some systems lack that signal."""
    number = getattr(signal, "SIGWINCH", None)
    if number is None or current_thread() is not main_thread():
        yield
        return

    def resized(number: int, frame: FrameType | None) -> None:
        raise _ResizedError(_being_typed())

    before = signal.signal(number, resized)
    try:
        yield
    finally:
        signal.signal(number, before)


@contextmanager
def _begun(line: str) -> Iterator[None]:
    """Put this text at the start of the next line that is typed."""
    if not line:
        yield
        return
    import readline  # noqa: PLC0415 - the text came from readline, so it is there

    readline.set_startup_hook(lambda: readline.insert_text(line))
    try:
        yield
    finally:
        readline.set_startup_hook(None)
