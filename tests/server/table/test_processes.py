"""The processes beside the house: their queues, the solutions they keep, and their end."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import count
from multiprocessing import active_children
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import pytest

from pubdice.core.errors import NotStored, Unsolved
from pubdice.games import GAMES
from pubdice.kit import PERFECT
from pubdice.match.header import Header, RawHeader
from pubdice.match.match import MatchState
from pubdice.server import bot_processes, fair_lock
from pubdice.server.bot_processes import MOST_WAITING, BotProcess, WorkerQueue, forget_least_used, weigh
from pubdice.server.fair_lock import FairLock
from pubdice.server.processes import DirectWorker, WorkerProcess
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


def test_a_game_without_a_solver_has_no_perfect_bot(monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.parametrize(
    ("seats", "form"), [(3, "pot 1 rounds 4"), pytest.param(3, "rounds 4", marks=pytest.mark.nightly)]
)
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


def test_more_decisions_than_are_kept_all_end(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_decision_in_parts_leaves_its_solution_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_solutions_longest_unused_are_deleted_from_the_disk(tmp_path: Path) -> None:
    for at in range(6):
        file = tmp_path / f"{at}.npz"
        file.write_bytes(bytes(100))
        os.utime(file, ns=(at, at))
    os.utime(tmp_path / "0.npz", ns=(9, 0))
    (tmp_path / "other").write_bytes(bytes(1000))
    forget_least_used(tmp_path, 300)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["0.npz", "4.npz", "5.npz", "other"]
    forget_least_used(tmp_path / "none", 300)


WITHIN_S = 60.0
HOUSE = """
import asyncio, sys
from multiprocessing import active_children
from pathlib import Path
from pubdice.server.processes import WorkerProcess

async def evening():
    worker, begun = WorkerProcess(), Path(sys.argv[2])
    work = asyncio.ensure_future(worker.run(exec, f"open({sys.argv[2]!r}, 'x'); import time; time.sleep(600)"))
    while not active_children() or (sys.argv[1] != "closes while it starts" and not begun.exists()):
        await asyncio.sleep(0.01)
    print(active_children()[0].pid, flush=True)
    if sys.argv[1] == "is killed":
        await asyncio.sleep(600)
    worker.close()
    try:
        await work
    except Exception as error:
        print(type(error).__name__, flush=True)

if __name__ == "__main__":
    asyncio.run(evening())
