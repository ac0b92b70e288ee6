"""Moves at a table: a player or a bot rolls, chooses or banks, real dice are typed in, and the turn clock runs out.

The room checks whose turn it is. The match table alone decides what the rules allow.
"""

from dataclasses import dataclass
from typing import Any, assert_never

from pubdice.core.errors import Refused
from pubdice.core.game import Seat
from pubdice.kit import Kit
from pubdice.match.notation import no_face
from pubdice.match.table import Draw, EnterDice, Mark, PlayAction, RollOrBank, TakeBack
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.event import Event, changed, logged
from pubdice.room.state import RoomState, clock
from pubdice.text.language import Language

Play = Mark | RollOrBank | PlayAction | EnterDice | Draw | TakeBack
"""The commands of the match table, which are commands of the room as they are."""


def play(decision: Decision, command: Play) -> None:
    """A player rolls, marks, banks, moves, enters real dice, draws Player 1, or takes back what was entered."""
    match command:
        case RollOrBank() | Mark() | PlayAction():
            _check_turn(decision)
            decision.check_seen()
            decision.move(command)
        case EnterDice() | Draw():  # anybody who sits here may type in real dice, and who is Player 1
            decision.check_seated()
            decision.check_running()
            decision.check_seen()
            decision.move(command)
        case TakeBack():
            decision.check_seated()
            decision.check_running()
            decision.check_no_rematch()
            decision.check_seen()
            decision.move(command)
        case _:
            assert_never(command)


def _check_turn(decision: Decision) -> None:
    """It must be the caller's turn, and no bot may be playing it."""
    decision.check_going_on()
    mover, seat = decision.state.mover, decision.own_seat()
    if mover is None:
        return  # the match table says that Player 1 must be drawn first
    if mover != seat:
        raise Refused("not-your-turn", name=decision.chair(mover).name)
    if decision.state.plays(seat):
        raise Refused("bot-plays")


@dataclass(frozen=True, slots=True)
class RollOn(RoomCommand):
    """Roll, keeping the marked dice. marks: their places from 0; None: as the table has them."""

    do = "roll"
    marks: tuple[int, ...] | None = None

    def decide(self, decision: Decision) -> None:
        play(decision, RollOrBank("roll", self.marks))


@dataclass(frozen=True, slots=True)
class Bank(RoomCommand):
    """End the turn with what it has. marks: as in ``RollOn``."""

    do = "bank"
    marks: tuple[int, ...] | None = None

    def decide(self, decision: Decision) -> None:
        play(decision, RollOrBank("bank", self.marks))


@dataclass(frozen=True, slots=True)
class Reroll(RoomCommand):
    """Keep nothing, though dice could stay: ``RollOn`` is refused there, as it would throw them away."""

    do = "reroll"

    def decide(self, decision: Decision) -> None:
        play(decision, RollOrBank("roll", sure=True))


@dataclass(frozen=True, slots=True)
class MarkPlaces(RoomCommand):
    """Mark the dice in these places, from 0, and no others."""

    do = "mark"
    marks: tuple[int, ...] = ()

    def decide(self, decision: Decision) -> None:
        play(decision, Mark(self.marks))


@dataclass(frozen=True, slots=True)
class ChooseMove(RoomCommand):
    """Make a move, by its notation (``View.moves``)."""

    do = "choose"
    action: str = ""

    def decide(self, decision: Decision) -> None:
        game = decision.match().table.match.game
        play(decision, PlayAction(game.read_action(self.action), rolls=True))


@dataclass(frozen=True, slots=True)
class TypeDice(RoomCommand):
    """Type in real dice, as they fell."""

    do = "enter"
    dice: str = ""

    def decide(self, decision: Decision) -> None:
        die = decision.state.die
        faces = die.read(".".join(self.dice.split()), between=",.;-")
        if not faces:
            raise no_face(die, found=self.dice)
        play(decision, EnterDice(faces))


@dataclass(frozen=True, slots=True)
class DrawOpener(RoomCommand):
    """Draw Player 1. seat: who it is, with real dice."""

    do = "draw"
    seat: int | None = None

    def decide(self, decision: Decision) -> None:
        play(decision, Draw(None if self.seat is None else Seat(self.seat)))


@dataclass(frozen=True, slots=True)
class Undo(RoomCommand):
    """Take back what was typed in last."""

    do = "back"

    def decide(self, decision: Decision) -> None:
        play(decision, TakeBack())


@dataclass(frozen=True, slots=True)
class Bot(RoomCommand):
    """By the table's timer: a bot takes this action, or rolls if it is None."""

    action: Any = None

    def decide(self, decision: Decision) -> None:
        decision.check_own_timer()
        decision.check_going_on()
        mover = decision.state.mover
        if mover is None or not decision.state.plays(mover):
            raise Refused("no-bot-plays")
        decision.move(RollOrBank("roll") if self.action is None else PlayAction(self.action))


@dataclass(frozen=True, slots=True)
class TimedOut(Event):
    """The turn clock ran out: a bot plays this turn to its end."""

    log = logged("timedout", seat=int)
    stages = ("playing",)
    chairs = ("person",)
    leads_on = True
    seat: int

    def fits(self, state: RoomState) -> bool:
        return self.seat == state.mover and not state.paused_at

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, moved_at=at, timed_out_seat=self.seat)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        texts = "Time is up: a bot plays this turn for {name}.", "Time is up: a bot plays this turn for you."
        return language.about(*texts, after.called(self.seat, you))


@dataclass(frozen=True, slots=True)
class TimeUp(RoomCommand):
    """By the table's timer: the mover's clock has run out.

    Refused if that turn has ended meanwhile, and the next one's time goes on.
    """

    def decide(self, decision: Decision) -> None:
        decision.check_own_timer()
        decision.check_going_on()
        mover, deadline = decision.state.mover, clock(decision.state)
        # Decided by the caller's time against the state's: the timer may fire early, or after the turn it was set for.
        if mover is None or deadline is None or decision.caller.now < deadline:
            raise Refused("no-clock")
        decision.add(TimedOut(mover))


@dataclass(frozen=True, slots=True)
class Retimed(Event):
    """Somebody came to a table where nobody was: the turn under way has all the time of its clock again."""

    log = logged("retimed")
    stages = ("playing",)

    def fits(self, state: RoomState) -> bool:
        return clock(state) is not None

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, turn_at=at, layout_version=state.layout_version)


@dataclass(frozen=True, slots=True)
class Retime(RoomCommand):
    """By the house: somebody came to a table where nobody was, so the turn under way has all its time again."""

    def decide(self, decision: Decision) -> None:
        decision.check_own_timer()
        decision.check_going_on()
        if clock(decision.state) is None:
            raise Refused("no-clock")
        decision.add(Retimed())
