"""The languages the house speaks, their catalogues and pages, and which one a client asks for. Knows no game.

A catalogue is several gettext files, ``locale/CODE.po`` and the ``CODE.po`` in each game's folder, read when their
language is first spoken: nothing is compiled, and English, which is its own key, needs neither a file nor Babel. A
pocket house has what was read from them instead (``kept``), and no Babel.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations, c2py
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain
from typing import Any

from pubdice.text.language import Language

LANGUAGES = (("en", "English"), ("de", "Deutsch"))
"""Every language: its code, and what its speakers call it. The first is the key of all others."""
ENGLISH = LANGUAGES[0][0]
CODES = tuple(code for code, _ in LANGUAGES)

_LANGUAGE_RANGE = re.compile(
    r"\s*(?P<tag>\*|[A-Za-z]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q\s*=\s*(?P<weight>[01](?:\.[0-9]*)?)\s*)?"
)
MOST_WANTED = 32
"""The most languages read from an ``Accept-Language`` header."""


@dataclass(frozen=True, slots=True)
class CatalogueData:
    """A catalogue as it was read.

    texts: translations by sentence. forms: translations by the pair of singular and plural. form: which of these a
    number takes. point: the decimal point.
    """

    texts: Mapping[str, str]
    forms: Mapping[tuple[str, str], tuple[str, ...]]
    form: Callable[[int], int]
    point: str


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
def messages(code: str) -> CatalogueData:
    """The catalogue of a language, without entries that are empty or marked as fuzzy."""
    file = files("pubdice") / "locale" / f"{code}.json"
    read = json.loads(file.read_bytes()) if file.is_file() else _read(code)
    forms = {(one, many): tuple(told) for one, many, told in read["forms"]}
    return CatalogueData(read["texts"], forms, c2py(read["plural"]), read["point"])


def kept(code: str) -> bytes:
    """What ``messages`` reads in a pocket house, as JSON."""
    return json.dumps(_read(code), ensure_ascii=False).encode()


def _read(code: str) -> dict[str, Any]:
    """What a language's files hold, as plain data. A sentence in several files has the translation of the first."""
    from babel.messages.pofile import read_po  # noqa: PLC0415 - only where English is not enough
    from babel.numbers import get_decimal_symbol  # noqa: PLC0415

    catalogs = []
    for path in catalogue_files(code):
        with path.open("rb") as file:
            catalogs.append(read_po(file, locale=code, abort_invalid=True))
    texts: dict[str, str] = {}
    forms: dict[tuple[str, str], tuple[str, ...]] = {}
    for message in chain.from_iterable(catalogs):
        if not message.id or message.fuzzy:
            continue
        sentence, told = message.id, message.string
        if isinstance(sentence, str):
            if isinstance(told, str) and told:
                texts.setdefault(sentence, told)
        elif isinstance(told, tuple | list) and all(told):
            one, many = sentence
            forms.setdefault((one, many), tuple(told))
    listed = [(*both, told) for both, told in forms.items()]
    return {"texts": texts, "forms": listed, "plural": catalogs[0].plural_expr, "point": get_decimal_symbol(code)}


def catalogue_files(code: str) -> Iterator[Traversable]:
    """The files of a language: the house's, then those of the games, in the order of their folders' names."""
    package = files("pubdice")
    yield package / "locale" / f"{code}.po"
    for folder in sorted((package / "games").iterdir(), key=lambda folder: folder.name):
        if (folder / f"{code}.po").is_file():
            yield folder / f"{code}.po"


@cache
def language(code: str, *, strict: bool = False) -> Language:
    """The language with this code, one of CODES. A strict one raises KeyError for a sentence it cannot say."""
    if code == ENGLISH:
        return Language()
    if code not in CODES:
        raise ValueError(f"no language {code}")
    read = messages(code)
    return Language(Catalogue(read, strict=strict), code, read.point)


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
