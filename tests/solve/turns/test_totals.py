"""Matches whose scores add up: held to a dictionary of needs that is gone through until it is still, and to a sum."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from oracles.compare import walks
from oracles.equation import holds
from pubdice.core.errors import Unsolved
from pubdice.core.game import TurnGame
from pubdice.games.midnight.rules import Midnight
from pubdice.games.ship.rules import Ship
from pubdice.match.formats import OPENERS, Points, Rounds, Total
from pubdice.match.match import Match
from pubdice.solve.choose import solve_match
from pubdice.solve.finite.enumerated import enumerated
from pubdice.solve.solver import Solver
from pubdice.solve.turns import totals
from pubdice.solve.turns.totals import TotalsSolver
from small_games import OneRoll, Pair, TwelveEnds

ROOT = Path(__file__).parents[3]
STILL = 1e-15
FEW = 12
"""Points at Midnight that the dictionary is asked about: some 10 s a rule, and it grows with the square."""
Needs = tuple[int, int]


def _second_opens(opener: str, one: int, two: int) -> bool:
    """Who opens the next round, as docs/games/index.md says it for two."""
    if opener in ("rotate", "fixed"):
        return opener == "rotate"
    return two > one if opener == "winner" else two < one


class ListedTurn:
    """A turn as lists of what can follow. scores: from the worst to the best."""

    def __init__(self, game: TurnGame) -> None:
        found = enumerated(game, game.start(1))
        ends = [result.scores[0] for result in found.results]
        self.scores = sorted(ends, key=game.better)
        self._ends, self._layers = [self.scores.index(score) for score in ends], found.layers

    def best(self, utility: list[float]) -> float:
        """What a turn is worth if each score is worth so much."""
        value, chosen = [utility[rank] for rank in self._ends], list[float]()
        for layer in self._layers:
            chosen += [max(map(value.__getitem__, after)) for after in layer.after]
            for branches in layer.branches:
                total = sum(ways for _, ways in branches)
                value.append(sum(chosen[decision] * ways for decision, ways in branches) / total)
        return value[-1]


@dataclass(frozen=True)
class Oracle:
    """The opener's share by what opener and second need, worked out with lists and dictionaries alone."""

    turn: ListedTurn
    opener: str
    even: bool
    known: dict[tuple[int, int, int], float] = field(default_factory=dict)

    def _settled_second(self, needs: Needs, opened: int, shares: dict[Needs, float]) -> float:
        """The second's share after a score: it leads to fewer needs, which are worked out, so it is asked for once."""
        if not opened:
            return self._second(needs, opened, shares)
        told = opened if self.opener in ("winner", "loser") else 0
        key = needs[0] - opened, needs[1], told
        if key not in self.known:
            self.known[key] = self._second(needs, opened, shares)
        return self.known[key]

    def _second(self, needs: Needs, opened: int, shares: dict[Needs, float]) -> float:
        mine, theirs = needs[1], needs[0] - opened
        return self.turn.best(
            [self._ended(theirs, mine - max(0, two), opened, two, shares) for two in self.turn.scores]
        )

    def _ended(self, theirs: int, mine: int, one: int, two: int, shares: dict[Needs, float]) -> float:
        """The second's share after a round."""
        if min(theirs, mine) <= 0:
            return float(mine < theirs) + 0.5 * (mine == theirs)
        if _second_opens(self.opener, one, two):
            return shares.get((mine, theirs), 0.5)
        return 1 - shares.get((theirs, mine), 0.5)

    def share(self, needs: Needs, shares: dict[Needs, float]) -> float:
        worth = []
        for one in self.turn.scores:
            over = needs[0] <= max(0, one) and not self.even
            worth.append(1.0 if over else 1 - self._settled_second(needs, max(0, one), shares))
        return self.turn.best(worth)

    def solved(self, number: int) -> dict[Needs, float]:
        shares: dict[Needs, float] = {}
        for total in range(2, 2 * number + 1):
            mine = [(x, total - x) for x in range(1, number + 1) if 1 <= total - x <= number]
            while True:
                found = {needs: self.share(needs, shares) for needs in mine}
                moved = max(abs(found[needs] - shares.get(needs, 0.5)) for needs in mine)
                shares.update(found)
                if moved <= STILL:
                    break
        return shares


def _solver(game: TurnGame, form: Points | Total, opener: str = "rotate") -> TotalsSolver:
    solver = solve_match(Match(game, 2, form, opener))
    assert isinstance(solver, TotalsSolver)
    return solver


def _first(solver: Solver, match: Match[Any, Any], had: Needs = (0, 0)) -> float:
    start = match.start()
    return solver.values(replace(start, tally=replace(start.tally, points=had)))[0]


@pytest.mark.parametrize("even", [0, 1])
@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("game", [OneRoll(), Pair()], ids=lambda game: type(game).__name__)
def test_first_to_some_points_is_what_a_dictionary_of_needs_says(game: TurnGame, opener: str, even: int) -> None:
    number = 9
    solver, shares = _solver(game, Points(number, even), opener), Oracle(ListedTurn(game), opener, bool(even)).solved(9)
    assert len(shares) == number**2
    for needs, share in shares.items():
        had = (number - needs[0], number - needs[1])
        assert _first(solver, solver.match, had) == pytest.approx(share, abs=1e-12)


