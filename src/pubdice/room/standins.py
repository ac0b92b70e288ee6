"""Bots in people's seats: a player gives the seat to a bot, or the others vote a bot in while the player is away."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pubdice.core.errors import Refused
from pubdice.kit import Kit
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.event import TAKEN, Event, SeatEvent, between, changed, logged
from pubdice.room.state import Chair, RoomState
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class BotSubstituted(SeatEvent):
    """The event that a bot plays for the seat's person.

    ``why``: the person ``gave`` it the seat, or the others ``voted``.
    """

    log = logged("stoodin", seat=int, bot=str, why=str)
    stages = ("playing",)
    chairs = ("person",)
    leads_on = ends = True
    seat: int
    bot: str
    why: str

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        return replace(chair, bot=self.bot, why=self.why)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        texts = "A bot ({bot}) plays for {name}.", "A bot ({bot}) plays for you."
        return language.about(*texts, after.called(self.seat, you), bot=self.bot.capitalize())


@dataclass(frozen=True, slots=True)
class Give(RoomCommand):
    """Let a bot play for the caller until the caller resumes."""

    do = "give"
    words = ("give",)
    help = ("give", "let a bot play for you (back takes the seat again)")
    bot: str = ""

    def decide(self, decision: Decision) -> None:
        decision.check_playing()
        seat = decision.own_seat()
        if decision.chair(seat).bot:
            raise Refused("bot-plays-already")
        decision.add(BotSubstituted(seat, decision.bot_named(self.bot), "gave"))


@dataclass(frozen=True, slots=True)
class Resumed(SeatEvent):
    """The event that the person plays again."""

    log = logged("resumed", seat=int)
    stages = ("playing",)
    chairs = ("standin",)
    seat: int

    def needed(self, state: RoomState) -> bool:
        return state.chairs[self.seat].why == "voted"

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        return replace(chair, bot="", why="")

    def starts_afresh(self, state: RoomState, chair: Chair) -> bool:
        return chair.why == "voted"

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        return language.about("{name} plays again.", "You play again.", after.called(self.seat, you))


@dataclass(frozen=True, slots=True)
class Resume(RoomCommand):
    """End a bot's play for the caller.

    The table gives this command for a person who comes back after the others voted for a bot.
    """

    do = "resume"
    words = ("back",)
    seat: int | None = None

    def decide(self, decision: Decision) -> None:
        decision.check_playing()
        seat = decision.own_seat() if decision.caller.person is not None or self.seat is None else self.seat
        if decision.chair(seat).kind != "standin":
            raise Refused("no-bot-plays")
        decision.add(Resumed(seat))


@dataclass(frozen=True, slots=True)
class Voted(Event):
    """The event that a seat votes for a bot at the seat of an absent person."""

    log = logged("voted", seat=int, absent=int)
    stages = ("playing",)
    chairs = TAKEN
    leads_on = True
    seat: int
    absent: int

    def fits(self, state: RoomState) -> bool:
        absent = self.absent in range(len(state.chairs)) and state.chairs[self.absent].kind == "person"
        return absent and self.absent != self.seat

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        votes = [vote for vote in state.votes if vote[:2] != (self.seat, self.absent)]
        return changed(state, at, votes=(*votes, (self.seat, self.absent, at)))

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        texts = (
            "{name} votes for a bot to play for {other}.",
            "You vote for a bot to play for {other}.",
            "{name} votes for a bot to play for you.",
        )
        return between(language, texts, after.called(self.seat, you), after.called(self.absent, you))

    def counted(self, language: Language, after: RoomState, gone: Mapping[int, int], you: int | None) -> str:
        """Return the sentence for the vote, with the count of the present seats.

        ``gone`` has the seats that are away.
        """
        votes, needed = after.ballot(self.absent, gone)
        texts = (
            "{name} votes for a bot to play for {other}: {votes} of {needed}.",
            "You vote for a bot to play for {other}: {votes} of {needed}.",
            "{name} votes for a bot to play for you: {votes} of {needed}.",
        )
        name, other = after.called(self.seat, you), after.called(self.absent, you)
        return between(language, texts, name, other, votes=votes, needed=needed)

    def concerns(self, after: RoomState) -> set[int]:
        return {self.seat, self.absent}


@dataclass(frozen=True, slots=True)
class Vote(RoomCommand):
    """Vote for a bot at the seat of an absent person. A majority of the present seats brings the bot in."""

    do = "vote"
    seat: int | None = None
    bot: str = ""
    name: str = ""

    def decide(self, decision: Decision) -> None:
        absent = decision.seat_meant(self.seat, self.name)
        decision.check_going_on()
        decision.own_seat()
        gone, bot = decision.caller.gone, decision.bot_named(self.bot)
        seats = decision.state.seats_of(decision.caller.person)
        # The caller's own seats are excluded, or a person with two seats (two votes) could vote a bot into one of them.
        if decision.chair(absent).kind != "person" or absent not in gone or absent in seats:
            raise Refused("not-absent")
        wait = gone[absent] + 1000 * decision.state.setup.grace_s - decision.caller.now
        if wait > 0:
            raise Refused("still-waiting", seconds=-(-wait // 1000), name=decision.chair(absent).name)
        # Only votes since this absence began count, because the person came back after any earlier vote.
        voters = [seat for seat in seats if seat not in decision.state.voters(absent, gone[absent])]
        for seat in voters:
            decision.add(Voted(seat, absent))
        votes, needed = decision.state.ballot(absent, gone)
        if votes >= needed:
            decision.add(BotSubstituted(absent, bot, "voted"))
        elif not voters:
            raise Refused("voted-already")
