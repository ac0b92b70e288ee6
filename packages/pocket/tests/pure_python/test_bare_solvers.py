"""Solvers without numpy give the same values as solvers with numpy, to 1e-12, and as an oracle that uses fractions."""

from typing import Any
from unittest.mock import Mock

import pytest

import mexico
from lives import Lives
from oracles.compare import compare, walks
from oracles.max_n import MaxN, settled
from pubdice.core.errors import Unsolved
from pubdice.core.game import Game, Seat
from pubdice.failures import sentence
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.games.mexico import Mexico
from pubdice.games.mexico.lives import Lives as PlayedOff
from pubdice.games.midnight.rules import Midnight, MidnightFollow
from pubdice.games.ship import Ship
from pubdice.games.shutbox.rules import ShutTheBox
from pubdice.games.threes import Threes
from pubdice.match.formats import Drinks, Format, Points, Pot, Rounds, Total
from pubdice.match.match import Match, MatchState
from pubdice.solve import choose
from pubdice.solve.choose import solve_match, turns_alike
from pubdice.solve.plain.solver import PlainSolver
from pubdice.solve.race.seat import one_seat
from pubdice.solve.race.solutions import solutions
from pubdice.solve.solver import Solver
from pubdice.solve.turns.rounds import pot_share
from pubdice.solve.turns.solver import TurnSolver
from pubdice.text.language import Language
from pubdice_pocket.pure_python import turn_match
from pubdice_pocket.pure_python.match_solver import BareMatchSolver, solved_bare
from pubdice_pocket.pure_python.turn_match import MOST_PLANNED, BareTurnSolver
from pubdice_pocket.pure_python.two_seat_pot import two_seat_pot
from pubdice_pocket.pure_python.two_seat_race import BareRaces
from pubdice_pocket.pure_python.two_turns import BareRound
from pubdice_pocket.solvers import solvers
from small_games import LowPair, OneRoll, Pair, Piglet

SAME, SAME_FACTS = 1e-12, 1e-11  # facts (such as a mean score) are up to 30, so their error is larger
Case = tuple[Game[Any, Any], int, Format, str]
QUICK: list[Case] = [
    *[(Ship(cargo, "no"), 2, Rounds(3), "rotate") for cargo in ("together", "single", "stays")],
    *[(Ship(cargo, "yes"), 2, Rounds(3), "rotate") for cargo in ("together", "single", "stays")],
    *[(Ship(), 2, form, opener) for form in (Rounds(4), Pot(2, 3)) for opener in ("fixed", "winner", "loser")],
    (Ship("single"), 1, Rounds(2), "rotate"),
    (Threes(), 1, Rounds(1), "rotate"),
    (Midnight(), 1, Rounds(1), "rotate"),
    *[(Mexico(hold), 2, form, "loser") for hold in (False, True) for form in (PlayedOff(2), Rounds(3), Pot(3, 2))],
    *[(Mexico(), 2, form, opener) for form in (PlayedOff(3), Rounds(2)) for opener in ("rotate", "winner")],
    (Pair(), 2, Rounds(3), "loser"),
    (LowPair(), 2, Pot(1, 2), "winner"),
    (LowPair(), 1, Rounds(1), "rotate"),
    (Pair(), 1, Rounds(MOST_PLANNED + 1), "rotate"),
    (ShutTheBox(), 1, Rounds(1), "rotate"),
]  # fmt: skip
LONG: list[Case] = [
    *[(Threes(moon), 2, Rounds(1), "rotate") for moon in ("no", "yes", "first")],
    (Threes(), 2, Pot(1, 1), "loser"),
    (Midnight((2, 4)), 2, Rounds(1), "rotate"),
    (ShutTheBox(), 2, Rounds(1), "rotate"),
    *[(Midnight(), 2, form, opener) for form in (Rounds(5), Pot(1, 3)) for opener in ("rotate", "loser")],
    *[(Threes(moon), 2, Rounds(20), "winner") for moon in ("no", "yes", "first")],
    (Mexico(), 2, PlayedOff(6), "loser"),
    (Mexico(), 2, Rounds(20), "rotate"),
    (Ship(), 2, Pot(1, 20), "rotate"),
    *[(ShutTheBox(die), 2, Rounds(2), "rotate") for die in ("may", "must")],
]


