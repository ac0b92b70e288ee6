"""The plain solver against the oracle in fractions, against the solver of turns, and what it says of what it cannot."""

from typing import Any

import pytest

import mexico
from lives import Lives
from oracles.compare import compare, walks
from oracles.max_n import MaxN, settled
from play import meeting
from pubdice.core.errors import Unsolved
from pubdice.core.game import Game, Seat
from pubdice.failures import sentence
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.games.mexico import Mexico as RealMexico
from pubdice.games.mexico.lives import Lives as PlayedOff
from pubdice.games.midnight.rules import Midnight
from pubdice.match.formats import Drinks, Format, Pot, Race, Rounds
from pubdice.match.match import Match, MatchState
from pubdice.solve.plain.solver import PlainSolver
from pubdice.solve.solver import LOW_SCORE, ByRound
from pubdice.solve.turns.solver import TurnSolver
from pubdice.text.language import Language
from small_games import LowPair, OneRoll, Pair, Piglet

Any_ = Game[Any, Any]
ENDING: list[tuple[Any_, int, Format, str]] = [
    (Pair(), 1, Rounds(1), "rotate"),
    (LowPair(), 1, Rounds(1), "rotate"),
    (Pair(), 2, Rounds(1), "rotate"),
    (Pair(), 2, Rounds(3), "rotate"),
    (Pair(), 2, Rounds(3), "winner"),
    (Pair(), 2, Rounds(3), "loser"),
    (Pair(), 2, Rounds(2), "fixed"),
    (LowPair(), 2, Rounds(3), "rotate"),
    (LowPair(), 2, Rounds(2), "loser"),
    (Pair(), 3, Rounds(1), "rotate"),
    (OneRoll(), 3, Rounds(3), "rotate"),
    (OneRoll(), 3, Rounds(3), "winner"),
    (OneRoll(), 3, Rounds(2), "loser"),
    (OneRoll(), 4, Rounds(2), "rotate"),
]
"""Matches that end, small enough for fractions. Every seat count, opener and direction of scores is among them."""


def _name(case: tuple[Any_, int, Format, str]) -> str:
    game, seats, form, opener = case
    return f"{type(game).__name__}-{seats}-{form.write().replace(' ', '_')}-{opener}"


@pytest.mark.parametrize("case", ENDING, ids=_name)
def test_values_are_those_of_the_oracle_in_every_position(case: tuple[Any_, int, Format, str]) -> None:
    game, seats, form, opener = case
    match = Match(game, seats, form, opener)
    assert compare(PlainSolver(match), MaxN(match, -1 if isinstance(game, LowPair) else 1)) > 5


@pytest.mark.parametrize("first", [None, Seat(1)])
def test_a_first_player_who_is_drawn_or_named_is_taken_as_such(first: Seat | None) -> None:
    match = Match(Pair(), 2, Rounds(2), "rotate", first)
    compare(PlainSolver(match), MaxN(match))


ENDLESS: list[Any] = [
    (mexico.Mexico(), 2, Lives(1), "rotate"),
    pytest.param((mexico.Mexico(), 2, Lives(2), "loser"), marks=pytest.mark.nightly),
    (OneRoll(), 3, Lives(1), "rotate"),
    (OneRoll(), 3, Lives(1), "winner"),
    (OneRoll(), 3, Drinks(), "rotate"),
    (Pair(), 2, Drinks(), "rotate"),
]


def _standing(state: MatchState[Any]) -> Any:
    """What a fresh round depends on, whatever the format counts that it never looks at."""
    return state.order, state.tally.points, state.tally.out


@pytest.mark.parametrize("case", ENDLESS, ids=_name)
def test_a_match_that_may_come_back_is_what_going_through_it_settles_on(case: tuple[Any_, int, Format, str]) -> None:
    game, seats, form, opener = case
    match = Match(game, seats, form, opener)
    solver = PlainSolver(match)
    compare(solver, MaxN(match, again=settled(match, _standing)), matches=3)
    assert solver.bound < 1e-11


