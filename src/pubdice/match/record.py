"""Replay the moves of a record, and write moves as a record.

A record leaves out most facts that follow from the rules. It may state the mover, a forced action or a turn's score.
Replay checks all that it states. ``docs/build/notation.md`` is the specification, and ``notation`` reads the text.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from pubdice.core.cup import DRAW, DiceSlot, NightMark, read_night
from pubdice.core.dice import Roll, digits
from pubdice.core.errors import BadNotation, IllegalAction, Place
from pubdice.core.frozen import quick
from pubdice.core.game import Seat
from pubdice.match.header import Header, find_name
from pubdice.match.match import Match, MatchState
from pubdice.match.notation import Record, Token

S = TypeVar("S")
A = TypeVar("A")


@quick
@dataclass(frozen=True, slots=True)
class Drawn:
    """The move of the lot: it has drawn Player 1."""

    seat: Seat


@quick
@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll: the dice as they fell."""

    dice: Roll


@quick
@dataclass(frozen=True, slots=True)
class Played(Generic[A]):
    """The mover's action.

    If the mover chose dice to keep, ``places`` has their places on the tray, from 0. A record has no places.
    """

    action: A
    places: tuple[int, ...] | None = None


@quick
@dataclass(frozen=True, slots=True)
class ChoiceTakenBack:
    """The event that the last choice was taken back, and with it this number of moves.

    The dice that fell after the choice have been seen, so they fall again, first and in the same order.
    """

    moves: int


Move = Drawn | Rolled | Played[Any]
Written = Move | ChoiceTakenBack
"""A move, or a choice taken back, as a record has it."""
Transition = tuple[MatchState[S], Written, MatchState[S]]


@dataclass(frozen=True, slots=True)
class ReplayStep(Generic[S]):
    """One move of a replay. ``place`` is its place in the text. None for a forced move that the record left out."""

    before: S
    move: Move
    after: S
    place: Place | None


def advance(match: Match[S, A], state: MatchState[S], move: Move) -> MatchState[S]:
    """Return the state after a move. Raise IllegalAction if the rules do not allow the move."""
    if isinstance(move, Rolled):
        return match.roll(state, tuple(sorted(move.dice)))
    if isinstance(move, Played):
        return match.play(state, move.action)
    return match.draw(state, move.seat)


def still_to_fall(seen: Roll, dice: Roll) -> Roll:
    """Return the dice of ``seen`` that are left after a roll. Raise IllegalAction if the roll has other dice.

    >>> still_to_fall((6, 3, 2), (6, 3)), still_to_fall((6, 3), (6, 3, 5))
    ((2,), ())
    """
    if dice[: len(seen)] != seen[: len(dice)]:
        raise IllegalAction("dice-seen", action=dice, seen=seen)
    return seen[len(dice) :]


def move_word(match: Match[S, A], move: Move) -> str:
    """Return a move as one word: ``@2`` for the draw of the second seat, the dice of a roll, or an action."""
    if isinstance(move, Drawn):
        return f"@{move.seat + 1}"
    return match.game.faces.write(move.dice) if isinstance(move, Rolled) else match.game.write_action(move.action)


def position_line(fields: Mapping[str, str], words: Iterable[str]) -> str:
    """Return a match so far in one line: the fields of its header, a bar, and the words of all moves."""
    head = "; ".join([fields["game"], *(f"{key} {value}" for key, value in fields.items() if key != "game")])
    return " ".join([head, "|", *words])


def replay(match: Match[S, A], record: Record) -> Iterable[ReplayStep[MatchState[S]]]:
    """Return every move of a record, checked against the rules.

    A record may leave out an action that is the only legal one. Moves that were taken back are checked and left out.

    Raise BadNotation for an action that does not parse. Raise IllegalAction for a move, seat, round or score that the
    rules do not allow at that point. Both errors carry the place in the text.
    """
    return (
        _retaken(match, record).steps if record.takes_back else _replayed(_Reader(match, record.header.names), record)
    )


def replay_written(
    match: Match[S, A], record: Record
) -> tuple[tuple[ReplayStep[MatchState[S]], ...], tuple[Written, ...]]:
    """Return the moves of ``replay``. If choices were taken back, return all that the record has too, for ``write``.

    Raise as ``replay`` does.
    """
    if not record.takes_back:
        return tuple(replay(match, record)), ()
    reader = _retaken(match, record)
    return tuple(reader.steps), tuple(reader.written)


