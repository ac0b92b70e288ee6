"""A table that is checked after every step: each page reads one and the same log, and shows what a fresh one would."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant

from pubdice.room import Room
from support.asgi_client import Client, Stream
from support.house import Pub, without_time
from support.http_wire import Answer, Message

QUICK = "/dev/shm" if Path("/dev/shm").is_dir() else None
PEOPLE = ("Ann", "Bob", "Cid", "Dan")
FEW = 100
"""A page that has missed so few lines is sent them; one that has missed more than 500 must load again."""


class Page:
    """A page of the table, on some person's phone: what it knows, it knows from its streams."""

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
        """What a stream brings: the next lines, or a view of the same moment."""
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

    # what holds

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
            await self.pub.advance(3)  # the moment somebody is away, and the moment the house notices
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
