"""The banner of a house that opens: the address that others type, and a QR code of it where it can be shown.

Knows addresses and terminals; knows no socket that listens, and nothing of what the house does.
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
"""Colours of a QR code: segno draws what is light, and no terminal's own colours are sure to be light on dark."""


def is_loopback(host: str) -> bool:
    """True if only this machine can reach a socket that listens there."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def address_of(host: str, port: int) -> str:
    """The address that others in the same network type.

    >>> address_of("127.0.0.1", 4224), address_of("::1", 80)
    ('http://127.0.0.1:4224/', 'http://[::1]:80/')
    """
    if host in ("", "0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        host = lan_address() or socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def lan_address() -> str | None:
    """The address of this machine in its network: the one it would send from. Sends nothing; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that is nobody's (RFC 5737)
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if found == "0.0.0.0" else found  # noqa: S104 - compared, not bound


def banner(language: Language, address: str, closed: str | None, *, show_qr: bool | None, out: TextIO) -> str:
    """The text printed when the house is open: its address, a QR code of it if phones can use it, and who gets in."""
    lines = [language.say("Pubdice is open at {address}", address=address)]
    drawn = qr_lines(address)
    if show_qr or (show_qr is None and not closed and _fits(drawn, out)):
        if _can_write("▀▄█", out):
            lines += ["", *(f"{_LIGHT}{_ON_DARK}{line}{_OFF}" for line in drawn[:-1])]
            lines += [f"{_LIGHT}{drawn[-1]}{_OFF}", ""]  # only its upper half is of the code, which has an odd height
        else:
            lines.append(language.say("This terminal cannot show a QR code."))
    if closed:
        lines.append(language.say("Only this machine can reach it. To let phones in, run: {command}", command=closed))
    return "\n".join([*lines, language.say("Press Ctrl+C to close it. No game is lost."), ""])


def qr_lines(address: str) -> list[str]:
    """A QR code as text with its quiet zone, two rows a line: light squares as blocks, dark ones left out."""
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
    return columns >= len(drawn[0]) and rows >= len(drawn) + 6 and _can_write("▀▄█", out)


def _can_write(text: str, out: TextIO) -> bool:
    try:
        text.encode(out.encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True
