"""What no catalogue holds yet, as entries to paste, each below the file it belongs in (``make words``)."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pubdice.text.catalogues import CODES, catalogue_file, messages
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
"""How the file of a new game begins."""


def plural_forms(code: str) -> int:
    """How many forms a plural has in a language."""
    return 1 + max(map(messages(code).form, range(1000)))


def head(code: str) -> str:
    """How a game's file in a language begins: its plurals are the house's."""
    rule = read_head(catalogue_file(code).read_text(encoding="utf-8"))["plural"]
    return HEAD.format(code=code, forms=plural_forms(code), plural=rule)


def games() -> dict[str, Path]:
    """The folders of the house's games and of its annexes, by their packages."""
    folders = sorted(path.parent for path in SOURCE.glob("games/*/__init__.py"))
    return {f"pubdice.games.{folder.name}": folder for folder in folders} | ANNEXES


def spoken(folder: Path) -> frozenset[Key]:
    """The sentences that a game says, and those of the house."""
    return in_folder(folder) | sentences(*HOUSE, *WEB)


def own(folder: Path) -> frozenset[Key]:
    """The sentences that a game says and the house does not: its own catalogue holds them."""
    return in_folder(folder) - sentences(*HOUSE, *WEB)


def held(code: str, home: str = "") -> frozenset[Key]:
    """The sentences that the house's catalogue holds, or that of a game's package."""
    try:
        read = messages(code, home)
    except FileNotFoundError:
        return frozenset()
    return frozenset((*read.texts, *read.forms))


def untranslated(code: str, folders: dict[str, Path] | None = None) -> dict[Path, list[Key]]:
    """Every sentence that this language lacks, in order, by the file that should hold it.

    folders: of games by their packages; without it all of the house's, and the house itself.
    """
    found = {} if folders else {SOURCE / "locale" / code / "messages.po": sentences(*HOUSE, *WEB) - held(code)}
    for home, folder in (folders or games()).items():
        found[folder / f"{code}.po"] = own(folder) - held(code, home)
    return {path: sorted(keys, key=str) for path, keys in found.items() if keys}


def entries(keys: Iterable[Key], forms: int = 2) -> Iterator[str]:
    """The lines of a catalogue for these sentences, with the translations left empty. forms: of a plural."""
    for key in keys:
        if isinstance(key, str):
            yield from (f"msgid {quoted(key)}", 'msgstr ""')
        else:
            one, many = map(quoted, key)
            yield from (f"msgid {one}", f"msgid_plural {many}", *(f'msgstr[{at}] ""' for at in range(forms)))


def quoted(text: str) -> str:
    """A text as a catalogue has it."""
    return '"{}"'.format(text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n"))


def report(code: str, folders: dict[str, Path] | None = None) -> list[str]:
    """What to paste, file by file; nothing if nothing is missing."""
    lines, forms = list[str](), plural_forms(code)
    for path, keys in untranslated(code, folders).items():
        new = not path.is_file()
        shown = path.relative_to(SOURCE.parents[1]) if path.is_relative_to(SOURCE.parents[1]) else path
        lines += [f"# {shown.as_posix()}" + (" (a new file)" if new else "")]
        lines += [*head(code).splitlines(), ""] if new else []
        lines += [*entries(keys, forms), ""]
    return lines


def main(words: Sequence[str]) -> int:
    """Print what is missing in every language, of the house or of the game in a package and its folder; 1 if any is."""
    folders = {words[0]: Path(words[1])} if words else None
    lines = [line for code in CODES[1:] for line in report(code, folders)]
    print("\n".join(lines) if lines else "Every sentence is translated.")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
