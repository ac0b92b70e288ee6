"""Pictures have correct numbers, the same bytes each time, and their data beside them. So have learning curves."""

import csv
import importlib.util
import io
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import pubdice_lab.paper
from pubdice.annexes import CommandContext
from pubdice.core.errors import BadNotation, Refused
from pubdice.games import GAMES
from pubdice.kit import PERFECT
from pubdice.terminal import console
from pubdice.text.language import Language
from pubdice_lab import publishing
from pubdice_lab.counting import SimulationPlan
from pubdice_lab.plots import PLOTS, Plot, Series, learning, least_mixed, plot
from pubdice_lab.publishing import LEARNING, PICTURES
from pubdice_lab.simulation import simulate
from support.console import pubdice

ROOT = Path(__file__).parents[3]


def _points(found: Plot, name: str) -> dict[float | str, float]:
    (series,) = [series for series in found.series if series.name == name]
    return dict(zip(series.across, series.up, strict=True))


@cache
def _scores(game: str) -> Plot:
    return plot("scores", game, ["tip", "lucky"])


@pytest.mark.parametrize("game", ["mexico", "ship"])
def test_scores_are_those_that_a_simulation_is_told_exactly(game: str) -> None:
    drawn = _scores(game)
    points = {str(score): chance for score, chance in _points(drawn, "tip").items()}
    assert sum(points.values()) == pytest.approx(1, abs=1e-9)
    header = {"format": "rounds 1", "first": "Ann"}
    exact = simulate(game, ["tip", "lucky"], 10, seed=1, **header).seats[0].exact_scores  # type: ignore[arg-type]
    assert exact is not None
    assert points == pytest.approx({score: exact.get(score, 0.0) for score in points}, abs=1e-9)


def test_the_chase_ends_in_the_share_of_the_second() -> None:
    drawn = plot("chase", "ship", ["tip", PERFECT])
    best, careless = _points(drawn, PERFECT), _points(drawn, "tip")
    assert all(best[score] >= careless[score] - 1e-12 for score in best)
    made = _points(plot("scores", "ship", ["lucky"]), "lucky")
    share = sum([chance * careless[score] for score, chance in made.items() if score in careless])
    found = simulate("ship", ["lucky", "tip"], 10, seed=1, format="rounds 1", first="Ann")
    assert share == pytest.approx(found.seats[1].share.exact, abs=1e-9)


def test_the_opener_of_one_round_has_the_solver_s_value() -> None:
    drawn = plot("opener", "ship")
    plan = SimulationPlan("ship", ("lucky", "lucky"), 1, "", (("format", "rounds 1"), ("first", "Ann")))
    assert plan.kit.solver is not None
    value = plan.kit.solver(plan.match()).values(plan.match().start())[0]
    for series in drawn.series:
        assert series.up[0] == pytest.approx(value)
        assert len(series.across) == 12
    assert {series.name for series in drawn.series} == {"rotate", "fixed", "winner", "loser"}


def test_values_rise_from_the_worst_position_to_the_best() -> None:
    drawn = plot("values", "ship")
    for series in drawn.series:
        assert list(series.up) == sorted(series.up)
        assert 0 <= series.up[0] < series.up[-1] <= 1


@pytest.mark.nightly
def test_one_choice_at_420_costs_with_four_players_alone() -> None:
    """docs/games/fourtwenty.md has the same maximum over all hands, 0.33% of the race, from another method."""
    drawn = plot("threats", "420")
    same, mixed = _points(drawn, "the same keep"), _points(drawn, "two keeps by lot")
    assert drawn.up == "greatest loss of one choice"
    assert same[2] == same[3] == mixed[2] == mixed[3] == pytest.approx(0, abs=1e-9)
    assert same[4] == pytest.approx(0.0033, abs=0.00005)
    assert 0.0026 < mixed[4] < 0.0027, "rules that mix lose less, but not nothing"


