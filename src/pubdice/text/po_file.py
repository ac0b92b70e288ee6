"""A parser of gettext catalogues (``.po`` files): sentences, plurals and the header.

A context (``msgctxt``) stands before its sentence: ``score|Mexico`` (``language.CONTEXT``).
"""

import re
from collections.abc import Iterator
from typing import Any

from pubdice.text.language import CONTEXT

_LINE = re.compile(r'(?:(?P<key>msgctxt|msgid|msgid_plural|msgstr)(?P<form>\[[0-9]\])?\s+)?"(?P<text>(?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")
_MEANT = {"n": "\n", "t": "\t"}
"""The characters that an escape means, by the letter after the backslash. Any other escaped character means itself."""
_FACT = re.compile(r"\{\w*|[0-9]+")
_PLURAL = re.compile(r"plural=(?P<plural>[^;\n]+)")
_POINT = re.compile(r"^X-Decimal-Point: (?P<point>.)$", re.MULTILINE)
_THOUSANDS = re.compile(r"^X-Thousands-Separator: (?P<thousands>.)$", re.MULTILINE)
_CHANGES = re.compile(r"^X-Changes-Before: (?P<word>\S+) (?P<instead>\S+) (?P<before>\S+)$", re.MULTILINE)
_NAME = re.compile(r"^X-Native-Name: *(?P<name>.*\S)", re.MULTILINE)


def read_po(text: str) -> dict[str, Any]:
    """Return a catalogue as plain data. Empty entries are left out.

    A fuzzy entry counts if its sentence has the facts and figures of the one before it (``#|``). Then the old
    translation is still true.

    ``texts`` has the translation of each sentence without a plural. ``forms`` has triples: the singular, the plural,
    and their translated forms. The other keys are the same as in ``read_head``. Raises ValueError for a line that does
    not belong in a catalogue, and for a sentence that occurs twice.
    """
    texts: dict[str, str] = {}
    forms: list[tuple[str, str, tuple[str, ...]]] = []
    seen = set[str]()
    for entry in _entries(text):
        one, many = entry["msgid"], entry.get("msgid_plural")
        if "msgctxt" in entry:
            one = entry["msgctxt"] + CONTEXT + one
        told = [said for key, said in entry.items() if key.startswith("msgstr")]
        if one in seen:
            raise ValueError(f"a sentence stands in the catalogue twice: {one}")
        seen.add(one)
        if not all(told):
            continue
        if many is None:
            texts[one] = told[0]
        else:
            forms.append((one, many, tuple(told)))
    return {"texts": texts, "forms": forms, **_said_by_head(texts.pop("", ""))}


def read_head(text: str) -> dict[str, Any]:
    """Return the facts in the header of a catalogue. A fact that the header lacks has a default.

    - ``plural``: the rule that picks a plural form, as a C expression.
    - ``point``: the decimal point.
    - ``thousands``: the thousands separator.
    - ``changes``: conjunctions that change before certain sounds, as (word, replacement, pattern of the next word's
      start).
    - ``name``: the language's own name for itself, or "".

    Raises ValueError as ``read_po`` does, but only for the first entry, because it reads no other.
    """
    first = next(_entries(text), {})
    return _said_by_head(first.get("msgstr", "") if first.get("msgid") == "" else "")


def _said_by_head(head: str) -> dict[str, Any]:
    plural, point, thousands, name = (each.search(head) for each in (_PLURAL, _POINT, _THOUSANDS, _NAME))
    decimal = point["point"] if point else "."
    return {
        "plural": plural["plural"].strip() if plural else "n != 1",
        "point": decimal,
        "thousands": thousands["thousands"] if thousands else "." if decimal == "," else ",",
        "changes": _CHANGES.findall(head),
        "name": name["name"] if name else "",
    }


def _entries(text: str) -> Iterator[dict[str, str]]:
    """Yield each entry that counts, as a dict from keyword (``msgid``, ``msgstr[0]``) to string."""
    entry: dict[str, str] = {}
    key, fuzzy, before = "", False, ""
    for number, line in enumerate((*text.splitlines(), "#"), 1):
        said = line.strip()
        found = None if not said or said[0] == "#" else _LINE.fullmatch(said)
        if found is None or (found["key"] in ("msgctxt", "msgid") and "msgid" in entry):
            if said and said[0] != "#" and found is None:
                raise ValueError(f"line {number} does not belong in a catalogue: {line}")
            if any(name.startswith("msgstr") for name in entry):
                now = entry["msgid"] + entry.get("msgid_plural", "")
                # The header counts although tools mark it as fuzzy.
                if not fuzzy or not now or (before and sorted(_FACT.findall(now)) == sorted(_FACT.findall(before))):
                    yield entry
                entry, fuzzy, before = {}, False, ""
            fuzzy = fuzzy or (said[:2] == "#," and "fuzzy" in said)
            before += said[2:] * (said[:2] == "#|")
        if found is not None:
            if found["key"]:
                key = found["key"] + (found["form"] or "")
                if key in entry:
                    raise ValueError(f"line {number} says {key} a second time: {line}")
            told = _ESCAPED.sub(lambda escaped: _MEANT.get(escaped[1], escaped[1]), found["text"])
            entry[key] = entry.get(key, "") + told
