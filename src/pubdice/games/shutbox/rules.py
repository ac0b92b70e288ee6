"""Shut the Box, one round: roll two dice, shut tiles that add up to them, and what stays up counts against you.

Sources, read in 2026: James Masters' rules as *Gameroom Goodies* prints them (one die or two once 7, 8 and 9 are shut,
the sum of the tiles left, and that who shuts the box wins at once); *Siam Mandalay* (one die is then a must); *Board
Game Arena* ("score what you see": the tiles left are read as one number).
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import ClassVar

from pubdice.core.dice import Hand
from pubdice.core.frozen import quick
from pubdice.core.game import MoveGame

TILES = tuple(range(1, 10))
HIGH = (7, 8, 9)
"""While one of these tiles is up, both dice are rolled."""
DICE = 2
ROLLS = {"one": 1, "two": DICE}
"""The moves that say how many dice are rolled, where one may be."""


@cache
def sets(up: tuple[int, ...], total: int) -> tuple[tuple[int, ...], ...]:
    """The sets of tiles that add up to a total: few tiles before many, high ones before low ones.

    >>> sets(TILES, 5)
    ((5,), (4, 1), (3, 2))
    """
    down = up[::-1]
    return tuple([part for size in range(1, len(up) + 1) for part in combinations(down, size) if sum(part) == total])


def shutting(tiles: tuple[int, ...]) -> str:
    """The move that shuts these tiles: ``s93``."""
    return "s" + "".join(map(str, tiles))


@cache
def shuts(up: tuple[int, ...], total: int) -> tuple[str, ...]:
    """The moves that shut tiles that add up to a total."""
    return tuple(map(shutting, sets(up, total)))


SHUTS = tuple([shutting(tiles) for total in range(1, 6 * DICE + 1) for tiles in sets(TILES, total)])


@quick
@dataclass(frozen=True, slots=True)
class BoxRound:
    """A round under way: the scores of those who are done, the mover's tiles that are up, and the dice that lie there.

    number: of the dice that the mover has chosen to roll; 0 where that is no choice, or it is still open.
    """

    seats: int
    scores: tuple[int, ...] = ()
    up: tuple[int, ...] = TILES
    dice: Hand = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class ShutTheBox(MoveGame[BoxRound]):
    """The rules under these options.

    die: one die once 7, 8 and 9 are shut: never ("no"), if the player likes ("may"), or always ("must"). left: the
    tiles left count as their "sum", or are read as one number ("digits").
    """

    die: str = "no"
    left: str = "sum"
    lowest_wins: ClassVar[bool] = True
    one_turn_each: ClassVar[bool] = True
    moves: ClassVar[tuple[str, ...]] = (*SHUTS, *ROLLS)

    def worth(self, up: tuple[int, ...]) -> int:
        """The score of the tiles left: 0 for none."""
        return sum(up) if self.left == "sum" or not up else int("".join(map(str, up)))

    def begin(self, seats: int) -> BoxRound:
        """All tiles are up."""
        return BoxRound(seats)

    def _is_low(self, state: BoxRound) -> bool:
        return not set(HIGH) & set(state.up)

    def to_roll(self, state: BoxRound) -> int:
        """Both dice, but for one where the tiles and the rules say so."""
        if self.mover(state) is None or self.legal(state):
            return 0
        return state.number or (1 if self.die == "must" and self._is_low(state) else DICE)

    def legal(self, state: BoxRound) -> tuple[str, ...]:
        """The sets of tiles that add up to the dice; before a roll, one die or two where that may be chosen."""
        if state.dice:
            return shuts(state.up, sum(state.dice))
        chooses = self.die == "may" and not state.number and self._is_low(state)
        return tuple(ROLLS) if chooses and self.mover(state) is not None else ()

    def after_roll(self, state: BoxRound, dice: Hand) -> BoxRound:
        """The turn ends where no tiles add up to the dice."""
        if sets(state.up, sum(dice)):
            return BoxRound(state.seats, state.scores, state.up, dice)
        return BoxRound(state.seats, (*state.scores, self.worth(state.up)))

    def after_move(self, state: BoxRound, move: str) -> BoxRound:
        """The tiles are shut. With all of them the round is over: the others have all tiles up."""
        if move in ROLLS:
            return BoxRound(state.seats, state.scores, state.up, (), ROLLS[move])
        taken = self.takes(move)
        up = tuple([tile for tile in state.up if tile not in taken])
        if up:
            return BoxRound(state.seats, state.scores, up)
        after = state.seats - len(state.scores) - 1
        return BoxRound(state.seats, (*state.scores, 0, *[self.worth(TILES)] * after))

    def wins_at_once(self, score: int) -> bool:
        """The box is shut: the round is over."""
        return score == 0

    def takes(self, move: str) -> tuple[int, ...]:
        """The tiles that the move shuts."""
        return () if move in ROLLS else tuple(map(int, move[1:]))

    def canonical(self, state: BoxRound) -> BoxRound:
        """The sum of the dice decides; which dice made it is nothing to the rest of the round."""
        if not state.dice:
            return state
        return BoxRound(state.seats, state.scores, state.up, (sum(state.dice),), state.number)


def tip(game: ShutTheBox, state: BoxRound) -> tuple[tuple[str, int], ...]:
    """Shut few tiles, and of those the highest; roll one die if it may be one."""
    return ((game.legal(state)[0], 1),)
