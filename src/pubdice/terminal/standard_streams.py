"""The console on standard input and output: with pictures if the terminal can draw, else in plain text."""

import sys
from collections.abc import Mapping
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass
from pubdice.terminal.console import Console, terminal_size

READERS = ("ORCA", "NVDA", "JAWS", "BRLTTY", "BRLAPI", "SPEAKUP", "FENRIR", "EMACSPEAK", "TDSR", "YASR", "ACCESSIBLE")
"""Prefixes of environment variables that screen readers and their users set."""


def can_draw(environ: Mapping[str, str], *, plain: bool = False) -> bool:
    """True if the terminal can show pictures, and no environment variable names a screen reader.

    False with --plain, NO_COLOR, TERM=dumb, or an encoding other than UTF-8.
    """
    ends = sys.stdin.isatty() and sys.stdout.isatty() and "utf" in (sys.stdout.encoding or "").lower()
    read_aloud = any(name.startswith(READERS) and value not in ("", "0") for name, value in environ.items())
    return ends and _coloured(environ, plain=plain) and bool(environ.get("TERM")) and not read_aloud


def _coloured(environ: Mapping[str, str], *, plain: bool) -> bool:
    return sys.stdout.isatty() and not plain and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def standard(environ: Mapping[str, str], *, plain: bool = False) -> Console:
    """The console: with pictures if the terminal can draw, with colour on any terminal, else in plain text."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # an undecodable or unprintable character becomes "?", not an error
    live = sys.stdin.isatty()
    if live:
        with suppress(ImportError):
            import readline  # noqa: F401, PLC0415 - line editing and history, where the system has it
    aside = sys.stderr if sys.stderr.isatty() else None
    if can_draw(environ, plain=plain):
        from pubdice.terminal.drawn_console import DrawnConsole  # noqa: PLC0415 - only where something is drawn

        return DrawnConsole(sys.stdin, sys.stdout, aside)
    width = (lambda: terminal_size()[0]) if sys.stdout.isatty() else None
    colour = _coloured(environ, plain=plain)
    return Console(sys.stdin, sys.stdout, live=live, colour=colour, width=width, aside=aside)
