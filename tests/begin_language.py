"""The files of a new language, or sentences that one lacks, to be filled in (``make language CODE=fr``).

Sentences stand in the order of the German files, with their comments. What a language calls itself, how it forms
plurals and how it writes numbers is what Unicode's tables say, which Babel brings.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from babel.core import Locale
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po
from babel.numbers import get_decimal_symbol, get_group_symbol

from pubdice.cli import HELP
from pubdice.text.catalogues import CODES, ENGLISH, catalogue_file
from pubdice.text.po_file import read_head
from sentences import SOURCE
from untranslated import entries, plural_forms, untranslated

PATTERN = "de"
"""The language whose files say where a sentence stands."""
HEAD = """msgid ""
msgstr ""
"Project-Id-Version: pubdice\\n"
"Language: {code}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals={forms}; plural={plural};\\n"
"""
OF_THE_HOUSE = """"X-Native-Name: {name}\\n"
"X-Decimal-Point: {point}\\n"
"X-Thousands-Separator: {thousands}\\n"
"""
LAWS = """# What the tests hold this language to, beyond what holds for every language: "Laws" in
# docs/contribute/translating.md.

# Words of the way to say "you" that you did not choose, as a pattern of Python's re module.
address = '\\b(WORD|WORD)\\b'
"""


def facts_of(code: str) -> dict[str, object]:
    """What the heads of a language's files say, if it is there, or else Unicode's tables.

    Raises ValueError for a language that is in neither.
    """
    if code in CODES[1:]:
        return {
            "code": code,
            "forms": plural_forms(code),
            **read_head(catalogue_file(code).read_text(encoding="utf-8")),
        }
    locale, plural = Locale.parse(code), get_plural(code)
    return {
        "code": code,
        "forms": plural.num_plurals,
        "plural": plural.plural_expr,
        "name": (locale.get_display_name(code) or code).capitalize(),
        "point": get_decimal_symbol(code),
        "thousands": get_group_symbol(code),
    }


def emptied(text: str, head: str, forms: int) -> str:
    """A catalogue with another head, and no translation; comments below its own head stay."""
    return f"{head}\n" + "".join(_emptied(text.partition("\n\n")[2], forms))


def _emptied(entries: str, forms: int) -> Iterator[str]:
    in_translation = False
    for line in entries.splitlines():
        if line.startswith("msgstr"):
            in_translation = True
            if line.startswith("msgstr "):
                yield 'msgstr ""\n'
            elif line.startswith("msgstr[0]"):
                yield from (f'msgstr[{at}] ""\n' for at in range(forms))
        elif not (in_translation and line.startswith('"')):
            in_translation = False
            yield f"{line}\n"


def begin(code: str, facts: dict[str, object], source: Path = SOURCE) -> list[Path]:
    """Write the files of a language; those that were made. What is there already stays."""
    folder, forms = source / "locale" / code, int(str(facts["forms"]))
    head = HEAD.format_map(facts)
    german = source / "locale" / PATTERN
    made = {
        folder / "messages.po": emptied(
            (german / "messages.po").read_text("utf-8"), head + OF_THE_HOUSE.format_map(facts), forms
        ),
        folder / "help.txt": HELP,
        folder / "laws.toml": LAWS,
    }
    of_annexes = source.parents[1].glob(f"packages/*/src/*/{PATTERN}.po")
    for words in source.parents[1].glob(f"packages/*/src/*/words/{ENGLISH}.json"):
        made[words.with_name(f"{code}.json")] = words.read_text("utf-8")
    for catalogue in (*sorted(source.glob(f"games/*/{PATTERN}.po")), *sorted(of_annexes)):
        made[catalogue.with_name(f"{code}.po")] = emptied(catalogue.read_text("utf-8"), head, forms)
    for page in sorted(source.glob("games/*/RULES.md")):
        made[page.with_name(f"RULES.{code}.md")] = page.read_text("utf-8")
    new = {path: text for path, text in made.items() if not path.exists()}
    for path, text in new.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(new)


def add_missing(code: str) -> dict[Path, int]:
    """Put empty entries at the end of a language's catalogues, for the sentences that are new; how many in which."""
    added = {}
    for path, keys in untranslated(code).items():
        with path.open("rb") as stream:
            there = {message.id for message in read_po(stream)}
        new = [key for key in keys if key not in there]
        if new:
            with path.open("a", encoding="utf-8") as file:
                file.write("\n".join(("", *entries(new, plural_forms(code)), "")))
            added[path] = len(new)
    return added


def _shown(path: Path) -> str:
    of_the_core = path.is_relative_to(SOURCE)
    return (
        Path("src/pubdice") / path.relative_to(SOURCE) if of_the_core else path.relative_to(SOURCE.parents[1])
    ).as_posix()


def main(code: str) -> int:
    """Begin a language, or go on with one: say which files are new, and which have new sentences."""
    for path in begin(code, facts_of(code)):
        print(f"{_shown(path)} is new")
    for path, number in add_missing(code).items():
        print(f"{_shown(path)} has {number} sentence{'s' * (number > 1)} more")
    print("docs/contribute/translating.md says how to go on.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
