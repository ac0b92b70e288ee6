"""A stream by itself: what it sends, what it costs while nothing happens, and how it ends."""

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from pubdice.server.table.presence import Stream


class Reader:
    """The server's side of a stream: what was sent, and when the page is gone or the answer is whole."""

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


async def test_messages_come_in_order_those_from_before_it_began_too_and_its_end_is_the_last() -> None:
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


async def test_a_page_that_is_gone_while_it_is_sent_something_leaves_nothing_behind() -> None:
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


async def test_what_goes_wrong_while_sending_is_raised_where_the_request_is_served() -> None:
    before, reader = asyncio.all_tasks(), Reader()
    stream, serving = await begun(reader)
    reader.fault = RuntimeError("no such connection")
    stream.put(b"1")
    with pytest.raises(RuntimeError, match="no such connection"):
        await asyncio.wait_for(serving, 5)
    assert asyncio.all_tasks() == before


async def test_what_goes_wrong_with_the_first_message_is_raised_even_if_the_page_is_gone_too() -> None:
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
