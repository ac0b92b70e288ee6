"""Caddy with the Caddyfile of ``deploy/``, on free ports, and houses behind it that do what a test wants."""

import json
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from deploy.deployed import DEPLOY, program, ran
from support.ports import free_port

WITHIN_S = 20.0
SENDS_TWICE = (2, 11)
"""The first Caddy that sends a body to a second house."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that came through."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(slots=True)
class StandIn:
    """Stands in for a house: answers each request with 200, or hangs up on those of some methods once it has them."""

    hangs_up_on: tuple[str, ...] = ()
    ready: int = 200
    asked: list[Asked] = field(default_factory=list)
    _server: ThreadingHTTPServer | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        assert self._server is not None
        return int(self._server.server_address[1])

    def __enter__(self) -> Self:
        house = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                length = int(self.headers.get("content-length", "0"))
                headers = {name.lower(): value for name, value in self.headers.items()}
                found = Asked(self.command, self.path, headers, self.rfile.read(length))
                status = 200
                if self.path == "/ready":
                    status = house.ready
                else:
                    house.asked.append(found)
                    if self.command in house.hangs_up_on:
                        self.close_connection = True
                        return
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()

            do_GET = do_POST = answer  # noqa: N815 - what the library calls

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()


def version(command: str) -> tuple[int, int]:
    """Which Caddy it is; Debian has an old one."""
    said = ran(command, "version", HOME="/").stdout.removeprefix("v").split(".")
    return int(said[0]), int(said[1])


def environment(folder: Path, ports: Sequence[int], repeats: str = "pages") -> dict[str, str]:
    """The variables that the Caddyfile reads, and a home for Caddy."""
    houses = " ".join(f"127.0.0.1:{port}" for port in ports)
    return {"HOME": str(folder), "PUBDICE_NAME": "localhost", "PUBDICE_HOUSES": houses, "PUBDICE_REPEATS": repeats}


def adapted(command: str, environ: dict[str, str]) -> Any:
    """What Caddy makes of the Caddyfile as it stands: its configuration."""
    words = [command, "adapt", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    done = subprocess.run(words, env=environ, capture_output=True, text=True, timeout=WITHIN_S, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@contextmanager
def caddy(folder: Path, ports: Sequence[int]) -> Iterator[httpx.Client]:
    """A browser in front of Caddy, which has TLS by a certificate of its own, in front of houses on these ports.

    The file is used as it stands. Of the configuration made from it only the ports are changed, as tests run side by
    side, and Caddy neither opens its admin port nor adds its certificate to the system's.
    """
    command, here = program("caddy"), free_port()
    environ = environment(folder, ports, "commands" if version(command) >= SENDS_TWICE else "pages")
    config = adapted(command, environ) | {"admin": {"disabled": True}}
    http = config["apps"]["http"]
    http |= {"http_port": free_port(), "https_port": here}
    (server,) = http["servers"].values()
    assert server["listen"] == [":443"]
    server["listen"] = [f":{here}"]
    config["apps"]["pki"] = {"certificate_authorities": {"local": {"install_trust": False}}}
    file = folder / "caddy.json"
    file.write_text(json.dumps(config), "utf-8")
    with (folder / "caddy.log").open("wb") as log:
        process = subprocess.Popen([command, "run", "--config", str(file)], env=environ, stdout=log, stderr=log)
    try:
        with httpx.Client(base_url=f"https://localhost:{here}", verify=False, timeout=10.0) as browser:
            _wait_open(browser, process, folder / "caddy.log")
            yield browser
    finally:
        process.terminate()
        process.wait(WITHIN_S)


def _wait_open(browser: httpx.Client, process: subprocess.Popen[bytes], log: Path) -> None:
    """Until a house answers through Caddy, which first has to ask how the houses are."""
    waited = threading.Event()
    for _ in range(int(WITHIN_S * 10)):
        assert process.poll() is None, log.read_text("utf-8")
        try:
            if browser.get("/").status_code == 200:
                return
        except httpx.TransportError:
            pass
        waited.wait(0.1)
    raise AssertionError(log.read_text("utf-8"))
