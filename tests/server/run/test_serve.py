"""Test ``serve`` in its own process: its output, its addresses and its end."""

import fcntl
import io
import os
import pty
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
import segno

from pubdice.server import serve as serving
from pubdice.server.banner import address_of, banner, is_loopback, lan_address, qr_lines
from pubdice.server.serve import listen, serve
from pubdice.text.language import Language
from support.console import COMMAND
from support.ports import free_port

HOUSE = '''
import asyncio, sys
from pubdice.server.serve import serve

class App:
    """Streams that end when the house says goodbye, or, if they are told to be deaf, never."""

    def __init__(self):
        self.closing = asyncio.Event()

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            while True:
                kind = (await receive())["type"]
                await send({"type": kind + ".complete"})
                if kind == "lifespan.shutdown":
                    print("put away", flush=True)
                    return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
        await send({"type": "http.response.body", "body": b"event: view\\n\\n", "more_body": True})
        if scope["path"] == "/deaf":
            await asyncio.Event().wait()
        await self.closing.wait()
        await send({"type": "http.response.body", "body": b"event: closing\\n\\n", "more_body": True})
        await send({"type": "http.response.body", "body": b""})

app = None
def factory():
    global app
    app = App()
    return app

status = serve(factory, host=sys.argv[1], port=int(sys.argv[2]), on_stopping=lambda: app.closing.set())
print("after", status, flush=True)
sys.exit(status)
'''


class House:
    """A house in a process of its own."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0, script: str = HOUSE) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", script, host, str(port)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r":(\d+)/", said)
        self.port = int(found[1]) if found else 0

    def stream(self, path: str = "/") -> socket.socket:
        client = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        heard = b""
        while b"event: view" not in heard:
            heard += client.recv(4096)
        return client

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Its exit status, and what it printed on the way."""
        self.process.send_signal(number)
        out, _ = self.process.communicate(timeout=60)
        return self.process.returncode, out

    def __enter__(self) -> "House":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def test_a_house_raises_its_limit_of_open_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft - 1, hard))
    serving.allow_files(soft)
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (soft, hard)


def test_a_house_says_goodbye_to_all_its_streams() -> None:
    with House() as house:
        clients = [house.stream() for _ in range(50)]
        status, said = house.stop()
        assert status == 0
        assert "put away" in said
        assert "after 0" in said
        for client in clients:
            heard = b""
            while part := client.recv(4096):
                heard += part
            assert b"event: closing" in heard
            client.close()


@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.nightly), signal.SIGTERM])
def test_a_stream_that_does_not_end_is_given_up(number: int) -> None:
    with House() as house, house.stream("/deaf"):
        status, said = house.stop(number)
        assert status == 0
        assert "put away" in said


def test_a_second_signal_does_not_kill_a_house_that_closes() -> None:
    closing = 'print("closing", flush=True); import time; time.sleep(0.5)'
    with House(script=HOUSE.replace('print("after"', f'{closing}\nprint("after"')) as house:
        house.process.send_signal(signal.SIGTERM)
        assert house.process.stdout is not None
        while "closing" not in house.process.stdout.readline():
            assert house.process.poll() is None
        house.process.send_signal(signal.SIGTERM)
        assert house.process.wait(60) == 0
        assert house.process.stdout.read() == "after 0\n"


def test_a_port_in_use_is_one_sentence_and_exit_1() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        err = io.StringIO()
        assert serve(lambda: None, port=port, err=err) == 1  # type: ignore[arg-type, return-value]
        assert err.getvalue() == f"pubdice serve: Port {port} is in use already. Pick another with --port.\n"


def test_an_address_that_is_not_here_is_one_sentence_and_exit_1() -> None:
    for host in ("192.0.2.1", "no such host.invalid"):
        err = io.StringIO()
        assert serve(lambda: None, host=host, port=0, err=err) == 1  # type: ignore[arg-type, return-value]
        assert err.getvalue().count("\n") == 1
        assert host in err.getvalue()


@pytest.mark.skipif(sys.platform != "linux", reason="TCP_USER_TIMEOUT is Linux's")
def test_lost_phones_are_noticed_and_moves_are_not_delayed() -> None:
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == serving.UNACKED_MS
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1


