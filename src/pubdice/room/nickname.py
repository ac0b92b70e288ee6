"""Check nicknames that other people see. A name must not pass for another player's name, or for a word of the house.

The check is stricter than ``header.read_name``, which also reads names from earlier versions. A name is folded to its
compatibility form (NFKC), and must be in one script in everyday use (Unicode UAX 31). Two names are alike if their
*skeletons* are equal (UTS 39) and their emoji look the same. The skeletons use our own table of letters for Latin,
Greek and Cyrillic (docs/decisions/0008-names-that-look-alike.md).
"""

import re
import unicodedata
from collections.abc import Iterable

from pubdice.core.errors import BadNotation, Refused
from pubdice.match.header import LONGEST, read_name, tidy, typed_name
from pubdice.text.emoji import EMOJI_COLUMNS, emoji_in, flag_letters, looks, without_emoji
from pubdice.text.own_names import own_names

MOST_MARKS = 3
"""The most marks over and under one letter. Vietnamese has up to two, pointed Hebrew up to three."""
MOST_DIGITS = 4
"""The most digits in a name. With more, it would look like a roll."""
_WIDE = 2
"""The columns that an ideograph takes."""

_EVERYDAY = """
    ARABIC ARMENIAN BENGALI BOPOMOFO CJK CYRILLIC DEVANAGARI ETHIOPIC GEORGIAN GREEK GUJARATI GURMUKHI HANGUL HEBREW
    HIRAGANA KANNADA KATAKANA KHMER LAO LATIN MALAYALAM MYANMAR ORIYA SINHALA TAMIL TELUGU THAANA THAI TIBETAN
"""
_SCRIPTS = frozenset(_EVERYDAY.split())
"""The scripts in everyday use (UAX 31, table 5), each by the first word of its letters' Unicode names."""
_TOGETHER = tuple(
    frozenset(scripts.split()) for scripts in ("LATIN CJK HIRAGANA KATAKANA", "LATIN CJK BOPOMOFO", "LATIN CJK HANGUL")
)
"""The scripts that may be mixed in one name (UTS 39, "highly restrictive")."""
_SHARED = frozenset(("DIGIT", "COMBINING", "MODIFIER"))
"""The first words of Unicode names of digits and marks. These have no script of their own."""
_AS = {"IDEOGRAPHIC": "CJK", "EXTENDED": "ARABIC"}

_PAIRS = (
    "аa вb еe кk мm нh оo рp сc тt уy хx іi јj ѕs һh ԁd ԛq ԝw ѵv ӏl ьb зӡ АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS"
    " ԚQ ԜW ҮY αa βb γy εe ηn ιi κk νv οo ρp σo τt υu χx ωw ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ıi ɑa ɡg ɩi ʟl"
    " ʏy ɴn ʀr օo սu հh ոn ցg ӡ3 0o 1l 5s ǀl Ɩl ȷj"
    " ٥o ۵o ०o ০o ੦o ૦o ୦o ௦o ౦o ೦o ൦o ๐o ໐o ၀o ١l ۱l ৪8 ੪8 ৭9 ੧9 ୨9 ൭9"
)
"""Pairs of letters that look alike. The first letter of each pair counts as the second.

The last row has digits of other scripts that look like our letters and digits (UTS 39).
"""
_SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
_LOOKS = str.maketrans(
    {pair[0]: pair[1] for pair in _PAIRS.split()}
    | {
        char: name.removeprefix(_SMALL_CAPITAL).lower()
        for char in map(chr, (*range(0x250, 0x2B0), *range(0x1D00, 0x1D80), *range(0xA720, 0xA800)))
        if len(name := unicodedata.name(char, "")) == len(_SMALL_CAPITAL) + 1 and name.startswith(_SMALL_CAPITAL)
    }
)
_NOT_LETTERS = re.compile(r"[^\w]|[_\u01c3\u02b0-\u02ff\u0640\ua700-\ua721\ua788-\ua78c\ua78f]")
"""The characters that show no letter: signs, and letters that are only marks beside others, like U+02BC."""
_STROKES = "\u01c0-\u01c3\u1173\u1175\u119e\u3031-\u3035\u303b\u303c\u309d\u309e\u30fc-\u30fe\u4e00\u4e28\u4e36\u4e3f"
"""The letters that are a stroke, a dot or a repetition mark. Beside Latin letters they look like signs."""
_EAST = "\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
_STROKES_ALONE = re.compile(f"(?<![{_EAST}])[{_STROKES}]+(?![{_EAST}])")
"""The pattern of such letters without Han, kana or hangul beside them."""
_BREAK = re.compile(r"[\W_]+")
_HOUSE = frozenset(own_names("reserved"))
_ADDRESSED = frozenset(own_names("addressed"))
"""The words with which the house begins a sentence to a player. A name such as "You won" must not pass for one."""
_NUMBERED = re.compile(rf"({'|'.join(own_names('numbered'))})\d+")


def read_nickname(text: str, others: Iterable[str] = ()) -> str:
    """Return a typed name for a seat at a table with these other names. Raise BadNotation or Refused("name-taken").

    >>> read_nickname("  ＡＮＮ ")
    'ANN'
    """
    # This comes before NFKC, because NFKC splits some signs that pass for an apostrophe.
    typed = typed_name(tidy(text[: 10 * LONGEST]))
    name = read_name(unicodedata.normalize("NFKC", typed))
    unsigned = unicodedata.normalize("NFKC", "".join(char for char in typed if not _is_numeral_sign(char)))
    letters = without_emoji(name)
    if _marks(letters) > MOST_MARKS or sum(unicodedata.category(char)[0] == "N" for char in letters) > MOST_DIGITS:
        raise BadNotation("name-characters", found=name)
    if not skeleton(letters) and letters == name:
        raise BadNotation("name-characters", found=name)
    if width(name) > LONGEST:
        raise BadNotation("name-long", found=name, longest=LONGEST)
    if any(map(_is_the_houses, {letters, without_emoji(name, " "), without_emoji(flag_letters(name))})):
        raise BadNotation("name-reserved", found=name)
    if any(is_alike(name, other) or is_alike(unsigned, other) for other in others if other):
        raise Refused("name-taken", name=name)
    if not _is_of_one_script(letters):
        raise BadNotation("name-script", found=name)
    return name


