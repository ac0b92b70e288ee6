"""Choices taken back by consent: a player asks, and every other person at the table agrees with one tap.

If one of them says no, nothing changes, and the player can't ask for that choice again. An open question falls as soon
as the match goes on, if the player who asks stops playing, and if no person is left to answer. The match table decides
how far back it goes, and which dice fall again (``match.table``).

A person who has been away for the grace time isn't asked. A bot, or a bot in a person's place, agrees once a round to
each player.
"""

from dataclasses import dataclass, replace

from pubdice.core.errors import Refused
from pubdice.kit import Kit
from pubdice.match.table import TakeChoiceBack
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.event import TAKEN, Event, changed, logged
from pubdice.room.state import OpenQuestion, RoomState, unanswered
from pubdice.text.language import Language, Sentence

REFUSED: dict[str, Sentence] = {
    "choices-stand": "With these dice every choice stands.",
    "bot-chose": "A bot made that choice or took over after it, so it stands.",
    "not-your-choice": "Only {name} can ask to take that choice back.",
    "asked-already": "The others have been asked. Wait for their answers.",
    "asked-once": "You asked for that choice already.",
    "bots-agreed": "The bots have agreed once in this round. That's all they do.",
    "nothing-asked": "There's nothing to agree to now.",
    "answered-already": "You have answered. Wait for the others.",
}


@dataclass(frozen=True, slots=True)
class BackAsked(Event):
    """The event that a seat asks the others to let the last choice come back."""

    log = logged("backasked", seat=int)
    stages = ("playing",)
    chairs = ("person",)
    urgent = True
    seat: int

    def fits(self, state: RoomState) -> bool:
        return state.question is None and state.match is not None and state.match.state.choice is not None

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        play = None if state.match is None else state.match.state
        choice = 0 if play is None or play.choice is None else play.choice.seq
        return changed(state, at, question=OpenQuestion(self.seat, state.seq + 1, at), asked_for=choice)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        if you in unanswered(after):
            return question(language, after, you)
        texts = "{name} asks to take the last choice back.", "You ask to take the last choice back."
        return language.about(*texts, after.called(self.seat, you))

    def concerns(self, after: RoomState) -> set[int]:
        return {self.seat, *unanswered(after)}


def question(language: Language, state: RoomState, you: int | None) -> str:
    """Return the open question, as the seat ``you`` reads it. "" if there is none."""
    if state.question is None:
        return ""
    asker = state.called(state.question.seat, you)
    if you in unanswered(state):
        return language.say("{name} asks to take the last choice back. Do you agree?", name=asker)
    names = language.join([state.names[seat] for seat in unanswered(state)])
    texts = (
        "{name} asks {names} if the last choice may come back.",
        "You asked {names} if the last choice may come back.",
    )
    return language.about(*texts, asker, names=names)


@dataclass(frozen=True, slots=True)
class BackAgreed(Event):
    """The event that a seat agrees."""

    log = logged("backagreed", seat=int)
    stages = ("playing",)
    chairs = ("person",)
    seat: int

    def fits(self, state: RoomState) -> bool:
        return self.seat in unanswered(state)

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        asked = state.question
        assert asked is not None, "``fits`` has checked it"
        return changed(state, at, question=replace(asked, agreed=(*asked.agreed, self.seat)))

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        return language.about("{name} agrees.", "You agree.", after.called(self.seat, you))


@dataclass(frozen=True, slots=True)
class BackDeclined(Event):
    """The event that a seat says no. The player who asked can also take the question back."""

    log = logged("backdeclined", seat=int)
    stages = ("playing",)
    chairs = TAKEN
    urgent = True
    seat: int

    def fits(self, state: RoomState) -> bool:
        return state.question is not None

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, question=None)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        texts = "{name} says no. The choice stands.", "You say no. The choice stands."
        return language.about(*texts, after.called(self.seat, you))


def ask(decision: Decision) -> None:
    """Ask the others to let the last choice come back. If there are no others to ask, it comes back at once.

    Raise Refused with sealed dice and on a duplicate night, for a bot's choice, and for a turn whose time ran out. Only
    the player who chose can ask. With real dice any player can, because any player types them in.
    """
    live, state = decision.match(), decision.state
    decision.check_playing()
    if live.table.dice == "sealed" or state.turns is not None:
        raise Refused("choices-stand")
    choice = live.state.choice
    if choice is None:
        raise Refused("rolled-is-rolled")
    if state.chose is None or state.timed_out_seat is not None:
        raise Refused("bot-chose")
    seat = decision.own_seat()
    own = [seat for seat in state.seats_of(decision.caller.person) if state.chairs[seat].kind == "person"]
    if state.chose in own:
        seat = state.chose
    elif live.table.dice != "real":
        raise Refused("not-your-choice", name=decision.chair(state.chose).name)
    elif not own:
        raise Refused("bot-plays")
    elif seat not in own:
        seat = own[0]
    if state.question is None:
        if choice.seq <= state.asked_for:
            raise Refused("asked-once")
        if any(chair.bot for chair in state.chairs) and (choice.match.number, seat) in state.granted:
            raise Refused("bots-agreed")
        decision.add(BackAsked(seat))
    if not _settled(decision) and not decision.steps:
        raise Refused("asked-already")


def _settled(decision: Decision) -> bool:
    """Take the choice back if all have agreed who are not lost. Return True then."""
    if set(unanswered(decision.state)) - decision.lost_seats():
        return False
    decision.move(TakeChoiceBack())
    return True


def _check_asked(decision: Decision) -> OpenQuestion:
    """Return the open question. Raise Refused without one, or if the caller has only seen an earlier one."""
    decision.check_going_on()
    decision.own_seat()
    asked, seen = decision.state.question, decision.caller.seen
    if asked is None:
        raise Refused("nothing-asked")
    if seen is not None and seen < asked.seq:
        raise Refused("seen-late")
    return asked


@dataclass(frozen=True, slots=True)
class Agree(RoomCommand):
    """Agree that the last choice comes back."""

    do = "agree"
    words = ("agree",)
    help = ("agree", "let another player take a choice back (decline says no)")

    def decide(self, decision: Decision) -> None:
        asked = _check_asked(decision)
        mine = [seat for seat in decision.state.seats_of(decision.caller.person) if seat in unanswered(decision.state)]
        for seat in mine:
            decision.add(BackAgreed(seat))
        if not _settled(decision) and not mine:
            answered = set(decision.state.seats_of(decision.caller.person)).intersection(asked.agreed)
            raise Refused("answered-already" if answered else "asked-already")


@dataclass(frozen=True, slots=True)
class Decline(RoomCommand):
    """Say no, so the last choice stands."""

    do = "decline"
    words = ("decline",)

    def decide(self, decision: Decision) -> None:
        _check_asked(decision)
        decision.add(BackDeclined(decision.own_seat()))
