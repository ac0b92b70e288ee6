"""Lists of 1,024 short words each. A word stands for ten bits of a number that people say, hear or write down.

The words are common nouns. People can spell them and a screen reader can pronounce them. Rude words, and words that
sound like another, were left out by hand. A number has the same places in the list in every language.
"""

from functools import cache

from pubdice.text.catalogues import CODES, ENGLISH, LANGUAGE_FOLDERS

BITS_OF_A_WORD = 10
_FILE = "words.txt"
LANGUAGES = tuple(code for code in CODES if (LANGUAGE_FOLDERS / code / _FILE).is_file())
"""Languages with a list, English first."""
WORDS_OF_A_SEAL = 8


@cache
def word_list(code: str) -> tuple[str, ...]:
    """The words of a language, in their order. If it has no list, the English words."""
    folder = LANGUAGE_FOLDERS / (code if code in LANGUAGES else ENGLISH)
    return tuple((folder / _FILE).read_text(encoding="utf-8").split())


def words_of(bits: int, number: int, code: str) -> tuple[str, ...]:
    """As many words as ``number`` for the lowest bits of ``bits``. The first word is the lowest ten bits."""
    words = word_list(code)
    return tuple(words[(bits >> BITS_OF_A_WORD * place) % (1 << BITS_OF_A_WORD)] for place in range(number))


def seal_words(digest: str, code: str) -> tuple[str, ...]:
    """Eight words for the first 80 bits of a seal's digest (hex). The first word is the first ten bits."""
    top = int(digest, 16) >> 4 * len(digest) - BITS_OF_A_WORD * WORDS_OF_A_SEAL
    return words_of(top, WORDS_OF_A_SEAL, code)[::-1]
