"""Figures of best play: every number is what the command that stands beside it prints."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pubdice.advice.figures import BestPlayFigure, figure, figure_names
from pubdice.games import GAMES
from pubdice.games.fourtwenty.solving import RacePrices
from pubdice.kit import Kit
from pubdice.match.match import Match
from pubdice.solve.solver import Solver
from pubdice.text.catalogues import language
from pubdice.text.game_words import CHANCES
from pubdice.text.language import Language
from support.console import Room

QUICK = "ship"
"""The game of turns whose figures take the least time; the slow ones of the others are nightly."""
SLOW = ("card", "prices")
FIGURES = [
    pytest.param(
        kit, name, id=f"{kit.name}-{name}", marks=[] if kit.name == QUICK or name not in SLOW else pytest.mark.nightly
    )
    for kit in GAMES.values()
    for name in figure_names(kit)
]


@cache
def _solver(name: str, match: Match[Any, Any]) -> Solver:
    kit = GAMES[name]
    assert kit.solver is not None
    return kit.solver(match)


def _figure(kit: Kit, name: str) -> BestPlayFigure:
    return figure(kit, name, Language(), lambda kit, match: _solver(kit.name, match))


def _printed(command: str) -> Any:
    """What the command prints as JSON; it is typed as the page says."""
    program, _, typed = command.partition(" ")
    assert program == "pubdice"
    told = Room().run(f"{typed} --json")
    assert told.status == 0, told.err
    return json.loads(told.out)


@pytest.mark.parametrize(("kit", "name"), FIGURES)
def test_every_number_is_what_the_command_beside_it_prints(kit: Kit, name: str, tmp_path: Path) -> None:
    shown = _figure(kit, name)
    rows = shown.rows
    assert rows
    assert all(len(row.cells) == len(shown.head) - 1 for row in rows)
    if name in ("reach", "last"):
        for row in rows:
            assert row.value == _printed(shown.command.replace("N", row.given))["value"]
        if name == "reach":
            mean = _printed(f"pubdice odds {kit.name} --goal score")["distribution"]
            lowest = kit.usual_game.lowest_wins
            parts = [mean[: int(row.given) + 1] if lowest else mean[int(row.given) :] for row in rows]
            assert [row.mark for row in rows] == [sum(part) for part in parts]
    elif name == "first-rolls":
        assert [row.value for row in rows] == sorted(row.value or 0.0 for row in rows)
        assert shown.command.endswith(" -")
        for row in rows[:: max(1, len(rows) // 4)]:
            file = tmp_path / "first.record"
            file.write_text(row.given, encoding="utf-8")
            assert row.value == _printed(shown.command.removesuffix("-") + str(file))["value"]
    elif name == "spread":
        mean = _printed(shown.command)["distribution"]
        assert [row.value for row in rows] == [mean[int(row.short)] for row in rows]
        assert sum(row.value or 0.0 for row in rows) == pytest.approx(1, abs=1e-12)
    elif name == "prices":
        told = [next((row[key][0] for key in CHANCES if key in row), None) for row in _printed(shown.command)["rows"]]
        # The figure solves them with what the page has solved, the command each by itself: the last digits differ.
        assert [row.value for row in rows] == pytest.approx(told, abs=1e-12)
    else:
        lines = _printed(shown.command)["lines"]
        for row, line in zip(rows, lines, strict=False):
            dearest = max(other["cost"] for other in lines if other["utility"] == line["utility"])
            assert row.value == line["cost"] / dearest
            assert row.label.endswith(line["text"])
        assert len([row for row in rows if row.value is not None]) == len(lines)
        assert [row.cells == ("–",) for row in rows] == [row.value is None for row in rows]


@pytest.mark.parametrize(
    "kit", [GAMES[QUICK], *[pytest.param(kit, marks=pytest.mark.nightly) for kit in GAMES.values()]]
)
def test_figures_have_the_same_numbers_in_german(kit: Kit) -> None:
    for name in figure_names(kit):
        if name in SLOW:
            continue  # seconds each; the page of each is looked at in German besides
        there = figure(kit, name, language("de"), lambda kit, match: _solver(kit.name, match))
        here = _figure(kit, name)
        assert [row.value for row in there.rows] == [row.value for row in here.rows]
        assert there.title != here.title
        assert there.command == here.command


def test_a_game_has_the_figures_it_has_answers_for() -> None:
    names = {name: figure_names(kit) for name, kit in GAMES.items()}
    assert "spread" in names["midnight"]
    assert "spread" not in names["420"]
    with pytest.raises(KeyError):
        _figure(GAMES["420"], "spread")


def test_prices_of_a_games_own_are_rows_under_the_sentence_that_is_about_all() -> None:
    rows = [{"rule": "race", "choice": "2", "win": [0.6, 0.4]}, {"rule": "drinks", "choice": "3", "buy": [0.25, 0.75]}]
    prices = RacePrices({"rows": rows})
    kit = GAMES["420"]
    shown = figure(kit, "prices", Language(), lambda kit, match: _solver("420", match), lambda *asked: prices)
    assert shown.lead.startswith("Chances in turn order, Player 1 first. Each column: ")
    assert [(row.label, row.cells) for row in shown.rows] == [
        ("1. A race of 2", ("wins 60.0%, 40.0%",)),
        ("2. Drinks for 3", ("buys 25.0%, 75.0%",)),
    ]
