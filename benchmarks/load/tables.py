"""Tables of Midnight driven by commands over HTTP: makes the next command for each, and measures its time.

The client need not read the dice. The first roll is of six, and each later command keeps the first die that is still
free, so its place is known. So a turn has six commands, each of which keeps and rolls (the last die keeps itself). With
``marks`` the die is marked first, as a page does when it is tapped. Then a turn has eleven.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import msgspec

from benchmarks.load.wire import Phone, body_of

NAMES = ("Ann", "Bob", "Cid", "Dora", "Eve", "Finn")
ROLLS = 6
RETRY_S = 0.5
PACE_MS = 1000
"""The time of a bot's thought."""
OLD = 16
"""The number of a table's last moves whose times are kept for late listeners."""


class Times:
    """The measurements: seconds from when a command was due, and counts."""

    def __init__(self) -> None:
        self.acks: list[float] = []
        self.deliveries: list[float] = []
        self.refused: dict[str, int] = {}
        self.on = False

    def clear(self, *, on: bool) -> None:
        """Delete all measurements except the refusals."""
        self.acks.clear()
        self.deliveries.clear()
        self.on = on


class Table:
    """A table, its phones, and the commands that wait to be sent."""

    def __init__(self, phones: list[Phone], rounds: int, times: Times, *, marks: bool = False, bots: int = 0) -> None:
        self.phones, self.rounds, self.times, self.marks, self.bots = phones, rounds, times, marks, bots
        self.mover: int | None = None  # read from the stream, if a bot also plays
        self.code, self.seq, self.matches = "", 0, 0
        self.first = 0  # the seat that opens the match
        self.waiting: deque[float] = deque()
        self.begun: dict[int, float] = {}
        self._asking = False
        self._since = 0.0
        self._sent: bytes = b""
        self._asker: Phone = phones[0]
        self._number = 0
        self._heads: list[bytes] = []
        self._next: Iterator[tuple[int, bytes]] = iter(())
        self.acked: Callable[[], None] | None = None
        self.again = False
        self._moving: asyncio.Future[None] | None = None

    # opening

    async def set_up(self) -> str:
        """Order the table as its first person. Return its code with the link's secret, which all phones need."""
        order = {
            "game": "midnight",
            "name": NAMES[0],
            "people": len(self.phones),
            "bots": ["tip"] * self.bots,
            "rules": {"format": f"rounds {self.rounds}"},
            "pace_ms": PACE_MS,
        }
        status, got = await self.phones[0].ask("POST", "/tables", msgspec.json.encode(order))
        if status != 201:
            raise RuntimeError(f"no table: {got!r}")
        return last_of(msgspec.json.decode(body_of(got))["go"])

    async def open(self) -> None:
        """Set the table up, seat all phones, and open their streams."""
        code = await self.set_up()
        for phone, name in zip(self.phones[1:], NAMES[1:], strict=False):
            await sit(phone, code, name)
        await self.enter(code)

    async def enter(self, code: str) -> None:
        """Begin the match at the table with this code."""
        self.code = code
        self._heads = [phone.request("POST", f"/t/{code}", b"{}")[: -len("2\r\n\r\n{}")] for phone in self.phones]
        self._next = self._turns() if self.bots else self._script()
        self.mover = 0
        self.begun.clear()
        self.seq = 0
        await asyncio.gather(*(phone.listen(code, self._heard) for phone in self.phones))
        for phone in self.phones:
            await phone.connect()

    def _script(self) -> Iterator[tuple[int, bytes]]:
        """Yield the next seat and its command, for the whole match. The opener rotates."""
        seats = len(self.phones)
        for number in range(self.rounds):
            for turn in range(seats):
                mover = (self.first + number + turn) % seats
                yield mover, b'"roll"'
                for place in range(ROLLS - 1):
                    if self.marks:
                        yield mover, b'"mark","marks":[%d]' % place
                    yield mover, b'"roll","marks":[%d]' % place

    def _turns(self) -> Iterator[tuple[int, bytes]]:
        """Yield the seat and commands of the one person's turns. Bots play in between."""
        for _ in range(self.rounds):
            yield 0, b'"roll"'
            for place in range(ROLLS - 1):
                if place == ROLLS - 2:
                    self.mover = None
                yield 0, b'"roll","marks":[%d]' % place

    # playing

    def due(self, at: float) -> None:
        """Send a command that is due at this time, or queue it until the one before it is answered.

        While a bot plays, the command is dropped.
        """
        if self.bots and self.mover != 0 and not self._asking:
            return
        self.waiting.append(at)
        if not self._asking:
            self._send()

    def _send(self) -> None:
        following = next(self._next, None)
        if following is None:
            self._asking = True  # so it sends no more commands until it is at the next table
            self.waiting.clear()
            if self.again:
                self._moving = asyncio.ensure_future(self._again())
            return
        seat, deed = following
        self._since = self.waiting.popleft()
        self._asking = True
        self._number += 1
        body = b'{"key":"key-%08d","do":%b}' % (self._number, deed)
        self._sent = b"%b%d\r\n\r\n%b" % (self._heads[seat], len(body), body)
        self._asker = self.phones[seat]
        self._put()

    def _put(self) -> None:
        asker = self._asker.asker
        if asker is not None and asker.open:
            asker.ask(self._sent, self._answered)
        else:
            task = asyncio.ensure_future(self._asker.connect())
            task.add_done_callback(lambda _: self._put())

    def _answered(self, status: int, got: bytes) -> None:
        if not status:  # the house closes idle connections, so send the same again, with the same key
            self._put()
            return
        now, times = perf_counter(), self.times
        if status == 200:
            at = got.find(b'"seq":') + 6
            self.seq = int(got[at : got.find(b",", at)])
            self.begun[self.seq] = self._since
            if len(self.begun) > OLD:
                del self.begun[next(iter(self.begun))]
            if times.on:
                times.acks.append(now - self._since)
        else:
            code = msgspec.json.decode(body_of(got)).get("code", str(status))
            times.refused[code] = times.refused.get(code, 0) + 1
            asyncio.get_running_loop().call_later(RETRY_S, self._put)
            return
        self._asking = False
        if self.acked is not None:
            self.acked()
        if self.waiting and not self._asking:
            self._send()

    def _heard(self, seq: int, data: bytes) -> None:
        if self.bots and (at := data.rfind(b'"mover":')) >= 0:
            self.mover = 0 if data[at + 8 : at + 9] == b"0" else None
        if self.times.on:
            begun = self._since if seq > self.seq and self._asking else self.begun.get(seq)
            if begun is not None:
                self.times.deliveries.append(perf_counter() - begun)

    async def _again(self) -> None:
        """Make a rematch. All phones ask for it, move to the next table, and the match begins there."""
        self._number += 1
        body, got = b'{"key":"key-%08d","do":"rematch"}' % self._number, b""
        for phone in self.phones:
            status, got = await phone.ask("POST", f"/t/{self.code}", body)
            if status != 200:
                raise RuntimeError(f"no rematch: {got!r}")
        code = last_of(msgspec.json.decode(body_of(got))["go"])
        while (view := await self._view(code))["stage"] != "playing":
            await asyncio.sleep(RETRY_S)
        self.matches, self.first = self.matches + 1, view["mover"]
        await self.enter(code)
        self._asking = False

    async def _view(self, code: str) -> dict[str, Any]:
        status, got = await self.phones[0].ask("GET", f"/t/{code}/state")
        if status != 200:
            raise RuntimeError(f"no state: {got!r}")
        view: dict[str, Any] = msgspec.json.decode(body_of(got))["view"]
        return view


def last_of(address: str) -> str:
    """Return the last part of a table's address."""
    return address.rpartition("/")[2]


async def sit(phone: Phone, code: str, name: str) -> None:
    """Let a phone take a free seat, as a new browser or a known one."""
    body = msgspec.json.encode({"key": "sit-sit-sit", "do": "sit", "name": name})
    status, got = await phone.ask("POST", f"/t/{code}", body)
    if status != 200:
        raise RuntimeError(f"no seat: {got!r}")
