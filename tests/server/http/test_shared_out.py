"""Answers are shared out by address: every route that asks names the asker."""

import asyncio
import inspect
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from starlette.routing import Route

from pubdice.core.errors import Refused
from pubdice.games import GAMES
from pubdice.server import answers
from pubdice.server import jobs as workers_jobs
from pubdice.server.answers import AT_TABLES, MOST_ASKED, MOST_OF_ONE, Answers
from pubdice.server.jobs import (
    MatchRecord,
    NoAnswer,
    check_solvable,
    rank_day,
    rank_position,
    tell_chances,
    write_receipt,
)
from pubdice.server.processes import ThreadWorker
from pubdice.server.table import new_tables
from pubdice.server.table.bot_moves import HURRY, HURRY_MS, Hurry
from server.http.test_book import begun as book_begun
from server.http.test_night import begun, own_table
from server.http.test_records import saved
from support.asgi_client import Client
from support.house import Pub, play_out, seated

WORKS = {
    *(
        "best_play_figure",
        "check_solvable",
        "find_highlights",
        "price_rules",
        "rank_day",
        "rank_decision",
        "rank_drill",
    ),
    *("find_turning_point", "rank_position", "weigh_losses", "write_ledger", "write_receipt"),
}
"""The answers that routes ask for. Lessons and chances are asked for by tables."""
ASKS_NOTHING = ("static", "events", "metrics", "healthz", "ready", "openapi", "preview", "qr", "language", "names")
RECORD = "pubdice 1\ngame: threes\nseats: Ann, Bob\nformat: rounds 1\n\nround 1\nAnn: 33621"
FORMS: dict[str, dict[str, str]] = {
    "/tables": {"game": "threes", "name": "Ann", "key": "an order"},
    "/prices": {"game": "threes", "name": "Ann"},
    "/night": {"game": "midnight", "midnight.format": "rounds", "midnight.rounds": "1", "players": "2"},
    "/book": {"do": "carry"},
    "/t/{code}": {"do": "rematch", "key": "a rematch"},
    "/night/{code}": {"name": "Ann", "key": "a table"},
    "/daily": {"day": "2026-10-01", "keep": "-"},
    "/drill/{game}/{number}": {"keep": "-"},
}
QUERIES = {
    "/ask": "?record=" + RECORD.replace("\n", "%0A").replace(" ", "+"),
    "/ask/{game}": "?roll=33621",
    "/daily": "?day=2026-10-01",
}


