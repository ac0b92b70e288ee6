"""The coach at the table: h, t, a word before a keep that loses much, and the review afterwards."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

import pig
from pubdice.games import GAMES
from pubdice.match.match import Match
from pubdice.solve.solver import Solver
from pubdice.text.catalogues import language
from support.console import COMMAND, Room, Told, dice, one_sentence, unprintable

MIDNIGHT = ("344512", "6326", "21", "3", "315426", "253", "66")
PLAY = "play midnight --seats Ann,Bob --format rounds:1"
ANN = ("r", "k 4 5", "r", "6 6 r", "1 r")


def _room(*rolls: str, **more: Any) -> Room:
    return Room(rolls=dice(*(rolls or MIDNIGHT)), **more)


def _sound(told: Told) -> Told:
    assert (told.status, told.err) == (0, "")
    assert not unprintable(told.out)
    return told


# --- hint ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["hint", "Hint", "advice"])
def test_a_hint_tells_the_best_keep_and_what_others_lose_and_why(word: str) -> None:
    room = _room()
    reply = _sound(room.run(PLAY, "r", word)).replies[2].splitlines()
    assert reply[0] == "Keep 4 is best: 42.9% (share of the match)."
    assert reply[1:] == [
        "Keep 1 loses 0.8%: 0.5 points more on average and 3.7% more chance of a score, "
        "but 2.5% less chance of 20 or more.",
        "Keep 1 4 loses 4.0%: 1.1 points more on average and 10.2% more chance of a score, "
        "but 8.9% less chance of 21 or more.",
        "Keep 5 loses 5.2%: 2.0 points fewer on average and 10.2% less chance of a score.",
    ]
    assert room.log() == ["roll 344512"], "asking changes nothing"


class InPints:
    """Midnight's own solver, whose values are said in pints."""

    def __init__(self, match: Match[Any, Any]) -> None:
        assert GAMES["midnight"].solver is not None
        self._solver = GAMES["midnight"].solver(match)

    amount = "{amount} pints"
    utility = "pints"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solver, name)


def test_h_tells_values_in_the_unit_that_the_solver_names() -> None:
    kit = replace(GAMES["midnight"], solver=lambda match, folder=None: cast("Solver", InPints(match)))
    reply = _sound(_room(games={"midnight": kit}).run(PLAY, "r", "hint")).replies[2].splitlines()
    assert reply[0] == "Keep 4 is best: 0.43 pints (pints)."
    assert reply[1].startswith("Keep 1 loses 0.01 pints: 0.5 points more on average and ")


def test_h_compares_what_is_marked() -> None:
    told = _sound(_room().run(PLAY, "r", "k 2 3", "hint"))
    assert told.replies[3].splitlines()[-1].startswith("What is marked: Keep 2 3 loses ")


@pytest.mark.parametrize(
    ("command", "typed", "says"),
    [
        (PLAY, (), "Roll first"),
        ("play 420 --seats Ann,Bob,Cid --format drinks --dice real", (), "Draw Player 1 first"),
        (PLAY + " --dice real", ("466616", "k 466616 b", "466616", "k 466616 b"), "The match is over"),
    ],
)
def test_h_where_there_is_no_choice_says_so(command: str, typed: tuple[str, ...], says: str) -> None:
    assert says in _sound(_room().run(command, *typed, "hint")).replies[len(typed) + 1]


def test_h_where_all_is_lost_says_that_choices_are_equal() -> None:
    room = _room("466616", "222333", "22233", "2223")
    told = _sound(room.run(PLAY, "r", "k 466616 b", "r", "k 2 r", "k 2 r", "hint"))
    assert "Every choice is equally good here: 0.0%" in told.replies[-2]


def test_h_names_all_that_are_equally_good() -> None:
    room = _room("222333", "146666")
    told = _sound(room.run(PLAY, "r", "k 222333 b", "r", "hint"))
    lines = told.replies[-2].splitlines()
    assert lines[0] == "Keep 1 4, keep 1 4 6, keep 1 4 6 6 or keep 1 4 6 6 6 is best: 100.0% (share of the match)."
    assert lines[1].startswith("Keep 1 loses ")


def test_advice_is_for_the_mover() -> None:
    told = _sound(_room().run(PLAY.replace("Ann,Bob", "Ann,Bob,Cid"), "r", "hint"))
    assert told.replies[2].startswith("Keep 4 is best: ")


