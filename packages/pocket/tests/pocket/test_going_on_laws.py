"""Laws of a match that goes on at a guest's phone, for any guest and any state of the match: every page answers every
visitor.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from databases.every_event import spend
from pocket.pockets import page as shown
from pubdice.games import GAMES
from pubdice.room import Room, RoomState, read_setup
from pubdice.room.going_on import goes_on_elsewhere
from pubdice.room.state import is_cut
from pubdice.server.app import ROUTES
from pubdice.server.table.house import TABLES
from pubdice.store import SqliteReader
from pubdice_pocket.browser.engine import PocketRequest
from pubdice_pocket.browser.going_on import KeptTable, persons_of
from pubdice_pocket.browser.pocket import Pocket
from support.profiles import NIGHTLY

NEVER = "lou-was-never-seated-00"
STREAMS = ("/events?from=0", "/kept")
PAGES = (
    "",
    "/state",
    "/big",
    "/record",
    "/receipt",
    "/receipt.svg",
    "/evening",
    "/evening/records",
    "/verify",
    *STREAMS,
)
"""The pages of a table. ``STREAMS`` are the pages that never end."""
REFUSES = {f"{TABLES}{{code}}{page.partition('?')[0]}": page for page in PAGES}
ALLOWED = {"/kept": [200]} | {
    REFUSES[route.path]: [status for status in route.statuses() if status < 500 and status != 429]
    for route in ROUTES
    if route.method == "GET" and route.path in REFUSES
}
"""The statuses that the documentation allows for each page."""


@dataclass(frozen=True)
class Moment:
    """A table after an event: its log so far, and the facts about the table."""

    table: str
    lines: tuple[str, ...]
    state: RoomState
    people: tuple[str, ...]

    @property
    def last(self) -> str:
        return self.lines[-1].split(" ")[1] if len(self.lines) > 1 else "ordered"


def moments() -> Iterator[Moment]:
    with TemporaryDirectory() as folder:
        spend(Path(folder) / "house.db")
        reader = SqliteReader(Path(folder) / "house.db")
        logs = {code: reader.read(number) for code, number in reader.codes().items()}
        reader.close()
    for code, lines in logs.items():
        setup = read_setup(lines[0])
        room = Room(GAMES[setup.rules["game"]], setup, GAMES)
        steps = room.replay(room.start(), lines[1:])
        states = [room.start(), *(step.after for step in steps)]
        people = dict.fromkeys(person for state in states for person in sorted(persons_of(state)))
        for seq, state in enumerate(states):
            yield Moment(code, tuple(lines[: seq + 1]), state, tuple(people))


def standing(moment: Moment, person: str) -> str:
    """Return the role at a table of a person known from the earlier house."""
    state, seats = moment.state, moment.state.seats_of(person)
    if person in state.banned:
        return "removed"
    if seats and any(state.chairs[seat].bot for seat in seats):
        return "a bot plays"
    host = "host, " if person == state.host else ""
    if seats:
        return f"{host}{'several seats' if len(seats) > 1 else 'mover' if state.mover in seats else 'seated'}"
    if person in dict(state.queue):
        return f"{host}queued"
    if state.kept_for(person):
        return f"{host}awaited"
    return f"{host}left, or not yet here" if person in moment.people else "never seated"


def goings() -> Iterator[tuple[Moment, str]]:
    """Yield moments, each with the person who goes on. At night yield all. By default yield each event once, and each
    role in each stage once.
    """
    known = set[object]()
    for moment in moments():
        for person in (*moment.people, NEVER):
            facts = {moment.table, moment.last, (moment.state.stage, standing(moment, person))}
            if NIGHTLY or facts - known:
                known |= facts
                yield moment, person


@dataclass(frozen=True)
class Visitor:
    """A visitor to a table that goes on: the host, or a guest with the name of its phone."""

    phone: str

    async def status(self, of: Pocket, path: str, address: int) -> int:
        """Return the status of a page. For a stream, this is the status with which it begins."""
        found: list[int] = []
        guest = f"10.{address >> 16}.{address >> 8 & 255}.{address & 255}" if self.phone else ""
        asked = PocketRequest("GET", path, [("accept", "text/html")], b"", near=True, guest=guest, phone=self.phone)
        answer = asyncio.ensure_future(of.answer(asked, lambda status, sent: found.append(status), lambda *_: None))
        while not answer.done() and not (found and path.endswith(STREAMS)):
            await asyncio.sleep(0)  # a thread may have to answer first, and a stream never ends
        answer.cancel()
        return found[0] if found else 500


def phone_of(person: str) -> str:
    """Return the name of the phone of a person known from the earlier house."""
    return sha256(person.encode()).hexdigest()


async def visited(
    of: Pocket, path: str, moment: Moment, person: str, numbers: Iterator[int]
) -> list[tuple[str, str, int]]:
    """Visit every page of a table that goes on, as each visitor. Return (role, page, status) for each visit."""
    visitors = {"new host": Visitor("")}
    visitors |= {standing(moment, other): Visitor(phone_of(other)) for other in moment.people if other != person}
    visitors["stranger"] = Visitor(phone_of("stranger"))
    thorough = list(visitors)[next(numbers) % len(visitors)]
    return [
        (role, page, await visitor.status(of, f"{path}{page}", next(numbers)))
        for role, visitor in visitors.items()
        for page in (PAGES if role == thorough else PAGES[:1])
    ]


@pytest.mark.usefixtures("unlimited")
async def test_every_page_answers_each_visitor_after_going_on(of: Pocket) -> None:
    numbers, wrong = count(1), []
    for moment, person in goings():
        people = {other: phone_of(other) for other in moment.people}
        paths = await of.engine.go_on([KeptTable(list(moment.lines), person, people)])
        assert bool(paths) == (goes_on_elsewhere(moment.state) and not is_cut(moment.state)), moment
        for path in paths:
            if moment.state.match and not moment.state.seats_of(person):
                assert "Another phone is the house now." in (await shown(of, path)).text
            for role, page, status in await visited(of, path, moment, person, numbers):
                if status not in ALLOWED[page]:
                    wrong.append((moment.table, moment.last, standing(moment, person), role, page, status))
    assert wrong == []