def _retaken(match: Match[S, A], record: Record) -> "_Retaker[S, A]":
    reader = _Retaker(match, record.header.names)
    for _ in _replayed(reader, record):
        pass
    return reader


def _replayed(reader: "_Reader[S, A]", record: Record) -> Iterator[ReplayStep[MatchState[S]]]:
    for token in record.tokens:
        if reader.leaves_out(token):
            yield from reader.forced()
        elif token.kind == "action" and reader.turn is None:
            yield from reader.forced_before(token)
        try:
            move = reader.move(token)
            if move is None:
                reader.check(token)
                continue
            step = reader.take(move, token.place)
        except (BadNotation, IllegalAction) as error:
            error.place = token.place
            raise
        yield step
    yield from reader.forced()


class _Reader(Generic[S, A]):
    """The state of a replay under way."""

    def __init__(self, match: Match[S, A], names: tuple[str, ...]) -> None:
        self.match, self.names = match, names
        self.state = match.start()
        # the seat whose turn the last move finished, with its score; None once a line names a seat
        self.turn: tuple[Seat, int] | None = None
        self.fresh = True  # True while this round has no move yet, and the record has not stated the round's number

    def take(self, move: Move, place: Place | None) -> ReplayStep[MatchState[S]]:
        before, after = self.state, advance(self.match, self.state, move)
        self.turn = self.match.turn_ended(before, after)
        self.fresh = self.match.number(after) != self.match.number(before)
        self.state = after
        return ReplayStep(before, move, after, place)

    def forced(self) -> Iterator[ReplayStep[MatchState[S]]]:
        """Take the only legal action and yield its step, as long as there is just one."""
        while len(legal := self.match.legal(self.state)) == 1:
            yield self.take(Played(legal[0]), None)

    def forced_before(self, token: Token) -> Iterator[ReplayStep[MatchState[S]]]:
        """Take the forced actions that the record left out before this action, and yield their steps.

        If this action is itself forced, none was left out. If this action is not legal later in this turn, none is
        taken, so the error names the position that the record has reached.
        """
        match, state, left_out = self.match, self.state, list[A]()
        if len(match.legal(state)) != 1:
            return
        try:
            action = match.game.read_action(token.text)
        except BadNotation:
            return
        while len(legal := match.legal(state)) == 1 and legal[0] != action:
            after = match.play(state, legal[0])
            if match.passed_on(state, after):
                return
            left_out.append(legal[0])
            state = after
        if action in legal:
            for forced in left_out:
                yield self.take(Played(forced), None)

    def leaves_out(self, token: Token) -> bool:
        """Return True if the record can have left out forced actions before this word.

        - Before an action, return False, because the action can be the forced one (``forced_before`` decides).
        - Before a line that names the current mover, return False, because the forced action can follow in that line.
        - After a finished turn, return False, because the next forced action belongs to the next seat.
        """
        if token.kind in ("action", "back") or self.turn is not None:
            return False
        mover = self.match.mover(self.state)
        return token.kind != "seat" or mover is None or find_name(token.text, self.names) != mover

    def move(self, token: Token) -> Move | None:
        """Return the move that a word stands for. None if it states a fact, which ``check`` compares.

        Raise as ``replay`` does.
        """
        if token.kind == "draw":
            return Drawn(self._seat(token))
        if token.kind not in ("roll", "action"):
            return None
        if self.turn is not None:
            raise IllegalAction("turn-over", state=self.state, action=token.text, seat=self.names[self.turn[0]])
        if token.kind == "roll":
            return Rolled(self.match.game.faces.read(token.text) or ())
        return Played(self.match.game.read_action(token.text))

    def check(self, token: Token) -> None:
        """Compare a score, round number or seat name in the record with the match. Raise as ``replay`` does."""
        match, state = self.match, self.state
        if token.kind == "score":
            self._score(token)
        elif token.kind == "back":
            self.take_back(token)
        elif match.to_draw(state):
            raise IllegalAction("draw-first", state=state, action=token.text)
        elif (mover := match.mover(state)) is None:
            raise IllegalAction("match-over", state=state, action=token.text)
        elif token.kind == "round":
            if int(token.text) != match.number(state):
                raise IllegalAction("round", state=state, action=token.text, number=match.number(state))
            if not self.fresh:
                raise IllegalAction("round-under-way", state=state, action=token.text)
            self.fresh = False
        else:
            if self._seat(token) != mover:
                raise IllegalAction("turn", state=state, action=token.text, mover=self.names[mover])
            self.turn = None

    def take_back(self, token: Token) -> None:
        """Take the last choice back. A reader of a record without a line ``back`` has none to take back."""
        raise IllegalAction("back", state=self.state, action=token.text)

    def _score(self, token: Token) -> None:
        if self.turn is None:
            raise IllegalAction("score-early", state=self.state, action=token.text)
        seat, score = self.turn  # in a roll-off the score is the die's face, which no record states
        written = self.match.game.write_score(score), str(score)  # older records have the plain score
        if str(int(token.text)) not in written:
            raise IllegalAction("score", state=self.state, action=token.text, score=score, seat=self.names[seat])

    def _seat(self, token: Token) -> Seat:
        seat = find_name(token.text, self.names)
        if seat is None:
            raise BadNotation("seat", names=self.names)
        return Seat(seat)


