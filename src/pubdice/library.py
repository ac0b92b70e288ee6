"""The library behind the door: a match in play, as a value, and the exact answers to it.

Every move gives a new match, and a mistake is one plain sentence that changes nothing. Dice are checked and sorted
here, names are looked up here. What is forced is played, as at a table: a player is only asked where there is a choice.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import escape
from operator import index
from typing import Any

from pubdice.advice.card import PIPS
from pubdice.advice.coach import Coach, Verdict
from pubdice.advice.review import Review, counted
from pubdice.advice.review import review as reviewed
from pubdice.core.cup import Cup, SeededCup, SystemCup
from pubdice.core.dice import Hand, Roll, are_faces, digits, faces_in
from pubdice.core.errors import BadNotation, Failure, IllegalAction, Unsolved
from pubdice.core.game import Keep, Seat
from pubdice.core.whole_number import whole_number
from pubdice.failures import explain
from pubdice.games import GAMES
from pubdice.kit import Kit, read_checked
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.notation import Header, RawHeader, find_name, read_name
from pubdice.match.record import Drawn, Move, Played, ReplayStep, Rolled, advance, write
from pubdice.solve.solver import as_counted
from pubdice.text.language import Language, faces

# What strangers hand in at the library's door, checked; and what is wrong with it, in one sentence of English.


ENGLISH = Language()


@contextmanager
def told(kit: Kit | None = None, game: Any = None) -> Iterator[None]:
    """Failures inside say what is wrong in a sentence."""
    try:
        yield
    except Failure as error:
        error.told = error.told or explain(ENGLISH, error, kit.words if kit else None, game)
        raise


def dice_of(dice: Iterable[object]) -> Roll:
    """Dice as given: faces one by one, a sequence of them, or a text of digits. Raises BadNotation("face")."""
    given = list(dice)
    if len(given) == 1 and isinstance(given[0], Iterable):
        return _read(given[0]) if isinstance(given[0], str) else dice_of(given[0])
    try:
        faces = tuple([index(face) for face in given])  # type: ignore[arg-type]  # it says so itself
    except TypeError:
        faces = (0,)
    if not are_faces(faces):
        raise BadNotation("face", found=" ".join(map(str, given)))
    return faces


def _read(text: str) -> Roll:
    faces = faces_in(text, between=", ")
    if faces is None:
        raise BadNotation("face", found=text)
    return faces


# Dice as a picture: an SVG document for notebooks and pages, and plain text that reads well aloud.


DIE, GAP, PIP = 64, 10, 6
"""Sizes in pixels: a die, the room between two, the radius of a pip."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Dice on a table: those that may still be chosen, and those that are locked."""

    free: Roll = ()
    locked: Hand = ()

    def __str__(self) -> str:
        if not self.free and not self.locked:
            return "No dice on the table."
        locked = [f"Locked: {faces(self.locked)}."] if self.locked else []
        return " ".join([*locked, *([f"Dice: {faces(self.free)}."] if self.free else [])])

    def svg(self) -> str:
        """The dice as an SVG document of its own, with their faces in words; locked ones are grey."""
        dice = [*((face, "#ddd") for face in self.locked), *((face, "#fff") for face in self.free)]
        width = max(1, len(dice)) * (DIE + GAP) + GAP
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{DIE + 2 * GAP}" role="img">',
            f"<title>{escape(str(self))}</title>",
        ]
        for at, (face, fill) in enumerate(dice):
            left = GAP + at * (DIE + GAP)
            parts.append(
                f'<rect x="{left}" y="{GAP}" width="{DIE}" height="{DIE}" rx="9" fill="{fill}" stroke="#222"/>'
            )
            for place in PIPS[face]:
                x, y = left + DIE * (1 + place % 3) // 4, GAP + DIE * (1 + place // 3) // 4
                parts.append(f'<circle cx="{x}" cy="{y}" r="{PIP}" fill="#222"/>')
        return "".join([*parts, "</svg>"])

    def _repr_svg_(self) -> str:
        return self.svg()


def picture(*dice: object, locked: object = ()) -> Picture:
    """A picture of these dice, as they fell: ``picture(3, 4, 4)`` or ``picture("344", locked="16")``.

    Raises BadNotation("face").
    """
    with told():
        return Picture(dice_of(dice) if dice else (), tuple(sorted(dice_of([locked]))) if locked else ())


