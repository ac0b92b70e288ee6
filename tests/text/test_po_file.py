"""Our reader of catalogues, held against Babel's on every catalogue there is, and on what translators' tools write."""

import re
from pathlib import Path

import pytest
from babel.core import Locale
from babel.lists import format_list
from babel.messages.catalog import Message
from babel.messages.pofile import read_po as read_by_babel
from babel.numbers import format_percent, get_decimal_symbol, get_group_symbol

from pubdice.text.catalogues import CODES, Catalogue, CatalogueData, language
from pubdice.text.language import CONTEXT, Language
from pubdice.text.po_file import read_head, read_po
from sentences import ANNEXES, SOURCE

CATALOGUES = sorted(file for folder in (SOURCE, *ANNEXES.values()) for file in folder.rglob("*.po"))
HEAD = 'msgid ""\nmsgstr ""\n"Language: pl\\n"\n"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n<5 ? 1 : 2);\\n"\n'


def code_of(file: Path) -> str:
    return file.parent.name if file.stem == "messages" else file.stem


def _counts(message: Message) -> bool:
    """Whether a fuzzy translation is shown: its sentence has the facts and figures of the one before it."""
    before = " ".join(line[1:] for line in message.user_comments if line.startswith("|"))
    facts, now = re.compile(r"\{\w*|[0-9]+"), message.id if isinstance(message.id, str) else "".join(message.id)
    return bool(before) and sorted(facts.findall(before)) == sorted(facts.findall(now))


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_catalogue_is_read_as_babel_reads_it(file: Path) -> None:
    read = read_po(file.read_text(encoding="utf-8"))
    with file.open("rb") as stream:
        catalog = read_by_babel(stream, locale=code_of(file), abort_invalid=True)
    told = [message for message in catalog if message.id and (not message.fuzzy or _counts(message))]
    texts = [each for each in told if isinstance(each.id, str) and each.string]
    keys = [f"{each.context}{CONTEXT}{each.id}" if each.context else each.id for each in texts]
    assert read["texts"] == dict(zip(keys, [each.string for each in texts], strict=True))
    plurals = [(*each.id, tuple(each.string or "")) for each in told if not isinstance(each.id, str)]
    assert read["forms"] == [each for each in plurals if all(each[2])]
    assert read["plural"] == catalog.plural_expr


@pytest.mark.parametrize("file", sorted((SOURCE / "locale").glob("*/table.po")), ids=lambda file: file.parent.name)
def test_the_house_s_catalogue_says_how_its_language_writes_numbers_and_what_it_is_called(file: Path) -> None:
    """As the Unicode consortium has it."""
    code, read = file.parent.name, read_po(file.read_text(encoding="utf-8"))
    assert read["point"] == get_decimal_symbol(code)
    assert read["thousands"] == get_group_symbol(code)
    own = Locale("pt", "BR") if code == "pt" else Locale(code)
    assert read["name"].casefold() == str(own.get_display_name(own)).casefold()
    assert read_head(file.read_text(encoding="utf-8")) == {
        key: read[key] for key in ("plural", "point", "thousands", "changes", "name")
    }


@pytest.mark.parametrize("code", CODES[1:])
def test_lists_and_percentages_are_as_unicode_s_tables_have_them(code: str) -> None:
    """Any space of theirs may be another one. The Hebrew "and" has a hyphen before a name in Latin letters, and names
    have isolates there.
    """
    told, place = language(code), "pt_BR" if code == "pt" else code
    assert re.sub("[\u05be\u2066-\u2069]", "", told.join("ABC")) == format_list("ABC", locale=place)
    shown = format_percent(0.567, locale=place, decimal_quantization=False)
    assert " ".join(told.per_cent(0.567).split()) == " ".join(shown.split())


def test_long_strings_escapes_and_plurals_are_read_and_what_is_unsure_is_left_out() -> None:
    text = (
        f'{HEAD}\n#: cli.py:3\nmsgid ""\n"Two "\n"lines\\n"\nmsgstr "Zwei \\"Zeilen\\"\\t\\\\\\n"\nmsgid "next"\n'
        'msgstr "folgt"\n\n#, fuzzy\nmsgid "unsure"\nmsgstr "unsicher"\n\nmsgid "empty"\nmsgstr ""\n'
        'msgid "{n} die"\nmsgid_plural "{n} dice"\nmsgstr[0] "a"\nmsgstr[1] "b"\nmsgstr[2] "c"\n'
        'msgid "{n} cup"\nmsgid_plural "{n} cups"\nmsgstr[0] "d"\nmsgstr[1] "e"\nmsgstr[2] ""\n'
        '#~ msgid "old"\n#~ msgstr "alt"\n'
    )
    assert read_po(text) == {
        "texts": {"Two lines\n": 'Zwei "Zeilen"\t\\\n', "next": "folgt"},
        "forms": [("{n} die", "{n} dice", ("a", "b", "c"))],
        "plural": "(n==1 ? 0 : n<5 ? 1 : 2)",
        "point": ".",
        "thousands": ",",
        "changes": [],
        "name": "",
    }


def test_one_sentence_with_two_meanings_has_two_translations() -> None:
    """A context tells them apart. English leaves it out, and so does a language that lacks the sentence."""
    read = read_po(f'{HEAD}\nmsgid "Mexico"\nmsgstr "Mexen"\n\nmsgctxt "score"\nmsgid "Mexico"\nmsgstr "Mex"\n')
    dutch = Language(Catalogue(CatalogueData(read["texts"], {}, lambda _: 0, ",", ".")), "nl")
    assert [dutch.say("Mexico"), dutch.say("score|Mexico"), dutch.say("key|Space")] == ["Mexen", "Mex", "Space"]
    assert [Language().say("score|{number}, Mexico", number=21) for _ in "12"] == ["21, Mexico"] * 2


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('msgid "a"\nmsgstr "b\n', "line 2 does not belong in a catalogue"),
        ('msgid "a"\nmsgstr "b"\nnonsense\n', "line 3 does not belong in a catalogue"),
        ('msgid "a"\nmsgstr "b"\nmsgstr "c"\n', "line 3 says msgstr a second time"),
        ('msgid "a"\nmsgstr "b"\nmsgid "a"\nmsgstr "c"\n', "a sentence stands in the catalogue twice: a"),
    ],
)
def test_a_line_that_does_not_belong_in_a_catalogue_is_named(text: str, line: str) -> None:
    with pytest.raises(ValueError, match=line):
        read_po(text)
