"""The four words of a player in the players' book: drawn, read in any language, hashed. Knows no table and no file.

They are 40 bits, which are four words in every language (``text.word_lists``). The file has only what scrypt makes of
name and bits, so a name need not be the only one of its kind, and whether a name is in the book shows in nothing: every
try costs one scrypt and one look-up, right or wrong.
"""

import hashlib
import hmac
import unicodedata
from collections.abc import Callable
from functools import cache

from pubdice.match.notation import tidy
from pubdice.server.live.seat_words import LANGUAGES, fold
from pubdice.text.word_lists import BITS_OF_A_WORD, word_list, words_of

WORDS = 4
"""Words of a player."""
BITS = WORDS * BITS_OF_A_WORD
NO_WORDS = b"\xff" * 8
"""What is hashed where the text has no four words of a list: no drawn number has so many bits."""
COST, BLOCK = 1 << 14, 8
"""Of scrypt: 16 MB and some 50 ms (RFC 7914). A thief of the file needs 2 ** 39 of these for one player's words."""
RomMix = Callable[[bytes], bytes]
"""scrypt's ROMix (RFC 7914, section 5) with ``COST`` and ``BLOCK``: 1,024 bytes into 1,024."""
_LENGTH = 32
_BETWEEN = str.maketrans(dict.fromkeys(",;.-_/", " "))
_MOST_TYPED = 200


def draw_words(source: Callable[[int], bytes]) -> int:
    """The number of a new player's words. source: so many random bytes."""
    return int.from_bytes(source(BITS // 8), "big")


def told_words(number: int, code: str) -> str:
    """The words of a number in a language; English where the language has no list."""
    return " ".join(words_of(number, WORDS, code if code in LANGUAGES else LANGUAGES[0]))


def read_book_words(text: str) -> int | None:
    """The number of the words somebody typed, in any language; None if they are not four words of one list.

    >>> read_book_words(told_words(2**39 + 77, "en").upper().replace(" ", ", ")) == 2**39 + 77
    True
    """
    parts = [fold(part) for part in text[:_MOST_TYPED].translate(_BETWEEN).split()]
    for code in LANGUAGES:
        places = [_places(code).get(part) for part in parts]
        if len(places) == WORDS and None not in places:
            return sum(place << BITS_OF_A_WORD * at for at, place in enumerate(places) if place is not None)
    return None


def words_hash(salt: bytes, name: str, number: int | None, mix: RomMix | None = None) -> bytes:
    """What the file has of a name and its words: 32 bytes. Takes 50 ms, so not on the event loop.

    mix: where Python has no OpenSSL, what does scrypt's costly part; the same 32 bytes come out.
    """
    password = NO_WORDS if number is None else number.to_bytes(8, "big")
    spelt = unicodedata.normalize("NFKC", tidy(name[:_MOST_TYPED])).casefold().encode()
    own = hmac.digest(salt, spelt, "sha256")
    if mix is None:
        return hashlib.scrypt(password, salt=own, n=COST, r=BLOCK, p=1, dklen=_LENGTH)
    return _pbkdf2(password, mix(_pbkdf2(password, own, 128 * BLOCK)), _LENGTH)


def _pbkdf2(password: bytes, salt: bytes, length: int) -> bytes:
    """PBKDF2-HMAC-SHA256 with one iteration, as scrypt has it twice. length: a multiple of 32 bytes."""
    blocks = range(1, length // 32 + 1)
    return b"".join(hmac.digest(password, salt + block.to_bytes(4, "big"), "sha256") for block in blocks)


@cache
def _places(code: str) -> dict[str, int]:
    return {fold(word): at for at, word in enumerate(word_list(code))}
