"""The commands that read, the help pages, and the dialog of ``pubdice`` alone."""

import json
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from pubdice.advice.bots import REACHED
from pubdice.cli import main
from pubdice.games import GAMES
from pubdice.terminal.play_help import AIMING
from support.console import Room, dice, pubdice, unprintable

COMMANDS = ("play", "resume", "games", "rules", "replay", "record", "perft")
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    "words", [("--help",), ("-h",), ("help",), *((name, "--help") for name in COMMANDS)], ids=" ".join
)
def test_every_help_page_reads_like_a_manual(words: tuple[str, ...], tmp_path: Path) -> None:
    told = pubdice(*words, data=tmp_path)
    assert (told.status, told.err) == (0, "")
    assert not unprintable(told.out)
    assert "usage: pubdice" in told.out
    assert len(told.out.splitlines()) >= 5
    assert max(map(len, told.out.splitlines())) <= 80
    assert "None" not in told.out
    assert "==SUPPRESS==" not in told.out


def test_the_first_page_names_every_command_and_exit_status(tmp_path: Path) -> None:
    page = pubdice("--help", data=tmp_path).out
    for piece in (*COMMANDS, "PUBDICE_DATA", "NO_COLOR", "Exit status", "--version"):
        assert piece in page


def test_the_page_of_play_names_every_option_and_bot(tmp_path: Path) -> None:
    page = pubdice("play", "--help", data=tmp_path).out
    for piece in ("--seats", "--format", "--opener", "--first", "--need", "--dice", "--seed", "--keys", "--pause"):
        assert piece in page
    for piece in ("midnight", "420", "tip", "lucky", "rotate", "real", "position", "drinks", "pot"):
        assert piece in page


def test_the_page_of_play_says_who_opens_usually_and_what_bots_aim_at(tmp_path: Path) -> None:
    page = " ".join(pubdice("play", "--help", data=tmp_path).out.split())
    assert "the player who goes first in the next round. rotate is usual, loser with lives" in page
    assert (
        "The bot cautious plays for a score that steady reaches in 7 of 8 turns (midnight: 16), or for any score"
        in page
    )
    assert "The bot bold plays for a score that steady reaches in 1 of 5 turns (midnight: 22)." in page
    assert {bot: float(Fraction(*often)) for bot, often in AIMING.items()} == REACHED


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_is_told(option: str, tmp_path: Path) -> None:
    assert re.fullmatch(r"pubdice \d+\.\d+\.\d+\n", pubdice(option, data=tmp_path).out)


