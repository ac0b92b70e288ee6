"""The strategy section of the encyclopedia's article: its formula and both its tables, found by the solver."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oracles.expectimax import expectimax
from pubdice.core.dice import FACES, Hand, rolls
from pubdice.core.game import RoundResult
from pubdice.games.midnight.rules import DICE, Midnight, RoundState, lacking
from pubdice.solve.turns.turn import turn

PUBLISHED: dict[str, Any] = json.loads(Path(__file__).with_name("midnight_odds.json").read_text(encoding="utf-8"))
NEEDS = ((1, 4), (2, 4))
EVERY_NEED = pytest.mark.parametrize("need", NEEDS, ids=["1-4", "2-4"])


def _formula(thrown: int) -> Fraction:
    """1-(2(5/6)^n-(4/6)^n)."""
    return 1 - (2 * Fraction(5, 6) ** thrown - Fraction(4, 6) ** thrown)


def _percent(chance: float) -> float:
    return round(100 * chance, 1)


def _thrown(left: int) -> int:
    """How many dice are thrown at most by keeping one at a time: 21 = 6+5+4+3+2+1."""
    return left * (left + 1) // 2


def _qualify(result: RoundResult) -> Fraction:
    return Fraction(result.scores[0] > 0)


def _best(need: tuple[int, int], locked: Hand) -> float:
    """The greatest chance to qualify with these dice locked."""
    turned = turn(Midnight(need))
    return float(turned.solve((turned.mean > 0).astype(float)).value[turned.node(RoundState(1, (), locked))])


@EVERY_NEED
def test_the_greatest_chance_to_score_is_the_formula_at_21_dice_exactly(need: tuple[int, int]) -> None:
    game = Midnight(need)
    assert expectimax(game, game.start(1), _qualify) == _formula(21)
    assert _best(need, ()) == pytest.approx(float(_formula(21)), abs=1e-15)
    assert _percent(_best(need, ())) == PUBLISHED["approximately"]


@EVERY_NEED
@pytest.mark.parametrize("left", range(1, 7))
def test_with_neither_locked_the_chance_to_score_is_the_published_one(need: tuple[int, int], left: int) -> None:
    useless = [face for face in FACES if face not in need]
    for face in useless:
        chance = _best(need, (face,) * (DICE - left))
        assert _percent(chance) == PUBLISHED["with neither"][str(left)]
        assert chance == pytest.approx(float(_formula(_thrown(left))), abs=1e-15)


@EVERY_NEED
@pytest.mark.parametrize("left", range(1, 6))
def test_with_either_locked_the_chance_to_score_is_the_published_one(need: tuple[int, int], left: int) -> None:
    for face in need:
        locked = tuple(sorted((face, *(6,) * (DICE - left - 1))))
        chance = _best(need, locked)
        assert _percent(chance) == PUBLISHED["with either"][str(left)]
        assert chance == pytest.approx(1 - (5 / 6) ** _thrown(left), abs=1e-15)


@EVERY_NEED
def test_both_are_there_after_each_throw_as_often_as_published(need: tuple[int, int]) -> None:
    """The solver's own play for ``qualify``, followed through the rules: the chance to hold both after each throw."""
    turned = turn(Midnight(need))
    game, solved = turned.game, turned.solve((turned.mean > 0).astype(float))
    standing: dict[Hand, Fraction] = {(): Fraction(1)}
    held, thrown = Fraction(0), 0
    for left in range(DICE, 0, -1):
        following: dict[Hand, Fraction] = {}
        for locked, weight in standing.items():
            assert len(locked) == DICE - left, "one die is kept at a time until both are there"
            for hand, ways in rolls(left):
                chance = weight * Fraction(ways, 6**left)
                if not lacking(locked + hand, need):
                    held += chance
                    continue
                nodes = dict(turned.after(RoundState(1, (), locked, hand)))
                best = turned.choice(solved, list(nodes.values()))
                keep = next(keep for keep, node in nodes.items() if node == best)
                after = game.play(RoundState(1, (), locked, hand), keep)
                if after.scores:
                    assert after.scores == (0,)
                    continue
                following[after.locked] = following.get(after.locked, Fraction(0)) + chance
        standing = following
        thrown += left
        assert held == _formula(thrown)
        assert _percent(float(held)) == PUBLISHED["after each throw"][str(left)]


def test_it_is_the_only_way_to_score_most_often_that_a_needed_die_is_kept_when_first_thrown() -> None:
    """The encyclopedia, "Maximum probability of scoring": a 1 or a 4 on sight, otherwise one die."""
    turned = turn(Midnight())
    solved = turned.solve((turned.mean > 0).astype(float))
    for hand, _ in rolls(DICE):
        after = turned.after(RoundState(1, (), (), hand))
        best = max(solved.value[node] for _, node in after)
        kept = [keep.dice for keep, node in after if solved.value[node] >= best - 1e-12]
        found = {face for face in (1, 4) if face in hand}
        if len(found) == 2:
            assert all(found <= set(dice) for dice in kept if len(dice) < DICE - 1)
        else:
            assert all(len(dice) == 1 for dice in kept)
            assert all(found <= set(dice) for dice in kept)
