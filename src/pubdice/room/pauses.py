"""Pauses: the turn clock and the bots stop while a match is paused."""

from dataclasses import dataclass, replace

from pubdice.core.errors import Refused
from pubdice.kit import Kit
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.event import TAKEN, Event, changed, logged
from pubdice.room.state import RoomState
from pubdice.text.language import Language

MOST_PAUSES = 20


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """The event that a seat paused the match. The turn clock and the bots stop."""

    log = logged("paused", seat=int)
    stages = ("playing",)
    chairs = TAKEN
    seat: int

    def fits(self, state: RoomState) -> bool:
        return not state.paused_at

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, paused_at=max(1, at), pauses=state.pauses + 1)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        return language.about("{name} calls a pause.", "You call a pause.", after.called(self.seat, you))


@dataclass(frozen=True, slots=True)
class Pause(RoomCommand):
    """Pause the match."""

    do = "pause"
    words = ("pause",)

    def decide(self, decision: Decision) -> None:
        decision.check_playing()
        seat = decision.own_seat()
        decision.check_running()
        if decision.state.pauses >= MOST_PAUSES:
            raise Refused("pauses", most=MOST_PAUSES)
        decision.add(Paused(seat))


@dataclass(frozen=True, slots=True)
class Unpaused(Event):
    """The event that a seat ended the pause."""

    log = logged("unpaused", seat=int)
    stages = ("playing",)
    chairs = TAKEN
    leads_on = True
    seat: int

    def fits(self, state: RoomState) -> bool:
        return bool(state.paused_at)

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        turn, move = (since + max(0, at - max(state.paused_at, since)) for since in (state.turn_at, state.moved_at))
        asked = state.question and replace(state.question, at=state.question.at + max(0, at - state.paused_at))
        return changed(state, at, paused_at=0, turn_at=turn, moved_at=move, question=asked)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        texts = "{name} goes on: the pause is over.", "You go on: the pause is over."
        return language.about(*texts, after.called(self.seat, you))


@dataclass(frozen=True, slots=True)
class Unpause(RoomCommand):
    """End the pause."""

    do = "unpause"
    words = ("unpause",)

    def decide(self, decision: Decision) -> None:
        decision.check_playing()
        seat = decision.own_seat()
        if not decision.state.paused_at:
            raise Refused("not-paused")
        decision.add(Unpaused(seat))
