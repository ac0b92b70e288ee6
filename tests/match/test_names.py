import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubdice.core.errors import BadNotation
from pubdice.match.notation import LONGEST, is_letter, read_name, read_names


@pytest.mark.parametrize(
    "name", ["Ann", "you", "Zoë", "O'Hara", "J. R.", "R2-D2", "A_b", "Tom & Co", "Ж", "李", "7 of 9", "x" * 24]
)
def test_names_people_have_are_read_as_they_are(name: str) -> None:
    assert read_name(name) == name


def test_spaces_are_tidied_and_letters_composed() -> None:
    assert read_name("  Zoe\u0308 \t Doe ") == "Zoë Doe"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "name-missing"),
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
    assert name.isprintable()
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