def _name(case: Case) -> str:
    game, seats, form, opener = case
    return f"{game!r}-{seats}-{form.write()}-{opener}".replace(" ", "_")


def bare(match: Match[Any, Any]) -> Solver:
    game: Any = match.game
    return BareTurnSolver(match) if turns_alike(game) else solved_bare(match)


def same(mine: Solver, theirs: Solver, match: Match[Any, Any], seed: int, matches: int) -> None:
    """Assert that both solvers agree in every state of ``matches`` random matches."""
    assert mine.utility == theirs.utility
    most = max(1, match.format.stake * 10)
    for state in walks(match, seed, matches):
        assert mine.values(state) == pytest.approx(theirs.values(state), abs=SAME * most)
        one, two = mine.action_values(state), theirs.action_values(state)
        assert [action for action, _ in one] == [action for action, _ in two]
        assert [value for _, value in one] == pytest.approx([value for _, value in two], abs=SAME * most)
        for (_, facts), (_, given) in zip(mine.facts(state), theirs.facts(state), strict=True):
            assert dict(facts) == pytest.approx(dict(given), abs=SAME_FACTS)


@pytest.mark.parametrize("case", QUICK, ids=_name)
def test_values_and_facts_are_those_of_the_solvers_with_numpy(case: Case) -> None:
    game, seats, form, opener = case
    match = Match(game, seats, form, opener)
    mine, theirs = bare(match), solve_match(match)
    same(mine, theirs, match, 3, 2)
    assert mine.bound == pytest.approx(theirs.bound, rel=0.01, abs=2e-12)


@pytest.mark.nightly
@pytest.mark.parametrize("case", LONG, ids=_name)
def test_long_matches_have_those_values_too(case: Case) -> None:
    game, seats, form, opener = case
    match = Match(game, seats, form, opener)
    same(bare(match), solve_match(match), match, 5, 3)


@pytest.mark.parametrize("form", [Rounds(1), pytest.param(Rounds(3), marks=pytest.mark.nightly), Pot(1, 1)], ids=str)
@pytest.mark.parametrize("game", [Pair(), LowPair()], ids=["high", "low"])
@pytest.mark.parametrize("kind", [BareTurnSolver, BareMatchSolver])
def test_values_are_those_of_the_oracle_in_fractions(game: Pair | LowPair, form: Format, kind: Any) -> None:
    match = Match(game, 2, form, "rotate", None if isinstance(form, Rounds) else Seat(1))
    if form.stake:
        same(kind(match), (PlainSolver if kind is BareMatchSolver else TurnSolver)(match), match, 1, 3)
    else:
        assert compare(kind(match), MaxN(match, -1 if isinstance(game, LowPair) else 1)) > 5


def test_a_round_is_solved_once_for_all_its_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_match, "BareRound", made := Mock(wraps=BareRound))
    solver = BareTurnSolver(match := Match(Pair(), 2, Rounds(1)))
    assert len({solver.values(state) for state in walks(match, 1, 3) if state.round is not None}) > 5
    assert made.call_count == 1, "the key of BareTurnSolver._round"


def _standing(state: MatchState[Any]) -> Any:
    return state.order, state.tally.points, state.tally.out


@pytest.mark.nightly
def test_a_match_that_may_come_back_has_its_settled_values() -> None:
    match = Match(mexico.Mexico(), 2, Lives(1), "rotate")
    solver = BareMatchSolver(match)
    compare(solver, MaxN(match, again=settled(match, _standing)), matches=3)
    assert solver.bound < 1e-11


