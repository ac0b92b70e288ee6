"""Six-sided dice as hands: sorted tuples of faces, and how many ways each can fall.

Knows counting only: no randomness, no game. A *hand* is a non-decreasing tuple of faces 1 to 6; a *roll* is a tuple of
faces in the order the dice fell. Everything here is exact integer arithmetic.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial

Hand = tuple[int, ...]
Roll = tuple[int, ...]

FACES = (1, 2, 3, 4, 5, 6)
_FACES = frozenset(FACES)
_DIGITS = "0123456789"
_WRITTEN = bytes.maketrans(bytes(range(10)), _DIGITS.encode())
_FACE = {digit: face for face, digit in enumerate(_DIGITS) if face in _FACES}


def are_faces(dice: Iterable[int]) -> bool:
    """True if every number is a face of a die.

    >>> are_faces((1, 6)), are_faces((0,)), are_faces(())
    (True, False, True)
    """
    return _FACES.issuperset(dice)


def digits(dice: Iterable[int]) -> str:
    """Dice as notation, in the order given: a digit each.

    >>> digits((6, 1, 1))
    '611'
    """
    return bytes(dice).translate(_WRITTEN).decode("ascii")


def faces_in(text: str, between: str = "") -> Roll | None:
    """The faces that a text of digits 1 to 6 names, in its order; None for any character that is no face.

    between: characters that may stand between the digits. A text without digits has no faces.

    >>> faces_in("611"), faces_in("6, 1", between=", "), faces_in("67"), faces_in("²"), faces_in("")
    ((6, 1, 1), (6, 1), None, None, ())
    """
    try:
        return tuple([_FACE[char] for char in text if char not in between])
    except KeyError:
        return None


def ways(hand: Hand) -> int:
    """How many of the ``6**n`` ordered rolls of n dice sort to this hand: the multinomial ``n! / (c1! … c6!)``.

    >>> ways((1, 1, 4)), ways((2, 3, 5))
    (3, 6)
    """
    count = factorial(len(hand))
    for times in Counter(hand).values():
        count //= factorial(times)
    return count


@cache
def rolls(number: int) -> tuple[tuple[Hand, int], ...]:
    """Every hand that ``number`` dice can show, ascending, each with its ways; the ways sum to ``6**number``.

    >>> rolls(1)
    (((1,), 1), ((2,), 1), ((3,), 1), ((4,), 1), ((5,), 1), ((6,), 1))
    >>> len(rolls(6)), sum(count for _, count in rolls(6))
    (462, 46656)
    """
    return tuple((hand, ways(hand)) for hand in combinations_with_replacement(FACES, number))


@cache
def hands(number: int) -> frozenset[Hand]:
    """Every hand that ``number`` dice can show: one look-up checks count, faces and order of what claims to be one.

    >>> (1, 4) in hands(2), (4, 1) in hands(2), (1, 7) in hands(2), (1,) in hands(2)
    (True, False, False, False)
    """
    return frozenset(hand for hand, _ in rolls(number))


@cache
def subhands(hand: Hand) -> tuple[Hand, ...]:
    """Every distinct choice of dice out of a hand, from none of them to all, by size and then by faces.

    >>> subhands((4, 4, 6))
    ((), (4,), (6,), (4, 4), (4, 6), (4, 4, 6))
    """
    return tuple([part for size in range(len(hand) + 1) for part in sorted(set(combinations(hand, size)))])


@cache
def without(hand: Hand, part: Hand) -> Hand:
    """The hand with one die taken away for each die of ``part``.

    Raises ValueError if the hand does not hold them.

    >>> without((3, 4, 4, 6), (4, 6))
    (3, 4)
    """
    left = list(hand)
    for face in part:
        if face not in left:
            raise ValueError(f"{part} is not part of {hand}")
        left.remove(face)
    return tuple(left)


@cache
def beyond(hand: Hand, part: Hand) -> Hand:
    """The hand with one die taken away for each die of ``part`` that it holds.

    >>> beyond((3, 4, 4, 6), (1, 4))
    (3, 4, 6)
    """
    left = list(hand)
    for face in part:
        if face in left:
            left.remove(face)
    return tuple(left)


@cache
def together(hand: Hand, other: Hand) -> Hand:
    """Two hands laid together.

    >>> together((1, 6), (4,))
    (1, 4, 6)
    """
    return tuple(sorted(hand + other))
