"""The catalogues of all languages with the sentences of the source, and the first files of a new language.

``make words`` writes all catalogues: sentences in the order of the source, with their notes. Translations stay. If a
sentence was reworded, Babel's ``Catalog.update`` finds its old translation, as gettext's own tools do. The entry is
marked fuzzy, with the old sentence beside it. A new sentence has an empty translation. ``make language CODE=fr`` begins
a language with its name, its plurals and its numbers from Babel's copy of Unicode's tables.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from gettext import c2py
from pathlib import Path

from babel.core import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.plurals import PLURALS
from babel.messages.pofile import read_po
from babel.numbers import get_decimal_symbol, get_group_symbol

from catalogue_notes import by_part, entry, in_order, named, quoted
from pubdice.cli import HELP
from pubdice.text.catalogues import CODES, ENGLISH, PARTS, TABLE, catalogue_file
from pubdice.text.language import CONTEXT
from pubdice.text.po_file import read_head
from sentences import ANNEXES, SOURCE, WHOLE, Key
from untranslated import HEAD, games, own, plural_forms

OF_THE_HOUSE = """"X-Native-Name: {name}\\n"
"X-Decimal-Point: {point}\\n"
"X-Thousands-Separator: {thousands}\\n"
"""
LAWS = """# What the tests hold this language to, beyond what holds for every language: "Laws" in
# docs/contribute/translating.md.

# Words of the way to say "you" that you did not choose, as a pattern of Python's re module.
address = '\\b(WORD|WORD)\\b'
"""
MOST_COUNTED = 1000
"""Plural forms are for whole numbers below this. Forms for millions and for fractions are left out: no sentence counts
them.
"""
Told = dict[Key, str | tuple[str, ...]]
"""Translations by sentence."""
Before = dict[Key, list[str]]
"""Of each fuzzy entry the lines with the sentence that was translated."""


def facts_of(code: str) -> dict[str, object]:
    """Return what the heads of a language's files say, by Unicode's tables. Raises ValueError for an unknown
    language.
    """
    locale = Locale.parse("pt_BR" if code == "pt" else code)
    rule = locale.plural_form
    found = {rule(number) for number in range(MOST_COUNTED)}
    tags: list[str] = [tag for tag in ("zero", "one", "two", "few", "many", "other") if tag in found]
    return {
        "code": code,
        "forms": len(tags),
        "plural": _in_c(lambda number: tags.index(rule(number))),
        "name": (locale.get_display_name(code) or code).capitalize(),
        "point": get_decimal_symbol(locale),
        "thousands": get_group_symbol(locale),
    }


def known_facts(code: str) -> dict[str, object]:
    """Return what the heads of a language's files say, from the language's own."""
    return {"code": code, "forms": plural_forms(code), **read_head(catalogue_file(code).read_text(encoding="utf-8"))}


def _in_c(form: Callable[[int], int]) -> str:
    """Return a plural rule as catalogues write it: the shortest that gettext knows and that agrees with ``form``."""
    usual = sorted({rule for _, rule in PLURALS.values()}, key=lambda rule: (len(rule), rule))
    for rule in (*usual, "(n==1 ? 0 : n==2 ? 1 : 2)"):
        known = c2py(rule)
        if all(known(number) == form(number) for number in range(MOST_COUNTED)):
            return rule
    raise ValueError("no usual plural rule agrees with Unicode's")


def head_of(code: str, facts: dict[str, object], part: str = "") -> str:
    """Return the head of a catalogue: of a part of the house's, or of a game's."""
    return HEAD.format_map(facts) + (OF_THE_HOUSE.format_map(facts) if part == TABLE else "")


def catalogue(head: str, sentences: Iterable[tuple[Key, list[Path]]], told: Told, before: Before, forms: int) -> str:
    """Return a catalogue's text: its head, and an entry for each sentence."""
    entries = (entry(key, where, told.get(key, ()), forms, before.get(key)) for key, where in sentences)
    return "\n".join((head, *("\n".join((*lines, "")) for lines in entries)))


def _head_in(path: Path) -> str:
    """Return the head of a catalogue. "" if there is no file."""
    return path.read_text(encoding="utf-8").partition("\n\n")[0] + "\n" if path.is_file() else ""


def translated(path: Path) -> tuple[Told, Before]:
    """Return the translations in a catalogue, and which of them are fuzzy. Both are empty if there is no file."""
    told, before = Told(), Before()
    if path.is_file():
        with path.open("rb") as file:
            for message in read_po(file, ignore_obsolete=True):
                if message.id and (said := _said(message)):
                    told[_key(message)] = said
                    if message.fuzzy:
                        old = [f"#{line}" for line in message.user_comments if line.startswith("|")]
                        before[_key(message)] = old
    return told, before


def _key(message: Message) -> Key:
    context = f"{message.context}{CONTEXT}" if message.context else ""
    if isinstance(message.id, str):
        return context + message.id
    one, many = message.id
    return context + one, many


def _said(message: Message) -> str | tuple[str, ...]:
    """Return a translation. "" if one of its forms is missing."""
    forms = message.string if isinstance(message.string, list | tuple) else [message.string or ""]
    return "" if not all(forms) else forms[0] if isinstance(message.string, str) else tuple(forms)


def _added(to: Catalog, key: Key, said: str | tuple[str, ...] = ()) -> None:
    one = key if isinstance(key, str) else key[0]
    context, _, plain = one.rpartition(CONTEXT)
    to.add(plain if isinstance(key, str) else (plain, key[1]), said, context=context or None)


