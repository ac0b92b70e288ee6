"""The library behind the door: a match in play, as a value, and the exact answers to it.

Every move gives a new match, and a mistake is one plain sentence that changes nothing. Dice are checked and sorted
here, names are looked up here. Forced moves are played, as at a table: a player is only asked if there is a choice.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pubdice.advice.bots import BotPolicy, Perfect, choose_action
from pubdice.advice.coach import Coach, Verdict
from pubdice.advice.printed_card import PIPS
from pubdice.advice.ranking import PositionAdvice
from pubdice.advice.review import Review, counted
from pubdice.advice.review import review as reviewed
from pubdice.checked_record import read_checked
from pubdice.core.cup import Cup, SeededCup, SystemCup
from pubdice.core.dice import SIX, DieFaces, Hand, Roll, as_whole, whole_number
from pubdice.core.errors import BadNotation, Failure, IllegalAction, Unsolved
from pubdice.core.game import Keep, Seat
from pubdice.failures import explain
from pubdice.games import GAMES
from pubdice.kit import PERFECT, Kit
from pubdice.match.header import Header, RawHeader, find_name, read_name
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.notation import decoded, no_face
from pubdice.match.record import Drawn, Move, Played, ReplayStep, Rolled, advance, move_word, position_line, write
from pubdice.solve.solver import as_counted
from pubdice.text.language import Language

if TYPE_CHECKING:
    from pubdice.advice.solved_round import SolvedRound

# What strangers hand in at the library's door, checked; and what is wrong with it, in one sentence of English.


ENGLISH = Language()


@contextmanager
def explained(kit: Kit | None = None, game: Any = None) -> Iterator[None]:
    """Failures inside say what is wrong in a sentence."""
    try:
        yield
    except Failure as error:
        error.sentence = error.sentence or explain(ENGLISH, error, kit.words if kit else None, game)
        raise


def dice_of(dice: Iterable[object], die: DieFaces = SIX) -> Roll:
    """Dice as given: faces one by one as they count, a sequence of them, or a text of their names.

    Raises BadNotation: "face" or "other-face".
    """
    given = list(dice)
    if len(given) == 1 and isinstance(given[0], Iterable):
        return _read(given[0], die) if isinstance(given[0], str) else dice_of(given[0], die)
    faces = tuple([as_whole(face) or 0 for face in given])
    if not all(0 < face <= die.sides for face in faces):
        raise no_face(die, found=" ".join(map(str, given)))
    return faces


def _read(text: str, die: DieFaces) -> Roll:
    faces = die.read(text, between=", ")
    if faces is None:
        raise no_face(die, found=text)
    return faces


# Dice as a picture: an SVG document for notebooks and pages, and plain text that reads well aloud.


DIE, GAP, PIP = 64, 10, 6
"""Sizes in pixels: a die, the room between two, the radius of a pip."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Dice on a table: those that may still be chosen, and those that are locked. die: their faces."""

    free: Roll = ()
    locked: Hand = ()
    die: DieFaces = SIX

    def __str__(self) -> str:
        if not self.free and not self.locked:
            return "No dice on the table."
        locked = [f"Locked: {self.die.shown(self.locked)}."] if self.locked else []
        return " ".join([*locked, *([f"Dice: {self.die.shown(self.free)}."] if self.free else [])])

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
            if not self.die.is_usual:
                x, y = left + DIE // 2, GAP + DIE * 2 // 3
                style = f'font-family="sans-serif" font-size="{DIE // 2}" text-anchor="middle" fill="#222"'
                parts.append(f'<text x="{x}" y="{y}" {style}>{self.die.names[face - 1]}</text>')
            for place in PIPS[face] if self.die.is_usual else ():
                x, y = left + DIE * (1 + place % 3) // 4, GAP + DIE * (1 + place // 3) // 4
                parts.append(f'<circle cx="{x}" cy="{y}" r="{PIP}" fill="#222"/>')
        return "".join([*parts, "</svg>"])

    def _repr_svg_(self) -> str:
        return self.svg()


