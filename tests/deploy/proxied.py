"""Caddy with the Caddyfile of ``deploy/``, on free ports."""

import json
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from deploy.deployed import DEPLOY, program, ran
from support.ports import free_port

WITHIN_S = 20.0
SENDS_TWICE = (2, 11)
"""The first Caddy that sends a body to a second house."""


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
