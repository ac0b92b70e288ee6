"""Codes of tables and of duplicate nights, which people say to one another, and their links, which nobody can guess.
Knows no table; random bytes come in as an argument.

A code is two syllables, KOR BUM: consonant, vowel, consonant, twice. It has no C Q V X Y Z, which sound like other
letters, no J, and nothing that is rude in English or German, or by the ``names.txt`` of another language. Codes are few
enough to guess, so wrong ones are counted (``http.limits``), and where many tables are in use a new code has a third
syllable (``new_tables``). Codes of earlier versions, six of 24 letters, are read as before.

A link is a code with a secret of 60 bits, made from the house's own by HMAC-SHA256. There is no limit on links, so
somebody who holds one gets in, however many others guess codes.
"""

import hmac
import json
import re
import unicodedata
from base64 import b32encode
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from pubdice.text.own_names import own_names
from pubdice.text.word_lists import BITS_OF_A_WORD, LANGUAGES, words_of

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Of the codes of earlier versions: no I, no O."""
LETTERS_OF_A_CODE = 6
OPENING, VOWELS, CLOSING = "BDFGHKLMNPRSTW", "AEIOU", "FKLMNPRST"
SECRET_LETTERS = 12
Linked = Literal["table", "night"]
"""The target of a link: a table and a night of one code have different secrets."""

_RUDE = """
    DIK FAP FEK FIK FOT FUK FUP FUT GAS HAS HOM HOR HUR KAF KAK KIK KIL KOK KOT KUK KUM KUN KUT LES LUS MUF NAS NIK NIP
    PAK PIK PIM PIP PIS POF POP POR PUF PUK PUP PUS RAP SAK SEK SES SIK SUF SUK TAS TIT TOT TUS WIK WOK WOP
"""
_RUDE_TOGETHER = """
    BASTAR BOMBEN BUMSEN DEPPEN DILDOS FATSOS HITLER KONDOM LOSERS MONGOL MUSLIM NUTTEN PENNER PENNIS SATTAN TAMPON
    TERROR TUNTEN WANKER
"""
RUDE_SYLLABLES = frozenset(_RUDE.split())
RUDE_CODES = frozenset((*_RUDE_TOGETHER.split(), *(word.upper() for word in own_names("rude"))))
"""Two harmless syllables that together are not."""
_SECRET = re.compile(rf"(.*)-([a-z2-7]{{{SECRET_LETTERS}}})", re.IGNORECASE | re.ASCII | re.DOTALL)
_AS_HEARD = str.maketrans("CQVZ01", "KKFSOI")
"""Common misspellings of the letters of a code that people have only heard, or seen badly."""


@cache
def syllables() -> tuple[str, ...]:
    """All syllables that a code can have, in order."""
    made = (first + vowel + last for first in OPENING for vowel in VOWELS for last in CLOSING)
    return tuple(syllable for syllable in made if syllable not in RUDE_SYLLABLES)


def new_code(source: Callable[[int], bytes], count: int = 2) -> str:
    """A table's code with this many syllables, all equally likely. source: returns that many random bytes.

    >>> new_code(lambda number: bytes(number))
    'BAFBAF'
    """
    known = syllables()
    even = 65_536 - 65_536 % len(known)
    while True:
        drawn: list[str] = []
        while len(drawn) < count:
            if (number := int.from_bytes(source(2), "big")) < even:  # else some would be likelier than others
                drawn.append(known[number % len(known)])
        code = "".join(drawn)
        if not any(rude in code for rude in RUDE_CODES):
            return code


@lru_cache(maxsize=4096)
def read_code(text: str) -> str | None:
    """The code in what somebody typed, or pasted as a whole address or link; None if there is none.

    >>> read_code(" abc-def "), read_code("http://192.168.1.7:4224/t/ABCDEF"), read_code("ABCDE0")
    ('ABCDEF', 'ABCDEF', None)
    >>> read_code("kor bum"), read_code("Cor-Bum"), read_code("KOR BUM TAL")
    ('KORBUM', 'KORBUM', 'KORBUMTAL')
    """
    last = text.strip().partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2]
    linked = _SECRET.fullmatch(last)
    code = "".join(char for char in (linked[1] if linked else last) if not char.isspace() and char not in "-–.")
    capital = code.upper() if code.isascii() else ""
    if len(capital) == LETTERS_OF_A_CODE and all(char in LETTERS for char in capital):
        return capital
    heard = capital.translate(_AS_HEARD)
    return heard if _is_said(heard) else None


def _is_said(code: str) -> bool:
    """True if a text is two or three syllables."""
    parts = [code[at : at + 3] for at in range(0, len(code), 3)]
    return len(parts) in (2, 3) and all(part in _known() for part in parts)


@cache
def _known() -> frozenset[str]:
    return frozenset(syllables())


def format_code(code: str) -> str:
    """A code as it is shown and said: in groups of three.

    >>> format_code("KORBUM")
    'KOR BUM'
    """
    return " ".join(code[at : at + 3] for at in range(0, len(code), 3))


@lru_cache(maxsize=16_384)
def link(secret: bytes, code: str, of: Linked = "table") -> str:
    """The link of a table or of a night, as the last part of its address.

    >>> link(b"the house's", "KORBUM"), link(b"the house's", "KORBUM", "night")
    ('KORBUM-qfovpmt6mmpq', 'KORBUM-7vmbpt4kxewi')
    """
    digest = hmac.digest(secret, json.dumps([f"link of a {of}", code]).encode(), "sha256")
    return f"{code}-{b32encode(digest)[:SECRET_LETTERS].decode('ascii').lower()}"


@lru_cache(maxsize=4096)
def secret_in(text: str) -> str:
    """The secret in what may be a link; "" if there is none. ``is_link`` says whether it is the right one.

    >>> secret_in("KORBUM-ge44ijwslf6c"), secret_in("KOR-BUM")
    ('ge44ijwslf6c', '')
    """
    found = _SECRET.fullmatch(text.strip().partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2])
    return found[2].lower() if found else ""


def is_link(secret: bytes, code: str, claimed: str, of: Linked = "table") -> bool:
    """True if this is the secret of the link of this code, compared in constant time. secret: the house's own."""
    return hmac.compare_digest(link(secret, code, of).rpartition("-")[2], claimed)


