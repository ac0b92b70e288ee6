"""Seats round a match: decide(state, command) → events, apply(state, event) → state. Pure: the cup is an argument.

A command is a request and may be refused, with nothing changed; an event is a fact. Marks (dice a player means to keep)
are facts too, so nothing is lost when a table is cut off, and they can be changed until the dice are rolled. The table
itself plays whatever is forced, as events like any other.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from pubdice.cup import Cup
from pubdice.dice import Hand, Roll
from pubdice.game import BadNotation, IllegalAction, Seat, Verb, quick, with_facts
from pubdice.match import Match, MatchState
from pubdice.record import Drawn, Move, Played, Rolled, advance
from pubdice.view import Die, Tray

Dice = Literal["house", "real"]


class Refused(Exception):
    """The table or the store says no: a stable code and the facts."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts

    def __str__(self) -> str:
        return with_facts(self.code, self.facts)


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw Player 1 by lot; with real dice the people say who it is."""

    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Enter:
    """Real dice, as they fell."""

    dice: Roll


@dataclass(frozen=True, slots=True)
class Mark:
    """Mark exactly these places (from 0) to be kept, in the order they were marked."""

    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Do:
    """Roll or bank: take the action the marks mean if a choice is open, and roll what is then to be rolled.

    sure: keep nothing, whatever is marked: the player was asked, as some of the dice could stay, and means it.
    """

    verb: Verb
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Act:
    """Take an action outright, as bots do."""

    action: Any


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back what was entered last, real dice or Player 1, with all that followed."""


Command = Draw | Enter | Mark | Do | Act | TakeBack


@quick
@dataclass(frozen=True, slots=True)
class Marked:
    """The mover's marks are now these places, in the order they were marked."""

    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What was entered last was a mistake: it and all that followed never happened."""


Event = Move | Marked | TakenBack


@quick
@dataclass(frozen=True, slots=True)
class TableState:
    """A table under way.

    match: the match's state. trays: every seat's dice by place. marks: places the mover has marked, in order.
    seq: events so far. moved: moves among them, by which the cup is asked, so that marks do not change the dice.
    before: the state before the last real dice, or the last Player 1, were entered, while that may be taken back.
    lying: the seat whose dice the table took on by itself, as there was no choice, and its tray until then: they lie in
    sight until the next roll.
    """

    match: MatchState[Any]
    trays: tuple[Tray, ...]
    marks: tuple[int, ...] = ()
    seq: int = 0
    moved: int = 0
    before: "TableState | None" = None
    lying: tuple[Seat, Tray] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A match with names at its seats, and whose dice are thrown: the house's, or real ones entered by hand."""

    match: Match[Any, Any]
    names: tuple[str, ...]
    dice: Dice = "house"

    def start(self) -> TableState:
        """Nobody has rolled."""
        return TableState(self.match.start(), (Tray(),) * self.match.seats)

    def mover(self, state: TableState) -> Seat | None:
        """The seat whose turn it is."""
        return self.match.mover(state.match)

    def hands(self, state: TableState, seat: Seat) -> tuple[Hand, Hand]:
        """A seat's dice on the table as the rules see them: (locked, free)."""
        inner = state.match
        if inner.round is None or seat not in inner.order:
            return (), ()
        return self.match.game.dice(inner.round, Seat(inner.order.index(seat)))

    def view(self, state: TableState, seat: Seat) -> tuple[Die, ...]:
        """A seat's dice in their places."""
        locked, free = self.hands(state, seat)
        if not locked and not free:
            return ()
        return state.trays[seat].dice(locked, state.marks if seat == self.mover(state) else ())

    def decide(self, state: TableState, command: Command, cup: Cup) -> tuple[Event, ...]:
        """The events a command leads to, forced plays included.

        Raises IllegalAction or Refused, and then nothing has changed.
        """
        return tuple([event for event, _ in self.steps(state, command, cup)])

    def steps(self, state: TableState, command: Command, cup: Cup) -> list[tuple[Event, TableState]]:
        """The events a command leads to, each with the state after it. Raises as ``decide`` does."""
        event = self._decide(state, command, cup)
        after = self._after(state, event)
        steps = [(event, after)]
        if isinstance(command, Do) and self._rolls_on(state, event, after):
            rolled = Rolled(cup.roll(self.match.to_roll(after.match), after.moved))
            after = self._after(after, rolled)
            steps.append((rolled, after))
        if not isinstance(event, Marked | TakenBack):
            while len(legal := self.match.legal(after.match)) == 1:
                forced = Played(legal[0])
                after = self._after(after, forced)
                steps.append((forced, after))
        return steps

    def _rolls_on(self, before: TableState, event: Event, after: TableState) -> bool:
        """Whether the action just taken goes straight on to a roll in the same turn."""
        if self.dice == "real" or not isinstance(event, Played) or not self.match.to_roll(after.match):
            return False
        return self.match.finished(before.match, after.match) is None

    def _decide(self, state: TableState, command: Command, cup: Cup) -> Event:
        if isinstance(command, TakeBack):
            if state.before is None:
                raise Refused("nothing-to-take-back" if self.dice == "real" else "rolled-is-rolled")
            return TakenBack()
        if state.match.over:
            raise Refused("match-over")
        if isinstance(command, Draw):
            return Drawn(self._lot(state, command.seat, cup))
        if self.match.to_draw(state.match):
            raise IllegalAction("draw-first")
        if isinstance(command, Mark):
            return self._mark(state, command.places)
        if isinstance(command, Act):
            return Played(command.action)
        if isinstance(command, Do):
            return self._do(state, command, cup)
        if self.dice != "real":
            raise Refused("house-dice")
        return Rolled(command.dice)

    def _do(self, state: TableState, command: Do, cup: Cup) -> Event:
        verb = command.verb
        due, mover = self.match.to_roll(state.match), self.mover(state)
        assert mover is not None, "neither over nor at a draw: somebody moves"
        if not due:
            kept = () if command.sure else state.trays[mover].shows(state.marks)
            action = self.match.choose(state.match, verb, kept)
            if not command.sure and self.match.game.gives_up(state.match.round, action):
                raise Refused("gives-up")
            return Played(action)
        if verb == "bank":
            raise Refused("bank-before-roll", due=due)
        if self.dice == "real":
            raise Refused("enter-dice", due=due)
        return Rolled(cup.roll(due, state.moved))

    def _lot(self, state: TableState, seat: Seat | None, cup: Cup) -> Seat:
        if not self.match.to_draw(state.match):
            raise IllegalAction("no-draw")
        if self.dice == "house":
            if seat is not None:
                raise Refused("house-draws")
            return Seat(cup.draw(self.match.seats, state.moved))
        if seat is None:
            raise Refused("name-player-one")
        return seat

    def _mark(self, state: TableState, places: tuple[int, ...]) -> Marked:
        if not self.match.legal(state.match):
            raise Refused("nothing-to-mark" if self.dice == "house" else "nothing-to-mark-yet")
        free = self._markable(state)
        if len(set(places)) != len(places) or not set(places).issubset(free):
            raise Refused("not-markable", places=places, free=free)
        return Marked(places)

    def _markable(self, state: TableState) -> tuple[int, ...]:
        """The places whose dice the mover may choose; none unless a choice is open."""
        mover = self.mover(state)
        if mover is None or not self.match.legal(state.match):
            return ()
        return state.trays[mover].free(self.hands(state, mover)[0])

    def apply(self, state: TableState, event: Event) -> TableState:
        """The state after an event. Raises IllegalAction for one that cannot have happened."""
        if isinstance(event, Marked):
            places = set(event.places)
            if not places.issubset(self._markable(state)) or len(places) != len(event.places):
                raise IllegalAction("not-markable", state=state, action=event.places)
        return self._after(state, event)

    def _after(self, state: TableState, event: Event) -> TableState:
        """The state after an event, whose marks, if it is some, are known to be possible."""
        seq = state.seq + 1
        if isinstance(event, TakenBack):
            if state.before is None:
                raise IllegalAction("nothing-to-take-back")
            return replace(state.before, seq=seq)
        if isinstance(event, Marked):
            return TableState(state.match, state.trays, event.places, seq, state.moved, state.before, state.lying)
        match = advance(self.match, state.match, event)
        trays, before, lying = state.trays, state.before, None
        mover = self.mover(state)
        if self.dice == "real" and not isinstance(event, Played):
            before = replace(state, before=None)
        if mover is not None and not isinstance(event, Drawn):
            if isinstance(event, Rolled):
                tray = trays[mover].rolled(event.dice)
            else:
                if len(self.match.legal(state.match)) == 1:
                    lying = mover, trays[mover]
                kept = self.match.game.kept(event.action)
                tray = trays[mover].keep(kept, self.hands(state, mover)[0], state.marks)
            trays = (*trays[:mover], tray, *trays[mover + 1 :])
        return TableState(match, trays, (), seq, state.moved + 1, before, lying)