@pytest.mark.parametrize("seed", range(3))
def test_the_best_mixture_is_that_of_a_linear_program(seed: int) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    lost = np.random.default_rng(seed).random((2, 6))
    lost[:, seed % 6] = 1, 0
    found = optimize.linprog([0, 0, 1], np.column_stack([lost.T, -np.ones(6)]), np.zeros(6), [[1, 1, 0]], [1])
    assert least_mixed(lost) == pytest.approx(found.fun, abs=1e-9)
    assert least_mixed(np.vstack([lost, lost.min(axis=0)])) == pytest.approx(lost.min(axis=0).max(), abs=1e-9)


@pytest.mark.parametrize("game", [pytest.param("threes", marks=pytest.mark.nightly), "ship"])
def test_best_play_alone_cannot_be_exploited(game: str) -> None:
    points = _points(plot("exploitability", game, ["lucky", "tip", PERFECT]), "best reply")
    assert points[PERFECT] == pytest.approx(0, abs=1e-9)
    assert 0 < points["tip"] < points["lucky"] < 1 / 2
    # ``perfect`` wins at most as much as the best reply, because it does not know its opponent
    found = simulate(game, [PERFECT, "lucky"], 10, seed=1, format="rounds 1").seats[0].share.exact
    assert found is not None
    assert points["lucky"] + 1 / 2 >= found - 1e-9


def test_a_picture_is_the_same_bytes_and_its_data_lie_beside_it(tmp_path: Path) -> None:
    points = Series("tip", ("1", "2"), (0.5, 0.25)), Series("bold", ("1", "3"), (0.1, 0.2))
    drawn = Plot("A title", "score", "chance", "line", points)
    for name in ("a.svg", "b.svg", "a.png", "b.png"):
        assert drawn.save(tmp_path / name) == [tmp_path / name, (tmp_path / name).with_suffix(".csv")]
    for kind in ("svg", "png"):
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()
    ElementTree.parse(tmp_path / "a.svg")
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert rows == [
        {"series": "tip", "score": "1", "chance": "0.5"},
        {"series": "tip", "score": "2", "chance": "0.25"},
        {"series": "bold", "score": "1", "chance": "0.1"},
        {"series": "bold", "score": "3", "chance": "0.2"},
    ]


def test_the_command_names_the_files_that_it_wrote(tmp_path: Path) -> None:
    assert tuple(PLOTS) == PICTURES
    file = tmp_path / "scores.svg"
    done = pubdice("--lang", "de", "plot", "scores", "mexico", "--bots", "tip,lucky", "--file", str(file))
    assert (done.status, done.err) == (0, "")
    assert done.out == f"{file}\n{file.with_suffix('.csv')}\n"
    assert file.with_suffix(".csv").read_text("utf-8").startswith("series,score,chance\n")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("moon", "midnight"), 2, "none of scores, chase"),
        (("scores", "chess"), 2, "midnight"),
        (("scores", "midnight", "--bots", "tip,nobody"), 2, "no bot of that name"),
        (("scores", "midnight", "--need", "7,8"), 2, "7,8"),
        (("scores", "420"), 1, "There is no such picture of 420"),
        (("threats", "midnight"), 1, "There is no such picture of Midnight"),
        (("exploitability", "mexico"), 1, "There is no such picture of Mexico"),
        (("chase", "ship", "--bots", "nobody", "--file", "a.pdf"), 2, ".svg or .png"),
        (("chase", "ship", "--bots", "nobody", "--file", "no/such/folder/a.svg"), 1, "Couldn't write"),
        ((LEARNING, "nowhere.csv"), 2, "Couldn't read that: No such file or directory."),
        ((LEARNING, "nowhere.csv", "--bots", "tip"), 2, "The picture learning takes no bots."),
        ((LEARNING, "nowhere.csv", "--need", "2,4"), 2, "The picture learning takes no need."),
        (("opener", "ship", "--bots", "tip"), 2, "The picture opener takes no bots."),
        (("values", "ship", "--bots", "tip"), 2, "The picture values takes no bots."),
        (("threats", "420", "--bots", "tip"), 2, "The picture threats takes no bots."),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(words: tuple[str, ...], status: int, said: str) -> None:
    done = pubdice("plot", *words)
    assert (done.status, done.out) == (status, "")
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_table_that_is_none_of_learning_is_refused(tmp_path: Path) -> None:
    head = "series,matches,regret\n"
    odd = [head + f"ship,{numbers}\n" for numbers in ("many,0", "1,nan", "inf,1", "1,1e400", "1,-1e101", "-1,1")]
    for text in ("", "a,b\n1,2\n", head, "\xff", *odd):
        file = tmp_path / "odd.csv"
        file.write_bytes(text.encode("latin-1"))
        done = pubdice("plot", LEARNING, str(file))
        assert (done.status, done.out) == (2, ""), text
        assert "is no table of learning" in done.err


