"""A house that opens; a request that is read; and a minute of a server to which nobody speaks: uvicorn, whose
application does nothing.
"""

import asyncio
import socket
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvicorn.server
from starlette.types import Receive, Scope, Send

from costs.counting import counted_calls
from costs.houses import CountedPub
from costs.jumping_loop import JumpingLoop
from costs.measured import Cost, cost_of
from costs.start import packages
from pubdice.server import serve
from pubdice.store.deadline import Deadline

MINUTE_S = 60.0
REQUEST = b"""GET /t/ABCDEF?as=page HTTP/1.1
Host: pub.example
User-Agent: Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0
Accept: text/html,application/xhtml+xml
Accept-Language: de,en;q=0.5
Accept-Encoding: gzip, deflate, br
Cookie: pubdice=0123456789abcdef
Connection: keep-alive
Sec-Fetch-Dest: document

""".replace(b"\n", b"\r\n")


async def nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """An application: it starts, it has nothing to tell, and it ends."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
    else:
        await send({"type": "http.response.start", "status": 204})
        await send({"type": "http.response.body"})


class Taken(asyncio.Transport):
    """A connection that takes whatever is said. said: by the server."""

    said = b""

    def write(self, data: Any) -> None:
        """Take it."""
        self.said += data

    def close(self) -> None:
        """Nobody listens any more."""

    def is_closing(self) -> bool:
        """No."""
        return False


async def requests() -> list[Cost]:
    """The first request of a connection and the second, read and answered."""
    config = serve.configured(lambda: nothing)
    config.load()
    made: Any = config.http_protocol_class
    reader = made(config, uvicorn.server.ServerState(), {})
    line, costs = Taken(), list[Cost]()
    reader.connection_made(line)
    for _ in range(2):
        line.said = b""
        with counted_calls() as calls:
            reader.data_received(REQUEST)
            while reader.tasks:
                await asyncio.sleep(0)
        assert line.said.startswith(b"HTTP/1.1 204 "), line.said
        costs.append(cost_of(calls, bytes_sent=len(line.said)))
    reader.connection_lost(None)
    return costs


async def minute() -> Cost:
    """What the server does in a minute, and how often the event loop wakes up."""
    loop: Any = asyncio.get_running_loop()
    config = serve.configured(lambda: nothing)
    server = serve._House(config, lambda: None, None, None, Deadline())
    with socket.create_server(("127.0.0.1", 0)) as listening:
        running = asyncio.ensure_future(server.serve([listening]))
        while not server.started:
            await asyncio.sleep(0)
        loop.jumps = MINUTE_S
        await asyncio.sleep(0.05)  # so that no timer falls on the beginning or the end
        before = loop.woken.copy()
        with counted_calls() as calls:
            await asyncio.sleep(MINUTE_S)
        woken = loop.woken - before
        server.should_exit = True
        await running
    cost = cost_of(calls, wake_ups=woken.total())
    return replace(cost, functions={**cost.functions, **woken})


async def opened() -> Cost:
    """What it takes to open a house over a new file, once its program is loaded."""
    with tempfile.TemporaryDirectory() as folder:
        pub, before = CountedPub(Path(folder)), set(sys.modules)
        with counted_calls() as calls:
            await pub.open()
        loaded = packages(set(sys.modules) - before)
        cost = cost_of(calls, statements=pub.traffic.statements, loaded=sum(loaded.values()))
        await pub.close()
    return replace(cost, functions={**cost.functions, **loaded})


def measure() -> dict[str, Cost]:
    """All of these: in the minute uvicorn itself looks ten times a second whether it is to stop."""
    house = asyncio.run(opened())
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        cold, warm = runner.run(requests())
        read = {"A request read, cold": cold, "A request read, warm": warm}
        return {"A house opened": house, **read, "An idle minute of the server": runner.run(minute())}
