"""A house that opens, and a minute of a server to which nobody speaks: uvicorn, whose application does nothing."""

import asyncio
import socket
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.types import Receive, Scope, Send

from costs.counting import counted_calls
from costs.houses import CountedPub
from costs.jumping_loop import JumpingLoop
from costs.measured import Cost, cost_of
from pubdice.server import serve
from pubdice.store.deadline import Deadline

MINUTE_S = 60.0


async def nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """An application: it starts, it has nothing to tell, and it ends."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})


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
        pub = CountedPub(Path(folder))
        with counted_calls() as calls:
            await pub.open()
        cost = cost_of(calls, statements=pub.traffic.statements)
        await pub.close()
    return cost


def measure() -> dict[str, Cost]:
    """All of these: in the minute uvicorn itself looks ten times a second whether it is to stop."""
    house = asyncio.run(opened())
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return {"A house opened": house, "An idle minute of the server": runner.run(minute())}
