"""Sentences that a catalogue lacks, as entries to paste into it. Each group stands below the name of its file."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from catalogue_notes import by_part, pair
from pubdice.text.catalogues import CODES, catalogue_file, has_part, messages
from pubdice.text.po_file import read_head
from sentences import ANNEXES, HOUSE, SOURCE, WEB, Key, in_folder, sentences

HEAD = """msgid ""
msgstr ""
"Project-Id-Version: pubdice\\n"
"Language: {code}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals={forms}; plural={plural};\\n"
"""


def plural_forms(code: str) -> int:
    return 1 + max(map(messages(code).form, range(1000)))


def head(code: str) -> str:
    """Return the head of a game's catalogue in this language, with the plural rule of the house."""
    rule = read_head(catalogue_file(code).read_text(encoding="utf-8"))["plural"]
    return HEAD.format(code=code, forms=plural_forms(code), plural=rule)


def games() -> dict[str, Path]:
    """Return the folders of the house's games and annexes, by package."""
    folders = sorted(path.parent for path in SOURCE.glob("games/*/__init__.py"))
    return {f"pubdice.games.{folder.name}": folder for folder in folders} | ANNEXES


def spoken(folder: Path) -> frozenset[Key]:
    """Return the sentences of a game's folder and of the house."""
    return in_folder(folder) | sentences(*HOUSE, *WEB)


def own(folder: Path) -> frozenset[Key]:
    """Return the sentences that a game says and the house does not. The game's own catalogue holds them."""
    return in_folder(folder) - sentences(*HOUSE, *WEB)


def held(code: str, home: str = "") -> frozenset[Key]:
    """Return the sentences in the catalogue of the house, or of a game's package."""
    try:
        read = messages(code, home)
    except FileNotFoundError:
        return frozenset()
    return frozenset((*read.texts, *read.forms))


def untranslated(code: str, folders: dict[str, Path] | None = None) -> dict[Path, list[Key]]:
    """Return the sentences missing in this language, sorted, by the file that should hold them. By default, search the
    whole house: the parts that the language has, the games, and the annexes that speak it.
    """
    found: dict[Path, frozenset[Key]] = {}
    if not folders:
        for part, keys in by_part().items():
            if has_part(code, part):
                found[SOURCE / "locale" / code / f"{part}.po"] = keys - held(code)
    for home, folder in (folders or games()).items():
        if folders or home not in ANNEXES or catalogue_file(code, home).is_file():
            found[folder / f"{code}.po"] = own(folder) - held(code, home)
    return {path: sorted(keys, key=str) for path, keys in found.items() if keys}


def entries(keys: Iterable[Key], forms: int = 2) -> Iterator[str]:
    """Yield the catalogue lines for these sentences, with empty translations. ``forms`` is the number of plural
    forms.
    """
    for key in keys:
        yield from pair(key, (), forms)


def report(code: str, folders: dict[str, Path] | None = None) -> list[str]:
    """Return the lines to paste, file by file. The list is empty if no sentence is missing."""
    lines, forms = list[str](), plural_forms(code)
    for path, keys in untranslated(code, folders).items():
        new = not path.is_file()
        shown = path.relative_to(SOURCE.parents[1]) if path.is_relative_to(SOURCE.parents[1]) else path
        lines += [f"# {shown.as_posix()}" + (" (a new file)" if new else "")]
        lines += [*head(code).splitlines(), ""] if new else []
        lines += [*entries(keys, forms), ""]
    return lines


def main(words: Sequence[str]) -> int:
    """Print missing sentences of every language, for the house, or for one game if ``words`` is its package and folder.
    Return 1 if a sentence is missing, otherwise 0.
    """
    folders = {words[0]: Path(words[1])} if words else None
    lines = [line for code in CODES[1:] for line in report(code, folders)]
    print("\n".join(lines) if lines else "Every sentence is translated.")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
