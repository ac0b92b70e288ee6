"""Goal bots: each plays a turn for its own goal; thresholds are what play for the mean reaches so and so often."""

from fractions import Fraction
from functools import partial

import pytest

from oracles.expectimax import expectimax
from pubdice.advice.bots import REACHED, policy, usual_threshold
from pubdice.core.game import Keep, RoundResult, TurnGame
from pubdice.games.midnight import KIT, Midnight
from pubdice.games.ship.rules import Ship
from pubdice.games.threes.rules import Threes
from pubdice.solve.turns.contest import Contest
from small_games import LowPair, Pair

SMALL = [Pair(), LowPair()]


def _worth(game: TurnGame, name: str, result: RoundResult) -> Fraction:
    score = result.scores[0]
    if name == "steady":
        return Fraction(-score if game.lowest_wins else score)
    threshold = usual_threshold(game, name)
    return Fraction(score <= threshold if game.lowest_wins else score >= threshold)


@pytest.mark.parametrize("name", ["steady", "cautious", "bold"])
@pytest.mark.parametrize("game", SMALL, ids=str)
def test_each_bot_is_the_best_there_is_at_its_own_goal(game: TurnGame, name: str) -> None:
    contest = Contest(game)
    chances = contest.chances(partial(policy, name, None))
    worth = [_worth(game, name, RoundResult((), (score,))) for score in contest.scores]
    played = sum(float(chance) * float(value) for chance, value in zip(chances, worth, strict=True))
    best = expectimax(game, game.start(1), partial(_worth, game, name))
    assert played == pytest.approx(float(best), abs=1e-12)


@pytest.mark.parametrize("game", [*SMALL, Midnight(), Midnight((2, 4)), Threes()], ids=str)
@pytest.mark.parametrize("name", list(REACHED))
def test_a_threshold_is_the_best_score_that_is_reached_so_often(game: TurnGame, name: str) -> None:
    contest = Contest(game)
    chances = contest.chances(partial(policy, "steady", None))
    rank = contest.scores.index(usual_threshold(game, name))
    assert rank == 1 or chances[rank:].sum() >= REACHED[name]
    assert chances[rank + 1 :].sum() < REACHED[name]


def test_the_thresholds_that_midnight_names_are_those_the_house_would_find() -> None:
    assert {name: usual_threshold(Midnight(), name) for name in REACHED} == KIT.thresholds


def test_where_the_lowest_wins_the_bold_bot_plays_for_less_than_the_cautious_one() -> None:
    assert usual_threshold(Threes(), "bold") < usual_threshold(Threes(), "cautious")


def test_a_bot_does_not_look_at_the_others() -> None:
    game = Midnight()
    alone = game.roll(game.start(1), (1, 2, 3, 4, 6, 6))
    second = game.roll(type(alone)(2, (24,)), (1, 2, 3, 4, 6, 6))
    assert policy("bold", 22, game, alone) == policy("bold", 22, game, second)


@pytest.mark.parametrize("name", ["steady", "cautious"])
@pytest.mark.parametrize("cargo", [(1, 6), (2, 5), (3, 4)])
def test_a_bot_that_ties_rolls_on(name: str, cargo: tuple[int, int]) -> None:
    """A cargo of 7 with one roll left is worth 7 either way: the page of strategy says that they roll."""
    game = Ship()
    first = game.roll(game.start(1), (4, 4, 5, 6, 6))
    kept = game.play(first, Keep((4, 5, 6)))
    second = game.roll(kept, cargo)
    ((keep, _),) = policy(name, None, game, second)
    assert {action.dice for action in game.legal(second)} > {keep.dice}
    assert keep.dice == ()
