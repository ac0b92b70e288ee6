"""Match formats: the stake of a round, the end of a match, and the slate in words. Each format is one module.

Each kit names its game's formats, and ``FORMATS`` has the built-in ones. A new format implements ``Format`` with its
``FormatWords`` and ``FormatKind``. No other module changes.
"""

from pubdice.core.errors import BadNotation
from pubdice.match.formats.drinks import DRINKS, Drinks, buyer
from pubdice.match.formats.format import (
    LEAST_TIED,
    OPENERS,
    REPLAY,
    RESTING,
    ROLL_OFF,
    ROUND,
    AddsUp,
    Audience,
    EndsByTurn,
    Format,
    FormatField,
    FormatKind,
    FormatWords,
    PlainFormat,
    RoundEnd,
    StandingField,
    StandingForm,
    StandingNumbers,
    Tally,
    Unit,
    adding,
    find_kind,
    for_each,
    read_kind,
    replays,
    resting_seats,
    rolls_off,
    round_number,
    shared,
    tie_field,
    with_tie,
    won_the_roll_off,
)
from pubdice.match.formats.last_in import LAST_IN, LastIn
from pubdice.match.formats.pot import MOST_POT_ROUNDS, MOST_STAKE, POT, Pot
from pubdice.match.formats.race import RACE, Race
from pubdice.match.formats.rounds import MOST_ROUNDS, ROUNDS, Rounds
from pubdice.match.formats.totals import POINTS, TOTAL, Points, Total, first_to

__all__ = [
    "DRINKS",
    "FORMATS",
    "LAST_IN",
    "LEAST_TIED",
    "MOST_POT_ROUNDS",
    "MOST_ROUNDS",
    "MOST_STAKE",
    "OPENERS",
    "POINTS",
    "POT",
    "RACE",
    "REPLAY",
    "RESTING",
    "ROLL_OFF",
    "ROUND",
    "ROUNDS",
    "TOTAL",
    "AddsUp",
    "Audience",
    "Drinks",
    "EndsByTurn",
    "Format",
    "FormatField",
    "FormatKind",
    "FormatWords",
    "LastIn",
    "PlainFormat",
    "Points",
    "Pot",
    "Race",
    "RoundEnd",
    "Rounds",
    "StandingField",
    "StandingForm",
    "StandingNumbers",
    "Tally",
    "Total",
    "Unit",
    "adding",
    "buyer",
    "find_kind",
    "first_to",
    "for_each",
    "read_format",
    "read_kind",
    "replays",
    "resting_seats",
    "rolls_off",
    "round_number",
    "shared",
    "tie_field",
    "with_tie",
    "won_the_roll_off",
]
FORMATS = (ROUNDS, POT, RACE, DRINKS, POINTS, TOTAL, LAST_IN)
"""The built-in kinds of format."""


def read_format(text: str) -> Format:
    """Return the built-in format that a piece of notation names. Raise BadNotation if it names none.

    Spaces or colons separate words, and numbers are optional: ``rounds N`` (1 to 20), ``pot STAKE rounds N`` or ``pot
    STAKE N``, ``race``, ``drinks``, ``points N`` (1 to 1,000), ``points N even``, ``total N`` (1 to 20), ``out N``
    (1 to 1,000), ``out N shut``. ``rolloff`` can follow ``rounds N``, ``points N even``, ``total N`` and ``out N``.
    ``replay`` can follow ``rounds N`` and ``pot STAKE rounds N``.

    >>> read_format("rounds:5"), read_format("pot 2 rounds 3"), read_format("pot 2 rounds")
    (Rounds(number=5, rolloff=0, replay=0), Pot(stake=2, rounds=3, replay=0), Pot(stake=2, rounds=5, replay=0))
    """
    found = read_kind(text, FORMATS)
    if found is None:
        raise BadNotation("format", found=text, formats=tuple(kind.name for kind in FORMATS))
    return found