def test_h_at_420_tells_of_winning_and_going_over() -> None:
    told = _sound(_room("1456", "1112").run("play 420 --seats Ann,Bob", "r", "r", "hint", "t"))
    lines = told.replies[3].splitlines()
    assert lines[0].startswith("Keep 6 5 4 is best: ")
    assert lines[0].endswith("(chance of winning).")
    assert lines[1].endswith(": 5.6% less chance to win with this roll.")
    assert lines[2].endswith(": 8.3% less chance to go over, but 8.3% less chance to win with this roll.")
    assert told.replies[4].rstrip().endswith("This roll wins with 16.7%. It goes over with 16.7%.")


# --- t ---------------------------------------------------------------------------------------------------------------


def test_t_tells_the_chance_to_beat_the_score_exactly() -> None:
    """With 14 and a die to come, a 6 beats 19 and a 5 ties it."""
    told = _sound(_room("146643", "146622").run(PLAY, "r", "k 146643 b", "r", "k 1 4 6 6 2", "t"))
    assert "Ann has 19, Bob needs 20." in told.replies[-2]
    assert "Chance to beat 19: " in told.replies[-2]
    real = PLAY + " --dice real"
    told = _sound(Room().run(real, "146643", "k 146643 b", "146622", "k 1 4 6 6 2 r", "t"))
    assert told.replies[-2].rstrip().endswith("Chance to beat 19: 16.7%, to tie: 16.7%.")


def test_t_with_24_to_beat_tells_the_chance_to_tie() -> None:
    told = _sound(Room().run(PLAY + " --dice real", "146666", "k 146666 b", "146663", "k 1 4 6 6 6 r", "t"))
    assert told.replies[-2].rstrip().endswith("Ann has 24: Bob can only tie. Chance to tie 24: 16.7%.")


def test_t_with_nothing_to_beat_tells_the_chance_to_qualify() -> None:
    told = _sound(_room().run(PLAY, "t", "r", "t"))
    assert "Ann goes first" in told.replies[1]
    assert told.replies[1].rstrip().endswith("Chance to score: 86.3%. On average: 17.5.")


def test_t_says_what_it_said_where_nothing_is_solved() -> None:
    room = Room(games={"pig": pig.KIT}, rolls=dice("6"))
    told = _sound(room.run("play pig --seats Ann,Bob", "r", "t", "hint"))
    assert told.replies[2] == "20 to go.\n"
    assert told.replies[3] == "Pig is not solved here, so the coach has nothing to say.\n"


def test_t_does_not_solve_a_large_table_by_itself() -> None:
    told = _sound(_room("344512").run("play midnight --seats 20", "r", "t", "hint"))
    assert "Chance to score" not in told.replies[2]
    assert told.replies[3].endswith("Midnight is solved for 6 seats at most.\n")


# --- --coach ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("again", ["r", "R"])
def test_a_keep_that_loses_much_is_done_only_when_said_again(again: str) -> None:
    room = _room()
    logs: list[list[str]] = []

    def look() -> str:
        logs.append(room.log())
        return again

    told = _sound(room.run(PLAY + " --coach", "r", "k 2 3", "r", look))
    assert "Keep 2 3 loses " in told.replies[3]
    assert "Type it again" in told.replies[3]
    assert logs == [["roll 344512", "mark 5 0"]], "the marks are kept, the keep is not done"
    assert room.log()[2:] == ["play k23", "roll 6326"]


@pytest.mark.parametrize("words", [("r", "r"), ("r", "k 1", "u", "r"), ("k - r", "r")])
def test_no_keep_at_all_is_done_once_it_was_warned_of(words: tuple[str, ...]) -> None:
    room = Room()
    told = _sound(room.run("play 420 --seats Ann,Bob --dice real --coach", "6541", "1111", *words))
    assert "Reroll all four loses " in told.replies[3]
    assert "Type it again to do it anyway" in told.replies[3]
    assert "You keep none of your dice" not in told.out
    assert room.log()[-1] == "play k-"


def test_what_was_warned_of_without_marks_is_not_done_in_spite_of_marks() -> None:
    room = Room()
    room.run("play 420 --seats Ann,Bob --dice real --coach", "6541", "1111", "r", "k 6 5 4 r")
    assert room.log()[-1] == "play k456"


