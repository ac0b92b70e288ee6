"""Seats round a match: decide(state, command) → events, apply(state, event) → state. Pure: the cup is an argument.

A command is a request and may be refused, with nothing changed; an event is a fact. Marks (dice a player means to keep)
are facts too, so nothing is lost when a table is cut off; the player can change them until the roll. The table itself
plays what is forced, as events like any other.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from pubdice.core.cup import Cup
from pubdice.core.dice import Hand, Roll, together
from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.core.frozen import maker, quick
from pubdice.core.game import RoundSeat, Seat, Verb
from pubdice.core.whole_number import whole_number
from pubdice.match.match import Match, MatchState
from pubdice.match.record import Drawn, Move, Played, Rolled, advance
from pubdice.match.tray import Die, Marking, Tray

Dice = Literal["house", "real", "sealed"]
"""Whose dice fall: the house's, real ones, or the house's under a seal (``core.seal``)."""
VERBS: tuple[Verb, ...] = get_args(Verb)


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw Player 1 by lot; with real dice the people say who it is (``seat``)."""

    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class EnterDice:
    """Real dice, as they fell."""

    dice: Roll


@dataclass(frozen=True, slots=True)
class Mark:
    """Mark exactly these places (from 0) to be kept, in the order they were marked."""

    places: tuple[int, ...]


@quick
@dataclass(frozen=True, slots=True)
class RollOrBank:
    """Roll or bank: if the mover has a choice, take the action that the marks mean; then roll the dice that are due.

    marks: the places to keep instead of those marked; None: as they are marked. sure: keep nothing, whatever is
    marked: the player was asked first, as some of the dice could stay.
    """

    verb: Verb
    marks: tuple[int, ...] | None = None
    sure: bool = False