@pytest.mark.nightly
@pytest.mark.parametrize(("opener", "even"), [("fixed", 0), ("rotate", 1), ("winner", 0)])
def test_midnight_to_some_points_is_what_a_dictionary_of_needs_says(opener: str, even: int) -> None:
    solver, shares = _solver(Midnight(), Points(FEW, even), opener), Oracle(ListedTurn(Midnight()), opener, bool(even))
    found = shares.solved(FEW)
    for needs, share in found.items():
        assert _first(solver, solver.match, (FEW - needs[0], FEW - needs[1])) == pytest.approx(share, abs=1e-11)


CASES = [
    (OneRoll(), Points(5)),
    (OneRoll(), Points(5, 1)),
    (Pair(), Total(3)),
    (Ship("together", "yes"), Points(14)),
    (Ship("together", "yes"), Points(14, 1)),
    (Ship("stays", "yes"), Total(2)),
    (Midnight(), Total(2)),
]


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize(("game", "form"), CASES, ids=str)
def test_values_are_what_best_play_makes_of_the_values_after_them(
    game: TurnGame, form: Points | Total, opener: str
) -> None:
    """Also where a score ends the round at once, as a cargo of 6 6 may at Ship: then the second has no turn."""
    solver = _solver(game, form, opener)
    states = list(dict.fromkeys(walks(solver.match, 5, 3)))
    for state in states[:: max(1, len(states) // 5)]:
        assert sum(solver.values(state)) == pytest.approx(1)
        holds(solver.match, solver, state, 1e-9)
    assert solver.bound < 1e-9


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("form", [Total(2), Points(15)], ids=str)
def test_who_ends_a_round_at_once_opens_the_next_as_the_format_says(form: Points | Total, opener: str) -> None:
    """In a game so small that some matches come to it."""
    solver = _solver(TwelveEnds(), form, opener)
    states = list(dict.fromkeys(walks(solver.match, 3, 60)))
    assert {(12, 0), (0, 12)} & {state.tally.points for state in states if state.tally.rounds == 1}
    for state in states:
        holds(solver.match, solver, state, 1e-9)


def test_a_total_of_one_round_is_a_round_of_two() -> None:
    for game in (Pair(), Ship(), Midnight()):
        total, one = Match(game, 2, Total(1)), Match(game, 2, Rounds(1))
        assert solve_match(total).values(total.start()) == pytest.approx(
            solve_match(one).values(one.start()), abs=1e-12
        )


@pytest.mark.nightly
def test_what_the_pages_print_of_a_match_to_100_points_is_computed() -> None:
    """Solved in less than a minute each, and each number on the pages is within its bound."""
    page = (ROOT / "docs/games/index.md").read_text(encoding="utf-8")
    rows = re.findall(r"\(`(fixed|rotate|winner|loser)`\) \| ([0-9.]+)% \| ([0-9.]+)% \|", page)
    assert {row[0] for row in rows} == set(OPENERS)
    found = {}
    for opener, *printed in rows:
        for even in (0, 1):
            begun = process_time()
            solver = _solver(Midnight(), Points(100, even), opener)
            found[opener, even] = _first(solver, solver.match)
            assert process_time() - begun < 60
            assert solver.bound < 2e-11
            assert printed[even] == f"{100 * found[opener, even]:.3f}"
    for name in ("RULES.md", "RULES.de.md"):
        told = (ROOT / "src/pubdice/games/midnight" / name).read_text(encoding="utf-8")
        told = told.replace(",", ".").replace(" %", "%")
        for share in (found["fixed", 0], found["rotate", 1]):
            assert f"{100 * share:.1f}%" in told
    changes = " ".join((ROOT / "CHANGELOG.md").read_text("utf-8").split())
    assert f"Player 1 of a match to 100 at once has {100 * found['fixed', 0]:.1f}%" in changes


def test_what_is_too_large_is_refused_at_once_with_the_size_that_would_do() -> None:
    with pytest.raises(Unsolved) as refused:
        TotalsSolver(Match(Midnight(), 3, Points(100)))
    assert refused.value.code == "adds-up-seats"
    with pytest.raises(Unsolved) as refused:
        TotalsSolver(Match(Midnight(), 2, Points(1000)))
    most = refused.value.facts["most"]
    assert refused.value.code == "too-many-points"
    assert isinstance(most, int)
    assert TotalsSolver(Match(Midnight(), 2, Points(most))).utility == "share of the match"  # nothing is solved yet


def test_without_numba_as_people_play_it_is_still_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pubdice.solve.acceleration.numba_there", lambda: False)
    page = " ".join((ROOT / "docs/solve/solving.md").read_text(encoding="utf-8").split())
    most, fewer = (
        totals.most_number(totals._scores(Midnight(), opener, True), Points()) for opener in ("fixed", "winner")
    )
    assert most >= 100
    assert "most points at Midnight (without numba) | other openers | winner or loser opens" in page
    assert f"| usual rules | 426 ({most}) | 250 ({fewer}) |" in page
    assert f"{totals.MOST_TURNS:,} turns at most ({totals.MOST_TURNS_PLAIN:,} without numba)" in page
