"""Several house processes over one database, and people who send each request to one of them at random.

This is like a proxy without sticky sessions: each request and each stream goes to a house drawn at random. If a request
gets no answer, it is sent again to another house under the same key.
"""

import asyncio
import json
import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pubdice.games import GAMES
from pubdice.room.events import public
from pubdice.server.log_check import verify
from pubdice_cluster.reader import PostgresReader
from support.house_process import Ear, House, Phone
from support.http_wire import Answer
from support.table_load import RULES, TABLES, drawn_move

ANSWERED_WITHIN_S = 30.0
"""The most seconds until a request is answered. It is longer than the database or a house is ever away."""
OF_A_TRY = 0.4
"""The share of ANSWERED_WITHIN_S after which a silent house is given up and another house is asked. It is not small,
because the work of the silent house is then lost. On a busy machine with slow houses, an impatient client would never
get an answer."""
UNKNOWN = (500, 502, 503, 504)
"""The status codes after which a client asks again under the same key."""


@contextmanager
def houses(address: str, folder: Path, number: int, *words: str, script: Path | None = None) -> Iterator[list[House]]:
    """Open this many houses over one database. ``script`` is run instead of ``pubdice`` without limits."""
    with ExitStack() as stack:
        made = []
        for at in range(number):
            own = folder / f"house{at}"
            own.mkdir(exist_ok=True)
            made.append(House(own, "--store", address, *words, limits=False, script=script))
            stack.callback(made[-1].clear)
            made[-1].begin()
        for house in made:
            house.wait_open()
        yield made


@dataclass(frozen=True, slots=True)
class Told:
    code: str
    phone: "Roamer"
    asked: dict[str, Any]
    answer: bytes

    @property
    def seq(self) -> int:
        """The number of events that the table had at this answer."""
        return int(json.loads(self.answer)["seq"])


class Roamer:
    """A person who sends each request to a random house.

    ``within_s`` is the longest time for one request, with all its tries. ``retried`` counts the answers to keys that
    were sent more than once. ``asks_since`` is the time when the current request began, in seconds of the loop's clock,
    or None if there is no request.
    """

    def __init__(
        self, houses: Sequence[House], name: str, source: random.Random, within_s: float = ANSWERED_WITHIN_S
    ) -> None:
        self.houses, self.name, self.source, self.within_s = houses, name, source, within_s
        self._phones = {house.port: Phone(house.port, name, house.host) for house in houses}
        self.person = next(iter(self._phones.values())).person
        self._keys = 0
        self.retried = 0
        self.asks_since: float | None = None

    def key(self) -> str:
        """Return a key never used before."""
        self._keys += 1
        return f"{self.name}-{self._keys:07d}"

    def phone(self) -> Phone:
        return self._phones[self.source.choice(self.houses).port]

    async def ask(self, method: str, path: str, data: Any = None) -> Answer:
        """Ask random houses, until one answers."""
        self.asks_since = asyncio.get_running_loop().time()
        try:
            return await self._ask(method, path, data)
        finally:
            self.asks_since = None

    async def _ask(self, method: str, path: str, data: Any) -> Answer:
        loop = asyncio.get_running_loop()
        until = loop.time() + self.within_s
        tried: list[tuple[int, float, object]] = []  # house, seconds, result
        while True:
            phone, began = self.phone(), loop.time()
            try:
                async with asyncio.timeout(OF_A_TRY * self.within_s):
                    answer = await phone.ask(method, path, data)
            except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
                phone.hang_up()
                came: object = repr(error)
            else:
                if answer.status not in UNKNOWN:
                    self.retried += bool(tried)
                    return answer
                came = answer.body
            tried.append((phone.port, round(loop.time() - began, 1), came))
            assert loop.time() < until, f"{self.name} has no answer: {tried}"
            await asyncio.sleep(self.source.uniform(0.02, 0.2))

    async def open_table(self, **order: Any) -> str:
        """Open a table, sit down at it, and return its code."""
        usual = {"game": "midnight", "name": self.name, "people": 1, "bots": [], "pace_ms": 0, "key": self.key()}
        answer = await self.ask("POST", "/tables", {**usual, **order})
        assert answer.status == 201, answer.body
        return str(answer.data["code"])

    def hang_up(self) -> None:
        """Close all connections."""
        for phone in self._phones.values():
            phone.hang_up()


@dataclass
class Guest:
    """A person at a table, with a stream of the table's events from a random house. When the stream ends, the person
    takes one from another house.
    """

    roamer: Roamer
    code: str
    seat: int
    ear: Ear
    moves: int = 0

    async def listen(self) -> None:
        while True:
            self.ear.phone = self.roamer.phone()
            await self.ear.listen()
            await asyncio.sleep(self.roamer.source.uniform(0.02, 0.2))


def _no_longer(task: "asyncio.Task[None]", _: "asyncio.Task[None]") -> None:
    task.cancel()


