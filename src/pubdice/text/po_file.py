"""Reads a gettext catalogue as translators' tools write it (``.po``): sentences, plurals, and what its head says.

Contexts (``msgctxt``) are not read: no sentence of ours has one.
"""

import re
from collections.abc import Iterator
from typing import Any

_LINE = re.compile(r'(?:(?P<key>msgid|msgid_plural|msgstr)(?P<form>\[[0-9]\])?\s+)?"(?P<text>(?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")
_MEANT = {"n": "\n", "t": "\t"}
"""Characters that are written as a backslash and a letter; any other stands for itself."""
_PLURAL = re.compile(r"plural=(?P<plural>[^;\n]+)")
_POINT = re.compile(r"^X-Decimal-Point: (?P<point>.)$", re.MULTILINE)
_THOUSANDS = re.compile(r"^X-Thousands-Separator: (?P<thousands>.)$", re.MULTILINE)
_CHANGES = re.compile(r"^X-Changes-Before: (?P<word>\S+) (?P<instead>\S+) (?P<before>\S+)$", re.MULTILINE)
_NAME = re.compile(r"^X-Native-Name: *(?P<name>.*\S)", re.MULTILINE)


def read_po(text: str) -> dict[str, Any]:
    """Translations by sentence (``texts``), pairs of singular and plural with their forms (``forms``), and what the
    head says (``read_head``), as plain data. Empty and fuzzy entries are left out.

    Raises ValueError for a line that does not belong in a catalogue, and for a sentence that stands there twice.
    """
    texts: dict[str, str] = {}
    forms: list[tuple[str, str, tuple[str, ...]]] = []
    seen = set[str]()
    for entry in _entries(text):
        one, many = entry["msgid"], entry.get("msgid_plural")
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
    """Facts in the head of a catalogue: the rule that picks a form (``plural``), the decimal point (``point``), what
    parts thousands (``thousands``), words of a list that change before a sound (``changes``: the word, what it becomes,
    and a pattern of how the next word then begins), and what speakers of the language call it (``name``, "" if it does
    not say).

    Raises ValueError as ``read_po`` does, for the first entry.
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
    """Each entry that is not fuzzy: its strings by what stands before them (``msgid``, ``msgstr[0]``)."""
    entry: dict[str, str] = {}
    key, fuzzy = "", False
    for number, line in enumerate((*text.splitlines(), "#"), 1):
        said = line.strip()
        found = None if not said or said[0] == "#" else _LINE.fullmatch(said)
        if found is None or (found["key"] == "msgid" and entry):
            if said and said[0] != "#" and found is None:
                raise ValueError(f"line {number} does not belong in a catalogue: {line}")
            if any(name.startswith("msgstr") for name in entry):
                if not fuzzy or entry["msgid"] == "":  # translators' tools mark heads so
                    yield entry
                entry, fuzzy = {}, False
            fuzzy = fuzzy or (said[:2] == "#," and "fuzzy" in said)
        if found is not None:
            if found["key"]:
                key = found["key"] + (found["form"] or "")
                if key in entry:
                    raise ValueError(f"line {number} says {key} a second time: {line}")
            entry[key] = entry.get(key, "") + _ESCAPED.sub(
                lambda escaped: _MEANT.get(escaped[1], escaped[1]), found["text"]
            )
