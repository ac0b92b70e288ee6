"""The languages the house speaks, their catalogues and pages, and which one somebody asks for. Knows no game.

A catalogue is a file of gettext's, ``locale/CODE.po``, read as it is when its language is first spoken: nothing is
compiled, and English, which is its own key, needs neither a file nor Babel.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations, c2py
from importlib.resources import files

from pubdice.words import Language

LANGUAGES = (("en", "English"), ("de", "Deutsch"))
"""Every language: its code, and what its speakers call it. The first is the key of all others."""
ENGLISH = LANGUAGES[0][0]
CODES = tuple(code for code, _ in LANGUAGES)

_WANTED = re.compile(
    r"\s*(?P<tag>\*|[A-Za-z]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q\s*=\s*(?P<weight>[01](?:\.[0-9]*)?)\s*)?"
)
MOST_WANTED = 32
"""Languages read of a header at most."""


@dataclass(frozen=True, slots=True)
class Messages:
    """A catalogue as it was read: texts by sentence, forms by the pair of one and many, which form a number takes."""

    texts: Mapping[str, str]
    forms: Mapping[tuple[str, str], tuple[str, ...]]
    form: Callable[[int], int]
    point: str


class Catalogue(NullTranslations):
    """Messages as gettext wants them. What they lack is said in English; a strict one raises KeyError instead."""

    def __init__(self, messages: Messages, *, strict: bool = False) -> None:
        super().__init__()
        self._messages, self._strict = messages, strict

    def gettext(self, message: str) -> str:
        """The sentence, translated."""
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
def messages(code: str) -> Messages:
    """The catalogue of a language; entries that are empty or marked as fuzzy are not in it."""
    from babel.messages.pofile import read_po  # noqa: PLC0415 - only where English is not enough
    from babel.numbers import get_decimal_symbol  # noqa: PLC0415

    with (files("pubdice") / "locale" / f"{code}.po").open("rb") as file:
        catalog = read_po(file, locale=code, abort_invalid=True)
    texts: dict[str, str] = {}
    forms: dict[tuple[str, str], tuple[str, ...]] = {}
    for message in catalog:
        if not message.id or message.fuzzy:
            continue
        sentence, told = message.id, message.string
        if isinstance(sentence, str):
            if isinstance(told, str) and told:
                texts[sentence] = told
        elif isinstance(told, tuple | list) and all(told):
            one, many = sentence
            forms[one, many] = tuple(told)
    return Messages(texts, forms, c2py(catalog.plural_expr), get_decimal_symbol(code))


@cache
def language(code: str, *, strict: bool = False) -> Language:
    """A language by its code, which is one of CODES. A strict one raises KeyError for what it cannot say."""
    if code == ENGLISH:
        return Language()
    if code not in CODES:
        raise ValueError(f"no language {code}")
    read = messages(code)
    return Language(Catalogue(read, strict=strict), code, read.point)


def choose(header: str | None, cookie: str | None) -> str:
    """The code of the language to speak: the one chosen before, or what an ``Accept-Language`` header likes best.

    Only the first part of a tag counts, and what makes no sense is passed over.

    >>> choose("fr, de-AT;q=0.8, en;q=0.5", None), choose("de", "en"), choose("???", "???")
    ('de', 'en', 'en')
    """
    if cookie in CODES:
        return str(cookie)
    weights: dict[str, float] = {}
    for piece in (header or "").split(",", MOST_WANTED)[:MOST_WANTED]:
        wanted = _WANTED.fullmatch(piece)
        if wanted is not None:
            weight = min(1.0, float(wanted["weight"] or 1))
            tag = wanted["tag"].lower()
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
