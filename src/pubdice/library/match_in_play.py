"""A match in play, as an immutable value.

Each move returns a new match. A mistake raises an error with one plain sentence. If only one action is legal, it is
played at once, so a player is asked only where there is a choice.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, overload

from pubdice.advice.coach import Verdict
from pubdice.checked_record import read_checked
from pubdice.core.cup import Cup, SeededCup, SystemCup
from pubdice.core.dice import Hand, as_whole, whole_number
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.game import Keep, Seat
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.library.frozen import frozen
from pubdice.library.picture import ENGLISH, GivenDice, Picture, dice_of, explained
from pubdice.match.header import Header, RawHeader, find_name, read_name
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.notation import decoded
from pubdice.match.record import (
    Drawn,
    Move,
    Played,
    ReplayStep,
    Rolled,
    Written,
    advance,
    move_word,
    position_line,
    write,
)

ANY_LOSER = {"loser": "any"}
"""The header line of a match in which a round's loser, who opens the next round, may also be its winner.

Only records older than ``Match.loser_lost`` have such matches."""


@frozen
@dataclass(frozen=True, slots=True, repr=False)
class MatchInPlay:
    """A match and its progress: the rules, the players, every move so far, and the state after them.

    ``new_match``, ``read_record`` and ``read_position`` make one. Its methods ``roll``, ``throw``, ``draw``, ``keep``
    and ``play`` return the match after a move and leave this one as it is. Keep the old match to undo. A move with only
    one legal choice is played for you. ``print(match)`` says what to do next.

    ``moves`` holds every move so far. ``kit``, ``header``, ``rules``, ``state`` and ``written`` are internal
    (``docs/contribute/architecture.md``) and may change in any release.
    """

    kit: Kit = field(compare=False)
    header: Header = field(hash=False)
    rules: Match[Any, Any]
    state: MatchState[Any]
    moves: tuple[Move, ...] = ()
    written: tuple[Written, ...] = field(default=(), compare=False)
    """If choices were taken back, all that ``record`` has: the moves taken back too, and each taking back."""

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, in seat order."""
        return self.header.names

    @property
    def turn(self) -> str | None:
        """The name of the mover. None when the match is over, and before Player 1 is drawn."""
        mover = self.rules.mover(self.state)
        return None if mover is None else self.names[mover]

    @property
    def to_roll(self) -> int:
        """The number of dice to roll now. 0 at a decision and at the end."""
        return self.rules.to_roll(self.state)

    @property
    def to_draw(self) -> bool:
        """True if Player 1 must be drawn before the first roll."""
        return self.rules.to_draw(self.state)

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal actions as notation, such as "k14". Empty unless the mover has a choice."""
        return tuple(self.rules.game.write_action(action) for action in self.rules.legal(self.state))

    @property
    def over(self) -> bool:
        """True if the match is over."""
        return self.state.over

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the winners. Empty until the match is over."""
        return tuple(self.names[seat] for seat in self.rules.format.champions(self.state.tally)) if self.over else ()

    @property
    def points(self) -> dict[str, int]:
        """Each player's points, by name. Their meaning depends on the format: rounds won, total scores, or chips won
        and lost.
        """
        return dict(zip(self.names, self.state.tally.points, strict=True))

    @property
    def dice(self) -> Picture:
        """The mover's dice on the table, free and locked. Empty if all dice are in the cup."""
        locked, free = self._hands()
        return Picture(free, locked, self.rules.game.faces)

    def _hands(self) -> tuple[Hand, Hand]:
        mover = self.rules.mover(self.state)
        if mover is None or self.state.round is None:
            return (), ()
        return self.rules.game.dice(self.state.round, self.state.local(mover))

    def __str__(self) -> str:
        """Return the state of the match in sentences."""
        game, words = self.rules.game, self.kit.words
        narrator = Narrator(ENGLISH, words, self.rules, self.names)
        if self.over:
            return " ".join(narrator.ending(self.state.tally, self.state.last))
        if self.turn is None:
            return "Player 1 has not been drawn yet: draw() names one, throw() draws a lot."
        asked = narrator.to_roll(self.state) if self.to_roll else words.ask(ENGLISH, game, self.state.round)
        return f"{self.turn}: {asked}"

    def __repr__(self) -> str:
        return f"read_position({self.position!r})"

    def _repr_svg_(self) -> str:
        return self.dice.svg()

    def roll(self, *dice: GivenDice, by: str = "") -> "MatchInPlay":
        """Roll these dice and return the new match.

        Args:
            dice: The faces in any order, as numbers, one list, or one text: ``roll(3, 4, 4, 5, 1, 2)`` or
                ``roll("344512")``.
            by: The name of the player who rolls, to check the turn. The mover if left out.

        Raises:
            BadNotation: The code is "face" or "other-face" for a face that the dice lack, and "seat" for an unknown
                name.
            IllegalAction: If no roll is due, the number of dice is wrong, or it is another player's turn.

        """
        with explained(self.kit, self.rules.game):
            return self._by(by)._after(Rolled(dice_of(dice, self.rules.game.faces)))

    def throw(self, cup: Cup) -> "MatchInPlay":
        """Roll the dice due, or draw Player 1, from a cup. Return the new match.

        Args:
            cup: A source of dice such as ``pubdice.cup()``.

        Raises:
            BadNotation: The code is "no-cup" if the argument cannot roll and draw.
            IllegalAction: If neither a roll nor a draw is due.

        """
        index = len(self.moves)
        with explained(self.kit, self.rules.game):
            cup = _cup(cup)
            if self.to_draw:
                return self._after(Drawn(Seat(cup.draw(self.rules.seats, index))))
            return self._after(Rolled(cup.roll(self.to_roll, index, self.rules.game.faces.sides)))

    def draw(self, name: str) -> "MatchInPlay":
        """Name the player whom the lot made Player 1, and return the new match.

        Raises:
            BadNotation: The code is "seat" for an unknown name.
            IllegalAction: If no draw is due.

        """
        with explained(self.kit, self.rules.game):
            return self._after(Drawn(self._seat(name)))

    def keep(self, *dice: GivenDice, by: str = "") -> "MatchInPlay":
        """Keep these dice, return the others to the cup, and return the new match.

        ``keep(1, 4)`` is the same move as ``play("k14")``.

        Args:
            dice: The faces in any order, as numbers, one list, or one text. All other free dice are rolled again.
            by: The name of the player who chooses, to check the turn. The mover if left out.

        Raises:
            BadNotation: The code is "face" or "other-face" for a face that the dice lack, and "seat" for an unknown
                name.
            IllegalAction: If the rules forbid the keep, or it is another player's turn.

        """
        with explained(self.kit, self.rules.game):
            kept = tuple(sorted(dice_of(dice, self.rules.game.faces)))
            return self._by(by)._after(Played(self.rules.choose(self.state, "roll", kept)))

    def play(self, action: "str | RankedAction | Keep", by: str = "") -> "MatchInPlay":
        """Play an action and return the new match.

        Args:
            action: An action as notation ("k14"), a ``RankedAction`` from ``advise``, or a ``Keep``.
            by: The name of the player who chooses, to check the turn. The mover if left out.

        Raises:
            BadNotation: The code is "action" if the argument is no action, and "seat" for an unknown name.
            IllegalAction: If the rules forbid the action, or it is another player's turn.

        """
        with explained(self.kit, self.rules.game):
            return self._by(by)._after(Played(self._action(action)))

    def _action(self, action: object) -> object:
        """Return an action of the rules, from any form that ``play`` takes. Raises BadNotation."""
        if isinstance(action, RankedAction):
            action = action.action
        if isinstance(action, str):
            return self.rules.game.read_action(action)
        if isinstance(action, Keep):
            return Keep(dice_of(action.dice, self.rules.game.faces) if action.dice else ())
        if not isinstance(action, tuple(map(type, self.rules.legal(self.state)))):
            raise BadNotation("action", found=repr(action), shape=(self.legal or ("k45",))[0])
        return action

    def _by(self, name: str) -> "MatchInPlay":
        """Return this match if it is the named player's turn. Raises IllegalAction("turn"), or BadNotation("seat")."""
        mover = self.rules.mover(self.state)
        if name and mover is not None and self._seat(name) != mover:
            raise IllegalAction("turn", state=self.state, action=name, mover=self.names[mover])
        return self

    def _seat(self, name: str) -> Seat:
        seat = find_name(str(name), self.names)
        if seat is None:
            raise BadNotation("seat", found=str(name), names=self.names)
        return Seat(seat)

    def _after(self, move: Move) -> "MatchInPlay":
        state, done = advance(self.rules, self.state, move), [move]
        while len(legal := self.rules.legal(state)) == 1:
            done.append(Played(legal[0]))
            state = advance(self.rules, state, done[-1])
        written = (*self.written, *done) if self.written else ()
        return MatchInPlay(self.kit, self.header, self.rules, state, (*self.moves, *done), written)

    @property
    def record(self) -> str:
        """The match so far as a record. ``read_record`` and ``pubdice replay`` read it."""
        return write(self.header, self.rules, self.written or self.moves)

    @property
    def position(self) -> str:
        """The match so far in one line: the header, a bar, and every move. ``read_position`` reads it.

        The line does not name the movers. A match older than ``Match.loser_lost`` needs one more header field, which
        says that any loser may open, because the rule about the opener has changed since.
        """
        fields = self.header.fields if self.rules.loser_lost else {**self.header.fields, **ANY_LOSER}
        return position_line(fields, [move_word(self.rules, move) for move in self.moves])

    def steps(self) -> Iterator[ReplayStep[MatchState[Any]]]:
        """Yield every move with the state before and after it."""
        state = self.rules.start()
        for move in self.moves:
            after = advance(self.rules, state, move)
            yield ReplayStep(state, move, after, None)
            state = after


