"""Invariants of a room (a table with its people): they are checked after every command and for every line of
the log.
"""

from collections.abc import Sequence
from typing import cast

from pubdice.core.dice import Roll
from pubdice.core.seal import NO_SEED, bound_by_header, digest_of_seat
from pubdice.match.header import find_name
from pubdice.match.record import ChoiceTakenBack, Drawn, Rolled
from pubdice.match.sealed_record import read_fixed, with_seeds
from pubdice.match.table import Marked, TableState, TakenBack
from pubdice.room import RoomState, Step
from pubdice.room import commands as ask
from pubdice.room.events import Moved
from pubdice.room.pauses import MOST_PAUSES
from pubdice.room.queue import MOST_QUEUE
from pubdice.room.seats import MOST_PHONES, MOST_RENAMES
from pubdice.room.seeds import players, unopened, unseeded

STAGES = ("gathering", "playing", "over")


def check_sound(state: RoomState, *, whole: bool = True, elsewhere: bool = False) -> None:
    """Assert the invariants of a room. ``whole`` is False in the middle of a command, when the change of a seat's
    player may be half done. ``elsewhere`` is True if the log has a ``WentOn``: a spectator's phone may be
    the house now, so the host may have no seat.
    """
    names, people, seats = [name for name in state.names if name], state.people, range(len(state.chairs))
    for at, name in enumerate(names):
        assert find_name(name, names[:at]) is None, "names are unique"
    sits = state.host in people or state.kept_for(state.host)
    assert not people or sits or (elsewhere and state.match), "who runs the table sits there"
    assert not set(dict(state.queue)) & set(people), "who sits there does not wait"
    assert len(state.queue) <= MOST_QUEUE
    assert state.pauses <= MOST_PAUSES
    assert all(state.renamed.count(person) <= MOST_RENAMES for person in people)
    assert state.opens < max(1, len(seats)) or state.match is not None
    assert not set(people) & set(state.banned)
    for chair in state.chairs:
        assert len(chair.people) <= MOST_PHONES
        assert len(set(chair.people)) == len(chair.people)
        assert not (chair.awaited and chair.people)
        assert not chair.ready or chair.people
        assert chair.name or chair.kind == "empty"
        assert not chair.name or chair.kind != "empty" or chair.awaited or state.stage == "playing", (
            "but of one just left"
        )
        assert bool(chair.why) == (chair.kind == "standin")
    for seat, absent, _ in state.votes:
        assert seat in seats
        assert absent in seats
        assert seat != absent
        assert state.chairs[seat].people
        assert state.chairs[absent].kind == "person"
    assert state.mover is None or state.mover in seats
    assert state.rolled is None or state.rolled in seats
    assert state.timed_out_seat is None or state.timed_out_seat == state.mover
    assert state.layout_version <= state.seq
    assert state.stage == "over" or not state.rematch
    if state.table is not None and state.match is not None:
        assert state.table.names == state.names
        assert state.table.match.seats == len(seats)
        assert not whole or all(state.names), "every seat has a name in a match"
    elif whole and state.people and not state.setup.grows:
        assert unseeded(state, seats) or state.fixed or not all(state.names), "a full table has begun"
    if state.fixed:
        _check_fixed(state, whole=whole)


def _check_fixed(state: RoomState, *, whole: bool) -> None:
    """Assert that nothing on which the dice depend has changed since the header was fixed."""
    fixed = read_fixed(state.fixed)
    assert (fixed.seal.write(), fixed.attempt) == (state.setup.seal, state.attempts)
    if state.match is None:
        assert fixed.names == state.names
        assert not whole or unopened(state), "who is awaited opens a seed"
        assert list(fixed.players) == players(state)
        return
    for seed, digest in zip(state.seeds, fixed.digests, strict=True):
        assert digest == (NO_SEED if seed == NO_SEED else digest_of_seat(seed))
    assert state.bound == bound_by_header(with_seeds(state.fixed, state.seeds))


def check_step(step: Step) -> None:
    before, after = step.before, step.after
    assert after.seq == before.seq + 1
    assert after.at == step.line.at
    event = step.line.event
    back = isinstance(event, Moved) and isinstance(event.event, TakenBack | ChoiceTakenBack)
    assert back or STAGES.index(before.stage) <= STAGES.index(after.stage), "an evening goes on, never back"
    assert before.banned == after.banned[: len(before.banned)]
    assert before.rolls <= after.rolls
    if not isinstance(event, Moved):
        assert _dice(before) in (None, _dice(after)), "people come and go, the dice lie still"


def check_dice(person: str | None, command: ask.Command, steps: tuple[Step, ...], thrown: Sequence[Roll | int]) -> None:
    """Assert that dice come from the cup or are typed in by people, and only for the mover."""
    before, after = steps[0].before, steps[-1].after
    moves = [step.line.event.event for step in steps if isinstance(step.line.event, Moved)]
    chance = [
        move.dice if isinstance(move, Rolled) else move.seat for move in moves if isinstance(move, Rolled | Drawn)
    ]
    if after.setup.dice == "house":
        seen = () if before.match is None else before.match.state.seen
        if seen and chance:  # seen dice fall first, without the cup
            chance = [rest] if (rest := cast(Roll, chance[0])[len(seen) :]) else []
        assert chance == list(thrown)
    elif after.setup.dice == "sealed":
        assert not thrown
        _check_sealed(after)
    else:
        assert not thrown
        assert not chance or isinstance(command, ask.EnterDice | ask.Draw)
    if _dice(before) in (None, _dice(after)):
        return
    assert not before.paused_at, "the dice lie still"
    seat = before.seat_of(person)
    if person is None:
        assert isinstance(command, ask.Bot)
        assert before.mover is not None
        assert before.plays(before.mover)
    elif isinstance(command, ask.TakeBack | ask.Agree):
        assert seat is not None
        back = [
            step
            for step in steps
            if isinstance(step.line.event, Moved) and isinstance(step.line.event.event, ChoiceTakenBack)
        ]
        assert all(step.before.question for step in back), "a choice never comes back without a question"
    elif before.setup.dice == "real" and isinstance(command, ask.EnterDice | ask.Draw):
        assert seat is not None
    else:
        assert isinstance(command, ask.RollOrBank | ask.Mark)
        assert seat is not None
        assert seat == before.mover
        assert not before.plays(seat)


def check_seen(seen: int | None, steps: Sequence[Step]) -> None:
    """Assert that a person changes dice only after seeing them. If ``seen`` is None, check nothing."""
    before = steps[0].before if steps else None
    if seen is None or before is None or before.dice_version <= seen:
        return
    first = steps[0].line.event
    assert not (isinstance(first, Moved) and not isinstance(first.event, Marked)), "no move for dice that were not seen"


def _check_sealed(state: RoomState) -> None:
    """Assert that the seal of sealed dice is opened at the end of the match, and not earlier."""
    assert bool(state.house_seed) == (state.stage == "over")
    assert len(state.seeds) == (0 if state.match is None else len(state.chairs))


def _dice(state: RoomState) -> TableState | None:
    return None if state.match is None else state.match.state
