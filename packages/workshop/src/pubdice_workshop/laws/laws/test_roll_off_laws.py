"""Laws of roll-offs (rounds of one die each that settle a tie), for every game and each format that has one. Chance
alone decides them.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import islice, product
from random import Random
from typing import Any

import pytest

from laws.time_limit import TooSlow, within
from oracles.compare import walks
from play import KITS, SHORT, switched_on
from pubdice.core.dice import rolls
from pubdice.core.errors import Unsolved
from pubdice.core.game import Result, Seat
from pubdice.kit import Kit
from pubdice.match.formats import REPLAY, Format, Rounds, rolls_off, shared
from pubdice.match.match import Match, MatchState, RollOff

SCORE = 50
"""The score of each seat in each round of a tied match. It is more than any short format needs."""
MOST_S = 20
"""The most processor time to solve one match, in seconds."""
LOOKED_AT = 40


def _formats() -> Iterator[tuple[Kit, Format]]:
    for kit in KITS.values():
        for kind in kit.formats:
            text = switched_on(kit, kind).removesuffix(f" {REPLAY}")  # replays leave no tied rounds
            if text and rolls_off(kit.format(text)):
                yield kit, kit.format(text)


FORMATS = list(_formats())
EVERY = pytest.mark.parametrize(("kit", "form"), FORMATS, ids=lambda value: getattr(value, "name", str(value)))


def _match(kit: Kit, form: Format, seats: int) -> Match[Any, Any]:
    game = kit.build({option.key: option.choices[0] for option in kit.options})
    return Match(game, seats, form, form.openers[0])


def _tied(match: Match[Any, Any]) -> MatchState[Any]:
    """Return the roll-off of a match in which every seat has won every round. The final state of each round comes from
    random play.
    """
    alone = Match(match.game, match.seats, Rounds(1))
    ended = next(state.round for state in walks(alone, 7, 1) if state.over)
    state = match.start()
    while state.roll_off is None:
        state = match.ended(state, ended, Result(state.order, (SCORE,) * match.seats))
    return state


def _after(match: Match[Any, Any], state: MatchState[Any], *faces: int) -> MatchState[Any]:
    for face in faces:
        state = match.roll(state, (face,))
    return state


@EVERY
@pytest.mark.parametrize("seats", [2, 3])
def test_those_who_would_share_the_match_roll_one_die_each_until_one_has_won(
    kit: Kit, form: Format, seats: int
) -> None:
    match, chance, sides = _match(kit, form, seats), Random(1), kit.usual_game.faces.sides
    state = _tied(match)
    tied, number = shared(form).champions(state.tally), state.number
    assert state.roll_off is not None
    assert sorted(state.roll_off.seats) == sorted(tied)
    assert len(tied) > 1
    while not state.over:
        assert state.roll_off is not None
        assert (match.to_roll(state), match.legal(state), match.to_draw(state)) == (1, (), False)
        left = state.roll_off.seats
        assert state.mover == left[len(state.roll_off.faces)]
        state = match.roll(state, (chance.randint(1, sides),))
    assert state.roll_off is not None
    assert form.champions(state.tally) == state.roll_off.highest
    assert set(state.roll_off.highest) < set(tied)
    assert state.number >= number
    assert (state.tally.points, form.over(state.tally)) == (_tied(match).tally.points, True)


@EVERY
def test_who_ties_for_the_highest_rolls_again_and_nobody_else(kit: Kit, form: Format) -> None:
    match = _match(kit, form, 2)
    state = _tied(match)
    again = _after(match, state, 2, 2)
    assert again.roll_off is not None
    assert state.roll_off is not None
    assert (again.roll_off.seats, again.roll_off.faces, again.number) == (state.roll_off.seats, (), state.number + 1)
    assert _after(match, again, 1, 2).tally.won == state.roll_off.seats[1]
    three = RollOff((Seat(2), Seat(0), Seat(1)), state.roll_off.round, (5, 2, 5))
    assert three.highest == (2, 1)


def test_the_seats_of_a_roll_off_have_the_chances_of_exact_fractions() -> None:
    @cache
    def exact(seats: int, faces: tuple[int, ...], sides: int) -> tuple[Fraction, ...]:
        """Return exact chances by enumerating all rolls. Seats that tie have equal chances by symmetry."""
        found = [Fraction(0)] * seats
        ways = list(product(range(1, sides + 1), repeat=seats - len(faces)))
        for rest in ways:
            fallen = (*faces, *rest)
            best = [place for place, face in enumerate(fallen) if face == max(fallen)]
            for place in best:
                found[place] += Fraction(1, len(best) * len(ways))
        return tuple(found)

    for seats, sides in ((2, 2), (2, 6), (3, 6), (4, 6), (3, 20)):
        for faces in islice(product((1, 2, sides - 1, sides), repeat=seats - 1), 40):
            for known in range(seats):
                rolled = faces[:known]
                chances = RollOff(tuple(map(Seat, range(seats))), None, rolled).chances(sides, seats)
                assert chances == pytest.approx([float(each) for each in exact(seats, rolled, sides)], abs=1e-14)


@EVERY
def test_a_roll_off_is_worth_what_a_shared_match_is_worth_and_changes_nothing_before(kit: Kit, form: Format) -> None:
    if kit.solver is None:
        pytest.skip("no solver")
    match = _match(kit, form, 2)
    try:
        with within(MOST_S, str(form)):
            solver, plain = kit.solver(match), kit.solver(_match(kit, shared(form), 2))
            value = solver.values(match.start())
    except (Unsolved, TooSlow):
        pytest.skip("it is not solved, or not in time")
    assert value == pytest.approx(plain.values(match.start()), abs=1e-14)
    assert solver.utility == plain.utility
    state, seen = _tied(match), 0
    assert solver.values(state) == pytest.approx((0.5, 0.5), abs=1e-14)
    for at in [state, _after(match, state, 2), _after(match, state, 2, 2), _after(match, state, 2, 2, 1)]:
        assert (list(solver.action_values(at)), list(solver.facts(at))) == ([], [])
        sides = match.game.faces.sides
        follow = [solver.values(match.roll(at, hand)) for hand, _ in rolls(1, sides)]
        mean = [sum(column) / sides for column in zip(*follow, strict=True)]
        assert solver.values(at) == pytest.approx(mean, abs=1e-14)
    for at in islice(walks(match, 3, 3), LOOKED_AT):
        if at.roll_off is None:
            seen += 1
            assert solver.values(at) == pytest.approx(plain.values(at), abs=1e-14)
            assert solver.action_values(at) == plain.action_values(at)
    assert seen


def test_every_format_in_which_a_match_is_shared_has_a_roll_off() -> None:
    kinds = {kind.name for kit in KITS.values() for kind in kit.formats if kind.name in SHORT}
    assert {form.kind.name for _, form in FORMATS} >= kinds & {"rounds", "points", "total"}
