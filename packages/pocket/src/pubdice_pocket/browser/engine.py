"""The engine of a pocket: the application of a house whose files are in a folder. It uses no threads and no processes.

The worker of a page calls ``Engine.answer``. This module imports nothing that only browsers have, so it runs in any
Python.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from starlette.types import ASGIApp

from pubdice.core.cup import Pool, SystemCup
from pubdice.core.seal import KeyedSeals
from pubdice.games import GAMES
from pubdice.room import RoomState
from pubdice.server.answers import Answers
from pubdice.server.app import HttpConfig, create_app
from pubdice.server.bot_processes import BotProcess
from pubdice.server.observe import EventLog
from pubdice.server.processes import DirectWorker
from pubdice.server.table.codes import read_code
from pubdice.server.table.house import House
from pubdice.server.table.house_config import HouseConfig
from pubdice.server.table.services import LoopClock
from pubdice.server.web.browser import PublicAddress, cookie_name, cookies_of, new_token, person_with
from pubdice.server.web.guard import NEAR
from pubdice.server.web.limits import Limits, retry_after
from pubdice.solve.without_numpy import bring
from pubdice.store.bundle import COOKIES, TABLES
from pubdice.store.direct_writer import DirectWriter
from pubdice.store.opened_seals_file import OpenedSealsFile
from pubdice.store.secret_file import read_secret
from pubdice.store.sqlite.book_file import book_path
from pubdice.store.sqlite.players import PlayersFile
from pubdice.store.sqlite.schema import exclusive
from pubdice.store.sqlite.store import SqliteStore
from pubdice.store.writer import Entry
from pubdice.text.catalogues import language
from pubdice_pocket.browser.cookie_jar import CookieJar
from pubdice_pocket.browser.going_on import Claims, Feeds, KeptTable, asked_table, go_on, table_asked
from pubdice_pocket.browser.sub_path import below
from pubdice_pocket.framing import framed
from pubdice_pocket.solvers import solvers

HOST = "pocket.localhost"  # the host name in each request; it leads to no real host
SOLUTIONS = Path(__file__).parents[1] / "solutions"
"""The folder of solutions made when the pocket was built (``pubdice_pocket.cli``). It may be missing."""
OF_GUESTS = frozenset((
    "accept", "accept-language", "content-type", "cookie", "idempotency-key", "last-event-id", "sec-fetch-site",
))  # fmt: skip
"""The headers of a guest's request that the house reads, in lower case. All other headers of the guest's phone are
dropped."""
SEAT = "pubdice-seat"
"""The name of a header in answers about a table, for the host's list of guests. Its value is the table's code, a space,
and the guest's name at the table (or nothing, if the guest has no seat)."""
BeginAnswer = Callable[[int, list[tuple[str, str]]], object]
Part = Callable[[bytes, bool], object]


@dataclass(frozen=True, slots=True)
class PocketRequest:
    """A request from a page."""

    method: str
    target: str  # the path and the query
    headers: Sequence[tuple[str, str]]
    body: bytes
    near: bool = False  # True if other phones are guests of this house
    guest: str = ""  # the address by which the guest's requests are limited, or "" for a page on this phone
    phone: str = ""  # the fingerprint of the guest phone's certificate, in hex, or "" for a page on this phone


