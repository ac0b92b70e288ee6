"""Streams of a real house: phones that vanish, and match after match."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from pubdice.server.serve import UNACKED_MS
from pubdice.server.table.house import HEARTBEAT_S
from support.console import COMMAND
from support.house_process import House, Phone
from support.metrics import metric
from support.networks import far_end, ip, namespace

LISTENER = """
import socket, sys
line = socket.create_connection((sys.argv[1], int(sys.argv[2])))
line.sendall(sys.argv[3].encode().decode("unicode_escape").encode())
while line.recv(65536):
    print("heard", flush=True)
"""


@dataclass(frozen=True)
class Elsewhere:
    """A network of two: this machine, and a place whose link can be cut."""

    name: str
    here: str = "10.213.77.1"
    there: str = "10.213.77.2"

    def cut(self) -> None:
        ip("-n", self.name, "link", "set", far_end(self.name), "down")


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    """A place to vanish from. Skipped if none may be made."""
    place = Elsewhere(f"pd{os.getpid() % 100_000}")
    with namespace(place.name, {place.name: (place.here, place.there)}):
        yield place


def streams(house: House) -> int:
    """The number of streams that the house believes open."""
    text = httpx.get(f"http://{house.host}:{house.port}/metrics", timeout=60).text
    return int(metric(text, "pubdice_streams"))


def seated(house: House, ann: Phone, bob: Phone) -> str:
    """The code of a table that Bob has set up for both."""
    base = f"http://{house.host}:{house.port}"
    order = {"game": "midnight", "name": "Bob", "people": 2, "key": bob.key()}
    code = str(httpx.post(f"{base}/tables", json=order, headers=bob.cookie, timeout=60).json()["code"])
    sits = {"key": ann.key(), "do": "sit", "name": "Ann"}
    assert httpx.post(f"{base}/t/{code}", json=sits, headers=ann.cookie, timeout=60).status_code == 200
    return code


def asked_for(house: House, code: str, phone: Phone) -> str:
    """A phone's request for the table's stream."""
    return f"GET /t/{code}/events HTTP/1.1\r\nHost: {house.host}:{house.port}\r\nCookie: pubdice={phone.token}\r\n\r\n"


def found_out(house: House, code: str, bob: Phone) -> None:
    """The only stream has just fallen silent: the house misses it, and then its seat is shown as away."""
    until = time.monotonic() + 60
    while streams(house):
        assert time.monotonic() < until
        time.sleep(0.05)
    while is_here(house, code, bob):
        assert time.monotonic() < until
        time.sleep(0.05)


def is_here(house: House, code: str, phone: Phone) -> bool:
    """True if Ann is shown to a phone as here."""
    state = httpx.get(f"http://{house.host}:{house.port}/t/{code}/state", headers=phone.cookie, timeout=60).json()
    return bool(state["view"]["seats"][1]["here"])


SOON_MISSED = f"""
import runpy
from pubdice.server import serve
from pubdice.server.table import presence
if __name__ == "__main__":
    serve.UNACKED_MS, presence.Presence.away_ms = 500, 100
    runpy.run_path({str(COMMAND)!r}, run_name="__main__")
"""
"""A house that misses a phone after half a second."""


@pytest.mark.skipif(sys.platform != "linux", reason="TCP_USER_TIMEOUT is Linux's")
def test_a_phone_that_takes_nothing_any_more_is_found_out(tmp_path: Path) -> None:
    """Both ends stay open. The news meanwhile has room in the house: only time finds the phone out."""
    script = tmp_path / "soon_missed.py"
    script.write_text(SOON_MISSED, encoding="utf-8")
    with House(tmp_path, script=script) as house, socket.socket() as line:
        ann, bob = Phone(house.port, "Ann"), Phone(house.port, "Bob")
        code = seated(house, ann, bob)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)  # the least there is, a few KB
        line.settimeout(60)
        line.connect((house.host, house.port))
        line.sendall(asked_for(house, code, ann).encode())
        assert line.recv(1024).startswith(b"HTTP/1.1 200")
        assert streams(house) == 1
        assert is_here(house, code, bob)
        for ms in range(1, 9):
            asked = {"key": bob.key(), "do": "pace", "ms": ms}
            said = httpx.post(f"http://{house.host}:{house.port}/t/{code}", json=asked, headers=bob.cookie, timeout=60)
            assert said.status_code == 200
        found_out(house, code, bob)


def vanish(house: House, elsewhere: Elsewhere, code: str, phone: Phone) -> "subprocess.Popen[str]":
    """A phone elsewhere opens a stream."""
    words = ["ip", "netns", "exec", elsewhere.name, sys.executable, "-c", LISTENER]
    words += [house.host, str(house.port), asked_for(house, code, phone).encode("unicode_escape").decode()]
    gone = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert gone.stdout is not None
    assert gone.stdout.readline() == "heard\n"
    return gone


@pytest.mark.nightly
@pytest.mark.parametrize("delay_s", [0.0, 2.0, 5.0, 7.5])
def test_a_phone_that_vanishes_is_found_out(tmp_path: Path, elsewhere: Elsewhere, delay_s: float) -> None:
    """Whenever it vanishes between two signs of life."""
    with House(tmp_path, host=elsewhere.here) as house:
        ann, bob = Phone(house.port, "Ann"), Phone(house.port, "Bob")
        code = seated(house, ann, bob)
        gone = vanish(house, elsewhere, code, ann)
        try:
            assert streams(house) == 1
            time.sleep(delay_s)
            elsewhere.cut()
            found_out(house, code, bob)
        finally:
            gone.kill()
            gone.communicate()


def test_a_phone_that_vanishes_is_missed_within_twenty_seconds() -> None:
    """The longest silence, after at most one pause, is within the promise."""
    assert HEARTBEAT_S + UNACKED_MS / 1000 <= 18


ROOT = Path(__file__).parents[2]
SECONDS = 600
GROWTH_MB = 0.5
"""A minute, over the second half. Five minutes are what such a house takes to become about as large as it stays, so
the first half is not counted. It was seen to grow by 0.6 (0.4 to 0.8) from the third minute to the fifth, by 0.5 (0.3
to 0.7) from the fourth to the eighth, by 0.2 (0.18 to 0.27) from the seventh to the thirteenth, while as many objects
were alive in it as before: caches fill, and the allocator's arenas become as many as its fullest moment takes. So this
is no proof that it never grows: ``benchmarks.house soak`` asks that of an hour, to 0.1. But a hundred matches end in a
minute, and a table, if it were not forgotten, is about 0.1 MB: were one in fifteen kept, this would show it.
"""


@pytest.mark.nightly
def test_a_house_that_plays_match_after_match_does_not_grow() -> None:
    soak = [sys.executable, "-m", "benchmarks.house", "soak", "--tables", "100", "--every", "10"]
    allowed = ["--seconds", str(SECONDS), "--growth", str(GROWTH_MB)]
    run = subprocess.run([*soak, *allowed], check=False, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, f"{run.stdout}\n{run.stderr}"
