"""Laws of solvers, for every solved game. If a match is small enough for exact fractions, the solver's values agree
with them.

The oracle (``oracles.max_n``) plays ``Match`` itself, position by position, with each seat playing for itself. It
checks a kit's own solver, and the plain solver, which needs only the rules.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from random import Random
from time import process_time
from typing import Any

import pytest

from laws.time_limit import TooSlow, within
from oracles.compare import compare, walks
from oracles.equation import holds
from oracles.max_n import MaxN, settled
from play import KITS, SHORT, room_of
from pubdice.core.dice import hands
from pubdice.core.errors import Unsolved
from pubdice.core.game import Seat
from pubdice.kit import Kit
from pubdice.match.formats.format import OPENERS
from pubdice.match.match import Match, MatchState
from pubdice.solve.plain.solver import PlainSolver
from pubdice.solve.solver import Solver
from support.profiles import NIGHTLY


@dataclass(frozen=True)
class Small:
    """A match small enough for fractions. ``comes_back`` is True if a round may end in the same standing as it
    began.
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


MOST_POSITIONS = 5_000
"""The most positions of a match to solve in fractions."""


def _candidates(kit: Kit, *, all_options: bool = True) -> Iterator[Small]:
    """Yield a game's matches in short formats for one to three seats, the usual options first. If not ``all_options``,
    take only the first and the last combination of options.
    """
    rules = [tuple((option.key, choice) for choice in option.choices) for option in kit.options]
    every = list(product(*rules))
    for options in every if all_options else dict.fromkeys((every[0], every[-1])):
        for kind in kit.formats:
            for text in dict.fromkeys((SHORTEST.get(kind.name, kind.name), SHORT.get(kind.name, kind.name))):
                for seats in room_of(kit.build(dict(options)), most=3):
                    # for one seat, the oracle counts one round only
                    if seats > 1 or kit.format(text).rounds_planned < 2:
                        yield Small(kit.name, seats, text, options)


def _small_enough(kit: Kit) -> list[Small]:
    """Return matches that fractions can solve: few positions, and no cycle. If a match is too large, skip the same
    match with more seats. If a single round is too large, skip every format.
    """
    small, large = list[Small](), set[tuple[Any, ...]]()
    for candidate in _candidates(kit, all_options=NIGHTLY):
        ways = [(candidate.options, form, candidate.seats) for form in (candidate.format, SHORTEST["rounds"])]
        if any((options, form, fewer) in large for options, form, seats in ways for fewer in range(1, seats + 1)):
            continue
        if _ends_soon(candidate.match):
            small.append(candidate)
        else:
            large.add(ways[0])
    return small


def _ends_soon(match: Match[Any, Any]) -> bool:
    start = match.start()
    done, open_now = set[Any](), {_position(start)}
    ways = [(start, _after(match, start))]
    while ways:
        state, rest = ways[-1]
        after = next(rest, None)
        if after is None:
            open_now.discard(_position(state))
            done.add(_position(state))
            ways.pop()
        elif _position(after) in open_now:
            return False
        elif _position(after) not in done:
            if len(done) + len(open_now) > MOST_POSITIONS:
                return False
            open_now.add(_position(after))
            ways.append((after, _after(match, after)))
    return True


def _position(state: MatchState[Any]) -> Any:
    return state.order, state.round, state.tally, state.over


def _after(match: Match[Any, Any], state: MatchState[Any]) -> Iterator[MatchState[Any]]:
    if state.over:
        return
    if match.to_draw(state):
        yield from (match.draw(state, Seat(seat)) for seat in range(match.seats))
    elif due := match.to_roll(state):
        yield from (match.roll(state, hand) for hand in hands(due, match.game.faces.sides))
    else:
        yield from (match.play(state, action) for action in match.legal(state))


