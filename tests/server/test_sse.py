"""The stream of a table as pages hear it, and a stream by itself: its messages, its cost, its end."""

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from pubdice.core.errors import IllegalAction
from pubdice.core.game import Verb
from pubdice.match.table import RollOrBank
from pubdice.server.table.commit import Key
from pubdice.server.table.house import HEARTBEAT_S
from pubdice.server.table.presence import MOST_BYTES, Stream
from pubdice.server.table.stream import MOST_MISSED, MOST_TOLD
from support.asgi_client import Client
from support.house import MINUTE, Pub, play_turn, seated, table_of, without_time


async def playing(pub: Pub, turns: int = 6) -> tuple[Client, Client, str]:
    """Ann and Bob in the middle of a match."""
    (ann, bob), code = await table_of(pub, "Ann", "Bob", rules={"format": "rounds 9"})
    for _ in range(turns):
        assert await play_turn(pub, code, [ann, bob])
    return ann, bob, code


async def test_from_every_seq_a_stream_gives_the_rest_and_no_more(pub: Pub) -> None:
    _, _, code = await playing(pub)
    lines = pub.stored(code)
    for seq in range(len(lines) + 1):
        stream = await pub.client().look(code, seq)
        [first] = stream.messages
        assert first.data["log"] == lines[seq:]
        assert first.data["seq"] == len(lines)
        assert (first.event, first.seq) == (("", len(lines)) if seq < len(lines) else ("view", None))
        assert without_time(first.data["view"]) == without_time(await pub.view(code))
        await stream.drop()


async def test_without_a_seq_a_stream_begins_with_the_view_of_now(pub: Pub) -> None:
    ann, bob, code = await playing(pub)
    stream = await ann.look(code)
    assert [(message.event, message.data["log"]) for message in stream.messages] == [("view", [])]
    await play_turn(pub, code, [ann, bob])
    await pub.settle()
    assert stream.log == pub.stored(code)[stream.messages[0].data["seq"] :]


async def test_a_seq_that_is_still_to_come_asks_the_page_to_load_again(pub: Pub) -> None:
    ann, _, code = await playing(pub)
    for seq in (len(pub.stored(code)) + 1, 999_999_999):
        stream = await ann.look(code, seq)
        assert [(message.event, message.data) for message in stream.messages] == [("reload", {})]
        await stream.drop()


@pytest.mark.parametrize("since", ["-1", "x", "1e3", "9" * 40, "\N{ARABIC-INDIC DIGIT ONE}", ""])
async def test_what_is_no_seq_is_no_reason_to_fail(pub: Pub, since: str) -> None:
    ann, _, code = await playing(pub)
    stream = await ann.look(code, since)
    assert [(message.event, message.data["log"]) for message in stream.messages] == [("view", [])]


async def test_a_browser_that_connects_again_is_sent_missed_events(pub: Pub) -> None:
    ann, _, code = await playing(pub)
    for seq in (0, 3, len(pub.stored(code))):
        stream = await ann.look(code, seq, again=True)
        assert stream.log == pub.stored(code)[seq:]
        await stream.drop()


async def test_a_slow_reader_is_let_go_and_comes_back(pub: Pub) -> None:
    ann, bob, code = await playing(pub, turns=1)
    slow, quick = await bob.look(code, 0), await bob.look(code, 0)
    slow.pause()
    for number in range(150):
        await ann.done(code, "mark", marks=[number % 6])
    assert len(pub.actor(code).presence.streams) == 2
    slow.read_on()
    await pub.settle()
    assert slow.ended
    assert len(pub.actor(code).presence.streams) == 1
    assert slow.log == pub.stored(code)[: len(slow.log)] != pub.stored(code)
    back = await bob.look(code, len(slow.log))
    assert slow.log + back.log == quick.log == pub.stored(code)


async def test_a_reader_as_slow_as_its_queue_is_long_misses_nothing(pub: Pub) -> None:
    ann, bob, code = await playing(pub, turns=1)
    slow = await bob.look(code, 0)
    slow.pause()
    for number in range(40):
        await ann.done(code, "mark", marks=[number % 6])
        await pub.settle()
    slow.read_on()
    await pub.settle()
    assert not slow.ended
    assert slow.log == pub.stored(code)


async def test_a_stream_shows_a_sign_of_life_in_each_heartbeat(pub: Pub) -> None:
    ann, _, code = await playing(pub)
    stream = await ann.look(code)
    await pub.advance(MINUTE)
    assert stream.beats == 60 / HEARTBEAT_S - 1