class _Retaker(_Reader[S, A]):
    """A replay of a record in which choices are taken back.

    ``steps`` has the steps that count. ``written`` has all moves, and each taking back.

    ``choice`` is the last choice: its place in ``steps``, the state before it, and the dice to fall again once it is
    taken back. It is None as soon as the dice of another turn have fallen.
    """

    def __init__(self, match: Match[S, A], names: tuple[str, ...]) -> None:
        super().__init__(match, names)
        self.steps: list[ReplayStep[MatchState[S]]] = []
        self.written: list[Written] = []
        self.choice: tuple[int, MatchState[S], Roll] | None = None
        self.seen: Roll = ()

    def take(self, move: Move, place: Place | None) -> ReplayStep[MatchState[S]]:
        match, before, choice, seen = self.match, self.state, self.choice, self.seen
        if isinstance(move, Rolled):
            self.seen = still_to_fall(seen, move.dice)
            if choice is not None:
                new = choice[2] + move.dice[len(seen) :]
                self.choice = None if match.passed_on(choice[1], before) else (choice[0], choice[1], new)
        elif len(match.legal(before)) > 1:
            self.choice = len(self.steps), before, seen
        step = super().take(move, place)
        if match.passed_on(before, step.after):
            self.seen = ()
        self.steps.append(step)
        self.written.append(move)
        return step

    def take_back(self, token: Token) -> None:
        if self.state.over:
            raise IllegalAction("match-over", state=self.state, action=token.text)
        if self.choice is None or self.choice[1].mover != self._seat(token):
            super().take_back(token)
            return
        at, self.state, self.seen = self.choice
        self.written.append(ChoiceTakenBack(len(self.steps) - at))
        del self.steps[at:]
        self.choice, self.turn, self.fresh = None, None, False


def write(header: Header, match: Match[S, A], moves: Iterable[Written]) -> str:
    """Return the record of these moves as text. Each turn is a line, with its score once finished.

    Raise IllegalAction.
    """
    return write_steps(header, match, _checked(match, moves))


def _checked(match: Match[S, A], moves: Iterable[Written]) -> Iterator[Transition[S]]:
    states = [match.start()]
    for move in moves:
        state = states[-1]
        if isinstance(move, ChoiceTakenBack):
            del states[len(states) - move.moves :]
        else:
            states.append(advance(match, state, move))
        yield state, move, states[-1]


