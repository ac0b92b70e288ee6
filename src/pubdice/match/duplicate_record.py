"""The duplicate night of a record: its line in the header, and whether two records of one night have the same dice."""

from collections.abc import Iterable
from typing import Any

from pubdice.core.dice import Roll
from pubdice.core.duplicate import DRAW, DiceSlot, NightMark, read_night
from pubdice.core.errors import BadNotation
from pubdice.match.match import Match, MatchState
from pubdice.match.notation import Record
from pubdice.match.record import Drawn, ReplayStep, Rolled
from pubdice.match.slots import none_ended


def with_night(text: str, night: str) -> str:
    """A record with the mark of its night at the end of the header; unchanged without one."""
    header, gap, body = text.partition("\n\n")
    return f"{header}\nnight: {night}{gap}{body}" if night else text


def night_in(record: Record) -> NightMark | None:
    """The night in a record's header; None for a match of no night. Raises BadNotation with the place."""
    if "night" not in record.header.fields:
        return None
    try:
        return read_night(record.header.fields["night"])
    except BadNotation as error:
        error.place = record.header.places["night"]
        raise


def dice_by_slot(match: Match[Any, Any], steps: Iterable[ReplayStep[MatchState[Any]]]) -> dict[DiceSlot, Roll]:
    """Every roll of a replay by its slot; the draw as one number, the seat."""
    found: dict[DiceSlot, Roll] = {}
    turns = none_ended(match.seats)
    for step in steps:
        if isinstance(step.move, Rolled):
            found[turns.slot(match, step.before)] = step.move.dice
        elif isinstance(step.move, Drawn):
            found[DRAW] = (step.move.seat,)
        turns = turns.after(match, step.before, step.move, step.after)
    return found


def first_difference(one: dict[DiceSlot, Roll], other: dict[DiceSlot, Roll]) -> DiceSlot | None:
    """The first slot, in the order of ``one``, that both have and whose dice differ; None if they agree.

    Where one threw fewer dice, those are compared.
    """
    for slot, dice in one.items():
        if any(mine != theirs for mine, theirs in zip(dice, other.get(slot, ()), strict=False)):
            return slot
    return None