@dataclass(frozen=True, slots=True)
class PlayAction:
    """Take this action without marks, as bots do."""

    action: Any


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back what was entered last, real dice or Player 1, with all that followed."""


TableCommand = Draw | EnterDice | Mark | RollOrBank | PlayAction | TakeBack


@quick
@dataclass(frozen=True, slots=True)
class Marked:
    """The mover's marks are now these places, in the order they were marked."""

    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last real dice, or the last Player 1, were entered by mistake: they and all that followed never happened."""


TableEvent = Move | Marked | TakenBack


@quick
@dataclass(frozen=True, slots=True)
class TableState:
    """A table under way.

    match: the match's state. mover, legal: whose turn it is there, and the actions open to them, which every event and
    every view asks for many times. trays: every seat's dice by place. marks: places the mover has marked, in order.
    seq: events so far. moved: the moves among them, which number the cup's rolls, so that marks do not change the dice.
    before: the state before the last real dice, or the last Player 1, were entered, while they may be taken back.
    lying: the seat whose dice the table has just played by itself, as there was no choice or the roll ended the turn,
    and its tray before that: pages show them until the next roll.
    """

    match: MatchState[Any]
    mover: Seat | None
    legal: tuple[Any, ...]
    trays: tuple[Tray, ...]
    marks: tuple[int, ...] = ()
    seq: int = 0
    moved: int = 0
    before: "TableState | None" = None
    lying: tuple[Seat, Tray] | None = None


_state = maker(TableState)


def passed_on(before: TableState, after: TableState) -> bool:
    """Whether a step handed on the dice, as ``Match.passed_on`` says."""
    return after.mover != before.mover or after.match.number != before.match.number


@dataclass(frozen=True, slots=True)
class Table:
    """A match with names at its seats, and whose dice are thrown: the house's, sealed or not, or real ones."""

    match: Match[Any, Any]
    names: tuple[str, ...]
    dice: Dice = "house"

    def start(self) -> TableState:
        """The state before the first roll, with empty trays."""
        inner = self.match.start()
        return TableState(inner, self.match.mover(inner), self.match.legal(inner), (Tray(),) * self.match.seats)

    def hands(self, inner: MatchState[Any], seat: Seat) -> tuple[Hand, Hand]:
        """A seat's dice on the table as the rules see them: (locked, free)."""
        if inner.round is None or seat not in inner.order:
            return (), ()
        return self.match.game.dice(inner.round, RoundSeat(inner.order.index(seat)))

    def view(self, state: TableState, seat: Seat) -> tuple[Die, ...]:
        """A seat's dice in their places."""
        locked, free = self.hands(state.match, seat)
        if not locked and not free:
            return ()
        return state.trays[seat].dice(locked, state.marks if seat == state.mover else ())

    def meant(self, state: TableState, verb: Verb) -> Any:
        """The action that a verb means with the mover's marks. Raises IllegalAction if it means none."""
        kept = () if state.mover is None else state.trays[state.mover].shows(state.marks)
        action = self.match.choose(state.match, verb, kept)
        self.match.play(state.match, action)
        return action

    def may_give_up(self, state: TableState) -> bool:
        """Whether a roll that keeps no die gives up dice of which some could stay; then the mover is asked first."""
        match = self.match
        try:
            return bool(state.legal) and match.game.gives_up(state.match.round, match.choose(state.match, "roll", ()))
        except IllegalAction:
            return False

    def decide(self, state: TableState, command: TableCommand, cup: Cup) -> tuple[TableEvent, ...]:
        """The events a command leads to, forced plays included.

        Raises IllegalAction or Refused, and then nothing has changed.
        """
        return tuple([event for event, _ in self.steps(state, command, cup)])

    def steps(self, state: TableState, command: TableCommand, cup: Cup) -> list[tuple[TableEvent, TableState]]:
        """The events a command leads to, each with the state after it. Raises as ``decide`` does."""
        event = self._decide(state, command, cup)
        after = self._after(state, event)
        steps = [(event, after)]
        if isinstance(command, RollOrBank) and (due := self._rolls_on(state, event, after)):
            rolled = Rolled(cup.roll(due, after.moved))
            after = self._after(after, rolled)
            steps.append((rolled, after))
        if not isinstance(event, Marked | TakenBack):
            while len(after.legal) == 1:
                forced = Played(after.legal[0])
                after = self._after(after, forced)
                steps.append((forced, after))
        return steps

    def _rolls_on(self, before: TableState, event: TableEvent, after: TableState) -> int:
        """How many dice are rolled straight on in the same turn, after the action just taken; 0 for none."""
        if self.dice == "real" or not isinstance(event, Played) or passed_on(before, after):
            return 0
        return self.match.to_roll(after.match)

    def _decide(self, state: TableState, command: TableCommand, cup: Cup) -> TableEvent:
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
        if isinstance(command, PlayAction):
            return Played(command.action)
        if isinstance(command, RollOrBank):
            return self._roll_or_bank(state, command, cup)
        if self.dice != "real":
            raise Refused("house-dice")
        return Rolled(command.dice)

    def _roll_or_bank(self, state: TableState, command: RollOrBank, cup: Cup) -> TableEvent:
        verb = command.verb
        due, mover = self.match.to_roll(state.match), state.mover
        if not due:
            places = None if command.sure or command.marks == state.marks else command.marks
            if places is not None and state.legal:
                self._check_markable(state, places)
            marks = () if command.sure else state.marks if places is None else places
            kept = () if mover is None else state.trays[mover].shows(marks)
            action = self.match.choose(state.match, verb, kept)
            if not command.sure and self.match.game.gives_up(state.match.round, action):
                raise Refused("gives-up")
            return Played(action, places if places and kept == self.match.game.kept(action) else None)
        if verb == "bank":
            raise Refused("bank-before-roll", due=due)
        if self.dice == "real":
            raise Refused("enter-dice", due=due)
        return Rolled(cup.roll(due, state.moved))

    def _lot(self, state: TableState, seat: Seat | None, cup: Cup) -> Seat:
        if not self.match.to_draw(state.match):
            raise IllegalAction("no-draw")
        if self.dice != "real":
            if seat is not None:
                raise Refused("house-draws")
            return Seat(cup.draw(self.match.seats, state.moved))
        if seat is None:
            raise Refused("name-player-one")
        return seat

    def _mark(self, state: TableState, places: tuple[int, ...]) -> Marked:
        if not state.legal:
            raise Refused("nothing-to-mark-yet" if self.dice == "real" else "nothing-to-mark")
        self._check_markable(state, places)
        return Marked(places)

    def _check_markable(self, state: TableState, places: tuple[int, ...]) -> None:
        if not self._are_markable(state, places):
            raise Refused("not-markable", places=places, free=self._markable(state))

    def _are_markable(self, state: TableState, places: tuple[int, ...]) -> bool:
        """Whether the mover may choose the dice at these places, each named once."""
        return len(set(places)) == len(places) and set(places).issubset(self._markable(state))

    def _markable(self, state: TableState) -> tuple[int, ...]:
        """The places whose dice the mover may choose; none unless a choice is open."""
        if state.mover is None or not state.legal:
            return ()
        return state.trays[state.mover].free(self.hands(state.match, state.mover)[0])

    def marking(self, state: TableState) -> Marking:
        """Which of the mover's dice can be marked to some end: none where both verbs do without."""
        mover, legal, places = state.mover, state.legal, self._markable(state)
        if mover is None or not places:
            return Marking()
        if len(legal) <= len(VERBS):
            unmarked = replace(state, marks=())
            said = [self._means(unmarked, verb) for verb in VERBS]
            if all(action in said for action in legal):
                return Marking()
        faces = state.trays[mover].faces
        dice = tuple([(place, face) for place in places if (face := faces[place]) is not None])
        return Marking(dice, frozenset(map(self.match.game.kept, legal)))

    def _means(self, state: TableState, verb: Verb) -> Any:
        """The action that a verb means with the mover's marks, None if none."""
        try:
            return self.meant(state, verb)
        except IllegalAction:
            return None

    def apply(self, state: TableState, event: TableEvent) -> TableState:
        """The state after an event. Raises IllegalAction for one that cannot have happened."""
        if isinstance(event, Marked | Played) and event.places is not None:
            mover = state.mover
            if not self._are_markable(state, event.places):
                raise IllegalAction("not-markable", state=state, action=event.places)
            if isinstance(event, Played) and mover is not None:
                kept = self.match.game.kept(event.action)
                if state.trays[mover].shows(event.places) != kept:
                    raise IllegalAction("not-markable", state=state, action=event.places)
        return self._after(state, event)

    def _after(self, state: TableState, event: TableEvent) -> TableState:
        """The state after an event. Its places, if it has any, were checked before."""
        seq = state.seq + 1
        if isinstance(event, TakenBack):
            if state.before is None:
                raise IllegalAction("nothing-to-take-back")
            return replace(state.before, seq=seq)
        if isinstance(event, Marked):
            shown = state.match, state.mover, state.legal, state.trays
            return TableState(*shown, event.places, seq, state.moved, state.before, state.lying)
        match = advance(self.match, state.match, event)
        next_mover, legal = self.match.mover(match), self.match.legal(match)
        trays, before, lying, mover = state.trays, state.before, None, state.mover
        if self.dice == "real" and not isinstance(event, Played):
            before = replace(state, before=None)
        if mover is not None and not isinstance(event, Drawn):
            if isinstance(event, Rolled):
                locked, free = self.hands(state.match, mover)
                tray = trays[mover].rolled(event.dice, together(locked, free) if locked and free else locked or free)
                if not any(self.hands(match, mover)):  # the roll ended the turn, and nobody would see it
                    lying = mover, tray
            else:
                chooses = next_mover == mover and len(legal) > 1
                if len(state.legal) == 1 and not (chooses and any(self.hands(match, mover))):  # else all see them
                    lying = state.lying if state.lying and state.lying[0] == mover else (mover, trays[mover])
                kept = self.match.game.kept(event.action)
                marks = state.marks if event.places is None else event.places
                tray = trays[mover].keep(kept, self.hands(state.match, mover)[0], marks)
            trays = (*trays[:mover], tray, *trays[mover + 1 :])
        return _state(match, next_mover, legal, trays, (), seq, state.moved + 1, before, lying)


