"""Laws of solvers, for every game that is solved: they say what exact fractions say, wherever those can be worked out.

The oracle (``oracles.max_n``) plays ``Match`` itself, position by position, with every seat for itself. A kit's own
solver is held against it, and so is the plain one, which needs no more than the rules.
"""

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import pytest

from oracles.compare import compare, walks
from oracles.equation import holds
from oracles.max_n import MaxN, settled
from play import KITS
from pubdice.games import GAMES
from pubdice.match.formats.format import OPENERS
from pubdice.match.match import Match, MatchState
from pubdice.solve.plain.solver import PlainSolver
from pubdice.solve.solver import Solver


@dataclass(frozen=True)
class Small:
    """A match small enough for fractions: a kit, the seats, a format, and the options that are not the usual ones.

    comes_back: whether a round can leave all as it was, so that the oracle goes through it until it is still.
    opener: who opens the later rounds, if not as usual.
    """

    kit: str
    seats: int
    format: str
    options: tuple[tuple[str, str], ...] = ()
    comes_back: bool = False
    opener: str = ""

    def __str__(self) -> str:
        form, opener = self.format.replace(" ", "_"), [self.opener] if self.opener else []
        return "-".join([self.kit, str(self.seats), form, *(text for _, text in self.options), *opener])

    @property
    def match(self) -> Match[Any, Any]:
        kit = KITS[self.kit]
        options = {option.key: option.choices[0] for option in kit.options} | dict(self.options)
        form = kit.format(self.format)
        return Match(kit.build(options), self.seats, form, self.opener or form.openers[0])


SMALL = (
    Small("ship", 1, "rounds 1"),
    Small("ship", 2, "rounds 1"),
    Small("threes", 1, "rounds 1"),
    Small("mexico", 2, "rounds 1"),
    Small("mexico", 2, "rounds 1", (("hold", "1 2"),)),
    Small("mexico", 2, "lives 1", comes_back=True),
    Small("mexican", 2, "lives 1", comes_back=True),
    Small("flip", 1, "rounds 1"),
    *(Small("flip", 2, "rounds 3", opener=opener) for opener in OPENERS),
    *(Small("flip", 3, "rounds 2", opener=opener) for opener in OPENERS),
)
TOO_LARGE = {"midnight", "420"}
"""Games of the house without a match that is small enough: their own tests hold them to slower oracles."""
LARGE = (
    Small("midnight", 3, "rounds 2"),
    Small("420", 2, "race"),
    Small("ship", 3, "rounds 2"),
    Small("threes", 3, "rounds 2"),
    Small("mexico", 3, "lives 1"),
)
"""Matches that are too large for fractions: a usual format of every game, made short."""
LOOKED_AT = 6
"""Positions of each at which the equation is tried; 462 rolls follow a single one of Midnight."""
EVERY = pytest.mark.parametrize("small", SMALL, ids=str)


@cache
def _oracle(small: Small) -> MaxN:
    match = small.match
    best = -1 if match.game.lowest_wins else 1
    return MaxN(match, best, settled(match, _standing, best) if small.comes_back else None)


def _standing(state: MatchState[Any]) -> Any:
    return state.order, state.tally.points, state.tally.pot, state.tally.out, state.tally.resting


def _solvers(small: Small) -> list[Solver]:
    own = KITS[small.kit].solver
    return [PlainSolver(small.match), *([own(small.match)] if own is not None else [])]


def test_every_game_has_a_small_match_or_is_known_to_be_too_large() -> None:
    small = {small.kit for small in SMALL}
    assert set(GAMES) <= small | TOO_LARGE
    assert not small & TOO_LARGE


@EVERY
def test_values_and_the_values_of_actions_are_those_of_exact_fractions(small: Small) -> None:
    for solver in _solvers(small):
        assert compare(solver, _oracle(small), matches=4) > 4


@EVERY
def test_shares_of_a_match_add_up_to_one(small: Small) -> None:
    for solver in _solvers(small):
        if solver.utility != "share of the match":
            continue
        for state in walks(small.match, 3, 3):
            assert sum(solver.values(state)) == pytest.approx(1, abs=1e-12 + 2 * solver.bound)


@EVERY
def test_the_best_action_keeps_the_movers_value(small: Small) -> None:
    for solver in _solvers(small):
        for state in walks(small.match, 4, 3):
            mover = small.match.mover(state)
            if small.match.legal(state) and mover is not None:
                best = max(value for _, value in solver.action_values(state))
                assert solver.values(state)[mover] == pytest.approx(best, abs=1e-11)


def test_every_game_is_held_to_the_equation() -> None:
    assert {large.kit for large in LARGE} == set(GAMES)


@pytest.mark.parametrize("large", LARGE, ids=str)
def test_values_are_what_best_play_makes_of_the_values_after_them(large: Small) -> None:
    match, own = large.match, KITS[large.kit].solver
    assert own is not None
    solver = own(match)
    states = list(dict.fromkeys(walks(match, 5, 1)))
    for state in Random(6).sample(states, min(LOOKED_AT, len(states))):
        holds(match, solver, state, 1e-9 + 2 * solver.bound)
