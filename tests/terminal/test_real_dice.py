"""Real dice: people type what fell, the house checks and keeps score, and a typing mistake can be taken back."""

from pathlib import Path

from support.console import Room, pubdice

PLAY = "play midnight --seats Ann,Bob --format rounds:1 --dice real"
ANN = ("344512", "k 4 5 r", "6326", "6 6 r", "21", "1 r", "3")
BOB = ("3 1 5 4 2 6", "1 4 6 r", "2,5,3", "5 r", "66", "6 6 b")


class NoCup:
    """With real dice the house never rolls."""

    def __call__(self, seed: str | None, purpose: str) -> "NoCup":
        return self

    def roll(self, number: int, index: int, sides: int = 6) -> tuple[int, ...]:
        raise AssertionError("the house rolled")

    def draw(self, number: int, index: int) -> int:
        raise AssertionError("the house drew a lot")


def _room() -> Room:
    room = Room()
    room.laid = NoCup()
    object.__setattr__(room, "cup", NoCup())
    return room


def test_a_whole_game_is_played_with_dice_on_the_table() -> None:
    room = _room()
    told = room.run(PLAY, *ANN, *BOB)
    assert (told.status, told.err) == (0, "")
    assert "Ann scored 20" in told.out
    assert "Bob scored 23" in told.out
    assert "Bob wins with" in told.out


def test_a_mistyped_roll_is_taken_back_with_the_keep_that_followed() -> None:
    room = _room()
    room.run(PLAY, "344512", "k 4 5 r", "u", "u", "344515", "k 5 5 r")
    assert "Ann: 344515 k55" in room.run("record 1").out


def test_marks_are_undone_before_dice_are_taken_back() -> None:
    room = _room()
    told = room.run(PLAY, "344512", "4 5", "u", "u", "u", "u")
    assert "taken back" in told.replies[5]
    assert "nothing to undo" in told.replies[6]
    assert room.log()[-1] == "back"


def test_only_the_last_dice_typed_can_be_taken_back() -> None:
    room = _room()
    told = room.run(PLAY, "344512", "k 4 5 r", "6326", "u", "u", "u", "u")
    assert "Your last entry is taken back." in told.replies[4]
    assert "The choice is taken back." in told.replies[5]
    assert "Your last entry is taken back." in told.replies[6]
    assert "nothing to undo" in told.replies[7]


def test_with_the_house_s_dice_the_choice_comes_back_and_a_bot_agrees_once_a_round() -> None:
    room = Room(rolls=[(3, 4, 4, 5, 1, 2), (6, 3, 2, 6)])
    told = room.run("play midnight --seats Ann,Tip=tip", "r", "k 4 5 r", "u", "k 4 5 1 r", "u")
    assert "The choice is taken back. The dice stay as they fell." in told.replies[3]
    assert "6 3 2" in told.replies[4]
    assert "The bots have agreed once in this round." in told.replies[5]
    record = room.run("record 1").out
    assert "344512 k45 6326\nback Ann\nAnn: k145 632" in record
    assert room.run("replay 1").status == 0


def test_dice_that_ended_a_turn_are_taken_back() -> None:
    room = _room()
    told = room.run(PLAY, *ANN, "u", "6")
    assert "Ann scored 20" in told.out
    assert "Ann scored 23" in told.out
    assert "= 23" in room.run("record 1").out


def test_dice_that_ended_the_match_are_taken_back() -> None:
    room = _room()
    told = room.run(PLAY, *ANN, *BOB[:4], "56", "5 r", "6", "u", "5", "")
    assert "type u" in told.out
    assert "Bob scored 22" in told.out
    assert "Bob scored 21" in told.out
    assert room.run("record 1").out.endswith("56 k5 5 k5 = 21\n")
    assert (told.status, told.err) == (0, "")
    assert "This was game 1" in told.paragraphs[-1]


def test_in_420_the_winning_roll_can_be_taken_back() -> None:
    room = _room()
    told = room.run("play 420 --seats Red,Blue --dice real", "6554", "u", "6541", "4332", "k 6 5", "r", "54", "")
    assert told.out.count("Red wins the race!") == 2
    assert "back" in room.log()
    assert "6554" not in room.run("record 1").out
    assert room.run("replay 1").status == 0


def test_a_match_that_is_over_when_the_input_ends_can_still_be_corrected() -> None:
    room = _room()
    told = room.run("play 420 --seats Red,Blue --dice real", "6554")
    assert (told.status, told.err) == (0, "")
    assert "over" in room.run("games").out
    assert room.run("resume 1", "u", "6553", "1111").status == 0
    assert room.run("record 1").out.endswith("Red: 6553 = 19\nBlue: 1111 = 4\n")


def test_people_roll_for_the_bots_too() -> None:
    room = _room()
    told = room.run("play midnight --seats bot,Ann --format rounds:1 --dice real", "146523")
    assert "Tip: Roll 6 dice. Type what fell." in told.replies[0]
    assert "Tip kept" in told.replies[1]
    assert room.log()[:2] == ["roll 146523", "play k1456"]


def test_a_game_with_real_dice_is_resumed_and_recorded(tmp_path: Path) -> None:
    words: tuple[str, ...] = ("play", "midnight", "--seats", "Ann,Bob", "--format", "rounds:1", "--dice", "real")
    for line in (*ANN, *BOB):
        told = pubdice(*words, data=tmp_path, typed=line + "\n")
        assert (told.status, told.err) == (0, "")
        words = ("resume",)
    record = pubdice("record", "1", data=tmp_path).out
    assert "Ann: 344512 k45 6326 k66 21 k1 3" in record
    again = pubdice("replay", "-", data=tmp_path, typed=record)
    assert again.out == pubdice("replay", "1", data=tmp_path).out
