"""One order for all: whatever people, phones, networks and the house itself do, every page reads one and the same log.

Hypothesis makes up evenings. After every step each page, by what its streams brought it, knows the beginning of the
stored log, each line once. Each page that is connected shows what a fresh one would.
"""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pubdice.room import Room
from pubdice.room.log_lines import MOST_MARKS
from support.asgi_client import Client, Stream
from support.house import HOUR, MINUTE, MONTH, Pub, play_turn, without_time
from support.http_wire import Answer, Message
from support.profiles import NIGHTLY

QUICK = "/dev/shm" if Path("/dev/shm").is_dir() else None
PEOPLE = ("Ann", "Bob", "Cid", "Dan")
FEW = 100
"""A page that has missed so few lines is sent them. One that has missed more than 500 must load again."""


class Page:
    """A page of the table on a player's phone. It knows only the news of its streams."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.lines: list[str] = []
        self.at = 0
        self.view: dict[str, Any] = {}
        self.stream: Stream | None = None
        self.slow = False
        self.to_reload = False

    @property
    def is_live(self) -> bool:
        return self.stream is not None and not self.stream.ended and not self.slow and not self.to_reload

    async def connect(self, pub: Pub, code: str, since: int) -> None:
        await self.drop()
        self.at, self.slow, self.to_reload = since, False, False
        self.stream = Stream(self.client, code, since)
        self.stream.hear = self.hear
        await pub.settle()

    async def drop(self) -> None:
        if self.stream is not None:
            await self.stream.drop()
        self.stream = None

    def hear(self, message: Message) -> None:
        """Take a stream's message: the next lines, or a view of the same moment."""
        if message.event == "reload":
            self.to_reload = True
        if self.to_reload or message.event == "closing":
            return
        seq, log = message.data["seq"], message.data["log"]
        assert seq == message.data["view"]["seq"]
        if message.event == "view":
            assert (message.seq, log) == (None, [])
            assert seq == self.at, "a view of what was told"
        else:
            assert message.seq == seq
            assert log, "every message is a commit"
            assert seq - len(log) == self.at, "no line is left out, none comes twice"
            known = self.lines[self.at : seq]
            assert known == log[: len(known)], "what was said stays said"
            self.lines[self.at : seq] = log
        self.at, self.view = seq, message.data["view"]


