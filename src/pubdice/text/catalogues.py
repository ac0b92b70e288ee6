"""The languages of the house: their catalogues and pages, and the choice of one for a client.

A language is a folder, ``locale/CODE``, with the house's sentences in ``messages.po``; docs/translating.md says what
else may lie there, and what a game brings (``CODE.po``, ``RULES.CODE.md``). No list names the languages: those that
have a folder are spoken.

A catalogue is a gettext file, read when it is first spoken from: nothing is compiled, and English, which is its own
key, needs none. A browser has what was read from them instead (``kept``).

A game's sentences are its own: its modules speak from its catalogue, and from the house's what that lacks. No game
gives a sentence to the house or to another game.
"""

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations, c2py
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from pubdice.text.language import Language

ENGLISH = "en"
"""The language of the source, and so the key of all others."""
LANGUAGE_FOLDERS = files("pubdice") / "locale"
"""The folder of languages."""
_CATALOGUE = "messages"
"""The name of the house's catalogues."""


def _codes() -> tuple[str, ...]:
    """Every language that has a folder, English first."""
    named = [each.name for each in LANGUAGE_FOLDERS.iterdir() if _CODE.fullmatch(each.name)]
    spoken = [code for code in sorted(named) if any((LANGUAGE_FOLDERS / code / name).is_file() for name in _CATALOGUES)]
    return (ENGLISH, *(code for code in spoken if code != ENGLISH))


_CODE = re.compile(r"[a-z]{2,3}")
_CATALOGUES = (f"{_CATALOGUE}.po", f"{_CATALOGUE}.json")
CODES = _codes()
"""The codes of all languages, English first: what tags such as "de-AT" begin with."""
_LANGUAGE_RANGE = re.compile(
    r"\s*(?P<tag>\*|[A-Za-z]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q\s*=\s*(?P<weight>[01](?:\.[0-9]*)?)\s*)?"
)
MOST_WANTED = 32
"""The most languages read from an ``Accept-Language`` header."""


@dataclass(frozen=True, slots=True)
class CatalogueData:
    """A catalogue as it was read.

    texts: translations by sentence. forms: translations by the pair of singular and plural. form: which of these a
    number takes. point: the decimal point. thousands: parts thousands from hundreds. changes: of each word that joins a
    list and changes before a sound, the word, what it becomes, and a pattern of how the next word then begins.
    """

    texts: Mapping[str, str]
    forms: Mapping[tuple[str, str], tuple[str, ...]]
    form: Callable[[int], int]
    point: str
    thousands: str
    changes: Sequence[Sequence[str]] = ()


class Catalogue(NullTranslations):
    """A catalogue for gettext. A sentence it lacks stays English; a strict catalogue raises KeyError instead."""

    def __init__(self, messages: CatalogueData, *, strict: bool = False) -> None:
        super().__init__()
        self._messages, self._strict = messages, strict

    def gettext(self, message: str) -> str:
        """The sentence, translated; the sentence itself if a translation is missing."""
        found = self._messages.texts.get(message)
        if found is None and self._strict:
            raise KeyError(message)
        return message if found is None else found

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """One of the sentence's forms, translated."""
        forms = self._messages.forms.get((msgid1, msgid2))
        if forms is None and self._strict:
            raise KeyError((msgid1, msgid2))
        return super().ngettext(msgid1, msgid2, n) if forms is None else forms[self._messages.form(n)]


@cache
def messages(code: str, home: str = "") -> CatalogueData:
    """A catalogue of a language, without entries that are empty or marked as fuzzy. home: a game's package.

    Raises what reading it raises.
    """
    file = catalogue_file(code, home, "json")
    read = json.loads(file.read_bytes()) if file.is_file() else _read(code, home)
    forms = {(one, many): tuple(told) for one, many, told in read["forms"]}
    form, changes = c2py(read["plural"]), read["changes"]
    return CatalogueData(read["texts"], forms, form, read["point"], read["thousands"], changes)


@cache
def native_names() -> tuple[tuple[str, str], ...]:
    """Every language: its code, and what its speakers call it, which its catalogue says; else its code."""
    return ((ENGLISH, "English"), *((code, _native_name(code)) for code in CODES[1:]))


