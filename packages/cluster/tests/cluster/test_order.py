"""One order for all, over two houses: whichever of them a request or a stream goes to, there is one log.

Hypothesis makes up evenings at two real processes over one PostgreSQL database, behind a proxy that draws a house for
each request. After every step each page knows the beginning of the stored log, each line once; both houses show the
same table; and in the end every answer is given again, to the byte.
"""

import asyncio
import os
import signal
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from cluster.houses import houses
from pubdice.games import GAMES
from pubdice.room.events import public
from pubdice.server.log_check import verify
from pubdice_cluster.reader import PostgresReader
from support.house_process import Ear, House, Phone
from support.http_wire import Answer
from support.profiles import NIGHTLY
from support.random_proxy import RandomProxy

PEOPLE = ("Ann", "Bob", "Cid", "Dan")
ANYBODY = st.integers(0, len(PEOPLE) - 1)
ANY_SEAT = st.integers(0, 3)
ANY_HOUSE = st.integers(0, 1)
EVENINGS = count()
SETTLED_WITHIN_S = 20.0
SHOWN = ("seq", "stage", "mover", "ask", "dice", "rolls", "standing", "scores", "counter", "result")
"""What both houses show alike; who is connected they tell each other every 2 s."""


class Evening(RuleBasedStateMachine):
    """A table, its people, and what the network and the processes do to them."""

    def __init__(self, two: Sequence[House], proxy: RandomProxy, address: str) -> None:
        super().__init__()
        self.two, self.address = two, address
        self.loop = asyncio.new_event_loop()
        self.reader = PostgresReader(address)
        evening = next(EVENINGS)
        self.phones = [Phone(proxy.port, f"{name}{evening}") for name in PEOPLE]  # limits count people, too
        self.own = [Phone(house.port, "Eve") for house in two]
        self.ears: dict[int, tuple[Ear, asyncio.Task[None]]] = {}
        self.heard: dict[int, Ear] = {}
        self.answered: list[tuple[int, dict[str, Any], bytes]] = []
        self.code, self.number, self.table = "", 0, 0

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    @initialize(
        game=st.sampled_from(["midnight", "420"]),
        people=st.integers(2, 3),
        bots=st.integers(0, 2),
        grace_s=st.sampled_from([0, 30]),
        clock_s=st.sampled_from([0, 30]),
        full=st.sampled_from([True, True, True, False]),
    )
    def open(self, game: str, people: int, bots: int, full: bool, **order: int) -> None:
        """Ann sets up a table, and everybody watches."""

        async def opening() -> None:
            rules = {"format": "rounds 3"} if game == "midnight" else {}
            tips = ["tip", "lucky"][:bots]
            self.code = await self.phones[0].open_table(
                game=game, name="Ann", people=people, bots=tips, rules=rules, **order
            )
            for who in range(1, people if full else 1):
                answer = await self.send(who, self.request(who, "sit", name=PEOPLE[who]))
                assert answer.status == 200, answer.body

        self.run(opening())
        self.table = self.reader.codes()[self.code]
        for who in range(len(PEOPLE)):
            self.connect(who)

    def request(self, who: int, do: str, **fields: Any) -> dict[str, Any]:
        """A command, under a key of its own."""
        return {"key": self.phones[who].key(), "do": do, **fields}

    async def send(self, who: int, body: dict[str, Any]) -> Answer:
        """Ask until there is an answer, as a page does."""
        while True:
            phone = Phone(self.phones[who].port, self.phones[who].name)
            try:
                answer = await phone.ask("POST", f"/t/{self.code}", body)
            except (OSError, asyncio.IncompleteReadError):
                await asyncio.sleep(0.05)
                continue
            if answer.status < 500:
                break
            await asyncio.sleep(0.1)
        if answer.status == 200:
            self.answered.append((who, body, answer.body))
        return answer

    def ask(self, who: int, do: str, **fields: Any) -> None:
        """Every other time it is asked twice at once, and so perhaps of both houses."""
        self.number += 1
        body = self.request(who, do, **fields)

        async def asking() -> list[Answer]:
            return list(await asyncio.gather(*[self.send(who, body) for _ in range(1 + self.number % 2)]))

        answers = self.run(asking())
        assert len({answer.body for answer in answers if answer.status == 200}) <= 1, "a command counted twice"

    def log(self) -> list[str]:
        """What is stored of the table's events."""
        return self.reader.read(self.table)[1:]

    # what people do

    @rule(who=ANYBODY, seat=ANY_SEAT)
    def sit(self, who: int, seat: int) -> None:
        self.ask(who, "sit", seat=seat, name=PEOPLE[who])

    @rule(who=ANYBODY, do=st.sampled_from(["leave", "give", "resume", "resume", "nudge", "back", "start"]))
    def plainly(self, who: int, do: str) -> None:
        self.ask(who, do)

    @rule(who=ANYBODY, ms=st.sampled_from([0, 400]))
    def pace(self, who: int, ms: int) -> None:
        self.ask(who, "pace", ms=ms)

    @rule(who=ANYBODY, do=st.sampled_from(["mark", "roll", "bank"]), marks=st.lists(st.integers(0, 5), max_size=3))
    def play(self, who: int, do: str, marks: list[int]) -> None:
        self.ask(who, do, marks=marks)

    @rule(turns=st.integers(1, 6))
    def play_on(self, turns: int) -> None:
        """Those whose turn it is play."""

        async def playing() -> None:
            for _ in range(turns):
                view = await self.own[self.number % 2].view(self.code)
                self.number += 1
                name = "" if view["mover"] is None else view["seats"][view["mover"]]["name"]
                if view["stage"] != "playing" or name not in PEOPLE:
                    return
                who = PEOPLE.index(name)
                if view["ask"] != "keep":
                    await self.send(who, self.request(who, "roll"))
                    continue
                free = [die["place"] for die in view["dice"] if die["status"] in ("free", "marked")]
                for do, marks in (("bank", free), ("roll", free[:1]), ("reroll", [])):
                    if (await self.send(who, self.request(who, do, marks=marks))).status == 200:
                        break

        self.run(playing())

    @rule(do=st.sampled_from(["roll", "give", "resume", "pace"]), fields=st.sampled_from([{}, {"marks": [0]}]))
    def all_at_once(self, do: str, fields: dict[str, Any]) -> None:
        """Everybody asks at the same moment."""
        given = {"ms": 0} if do == "pace" else fields if do == "roll" else {}

        async def asking() -> None:
            await asyncio.gather(*[self.send(who, self.request(who, do, **given)) for who in range(len(PEOPLE))])

        self.run(asking())

    @rule(which=st.integers(0, 1000))
    def repeat(self, which: int) -> None:
        """What was answered is asked again."""
        if self.answered:
            who, body, first = self.answered[which % len(self.answered)]
            before = self.log()
            answer = self.run(self.send(who, body))
            assert (answer.status, answer.body) == (200, first)
            assert self.log()[: len(before)] == before

    # watching

    @rule(who=ANYBODY)
    def connect(self, who: int) -> None:
        """A page connects, from where it was."""
        self.drop(who)
        ear = self.heard.setdefault(who, Ear(self.phones[who], self.code, patient=True))

        async def listening() -> None:
            while True:
                await ear.listen()
                await asyncio.sleep(0.02)

        self.ears[who] = ear, self.loop.create_task(listening())

    @rule(who=ANYBODY)
    def drop(self, who: int) -> None:
        if who in self.ears:
            _, task = self.ears.pop(who)
            task.cancel()
            self.run(asyncio.wait([task]))

    # what happens to the houses

    @rule(which=ANY_HOUSE, who=ANYBODY)
    def freeze(self, which: int, who: int) -> None:
        """A house stands still for a moment, while somebody asks."""

        async def freezing() -> None:
            self.two[which].signal(signal.SIGSTOP)
            asked = asyncio.ensure_future(self.send(who, self.request(who, "roll", marks=[0])))
            await asyncio.sleep(0.1)
            self.two[which].signal(signal.SIGCONT)
            await asked

        self.run(freezing())

    @rule()
    def deafen(self) -> None:
        """The lines on which hints come are cut."""
        with psycopg.connect(self.address, autocommit=True) as db:
            db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")

    @rule(which=ANY_HOUSE, chance=st.integers(0, 3))
    def restart(self, which: int, chance: int) -> None:
        """A house is killed, now and then, and opened again."""
        if chance == 0:
            self.two[which].kill()
            self.two[which].open()

    # what holds

    @invariant()
    def every_page_reads_the_log(self) -> None:
        if self.table:
            self.run(self.check())

    async def check(self) -> None:
        async with asyncio.timeout(SETTLED_WITHIN_S):
            while not await self.is_settled():
                await asyncio.sleep(0.02)
        stored = [public(line) for line in self.log()]
        for ear in self.heard.values():
            assert ear.lines == stored[: len(ear.lines)]

    async def is_settled(self) -> bool:
        """Whether all that is connected has heard all there is, and both houses show it; bots go on meanwhile."""
        length = len(self.log())
        views = [await self.view_at(which) for which in range(2)]
        if any(view is None for view in views) or len(self.log()) != length:
            return False
        shown = [{key: view[key] for key in SHOWN} for view in views if view]
        assert shown[0]["seq"] != shown[1]["seq"] or shown[0] == shown[1], "two houses show two tables"
        return shown[0]["seq"] == shown[1]["seq"] == length and all(ear.seq == length for ear, _ in self.ears.values())

    async def view_at(self, which: int) -> dict[str, Any] | None:
        """The table as a house shows it; None if it does not answer."""
        try:
            return dict(await self.own[which].view(self.code))
        except (OSError, asyncio.IncompleteReadError):
            return None

    def teardown(self) -> None:
        try:
            if self.table:
                for who in range(len(PEOPLE)):
                    self.connect(who)
                self.run(self.last_round())
        finally:
            for who in list(self.ears):
                self.drop(who)
            for phone in self.own:
                phone.hang_up()
            self.run(asyncio.sleep(0))
            self.loop.close()
            self.reader.close()

    async def last_round(self) -> None:
        """In the end all have it all, the log replays, and both houses know every answer."""
        await self.check()
        verify(self.reader.read(self.table), GAMES)
        for who, body, first in self.answered[-5:]:
            for house in self.two:
                phone = Phone(house.port, self.phones[who].name)
                answer = await phone.ask("POST", f"/t/{self.code}", body)
                phone.hang_up()
                assert (answer.status, answer.body) == (200, first)


def test_one_order_for_all_whichever_house_they_ask(tmp_path: Path, empty_database: str) -> None:
    many = settings(
        max_examples=60 if NIGHTLY else 4,
        stateful_step_count=30,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        print_blob=bool(os.environ.get("PUBDICE_CI")),
    )
    with houses(empty_database, tmp_path, 2) as two, RandomProxy([house.port for house in two], "one order") as proxy:

        class AtTheseTwo(Evening):
            def __init__(self) -> None:
                super().__init__(two, proxy, empty_database)

        run_state_machine_as_test(AtTheseTwo, settings=many)
        for house in two:
            assert "Traceback" not in house.errors()
