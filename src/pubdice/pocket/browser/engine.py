"""The composition root in a browser: the same application as in a house, on a folder, without threads or processes.

A page's worker calls ``Engine.request``; nothing of a browser is imported here, so it runs in any Python.
"""

import asyncio
import html
import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import cached_property
from http.cookies import CookieError, SimpleCookie
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pubdice.core.cup import Pool, SystemCup
from pubdice.core.errors import NotStored
from pubdice.core.json_depth import shallow
from pubdice.core.seal import KeyedSeals
from pubdice.games import GAMES
from pubdice.pocket.browser.going_on import Claims, Feeds, KeptTable, asked_table, go_on, read_kept, table_asked
from pubdice.pocket.solvers import solvers
from pubdice.room import RoomState
from pubdice.server.answers import Answers
from pubdice.server.app import HttpConfig, create_app
from pubdice.server.backups import StagedHouse, stage
from pubdice.server.bot_processes import BotProcess
from pubdice.server.observe import EventLog
from pubdice.server.processes import DirectWorker
from pubdice.server.table.clock import LoopClock
from pubdice.server.table.codes import read_code
from pubdice.server.table.house import House
from pubdice.server.table.house_config import HouseConfig
from pubdice.server.web.browser import PublicAddress, cookie_name, cookies_of, new_token, person_with
from pubdice.server.web.guard import NEAR, framed
from pubdice.server.web.limits import Limits, retry_after
from pubdice.solve.without_numpy import bring
from pubdice.store.bundle import COOKIES, TABLES, Bundle
from pubdice.store.direct_writer import DirectWriter
from pubdice.store.disk import sync_file, sync_folder
from pubdice.store.opened_seals_file import OpenedSealsFile
from pubdice.store.secret_file import read_secret
from pubdice.store.sqlite.house_files import pack
from pubdice.store.sqlite.players import PlayersFile, book_path
from pubdice.store.sqlite.schema import exclusive
from pubdice.store.sqlite.store import SqliteStore
from pubdice.store.writer import Entry
from pubdice.text.catalogues import language

# The cookies of the pocket house: a service worker may not set any, so they are kept beside the tables.


MOST = 40
"""Cookies kept: the house sets four."""


class CookieJar:
    """Cookies of one browser, in a file. Raises OSError if it cannot be read or written."""

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            kept = json.loads(shallow(file.read_text("utf-8"))) if file.exists() else {}
        except ValueError:  # a damaged disk: the person says their name once more
            kept = {}
        self._kept = {str(name): str(value) for name, value in kept.items()} if isinstance(kept, dict) else {}

    @property
    def header(self) -> str:
        """The value of a ``Cookie`` header; "" without any."""
        return "; ".join(f"{name}={value}" for name, value in self._kept.items())

    def take(self, set_cookie: str) -> None:
        """Keep what a ``Set-Cookie`` header says, or forget it with ``Max-Age=0``."""
        try:
            morsels = SimpleCookie(set_cookie)
        except CookieError:
            return
        before = dict(self._kept)
        for name, morsel in morsels.items():
            self._kept.pop(name, None)
            if morsel["max-age"] != "0" and len(self._kept) < MOST:
                self._kept[name] = morsel.coded_value
        if self._kept != before:
            new = self._file.with_name(f"{self._file.name}.new")
            new.write_text(json.dumps(self._kept), "utf-8")
            sync_file(new)
            new.replace(self._file)  # a kill leaves the old ones or the new ones: they say who this person is
            sync_folder(self._file.parent)


# The application below a folder of its host, such as https://host/pubdice/: ASGI middleware.
#
# The application's addresses begin at the root ("/t/...", "/static/..."). The middleware takes the folder's path off
# each request, and puts it in front of the addresses in answers: Location, attributes of pages that hold one, "go"
# and "rematch" in JSON and event streams, url() in style sheets. Scripts hold no addresses, and
# ``tests/pocket/test_sub_path.py`` sees to that. Cookies keep their paths: in a pocket they stay in its
# jar, and ``__Host-`` demands "/". Whole addresses ("https://host/pubdice/t/...") come from
# ``PublicAddress``, which is given the folder.


