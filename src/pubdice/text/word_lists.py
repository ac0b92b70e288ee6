"""Lists of 1,024 short words, one list a language. A word stands for ten bits of a number that people say or write
down.

The words are common nouns that people can spell and a screen reader can pronounce. Rude words, and words that sound
like another one, were left out by hand. A number picks the word at the same place of the list in every language.
"""

from functools import cache

from pubdice.text.catalogues import CODES, ENGLISH, LANGUAGE_FOLDERS

BITS_OF_A_WORD = 10
_FILE = "words.txt"
LANGUAGES = tuple(code for code in CODES if (LANGUAGE_FOLDERS / code / _FILE).is_file())
"""The languages that have a list, English first."""
WORDS_OF_A_SEAL = 8


@cache
def word_list(code: str) -> tuple[str, ...]:
    """Return the list of a language. If the language has none, return the English list."""
    folder = LANGUAGE_FOLDERS / (code if code in LANGUAGES else ENGLISH)
    return tuple((folder / _FILE).read_text(encoding="utf-8").split())


def words_of(bits: int, number: int, code: str) -> tuple[str, ...]:
    """Return ``number`` words for the lowest bits of ``bits``. The first word is for the lowest ten bits."""
    words = word_list(code)
    return tuple(words[(bits >> BITS_OF_A_WORD * place) % (1 << BITS_OF_A_WORD)] for place in range(number))


def seal_words(digest: str, code: str) -> tuple[str, ...]:
    """Return eight words for the first 80 bits of a seal's digest (hex). The first word is for the first ten bits."""
    top = int(digest, 16) >> 4 * len(digest) - BITS_OF_A_WORD * WORDS_OF_A_SEAL
    return words_of(top, WORDS_OF_A_SEAL, code)[::-1]