class Asked:
    """Every question put to the house's answers: by which route, of which kind, for whom. None is worked out."""

    def __init__(self, pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
        self.found, self.route = list[tuple[str, str, str]](), ""
        monkeypatch.setattr(pub.house.answers, "ask", self._ask)

    async def _ask(self, asker: str, work: Callable[..., Any], *given: object) -> Any:
        self.found.append((self.route, work.__name__, asker))
        if work is check_solvable:
            return True
        raise Refused("asks-waiting")


async def set_up(pub: Pub) -> tuple[Client, dict[str, str]]:
    """Ann, with a book and finished matches at a table and in a night, and the parts of addresses."""
    ann, bob = pub.client("Ann"), pub.client("Bob")
    night = await begun(pub.client("Host"))
    at_night = await own_table(ann, night)
    await bob.done(at_night, "sit", name="Bob")
    await play_out(pub, at_night, [ann, bob])
    ann, bob, code = await seated(pub, game="threes", rules={"format": "rounds 1"})
    await play_out(pub, code, [ann, bob])
    await book_begun(ann)
    places = {"code": code, "game": "threes", "number": "1", "date": "2026-10-01", "night": night.rpartition("/")[2]}
    return ann, places | {"opened": "0" * 16, "hash": "x", "name": "x"}


def target(route: Route, places: dict[str, str]) -> str:
    """A route's address with everything filled in."""
    path = route.path.replace("{code}", "{night}") if route.path.startswith("/night/") else route.path
    return path.format(**places) + QUERIES.get(route.path, "")


async def test_every_route_that_asks_says_who_asks(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, places = await set_up(pub)
    ann.address = "2001:db8:1:2::7"
    asked = Asked(pub, monkeypatch)
    for route in pub.app.app.routes:  # type: ignore[attr-defined]
        assert isinstance(route, Route)
        if any(each in route.path for each in ASKS_NOTHING) or "{opened}" in route.path:
            continue
        asked.route = route.path
        if "POST" in (route.methods or ()):
            await ann.send(target(route, places), **FORMS.get(route.path, {}))
        else:
            await ann.get(target(route, places), "text/html")
        await pub.settle()
    assert {who for _, _, who in asked.found} == {"2001:db8:1::"}, asked.found
    assert {name for _, name, _ in asked.found} == WORKS, "some answers were never asked for: give their route a form"


async def test_a_pocket_that_opens_records_says_who_asks(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _, record = await saved(pub)
    opened = (await ann.send("/record", record=record)).headers["location"].removesuffix("/receipt")
    asked = Asked(pub, monkeypatch)
    for asked.route in (f"{opened}/receipt", f"{opened}/receipt.svg", f"{opened}/ask/1"):
        await ann.get(asked.route)
    assert [(name, who) for _, name, who in asked.found] == [
        ("write_receipt", ann.address),
        ("write_receipt", ann.address),
        ("rank_decision", ann.address),
    ]


def test_every_answer_must_be_asked_for_by_somebody() -> None:
    asking = dict(inspect.getmembers(Answers, inspect.iscoroutinefunction))
    assert [name for name in asking if not name.startswith("_")] == ["ask"]
    asker = inspect.signature(Answers.ask).parameters["asker"]
    assert asker.default is inspect.Parameter.empty
    jobs = {name for name, job in vars(workers_jobs).items() if getattr(job, "__annotations__", {}).get("cache")}
    assert {name for name in jobs if not name.startswith("_")} - {"weigh", "forget_least_used"} == WORKS | {
        work.__name__ for work in AT_TABLES
    }


class Steps(ThreadWorker):
    """A worker that works out one part at a time, when it is let, and notes whose."""

    def __init__(self) -> None:
        self.let, self.done = asyncio.Semaphore(0), list[str]()

    async def run(self, work: Any, *arguments: object) -> Any:
        await self.let.acquire()
        self.done.append(str(arguments[2]))
        return NoAnswer("x", "x")


async def begin(house: Answers, asker: str, number: int) -> None:
    """Ask a question of one's own."""
    assert await house.ask(asker, rank_position, "threes", (("asker", asker), ("number", str(number))), "en") is None


async def begin_receipt(house: Answers, asker: str, number: int) -> None:
    """Ask for a receipt of one's own. They are written one at a time."""
    assert await house.ask(asker, write_receipt, MatchRecord((asker, number), "en"), f"'{asker}' {number}") is None


def turns(worker: Steps, asker: str) -> int:
    """The number of others' questions worked out before the first of an asker's."""
    return next(at for at, told in enumerate(worker.done) if f"'{asker}'" in told)


def places(house: Answers) -> Counter[str]:
    """The number of places each asker has in the queues."""
    return Counter(asker for question in house._asked.values() for asker in question.places)


async def drained(house: Answers, worker: Steps) -> None:
    """Let the worker do all that waits."""
    while house._asked:
        worker.let.release()
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("ask", "others"), [(begin, 6), (begin_receipt, 1)], ids=["questions beside six addresses", "receipts beside one"]
)
async def test_one_question_waits_for_one_of_each_other_address(
    monkeypatch: pytest.MonkeyPatch, ask: Callable[[Answers, str, int], Awaitable[None]], others: int
) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0)
    worker = Steps()
    house = Answers(worker)
    for number in range(5):
        for other in range(others):
            await ask(house, f"attacker {other}", number)
    await ask(house, "Ann", 9)
    await drained(house, worker)
    assert turns(worker, "Ann") == others


async def test_a_full_queue_makes_room_for_a_new_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0)
    worker = Steps()
    house = Answers(worker)
    for at in range(MOST_ASKED):
        await begin(house, f"attacker {at % 20}", at)
    for asker in ("Ann", "Bob"):
        await begin(house, asker, 1)
    held = places(house)
    assert held["Ann"] == held["Bob"] == 1
    assert held.total() == MOST_ASKED
    with pytest.raises(Refused, match="asks-waiting"):
        await begin(house, "Ann", 2)
    await drained(house, worker)
    assert not house._asked
    last = (("asker", "attacker 11"), ("number", str(MOST_ASKED - 1)))
    assert str(last) not in worker.done, "its place was given to Ann"
    while await house.ask("attacker 11", rank_position, "threes", last, "en") is None:
        worker.let.release()
    assert str(last) in worker.done, "and it may ask again"


