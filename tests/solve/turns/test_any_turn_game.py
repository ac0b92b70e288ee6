"""Small games of one turn a seat, straight from the rules in exact fractions: the lowest wins, or any score can win."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import pytest

from pubdice.core.dice import Hand, rolls
from pubdice.core.game import Keep, RoundState, Seat, TurnGame
from pubdice.match.formats import Rounds
from pubdice.match.match import Match
from pubdice.solve.finite.sheet import Sheet
from pubdice.solve.turns.contest import contest
from pubdice.solve.turns.goals import ToWin, read_goal, span, utility
from pubdice.solve.turns.solver import TurnSolver
from pubdice.solve.turns.turn import NEVER, turn


@dataclass(frozen=True, slots=True)
class LowPair(TurnGame):
    """Two dice, threes count nothing, the lowest wins; every score can win."""

    number_of_dice: ClassVar[int] = 2
    one_turn_each: ClassVar[bool] = True
    lowest_wins: ClassVar[bool] = True
    scoreless: ClassVar[int | None] = None

    def worth(self, hand: Hand) -> int:
        return sum(face for face in hand if face != 3)


@dataclass(frozen=True, slots=True)
class LowButNotTwelve(LowPair):
    """The same, but 12 never wins."""

    scoreless: ClassVar[int | None] = 12


@dataclass(frozen=True, slots=True)
class HighPair(TurnGame):
    """Two dice, the highest sum wins, and a 2 is worth nothing and never wins."""

    number_of_dice: ClassVar[int] = 2
    one_turn_each: ClassVar[bool] = True

    def worth(self, hand: Hand) -> int:
        return 0 if 2 in hand else sum(hand)


GAMES: tuple[TurnGame, ...] = (LowPair(), LowButNotTwelve(), HighPair())
EVERY_GAME = pytest.mark.parametrize("game", GAMES, ids=["low", "low but not 12", "high"])


def _minimax(match: Match[Any, Any], state: Any, known: dict[Any, Fraction]) -> Fraction:
    """Seat 0's share of a match of two, whose sum is 1, straight from ``Match``."""
    if state in known:
        return known[state]
    if state.over:
        champions = match.format.champions(state.tally)
        return Fraction(int(0 in champions), len(champions))
    due = match.to_roll(state)
    if due:
        value = sum((ways * _minimax(match, match.roll(state, hand), known) for hand, ways in rolls(due)), Fraction(0))
        value /= 6**due
    else:
        best = max if match.mover(state) == 0 else min
        value = best(_minimax(match, match.play(state, action), known) for action in match.legal(state))
    known[state] = value
    return value


@pytest.mark.parametrize(
    ("game", "rounds"),
    [
        *((game, 1) for game in GAMES),
        (GAMES[1], 2),  # the only one whose lowest wins but for a score that never does
        *(pytest.param(game, 2, marks=pytest.mark.nightly) for game in (GAMES[0], GAMES[2])),
    ],
    ids=str,
)
def test_two_seats_have_the_shares_that_the_rules_give_in_fractions(game: TurnGame, rounds: int) -> None:
    match = Match(game, 2, Rounds(rounds), "rotate", Seat(0))
    solver, known = TurnSolver(match), dict[Any, Fraction]()
    exact = float(_minimax(match, match.start(), known))
    assert solver.values(match.start()) == pytest.approx((exact, 1 - exact), abs=1e-13)
    decisions = [state for state in known if not state.over and match.legal(state)]
    assert decisions
    for state in decisions[:: max(1, len(decisions) // 40)]:
        mover = match.mover(state)
        for action, value in solver.action_values(state):
            share = _minimax(match, match.play(state, action), known)
            assert value == pytest.approx(float(share if mover == 0 else 1 - share), abs=1e-12)


@EVERY_GAME
def test_a_turn_alone_is_played_for_the_best_mean(game: TurnGame) -> None:
    def mean(state: Any) -> Fraction:
        if state.scores:
            return Fraction(-state.scores[0] if game.lowest_wins else state.scores[0])
        due = game.to_roll(state)
        if due:
            parts = [ways * mean(game.roll(state, hand)) for hand, ways in rolls(due)]
            return sum(parts, Fraction(0)) / Fraction(6**due)
        return max(mean(game.play(state, action)) for action in game.legal(state))

    match = Match(game, 1, Rounds(1), "rotate", Seat(0))
    assert TurnSolver(match).values(match.start()) == pytest.approx((float(mean(game.start(1))),), abs=1e-12)


def test_scores_stand_from_the_worst_to_the_best_behind_the_one_that_never_wins() -> None:
    assert turn(LowPair()).scores == (NEVER, *range(12, -1, -1))
    assert turn(LowButNotTwelve()).scores == tuple(range(12, -1, -1))
    assert turn(HighPair()).scores == (0, 2, *range(4, 13))


def _reached(game: TurnGame, goal: str) -> set[int]:
    turned = turn(game)
    worth = utility(read_goal(goal, turned), turned, ToWin())
    return {score for score, value in zip(turned.scores, worth, strict=True) if value}


def test_to_reach_a_score_is_to_have_it_or_a_better_one() -> None:
    assert _reached(LowPair(), "reach:4") == {0, 1, 2, 3, 4}
    assert _reached(HighPair(), "reach:9") == {9, 10, 11, 12}
    assert span(turn(LowPair())) == (0, 12)


@EVERY_GAME
def test_facts_of_a_turn_name_the_score_to_beat_and_how_often_it_is_beaten_or_tied(game: TurnGame) -> None:
    match = Match(game, 2, Rounds(1), "rotate", Seat(0))
    state = match.roll(match.start(), (1, 4))
    state = match.play(state, match.legal(state)[-1])
    state = match.roll(state, (5, 6))
    for _, facts in TurnSolver(match).facts(state):
        assert facts["to_beat"] == 5
        assert facts["beat"] >= 0
        assert facts["beat"] + facts["tie"] <= facts["qualify"] + 1e-12


def test_no_policy_is_asked_about_a_score_that_no_turn_ends_with() -> None:
    """Rank 0 stands for no score at all where every score can win; a policy would make nothing of it."""
    game = LowPair()
    asked: set[tuple[int, ...]] = set()

    def noted(game: Any, state: RoundState) -> tuple[tuple[Keep, int], ...]:
        asked.add(state.scores)
        return ((game.legal(state)[-1], 1),)

    house = contest(game)
    player = house.player(noted)
    ends = {game.worth(hand) for hand, _ in rolls(2)}
    assert asked == {(), *((score,) for score in ends)}
    assert NEVER not in ends
    assert house.share(player, player) == pytest.approx(_share(game, noted), abs=1e-12)
    assert sum(house.result(player, player)) == pytest.approx(1, abs=1e-12)


def _share(game: TurnGame, policy: Any) -> float:
    """The first seat's share of a round of two who play so, from the rules."""
    ended = Sheet(game, game.start(2)).chances(policy)
    return sum(chance * (0 in result.winners) / len(result.winners) for result, chance in ended.items())
