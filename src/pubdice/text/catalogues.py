"""The languages: their catalogues of translations, their pages of rules, and the choice of a client's language.

A language is a folder, ``locale/CODE``, with the house's sentences in a catalogue for each kind of reader (``PARTS``).
With the first, ``table.po``, a language is whole for players. The pages and commands of a part that it lacks are in
English. docs/contribute/translating.md lists the other files of a language, and the files of a game (``CODE.po``,
``RULES.CODE.md``). The source has no list of languages: every folder with a ``table.po`` is a language.

A catalogue is a gettext file. It is parsed at first use and never compiled. The keys are the English sentences, so
English needs no catalogue. In a browser, JSON made by ``kept`` takes the place of these files.

A game has a catalogue of its own. For the game's modules, a sentence is looked up there first, and then in the house's
catalogue. Neither other games nor the house's modules see a game's catalogue.
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
"""The language of the source. Its sentences are the keys of all catalogues."""
LANGUAGE_FOLDERS = files("pubdice") / "locale"
PARTS = ("table", "pages", "house", "terminal")
"""The house's catalogues, by reader. ``table``: what a player sees, hears and types at a table. ``pages``: a player's
other pages, such as receipts and drills. ``house``: for hosts. ``terminal``: commands and their help. Each sentence
stands in the first part that says it.
"""
TABLE = PARTS[0]


def has_part(code: str, part: str) -> bool:
    """True if a language has this part's catalogue. English needs none."""
    folder = LANGUAGE_FOLDERS / code
    return code == ENGLISH or (folder / f"{part}.po").is_file() or (folder / f"{part}.json").is_file()


def _codes() -> tuple[str, ...]:
    named = [each.name for each in LANGUAGE_FOLDERS.iterdir() if _CODE.fullmatch(each.name)]
    spoken = [code for code in sorted(named) if has_part(code, TABLE)]
    return (ENGLISH, *(code for code in spoken if code != ENGLISH))


@cache
def spoken(code: str, part: str) -> str:
    """Return the language of a page or a command of this part: ``code``, or English if that language lacks the part."""
    return code if has_part(code, part) else ENGLISH


_CODE = re.compile(r"[a-z]{2,3}")
CODES = _codes()
"""The codes of all languages, English first. A code is the first part of a language tag: "de" in "de-AT"."""
_LANGUAGE_RANGE = re.compile(
    r"\s*(?P<tag>\*|[A-Za-z]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*[qQ]\s*=\s*(?P<weight>0(?:\.[0-9]*)?|1(?:\.0*)?)\s*)?"
)
OLD_CODES = {"iw": "he"}
"""Codes that Java and old phones still send, with the codes of today."""
MOST_WANTED = 32
"""The most languages that are read from an ``Accept-Language`` header."""


@dataclass(frozen=True, slots=True)
class CatalogueData:
    """A parsed catalogue of translations."""

    texts: Mapping[str, str]
    """The translations of sentences without a plural, by the English sentence."""
    forms: Mapping[tuple[str, str], tuple[str, ...]]
    """The translations of sentences with a plural, one for each plural form, by the English singular and plural."""
    form: Callable[[int], int]
    """A function from a number to the index of its plural form."""
    point: str
    """The decimal point."""
    thousands: str
    """The thousands separator."""
    changes: Sequence[Sequence[str]] = ()
    """Conjunctions that change before certain sounds, as (word, replacement, pattern of the next word's start).

    In Spanish, *y* becomes *e* before an i."""


