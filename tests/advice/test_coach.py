"""The coach: every action with its value and what is lost by it, verdicts by the yardstick, and what to expect."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from pubdice.advice.coach import BLUNDER, MISTAKE, Coach
from pubdice.core.dice import rolls
from pubdice.core.game import Keep, Seat
from pubdice.games import GAMES
from pubdice.games.fourtwenty.rules import RoundState as FourTwentyState
from pubdice.games.midnight.rules import RoundState as MidnightState
from pubdice.match.formats import Format, Pot, Race, Rounds
from pubdice.match.match import Match, MatchState
from pubdice.solve.solver import Solver

MIDNIGHT, FOURTWENTY = GAMES["midnight"], GAMES["420"]


@dataclass
class Stub:
    """A solver that has been told its answers."""

    actions: Sequence[tuple[Any, float]] = ()
    bound: float = 1e-12
    utility: str = "share of the match"
    start: float = 0.5

    def values(self, state: Any) -> Sequence[float]:
        return (self.start, 1 - self.start)

    def action_values(self, state: Any) -> Sequence[tuple[Any, float]]:
        return self.actions

    def facts(self, state: Any) -> Sequence[tuple[Any, Mapping[str, float]]]:
        return []


def _coach(form: Format | None = None, seats: int = 2, name: str = "midnight") -> Coach:
    kit = GAMES[name]
    match = Match(kit.build({"need": "1 4"}), seats, form or Rounds(1))
    assert kit.solver is not None
    return Coach(kit.solver(match), match)


def _stubbed(solver: Solver, form: Format | None = None, seats: int = 2) -> Coach:
    return Coach(solver, Match(MIDNIGHT.build({"need": "1 4"}), seats, form or Rounds(1)))


def _after(match: Match[Any, Any], *moves: tuple[int, ...] | Keep) -> MatchState[Any]:
    state = match.start()
    for move in moves:
        state = match.play(state, move) if isinstance(move, Keep) else match.roll(state, move)
    return state


STATE: Any = None


def test_actions_come_best_first_and_equal_ones_in_the_rules_order() -> None:
    coach = _stubbed(Stub([("a", 0.2), ("b", 0.5), ("c", 0.5 + 1e-13), ("d", 0.495)]))
    advice = coach.advise(STATE)
    assert [choice.action for choice in advice.choices] == ["b", "c", "d", "a"]
    assert [choice.verdict for choice in advice.choices] == ["best", "equal", "small", "blunder"]
    assert [choice.lost for choice in advice.choices] == pytest.approx([0, 0, 0.005, 0.3])
    assert advice.best.action == "b"
    assert advice.counts


@pytest.mark.parametrize(
    ("lost", "verdict"),
    [
        (0.0, "equal"),
        (1e-13, "equal"),
        (0.0099, "small"),
        (MISTAKE, "mistake"),
        (0.0499, "mistake"),
        (BLUNDER, "blunder"),
    ],
)
def test_verdicts_go_by_what_is_lost_of_the_yardstick(lost: float, verdict: str) -> None:
    assert _stubbed(Stub()).verdict(lost) == verdict
    pot = _stubbed(Stub(utility="chips"), Pot(3, 2), seats=4)
    assert pot.yardstick == 12
    assert pot.verdict(12 * lost) == verdict
    alone = _stubbed(Stub(utility="score", start=20.0), seats=1)
    assert alone.yardstick == 20
    assert alone.verdict(20 * lost) == verdict


def test_what_a_solver_cannot_tell_apart_is_equal() -> None:
    advice = _stubbed(Stub([("a", 0.5), ("b", 0.5 + 1e-4)], bound=1e-4)).advise(STATE)
    assert not advice.counts
    assert [choice.lost for choice in advice.choices] == [0, 0]


def test_forced_and_equal_choices_do_not_count() -> None:
    assert not _stubbed(Stub([("a", 0.5)])).advise(STATE).counts
    assert not _stubbed(Stub([("a", 0.5), ("b", 0.5)])).advise(STATE).counts
    with pytest.raises(ValueError, match="no decision"):
        _stubbed(Stub()).advise(STATE)
    with pytest.raises(KeyError):
        _stubbed(Stub([("a", 0.5)])).advise(STATE).of("b")


def test_a_tie_may_be_all_there_is_to_have() -> None:
    coach = _coach()
    match = coach.match
    state = _after(match, (1, 4, 6, 6, 6, 6), Keep((1, 4, 6, 6, 6, 6)), (1, 4, 6, 6, 6, 6))
    advice = coach.advise(state)
    assert advice.best.action == Keep((1, 4, 6, 6, 6, 6))
    assert advice.counts


def test_chances_before_a_roll_are_the_mean_of_those_after_it() -> None:
    coach = _coach()
    match = coach.match
    state = _after(match, (1, 4, 4, 5, 5, 5), Keep((1, 4, 4, 5, 5, 5)), (1, 2, 4, 6, 6, 6), Keep((1, 4, 6, 6)))
    assert isinstance(state.round, MidnightState)
    facts = coach.outlook(state)
    exact: dict[str, float] = {"beat": 0, "tie": 0, "mean": 0, "qualify": 1}
    for hand, times in rolls(2):
        both = 12 + sum(hand)  # keep both, or one and roll the other
        one = [(sum(_share(12 + kept + face) for face in range(1, 7)) / 6, -kept) for kept in set(hand)]
        later = [(_share(both), both), *one]
        best = max(later)[1]
        scores = [both] if best > 0 else [12 - best + face for face in range(1, 7)]
        for score in scores:
            exact["beat"] += (score > 19) * times / 36 / len(scores)
            exact["tie"] += (score == 19) * times / 36 / len(scores)
            exact["mean"] += score * times / 36 / len(scores)
    for name, number in exact.items():
        assert facts[name] == pytest.approx(number, abs=1e-12), name
    assert facts["to_beat"] == pytest.approx(19)


def _share(score: int) -> float:
    return (score > 19) + (score == 19) / 2


def test_before_a_roll_in_420_the_chance_is_that_the_roll_wins() -> None:
    coach = _coach(Race(), name="420")
    state = _after(coach.match, (1, 4, 5, 6), (1, 1, 1, 2), Keep((4, 5, 6)))
    assert isinstance(state.round, FourTwentyState)
    assert coach.outlook(state) == {"win_now": pytest.approx(1 / 6)}
    start = coach.outlook(coach.match.start())
    ways = sum(times for hand, times in rolls(4) if sum(hand) == 20)
    assert start["win_now"] == pytest.approx(ways / 6**4)


def test_at_a_decision_the_chances_are_those_of_the_best_action() -> None:
    coach = _coach(Race(), name="420")
    state = _after(coach.match, (1, 4, 5, 6), (1, 1, 1, 2))
    advice = coach.advise(state)
    assert advice.best.action == Keep((4, 5, 6))
    assert coach.outlook(state) == advice.best.facts
    assert advice.best.facts["win_now"] == pytest.approx(1 / 6)


def test_nothing_is_expected_of_a_match_that_is_over_or_not_begun() -> None:
    coach = _coach(Race(), name="420")
    over = _after(coach.match, (5, 5, 5, 5))
    assert over.over
    assert coach.outlook(over) == {}
    drawn = Match(FOURTWENTY.build({}), 3, Race(), first=None)
    assert FOURTWENTY.solver is not None
    assert Coach(FOURTWENTY.solver(drawn), drawn).outlook(drawn.start()) == {}
    assert Coach(FOURTWENTY.solver(drawn), drawn).outlook(drawn.draw(drawn.start(), Seat(1)))["win_now"] > 0
