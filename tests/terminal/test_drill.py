"""The drill: positions asked as at the table, graded exactly, the missed ones asked again first."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import pig
from pubdice.core.errors import NotStored
from pubdice.games import GAMES
from pubdice.store import MemoryStore
from pubdice.terminal.answer_logs import MissedPositions
from pubdice.text.catalogues import language
from support.console import Room, Told, one_sentence, pubdice, unprintable

UNSOLVED = replace(pig.KIT, solver=None)
DRILL = "drill midnight --seed a --count 3"
RIGHT, WRONG = "k 1 4 r", "k 6 r"
"""To the first position of the seed: 6 2 4 1 5 5 against a miss."""


def _sound(told: Told) -> Told:
    assert (told.status, told.err) == (0, "")
    assert not unprintable(told.out)
    return told


def _notes(room: Room) -> list[dict[str, object]]:
    return [json.loads(line) for line in room.drills.read(1)[1:]]


def _asked(told: Told) -> list[str]:
    return re.findall(r"^(?:Ann|Bob|Red|Blue) rolled .*$", told.out, re.MULTILINE)


def test_a_position_is_told_as_at_the_table_and_a_right_answer_is_praised() -> None:
    room = Room()
    told = _sound(room.run(DRILL, RIGHT))
    opening = told.replies[0]
    for piece in (
        "Position 1.",
        "Midnight: 5 rounds",
        "Bob has nothing",
        "Rounds won:",
        "rolled 6 2 4 1 5 5",
        "Which dice do you keep?",
    ):
        assert piece in opening
    assert told.replies[1].startswith("Right: keep 1 4 is best, 47.9% (share of the match). Keep 1 loses 1.3%: ")
    assert told.paragraphs[-1] == "1 of 1 position right."
    assert room.drills.tables() == [], "what is right the first time needs no remembering"
    assert room.store.tables() == []


def test_a_wrong_answer_is_graded_with_the_reason_and_remembered() -> None:
    room = Room()
    told = _sound(room.run(DRILL, WRONG))
    assert re.match(
        r"No: a (mistake|blunder)\. Keep 6 loses .*%: .* points fewer on average.*\. Keep 1 4 is best, 47\.9%",
        told.replies[1],
    )
    assert told.paragraphs[-1] == "0 of 1 position right. One missed position comes first next time."
    (note,) = _notes(room)
    assert note["missed"] is True
    assert note["kept"] == "k6"
    assert str(note["position"]).startswith("pubdice 1\ngame: midnight\n")


def test_missed_positions_come_first_until_they_are_put_right() -> None:
    room = Room()
    first = _sound(room.run(DRILL, WRONG))
    other = _sound(room.run("drill midnight --seed b --count 3"))
    assert "One position missed before comes first." in other.out
    assert _asked(other)[0] == _asked(first)[0]
    told = _sound(room.run("drill midnight --seed b --count 1", RIGHT))
    assert "Right: " in told.out
    assert told.paragraphs[-1] == "1 of 1 position right."
    assert [note["missed"] for note in _notes(room)] == [True, False]
    assert "missed before" not in _sound(room.run("drill midnight --seed b")).out


def test_what_is_missed_again_goes_to_the_end() -> None:
    room = Room()
    misses = MissedPositions(room.drills)
    for name in "abca":
        misses.note(name, missed=True, kept="k1")
    assert misses.positions() == ["b", "c", "a"]
    misses.note("c", missed=False, kept="k1")
    assert misses.positions() == ["b", "a"]


def test_a_drill_of_one_game_leaves_what_was_missed_in_another() -> None:
    room = Room()
    room.run(DRILL, WRONG)
    told = _sound(room.run("drill 420 --seed a", "q"))
    assert "missed before" not in told.out
    assert "420: " in told.out
    assert told.paragraphs[-1] == "You answered no position."
    assert "missed before" in _sound(room.run("drill --seed a")).out


def test_without_a_game_the_solved_games_take_turns() -> None:
    told = _sound(Room().run("drill --seed a", RIGHT))
    assert re.findall(r"^(Midnight|420): ", told.out, re.MULTILINE) == ["Midnight", "420"]


def test_the_same_word_sets_the_same_positions() -> None:
    one, other = (Room().run(DRILL, RIGHT).out for _ in range(2))
    assert one == other
    assert one != Room().run(DRILL.replace("seed a", "seed b"), "q").out
    assert _sound(Room().run("drill midnight --count 1", "q")).out


def test_the_count_ends_the_drill() -> None:
    told = _sound(Room().run("drill midnight --seed a --count 1", RIGHT, RIGHT))
    assert told.out.count("Which dice do you keep?") == 1


@pytest.mark.parametrize("leave", ["q", "quit", None])
def test_leaving_and_the_end_of_input_end_with_a_summary(leave: str | None) -> None:
    told = _sound(Room().run(DRILL, RIGHT, *([leave] if leave else [])))
    assert told.paragraphs[-1] == "1 of 1 position right."


def test_asking_is_free_but_the_coach_waits_for_the_answer() -> None:
    room = Room()
    told = _sound(room.run(DRILL, "hint", "t", "s", "l", "d", "?", "", "zz", "9", "b", "r", "1 4", "u", RIGHT))
    assert told.replies[1] == "Answer first, then the coach tells you.\n"
    assert "you have" not in told.replies[2]
    assert "means nothing" in told.replies[8]
    assert "Too early to bank" in told.replies[10]
    assert "Right: keep 1 4" in told.replies[14]


@pytest.mark.parametrize("code", ["en", "de"])
def test_help_lists_neither_advice_nor_a_saved_game(code: str) -> None:
    for command in (DRILL, "daily"):
        page = _sound(Room(language=language(code)).run(command, "?", "q")).out
        assert "\n  hint " not in page
        assert ("\n  q       leave without an answer\n" in page) == (code == "en")
        assert "resume" not in page
        assert "Tipp" not in page


def test_a_whole_line_answers_and_the_rest_of_it_is_not_taken_for_the_next() -> None:
    told = _sound(Room().run(DRILL, "1 4 r 6 r"))
    assert told.out.count("Right:") == 1
    assert told.paragraphs[-1] == "1 of 1 position right."


def test_house_rules_can_be_drilled() -> None:
    told = _sound(Room().run("drill midnight --need 2,4 --seed a", "q"))
    assert "you need a 2 and a 4" in told.out


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        ("chess", 2, "no game of that name"),
        ("pig", 1, "not solved"),
        ("midnight --count 0", 2, "1 to 1000"),
        ("midnight --count many", 2, "1 to 1000"),
        ("midnight --count 1001", 2, "1 to 1000"),
        ("midnight --need 9,9", 2, "two different faces"),
        ("420 --need 1,4", 2, "need"),
        ("--need 2,4", 2, "name the game"),
        ("midnight --seed " + "7" * 65, 2, "seed"),
        ("midnight --bogus", 2, "--bogus"),
    ],
)
def test_what_cannot_be_drilled_is_refused_in_a_sentence(words: str, status: int, says: str) -> None:
    told = Room(games={**GAMES, "pig": UNSOLVED}).run("drill " + words)
    assert told.status == status
    assert says in one_sentence(told, "drill")


def test_with_nothing_solved_there_is_nothing_to_drill() -> None:
    assert "No game is solved" in one_sentence(Room(games={"pig": UNSOLVED}).run("drill"), "drill")


def test_bots_that_nobody_knows_play_up_to_a_position_too() -> None:
    kit = replace(GAMES["midnight"], policies={"own": GAMES["midnight"].policies["tip"]})
    assert "Position 1." in _sound(Room(games={"midnight": kit}).run("drill --seed a")).out


@pytest.mark.parametrize("line", ["", "nonsense", "[]", '{"position": 1, "missed": true}', '{"missed": true}'])
def test_a_damaged_line_is_named_and_nothing_is_changed(line: str) -> None:
    room = Room()
    room.run(DRILL, WRONG)
    room.drills.append(1, 2, [line])
    told = room.run(DRILL)
    assert told.status == 1
    assert "damaged at line 3" in one_sentence(told, "drill")
    assert len(room.drills.read(1)) == 3


class Unreadable(MemoryStore):
    """A store in a folder that may not be read."""

    def tables(self) -> list[int]:
        raise NotStored("store-unreadable", reason="Permission denied", folder="/drills")


def test_a_log_that_cannot_be_read_is_told_as_what_it_is() -> None:
    drill = one_sentence(Room(drills=Unreadable()).run(DRILL, RIGHT), "drill")
    assert drill == "Couldn't read what you missed before in /drills (Permission denied)."
    daily = one_sentence(Room(days=Unreadable()).run("daily"), "daily")
    assert daily == "Couldn't read your earlier days in /drills (Permission denied)."


def test_a_position_that_is_none_any_more_is_passed_over() -> None:
    room = Room()
    misses = MissedPositions(room.drills)
    for text in ("no record", "pubdice 1\ngame: chess\nseats: Ann\n", "pubdice 1\ngame: midnight\nseats: Ann\n"):
        misses.note(text, missed=True, kept="k1")
    assert "missed before" not in _sound(room.run(DRILL, RIGHT)).out


def test_two_drills_at_once_both_remember() -> None:
    class Raced(MemoryStore):
        raced = False

        def append(self, table: int, seen: int, lines: object) -> None:
            if not self.raced:
                self.raced = True
                super().append(table, seen, ["{}"])
                raise NotStored("moved-on", table=table)
            super().append(table, seen, lines)  # type: ignore[arg-type]

    store = Raced()
    MissedPositions(store).note("a", missed=True, kept="k1")
    assert len(store.read(1)) == 3


def test_the_files_of_the_drill_do_not_disturb_the_games(tmp_path: Path) -> None:
    told = pubdice("drill", "midnight", "--seed", "a", data=tmp_path, typed=WRONG + "\nq\n")
    assert (told.status, told.err) == (0, "")
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["1.log"]
    assert "No game is saved" in pubdice("games", data=tmp_path).out
    pubdice("play", "midnight", "--seed", "1", data=tmp_path, typed="q\n")
    assert pubdice("games", data=tmp_path).out.startswith("1. Midnight")
    assert "missed before" in pubdice("drill", "midnight", "--seed", "a", data=tmp_path, typed="q\n").out


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "drills"
    blocked.write_text("a file where a folder should be", encoding="utf-8")
    told = pubdice("drill", "midnight", "--seed", "a", data=tmp_path, typed=WRONG + "\n")
    assert told.status == 1
    assert "drills" in told.err
    assert told.err.count("\n") == 1


def test_the_last_grade_is_said_again_and_each_position_begins_with_the_score_so_far() -> None:
    told = _sound(Room().run(DRILL, RIGHT, "l", "q"))
    grade = told.replies[1].splitlines()[0]
    assert grade.startswith("Right: keep 1 4 is best, ")
    assert "Position 2. 1 of 1 position right." in told.replies[1]
    assert told.replies[2].startswith(grade)
    assert "Position 1." in told.replies[0]
    assert "right" not in told.replies[0], "nothing to count yet"
