import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubdice.core.errors import BadNotation
from pubdice.match.header import LONGEST, find_name, is_letter, read_name, read_names
from pubdice.match.notation import parse
from pubdice.server.web.render import SHAPES
from pubdice.text.emoji import cells, emoji_in, is_printable, without_emoji

EMOJI = [
    "🎲",
    "🎲 Zoë",
    "Zoë🎲",
    "❤\ufe0f",
    "👍\U0001f3fd",
    "☝\U0001f3fd",
    "👩\u200d👩\u200d👧",
    "❤\ufe0f\u200d🔥",
    "🏳\ufe0f\u200d🌈",
    "👨\U0001f3fe\u200d⚕\ufe0f",
    "🇩🇪 Ann",
    "🇩🇪🇫🇷",
    "7\u20e3",
    "👑",
    "draw 🎲",
    "'t Hooft",
    "Ann/Bob",
    "Ann + Bob",
    "Marcel·la",
    "ジョン・スミス",
]
"""Names of later versions."""


@pytest.mark.parametrize(
    "name", ["Ann", "you", "Zoë", "O'Hara", "J. R.", "R2-D2", "A_b", "Tom & Co", "Ж", "李", "7 of 9", "x" * 24, *EMOJI]
)
def test_names_people_have_are_read_as_they_are(name: str) -> None:
    assert read_name(name) == name


def test_spaces_are_tidied_and_letters_composed() -> None:
    assert read_name("  Zoe\u0308 \t Doe ") == "Zoë Doe"


@pytest.mark.parametrize("sign", "‘’‛′`´＇՚׳")
def test_an_apostrophe_of_any_shape_is_one(sign: str) -> None:
    assert read_name(f"O{sign}Brien") == "O'Brien"
    assert find_name(f"o{sign}brien", ("Ann", "O'Brien")) == 1
    assert read_names(f"Ann, {sign}t Hooft") == ("Ann", "'t Hooft")
    with pytest.raises(BadNotation, match="name-twice"):
        read_names(f"O'Brien, O{sign}BRIEN")


def test_the_apostrophe_that_is_a_letter_stays_in_records_and_names_the_same_seat() -> None:
    assert read_name("Oʼbrien") == "Oʼbrien", "as an earlier version wrote it"
    assert find_name("oʼbrien", ("O'Brien", "Oʼbrien")) == 1
    assert find_name("oʼbrien", ("Ann", "O'Brien")) == 1


@pytest.mark.parametrize("sign", "‐‑‒–—―−﹘﹣－")
def test_a_dash_of_any_length_is_one(sign: str) -> None:
    assert read_name(f"R2{sign}D2") == "R2-D2"
    assert find_name(f"r2{sign}d2", ("R2-D2",)) == 0


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("♥", "♥\ufe0f"),
        ("♥\ufe0e", "♥\ufe0f"),
        ("♥\ufe0f\ufe0f", "♥\ufe0f"),
        ("🎲\ufe0f", "🎲"),
        ("☝\ufe0f\U0001f3fd", "☝\U0001f3fd"),
        ("7\ufe0f\u20e3", "7\u20e3"),
        ("❤\u200d🔥", "❤\ufe0f\u200d🔥"),
    ],
)
def test_an_emoji_is_spelt_in_one_way(typed: str, kept: str) -> None:
    assert read_name(typed) == kept
    assert find_name(typed, ("Ann", kept)) == 1


PIECES = st.sampled_from((*"aZß7'+/·・-_ 🎲❤♥👩👍☝🇩🇪★⭐🅰’–éハ", *"\u200d\ufe0f\ufe0e\u20e3\U0001f3fd\U000e0067"))
"""Letters and signs, emoji and halves of them, signs of the house, and what nobody sees."""


@given(st.lists(PIECES, max_size=14).map("".join))
def test_any_pieces_of_emoji_are_a_name_that_stays_or_refused(text: str) -> None:
    try:
        name = read_name(text)
    except BadNotation:
        return
    assert read_name(name) == name
    assert find_name(text, (name,)) == 0
    assert is_printable(name)
    assert 0 < cells(name) <= 2 * LONGEST
    assert without_emoji(name).isprintable(), "no joiner stands alone"
    assert not set(without_emoji(name)) & set("\u200d\ufe0f\ufe0e\U0001f3fd\U000e0067🇩🇪★⭐🅰")
    record = parse(f"pubdice 1\ngame: midnight\nseats: Ann Bob, {name}\nround 1\n{name}: 344512\n")
    assert record.header.names == ("Ann Bob", name)
    assert [token.text for token in record.tokens if token.kind == "seat"] == [name]