class WatchedTable(RuleBasedStateMachine):
    """A table and its people, and what holds after every step."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = tempfile.TemporaryDirectory(prefix="pubdice-", dir=QUICK)
        self.pub = Pub(Path(self.folder.name) / "house.db")
        self.code = ""
        self.pages: list[Page] = []
        self.answered: list[tuple[Client, dict[str, Any], bytes]] = []
        self.delayed: list[tuple[Client, dict[str, Any]]] = []
        self.number = 0

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    @initialize(
        game=st.sampled_from(["midnight", "420"]),
        people=st.integers(2, 3),
        bots=st.integers(0, 2),
        pace_ms=st.sampled_from([0, 400, 1200]),
        grace_s=st.sampled_from([0, 30]),
        clock_s=st.sampled_from([0, 30]),
        full=st.sampled_from([True, True, True, False]),
    )
    def open(self, game: str, people: int, bots: int, full: bool, **order: int) -> None:
        """Ann sets up a table, and everybody watches."""

        async def opening() -> None:
            await self.pub.open()
            clients = [self.pub.client(name) for name in PEOPLE]
            rules = {"format": "rounds 3"} if game == "midnight" else {}
            tips = ["tip", "lucky"][:bots]
            code = await clients[0].order(game, people=people, bots=tips, rules=rules, **order)
            self.code = self.pub.house.link(code).removeprefix("/t/")
            self.pages = [Page(client) for client in clients * 2]
            for page in self.pages[: len(PEOPLE)]:
                await page.connect(self.pub, self.code, 0)
            for client in clients[1:people] if full else []:
                await client.done(self.code, "sit", name=client.name)

        self.run(opening())

    # asking

    def request(self, who: int, do: str, **fields: Any) -> tuple[Client, dict[str, Any]]:
        self.number += 1
        return self.pages[who].client, {"key": f"key-{self.number:06}", "do": do, **fields}

    async def send(self, client: Client, body: dict[str, Any]) -> Answer:
        failing = self.pub.disk.failing
        answer = await client.post(f"/t/{self.code}", body)
        assert answer.status < 500 or (answer.status == 503 and failing), answer.body
        if answer.status == 200:
            self.answered.append((client, body, answer.body))
        return answer

    def ask(self, who: int, do: str, **fields: Any) -> None:
        """Every other time it is asked twice at once, as phones do when no answer comes."""
        client, body = self.request(who, do, **fields)

        async def asking() -> list[Answer]:
            return list(await asyncio.gather(*[self.send(client, body) for _ in range(1 + self.number % 2)]))

        failing = self.pub.disk.failing
        answers = self.run(asking())
        assert failing or len({(answer.status, answer.body) for answer in answers}) == 1

    def mover(self, otherwise: int = 0) -> int:
        """The mover's page; ``otherwise`` where the mover is no person."""
        state = self.pub.actor(self.code).state
        people = () if state.mover is None else state.chairs[state.mover].people
        found = [at for at in range(len(PEOPLE)) if self.pages[at].client.person in people]
        return found[0] if found else otherwise

    # laws

    @invariant()
    def every_page_reads_the_log(self) -> None:
        if self.code:
            self.run(self.check())

    async def check(self) -> None:
        await self.pub.settle()
        assert not self.pub.event_log.errors, self.pub.event_log.errors
        assert not self.pub.faults, self.pub.faults
        stored = self.pub.stored(self.code)
        for page in self.pages:
            assert page.lines == stored[: len(page.lines)]
            if page.is_live:
                assert page.at == len(page.lines) == len(stored)
        if not await self.all_show_what_is():
            await self.pub.advance(3)  # the moment a player is away, and the moment the house notices
            assert await self.all_show_what_is()

    async def all_show_what_is(self) -> bool:
        view = without_time(await self.pub.view(self.code))
        return all(without_time(page.view) == view for page in self.pages if page.is_live)

    def teardown(self) -> None:
        try:
            if self.code:
                self.run(self.last_round())
        finally:
            self.run(self.pub.close())
            self.loop.close()
            self.folder.cleanup()

    async def last_round(self) -> None:
        """In the end all have it all, and the log tells the table as it stands."""
        self.pub.disk.failing = 0
        for page in self.pages:
            if page.stream is not None:
                page.stream.read_on()
            missed = len(self.pub.stored(self.code)) - len(page.lines)
            await page.connect(self.pub, self.code, len(page.lines))
            if page.to_reload:  # it missed too much, and is loaded again
                assert missed > FEW
                page.lines = self.pub.stored(self.code)
                await page.connect(self.pub, self.code, len(page.lines))
        await self.check()
        stored = self.pub.stored(self.code)
        assert all(page.lines == stored for page in self.pages)
        actor = self.pub.actor(self.code)
        room = Room(actor.room.kit, actor.room.setup)
        *_, last = room.replay(room.start(), self.pub.store.read(actor.number)[1:])
        assert last.after == actor.state
        for client, body, first in self.answered[-5:]:
            assert (await client.post(f"/t/{self.code}", body)).body == first
        self.pub.sound()


ANYBODY = st.integers(0, len(PEOPLE) - 1)
ANY_PAGE = st.integers(0, 2 * len(PEOPLE) - 1)
ANY_SEAT = st.integers(0, 3)