class Engine:
    """The application of a house whose files are in a folder. It is called without a network.

    ``prefix`` is the path of the pocket on its host, or "" at the root. ``origin`` is the host's origin, for links that
    players share.
    """

    def __init__(
        self,
        folder: Path,
        time_ns: Callable[[], int],
        source: Callable[[int], bytes],
        *,
        prefix: str = "",
        origin: str = "",
    ) -> None:
        self.file = file = folder / TABLES
        with ExitStack() as opened:  # if one file is damaged, the files that were opened before it are closed
            self.store = opened.enter_context(closing(SqliteStore(file, connect=exclusive, writer=DirectWriter)))
            key = read_secret(folder / "house.db.seals", source)
            seals = KeyedSeals(key, source, OpenedSealsFile(folder / "house.db.opened"))
            self._players = opened.enter_context(closing(PlayersFile(book_path(file))))
            self._jar = CookieJar(folder / COOKIES)
            self._files = opened.pop_all()
        bring(solvers(SOLUTIONS))
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
            grown=self._grown,
        )
        self.house = House(config)
        self._claims = Claims(self.house)
        self._feeds = Feeds(self._claims)
        self._source, self._prefix = source, prefix
        self._address = PublicAddress(f"{origin}{prefix}" if origin else "")
        self._app = self._application(pocket=True)

    def _application(self, *, pocket: bool) -> ASGIApp:
        """Return the ASGI application of this house, with the routes of a pocket or of a served house."""
        http = HttpConfig(limits=Limits(), names=(HOST,), public_address=self._address, pocket=pocket)
        return below(create_app(self.house, self._source, http), self._prefix)

    @cached_property
    def _for_phones(self) -> ASGIApp:
        """The application for guests' phones. It has the same tables as the application for this phone. It lacks the
        routes that open files.
        """
        return self._application(pocket=False)

    async def begin(self) -> None:
        """Start the application's lifespan. If the start fails, raise its error."""
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
        await asyncio.wait((started, self._lifespan), return_when=asyncio.FIRST_COMPLETED)
        if not started.done():
            await self._lifespan

    async def answer(self, request: PocketRequest, begin: BeginAnswer, part: Part) -> None:
        """Answer a request.

        ``begin`` is called with the status and the headers. ``part`` is called with each piece of the body, and with
        True if more pieces follow. To end a stream, cancel the task, as a browser does when its page is closed. A
        guest's phone sends its own cookies, as to a served house. The cookies of this phone come from the jar.
        """
        path, _, query = request.target.partition("?")
        headers = [(name.lower(), value) for name, value in request.headers]
        if request.guest:
            headers = [header for header in headers if header[0] in OF_GUESTS]
            headers += [("content-length", str(len(request.body)))] if request.body else []
        else:
            headers.append(("cookie", self._jar.header))
        near = request.near or bool(request.guest)
        named = minted = ""
        if near:
            named, keeps = asked_table(path.removeprefix(self._prefix))
            if keeps:
                await self._feed(request, named, _person_in(headers), begin=begin, part=part)
                return
            minted = await self._recognise(request, named, headers)
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
            "headers": [(b"host", HOST.encode()), *[(name.encode(), value.encode()) for name, value in headers]],
            "client": (request.guest or "127.0.0.1", 1),
            "server": (HOST, 80),
            NEAR: near,
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
                    if name == b"set-cookie" and not request.guest:
                        self._jar.take(value.decode("latin-1"))
                answered = [(name.decode(), framed(value.decode("latin-1"))) for name, value in message["headers"]]
                answered += [("set-cookie", minted)] if minted else []
                answered += [(SEAT, seat)] if request.guest and (seat := self._seat(named, _person_in(headers))) else []
                begin(message["status"], answered)
            else:
                more = message.get("more_body", False)
                part(message.get("body", b""), more)
                if not more:
                    gone.set()

        try:
            await (self._for_phones if near else self._app)(scope, receive, send)
        finally:
            gone.set()

    def _grown(self, entry: Entry) -> None:
        """Send a stored log entry to the phones that keep the log of its table."""
        self._feeds.grown(entry)
        if any(" ruled " in line for line in entry.lines):
            asyncio.get_running_loop().call_soon(self._ruled, entry.table)

    def _ruled(self, number: int) -> None:
        actor = next((actor for actor in self.house.actors.values() if actor.number == number), None)
        if actor is not None:
            self._feeds.look_again(number, actor.state)

    def _seat(self, named: str, person: str | None) -> str:
        """Return a table's code, a space, and the person's name at the table. If the person has no seat, there is no
        name. If there is no such table, return "".
        """
        code = read_code(named)
        state = self._state_of(code) if code else None
        if state is None:
            return ""
        return f"{code} {next((chair.name for chair in state.chairs if person in chair.people), '')}"

    def _state_of(self, code: str) -> RoomState | None:
        actor = self.house.actors.get(code)
        return None if actor is None else actor.state

    async def _feed(
        self, request: PocketRequest, named: str, person: str | None, *, begin: BeginAnswer, part: Part
    ) -> None:
        if wait_s := self._feeds.wait(request.phone, self.house.now() / 1000) if request.phone else 0:
            begin(429, [("content-type", "text/plain"), ("retry-after", retry_after(wait_s))])
            part(b"", False)
            return
        query = request.target.partition("?")[2]
        self._feeds.meet(request.phone, person, self._state_of)
        self._feeds.meet("", _person_in([("cookie", self._jar.header)]), self._state_of)
        found = table_asked(self.house, named) if request.method == "GET" else None
        if found is None:
            begin(404, [("content-type", "text/plain")])
            part(b"", False)
            return
        begin(200, [("content-type", "application/x-ndjson"), ("cache-control", "no-store")])
        await self._feeds.serve(self.house, found, request.phone, you=person or "", query=query, send=part)
        part(b"", False)

    async def _recognise(self, request: PocketRequest, named: str, headers: list[tuple[str, str]]) -> str:
        """If a table of another house goes on here, give a guest its old seat. The phone's certificate identifies the
        guest. Return a Set-Cookie header, or "".

        A guest without a token gets one. The token is also added to ``headers``, so the guest's first page shows its
        seat.
        """
        person = _person_in(headers)
        self._feeds.meet(request.phone, person, self._state_of)
        code = read_code(named) if named and request.phone else None
        known = self._claims.of(code, request.phone) if code else ""
        if code is None or not known or known == person:
            return ""
        minted = ""
        if person is None:
            token = new_token(self._source)
            person, minted = person_with(token), f"{cookie_name(secure=False)}={token}; Path=/"
            cookies = [value for name, value in headers if name == "cookie"]
            headers[:] = [header for header in headers if header[0] != "cookie"]
            headers.append(("cookie", "; ".join([minted.partition(";")[0], *cookies])))
        await self._claims.recognise(code, request.phone, person)
        return minted

    async def go_on(self, tables: Iterable[KeptTable]) -> list[str]:
        """Continue tables of another house here, with this phone as host. Return the paths of the tables that can
        continue. Raises OSError.
        """
        person = _person_in([("cookie", self._jar.header)])
        if person is None:
            token = new_token(self._source)
            self._jar.take(f"{cookie_name(secure=False)}={token}; Path=/")
            person = person_with(token)
        codes = await go_on(self.house, self._claims, tables, person)
        return [f"{self._prefix}{self.house.link(code)}" for code in codes]

    async def end(self) -> None:
        """Write all data that is still to be stored, and close the files."""
        self._feeds.end()
        self._ended.set()
        await self._lifespan
        self.close()

    def close(self) -> None:
        """Close the files of an engine that has ended, or that never began."""
        self._files.close()


def _person_in(headers: Sequence[tuple[str, str]]) -> str | None:
    return cookies_of(tuple([value.encode() for name, value in headers if name == "cookie"]), secure=False).person
