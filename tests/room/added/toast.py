"""The toast: a seat raises a glass to the winners, once the match is over."""

from dataclasses import dataclass

from pubdice.core.errors import Refused
from pubdice.kit import Kit
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.event import TAKEN, Event, changed, logged
from pubdice.room.state import RoomState
from pubdice.text.language import Language, Sentence

REFUSED: dict[str, Sentence] = {"nothing-to-toast": "Nobody has won yet."}


@dataclass(frozen=True, slots=True)
class Toasted(Event):
    """A seat raised a glass."""

    log = logged("toasted", seat=int, glass=str)
    stages = ("over",)
    chairs = TAKEN
    seat: int
    glass: str

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, layout_version=state.layout_version)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        texts = "{name} raises a {glass}.", "You raise a {glass}."
        return language.about(*texts, after.called(self.seat, you), glass=self.glass)


@dataclass(frozen=True, slots=True)
class Toast(RoomCommand):
    """Raise a glass to the winners. name: of what is in it."""

    do = "toast"
    words = ("toast",)
    help = ("toast", "raise a glass")
    name: str = ""

    def decide(self, decision: Decision) -> None:
        seat = decision.own_seat()
        if decision.state.stage != "over":
            raise Refused("nothing-to-toast")
        decision.add(Toasted(seat, self.name.strip() or "pint"))
