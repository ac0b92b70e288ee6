"""The seats around a match. ``decide`` turns a command into events, and ``apply`` turns an event into the next state.

Both are pure functions, because the source of the dice (the cup) is an argument. A command is a request. If the table
refuses it, nothing changes. An event is a fact. Marks are the dice that the mover intends to keep. They are events too,
so a reload or a lost connection keeps them. The mover can change them until the roll. The table itself plays forced
actions, and each of them is an ordinary event.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from operator import attrgetter
from typing import Any, Literal, NamedTuple, get_args

from pubdice.core.cup import Cup
from pubdice.core.dice import Hand, Roll, together, whole_number
from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.core.frozen import maker, quick
from pubdice.core.game import KeepGame, Result, RoundSeat, Seat, Verb, kept_by
from pubdice.match.match import Match, MatchState
from pubdice.match.record import ChoiceTakenBack, Drawn, Move, Played, Rolled, Written, advance, still_to_fall


@dataclass(frozen=True, slots=True)
class Marking:
    """The dice that a mover can mark, and the legal keeps among them.

    Some dice form a group: every legal keep has all of them or none (the cargo of Ship, Captain and Crew). A player
    marks and frees the dice of a group together.
    """

    dice: tuple[tuple[int, int], ...] = ()  # (place, face) of each free die
    hands: frozenset[Hand] = frozenset()  # the hands that legal keeps hold
    faces: Mapping[int, int] = field(init=False, compare=False)  # the face of each free die, by its place
    all_may_stay: bool = field(init=False, compare=False)  # True if one legal keep holds every free die

    def __post_init__(self) -> None:
        faces = dict(self.dice)
        object.__setattr__(self, "faces", faces)
        object.__setattr__(self, "all_may_stay", tuple(sorted(faces.values())) in self.hands)

    def press(self, place: int, marks: tuple[int, ...]) -> tuple[int, ...]:
        """Return the marks after a press on the die at this place.

        The press marks the die and its group. If the die is already marked, the press frees the die and its group.

        >>> cargo = Marking(((3, 2), (4, 6)), frozenset({(), (2, 6)}))
        >>> cargo.press(4, ()), cargo.press(4, (3, 4))
        ((3, 4), ())
        """
        group = self.group(place)
        if place in marks:
            return tuple([mark for mark in marks if mark not in group])
        return (*marks, *[one for one in group if one not in marks])

    def leads_on(self, marks: tuple[int, ...]) -> bool:
        """Return True if a legal keep holds all dice at these places, and perhaps more.

        >>> only_one = Marking(((0, 1), (1, 1)), frozenset({(1,)}))
        >>> only_one.leads_on((0,)), only_one.leads_on((0, 1))
        (True, False)
        """
        if self.all_may_stay:  # as in Midnight; this saves a search
            return self.faces.keys() >= set(marks)
        return any(set(marks).issubset(kept) for kept in self._keeps())

    def group(self, place: int) -> tuple[int, ...]:
        """Return the places of this die's group, including its own. Each legal keep has all of the group or none."""
        if (self.faces.get(place),) in self.hands:
            return (place,)
        keeps = self._keeps()
        if not any(place in kept for kept in keeps):
            return (place,)
        return tuple([one for one, _ in self.dice if all((one in kept) == (place in kept) for kept in keeps)])

    def _hand(self, places: tuple[int, ...]) -> Hand:
        return tuple(sorted([face for place, face in self.dice if place in places]))

    def _keeps(self) -> list[tuple[int, ...]]:
        """Return the places of every legal keep.

        If equal dice can make the same keep, each choice of places is an entry.
        """
        places = [place for place, _ in self.dice]
        sizes = {len(hand) for hand in self.hands}
        return [kept for size in sizes for kept in combinations(places, size) if self._hand(kept) in self.hands]


Status = Literal["free", "marked", "locked"]


@lru_cache(maxsize=1024)
def _shared(places: frozenset[int]) -> frozenset[int]:
    """Return the same places as one shared object, to save memory.

    A house remembers about 20 trays a table, and a set takes 216 bytes.
    """
    return places


@quick
@dataclass(frozen=True, slots=True)
class Die:
    """One die on the table. If it is locked, it stays until the turn ends."""

    place: int
    face: int
    status: Status


