"""An empty POST: the peer of a move. A Starlette app that answers with two bytes, on the same server, and its load."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from benchmarks.load.process import Running, free_port, wait_for
from benchmarks.load.wire import Address, Phone


async def answer(request: Request) -> Response:
    """Read the body and say nothing of it."""
    await request.body()
    return Response(b"ok")


@contextmanager
def empty_server() -> Iterator[Running]:
    """The app in a process of its own, as uvicorn runs it by default with uvloop and httptools."""
    port = free_port()
    with subprocess.Popen([sys.executable, "-m", "benchmarks.load.empty", str(port)]) as process:
        try:
            wait_for(port, process)
            yield Running(process, port)
        finally:
            process.terminate()


async def posted(port: int, connections: int, seconds: float) -> int:
    """POST a move's bytes on so many connections, each as soon as the last is answered; how many were answered."""
    phones = [Phone(Address(port), number) for number in range(connections)]
    for phone in phones:
        phone.cookie = "x" * 43
        await phone.connect()
    body, done, ended = b'{"key": "key-0000000001", "do": "roll", "marks": [0]}', 0, False
    requests = [phone.request("POST", "/t/KORBUM-ge44ijwslf6c", body) for phone in phones]

    def ask(number: int) -> None:
        asker = phones[number].asker
        if asker is not None:
            asker.ask(requests[number], lambda status, got: answered(number))

    def answered(number: int) -> None:
        nonlocal done
        done += 1
        if not ended:
            ask(number)

    for number in range(connections):
        ask(number)
    await asyncio.sleep(seconds)
    ended = True
    return done


if __name__ == "__main__":
    uvicorn.run(
        Starlette(routes=[Route("/{rest:path}", answer, methods=["POST"])]),
        port=int(sys.argv[1]),
        loop="uvloop",
        http="httptools",
        log_level="error",
        access_log=False,
        backlog=2048,
    )
