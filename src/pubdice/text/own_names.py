"""Words that are nobody's name, in every language: "you", "nobody", "the host". Knows what stands in the files only.

A language's ``names.txt`` has a line of small letters for each kind; one without the file, or without a line, has none.
"""

from functools import cache

from pubdice.text.catalogues import CODES, LANGUAGE_FOLDERS

_FILE = "names.txt"


@cache
def own_names(kind: str) -> tuple[str, ...]:
    """The words of a kind, of all languages, English first.

    kind: "you", as people at a terminal call themselves; "addressed", with which the house begins a sentence to
    somebody; "titles", of the host and the house, which begin a sentence too; "nobody", the house's other words;
    "numbered", those that stand before the number of a seat; "rude", codes of six letters that no table gets.

    >>> "you" in own_names("you"), "nobody" in own_names("nobody"), own_names("plants")
    (True, True, ())
    """
    return tuple(word for code in CODES for word in _read(code).get(kind, ()))


@cache
def _read(code: str) -> dict[str, tuple[str, ...]]:
    file = LANGUAGE_FOLDERS / code / _FILE
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return {kind: tuple(words.split()) for kind, _, words in (line.partition(":") for line in lines)}
