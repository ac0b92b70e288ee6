"""Cases of a day: fewer than at night, chosen so that each value is in one of them."""

from collections.abc import Sequence
from itertools import product
from typing import Any

from pubdice.text.catalogues import CODES
from support.profiles import NIGHTLY

LANGUAGES = CODES if NIGHTLY else ("de", "he")
"""By day a language whose catalogues are whole, and one from right to left that has only the table's."""


def each_once(*columns: Sequence[Any]) -> list[tuple[Any, ...]]:
    """At night every combination of the columns' values, by day rows that hold each value at least once."""
    if NIGHTLY:
        return list(product(*columns))
    return [tuple(column[at % len(column)] for column in columns) for at in range(max(map(len, columns)))]
