"""Hands and rolls of dice, their counts, and the notation of faces. No randomness, no game.

Faces are counted 1, 2, … whatever is printed on them (``DieFaces``). Most dice have six. A *hand* is a non-decreasing
tuple of faces. A *roll* is a tuple of faces in the order the dice fell. All arithmetic is exact, on integers.
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

FACES = (1, 2, 3, 4, 5, 6)  # of the usual die
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
    """Read the faces in a text of digits 1 to 6. Characters in ``between`` are skipped. Any other makes it None.

    >>> faces_in("611"), faces_in("6, 1", between=", "), faces_in("67"), faces_in("²"), faces_in("")
    ((6, 1, 1), (6, 1), None, None, ())
    """
    try:
        return tuple([_FACE[char] for char in text if char not in between])
    except KeyError:
        return None


MOST_SIDES = 100  # one byte draws a face
_NAME = re.compile("[0-9]{1,3}|[A-Z][A-Z0-9]?")


@dataclass(frozen=True, slots=True)
class DieFaces:
    """The faces of a game's dice. All dice of a game are alike.

    Rules only count: the first face is 1, the next 2, and so on. A name, as it is drawn, written and typed, is a
    number, or a capital letter with at most one letter or digit after it. Raises ValueError.
    """

    names: tuple[str, ...]
    words: tuple[tuple[str, str], ...] = ()
    """For each face the words for one die and for several, such as ("king", "{number} kings"). If empty, names are read
    out."""
    is_usual: bool = field(init=False, compare=False, repr=False)  # true for the faces 1 to 6
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
        """Write dice as notation, in the order given: digits for a usual die, else names with dots between.

        >>> SIX.write((6, 1, 1)), DieFaces(("9", "10", "J", "Q", "K", "A")).write((5, 2))
        ('611', 'K.10')
        """
        return digits(dice) if self.is_usual else ".".join([self.names[face - 1] for face in dice])

    def read(self, text: str, between: str = "") -> Roll | None:
        """Read the faces that a text names, in any case. Returns None if a part of it is no face.

        ``between`` holds characters that may separate names, in addition to the dot. A usual die needs no separator.

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
        """The die as records hold it: the number of its faces, or their names.

        >>> numbered(20).describe(), DieFaces(("9", "10", "J")).describe()
        ('20', '9 10 J')
        """
        return str(self.sides) if self == numbered(self.sides) else " ".join(self.names)

    def drawn(self, face: int) -> str:
        """The name drawn on a face. Empty for a usual die: it shows pips."""
        return "" if self.is_usual else self.names[face - 1]

    def shown(self, dice: Iterable[int]) -> str:
        """Dice as they are read aloud, with spaces between."""
        return " ".join([self.names[face - 1] for face in dice])


@cache
def numbered(sides: int) -> DieFaces:
    """The die with faces 1 to ``sides``. Raises ValueError."""
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
    """Every hand that ``number`` dice can show, ascending, each with its ways. The ways sum to ``sides**number``.

    >>> rolls(1)
    (((1,), 1), ((2,), 1), ((3,), 1), ((4,), 1), ((5,), 1), ((6,), 1))
    >>> len(rolls(6)), sum(count for _, count in rolls(6))
    (462, 46656)
    """
    return tuple((hand, ways(hand)) for hand in combinations_with_replacement(range(1, sides + 1), number))


@cache
def hands(number: int, sides: int = 6) -> frozenset[Hand]:
    """Every hand that ``number`` dice can show. One look-up checks the count, faces and order of a hand.

    >>> (1, 4) in hands(2), (4, 1) in hands(2), (1, 7) in hands(2), (1,) in hands(2)
    (True, False, False, False)
    """
    return frozenset(hand for hand, _ in rolls(number, sides))


@cache
def subhands(hand: Hand) -> tuple[Hand, ...]:
    """Every distinct choice of dice out of a hand, from none to all, ordered by size and then by faces.

    >>> subhands((4, 4, 6))
    ((), (4,), (6,), (4, 4), (4, 6), (4, 4, 6))
    """
    return tuple([part for size in range(len(hand) + 1) for part in sorted(set(combinations(hand, size)))])


@cache
def without(hand: Hand, part: Hand) -> Hand:
    """Take one die from the hand for each die of ``part``. Raises ValueError if the hand lacks one.

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
    """Take one die from the hand for each die of ``part``. Dice that the hand lacks are ignored.

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
    """Join two hands.

    >>> together((1, 6), (4,))
    (1, 4, 6)
    """
    return tuple(sorted(hand + other))


MOST_DIGITS = 9
"""Enough for every number that people or programs hand in. CPython's ``int`` takes time quadratic in the number of
digits, and raises its own error above 4,300."""


def whole_number(text: str, digits: int = MOST_DIGITS) -> int | None:
    """Parse 1 to ``digits`` ASCII digits from a flag, a form, a log or a header. None for any other text.

    A sign, a space or other numerals are refused. ``str.isdigit`` alone would accept "²", an error for ``int``, and
    "١", a 1 for ``int``.

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
        return None if isinstance(number, bool) else index(number)  # type: ignore[arg-type]  # it says so itself
    except TypeError:
        return None