@dataclass
class Evening:
    """The tables of one database, their people, and all answers. ``every_s`` is the range of the time between two
    actions of a person. ``within_s`` is the longest time for one request.
    """

    houses: Sequence[House]
    source: random.Random
    every_s: tuple[float, float] = (0.05, 0.4)
    within_s: float = ANSWERED_WITHIN_S
    told: list[Told] = field(default_factory=list)
    guests: list[Guest] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    async def lay(self, kind: int, name: str) -> None:
        """Open a table of this kind, and seat its people."""
        order = TABLES[kind % len(TABLES)]
        people = [Roamer(self.houses, f"{name}x{seat}", self.source, self.within_s) for seat in range(order["people"])]
        code = await people[0].open_table(**order, rules=RULES[order["game"]])
        self.opened.append(code)
        for seat, roamer in enumerate(people):
            if seat:
                await self.do(roamer, code, {"do": "sit", "name": roamer.name})
            self.guests.append(Guest(roamer, code, seat, Ear(roamer.phone(), code, patient=True)))

    async def do(self, roamer: Roamer, code: str, asked: dict[str, Any]) -> Answer:
        """Send a command under a key of its own, and keep the answer."""
        whole = {"key": roamer.key(), **asked}
        answer = await roamer.ask("POST", f"/t/{code}", whole)
        if answer.status == 200:
            self.told.append(Told(code, roamer, whole, answer.body))
        return answer

    async def play(self, guest: Guest) -> None:
        """Move when it is the guest's turn. At other times the host sometimes sets the pace. Returns when the match is
        over.
        """
        while True:
            ear = guest.ear
            with suppress(TimeoutError):
                ear.news.clear()
                async with asyncio.timeout(self.source.uniform(*self.every_s)):
                    await ear.news.wait()
            view = ear.view
            if view is None:
                continue
            if view["stage"] == "over":
                return
            if view["mover"] == guest.seat and view["stage"] == "playing":
                asked = drawn_move(view, self.source)
            elif guest.seat == 0 and self.source.random() < 0.2:
                asked = {"do": "pace", "ms": self.source.randrange(40)}
            else:
                continue
            answer = await self.do(guest.roamer, guest.code, asked)
            if answer.status == 200:
                guest.moves += 1
                with suppress(TimeoutError):
                    await ear.until(answer.data["seq"], 10)

    async def begin(self, tables: int) -> list["asyncio.Task[None]"]:
        """Open more tables. Return the tasks of their guests, which end with the match."""
        before, here = len(self.opened), len(self.guests)
        await asyncio.gather(*[self.lay(at, f"t{before + at}") for at in range(tables)])
        return self.go_on(here)

    def go_on(self, first: int = 0) -> list["asyncio.Task[None]"]:
        """Start the tasks of the guests from number ``first`` on. Each guest has a task that listens and a task that
        plays.
        """
        tasks = []
        for guest in self.guests[first:]:
            listening = asyncio.ensure_future(guest.listen())
            playing = asyncio.ensure_future(self.play(guest))
            playing.add_done_callback(partial(_no_longer, listening))
            tasks += [listening, playing]
        return tasks

    async def refill(self, tables: int) -> list["asyncio.Task[None]"]:
        """Open as many tables as have ended, and return the new tasks."""
        live = {guest.code for guest in self.guests if guest.ear.view is None or guest.ear.view["stage"] != "over"}
        return await self.begin(max(0, tables - len(live)))

    def complain(self, tasks: Sequence["asyncio.Task[None]"]) -> None:
        """Raise the first error that any of these tasks has met so far."""
        for task in tasks:
            if task.done() and not task.cancelled() and (error := task.exception()) is not None:
                raise error

    async def wait_for_the_late(self, tasks: Sequence["asyncio.Task[None]"], late_s: float) -> None:
        """Wait for the answers of all guests who have already waited longer than ``late_s``. Raises errors of the
        tasks.
        """
        by = asyncio.get_running_loop().time() - late_s
        asked = {guest.roamer: guest.roamer.asks_since for guest in self.guests}
        late = [(roamer, since) for roamer, since in asked.items() if since is not None and since < by]
        while any(roamer.asks_since == since for roamer, since in late):
            self.complain(tasks)
            await asyncio.sleep(0.05)

    async def pause(self, tasks: Sequence["asyncio.Task[None]"]) -> None:
        """Cancel all tasks, so no guest listens or asks. Raises errors of the tasks."""
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.complain(tasks)

    async def end(self, tasks: Sequence["asyncio.Task[None]"]) -> None:
        """Stop all tasks and close all connections. Raises errors of the tasks."""
        await self.pause(tasks)
        for guest in self.guests:
            guest.roamer.hang_up()

    def check(self, address: str) -> int:
        """Check the logs, and return the number of their events. Each answered command must be stored once, each guest
        must have heard the stored lines in order, and every log must replay.
        """
        reader = PostgresReader(address)
        try:
            codes = reader.codes()
            logs = {code: reader.read(codes[code]) for code in self.opened}
            answers: dict[tuple[str, str, str], bytes] = {}
            for told in self.told:
                log, key = logs[told.code], f"{told.phone.person} {told.asked['key']}"
                assert told.seq < len(log), "an acknowledged command is lost"
                assert reader.answer(codes[told.code], key) == told.answer
                assert told.asked["do"] != "pace" or log[told.seq].endswith(f" paced {told.asked['ms']}")
                answers[told.code, told.phone.person, told.asked["key"]] = told.answer
            assert len({(told.code, told.seq) for told in self.told}) == len(answers), "two commands made one event"
            for guest in self.guests:
                assert guest.ear.lines == [public(line) for line in logs[guest.code][1 : 1 + guest.ear.seq]]
            return sum(verify(log, GAMES) for log in logs.values())
        finally:
            reader.close()

    async def ask_again(self, most: int) -> None:
        """Send some answered commands again to every house. Assert that each answer has the same bytes as before."""
        for told in self.source.sample(self.told, min(most, len(self.told))):
            for house in self.houses:
                phone = Phone(house.port, told.phone.name, house.host)
                answer = await phone.ask("POST", f"/t/{told.code}", told.asked)
                phone.hang_up()
                assert (answer.status, answer.body) == (200, told.answer)
