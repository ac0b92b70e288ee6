"""A conversation in lines over a picture: sentences scroll up, and the table as it stands is drawn below them.

The picture and the question are taken away before anything is said, so the sentences that a pipe would read are left on
the screen. The cursor only moves up over what was drawn, so nothing of the shell's screen is touched.
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
    """The terminal has another size while somebody types; typed: the line so far."""

    def __init__(self, typed: str) -> None:
        super().__init__(typed)
        self.typed = typed


class DrawnConsole(Console):
    """A console on a terminal that can move its cursor. picture: what to draw below the sentences; None for nothing."""

    def __init__(self, source: TextIO, sink: TextIO, aside: TextIO | None = None) -> None:
        super().__init__(source, sink, live=True, colour=True, width=lambda: terminal_size()[0], aside=aside)
        self._lines: list[int] = []  # the columns of each line below what was said last
        self._lock = RLock()
        self._picture: Artist | None = None
        self._question, self._asking = "", False

    @contextmanager
    def drawing(self, picture: Artist) -> Iterator[None]:
        """Draw this under what is said and asked inside; what was typed meanwhile is not shown in the midst of it."""
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
        """Sentences above the picture, which is drawn as things are now; what somebody is typing stays below it."""
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
        """An answer; the question stands under the picture, and what was typed stays, faint, among the sentences."""
        if self._picture is None:
            return super().ask(prompt)
        self._question = prompt or self._question  # which was taken away with the picture
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
        """A line as it is typed. Raises LeftError at the end of input, and _ResizedError. before: its beginning."""
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
            self._lines.append(len(MARK) + cells(answer) + 1)  # one for the cursor, which may stand in a row of its own
            self._echo(on=False)
        return answer.strip()

    @contextmanager
    def _while_asking(self) -> Iterator[None]:
        """Know that the mark stands there and somebody may be typing, so that ``say`` puts both back."""
        try:
            import readline  # noqa: PLC0415 - as the console has it
        except ImportError:
            yield
            return

        def begin() -> None:
            self._asking = True

        readline.set_pre_input_hook(begin)  # once the mark is written
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
        """Take away all that stands below what was said last; a narrower terminal has broken lines into more rows.

        Row by row: where all of the screen is cleared at once, tmux keeps a copy of it in its history. typed: the line
        in which the cursor stands, so far; None if nobody types.
        """
        if self._lines or typed is not None:
            columns, most = terminal_size()
            rows = sum(max(1, -(-line // columns)) for line in self._lines)
            rows += (len(MARK) + cells(typed)) // columns if typed else 0
            self._sink.write("\r\x1b[2K" + "\x1b[A\x1b[2K" * min(rows, most - 1))
            self._lines = []

    def _echo(self, *, on: bool) -> None:
        """Let the terminal show what is typed, or not: only while it is asked for."""
        if self._source is not sys.stdin:
            return
        with suppress(ImportError, OSError, ValueError):
            import termios  # noqa: PLC0415 - not on every system

            modes = termios.tcgetattr(self._source)
            modes[3] = modes[3] | termios.ECHO if on else modes[3] & ~termios.ECHO
            termios.tcsetattr(self._source, termios.TCSADRAIN, modes)


def _being_typed() -> str:
    """The line so far that somebody is typing."""
    with suppress(ImportError):
        import readline  # noqa: PLC0415 - as the console has it

        return readline.get_line_buffer()
    return ""


@contextmanager
def _heard_resizes() -> Iterator[None]:
    """Raise _ResizedError while somebody types, where the system tells of another size."""
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
    """Let the next line that is typed begin so."""
    if not line:
        yield
        return
    import readline  # noqa: PLC0415 - it gave us the line

    readline.set_startup_hook(lambda: readline.insert_text(line))
    try:
        yield
    finally:
        readline.set_startup_hook(None)
