"""The check of costs itself: what has grown is named, what is less must be written down, what is new fails.

None reads the file of costs: while ``make costs`` writes it, these tests have run already.
"""

import asyncio
import os
import re
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Protocol, runtime_checkable
from zlib import crc32

import pytest

from costs.contract import Contract, load, too_long, versions, write_down
from costs.counting import counted_calls, in_threads
from costs.groups import GROUPS
from costs.houses import CountedPub, Traffic, at_home, in_child
from costs.measured import Cost
from costs.start import LOOKS, for_one_distribution
from support.paths import PATHS

FUNCTIONS = {"room.decide": 60, "match.play": 30, "text.say": 10}
USUAL = Cost({"calls": 100, "library_calls": 50, "statements": 1}, FUNCTIONS)


def problems(cost: Cost, *, found_with: dict[str, str] | None = None, name: str = "A roll") -> str:
    known = Contract(versions(), {"deeds": {"A roll": USUAL.numbers}})
    return "\n".join(known.problems("deeds", {name: cost}, versions() if found_with is None else found_with))


def changed(**numbers: int) -> Cost:
    return Cost({**USUAL.numbers, **numbers}, FUNCTIONS)


def test_what_is_written_down_and_what_hardly_differs_is_fine() -> None:
    assert not problems(USUAL)
    assert not problems(changed(calls=103))
    assert not problems(changed(calls=95))


def test_a_cost_that_grew_names_the_functions_called_most() -> None:
    said = problems(changed(library_calls=90))
    assert "A roll costs more:\n  90 calls of Python functions in libraries" in said
    assert "50 are written down (80 % more)" in said
    assert "called most: 60 room.decide\n" in said
    assert "in a commit of its own that names the issue" in said


def test_make_costs_lowers_numbers_and_leaves_higher_ones(tmp_path: Path) -> None:
    write_down("deeds", {"A roll": USUAL}, GROUPS, tmp_path)
    write_down("idle", {'A minute of "420"': USUAL}, GROUPS, tmp_path)
    now = {"A roll": changed(calls=200, library_calls=40), "A toast": USUAL}
    write_down("deeds", now, GROUPS, tmp_path)
    found = load(tmp_path)
    assert found.costs == {
        "deeds": {"A roll": {**USUAL.numbers, "library_calls": 40}, "A toast": USUAL.numbers},
        "idle": {'A minute of "420"': USUAL.numbers},
    }
    (said,) = found.problems("deeds", now, versions())
    assert "200 calls of pubdice's own Python functions and templates, 100 are written down" in said


def test_a_cost_of_nothing_may_not_become_something() -> None:
    idle = Contract(versions(), {"idle": {"A minute": {"statements": 0}}})
    assert "1 SQL statements, 0 are written down" in idle.problems("idle", {"A minute": Cost({"statements": 1})}, {})[0]


def test_less_must_be_written_down() -> None:
    said = problems(changed(calls=94))
    assert "A roll costs less:\n  94 calls of pubdice's own" in said
    assert "Write it down: make costs" in said


def test_a_new_cost_fails_and_so_does_one_that_is_gone() -> None:
    said = problems(USUAL, name="A toast")
    assert "A toast is not written down. Write it down: make costs" in said
    assert "A roll is written down, but there is no such cost" in said


def test_with_other_libraries_their_calls_may_grow_by_a_quarter() -> None:
    other = {**versions(), "python": "3.99"}
    assert not problems(changed(library_calls=72), found_with=other)
    assert not problems(changed(library_calls=10), found_with=other)
    assert "73 calls of Python functions in libraries" in problems(changed(library_calls=73), found_with=other)
    assert "104 calls of pubdice" in problems(changed(calls=104), found_with=other)


def test_what_holds_the_loop_is_named() -> None:
    costs = {
        "GET /": changed(calls=15_000, library_calls=5_000),
        "GET /slow": changed(calls=15_001, library_calls=5_000),
    }
    assert [line.partition("\n")[0] for line in too_long(costs)] == [
        "GET /slow holds the event loop for 20,001 Python calls, 20,000 at most:"
    ]
    assert "60 room.decide" in too_long(costs)[0]


# counting


@runtime_checkable
class Sayer(Protocol):
    def say(self) -> None: ...


def named(code: str, name: str = "pubdice.x", **given: Any) -> Any:
    """A function ``f`` of a module with this name."""
    module = {"__name__": name, **given}
    exec(code, module)
    return module["f"]


def test_calls_are_counted_by_function_but_no_comprehensions() -> None:
    inner = named("def f(): return 1")
    f = named("def f(): return [g() for _ in range(3)] + list(g() for _ in range(2))", "pubdice.y", g=inner)
    with counted_calls() as calls:
        f()
    assert calls.own == {"x.f": 5, "y.f": 1, "y.f.<genexpr>": 3}
    assert calls.modules == {"pubdice.x", "pubdice.y"}


def test_a_library_call_counts_for_the_function_it_serves() -> None:
    f = named("def f(x): return isinstance(x, Sayer)", Sayer=Sayer)
    with counted_calls() as calls:
        f(1)
        f(2)
    assert calls.own == {"x.f": 2}
    assert calls.by_function["x.f"] == 2 + sum(calls.served.values())