def test_the_pictures_are_unicodes_but_for_signs_of_the_house() -> None:
    """tests/browser/test_forged_records.py compares them with those of a browser."""
    for sign in (*SHAPES, *"✓✔☑✅❌✖⭐🌑"[:-1], *"🟥🟨🟩⬜⬛🔴⚪🔷🔶🔺♦▶➡↔🅰🆗💯🔟❓❗➕➖©®™"):
        for text in (sign, f"{sign}\ufe0f", f"Ann {sign}", f"{sign}\ufe0f\u200d🔥"):
            with pytest.raises(BadNotation, match="name-"):
                read_name(text)
    wide = [char for char in map(chr, range(0x1F300, 0x1F6D0)) if unicodedata.east_asian_width(char) == "W"]
    refused = [char for char in wide if not emoji_in(char) and unicodedata.category(char) == "So"]
    assert "".join(refused) == "💯🔘🔙🔚🔛🔜🔝🔞🔟🔠🔡🔢🔣🔤🔲🔳🔴🔵🔶🔷🔸🔹🔺🔻🔼🔽"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "name-missing"),
        *(
            (text, "name-characters")
            for text in ("🇩", "🇩🇪🇫", "👩\u200d", "\u200d👩", "\ufe0f", "a\ufe0f", "\U0001f3fd", "🎲\U0001f3fd")
        ),
        *(
            (text, "name-characters")
            for text in ("🏴\U000e0067\U000e007f", "♥♦", "·a", "a·", "a··b", "' a", "''a", "+a", "/", "a!", "a?")
        ),
        *((f"a{sign}b", "name-characters") for sign in '!?()[]{}<>@*~|\\^$%";§…'),
        (" \t", "name-missing"),
        ("x" * 25, "name-long"),
        ("a:b", "name-characters"),
        ("a#b", "name-characters"),
        ("a=b", "name-characters"),
        ("a,b", "name-characters"),
        ("a\x1bb", "name-characters"),
        ("a\u202eb", "name-characters"),
        ("a\u200bb", "name-characters"),
        ("<b>", "name-characters"),
        ("-a", "name-characters"),
        ("'", "name-characters"),
        ("\u0301", "name-characters"),
        ("draw", "name-reserved"),
        ("Draw", "name-reserved"),
    ],
)
def test_a_name_that_could_do_harm_is_refused(text: str, fault: str) -> None:
    with pytest.raises(BadNotation) as error:
        read_name(text)
    assert error.value.code == fault


UNSEEN = re.compile(
    "(.* )?VARIATION SELECTOR.*|COMBINING GRAPHEME JOINER|(HALFWIDTH )?HANGUL (.* )?FILLER|KHMER VOWEL INHERENT .*"
)
"""Names of the letters and marks that show nothing, as Unicode has them."""


def test_a_letter_shows_something() -> None:
    """tests/browser/test_forged_records.py compares them with what a browser knows of them."""
    letters = [char for char in map(chr, range(0x110000)) if unicodedata.category(char)[0] in "LMN"]
    unseen = [char for char in letters if UNSEEN.fullmatch(unicodedata.name(char, ""))]
    assert [char for char in letters if not is_letter(char)] == unseen
    assert {"\u180b", "\u180c", "\u180d", "\u180f"} < set(unseen)
    for char in unseen:
        with pytest.raises(BadNotation, match="name-characters"):
            read_names(f"Ann, Ann{char}")


@given(st.text(max_size=30))
def test_any_text_is_a_tidy_name_or_refused(text: str) -> None:
    try:
        name = read_name(text)
    except BadNotation:
        return
    assert read_name(name) == name
    assert 0 < len(name) <= LONGEST
    assert is_printable(name)
    assert not set(name) & set(':#=,\n<>"')


@pytest.mark.parametrize("text", ["Ann, Ann", "Ann, ann", "Straße, STRASSE", "Zoë, Zoe\u0308"])
def test_no_two_names_are_alike(text: str) -> None:
    with pytest.raises(BadNotation) as error:
        read_names(text)
    assert error.value.code == "name-twice"


@pytest.mark.parametrize("text", ["", "Ann,", ",Ann", "Ann,,Bob"])
def test_a_missing_name_is_refused(text: str) -> None:
    with pytest.raises(BadNotation, match="name-empty"):
        read_names(text)
