"""Chances to shut the box that others have published, and ours.

- Bill Butler, *Shut the Box* (durangobill.com, "STBstats.txt"): per cent to four digits, always two dice, and one die
  once 6 or less is left.
- UnaryPlus, *Shut the box strategy* (GitHub): the exact fraction with one die.
- Matthew Bontrager, *Shut the Box simulations*: 0.41% with twelve tiles, by a million rounds of a simple strategy. Best
  play shuts it more often.
"""

from fractions import Fraction

import pytest

from pubdice.games.shutbox.rules import ShutTheBox
from pubdice.solve.turns.goals import ToWin, utility
from pubdice.solve.turns.turn_nodes import one_turn
from support.console import Told, pubdice

UNARY = Fraction(956177159, 9795520512)


def shut(die: str, tiles: int = 9) -> float:
    """The chance to shut the box under best play for it."""
    turned = one_turn(ShutTheBox(die, "sum", tiles))
    return float(turned.solve(utility(("reach", 0), turned, ToWin())).value[turned.start])


def asked(line: str) -> Told:
    return pubdice(*line.split())


@pytest.mark.parametrize(("die", "per_cent"), [("no", 7.1432), ("six", 9.7614)])
def test_nine_tiles_are_shut_as_often_as_butler_says(die: str, per_cent: float) -> None:
    assert 100 * shut(die) == pytest.approx(per_cent, abs=5e-5)


@pytest.mark.parametrize("die", ["six", "maysix", "may"])
def test_with_one_die_the_chance_is_the_published_fraction(die: str) -> None:
    assert shut(die) == pytest.approx(float(UNARY), abs=1e-12)


def test_twelve_tiles_are_shut_more_often_than_a_simple_strategy_shuts_them() -> None:
    assert 0.0041 < shut("six", 12) < 0.005


def test_the_first_question_of_every_thread_has_an_answer() -> None:
    assert asked("odds shutbox --goal shut").out.startswith("Chance: 7.1%.\nScores: 0: 7.1%, 1: ")
    assert asked("odds shutbox --goal shut --die six").out.startswith("Chance: 9.8%.")


def test_reach_means_that_score_or_less() -> None:
    assert asked("odds shutbox --goal reach:0").out.startswith("Value 0.0714.")
    least, more = (float(asked(f"odds shutbox --goal {goal}:3").out.split()[1][:-1]) for goal in ("exactly", "reach"))
    assert 0.0714 < more < 0.0714 + 3 * least
    told = asked("odds shutbox --goal reach:46")
    assert "A goal is score, win, shut, reach:N (N or less) or exactly:N. N is 0 to 43." in told.err
    assert "reach:N (N or less)" in " ".join(asked("odds shutbox --help").out.split())
    assert "reach:N (N or less)" in " ".join(asked("odds threes --help").out.split())
    assert "(N or less)" not in asked("odds ship --help").out
