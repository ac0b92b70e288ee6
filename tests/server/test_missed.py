"""How much one phone is sent at once, and how much waits for it: bounded, whatever it has missed."""

import pytest

from pubdice.server import hub as hubs
from pubdice.server.stream import MOST_BYTES, Stream
from server.houses import Pub, at_the_pub, seated


@at_the_pub()
async def test_who_has_missed_more_than_a_stream_tells_loads_anew(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    seq = 0
    for number in range(hubs.MOST_MISSED):
        seq = await ann.done(code, "pace", ms=number % 2)
    [first] = (await ann.look(code, seq - hubs.MOST_MISSED)).messages
    assert (first.event, len(first.data["log"])) == ("", hubs.MOST_MISSED)
    stream = await ann.look(code, seq - hubs.MOST_MISSED - 1)
    assert [(message.event, message.data) for message in stream.messages] == [("reload", {})]
    await ann.done(code, "pace", ms=7)
    await pub.settle()
    assert stream.messages[-1].data["log"] == pub.stored(code)[-1:], "and hears what comes next"


@at_the_pub()
async def test_who_has_missed_more_than_fits_loads_anew(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _, code = await seated(pub)
    hub = pub.hub(code)
    await ann.done(code, "roll")
    size = len(hub.since(0, "en"))
    monkeypatch.setattr(hubs, "MOST_TOLD", size)
    assert b'"log"' in hub.since(0, "en")
    monkeypatch.setattr(hubs, "MOST_TOLD", size - 1)
    assert hub.since(0, "en") == b"event: reload\ndata: {}\n\n"
    assert b'"view"' in hub.since(hub.state.seq, "en"), "the view itself is always sent"


def test_what_waits_for_one_phone_is_bounded_however_large_the_messages() -> None:
    assert hubs.MOST_TOLD <= MOST_BYTES
    stream = Stream(None, "en")
    for _ in range(64):
        stream.put(b"x" * 4096)
        assert sum(map(len, stream._waiting)) <= MOST_BYTES
    assert stream._closing


def test_what_waits_in_a_connection_is_bounded_too() -> None:
    class Pipe:
        def __init__(self) -> None:
            self.data = b""

        def is_closing(self) -> bool:
            return False

        def get_write_buffer_size(self) -> int:
            return len(self.data)

        def write(self, data: bytes) -> None:
            self.data += data

    stream = Stream(None, "en")
    stream._pipe = pipe = Pipe()
    for _ in range(64):
        stream.put(b"x" * 5000)
    assert MOST_BYTES - 6000 < len(pipe.data) <= MOST_BYTES + 16  # round the last message
    assert stream._closing
