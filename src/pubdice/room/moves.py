"""Moves at a table: a player or a bot rolls, chooses or banks, players type real dice, and the turn clock runs out.

This module checks whose turn it is. The match table alone decides if a move follows the rules.
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
from pubdice.room.state import RoomState, clock, is_to_ask
from pubdice.room.takebacks import ask
from pubdice.text.language import Language

Play = Mark | RollOrBank | PlayAction | EnterDice | Draw | TakeBack
"""The commands of the match table. A table with people takes them unchanged."""


def play(decision: Decision, command: Play) -> None:
    """Check that the caller may give this command of the match table, and add the lines to which it leads."""
    match command:
        case RollOrBank() | Mark() | PlayAction():
            _check_turn(decision)
            decision.check_seen()
            decision.move(command)
        case EnterDice() | Draw():  # any seated person can type real dice, or name Player 1
            decision.check_seated()
            decision.check_running()
            decision.check_seen()
            decision.move(command)
        case TakeBack():
            decision.check_seated()
            decision.check_running()
            decision.check_no_rematch()
            decision.check_seen()
            if is_to_ask(decision.state):
                ask(decision)
            else:
                decision.move(command)
        case _:
            assert_never(command)


def _check_turn(decision: Decision) -> None:
    decision.check_going_on()
    mover, seat = decision.state.mover, decision.own_seat()
    if mover is None:
        return  # the match table refuses: Player 1 must be drawn first
    if mover != seat:
        raise Refused("not-your-turn", name=decision.chair(mover).name)
    if decision.state.plays(seat):
        raise Refused("bot-plays")


@dataclass(frozen=True, slots=True)
class RollOn(RoomCommand):
    """Roll the dice that are not marked.

    ``marks`` are the places to keep, from 0, or None for the marks on the table.
    """

    do = "roll"
    marks: tuple[int, ...] | None = None

    def decide(self, decision: Decision) -> None:
        play(decision, RollOrBank("roll", self.marks))


@dataclass(frozen=True, slots=True)
class Bank(RoomCommand):
    """End the turn with its present dice. ``marks`` is as in ``RollOn``."""

    do = "bank"
    marks: tuple[int, ...] | None = None

    def decide(self, decision: Decision) -> None:
        play(decision, RollOrBank("bank", self.marks))


@dataclass(frozen=True, slots=True)
class Reroll(RoomCommand):
    """Roll and keep no die, although some could stay. ``RollOn`` is refused then, because it would throw them away."""

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
    """Make a move. ``action`` is its notation (``View.moves``)."""

    do = "choose"
    action: str = ""

    def decide(self, decision: Decision) -> None:
        game = decision.match().table.match.game
        play(decision, PlayAction(game.read_action(self.action), rolls=True))


@dataclass(frozen=True, slots=True)
class TypeDice(RoomCommand):
    """Type in real dice as they fell."""

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
    """Draw Player 1 by lot. With real dice, ``seat`` names Player 1."""

    do = "draw"
    seat: int | None = None

    def decide(self, decision: Decision) -> None:
        play(decision, Draw(None if self.seat is None else Seat(self.seat)))


@dataclass(frozen=True, slots=True)
class Undo(RoomCommand):
    """Take back the last typed dice or the last naming of Player 1, or ask the others to let the last choice back."""

    do = "back"

    def decide(self, decision: Decision) -> None:
        play(decision, TakeBack())


@dataclass(frozen=True, slots=True)
class Bot(RoomCommand):
    """Let a bot take this action, or roll if it is None. The table's timer gives this command."""

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
    """The event that the turn clock ran out. A bot plays this turn to its end."""

    log = logged("timedout", seat=int)
    stages = ("playing",)
    chairs = ("person",)
    leads_on = True
    seat: int

    def fits(self, state: RoomState) -> bool:
        return self.seat == state.mover and not state.paused_at

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        chose = None if state.chose == self.seat else state.chose
        return changed(state, at, moved_at=at, timed_out_seat=self.seat, chose=chose, question=None)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        texts = "Time is up: a bot plays this turn for {name}.", "Time is up: a bot plays this turn for you."
        return language.about(*texts, after.called(self.seat, you))


@dataclass(frozen=True, slots=True)
class TimeUp(RoomCommand):
    """End the mover's time, as the turn clock has run out. The table's timer gives this command.

    Raise Refused if that turn has already ended.
    """

    def decide(self, decision: Decision) -> None:
        decision.check_own_timer()
        decision.check_going_on()
        mover, deadline = decision.state.mover, clock(decision.state)
        # Compare the caller's time with the state's: the timer can fire early, or after its turn has ended.
        if mover is None or deadline is None or decision.caller.now < deadline:
            raise Refused("no-clock")
        decision.add(TimedOut(mover))


@dataclass(frozen=True, slots=True)
class Retimed(Event):
    """The event that the turn under way gets its full time again.

    A person came to a table without people present.
    """

    log = logged("retimed")
    stages = ("playing",)

    def fits(self, state: RoomState) -> bool:
        return clock(state) is not None

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, turn_at=at, layout_version=state.layout_version)


@dataclass(frozen=True, slots=True)
class Retime(RoomCommand):
    """Give the turn under way its full time again, because a person came to a table without people present.

    The house gives this command.
    """

    def decide(self, decision: Decision) -> None:
        decision.check_own_timer()
        decision.check_going_on()
        if clock(decision.state) is None:
            raise Refused("no-clock")
        decision.add(Retimed())
