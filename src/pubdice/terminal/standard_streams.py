"""The console on standard input and output."""

import sys
from collections.abc import Mapping
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass
from pubdice.terminal.console import Console, terminal_size

READERS = ("ORCA", "NVDA", "JAWS", "BRLTTY", "BRLAPI", "SPEAKUP", "FENRIR", "EMACSPEAK", "TDSR", "YASR", "ACCESSIBLE")
"""The first parts of environment variables that screen readers, or their users, set."""


def can_draw(environ: Mapping[str, str], *, plain: bool = False) -> bool:
    """Return True if the terminal can show drawings, and no environment variable names a screen reader.

    It is False for --plain, NO_COLOR, TERM=dumb, or an encoding other than UTF-8.
    """
    ends = sys.stdin.isatty() and sys.stdout.isatty() and "utf" in (sys.stdout.encoding or "").lower()
    read_aloud = any(name.startswith(READERS) and value not in ("", "0") for name, value in environ.items())
    return ends and _coloured(environ, plain=plain) and bool(environ.get("TERM")) and not read_aloud


def _coloured(environ: Mapping[str, str], *, plain: bool) -> bool:
    return sys.stdout.isatty() and not plain and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def standard(environ: Mapping[str, str], *, plain: bool = False) -> Console:
    """Return the console for standard input and output.

    It draws if the terminal can. Otherwise it writes plain text, with bold questions on any terminal that has styles.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # a character that cannot be read or written becomes "?", and raises no error
            stream.reconfigure(errors="replace")
    live = sys.stdin.isatty()
    if live:
        with suppress(ImportError):
            import readline  # noqa: F401, PLC0415 - gives ``input`` line editing and a history, if the system has it
    aside = sys.stderr if sys.stderr.isatty() else None
    if can_draw(environ, plain=plain):
        from pubdice.terminal.drawn_console import DrawnConsole  # noqa: PLC0415 - imported only if something is drawn

        return DrawnConsole(sys.stdin, sys.stdout, aside)
    width = (lambda: terminal_size()[0]) if sys.stdout.isatty() else None
    colour = _coloured(environ, plain=plain)
    return Console(sys.stdin, sys.stdout, live=live, colour=colour, width=width, aside=aside)
