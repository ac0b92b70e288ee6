"""A phone that vanishes without a word: the house finds out within twenty seconds, and tells the table.

Every run does it without privileges: a phone with hardly any room for what is sent to it stops reading and stays
connected, so what is said to it is not taken any more, and no FIN or RST ever comes. The nightly one takes the link
away from a phone that lives in a network namespace of its own, so that nothing of it is heard at all, no ACK either;
where that is not allowed it is skipped.
"""

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from pubdice.server.serve import UNACKED_MS, listen
from pubdice.server.table.presence import AWAY_MS
from support.house_process import Ear, House, Phone, run
from support.metrics import metric
from support.networks import far_end, ip, namespace
from support.ports import free_port
from support.profiles import NIGHTLY

WITHIN_S = 20.0
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
    """A place to vanish from; skipped where one may not be made."""
    place = Elsewhere(f"pd{os.getpid() % 100_000}")
    with namespace(place.name, {place.name: (place.here, place.there)}):
        yield place


def streams(house: House) -> int:
    """How many streams the house believes are open."""
    text = httpx.get(f"http://{house.host}:{house.port}/metrics").text
    return int(metric(text, "pubdice_streams"))


def seated(house: House, ann: Phone, bob: Phone) -> str:
    """The table where both sit; its code."""
    base = f"http://{house.host}:{house.port}"
    order = {"game": "midnight", "name": "Ann", "people": 2, "key": ann.key()}
    code = str(httpx.post(f"{base}/tables", json=order, headers=ann.cookie).json()["code"])
    sits = {"key": bob.key(), "do": "sit", "name": "Bob"}
    assert httpx.post(f"{base}/t/{code}", json=sits, headers=bob.cookie).status_code == 200
    return code


def asked_for(house: House, code: str, phone: Phone) -> str:
    """A phone's request for the table's stream."""
    return f"GET /t/{code}/events HTTP/1.1\r\nHost: {house.host}:{house.port}\r\nCookie: pubdice={phone.token}\r\n\r\n"


def found_out(house: House, code: str, bob: Phone) -> None:
    """The only stream has just fallen silent: it is missed in time, and then its seat is shown as away."""
    began = time.monotonic()
    while streams(house) and time.monotonic() - began < 2 * WITHIN_S:
        time.sleep(0.1)
    took_s = time.monotonic() - began
    print(f"found out after {took_s:.1f} s")
    assert took_s <= WITHIN_S
    time.sleep(AWAY_MS / 1000 + 0.5)
    state = httpx.get(f"http://{house.host}:{house.port}/t/{code}/state", headers=bob.cookie).json()
    assert [seat["here"] for seat in state["view"]["seats"]] == [False, True]


@pytest.mark.skipif(sys.platform != "linux", reason="TCP_USER_TIMEOUT is Linux's")
def test_a_phone_that_takes_nothing_any_more_is_found_out_within_twenty_seconds(tmp_path: Path) -> None:
    """Both ends stay open. What is said meanwhile has room in the house: it is the time that finds the phone out."""
    with House(tmp_path) as house, socket.socket() as line:
        ann, bob = Phone(house.port, "Ann"), Phone(house.port, "Bob")
        code = seated(house, ann, bob)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)  # the least there is, a few KB
        line.settimeout(5)
        line.connect((house.host, house.port))
        line.sendall(asked_for(house, code, ann).encode())
        assert line.recv(1024).startswith(b"HTTP/1.1 200")
        assert streams(house) == 1
        for ms in range(1, 9):
            asked = {"key": ann.key(), "do": "pace", "ms": ms}
            said = httpx.post(f"http://{house.host}:{house.port}/t/{code}", json=asked, headers=ann.cookie)
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
def test_a_phone_that_vanishes_is_found_out_within_twenty_seconds(
    tmp_path: Path, elsewhere: Elsewhere, delay_s: float
) -> None:
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


@pytest.mark.skipif(sys.platform != "linux", reason="TCP_USER_TIMEOUT is Linux's")
def test_every_connection_the_house_accepts_has_a_limit_for_what_is_not_acknowledged() -> None:
    port = free_port()
    with closing(listen("127.0.0.1", port)) as listening, socket.create_connection(("127.0.0.1", port)):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == UNACKED_MS
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


def test_a_quiet_stream_carries_a_sign_of_life_often_enough(tmp_path: Path) -> None:
    """What is not acknowledged for so long, after at most one pause, is within the promise."""
    from pubdice.server.table.house import HEARTBEAT_S  # noqa: PLC0415

    assert HEARTBEAT_S + UNACKED_MS / 1000 <= 0.9 * WITHIN_S
    if not NIGHTLY:
        return
    run(_listen_for_pulses(tmp_path, HEARTBEAT_S))


async def _listen_for_pulses(folder: Path, pulse_s: float) -> None:
    house = House(folder)
    house.open()
    try:
        phone = Phone(house.port, "Ann")
        ear = Ear(phone, await phone.open_table(people=2))
        listening = asyncio.ensure_future(ear.listen())
        await asyncio.sleep(2.5 * pulse_s)
        assert ear.pulses >= 2
        listening.cancel()
    finally:
        house.clear()
