"""A whole house in one process: the real app over a real file, with a clock, a cup and a network that are the test's.

Time stands still unless it is moved, and everything that is under way is done before it moves again. Nothing here waits
for the machine's clock.
"""

import asyncio
import gc
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from starlette.types import Message

from pubdice.core.cup import Cup, SeededCup
from pubdice.core.seal import KeyedSeals, Seals
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.match.header import RawHeader
from pubdice.match.match import MatchState
from pubdice.room.events import public
from pubdice.server.answers import Answers
from pubdice.server.app import HttpConfig, create_app
from pubdice.server.observe import EventLog
from pubdice.server.processes import ThreadWorker, Worker
from pubdice.server.table.actor import TableActor
from pubdice.server.table.codes import read_code
from pubdice.server.table.house import House
from pubdice.server.table.house_config import HouseConfig
from pubdice.server.web.limits import Limits, Rate
from pubdice.store.sqlite.book_file import book_path
from pubdice.store.sqlite.players import PlayersFile
from pubdice.text.catalogues import language
from support.asgi_client import Client, Stream
from support.clock import Lifetime
from support.disk import Disk, Store

START_MS = 1_763_640_000_000
SECOND, MINUTE, HOUR = 1000, 60_000, 3_600_000
MONTH = 31 * 24 * HOUR
ANY = Rate(1e6, 10**6)
UNLIMITED = Limits(ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, streams=10**6, work=ANY)
T = TypeVar("T")


class Kept(EventLog):
    """An event log that can be asked what went wrong."""

    def __init__(self) -> None:
        super().__init__(b"salt")
        self.errors: list[BaseException] = []

    def failed(self, error: BaseException, **facts: object) -> None:
        self.errors.append(error)


def chooser(games: Mapping[str, Kit]) -> Any:
    """Bots that choose at once, in this process."""

    async def choose(rules: Mapping[str, str], bot: str, match: MatchState[Any]) -> Sequence[tuple[Any, int]]:
        kit = games[rules["game"]]
        return kit.policies[bot](kit.match(kit.normalize(RawHeader(dict(rules)))).game, match.round)

    return choose


def now(asked: Coroutine[Any, Any, T]) -> T:
    """What comes of something that need not wait."""
    try:
        asked.send(None)
    except StopIteration as done:
        found: T = done.value
        return found
    raise AssertionError("it waits")