class Catalogue(NullTranslations):
    """A catalogue in the form that gettext uses.

    If a translation is missing, a strict catalogue raises KeyError. Any other catalogue returns the English sentence.
    """

    def __init__(self, messages: CatalogueData, *, strict: bool = False) -> None:
        super().__init__()
        self._messages, self._strict = messages, strict

    def gettext(self, message: str) -> str:
        """Return the translation of a sentence."""
        found = self._messages.texts.get(message)
        if found is None and self._strict:
            raise KeyError(message)
        return message if found is None else found

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the translation of a sentence with a plural, in the form for the number ``n``."""
        forms = self._messages.forms.get((msgid1, msgid2))
        if forms is None and self._strict:
            raise KeyError((msgid1, msgid2))
        if forms is None:
            return super().ngettext(msgid1, msgid2, n)
        told = forms[self._messages.form(n)]
        if self._strict and not n and "{number}" in forms[-1] and "{number}" not in told:
            raise KeyError(f"said of 0 without its figure: {told}")
        return told


@cache
def messages(code: str, home: str = "") -> CatalogueData:
    """Return a language's catalogue: the house's, of all parts that the language has, or that of the game whose package
    is ``home``.

    Raises OSError if there is no file, and ValueError if a file does not parse.
    """
    parts = [part for part in PARTS[1:] if has_part(code, part)] if not home else []
    head, *others = (_kept_or_read(code, home, part) for part in (TABLE, *parts))
    texts, forms = head["texts"], head["forms"]
    for other in others:
        texts, forms = {**texts, **other["texts"]}, [*forms, *other["forms"]]
    told = {(one, many): tuple(forms) for one, many, forms in forms}
    return CatalogueData(texts, told, c2py(head["plural"]), head["point"], head["thousands"], head["changes"])


def _kept_or_read(code: str, home: str, part: str) -> dict[str, Any]:
    file = catalogue_file(code, home, part, "json")
    read: dict[str, Any] = json.loads(file.read_bytes()) if file.is_file() else _read(code, home, part)
    return read


@cache
def native_names() -> tuple[tuple[str, str], ...]:
    """Return the code of every language with the language's own name, as ("de", "Deutsch"). A language without a name
    has its code instead.
    """
    return ((ENGLISH, "English"), *((code, _native_name(code)) for code in CODES[1:]))


def _native_name(code: str) -> str:
    from pubdice.text.po_file import read_head  # noqa: PLC0415 - as in _read

    file = catalogue_file(code, suffix="json")
    read = json.loads(file.read_bytes()) if file.is_file() else read_head(_text(code))
    return read["name"] or code


def kept(code: str, home: str = "", part: str = TABLE) -> bytes:
    """Return a parsed catalogue as JSON. ``messages`` reads a file with this content in place of the ``.po`` file."""
    return json.dumps(_read(code, home, part), ensure_ascii=False).encode()


def catalogue_file(code: str, home: str = "", part: str = TABLE, suffix: str = "po") -> Traversable:
    """Return the file of a catalogue: a part of the house's, or that of the game whose package is ``home``. It may not
    exist.
    """
    return files(home) / f"{code}.{suffix}" if home else LANGUAGE_FOLDERS / code / f"{part}.{suffix}"


def _text(code: str, home: str = "", part: str = TABLE) -> str:
    return catalogue_file(code, home, part).read_text(encoding="utf-8")


def _read(code: str, home: str, part: str) -> dict[str, Any]:
    from pubdice.text.po_file import read_po  # noqa: PLC0415 - English needs no parser

    return read_po(_text(code, home, part))


@cache
def home_of(module: str) -> str:
    """Return the package of the game that a module belongs to. "" for the house's modules.

    The package's folder has the game's catalogues.

    >>> home_of("pubdice.games.mexico.lives"), home_of("pubdice.match.narrate")
    ('pubdice.games.mexico', '')
    """
    if f"{module}.".startswith("pubdice.") and not module.startswith("pubdice.games."):
        return ""
    return module if hasattr(sys.modules.get(module), "__path__") else module.rpartition(".")[0]


def _joined(code: str, home: str) -> CatalogueData:
    """Return a game's catalogue. The house's translations fill its gaps. If the game's file is unreadable, it is
    ignored.
    """
    house = messages(code)
    try:
        own = messages(code, home)
    except Exception:  # noqa: BLE001 - a plug-in's file; ``pubdice game check`` reports its faults
        return house
    return CatalogueData(
        {**house.texts, **own.texts}, {**house.forms, **own.forms}, house.form, house.point, house.thousands
    )


@cache
def language(code: str, *, strict: bool = False) -> Language:
    """Return the language with this code.

    If ``strict`` is true, the language raises KeyError for a sentence without a translation. Raises ValueError if the
    code is not in ``CODES``.
    """
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
    """Return the code of the language for a client: the cookie's, or the best of the ``Accept-Language`` header.

    Only the first part of a language tag counts. Malformed entries are skipped. If no language fits, it is English, and
    so it is if "*" comes first, unless the header refuses English (``en;q=0``).

    >>> choose("cs, de-AT;q=0.8, en;q=0.5", None), choose("de", "en"), choose("cs, en;q=0.1, *;q=0.5", "???")
    ('de', 'en', 'en')
    """
    if cookie in CODES:
        return str(cookie)
    weights: dict[str, float] = {}
    for piece in (header or "").split(",", MOST_WANTED)[:MOST_WANTED]:
        language_range = _LANGUAGE_RANGE.fullmatch(piece)
        if language_range is not None:
            weight = float(language_range["weight"] or 1)
            tag = OLD_CODES.get(language_range["tag"].lower(), language_range["tag"].lower())
            weights[tag] = max(weight, weights.get(tag, 0.0))
    ranked = [code for code in weights if code in CODES] + [code for code in CODES if code not in weights]
    others = weights.get("*", 0.0)
    best = max(ranked, key=lambda code: weights.get(code, others))
    if best not in weights and weights.get(ENGLISH):
        return ENGLISH
    return best if weights.get(best, others) else ENGLISH


@cache
def page(package: str, code: str) -> str:
    """Return a game's page of rules, from ``RULES.CODE.md`` in its folder. If that is missing, from the English
    ``RULES.md``.
    """
    folder = files(package)
    own = folder / f"RULES.{code}.md"
    return (own if code in CODES[1:] and own.is_file() else folder / "RULES.md").read_text(encoding="utf-8")