MOST_PAGE = 8 << 20
"""Bytes of a page in parts that wait for its last one; the house's longest page has 42 KB, in one part."""
_PREFIX = re.compile(r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)+")
_ADDRESS = re.compile(rb'="(?=/(?!/))')
_HOLD_ADDRESSES = tuple(
    f" {name}".encode()
    for name in ("href", "src", "action", "formaction", "data-here", "data-ask", "data-copy", "data-share",
                 'property="og:image" content')
)  # fmt: skip
"""Attributes with an address; of all others "/..." is what somebody wrote, or what a field sends back."""
_KEYS = re.compile(rb'"(?:go|rematch)": ?"(?=/(?!/))')
_URLS = re.compile(rb"""\burl\(["']?(?=/(?!/))""")
_STREAM = "text/event-stream"
Rewrite = Callable[[bytes], bytes]


def below(app: ASGIApp, prefix: str) -> ASGIApp:
    """The application below a folder; at the root (an empty prefix) the application itself.

    Raises ValueError as ``SubPath`` does.
    """
    return SubPath(app, prefix) if prefix else app


class SubPath:
    """An application whose addresses begin with a prefix.

    prefix: a folder's path as browsers write it, with a slash in front and none behind: "/pubdice". Raises ValueError
    if it is none.
    """

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        if not _PREFIX.fullmatch(prefix):
            raise ValueError(f"no path of a folder: {prefix!r}")
        self._app = app
        self._path, self._raw = unquote(prefix), prefix.encode("ascii")
        page = _put_in_page(html.escape(prefix))
        data = _put(_KEYS, prefix)
        self._rewrites = {
            "text/html": page,
            "image/svg+xml": page,
            "text/css": _put(_URLS, re.sub(r"(['()])", r"\\\1", prefix)),
            "application/json": data,
            _STREAM: data,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on without the prefix; one for another folder gets one sentence, and 404."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if path != self._path and not path.startswith(f"{self._path}/"):
            await self._refuse(send)
            return
        raw = scope.get("raw_path") or b""
        inner = {
            **scope,
            "path": path[len(self._path) :] or "/",
            "raw_path": raw.removeprefix(self._raw) or b"/",
            # a compressed answer could not be read here, and between a worker and its page compressing saves nothing
            "headers": [header for header in scope["headers"] if header[0] != b"accept-encoding"],
        }
        await self._app(inner, receive, _PrefixedAnswer(self._raw, self._rewrites, send))

    async def _refuse(self, send: Send) -> None:
        why = f"Nothing is here. Pubdice is at {self._path}/ on this host.".encode()
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(why))]
        await send({"type": "http.response.start", "status": 404, "headers": headers})
        await send({"type": "http.response.body", "body": why})


class _PrefixedAnswer:
    """An answer on its way: its head, and if its type may hold addresses its body, get the prefix."""

    def __init__(self, prefix: bytes, rewrites: dict[str, Rewrite], send: Send) -> None:
        self._prefix, self._rewrites, self._send = prefix, rewrites, send
        self._head: Message | None = None
        self._rewrite: Rewrite | None = None
        self._waiting = b""

    async def __call__(self, message: Message) -> None:
        """Send a part on; of a page only once it is whole, as its head says how long it is."""
        if message["type"] == "http.response.start":
            headers = [(name, self._header(name, value)) for name, value in message.get("headers", ())]
            kind = dict(headers).get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower()
            self._rewrite, head = self._rewrites.get(kind), {**message, "headers": headers}
            if self._rewrite is None or kind == _STREAM:
                await self._send(head)
            else:
                self._head = head
        elif self._rewrite is None:
            await self._send(message)
        elif self._head is None:  # a stream, whose parts are whole events
            await self._send({**message, "body": self._rewrite(message.get("body", b""))})
        else:
            await self._whole(self._rewrite, self._head, message)

    async def _whole(self, rewrite: Rewrite, head: Message, last: Message) -> None:
        self._waiting += last.get("body", b"")
        if len(self._waiting) > MOST_PAGE:
            raise ValueError("a page is too long to put a prefix into its addresses")
        if last.get("more_body", False):
            return
        body = rewrite(self._waiting)
        if body:  # the answer to HEAD has none, and keeps the length it says
            length = b"%d" % len(body)
            head["headers"] = [
                (name, length if name == b"content-length" else value) for name, value in head["headers"]
            ]
        await self._send(head)
        await self._send({**last, "body": body})

    def _header(self, name: bytes, value: bytes) -> bytes:
        own = name == b"location" and value.startswith(b"/") and not value.startswith(b"//")
        return self._prefix + value if own else value