class Evening(WatchedTable):
    """All that people do at a table, and all that can go wrong."""

    @rule(who=ANYBODY, seat=ANY_SEAT)
    def sit(self, who: int, seat: int) -> None:
        self.ask(who, "sit", seat=seat, name=PEOPLE[who])

    @rule(data=st.data(), who=ANYBODY)
    def join(self, data: st.DataObject, who: int) -> None:
        """Take a seat on another phone."""
        actor = self.pub.actor(self.code)
        seats = [seat for seat, chair in enumerate(actor.state.chairs) if chair.people]
        if seats:
            self.ask(who, "join", words=self.pub.house.words(actor, data.draw(st.sampled_from(seats))))

    @rule(who=ANYBODY, do=st.sampled_from(["leave", "give", "resume", "resume", "nudge", "rematch", "back", "start"]))
    def plainly(self, who: int, do: str) -> None:
        self.ask(who, do)

    @rule(who=ANYBODY, seat=ANY_SEAT, do=st.sampled_from(["vote", "vote", "remove", "close"]))
    def about(self, who: int, seat: int, do: str) -> None:
        self.ask(who, do, seat=seat)

    @rule(who=ANYBODY, ms=st.sampled_from([0, 400, 3000]))
    def pace(self, who: int, ms: int) -> None:
        self.ask(who, "pace", ms=ms)

    @rule(who=ANYBODY, do=st.sampled_from(["mark", "roll", "bank"]), marks=st.lists(st.integers(0, 5), max_size=3))
    def play(self, who: int, do: str, marks: list[int]) -> None:
        self.ask(who, do, marks=marks)

    @rule(do=st.sampled_from(["mark", "mark", "roll", "bank", "give"]), places=st.sets(st.integers(0, 5), min_size=1))
    def decide(self, do: str, places: set[int]) -> None:
        """The mover does something, perhaps in vain."""
        self.ask(self.mover(), do, marks=sorted(places))

    @rule(turns=st.integers(1, 8))
    def play_on(self, turns: int) -> None:
        """The players play some turns."""

        async def playing() -> None:
            for _ in range(turns):
                if self.pub.disk.failing or not await play_turn(self.pub, self.code, [p.client for p in self.pages]):
                    return

        self.run(playing())

    @rule(data=st.data(), times=st.integers(1, 3))
    def repeat(self, data: st.DataObject, times: int) -> None:
        """An answered command is asked again."""
        if not self.answered or self.pub.disk.failing:
            return
        client, body, first = data.draw(st.sampled_from(self.answered))
        before = self.pub.stored(self.code)

        async def again() -> list[Answer]:
            return list(await asyncio.gather(*[client.post(f"/t/{self.code}", body) for _ in range(times)]))

        assert {(answer.status, answer.body) for answer in self.run(again())} == {(200, first)}
        assert self.pub.stored(self.code)[: len(before)] == before

    @rule(who=ANYBODY, do=st.sampled_from(["roll", "roll", "roll", "bank", "give", "resume", "sit"]))
    def delay(self, who: int, do: str) -> None:
        """A request is on its way for long, and sent again as it was not answered."""
        fields: dict[str, Any] = {"marks": [0]} if do == "roll" else {"name": PEOPLE[who]} if do == "sit" else {}
        self.delayed += [self.request(self.mover(who) if do in ("roll", "bank") else who, do, **fields)] * 2

    @rule()
    def deliver(self) -> None:
        """All that was on its way comes in at once."""

        async def coming() -> None:
            await asyncio.gather(*[self.send(*request) for request in self.delayed])

        self.run(coming())
        self.delayed.clear()

    @rule()
    def cut_off(self) -> None:
        """A request is cut off while it is being stored."""
        who = self.mover()

        async def cutting() -> None:
            self.pub.disk.open.clear()
            task = asyncio.ensure_future(self.send(*self.request(who, "roll", marks=[0])))
            await self.pub.settle()
            task.cancel()
            await self.pub.settle()
            self.pub.disk.open.set()
            await asyncio.wait([task])

        self.run(cutting())

    # watching

    @rule(which=ANY_PAGE, back=st.sampled_from([0, 0, 0, 1, 2, 5, 10_000]))
    def connect(self, which: int, back: int) -> None:
        """A page connects, from its last event or an earlier one."""
        page = self.pages[which]
        self.run(page.connect(self.pub, self.code, max(0, len(page.lines) - back)))

    @rule(which=ANY_PAGE, ahead=st.integers(1, 50))
    def connect_from_the_future(self, which: int, ahead: int) -> None:
        """A page has seen what never happened here, so it must load again."""
        page = self.pages[which]
        self.run(page.connect(self.pub, self.code, len(self.pub.stored(self.code)) + ahead))
        assert page.to_reload
        page.lines = []

    @rule(which=ANY_PAGE)
    def drop(self, which: int) -> None:
        self.run(self.pages[which].drop())

    @rule(seat=ANY_SEAT, voters=st.integers(0, 3))
    def vote_away(self, seat: int, voters: int) -> None:
        """The people at a seat lose every connection, and some of the others vote."""

        async def voting() -> None:
            chairs = self.pub.actor(self.code).state.chairs
            absent = chairs[seat].people if seat < len(chairs) else ()
            for page in self.pages:
                if page.client.person in absent:
                    await page.drop()
            await self.pub.advance(36_000)
            for at in range(voters):
                await self.send(*self.request(at, "vote", seat=seat))

        self.run(voting())

    @rule(which=ANY_PAGE)
    def read_slowly(self, which: int) -> None:
        page = self.pages[which]
        if page.is_live and page.stream is not None:
            page.slow = True
            page.stream.pause()

    @rule(which=ANY_PAGE)
    def read_on(self, which: int) -> None:
        page = self.pages[which]
        if page.stream is not None:
            page.slow = False
            page.stream.read_on()
            self.run(self.pub.settle())

    @rule(which=ANY_PAGE)
    def flood(self, which: int) -> None:
        """The mover cannot decide, until a slow reader is left behind."""
        self.read_slowly(which)

        async def flooding() -> None:
            if not self.pub.disk.failing and (await self.pub.view(self.code))["ask"] == "roll":
                await play_turn(self.pub, self.code, [page.client for page in self.pages])
            view, state = await self.pub.view(self.code), self.pub.actor(self.code).state
            if view["ask"] != "keep" or state.plays(view["mover"]) or self.pub.disk.failing:
                return
            chair = state.chairs[view["mover"]]
            mover = next(page.client for page in self.pages if page.client.person in chair.people)
            place = next(die["place"] for die in view["dice"] if die["marks"] is not None)
            for number in range(70):
                answer = await mover.ask(self.code, "mark", marks=[place] * (number % 2))
                if answer.status != 200:
                    assert answer.data["code"] == "marks-enough", answer.body
                    assert sum(line.split()[1] == "mark" for line in self.pub.stored(self.code)) >= MOST_MARKS
                    break
            await self.pub.settle()

        self.run(flooding())
        self.read_on(which)

    # the house

    @rule(ms=st.sampled_from([100, 1000, 5000, 31_000, 10 * MINUTE]))
    def advance(self, ms: int) -> None:
        self.run(self.pub.advance(ms))

    @rule(ms=st.sampled_from([MINUTE, HOUR, MONTH]))
    def sleep(self, ms: int) -> None:
        self.run(self.pub.sleep(ms))

    @rule(kill=st.booleans(), away_ms=st.sampled_from([0, 5000, HOUR, MONTH]))
    def restart(self, kill: bool, away_ms: int) -> None:
        self.pub.disk.failing = 0
        self.run(self.pub.restart(away_ms, kill=kill))

    @rule()
    def forget(self) -> None:
        self.pub.forget()

    @rule(times=st.integers(1, 3))
    def fail(self, times: int) -> None:
        """The disk will not write."""
        self.pub.disk.failing = times


TestOneOrderForAll = Evening.TestCase
TestOneOrderForAll.settings = settings(
    max_examples=600 if NIGHTLY else 16,
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
