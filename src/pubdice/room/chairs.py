"""The chairs of a table. The host seats bots, removes chairs and changes their order."""

from dataclasses import dataclass

from pubdice.core.errors import Refused
from pubdice.kit import PERFECT, Kit
from pubdice.match.header import RawHeader, find_name
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.event import Event, SeatEvent, changed, logged, with_host
from pubdice.room.setup import MOST_CHAIRS, MOST_PERFECT, unused, with_seats
from pubdice.room.state import Chair, RoomState
from pubdice.text.language import Language


def most_chairs(kit: Kit, state: RoomState) -> int:
    """Return the most seats to which the table can grow."""
    if not state.setup.grows:
        return len(state.chairs)
    most = min(MOST_CHAIRS, kit.build(state.setup.rules).most_seats)
    return min(most, MOST_PERFECT) if any(chair.bot == PERFECT for chair in state.chairs) else most


def missing(kit: Kit, state: RoomState) -> int:
    """Return the number of players that the match needs before it can begin."""
    if not state.setup.grows:
        return sum(chair.kind == "empty" for chair in state.chairs)
    expected = len(state.setup.expected)
    # formats need two seats, but a player who was alone in the last match can go on alone
    least = min(2, expected) if expected else 2
    least = max(least, kit.build(state.setup.rules).least_seats)
    return max(0, least - sum(chair.kind != "empty" for chair in state.chairs))


def free_seat(decision: Decision) -> int:
    """Return the seat for a newcomer: an empty one that is not kept, else a new one, else a bot's.

    Raise Refused if none.
    """
    state = decision.state
    for seat, chair in enumerate(state.chairs):
        if chair.kind == "empty" and not chair.awaited:
            return seat
    if state.match is None and len(state.chairs) < most_chairs(decision.kit, state):
        return len(state.chairs)
    for seat, chair in enumerate(state.chairs):
        if chair.kind == "bot":
            return seat
    raise _full(decision)


def empty_seat(decision: Decision) -> int:
    """Return an empty seat or a new one, never a bot's. Raise Refused if there is none."""
    seat, chairs = free_seat(decision), decision.state.chairs
    if seat < len(chairs) and chairs[seat].kind == "bot":
        raise _full(decision)
    return seat


def _full(decision: Decision) -> Refused:
    """Return the refusal for a table without a free seat. If the table grows, it has reached its limit."""
    state = decision.state
    if state.match is None and state.setup.grows:
        return Refused("table-grown", most=most_chairs(decision.kit, state))
    return Refused("table-full")


def may_be_named(state: RoomState, seat: int, name: str) -> bool:
    """Return True if this seat may have the name, because no other seat has it."""
    return find_name(name, [chair.name for other, chair in enumerate(state.chairs) if other != seat]) is None


def taken(state: RoomState) -> int:
    """Return the number of seats that have people or a bot."""
    return sum(chair.kind != "empty" for chair in state.chairs)


def gathers(after: RoomState) -> bool:
    """Return True while people gather at a table that grows. Arrivals there are announced with the number of seats."""
    return after.match is None and after.setup.grows


@dataclass(frozen=True, slots=True)
class BotSeated(SeatEvent):
    """The event that a bot took an empty seat, with a name of its own. At a table that grows, the seat can be new."""

    log = logged("botted", seat=int, bot=str, name=str)
    stages = ("gathering", "playing")
    chairs = ("empty",)
    changes_header = new_seat = True
    seat: int
    bot: str
    name: str

    def fits(self, state: RoomState) -> bool:
        return may_be_named(state, self.seat, self.name)

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        return Chair(self.name, bot=self.bot)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        if gathers(after):
            texts = "{name} sat down. {number} at the table.", "{name} sat down. {number} at the table."
            return language.count(*texts, taken(after), name=self.name)
        if before.chairs[self.seat].name:
            if gone := before.called(self.seat, you):
                return language.say("A bot, {name}, takes over from {other}.", name=self.name, other=gone)
            return language.say("A bot, {name}, takes over from you.", name=self.name)
        return language.say("A bot, {name}, sat down.", name=self.name)


def seat_bot(decision: Decision, seat: int, bot: str) -> None:
    """Seat a bot with a name of its own."""
    names = [chair.name for chair in decision.state.chairs]
    decision.add(BotSeated(seat, bot, unused(bot.capitalize(), names)))


