"""Choices that follow choices with no roll between, forced ones in a row: both solvers against fractions from rules."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from oracles.compare import compare, walks
from oracles.expectimax import expectimax
from oracles.max_n import MaxN
from pubdice.advice.turn_odds import advise_turn
from pubdice.core.dice import rolls
from pubdice.core.game import Keep, RoundResult, RoundState, TurnGame, uniform
from pubdice.games import GAMES
from pubdice.match.formats import Format, Pot, Rounds
from pubdice.match.match import Match
from pubdice.solve.choose import one_turn_each
from pubdice.solve.finite.sheet import Sheet
from pubdice.solve.plain.solver import PlainSolver
from pubdice.solve.solver import Solver
from pubdice.solve.turns.contest import best, contest
from pubdice.solve.turns.solver import TurnSolver
from pubdice.solve.turns.turn import turn
from small_games import Bust, Ladder

SOLVERS: dict[str, Callable[[Match[Any, Any]], Solver]] = {"plain": PlainSolver, "turns": TurnSolver}
EVERY_SOLVER = pytest.mark.parametrize("name", SOLVERS)


def test_the_game_has_what_is_tried_here() -> None:
    """A keep that leads to a choice; forced keeps one after the other; a forced roll after a forced keep."""
    game, match = Ladder(), Match(Ladder(), 2, Rounds(1))
    steps = [(a.round, b.round) for a, b in pairwise(walks(match, 1, 200)) if a.round is not None and b.round]
    chosen = [(game.legal(a), game.legal(b)) for a, b in steps if game.legal(a)]
    assert any(len(first) > 1 and len(then) > 1 for first, then in chosen), "two choices in a row"
    assert any(len(first) == len(then) == 1 for first, then in chosen), "two forced ones in a row"
    assert one_turn_each(game)


@EVERY_SOLVER
@pytest.mark.parametrize(
    ("game", "seats", "form", "opener"),
    [
        (Ladder(), 1, Rounds(1), "rotate"),
        (Ladder(), 2, Rounds(1), "rotate"),
        (Ladder(), 2, Rounds(2), "winner"),
        (Bust(), 3, Rounds(2), "winner"),
        pytest.param(Ladder(), 3, Rounds(1), "rotate", marks=pytest.mark.nightly),
    ],
    ids=str,
)
def test_values_are_those_of_the_rules_in_fractions(
    name: str, game: TurnGame, seats: int, form: Format, opener: str
) -> None:
    match = Match(game, seats, form, opener)
    assert compare(SOLVERS[name](match), MaxN(match), matches=8) > 5


@pytest.mark.parametrize("seats", [2, 3])
def test_both_solvers_say_the_same_of_a_pot(seats: int) -> None:
    match = Match(Ladder(), seats, Pot(1, 1))
    plain, turns = PlainSolver(match), TurnSolver(match)
    exact = 1e-10 + turns.bound + plain.bound
    for state in walks(match, 2, 4):
        assert plain.values(state) == pytest.approx(turns.values(state), abs=exact)
        assert [value for _, value in plain.action_values(state)] == pytest.approx(
            [value for _, value in turns.action_values(state)], abs=exact
        )


EVERY_GAME = pytest.mark.parametrize("game", [Ladder(), Bust()], ids=["ladder", "bust"])


@EVERY_GAME
def test_the_chances_of_a_policy_are_those_of_the_rules(game: TurnGame) -> None:
    sheet = Sheet(game, game.start(1))
    right = _uniform(game, game.start(1), {})
    assert sum(right.values()) == 1
    chances = {result.scores[0]: chance for result, chance in sheet.chances(uniform).items()}
    assert chances == pytest.approx({score: float(chance) for score, chance in right.items()}, abs=1e-14)
    mean = sum(score * chance for score, chance in right.items())
    assert sheet.value(uniform, lambda result: float(result.scores[0])) == pytest.approx(float(mean), abs=1e-13)


def _uniform(game: TurnGame, state: RoundState, known: dict[RoundState, dict[int, Fraction]]) -> dict[int, Fraction]:
    """The chance of every score if every legal keep is equally likely, from the rules alone."""
    if state.scores:
        return {state.scores[0]: Fraction(1)}
    if state not in known:
        due, legal = game.to_roll(state), game.legal(state)
        after = [(game.roll(state, hand), Fraction(ways, 6**due)) for hand, ways in rolls(due)] if due else []
        after += [(game.play(state, action), Fraction(1, len(legal))) for action in legal]
        found = dict[int, Fraction]()
        for following, chance in after:
            for score, part in _uniform(game, following, known).items():
                found[score] = found.get(score, Fraction(0)) + chance * part
        known[state] = found
    return known[state]


@EVERY_GAME
def test_best_play_of_a_turn_is_that_of_the_rules_for_every_goal(game: TurnGame) -> None:
    turned, sheet = turn(game), Sheet(game, game.start(1))
    for rank, least in enumerate(turned.scores):
        right = float(expectimax(game, game.start(1), partial(_reaches, least)))
        worth = (np.arange(len(turned.scores)) >= rank).astype(float)
        assert turned.solve(worth).value[turned.start] == pytest.approx(right, abs=1e-14)
        held = sheet.best(game.legal, partial(_reached, least))
        assert held == pytest.approx(right, abs=1e-14)


def _reaches(least: int, result: RoundResult) -> Fraction:
    return Fraction(result.scores[0] >= least)


def _reached(least: int, result: RoundResult) -> float:
    return float(result.scores[0] >= least)


def test_best_play_against_itself_has_the_share_that_the_match_says() -> None:
    game, match = Ladder(), Match(Ladder(), 2, Rounds(1))
    perfect = contest(game).player(best)
    assert contest(game).share(perfect, perfect) == pytest.approx(TurnSolver(match).values(match.start())[0], abs=1e-12)


def test_a_keep_is_priced_at_the_choice_that_follows_it() -> None:
    match = Match(Ladder(), 2, Rounds(1))
    solver = TurnSolver(match)
    state = match.roll(match.start(), (2, 5))
    values = dict(solver.action_values(state))
    for keep in (Keep((2,)), Keep((5,))):
        after = match.play(state, keep)
        assert match.to_roll(after) == 0
        assert max(value for _, value in solver.action_values(after)) == pytest.approx(values[keep], abs=1e-14)
        assert solver.values(after)[0] == pytest.approx(values[keep], abs=1e-14)


def test_a_position_of_such_a_turn_is_advised_on_by_its_dice() -> None:
    ladder = replace(GAMES["threes"], build=lambda _: Ladder(), options=())
    found = advise_turn(ladder, {"locked": "2", "roll": "5"}).data()
    assert [row["keep"] for row in found["actions"]] == [[5], []], "it stays, or is rolled again"
    assert found["actions"][0]["value"] == 9
    assert advise_turn(ladder, {"roll": "25"}).data()["value"] == pytest.approx(9, abs=1e-12), "both are set, or one is"