def test_a_keep_held_back_can_be_changed() -> None:
    room = _room("344512", "12345")
    told = _sound(room.run(PLAY + " --coach", "r", "k 2 3 r", "k 4 r", "s"))
    assert "left undone" not in told.replies[2], "nothing followed"
    assert [event for event in room.log() if event.startswith("play")] == ["play k4"]


def test_the_rest_of_a_line_is_left_when_a_keep_is_held_back() -> None:
    room = _room()
    told = _sound(room.run(PLAY + " --coach", "r", "k 2 3 r k 6 r"))
    assert "The rest of the line was left undone." in told.replies[2]
    assert room.log() == ["roll 344512", "mark 5 0"]


def test_each_keep_is_warned_of_once_and_again_after_leaving() -> None:
    room = _room()
    told = _sound(room.run(PLAY + " --coach", "r", "k 2 3 r", "k 1 2 r", "k 2 3 r"))
    assert "Type it again" in told.replies[3]
    assert "Type it again" in told.replies[2]
    assert room.log()[-1] == "roll 6326"
    room = _room()
    room.run(PLAY + " --coach", "r", "k 2 3 r")
    assert "Type it again" in _sound(room.run("resume --coach", "r")).replies[1]
    assert "Type it again" not in _sound(room.run("resume", "r")).out


def test_the_threshold_can_be_chosen() -> None:
    command = PLAY + " --coach-at "
    assert "Type it again" in _room().run(command + "0", "r", "k 3 r").out
    assert "Type it again" not in _room().run(command + "100", "r", "k 2 3 r").out
    assert "Type it again" not in _room().run(PLAY, "r", "k 2 3 r").out


def test_a_good_keep_and_a_bots_keep_go_ahead_unwarned() -> None:
    room = Room()
    told = _sound(room.run("play midnight --seats Ann,bot:lucky --seed 1 --format rounds:1 --coach", "r"))
    assert "Type it again" not in told.out
    room = _room("466616", "466616")
    assert "Type it again" not in _sound(room.run(PLAY + " --coach", "r", "k 466616 b", "r", "k 466616 b")).out


def test_refusals_come_before_warnings() -> None:
    told = _sound(_room().run(PLAY + " --coach", "r", "b", "r"))
    assert "Too early to bank" in told.replies[2]
    assert "Keep at least one" in told.replies[3]


def test_the_coach_stands_by_real_dice_too() -> None:
    room = Room()
    told = _sound(room.run(PLAY + " --dice real --coach", "344512", "k 2 3 r", "r", "6326"))
    assert "Type it again" in told.replies[2]
    assert room.log() == ["roll 344512", "mark 5 0", "play k23", "roll 6326"]


@pytest.mark.nightly
def test_the_review_follows_a_game_with_the_coach() -> None:
    room = _room("466616", "466616")
    told = _sound(room.run(PLAY + " --coach", "r", "k 466616 b", "r", "k 466616 b"))
    assert "The review. Counted: share of the match." in told.out
    assert told.paragraphs[-1] == "This was game 1. pubdice replay 1 tells it again."
    assert room.run("review 1").out.strip() in told.out


def test_a_coach_for_a_game_that_is_not_solved_is_refused_before_anything_is_kept() -> None:
    room = Room(games={"pig": pig.KIT})
    told = room.run("play pig --seats Ann,Bob --coach")
    assert told.status == 1
    assert one_sentence(told, "play") == "Pig is not solved here, so the coach has nothing to say."
    assert room.store.tables() == []
    room.run("play pig --seats Ann,Bob")
    assert one_sentence(room.run("resume --coach"), "resume").startswith("Pig is not solved")


@pytest.mark.parametrize("more", ["--seats 7 --coach", "--seats a,b,c,d,e,f,bot:perfect"])
def test_a_table_too_large_to_be_solved_is_refused_before_anything_is_kept(more: str) -> None:
    room = Room()
    told = room.run("play midnight " + more)
    assert told.status == 1
    assert one_sentence(told, "play") == "Midnight is solved for 6 seats at most."
    assert room.store.tables() == []


