"""Two revisions compared: by turns, in pairs, with an interval, and a verdict that a slower one can't escape."""

import subprocess
import sys
from collections.abc import Iterator
from math import exp
from pathlib import Path
from random import Random

import pytest

from benchmarks import compare
from benchmarks.compare import Ratio, Revision, Seconds, alternate, checked_out, in_process, line, ratio

OURS, THEIRS = (Revision(name, Path(), Path(sys.executable)) for name in ("this revision", "the other"))
WORK = "import json; exec(open('work.py').read()); print(json.dumps([STEPS, 2 * STEPS]))"
"""Seconds that a revision's own file says, so that no test depends on a clock."""


def drifting(factor: float, noise: float = 0.02) -> list[tuple[Seconds, Seconds]]:
    """Pairs of a run on a machine that becomes three times slower; this revision takes ``factor`` times as long."""
    rng = Random(420)

    def took(slow: float, times: float) -> Seconds:
        return Seconds(slow * times * exp(rng.gauss(0, noise)), 3 * slow * times * exp(rng.gauss(0, 5 * noise)))

    return [(took(1 + at / 3, factor), took(1 + at / 3, 1)) for at in range(7)]


@pytest.mark.parametrize(("factor", "verdict"), [(1.5, "worse"), (1.1, "worse"), (0.9, "better"), (1.0, "same")])
def test_a_known_factor_lies_in_the_interval_and_is_called_by_its_name(factor: float, verdict: str) -> None:
    said, found = line("moves", drifting(factor))
    assert found.least < factor < found.most
    assert found.most - found.least < 0.1, "what drifts falls out of each pair"
    assert said.split()[:3] == ["moves", verdict, "processor"]
    assert f"processor {found}, clock " in said


def test_much_noise_is_a_wide_interval_and_no_verdict() -> None:
    _, found = line("moves", drifting(1.1, noise=0.3))
    assert found.verdict == "same"
    assert found.most - found.least > 0.3


def test_less_than_a_hundredth_is_the_same_however_sure() -> None:
    assert ratio([(1.005, 1.0), (1.0051, 1.0), (1.0049, 1.0), (1.005, 1.0), (1.005, 1.0)]).verdict == "same"
    assert str(Ratio(0.9, 0.95, 1.0)) == "0.95 (0.90 to 1.00)"


@pytest.mark.parametrize("pairs", [0, 4, 100])
def test_too_few_pairs_say_nothing(pairs: int) -> None:
    with pytest.raises(ValueError, match="5 to 19 pairs"):
        ratio([(1.0, 1.0)] * pairs)


def test_each_is_measured_by_turns_and_each_goes_first_in_half_of_the_pairs() -> None:
    asked, clock = list[str](), iter(range(100))

    def measure(revision: Revision) -> Seconds:
        asked.append(revision.name)
        at = next(clock)
        return Seconds(at, at)

    pairs = alternate(measure, OURS, THEIRS, 5)
    assert asked.count(OURS.name) == asked.count(THEIRS.name) == 1 + 5
    order = ["ours" if ours.clock < theirs.clock else "theirs" for ours, theirs in pairs]
    assert order == ["ours", "theirs", "ours", "theirs", "ours"]


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Path]:
    """A repository of two commits: the second one takes half as many steps again."""
    folder = tmp_path / "repository"
    folder.mkdir()

    def git(*words: str) -> None:
        who = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)

    git("init")
    for number, steps in enumerate((200, 300)):
        (folder / "work.py").write_text(f"STEPS = {steps}")
        git("add", "work.py")
        git("commit", "-m", str(number))
    yield folder
    git("worktree", "prune")
    found = subprocess.run(["git", "worktree", "list"], cwd=folder, check=True, capture_output=True, text=True)
    assert found.stdout.count("\n") == 1, "nothing is left behind"


def test_a_slower_commit_is_worse_and_the_one_before_it_better(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = {"work": in_process(WORK)}
    with checked_out(repository, "HEAD~1", tmp_path / "theirs") as folder:
        here = Revision("this revision", repository, Path(sys.executable))
        before = Revision("HEAD~1", folder, Path(sys.executable))
        assert not compare.compare(figures, here, before, 5)
        assert compare.compare(figures, before, here, 5)
        assert compare.compare(figures, here, here, 5)
    words = [said.split()[:4] for said in capsys.readouterr().out.splitlines()]
    assert words == [["work", verdict, "processor", times] for verdict, times in
                     (("worse", "1.50"), ("better", "0.67"), ("same", "1.00"))]  # fmt: skip
    assert not (tmp_path / "theirs").exists()


def test_a_revision_that_is_none_is_an_error_and_leaves_nothing(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError), checked_out(repository, "no-such", tmp_path / "theirs"):
        pass
    assert not (tmp_path / "theirs").exists()
