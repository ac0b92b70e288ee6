"""Everything that is computed and kept is below one folder, which PUBDICE_CACHE names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pubdice.cache_folder import cache_folder
from pubdice.solve import acceleration

COMPUTE = """
import numpy as np
from pubdice.advice.questions import question
from pubdice.cache_folder import cache_folder
from pubdice.games import GAMES
from pubdice.games.midnight.rules import Midnight
from pubdice.solve.turns.turn import turn
from pubdice.solve.finite import kernels
from pubdice.solve.race.compiled_sweep import fast_sweep
from pubdice.solve.race.race import solve
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.solve.race.seat import one_seat

turned = turn(Midnight())
question(GAMES["420"].with_cache(cache_folder()), "odds").answer({"seats": "2"})
kernels.start_values(turned.graph, np.ones((len(turned.graph.results), 32)))
solve(one_seat(FourTwenty()).automaton, 2, kernel=fast_sweep(cache_folder()))
"""


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.nightly
@pytest.mark.skipif(not acceleration.numba_there(), reason="needs the extra fast: pip install 'pubdice[fast]'")
def test_nothing_is_kept_anywhere_else(tmp_path: Path) -> None:
    home, cache = tmp_path / "home", tmp_path / "cache"
    home.mkdir()
    given = {name: text for name, text in os.environ.items() if not name.startswith(("XDG_", "NUMBA_"))}
    quick = {"PYTHONDONTWRITEBYTECODE": "1", "NUMBA_OPT": "0"}  # it is about where files are, not how fast the sums
    env = {**given, **quick, "HOME": str(home), "PUBDICE_CACHE": str(cache)}
    subprocess.run([sys.executable, "-c", COMPUTE], env=env, check=True, timeout=120, cwd=tmp_path)
    assert _files(home) == []
    assert {path.name.partition("-")[0] for path in cache.iterdir()} >= {"numba"}
    assert len([path for path in cache.iterdir() if path.name.startswith("numba-")]) == 2, "of both kinds of kernels"
    assert {path.parent for path in _files(tmp_path)} <= {path.parent for path in _files(cache)}


@pytest.mark.skipif(not acceleration.numba_there(), reason="needs the extra fast: pip install 'pubdice[fast]'")
@pytest.mark.parametrize("at", [pytest.param("none", marks=pytest.mark.nightly), "no folder"])
def test_without_a_folder_that_can_be_written_the_sums_are_compiled_all_the_same(at: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    lines = [
        "import pubdice.solve.finite.kernels as fast",
        "from pathlib import Path",
        "import numpy as np",
        f"fast.cache_folder = lambda: {'None' if at == 'none' else repr(tmp_path / 'file')}".replace("Posix", ""),
        "from pubdice.games.midnight.rules import Midnight",
        "from pubdice.solve.turns.turn import turn",
        "turned = turn(Midnight())",
        "values = fast.start_values(turned.graph, np.ones((len(turned.graph.results), 32)))",
        "assert abs(values - 1).max() < 1e-12",
    ]
    env = {**os.environ, "NUMBA_OPT": "0"}  # as above
    subprocess.run([sys.executable, "-c", "\n".join(lines)], env=env, check=True, timeout=120, cwd=tmp_path)
    assert _files(tmp_path) == [tmp_path / "file"]


def test_a_user_without_a_home_has_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home(*_: object, **__: object) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("platformdirs.user_cache_path", no_home)
    monkeypatch.delenv("PUBDICE_CACHE")
    assert cache_folder() is None
