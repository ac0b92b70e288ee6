"""The bots' process: who is served when, how many may wait, what is kept on the disk."""

import asyncio
import os
from dataclasses import replace
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from pubdice.core.errors import NotStored, Unsolved
from pubdice.games import GAMES
from pubdice.kit import PERFECT
from pubdice.match.header import Header, RawHeader
from pubdice.match.match import MatchState
from pubdice.server import bot_processes
from pubdice.server.bot_processes import MOST_WAITING, BotProcess, WorkerQueue, forget_least_used, weigh
from pubdice.server.processes import DirectWorker
from pubdice.solve.pauses import all_at_once


@pytest.fixture(autouse=True)
def _nothing_solved() -> None:
    bot_processes._solved.clear()
    bot_processes._unfinished.clear()


async def test_tables_with_people_come_first_and_the_others_in_turn() -> None:
    line, order, gate = WorkerQueue(), list[str](), asyncio.Event()

    async def wait(name: str, *, first: bool) -> None:
        async with line.turn(name, first=first):
            await gate.wait()
            order.append(name)

    names = [("bots 1", False), ("bots 2", False), ("Ann", True), ("bots 3", False), ("Bob", True)]
    waiting = [asyncio.ensure_future(wait(name, first=first)) for name, first in names]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*waiting)
    assert order == ["bots 1", "Ann", "Bob", "bots 2", "bots 3"]


async def test_who_gives_up_waiting_or_fails_holds_up_nobody() -> None:
    line, gate = WorkerQueue(), asyncio.Event()

    async def wait(*, fails: bool = False) -> None:
        async with line.turn("Ann", first=True):
            await gate.wait()
            if fails:
                raise RuntimeError("a bot's process died")

    waiting = [asyncio.ensure_future(wait(fails=at == 0)) for at in range(5)]
    await asyncio.sleep(0)
    waiting[1].cancel()
    waiting[3].cancel()
    gate.set()
    done = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in done] == [
        RuntimeError,
        asyncio.CancelledError,
        type(None),
        asyncio.CancelledError,
        type(None),
    ]
    await wait()


def test_the_best_play_of_a_game_without_a_solver_is_refused_as_unsolved(monkeypatch: pytest.MonkeyPatch) -> None:
    unsolved = replace(GAMES["midnight"], name="unsolved", solver=None)
    monkeypatch.setitem(GAMES, "unsolved", unsolved)
    rules = unsolved.normalize(RawHeader({"game": "unsolved", "seats": "Ann, Ben", "first": "Ann"}))
    match = unsolved.match(rules)
    with pytest.raises(Unsolved, match="no-solver"):
        weigh(tuple(rules.fields.items()), PERFECT, match.start(), None)


def header(seats: int, form: str) -> Header:
    """A match of Midnight with so many seats."""
    names = "Ann, Ben, Cem, Dee"
    return GAMES["midnight"].normalize(
        RawHeader({"game": "midnight", "seats": ", ".join(names.split(", ")[:seats]), "first": "Ann", "format": form})
    )


def decision(rules: Header) -> MatchState[Any]:
    """The first decision of a match."""
    match = GAMES["midnight"].match(rules)
    return match.roll(match.start(), (1, 2, 3, 4, 5, 6))


def parts(fields: tuple[tuple[str, str], ...], state: MatchState[Any]) -> tuple[int, Any]:
    """In how many parts the perfect bot decides, and how."""
    for number in count(1):
        found = weigh(fields, PERFECT, state, None)
        if found is not None:
            return number, found
    raise AssertionError


