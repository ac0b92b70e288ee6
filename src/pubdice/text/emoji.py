"""Emoji: the allowed ones, their spelling, their look-alikes, and the columns that they take in a terminal.

Python's ``unicodedata`` has no emoji properties. So the allowed emoji are listed here, from Unicode 17's emoji-data. An
emoji is left out if it looks like a sign that pubdice itself draws. Discs, squares, triangles, diamonds and stars mark
seats and grades of play. Ticks, crosses, arrows, and letters, signs or numbers in a box are left out too.
``static/verify.js`` has the same set, by a browser's Unicode properties.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

_PICTURES = """
    231a-231b 23e9-23ec 23f0 23f3 2614-2615 2648-2653 267f 2693 26a1 26bd-26be 26c4-26c5 26ce 26d4 26ea 26f2-26f3 26f5
    26fa 26fd 270a-270b 2728 27b0 27bf 1f004 1f0cf 1f300-1f320 1f32d-1f335 1f337-1f37c 1f37e-1f393 1f3a0-1f3ca
    1f3cf-1f3d3 1f3e0-1f3f0 1f3f4 1f3f8-1f3fa 1f400-1f43e 1f440 1f442-1f4ae 1f4b0-1f4fc 1f4ff-1f517 1f525-1f531
    1f54b-1f54e 1f550-1f567 1f57a 1f595-1f596 1f5a4 1f5fb-1f64f 1f680-1f6c5 1f6cc 1f6d0-1f6d2 1f6d5-1f6d8 1f6dc-1f6df
    1f6eb-1f6ec 1f6f4-1f6fc 1f90c-1f93a 1f93c-1f945 1f947-1f9ff 1fa70-1fa7c 1fa80-1fa8a 1fa8e-1fac6 1fac8 1facd-1fadc
    1fadf-1faea 1faef-1faf8
"""
"""Ranges of characters, in hex, that are pictures by default (Emoji_Presentation)."""
_SIGNS = """
    2328 23f1-23f2 2600-2604 260e 2618 261d 2620 2622-2623 2626 262a 262e-262f 2638-263a 2640 2642 265f-2660 2663 2665
    2668 267b 267e 2692 2694-2697 2699 269b-269c 26a0 26a7 26b0-26b1 26c8 26cf 26d1 26d3 26e9 26f0-26f1 26f4 26f7-26f9
    2702 2708-2709 270c-270d 270f 2712 271d 2721 2744 2763-2764 1f321 1f324-1f32c 1f336 1f37d 1f396-1f397 1f399-1f39b
    1f39e-1f39f 1f3cb-1f3ce 1f3d4-1f3df 1f3f3 1f3f5 1f3f7 1f43f 1f441 1f4fd 1f549-1f54a 1f56f-1f570 1f573-1f579 1f587
    1f58a-1f58d 1f590 1f5a5 1f5a8 1f5b1-1f5b2 1f5bc 1f5c2-1f5c4 1f5d1-1f5d3 1f5dc-1f5de 1f5e1 1f5e3 1f5e8 1f5ef 1f5f3
    1f5fa 1f6cb 1f6cd-1f6cf 1f6e0-1f6e5 1f6e9 1f6f0 1f6f3
"""
"""Ranges of characters, in hex, that are pictures only before a variation selector (Emoji without
Emoji_Presentation)."""
_SKINNED = """
    261d 26f9 270a-270d 1f385 1f3c2-1f3c4 1f3c7 1f3ca-1f3cc 1f442-1f443 1f446-1f450 1f466-1f478 1f47c 1f481-1f483
    1f485-1f487 1f48f 1f491 1f4aa 1f574-1f575 1f57a 1f590 1f595-1f596 1f645-1f647 1f64b-1f64f 1f6a3 1f6b4-1f6b6 1f6c0
    1f6cc 1f90c 1f90f 1f918-1f91f 1f926 1f930-1f939 1f93c-1f93e 1f977 1f9b5-1f9b6 1f9b8-1f9b9 1f9bb 1f9cd-1f9cf
    1f9d1-1f9dd 1fac3-1fac5 1faf0-1faf8