def test_a_table_of_learning_is_drawn_and_never_written(tmp_path: Path) -> None:
    table = tmp_path / "ship.csv"
    table.write_text("series,matches,regret\nship,1,3\nship,100,1.3\n", "utf-8")
    before = table.read_bytes()
    for _ in range(2):
        done = pubdice("plot", LEARNING, str(table), "--file", str(tmp_path / "ship.svg"))
        assert (done.status, done.out, done.err) == (0, f"{tmp_path / 'ship.svg'}\n", "")
        assert table.read_bytes() == before
    alias = tmp_path / "table.svg"
    alias.hardlink_to(table)
    done = pubdice("plot", LEARNING, str(table), "--file", str(alias))
    assert (done.status, done.out) == (1, "")
    assert table.read_bytes() == before


def test_series_of_learners_may_have_any_name(tmp_path: Path) -> None:
    names = ["$x^{$", "_a", "", "tip", "50%"]
    lines = "".join(f"{name},{matches},{at}\n" for at, name in enumerate(names) for matches in (0, 1, 1000))
    (tmp_path / "$odd_{.csv").write_text("series,matches,regret\n" + lines, "utf-8")
    drawn = learning(tmp_path / "$odd_{.csv")
    drawn.save(tmp_path / "a.svg")
    figure = drawn.figure()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == names
    assert figure.axes[0].get_title() == "$odd_{: what is lost by choice"
    at = figure.axes[0].transData.transform([[1, 0], [10, 0], [100, 0]])[:, 0]
    assert at[1] - at[0] == pytest.approx(at[2] - at[1]), "powers of ten are equally far apart"


@pytest.mark.parametrize("kind", ["scores", "chase"])
def test_bots_named_twice_are_drawn_once(kind: str) -> None:
    drawn = plot(kind, "ship", ["tip", "lucky", "tip"], cargo="stays")
    assert [series.name for series in drawn.series] == ["tip", "lucky"]
    assert drawn.title.startswith("Ship, Captain and Crew (cargo stays): ")


def test_scores_stand_at_their_numbers_or_names() -> None:
    across = plot("chase", "ship", ["tip"]).series[0].across
    assert list(across) == sorted(map(int, across))
    assert plot("chase", "mexico", ["tip"]).series[0].across[-1] == "21"


def test_seats_of_values_have_no_names_of_people() -> None:
    assert [series.name for series in plot("values", "mexico").series] == ["first seat", "second seat"]


def test_no_series_is_told_by_its_colour_alone() -> None:
    lines = Plot("", "a", "b", "line", tuple([Series(str(at), (0, 1), (0, at)) for at in range(30)])).figure().axes[0]
    assert len({(line.get_marker(), str(line._dash_pattern)) for line in lines.lines}) == 30
    bars = Plot("", "a", "b", "bar", tuple([Series(str(at), ("x",), (at,)) for at in range(10)])).figure().axes[0]
    assert len({bar.get_hatch() for bar in bars.patches}) == 10
    assert lines.get_axisbelow() is True
    assert bars.get_axisbelow() is True


def test_shares_are_drawn_as_per_cent_with_their_numbers() -> None:
    figure = Plot("", "bot", "share", "bar", (Series("best reply", ("tip", "lucky"), (0.00006, 0.035)),)).figure()
    figure.draw_without_rendering()
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.texts] == ["0.006%", "3.500%"]
    assert all(text.get_text().endswith("%") for text in axes.get_yticklabels())