def _put(found: "re.Pattern[bytes]", prefix: str) -> Rewrite:
    """A function that puts a prefix behind everything that a pattern finds."""
    put = prefix.encode("ascii")
    return lambda text: found.sub(lambda match: match[0] + put, text)


def _put_in_page(prefix: str) -> Rewrite:
    """The same for attributes of a page: looks for values that begin with a slash, and only then at their names."""
    put = b'="' + prefix.encode("ascii")

    def rewrite(text: bytes) -> bytes:
        def placed(match: "re.Match[bytes]") -> bytes:
            return put if text.endswith(_HOLD_ADDRESSES, 0, match.start()) else match[0]

        return _ADDRESS.sub(placed, text)

    return rewrite


HOST = "pocket.localhost"
"""The host name that the application is asked for: it leads nowhere else."""
SOLUTIONS = Path(__file__).parents[1] / "solutions"
"""The solutions worked out when the folder was built (``pocket.cli``); it need not be there."""
OF_GUESTS = frozenset((
    "accept", "accept-language", "content-type", "cookie", "idempotency-key", "last-event-id", "sec-fetch-site",
))  # fmt: skip
"""Headers that count in a guest's request, in small letters: a phone may send any."""
SEAT = "pubdice-seat"
"""A header of an answer at a table, for the host's list of guests: the table's code, and the name of a guest's seat."""
BeginAnswer = Callable[[int, list[tuple[str, str]]], object]
Part = Callable[[bytes, bool], object]


@dataclass(frozen=True, slots=True)
class PocketRequest:
    """A request of a page. target: path and query. near: other phones are guests of this house. guest: the address that
    counts for the guest's limits; "" for a page on this phone. phone: the name of the guest's phone.
    """

    method: str
    target: str
    headers: Sequence[tuple[str, str]]
    body: bytes
    near: bool = False
    guest: str = ""
    phone: str = ""


class Engine:
    """An application that is asked without a network.

    prefix: the path of its folder on the host, "" at the root. origin: of the host, for addresses to pass on.
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
        with ExitStack() as opened:  # a file that is damaged releases the others
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
        """The application of this house: as a pocket, or as it is served to others."""
        http = HttpConfig(limits=Limits(), names=(HOST,), public_address=self._address, pocket=pocket)
        return below(create_app(self.house, self._source, http), self._prefix)

    @cached_property
    def _for_phones(self) -> ASGIApp:
        """The application for this phone and its guests, over the same tables. Routes that open files are refused."""
        return self._application(pocket=False)

    async def begin(self) -> None:
        """Start the application's lifespan; raises what it raises."""
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
        """Answer a request. begin: called with the status and the headers; part: with each piece, and if more come.

        Cancelling ends a stream, as a browser that goes away does. A guest is known by the cookies that its own phone
        keeps, as at a served house; this phone's are in its jar.
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
        """Pass a stored entry on to the phones that keep its table."""
        self._feeds.grown(entry)
        if any(" ruled " in line for line in entry.lines):
            asyncio.get_running_loop().call_soon(self._ruled, entry.table)

    def _ruled(self, number: int) -> None:
        actor = next((actor for actor in self.house.actors.values() if actor.number == number), None)
        if actor is not None:
            self._feeds.look_again(number, actor.state)

    def _seat(self, named: str, person: str | None) -> str:
        """The code of a table, and the name of the seat that a person has there, if any; "" for no table."""
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
        """Answer a phone that keeps the log of a table."""
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
        """Give a guest its seat at a table that goes on here, by its phone's name; the cookie that it is to keep.

        headers: of its request, which get a token if it has none: its first page shows its seat.
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
        """Go on as host with tables of another house; the paths of those that can. Raises OSError."""
        person = _person_in([("cookie", self._jar.header)])
        if person is None:
            token = new_token(self._source)
            self._jar.take(f"{cookie_name(secure=False)}={token}; Path=/")
            person = person_with(token)
        codes = await go_on(self.house, self._claims, tables, person)
        return [f"{self._prefix}{self.house.link(code)}" for code in codes]

    async def end(self) -> None:
        """Write what waits, and close the files."""
        self._feeds.end()
        self._ended.set()
        await self._lifespan
        self.close()

    def close(self) -> None:
        """Close the files of an engine that was not begun, or has ended."""
        self._files.close()