def is_alike(name: str, other: str) -> bool:
    """Return True if one name can be taken for the other.

    Their letters and their emoji must look alike. The place of an emoji does not matter. A flag also counts as its two
    letters.

    >>> is_alike("Ann", "ann."), is_alike("Ann", "А\u200bnn".replace("\u200b", "")), is_alike("Ann", "Anna")
    (True, True, False)
    >>> is_alike("Ann", "Ann \U0001f3b2"), is_alike("\U0001f3b2 Ann", "Ann \U0001f3b2")
    (False, True)
    """
    pairs = {(name, other), (flag_letters(name), flag_letters(other))}  # without a flag, both pairs are the same
    return any(
        looks(one) == looks(two) and _letters_are_alike(without_emoji(one), without_emoji(two)) for one, two in pairs
    )


def _letters_are_alike(name: str, other: str) -> bool:
    if name.casefold() == other.casefold() or skeleton(name) == skeleton(other):
        return True
    if skeleton(_without_strokes(name)) == skeleton(_without_strokes(other)):
        return True
    return skeleton(_in_our_digits(name)) == skeleton(_in_our_digits(other))


def skeleton(name: str) -> str:
    """Return a name as it looks, with one letter for all that look alike (UTS 39). Only letters and digits remain.

    A capital I looks like a small l, so both count as l. Callers compare the plain names too.
    """
    seen = unicodedata.normalize("NFKD", name).translate(_LOOKS).replace("I", "l")
    return _NOT_LETTERS.sub("", unicodedata.normalize("NFKC", seen.casefold()).translate(_LOOKS))


def _without_strokes(name: str) -> str:
    """Return a name's letters and digits without the letters that look like signs.

    If it has only such letters, keep them.

    >>> _without_strokes("Ann\u30fc"), _without_strokes("\u4e00"), _without_strokes("\u6797 \u4e00")
    ('Ann', '一', '林一')
    """
    letters = _BREAK.sub("", unicodedata.normalize("NFKC", name))
    return _STROKES_ALONE.sub("", letters) or letters


def _is_the_houses(name: str) -> bool:
    """Return True if a name without its emoji is a word of the house, or begins like one of the house's sentences."""
    return _is_ours(name) or _is_ours(_without_strokes(name)) or _speaks(name)


def _is_ours(name: str) -> bool:
    """Return True if a name is a word of the house, or the name of a numbered seat."""
    plain = _NOT_LETTERS.sub("", name.casefold())
    return plain in _HOUSE or skeleton(name) in _SKELETONS or _NUMBERED.fullmatch(plain) is not None


def _in_our_digits(name: str) -> str:
    """Return a name with all its digits as 0 to 9, as they are read aloud."""
    return "".join(str(unicodedata.decimal(char, char)) for char in name)


def _speaks(name: str) -> bool:
    """Return True if a name begins like a sentence of the house: with a form of "you", or with "the host"."""
    words = [skeleton(_without_strokes(word)) for word in _BREAK.split(name) if word] or [""]
    return words[0] in _ADDRESSED_LOOKS or "".join(words[:2]) in _TITLES


def _is_of_one_script(name: str) -> bool:
    """Return True if all letters are of one everyday script or of scripts that may be mixed.

    All digits must be of one script too.
    """
    if len({ord(char) - unicodedata.decimal(char) for char in name if char.isdecimal()}) > 1:
        return False
    scripts = {_script(char) for char in name if unicodedata.category(char)[0] in "LMN"} - _SHARED
    return scripts <= _SCRIPTS and (len(scripts) < 2 or any(scripts <= some for some in _TOGETHER))


def _script(char: str) -> str:
    """Return the script of a letter, or the kind of another character: the first word of its Unicode name."""
    first = unicodedata.name(char, "").replace("-", " ").partition(" ")[0]
    return _AS.get(first, first)


def width(name: str) -> int:
    """Return the columns that a name takes.

    Ideographs and emoji take two. So do letters of rare scripts, which may be wider than others.
    """
    letters = sum(0 if unicodedata.category(char)[0] == "M" else _columns(char) for char in without_emoji(name))
    return letters + EMOJI_COLUMNS * len(emoji_in(name))


def _columns(char: str) -> int:
    return _WIDE if unicodedata.east_asian_width(char) in "WF" or char > "\uffff" or "\ua980" <= char <= "\ua9df" else 1


def _marks(name: str) -> int:
    """Return the most marks that a letter of the name has, each counted by itself."""
    most = marks = 0
    for char in unicodedata.normalize("NFD", name):
        marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
        most = max(most, marks)
    return most


def _is_numeral_sign(char: str) -> bool:
    """Return True for a numeral that NFKC spells out, such as ², Ⅰ or ①. In a name it may pass for a sign."""
    return unicodedata.category(char) in ("Nl", "No") and unicodedata.normalize("NFKC", char) != char


_SKELETONS = frozenset(map(skeleton, _HOUSE - {"i"}))
_ADDRESSED_LOOKS = frozenset(map(skeleton, _ADDRESSED))
_TITLES = frozenset(map(skeleton, own_names("titles")))
