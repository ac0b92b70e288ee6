"""Rounds and matches as text: read, write, replay. ``docs/notation.md`` is the specification.

Knows the notation that all games share: a header of ``key: value`` lines, then ``draw`` and ``round`` lines and turn
lines of rolls, actions and scores. What an action means is the game's business, whose turn it is the match's; both are
handed in.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from pubdice.dice import Hand, Roll, digits
from pubdice.game import BadNotation, Game, IllegalAction, Place, Seat
from pubdice.names import read_names, tidy

VERSION = "pubdice 1"
S = TypeVar("S")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Drawn:
    """The lot named Player 1."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice as they fell."""

    dice: Roll


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
class Header:
    """What is played, as text: ``game``, its options, ``seats``, ``format``, ``opener``, ``first``."""

    fields: Mapping[str, str]
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats. Raises BadNotation."""
        try:
            return read_names(self.fields["seats"])
        except BadNotation as error:
            error.place = self.places.get("seats")
            raise

    def write(self) -> str:
        """The header as text, version line first."""
        return "\n".join([VERSION, *(f"{key}: {value}" for key, value in self.fields.items())])


Kind = Literal["draw", "round", "seat", "roll", "action", "score"]


@dataclass(frozen=True, slots=True)
class Token:
    """One word of the body: what kind, its text, and where it stood."""

    kind: Kind
    text: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Record:
    """A parsed record: its header and the words of its body."""

    header: Header
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """One move of a replay: the state before, the move, the state after, where it stood (None if it was implied)."""

    before: S
    move: Move
    after: S
    place: Place | None


_KEY = re.compile(r"\s*([A-Za-z]+)\s*:\s*(.*?)\s*$")
_WORDS = re.compile(r"=\s*\S+|[0-9]+|[A-Za-z][^\s=]*|\S+")
_LINE = re.compile(r"\s*(draw|round)\s+([^:\s][^:]*?)\s*$")
_TURN = re.compile(r"\s*([^:]*?)\s*:(.*)$")


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        bare = line.split("#", 1)[0].rstrip()
        if bare.strip():
            yield number, bare


def _place(number: int, line: str, column: int = 0) -> Place:
    rest = line[column:]
    lead = len(rest) - len(rest.lstrip())
    return Place(number, column + lead + 1, rest.strip())


def parse(text: str) -> Record:
    """The record a text holds. Raises BadNotation with the place of the fault.

    The header ends where the first ``draw`` or ``round`` line stands.
    """
    lines = list(_lines(text))
    if not lines:
        raise BadNotation("empty", Place(1, 1, ""))
    number, line = lines[0]
    if line.strip().lower() != VERSION:
        raise BadNotation("version", _place(number, line), version=VERSION)
    at = next((at for at, (_, line) in enumerate(lines) if _LINE.match(line)), len(lines))
    header = _header(lines[1:at])
    end = _place(*lines[at]) if at < len(lines) else Place(lines[-1][0] + 1, 1, "")
    for word in ("game", "seats"):
        if word not in header.fields:
            raise BadNotation("header-missing", end, key=word)
    return Record(header, tuple(token for number, line in lines[at:] for token in _tokens(number, line)))


def _header(lines: Iterable[tuple[int, str]]) -> Header:
    fields: dict[str, str] = {}
    places: dict[str, Place] = {}
    for number, line in lines:
        key = _KEY.match(line)
        if not key:
            raise BadNotation("header-line", _place(number, line))
        word = key[1].lower()
        if word in fields:
            raise BadNotation("header-twice", _place(number, line), key=word)
        if not key[2]:
            raise BadNotation("header-empty", _place(number, line), key=word)
        fields[word], places[word] = key[2], Place(number, key.start(2) + 1, key[2])
    return Header(fields, places)


def _tokens(number: int, line: str) -> Iterator[Token]:
    note = _LINE.match(line)
    if note:
        kind: Kind = "draw" if note[1] == "draw" else "round"
        yield Token(kind, note[2], Place(number, note.start(2) + 1, note[2]))
        return
    turn = _TURN.match(line)
    if not turn:
        raise BadNotation("line", _place(number, line))
    yield Token("seat", turn[1], Place(number, turn.start(1) + 1, turn[1]))
    scored = False
    for word in _WORDS.finditer(turn[2]):
        place = Place(number, turn.start(2) + word.start() + 1, word[0])
        if scored:
            raise BadNotation("after-score", place)
        yield _token(word[0], place)
        scored = word[0].startswith("=")


def _token(word: str, place: Place) -> Token:
    if word[0] in "0123456789":
        if set(word) - set("123456"):
            raise BadNotation("face", place)
        return Token("roll", word, place)
    if word[0] == "=":
        score = word[1:].strip()
        if not (score.isascii() and score.isdigit()) or len(score) > 9:
            raise BadNotation("score-number", place)
        return Token("score", score, place)
    if word[0].isascii() and word[0].isalpha():
        return Token("action", word.lower(), place)
    raise BadNotation("word", place)


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
    names = record.header.names
    state = match.start()
    turn: tuple[Seat, int] | None = None
    for token in record.tokens:
        if token.kind == "roll" or (
            token.kind != "action" and turn is None and not _goes_on(match, state, token, names)
        ):
            for step in _implied(match, state):
                turn, state = match.finished(step.before, step.after), step.after
                yield step
        try:
            move = _move(match, token, names)
            if move is None:
                _check(match, state, token, names, turn)
            after = state if move is None else advance(match, state, move)
        except (BadNotation, IllegalAction) as error:
            error.place = token.place
            raise
        if move is not None:
            yield Step(state, move, after, token.place)
            turn, state = match.finished(state, after), after
        elif token.kind == "seat":
            turn = None
    yield from _implied(match, state)


def _goes_on(match: Playable[S, A], state: S, token: Token, names: tuple[str, ...]) -> bool:
    """Whether a line names the seat whose turn is under way: what it is forced to do may still be written."""
    mover = match.mover(state)
    return token.kind == "seat" and mover is not None and tidy(token.text) == names[mover]


def _implied(match: Playable[S, A], state: S) -> Iterator[Step[S]]:
    legal = match.legal(state)
    while len(legal) == 1:
        after = match.play(state, legal[0])
        yield Step(state, Played(legal[0]), after, None)
        state, legal = after, match.legal(after)


def _move(match: Playable[S, A], token: Token, names: tuple[str, ...]) -> Move | None:
    """The move a token stands for; None for one that only says where the record is."""
    if token.kind == "roll":
        return Rolled(tuple(int(face) for face in token.text))
    if token.kind == "action":
        return Played(match.game.read_action(token.text))
    return Drawn(_seat(token, names)) if token.kind == "draw" else None


def _seat(token: Token, names: tuple[str, ...]) -> Seat:
    name = tidy(token.text)
    if name not in names:
        raise BadNotation("seat", names=names)
    return Seat(names.index(name))


def _check(
    match: Playable[S, A], state: S, token: Token, names: tuple[str, ...], turn: tuple[Seat, int] | None
) -> None:
    """Compare what a record says of itself, a score, a round or a seat, with what has been played."""
    if token.kind == "score":
        if turn is None:
            raise IllegalAction("score-early", state=state, action=token.text)
        if turn[1] != int(token.text):
            raise IllegalAction("score", state=state, action=token.text, score=turn[1], seat=names[turn[0]])
    elif token.kind == "round":
        if token.text != str(match.number(state)):
            raise IllegalAction("round", state=state, action=token.text, number=match.number(state))
    else:
        seat, mover = _seat(token, names), match.mover(state)
        if mover is None:
            raise IllegalAction("draw-first" if match.to_draw(state) else "match-over", state=state, action=token.text)
        if seat != mover:
            raise IllegalAction("turn", state=state, action=token.text, mover=names[mover])


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