@pytest.mark.nightly
def test_three_seats_of_mexico_satisfy_the_equation_of_the_oracle() -> None:
    """Values of fresh rounds are what one pass of the oracle, unmerged, makes of them: the fixed point, as it is one.

    With three seats too many passes would be needed to come there by the oracle alone. Seats that tie for the lowest
    play on alone, so rounds of two and of three seats lead to each other.
    """
    match = Match(RealMexico(), 3, PlayedOff(1), "loser")
    solver = PlainSolver(match)
    met: dict[Any, MatchState[Any]] = {}

    def again(state: MatchState[Any]) -> tuple[float, ...]:
        met.setdefault((state.order, state.tally.resting), state)
        return solver.values(state)

    start = match.start()
    assert MaxN(match, again=again).values(start) == pytest.approx(solver.values(start), abs=1e-11)
    fewer = [state for state in met.values() if len(state.order) == 2]
    assert len(fewer) >= 3
    for state in fewer[:3]:
        assert MaxN(match, again=again).values(state) == pytest.approx(solver.values(state), abs=1e-11)
    assert sum(solver.values(start)) == pytest.approx(1, abs=1e-11)


def test_two_who_share_a_constant_add_up_and_the_gap_is_the_bound() -> None:
    match = Match(mexico.Mexico(), 2, Lives(3))
    solver = PlainSolver(match)
    for state in walks(match, 2, 3):
        assert sum(solver.values(state)) == pytest.approx(1, abs=1e-15)
    assert 0 < solver.bound < 1e-12
    assert solver.utility == "share of the match"


@pytest.mark.parametrize(
    ("game", "seats", "form", "opener"),
    meeting((Pair(), LowPair()), (2, 3), (Rounds(1), Rounds(2), Rounds(3), Pot(1, 1), Pot(2, 3)), ("rotate", "winner")),
    ids=str,
)
def test_a_game_of_turns_has_the_values_that_the_solver_of_turns_gives(
    game: Pair | LowPair, seats: int, form: Format, opener: str
) -> None:
    match = Match(game, seats, form, opener)
    plain, turns = PlainSolver(match), TurnSolver(match)
    assert turns.utility == plain.utility
    exact = 1e-10 + turns.bound + plain.bound
    for state in walks(match, seats, 4):
        assert plain.values(state) == pytest.approx(turns.values(state), abs=exact)
        mine, theirs = plain.action_values(state), turns.action_values(state)
        assert [action for action, _ in mine] == [action for action, _ in theirs]
        assert [value for _, value in mine] == pytest.approx([value for _, value in theirs], abs=exact)
        for (_, known), (_, given) in zip(plain.facts(state), turns.facts(state), strict=True):
            assert known["mean"] == pytest.approx(given["mean"], abs=1e-9)


def test_facts_are_chances_of_the_round_under_the_play_found() -> None:
    match = Match(Pair(), 2, Rounds(1))
    solver = PlainSolver(match)
    looked = 0
    for state in walks(match, 5, 20):
        for (_, value), (_, facts) in zip(solver.action_values(state), solver.facts(state), strict=True):
            nobody = value - facts["win"] - facts["share"] / 2  # a round that nobody wins is shared by all
            assert -1e-12 < nobody <= 0.5 + 1e-12
            assert 0 <= facts["win"] <= 1
            assert 0 <= facts["mean"] <= 7
            looked += 1
    assert looked > 20


def test_a_seat_that_is_indifferent_plays_for_its_score() -> None:
    """After two lost rounds of three nothing is left to win; the third is played for the mean score."""
    match = Match(Pair(), 2, Rounds(3), "fixed")
    solver = PlainSolver(match)
    lost = next(
        state
        for state in walks(match, 3, 200)
        if state.tally.points in {(2, 0), (0, 2)} and match.legal(state) and len(match.legal(state)) > 1
    )
    mean = max(facts["mean"] for _, facts in solver.facts(lost))
    assert len({value for _, value in solver.action_values(lost)}) == 1
    after = [match.play(lost, action) for action, facts in solver.facts(lost) if facts["mean"] == mean]
    assert solver.values(lost) == pytest.approx(solver.values(after[0]))


