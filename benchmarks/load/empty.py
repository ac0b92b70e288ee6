"""An empty POST, the peer of a move: a Starlette app that answers with two bytes, on the same kind of server, and its
load.
"""

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

BODY = b'{"key": "key-0000000001", "do": "roll", "marks": [0]}'


async def answer(request: Request) -> Response:
    """Read the body, and answer without a look at it."""
    await request.body()
    return Response(b"ok")


@contextmanager
def empty_server() -> Iterator[Running]:
    """Run the app in its own process, by uvicorn's defaults with uvloop and httptools."""
    port = free_port()
    with subprocess.Popen([sys.executable, "-m", "benchmarks.load.empty", str(port)]) as process:
        try:
            wait_for(port, process)
            yield Running(process, port)
        finally:
            process.terminate()


class Poster:
    """A connection that POSTs a move's bytes each time it is due, unless its last POST has no answer yet."""

    def __init__(self, phone: Phone) -> None:
        self._phone, self._asking = phone, False
        self._request = phone.request("POST", "/t/KORBUM-ge44ijwslf6c", BODY)
        self.answered = 0
        self.again = False

    def due(self, at: float) -> None:
        """Send a POST that is due, as ``tables.Table`` does."""
        asker = self._phone.asker
        if asker is not None and not self._asking:
            self._asking = True
            asker.ask(self._request, self._answered)

    def _answered(self, status: int, got: bytes) -> None:
        self._asking = False
        self.answered += 1
        if self.again:
            self.due(0.0)


async def posters(port: int, connections: int) -> list[Poster]:
    """Open ``connections`` connections."""
    phones = [Phone(Address(port), number) for number in range(connections)]
    for phone in phones:
        phone.cookie = "x" * 43
        await phone.connect()
    return [Poster(phone) for phone in phones]


async def posted(asking: list[Poster], seconds: float) -> None:
    """POST on all connections. Each sends its next POST as soon as the last is answered."""
    for poster in asking:
        poster.again = True
        poster.due(0.0)
    await asyncio.sleep(seconds)
    for poster in asking:
        poster.again = False


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