def kit_named(game: str) -> Kit:
    """Return the kit of the game with that name. Raises BadNotation("game")."""
    kit = GAMES.get(str(game).lower())
    if kit is None:
        raise BadNotation("game", found=str(game), games=tuple(GAMES))
    return kit


def _begin(kit: Kit, header: RawHeader) -> MatchInPlay:
    settled = kit.normalize(header)
    rules = kit.match(settled)
    return MatchInPlay(kit, settled, rules, rules.start())


GameName = Literal["midnight", "420", "mexico", "ship", "threes", "shutbox"]
RuleChoice = str | Sequence[int]
"""A choice of a house rule, as text or as numbers: ``"2 4"`` or ``(2, 4)``."""


class TypedHouseRules(TypedDict, total=False):
    """The house rules of the six games that come with pubdice."""

    need: RuleChoice
    follow: Literal["no", "yes"]
    hold: RuleChoice
    cargo: Literal["together", "single", "stays"]
    boxcars: Literal["no", "yes"]
    moon: Literal["no", "yes", "first"]
    die: Literal["no", "may", "must", "six", "maysix"]
    left: Literal["sum", "digits"]
    tiles: Literal["9", "10", "12"]


@overload
def new_match(
    game: GameName,
    seats: Sequence[str] | str | int = (),
    *,
    format: str = "",
    opener: str = "",
    first: str = "",
    **options: Unpack[TypedHouseRules],
) -> MatchInPlay: ...