_die = lru_cache(maxsize=1024)(Die)
"""Return a die as one shared object, to save memory. There are only 6 faces in 3 states at a few places."""


@quick
@dataclass(frozen=True, slots=True)
class Tray:
    """A seat's dice, by their places on the table. None is a die in the cup.

    The rules see sorted hands, without places. A tray follows the rolls and keeps, so a player's third die stays the
    third.
    """

    faces: tuple[int | None, ...] = ()
    kept: frozenset[int] = frozenset()  # the places of the dice that stayed at the last roll
    final: frozenset[int] = frozenset()  # the places in ``kept`` that were locked before that roll

    def rolled(self, dice: Roll, there: Hand = ()) -> "Tray":
        """Return the tray after a roll. The dice fall into the empty places, in order.

        If the roll has more dice than there are empty places, as in games that add dice, the rest lie to the right of
        the others. If it has fewer, places stay empty. ``there`` has the dice that the rules still see on the tray. If
        the tray shows other dice, the roll is a new set.
        """
        fallen, kept = iter(dice), self.kept
        if self.faces.count(None) != len(dice):
            if not there or self.shows(tuple(range(len(self.faces)))) != there:
                return Tray(dice)
            kept = frozenset([place for place, face in enumerate(self.faces) if face is not None])
        faces = [next(fallen, None) if face is None else face for face in self.faces]
        return Tray((*faces, *fallen), kept, self.final)

    def keep(self, hand: Hand, locked: Hand, marked: tuple[int, ...]) -> "Tray":
        """Return the tray after a keep: the dice of ``hand`` stay, and the other free dice go into the cup.

        If the dice at the marked places show ``hand``, these stay. Otherwise the leftmost dice that show it stay.
        ``locked`` is the hand locked before this keep, whose dice stay too.
        """
        held = self.final_among(locked)
        places = marked if self.shows(marked) == hand else self.find(hand, held)
        kept = _shared(held.union(places))
        return Tray(tuple([face if place in kept else None for place, face in enumerate(self.faces)]), kept, held)

    def final_among(self, locked: Hand) -> frozenset[int]:
        """Return one place for each die of the hand ``locked``.

        Among equal dice, the dice locked before come first, then the dice that stayed at the last roll, then the
        leftmost. The places in ``kept`` alone would not do. A die that stayed can be free again: any die in 420, a
        cargo die in Ship, Captain and Crew. A die that has just fallen can be locked at once, in a game without a
        choice.
        """
        if not locked or len(locked) == len(self.kept):
            return self.kept if locked else frozenset()
        rest, found = list[int | None](locked), list[int]()
        for place in sorted(range(len(self.faces)), key=lambda one: (one not in self.final, one not in self.kept)):
            if self.faces[place] in rest:
                rest.remove(self.faces[place])
                found.append(place)
        return frozenset(found)

    def left(self, lie: Hand) -> "Tray":
        """Return the tray with only the dice of ``lie`` left, each at its place.

        If it does not show them, they are a new set.
        """
        try:
            places = _shared(frozenset(self.find(lie, frozenset())))
        except ValueError:
            return Tray(lie)
        return Tray(tuple([face if place in places else None for place, face in enumerate(self.faces)]), places, places)

    def shows(self, places: tuple[int, ...]) -> Hand:
        """Return the hand that the dice at these places show."""
        faces = self.faces
        return tuple(sorted([face for place in places if (face := faces[place]) is not None]))

    def find(self, hand: Hand, but: frozenset[int]) -> tuple[int, ...]:
        """Return the leftmost places that show the hand and are not in ``but``. Raise ValueError if there are none."""
        wanted, places = list(hand), []
        for place, face in enumerate(self.faces):
            if face in wanted and place not in but:
                wanted.remove(face)
                places.append(place)
        if wanted:
            raise ValueError(f"{self} does not show {hand}")
        return tuple(places)

    def free(self, locked: Hand) -> tuple[int, ...]:
        """Return the places of the dice that are not locked. ``locked`` is the hand of locked dice."""
        held = self.final_among(locked)
        return tuple([place for place, face in enumerate(self.faces) if face is not None and place not in held])

    def dice(self, locked: Hand, marks: tuple[int, ...] = ()) -> tuple[Die, ...]:
        """Return the dice that lie on the table, each with its status."""
        held = self.final_among(locked)
        return tuple(
            [
                _die(place, face, "marked" if place in marks else "locked" if place in held else "free")
                for place, face in enumerate(self.faces)
                if face is not None
            ]
        )


