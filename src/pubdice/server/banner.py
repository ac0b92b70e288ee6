"""The banner of a house that opens: the house's address, and the address as a QR code if the terminal can show it.

Knows addresses and terminals. Knows no listening socket and no house.
"""

import os
import socket
from io import StringIO
from ipaddress import ip_address
from typing import TextIO

import segno

from pubdice.text.language import Language

QUIET_ZONE = 3
_LIGHT, _ON_DARK, _OFF = "\x1b[38;5;231m", "\x1b[48;5;16m", "\x1b[0m"
"""Colours of the QR code. segno draws the light squares, and a terminal's own colours may be dark on light."""


def is_loopback(host: str) -> bool:
    """Return True if only this machine can reach a socket bound to this host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def address_of(host: str, port: int) -> str:
    """Return the address that people type at other devices in the same network.

    >>> address_of("127.0.0.1", 4224), address_of("::1", 80)
    ('http://127.0.0.1:4224/', 'http://[::1]:80/')
    """
    if host in ("", "0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        host = lan_address() or socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def lan_address() -> str | None:
    """Return the address from which this machine would send into its network. None without a network. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an unassigned address (RFC 5737)
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if found == "0.0.0.0" else found  # noqa: S104 - compared, not bound


def banner(
    language: Language, address: str, closed: str | None, kept_in: str = "", *, show_qr: bool | None, out: TextIO
) -> str:
    """Return the text to print when the house is open: its address, its QR code if phones can use it, how to let
    phones in, and the place of its tables.
    """
    lines = [language.say("Pubdice is open at {address}", address=address)]
    drawn = qr_lines(address)
    if show_qr or (show_qr is None and not closed and _fits(drawn, out)):
        if _can_write("▀▄█", out):
            lines += ["", *(f"{_LIGHT}{_ON_DARK}{line}{_OFF}" for line in drawn[:-1])]
            lines += [f"{_LIGHT}{drawn[-1]}{_OFF}", ""]  # only the upper half of the line: the code has an odd height
        else:
            lines.append(language.say("This terminal cannot show a QR code."))
    if closed:
        lines.append(language.say("Only this machine can reach it. To let phones in, run: {command}", command=closed))
    if kept_in:
        lines.append(language.say("The tables are kept in {place}.", place=kept_in))
    return "\n".join([*lines, language.say("Press Ctrl+C to close it. No game is lost."), ""])


def qr_lines(address: str) -> list[str]:
    """Return a QR code as text with its quiet zone, two rows a line. Light squares are blocks, dark ones are spaces."""
    drawn = StringIO()
    segno.make_qr(address, error="l").terminal(drawn, border=QUIET_ZONE, compact=True)
    return drawn.getvalue().splitlines()


def _fits(drawn: list[str], out: TextIO) -> bool:
    try:
        if not out.isatty() or os.environ.get("TERM") == "dumb":
            return False
        columns, rows = os.get_terminal_size(out.fileno())
    except (OSError, ValueError):
        return False
    return columns >= len(drawn[0]) and rows >= len(drawn) + 7 and _can_write("▀▄█", out)


def _can_write(text: str, out: TextIO) -> bool:
    try:
        text.encode(out.encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True
