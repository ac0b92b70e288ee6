"""The duplicate night of a record: its line in the header, and whether two records of one night have the same dice."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pubdice.core.cup import DRAW, DiceSlot, NightMark, read_night
from pubdice.core.dice import Roll
from pubdice.core.errors import BadNotation
from pubdice.core.frozen import quick
from pubdice.match.match import Match, MatchState
from pubdice.match.notation import Record
from pubdice.match.record import Drawn, Move, ReplayStep, Rolled

# Where the next roll of a match stands (``core.cup.DiceSlot``), from what every match says. Knows no game.
#
# Seats are those of the table: a seat has the same dice in a round, also where another opens it or has dropped out.


@quick
@dataclass(frozen=True, slots=True)
class TurnCount:
    """What counts slots. ended: each seat's turns in this round that are over. rolls: those of the turn under way."""

    ended: tuple[int, ...]
    rolls: int = 0

    def slot(self, match: Match[Any, Any], state: MatchState[Any]) -> DiceSlot:
        """The slot of the next roll; that of the draw before Player 1 is drawn, and once the match is over."""
        mover = state.mover
        if mover is None:
            return DRAW
        return DiceSlot(state.number, mover, self.ended[mover] + 1, self.rolls + 1)

    def after(self, match: Match[Any, Any], before: MatchState[Any], move: Move, state: MatchState[Any]) -> "TurnCount":
        """The count after a move that led from ``before`` to ``state``."""
        if isinstance(move, Drawn) or state.number != before.number:
            return none_ended(match.seats)
        if match.passed_on(before, state):
            mover = before.mover
            return TurnCount(tuple([turns + (seat == mover) for seat, turns in enumerate(self.ended)]))
        return TurnCount(self.ended, self.rolls + 1) if isinstance(move, Rolled) else self


def none_ended(seats: int) -> TurnCount:
    """The count at the start of a round."""
    return TurnCount((0,) * seats)


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
