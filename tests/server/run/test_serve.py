"""The house opened and closed: real processes, real signals, loopback only."""

import io
import re
import signal
import socket
import subprocess
import sys
import time

import pytest

from pubdice.server import serve as serving
from pubdice.server.serve import listen, serve
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

    def stop(self, number: int = signal.SIGTERM) -> tuple[float, int, str]:
        """Seconds to the end, exit status, what it printed on the way."""
        start = time.monotonic()
        self.process.send_signal(number)
        out, _ = self.process.communicate(timeout=20)
        return time.monotonic() - start, self.process.returncode, out

    def __enter__(self) -> "House":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def test_a_house_with_500_streams_says_goodbye_to_all_and_is_gone_within_two_seconds() -> None:
    serving.allow_files(4096)
    with House() as house:
        clients = [house.stream() for _ in range(500)]
        took_s, status, said = house.stop()
        assert took_s < 2
        assert status == 0
        assert "put away" in said
        assert "after 0" in said
        for client in clients:
            heard = b""
            while part := client.recv(4096):
                heard += part
            assert b"event: closing" in heard
            client.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_streams_that_do_not_end_are_not_waited_for_long(number: int) -> None:
    with House() as house, house.stream("/deaf"):
        took_s, status, said = house.stop(number)
        assert took_s < 4
        assert status == 0
        assert "put away" in said


def test_a_signal_that_is_repeated_does_not_kill_a_house_that_is_closing_its_files() -> None:
    closing = 'print("closing", flush=True); import time; time.sleep(0.5)'
    with House(script=HOUSE.replace('print("after"', f'{closing}\nprint("after"')) as house:
        house.process.send_signal(signal.SIGTERM)
        assert house.process.stdout is not None
        while "closing" not in house.process.stdout.readline():
            assert house.process.poll() is None
        house.process.send_signal(signal.SIGTERM)
        assert house.process.wait(20) == 0
        assert house.process.stdout.read() == "after 0\n"


def test_a_head_that_does_not_end_is_cut_off() -> None:
    with House() as house, socket.create_connection(("127.0.0.1", house.port), timeout=10) as client:
        client.sendall(b"GET / HTTP/1.1\r\nX: ")
        heard = b""
        try:
            for _ in range(400):
                client.sendall(b"a" * 1024)
                time.sleep(0.001)
            heard = client.recv(4096)
        except OSError:
            pass  # the house has hung up while we still spoke
        else:
            assert heard.startswith(b"HTTP/1.1 400")


def test_a_head_that_does_not_come_is_not_waited_for() -> None:
    port = free_port()
    waiting = HOUSE.replace(
        "import asyncio, sys", "import asyncio, sys, pubdice.server.uvicorn_protocol as r; r.HEAD_WITHIN_S = 0.2"
    )
    with House(port=port, script=waiting) as house:
        for said in (b"", b"GET / HTTP/1.1\r\nHost"):
            with socket.create_connection(("127.0.0.1", house.port), timeout=5) as client:
                client.sendall(said)
                assert client.recv(100) == b""


def test_a_port_in_use_is_one_sentence_and_exit_1() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        err = io.StringIO()
        assert serve(lambda: None, port=port, err=err) == 1  # type: ignore[arg-type, return-value]
        assert err.getvalue() == f"pubdice: Port {port} is in use already. Pick another with --port.\n"


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