def test_calls_of_tests_are_not_counted() -> None:
    test = named("def f(g): return g() + len(str(Counter('ab')))", "support.z", Counter=Counter)
    f, g = named("def f(test, g): return test(g)"), named("def f(): return 1", "pubdice.g")
    with counted_calls() as calls:
        f(test, g)
    assert calls.own == {"x.f": 1, "g.f": 1}
    assert not calls.served


def test_a_coroutine_counts_each_time_it_goes_on() -> None:
    f = named("async def f(asyncio, g):\n await asyncio.sleep(0)\n await asyncio.to_thread(g)\n g()")
    g = named("def f(): return 1", "pubdice.g")
    with counted_calls() as calls:
        asyncio.run(f(asyncio, g))
    assert calls.own == {"x.f": 3, "g.f": 1}


def test_a_c_function_is_counted_and_named_but_no_builtin() -> None:
    f = named("def f(crc): return [crc(b'x') for _ in range(3)] + sorted([len('x')]) + ['x'.upper()]")
    with counted_calls() as calls:
        f(crc32)
    assert calls.compiled == {("x.f", "zlib.crc32"): 3}
    assert calls.by_function["x.f to zlib.crc32"] == 3


@pytest.mark.parametrize(("frozen", "found"), [(True, {"object.__setattr__": 6}), (False, {})])
def test_each_field_that_a_frozen_dataclass_sets_is_a_call_of_c(frozen: bool, found: dict[str, int]) -> None:
    pair = f"@dataclass(frozen={frozen})\nclass Pair:\n a: int\n b: int\n"
    f = named(pair + "def f(): return [Pair(1, b=2) for _ in range(3)]", dataclass=dataclass)
    with counted_calls() as calls:
        f()
    assert {called: number for (_, called), number in calls.compiled.items()} == found


def test_what_waits_is_counted_in_every_thread() -> None:
    f = named("def f(): time.sleep(0)", time=time)
    threading.setprofile(in_threads)
    try:
        thread = threading.Thread(target=f)
    finally:
        with counted_calls() as calls:
            thread.start()
            thread.join()
        threading.setprofile(None)
    assert calls.waits == {("x.f", "time.sleep"): 1}
    assert not calls.compiled


def test_what_a_library_waits_for_on_our_behalf_is_ours(tmp_path: Path) -> None:
    f = named("def f(file): file.write_text('x')")
    threading.setprofile(in_threads)
    try:
        thread = threading.Thread(target=f, args=(tmp_path / "own",))
    finally:
        with counted_calls() as calls:
            f(tmp_path / "x")
            thread.start()
            thread.join()
        threading.setprofile(None)
    assert [(function, number) for (function, _), number in calls.waits.items()] == [("x.f", 2)]


def test_a_timer_of_a_second_counts_and_one_of_a_minute_not() -> None:
    f = named("async def f(asyncio):\n asyncio.get_running_loop().call_later(60, print)\n await asyncio.sleep(0.001)")
    with counted_calls() as calls:
        asyncio.run(f(asyncio))
    assert calls.waits == {("x.f", "a timer"): 1}


@pytest.mark.parametrize("each", [1, 2])
def test_a_start_costs_the_same_beside_more_distributions(each: int) -> None:
    many = each * len(list(distributions()))
    looked = for_one_distribution(Cost({"waits": many + 3, "compiled_calls": many + 9}, {LOOKS[0]: many, LOOKS[1]: 5}))
    assert looked.numbers == {"waits": each + 3, "compiled_calls": each + 9 - 4}
    assert looked.functions == {LOOKS[0]: each, LOOKS[1]: 1}


def test_a_busy_machine_makes_no_earlier_timer_due() -> None:
    async def scene(pub: CountedPub) -> list[str]:
        due = list[str]()
        asyncio.get_running_loop().call_later(0.01, due.append, "due")
        time.sleep(0.02)
        await pub.settle()
        return due

    assert in_child(lambda: at_home(scene)) == []


def test_a_heavy_function_of_python_counts_with_those_of_c() -> None:
    f = named("def f(re): return re.sub('a+', 'b', 'caat')", re=re)
    f(re)
    with counted_calls() as calls:
        f(re)
    assert calls.compiled == {("x.f", "re.sub"): 1}


def test_a_statement_that_reads_a_whole_table_is_found(tmp_path: Path) -> None:
    traffic, file = Traffic(), tmp_path / "x.db"
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE log (code TEXT PRIMARY KEY, line TEXT) WITHOUT ROWID")
        db.set_trace_callback(partial(traffic.traced, file))
        db.execute("SELECT line FROM log WHERE code = ?", ("x",))
        assert traffic.scans() == {}
        db.execute("SELECT line FROM log WHERE lower(code) = lower(?)", ("x",))
        db.execute("SELECT l.line FROM log AS l WHERE lower(l.code) = 'x'")
    assert traffic.scans() == {"SQLite: SCAN log": 1, "SQLite: SCAN l": 1}


COPY = """
from functools import cache
from costs.houses import in_child
f = cache(lambda: 1)
print(in_child(lambda: [f(), f.cache_info().currsize]), f.cache_info().currsize)
in_child(lambda: 1 // 0)
"""


def test_a_copied_process_warms_no_cache_and_its_failure_counts() -> None:
    environ = {**os.environ, "PYTHONPATH": PATHS}
    done = subprocess.run([sys.executable, "-c", COPY], env=environ, capture_output=True, text=True, check=False)
    assert done.stdout == "[1, 1] 0\n", done.stderr
    assert "ZeroDivisionError" in done.stderr
    assert "the child has failed" in done.stderr
