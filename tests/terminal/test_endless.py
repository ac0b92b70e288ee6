"""A house that never stops sending: ``pubdice join`` reads on in the same memory, and gives up what has no end."""

import http.server
import json
import os
import time
from pathlib import Path

import pytest

from pubdice.terminal.console import Console
from pubdice.terminal.join import RemoteGame
from pubdice.terminal.web_client import NO_HOUSE, HouseError, WebTable
from pubdice.text.language import Language
from support.profiles import NIGHTLY
from terminal.test_bounds import serving

SENT = 200_000_000 if NIGHTLY else 20_000_000
AIR = b":" + b" " * 500 + b"\n"
ROOM = 8_000_000
"""More memory that all of it may take at the end than after the first hundredth."""
PAGE = os.sysconf("SC_PAGE_SIZE")
TOLD = {"text": "Ann's turn.", "own": {}}
VIEW = {
    "seq": 1, "stage": "playing", "mover": None, "ask": "", "rematch": None, "last": [TOLD], "result": [], "dice": [],
    "places": 6, "seats": [{"name": "Ann", "dice": [6], "hand": "6."}],
    **dict.fromkeys(("heading", "status", "whose", "scores", "standing", "beat"), TOLD),
}  # fmt: skip


class Silent(Console):
    """A line on which nobody hears anything."""

    def __init__(self) -> None:
        """Without streams."""

    def say(self, lines: object) -> None:
        """Say nothing."""
        for _ in lines:  # type: ignore[attr-defined]
            pass


def memory() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE


def update(seq: int) -> bytes:
    said = [{"text": "x" * 2_000, "level": 0, "urgent": False}]
    data = json.dumps({"seq": seq, "log": [f"{seq} roll 6"], "say": said, "view": {**VIEW, "seq": seq}})
    return f"data: {data}\n\n".encode()


@pytest.mark.nightly
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc here")
@pytest.mark.parametrize("each", [SENT, 2_000_000], ids=["one stream", "cut off again and again"])
def test_an_endless_stream_is_heard_in_the_same_memory(each: int) -> None:
    """each: bytes of one stream, before the house cuts the connection."""
    given = [0, 0]

    def answer(request: http.server.BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        until = given[0] + each
        while given[0] < min(until, SENT):
            given[1] += 1
            given[0] += request.wfile.write(update(given[1]))

    with serving(answer) as address:
        table = WebTable(address, lambda seconds: None)
        visit = RemoteGame(table, Silent(), Language(), "face", brief=False)
        visit.view = {**VIEW}
        first = 0
        for heard in table.follow(0):
            visit._hear(heard)
            if not first and given[0] > SENT // 20:
                first = memory()
            if given[0] >= SENT:
                table.closed = True
                break
        assert first
        assert memory() - first < ROOM
        assert visit.seq > SENT // 4_000


@pytest.mark.nightly
@pytest.mark.parametrize("piece", [b"x", b"data: x\n", AIR], ids=["no end of a line", "no end of a message", "air"])
def test_a_stream_without_an_end_in_sight_is_given_up_or_read_on(piece: bytes) -> None:
    sent = [0]

    def answer(request: http.server.BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        block = piece * (65_536 // len(piece))
        while sent[0] < SENT:
            try:
                sent[0] += request.wfile.write(block)
            except OSError:
                return

    with serving(answer) as address:
        table, before = WebTable(address, time.sleep), memory()
        waits: list[float] = []

        def wait(seconds: float) -> None:
            waits.append(seconds)
            table.closed = True

        table.wait = wait
        if piece == AIR:
            assert list(table.follow(0)) == []
            assert waits
        else:
            with pytest.raises(HouseError, match=NO_HOUSE):
                list(table.follow(0))
            assert sent[0] < SENT, "it was not read to the end"
        assert memory() - before < ROOM
