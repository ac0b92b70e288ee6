"""Lists of 1,024 short words each, to say, hear and write down a number by. Knows what stands in the files only.

They are nouns everybody knows, so that people can say, hear and type them, and a screen reader says them right. No word
sounds like another or is rude: those were left out by hand. The same number is the same places of the list in every
language.
"""

from functools import cache
from importlib.resources import files

BITS_OF_A_WORD = 10
LANGUAGES = ("en", "de")
"""Languages with a list."""
WORDS_OF_A_SEAL = 8


@cache
def word_list(code: str) -> tuple[str, ...]:
    """The words of a language, in their order. Raises FileNotFoundError for one without a list."""
    return tuple(files("pubdice").joinpath("locale", f"words.{code}.txt").read_text(encoding="utf-8").split())


def words_of(bits: int, number: int, code: str) -> tuple[str, ...]:
    """So many words for the lowest bits of a number, the lowest ten first."""
    words = word_list(code)
    return tuple(words[(bits >> BITS_OF_A_WORD * place) % (1 << BITS_OF_A_WORD)] for place in range(number))


def seal_words(digest: str, code: str) -> tuple[str, ...]:
    """The eight words of a seal's digest (hex): its first 80 bits, the first ten first; English without a list."""
    top = int(digest, 16) >> 4 * len(digest) - BITS_OF_A_WORD * WORDS_OF_A_SEAL
    found = words_of(top, WORDS_OF_A_SEAL, code if code in LANGUAGES else LANGUAGES[0])
    return found[::-1]