@pytest.mark.parametrize(
    "across",
    [
        tuple(range(46)),
        tuple([str(at) for at in range(11, 67)]),
        tuple([f"a long name {at}" for at in range(12)]),
        (0, 4, 5, 1000),
    ],
    ids=["numbers", "many names", "long names", "gaps"],
)
@pytest.mark.parametrize("style", ["line", "bar"])
def test_names_below_the_axis_do_not_overlap(across: tuple[float | str, ...], style: Any) -> None:
    series = tuple([Series(name, across, (0.5,) * len(across)) for name in ("tip", "perfect")])
    _nothing_overlaps(Plot("A title", "score", "chance", style, series))


@pytest.mark.parametrize("game", ["mexico", "ship", "threes"])
def test_scores_below_the_axis_do_not_overlap(game: str) -> None:
    _nothing_overlaps(_scores(game))


def _nothing_overlaps(drawn: Plot) -> None:
    figure = drawn.figure()
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in figure.axes[0].get_xticklabels() if text.get_text()]
    assert len(boxes) > 2 or len(set(drawn.series[0].across)) <= 2
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("plot scores mexico --bots tip --file tip.svg", "Working it out. This may take a minute.\n"),
        ("paper pages", "Working out every number. This takes some minutes.\n"),
    ],
)
def test_a_terminal_that_waits_for_numbers_is_told_so(
    words: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def slowly(folder: Path) -> Iterator[Path]:
        sleep(1)
        yield folder

    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(console, "PATIENCE_S", 0)
    monkeypatch.setattr(pubdice_lab.paper, "paper", slowly)
    monkeypatch.chdir(tmp_path)
    context = CommandContext(Language(), GAMES, io.StringIO(), terminal, monotonic, str, cache=None, plain=False)
    assert publishing.run(words.split(), context) == 0
    assert terminal.getvalue() == said


def test_without_matplotlib_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(Refused, match="no-matplotlib"):
        Plot("", "a", "b", "line", (Series("c", (1.0,), (1.0,)),)).save(tmp_path / "a.svg")
    done = pubdice("plot", "chase", "ship", "--bots", "nobody")
    assert (done.status, done.out) == (1, "")
    assert "pip install 'pubdice[plots]'" in done.err


def test_the_library_refuses_in_sentences() -> None:
    with pytest.raises(BadNotation) as refused:
        plot("scores", "chess")
    assert "no game of that name" in str(refused.value)
    with pytest.raises(Refused) as other:
        plot("chase", "420")
    assert other.value.sentence is not None
    assert "There is no such picture of 420" in other.value.sentence


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_the_example_learns_and_its_curve_is_drawn(game: str, tmp_path: Path) -> None:
    learner = _learner()
    curve = learner.learn(game, 3_000 if game == "ship" else 20_000, seed=1)
    (_, before), (matches, after) = curve[0], curve[-1]
    assert matches == (3_000 if game == "ship" else 20_000)
    # at 420 the learner has met too few positions, which are pairs of hands: it loses 0.16 before and after
    assert after < {"ship": 0.5, "420": 1.2}.get(game, 0.95) * before
    table = tmp_path / "curve.csv"
    lines = "".join(f"{game},{matches},{regret}\n" for matches, regret in curve)
    table.write_text("series,matches,regret\n" + lines, "utf-8")
    assert pubdice("plot", LEARNING, str(table), "--file", str(tmp_path / "curve.svg")).status == 0


def _learner() -> Any:
    found = importlib.util.spec_from_file_location("learn", ROOT / "examples" / "learn.py")
    assert found is not None
    assert found.loader is not None
    learner = importlib.util.module_from_spec(found)
    found.loader.exec_module(learner)
    return learner


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--matches", "0"), "--matches takes 1 or more."),
        (("--file", "no/such/folder/a.csv"), "Couldn't write no/such/folder/a.csv."),
        (("--file", "."), "Couldn't write ."),
    ],
)
def test_the_example_refuses_before_it_learns(
    words: tuple[str, ...],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["learn.py", "ship", *words])
    with pytest.raises(SystemExit, match="2"):
        _learner().main()
    assert said in capsys.readouterr().err


def test_the_example_says_that_a_game_is_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = _learner()
    monkeypatch.setattr(learner, "GAMES", {"pig": replace(GAMES["ship"], name="pig", solver=None)})
    with pytest.raises(SystemExit, match="pig is not solved"):
        learner.learn("pig", 1, 1)
