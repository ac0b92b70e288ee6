"""Kills of a real house, under load and again and again on one file: whatever was acknowledged is in its log."""

import asyncio
import json
import random
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pubdice.games import GAMES
from pubdice.room.events import public
from pubdice.server.log_check import verify
from pubdice.store.sqlite.store import SqliteReader
from support.console import pubdice
from support.house_process import Ear, House, Phone, run
from support.http_wire import Answer
from support.profiles import NIGHTLY
from support.table_load import RULES, TABLES, drawn_move

KILLS = 20 if NIGHTLY else 10
"""Of one file. The nightly run kills sixteen files."""


@dataclass(frozen=True, slots=True)
class Told:
    """A command, and what was answered. None if the house died first."""

    code: str
    person: str
    asked: dict[str, Any]
    answer: bytes | None

    @property
    def seq(self) -> int:
        """The events the table had then."""
        assert self.answer is not None
        return int(json.loads(self.answer)["seq"])


@dataclass
class Guest:
    """A guest at a table, on one phone with one stream."""

    phone: Phone
    code: str
    seat: int
    ear: Ear
    kind: int


@dataclass
class Evening:
    """One file, its houses one after the other, and all they ever answered."""

    house: House
    source: random.Random
    told: list[Told] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    guests: list[Guest] = field(default_factory=list)
    streams: list[Ear] = field(default_factory=list)
    unknown: list[Told] = field(default_factory=list)
    most: int = 0
    names: int = 0
    lives: int = 0

    # asking

    async def ask(self, phone: Phone, code: str, asked: dict[str, Any]) -> Answer | None:
        """A command. Its answer is kept, and the last one kills the house at once."""
        try:
            answer = await phone.ask("POST", f"/t/{code}", asked)
        except (OSError, asyncio.IncompleteReadError):
            self.unknown.append(Told(code, phone.person, asked, None))
            return None
        if answer.status == 200:
            self.told.append(Told(code, phone.person, asked, answer.body))
            self.most -= 1
            if self.most == 0:
                self.house.signal(9)
        return answer

    async def lay(self, kind: int) -> None:
        """A table of this kind, and everybody at it."""
        order = TABLES[kind]
        self.names += 1
        phones = [Phone(self.house.port, f"p{self.names}x{seat}") for seat in range(order["people"])]
        code = await phones[0].open_table(**order, rules=RULES[order["game"]])
        self.opened.append(code)
        for seat, phone in enumerate(phones):
            if seat:
                answer = await self.ask(phone, code, {"key": phone.key(), "do": "sit", "name": phone.name})
                if answer is None:
                    return
                assert answer.status == 200, answer.body
            ear = Ear(phone, code)
            self.streams.append(ear)
            self.guests.append(Guest(phone, code, seat, ear, kind))

    # deeds

    async def play(self, guest: Guest) -> None:
        """Move whenever it is one's turn, as fast as the answers come. The host also sets the pace, over and over."""
        seen = -1
        while True:
            view = guest.ear.view
            if guest.ear.seq == seen:
                guest.ear.news.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(guest.ear.news.wait(), 0.05)
            seen = guest.ear.seq
            if view is not None and view["mover"] == guest.seat and view["stage"] == "playing":
                asked = drawn_move(view, self.source)
            elif guest.seat:
                continue
            else:
                asked = {"do": "pace", "ms": self.source.randrange(40)}
            answer = await self.ask(guest.phone, guest.code, {"key": guest.phone.key(), **asked})
            if answer is None or answer.status == 429:
                return
            if answer.status == 200:
                await guest.ear.until(answer.data["seq"])
                seen = -1

    async def come(self) -> None:
        """People who set up tables and go."""
        self.names += 1
        phone = Phone(self.house.port, f"n{self.names}")
        try:
            for _ in range(6):
                code = await phone.open_table(bots=["tip"], pace_ms=10_000)
                self.opened.append(code)
                await asyncio.sleep(self.source.random() / 10)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            phone.hang_up()

    # a life of the house

    async def live(self, bots_too: bool) -> None:
        """From an open house to a dead one."""
        self.lives += 1
        self.most = self.source.randint(1, 60)
        deadline = asyncio.get_running_loop().call_later(3.0, lambda: self.house.signal(9))
        if bots_too:  # they need a moment to come in
            self.most = 10_000
            asyncio.get_running_loop().call_later(self.source.uniform(0.9, 1.3), lambda: self.house.signal(9))
        ears = [asyncio.ensure_future(guest.ear.listen()) for guest in self.guests]
        await self.again()
        with suppress(OSError, asyncio.IncompleteReadError):
            for kind in set(range(len(TABLES))) - {guest.kind for guest in self.guests}:
                before = len(self.guests)
                await self.lay(kind)
                ears += [asyncio.ensure_future(guest.ear.listen()) for guest in self.guests[before:]]
        playing = [asyncio.ensure_future(self.play(guest)) for guest in self.guests]
        coming = asyncio.ensure_future(self.come())
        await asyncio.gather(*ears)  # to the last byte that the house had sent
        deadline.cancel()
        for task in (*playing, coming):
            task.cancel()
        for outcome in await asyncio.gather(*playing, coming, return_exceptions=True):
            assert outcome is None or isinstance(outcome, asyncio.CancelledError | TimeoutError), outcome
        for guest in self.guests:
            guest.phone.hang_up()

    async def again(self) -> None:
        """Commands of unknown outcome are asked again, with the same key."""
        waiting, self.unknown = self.unknown, []
        phones = {guest.phone.person: guest.phone for guest in self.guests}
        for told in waiting:
            if told.person in phones:
                await self.ask(phones[told.person], told.code, told.asked)

    def leave(self) -> None:
        """Go from tables that are over, and from one that is not."""
        codes = {guest.code for guest in self.guests if (guest.ear.view or {}).get("stage") == "over"}
        if self.guests and self.source.random() < 0.3:
            codes.add(self.guests[0].code)
        self.guests = [guest for guest in self.guests if guest.code not in codes]

    # laws

    def check(self) -> None:
        """Everything answered is stored, once. Everything heard is stored, in order. Every log replays."""
        reader = SqliteReader(self.house.file)
        try:
            codes = reader.codes()
            logs = {code: reader.read(number) for code, number in codes.items()}
            assert set(self.opened) <= set(codes), "a table that was answered is lost"
            for code in self.opened:
                assert " sat 0 " in logs[code][1]
            for told in self.told:
                log = logs[told.code]
                assert told.seq < len(log), "an acknowledged command is lost"
                assert reader.answer(codes[told.code], f"{told.person} {told.asked['key']}") == told.answer
                assert told.asked["do"] != "pace" or log[told.seq].endswith(f" paced {told.asked['ms']}")
                assert told.asked["do"] != "sit" or told.person in " ".join(log[: told.seq + 1])
            for told in self.unknown:
                answer = reader.answer(codes[told.code], f"{told.person} {told.asked['key']}")
                assert answer is None or json.loads(answer)["seq"] < len(logs[told.code])
            for ear in self.streams:
                assert ear.lines == [public(line) for line in logs[ear.code][1 : 1 + ear.seq]]
            assert sum(verify(log, GAMES) for log in logs.values()) == sum(len(log) - 1 for log in logs.values())
            assert len({(told.code, told.seq) for told in self.told}) == len({_once(told) for told in self.told})
        finally:
            reader.close()


