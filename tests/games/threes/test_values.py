"""What a turn and a round of Threes are worth: the oracle against our rules, and both against published numbers."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from oracles import naive_threes as naive
from oracles.expectimax import expectimax
from pubdice.advice.odds import odds
from pubdice.core.game import Keep, RoundResult, RoundState
from pubdice.games.threes import KIT
from pubdice.games.threes.rules import MOON, Moon, Threes
from pubdice.match.formats import Rounds
from pubdice.match.match import Match
from pubdice.solve.turns.solver import TurnSolver
from pubdice.text.language import Language

MOONS: tuple[Moon, ...] = ("no", "yes", "first")


def _low(result: RoundResult) -> Fraction:
    return Fraction(-result.scores[0])


@pytest.mark.parametrize(("dice", "mean"), [(1, 3.000), (2, 4.389), (3, 5.234), (4, 5.834), (5, 6.254)])
def test_the_best_means_are_those_that_were_published(dice: int, mean: float) -> None:
    """Mathematics, question 4482277, answered by HighDiceRoller: icepool's notebook ``game_of_threes``, "Mean cost"."""
    assert round(float(naive.best_mean(dice)), 3) == mean


def test_the_published_chances_of_low_scores_are_found_again() -> None:
    """The same notebook, "5 dice": ways of 470,184,984,576, summed over the threes."""
    ways = {score: chance * 470_184_984_576 for score, chance in naive.distribution().items()}
    assert [ways[score] for score in (0, 1)] == [4_857_964_416, 17_130_860_640]
    assert ways[2] == 24_270_850_800 + 11_886_939_648
    assert ways[3] == 17_264_039_760 + 31_451_837_112


def test_a_turn_played_for_its_mean_is_worth_what_the_oracle_says() -> None:
    game, memory = Threes(), dict[object, Fraction]()
    for kept in range(5):
        locked = RoundState(1, (), (3,) * kept)
        assert -expectimax(game, locked, _low, memory) == naive.best_mean(5 - kept)


@pytest.mark.parametrize("moon", MOONS)
def test_the_best_chances_of_a_nought_and_of_the_moon_are_the_oracles(moon: Moon) -> None:
    game, start = Threes(moon), RoundState(1)
    best = MOON if moon != "no" else 30
    naive_best = naive.MOON if moon != "no" else 30
    assert expectimax(game, start, lambda result: Fraction(result.scores[0] == 0)) == naive.best_chance(0)
    chance = expectimax(game, start, lambda result: Fraction(result.scores[0] == best))
    assert chance == naive.best_chance(naive_best, moon=moon)


@pytest.mark.parametrize("moon", MOONS)
@pytest.mark.parametrize("number", [0, 5])
def test_the_best_chance_of_a_score_or_better_counts_the_moon(moon: Moon, number: int) -> None:
    """It beats every score, so who has to reach 5 has reached it with five sixes where they win at once."""
    found = odds(KIT, {"moon": moon, "goal": f"reach:{number}"})
    best = naive.turn(lambda score: Fraction(score <= number), moon)
    assert found.numbers["value"] == pytest.approx(float(best), abs=1e-12)
    assert ("the moon: " in found.sentences(Language())[-1]) == (moon != "no")


@pytest.mark.parametrize("moon", ["yes", "first"])
def test_the_number_of_the_moon_as_a_goal_asks_for_the_moon_alone(moon: Moon) -> None:
    """docs/games/threes.md: not for 31 or less, as 31 is better than 0."""
    alone = float(naive.best_chance(naive.MOON, moon=moon))
    for goal in ("reach:31", "exactly:31"):
        assert odds(KIT, {"moon": moon, "goal": goal}).numbers["value"] == pytest.approx(alone, abs=1e-12)
    rules = (Path(__file__).parents[3] / "docs/games/threes.md").read_text(encoding="utf-8")
    assert "`exactly:31` and `reach:31` both ask for the moon alone." in rules


@pytest.mark.parametrize("moon", MOONS)
def test_a_round_of_two_is_worth_to_the_opener_what_the_oracle_says(moon: Moon) -> None:
    """The second's reply to every score, then the opener's turn for what is left of it."""
    game = Threes(moon)

    def share(result: RoundResult) -> Fraction:
        return Fraction(1 in result.winners, len(result.winners))

    for score in (0, 3, 6, 30):
        assert expectimax(game, RoundState(2, (score,)), share) == naive.reply(score, moon)
    reply = {MOON: Fraction(0), **{score: naive.reply(score, moon) for score in range(31)}}
    value = expectimax(game, RoundState(1), lambda result: 1 - reply[result.scores[0]])
    assert value == naive.opener(moon)
    assert Fraction(47, 100) < value < Fraction(48, 100), "who plays second has the advantage (dkdataland, Threes)"


@pytest.mark.parametrize("moon", MOONS)
def test_the_houses_solver_finds_the_openers_share_of_a_round_too(moon: Moon) -> None:
    """Where the moon wins at once, the seats after it have no turn to tie it with."""
    match = Match(Threes(moon), 2, Rounds(1))
    assert TurnSolver(match).values(match.start())[0] == pytest.approx(float(naive.opener(moon)), abs=1e-12)


def test_what_a_keep_is_worth_is_what_the_match_is_worth_after_it_though_the_loser_opens() -> None:
    """The second seat ends the first of two rounds with 26 against 3, so it opens the second."""
    match = Match(Threes(), 2, Rounds(2), "loser")
    solver, first = TurnSolver(match), (1, 2, 3, 3, 3)
    before = match.roll(match.play(match.roll(match.start(), first), Keep(first)), (4, 4, 6, 6, 6))
    after = match.play(before, Keep.of(4, 4, 6, 6, 6))
    assert after.order == (1, 0)
    assert dict(solver.action_values(before))[Keep.of(4, 4, 6, 6, 6)] == pytest.approx(
        solver.values(after)[1], abs=1e-12
    )


def test_the_moon_of_the_last_seat_is_worth_what_its_match_is_worth_then() -> None:
    """Where the loser opens: the moon won, though its score is the highest."""
    match = Match(Threes("yes"), 2, Rounds(2), "loser")
    state, threes, sixes = match.start(), (3,) * 5, (6,) * 5
    for hand in (threes, sixes):
        state = match.roll(state, hand)
        before, state = state, match.play(state, Keep(hand))
    assert state.order == (0, 1)
    assert state.round is not None
    solver = TurnSolver(match)
    value = dict(solver.action_values(before))[Keep(sixes)]
    assert value == pytest.approx(solver.values(state)[1], abs=1e-12)
    moon_opens = match.at(replace(state, order=state.order[::-1]), state.round)
    assert value != pytest.approx(solver.values(moon_opens)[1], abs=1e-3), "who opens matters"