@dataclass(frozen=True, slots=True)
class AddBot(RoomCommand):
    """Seat a bot, as the host."""

    do = "add-bot"
    may_begin = True
    bot: str = ""

    def decide(self, decision: Decision) -> None:
        decision.check_host()
        decision.check_gathering()
        bot, seat = decision.bot_named(self.bot), empty_seat(decision)
        if bot == PERFECT and max(seat + 1, len(decision.state.chairs)) > MOST_PERFECT:
            raise Refused("perfect-seats", most=MOST_PERFECT)
        seat_bot(decision, seat, bot)


@dataclass(frozen=True, slots=True)
class Closed(Event):
    """The event that an empty seat or a bot's seat was removed before the match.

    Later seats move up, and the same person still opens the match.
    """

    log = logged("closed", seat=int)
    stages = ("gathering",)
    chairs = ("empty", "bot")
    changes_header = leads_on = True
    seat: int

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        seat, opens = self.seat, state.opens - (self.seat < state.opens)
        chairs = state.chairs[:seat] + state.chairs[seat + 1 :]
        return with_host(changed(state, at, chairs=chairs, opens=opens % max(1, len(chairs))), Chair())

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        gone = before.chairs[self.seat]
        if not gathers(after):
            return language.count("There is {number} seat now.", "There are {number} seats now.", len(after.chairs))
        if gone.kind == "bot":
            return language.say("{name} leaves.", name=gone.name)
        return language.say("{name} sits this one out.", name=gone.name) if gone.awaited else ""

    def concerns(self, after: RoomState) -> set[int]:
        return set()


@dataclass(frozen=True, slots=True)
class Close(RoomCommand):
    """Remove an empty seat or a bot's seat, as the host."""

    do = "close"
    may_begin = True
    seat: int | None = None
    name: str = ""

    def decide(self, decision: Decision) -> None:
        number = decision.seat_meant(self.seat, self.name)
        decision.check_host()
        decision.check_gathering()
        chair, seats = decision.chair(number), len(decision.state.chairs)
        if decision.state.setup.night:
            raise Refused("night-rules")
        if chair.kind not in ("empty", "bot"):
            raise Refused("seat-taken", name=chair.name)
        setup, kit = decision.state.setup, decision.kit
        if setup.grows:
            least = 1
        else:
            header = kit.normalize(RawHeader(with_seats(setup.rules, seats)))
            least = kit.build(header.fields).least_seats
        if seats <= least:
            raise Refused("too-few-seats", least=least)
        decision.add(Closed(number))


@dataclass(frozen=True, slots=True)
class Shifted(Event):
    """The event that the host moved a seat to another place in the order, before the match.

    The same person still opens the match.
    """

    log = logged("shifted", seat=int, to=int)
    stages = ("gathering",)
    chairs = ("empty", "bot", "person")
    changes_header = True
    seat: int
    to: int

    def fits(self, state: RoomState) -> bool:
        return self.to in range(len(state.chairs))

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        order = [number for number in range(len(state.chairs)) if number != self.seat]
        order.insert(self.to, self.seat)
        chairs = tuple([state.chairs[number] for number in order])
        opens = order.index(state.opens) if state.setup.moves_left else state.opens
        return changed(state, at, chairs=chairs, opens=opens)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        name = after.called(self.to, you)
        if self.to:
            return language.about("{name} has a new place in the order.", "You have a new place in the order.", name)
        return language.about("{name} goes first from now on.", "You go first from now on.", name)

    def concerns(self, after: RoomState) -> set[int]:
        return {self.to}


@dataclass(frozen=True, slots=True)
class Shift(RoomCommand):
    """Move a seat to another place in the order, as the host."""

    do = "move"
    seat: int | None = None
    to: int | None = None
    name: str = ""

    def decide(self, decision: Decision) -> None:
        seat = decision.seat_meant(self.seat, self.name)
        to = decision.seat_meant(self.to)
        decision.check_host()
        decision.check_gathering()
        decision.chair(seat)
        decision.chair(to)
        if seat == to:
            raise Refused("nothing-new")
        decision.add(Shifted(seat, to))
