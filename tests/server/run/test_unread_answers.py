"""A client that reads no answers: its commands wait in a task, and nothing is kept for it."""

import asyncio
import gc
import weakref

from uvicorn.server import ServerState

from pubdice.server.serve import configured
from pubdice.server.uvicorn_protocol import BoundedProtocol, DirectExchange, LazyFlow
from support.transport import Wire


class Counting:
    """An app that counts the commands it is offered, and the tasks it runs in."""

    def __init__(self) -> None:
        self.submitted, self.tasks = 0, asyncio.Event()

    def submit(self, scope: object, body: bytes, exchange: DirectExchange) -> bool:
        self.submitted += 1
        exchange.reply(200, b"", b"ok")
        return True

    async def __call__(self, scope: object, receive: object, send: object) -> None:
        self.tasks.set()
        await asyncio.Event().wait()


async def test_while_a_client_reads_no_answers_its_commands_wait_in_a_task() -> None:
    app, line = Counting(), Wire()
    config = configured(lambda: app)
    config.load()
    protocol = BoundedProtocol(config, ServerState(), {})
    protocol.connection_made(line)
    request = b"POST /t/KORBUM HTTP/1.1\r\nhost: pub\r\ncontent-length: 2\r\n\r\n{}"
    protocol.data_received(request)
    assert (app.submitted, line.written.count(b"HTTP/1.1 200")) == (1, 1)
    protocol.pause_writing()  # the transport holds 64 KB that the client has not taken
    protocol.data_received(request)
    for _ in range(3):
        await asyncio.sleep(0)
    assert (app.submitted, app.tasks.is_set()) == (1, True)
    for task in protocol.tasks:
        task.cancel()
    protocol.connection_lost(None)


async def test_a_connection_that_waits_for_its_next_request_keeps_nothing_of_the_last() -> None:
    app, line = Counting(), Wire()
    config = configured(lambda: app)
    config.load()
    protocol = BoundedProtocol(config, ServerState(), {})
    protocol.connection_made(line)
    request = b"POST /t/KORBUM HTTP/1.1\r\nhost: pub\r\ncontent-length: 2\r\n\r\n{}"
    for asked in (request, request * 2):
        protocol.data_received(asked)
        kept: tuple[object, object] = protocol.cycle, protocol.scope
        assert kept == (None, None)
    protocol.data_received(request[:-1])
    assert protocol.cycle is not None, "its body is still to come"
    protocol.data_received(request[-1:])
    assert (app.submitted, line.written.count(b"HTTP/1.1 200")) == (3, 3), "the fourth waits in a task for its body"
    for task in protocol.tasks:
        task.cancel()
    protocol.connection_lost(None)


async def test_an_answer_waits_until_its_client_takes_more() -> None:
    flow = LazyFlow(Wire())
    await flow.drain()
    flow.pause_writing()
    waiting = [asyncio.ensure_future(flow.drain()) for _ in range(2)]
    await asyncio.sleep(0)
    assert not any(each.done() for each in waiting)
    flow.resume_writing()
    flow.pause_writing()
    await asyncio.gather(*waiting)
    assert flow.write_paused


async def test_a_connection_that_is_lost_is_freed_without_a_collection() -> None:
    config = configured(Counting)
    config.load()
    gc.collect()
    gc.disable()
    try:
        protocol = BoundedProtocol(config, ServerState(), {})
        protocol.connection_made(Wire())
        protocol.data_received(b"POST /t/KORBUM HTTP/1.1\r\nhost: pub\r\ncontent-length: 2\r\n\r\n{}")
        lost = weakref.ref(protocol)
        protocol.connection_lost(None)
        del protocol
        assert lost() is None
    finally:
        gc.enable()
