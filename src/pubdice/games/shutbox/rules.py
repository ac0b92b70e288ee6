"""Shut the Box, one round: roll two dice and shut tiles that add up to them. The tiles left up count against the seat.

Sources, read in 2026:

- James Masters' rules as *Gameroom Goodies* prints them: one die or two once 7, 8 and 9 are shut, a score that is the
  sum of the tiles left, and a shut box that wins at once.
- *Siam Mandalay*: one die is a must once "every numbered tile higher than 6" is shut.
- *Mr. Bee* and *Brilliant Puzzles*: one die is a must once the tiles left add up to 6 or less. The solved *Double
  Shutter* lets the player choose then.
- *Wikipedia*: "Variations exist where the box has 10 or 12 tiles."
- *Board Game Arena*: one die or two if no tile above 6 is left, also with 12 tiles. "Score what you see" reads the
  tiles left as one number: 3, 7, 9 and 11 make 37,911.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import ClassVar

from pubdice.core.dice import Hand
from pubdice.core.frozen import quick
from pubdice.core.game import MoveGame

TILES = tuple(range(1, 10))
"""The tiles of the usual box."""
MOST_TILES = 12
HIGH = 7
"""The lowest of the high tiles. They are 7, 8 and 9 in the usual box, and 7 to 12 in the largest."""
LOW_SUM = 6
"""The greatest sum of the tiles left with which one die is due, under the house rules that count it."""
DICE = 2
ROLLS = {"one": 1, "two": DICE}
"""The moves that choose the number of dice to roll, under the house rule that allows one."""
CHOOSES = ("may", "maysix")
"""The house rules under which the mover chooses between one die and two."""


@cache
def _of_all(total: int) -> tuple[tuple[int, ...], ...]:
    """Return the sets of tiles of the largest box that add up to a total, in the order of ``sets``."""
    down = range(MOST_TILES, 0, -1)
    return tuple([part for size in range(1, 5) for part in combinations(down, size) if sum(part) == total])


@cache
def sets(up: tuple[int, ...], total: int) -> tuple[tuple[int, ...], ...]:
    """Return the sets of tiles that add up to a total of dice. Smaller sets come first, then sets with higher tiles.

    >>> sets(TILES, 5)
    ((5,), (4, 1), (3, 2))
    """
    return tuple([part for part in _of_all(total) if set(up).issuperset(part)])


def shutting(tiles: tuple[int, ...]) -> str:
    """Return the name of the move that shuts these tiles: ``s93`` shuts 9 and 3.

    Hyphens part the tiles if one of them has two digits, as ``s12`` shuts 12 and ``s10-2`` shuts 10 and 2.
    """
    return "s" + ("-" if max(tiles) > max(TILES) else "").join(map(str, tiles))


@cache
def shuts(up: tuple[int, ...], total: int) -> tuple[str, ...]:
    """Return the moves that shut tiles with this total, in the order of ``sets``."""
    return tuple(map(shutting, sets(up, total)))


_TAKEN = {shutting(tiles): tiles for total in range(1, 6 * DICE + 1) for tiles in _of_all(total)}


@cache
def all_shuts(tiles: int) -> tuple[str, ...]:
    """Return the moves that shut tiles of a box with this many tiles."""
    return tuple([move for move, taken in _TAKEN.items() if max(taken) <= tiles])


@quick
@dataclass(frozen=True, slots=True)
class BoxRound:
    """The state of a round of Shut the Box. ``up`` has the tiles that are not shut."""

    seats: int
    scores: tuple[int, ...] = ()
    """The scores of the seats that have finished, in turn order."""
    up: tuple[int, ...] = TILES
    dice: Hand = ()
    """Both dice, or one, once rolled. Empty while the mover must roll."""
    number: int = 0
    """The number of dice that the mover has chosen to roll. 0 before that choice, or if there is no such choice."""


@dataclass(frozen=True, slots=True)
class ShutTheBox(MoveGame[BoxRound]):
    """The rules of Shut the Box under one choice of options."""

    die: str = "no"
    """The house rule on rolling one die.

    It is "no" (never), "may" (the mover chooses once all high tiles are shut), "must" (once they are shut), "six" (a
    must once the tiles left add up to 6 or less) or "maysix" (the mover chooses then).
    """
    left: str = "sum"
    """The way to score the tiles left: their "sum", or their "digits" read as one number."""
    tiles: int = len(TILES)
    """The number of tiles: 9, 10 or 12."""
    lowest_wins: ClassVar[bool] = True
    one_turn_each: ClassVar[bool] = True
    goals: ClassVar[Mapping[str, int]] = {"shut": 0}

    @classmethod
    def chosen(cls, options: Mapping[str, str]) -> "ShutTheBox":
        """Return the rules under these options. Headers leave out the usual number of tiles."""
        return cls(options["die"], options["left"], int(options.get("tiles", len(TILES))))

    @property
    def moves(self) -> tuple[str, ...]:  # type: ignore[override]  # a larger box has more moves
        """All moves of a box with this many tiles."""
        return (*all_shuts(self.tiles), *ROLLS)

    @property
    def box(self) -> tuple[int, ...]:
        """All tiles of the box."""
        return tuple(range(1, self.tiles + 1))

    @property
    def missed(self) -> int:  # type: ignore[override]  # a larger box has a higher score
        """The score of a seat without a turn, with all tiles up."""
        return self.worth(self.box)

    def worth(self, up: tuple[int, ...]) -> int:
        """Return the score of the tiles left. It is 0 if none is left."""
        return sum(up) if self.left == "sum" or not up else int("".join(map(str, up)))

    def begin(self, seats: int) -> BoxRound:
        """Return a fresh round. All tiles are up."""
        return BoxRound(seats, up=self.box)

    def _is_low(self, state: BoxRound) -> bool:
        """Return True if the tiles left are few enough for one die, under the house rule that has one."""
        return sum(state.up) <= LOW_SUM if self.die in ("six", "maysix") else max(state.up) < HIGH

    def to_roll(self, state: BoxRound) -> int:
        """Return the number of dice that the mover must roll, usually two.

        0 if a choice is due or the round is over.
        """
        if self.mover(state) is None or self.legal(state):
            return 0
        return state.number or (1 if self.die in ("must", "six") and self._is_low(state) else DICE)

    def legal(self, state: BoxRound) -> tuple[str, ...]:
        """Return the moves that shut tiles with the total of the dice.

        Before a roll, return the choice of one die or two, if the mover has it.
        """
        if state.dice:
            return shuts(state.up, sum(state.dice))
        chooses = self.die in CHOOSES and not state.number and self._is_low(state)
        return tuple(ROLLS) if chooses and self.mover(state) is not None else ()

    def after_roll(self, state: BoxRound, dice: Hand) -> BoxRound:
        """Put the dice on the table. If no tiles add up to them, score the tiles left and end the turn."""
        if sets(state.up, sum(dice)):
            return BoxRound(state.seats, state.scores, state.up, dice)
        return BoxRound(state.seats, (*state.scores, self.worth(state.up)), self.box)

    def after_move(self, state: BoxRound, move: str) -> BoxRound:
        """Shut the tiles, or set the number of dice.

        If all tiles are shut, the round ends, and each seat after the mover scores as if all tiles were up.
        """
        if move in ROLLS:
            return BoxRound(state.seats, state.scores, state.up, (), ROLLS[move])
        taken = self.takes(move)
        up = tuple([tile for tile in state.up if tile not in taken])
        if up:
            return BoxRound(state.seats, state.scores, up)
        after = state.seats - len(state.scores) - 1
        return BoxRound(state.seats, (*state.scores, 0, *[self.missed] * after), self.box)

    def wins_at_once(self, score: int) -> bool:
        """Return True for a score of 0, because the box is shut."""
        return score == 0

    def takes(self, move: str) -> tuple[int, ...]:
        """Return the tiles that the move shuts."""
        return _TAKEN.get(move, ())

    def canonical(self, state: BoxRound) -> BoxRound:
        """Return the state with the sum of the dice in place of the dice. The round depends only on the sum."""
        if not state.dice:
            return state
        return BoxRound(state.seats, state.scores, state.up, (sum(state.dice),), state.number)


def tip(game: ShutTheBox, state: BoxRound) -> tuple[tuple[str, int], ...]:
    """Choose for the bot Tip: shut as few tiles as possible, then the highest. Roll one die if that is allowed."""
    return ((game.legal(state)[0], 1),)