ANY_LOSER = {"loser": "any"}
"""What a line says of a match whose loser may be a winner: one of before ``Match.loser_lost``."""


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
        """Who plays, in the order of their seats."""
        return self.header.names

    @property
    def turn(self) -> str | None:
        """Whose turn it is; None when the match is over, and while Player 1 is still to be drawn."""
        mover = self.rules.mover(self.state)
        return None if mover is None else self.names[mover]

    @property
    def to_roll(self) -> int:
        """How many dice to roll now; 0 at a decision, and at the end."""
        return self.rules.to_roll(self.state)

    @property
    def to_draw(self) -> bool:
        """Whether Player 1 must be drawn before anybody rolls."""
        return self.rules.to_draw(self.state)

    @property
    def legal(self) -> tuple[str, ...]:
        """What may be chosen now, as notation such as "k14"; empty while there are dice to roll."""
        return tuple(self.rules.game.write_action(action) for action in self.rules.legal(self.state))

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.state.over

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won; empty until the match is over."""
        return tuple(self.names[seat] for seat in self.rules.format.champions(self.state.tally)) if self.over else ()

    @property
    def points(self) -> dict[str, int]:
        """What everybody has come to: round wins, or chips won and lost."""
        return dict(zip(self.names, self.state.tally.points, strict=True))

    @property
    def dice(self) -> Picture:
        """The dice of the player whose turn it is; none where they are all in the cup."""
        locked, free = self._hands()
        return Picture(free, locked)

    def _hands(self) -> tuple[Hand, Hand]:
        mover = self.rules.mover(self.state)
        if mover is None:
            return (), ()
        return self.rules.game.dice(self.state.round, self.state.local(mover))

    def __str__(self) -> str:
        """Where the match stands, in sentences."""
        game, words = self.rules.game, self.kit.words
        narrator = Narrator(ENGLISH, words, self.rules, self.names)
        if self.over:
            return " ".join(narrator.ending(self.state.tally, self.state.last))
        if self.turn is None:
            return "Player 1 has not been drawn yet: draw() names one, throw() draws a lot."
        ask = words.to_roll if self.to_roll else words.ask
        return f"{self.turn}: {ask(ENGLISH, game, self.state.round)}"

    def __repr__(self) -> str:
        return f"read_position({self.position!r})"

    def _repr_svg_(self) -> str:
        return self.dice.svg()

    # moves

    def roll(self, *dice: object, by: str = "") -> "MatchInPlay":
        """The match after these dice: ``roll(3, 4, 4, 5, 1, 2)``, ``roll([3, 4, …])`` or ``roll("344512")``.

        by: who rolls, to be checked; left out it is whose turn it is. Raises BadNotation, IllegalAction.
        """
        with told(self.kit, self.rules.game):
            return self._by(by)._after(Rolled(dice_of(dice)))

    def throw(self, cup: Cup) -> "MatchInPlay":
        """The match after dice, or a lot, out of a cup. Raises IllegalAction where neither is due."""
        index = len(self.moves)
        with told(self.kit, self.rules.game):
            if self.to_draw:
                return self._after(Drawn(Seat(cup.draw(self.rules.seats, index))))
            return self._after(Rolled(cup.roll(self.to_roll, index)))

    def draw(self, name: str) -> "MatchInPlay":
        """The match once the lot has named Player 1. Raises BadNotation, IllegalAction."""
        with told(self.kit, self.rules.game):
            return self._after(Drawn(self._seat(name)))

    def keep(self, *dice: object, by: str = "") -> "MatchInPlay":
        """The match after these dice are kept and all others go back: ``keep(1, 4)``; raises as ``roll`` does."""
        with told(self.kit, self.rules.game):
            kept = tuple(sorted(dice_of(dice)))
            return self._by(by)._after(Played(self.rules.choose(self.state, "roll", kept)))

    def play(self, action: object, by: str = "") -> "MatchInPlay":
        """The match after an action, as notation ("k14") or as advice names it. Raises BadNotation, IllegalAction."""
        with told(self.kit, self.rules.game):
            return self._by(by)._after(Played(self._action(action)))

    def _action(self, action: object) -> object:
        """The action that is meant. Raises BadNotation for what is none."""
        if isinstance(action, str):
            return self.rules.game.read_action(action)
        if not isinstance(action, (Keep, *map(type, self.rules.legal(self.state)))):
            raise BadNotation("action", found=repr(action), shape=(self.legal or ("k45",))[0])
        return action

    def _by(self, name: str) -> "MatchInPlay":
        """The same match, if it is that player's turn. Raises IllegalAction("turn"), BadNotation("seat")."""
        mover = self.rules.mover(self.state)
        if name and mover is not None and self._seat(name) != mover:
            raise IllegalAction("turn", state=self.state, action=name, mover=self.names[mover])
        return self

    def _seat(self, name: str) -> Seat:
        seat = find_name(name, self.names)
        if seat is None:
            raise BadNotation("seat", found=name, names=self.names)
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
        head = "; ".join([fields["game"], *(f"{key} {value}" for key, value in fields.items() if key != "game")])
        return " ".join([head, "|", *map(self._word, self.moves)])

    def _word(self, move: Move) -> str:
        if isinstance(move, Drawn):
            return f"@{move.seat + 1}"
        return digits(move.dice) if isinstance(move, Rolled) else self.rules.game.write_action(move.action)

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
    seats: Sequence[str] = (),
    *,
    format: str = "",  # noqa: A002 - that is its name in records, and on the command line
    opener: str = "",
    first: str = "",
    **options: str,
) -> MatchInPlay:
    """A match before its first move; what is left out is usual. Raises BadNotation.

    seats: who plays. format: "rounds 5", "pot 1 rounds 5", "race" or "drinks". opener: who opens the next round.
    first: who opens the first one, or "draw". options: house rules of the game, such as ``need="2 4"``.
    """
    with told():
        kit = kit_named(game)
        for key in options:
            if key not in (option.key for option in kit.options):
                raise BadNotation("option-game", key=key, title=kit.words.title)
        names = [seats] if isinstance(seats, str) else [read_name(name) for name in seats] or kit.names
        chosen = {"format": format, "opener": opener, "first": first, **options}
        usual = {"game": kit.name, "seats": ", ".join(names)}
        return _begin(kit, RawHeader({**usual, **{key: value for key, value in chosen.items() if value}}))