async def test_a_question_of_forty_addresses_takes_one_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All players open the day's position. Others ask of their own, as many as a queue has room for beside it."""
    monkeypatch.setattr(answers, "WAIT_S", 0)
    worker = Steps()
    house = Answers(worker)
    for number in range(MOST_OF_ONE):
        await begin(house, "Eve", number)
    for number in range(40):
        assert await house.ask(f"reader {number}", rank_day, ("day",), 1, "en") is None
    for number in range(MOST_ASKED - MOST_OF_ONE - 1):
        await begin(house, f"other {number}", 1)
    held = places(house)
    assert held["Eve"] == MOST_OF_ONE, "a question that many ask pushes no other out"
    assert held.total() == MOST_ASKED
    assert len(house._asked) == MOST_ASKED
    await drained(house, worker)
    assert not house._asked
    assert len(worker.done) == MOST_ASKED, "and each is worked out once"


async def test_a_shared_question_waits_in_its_own_askers_queue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The day's position is shared: each asker has a place of their own."""
    monkeypatch.setattr(answers, "WAIT_S", 0)
    worker = Steps()
    house = Answers(worker)
    for number in range(5):
        await begin(house, "Eve", number)
    for asker in ("Eve", "Ann"):
        assert await house.ask(asker, rank_day, ("day",), 1, "en") is None
    await drained(house, worker)
    assert worker.done.count("1") == 1, "it is worked out once"
    assert worker.done.index("1") <= 1


async def test_tables_of_one_address_may_ask_more_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0)
    assert {work.__name__ for work in AT_TABLES} == {"teach", "tell_chances"}
    house, held = Answers(Steps()), Steps()
    house = Answers(held, live=held)
    for seats in range(2 * MOST_OF_ONE):
        assert await house.ask("a pub", tell_chances, (("game", "threes"),), (seats,), "en") is None  # type: ignore[arg-type]
    await drained(house, held)


EVE, ANN, BOB = "203.0.113.9", "192.0.2.7", "192.0.2.8"


def fast(hurry: Hurry, asker: str, now: int, actions: int) -> int:
    """The number of actions, of so many, that an asker's first table may do fast now."""
    return sum(hurry.take(asker, 1, now) for _ in range(actions))


@pytest.mark.parametrize(
    ("hasty", "quiet"),
    [
        pytest.param([(EVE, table) for table in range(60)], [(ANN, 90), (BOB, 91)], id="60 tables of another address"),
        pytest.param(
            [(EVE, 1)], [(EVE, 90), (EVE, 91), (ANN, 92)], id="one of the same address", marks=pytest.mark.nightly
        ),
    ],
)
def test_bots_without_a_pause_slow_down_no_other_table(
    hasty: list[tuple[str, int]], quiet: list[tuple[str, int]]
) -> None:
    """Hasty tables, of pace 0, try 1,200 actions a moment. The quiet ones have 5 actions a second."""
    hurry, slowed, done = Hurry(), 0, 0
    for now in range(0, 10 * HURRY_MS, 100):
        done += sum(hurry.take(*hasty[number % len(hasty)], now) for number in range(1200))
        if now % 200 == 0:
            slowed += sum(not hurry.take(*table, now) for table in quiet)
    assert not slowed
    assert done <= 10 * 2 * HURRY


def test_fast_bots_alone_have_the_whole_budget_at_once() -> None:
    assert fast(Hurry(), "a pub", 0, 2 * HURRY) == HURRY


async def test_tables_of_one_address_are_one_asker_after_a_restart(pub: Pub) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    ann.address, bob.address = "2001:db8:1:2::7", "192.0.2.9"
    codes = [await ann.order(game=game) for game in list(GAMES)[:2]]
    others = await bob.order(game=next(iter(GAMES)))
    night = await own_table(ann, await begun(bob))
    before = {(await pub.table(code)).asker for code in (*codes, night)}
    assert len(before) == 1
    assert (await pub.table(others)).asker not in before
    await pub.restart()
    assert {(await pub.table(code)).asker for code in (*codes, night)} == before
    assert (await pub.table(others)).asker not in before
    assert len(pub.store.opener((await pub.table(others)).number)) == 2, "too little to tell the address"


async def test_a_table_of_before_openers_were_stored_counts_for_itself(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_tables, "opener_of", lambda secret, address: b"")
    codes = [await pub.client("Ann").order(game=game) for game in list(GAMES)[:2]]
    assert [(await pub.table(code)).asker for code in codes] == codes
