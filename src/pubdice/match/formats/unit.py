"""Units of an evening's tally: what the matches of a format add to, counted beside the matches won."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pubdice.text.language import Language

ROW_KEYS = ("name", "people", "wins")
"""What a row of the tally has besides its units, by key in a log, so no unit is called so."""
_KEY = re.compile(r"[a-z][a-z0-9_-]{0,15}", re.ASCII)


def is_unit_key(text: str) -> bool:
    """Whether a unit may have this key: up to 16 of ``a-z 0-9 - _``, a letter first, and none of ``ROW_KEYS``.

    >>> is_unit_key("pints"), is_unit_key("Pints"), is_unit_key("wins")
    (True, False, False)
    """
    return _KEY.fullmatch(text) is not None and text not in ROW_KEYS


@dataclass(frozen=True, slots=True)
class Unit:
    """What a match adds to an evening's tally.

    key: its name in logs and for programs, kept permanently; formats that share a key add to one column. told: an
    amount of it as pages show it beside the matches won, such as "3 pints"; None if it is counted and not shown.
    label: what heads a column of amounts on the evening's page, in English; "" if it has none there. owed: a sentence
    that somebody pays for so much of it at the end of the evening. lost: that people, named, have the least of it, less
    than nothing, and buy.
    Raises ValueError for a key that ``is_unit_key`` refuses.
    """

    key: str
    told: Callable[[Language, int], str] | None = None
    label: str = ""
    owed: Callable[[Language, str, int], str] | None = None
    lost: Callable[[Language, Sequence[str], int], str] | None = None

    def __post_init__(self) -> None:
        if not is_unit_key(self.key):
            raise ValueError(f"no key of a unit: {self.key!r}")