def carry_over(keys: frozenset[Key], told: Told, before: Before) -> None:
    """Give reworded sentences the translations of those that are gone from the source.

    Only these are candidates: two sentences that are both said differ in what they mean.
    """
    old, new = Catalog(), Catalog()
    for key in told.keys() - keys:
        _added(old, key, told[key])
    for key in keys - told.keys():
        _added(new, key)
    old.update(new)
    for message in old:
        if message.id and message.fuzzy and (said := _said(message)):
            was = tuple(message.previous_id)
            gone: Key = (was[0], was[1]) if len(was) > 1 else was[0]
            lines = named(was[0])[-1:] + [f"msgid_plural {quoted(many)}" for many in was[1:]]
            told[_key(message)] = said
            before[_key(message)] = before.get(gone) or [f"#| {line}" for line in lines]


def write(code: str, facts: dict[str, object], source: Path = SOURCE, *, more: bool = True) -> dict[Path, int]:
    """Write a language's catalogues: those it has. If ``more`` is true, and all are whole, also the next that it lacks.

    Returns the number of sentences without a translation, by file.
    """
    folder, forms, lacking = source / "locale" / code, int(str(facts["forms"])), dict[Path, int]()
    folder.mkdir(exist_ok=True)
    told, before = Told(), Before()
    for path in sorted(folder.glob("*.po")):
        mine, old = translated(path)
        told, before = told | mine, before | old
    carry_over(frozenset().union(*by_part().values()), told, before)
    for step in _steps(folder, source):
        if (not more or any(lacking.values())) and not any(path.is_file() for path, *_ in step):
            continue
        for path, keys, home, part in step:
            mine, old = (told, before) if path.parent == folder else translated(path)
            if path.parent != folder:
                carry_over(keys, mine, old)
            head = _head_in(path) or head_of(code, facts, part)
            text = catalogue(head, in_order(keys, home), mine, old, forms)
            path.write_text(text, encoding="utf-8")
            lacking[path] = sum(1 for key in keys if not all(mine.get(key, ("",))))
    return lacking


def _steps(folder: Path, source: Path) -> Iterator[list[tuple[Path, frozenset[Key], Path | None, str]]]:
    """Yield the catalogues that are begun together, as (file, sentences, folder of a game or annex, part)."""
    name, of_games = f"{folder.name}.po", [home for home in games().values() if home.is_relative_to(SOURCE)]
    table = folder / f"{TABLE}.po", by_part()[TABLE], None, TABLE
    yield [table, *((source / home.relative_to(SOURCE) / name, own(home), home, "") for home in of_games)]
    for part in PARTS[1:]:
        yield [(folder / f"{part}.po", by_part()[part], None, part)]
    yield [
        (source.parents[1] / home.relative_to(SOURCE.parents[1]) / name, own(home), home, "")
        for home in ANNEXES.values()
        if (source.parents[1] / home.relative_to(SOURCE.parents[1])).is_dir()
    ]


def begin(code: str, source: Path = SOURCE) -> list[Path]:
    """Write the other files of a language, each with the English text. Returns those that were made."""
    folder = source / "locale" / code
    made = {folder / "laws.toml": LAWS}
    for words in source.parents[1].glob(f"packages/*/src/*/words/{ENGLISH}.json"):
        made[words.with_name(f"{code}.json")] = words.read_text("utf-8")
    for page in sorted(source.glob("games/*/RULES.md")):
        made[page.with_name(f"RULES.{code}.md")] = page.read_text("utf-8")
    if (folder / "terminal.po").is_file():
        made[folder / "help.txt"] = HELP
    new = {path: text for path, text in made.items() if not path.exists()}
    for path, text in new.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(new)


def _shown(path: Path) -> str:
    return (
        Path("src/pubdice") / path.relative_to(SOURCE)
        if path.is_relative_to(SOURCE)
        else path.relative_to(SOURCE.parents[1])
    ).as_posix()


def fuzzy_entries(path: Path) -> int:
    """Return the number of translations in a catalogue that a translator has to look at."""
    return len(translated(path)[1])


def main(codes: Sequence[str]) -> int:
    """Write the catalogues of all languages, or of these. Say which files are new, what each still lacks, and how many
    translations of each language are fuzzy. The status is 1 if a whole language lacks a sentence.
    """
    lacks = 0
    if wrong := [code for code in codes if not re.fullmatch("[a-z]{2,3}", code) or code == ENGLISH]:
        print(f"{wrong[0]} is no code of another language. It is two or three small letters, such as fr.")
        return 2
    for code in codes or CODES[1:]:
        before = {*SOURCE.rglob("*.po")}
        try:
            facts = known_facts(code) if code in CODES else facts_of(code)
        except UnknownLocaleError:
            print(f"Unicode's tables have no language {code}.")
            return 2
        lacking = write(code, facts, more=bool(codes))
        new = [path for path in lacking if path not in before] + begin(code) if codes else []
        for path in new:
            print(f"{_shown(path)} is new.")
        for path, number in lacking.items():
            lacks += number * (code in WHOLE or bool(codes))
            if number:
                print(f"{_shown(path)} lacks {number} sentence{'s' * (number > 1)}.")
        if number := sum(map(fuzzy_entries, lacking)):
            print(f"{code}: {number} fuzzy translation{'s' * (number > 1)} to look at.")
        left = [part for part in PARTS if not (SOURCE / "locale" / code / f"{part}.po").is_file()]
        if left and codes:
            print(f"Later: {', '.join(left)}. Fill in the others, then run this once more.")
    if not lacks:
        print("Every sentence is translated.")
    return int(bool(lacks) and not codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
