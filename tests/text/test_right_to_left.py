"""A sentence from right to left keeps dice, signed numbers, names and flags in their own order."""

import pytest

from pubdice.text.catalogues import language
from pubdice.text.language import END, START, Language, faces, isolate, printable

HEBREW = language("he")
DANA = "\u05d3\u05e0\u05d4"


def _apart(text: str) -> str:
    return f"{START}{text}{END}"


@pytest.mark.parametrize(
    "text", ["6 5 2", "-5.0%", "−3", "+1", "3 : 1", "45% → 60%", "Ann", "Ann B.", "a.b/t/AB", "r", "{name}"]
)
def test_what_runs_from_left_to_right_is_set_apart(text: str) -> None:
    assert isolate(text, "rtl") == _apart(text)
    assert isolate(text) == text


@pytest.mark.parametrize("text", ["", "6", "1,234", "12.5%", ", ", "…", DANA, f"{DANA} 6 5", _apart("6 5"), "♥♥"])
def test_what_needs_no_isolates_gets_none(text: str) -> None:
    assert isolate(text, "rtl") == text


def test_a_row_of_dice_is_set_apart_in_a_sentence_with_and_without_a_plural() -> None:
    said = HEBREW.about("{name}: {hand}", "{hand}", "Ann", hand=faces((6, 5, 2)))
    assert said == f"{_apart('Ann')}: {_apart('6 5 2')}"
    assert HEBREW.count("{names} win", "{names} win", 2, names="Ann") == f"{_apart('Ann')} win"


def test_dice_that_a_translation_has_as_an_example_are_set_apart_too() -> None:
    assert _apart("6 6") in HEBREW.own["pubdice.games.ship"].say("{said}, and 6 6 wins at once", said=DANA)
    keys = "k and x need dice after them, as in k 6 5, or k - for none. Nothing was done."
    assert _apart("k 6 5") in HEBREW.say(keys)
    assert HEBREW.say("--{flag}: {of}", flag="a", of=DANA).startswith(_apart(f"--{_apart('a')}"))


def test_a_list_of_names_runs_from_right_to_left_and_each_name_in_its_own_order() -> None:
    ann, ben, cid = map(_apart, ("Ann", "Ben", "Cid"))
    assert HEBREW.join(["Ann", "Ben", "Cid"]) == f"{ann}, {ben} ו־{cid}"
    assert HEBREW.join(["Ann", DANA]) == f"{ann} ו{DANA}"


def test_a_word_of_one_letter_is_joined_to_a_hebrew_name_and_has_a_hyphen_before_others() -> None:
    assert HEBREW.say("{some} and {last}", some=DANA, last="6") == f"{DANA} ו־6"
    assert HEBREW.about("{name} leads", "You lead", DANA).startswith(DANA)
    won = "{name} wins!"
    assert HEBREW.say(won, name=DANA).endswith(f" ל{DANA}!")
    assert HEBREW.say(won, name="Ann").endswith(f" ל־{_apart('Ann')}!")
    text = f"{DANA} ו{DANA}, {DANA}"
    assert HEBREW.one_list(f"{DANA} ו{DANA} ו{DANA}", (DANA, DANA)).count("ו") == 1, text


def test_names_from_right_to_left_are_in_one_list_with_you() -> None:
    said = Language().about_all("{names} lead", "You and {names} lead", ("", DANA, "Ben"))
    assert said.startswith("You, ")
    assert said.count(" and ") == 1


def test_a_sentence_from_left_to_right_has_the_isolates_of_before_and_a_terminal_none() -> None:
    said = Language().say("{name}: {hand}", name=DANA, hand="6 5")
    assert said == f"\N{FIRST STRONG ISOLATE}{DANA}{END}: 6 5"
    assert printable(_apart("6 5")) == "6 5"
