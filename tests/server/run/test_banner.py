"""What is printed when the house opens: an address to type, and a QR code wherever a terminal can show it."""

import fcntl
import io
import os
import pty
import socket
import struct
import termios

import pytest
import segno

from pubdice.server.banner import address_of, banner, is_loopback, lan_address, qr_lines
from pubdice.text.language import Language


def test_the_address_printed_is_one_that_others_can_type() -> None:
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback("0.0.0.0")
    assert not is_loopback("192.168.1.7")
    for host in ("0.0.0.0", "::", ""):
        assert address_of(host, 4224) in {f"http://{lan_address()}:4224/", f"http://{socket.gethostname()}:4224/"}
    assert address_of("192.168.1.7", 80) == "http://192.168.1.7:80/"


class Terminal(io.TextIOWrapper):
    """A terminal of a size, which may be unable to show blocks."""

    def __init__(self, columns: int, rows: int, encoding: str = "utf-8") -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        super().__init__(os.fdopen(slave, "wb"), encoding=encoding)


@pytest.mark.parametrize(
    ("columns", "rows", "encoding", "asked", "shown"),
    [
        (80, 40, "utf-8", None, True),
        (30, 40, "utf-8", None, False),
        (80, 15, "utf-8", None, False),
        (80, 40, "ascii", None, False),
        (80, 40, "utf-8", False, False),
        (30, 15, "utf-8", True, True),
        (80, 40, "ascii", True, False),
    ],
)
def test_the_qr_code_is_shown_where_it_can_be(
    *, columns: int, rows: int, encoding: str, asked: bool | None, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal(columns, rows, encoding)
    said = banner(Language(), "http://192.168.1.7:4224/", None, show_qr=asked, out=terminal)
    assert ("▀" in said) is shown
    assert ("cannot show a QR code" in said) is (asked is True and not shown)
    assert said.startswith("Pubdice is open at http://192.168.1.7:4224/\n")
    terminal.close()
    os.close(terminal.master)


def test_without_a_terminal_there_is_a_qr_code_only_on_request() -> None:
    plain = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    assert "▀" not in banner(Language(), "http://pub/", None, show_qr=None, out=plain)
    assert "▀" in banner(Language(), "http://pub/", None, show_qr=True, out=plain)


def rows_of(lines: list[str]) -> list[list[bool]]:
    """Whether each module of a drawn code is dark, row by row; the last line's lower half is none of the code's."""
    upper = [[block in " ▄" for block in line] for line in lines]
    lower = [[block in " ▀" for block in line] for line in lines]
    return [row for pair in zip(upper, lower, strict=True) for row in pair][:-1]


@pytest.mark.parametrize("address", ["http://192.168.100.100:4224/", "https://pub.example/" + "x" * 99])
def test_the_qr_code_that_is_drawn_is_that_of_the_address_with_its_quiet_zone(address: str) -> None:
    rows = rows_of(qr_lines(address))
    code = [[bool(dark) for dark in row] for row in segno.make_qr(address, error="l").matrix]
    assert [row[3:-3] for row in rows[3:-3]] == code
    border = [*rows[:3], *rows[-3:], *(row[:3] + row[-3:] for row in rows)]
    assert not any(dark for row in border for dark in row)
    assert len(qr_lines("http://192.168.100.100:4224/")[0]) <= 40


def test_the_qr_code_is_light_on_dark_whatever_the_terminals_colours() -> None:
    plain = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    said = banner(Language(), "http://pub/", None, show_qr=True, out=plain)
    *drawn, last = [line for line in said.splitlines() if "\x1b" in line]
    assert all(line.startswith("\x1b[38;5;231m\x1b[48;5;16m") and line.endswith("\x1b[0m") for line in drawn)
    assert set(last.removeprefix("\x1b[38;5;231m").removesuffix("\x1b[0m")) == {"▀"}  # no dark bar under it


def test_a_house_that_only_this_machine_reaches_says_how_to_open_it() -> None:
    plain = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    said = banner(Language(), "http://127.0.0.1:4224/", "make serve HOST=0.0.0.0", show_qr=None, out=plain)
    assert "Only this machine can reach it. To let phones in, run: make serve HOST=0.0.0.0\n" in said
