"""Names of seats: which are safe to write in a record, to speak, and to show anywhere."""

import unicodedata
from collections.abc import Sequence

from pubdice.core.errors import BadNotation

LONGEST = 24
MOST_NAMES = 64
"""Seats of a table."""
_RESERVED = ("draw",)
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Letters and marks that show nothing, besides the variation selectors."""


def tidy(text: str) -> str:
    """A name in its stored spelling: composed letters (NFC), single spaces. Spellings of one name are then equal."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def find_name(text: str, names: Sequence[str]) -> int | None:
    """The index of the name that a text spells, whatever its capitals and spaces; None if it spells none.

    >>> find_name(" ann", ("Bob", "Ann"))
    1
    """
    spelt = tidy(text).casefold()
    return next((seat for seat, name in enumerate(names) if name.casefold() == spelt), None)


def read_name(text: str) -> str:
    """A name: 1 to 24 letters, digits, spaces, or ``- ' . _ &``, starting with a letter or digit. Raises BadNotation.

    Letters are Unicode's letters, marks and numbers, so no control, direction or line characters get through.

    >>> read_name("  Zoë  O'Hara ")
    "Zoë O'Hara"
    """
    name = tidy(text)
    if not name:
        raise BadNotation("name-missing")
    if len(name) > LONGEST:
        raise BadNotation("name-long", found=name[:LONGEST] + "…", longest=LONGEST)
    if not all(is_letter(char) or char in " -'._&" for char in name):
        raise BadNotation("name-characters", found=name)
    if unicodedata.category(name[0])[0] not in "LN":
        raise BadNotation("name-characters", found=name)
    if name.lower() in _RESERVED:
        raise BadNotation("name-reserved", found=name)
    return name


def is_letter(char: str) -> bool:
    """True for Unicode's letters, marks and numbers, but for those that show nothing."""
    if char in _UNSEEN or "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
        return False
    return unicodedata.category(char)[0] in "LMN"


def read_names(text: str) -> tuple[str, ...]:
    """Names separated by commas, no two alike. Raises BadNotation.

    >>> read_names("Ann, Bob")
    ('Ann', 'Bob')
    """
    parts = text.split(",", MOST_NAMES)
    if len(parts) > MOST_NAMES:
        raise BadNotation("names-many", most=MOST_NAMES)
    if not all(map(tidy, parts)):
        raise BadNotation("name-empty")
    names = tuple(map(read_name, parts))
    seen: set[str] = set()
    for name in names:
        if name.casefold() in seen:
            raise BadNotation("name-twice", found=name)
        seen.add(name.casefold())
    return names