def read_record(text: str) -> MatchInPlay:
    """The match that a record tells, as far as it goes. Raises BadNotation, IllegalAction, with line and column."""
    checked = read_checked(text, GAMES, ENGLISH)
    state = checked.steps[-1].after if checked.steps else checked.match.start()
    moves = tuple(step.move for step in checked.steps)
    return MatchInPlay(checked.kit, checked.header, checked.match, state, moves)


def read_position(text: str) -> MatchInPlay:
    """The match that a line stands for, as ``MatchInPlay.position`` writes it. Raises BadNotation, IllegalAction."""
    head, _, body = text.partition("|")
    game, *given = [part.strip() for part in head.split(";")]
    with told():
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
    with told(kit, match.rules.game):
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
    if word[0] in "0123456789":
        return Rolled(dice_of([word]))
    return Played(match.rules.game.read_action(word))


def cup(seed: str = "") -> Cup:
    """A cup of fair dice: with a seed the same ones every time, without one nobody can tell."""
    return SeededCup(seed) if seed else SystemCup(secrets.token_bytes)


# The exact answer to a match in play: what every choice is worth, what every player is worth, what a match was.


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


@dataclass(frozen=True, slots=True)
class Choices:
    """Every legal action at a decision, best first. No value is off by more than ``bound``."""

    ranked: tuple[RankedAction, ...]
    utility: str
    bound: float

    @property
    def best(self) -> RankedAction:
        """The first of the best."""
        return self.ranked[0]

    def __str__(self) -> str:
        return "\n".join(f"{each.words}: {each.value:.4f}, {each.verdict}" for each in self.ranked)


@dataclass(frozen=True, slots=True)
class Odds:
    """What the match is worth to every player from here on if everybody plays best, by name.

    utility: what that is, such as "share of the match". No value is off by more than ``bound``.
    """

    values: dict[str, float]
    utility: str
    bound: float

    def __str__(self) -> str:
        return "; ".join(f"{name}: {value:.4f}" for name, value in self.values.items()) + f" ({self.utility})"


@lru_cache(maxsize=8)  # a solved match is up to a gigabyte
def _coach(game: str, rules: Match[Any, Any]) -> Coach:
    kit = GAMES[game]
    if kit.solver is None:
        raise Unsolved("no-solver", title=kit.words.title)
    return Coach(kit.solver(rules), rules)


def _solved(match: MatchInPlay) -> Coach:
    with told(match.kit, match.rules.game):
        return _coach(match.kit.name, match.rules)


def advise(match: MatchInPlay) -> Choices:
    """What every choice is worth here. Raises IllegalAction where there is nothing to choose, and Unsolved."""
    if not match.legal:
        error = IllegalAction("no-choice", state=match.state)
        error.told = "The match is over." if match.over else f"There is nothing to choose now. {match}"
        raise error
    coach = _solved(match)
    game, write, words = match.rules.game, match.rules.game.write_action, match.kit.words
    ranked = tuple(
        RankedAction(
            write(choice.action),
            words.choice(ENGLISH, game, match.state.round, choice.action),
            as_counted(coach.solver.utility, float(choice.value)),
            float(choice.lost),
            choice.verdict,
        )
        for choice in coach.advise(match.state).choices
    )
    return Choices(ranked, coach.solver.utility, coach.solver.bound)


def odds(match: MatchInPlay) -> Odds:
    """What the match is worth to every player, at any point of it. Raises Unsolved."""
    solver = _solved(match).solver
    values = [as_counted(solver.utility, float(value)) for value in solver.values(match.state)]
    return Odds(dict(zip(match.names, values, strict=True)), solver.utility, solver.bound)


def review(match: MatchInPlay) -> Review:
    """Every decision graded, every roll weighed, and the result split into luck and skill. Raises Unsolved.

    Values are told as the game counts them, as those of ``advise`` and ``odds`` are.
    """
    return counted(reviewed(_solved(match), match.steps()))