Dice = Literal["house", "real", "sealed"]
"""The source of the rolls: the house, real dice that the players type in, or the house under a seal (``core.seal``)."""
VERBS: tuple[Verb, ...] = get_args(Verb)


@dataclass(frozen=True, slots=True)
class Draw:
    """The command to draw Player 1 by lot. With real dice, the players name the seat."""

    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class EnterDice:
    """The command to enter real dice as they fell."""

    dice: Roll


@dataclass(frozen=True, slots=True)
class Mark:
    """The command to mark exactly the dice at these places (from 0), in this order."""

    places: tuple[int, ...]


@quick
@dataclass(frozen=True, slots=True)
class RollOrBank:
    """The command to roll or to bank. If the mover has a choice, the marks give the action to take before the roll."""

    verb: Verb
    marks: tuple[int, ...] | None = None  # the places to keep instead of the marked ones; None keeps the marks
    sure: bool = False  # True if the player has confirmed to keep no die, in spite of marks


@dataclass(frozen=True, slots=True)
class PlayAction:
    """The command to take this action. Bots use it, and people in a game of moves.

    With ``rolls``, dice due then are rolled.
    """

    action: Any
    rolls: bool = False


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The command to take back the last real dice, or the last naming of Player 1, with everything after it."""


@dataclass(frozen=True, slots=True)
class TakeChoiceBack:
    """The command to take the last choice back. The dice that fell after it fall again, as they fell."""


TableCommand = Draw | EnterDice | Mark | RollOrBank | PlayAction | TakeBack | TakeChoiceBack


@quick
@dataclass(frozen=True, slots=True)
class Marked:
    """The event that the mover's marks are now these places, in this order."""

    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The event that the last real dice, or the last naming of Player 1, were a mistake.

    They and everything after them are undone.
    """


TableEvent = Move | Marked | TakenBack | ChoiceTakenBack


class WinningHand(NamedTuple):
    """A hand that won or shared a round, with its score and the number of the round."""

    dice: Roll
    score: int
    round: int


@quick
@dataclass(frozen=True, slots=True)
class TableState:
    """The state of a table under way."""

    match: MatchState[Any]
    mover: Seat | None  # this and ``legal`` are stored, because every event and every view reads them often
    legal: tuple[Any, ...]
    trays: tuple[Tray, ...]
    marks: tuple[int, ...] = ()  # in the order the mover marked them
    seq: int = 0  # the number of events so far
    moved: int = 0  # the number of moves so far; it numbers the cup's rolls, so marks do not change the dice
    # the state before real dice were last typed in, or Player 1 drawn; None if nothing can be taken back
    before: "TableState | None" = None
    # The seat and its tray before the table played by itself, or as the roll that ended the turn left it. Pages show it
    # until the next roll, so players see the dice.
    lying: tuple[Seat, Tray] | None = None
    best: tuple[WinningHand | None, ...] = ()  # each seat's best hand that won a round, or None
    seen: Roll = ()  # the dice that fell after a choice that was taken back; they fall first in the rest of the turn
    # The state before the last choice, with the dice to fall again once it is taken back. None as soon as the dice of
    # another turn have fallen, and with sealed dice.
    choice: "TableState | None" = None


_state = maker(TableState)
_all_but_seen = attrgetter(*TableState.__slots__[:-2])


def _remembered(state: TableState, seen: Roll) -> TableState:
    """Return the state before a choice as it comes back, with the dice that fell after the choice."""
    return _state(*[*_all_but_seen(state), seen, None])


def passed_on(before: TableState, after: TableState) -> bool:
    """Return True if the step gave the dice to another seat or turn, as in ``Match.passed_on``."""
    return after.mover != before.mover or after.match.number != before.match.number


@dataclass(frozen=True, slots=True)
class Table:
    """A match with players' names at its seats, and the source of its dice."""

    match: Match[Any, Any]
    names: tuple[str, ...]
    dice: Dice = "house"

    def start(self) -> TableState:
        """Return the state before the first roll, with empty trays."""
        inner = self.match.start()
        seats = self.match.seats
        unset = (None,) * seats
        return TableState(inner, self.match.mover(inner), self.match.legal(inner), (Tray(),) * seats, best=unset)

    def hands(self, inner: MatchState[Any], seat: Seat) -> tuple[Hand, Hand]:
        """Return a seat's dice as the rules see them, (locked, free).

        In a roll-off, only its one die counts, as locked.
        """
        if inner.roll_off is not None:
            face = inner.roll_off.face(seat)
            return ((face,) if face else ()), ()
        if inner.round is None or seat not in inner.order:
            return (), ()
        return self.match.game.dice(inner.round, RoundSeat(inner.order.index(seat)))

    def enters_dice(self, state: TableState) -> bool:
        """Return True if the players must now type in the real dice that they rolled."""
        return self.dice == "real" and self.match.to_roll(state.match) > 0

    def view(self, state: TableState, seat: Seat) -> tuple[Die, ...]:
        """Return a seat's dice on the table, in the order of their places."""
        locked, free = self.hands(state.match, seat)
        if not locked and not free:
            return ()
        return state.trays[seat].dice(locked, state.marks if seat == state.mover else ())

    def meant(self, state: TableState, verb: Verb) -> Any:
        """Return the action that a verb and the mover's marks mean. Raise IllegalAction if they mean none."""
        kept = self._kept(state, state.marks) if state.marks else ()
        action = self.match.choose(state.match, verb, kept)
        self.match.play(state.match, action)
        return action

    def stays(self, state: TableState) -> tuple[int, ...]:
        """Return the places of the dice that every legal keep holds. They stay without a mark.

        Empty if no choice is open.

        Among equal dice, the leftmost count.
        """
        mover, game = state.mover, self.match.game
        if mover is None or not state.legal or not isinstance(game, KeepGame):
            return ()
        try:
            common = Counter(game.kept(self.match.choose(state.match, "roll", ())))
        except IllegalAction:
            return ()
        if not common:  # in Midnight, every keep of 4 4 has a 4, but the player must mark one
            return ()
        for action in state.legal:
            common &= Counter(game.kept(action))
        tray = state.trays[mover]
        return tray.find(tuple(common.elements()), tray.final_among(self.hands(state.match, mover)[0]))

    def _kept(self, state: TableState, marks: tuple[int, ...]) -> Hand:
        """Return the hand that the mover keeps: the marked dice, and the dice that stay without a mark (``stays``).

        So a marked 4 is kept in addition to the 4 of the crew.
        """
        if state.mover is None or not marks:
            return ()
        return state.trays[state.mover].shows(tuple({*marks, *self.stays(state)}))

    def may_give_up(self, state: TableState) -> bool:
        """Return True if a roll that keeps no die would give up dice that could stay.

        The player must confirm such a roll.
        """
        match, game = self.match, self.match.game
        try:
            if not state.legal or not isinstance(game, KeepGame):
                return False
            return game.gives_up(state.match.round, match.choose(state.match, "roll", ()))
        except IllegalAction:
            return False

    def decide(self, state: TableState, command: TableCommand, cup: Cup) -> tuple[TableEvent, ...]:
        """Return the events of a command, including forced plays.

        Raise IllegalAction or Refused, and change nothing.
        """
        return tuple([event for event, _ in self.steps(state, command, cup)])

    def steps(self, state: TableState, command: TableCommand, cup: Cup) -> list[tuple[TableEvent, TableState]]:
        """Return the events of a command, each with the state after it. Raise as ``decide`` does."""
        try:
            event = self._decide(state, command, cup)
            after = self._after(state, event)
        except IllegalAction as error:
            lie = self._free_faces(state)
            # The error lists the dice in the order of the keys that choose them.
            if error.facts.get("free") == tuple(sorted(lie)):
                error.facts = {**error.facts, "free": lie}
            raise
        steps = [(event, after)]
        rolls = isinstance(command, RollOrBank) or (isinstance(command, PlayAction) and command.rolls)
        in_turn = isinstance(event, Played) and self.dice != "real" and not passed_on(state, after)
        if rolls and in_turn and (due := self.match.to_roll(after.match)):
            rolled = Rolled(self._thrown(cup, due, after))
            after = self._after(after, rolled)
            steps.append((rolled, after))
        if not isinstance(event, Marked | TakenBack | ChoiceTakenBack):
            while len(after.legal) == 1:
                forced = Played(after.legal[0])
                after = self._after(after, forced)
                steps.append((forced, after))
        return steps

    def _decide(self, state: TableState, command: TableCommand, cup: Cup) -> TableEvent:
        if isinstance(command, TakeBack):
            if state.before is None:
                raise Refused("nothing-to-take-back" if self.dice == "real" else "rolled-is-rolled")
            return TakenBack()
        if state.match.over:
            raise Refused("match-over")
        if isinstance(command, TakeChoiceBack):
            if state.choice is None:
                raise Refused("rolled-is-rolled")
            return ChoiceTakenBack(state.moved - state.choice.moved)
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
        due, mover = 0 if state.legal else self.match.to_roll(state.match), state.mover
        if not due:
            places = None if command.sure or command.marks == state.marks else command.marks
            if places is not None and state.legal:
                self._check_markable(state, places)
            marks = () if command.sure else state.marks if places is None else places
            action, game = self.match.choose(state.match, verb, self._kept(state, marks)), self.match.game
            assert isinstance(game, KeepGame), "else choose has refused the verb"
            if not command.sure and game.gives_up(state.match.round, action):
                raise Refused("gives-up")
            lies = places and mover is not None and state.trays[mover].shows(places) == game.kept(action)
            return Played(action, places if lies else None)
        if verb == "bank" and isinstance(self.match.game, KeepGame):
            raise Refused("bank-before-roll", due=due)
        if verb == "bank":
            raise self._too_early()
        if self.dice == "real":
            raise Refused("enter-dice", due=due)
        return Rolled(self._thrown(cup, due, state))

    def _thrown(self, cup: Cup, due: int, state: TableState) -> Roll:
        sides, seen = self.match.game.faces.sides, state.seen[:due]
        if not seen:
            return cup.roll(due, state.moved, sides)
        # A seeded cup has thrown for this number of moves before, so it gets a number of its own.
        return seen + cup.roll(due - len(seen), -state.seq, sides) if len(seen) < due else seen

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
            raise self._too_early()
        self._check_markable(state, places)
        return Marked(places)

    def _too_early(self) -> Refused:
        return Refused("nothing-to-mark-yet" if self.dice == "real" else "nothing-to-mark")

    def _check_markable(self, state: TableState, places: tuple[int, ...]) -> None:
        if not self._are_markable(state, places):
            raise Refused("not-markable", places=places, free=self._markable(state))

    def _are_markable(self, state: TableState, places: tuple[int, ...]) -> bool:
        """Return True if the mover may mark the dice at these places, and each place is named once."""
        return len(set(places)) == len(places) and set(places).issubset(self._markable(state))

    def _markable(self, state: TableState) -> tuple[int, ...]:
        """Return the places of the dice that the mover may mark. Empty if no choice is open."""
        if state.mover is None or not state.legal:
            return ()
        return state.trays[state.mover].free(self.hands(state.match, state.mover)[0])

    def _free_faces(self, state: TableState) -> Roll:
        places = self._markable(state)
        return tuple([face for place in places if (face := state.trays[state.mover or 0].faces[place]) is not None])

    def marking(self, state: TableState) -> Marking:
        """Return the dice that the mover may mark, with the legal keeps.

        It is empty in a game of moves. It is empty too if "roll" and "bank" without marks reach every legal action.
        """
        mover, legal, places, game = state.mover, state.legal, self._markable(state), self.match.game
        if mover is None or not places or not isinstance(game, KeepGame):
            return Marking()
        if len(legal) <= len(VERBS):
            unmarked = replace(state, marks=())
            said = [self._means(unmarked, verb) for verb in VERBS]
            if all(action in said for action in legal):
                return Marking()
        faces = state.trays[mover].faces
        dice = tuple([(place, face) for place in places if (face := faces[place]) is not None])
        return Marking(dice, frozenset(map(game.kept, legal)))

    def _means(self, state: TableState, verb: Verb) -> Any:
        try:
            return self.meant(state, verb)
        except IllegalAction:
            return None

    def apply(self, state: TableState, event: TableEvent) -> TableState:
        """Return the state after an event. Raise IllegalAction for an event that cannot have happened."""
        if isinstance(event, Marked | Played) and event.places is not None:
            mover = state.mover
            if not self._are_markable(state, event.places):
                raise IllegalAction("not-markable", state=state, action=event.places)
            lies = () if mover is None else state.trays[mover].shows(event.places)
            if isinstance(event, Played) and lies != kept_by(self.match.game, event.action):
                raise IllegalAction("not-markable", state=state, action=event.places)
        return self._after(state, event)

    def _after(self, state: TableState, event: TableEvent) -> TableState:
        """Return the state after an event. Its places, if it has any, are already checked."""
        if isinstance(event, TakenBack | ChoiceTakenBack):
            return self._undone(state, event)
        seq = state.seq + 1
        if isinstance(event, Marked):
            shown, rest = (state.match, state.mover, state.legal, state.trays), (state.seen, state.choice)
            return TableState(*shown, event.places, seq, state.moved, state.before, state.lying, state.best, *rest)
        match = advance(self.match, state.match, event)
        next_mover, legal = match.mover, self.match.legal(match)
        trays, before, lying, mover = state.trays, state.before, None, state.mover
        if self.dice == "real" and not isinstance(event, Played):
            before = replace(state, before=None)
        if mover is not None and not isinstance(event, Drawn):
            if isinstance(event, Rolled):
                tray = self._fallen(state, mover, event.dice)
                if not any(self.hands(match, mover)):  # the roll ended the turn, so no view would show its dice
                    lying = mover, tray
            else:
                chooses = next_mover == mover and len(legal) > 1
                # if the mover still chooses, every view shows the dice anyway
                if len(state.legal) == 1 and not (chooses and any(self.hands(match, mover))):
                    lying = state.lying if state.lying and state.lying[0] == mover else (mover, trays[mover])
                tray = trays[mover]
                if isinstance(self.match.game, KeepGame):
                    kept = self.match.game.kept(event.action)
                    marks = state.marks if event.places is None else event.places
                    tray = tray.keep(kept, self.hands(state.match, mover)[0], marks)
            if not isinstance(self.match.game, KeepGame):
                tray = self._lies(tray, state, match)
            trays = (*trays[:mover], tray, *trays[mover + 1 :])
        best, last = state.best, match.last
        if last is not None and last is not state.match.last and match.tally.began is None:
            best = self._best(best, last, state.match.called, trays)
        seen, choice = self._left(state, event)
        if seen and (next_mover != mover or match.number != state.match.number):
            seen = ()
        return _state(match, next_mover, legal, trays, (), seq, state.moved + 1, before, lying, best, seen, choice)

    def _undone(self, state: TableState, event: TakenBack | ChoiceTakenBack) -> TableState:
        if isinstance(event, TakenBack):
            if state.before is None:
                raise IllegalAction("nothing-to-take-back")
            return replace(state.before, seq=state.seq + 1)
        if state.choice is None or state.moved - state.choice.moved != event.moves:
            raise IllegalAction("nothing-to-take-back")
        return replace(state.choice, seq=state.seq + 1, marks=())

    def _left(self, state: TableState, move: Move) -> tuple[Roll, TableState | None]:
        """Return the seen dice that are left after a move, and the choice that can be taken back then."""
        seen, choice = state.seen, state.choice
        if not isinstance(move, Rolled):
            chosen = len(state.legal) > 1 and self.dice != "sealed"
            return seen, _remembered(state, seen) if chosen else choice
        if choice is None or passed_on(choice, state):
            return still_to_fall(seen, move.dice), None
        if new := move.dice[len(seen) :]:
            choice = _remembered(choice, choice.seen + new)
        return still_to_fall(seen, move.dice), choice

    def _fallen(self, state: TableState, mover: Seat, dice: Roll) -> Tray:
        if state.match.roll_off is not None:
            return Tray(dice)
        locked, free = self.hands(state.match, mover)
        return state.trays[mover].rolled(dice, together(locked, free) if locked and free else locked or free)

    def _lies(self, tray: Tray, before: TableState, match: MatchState[Any]) -> Tray:
        """Return the mover's tray after a move, in a game of moves.

        It has the dice that the rules still have on the table.

        After a turn, it keeps the last dice of the turn.
        """
        lie = () if before.mover is None else self.hands(match, before.mover)[0]
        if not lie and self.match.passed_on(before.match, match):
            return tray
        return tray if tray.shows(tuple(range(len(tray.faces)))) == lie else tray.left(lie)

    def _best(
        self, best: tuple[WinningHand | None, ...], last: Result, number: int, trays: tuple[Tray, ...]
    ) -> tuple[WinningHand | None, ...]:
        """Return every seat's best winning hand after this round. If a new one is only equal, the earlier one stays."""
        sign = -1 if self.match.game.lowest_wins else 1
        found = list(best)
        for seat in last.winners:
            score, before = last.scores[seat], found[seat]
            if before is None or sign * score > sign * before.score:
                dice = sorted([face for face in trays[seat].faces if face], reverse=True)
                found[seat] = WinningHand(tuple(dice), score, number)
        return tuple(found)


