"""Hands and rolls of dice, the number of ways to roll them, and the notation of faces. No randomness, no game.

Rules number the faces of a die 1, 2, …, even if other names are printed on it (``DieFaces``). Most dice have six. A
*hand* is a sorted tuple of faces, the lowest first. A *roll* is a tuple of faces in the order in which the dice fell.
All arithmetic is exact, on integers.
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

FACES = (1, 2, 3, 4, 5, 6)  # the faces of the usual die
_DIGITS = "0123456789"
_WRITTEN = bytes.maketrans(bytes(range(10)), _DIGITS.encode())
_FACE = {digit: face for face, digit in enumerate(_DIGITS) if face in FACES}


def digits(dice: Iterable[int]) -> str:
    """Write dice as notation: one digit each, in the order given.

    >>> digits((6, 1, 1))
    '611'
    """
    return bytes(dice).translate(_WRITTEN).decode("ascii")


def faces_in(text: str, between: str = "") -> Roll | None:
    """Read the faces in a text of digits 1 to 6. Characters in ``between`` are skipped. Returns None for any other
    character.

    >>> faces_in("611"), faces_in("6, 1", between=", "), faces_in("67"), faces_in("²"), faces_in("")
    ((6, 1, 1), (6, 1), None, None, ())
    """
    try:
        return tuple([_FACE[char] for char in text if char not in between])
    except KeyError:
        return None


MOST_SIDES = 100  # the most faces of a die, because one byte draws a face
_NAME = re.compile("[0-9]{1,3}|[A-Z][A-Z0-9]?")


@dataclass(frozen=True, slots=True)
class DieFaces:
    """The names of the faces of a game's dice. All dice of a game are alike.

    Rules use numbers: the first face is 1, the next 2, and so on. Names are for drawing, records and typing. A name is
    a number, or a capital letter with at most one letter or digit after it. Raises ValueError for other names.
    """

    names: tuple[str, ...]
    words: tuple[tuple[str, str], ...] = ()
    """For each face, the words for one such die and for several: ("king", "{number} kings"). If empty, the names are
    read out."""
    is_usual: bool = field(init=False, compare=False, repr=False)  # True if the faces are named 1 to 6
    sides: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_usual", "".join(self.names) == "123456")
        object.__setattr__(self, "sides", len(self.names))  # stored, because every roll asks for it
        if not 2 <= len(self.names) <= MOST_SIDES or len(set(self.names)) < len(self.names):
            raise ValueError(f"a die has 2 to {MOST_SIDES} faces, each with a name of its own, not {self.names}")
        if not all(map(_NAME.fullmatch, self.names)):
            raise ValueError(f"a face is called by a number, or by a capital letter and one sign more: {self.names}")
        if len(self.words) not in (0, len(self.names)):
            raise ValueError(f"a die has words for all its faces or for none: {self.words}")

    def write(self, dice: Iterable[int]) -> str:
        """Write dice as notation, in the order given: digits for a usual die, otherwise names with dots between.

        >>> SIX.write((6, 1, 1)), DieFaces(("9", "10", "J", "Q", "K", "A")).write((5, 2))
        ('611', 'K.10')
        """
        return digits(dice) if self.is_usual else ".".join([self.names[face - 1] for face in dice])

    def read(self, text: str, between: str = "") -> Roll | None:
        """Read the faces that a text names, in capitals or not. Returns None if a part of the text names no face.

        A dot may separate names, and so may each character of ``between``. A usual die needs no separator.

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
        """Return the die as records describe it: the number of its faces if they are named 1, 2, …, otherwise their
        names.

        >>> numbered(20).describe(), DieFaces(("9", "10", "J")).describe()
        ('20', '9 10 J')
        """
        return str(self.sides) if self == numbered(self.sides) else " ".join(self.names)

    def drawn(self, face: int) -> str:
        """Return the name to draw on a face. Empty for a usual die, because it shows pips."""
        return "" if self.is_usual else self.names[face - 1]

    def shown(self, dice: Iterable[int]) -> str:
        """Return the names of dice with spaces between, to be read aloud."""
        return " ".join([self.names[face - 1] for face in dice])