def _largest_solved(kit: Kit) -> tuple[Small, Solver]:
    """Return the first of a game's matches that can be solved. The usual options come first, then more seats before
    fewer.
    """
    form = SHORT.get(kit.formats[0].name, kit.formats[0].name)
    mine = [small for small in _candidates(kit) if small.format == form]
    usual = mine[0].options if mine else ()
    begun = process_time()
    for small in sorted(mine, key=lambda small: (small.options != usual, -small.seats)):
        own, left = kit.solver, begun + 2 * MOST_S - process_time()
        assert own is not None
        if left <= 0:
            break
        try:
            with within(min(MOST_S, left), str(small)):
                solver = own(small.match)
                solver.values(small.match.start())
        except (Unsolved, TooSlow):
            continue
        return small, solver
    pytest.skip("no match of it is solved: make it smaller by an option, or name no solver in its kit")


SMALL = (
    Small("ship", 1, "rounds 1"),
    Small("ship", 2, "rounds 1"),
    Small("threes", 1, "rounds 1"),
    Small("shutbox", 1, "rounds 1"),
    Small("mexico", 2, "rounds 1"),
    Small("mexico", 2, "rounds 1", (("hold", "1 2"),)),
    Small("mexico", 2, "lives 1", comes_back=True),
    Small("mexican", 2, "lives 1", comes_back=True),
    Small("flip", 1, "rounds 1"),
    *(Small("flip", 2, "rounds 3", opener=opener) for opener in OPENERS),
    *(Small("flip", 3, "rounds 2", opener=opener) for opener in OPENERS),
)
LOOKED_AT = 6
"""The number of positions of each match to check by the equation. A single roll of Midnight has 462 successors."""
SHORTEST = {"rounds": "rounds 1", "pot": "pot 1 1"}
"""The shortest possible formats."""
MOST_S = 20
"""The most processor time to solve one match, in seconds."""
MOST_WALKED = 400
"""The number of positions of a match to sample from. Races may be long."""
LATE = (
    Small("mexican", 2, "lives 1", comes_back=True),
    *(Small("flip", 3, "rounds 2", opener=opener) for opener in ("winner", "fixed")),
)
"""Matches that only the nightly run tries, since other matches run the same code."""
EVERY = pytest.mark.parametrize(
    "small",
    [pytest.param(small, marks=[pytest.mark.nightly] * (small in LATE)) for small in SMALL if small.kit in KITS],
    ids=str,
)
EVERY_KIT = pytest.mark.parametrize(
    "kit", [kit for kit in KITS.values() if kit.solver is not None], ids=lambda kit: kit.name
)


@cache
def _oracle(small: Small) -> MaxN:
    match = small.match
    best = -1 if match.game.lowest_wins else 1
    return MaxN(match, best, settled(match, _standing, best) if small.comes_back else None)


def _standing(state: MatchState[Any]) -> Any:
    return state.order, state.tally.points, state.tally.pot, state.tally.out, state.tally.resting


def _solvers(small: Small) -> list[Solver]:
    """Return the plain solver and the game's own solver. The game's own solver is left out if it does not solve the
    whole match. With three seats and the loser as opener, it plays for one round at a time (``solve.turns``).
    """
    own = KITS[small.kit].solver
    solvers = [PlainSolver(small.match), *([own(small.match)] if own is not None else [])]
    return [solver for solver in solvers if "one round at a time" not in solver.utility]


@EVERY_KIT
def test_every_match_of_a_game_that_is_small_enough_has_the_values_of_exact_fractions(kit: Kit) -> None:
    """Each small match of the game is tried, in short formats for one to three seats. The equation checks larger
    matches.
    """
    for small in _small_enough(kit):
        for solver in _solvers(small):
            assert compare(solver, _oracle(small), matches=2) > 1, small


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


@EVERY_KIT
def test_values_are_what_best_play_makes_of_the_values_after_them(kit: Kit) -> None:
    """The equation is checked for the game's usual format, made short, with as many seats (up to three) as can be
    solved.
    """
    large, solver = _largest_solved(kit)
    match = large.match
    states = list(dict.fromkeys(islice(walks(match, 5, 1), MOST_WALKED)))
    for state in Random(6).sample(states, min(LOOKED_AT, len(states))):
        holds(match, solver, state, 1e-9 + 2 * solver.bound)
