"""Enter does the gold thing, as the page's gold button does: what is forced, or what was chosen; it never decides."""

import pytest

from pubdice.text.catalogues import language
from support.console import Room, dice

MIDNIGHT = "play midnight --seats Ann,Bob --format rounds:1"


def test_enter_rolls_where_there_is_nothing_to_choose() -> None:
    room = Room(rolls=dice("344512"))
    room.run(MIDNIGHT, "")
    assert room.log() == ["roll 344512"]


def test_enter_decides_nothing_before_somebody_has_chosen() -> None:
    room = Room(rolls=dice("344512", "6326"))
    told = room.run(MIDNIGHT, "", "", "")
    assert room.log() == ["roll 344512"]
    assert [reply.count("Which dice do you keep?") for reply in told.replies[1:4]] == [1, 1, 1]


def test_enter_goes_on_with_the_dice_that_were_chosen() -> None:
    room = Room(rolls=dice("344512", "6326"))
    room.run(MIDNIGHT, "", "4 5", "")
    assert room.log() == ["roll 344512", "mark 1 3", "play k45", "roll 6326"]


def test_enter_after_the_last_choice_was_let_go_asks_again() -> None:
    room = Room(rolls=dice("344512"))
    assert "Which dice do you keep?" in room.run(MIDNIGHT, "", "5", "5", "").replies[4]
    assert room.log()[-1] == "mark"


def test_enter_ends_a_turn_whose_dice_are_all_chosen() -> None:
    room = Room(rolls=dice("344512", "112233"))
    assert "Ann scored 14" in room.run(MIDNIGHT, "", "k 344512", "").out


def test_enter_warns_first_where_the_coach_does_and_then_goes_on() -> None:
    room = Room(rolls=dice("344512", "63261"))
    told = room.run(f"{MIDNIGHT} --coach", "", "2", "", "")
    assert "Nothing is done yet." in told.replies[3]
    assert room.log()[-2:] == ["play k2", "roll 63261"]


@pytest.mark.parametrize(("live", "said"), [(True, "Roll 6 dice. Enter rolls."), (False, "Roll 6 dice. r rolls.")])
def test_at_a_terminal_the_question_says_what_enter_does(live: bool, said: str) -> None:
    told = Room(live=live, rolls=dice("344512")).run(MIDNIGHT, "r", "4 5")
    assert said in told.out
    assert ("Keep 4 5, reroll 3 4 1 2. Enter rolls." in told.out) is live


@pytest.mark.parametrize("title", ["Cierra la caja", "cierra la CAJA", "shutbox"])
def test_a_game_is_chosen_by_its_title_in_the_language_too(title: str) -> None:
    told = Room(language=language("es", strict=True)).run("play", title, "q")
    assert "Cierra la caja: 5 rondas" in told.out


@pytest.mark.parametrize(
    ("code", "usual", "rolled"),
    [
        ("de", "Mit Enter spielst du Midnight gegen Tip: 5 Runden.", "Du hast "),
        ("es", "Con Enter juegas a Medianoche contra Tip: 5 rondas.", "Sacas "),
    ],
)
def test_the_player_is_you_in_every_language(code: str, usual: str, rolled: str) -> None:
    told = Room(language=language(code, strict=True)).run("play", "", "")
    assert usual in told.out
    assert rolled in told.out
