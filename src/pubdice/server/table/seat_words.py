"""The four words of a seat. With them a person takes the seat on another phone.

The words are 40 bits, made from the house's secret by HMAC-SHA256. So they are not stored, and a new generation makes
the old words worthless. Knows no table, and draws nothing at random.

They come from lists of 1,024 words (``text.word_lists``). The same bits are four words in every language. A seat
accepts any language, with or without spaces, capitals, ä or ae.

Earlier versions of the house showed invented words: consonant, vowel, consonant, vowel, consonant. Letters that sound
alike (b p, d t, g k, m n, s z …) counted as one sound. A seat still accepts them.
"""

import hmac
import json
import unicodedata
from functools import cache
from importlib.resources import files

from pubdice.text.word_lists import BITS_OF_A_WORD, LANGUAGES, words_of

__all__ = ["LANGUAGES", "same_words", "words_for"]
WORDS_OF_A_SEAT = 4
SOUNDS_OF_A_WORD = 5
EARLIER = ""
"""The language code of the invented words of earlier versions."""

_ALIKE = (
    ("sch", "s"), ("chs", "x"), ("cks", "x"), ("ks", "x"), ("ck", "k"), ("ch", "k"), ("sh", "s"), ("ph", "f"),
    ("th", "t"), ("oo", "u"), ("ou", "u"), ("ee", "i"), ("ie", "i"),
)  # fmt: skip
"""Spellings of one sound, the longer ones first."""
_ONE_FOR_ALL = str.maketrans("pdgcqnvzeyj", "btkkkmwsiii")
"""Letters that sound alike, and the letter that stands for them."""


def words_for(
    secret: bytes, table: str, seat: int, person: str, generation: int = 1, *, language: str = EARLIER
) -> str:
    """Return the four words that let this person take this seat on another phone."""
    facts = json.dumps(["words of a seat", table, seat, person, generation]).encode()
    bits = int.from_bytes(hmac.digest(secret, facts, "sha256")[:8], "big")
    if language:
        return " ".join(words_of(bits, WORDS_OF_A_SEAT, language))
    earlier = _earlier()
    return " ".join(earlier[(bits >> BITS_OF_A_WORD * place) % len(earlier)] for place in range(WORDS_OF_A_SEAT))


def read_words(text: str) -> str | None:
    """Return the four invented words in a typed text, in the spelling of earlier versions. None if it has none.

    >>> words = words_for(b"", "ABCDEF", 0, "ann", 1)
    >>> read_words(words.upper().replace(" ", "-")) == words
    True
    """
    parts = [_sound(part) for part in _letters(text).split()]
    if len(parts) != WORDS_OF_A_SEAT:
        run = "".join(_letters(text).split()).translate(_ONE_FOR_ALL)
        parts = [run[at : at + SOUNDS_OF_A_WORD] for at in range(0, len(run), SOUNDS_OF_A_WORD)]
    found = [_spellings().get(part) for part in parts]
    if len(found) != WORDS_OF_A_SEAT or None in found:
        return None
    return " ".join(word for word in found if word)


def same_words(typed: str, *right: str) -> bool:
    """Return True if the typed words are any of the right ones. Compares in constant time."""
    earlier, plain = (read_words(typed) or "").encode(), fold(typed).encode()
    found = False
    for words in right:
        found |= hmac.compare_digest(earlier, words.encode()) and bool(earlier)
        found |= hmac.compare_digest(plain, fold(words).encode()) and bool(plain)
    return found


def fold(text: str) -> str:
    """Return words in the form in which they are compared: small plain letters, no spaces, with ä, ae and a alike.

    >>> fold("Grüße Käse"), fold("GRUESSE-KAESE")
    ('grussekase', 'grussekase')
    """
    plain = _letters(text.replace("ß", "ss")).replace(" ", "")
    for two in ("ae", "oe", "ue"):
        plain = plain.replace(two, two[0])
    return plain


@cache
def _earlier() -> tuple[str, ...]:
    return tuple(files("pubdice.server").joinpath("web", "words.txt").read_text(encoding="utf-8").split())


@cache
def _spellings() -> dict[str, str]:
    return {_sound(word): word for word in _earlier()}


def _letters(text: str) -> str:
    """Return small plain letters without accents. Every other character becomes a space."""
    plain = unicodedata.normalize("NFKD", text[:400]).casefold()
    return "".join(char if "a" <= char <= "z" else "" if unicodedata.combining(char) else " " for char in plain)


def _sound(word: str) -> str:
    """Return a word by its sound: one letter for all letters that sound alike, and doubled letters once."""
    for written, heard in _ALIKE:
        word = word.replace(written, heard)
    word = word.translate(_ONE_FOR_ALL)
    return "".join(char for at, char in enumerate(word) if char != word[at - 1 : at])
