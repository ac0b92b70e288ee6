"""numba gives numpy's numbers to every caller, and is only loaded where it pays."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pubdice.games.midnight.rules import Midnight
from pubdice.solve import acceleration
from pubdice.solve.arrays import Floats
from pubdice.solve.finite import backward_induction, kernels, loops
from pubdice.solve.numerics import SAME
from pubdice.solve.turns.turn import turn

with_numba = pytest.mark.skipif(
    not acceleration.numba_there(), reason="needs the extra fast: pip install 'pubdice[fast]'"
)
GRAPH = turn(Midnight()).graph
SCORE = np.array([float(result.scores[0]) for result in GRAPH.results])


def _lanes(number: int) -> Floats:
    rng = np.random.default_rng(number)
    utility: Floats = rng.random((22, number)) * 20 - 4
    utility[:, ::3] = np.round(utility[:, ::3] / 8)
    utility[:, ::11] = 0.0
    return utility


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Plain numpy, however much there is to do."""
    with monkeypatch.context() as patch:
        patch.setattr(kernels, "pays", lambda *_: False)
        yield backward_induction


@with_numba
@pytest.mark.parametrize(
    "number", [1, 17, *[pytest.param(many, marks=pytest.mark.nightly) for many in (2, 15, 16, 33, 130)]]
)
def test_compiled_and_plain_give_the_same_numbers(number: int, plain: Any) -> None:
    utility = _lanes(number)
    assert kernels.start_values(GRAPH, utility) == pytest.approx(plain.start_values(GRAPH, utility), abs=1e-12, rel=0)
    assert kernels.start_chances(GRAPH, utility, SCORE, SAME) == pytest.approx(
        plain.start_chances(GRAPH, utility, SCORE), abs=1e-12, rel=0
    )


@with_numba
def test_the_numbers_do_not_depend_on_the_company_a_lane_is_in() -> None:
    utility = _lanes(100)
    whole = kernels.start_values(GRAPH, utility)
    parts = np.concatenate([kernels.start_values(GRAPH, utility[:, :37]), kernels.start_values(GRAPH, utility[:, 37:])])
    assert (whole == parts).all()


@with_numba
def test_two_threads_may_ask_at_once() -> None:
    utility = _lanes(64)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: kernels.start_values(GRAPH, utility), range(12)))
    assert all((each == found[0]).all() for each in found)


def test_a_few_lanes_never_load_numba() -> None:
    """In a process of its own: what a person at a table asks for is too little work to wait for a compiler."""
    lines = [
        "import sys",
        "from pubdice.games.midnight.rules import Midnight",
        "from pubdice.solve.turns.turn import turn",
        "turned = turn(Midnight())",
        "turned.best(turned.mean[:, None])",
        "turned.solve(turned.mean)",
        "assert 'numba' not in sys.modules",
    ]
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True, timeout=60)


WORK = len(GRAPH.flat.after) + len(GRAPH.flat.branch)
"""Choices and branches of a lane."""


@with_numba
def test_much_work_pays_and_little_does_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kernels.kernels, "cache_info", lambda: type("Info", (), {"currsize": 0}), raising=False)
    monkeypatch.setattr(kernels, "folder", lambda: tmp_path)
    assert not kernels.pays(GRAPH, 100)
    assert kernels.pays(GRAPH, 2 * kernels.READY // WORK)
    monkeypatch.setattr(kernels, "folder", lambda: tmp_path / "nothing")
    assert not kernels.pays(GRAPH, 2 * kernels.READY // WORK), "compiling takes longer than loading"
    assert kernels.pays(GRAPH, 2 * kernels.COLD // WORK)


def test_once_numba_is_loaded_a_full_block_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "numba_there", lambda: True)
    monkeypatch.setattr(kernels.kernels, "cache_info", lambda: type("Info", (), {"currsize": 1}), raising=False)
    assert [kernels.pays(GRAPH, lanes) for lanes in (loops.LANES - 1, loops.LANES)] == [False, True], "pays"


def test_without_numba_nothing_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "numba_there", lambda: False)
    assert not kernels.pays(GRAPH, 10**9)


def test_the_cache_folder_is_named_by_the_source(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An edit of the kernels is another folder, so code of an older edit is never run."""
    copy = tmp_path / "loops.py"
    copy.write_bytes(Path(loops.__file__).read_bytes() + b"\n")
    before = kernels.folder()
    monkeypatch.setattr(loops, "__file__", str(copy))
    assert kernels.folder() != before
    after = kernels.folder()
    assert after is not None
    assert before is not None
    assert after.parent == before.parent
