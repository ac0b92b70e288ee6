"""A table played in lines: questions, refusals, marks, leaving and coming back."""

import re

import pytest

from pubdice.terminal.game_log import read_log
from support.console import Room, Told, dice, unprintable

MIDNIGHT = ("344512", "6326", "21", "3", "315426", "253", "66")
ANN = ("r", "k 4 5", "r", "6 6 r", "1 r")
BOB = ("r", "1 4 6 r", "5 r", "6 6", "b")


def _room(*rolls: str) -> Room:
    return Room(rolls=dice(*(rolls or MIDNIGHT)))


def _midnight(*typed: str) -> tuple[Told, list[str]]:
    room = _room()
    return room.run("play midnight --seats Ann,Bob --format rounds:1", *typed), room.log()


def test_a_whole_game_is_told_in_plain_lines() -> None:
    told, log = _midnight(*ANN, *BOB)
    assert (told.status, told.err) == (0, "")
    assert not unprintable(told.out)
    for piece in ("Ann rolled 3 4 4 5 1 2.", "scored 20", "Bob rolled 6 6.", "scored 23", "Bob wins with 23"):
        assert piece in told.out
    assert "pubdice replay 1" in told.paragraphs[-1]
    assert log[-1] == "play k66"
    assert max(map(len, told.out.splitlines())) < 160


def test_both_worked_examples_of_the_documents_score_as_printed() -> None:
    told, log = _midnight(*ANN, *BOB)
    assert "Ann scored 20" in told.out
    assert "Bob scored 23" in told.out
    assert [event for event in log if event.startswith("roll")] == [f"roll {roll}" for roll in MIDNIGHT]


def test_marking_the_last_die_does_not_end_the_turn_until_roll_or_bank() -> None:
    for end in ("r", "b"):
        room = _room("344512", "112233")
        told = room.run("play midnight --seats Ann,Bob", "r", "k 344512", "u", "u", "2 1", end)
        assert "b ends the turn" in told.replies[2]
        assert room.log()[-1] == "play k123445"
        assert told.replies[-2].startswith("Ann kept 1 2 3 4 4 5. Ann scored 14: 5 4 3 2.\n")


def test_the_last_single_die_is_kept_and_scored_without_asking() -> None:
    room = _room("344512", "3", "344512")
    told = room.run("play midnight --seats Ann,Bob", "r", "k 44512 r", "r")
    assert room.log()[2:5] == ["play k12445", "roll 3", "play k3"]
    assert "scored" in told.replies[2]
    assert "Bob rolled" in told.replies[3]


def test_a_die_marked_can_be_unmarked_until_the_next_roll() -> None:
    _, log = _midnight("r", "k 4 5", "u", "u", "u", "3 4 u", "1", "r")
    assert "play k13" in log
    assert log[-1] == "roll 6326"


def test_asking_changes_nothing_and_says_where_things_stand() -> None:
    told, log = _midnight("r", "k 4 5 r", "t", "s", "l", "d", "?")
    assert log == ["roll 344512", "mark 1 3", "play k45", "roll 6326"]
    beat, scores, last, lie, page = told.replies[3:8]
    assert beat.startswith("Ann goes first. Then one more.")
    assert scores.strip() == "No points yet."
    assert last.startswith("Ann rolled 6 3 2 6.")
    assert "locked 4 5" in lie
    assert all(word in page for word in ("undo", "bank", "scores", "leave", "reroll", "beat"))


def test_to_beat_names_the_leader_and_what_would_lead() -> None:
    told, _ = _midnight(*ANN, "t", "s")
    beat, scores = told.replies[-3:-1]
    assert "20" in beat
    assert "Ann" in beat
    assert "Bob needs 21" in beat
    assert "Ann" in scores
    assert "20" in scores


def test_the_last_event_can_be_heard_before_and_after_anything_happened() -> None:
    told, _ = _midnight("l", "r", "l")
    assert "Nothing has happened" in told.replies[1]
    assert told.replies[3].startswith(told.replies[2].splitlines()[0])


def test_banking_too_early_is_refused_with_the_reason_and_the_way_out() -> None:
    told, log = _midnight("b", "r", "b", "4 5", "b", "u", "b")
    for reply in (told.replies[3], told.replies[5], told.replies[7]):
        assert "bank" in reply
        assert re.search("keep|kept", reply)
    assert "6 dice" in told.replies[1]
    assert log == ["roll 344512", "mark 1 3", "mark 1"]


def test_a_whole_turn_may_stand_in_one_line() -> None:
    told, log = _midnight("r 4 5 r 6 6 r 1 r")
    assert "Ann scored 20" in told.out
    assert log[-1] == "play k3"


def test_enter_alone_asks_again() -> None:
    told, _ = _midnight("r", "zz", "")
    assert "Which dice do you keep?" in told.replies[1]
    assert "Which dice do you keep?" not in told.replies[2]
    assert "Which dice do you keep?" in told.replies[3]


@pytest.mark.parametrize("leave", ["q", "quit", "exit", "leave", "1 4 q", None])
def test_leaving_and_the_end_of_input_keep_the_game(leave: str | None) -> None:
    room = _room()
    told = room.run("play midnight --seats Ann,Bob", "r", *([leave] if leave else []))
    assert (told.status, told.err) == (0, "")
    assert "Game 1 is saved" in told.paragraphs[-1]
    assert "resume 1" in told.paragraphs[-1]
    assert room.run("resume", "k 4 5 r").status == 0
    assert "roll 6326" in room.log()