def _once(told: Told) -> tuple[str, str, str]:
    return told.code, told.person, told.asked["key"]


async def evening(folder: Path, seed: str) -> Evening:
    """So many kills of one file."""
    source = random.Random(seed)
    found = Evening(House(folder), source)
    try:
        for life in range(KILLS):
            if life % 10 == 5:  # killed before it is open
                found.house.begin()
                await asyncio.sleep(source.uniform(0.05, 0.4))
                found.house.kill()
            found.house.open()
            await found.live(bots_too=life % 7 == 3)
            assert found.house.end() == -9
            found.check()
            found.leave()
    finally:
        found.house.clear()
    assert "Traceback" not in found.house.errors()
    return found


def test_no_acknowledged_move_is_lost_in_ten_kills(tmp_path: Path) -> None:
    found = run(evening(tmp_path, "an evening"))
    assert len(found.told) > 20 * KILLS
    assert sum(len(ear.lines) for ear in found.streams) > 20 * KILLS
    checked = pubdice("check", data=tmp_path)
    assert checked.status == 0, checked.out


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return [child for each in map(int, found) for child in (each, *children(each))]


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
@pytest.mark.parametrize("number", [pytest.param(signal.SIGKILL, marks=pytest.mark.nightly), signal.SIGTERM])
def test_the_bots_do_not_outlive_the_house(tmp_path: Path, number: int) -> None:
    with House(tmp_path) as house:
        run(_bots_come(house))
        here = children(house.pid)
        assert here
        house.signal(number)
        house.end()
        deadline = time.monotonic() + 60
        while any(Path(f"/proc/{pid}").exists() for pid in here):
            assert time.monotonic() < deadline, "somebody is still there"
            time.sleep(0.05)


async def _bots_come(house: House) -> None:
    """Until a bot has chosen something."""
    phone = Phone(house.port, "Bob")
    code = await phone.open_table(bots=["lucky"], people=1)
    await phone.do(code, do="give")
    async with asyncio.timeout(60):
        while not children(house.pid):
            await asyncio.sleep(0.05)


@pytest.mark.nightly
@pytest.mark.parametrize("night", range(16))
def test_no_acknowledged_move_is_lost_in_three_hundred_kills(night: int, tmp_path: Path) -> None:
    found = run(evening(tmp_path, f"night {night}"))
    assert len(found.told) > 20 * KILLS
    assert pubdice("check", data=tmp_path).status == 0
