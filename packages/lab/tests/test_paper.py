"""The article agrees with today's solution, and its theorems hold in small cases."""

import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pubdice.core.errors import Refused
from pubdice.games import GAMES
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.solve.race.solutions import solutions
from pubdice_lab import paper as made
from pubdice_lab.plots import Plot, Series, plot, solved
from pubdice_lab.strategy import BEST_PLAY, PAGES, made_part
from support.console import pubdice

ROOT = Path(__file__).parents[3]
ARTICLE = (ROOT / "docs/solve/paper.md").read_text("utf-8")
"""The article as ``pubdice paper DIR`` wrote it. If a figure has a reason to change, write it again."""

EXPLOITED = "exploitability"


def test_the_openers_of_the_article_are_those_of_today() -> None:
    assert made._openers() in ARTICLE


@pytest.mark.nightly
def test_the_plies_of_the_article_are_those_of_today() -> None:
    assert made._plies() in ARTICLE


def test_every_placeholder_of_the_article_is_filled() -> None:
    assert "{" not in ARTICLE
    assert "}" not in ARTICLE


@pytest.mark.nightly
def test_all_of_it_is_made_again_with_its_checksums(tmp_path: Path) -> None:
    written = list(made.paper(tmp_path))
    assert (tmp_path / "paper.md").read_text("utf-8") == ARTICLE
    told = (tmp_path / "strategy.md").read_text("utf-8")
    assert told.startswith((ROOT / "docs/solve/strategy.md").read_text("utf-8"))
    for page in PAGES.values():
        assert made_part((ROOT / f"docs/games/{page}.md").read_text("utf-8"), BEST_PLAY).strip() in told
    lines = [line.split("  ") for line in (tmp_path / "SHA256SUMS").read_text("utf-8").splitlines()]
    sums = {name: digest for digest, name in lines}
    assert set(sums) == {path.name for path in written} - {"SHA256SUMS"}
    for name, digest in sums.items():
        assert sha256((tmp_path / name).read_bytes()).hexdigest() == digest
        assert f"`{name}`" in ARTICLE or name.endswith(".md")


def test_the_bound_of_420_follows_from_one_pass() -> None:
    """Theorem and bound of section 2: if one pass changes values by e, they are within e / w of the true values."""
    solution = solutions(FourTwenty(), None).solved(2, drinks=False)
    rules, values = solution.race.automaton, solution.race.values[0, 0].reshape((solution.race.automaton.kinds,) * 2)
    least = float(rules.least_win)
    wins, ways = np.array(rules.wins) / rules.total, np.array(rules.ways) / rules.total

    def passed(value: Any) -> Any:
        worth = wins[:, None] + ways @ (1 - value).T
        return np.array([worth[list(choices)].max(axis=0) for choices in rules.choices])

    assert np.abs(passed(values) - values).max() / least <= solution.bound
    for seed in range(5):
        other = np.random.default_rng(seed).random(values.shape)
        moved = np.abs(passed(other) - other).max()
        assert np.abs(passed(other) - passed(values)).max() <= (1 - least) * np.abs(other - values).max() + 1e-12
        assert np.abs(other - values).max() <= moved / least
    assert "e / w" in ARTICLE
    assert "from below" not in ARTICLE


def test_bounds_of_the_article_are_never_less_than_they_are() -> None:
    assert made.rounded_up(1.2e-13) == made.rounded_up(2e-13) == "2e-13"
    stated = float(ARTICLE.partition("No value is off by more than ")[2].partition(",")[0])
    assert stated >= max(solved("420", seats, {})[0].bound for seats in (2, 3, 4))


@pytest.mark.parametrize(
    "games", [("ship",), pytest.param(tuple(GAMES), marks=pytest.mark.nightly)], ids=["ship", "all"]
)
def test_what_is_merged_is_counted_without_ends(games: tuple[str, ...]) -> None:
    table = made._positions(games)
    assert set(table.splitlines()) <= set(ARTICLE.splitlines())
    assert table in ARTICLE or games != tuple(GAMES)


def test_the_page_of_environments_has_the_numbers_of_the_article() -> None:
    table = ARTICLE.partition("merged, without ends")[2].partition("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    merged = {row[0]: row[3] for row in rows}
    page = (ROOT / "docs/build/environments.md").read_text("utf-8")
    assert f"{merged['420']} at 420, {merged['Ship, Captain and Crew']} at Ship" in page


def test_a_negative_exploitability_is_shown_and_no_minus_zero() -> None:
    lost = Series("best reply", ("tip", "perfect"), (-0.002, -1e-12))
    table = made._exploited([Plot("", "bot", "share", "bar", (lost,))] * len(made.EXPLOITED))
    assert table.splitlines()[2:] == [
        "| tip | -0.200% | -0.200% | -0.200% |",
        "| perfect | 0.000% | 0.000% | 0.000% |",
    ]


def test_a_folder_that_is_not_empty_is_refused_and_stays(tmp_path: Path) -> None:
    (tmp_path / "strategy.md").write_text("mine", "utf-8")
    done = pubdice("paper", str(tmp_path))
    assert (done.status, done.out) == (2, "")
    assert done.err == f"pubdice paper: There is something in {tmp_path} already. Name a new folder.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["strategy.md"]
    assert (tmp_path / "strategy.md").read_text("utf-8") == "mine"


def test_each_file_is_named_as_it_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "DRAWN", (("scores", "mexico"), *made.DRAWN))
    files = made.paper(tmp_path)
    assert [next(files), next(files)] == [tmp_path / "scores-mexico.svg", tmp_path / "scores-mexico.csv"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scores-mexico.csv", "scores-mexico.svg"]


def test_what_cannot_be_written_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("")
    done = pubdice("paper", str(file))
    assert done.status == 1
    assert done.out == ""
    assert done.err == f"pubdice paper: Couldn't write {file} (File exists).\n"
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(made, "DRAWN", ())  # nothing to draw, so only the check before all other work can refuse
    with pytest.raises(Refused, match="no-matplotlib"):
        next(made.paper(tmp_path / "folder"))


@pytest.mark.nightly
def test_bots_with_one_number_are_named() -> None:
    """At Ship, ``tip`` opens as ``steady`` does. As second seat, only ``tip`` looks at the score to beat."""
    bots = ["tip", "steady", "cautious", "bold"]
    drawn = {kind: [plot(kind, game, bots) for game in ("threes", "ship")] for kind in ("scores", EXPLOITED)}
    scores, lost = ([threes, ship, threes] for threes, ship in drawn.values())
    alike = made._alike(scores, lost)
    assert alike == "`steady`, `cautious`, `bold` at Ship, Captain and Crew"
    assert f"equally often when they open: {alike}." in ARTICLE
    scores, lost = ([plot(kind, "ship", ["tip"])] * 3 for kind in ("scores", EXPLOITED))
    assert made._alike(scores, lost) == "none"
