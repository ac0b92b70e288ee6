"""Shut the Box by plain recursion in fractions, written from RULES.md alone. It knows no code of the house.

A box is a set of tiles. A value is a fraction, or a float where tables are large. Nothing is enumerated beforehand.
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product

Up = frozenset[int]
Number = Fraction | float
ONE, TWO = [Counter(sum(roll) for roll in product(range(1, 7), repeat=dice)) for dice in (1, 2)]


def box(tiles: int) -> Up:
    """All tiles of a box."""
    return frozenset(range(1, tiles + 1))


def counted(up: Up, left: str) -> int:
    """The score of the tiles left."""
    return sum(up) if left == "sum" else int("0" + "".join(str(tile) for tile in sorted(up)))


@cache
def ways(up: Up, total: int) -> tuple[Up, ...]:
    """The boxes after tiles that add up to a total are shut."""
    parts = chain.from_iterable(combinations([tile for tile in up if tile <= total], size) for size in range(1, 5))
    return tuple(up - frozenset(part) for part in parts if sum(part) == total)


def rolls(up: Up, die: str) -> list[Counter[int]]:
    """The rolls between which the player chooses: with one die, two, or either."""
    low = not any(tile > 6 for tile in up) if die in ("may", "must") else sum(up) <= 6
    if die == "no" or not low:
        return [TWO]
    return [ONE, TWO] if die in ("may", "maysix") else [ONE]


def boxes(die: str, left: str, worth: Callable[[int], Number]) -> Callable[[Up], Number]:
    """The value of every box before a roll under best play, if a score is worth so much."""

    @cache
    def value(up: Up) -> Number:
        if not up:
            return worth(0)
        end = worth(counted(up, left))

        def mean(dice: Counter[int]) -> Number:
            parts = [ways_to * max(map(value, ways(up, total)), default=end) for total, ways_to in dice.items()]
            return sum(parts) / Fraction(dice.total())

        return max(map(mean, rolls(up, die)))

    return value


def turn(tiles: int, die: str, left: str, worth: Callable[[int], Number]) -> Number:
    """The value of a turn."""
    return boxes(die, left, worth)(box(tiles))


def last_in(tiles: int, die: str, left: str, number: int, shut: bool) -> Callable[[int, int], Number]:
    """The share of the match of two for who opens a round, by both totals, if players take turns to open."""
    rest = counted(box(tiles), left)

    @cache
    def opens(mine: int, other: int) -> Number:
        return turn(tiles, die, left, lambda score: first(score, mine, other))

    @cache
    def replies(mine: int, other: int) -> Number:
        """The share of the second player, with the opener's turn counted in ``other``."""
        return turn(tiles, die, left, lambda score: second(score, mine, other))

    def first(score: int, mine: int, other: int) -> Number:
        if score == 0:
            return 1.0 if shut else settled(mine, other + rest, mine_opens=False)
        return 1 - replies(other, mine + score)

    def second(score: int, mine: int, other: int) -> Number:
        return 1.0 if shut and score == 0 else settled(mine + score, other, mine_opens=True)

    def settled(mine: int, other: int, mine_opens: bool) -> Number:
        if mine >= number and other >= number:
            return 0.5 if mine == other else float(mine < other)
        if mine >= number or other >= number:
            return float(other >= number)
        return opens(mine, other) if mine_opens else 1 - opens(other, mine)

    return opens
