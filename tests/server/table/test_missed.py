"""How much one phone is sent at once, and how much waits for it: bounded, whatever it has missed."""

import pytest

from pubdice.server.table.presence import MOST_BYTES, Stream
from pubdice.server.table.stream import MOST_MISSED, MOST_TOLD
from support.house import Pub, seated


async def test_a_page_that_missed_more_than_a_stream_tells_loads_again(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    seq = 0
    for number in range(MOST_MISSED):
        seq = await ann.done(code, "pace", ms=number % 2)
    [first] = (await ann.look(code, seq - MOST_MISSED)).messages
    assert (first.event, len(first.data["log"])) == ("", MOST_MISSED)
    stream = await ann.look(code, seq - MOST_MISSED - 1)
    assert [(message.event, message.data) for message in stream.messages] == [("reload", {})]
    await ann.done(code, "pace", ms=7)
    await pub.settle()
    assert stream.messages[-1].data["log"] == pub.stored(code)[-1:], "and hears what comes next"


async def test_a_page_that_missed_more_than_fits_loads_again(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _, code = await seated(pub)
    actor = pub.actor(code)
    await ann.done(code, "roll")
    size = len(actor.spectators.since(0, "en"))
    monkeypatch.setattr("pubdice.server.table.stream.MOST_TOLD", size)
    assert b'"log"' in actor.spectators.since(0, "en")
    monkeypatch.setattr("pubdice.server.table.stream.MOST_TOLD", size - 1)
    assert actor.spectators.since(0, "en") == b"event: reload\ndata: {}\n\n"
    assert b'"view"' in actor.spectators.since(actor.state.seq, "en"), "the view itself is always sent"


def test_what_waits_for_one_phone_is_bounded_however_large_the_messages() -> None:
    assert MOST_TOLD <= MOST_BYTES
    stream = Stream(None, "en")
    for _ in range(64):
        stream.put(b"x" * 4096)
        assert sum(map(len, stream._waiting)) <= MOST_BYTES
    assert stream._closing
