"""Dice as hands: sorted tuples of faces, and how many ways each can fall; and faces as people write them.

Knows counting only: no randomness, no game. Faces are counted 1, 2, … whatever is printed on them (``DieFaces``); most
dice have six. A *hand* is a non-decreasing tuple of faces; a *roll* is a tuple of faces in the order the dice fell.
Everything here is exact integer arithmetic.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial
from operator import index

Hand = tuple[int, ...]
Roll = tuple[int, ...]

FACES = (1, 2, 3, 4, 5, 6)
"""The faces of the usual die."""
_DIGITS = "0123456789"
_WRITTEN = bytes.maketrans(bytes(range(10)), _DIGITS.encode())
_FACE = {digit: face for face, digit in enumerate(_DIGITS) if face in FACES}


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


MOST_SIDES = 100
"""As many faces as a die may have: one is drawn by a byte."""
_NAME = re.compile("[0-9]{1,3}|[A-Z][A-Z0-9]?")


@dataclass(frozen=True, slots=True)
class DieFaces:
    """The faces of a game's dice, which all are alike: the first counts 1, the next 2, …; the rules know the counts.

    names: as they are drawn, written and typed: a number, or a capital letter with or without a letter or digit behind
    it. words: what is said of one die and of several of a face, such as ("king", "{number} kings"); () where the names
    are read out. is_usual: true of the faces 1 to 6. sides: the number of faces. Raises ValueError.
    """

    names: tuple[str, ...]
    words: tuple[tuple[str, str], ...] = ()
    is_usual: bool = field(init=False, compare=False, repr=False)
    sides: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_usual", "".join(self.names) == "123456")
        object.__setattr__(self, "sides", len(self.names))  # every roll asks for it
        if not 2 <= len(self.names) <= MOST_SIDES or len(set(self.names)) < len(self.names):
            raise ValueError(f"a die has 2 to {MOST_SIDES} faces, each with a name of its own, not {self.names}")
        if not all(map(_NAME.fullmatch, self.names)):
            raise ValueError(f"a face is called by a number, or by a capital letter and one sign more: {self.names}")
        if len(self.words) not in (0, len(self.names)):
            raise ValueError(f"a die has words for all its faces or for none: {self.words}")

    def write(self, dice: Iterable[int]) -> str:
        """Dice as notation, in the order given: of the usual die a digit each, of any other names with dots between.

        >>> SIX.write((6, 1, 1)), DieFaces(("9", "10", "J", "Q", "K", "A")).write((5, 2))
        ('611', 'K.10')
        """
        return digits(dice) if self.is_usual else ".".join([self.names[face - 1] for face in dice])

    def read(self, text: str, between: str = "") -> Roll | None:
        """The faces that a text names, in its order, in capitals or not; None for anything that is no face.

        between: characters that may stand between the names, beside the dot; of the usual die none need.

        >>> SIX.read("611"), numbered(20).read("17.4"), numbered(20).read("17 4", " "), numbered(20).read("21")
        ((6, 1, 1), (17, 4), (17, 4), None)
        """
        if self.is_usual:
            return faces_in(text, between)
        for char in between:
            text = text.replace(char, ".")
        names = text.upper().split(".") if text else []
        try:
            return tuple([self.names.index(name) + 1 for name in names if name or not between])
        except ValueError:
            return None

    def describe(self) -> str:
        """The die as records have it: the number of its faces, or their names.

        >>> numbered(20).describe(), DieFaces(("9", "10", "J")).describe()
        ('20', '9 10 J')
        """
        return str(self.sides) if self == numbered(self.sides) else " ".join(self.names)

    def drawn(self, face: int) -> str:
        """The name that is drawn on a face; nothing where its pips are."""
        return "" if self.is_usual else self.names[face - 1]

    def shown(self, dice: Iterable[int]) -> str:
        """Dice as they are read, with spaces between."""
        return " ".join([self.names[face - 1] for face in dice])


@cache
def numbered(sides: int) -> DieFaces:
    """The die with the faces 1, 2, … up to a number. Raises ValueError."""
    return DieFaces(tuple(map(str, range(1, sides + 1))))


def described(text: str) -> DieFaces | None:
    """The die that ``DieFaces.describe`` told; None for any other text."""
    try:
        sides = whole_number(text, 3)
        return numbered(sides) if sides is not None else DieFaces(tuple(text.split(" ")))
    except ValueError:
        return None


SIX = DieFaces(tuple("123456"))
"""The usual die."""


def ways(hand: Hand) -> int:
    """The count of the ordered rolls of n dice that sort to this hand: the multinomial ``n! / (c1! … c6!)``.

    >>> ways((1, 1, 4)), ways((2, 3, 5))
    (3, 6)
    """
    count = factorial(len(hand))
    for times in Counter(hand).values():
        count //= factorial(times)
    return count


@cache
def rolls(number: int, sides: int = 6) -> tuple[tuple[Hand, int], ...]:
    """Every hand that ``number`` dice can show, ascending, each with its ways; the ways sum to ``sides**number``.

    >>> rolls(1)
    (((1,), 1), ((2,), 1), ((3,), 1), ((4,), 1), ((5,), 1), ((6,), 1))
    >>> len(rolls(6)), sum(count for _, count in rolls(6))
    (462, 46656)
    """
    return tuple((hand, ways(hand)) for hand in combinations_with_replacement(range(1, sides + 1), number))


@cache
def hands(number: int, sides: int = 6) -> frozenset[Hand]:
    """Every hand that ``number`` dice can show: one look-up checks count, faces and order of what claims to be one.

    >>> (1, 4) in hands(2), (4, 1) in hands(2), (1, 7) in hands(2), (1,) in hands(2)
    (True, False, False, False)
    """
    return frozenset(hand for hand, _ in rolls(number, sides))


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


MOST_DIGITS = 9
"""As many as any number has that people or programs hand in. CPython's ``int`` takes time that grows with the square of
the digits, and refuses more than 4,300 with an error of its own."""


def whole_number(text: str, digits: int = MOST_DIGITS) -> int | None:
    """The number that 1 to ``digits`` ASCII digits stand for, in text somebody wrote: a flag, a form, a log, a header.

    None for anything else: a sign, a space, other numerals.

    ``str.isdigit`` alone lets through "²", which ``int`` refuses, and "١", which it reads as 1.

    >>> whole_number("042"), whole_number("-1"), whole_number("²"), whole_number("1234567890")
    (42, None, None, None)
    """
    return int(text) if len(text) <= digits and text.isascii() and text.isdigit() else None


def as_whole(number: object) -> int | None:
    """A whole number of any kind, such as numpy's, as Python's own; None for anything else, truth values too.

    >>> as_whole(7), as_whole(True), as_whole(7.0), as_whole("7")
    (7, None, None, None)
    """
    try:
        return None if isinstance(number, bool) else index(number)  # type: ignore[arg-type]  # it says so itself
    except TypeError:
        return None
