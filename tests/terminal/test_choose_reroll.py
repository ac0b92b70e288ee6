"""Naming the dice to reroll instead of those to keep, as Steere's page has it: the others stay."""

import pytest

from pubdice.terminal.game_log import read_log
from support.console import Room, Told, dice

PLAY_420 = "play 420 --seats Ann,Bob --choose reroll"
PLAY_MIDNIGHT = "play midnight --seats Ann,Bob --format rounds:1 --choose reroll"


def _room(*rolls: str) -> Room:
    return Room(rolls=dice(*rolls))


def _420(*typed: str) -> tuple[Told, list[str]]:
    """Ann has 6 5 5 1, Bob 1 1 2 2, and Ann is to choose."""
    room = _room("6551", "1122", "1", "2", "3")
    return room.run(PLAY_420, "r", "r", *typed), room.log()


@pytest.mark.parametrize("typed", [("1 r",), ("1", "r"), ("x 1 r",), ("k 6 5 5", "r"), ("+1 r",), ("6 1", "6", "r")])
def test_the_dice_named_are_rerolled_and_the_others_stay(typed: tuple[str, ...]) -> None:
    told, log = _420(*typed)
    assert "play k556" in log
    assert "Which dice do you reroll?" in told.out
    assert "eep which" not in told.out


def test_the_question_says_how_it_stands_and_the_answer_what_will_happen() -> None:
    told, _ = _420("1", "5", "u")
    assert told.replies[2].rstrip().endswith("Which dice do you reroll?")
    assert "17" in told.replies[2]
    assert told.replies[3].startswith("Keep 6 5 5, reroll 1.")
    assert "reroll" in told.replies[4]
    assert told.replies[5].startswith("Keep 6 5 5, reroll 1.")


def test_nothing_is_rolled_before_a_die_is_named() -> None:
    """An empty choice means that all stay, never that all four are rerolled."""
    told, log = _420("r")
    assert "Choose the dice to reroll first. The others stay." in told.replies[3]
    assert not any(event.startswith("play") for event in log)


def test_all_four_are_rerolled_if_all_four_are_named() -> None:
    room = _room("6551", "1122", "1234", "5")
    told = room.run(PLAY_420, "r", "r", "6 5 5 1", "r", "q")
    assert "Reroll 6 5 5 1, all of them." in told.replies[3]
    assert "play k-" in room.log()


def test_to_bank_at_midnight_with_none_named_keeps_them_all() -> None:
    room = _room("166664", "112233")
    told = room.run(PLAY_MIDNIGHT, "r", "b")
    assert "play k146666" in room.log()
    assert "Ann scored 24" in told.out


def test_a_whole_turn_of_midnight_by_what_is_rerolled() -> None:
    room = _room("163522", "4652", "51", "6", "112233")
    told = room.run(PLAY_MIDNIGHT, "r", "3 2 2 5 r", "5 2 r", "1 r", "r")
    assert [event for event in room.log() if event.startswith("play")][:3] == ["play k16", "play k46", "play k5"]
    assert "Ann scored 23" in told.out


def test_by_place_the_dice_in_those_places_are_rerolled() -> None:
    room = _room("6551", "1122", "1")
    room.run(f"{PLAY_420} --keys position", "r", "r", "4 r")
    assert "play k556" in room.log()


def test_undo_lets_the_die_named_last_stay() -> None:
    _, log = _420("5 1", "u", "u", "1", "r")
    assert "play k556" in log


def test_real_dice_are_taken_back_with_nothing_named() -> None:
    room = _room()
    room.run(f"{PLAY_420} --dice real", "6551", "1122", "1", "u", "u", "2211", "1 5", "r")
    assert room.log()[4:6] == ["mark", "back"]


def test_how_one_chooses_is_kept_with_the_game_and_old_games_keep_dice() -> None:
    room = _room("6551", "1122", "1")
    room.run(PLAY_420, "r", "r", "1", "q")
    assert read_log(room.store.read(1)).choose == "reroll"
    told = room.run("resume 1", "5", "q")
    assert "Keep 6 5, reroll 5 1." in told.out.splitlines()
    plain = _room("6551", "1122")
    plain.run("play 420 --seats Ann,Bob", "r", "q")
    assert "choose" not in plain.store.read(1)[0]
    assert read_log(plain.store.read(1)).choose == "keep"
    assert "Which dice do you reroll?" in plain.run("resume 1 --choose reroll", "r", "q").out


def test_the_help_says_what_the_digits_do() -> None:
    told, _ = _420("?", "q")
    assert "choose these to reroll, the others stay" in told.out