def test_pig_is_solved_for_two_where_its_positions_are_few() -> None:
    """Against value iteration over the rules, position by position, with no array."""
    match = Match(Piglet(8), 2, Race())
    solver = PlainSolver(match)
    assert solver.values(match.start())[0] == pytest.approx(_piglet(8), abs=1e-12)
    assert 0 < solver.bound < 1e-11
    for state in walks(match, 7, 5):
        assert sum(solver.values(state)) == pytest.approx(1, abs=1e-12)
        for action, facts in solver.facts(state):
            here = state.round
            assert here is not None
            if action == "hold":
                assert facts["win_now"] == (here.banked[here.mover] + here.turn >= 8)


def _piglet(target: int) -> float:
    """The opener's chance at Pig: (mine, theirs, turn) → the chance of who rolls next or chooses."""
    worth = {
        (mine, other, turn): 0.5 for mine in range(target) for other in range(target) for turn in range(target + 1)
    }
    for _ in range(2000):
        moved = 0.0
        for (mine, other, turn), before in worth.items():
            lost = 1 - worth[other, mine, 0]
            value = lost / 6
            for face in range(2, 7):
                more = min(turn + face, target)
                hold = 1.0 if mine + more >= target else 1 - worth[other, mine + more, 0]
                value += max(hold, worth[mine, other, more]) / 6
            moved = max(moved, abs(value - before))
            worth[mine, other, turn] = value
        if moved < 1e-15:
            return worth[0, 0, 0]
    raise AssertionError("not still")


def test_what_is_too_large_is_refused_with_its_count_before_anything_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pubdice.solve.plain.positions.MOST_MOVES_OF_TWO", 20_000)
    for match in (Match(Midnight(), 2, Rounds(1)), Match(FourTwenty(), 2, Race())):
        with pytest.raises(Unsolved) as refused:
            PlainSolver(match)
        assert refused.value.code == "too-many-moves"
        assert refused.value.facts["most"] == 20_000
        assert 20_000 < int(str(refused.value.facts["count"])) < 20_000 + 500


@pytest.mark.parametrize(
    ("limit", "code"),
    [
        ("standings.MOST_STANDINGS", "too-many-standings"),
        ("standings.MOST_ENDINGS", "too-many-endings"),
        ("solution.MOST_WORK", "too-many-moves"),
        ("positions.MOST_POSITIONS_OF_TWO", "too-many-positions"),
    ],
)
def test_each_limit_is_said_with_the_count_that_is_over_it(
    limit: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"pubdice.solve.plain.{limit}", 6)
    with pytest.raises(Unsolved) as refused:
        PlainSolver(Match(Pair(), 2, Rounds(5)))
    assert refused.value.code == code
    assert refused.value.facts["most"] == 6
    assert int(str(refused.value.facts["count"])) > 6
    assert "6" in sentence(Language(), refused.value)


def test_the_solver_is_what_the_house_expects_of_one() -> None:
    solver = PlainSolver(Match(Pair(), 2, Pot(1, 2)))
    assert isinstance(solver, ByRound)
    assert solver.between(Match(Pair(), 2, Pot(1, 2)).start()) is None
    alone = PlainSolver(Match(LowPair(), 1, Rounds(2)))
    assert alone.utility == LOW_SCORE
    assert alone.values(Match(LowPair(), 1, Rounds(2)).start())[0] < 0, "the lowest wins, so the score counts against"


def test_nothing_is_solved_before_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(*_: object, **__: object) -> None:
        raise AssertionError("solved")

    monkeypatch.setattr("pubdice.solve.plain.solution.solve_whole", solve)
    solver = PlainSolver(Match(Pair(), 2, Rounds(2)))
    assert solver.utility
    with pytest.raises(AssertionError, match="solved"):
        solver.values(solver.match.start())
