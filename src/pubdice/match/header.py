"""The header of a record, as text and as checked fields.

Also the names of seats, which are safe to write and to speak.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from pubdice.core.dice import SIX, DieFaces, described
from pubdice.core.errors import BadNotation, Place
from pubdice.text.emoji import spelt, without_emoji

LONGEST = 24
MOST_NAMES = 64
"""The most names that a header's ``seats`` can have."""
_RESERVED = ("draw",)
_VARIANTS = (*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
_UNSEEN = frozenset(map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *_VARIANTS)))
"""Letters and marks that are invisible: Unicode's property Default_Ignorable_Code_Point, as of version 17."""

_APOSTROPHES, _DASHES = "\u2018\u2019\u201b\u2032`\u00b4\uff07\u055a\u05f3", "\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
_SPELT_APOSTROPHE, _SPELT_DASH = re.compile(f"[{_APOSTROPHES}]"), re.compile(f"[{_DASHES}]")
_LETTER_APOSTROPHE = "\u02bc"
"""A character that looks like an apostrophe, but is a letter to Unicode.

Names from older versions can have it. If a player types it, an apostrophe is meant.
"""
_SIGNS = " -'._&+/"
"""The signs that a name can have after its first letter."""
DOTS = "\u00b7\u30fb"
"""The signs that a name can have between two letters: Marcel·la, ジョン・スミス."""
_DOT = re.compile(f"(?<=[^\\W_])[{DOTS}](?=[^\\W_])")
_STAND_IN = "x"
"""The letter that replaces an emoji or a dot while a name is checked, because both are allowed where a letter is."""


def tidy(text: str) -> str:
    """Return a name in its stored spelling. All spellings of a name give the same text.

    Letters are composed (NFC), spaces single, apostrophes and dashes plain, and each emoji has one form.

    >>> tidy(" O\u2019Brien \u2013 Zoe\u0308 ")
    "O'Brien - Zoë"
    """
    if text.isascii():
        return " ".join(text.replace("`", "'").split())
    plain = _SPELT_DASH.sub("-", _SPELT_APOSTROPHE.sub("'", " ".join(text.split())))
    return unicodedata.normalize("NFC", spelt(plain))


def typed_name(text: str) -> str:
    """Return a typed name in which the letter that looks like an apostrophe is replaced by an apostrophe."""
    return text.replace(_LETTER_APOSTROPHE, "'")


def find_name(text: str, names: Sequence[str]) -> int | None:
    """Return the index of the name that a text spells. None if it spells none of them.

    Capitals and spaces do not matter.

    >>> find_name(" ann", ("Bob", "Ann")), find_name("o\u2019brien", ("O'Brien",))
    (1, 0)
    """
    wanted = tidy(text).casefold()
    found = next((seat for seat, name in enumerate(names) if name.casefold() == wanted), None)
    if found is None and _LETTER_APOSTROPHE in wanted:
        return find_name(typed_name(wanted), names)
    return found


def read_name(text: str) -> str:
    """Return a name in its stored spelling. Raise BadNotation for a text that cannot be a name.

    A name has 1 to 24 characters: letters, digits, emoji, spaces, or ``- ' . _ & + /``. It starts with a letter, a
    digit or an emoji. An apostrophe can stand before the first letter, and ``·`` or ``・`` between two letters. Letters
    are Unicode's letters, marks and numbers, so control, direction and line characters are refused.

    >>> read_name("  Zoë  O'Hara "), read_name("\u2019t Hooft")
    ("Zoë O'Hara", "'t Hooft")
    """
    name = tidy(text)
    if not name:
        raise BadNotation("name-missing")
    if len(name) > LONGEST:
        raise BadNotation("name-long", found=name[:LONGEST] + "…", longest=LONGEST)
    check_known(name)
    seen = name.removeprefix("'")
    if not seen.isascii():
        seen = without_emoji(_DOT.sub(_STAND_IN, seen), _STAND_IN)
    if not all(is_letter(char) or char in _SIGNS for char in seen):
        raise BadNotation("name-characters", found=name)
    if not seen or unicodedata.category(seen[0])[0] not in "LN":
        raise BadNotation("name-characters", found=name)
    if name.lower() in _RESERVED:
        raise BadNotation("name-reserved", found=name)
    return name


def check_known(text: str) -> None:
    """Raise BadNotation("text-newer") for a character that this Python's Unicode does not have.

    Its class and its shape are unknown here. A house with a newer Python can have accepted it in a name.
    """
    if not text.isascii() and any(unicodedata.category(char) == "Cn" and not _is_never(char) for char in text):
        raise BadNotation("text-newer")


def _is_never(char: str) -> bool:
    """Return True for a noncharacter, which no version of Unicode will assign."""
    return ord(char) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(char) <= 0xFDEF


def is_letter(char: str) -> bool:
    """Return True for Unicode's letters, marks and numbers, except the invisible ones."""
    return char not in _UNSEEN and unicodedata.category(char)[0] in "LMN"


def read_names(text: str) -> tuple[str, ...]:
    """Return the names in a text, separated by commas. Raise BadNotation if one is no name, or two are the same.

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


VERSION = "pubdice 1"


@dataclass(frozen=True, slots=True)
class RawHeader:
    """A header as unchecked text, by key: ``game``, ``seats`` and so on. ``Kit.normalize`` makes a ``Header`` of it."""

    fields: Mapping[str, str]
    # by key, the value's place in the text of the record
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)
    keys: Mapping[str, Place] = field(default_factory=dict, compare=False)  # the place of the key itself

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats. Raises BadNotation if one is no name."""
        try:
            return read_names(self.fields["seats"])
        except BadNotation as error:
            error.place = self.places.get("seats")
            raise

    @property
    def die(self) -> DieFaces:
        """The faces of the dice, 1 to 6 if the header has no ``faces``. Raises BadNotation("faces-header")."""
        text = self.fields.get("faces")
        found = SIX if text is None else described(text)
        if found is None:
            raise BadNotation("faces-header", self.places.get("faces"))
        return found


@contextmanager
def located(header: RawHeader, key: str) -> Iterator[None]:
    """Add the place of this key's value to a BadNotation raised in the ``with`` block."""
    try:
        yield
    except BadNotation as error:
        error.place = header.places.get(key)
        raise


@dataclass(frozen=True, slots=True)
class Header:
    """A checked header in its one spelling: ``game``, its options, ``seats``, ``format``, ``opener``, ``first``.

    ``Kit.normalize`` makes it. It has every key that matches of its game have.
    """

    fields: Mapping[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return tuple(self.fields["seats"].split(", "))

    def write(self) -> str:
        """Return the header as text, with the version line first."""
        return "\n".join([VERSION, *(f"{key}: {value}" for key, value in self.fields.items())])


PROOF = ("seal", "players", "digests", "attempt", "seeds", "seed", "check")
"""The header keys that prove sealed dice (``sealed_record``). They do not affect play."""

BESIDE = (*PROOF, "night")
"""All header keys that do not affect play: the proof of sealed dice, and the match's duplicate night."""
