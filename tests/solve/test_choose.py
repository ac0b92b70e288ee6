"""Which solver a match gets by itself: that of turns where rounds go as it takes them to, and no other game."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from laws.turns_alike import proven_one_turn_each
from lives import Lives
from oracles.compare import walks
from oracles.equation import holds
from pig import Pig, Piggery
from pubdice.core.dice import Hand
from pubdice.core.errors import Unsolved
from pubdice.core.game import Keep, RoundResult, RoundSeat, RoundState, TurnGame, TurnTaking
from pubdice.failures import sentence
from pubdice.games import GAMES
from pubdice.games.midnight.rules import Midnight
from pubdice.games.ship.rules import Ship
from pubdice.games.threes.rules import Threes
from pubdice.match.formats import Points, Pot, Race, Rounds, Tally
from pubdice.match.match import Match, MatchState
from pubdice.solve.choose import one_turn_each, refused_seats, solve_match, turns_alike
from pubdice.solve.plain.positions import find_positions
from pubdice.solve.plain.solver import PlainSolver
from pubdice.solve.refusals import remembered
from pubdice.solve.solver import Solver
from pubdice.solve.turns.limited import LimitedSolver
from pubdice.solve.turns.solver import TurnSolver
from pubdice.solve.turns.totals import TotalsSolver
from pubdice.text.language import Language
from small_games import Bust, EndsEarly, Ladder, LowPair, Moon, OneRoll, Pair, Piglet, TurnedPig


@dataclass(frozen=True, slots=True)
class FirstOfTies(Pair):
    """A tie goes to the seat that scored first."""

    def best(self, scores: tuple[int, ...]) -> int | None:
        return scores[0] if scores and scores[0] else TurnGame.best(self, scores)


@dataclass(frozen=True, slots=True)
class OpenerSets(OneRoll):
    """Who rolls after a score of 2 or more may not roll again."""

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        legal = OneRoll.legal(self, state)
        return legal[-1:] if state.scores and state.scores[0] >= 2 else legal


@dataclass(frozen=True, slots=True)
class OneRollLess(OneRoll):
    """The second seat has one roll: the first leaves it the count."""

    def scored(self, state: RoundState, hand: Hand) -> RoundState:
        return replace(TurnGame.scored(self, state, hand), rolls=1)


@dataclass(frozen=True, slots=True)
class PairOfRolls(Pair):
    """A turn leaves behind that it was there; all else is inherited."""

    def scored(self, state: RoundState, hand: Hand) -> RoundState:
        return replace(TurnGame.scored(self, state, hand), rolls=1)


@dataclass(frozen=True, slots=True)
class Taken(Pair):
    """A score that was made already counts nothing."""

    def scored(self, state: RoundState, hand: Hand) -> RoundState:
        worth = self.worth(hand)
        return RoundState(state.seats, (*state.scores, 0 if worth in state.scores else worth))


@dataclass(frozen=True, slots=True)
class SixWins(Bust):
    """A 6 wins the round as it falls, and ``wins_at_once`` does not say so."""

    def roll(self, state: RoundState, hand: Hand) -> RoundState:
        if self.rolled(state, hand) != (6,):
            return Bust.roll(self, state, hand)
        return RoundState(state.seats, (*state.scores, 7, *(0,) * (state.seats - len(state.scores) - 1)))


@dataclass(frozen=True, slots=True)
class TwoTieAllTie(Pair):
    """Where the best have equal scores, all have won."""

    def result(self, state: RoundState) -> RoundResult | None:
        found = TurnGame.result(self, state)
        if found is None or len(found.winners) < 2:
            return found
        return RoundResult(tuple(map(RoundSeat, range(state.seats))), found.scores)


@dataclass(frozen=True, slots=True)
class ThirdOnce(OneRoll):
    """The third seat may not roll again."""

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        legal = OneRoll.legal(self, state)
        return legal[-1:] if len(state.scores) == 2 else legal


@dataclass(frozen=True, slots=True)
class ThreeRollOnce(OneRoll):
    """Where three or more play, nobody may roll again."""

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        legal = OneRoll.legal(self, state)
        return legal[-1:] if state.seats >= 3 else legal


@dataclass(frozen=True, slots=True)
class TwoAtLeast(Pair):
    """Nobody plays alone."""

    least_seats: ClassVar[int] = 2


@dataclass(frozen=True, slots=True)
class Alone(Pair):
    """Everybody plays alone."""

    most_seats: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class AnyTime(OneRoll):
    """One may roll as often as one likes, so a turn need not end."""

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        return (Keep(()), Keep(state.free)) if state.free else ()

    def play(self, state: RoundState, action: Keep) -> RoundState:
        return self.scored(state, action.dice) if action.dice else RoundState(state.seats, state.scores)


MOON = (Threes("no"), Threes("yes"), Threes("first"))
TURN_GAMES = [Midnight(), Midnight((2, 4)), *MOON, Ship(boxcars="yes"), Pair(), LowPair(), Ladder(), Bust()]


@pytest.mark.parametrize("game", TURN_GAMES, ids=str)
def test_a_turn_a_seat_and_the_better_score_wins(game: TurnGame) -> None:
    assert one_turn_each(game)
    assert proven_one_turn_each(game)


@pytest.mark.parametrize(
    "game",
    [
        *(EndsEarly(), FirstOfTies(), OpenerSets(), OneRollLess(), PairOfRolls(), Pig(), Taken(), SixWins()),
        *(TwoTieAllTie(), ThirdOnce(), ThreeRollOnce(), TwoAtLeast(), Alone(), AnyTime()),
    ],
    ids=str,
)
def test_the_proof_finds_that_rounds_go_another_way(game: object) -> None:
    assert not turns_alike(game)
    assert not isinstance(game, TurnTaking) or not proven_one_turn_each(game)


@pytest.mark.parametrize("form", [Rounds(2), Pot(1, 1)], ids=str)
def test_a_match_of_turns_is_solved_by_turns(form: Rounds | Pot) -> None:
    assert isinstance(solve_match(Match(Pair(), 2, form)), TurnSolver)


@pytest.mark.parametrize(
    "match",
    [
        Match(EndsEarly(), 2, Rounds(1)),
        Match(OpenerSets(), 3, Rounds(1)),
        Match(AnyTime(), 2, Rounds(1)),
        Match(TwoAtLeast(), 2, Rounds(1)),
        Match(Piglet(), 2, Race()),
        Match(Pair(), 2, Lives(1)),
    ],
    ids=[
        "a round that ends early",
        "a turn after a turn",
        "an endless turn",
        "two at least",
        "no game of turns",
        "an unknown prize",
    ],
)
def test_any_other_match_is_solved_from_its_rules_alone(match: Match) -> None:  # type: ignore[type-arg]
    solver = solve_match(match)
    assert isinstance(solver, PlainSolver)
    assert sum(solver.values(match.start())) == pytest.approx(1, abs=1e-9)


POSITIONS = [
    (Midnight(), RoundState(2, (3,))),
    (Piglet(), Piggery((9, 0))),
    (Pair(), RoundState(2, (), (1, 2, 3))),
]


@pytest.mark.parametrize(
    ("game", "form", "most", "solver"),
    [
        (Midnight(), Rounds(2), 6, TurnSolver),
        (Ship(), Points(30), 2, TotalsSolver),
        (GAMES["midnight"].build({"need": "1 4", "follow": "yes"}), Rounds(2), 2, LimitedSolver),
        (GAMES["mexico"].usual_game, Rounds(1), 8, None),
        (Pig(20), Rounds(1), 8, None),
    ],
    ids=str,
)
def test_too_many_seats_are_refused_before_a_solver_is_there_that_refuses_them(
    game: Any, form: Any, most: int, solver: Any
) -> None:
    for seats in range(1, 9):
        match = Match(game, seats, form, form.openers[0])
        told = refused_seats(match)
        assert (told is None) == (seats <= most)
        if told is not None:
            with pytest.raises(Unsolved) as refused:
                solver(match)
            assert (refused.value.code, refused.value.facts) == (told.code, told.facts)


@pytest.mark.parametrize(("game", "position"), POSITIONS, ids=str)
def test_a_position_that_no_match_comes_to_is_refused_in_a_sentence(game: TurnGame, position: RoundState) -> None:
    match = Match(game, 2, Rounds(2))
    state = match.at(match.start(), position)
    _says_so(solve_match(match), state)


def test_a_standing_that_no_match_comes_to_is_refused_in_a_sentence() -> None:
    match = Match(Pair(), 2, Lives(2))
    _says_so(solve_match(match), replace(match.start(), tally=Tally(0, (9, 9))))


def _says_so(solver: Solver, state: MatchState[Any]) -> None:
    with pytest.raises(Unsolved) as refused:
        solver.values(state)
    assert sentence(Language(), refused.value) == "This match never comes to that position, so it has no value there."


def test_what_is_too_large_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pubdice.solve.refusals._REFUSED", {})
    monkeypatch.setattr("pubdice.solve.refusals.MOST_REFUSED", 2)
    monkeypatch.setattr("pubdice.solve.plain.positions.MOST_POSITIONS", 10)
    monkeypatch.setattr("pubdice.solve.plain.positions.MOST_POSITIONS_OF_TWO", 10)
    counted: list[int] = []

    def find(game: Any, seats: int, progress: Any) -> None:
        counted.append(seats)
        find_positions(game, seats, progress)

    monkeypatch.setattr("pubdice.solve.plain.solver.find_positions", find)
    for many in (2, 2, 3, 3, 2, 4, 2):
        with pytest.raises(Unsolved) as refused:
            solve_match(Match(Piglet(), many, Race()))
        assert refused.value.code == "too-many-positions"
        assert refused.value.facts["most"] == 10
    assert counted == [2, 3, 4, 2], "the oldest has made room"


def test_the_next_process_is_told_from_the_folder_and_counts_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("pubdice.solve.refusals._REFUSED", {})
    match = Match(TurnedPig(400), 2, Race())
    with pytest.raises(Unsolved) as first:
        solve_match(match, tmp_path)
    monkeypatch.setattr("pubdice.solve.refusals._REFUSED", {})
    monkeypatch.setattr(TurnedPig, "start", None)
    with pytest.raises(Unsolved) as second:
        solve_match(match, tmp_path)
    assert (second.value.code, second.value.facts) == (first.value.code, first.value.facts)
    assert remembered(Match(TurnedPig(401), 2, Race()), tmp_path) is None
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes()[:-9])
    monkeypatch.setattr("pubdice.solve.refusals._REFUSED", {})
    assert remembered(match, tmp_path) is None, "a damaged one is counted again"


def test_a_class_that_inherits_a_game_does_not_inherit_its_declaration() -> None:
    class Ours(Midnight):
        """Midnight, with rules that may be others."""

    assert one_turn_each(Midnight())
    assert not one_turn_each(Ours())


@pytest.mark.parametrize("form", [Rounds(2), Pot(1, 2)], ids=str)
@pytest.mark.parametrize("loser_lost", [True, False])
def test_who_shot_the_moon_opens_in_old_matches_alone(loser_lost: bool, form: Rounds | Pot) -> None:
    """Who wins with the worst score has lost nothing since ``Match.loser_lost``: so the winners say who opens."""
    match = Match(Moon(), 2, form, "loser", loser_lost=loser_lost)
    solver = solve_match(match)
    assert isinstance(solver, TurnSolver if loser_lost else PlainSolver)
    for seats, played in ((3, form), (2, Rounds(1))):
        assert isinstance(solve_match(replace(match, seats=seats, format=played)), TurnSolver), "nobody opens by it"
    states = list(dict.fromkeys(walks(match, 3, 40)))
    assert any(state.round is not None and 13 in state.round.scores for state in states)
    for state in states:
        holds(match, solver, state, 1e-9)