def test_both_kinds_of_address_can_be_listened_on() -> None:
    with listen("::", 0) as both:
        port = both.getsockname()[1]
        for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
            with socket.socket(family) as client:
                client.connect((host, port))


def test_the_house_is_deaf_to_proxies_and_silent_about_itself() -> None:
    config = serving.configured(lambda: None)  # type: ignore[arg-type, return-value]
    assert not config.proxy_headers
    assert not config.server_header
    assert not config.access_log
    assert config.ws == "none"


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
    """A terminal of a size and an encoding."""

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


def test_a_house_on_a_terminal_speaks_in_sentences(tmp_path: Path) -> None:
    """A stopped process holds its event loop, as a busy laptop does."""
    file, port, terminal = tmp_path / "house.db", free_port(), Terminal(120, 40)
    words: list[str | Path] = [COMMAND, "serve", "--data", file, "--port", str(port), "--no-qr"]
    shown = b""
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal) as house:
        while b"Press Ctrl+C" not in shown:
            shown += os.read(terminal.master, 9999)
        log, stop = tmp_path / "house.db.log", time.monotonic() + 60
        while "loop-held" not in log.read_text("utf-8"):
            assert time.monotonic() < stop, "the loop was never held"
            with socket.create_connection(("127.0.0.1", port)) as client:
                client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                client.recv(1)  # the answer is out, and the lag is sampled for some ms more
                house.send_signal(signal.SIGSTOP)
                time.sleep(0.05)
                house.send_signal(signal.SIGCONT)
        house.send_signal(signal.SIGTERM)
    shown += os.read(terminal.master, 9999)
    terminal.close()
    os.close(terminal.master)
    assert house.returncode == 0
    assert shown.decode().split("\r\n")[0] == f"Pubdice is open at http://127.0.0.1:{port}/"
    assert f"\r\nThe tables are kept in {file}.\r\n" in shown.decode()
    assert "{" not in shown.decode()


def test_without_a_terminal_there_is_a_qr_code_only_on_request() -> None:
    plain = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    assert "▀" not in banner(Language(), "http://pub/", None, show_qr=None, out=plain)
    assert "▀" in banner(Language(), "http://pub/", None, show_qr=True, out=plain)


def rows_of(lines: list[str]) -> list[list[bool]]:
    """The modules of a drawn code, row by row, True if dark. The last line's lower half is not part of the code."""
    upper = [[block in " ▄" for block in line] for line in lines]
    lower = [[block in " ▀" for block in line] for line in lines]
    return [row for pair in zip(upper, lower, strict=True) for row in pair][:-1]


@pytest.mark.parametrize("address", ["http://192.168.100.100:4224/", "https://pub.example/" + "x" * 99])
def test_the_qr_code_drawn_is_that_of_the_address(address: str) -> None:
    rows = rows_of(qr_lines(address))
    code = [[bool(dark) for dark in row] for row in segno.make_qr(address, error="l").matrix]
    assert [row[3:-3] for row in rows[3:-3]] == code
    border = [*rows[:3], *rows[-3:], *(row[:3] + row[-3:] for row in rows)]
    assert not any(dark for row in border for dark in row)
    assert len(qr_lines("http://192.168.100.100:4224/")[0]) <= 40


def test_the_qr_code_is_light_on_dark() -> None:
    plain = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    said = banner(Language(), "http://pub/", None, show_qr=True, out=plain)
    *drawn, last = [line for line in said.splitlines() if "\x1b" in line]
    assert all(line.startswith("\x1b[38;5;231m\x1b[48;5;16m") and line.endswith("\x1b[0m") for line in drawn)
    assert set(last.removeprefix("\x1b[38;5;231m").removesuffix("\x1b[0m")) == {"▀"}  # no dark bar under it


def test_a_house_on_this_machine_alone_says_how_to_open_it() -> None:
    plain = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    said = banner(Language(), "http://127.0.0.1:4224/", "make serve HOST=0.0.0.0", show_qr=None, out=plain)
    assert "Only this machine can reach it. To let phones in, run: make serve HOST=0.0.0.0\n" in said
