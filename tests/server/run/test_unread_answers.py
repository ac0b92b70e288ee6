"""A client that reads no answers: its commands wait in a task, and nothing is kept for it."""

import asyncio
import gc
import weakref

from uvicorn.server import ServerState

from pubdice.server.run.serve import configured
from pubdice.server.run.uvicorn_protocol import BoundedProtocol, DirectExchange
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


def test_while_a_client_reads_no_answers_its_commands_wait_in_a_task() -> None:
    async def scene() -> None:
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

    asyncio.run(scene())


def test_a_connection_that_is_lost_is_freed_without_a_collection() -> None:
    async def scene() -> None:
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

    asyncio.run(scene())