@pytest.mark.parametrize("value", ["", "much", "-1", "101", "nan", "inf", "5%"])
def test_a_threshold_that_is_no_percentage_is_refused(value: str) -> None:
    room = Room()
    line = ["play", "midnight", f"--coach-at={value}"]
    told = room.run(" ".join(line))
    assert told.status == 2
    one_sentence(told, "play")
    assert room.store.tables() == []


# --- lazily ----------------------------------------------------------------------------------------------------------


def _missing(match: Match[Any, Any], folder: Path | None = None) -> Solver:
    raise ImportError("numpy")


def test_without_numpy_the_coach_says_so_and_play_goes_on() -> None:
    games = {"midnight": replace(GAMES["midnight"], solver=_missing)}
    room = _room(games=games)
    told = _sound(room.run(PLAY, "r", "hint", "t", "k 4 5 r"))
    assert told.replies[2] == "Advice needs numpy. To install it: pip install numpy.\n"
    assert "Ann goes first" in told.replies[3]
    assert room.log()[-1] == "roll 6326"
    told = _room(games=games).run(PLAY + " --coach")
    assert told.status == 1
    assert "numpy" in one_sentence(told, "play")


@pytest.mark.parametrize(("typed", "loaded"), [("r\ns\nd\n?\nk 4 r\n", False), ("r\nhint\n", True)])
def test_numpy_is_loaded_only_when_advice_is_asked_for(typed: str, loaded: bool, tmp_path: Path) -> None:
    code = (
        "import sys; from pubdice.cli import main; "
        "main(['play', 'midnight', '--seats', 'Ann,bot', '--dice', 'house', '--seed', '1']); "
        "sys.stderr.write(str('numpy' in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=typed,
        capture_output=True,
        text=True,
        env={"PUBDICE_DATA": str(tmp_path)},
        check=True,
    )
    assert done.stderr == str(loaded)


# --- review ----------------------------------------------------------------------------------------------------------


def _record(tmp_path: Path, text: str) -> str:
    path = tmp_path / "a.record"
    path.write_text("pubdice 1\n" + text, encoding="utf-8")
    return str(path)


MATCH = """game: midnight
seats: Ann, Bob
format: rounds 1

round 1
Ann: 466616 k146666
Bob: 344512 k5 14666 k1 4666 k4 111 k111
"""


def test_review_reads_well_aloud(tmp_path: Path) -> None:
    lines = _sound(Room().run("review " + _record(tmp_path, MATCH))).out.splitlines()
    assert lines[0] == "The review. Counted: share of the match."
    assert lines[1].startswith("Ann: expected ")
    assert lines[1].endswith(": 100.0%.")
    assert "by luck" in lines[1]
    assert "minus 0.0%" not in "".join(lines)
    assert re.fullmatch(r"The house has replayed this match \d+ times, .*", lines[3])
    assert re.fullmatch(r"Ann had more luck than in [\d.]+% of the replays \(95% sure: .* to .*%\)\.", lines[4])
    assert lines[6] == "Ann: 1 choice that counts. 1 best."
    assert any(
        line.startswith("The worst choice: ") and "by Bob in round 1 with 1 2 3 4 4 5: keep 5 loses" in line
        for line in lines
    )
    assert lines[-1].startswith("The best roll: 4 6 6 6 1 6 by Ann in round 1, plus ")
    assert max(map(len, lines)) < 240


@pytest.mark.nightly
def test_review_as_json_is_the_contract(tmp_path: Path) -> None:
    told = _sound(Room().run("review --json " + _record(tmp_path, MATCH)))
    data = json.loads(told.out)
    assert list(data) == ["utility", "bound", "seats", "decisions", "worst", "best_roll", "luck_rank"]
    assert list(data["luck_rank"]["seats"]) == list(data["seats"])
    assert list(data["seats"]) == ["Ann", "Bob"]
    for split in data["seats"].values():
        assert list(split) == ["expectation", "luck", "skill", "given", "result"]
        assert sum(split.values()) - 2 * split["result"] == pytest.approx(0, abs=1e-9)
    for each in data["decisions"]:
        assert {"turn", "seat", "kept", "best", "value", "lost", "verdict"} <= each.keys()


def test_review_takes_a_kept_game_and_says_where_an_unfinished_one_stands() -> None:
    room = _room()
    room.run(PLAY, *ANN)
    told = _sound(room.run("review 1"))
    assert "The record ends before the match does" in told.out
    assert one_sentence(room.run("review 2"), "review").startswith("There's no game 2")


