"""Codes of tables and duplicate nights, which people say aloud, and their links, which cannot be guessed.

Knows no table. Random bytes come in as an argument.

A code is two syllables, KOR BUM: consonant, vowel, consonant, twice. It has no C Q V X Y Z, which sound like other
letters, and no J. It is not rude in English or German, nor by the ``names.txt`` of another language. There are few
enough codes to guess, so wrong ones are counted (``web.limits``). If many tables are in use, a new code has a third
syllable (``new_tables``). Codes of earlier versions, six of 24 letters, are still read.

A link is a code with a secret of 60 bits, made from the house's own secret by HMAC-SHA256. Links have no limit, so a
client with a link gets in however many others guess codes.
"""

import hmac
import json
import re
from base64 import b32encode
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Literal

from pubdice.text.own_names import own_names

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The letters of codes of earlier versions, without I and O."""
LETTERS_OF_A_CODE = 6
OPENING, VOWELS, CLOSING = "BDFGHKLMNPRSTW", "AEIOU", "FKLMNPRST"
SECRET_LETTERS = 12
Linked = Literal["table", "night"]
"""The target of a link. A table and a night with the same code have different secrets."""

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
"""Codes of two harmless syllables that are rude together."""
_SECRET = re.compile(rf"(.*)-([a-z2-7]{{{SECRET_LETTERS}}})", re.IGNORECASE | re.ASCII | re.DOTALL)
_AS_HEARD = str.maketrans("CQVZ01", "KKFSOI")
"""Common misspellings of a code that was heard, or read badly."""


@cache
def syllables() -> tuple[str, ...]:
    """Return all syllables that a code can have, in order."""
    made = (first + vowel + last for first in OPENING for vowel in VOWELS for last in CLOSING)
    return tuple(syllable for syllable in made if syllable not in RUDE_SYLLABLES)


def new_code(source: Callable[[int], bytes], count: int = 2) -> str:
    """Return a table's code of ``count`` syllables, all equally likely. source: returns a number of random bytes.

    >>> new_code(lambda number: bytes(number))
    'BAFBAF'
    """
    known = syllables()
    even = 65_536 - 65_536 % len(known)
    while True:
        drawn: list[str] = []
        while len(drawn) < count:
            if (number := int.from_bytes(source(2), "big")) < even:  # otherwise some syllables would be more likely
                drawn.append(known[number % len(known)])
        code = "".join(drawn)
        if not any(rude in code for rude in RUDE_CODES):
            return code


@lru_cache(maxsize=4096)
def read_code(text: str) -> str | None:
    """Return the code in a typed text, or in a pasted address or link. None if there is none.

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
    """Return True if a text is two or three syllables."""
    parts = [code[at : at + 3] for at in range(0, len(code), 3)]
    return len(parts) in (2, 3) and all(part in _known() for part in parts)


@cache
def _known() -> frozenset[str]:
    return frozenset(syllables())


def format_code(code: str) -> str:
    """Return a code as it is shown and said: in groups of three letters.

    >>> format_code("KORBUM")
    'KOR BUM'
    """
    return " ".join(code[at : at + 3] for at in range(0, len(code), 3))


@lru_cache(maxsize=16_384)
def link(secret: bytes, code: str, of: Linked = "table") -> str:
    """Return the link of a table or of a night, as the last part of its address.

    >>> link(b"the house's", "KORBUM"), link(b"the house's", "KORBUM", "night")
    ('KORBUM-qfovpmt6mmpq', 'KORBUM-7vmbpt4kxewi')
    """
    digest = hmac.digest(secret, json.dumps([f"link of a {of}", code]).encode(), "sha256")
    return f"{code}-{b32encode(digest)[:SECRET_LETTERS].decode('ascii').lower()}"


@lru_cache(maxsize=4096)
def secret_in(text: str) -> str:
    """Return the secret in a text that may be a link; "" if there is none. ``is_link`` checks the secret.

    >>> secret_in("KORBUM-ge44ijwslf6c"), secret_in("KOR-BUM")
    ('ge44ijwslf6c', '')
    """
    found = _SECRET.fullmatch(text.strip().partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2])
    return found[2].lower() if found else ""


def is_link(secret: bytes, code: str, claimed: str, of: Linked = "table") -> bool:
    """Return True if ``claimed`` is the secret of this code's link. Compares in constant time.

    ``secret`` is the house's own.
    """
    return hmac.compare_digest(link(secret, code, of).rpartition("-")[2], claimed)