@overload
def new_match(  # an installed game, or a name known only when the program runs
    game: str,
    seats: Sequence[str] | str | int = (),
    *,
    format: str = "",
    opener: str = "",
    first: str = "",
    **options: RuleChoice,
) -> MatchInPlay: ...


def new_match(
    game: str,
    seats: Sequence[str] | str | int = (),
    *,
    format: str = "",  # noqa: A002 - its name in records and on the command line
    opener: str = "",
    first: str = "",
    **options: object,
) -> MatchInPlay:
    """Begin a match. Arguments left out have their usual values.

    Args:
        game: The name of a game, such as "midnight", "420" or "mexico".
        seats: The players: a list of names, one text with commas, or a number of players.
        format: The format, such as "rounds 5", "pot 1 rounds 5", "race" or "drinks". Each game has its own.
        opener: The rule for the opener of the next round, such as "fixed", "rotate", "winner" or "loser".
        first: The name of the player who opens the first round, or "draw" to draw lots.
        options: House rules of the game, such as ``need="2 4"`` or ``need=(2, 4)``.

    Returns:
        The match before its first move.

    Raises:
        BadNotation: If an argument does not fit the game. The sentence names the choices.

    Examples:
        >>> import pubdice
        >>> match = pubdice.new_match("midnight", seats=["Ann", "Bob"], format="rounds 3", need="2 4")
        >>> print(match.roll(3, 4, 4, 5, 1, 2).keep(4))
        Ann: Locked: 4. You still need a 2. Roll 5 dice.

    """
    with explained():
        kit = kit_named(game)
        kit.check_options(options)
        names = ", ".join(_names(seats, kit))
        house_rules = {key: _choice(choice) for key, choice in options.items()}
        chosen = {"format": format, "opener": opener, "first": first, **house_rules}
        usual = {"game": kit.name, "seats": names}
        return _begin(kit, RawHeader({**usual, **{key: str(value) for key, value in chosen.items() if value}}))


def _names(seats: object, kit: Kit) -> Sequence[str]:
    if isinstance(seats, str):
        return [seats]
    if (number := as_whole(seats)) is not None:
        return kit.numbered(number)
    given = list(seats) if isinstance(seats, Iterable) else [seats]
    names = [read_name(name) for name in given if isinstance(name, str)]
    if len(names) < len(given):
        raise BadNotation("no-names", found=repr(seats))
    return names or kit.names


def _choice(choice: object) -> str:
    """Return a choice of a house rule as records write it: ``(2, 4)`` becomes "2 4"."""
    return " ".join(map(str, choice)) if isinstance(choice, tuple | list) else str(choice)