async def test_a_house_that_closes_tells_pages_after_the_last_move(pub: Pub) -> None:
    ann, bob, code = await playing(pub)
    streams = [await ann.look(code, 0), await bob.look(code, 0), await pub.client().look(code, 0)]
    lines = pub.stored(code)
    await pub.restart()
    for stream in streams:
        assert stream.ended
        assert stream.messages[-1].event == "closing"
        assert stream.log == lines


async def test_a_stream_that_ends_is_forgotten_and_counted_out(pub: Pub) -> None:
    ann, _, code = await playing(pub)
    for _ in range(30):
        streams = [await ann.look(code, 0) for _ in range(3)]
        for stream in streams:
            await stream.drop()
    assert not pub.actor(code).presence.streams
    assert not pub.streams
    metrics = (await ann.get("/metrics")).text
    assert "pubdice_streams 0" in metrics


async def test_a_fault_while_telling_costs_no_move(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["tip"], rules={"format": "rounds 2"})
    stream, german = await ann.look(code, 0), await pub.client(speaks="de").look(code, 0)
    actor = pub.actor(code)
    speakers = actor.spectators.messages._speakers["de"]
    broken = object()
    actor.spectators.messages._speakers["de"] = (broken, broken)  # type: ignore[assignment]
    assert (await ann.ask(code, "roll")).status == 200
    assert (await ann.ask(code, "bank", marks=[0, 1, 2, 3, 4, 5])).status == 200
    await pub.settle()
    assert stream.log == pub.stored(code)
    actor.spectators.messages._speakers["de"] = speakers
    await pub.advance(MINUTE)
    assert stream.log == pub.stored(code)
    assert stream.view["mover"] == 0
    if not german.ended:
        await german.drop()
    german = await pub.client(speaks="de").look(code, len(german.log))
    assert german.view["seq"] == stream.view["seq"]
    assert pub.event_log.errors
    pub.event_log.errors.clear()


async def test_answers_come_before_news_and_no_news_comes_twice(pub: Pub) -> None:
    ann, _, code = await playing(pub)
    page, actor = await pub.client("Cid").look(code, 0), pub.actor(code)
    mover = actor.state.chairs[actor.state.mover or 0].people[0]
    before = len(page.messages)
    verbs: tuple[Verb, ...] = ("roll", "bank")  # a bank too early is refused, and told to no page
    for at, verb in enumerate(verbs):
        with suppress(IllegalAction):
            said = await actor.ask(RollOrBank(verb), mover, Key(f"{mover} a-key-{at}"))
            assert msgspec.json.decode(said)["seq"] == actor.state.seq == len(pub.stored(code))
            assert len(page.messages) == before, "the answer is there first"
            late = await pub.client("Eve").look(code, 0)
    assert len(page.messages) == before + 1, "who was here before is told when somebody else comes"
    await pub.settle()
    assert page.log == late.log == pub.stored(code)
    await ann.ask(code, "pace", ms=100)
    await pub.settle()
    assert page.log == late.log == pub.stored(code)


