"""What no catalogue holds yet, as entries to paste, each below the file it belongs in (``make words``)."""

import sys
from collections.abc import Iterable, Iterator

from pubdice.text.catalogues import CODES, messages
from sentences import SCANNED, SOURCE, Key, sentences

HEAD = """msgid ""
msgstr ""
"Language: {code}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"""
"""How the file of a new game begins."""


def games() -> list[str]:
    """The folders of the games."""
    return sorted(path.parent.name for path in SOURCE.glob("games/*/__init__.py"))


def own(game: str) -> frozenset[Key]:
    """The sentences that this game says and nobody else does: its own catalogue holds them."""
    others = [
        pattern.replace("*", other, 1) if pattern.startswith("games/") else pattern
        for pattern in SCANNED
        for other in (games() if pattern.startswith("games/") else [game])
        if not (pattern.startswith("games/") and other == game)
    ]
    return sentences(*SCANNED) - sentences(*others)


def untranslated(code: str) -> dict[str, list[Key]]:
    """Every sentence that this language lacks, in order, by the file that should hold it, from the package's folder."""
    missing = sentences(*SCANNED) - set(messages(code).texts) - set(messages(code).forms)
    found: dict[str, list[Key]] = {}
    if missing:
        for game in games():
            alone = missing & own(game)
            found[f"games/{game}/{code}.po"] = sorted(alone, key=str)
            missing -= alone
        found[f"locale/{code}.po"] = sorted(missing, key=str)
    return {path: keys for path, keys in found.items() if keys}


def entries(keys: Iterable[Key]) -> Iterator[str]:
    """The lines of a catalogue for these sentences, with the translations left empty."""
    for key in keys:
        if isinstance(key, str):
            yield from (f"msgid {_quoted(key)}", 'msgstr ""')
        else:
            one, many = map(_quoted, key)
            yield from (f"msgid {one}", f"msgid_plural {many}", 'msgstr[0] ""', 'msgstr[1] ""')


def _quoted(text: str) -> str:
    return '"{}"'.format(text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n"))


def report(code: str) -> list[str]:
    """What to paste, file by file; nothing if nothing is missing."""
    lines = []
    for path, keys in untranslated(code).items():
        new = not (SOURCE / path).is_file()
        lines += [f"# src/pubdice/{path}" + (" (a new file)" if new else "")]
        lines += [*HEAD.format(code=code).splitlines(), ""] if new else []
        lines += [*entries(keys), ""]
    return lines


def main() -> int:
    """Print what is missing in every language; 1 if anything is."""
    lines = [line for code in CODES[1:] for line in report(code)]
    print("\n".join(lines) if lines else "Every sentence is translated.")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
