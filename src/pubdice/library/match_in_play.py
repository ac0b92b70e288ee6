"""A match in play, as a value.

Every move gives a new match, and a mistake is one plain sentence that changes nothing. Dice are checked and sorted
here, names are looked up here. Forced moves are played, as at a table: a player is only asked if there is a choice.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pubdice.advice.coach import Verdict
from pubdice.checked_record import read_checked
from pubdice.core.cup import Cup, SeededCup, SystemCup
from pubdice.core.dice import Hand, as_whole, whole_number
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.game import Keep, Seat
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.match.header import Header, RawHeader, find_name, read_name
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.notation import decoded
from pubdice.match.record import Drawn, Move, Played, ReplayStep, Rolled, advance, move_word, position_line, write

if TYPE_CHECKING:
    pass
from pubdice.library.picture import ENGLISH, Picture, dice_of, explained

ANY_LOSER = {"loser": "any"}
"""The line of a match whose loser may be a winner: one older than ``Match.loser_lost``."""


@dataclass(frozen=True, slots=True, repr=False)
class MatchInPlay:
    """A match and how far it has come: the rules, the names, every move so far, and the state they led to.

    ``new_match``, ``read_record`` and ``read_position`` make one; its methods give the next.
    """

    kit: Kit = field(compare=False)
    header: Header = field(hash=False)
    rules: Match[Any, Any]
    state: MatchState[Any]
    moves: tuple[Move, ...] = ()

    # where it stands

    @property
    def names(self) -> tuple[str, ...]:
        """The players, in the order of their seats."""
        return self.header.names

    @property
    def turn(self) -> str | None:
        """The name of the mover; None when the match is over, and while Player 1 is still to be drawn."""
        mover = self.rules.mover(self.state)
        return None if mover is None else self.names[mover]

    @property
    def to_roll(self) -> int:
        """The number of dice to roll now; 0 at a decision, and at the end."""
        return self.rules.to_roll(self.state)

    @property
    def to_draw(self) -> bool:
        """True if Player 1 must be drawn before anybody rolls."""
        return self.rules.to_draw(self.state)

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal choices now, as notation such as "k14"; empty while there are dice to roll."""
        return tuple(self.rules.game.write_action(action) for action in self.rules.legal(self.state))

    @property
    def over(self) -> bool:
        """True if the match is over."""
        return self.state.over

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners; empty until the match is over."""
        return tuple(self.names[seat] for seat in self.rules.format.champions(self.state.tally)) if self.over else ()

    @property
    def points(self) -> dict[str, int]:
        """Everybody's points: round wins, or chips won and lost."""
        return dict(zip(self.names, self.state.tally.points, strict=True))

    @property
    def dice(self) -> Picture:
        """The dice of the player whose turn it is; none where they are all in the cup."""
        locked, free = self._hands()
        return Picture(free, locked, self.rules.game.faces)

    def _hands(self) -> tuple[Hand, Hand]:
        mover = self.rules.mover(self.state)
        if mover is None or self.state.round is None:
            return (), ()
        return self.rules.game.dice(self.state.round, self.state.local(mover))

    def __str__(self) -> str:
        """The standing of the match, in sentences."""
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

    # moves

    def roll(self, *dice: object, by: str = "") -> "MatchInPlay":
        """The match after these dice: ``roll(3, 4, 4, 5, 1, 2)``, ``roll([3, 4, …])`` or ``roll("344512")``.

        by: the player who rolls, to be checked; the mover if left out. Raises BadNotation, IllegalAction.
        """
        with explained(self.kit, self.rules.game):
            return self._by(by)._after(Rolled(dice_of(dice, self.rules.game.faces)))

    def throw(self, cup: Cup) -> "MatchInPlay":
        """The match after dice, or a lot, out of a cup. Raises IllegalAction where neither is due."""
        index = len(self.moves)
        with explained(self.kit, self.rules.game):
            cup = _cup(cup)
            if self.to_draw:
                return self._after(Drawn(Seat(cup.draw(self.rules.seats, index))))
            return self._after(Rolled(cup.roll(self.to_roll, index, self.rules.game.faces.sides)))

    def draw(self, name: str) -> "MatchInPlay":
        """The match once the lot has named Player 1. Raises BadNotation, IllegalAction."""
        with explained(self.kit, self.rules.game):
            return self._after(Drawn(self._seat(name)))

    def keep(self, *dice: object, by: str = "") -> "MatchInPlay":
        """The match after these dice are kept and all others go back: ``keep(1, 4)``; raises as ``roll`` does."""
        with explained(self.kit, self.rules.game):
            kept = tuple(sorted(dice_of(dice, self.rules.game.faces)))
            return self._by(by)._after(Played(self.rules.choose(self.state, "roll", kept)))

    def play(self, action: object, by: str = "") -> "MatchInPlay":
        """The match after an action: as notation ("k14"), as ``advise`` gives it, or a ``Keep``. Raises as ``roll``."""
        with explained(self.kit, self.rules.game):
            return self._by(by)._after(Played(self._action(action)))

    def _action(self, action: object) -> object:
        """The action that is meant. Raises BadNotation for what is none."""
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
        """The same match, if it is that player's turn. Raises IllegalAction("turn"), BadNotation("seat")."""
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
        state, moves = advance(self.rules, self.state, move), (*self.moves, move)
        while len(legal := self.rules.legal(state)) == 1:
            forced = Played(legal[0])
            state, moves = advance(self.rules, state, forced), (*moves, forced)
        return MatchInPlay(self.kit, self.header, self.rules, state, moves)

    # as text

    @property
    def record(self) -> str:
        """The match so far as a record, which ``read_record`` and ``pubdice replay`` read."""
        return write(self.header, self.rules, self.moves)

    @property
    def position(self) -> str:
        """The match so far in one line, which ``read_position`` reads: the header, a bar, and every move.

        One that a record of before ``Match.loser_lost`` began says so: the line names no movers.
        """
        fields = self.header.fields if self.rules.loser_lost else {**self.header.fields, **ANY_LOSER}
        return position_line(fields, [move_word(self.rules, move) for move in self.moves])

    def steps(self) -> Iterator[ReplayStep[MatchState[Any]]]:
        """Every move with the state before and after it."""
        state = self.rules.start()
        for move in self.moves:
            after = advance(self.rules, state, move)
            yield ReplayStep(state, move, after, None)
            state = after


