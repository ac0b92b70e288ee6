"""Lists of 1,024 short words each, to say, hear and write down a number by. Knows what stands in the files only.

They are nouns everybody knows, so that people can say, hear and type them, and a screen reader says them right. No word
sounds like another or is rude: those were left out by hand. The same number is the same places of the list in every
language.
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
    """The words of a language, in their order; of English, if it has no list."""
    folder = LANGUAGE_FOLDERS / (code if code in LANGUAGES else ENGLISH)
    return tuple((folder / _FILE).read_text(encoding="utf-8").split())


def words_of(bits: int, number: int, code: str) -> tuple[str, ...]:
    """Words for the lowest bits of a number, the lowest ten first."""
    words = word_list(code)
    return tuple(words[(bits >> BITS_OF_A_WORD * place) % (1 << BITS_OF_A_WORD)] for place in range(number))


def seal_words(digest: str, code: str) -> tuple[str, ...]:
    """The eight words of a seal's digest (hex): its first 80 bits, the first ten first."""
    top = int(digest, 16) >> 4 * len(digest) - BITS_OF_A_WORD * WORDS_OF_A_SEAL
    return words_of(top, WORDS_OF_A_SEAL, code)[::-1]