def test_a_game_left_at_every_line_ends_as_one_played_through() -> None:
    whole = _midnight(*ANN, *BOB)[1]
    room = _room()
    command = "play midnight --seats Ann,Bob --format rounds:1"
    for line in (*ANN, *BOB):
        told = room.run(command, line)
        assert (told.status, told.err) == (0, "")
        command = "resume"
    assert room.log() == whole
    assert room.run("resume").status == 1


def test_who_comes_back_hears_where_the_game_stands() -> None:
    room = _room()
    room.run("play midnight --seats Ann,Bob --format rounds:1", *ANN)
    told = room.run("resume")
    opening = told.replies[0]
    for piece in ("Midnight", "Ann and Bob", "20", "Bob", "r rolls"):
        assert piece in opening
    assert "3" in opening


def test_marks_are_kept_too() -> None:
    room = _room()
    room.run("play midnight --seats Ann,Bob", "r", "4 5")
    told = room.run("resume", "d", "r")
    assert "4 5" in told.replies[1]
    assert room.log()[-2:] == ["play k45", "roll 6326"]


def test_keys_are_remembered_and_can_be_changed_on_coming_back() -> None:
    room = _room()
    told = room.run("play midnight --seats Ann,Bob --keys position", "r", "2 4")
    assert "1 is 3" in told.out
    assert room.log()[-1] == "mark 1 3"
    assert "by place" in room.run("resume", "?").out
    assert "by face" in room.run("resume 1 --keys face", "?").out


def test_how_one_chooses_is_kept_with_the_game_and_old_games_keep_dice() -> None:
    room = Room(rolls=dice("6551", "1122", "1"))
    room.run("play 420 --seats Ann,Bob --choose reroll", "r", "r", "1", "q")
    assert read_log(room.store.read(1)).choose == "reroll"
    told = room.run("resume 1", "5", "q")
    assert "Keep 6 5, reroll 5 1." in told.out.splitlines()
    plain = Room(rolls=dice("6551", "1122"))
    plain.run("play 420 --seats Ann,Bob", "r", "q")
    assert "choose" not in plain.store.read(1)[0]
    assert read_log(plain.store.read(1)).choose == "keep"
    assert "Which dice do you reroll?" in plain.run("resume 1 --choose reroll", "r", "q").out


def test_interrupting_keeps_the_game_and_leaves_with_130_from_the_shell() -> None:
    def interrupt() -> str:
        raise KeyboardInterrupt

    room = _room()
    with pytest.raises(KeyboardInterrupt):
        room.run("play midnight --seats Ann,Bob", "r", "4 5", interrupt)
    assert room.log() == ["roll 344512", "mark 1 3"]
    assert room.run("resume", "r").status == 0
    assert room.log()[-1] == "roll 6326"


def test_420_names_the_dice_to_keep_or_the_dice_to_reroll() -> None:
    for line in ("k 6 5 r", "x 4 1 r", "6 5 r", "+6 +5 r"):
        room = Room(rolls=dice("6541", "6332", "11"))
        room.run("play 420 --seats Red,Blue", "r", "r", line)
        assert room.log()[-2:] == ["play k56", "roll 11"], line


def test_420_forced_rerolls_are_played_and_told_why() -> None:
    room = Room(rolls=dice("6666", "1111", "5555", "6554"))
    told = room.run("play 420 --seats Red,Blue", "r", "r", "r")
    assert "Red has 24: too many. All four go back." in told.out
    assert "exactly 20" in told.out
    assert "Red wins the race!" in told.out
    assert room.log() == ["roll 6666", "roll 1111", "play k-", "roll 5555"]


def test_420_never_rerolls_a_hand_by_one_letter() -> None:
    for typed in (("k - r",), ("x 6 5 4 1 r",), ("k -", "r"), ("6", "k -", "r")):
        room = Room(rolls=dice("6541", "6332", "1111"))
        told = room.run("play 420 --seats Red,Blue", "r", "r", "r", "6 6 r", *typed)
        assert "type k - r to reroll them all" in told.out
        assert room.log()[-2:] == ["play k-", "roll 1111"], typed
        assert room.log().count("play k-") == 1


def test_who_is_called_you_is_spoken_to() -> None:
    room = Room(rolls=dice("344512", "3", "344512"))
    told = room.run("play midnight --seats you,Bob --format rounds:1", "r", "k 44512 r", "r", "k 344512 b")
    for piece in (
        "You rolled 3 4 4 5 1 2.",
        "You kept 1 2 4 4 5.",
        "You scored 14: 5 4 3 2.",
        "You and Bob tie with 14.",
    ):
        assert piece in told.out
    assert "you rolled" not in told.out
    assert "Bob: " in told.out


def test_420_drinks_lose_a_winner_a_round_and_name_the_buyer() -> None:
    room = Room(rolls=dice("6554", "5555"), draws=(1,))
    told = room.run("play 420 --seats Ann,Bob,Cid --format drinks", "r", "r")
    assert "Player 1 is Bob" in told.out
    assert "Ann is buying!" in told.out
    assert "Ann owes Bob and Cid a drink each." in told.out
    assert room.log() == ["draw 1", "roll 6554", "roll 5555"]


def test_one_seat_plays_alone_and_twenty_play_round_the_table() -> None:
    room = _room("344512")
    assert "Ann wins with 14." in room.run("play midnight --seats Ann --format rounds:1", "r", "k 344512", "b").out
    names = [f"Seat {at}" for at in range(1, 21)]
    room = Room(rolls=dice(*["123456"] * 20))
    told = room.run("play midnight --seats 20 --format rounds:1", *["r 123456 b"] * 20)
    assert (told.status, told.err) == (0, "")
    assert told.out.count(" scored 16") == 20
    assert " tie with 16." in told.out
    assert names[-1] in told.out