"""


def is_there(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):  # the second when it ends between the opening and the reading
        return False


def ends(process: int) -> bool:
    until = time.monotonic() + WITHIN_S
    while is_there(process):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def test_a_house_closes_while_its_worker_starts(tmp_path: Path) -> None:
    """On a busy machine a process takes seconds to start, and Python waits for it at its end: here five minutes."""
    (tmp_path / "house.py").write_text(HOUSE, encoding="utf-8")
    (tmp_path / "sitecustomize.py").write_text(
        'import sys, time\n"--multiprocessing-fork" in sys.orig_argv and time.sleep(300)\n', encoding="utf-8"
    )
    command = [sys.executable, str(tmp_path / "house.py"), "closes while it starts", str(tmp_path / "begun")]
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) as house:
        assert house.stdout is not None
        house.stdout.readline()
        house.wait(WITHIN_S)  # not communicate: it does not see what a slow reader had with the first line
        assert house.stdout.read().split() == ["BrokenProcessPool"]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("how", ["closes", "is killed"])
def test_it_ends_with_the_house_in_the_middle_of_its_work(how: str, tmp_path: Path) -> None:
    (tmp_path / "house.py").write_text(HOUSE, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "house.py"), how, str(tmp_path / "begun")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as house:
        assert house.stdout is not None
        process = int(house.stdout.readline())
        if how == "is killed":
            house.send_signal(signal.SIGKILL)
        assert ends(process), "ten minutes of work are left to do"
        house.wait(WITHIN_S)
        said = house.stdout.read()
    assert said.split() == (["BrokenProcessPool"] if how == "closes" else [])


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGPIPE")
async def test_a_worker_whose_house_is_gone_ends_quietly() -> None:
    worker = WorkerProcess()
    assert await worker.run(signal.getsignal, signal.SIGPIPE) == signal.SIG_DFL
    worker.close()


@pytest.mark.parametrize("leaves", [None, 2])
async def test_all_who_wait_are_told_that_it_has_ended(leaves: int | None) -> None:
    """None is cancelled but one that waits no more, though its work had not come to the process yet."""
    worker = WorkerProcess()
    waiting = [asyncio.ensure_future(worker.run(time.sleep, 600)) for _ in range(5)]
    await asyncio.sleep(0)  # each has asked by now
    if leaves is not None:
        waiting[leaves].cancel()
        await asyncio.sleep(0)
    worker.close()
    told = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), WITHIN_S)
    assert [isinstance(each, BrokenExecutor) for each in told] == [at != leaves for at in range(5)]


async def test_it_works_and_comes_again(tmp_path: Path) -> None:
    worker = WorkerProcess()
    first = await worker.run(os.getpid)
    assert first != os.getpid()
    assert await worker.run(os.getpid) == first
    os.kill(first, signal.SIGKILL)
    with suppress(BrokenExecutor):  # if it was asked before its death was known
        await worker.run(os.getpid)
    second = await worker.run(os.getpid)
    assert second not in (first, os.getpid())
    begun = tmp_path / "begun"
    work = asyncio.ensure_future(worker.run(exec, f"open({str(begun)!r}, 'x'); import time; time.sleep(600)"))
    while not begun.exists():
        await asyncio.sleep(0.01)
    os.kill(second, signal.SIGKILL)
    with pytest.raises(BrokenExecutor):
        await work
    third = await worker.run(os.getpid)
    assert third not in (first, second)
    os.kill(third, signal.SIGKILL)
    assert ends(third)
    assert worker._process is not None
    async with asyncio.timeout(60):
        while not worker._process.pool._broken:  # until the pool has seen it
            await asyncio.sleep(0.01)
    assert await worker.run(os.getpid) not in (first, second, third)
    worker.close()
    worker.close()
    assert all(ends(child.pid) for child in active_children() if child.pid)


class Line:
    """A worker's queue, and who had a turn, in order. Each turn ends when it is told to."""

    def __init__(self) -> None:
        self.lock, self.served = FairLock(), list[str]()
        self.on = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def wait(self, asker: str, rank: int = 0) -> None:
        """Come, and have a turn."""
        self.tasks.append(asyncio.ensure_future(self._turn(asker, rank)))
        await asyncio.sleep(0)

    async def _turn(self, asker: str, rank: int) -> None:
        async with self.lock.turn(asker, rank):
            self.served.append(asker)
            await self.on.wait()
            self.on.clear()

    async def go_on(self, turns: int) -> None:
        """Let so many turns end."""
        for _ in range(turns):
            self.on.set()
            while self.on.is_set():
                await asyncio.sleep(0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def end(self) -> None:
        """Let all turns end."""
        while not all(task.done() for task in self.tasks):
            self.on.set()
            await asyncio.sleep(0)


def before(served: Sequence[str], asker: str, since: int) -> Counter[str]:
    """The turns of others between ``since`` and an asker's next."""
    return Counter(served[since : served.index(asker, since)])


@pytest.mark.parametrize("seed", range(20))
async def test_an_asker_waits_for_one_turn_of_each_other(seed: int) -> None:
    """Askers come with any number of questions at any time. Ann asks again as soon as she has had her turn."""
    lots = Random(seed)
    line, most = Line(), 0
    for _ in range(40):
        for _ in range(lots.randrange(12)):
            await line.wait(f"asker {lots.randrange(8)}")
        since = len(line.served)
        await line.wait("Ann")
        while "Ann" not in line.served[since:]:
            await line.go_on(1)
            if lots.random() < 0.5:
                await line.wait(f"asker {lots.randrange(8)}")
        most = max(most, *before(line.served, "Ann", since).values(), 0)
    await line.end()
    assert most <= 2, "one of the round under way, one of her own"


@pytest.mark.parametrize("at_once", [1, 2, 5])
async def test_a_second_question_has_its_turn_among_new_addresses(at_once: int) -> None:
    """Ann asks twice at once. With each turn so many addresses come that were never there."""
    line = Line()
    for number in range(10):
        await line.wait(f"early {number}")
    for _ in range(2):
        await line.wait("Ann")
    for number in range(300):
        for each in range(at_once):
            await line.wait(f"new {number} {each}")
        await line.go_on(1)
        if line.served.count("Ann") == 2:
            break
    found = len(line.served)
    await line.end()
    assert found <= 100, "97 with five in each turn, never without an end"


async def test_waiters_that_were_cancelled_neither_count_nor_stay() -> None:
    line = Line()
    for asker in ("first", "Ann", "Bob"):
        await line.wait(asker)
    for number in range(1000):
        await line.wait(f"gone {number % 7}")
        line.tasks.pop().cancel()
        await asyncio.sleep(0)
        assert line.lock.waiting == 2
        assert len(line.lock._waiting) <= 2 * line.lock.waiting + 1
    await line.end()
    assert line.served == ["first", "Ann", "Bob"]
    assert not line.lock.waiting


async def test_questions_of_one_asker_come_by_rank_and_in_order() -> None:
    line = Line()
    await line.wait("first")
    for number in range(3):
        await line.wait("Ann", rank=3 - number)
    await line.end()
    lock, order = FairLock(), list[int]()

    async def turn(number: int) -> None:
        async with lock.turn("Ann"):
            await asyncio.sleep(0)
            order.append(number)

    await asyncio.gather(*map(turn, range(5)))
    assert order == [0, 1, 2, 3, 4]
    assert line.served == ["first", "Ann", "Ann", "Ann"]


async def test_what_is_kept_of_askers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_lock, "MOST_KNOWN", 10)
    lock = FairLock()
    for number in range(100):
        with suppress(ValueError):
            async with lock.turn(f"asker {number}"):
                raise ValueError
    assert not lock.waiting
    assert len(lock._rounds) == 10


async def test_a_quiet_tables_bot_waits_for_two_of_a_busy_address() -> None:
    """Each of the 28 asks again as soon as it has had its turn; the quiet table's turn has three decisions."""
    queue, served, ends = WorkerQueue(), list[str](), asyncio.Event()

    async def decide(asker: str, name: str) -> None:
        async with queue.turn(asker, first=True):
            served.append(name)
            await asyncio.sleep(0)

    async def busy(number: int) -> None:
        while not ends.is_set():
            await decide("203.0.113.9", f"table {number}")

    tables = [asyncio.ensure_future(busy(number)) for number in range(28)]
    while len(served) < 100:
        await asyncio.sleep(0)
    waited = []
    for _ in range(3):
        since = len(served)
        await decide("192.0.2.7", "quiet")
        waited.append(served.index("quiet", since) - since)
    ends.set()
    await asyncio.gather(*tables)
    assert max(waited) <= 2