def _person_in(headers: Sequence[tuple[str, str]]) -> str | None:
    """The person of a request, by the token in its cookies."""
    return cookies_of(tuple([value.encode() for name, value in headers if name == "cookie"]), secure=False).person


# The engine of a pocket, saved as one file to keep elsewhere, and replaced by what such a file holds.
#
# See ``store.bundle`` for the file, and ``store.staged_files`` for why a phone that dies meanwhile loses nothing.


MOST_BYTES = 100_000_000
"""Of a file, and of its contents, unpacked: some 10,000 matches. The phone needs as much space again until they are in
place. More than that is saved all the same, as a house takes it."""


def can_be_read_back(file: bytes) -> bool:
    """True if a phone takes a file that a pocket has saved; if not, a house does."""
    try:
        Bundle(BytesIO(file), MOST_BYTES)
    except NotStored:
        return False
    return len(file) <= MOST_BYTES


class Pocket:
    """An engine on a folder, and the next one once a file is restored."""

    def __init__(self, make: Callable[[], Engine]) -> None:
        """make: opens the engine on what the folder holds."""
        self._make = make
        self.engine = make()
        self._running = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()

    async def begin(self) -> None:
        """Start the application's lifespan."""
        await self.engine.begin()
        self._running.set()

    async def answer(self, request: PocketRequest, begin: BeginAnswer, part: Part) -> None:
        """Answer a request, as ``Engine.answer`` does; while a file is restored it waits for the next engine."""
        await self._running.wait()
        await self.engine.answer(request, begin, part)

    async def go_on(self, kept: str) -> list[str]:
        """Go on as host with the tables that this phone has kept as a guest, in JSON; see ``Engine.go_on``.

        NotStored("bundle-damaged"), ("no-space").
        """
        tables = read_kept(kept)
        await self._running.wait()
        try:
            return await self.engine.go_on(tables)
        except OSError:
            raise NotStored("no-space") from None

    def save(self) -> bytes:
        """Everything in one file: tables, evening, book, the key of the seals, and who this browser is.

        NotStored("house-large"), ("store-unreadable"), ("no-space").
        """
        out = BytesIO()
        try:
            pack(self.engine.store, out)
        except OSError:
            raise NotStored("no-space") from None
        return out.getvalue()

    async def end(self) -> None:
        """Write what waits, and close the files."""
        async with self._one_at_a_time:
            self._running.clear()
            self.engine.house.closing()
            await self.engine.end()

    async def look(self, data: bytes) -> tuple[int, int]:
        """Check a file as ``restore`` does, and change nothing: the number of tables here, and in the file.

        NotStored as ``restore``, and ("store-unreadable").
        """
        async with self._one_at_a_time:
            staged = self._stage(data)
            staged.discard()
            return len(self.engine.store.tables()), staged.found.tables

    async def restore(self, data: bytes) -> None:
        """Put everything that a file holds in the place of what is here, once it has been checked.

        Cookies, and the key of the seals, stay: a house's file does not hold them. Seals that were opened here stay
        opened. NotStored("bundle-damaged"), ("bundle-newer"), ("bundle-large"), ("bundle-log"), ("no-space"): nothing
        has changed then. A kill at any moment leaves all of the old or all of the new.
        """
        async with self._one_at_a_time:
            await self._replace(self._stage(data))

    async def _replace(self, staged: StagedHouse) -> None:
        """End the engine, let the staged files count, and open them. Raises NotStored("no-space")."""
        self._running.clear()
        try:
            self.engine.house.closing()
            await self.engine.end()
            staged.commit()
        except OSError:
            raise NotStored("no-space") from None
        finally:
            staged.discard()
            try:
                self.engine = self._make()  # its store puts in place what counts
                await self.engine.begin()
            finally:
                self._running.set()

    def _stage(self, data: bytes) -> StagedHouse:
        try:
            return stage(BytesIO(data), self.engine.file, GAMES, most=MOST_BYTES)
        except NotStored as error:
            raise NotStored("no-space") if error.code == "store-unwritable" else error from None