@pytest.mark.parametrize("opener", ["rotate", "fixed", "winner", "loser"])
def test_one_pot_is_taken_as_often_as_with_numpy(opener: str) -> None:
    mine, theirs = two_seat_pot(Ship(), opener), pot_share(Ship(), 2, opener)
    assert mine["share"] == pytest.approx(theirs["share"], abs=SAME)
    assert mine["utility"] == theirs["utility"]


@pytest.mark.parametrize("drinks", [False, True])
def test_a_race_of_two_has_the_values_found_with_numpy(drinks: bool) -> None:
    game = FourTwenty()
    automaton = one_seat(game).automaton
    mine, theirs = BareRaces(game).solved(2, drinks), solutions(game, None).solved(2, drinks)
    for own in range(automaton.kinds):
        for other in range(automaton.kinds):
            for stage in (0, 1):
                assert mine.race.value(stage, (own, other)) == pytest.approx(
                    theirs.race.value(stage, (own, other)), abs=SAME
                )
                for action in automaton.choices[own]:
                    assert mine.race.after(stage, action, (other,)) == pytest.approx(
                        theirs.race.after(stage, action, (other,)), abs=SAME
                    )
    assert mine.bound < SAME


TOO_LARGE: list[Case] = [
    (Ship(), 3, Rounds(1), "rotate"),
    (Ship(), 2, Pot(1, 21), "rotate"),
    (Mexico(), 3, PlayedOff(1), "loser"),
    (Mexico(), 2, Pot(1, 200), "rotate"),
    (Piglet(), 2, Rounds(1), "rotate"),
    (OneRoll(), 3, Drinks(), "rotate"),
]


@pytest.mark.parametrize("case", TOO_LARGE, ids=_name)
def test_too_large_a_match_is_refused_with_a_way_to_solve_it(case: Case) -> None:
    game, seats, form, opener = case
    with pytest.raises(Unsolved) as refused:
        bare(Match(game, seats, form, opener))
    assert refused.value.code == "needs-house"
    assert sentence(Language(), refused.value) == (
        "That is too large to work out here. A house, a computer with pubdice, can answer it."
    )


def without_numpy(patch: pytest.MonkeyPatch) -> None:
    """Make this process choose its solvers as if numpy were missing."""
    patch.setattr(choose, "numpy_there", lambda: False)
    patch.setattr(choose, "pure_python", solvers)


@pytest.mark.parametrize(("game", "title"), [(Ship(), "Ship"), (MidnightFollow(), "Midnight")])
def test_only_one_seat_that_adds_up_is_solved(
    game: Game[Any, Any], title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = Match(Ship(), 1, Points(30))
    theirs = solve_match(alone)
    without_numpy(monkeypatch)
    same(solve_match(alone), theirs, alone, 7, 2)
    for form in (Points(30), Total(2)):
        for seats, why in ((2, "needs-house"), (3, "adds-up-seats")):
            with pytest.raises(Unsolved) as refused:
                solve_match(Match(game, seats, form))
            assert (refused.value.code, refused.value.facts["title"]) == (why, title)


def test_more_than_two_who_race_are_refused_so() -> None:
    races = BareRaces(FourTwenty())
    with pytest.raises(Unsolved, match="needs-house"):
        races.solved(3, drinks=False)


@pytest.mark.parametrize(
    "game",
    [Ship(), Mexico(), pytest.param(Threes(), marks=pytest.mark.nightly)],
    ids=lambda game: type(game).__name__,
)
def test_a_roll_off_is_worth_the_same_without_numpy(game: Game[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(game, 2, Rounds(1, 1))
    tied = [state for state in walks(match, 5, 200) if state.roll_off is not None]
    house = solve_match(match)
    without_numpy(monkeypatch)
    pocket = solve_match(match)
    assert not isinstance(pocket, type(house))
    assert {len(state.roll_off.faces) for state in tied if state.roll_off} >= {0, 1, 2}
    for state in (match.start(), *tied):
        assert pocket.values(state) == pytest.approx(house.values(state), abs=SAME)