@cache
def numbered(sides: int) -> DieFaces:
    """Return the die whose faces are named 1 to ``sides``. Raises ValueError unless 2 ≤ sides ≤ 100."""
    return DieFaces(tuple(map(str, range(1, sides + 1))))


def described(text: str) -> DieFaces | None:
    """Parse a text that ``DieFaces.describe`` made. Returns None for any other text."""
    try:
        sides = whole_number(text, 3)
        return numbered(sides) if sides is not None else DieFaces(tuple(text.split(" ")))
    except ValueError:
        return None


SIX = DieFaces(tuple("123456"))  # the usual die


def ways(hand: Hand) -> int:
    """Count the ordered rolls that sort to this hand: the multinomial ``n! / (c1! … c6!)``.

    >>> ways((1, 1, 4)), ways((2, 3, 5))
    (3, 6)
    """
    count = factorial(len(hand))
    for times in Counter(hand).values():
        count //= factorial(times)
    return count


@cache
def rolls(number: int, sides: int = 6) -> tuple[tuple[Hand, int], ...]:
    """Return every hand that ``number`` dice can show, in ascending order, each with the number of rolls that sort to
    it.

    These numbers sum to ``sides**number``.

    >>> rolls(1)
    (((1,), 1), ((2,), 1), ((3,), 1), ((4,), 1), ((5,), 1), ((6,), 1))
    >>> len(rolls(6)), sum(count for _, count in rolls(6))
    (462, 46656)
    """
    return tuple((hand, ways(hand)) for hand in combinations_with_replacement(range(1, sides + 1), number))


@cache
def hands(number: int, sides: int = 6) -> frozenset[Hand]:
    """Return the set of all hands that ``number`` dice can show.

    A membership test checks a hand's number of dice, its faces and its order at once.

    >>> (1, 4) in hands(2), (4, 1) in hands(2), (1, 7) in hands(2), (1,) in hands(2)
    (True, False, False, False)
    """
    return frozenset(hand for hand, _ in rolls(number, sides))


@cache
def subhands(hand: Hand) -> tuple[Hand, ...]:
    """Return every distinct choice of dice out of a hand, from no dice to all, ordered by size and then by faces.

    >>> subhands((4, 4, 6))
    ((), (4,), (6,), (4, 4), (4, 6), (4, 4, 6))
    """
    return tuple([part for size in range(len(hand) + 1) for part in sorted(set(combinations(hand, size)))])


@cache
def without(hand: Hand, part: Hand) -> Hand:
    """Return the hand without the dice of ``part``. Raises ValueError if the hand lacks one of those dice.

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
    """Return the hand without the dice of ``part``. Dice that the hand lacks are ignored.

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
    """Join two hands into one sorted hand.

    >>> together((1, 6), (4,))
    (1, 4, 6)
    """
    return tuple(sorted(hand + other))


MOST_SCORE_DIGITS = 15
"""The most digits of a score in text. Twelve tiles read as one number have 15, and floats hold such numbers exactly."""
MOST_DIGITS = 9
"""The most digits of a number that people or programs hand in. No valid number is longer.

``int`` takes time quadratic in the number of digits, and above 4,300 digits it raises an error of its own."""


def whole_number(text: str, digits: int = MOST_DIGITS) -> int | None:
    """Parse a whole number of at most ``digits`` ASCII digits. Returns None for any other text.

    It is for text from flags, forms, logs and headers. Signs, spaces and other numerals are refused. ``str.isdigit``
    alone would accept "²", which ``int`` refuses, and "١", which ``int`` reads as 1.

    >>> whole_number("042"), whole_number("-1"), whole_number("²"), whole_number("1234567890")
    (42, None, None, None)
    """
    return int(text) if len(text) <= digits and text.isascii() and text.isdigit() else None


def as_whole(number: object) -> int | None:
    """Convert an integer of any type, such as numpy's, to ``int``. Returns None for anything else, also for a bool.

    >>> as_whole(7), as_whole(True), as_whole(7.0), as_whole("7")
    (7, None, None, None)
    """
    try:
        return None if isinstance(number, bool) else index(number)  # type: ignore[arg-type]  # raises TypeError
    except TypeError:
        return None
