"""Moves of a match, replayed from a record and written as one. Knows no game; match and names are handed in.

A record says little that the rules do not: whose turn it is, what is forced, what a turn came to all follow. Replay
checks what it does say. ``docs/notation.md`` is the specification, ``notation`` reads the text.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pubdice.dice import Hand, Roll, digits
from pubdice.game import BadNotation, Game, IllegalAction, Place, Seat, quick
from pubdice.names import find_name
from pubdice.notation import Header, Record, Token

S = TypeVar("S")
A = TypeVar("A")


@quick
@dataclass(frozen=True, slots=True)
class Drawn:
    """The lot named Player 1."""

    seat: Seat


@quick
@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice as they fell."""

    dice: Roll


@quick
@dataclass(frozen=True, slots=True)
class Played(Generic[A]):
    """The mover's action."""

    action: A


Move = Drawn | Rolled | Played[Any]


class Playable(Protocol[S, A]):
    """What replay needs of a match. ``S`` is the match's state."""

    @property
    def game(self) -> Game[Any, A]:
        """The rules of a round."""

    def start(self) -> S:
        """Nothing played."""

    def to_draw(self, state: S) -> bool:
        """Player 1 is to be drawn."""

    def draw(self, state: S, seat: Seat) -> S:
        """The lot named a seat."""

    def mover(self, state: S) -> Seat | None:
        """Whose turn it is."""

    def to_roll(self, state: S) -> int:
        """Dice about to be rolled."""

    def legal(self, state: S) -> tuple[A, ...]:
        """Actions open to the mover."""

    def roll(self, state: S, hand: Hand) -> S:
        """The dice showed a hand."""

    def play(self, state: S, action: A) -> S:
        """The mover's action."""

    def number(self, state: S) -> int:
        """Which round this is; 0 before the first."""

    def finished(self, before: S, after: S) -> tuple[Seat, int] | None:
        """The seat whose turn the last step finished, and its score."""


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """One move of a replay: the state before, the move, the state after, where it stood (None if it was implied)."""

    before: S
    move: Move
    after: S
    place: Place | None


def advance(match: Playable[S, A], state: S, move: Move) -> S:
    """The state after a move. Raises IllegalAction."""
    if isinstance(move, Rolled):
        return match.roll(state, tuple(sorted(move.dice)))
    if isinstance(move, Played):
        return match.play(state, move.action)
    return match.draw(state, move.seat)


def replay(match: Playable[S, A], record: Record) -> Iterator[Step[S]]:
    """Every move of a record, checked against the rules. An action that is the only legal one may be left out.

    Raises BadNotation for an action that does not parse, IllegalAction for a move, a seat, a round or a score that the
    rules do not allow there; both carry the place.
    """
    reader = _Reader(match, record.header.names)
    for token in record.tokens:
        if reader.leaves_out(token):
            yield from reader.forced()
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
    """Where a replay stands.

    turn: the turn that the last move finished, until a line names a seat. fresh: nothing has been rolled in this round
    yet, nor has the record said its number.
    """

    def __init__(self, match: Playable[S, A], names: tuple[str, ...]) -> None:
        self.match, self.names = match, names
        self.state = match.start()
        self.turn: tuple[Seat, int] | None = None
        self.fresh = True

    def take(self, move: Move, place: Place | None) -> Step[S]:
        """Make a move. Raises IllegalAction."""
        before, after = self.state, advance(self.match, self.state, move)
        self.turn = self.match.finished(before, after)
        self.fresh = self.match.number(after) != self.match.number(before)
        self.state = after
        return Step(before, move, after, place)

    def forced(self) -> Iterator[Step[S]]:
        """The actions that are the only legal ones here, one after the other."""
        while len(legal := self.match.legal(self.state)) == 1:
            yield self.take(Played(legal[0]), None)

    def leaves_out(self, token: Token) -> bool:
        """Whether forced actions come before this word, left out by whoever wrote it.

        Not before an action: it may be the forced one. Not before the line that names a seat whose turn is under way:
        what it is forced to do may still be written. Not after a turn is finished: what is forced
        next is the next seat's.
        """
        if token.kind == "action" or self.turn is not None:
            return False
        mover = self.match.mover(self.state)
        return token.kind != "seat" or mover is None or find_name(token.text, self.names) != mover

    def move(self, token: Token) -> Move | None:
        """The move a word stands for; None for one that only says where the record is. Raises as replay does."""
        if token.kind == "draw":
            return Drawn(self._seat(token))
        if token.kind not in ("roll", "action"):
            return None
        if self.turn is not None:
            raise IllegalAction("turn-over", state=self.state, action=token.text, seat=self.names[self.turn[0]])
        if token.kind == "roll":
            return Rolled(tuple(int(face) for face in token.text))
        return Played(self.match.game.read_action(token.text))

    def check(self, token: Token) -> None:
        """Compare what a record says of itself, a score, a round or a seat, with what has been played."""
        match, state = self.match, self.state
        if token.kind == "score":
            self._score(token)
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

    def _score(self, token: Token) -> None:
        if self.turn is None:
            raise IllegalAction("score-early", state=self.state, action=token.text)
        seat, score = self.turn
        if score != int(token.text):
            raise IllegalAction("score", state=self.state, action=token.text, score=score, seat=self.names[seat])

    def _seat(self, token: Token) -> Seat:
        seat = find_name(token.text, self.names)
        if seat is None:
            raise BadNotation("seat", names=self.names)
        return Seat(seat)


def write(header: Header, match: Playable[S, A], moves: Iterable[Move]) -> str:
    """The record of these moves as text: a line a turn, each finished one with its score. Raises IllegalAction."""
    return write_steps(header, match, _checked(match, moves))


def _checked(match: Playable[S, A], moves: Iterable[Move]) -> Iterator[tuple[S, Move, S]]:
    state = match.start()
    for move in moves:
        after = advance(match, state, move)
        yield state, move, after
        state = after


def write_steps(header: Header, match: Playable[S, A], steps: Iterable[tuple[S, Move, S]]) -> str:
    """The record of a match from its steps: the state before, the move, the state after; nothing is checked again.

    Who has just played a match holds its states already, and playing it over would cost as much as playing it did.
    """
    names, write_action = header.names, match.game.write_action
    lines = [header.write(), ""]
    words: list[str] = []
    number = 0
    for before, move, after in steps:
        if isinstance(move, Drawn):
            lines.append(f"draw {names[move.seat]}")
            continue
        if not words:
            if match.number(before) != number:
                number = match.number(before)
                lines.append(f"round {number}")
            mover = match.mover(before)
            if mover is None:
                raise ValueError(f"a step that nobody made: {move}")
            words.append(names[mover] + ":")
        words.append(digits(move.dice) if isinstance(move, Rolled) else write_action(move.action))
        turn = match.finished(before, after)
        if turn is not None:
            words.append(f"= {turn[1]}")
            lines.append(" ".join(words))
            words.clear()
    if words:
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


def moves(steps: Iterable[Step[S]]) -> Sequence[Move]:
    """The moves of a replay."""
    return [step.move for step in steps]