def moves(events: Iterable[Event]) -> list[Move]:
    """What a record holds of a table's events: no marks, and nothing that was taken back."""
    found: list[Move] = []
    for event in events:
        if isinstance(event, TakenBack):
            while isinstance(found.pop(), Played):
                pass
        elif not isinstance(event, Marked):
            found.append(event)
    return found


def write_event(table: Table, event: Event) -> str:
    """An event as one line of a log: ``draw 1``, ``roll 344512``, ``mark 0 3``, ``play k45``, ``back``."""
    if isinstance(event, Drawn):
        return f"draw {event.seat}"
    if isinstance(event, Rolled):
        return "roll " + "".join(map(str, event.dice))
    if isinstance(event, Marked):
        return " ".join(["mark", *map(str, event.places)])
    if isinstance(event, TakenBack):
        return "back"
    return f"play {table.match.game.write_action(event.action)}"


def read_event(table: Table, text: str) -> Event:
    """The event a line of a log holds. Raises BadNotation."""
    kind, _, rest = text.partition(" ")
    if kind == "play":
        return Played(table.match.game.read_action(rest))
    if text == "back":
        return TakenBack()
    words = rest.split(" ") if rest else []
    if not rest.isascii() or len(rest) > 999 or not all(word.isdigit() for word in words):
        raise BadNotation("event", found=text[:99])
    if kind == "mark":
        return Marked(tuple(map(int, words)))
    if kind == "draw" and len(words) == 1:
        return Drawn(Seat(int(rest)))
    if kind == "roll" and len(words) == 1:
        return Rolled(tuple(map(int, rest)))
    raise BadNotation("event", found=text[:99])