@pytest.mark.parametrize("name", ["stdin", "stdout", "stderr"])
def test_a_stream_that_the_parent_has_closed_is_an_empty_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after ``pubdice --version >&-``."""
    monkeypatch.setattr(sys, name, None)
    assert main(["--version"]) == 0
    with getattr(sys, name) as stream:
        assert stream.read() == ""


@pytest.mark.parametrize(
    ("game", "pieces"),
    [
        ("midnight", ("six dice", "keep", "1", "4", "24", "tie", "2-4-24", "pot", "round")),
        ("420", ("four dice", "20", "reroll", "15", "21", "drinks", "Steere")),
    ],
)
def test_the_rules_are_a_minutes_reading(game: str, pieces: tuple[str, ...], tmp_path: Path) -> None:
    told = pubdice("rules", game, data=tmp_path)
    assert (told.status, told.err) == (0, "")
    assert not unprintable(told.out)
    assert 100 <= len(told.out.split()) <= 420
    for piece in pieces:
        assert piece.lower() in told.out.lower()


def test_rules_without_a_game_name_them_all(tmp_path: Path) -> None:
    told = pubdice("rules", data=tmp_path)
    assert (told.status, told.err) == (0, "")
    assert [line.split()[0] for line in told.out.splitlines()] == [*GAMES, "pubdice"]
    assert "420       420: first to make exactly 20.\n" in told.out


def test_games_are_listed_oldest_first_with_where_they_stand(tmp_path: Path) -> None:
    assert "No game" in pubdice("games", data=tmp_path).out
    pubdice("play", "midnight", "--seats", "Ann,Bob", data=tmp_path, typed="r\n")
    pubdice("play", "420", "--seats", "bot,bot", data=tmp_path)
    pubdice("play", "420", "--seats", "Ann,Bob,Cid", "--format", "drinks", "--dice", "real", data=tmp_path)
    rows = pubdice("games", data=tmp_path).out.splitlines()
    assert [row.split(".")[0] for row in rows] == ["1", "2", "3"]
    assert "Midnight, Ann and Bob: waiting" in rows[0]
    assert "over" in rows[1]
    assert "Player 1" in rows[2]


def test_a_finished_game_is_replayed_and_recorded_and_not_resumed(tmp_path: Path) -> None:
    pubdice("play", "midnight", "--seats", "bot,bot:lucky", "--seed", "3", data=tmp_path)
    record = pubdice("record", "1", data=tmp_path)
    assert record.out.startswith("pubdice 1\ngame: midnight\n")
    file = tmp_path / "evening.record"
    file.write_text(record.out)
    told = [pubdice("replay", name, data=tmp_path).out for name in ("1", str(file))]
    told.append(pubdice("replay", "-", data=tmp_path, typed=record.out).out)
    assert told[0] == told[1] == told[2]
    assert "Tip rolled" in told[0]
    assert pubdice("resume", "1", data=tmp_path).status == 1


def test_an_unfinished_game_is_replayed_as_far_as_it_went(tmp_path: Path) -> None:
    pubdice("play", "midnight", "--seats", "Ann,Bob", "--seed", "3", data=tmp_path, typed="r\n1\n")
    told = pubdice("replay", "1", data=tmp_path)
    assert told.status == 0
    assert "Ann rolled" in told.out
    assert "before the match does" in told.out


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.record")), ids=lambda path: path.name)
def test_the_examples_replay_in_words_and_as_json(file: Path, tmp_path: Path) -> None:
    told = pubdice("replay", str(file), data=tmp_path)
    assert (told.status, told.err) == (0, "")
    data = json.loads(pubdice("replay", str(file), "--json", data=tmp_path).out)
    assert {"header", "turns", "winners", "slate"} <= data.keys()
    assert all({"seat", "score"} <= turn.keys() for turn in data["turns"])


def test_the_worked_examples_come_to_their_scores(tmp_path: Path) -> None:
    scores = {}
    for name in ("midnight-encyclopedia", "midnight-playpalace"):
        told = pubdice("replay", str(EXAMPLES / f"{name}.record"), "--json", data=tmp_path)
        turns = json.loads(told.out)["turns"]
        scores[name] = [turn["score"] for turn in turns]
    assert turns[0]["moves"] == [[3, 1, 5, 4, 2, 6], "k146", [2, 5, 3], "k5", [6, 6], "k66"]
    assert 20 in scores["midnight-encyclopedia"]
    assert 23 in scores["midnight-playpalace"]


def test_pubdice_alone_asks_what_to_play(tmp_path: Path) -> None:
    told = pubdice(data=tmp_path, typed="change\n420\nAnn,Bob,Cid\ndrinks\nhouse\nr\nq\n")  # no first roll ends drinks
    assert (told.status, told.err) == (0, "")
    assert told.replies[0] == "Enter plays Midnight against Tip: 5 rounds. Type change for anything else.\n"
    assert "Midnight" in told.replies[1]
    assert "420" in told.replies[1]
    assert " rolled " in told.out
    assert "Game 1 is saved" in told.out


def test_enter_takes_the_usual_answers(tmp_path: Path) -> None:
    told = pubdice(data=tmp_path, typed="change\n" + "\n" * 6)
    assert told.status == 0
    setup = (tmp_path / "1.log").read_text()
    assert "midnight" in setup
    assert "rounds 5" in setup
    assert "1 4" in setup
    assert "tip" in setup


def test_each_answer_of_the_dialog_is_checked_at_once(tmp_path: Path) -> None:
    typed = "change\nchess\n1\nAnn,Ann\nAnn,Bob\n9\n2 4\nmaybe\nno\nrace\nrounds 2\nloaded\nreal\n344512\n"
    told = pubdice(data=tmp_path, typed=typed)
    assert (told.status, told.err) == (0, "")
    for number, piece in ((2, "midnight"), (4, "same name"), (6, "2 4"), (8, "follow"), (10, "rounds"), (12, "real")):
        assert piece in told.replies[number]
    assert "Ann rolled 3 4 4 5 1 2." in told.out
    assert "rounds 2" in (tmp_path / "1.log").read_text()


def test_enter_plays_the_usual_match_at_once_and_a_name_the_usual_one_of_that_game(tmp_path: Path) -> None:
    told = pubdice(data=tmp_path, typed="\n\n")
    assert (told.status, told.err) == (0, "")
    assert re.match(r"Midnight: 5 rounds; .*you and Tip", told.replies[1])
    assert "You rolled" in told.replies[2]
    assert "Threes: " in pubdice("play", data=tmp_path, typed="?\nthrees\n").replies[2]
    heads = [pubdice("record", number, data=tmp_path).out.splitlines()[1:3] for number in "12"]
    assert heads == [["game: midnight", "need: 1 4"], ["game: threes", "moon: no"]]


@pytest.mark.parametrize("typed", ["", "q\n", "chess\n", "?\n", *("change\n" + "\n" * answers for answers in range(5))])
def test_leaving_the_dialog_makes_no_game(typed: str, tmp_path: Path) -> None:
    told = pubdice(data=tmp_path / "data", typed=typed)
    assert (told.status, told.err) == (0, "")
    assert not (tmp_path / "data").exists()


def test_play_options_reach_the_table(tmp_path: Path) -> None:
    words = ("--seats", "Ann,Bob", "--need", "2-4", "--format", "pot:2:3", "--opener", "loser", "--first", "Bob")
    told = pubdice("play", "midnight", *words, data=tmp_path)
    assert "a 2 and a 4" in told.out
    assert "Bob goes first." in told.out
    assert "4 chips in the pot" in told.out
    head = pubdice("record", "1", data=tmp_path).out
    for line in ("need: 2 4", "opener: loser", "first: Bob", "seats: Ann, Bob"):
        assert line in head


def test_lots_are_drawn_where_they_are_asked_for() -> None:
    room = Room(draws=(1,), rolls=dice("344512"))
    told = room.run("play midnight --seats Ann,Bob --first draw", "r")
    assert "Player 1 is Bob" in told.out
    assert "Bob rolled" in told.out