"""
"""Ranges of characters, in hex, that may have a skin tone (Emoji_Modifier_Base)."""
_ALIKE = "♥❤ ☺😊🙂 😀😁😃😄😆 🌍🌎🌏 📅📆 🐀🐁 🐪🐫 ✋🤚 🚗🚘"
"""Groups of pictures that look the same at the size of a name: hearts, smiles, grins, globes, calendars and more."""
_SAME_FLAGS = "TDRO MCID SJNO BVNO MFFR UMUS HMAU"
"""Pairs of flags that look the same, by their country codes. To compare looks, the second flag stands for both."""
EMOJI_COLUMNS = 2
TEXT_STYLE, PICTURE_STYLE, JOINER = "\ufe0e", "\ufe0f", "\u200d"
TONES = "\U0001f3fb-\U0001f3ff"
_FLAG, _FLAG_A = "[\U0001f1e6-\U0001f1ff]", 0x1F1E6
_EAST = "WF"
"""The values of East_Asian_Width whose characters take two columns."""


@dataclass(frozen=True, slots=True)
class _Patterns:
    """Compiled patterns. Without this docstring, ``dataclass`` would make one with ``inspect``, which takes 100 calls
    at each start.
    """

    emoji: re.Pattern[str]
    """One emoji in the spelling of ``spelt``: a flag, or a picture with all pictures joined to it."""
    piece: re.Pattern[str]
    """One emoji, or any other single character."""
    needless: re.Pattern[str]
    """Variation selectors without an effect."""
    bare: re.Pattern[str]
    """A character of ``_SIGNS`` without its variation selector."""
    unseen: re.Pattern[str]
    """Differences that the eye misses: selectors, joiners and skin tones."""


@cache
def _patterns() -> _Patterns:
    """Return the patterns. They are compiled when the first text comes that is not ASCII, because a start of the
    program does not need them.
    """
    pictures, signs, skinned = map(_any_of, (_PICTURES, _SIGNS, _SKINNED))
    one = f"(?:{skinned}[{TONES}]|{pictures}|{signs}{PICTURE_STYLE})"
    emoji = f"{_FLAG}{_FLAG}|{one}(?:{JOINER}{one})*"
    style = f"[{TEXT_STYLE}{PICTURE_STYLE}]+"
    needless = f"(?<={pictures}){style}|(?<={signs}){style}(?=[{TONES}])|(?<=[0-9]){style}(?=\u20e3)"
    bare = f"({signs})(?:{style}|(?![{TONES}]))"
    unseen = f"[{TEXT_STYLE}{PICTURE_STYLE}{JOINER}{TONES}]"
    return _Patterns(*map(re.compile, (emoji, f"{emoji}|(?s:.)", needless, bare, unseen)))


def _any_of(ranges: str) -> str:
    """Return a character class of a regular expression, from ranges in hex such as "231a-231b 23f0"."""
    ends = [(*each.split("-"), each)[:2] for each in ranges.split()]
    return f"[{''.join(f'{chr(int(first, 16))}-{chr(int(last, 16))}' for first, last in ends)}]"


def spelt(text: str) -> str:
    """Return the text with each emoji in its canonical spelling: only a sign that needs a variation selector has one.

    >>> spelt("\u2665") == spelt("\u2665\ufe0e") == "\u2665\ufe0f", spelt("\U0001f3b2\ufe0f") == "\U0001f3b2"
    (True, True)
    """
    if text.isascii():
        return text
    return _patterns().bare.sub(rf"\1{PICTURE_STYLE}", _patterns().needless.sub("", text))


def emoji_in(text: str) -> list[str]:
    """Return the emoji of a text, in order."""
    return [] if text.isascii() else _patterns().emoji.findall(text)


@cache
def _same() -> dict[str, str]:
    """Return, for each emoji that has look-alikes, the emoji that stands for all of them."""
    hours = "".join(map(chr, range(0x1F550, 0x1F568)))
    flags = {_flag(each[:2]): _flag(each[2:]) for each in _SAME_FLAGS.split()}
    return {one: group[0] for group in (*_ALIKE.split(), hours) for one in group} | flags


def _flag(letters: str) -> str:
    return "".join(chr(_FLAG_A + ord(letter) - ord("A")) for letter in letters)


def looks(text: str) -> list[str]:
    """Return a sorted list of a text's emoji, to compare two texts by their looks.

    A family is split into its people. Skin tones are removed.

    >>> looks("\U0001f44d\U0001f3fd!") == looks("\U0001f44d\U0001f3ff") == ["\U0001f44d"]
    True
    """
    found: list[str] = []
    for emoji in emoji_in(text):
        seen = _patterns().unseen.sub("", emoji)
        found += [seen] if _FLAG_A <= ord(seen[0]) < _FLAG_A + 26 else seen
    return sorted(_same().get(each, each) for each in found)


def flag_letters(text: str) -> str:
    """Return the text with each flag as its two-letter country code, as devices without flags show it."""
    if text.isascii():
        return text
    return "".join(chr(ord("A") + ord(char) - _FLAG_A) if 0 <= ord(char) - _FLAG_A < 26 else char for char in text)


def without_emoji(text: str, instead: str = "") -> str:
    """Return the text with ``instead`` in place of each emoji."""
    return text if text.isascii() else _patterns().emoji.sub(instead, text)


def pieces(text: str) -> list[str]:
    """Return the characters of a text as a list. An emoji of several characters is one element."""
    return list(text) if text.isascii() else _patterns().piece.findall(text)


def is_printable(text: str) -> bool:
    """Return True if a text has no control or invisible characters, except joiners inside an emoji."""
    return text.isprintable() or without_emoji(text).isprintable()


def cells(text: str) -> int:
    """Return the columns that a text takes in a terminal.

    A wide East Asian letter or an emoji takes two, and a combining accent none.

    >>> cells("Ann"), cells("安"), cells("e\u0301"), cells("\U0001f469\u200d\U0001f467")
    (3, 2, 1, 2)
    """
    return len(text) if text.isascii() else sum(map(_columns, pieces(text)))


def _columns(piece: str) -> int:
    if len(piece) > 1 or unicodedata.east_asian_width(piece) in _EAST:
        return EMOJI_COLUMNS
    return 0 if unicodedata.combining(piece) else 1
