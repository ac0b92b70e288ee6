"""The nudge: a seat kindly reminds the mover of the turn."""

from dataclasses import dataclass

from pubdice.core.errors import Refused
from pubdice.kit import Kit
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.event import TAKEN, Event, between, changed, logged
from pubdice.room.state import RoomState
from pubdice.text.language import Language, Sentence

NUDGE_MS = 20_000
"""The least time from the start of the mover's turn to a nudge, and from one nudge to the next."""
REFUSED: dict[str, Sentence] = {
    "no-nudge": "There's no player to nudge.",
    "nudge-soon": (
        "You can nudge {name} in one second.",
        "You can nudge {name} in {number} seconds.",
        "seconds",
    ),
}


@dataclass(frozen=True, slots=True)
class Nudged(Event):
    """The event that a seat kindly reminded the mover."""

    log = logged("nudged", seat=int)
    stages = ("playing",)
    chairs = TAKEN
    urgent = True
    seat: int

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, nudged_at=at, layout_version=state.layout_version)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        texts = "{name} nudges {other}: your turn!", "You nudge {other}.", "{name} nudges you: your turn!"
        other = "" if after.mover is None else after.called(after.mover, you)
        return between(language, texts, after.called(self.seat, you), other)

    def concerns(self, after: RoomState) -> set[int]:
        return {self.seat} if after.mover is None else {self.seat, after.mover}


@dataclass(frozen=True, slots=True)
class Nudge(RoomCommand):
    """Remind the mover kindly."""

    do = "nudge"
    words = ("n", "nudge")
    help = ("n", "nudge the player whose turn it is")

    def decide(self, decision: Decision) -> None:
        decision.check_going_on()
        seat, mover = decision.own_seat(), decision.state.mover
        if mover is None or decision.state.plays(mover) or mover == seat:
            raise Refused("no-nudge")
        # A turn that has just begun needs no reminder, so the wait starts at the later of both times.
        wait = max(decision.state.turn_at, decision.state.nudged_at) + NUDGE_MS - decision.caller.now
        if wait > 0:
            raise Refused("nudge-soon", seconds=-(-wait // 1000), name=decision.chair(mover).name)
        decision.add(Nudged(seat))