def write_steps(header: Header, match: Match[S, A], steps: Iterable[Transition[S]]) -> str:
    """Return the record of a match from its steps, without checking them.

    A step is (state before, move, state after). It must begin with the state that ends the step before it, and a draw
    comes first. A caller that has just played the match has these states. To replay the moves would cost as much as to
    play them.
    """
    names, write_action, die = header.names, match.game.write_action, match.game.faces
    write_dice = digits if die.is_usual else die.write
    lines = [header.write(), ""]
    words: list[str] = []
    number = 0
    for before, move, after in steps:
        if isinstance(move, Rolled):
            written = write_dice(move.dice)
        elif isinstance(move, Played):
            written = write_action(move.action)
        elif isinstance(move, ChoiceTakenBack):
            if words:
                lines.append(" ".join(words))
                words.clear()
            lines.append(f"back {names[cast(Seat, after.mover)]}")
            continue
        else:
            lines.append(f"draw {names[move.seat]}")
            continue
        if not words:
            if before.number != number:
                number = before.number
                lines.append(f"round {number}")
            if before.mover is None:
                raise ValueError(f"a step without a mover: {move}")
            words.append(names[before.mover] + ":")
        words.append(written)
        if after.mover != before.mover or after.number != number:
            ended = match.turn_ended(before, after)
            if ended is not None and before.roll_off is None:
                words.append(f"= {match.game.write_score(ended[1])}")
            lines.append(" ".join(words))
            words.clear()
    if words:
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


def moves(steps: Iterable[ReplayStep[S]]) -> Sequence[Move]:
    """Return the moves of a replay."""
    return [step.move for step in steps]


@quick
@dataclass(frozen=True, slots=True)
class TurnCount:
    """A count of turns and rolls by table seat. It numbers the slots (places of rolls) of a match.

    The opener does not change a seat's slots.
    """

    ended: tuple[int, ...]  # the number of each seat's finished turns in this round
    rolls: int = 0  # the number of rolls in the turn under way

    def slot(self, match: Match[Any, Any], state: MatchState[Any]) -> DiceSlot:
        """Return the slot of the next roll.

        Before Player 1 is drawn, and once the match is over, return the slot of the draw.
        """
        mover = state.mover
        if mover is None:
            return DRAW
        return DiceSlot(state.number, mover, self.ended[mover] + 1, self.rolls + 1)

    def after(self, match: Match[Any, Any], before: MatchState[Any], move: Move, state: MatchState[Any]) -> "TurnCount":
        """Return the count after a move from ``before`` to ``state``."""
        if isinstance(move, Drawn) or state.number != before.number:
            return none_ended(match.seats)
        if match.passed_on(before, state):
            mover = before.mover
            return TurnCount(tuple([turns + (seat == mover) for seat, turns in enumerate(self.ended)]))
        return TurnCount(self.ended, self.rolls + 1) if isinstance(move, Rolled) else self


def none_ended(seats: int) -> TurnCount:
    """Return the count at the start of a round, in which no turn has ended."""
    return TurnCount((0,) * seats)


def with_night(text: str, night: str) -> str:
    """Add the mark of a duplicate night to the end of a record's header.

    If ``night`` is empty, the text is unchanged.
    """
    header, gap, body = text.partition("\n\n")
    return f"{header}\nnight: {night}{gap}{body}" if night else text


def night_in(record: Record) -> NightMark | None:
    """Return the duplicate night that a record's header names. None if it names none.

    Raise BadNotation with the place.
    """
    if "night" not in record.header.fields:
        return None
    try:
        return read_night(record.header.fields["night"])
    except BadNotation as error:
        error.place = record.header.places["night"]
        raise


def dice_by_slot(match: Match[Any, Any], steps: Iterable[ReplayStep[MatchState[Any]]]) -> dict[DiceSlot, Roll]:
    """Return every roll of a replay by its slot (its place in the match).

    The "roll" of the draw is the seat's number.
    """
    found: dict[DiceSlot, Roll] = {}
    turns = none_ended(match.seats)
    for step in steps:
        if isinstance(step.move, Rolled):
            found[turns.slot(match, step.before)] = step.move.dice
        elif isinstance(step.move, Drawn):
            found[DRAW] = (step.move.seat,)
        turns = turns.after(match, step.before, step.move, step.after)
    return found


def first_difference(one: dict[DiceSlot, Roll], other: dict[DiceSlot, Roll]) -> DiceSlot | None:
    """Return the first slot at which the dice of two matches differ, in the order of ``one``. None if they agree.

    A slot that only one of them has does not count. If one roll has fewer dice, only that many dice are compared.
    """
    for slot, dice in one.items():
        if any(mine != theirs for mine, theirs in zip(dice, other.get(slot, ()), strict=False)):
            return slot
    return None