def _native_name(code: str) -> str:
    from pubdice.text.po_file import read_head  # noqa: PLC0415 - as in _read

    file = catalogue_file(code, "", "json")
    read = json.loads(file.read_bytes()) if file.is_file() else read_head(_text(code, ""))
    return read["name"] or code


def kept(code: str, home: str = "") -> bytes:
    """A catalogue as it was read, in JSON: ``messages`` takes it where it lies in place of the file."""
    return json.dumps(_read(code, home), ensure_ascii=False).encode()


def catalogue_file(code: str, home: str = "", suffix: str = "po") -> Traversable:
    """The file of a catalogue: the house's, or that of a game's package. It may not be there."""
    return files(home) / f"{code}.{suffix}" if home else LANGUAGE_FOLDERS / code / f"{_CATALOGUE}.{suffix}"


def _text(code: str, home: str) -> str:
    return catalogue_file(code, home).read_text(encoding="utf-8")


def _read(code: str, home: str) -> dict[str, Any]:
    """The content of a file, as plain data."""
    from pubdice.text.po_file import read_po  # noqa: PLC0415 - only where English is not enough

    return read_po(_text(code, home))


@cache
def home_of(module: str) -> str:
    """The package of a game, whose folder holds its catalogues, by one of its modules; "" for the house's own modules.

    >>> home_of("pubdice.games.mexico.lives"), home_of("pubdice.match.narrate")
    ('pubdice.games.mexico', '')
    """
    if f"{module}.".startswith("pubdice.") and not module.startswith("pubdice.games."):
        return ""
    return module if hasattr(sys.modules.get(module), "__path__") else module.rpartition(".")[0]


def _joined(code: str, home: str) -> CatalogueData:
    """The catalogue of a game, and what it lacks from the house's. A file that cannot be read costs its own words."""
    house = messages(code)
    try:
        own = messages(code, home)
    except Exception:  # noqa: BLE001 - a stranger's file, which ``pubdice game check`` looks at
        return house
    return CatalogueData(
        {**house.texts, **own.texts}, {**house.forms, **own.forms}, house.form, house.point, house.thousands
    )


@cache
def language(code: str, *, strict: bool = False) -> Language:
    """The language with this code, one of CODES. A strict one raises KeyError for a sentence it cannot say."""
    if code == ENGLISH:
        return Language()
    if code not in CODES:
        raise ValueError(f"no language {code}")
    read = messages(code)

    def own_catalogue(home: str) -> Catalogue:
        return Catalogue(_joined(code, home), strict=strict)

    catalogue = Catalogue(read, strict=strict)
    return Language(catalogue, code, read.point, read.thousands, own_catalogue, changes=read.changes)


def choose(header: str | None, cookie: str | None) -> str:
    """The code of the language to speak: the one in the cookie, or the best in an ``Accept-Language`` header.

    Only the first part of a tag counts, and malformed parts are skipped.

    >>> choose("fr, de-AT;q=0.8, en;q=0.5", None), choose("de", "en"), choose("???", "???")
    ('de', 'en', 'en')
    """
    if cookie in CODES:
        return str(cookie)
    weights: dict[str, float] = {}
    for piece in (header or "").split(",", MOST_WANTED)[:MOST_WANTED]:
        language_range = _LANGUAGE_RANGE.fullmatch(piece)
        if language_range is not None:
            weight = min(1.0, float(language_range["weight"] or 1))
            tag = language_range["tag"].lower()
            weights[tag] = max(weight, weights.get(tag, 0.0))
    ranked = [code for code in weights if code in CODES] + [code for code in CODES if code not in weights]
    best = max(ranked, key=lambda code: weights.get(code, weights.get("*", 0.0)))
    return best if weights.get(best, weights.get("*", 0.0)) else ENGLISH


@cache
def page(package: str, code: str) -> str:
    """A game's page of rules, ``RULES.CODE.md`` in its folder; in English where it is not translated."""
    folder = files(package)
    own = folder / f"RULES.{code}.md"
    return (own if code in CODES[1:] and own.is_file() else folder / "RULES.md").read_text(encoding="utf-8")
