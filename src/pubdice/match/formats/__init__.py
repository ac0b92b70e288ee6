"""Match formats: what a round win is worth, when a match is over, and the slate in words. One module a format.

Each kit names the formats its game is played in; ``FORMATS`` are those the house brings. A new one satisfies
``Format``, brings its ``FormatWords`` and its ``FormatKind``, and needs no edit anywhere else.
"""

from pubdice.core.errors import BadNotation
from pubdice.match.formats.format import (
    OPENERS,
    ROUND,
    Audience,
    Format,
    FormatField,
    FormatKind,
    FormatWords,
    RoundEnd,
    StandingField,
    StandingForm,
    StandingNumbers,
    Tally,
    Unit,
    find_kind,
    for_each,
    read_kind,
    round_number,
)
from pubdice.match.formats.pot import MOST_POT_ROUNDS, MOST_STAKE, POT, Pot
from pubdice.match.formats.race import DRINKS, RACE, Drinks, Race, buyer
from pubdice.match.formats.rounds import MOST_ROUNDS, ROUNDS, Rounds

__all__ = [
    "DRINKS",
    "FORMATS",
    "MOST_POT_ROUNDS",
    "MOST_ROUNDS",
    "MOST_STAKE",
    "OPENERS",
    "POT",
    "RACE",
    "ROUND",
    "ROUNDS",
    "Audience",
    "Drinks",
    "Format",
    "FormatField",
    "FormatKind",
    "FormatWords",
    "Pot",
    "Race",
    "RoundEnd",
    "Rounds",
    "StandingField",
    "StandingForm",
    "StandingNumbers",
    "Tally",
    "Unit",
    "buyer",
    "find_kind",
    "for_each",
    "read_format",
    "read_kind",
    "round_number",
]
FORMATS = (ROUNDS, POT, RACE, DRINKS)
"""The house's own kinds."""


def read_format(text: str) -> Format:
    """The format of the house's own that a piece of notation names.

    Words may be parted by spaces or colons, numbers may be left out: ``rounds N`` (1 to 20), ``pot STAKE rounds N`` or
    ``pot STAKE N``, ``race``, ``drinks``. Raises BadNotation.

    >>> read_format("rounds:5"), read_format("pot 2 rounds 3"), read_format("pot 2 rounds")
    (Rounds(number=5), Pot(stake=2, rounds=3), Pot(stake=2, rounds=5))
    """
    found = read_kind(text, FORMATS)
    if found is None:
        raise BadNotation("format", found=text, formats=tuple(kind.name for kind in FORMATS))
    return found