def read_record(text: str | Path) -> MatchInPlay:
    """Read a match from a record, as far as the record goes.

    Args:
        text: A record as text, or the ``Path`` of its file.

    Returns:
        The match after the last move of the record.

    Raises:
        BadNotation: If the file can't be read, or the text does not parse. The sentence gives line and column.
        IllegalAction: If a move breaks the rules. The sentence gives line and column.

    """
    with explained():
        given: object = text
        if isinstance(text, Path):
            try:
                given = decoded(text.read_bytes(), str(text))
            except OSError as error:
                raise BadNotation("file", found=str(text), reason=error.strerror or str(error)) from None
        if not isinstance(given, str):
            raise BadNotation("not-a-record", found=repr(given))
    checked = read_checked(given, GAMES, ENGLISH)
    state = checked.steps[-1].after if checked.steps else checked.match.start()
    moves = tuple(step.move for step in checked.steps)
    return MatchInPlay(checked.kit, checked.header, checked.match, state, moves, checked.written)


def read_position(text: str) -> MatchInPlay:
    """Read a match from one line, as ``MatchInPlay.position`` writes it.

    Args:
        text: A header and moves, such as ``"midnight; seats Ann, Bob | 344512 k14"``. Header fields left out have their
            usual values.

    Returns:
        The match after the last move of the line.

    Raises:
        BadNotation: If the line does not parse.
        IllegalAction: If a move breaks the rules.

    """
    line: object = text
    if not isinstance(line, str):
        with explained():
            raise BadNotation("not-a-position", found=repr(line))
    head, _, body = line.partition("|")
    game, *given = [part.strip() for part in head.split(";")]
    with explained():
        kit = kit_named(game)
        fields = {"game": game}
        for key, _, value in (part.partition(" ") for part in given):
            if key in fields:
                raise BadNotation("header-twice", key=key)
            fields[key] = value
        fields.setdefault("seats", ", ".join(kit.names))
        is_before = fields.items() >= ANY_LOSER.items()
        match = _begin(kit, RawHeader({key: fields[key] for key in fields if not is_before or key not in ANY_LOSER}))
        if is_before:
            match = replace(match, rules=replace(match.rules, loser_lost=False))
    with explained(kit, match.rules.game):
        state, moves = match.state, [_move(match, word) for word in body.split()]
        for move in moves:
            state = advance(match.rules, state, move)
    return MatchInPlay(kit, match.header, match.rules, state, tuple(moves))


def _move(match: MatchInPlay, word: str) -> Move:
    if word[0] == "@":
        number = whole_number(word[1:])
        if number is None or not 1 <= number <= match.rules.seats:
            raise BadNotation("seat", found=word, names=match.names)
        return Drawn(Seat(number - 1))
    faces = match.rules.game.faces
    if word[0] in "0123456789" or (word.isupper() and not faces.is_usual):
        return Rolled(dice_of([word], faces))
    return Played(match.rules.game.read_action(word))


def cup(seed: object = "") -> Cup:
    """Make a cup of fair dice, for ``MatchInPlay.throw`` and ``play_out``.

    Args:
        seed: A word or a number. The same seed gives the same dice every time. Without one the dice are unpredictable.

    Returns:
        A cup with ``roll`` and ``draw``.

    Examples:
        >>> import pubdice
        >>> print(pubdice.new_match("midnight").throw(pubdice.cup("stout")).dice)
        Dice: 1 2 2 3 5 6.

    """
    return SystemCup(secrets.token_bytes) if seed is None or seed == "" else SeededCup(str(seed))


def _cup(given: Any) -> Cup:
    """Return the argument if it is a cup. Raises BadNotation("no-cup") otherwise."""
    if isinstance(given, MatchInPlay) or not (hasattr(given, "roll") and hasattr(given, "draw")):
        raise BadNotation("no-cup", found=repr(given))
    cup: Cup = given
    return cup


@frozen
@dataclass(frozen=True, slots=True)
class RankedAction:
    """An action with its value, as one of ``Choices.ranked``.

    Attributes:
        action: The action as notation, such as "k14".
        words: The action in words, such as "keep 1 4".
        value: The value to the mover, in the unit of ``Choices.utility``: a share of the match (0 to 1), a chance,
            round wins, chips or points.
        lost: The best action's value less this one's, never below 0.
        verdict: "best", "equal", "small" (a slip), "mistake" (1% of the prize or more) or "blunder" (5% or more).

    """

    action: str
    words: str
    value: float
    lost: float
    verdict: Verdict

    def to_dict(self) -> dict[str, Any]:
        """Return the action as plain data, for ``json`` and data frames."""
        return asdict(self)