# A table's events as the lines of a log, and as the moves of a record. Decides nothing.
#
# Logs are kept permanently, so their text is written out here: no word of a line follows from the name of a class.


MOST_DICE = 100
"""The most digits that a log's line may have as one roll; every game has fewer dice."""


def moves(events: Iterable[TableEvent]) -> list[Move]:
    """The moves among a table's events, as a record holds them: no places, and nothing that was taken back."""
    found: list[Move] = []
    for event in events:
        if isinstance(event, TakenBack):
            while isinstance(found.pop(), Played):
                pass
        elif not isinstance(event, Marked):
            found.append(Played(event.action) if isinstance(event, Played) else event)
    return found


def write_event(table: Table, event: TableEvent) -> str:
    """An event as one line of a log: ``draw 1``, ``roll 344512``, ``mark 0 3``, ``play k45 0 3``, ``back``."""
    if isinstance(event, Drawn):
        return f"draw {event.seat}"
    if isinstance(event, Rolled):
        return "roll " + "".join(map(str, event.dice))
    if isinstance(event, Marked):
        return " ".join(["mark", *map(str, event.places)])
    if isinstance(event, TakenBack):
        return "back"
    action = table.match.game.write_action(event.action)
    return " ".join(["play", action, *map(str, event.places)]) if event.places else f"play {action}"


def read_event(table: Table, text: str) -> TableEvent:
    """The event in a line of a log. Raises BadNotation."""
    kind, _, rest = text.partition(" ")
    if kind == "play":
        action, *places = rest.split(" ")
        return Played(table.match.game.read_action(action), _numbers(places, text) if places else None)
    if text == "back":
        return TakenBack()
    if kind == "roll" and whole_number(rest, MOST_DICE) is not None:
        return Rolled(tuple(map(int, rest)))  # the rules refuse a 7
    numbers = _numbers(rest.split(" ") if rest else [], text)
    if kind == "mark":
        return Marked(numbers)
    if kind == "draw" and len(numbers) == 1:
        return Drawn(Seat(numbers[0]))
    raise BadNotation("event", found=text[:99])


def _numbers(words: list[str], text: str) -> tuple[int, ...]:
    """The words of a line as numbers. Raises BadNotation. text: the line, for the error."""
    numbers = [number for word in words if (number := whole_number(word)) is not None]
    if len(numbers) < len(words):
        raise BadNotation("event", found=text[:99])
    return tuple(numbers)