# The four words of a seat, with which a person takes it on another phone. Knows no table, draws nothing at random.
#
# The words of a seat are 40 bits, made from the house's secret by HMAC-SHA256, so that nothing about them is stored
# and a new generation makes the old ones worthless.
#
# They come from lists of 1,024 words (``text.word_lists``). The same bits are four words in every language. A seat
# accepts them in any, spelt with or without spaces, capitals, ä or ae.
#
# Houses of earlier versions showed words of no language: consonant, vowel, consonant, vowel, consonant, where letters
# that sound alike (b p, d t, g k, m n, s z …) count as one sound. A seat still accepts them.


__all__ = ["LANGUAGES", "same_words", "words_for"]
WORDS_OF_A_SEAT = 4
SOUNDS_OF_A_WORD = 5
EARLIER = ""
"""The words of no language, as earlier versions showed them."""

_ALIKE = (
    ("sch", "s"), ("chs", "x"), ("cks", "x"), ("ks", "x"), ("ck", "k"), ("ch", "k"), ("sh", "s"), ("ph", "f"),
    ("th", "t"), ("oo", "u"), ("ou", "u"), ("ee", "i"), ("ie", "i"),
)  # fmt: skip
"""Spellings of one sound, the longer first."""
_ONE_FOR_ALL = str.maketrans("pdgcqnvzeyj", "btkkkmwsiii")
"""Letters that sound alike, and the one that stands for them."""


def words_for(
    secret: bytes, table: str, seat: int, person: str, generation: int = 1, *, language: str = EARLIER
) -> str:
    """The four words by which this person takes this seat on another phone, in a language."""
    facts = json.dumps(["words of a seat", table, seat, person, generation]).encode()
    bits = int.from_bytes(hmac.digest(secret, facts, "sha256")[:8], "big")
    if language:
        return " ".join(words_of(bits, WORDS_OF_A_SEAT, language))
    earlier = _earlier()
    return " ".join(earlier[(bits >> BITS_OF_A_WORD * place) % len(earlier)] for place in range(WORDS_OF_A_SEAT))


def read_words(text: str) -> str | None:
    """The four words of no language in what somebody typed, spelt as earlier versions did; None if there are none.

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
    """True if the words typed are any of the right ones, compared in constant time."""
    earlier, plain = (read_words(typed) or "").encode(), fold(typed).encode()
    found = False
    for words in right:
        found |= hmac.compare_digest(earlier, words.encode()) and bool(earlier)
        found |= hmac.compare_digest(plain, fold(words).encode()) and bool(plain)
    return found


def fold(text: str) -> str:
    """Words in the spelling in which they are compared: small plain letters, no spaces, and ä, ae and a alike.

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
    """Small plain letters, everything else a space; marks over letters are dropped."""
    plain = unicodedata.normalize("NFKD", text[:400]).casefold()
    return "".join(char if "a" <= char <= "z" else "" if unicodedata.combining(char) else " " for char in plain)


def _sound(word: str) -> str:
    """A word by ear: one letter for all that sound alike, doubled letters once."""
    for written, heard in _ALIKE:
        word = word.replace(written, heard)
    word = word.translate(_ONE_FOR_ALL)
    return "".join(char for at, char in enumerate(word) if char != word[at - 1 : at])