MOST_DICE = 100
"""The most digits that one roll can have in a line of the log. No game has as many dice."""

MANY = 10
"""The least number of sides with which faces can have two digits. Dots separate the faces in the log then."""


def moves(events: Iterable[TableEvent]) -> list[Written]:
    """Return the moves among a table's events as a record has them.

    They have no places. Real dice that were taken back are gone, with everything after them. A choice that was taken
    back stays, with the line that says so.
    """
    found: list[Written] = []
    counting: list[int] = []  # the indices in ``found`` of the moves that count
    for event in events:
        if isinstance(event, TakenBack):
            while isinstance(found[at := counting.pop()], Played):
                pass
            del found[at:]
        elif isinstance(event, ChoiceTakenBack):
            del counting[len(counting) - event.moves :]
            found.append(event)
        elif not isinstance(event, Marked):
            counting.append(len(found))
            found.append(Played(event.action) if isinstance(event, Played) else event)
    return found


def write_event(table: Table, event: TableEvent) -> str:
    """Return an event as one line of a log: ``draw 1``, ``roll 344512``, ``mark 0 3``, ``play k45 0 3``, ``back``.

    ``unplay 2`` takes a choice back, with the number of its moves.

    Logs are kept permanently, so the words here do not follow the names of the classes.
    """
    if isinstance(event, Drawn):
        return f"draw {event.seat}"
    if isinstance(event, Rolled):
        return "roll " + ("" if table.match.game.faces.sides < MANY else ".").join(map(str, event.dice))
    if isinstance(event, Marked):
        return " ".join(["mark", *map(str, event.places)])
    if isinstance(event, TakenBack):
        return "back"
    if isinstance(event, ChoiceTakenBack):
        return f"unplay {event.moves}"
    action = table.match.game.write_action(event.action)
    return " ".join(["play", action, *map(str, event.places)]) if event.places else f"play {action}"