class Pub:
    """A house that can be stopped, killed and opened again over the same file."""

    def __init__(self, path: Path, games: Mapping[str, Kit] = GAMES, *, limits: Limits = UNLIMITED) -> None:
        self.path, self.games, self.limits = path, games, limits
        self.disk, self.event_log = Disk(), Kept()
        self.cup: Cup = SeededCup("the cup")
        self.key = b"the key of the seals"
        self.seals: Seals | None = None
        self.pocket = False
        self.choose = chooser(games)
        self.worker: Worker = ThreadWorker()
        self.solutions: Path | None = None
        self.source = Random(7).randbytes
        self.clock = Lifetime(START_MS)
        self.faults: list[dict[str, Any]] = []
        self.streams: set[Stream] = set()
        self.is_open = False

    async def _choose(
        self, rules: Mapping[str, str], bot: str, match: MatchState[Any], *, people: bool = True, asker: str = ""
    ) -> Sequence[tuple[Any, int]]:
        weighted: Sequence[tuple[Any, int]] = await self.choose(rules, bot, match)
        return weighted

    # its life

    async def open(self) -> None:
        """Open the house."""
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: self.faults.append(context))
        self.open_parts()
        config = HouseConfig(
            games=self.games,
            store=self.store,
            clock=self.clock,
            cup=lambda table: self.cup,
            seals=self.seals or KeyedSeals(self.key, self.source),
            bots=SeededCup("the bots", "lots"),
            choose=self._choose,
            language=language,
            source=self.source,
            event_log=self.event_log,
            answers=Answers(self.worker, self.solutions),
            players=self.players,
        )
        self.house = self.made_of(config)
        self.app = create_app(self.house, self.source, HttpConfig(limits=self.limits, pocket=self.pocket))
        self._life: asyncio.Queue[Message] = asyncio.Queue()
        self._said: asyncio.Queue[Message] = asyncio.Queue()
        life = self.app({"type": "lifespan", "asgi": {"version": "3.0"}}, self._life.get, self._said.put)
        self._living = asyncio.ensure_future(life)
        self._life.put_nowait({"type": "lifespan.startup"})
        assert (await self._said.get())["type"] == "lifespan.startup.complete"
        self.is_open = True
        await self.settle()

    def open_parts(self) -> None:
        """Open what the house is made of."""
        self.clock = Lifetime(self.clock.ms)
        self.store = Store(self.path, self.disk.connect)
        self.players = PlayersFile(book_path(self.path))

    def made_of(self, config: HouseConfig) -> House:
        """The house of these parts."""
        return House(config)

    async def close(self) -> None:
        """Close the house as a signal does."""
        await self.settle()
        self.house.closing()
        await self.settle()
        self._life.put_nowait({"type": "lifespan.shutdown"})
        assert (await self._said.get())["type"] == "lifespan.shutdown.complete"
        await self._living
        await self._end()

    async def kill(self) -> None:
        """End the house without a word: whatever was not written is lost."""
        self._living.cancel()
        with suppress(asyncio.CancelledError):
            await self._living
        await self._end()

    async def _end(self) -> None:
        self.clock.over = self.is_open = True
        for stream in list(self.streams):
            await stream.drop()
        self.close_parts()
        await self.settle()
        self.is_open = False

    def close_parts(self) -> None:
        """Close what the house is made of."""
        self.store.close()
        self.players.close()

    async def restart(self, away_ms: int = 0, *, kill: bool = False) -> None:
        """Close the house, or kill it, and open it again after a while."""
        await (self.kill() if kill else self.close())
        self.clock.ms += away_ms
        await self.open()

    def forget(self) -> None:
        """Forget every table that nobody watches, as the house does after a while."""
        for code in [code for code, actor in self.house.actors.items() if actor.idle(self.clock.ms, -1)]:
            self.house.actors.pop(code).close()

    # time

    async def settle(self) -> None:
        """Until nothing more happens unless time goes on."""
        while True:
            await asyncio.sleep(0)
            if self._is_ready():
                continue
            if self._is_storing():
                self.store.told.clear()
                await self.store.told.wait()
            else:
                await asyncio.sleep(0)
                if not self._is_ready() and not self._is_storing():
                    return

    async def advance(self, ms: int) -> None:
        """Let time go on, and do what becomes due in its order."""
        until = self.clock.ms + ms
        await self.settle()
        while (timer := self.clock.next(until)) is not None:
            try:
                timer.do()
            except Exception as error:  # noqa: BLE001 - the loop's handler is told of any
                asyncio.get_running_loop().call_exception_handler({"message": "a timer failed", "exception": error})
            if self._is_ready() or self._is_storing():  # after most heartbeats neither is: an hour has 38,400
                await self.settle()
        self.clock.ms = until

    def _is_ready(self) -> bool:
        """Whether the loop has anything to do."""
        return bool(getattr(asyncio.get_running_loop(), "_ready"))  # noqa: B009 - the loop tells nobody

    def _is_storing(self) -> bool:
        """Whether the store is at work, on a disk that lets it."""
        return bool(self.store.under_way and self.disk.open.is_set())

    async def sleep(self, ms: int) -> None:
        """The machine sleeps: when it wakes, all that became due is due at once."""
        self.clock.ms += ms
        await self.advance(0)

    # what it holds

    def client(self, name: str = "", speaks: str = "en") -> Client:
        """A browser; without a name one that was never here."""
        return Client(self, name, speaks)

    def actor(self, code: str) -> TableActor:
        """A table that is in memory, or whose log is short."""
        actor = now(self.house.find(read_code(code) or code))
        assert actor is not None, "it is there"
        return actor

    async def table(self, code: str) -> TableActor:
        """A table, however long its log."""
        actor = await self.house.find(read_code(code) or code)
        assert actor is not None, "it is there"
        return actor

    def stored(self, code: str) -> list[str]:
        """The lines of a table's log but for the first, as they are stored, as everybody may see them."""
        number = self.store.find(read_code(code) or code)
        assert number is not None, "it is stored"
        return [public(line) for line in self.store.read(number)[1:]]

    async def view(self, code: str, speaks: str = "en") -> dict[str, Any]:
        """The view a stranger is given, by the table's link."""
        link = self.house.link(read_code(code) or code)
        return dict((await self.client(speaks=speaks).get(f"{link}/state")).data["view"])

    def sound(self) -> None:
        """Nothing went wrong that nobody was told of."""
        gc.collect()
        assert not self.event_log.errors, self.event_log.errors
        assert not self.faults, self.faults