@pytest.mark.parametrize(("seats", "form"), [(3, "pot 1 rounds 4"), (3, "rounds 4")])
def test_a_decision_in_parts_is_the_same(seats: int, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = header(seats, form)
    state, fields = decision(rules), tuple(rules.fields.items())
    monkeypatch.setattr(bot_processes, "process_part", lambda: all_at_once)
    number, whole = parts(fields, state)
    assert number == 1
    monkeypatch.setattr(bot_processes, "process_part", lambda: lambda: True)
    bot_processes._solved.clear()
    number, found = parts(fields, state)
    assert found == whole
    assert number > 3
    assert not bot_processes._unfinished


def test_who_plays_waits_for_a_part_of_a_decision_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening() -> list[str]:
        bots, order = BotProcess(None, DirectWorker), list[str]()

        async def ask(name: str, rules: Header, *, people: bool) -> None:
            await bots.choose(rules.fields, PERFECT, decision(rules), people=people, asker=name)
            order.append(name)

        crowd = asyncio.ensure_future(ask("crowd", header(3, "pot 1 rounds 5"), people=False))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await ask("Ann", header(2, "pot 1 rounds 2"), people=True)
        await crowd
        return order

    monkeypatch.setattr(bot_processes, "process_part", lambda: lambda: True)
    assert asyncio.run(evening()) == ["Ann", "crowd"]


def test_more_decisions_than_are_kept_all_end_beside_one_that_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_processes, "process_part", lambda: lambda: True)
    monkeypatch.setattr(bot_processes, "_MOST_UNFINISHED", 7)
    solved = header(2, "pot 1 rounds 2")
    parts(tuple(solved.fields.items()), decision(solved))
    all_rules = [header(2, f"pot 1 rounds {rounds}") for rounds in range(3, 11)]
    waiting = {tuple(rules.fields.items()): decision(rules) for rules in all_rules}
    for _ in range(40):
        for fields, state in list(waiting.items()):
            if weigh(fields, PERFECT, state, None) is not None:
                del waiting[fields]
            assert len(bot_processes._unfinished) <= 7
            assert len(bot_processes._solved) <= 6
            assert weigh(tuple(solved.fields.items()), PERFECT, decision(solved), None) is not None
    assert not waiting


def test_what_a_decision_in_parts_has_solved_is_there_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_processes, "process_part", lambda: lambda: True)
    rules, others = header(2, "pot 1 rounds 4"), [header(2, f"pot 1 rounds {rounds}") for rounds in range(5, 12)]
    state, fields = decision(rules), tuple(rules.fields.items())
    while weigh(fields, PERFECT, state, None) is None:
        for other in others:
            weigh(tuple(other.fields.items()), PERFECT, decision(other), None)
    assert weigh(fields, PERFECT, state, None) is not None, "worked out once more"


def test_a_decision_that_nobody_asks_on_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_processes, "process_part", lambda: lambda: True)
    monkeypatch.setattr(bot_processes, "_MOST_UNFINISHED", 1)
    closed, going_on = header(3, "pot 1 rounds 4"), header(3, "pot 1 rounds 5")
    assert weigh(tuple(closed.fields.items()), PERFECT, decision(closed), None) is None
    now = perf_counter() + bot_processes._ABANDONED_S
    monkeypatch.setattr(bot_processes, "perf_counter", lambda: now)
    assert weigh(tuple(going_on.fields.items()), PERFECT, decision(going_on), None) is None, "left again"
    assert list(bot_processes._unfinished) == [tuple(going_on.fields.items())]


async def test_a_decision_under_way_is_not_refused_once_many_wait() -> None:
    line, gate = WorkerQueue(), asyncio.Event()

    async def wait(*, begun: bool = False) -> None:
        async with line.turn("bots", first=False, begun=begun):
            await gate.wait()

    waiting = [asyncio.ensure_future(wait()) for _ in range(1 + MOST_WAITING // 2)]
    await asyncio.sleep(0)
    waiting.append(asyncio.ensure_future(wait(begun=True)))
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*waiting)


async def test_so_many_wait_and_no_more() -> None:
    line, gate = WorkerQueue(), asyncio.Event()

    async def wait(*, first: bool) -> None:
        async with line.turn("Ann", first=first):
            await gate.wait()

    waiting = [asyncio.ensure_future(wait(first=False)) for _ in range(1 + MOST_WAITING // 2)]
    await asyncio.sleep(0)
    with pytest.raises(NotStored, match="no-bots"):
        await wait(first=False)
    waiting += [asyncio.ensure_future(wait(first=True)) for _ in range(MOST_WAITING // 2)]
    await asyncio.sleep(0)
    with pytest.raises(NotStored, match="no-bots"):
        await wait(first=True)
    gate.set()
    await asyncio.gather(*waiting)


def test_of_solutions_on_the_disk_the_least_lately_used_are_deleted(tmp_path: Path) -> None:
    for at in range(6):
        file = tmp_path / f"{at}.npz"
        file.write_bytes(bytes(100))
        os.utime(file, ns=(at, at))
    os.utime(tmp_path / "0.npz", ns=(9, 0))
    (tmp_path / "other").write_bytes(bytes(1000))
    forget_least_used(tmp_path, 300)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["0.npz", "4.npz", "5.npz", "other"]
    forget_least_used(tmp_path / "none", 300)