@pytest.mark.parametrize(
    ("text", "status", "says"),
    [
        ("game: pig\nseats: Ann, Bob\n", 1, "Pig is not solved here"),
        ("game: midnight\nseats: " + ", ".join("ABCDEFG") + "\n", 1, "solved for 6 seats at most"),
        ("game: 420\nseats: " + ", ".join("ABCDEFGHI") + "\nfirst: A\n", 1, "seats"),
        ("game: chess\nseats: Ann, Bob\n", 2, "of this record is not installed here. Here are midnight, 420, "),
        ("game: midnight\nseats: Ann, Bob\nround 1\nAnn: 344512 k6\n", 3, "not among the dice"),
    ],
)
@pytest.mark.parametrize("flag", ["", "--json "])
def test_what_cannot_be_reviewed_is_refused_in_a_sentence(
    text: str, status: int, says: str, flag: str, tmp_path: Path
) -> None:
    games = {**GAMES, "pig": pig.KIT}
    told = Room(games=games).run(f"review {flag}{_record(tmp_path, text)}")
    assert told.status == status
    assert says in told.err
    assert told.err.count("\n") == 1
    assert flag == "" or told.out == ""


@pytest.mark.parametrize("words", ["review", "review nowhere.record", "review --jason 1", "review a b"])
def test_a_review_of_nothing_is_refused(words: str) -> None:
    told = Room().run(words)
    assert told.status == 2
    one_sentence(told, "review")


@pytest.mark.nightly
def test_the_command_line_reviews_standard_input(tmp_path: Path) -> None:
    env: Mapping[str, str] = {"PUBDICE_DATA": str(tmp_path)}
    words = [str(COMMAND), "review", "-", "--json"]
    done = subprocess.run(words, input="pubdice 1\n" + MATCH, capture_output=True, text=True, env=env, check=True)
    assert json.loads(done.stdout)["seats"]["Ann"]["result"] == 1


def test_a_review_is_told_choice_by_choice_by_the_keys_of_a_table(tmp_path: Path) -> None:
    file = _record(tmp_path, MATCH)
    typed = ("", "", "u", "l", "m", "w", "h", "t", "c", "3", "r", "r", "r", "?", "q")
    told = _sound(Room().run(f"review {file} --steps", *typed))
    first, *asked = [reply.strip("\n") for reply in told.replies]
    assert first.startswith("All 5 choices.")
    one, two = asked[0], asked[1]
    assert one.startswith("Choice 1 of 5: Ann. ")
    assert one.endswith("Nothing was better.")
    assert two.startswith(
        "Choice 2 of 5: Bob. Ann has 24: Bob can only tie. Dice: 1 2 3 4 4 5. Bob kept 5. Keep 5 loses 2.9%"
    )
    assert (asked[2], asked[3], asked[4]) == (one, one, two), "back, again, the worst"
    parts = [asked[at] for at in (5, 7, 6)]
    assert two.startswith(" ".join(parts)), "where, the score to beat, the dice"
    assert two.endswith(asked[8])
    assert asked[9].startswith("Choice 3 of 5: Bob. ")
    assert asked[12] == "This match has choices 1 to 5."
    assert {"Enter, r", "m", "q"} <= {line[2:12].strip() for line in asked[13].splitlines()}


@pytest.mark.parametrize("typed", [(), ("99999999999999999999",), ("0",), ("²",), ("-1", "k6"), ("U", "Q")])
def test_steps_end_with_the_input_and_take_no_careless_key_amiss(typed: tuple[str, ...], tmp_path: Path) -> None:
    told = _sound(Room().run(f"review {_record(tmp_path, MATCH)} --steps", *typed))
    assert "Choice" not in told.out


def test_steps_speak_ones_language_and_are_not_json(tmp_path: Path) -> None:
    file = _record(tmp_path, MATCH)
    told = _sound(Room(language=language("de")).run(f"review {file} --steps", "letzte", "zurück", "?", "ende"))
    assert "Entscheidung 1 von 5: Ann." in told.out
    assert "  m         Die teuerste" in told.out
    both = Room().run(f"review {file} --steps --json")
    assert (both.status, both.out) == (2, "")
    assert "--json or --steps, not both" in both.err
