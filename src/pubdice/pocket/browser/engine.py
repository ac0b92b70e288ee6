"""The composition root in a browser: the same application as in a house, on a folder, without threads or processes.

A page's worker calls ``Engine.request``; nothing of a browser is imported here, so it runs in any Python.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pubdice.core.cup import Pool, SystemCup
from pubdice.core.seal import KeyedSeals
from pubdice.games import GAMES
from pubdice.pocket.browser.cookie_jar import CookieJar
from pubdice.pocket.browser.sub_path import below
from pubdice.server.app import HttpConfig, create_app
from pubdice.server.live.answers import Answers
from pubdice.server.live.book_words import RomMix
from pubdice.server.live.bot_process import BotProcess
from pubdice.server.live.clock import LoopClock
from pubdice.server.live.house import House
from pubdice.server.live.house_config import HouseConfig
from pubdice.server.live.worker import DirectWorker
from pubdice.server.observe import EventLog
from pubdice.server.web.browser import PublicAddress
from pubdice.server.web.limits import Limits
from pubdice.solve.kept_files import trust
from pubdice.store.bundle import COOKIES, TABLES
from pubdice.store.direct_writer import DirectWriter
from pubdice.store.opened_seals import OpenedSealsFile
from pubdice.store.players import PlayersFile
from pubdice.store.players_schema import beside
from pubdice.store.schema import exclusive
from pubdice.store.secret_file import read_secret
from pubdice.store.sqlite import SqliteStore
from pubdice.text.catalogues import language

HOST = "pocket.localhost"
"""What the application is asked for: a name that leads nowhere else."""
SOLUTIONS = Path(__file__).parents[1] / "solutions"
"""What was worked out when the folder was built (``pocket.build.solutions``); it need not be there."""
BeginAnswer = Callable[[int, list[tuple[str, str]]], object]
Part = Callable[[bytes, bool], object]


@dataclass(frozen=True, slots=True)
class PocketRequest:
    """What a page asks. target: path and query."""

    method: str
    target: str
    headers: Sequence[tuple[str, str]]
    body: bytes


class Engine:
    """An application that is asked without a network.

    prefix: the path of its folder on the host, "" at the root. origin: of the host, for addresses to pass on. rom_mix:
    for the words of the players' book, as this Python has no scrypt.
    """

    def __init__(
        self,
        folder: Path,
        time_ns: Callable[[], int],
        source: Callable[[int], bytes],
        *,
        prefix: str = "",
        origin: str = "",
        rom_mix: RomMix | None = None,
    ) -> None:
        self.file = file = folder / TABLES
        with ExitStack() as opened:  # a file that is damaged releases the others
            self.store = opened.enter_context(closing(SqliteStore(file, connect=exclusive, writer=DirectWriter)))
            key = read_secret(folder / "house.db.seals", source)
            seals = KeyedSeals(key, source, OpenedSealsFile(folder / "house.db.opened"))
            self._players = opened.enter_context(closing(PlayersFile(beside(file))))
            self._jar = CookieJar(folder / COOKIES)
            self._files = opened.pop_all()
        trust(SOLUTIONS)
        cup = SystemCup(Pool(source))
        config = HouseConfig(
            games=GAMES,
            store=self.store,
            clock=LoopClock(time_ns),
            cup=lambda table: cup,
            seals=seals,
            bots=cup,
            choose=BotProcess(SOLUTIONS, DirectWorker).choose,
            language=language,
            source=source,
            event_log=EventLog(source(16)),
            answers=Answers(DirectWorker(), SOLUTIONS),
            players=self._players,
            rom_mix=rom_mix,
        )
        self.house = House(config)
        address = PublicAddress(f"{origin}{prefix}" if origin else "")
        http = HttpConfig(limits=Limits(), names=(HOST,), public_address=address, pocket=True)
        self._app = below(create_app(self.house, source, http), prefix)

    async def begin(self) -> None:
        """Start the application's lifespan."""
        started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ended = asyncio.Event()

        async def receive() -> dict[str, str]:
            if not started.done():
                return {"type": "lifespan.startup"}
            await self._ended.wait()
            return {"type": "lifespan.shutdown"}

        async def send(message: Any) -> None:
            if message["type"] == "lifespan.startup.complete":
                started.set_result(None)

        self._lifespan = asyncio.ensure_future(self._app({"type": "lifespan"}, receive, send))
        await started

    async def answer(self, request: PocketRequest, begin: BeginAnswer, part: Part) -> None:
        """Answer a request. begin: called with the status and the headers; part: with each piece, and if more come.

        Cancelling ends a stream, as a browser that goes away does.
        """
        path, _, query = request.target.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [
                (b"host", HOST.encode()),
                (b"cookie", self._jar.header.encode()),
                *[(name.lower().encode(), value.encode()) for name, value in request.headers],
            ],
            "client": ("127.0.0.1", 1),
            "server": (HOST, 80),
        }
        sent = False
        gone = asyncio.Event()

        async def receive() -> dict[str, Any]:
            nonlocal sent
            if not sent:
                sent = True
                return {"type": "http.request", "body": request.body, "more_body": False}
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                for name, value in message["headers"]:
                    if name == b"set-cookie":
                        self._jar.take(value.decode("latin-1"))
                begin(
                    message["status"],
                    [(name.decode(), _framed(value.decode("latin-1"))) for name, value in message["headers"]],
                )
            else:
                more = message.get("more_body", False)
                part(message.get("body", b""), more)
                if not more:
                    gone.set()

        try:
            await self._app(scope, receive, send)
        finally:
            gone.set()

    async def end(self) -> None:
        """Write what waits, and close the files."""
        self._ended.set()
        await self._lifespan
        self.close()

    def close(self) -> None:
        """Close the files of an engine that was not begun, or has ended."""
        self._files.close()


def _framed(value: str) -> str:
    """A header that lets the shell show the page in its frame."""
    return value.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
