"""Reserved words that no player may have as a name, in every language: "you", "the host".

The file ``names.txt`` of a language has one line for each kind of word, in small letters. The file is optional, and so
is each line.
"""

from functools import cache

from pubdice.text.catalogues import CODES, LANGUAGE_FOLDERS

_FILE = "names.txt"


@cache
def own_names(kind: str) -> tuple[str, ...]:
    """Return the reserved words of one kind in all languages, English first. Empty for an unknown kind.

    - "you": names that people at a terminal give themselves.
    - "addressed": words that begin the house's sentences to a player.
    - "titles": words for the host and the house. They begin sentences too.
    - "reserved": all other reserved words.
    - "numbered": words before the number of a seat.
    - "rude": codes of six letters that no table gets.

    >>> "you" in own_names("you"), "host" in own_names("reserved"), own_names("plants")
    (True, True, ())
    """
    return tuple(word for code in CODES for word in _read(code).get(kind, ()))


@cache
def _read(code: str) -> dict[str, tuple[str, ...]]:
    file = LANGUAGE_FOLDERS / code / _FILE
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return {kind: tuple(words.split()) for kind, _, words in (line.partition(":") for line in lines)}
