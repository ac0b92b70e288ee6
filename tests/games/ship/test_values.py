"""What a turn and a round of Ship are worth: the oracle against our rules."""

from fractions import Fraction

import pytest

from oracles import naive_ship as naive
from oracles.expectimax import expectimax
from pubdice.core.game import RoundResult, RoundState
from pubdice.games.ship.rules import Boxcars, Cargo, Ship
from pubdice.match.formats import Rounds
from pubdice.match.match import Match
from pubdice.solve.turns.solver import TurnSolver

CARGOES: tuple[Cargo, ...] = ("together", "single", "stays")
EVERY_CARGO = pytest.mark.parametrize("cargo", CARGOES)
ROUNDED = {"together": 4.0846, "single": 4.3164, "stays": 3.4837}


def _score(result: RoundResult) -> Fraction:
    return Fraction(result.scores[0])


@EVERY_CARGO
def test_the_best_mean_of_a_turn_is_the_oracles(cargo: Cargo) -> None:
    value = expectimax(Ship(cargo), RoundState(1), _score)
    assert value == naive.best_mean(cargo)
    assert round(float(value), 4) == ROUNDED[cargo]


def test_all_three_come_aboard_in_three_rolls_with_54_percent() -> None:
    """First roll 15.8%: all but the rolls that lack a 6, a 5 or a 4. No source with the chance in three was found."""
    lacking_one = 1 - Fraction(3 * 5**5 - 3 * 4**5 + 3**5, 6**5)
    assert naive.all_aboard(1) == lacking_one
    assert [round(float(naive.all_aboard(rolls)), 4) for rolls in (1, 2, 3)] == [0.1582, 0.3562, 0.5400]
    for cargo in CARGOES:
        assert expectimax(Ship(cargo), RoundState(1), lambda result: Fraction(_score(result) > 0)) == naive.all_aboard()


@EVERY_CARGO
@pytest.mark.parametrize("least", [8, 12])
def test_the_best_chance_of_a_cargo_is_the_oracles(cargo: Cargo, least: int) -> None:
    value = expectimax(Ship(cargo), RoundState(1), lambda result: Fraction(_score(result) >= least))
    assert value == naive.best_chance(least, cargo)


def test_the_best_mean_rolls_a_cargo_below_8_again() -> None:
    """dice.toys, "Ship, Captain, Crew": its bot does so; with two rolls left or one, 7 is the mean of a roll."""
    stopping = naive.stopping_from(8)
    assert sum(stopping.values()) == 1
    assert sum(score * chance for score, chance in stopping.items()) == naive.best_mean()


@EVERY_CARGO
@pytest.mark.parametrize("boxcars", ["no", "yes"])
def test_a_round_of_two_is_worth_to_the_opener_what_the_oracle_says(cargo: Cargo, boxcars: Boxcars) -> None:
    """The second's reply to every score, then the opener's turn for what is left of it."""
    game = Ship(cargo, boxcars)

    def share(result: RoundResult) -> Fraction:
        return Fraction(1 in result.winners, len(result.winners)) if result.winners else Fraction(1, 2)

    reply = {score: expectimax(game, RoundState(2, (score,)), share) for score in naive.SCORES[:-1]}
    if boxcars == "no":
        reply[12] = expectimax(game, RoundState(2, (12,)), share)
    assert all(value == naive.reply(score, cargo, boxcars) for score, value in reply.items())
    reply.setdefault(12, Fraction())
    value = expectimax(game, RoundState(1), lambda result: 1 - reply[result.scores[0]])
    assert value == naive.opener(cargo, boxcars)
    if (cargo, boxcars) == ("stays", "no"):
        assert value == Fraction(1, 2), "nobody has a choice, so all seats are alike"


@EVERY_CARGO
@pytest.mark.parametrize("boxcars", ["no", "yes"])
def test_the_houses_solver_finds_the_openers_share_of_a_round_too(cargo: Cargo, boxcars: Boxcars) -> None:
    """Where boxcars win at once, the seats after them have no turn to tie them with."""
    match = Match(Ship(cargo, boxcars), 2, Rounds(1))
    assert TurnSolver(match).values(match.start())[0] == pytest.approx(float(naive.opener(cargo, boxcars)), abs=1e-12)