def read_event(table: Table, text: str) -> TableEvent:
    """Return the event that a line of a log states. Raise BadNotation if there is none."""
    kind, _, rest = text.partition(" ")
    if kind == "play":
        action, *places = rest.split(" ")
        return Played(table.match.game.read_action(action), _numbers(places, text) if places else None)
    if text == "back":
        return TakenBack()
    if kind == "roll" and table.match.game.faces.sides >= MANY:
        return Rolled(_numbers(rest.split("."), text))
    if kind == "roll" and whole_number(rest, MOST_DICE) is not None:
        return Rolled(tuple(map(int, rest)))  # the rules refuse a 7
    numbers = _numbers(rest.split(" ") if rest else [], text)
    if kind == "mark":
        return Marked(numbers)
    if kind == "unplay" and len(numbers) == 1:
        return ChoiceTakenBack(numbers[0])
    if kind == "draw" and len(numbers) == 1:
        return Drawn(Seat(numbers[0]))
    raise BadNotation("event", found=text[:99])


def _numbers(words: list[str], text: str) -> tuple[int, ...]:
    """Return the words of a line as numbers. Raise BadNotation with the whole line if one is no number."""
    numbers = [number for word in words if (number := whole_number(word)) is not None]
    if len(numbers) < len(words):
        raise BadNotation("event", found=text[:99])
    return tuple(numbers)
