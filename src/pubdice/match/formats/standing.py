"""How a match under way is told by a few numbers: each format says which it takes, and makes its tally of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pubdice.core.errors import BadNotation
from pubdice.match.formats.tally import Tally

StandingNumbers = Mapping[str, tuple[int, ...]]
"""The numbers given, by the key of their field."""


@dataclass(frozen=True, slots=True)
class StandingField:
    """One thing to say of a match under way.

    key: its flag without dashes, and its name in a form. label: what people read beside it. meaning: a line of help.
    takes: "each" is a number for each seat, in turn order from the seat that opened this round; "number" one number;
    "seats" the numbers of some seats, from 1 in that order.
    """

    key: str
    label: str
    meaning: str
    takes: Literal["each", "number", "seats"]


ROUND = StandingField("round", "Which round", "which round is played, from 1", "number")
"""The number of the round under way, for formats that plan how many there are."""


@dataclass(frozen=True, slots=True)
class StandingForm:
    """What a format asks for to know how a match stands, and the tally that follows.

    tally: from the format, the number of seats and what is given, which is never nothing, to the tally of the round
    under way, its stakes paid; seat 0 opened this round. Raises BadNotation for what no match comes to.
    """

    fields: tuple[StandingField, ...]
    tally: Callable[[Any, int, StandingNumbers], Tally]


def round_number(given: StandingNumbers, most: int) -> int:
    """The round under way, which has to be said. Raises BadNotation: "flag-missing" or "flag-number"."""
    if ROUND.key not in given:
        raise BadNotation("flag-missing", flag=ROUND.key)
    (number,) = given[ROUND.key]
    if not 1 <= number <= most:
        raise BadNotation("flag-number", flag=ROUND.key, found=number, least=1, most=most)
    return number


def for_each(given: StandingNumbers, key: str, usual: tuple[int, ...], least: int, most: int) -> tuple[int, ...]:
    """A number for each seat within bounds, the usual ones if none are given; () where they have to be.

    Raises BadNotation: "standing-number" or "flag-missing".
    """
    numbers = given.get(key, usual)
    if not numbers:
        raise BadNotation("flag-missing", flag=key)
    if not all(least <= number <= most for number in numbers):
        raise BadNotation("standing-number", flag=key, found=numbers, least=least, most=most)
    return numbers
