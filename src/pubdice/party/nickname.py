"""What people may call themselves where others see it: no name that passes for another's, or for the house's.

Stricter than ``names``, which also reads what earlier versions kept. A name is folded to its compatibility form (NFKC),
and two names are alike if they look alike: their *skeletons* are equal (Unicode UTS 39), with a table of letters of our
own for Latin, Greek and Cyrillic (docs/decisions/0008-names-that-look-alike.md).
"""

import re
import unicodedata
from collections.abc import Iterable

from pubdice.game import BadNotation
from pubdice.names import LONGEST, read_name
from pubdice.table import Refused

MOST_MARKS = 3
"""Marks over and under one letter: Vietnamese has two, pointed Hebrew three."""
MOST_DIGITS = 4
"""More look like a roll."""
_WIDE = 2

_PAIRS = (
    "аa вb еe кk мm нh оo рp сc тt уy хx іi јj ѕs һh ԁd ԛq ԝw ѵv ӏl ьb зӡ АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS"
    " ԚQ ԜW ҮY αa βb γy εe ηn ιi κk νv οo ρp σo τt υu χx ωw ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ıi ɑa ɡg ɩi ʟl"
    " ʏy ɴn ʀr օo սu հh ոn ցg ӡ3 0o 1l 5s"
)
_LOOKS = str.maketrans({pair[0]: pair[1] for pair in _PAIRS.split()})
_NO_LETTER = re.compile(r"[^\w]|_")
_OURS = """
    you your youre me i we us all everybody everyone somebody someone nobody noone none host thehost house thehouse bot
    abot pubdice player players seat table watcher winner du dich dir ihr euch ich wir alle jeder jemand niemand keiner
    gastgeber gastgeberin derhost haus dashaus tisch platz spieler spielerin gewinner zuschauer draw
"""
_HOUSE = frozenset(_OURS.split())
_NUMBERED = re.compile(r"(seat|chair|player|table|platz|stuhl|sitz|spieler|tisch)\d+")


def read_nickname(text: str, others: Iterable[str] = ()) -> str:
    """A name for somebody at a table where these others are. Raises BadNotation or Refused("name-taken").

    >>> read_nickname("  ＡＮＮ ")
    'ANN'
    """
    name = read_name(unicodedata.normalize("NFKC", text[: 10 * LONGEST]))
    if _marks(name) > MOST_MARKS or sum(map(_digits, name)) > MOST_DIGITS:
        raise BadNotation("name-characters", found=name)
    if width(name) > LONGEST:
        raise BadNotation("name-long", found=name, longest=LONGEST)
    plain = _NO_LETTER.sub("", name.casefold())
    if plain in _HOUSE or skeleton(name) in _SKELETONS or _NUMBERED.fullmatch(plain):
        raise BadNotation("name-reserved", found=name)
    if any(is_alike(name, other) for other in others if other):
        raise Refused("name-taken", name=name)
    return name


def is_alike(name: str, other: str) -> bool:
    """Whether two names can be taken for one another.

    >>> is_alike("Ann", "ann."), is_alike("Ann", "А\u200bnn".replace("\u200b", "")), is_alike("Ann", "Anna")
    (True, True, False)
    """
    return name.casefold() == other.casefold() or skeleton(name) == skeleton(other)


def skeleton(name: str) -> str:
    """A name as it looks: letters that look alike are one, what is no letter or digit is left out.

    A capital I looks like a small l, so both count as l; whoever compares looks at the plain names too.
    """
    seen = unicodedata.normalize("NFKC", name).translate(_LOOKS).replace("I", "l")
    return _NO_LETTER.sub("", unicodedata.normalize("NFKC", seen.casefold()).translate(_LOOKS))


def width(name: str) -> int:
    """Columns a name takes: ideographs two, letters of rare scripts, which may be wider still, as many."""
    return sum(0 if unicodedata.category(char)[0] == "M" else _columns(char) for char in name)


def _columns(char: str) -> int:
    return _WIDE if unicodedata.east_asian_width(char) in "WF" or char > "\uffff" or "\ua980" <= char <= "\ua9df" else 1


def _marks(name: str) -> int:
    """The most marks that one letter has, counted one by one."""
    most = marks = 0
    for char in unicodedata.normalize("NFD", name):
        marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
        most = max(most, marks)
    return most


def _digits(char: str) -> int:
    return int(unicodedata.category(char)[0] == "N")


_SKELETONS = frozenset(map(skeleton, _HOUSE - {"i"}))
