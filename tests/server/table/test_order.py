"""One order for all: whatever people, phones, networks and the house itself do, every page reads one and the same log.

Hypothesis makes up evenings. After every step each page, by what its streams brought it, knows the beginning of the
stored log, each line once; and each page that is connected shows what a fresh one would.
"""

import asyncio
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import rule

from pubdice.room.log_lines import MOST_MARKS
from server.table.watched_table import PEOPLE, WatchedTable
from support.house import HOUR, MINUTE, MONTH, play_turn
from support.http_wire import Answer
from support.profiles import NIGHTLY

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
        """What was answered is asked again."""
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
        """A page connects, from where it was or from before that."""
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

    # what happens to the house

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
