"""Tests of phones that are killed at any moment of a match. No acknowledged move is lost, and no log changes its
earlier lines.

The engines run without a browser. After a kill, the files of the host's folder are as they were at that moment.
"""

import asyncio
import json
import random
import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from pocket.pockets import pocket
from pocket.test_going_on import ANN, BOB, CID, Guest, a_while, seated, turn
from pubdice.server.web.limits import Limits, Rate
from pubdice_pocket.browser import engine, going_on
from pubdice_pocket.browser.going_on import digest_of_line
from pubdice_pocket.browser.pocket import Pocket
from support.profiles import NIGHTLY

KILLS = 200 if NIGHTLY else 12
FAST = Rate(10_000, 10_000)
MOST_TURNS = 120  # the most turns of the event loop until a kill; a move takes about 60


class Answers(list[str]):
    """A list that notes what the log has stored each time a move is answered."""

    def __init__(self, match: "Match") -> None:
        super().__init__()
        self.match = match

    def append(self, said: str) -> None:
        if said.endswith(" answered"):
            self.match.acknowledged = self.match.log


@dataclass
class Match:
    """A match of three phones, one of which is the house, with the log up to the last acknowledged move."""

    folder: Path
    chance: random.Random
    names: tuple[str, ...] = (ANN, BOB, CID)
    house: Pocket = field(init=False)
    host: str = ANN
    path: str = ""
    phones: dict[str, Guest] = field(default_factory=dict)
    feeds: dict[str, "asyncio.Task[None]"] = field(default_factory=dict)
    acknowledged: list[str] = field(default_factory=list)
    houses: int = 0
    opened: list[Pocket] = field(default_factory=list)

    async def begin(self) -> None:
        """Open a new table, with Ann's phone as the house."""
        self.feeds.clear()
        self.host, self.house = ANN, await self.on(self.next_folder())
        self.path, *phones = await seated(self.house)
        self.phones = dict(zip(self.names, phones, strict=True))
        await self.follow()
        self.acknowledged = self.log

    def next_folder(self) -> Path:
        self.houses += 1
        folder = self.folder / str(self.houses)
        folder.mkdir()
        return folder

    async def on(self, folder: Path) -> Pocket:
        found = pocket(folder)
        await found.begin()
        self.opened.append(found)
        return found

    @property
    def log(self) -> list[str]:
        store = self.house.engine.store
        return store.read(store.tables()[-1])

    async def follow(self) -> None:
        """Let each guest keep the log, and ask for the lines that it lacks."""
        for name, phone in self.phones.items():
            if name != self.host and (name not in self.feeds or self.feeds[name].done()):
                query = f"?from={len(phone.kept)}&last={digest_of_line(phone.kept[-1])}" if phone.kept else ""
                self.feeds[name] = phone.keep(self.path, query)
            phone.order = Answers(self)
        await a_while()

    async def in_the_middle(self) -> None:
        """Begin a move, and stop waiting for it at a random moment."""
        move = asyncio.ensure_future(turn(self.path, *self.phones.values()))
        for _ in range(self.chance.randrange(MOST_TURNS)):
            await asyncio.sleep(0)
        self.cut_off = move

    async def killed(self) -> Path:
        """Kill the host's phone. Return a folder with what its disk has. Its guests hear no more."""
        await self.in_the_middle()
        folder = self.next_folder()
        shutil.copytree(self.house.engine.file.parent, folder, dirs_exist_ok=True)
        for phone in self.phones.values():
            phone.hear = lambda message: None  # type: ignore[method-assign]
            phone.order = []
        for task in (*self.feeds.values(), self.cut_off):
            task.cancel()
        self.feeds.clear()
        with suppress(asyncio.CancelledError, Exception):
            await self.cut_off
        return folder

    def as_before(self, of: Pocket, name: str) -> Guest:
        """Return a phone of the match with its cookies and its disk, at the restarted house."""
        was = self.phones[name]
        phone = "" if name == self.host else name
        return Guest(of, phone, was.cookies, was.kept, was.people, was.you, asked=was.asked + 1000)

    async def host_comes_back(self) -> None:
        """Kill the host's phone, and open it again. Assert that it has all acknowledged moves, which then reach its
        guests.
        """
        folder = await self.killed()
        acknowledged = self.acknowledged
        await self.house.end()
        self.house = await self.on(folder)
        self.phones = {name: self.as_before(self.house, name) for name in self.names}
        assert self.log[: len(acknowledged)] == acknowledged
        seen = {name: list(phone.kept) for name, phone in self.phones.items()}
        await self.follow()
        for name, kept in seen.items():
            assert self.log[: len(kept)] == kept, f"{name} has seen nothing that the house has not"
            assert name == self.host or self.phones[name].kept == self.log

    async def guest_is_killed(self) -> None:
        """Kill a guest's phone before all lines reach its disk, and bring it back to its seat."""
        name = self.chance.choice([name for name in self.names if name != self.host])
        await self.in_the_middle()
        self.feeds.pop(name).cancel()
        await self.cut_off
        again = self.as_before(self.house, name)
        again.kept = again.kept[: max(1, len(again.kept) - self.chance.randrange(3))]
        self.phones[name] = again
        await self.follow()
        assert again.kept == self.log

    async def host_dies(self) -> None:
        """Kill the host's phone. One or two guests go on, each as host of its own copy. The test plays on at the first
        guest's house.
        """
        before = await self.on(await self.killed())
        acknowledged = self.acknowledged
        was = before.engine.store.read(before.engine.store.tables()[-1])
        is_over = (await Guest(before, "").ask("GET", f"{self.path}/state")).data["view"]["stage"] == "over"
        guests = [name for name in self.names if name != self.host]
        self.chance.shuffle(guests)
        found = []
        for name in guests[: self.chance.choice((1, 2))]:
            phone = self.phones[name]
            assert phone.kept[: len(acknowledged)] == acknowledged, "all that was acknowledged"
            people = {person: of or self.host for person, of in phone.people.items()}
            house = await self.on(self.next_folder())
            table = json.dumps([{"lines": phone.kept, "you": phone.you, "people": people}])
            found.append((name, house, await house.go_on(table), phone.kept))
        if is_over and not all(paths for _, _, paths, _ in found):
            await self.begin()  # the move that was cut off was the last one, so begin a new match
            return
        logs = []
        for _, house, paths, kept in found:
            assert len(paths) == 1
            log = house.engine.store.read(house.engine.store.tables()[-1])
            assert log[:-1] == kept
            assert log[-1].split()[1] == "wenton"
            logs.append(log)
        assert len({log[-1].split()[2] for log in logs}) == len(logs), "each story has a name of its own"
        # the old host's own table has not changed, and does not know that the match went on elsewhere
        assert was[: len(acknowledged)] == acknowledged
        assert was[: len(found[0][3])] == found[0][3]
        assert [line for line in was[len(found[0][3]) :] if " wenton " in line] == []
        self.host, self.house, (self.path,), _ = found[0]
        self.phones = {name: Guest(self.house, "" if name == self.host else name) for name in self.names}
        for phone in self.phones.values():
            await phone.ask("GET", self.path)
        seats = [(await phone.ask("GET", f"{self.path}/state")).data["seats"] for phone in self.phones.values()]
        assert seats == [[0], [1], [2]], "each phone has its seat"
        await self.follow()


def test_a_phone_is_killed_and_no_acknowledged_move_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = partial(Limits, requests=FAST, commands=FAST, records=FAST, openings=FAST)
    monkeypatch.setattr(engine, "Limits", limits)
    monkeypatch.setattr(going_on, "Limits", limits)

    async def whole() -> dict[str, int]:
        match, done = Match(tmp_path, random.Random(420)), dict[str, int]()
        await match.begin()
        while sum(done.values()) < KILLS:
            for _ in range(match.chance.randrange(3)):
                await turn(match.path, *match.phones.values())
            if (await match.phones[match.host].ask("GET", f"{match.path}/state")).data["view"]["stage"] == "over":
                await match.begin()
            kill = match.chance.choice((match.host_comes_back, match.guest_is_killed, match.host_dies))
            await kill()
            done[kill.__name__] = done.get(kill.__name__, 0) + 1
        for each in match.opened:
            with suppress(Exception):
                await each.end()
        return done

    done = asyncio.run(whole())
    assert len(done) == 3, "of each kind"