def at_the_pub(games: Mapping[str, Kit] = GAMES, limits: Limits = UNLIMITED) -> pytest.MarkDecorator:
    """A test whose house has other games or limits."""
    return pytest.mark.at_the_pub(games=games, limits=limits)


async def table_of(pub: Pub, *names: str, **order: Any) -> tuple[list[Client], str]:
    """People who sit down at a table that the first of them sets up, and its code."""
    people = [pub.client(name) for name in names]
    code = await people[0].order(**order)
    for client in people[1:]:
        await client.done(code, "sit", name=client.name)
    return people, code


async def seated(pub: Pub, **order: Any) -> tuple[Client, Client, str]:
    """Ann and Bob at a table."""
    (ann, bob), code = await table_of(pub, "Ann", "Bob", **{"rules": {"format": "rounds 2"}, **order})
    return ann, bob, code


def without_time(view: Mapping[str, Any]) -> dict[str, Any]:
    """A view but for the time it was made at."""
    return {key: value for key, value in view.items() if key != "now"}


async def play_turn(pub: Pub, code: str, clients: Sequence[Client]) -> bool:
    """The mover's next move, if a person's; whether there was one to make."""
    view = await pub.view(code)
    if view["stage"] != "playing" or view["mover"] is None:
        return False
    state = pub.actor(code).state
    if state.plays(view["mover"]):
        return False
    chair = state.chairs[view["mover"]]
    mover = next(client for client in clients if client.person in chair.people)
    if view["ask"] == "roll":
        await mover.done(code, "roll")
        return True
    if view["moves"]:
        await mover.done(code, "choose", action=view["moves"][-1]["move"])
        return True
    free = [die["place"] for die in view["dice"] if die["status"] == "free"]
    for do, marks in [("bank", free), *[("roll", free[:kept]) for kept in range(1, len(free) + 1)], ("reroll", [])]:
        if (await mover.ask(code, do, marks=marks)).status == 200:
            return True
    raise AssertionError(view)


async def play_out(pub: Pub, code: str, clients: Sequence[Client]) -> dict[str, Any]:
    """Play a match to its end; the last view."""
    for _ in range(5_000):
        if not await play_turn(pub, code, clients):
            if (await pub.view(code))["stage"] == "over":
                return await pub.view(code)
            await pub.advance(1200)
    raise AssertionError("it has no end")


async def three(pub: Pub, **order: Any) -> tuple[list[Client], list[Stream], str]:
    """Ann, Bob and Cid at a table, their streams open; it is Ann's turn."""
    usual = {"people": 3, "rules": {"format": "rounds 9"}}
    people, code = await table_of(pub, "Ann", "Bob", "Cid", **{**usual, **order})
    return people, [await client.look(code) for client in people], code


def kinds(stream: Stream) -> list[str]:
    """What a page shows of the seats."""
    return [seat["kind"] for seat in stream.view["seats"]]


async def agrees(pub: Pub, stream: Stream) -> bool:
    """Whether a page shows what a fresh one would."""
    return without_time(stream.view) == without_time(await pub.view(stream.code))


async def growing(pub: Pub, **order: Any) -> tuple[Client, Client, str]:
    """Ann and Bob at a table that grows."""
    usual = {"people": None, "rules": {"format": "rounds 1"}}
    (ann, bob), code = await table_of(pub, "Ann", "Bob", **{**usual, **order})
    return ann, bob, code


def seat_names(view: dict[str, Any]) -> list[str]:
    """Who sits where, by a view."""
    return [seat["name"] for seat in view["seats"]]
