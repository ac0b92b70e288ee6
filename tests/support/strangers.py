"""Two games as strangers write them: a choice of ends, and boxes to fill. ``new-game`` begins their packages."""

from pathlib import Path

from pubdice_workshop.new_game import new_game

ENDS = {
    "rules.py": '''\
"""The rules of Ends: two dice, up to three rolls, and a turn stops on one of the two dice."""

from dataclasses import dataclass
from typing import ClassVar

from pubdice.core.dice import Hand
from pubdice.core.game import MoveGame

ROLLS = 3
GOOD = 7


@dataclass(frozen=True, slots=True)
class Match:
    """A round under way: the scores, the two dice of the turn, and its rolls so far."""

    seats: int
    scores: tuple[int, ...] = ()
    dice: Hand = ()
    rolls: int = 0

    @property
    def low(self) -> int:
        """The lower die."""
        return self.dice[0]

    @property
    def high(self) -> int:
        """The higher die."""
        return self.dice[1]


@dataclass(frozen=True, slots=True)
class Ladder(MoveGame[Match]):
    """The rules. An odd die counts three more than it shows."""

    moves: ClassVar[tuple[str, ...]] = ("low", "high", "again")
    number_of_dice: ClassVar[int] = 2
    one_turn_each: ClassVar[bool] = True

    def begin(self, seats: int) -> Match:
        """An empty round."""
        return Match(seats)

    def legal(self, state: Match) -> tuple[str, ...]:
        """Stop on either die, or roll again. Two dice alike are one end."""
        if not state.dice:
            return ()
        ends = ("low",) if state.low == state.high else ("low", "high")
        return ends if state.rolls == ROLLS else (*ends, "again")

    def worth(self, die: int) -> int:
        """The points of the die that a turn stops on."""
        return die + 3 * (die % 2)

    def after_roll(self, state: Match, dice: Hand) -> Match:
        """The dice lie there."""
        return Match(state.seats, state.scores, dice, state.rolls + 1)

    def after_move(self, state: Match, move: str) -> Match:
        """Two dice are due, or the turn is scored."""
        if move == "again":
            return Match(state.seats, state.scores, rolls=state.rolls)
        die = state.low if move == "low" else state.high
        return Match(state.seats, (*state.scores, self.worth(die)))


def tip(game: Ladder, state: Match) -> tuple[tuple[str, int], ...]:
    """Stop on 7 or more. Without it, roll again."""
    ends = {game.worth(state.high): "high", game.worth(state.low): "low"}
    if state.low == state.high:
        ends = {game.worth(state.low): "low"}
    best = max(ends)
    return ((ends[best] if best >= GOOD or state.rolls == ROLLS else "again", 1),)
''',
    "words.py": '''\
"""The words of Ends: which die a turn stops on."""

from collections.abc import Mapping
from typing import Any

from pubdice.text.language import Language
from pubdice.text.move_words import MoveWords

from .rules import Ladder, Match


class Words(MoveWords[Ladder]):
    """The words of a game of moves, with these labels."""

    title = "Ends"
    tagline = "two dice: stop on one of them"
    labels: Mapping[str, str] = {"low": "stop on {low}", "high": "stop on {high}", "again": "roll again"}
    told: Mapping[str, tuple[str, str]] = {
        "low": ("{name} stopped on {low}.", "You stopped on {low}."),
        "high": ("{name} stopped on {high}.", "You stopped on {high}."),
        "again": ("{name} rolled again.", "You rolled again."),
    }
    keys: Mapping[str, str] = {"low": "o", "high": "i", "again": "r"}

    def facts(self, language: Language, game: Ladder, state: Match, move: str) -> dict[str, Any]:
        """The two dice."""
        return {"low": state.low, "high": state.high}
''',
    "RULES.md": """\
# Ends

Each player has one turn in a round, with 2 dice.

- Roll both dice. Stop on one of them, or roll both again, 3 rolls at most.
- The die that you stop on is your score. An odd die counts 3 more.

The highest score wins the round.

## How Tip plays

The bot Tip stops on 7 points or more. If neither die has them, it rolls again.
""",
}
BOXES = {
    "rules.py": '''\
"""The rules of Boxes: three turns each, a die a turn, and each die goes into one of three boxes."""

from dataclasses import dataclass
from typing import ClassVar

from pubdice.core.dice import DieFaces, Hand, numbered
from pubdice.core.game import MoveGame, RoundResult, RoundSeat

EMPTY = 0
Three = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Round:
    """A round under way: the boxes of each seat, and the die of this turn."""

    boxes: tuple[Three, ...]
    dice: Hand = ()

    @property
    def filled(self) -> int:
        """The number of boxes with a die."""
        return sum(die != EMPTY for three in self.boxes for die in three)


@dataclass(frozen=True, slots=True)
class Boxes(MoveGame[Round]):
    """The rules. The boxes are the digits of a number."""

    moves: ClassVar[tuple[str, ...]] = ("hundreds", "tens", "ones")
    faces: ClassVar[DieFaces] = numbered(3)
    least_seats: ClassVar[int] = 2

    def begin(self, seats: int) -> Round:
        """All boxes are empty."""
        return Round(((EMPTY, EMPTY, EMPTY),) * seats)

    def mover(self, state: Round) -> RoundSeat | None:
        """Turns go round the table, until all boxes are full."""
        seats = len(state.boxes)
        return RoundSeat(state.filled % seats) if state.filled < seats * len(self.moves) else None

    def legal(self, state: Round) -> tuple[str, ...]:
        """The empty boxes of the mover, once a die lies there."""
        mover = self.mover(state)
        if mover is None or not state.dice:
            return ()
        return tuple(move for move, die in zip(self.moves, state.boxes[mover], strict=True) if die == EMPTY)

    def after_roll(self, state: Round, dice: Hand) -> Round:
        """The die lies there."""
        return Round(state.boxes, dice)

    def after_move(self, state: Round, move: str) -> Round:
        """The die goes into the box."""
        at = state.filled % len(state.boxes)
        one, two, three = (
            state.dice[0] if move == name else die for name, die in zip(self.moves, state.boxes[at], strict=True)
        )
        return Round((*state.boxes[:at], (one, two, three), *state.boxes[at + 1 :]))

    def number(self, three: Three) -> int:
        """The number that the boxes show."""
        return 100 * three[0] + 10 * three[1] + three[2]

    def score(self, state: Round, seat: RoundSeat) -> int | None:
        """The number of a seat whose boxes are full."""
        return None if EMPTY in state.boxes[seat] else self.number(state.boxes[seat])

    def result(self, state: Round) -> RoundResult | None:
        """The highest number wins."""
        if self.mover(state) is not None:
            return None
        return self.decided(tuple(self.number(three) for three in state.boxes))


def tip(game: Boxes, state: Round) -> tuple[tuple[str, int], ...]:
    """A 3 goes to the left, a 1 to the right, and a 2 between them, or as near as it can."""
    legal, die = game.legal(state), state.dice[0]
    at = {game.faces.sides: 0, 1: -1}.get(die, len(legal) // 2)
    return ((legal[at], 1),)
''',
    "words.py": '''\
"""The words of Boxes: the boxes of the mover, and the box of each die."""

from collections.abc import Mapping
from typing import Any

from pubdice.text.language import Language
from pubdice.text.move_words import MoveWords

from .rules import Boxes, Round


class BoxesWords(MoveWords[Boxes]):
    """The words of a game of moves, with these labels."""

    title = "Boxes"
    tagline = "three dice in three boxes make a number"
    labels: Mapping[str, str] = {"hundreds": "{die} hundred", "tens": "{die} tens", "ones": "{die} ones"}
    told: Mapping[str, tuple[str, str]] = {
        "hundreds": ("{name} chose {die} hundred.", "You chose {die} hundred."),
        "tens": ("{name} chose {die} tens.", "You chose {die} tens."),
        "ones": ("{name} chose {die} ones.", "You chose {die} ones."),
    }
    keys: Mapping[str, str] = {"hundreds": "i", "tens": "e", "ones": "o"}

    def facts(self, language: Language, game: Boxes, state: Round, move: str) -> dict[str, Any]:
        """The die of this turn."""
        return {"die": state.dice[0]}
''',
    "RULES.md": """\
# Boxes

Each player has 3 turns in a round, with 1 die that shows 1 to 3. Turns go round the table.

- Roll the die. Put it into one of your empty boxes: hundreds, tens or ones.
- When your 3 boxes are full, they are a number. It is your score.

The highest score wins the round.

## How Tip plays

The bot Tip puts a 3 as far to the left as it can, and a 1 as far to the right. A 2 goes between them.
""",
}


def write(name: str, files: dict[str, str], classes: tuple[str, str], folder: Path) -> Path:
    """Write a game with ``new-game``, put these files in place of its own, and return its package."""
    new_game(name, folder / name)
    package = folder / name / "src" / f"pubdice_{name}"
    for file, text in files.items():
        (package / file).write_text(text, encoding="utf-8")
    kit = package / "__init__.py"
    rules, words = classes
    text = kit.read_text("utf-8")
    title = name.capitalize()
    kit.write_text(text.replace(f"{title}Rules", rules).replace(f"{title}Words", words), "utf-8")
    return package


def write_ends(folder: Path) -> Path:
    """Write Ends, whose classes have the names of classes of pubdice."""
    return write("ends", ENDS, ("Ladder", "Words"), folder)


def write_boxes(folder: Path) -> Path:
    """Write Boxes: each seat has three turns."""
    return write("boxes", BOXES, ("Boxes", "BoxesWords"), folder)