def kit_named(game: str) -> Kit:
    """The kit of a game. Raises BadNotation("game")."""
    kit = GAMES.get(str(game).lower())
    if kit is None:
        raise BadNotation("game", found=str(game), games=tuple(GAMES))
    return kit


def _begin(kit: Kit, header: RawHeader) -> MatchInPlay:
    settled = kit.normalize(header)
    rules = kit.match(settled)
    return MatchInPlay(kit, settled, rules, rules.start())


def new_match(
    game: str,
    seats: Sequence[str] | str | int = (),
    *,
    format: str = "",  # noqa: A002 - that is its name in records, and on the command line
    opener: str = "",
    first: str = "",
    **options: object,
) -> MatchInPlay:
    """A match before its first move, with defaults for arguments left out. Raises BadNotation.

    seats: the players' names, also as one text with commas, or their number. format: "rounds 5", "pot 1 rounds 5",
    "race" or "drinks". opener: the rule for the opener of the next round. first: the player who opens the first one, or
    "draw". options: house rules of the game, such as ``need="2 4"`` or ``need=(2, 4)``.
    """
    with explained():
        kit = kit_named(game)
        for key in options:
            if key not in (option.key for option in kit.options):
                raise BadNotation("option-game", key=key, title=kit.words.title)
        names = ", ".join(_names(seats, kit))
        house_rules = {key: _choice(choice) for key, choice in options.items()}
        chosen = {"format": format, "opener": opener, "first": first, **house_rules}
        usual = {"game": kit.name, "seats": names}
        return _begin(kit, RawHeader({**usual, **{key: str(value) for key, value in chosen.items() if value}}))


def _names(seats: object, kit: Kit) -> Sequence[str]:
    """The players' names. Raises BadNotation."""
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
    """A choice of a house rule as records write it: ``(2, 4)`` is "2 4"."""
    return " ".join(map(str, choice)) if isinstance(choice, tuple | list) else str(choice)


def read_record(text: str | Path) -> MatchInPlay:
    """The match that a record, or a file of one, tells as far as it goes. Raises BadNotation, IllegalAction, OSError.

    With line and column of what is wrong.
    """
    with explained():
        given: object = decoded(text.read_bytes(), str(text)) if isinstance(text, Path) else text
        if not isinstance(given, str):
            raise BadNotation("not-a-record", found=repr(given))
    checked = read_checked(given, GAMES, ENGLISH)
    state = checked.steps[-1].after if checked.steps else checked.match.start()
    moves = tuple(step.move for step in checked.steps)
    return MatchInPlay(checked.kit, checked.header, checked.match, state, moves)


def read_position(text: str) -> MatchInPlay:
    """The match that a line stands for, as ``MatchInPlay.position`` writes it. Raises BadNotation, IllegalAction."""
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
    """A cup of fair dice: with a seed, a word or a number, the same ones every time, without one nobody can tell."""
    return SystemCup(secrets.token_bytes) if seed is None or seed == "" else SeededCup(str(seed))


def _cup(given: Any) -> Cup:
    """A cup as given. Raises BadNotation."""
    if isinstance(given, MatchInPlay) or not (hasattr(given, "roll") and hasattr(given, "draw")):
        raise BadNotation("no-cup", found=repr(given))
    cup: Cup = given
    return cup


@dataclass(frozen=True, slots=True)
class RankedAction:
    """An action, as notation and in words, with what it is worth to the player and what is lost by it.

    value is in the unit of ``Choices.utility``: a share of the match (0 to 1), round wins, chips or points.
    """

    action: str
    words: str
    value: float
    lost: float
    verdict: Verdict

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, such as ``json`` and data frames take."""
        return asdict(self)