def picture(*dice: object, locked: object = ()) -> Picture:
    """A picture of these dice, as they fell: ``picture(3, 4, 4)`` or ``picture("344", locked="16")``.

    Raises BadNotation("face").
    """
    with explained():
        return Picture(dice_of(dice) if dice else (), tuple(sorted(dice_of([locked]))) if locked else ())


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

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, such as ``json`` and data frames take."""
        return asdict(self)


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

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, such as ``json`` and data frames take."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Odds:
    """The value of the match to every player from here on if everybody plays best, by name.

    utility: its meaning, such as "share of the match". No value is off by more than ``bound``.
    """

    values: dict[str, float]
    utility: str
    bound: float

    def __str__(self) -> str:
        return "; ".join(f"{name}: {value:.4f}" for name, value in self.values.items()) + f" ({self.utility})"

    def __getitem__(self, name: str) -> float:
        """A player's value, by any spelling of the name. Raises BadNotation("seat")."""
        seat = find_name(str(name), tuple(self.values))
        if seat is None:
            with explained():
                raise BadNotation("seat", found=str(name), names=tuple(self.values))
        return tuple(self.values.values())[seat]

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, such as ``json`` and data frames take."""
        return asdict(self)


@lru_cache(maxsize=8)  # a solved match is up to a gigabyte
def _coach(game: str, rules: Match[Any, Any]) -> Coach:
    kit = GAMES[game]
    if kit.solver is None:
        raise Unsolved("no-solver", title=kit.words.title)
    return Coach(kit.solver(rules), rules)


def _solved(match: MatchInPlay) -> Coach:
    with explained(match.kit, match.rules.game):
        return _coach(match.kit.name, match.rules)


def _asked(match: object) -> MatchInPlay:
    """The match that is meant: itself, or the usual one of the game of that name. Raises BadNotation."""
    if isinstance(match, MatchInPlay):
        return match
    if isinstance(match, str):
        return new_match(match)
    with explained():
        raise BadNotation("no-match", found=repr(match))


def _nothing_to_choose(match: MatchInPlay) -> IllegalAction:
    error = IllegalAction("no-choice", state=match.state)
    error.sentence = "The match is over." if match.over else f"There is nothing to choose now. {match}"
    return error


def advise(match: MatchInPlay | str) -> Choices:
    """The value of every choice here. Raises IllegalAction where there is nothing to choose, and Unsolved."""
    match = _asked(match)
    if not match.legal:
        raise _nothing_to_choose(match)
    coach = _solved(match)
    found = PositionAdvice(match.kit.words, coach, match.state, coach.advise(match.state))
    spoken, data = found.spoken(ENGLISH), found.data()
    ranked = tuple(
        RankedAction(row["action"], spoken.act(match.state, choice), row["value"], row["lost"], row["verdict"])
        for row, choice in zip(data["actions"], found.advice.choices, strict=True)
    )
    return Choices(ranked, data["utility"], data["bound"])


def odds(match: MatchInPlay | str) -> Odds:
    """The value of the match, or of a game as it usually begins, to every player. Raises Unsolved."""
    match = _asked(match)
    solver = _solved(match).solver
    values = [as_counted(solver.utility, float(value)) for value in solver.values(match.state)]
    return Odds(dict(zip(match.names, values, strict=True)), solver.utility, solver.bound)


def review(match: MatchInPlay) -> Review:
    """Every decision graded, every roll weighed, and the result split into luck and skill. Raises Unsolved.

    Values are told as the game counts them, as those of ``advise`` and ``odds`` are.
    """
    match = _asked(match)
    found = counted(reviewed(_solved(match), match.steps()))
    return replace(found, names=match.names, write=match.rules.game.write_action)


def solve_round(match: MatchInPlay | str) -> "SolvedRound":
    """Every position of the round under way, with its values and the best move, as arrays of numpy.

    Raises Unsolved where there are too many positions to list, and IllegalAction where no round is under way.
    """
    from pubdice.advice.solved_round import solve_positions  # noqa: PLC0415  numpy, for which nobody else need wait

    match = _asked(match)
    coach = _solved(match)
    with explained(match.kit, match.rules.game):
        return solve_positions(coach, match.state, match.names)


# Players for a match in play: the bots of the house, and matches that any of them play to the end.


Chooser = Callable[[MatchInPlay], object]
"""A player: from a match where there is something to choose to the action, as ``MatchInPlay.play`` takes it."""


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A bot of the house, for any match of a game that has one of that name. cup: lots among actions it likes alike."""

    name: str
    cup: Cup

    def __call__(self, match: MatchInPlay) -> str:
        """The action it takes here, as notation. Raises as ``advise`` does, and BadNotation("bot")."""
        match = _asked(match)
        if not match.legal:
            raise _nothing_to_choose(match)
        with explained(match.kit, match.rules.game):
            if self.name == PERFECT:
                bot: BotPolicy = Perfect(_solved(match).solver)
            elif self.name in match.kit.policies:
                bot = match.kit.policies[self.name]
            else:
                raise BadNotation("bot", found=self.name, bots=match.kit.bots)
            at = len(match.moves)
            action = choose_action(bot, match.rules, match.state, lambda number: self.cup.draw(number, at))
        return match.rules.game.write_action(action)


def bot(name: str, seed: object = "") -> HouseBot:
    """The bot of that name: "perfect", "tip", "lucky" and others of a game. seed: as of ``cup``."""
    return HouseBot(str(name).lower(), cup(seed))


def play_out(
    match: MatchInPlay | str, players: Chooser | str | Mapping[str, Chooser | str], dice: Cup | None = None
) -> MatchInPlay:
    """The match after it was played to its end. Raises BadNotation, and all that a player raises.

    players: one for all, or one each by name; a ``HouseBot``, its name, or a function of your own. dice: a cup of fair
    dice if left out.
    """
    match, dice = _asked(match), cup() if dice is None else dice
    if isinstance(players, Mapping):
        with explained():
            named = {int(match._seat(name)): player for name, player in players.items()}
            if idle := [name for seat, name in enumerate(match.names) if seat not in named]:
                raise BadNotation("no-bot", names=tuple(idle))
    else:
        named = dict.fromkeys(range(len(match.names)), players)
    with explained():
        choosers = {seat: _chooser(player) for seat, player in named.items()}
    while not match.over:
        if match.to_roll or match.to_draw:
            match = match.throw(dice)
            continue
        mover = match.rules.mover(match.state)
        assert mover is not None, "somebody has to choose"
        match = match.play(choosers[mover](match))
    return match


def _chooser(player: object) -> Chooser:
    """A player as given. Raises BadNotation."""
    if isinstance(player, str):
        return bot(player)
    if not callable(player):
        raise BadNotation("no-player", found=repr(player))
    return player
