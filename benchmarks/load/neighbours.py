"""Measures other players' moves while one address asks for one page over and over, for every route that reads.

The routes are the house's own (``ROUTES``), with their fields filled in by name. A different address asks for each
route, so each begins with unused rate limits.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urlencode

from benchmarks.load.playing import closed, opened, p99_ms, scheduled, settled
from benchmarks.load.process import Running, load_average
from benchmarks.load.tables import Table, Times, last_of
from benchmarks.load.wire import Address, Asker, Phone
from pubdice.server.app import ROUTES
from pubdice.server.web.routing import Route

LINES = 24
"""The connections of the one address."""
TABLES, PER_S = 12, 48.0
"""The tables of two that go on playing, and their moves a second, all together."""
WINDOW_S = 10.0
FAR = 7_000_000
"""The number of the first address that asks for pages."""
BROWSER = "text/html"
NIGHT = {"game": "midnight", "midnight.format": "rounds", "midnight.rounds": "1", "players": "2"}


@dataclass
class Flood:
    """One address that asks for one target over ``LINES`` connections, again as soon as it is answered.

    A stream is closed as soon as it has begun, and opened again.
    """

    phone: Phone
    request: bytes
    statuses: Counter[int] = field(default_factory=Counter)

    async def go_on(self, ends: asyncio.Event) -> None:
        """Ask until ``ends`` is set."""
        await asyncio.gather(*(self._line(ends) for _ in range(LINES)))

    async def _line(self, ends: asyncio.Event) -> None:
        asker: Asker | None = None
        while not ends.is_set():
            if asker is None or not asker.open:
                asker = await self.phone.connected(Asker)
            status, got = await asker.answer(self.request)
            self.statuses[status] += 1
            if b"text/event-stream" in got[:400]:
                asker.transport.close()
                asker = None
        if asker is not None:
            asker.transport.close()


@dataclass(frozen=True)
class Row:
    """A row of the table: p50 and p99 of the others' moves in ms, without and with the address that asks."""

    what: str
    quiet: tuple[float, float]
    beside: tuple[float, float]
    statuses: Counter[int]

    @property
    def ratio(self) -> float:
        """The others' p99 beside the address, divided by their quiet p99."""
        return self.beside[1] / self.quiet[1]

    def line(self) -> str:
        """The row, in Markdown."""
        told = ", ".join(f"{count:,} x {status}" for status, count in sorted(self.statuses.items()))
        quiet, beside = (f"{p50:.1f} | {p99:.1f}" for p50, p99 in (self.quiet, self.beside))
        return f"| `{self.what}` | {quiet} | {beside} | {self.ratio:.1f} | {told} |"


HEAD = "| asked for | quiet p50, ms | p99 | beside p50, ms | p99 | p99 ratio | answers |\n" + "| --- " * 7 + "|"


async def beside_all(house: Running, seconds: float, only: Sequence[str]) -> list[Row]:
    """Measure every route that reads, or the routes in ``only``. Print each row at once, and return all."""
    address, times = Address(house.port), Times()
    tables = await opened(house, TABLES, 2, times, rounds=(20,))
    for table in tables:
        table.again = True
    finished = await opened(house, 1, 2, Times(), rounds=(1,))
    await closed(finished, 2)
    night = await _night(Phone(address, FAR - 1))
    rows = []
    print(HEAD)
    for number, (what, path) in enumerate(_asked(only)):
        target = await _filled(Phone(address, FAR - 2 - number), path, (finished[0].code, tables[0].code), night)
        row = await _measured(tables, times, Flood(*_from(address, FAR + number, what, target)), what, seconds)
        rows.append(row)
        print(row.line(), flush=True)
    print(f"load average {load_average()}")
    return rows


def _asked(only: Sequence[str]) -> list[tuple[str, str]]:
    """Return the name and path of each row: of the routes, and of requests that no route answers."""
    reads = [route for route in ROUTES if route.method == "GET" and route.only != "pocket"]
    rows = [(f"GET {route.path}", f"{route.path}{_query(route)}") for route in reads]
    rows += [("HEAD /t/{code}", "/t/{code}"), ("GET /nowhere", "/nowhere"), ("GET / of a wrong host", "/")]
    return [(what, path) for what, path in rows if not only or what.partition(" ")[2] in only]


def _query(route: Route) -> str:
    needs_code = any(each.required and each.name == "code" for each in route.fields)
    return "?code={code}" if needs_code else ""


def _from(address: Address, number: int, what: str, target: str) -> tuple[Phone, bytes]:
    phone = Phone(address, number)
    request = phone.request(what.partition(" ")[0], target, accept=BROWSER)
    return phone, request.replace(address.host.encode(), b"wrong.example", 1) if "wrong host" in what else request


async def _filled(phone: Phone, path: str, codes: tuple[str, str], night: str) -> str:
    """Return a path with its fields filled in. Its match is over, unless the house then refuses the path."""
    fields = {
        "game": "midnight",
        "hash": "0",
        "name": "table.js",
        "number": "1",
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }
    found = ""
    for code in (night,) if path.startswith("/night/") else codes:
        found = path.format_map({**fields, "code": code})
        if "{code}" not in path or "events" in path:
            break
        status, _ = await phone.ask("GET", found, accept=BROWSER)
        if status < 400:
            break
    return found


async def _night(phone: Phone) -> str:
    """Begin a duplicate night, as its form does. Return its code."""
    body = urlencode(NIGHT).encode()
    request = phone.request("POST", "/night", body).replace(b"application/json", b"application/x-www-form-urlencoded")
    status, got = 503, b""
    while status == 503:  # until the house has counted it
        status, got = await phone.send(request)
    at = got.lower().find(b"location: ") + 10
    return last_of(got[at : got.find(b"\r", at)].decode())


async def _measured(tables: list[Table], times: Times, flood: Flood, what: str, seconds: float) -> Row:
    """Measure windows without and with the flood in turn, so other work on the machine falls on both."""
    alone: list[float] = []
    beside: list[float] = []
    for _ in range(max(1, round(seconds / WINDOW_S))):
        alone += await _moves(tables, times, min(seconds, WINDOW_S))
        ends = asyncio.Event()
        asking = asyncio.ensure_future(flood.go_on(ends))
        beside += await _moves(tables, times, min(seconds, WINDOW_S))
        ends.set()
        await asking
    return Row(what, _percentiles(alone), _percentiles(beside), flood.statuses)


async def _moves(tables: list[Table], times: Times, seconds: float) -> list[float]:
    """Let the tables play for ``seconds``. Return the time of each move in s."""
    times.clear(on=True)
    await scheduled(tables, PER_S, seconds)
    await settled(tables)
    times.on = False
    return list(times.acks)


def _percentiles(acks: list[float]) -> tuple[float, float]:
    return (1000 * sorted(acks)[len(acks) // 2] if acks else float("inf")), p99_ms(acks)
