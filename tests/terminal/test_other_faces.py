"""Dice with other faces than 1 to 6, in the terminal: help and refusals speak of them, never of digits."""

import pytest

import aces
import pig
from pubdice.games import GAMES as HOUSE
from support.console import Room

GAMES = {"aces": aces.KIT, "shutbox": HOUSE["shutbox"], "pig": pig.KIT}
NINE_OR = "These dice show 9, 10, J, Q, K or A"


def run(line: str, *typed: str) -> str:
    told = Room(games=GAMES).run(f"play {line}", *typed, "q")
    assert (told.status, told.err) == (0, "")
    return told.out


@pytest.mark.parametrize("choose", ["keep", "reroll"])
def test_help_names_the_dice_of_the_game_in_its_examples(choose: str) -> None:
    page = run(f"aces --seats Ann,Bob --dice real --choose {choose}", "?")
    assert "  9 10 J  after you roll: your dice, with spaces between\n" in page
    for key in ("9 J A", "k 9 J A", "x A", "+A -A"):
        assert f"\n  {key:<8}" in page, page
    assert "such as: 9 J A r\n" in page
    assert not [each for each in ("344512", "k 6 5", "1 4") if each in page]


def test_by_place_help_names_the_places() -> None:
    page = run("aces --seats Ann,Bob --keys position", "?")
    assert "\n  1 4 6   by place:" in page
    assert "such as: 1 4 r\n" in page


def test_what_is_no_face_is_refused_with_those_there_are() -> None:
    said = run("aces --seats Ann,Bob --dice real", "K o 9", "7")
    assert f'"o" means nothing here. {NINE_OR}, in capitals. Nothing was done' in said
    assert f'"7" is no die. {NINE_OR}: name them so' in said
    assert "such as 9 10 J." in run("aces --seats Ann,Bob --dice real", "r")


def test_dice_are_kept_by_their_names() -> None:
    said = run("aces --seats Ann,Bob --dice real", "k 9 k", "7", "9 r")
    assert f'"7" is no die. {NINE_OR}: name them so' in said
    assert "Ann kept a nine." in said


def test_real_dice_are_read_in_small_letters_too() -> None:
    assert "Ann rolled a king, a nine, a king." in run("aces --seats Ann,Bob --dice real", "k 9 k")


@pytest.mark.parametrize(("hold", "chosen"), [("none", False), ("1,2", True)])
def test_help_explains_single_dice_only_where_the_rules_let_one_stay(hold: str, chosen: bool) -> None:
    page = Room().run(f"play mexico --seats Ann,Bob --hold {hold}", "?", "q").out
    assert "\n  b       stop: the dice count as they lie\n" in page
    for text in ("\n  k 6 5", "\n  x 1 3", "To choose dice:", "such as: 1 4 r"):
        assert (text in page) == chosen, text


def test_help_promises_a_chance_only_where_the_game_says_one() -> None:
    assert "the score to beat, and your chance" in run("aces --seats Ann,Bob", "?")
    for game in ("shutbox", "pig"):
        page = run(f"{game} --seats Ann,Bob", "?")
        assert "  t       the score to beat\n" in page, page


def test_help_speaks_of_chosen_dice_only_where_dice_are_chosen() -> None:
    page = run("shutbox --seats Ann,Bob --dice real", "?")
    assert "  Enter   rolls. If you have to choose, it repeats the question\n" in page, page
    assert "  u       undo what you typed last\n" in page, page
    assert "dice chosen" in run("aces --seats Ann,Bob --dice real", "?")
