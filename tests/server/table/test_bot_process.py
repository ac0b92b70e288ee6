"""The bots' process: who is served when, how many may wait, what is kept on the disk."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from pubdice.core.errors import NotStored, Unsolved
from pubdice.games import GAMES
from pubdice.kit import PERFECT
from pubdice.match.notation import RawHeader
from pubdice.server.jobs import MOST_WAITING, WorkerQueue, forget_least_used, weigh


def test_tables_with_people_come_first_and_the_others_in_turn() -> None:
    async def served() -> list[str]:
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
        return order

    assert asyncio.run(served()) == ["bots 1", "Ann", "Bob", "bots 2", "bots 3"]


def test_who_gives_up_waiting_or_fails_holds_up_nobody() -> None:
    async def evening() -> None:
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

    asyncio.run(evening())


def test_the_best_play_of_a_game_without_a_solver_is_refused_as_unsolved(monkeypatch: pytest.MonkeyPatch) -> None:
    unsolved = replace(GAMES["midnight"], name="unsolved", solver=None)
    monkeypatch.setitem(GAMES, "unsolved", unsolved)
    rules = unsolved.normalize(RawHeader({"game": "unsolved", "seats": "Ann, Ben", "first": "Ann"}))
    match = unsolved.match(rules)
    with pytest.raises(Unsolved, match="no-solver"):
        weigh(tuple(rules.fields.items()), PERFECT, match.start(), None)


def test_so_many_wait_and_no_more() -> None:
    async def evening() -> None:
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

    asyncio.run(evening())


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
