"""Pig, a game the house has not, plays, records, resumes and replays with one line in GAMES."""

import json
from pathlib import Path

import pytest

import pig
from support.console import Room, dice, pubdice

GAMES = {"pig": pig.KIT}


def test_pig_is_played_to_its_end() -> None:
    room = Room(games=GAMES, rolls=dice("6", "5", "1", "4", "6", "6", "2", "6", "6", "6", "6", "6"))
    told = room.run("play pig --seats Ann,Bob", "r", "r", "r", "r", "b", "r", "r", "r", "r", "r", "b")
    assert (told.status, told.err) == (0, "")
    assert "The turn is lost" in told.out
    assert "\nAnn wins the race!\n" in told.out
    assert room.run("resume 1").err == "pubdice resume: Game 1 is over. pubdice replay 1 tells it again.\n"
    assert room.run("games").out == "1. Pig, Ann and Bob: over. Ann wins the race!\n"


def test_pig_is_recorded_resumed_and_replayed_by_the_command_line(tmp_path: Path) -> None:
    told = pubdice("play", "pig", "--seats", "Ann,bot", "--seed", "1", data=tmp_path, games=GAMES, typed="r\n")
    assert (told.status, told.err) == (0, "")
    for _ in range(60):
        if "over" in pubdice("games", data=tmp_path, games=GAMES).out:
            break
        told = pubdice("resume", data=tmp_path, games=GAMES, typed="r\nr\nb\n")
        assert (told.status, told.err) == (0, "")
    record = pubdice("record", "1", data=tmp_path, games=GAMES).out
    assert "game: pig" in record
    assert "target: 20" in record
    assert pubdice("replay", "-", data=tmp_path, games=GAMES, typed=record).err == ""
    data = json.loads(pubdice("replay", "1", "--json", data=tmp_path, games=GAMES).out)
    assert data["finished"]
    assert len(data["winners"]) == 1


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("rules pig", "Roll a die as often as you like; a 1 loses the turn; hold banks it. First to the target wins."),
        ("play --help", "or pig"),
        ("perft pig --depth 3", "ply 2: 16 positions, 11 chance, 5 decision, 0 over, 66 rolls, 10 actions"),
    ],
    ids=["rules pig", "play --help", "perft pig --depth 3"],
)
def test_pig_is_in_the_pages_of_the_house(command: str, line: str, tmp_path: Path) -> None:
    told = pubdice(*command.split(), data=tmp_path, games=GAMES)
    assert (told.status, told.err) == (0, "")
    assert line in " ".join(told.out.split())


def test_pig_is_offered_by_the_dialog(tmp_path: Path) -> None:
    told = pubdice(data=tmp_path, games=GAMES, typed="change\npig\nAnn,Bob\n50\n\nreal\n6\nb\n1\n")
    assert (told.status, told.err) == (0, "")
    assert "Pig" in told.replies[1]
    assert "Ann rolled 6." in told.out
    assert "held 6" in told.out
    assert "first to 50" in told.out


def test_pig_refuses_in_its_own_words_and_the_houses() -> None:
    room = Room(games=GAMES, rolls=dice("6"))
    told = room.run("play pig --seats Ann,Bob", "b", "1", "r", "zz", "s")
    assert "You can't choose yet." in told.replies[1]
    assert "You can't choose yet" in told.replies[2]
    assert "means nothing" in told.replies[4]
    assert "Ann has 0" in told.replies[5]
    assert room.log() == ["roll 6"]


def test_the_house_does_not_know_pig_unless_told(tmp_path: Path) -> None:
    assert pubdice("rules", "pig", data=tmp_path).status == 2