async def test_events_that_come_together_are_told_in_one_message(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob, code = await playing(pub)
    page, actor = await pub.client("Cid").look(code, 0), pub.actor(code)
    before = len(page.messages)
    monkeypatch.setattr(
        pub.house.services.broadcaster, "schedule", lambda table: None
    )  # everybody else is asking at this moment
    await play_turn(pub, code, [ann, bob])
    assert len(page.messages) == before
    monkeypatch.undo()
    actor.spectators.broadcast()
    await pub.settle()
    assert len(page.messages) == before + 1
    assert page.log == pub.stored(code)
    assert page.messages[-1].data["log"] == pub.stored(code)[-len(page.messages[-1].data["log"]) :]
    assert sum(" rolled " in text for text in page.said) == sum(" roll " in line for line in page.log)
    actor.spectators.broadcast()
    await pub.settle()
    assert len(page.messages) == before + 1, "what was told is told"


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


def test_the_bytes_that_wait_for_one_phone_are_bounded() -> None:
    assert MOST_TOLD <= MOST_BYTES
    stream = Stream(None, "en")
    for _ in range(64):
        stream.put(b"x" * 4096)
        assert sum(map(len, stream._waiting)) <= MOST_BYTES
    assert stream._closing


class Reader:
    """The server's side of a stream: the bytes sent, and the end of the page or the answer."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.reads, self._over = asyncio.Event(), asyncio.Event()
        self.reads.set()
        self.fault: Exception | None = None

    async def receive(self) -> dict[str, Any]:
        await self._over.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        await self.reads.wait()
        if message["type"] == "http.response.body":
            if self.fault is not None:
                raise self.fault
            self.sent.append(message["body"])
            if not message.get("more_body"):
                self._over.set()

    def hang_up(self) -> None:
        self._over.set()


async def begun(reader: Reader) -> tuple[Stream, "asyncio.Task[None]"]:
    """A stream that is served, and its task."""
    stream = Stream(None, "en")
    serving = asyncio.ensure_future(stream.serve(reader.receive, reader.send))
    await settled()
    return stream, serving


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_messages_of_a_stream_come_in_order() -> None:
    reader = Reader()
    stream = Stream(None, "en")
    stream.put(b"2")
    stream.begin(b"1")
    serving = asyncio.ensure_future(stream.serve(reader.receive, reader.send))
    await settled()
    for number in (b"3", b"4"):
        stream.put(number)
        await settled()
    reader.reads.clear()
    stream.put(b"5")
    await settled()
    stream.put(b"6")
    stream.put(b"7")
    stream.end(b"last")
    stream.put(b"too late")
    reader.reads.set()
    await asyncio.wait_for(serving, 5)
    assert reader.sent == [b"retry: 1000\n\n12", b"3", b"4", b"5", b"67last", b""]


async def test_a_quiet_stream_has_no_task_but_that_of_its_request() -> None:
    """Two thousand of them were 4 MB."""
    before = asyncio.all_tasks()
    stream, serving = await begun(Reader())
    stream.put(b"1")
    await settled()
    assert asyncio.all_tasks() - before == {serving}
    stream.end()
    await asyncio.wait_for(serving, 5)


async def test_a_page_gone_in_mid_message_leaves_nothing_behind() -> None:
    before, reader = asyncio.all_tasks(), Reader()
    stream, serving = await begun(reader)
    reader.reads.clear()
    stream.put(b"1")
    await settled()
    reader.hang_up()
    await asyncio.wait_for(serving, 5)
    stream.put(b"2")
    stream.end(b"3")
    await settled()
    assert asyncio.all_tasks() == before
    assert reader.sent == []


async def test_a_fault_in_sending_is_raised_at_its_request() -> None:
    before, reader = asyncio.all_tasks(), Reader()
    stream, serving = await begun(reader)
    reader.fault = RuntimeError("no such connection")
    stream.put(b"1")
    with pytest.raises(RuntimeError, match="no such connection"):
        await asyncio.wait_for(serving, 5)
    assert asyncio.all_tasks() == before


async def test_a_fault_in_the_first_message_is_raised_too() -> None:
    reader, stream = Reader(), Stream(None, "en")
    reader.fault = RuntimeError("no such connection")
    reader.hang_up()
    stream.put(b"1")
    with pytest.raises(RuntimeError, match="no such connection"):
        await stream.serve(reader.receive, reader.send)
    await asyncio.sleep(0)  # nothing is cancelled that comes after


async def gone_at_once() -> "weakref.ref[Reader]":
    """A reader that is gone before anything is sent to it."""
    reader, stream = Reader(), Stream(None, "en")
    reader.hang_up()
    stream.begin(b"1")
    await stream.serve(reader.receive, reader.send)
    return weakref.ref(reader)


async def gone_while_slow() -> "weakref.ref[Reader]":
    """A reader that took nothing more, and then is gone."""
    reader = Reader()
    stream, serving = await begun(reader)
    reader.reads.clear()
    stream.put(b"1")
    await settled()
    reader.hang_up()
    await serving
    return weakref.ref(reader)


@pytest.mark.parametrize("gone", [gone_at_once, gone_while_slow])
def test_a_page_that_is_gone_leaves_no_cycle(gone: Callable[[], Awaitable["weakref.ref[Reader]"]]) -> None:
    async def played() -> None:
        found = await gone()
        await settled()
        assert found() is None, "nothing but a collection of cycles would free its connection"

    gc.collect()
    gc.disable()
    try:
        asyncio.run(played())
    finally:
        gc.enable()


async def test_a_request_that_is_cancelled_is_cancelled() -> None:
    _, serving = await begun(Reader())
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
