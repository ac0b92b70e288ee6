"""A game's log: a room's, with one key of the terminal's own; and the logs of version 1, which go on as they began."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from pubdice.core.errors import BadNotation
from pubdice.games import GAMES
from pubdice.match.header import RawHeader
from pubdice.room import Room as PartyRoom
from pubdice.room import Setup, read_setup, write_setup
from pubdice.server.log_check import verify
from pubdice.server.match_records import write_record
from pubdice.store import FileStore
from pubdice.terminal.game_log import LOCAL, GameLog, local_setup, read_log
from support.console import NOW_MS, Room, dice, one_sentence, pubdice, snapshot

OLD = Path(__file__).with_name("version_1")
"""Logs that version 1 wrote, each with its record; and, by the same version, how it went on and the log after that."""
KEPT = sorted(path.stem for path in OLD.glob("*.log"))
GONE_ON = sorted(path.stem for path in OLD.glob("*.resumed"))


def _old(name: str, folder: Path) -> Path:
    """A data folder with this game as game 1."""
    folder.mkdir(exist_ok=True)
    shutil.copy(OLD / f"{name}.log", folder / "1.log")
    return folder


def _typed(transcript: str) -> str:
    """What was typed in a transcript, without the prompt at the end of the input."""
    answers = [line[2:] for line in transcript.splitlines() if line.startswith("> ")]
    if transcript.splitlines()[-2] == "> ":
        answers.pop()
    return "".join(answer + "\n" for answer in answers)


@pytest.mark.parametrize("name", KEPT)
def test_a_game_of_version_1_has_the_record_it_had(name: str, tmp_path: Path) -> None:
    data, record = _old(name, tmp_path), (OLD / f"{name}.record").read_text(encoding="utf-8")
    before = snapshot(data)
    assert pubdice("record", "1", data=data).out == record
    again = pubdice("replay", "-", data=data, typed=record)
    assert (again.status, again.err) == (0, "")
    assert pubdice("replay", "1", data=data).out == again.out
    assert pubdice("games", data=data).out.startswith("1. ")
    assert snapshot(data) == before


@pytest.mark.parametrize("name", GONE_ON)
def test_a_game_of_version_1_goes_on_to_the_letter_as_it_would_have(name: str, tmp_path: Path) -> None:
    """The same words, dice and bots, and the same bytes: what is added has the form of what is there."""
    data, told = _old(name, tmp_path), (OLD / f"{name}.resumed").read_text(encoding="utf-8")
    gone_on = pubdice("resume", "1", data=data, typed=_typed(told))
    assert (gone_on.out, gone_on.err) == (told, "")
    assert (data / "1.log").read_bytes() == (OLD / f"{name}.after").read_bytes()


@pytest.mark.parametrize(
    "event",
    [
        *("fly", "roll 777777", "play k666666", "mark 77", "draw 9", "back", "", "0 roll 344512"),
        *("started", "sat 0 eve Eve", "sat 1 local Eve", "shared 1 local Eve", "renamed 0 Eve", "paused 0", "paced 0"),
    ],
)
def test_an_event_that_cannot_stand_in_a_log_of_version_1_is_damage(event: str, tmp_path: Path) -> None:
    data = _old("house-dice", tmp_path)
    with (data / "1.log").open("a", encoding="utf-8") as log:
        log.write(json.dumps([event]) + "\n")
    before = snapshot(data)
    number = len(FileStore(data).read(1)) - 1
    said = one_sentence(pubdice("resume", "1", data=data, typed="r\n"), "resume")
    assert f"event {number} cannot have happened" in said
    assert snapshot(data) == before


PLAYED: dict[str, tuple[str, tuple[str, ...]]] = {
    "a bot between people": ("play midnight --seats Ann,Zoë=lucky,Bob --first bob --format pot:2:2 --seed 1", ("r",)),
    "drawn": ("play 420 --seats you,bot,Bob --format drinks --seed 2", ("r", "k - r", "6 r", "r")),
    "bots alone": ("play midnight --seats bot,bot:lucky --seed 3", ()),
    "real dice": ("play 420 --seats Red,Blue --dice real", ("6541", "4332", "k 6 5", "u", "u", "4331", "k 6 r")),
    "real dice of bots": ("play midnight --seats bot,bot --dice real", ("112233", "u", "112234")),
    "over": ("play midnight --seats Ann --format rounds:1 --seed 4", ("r", "k 1", "r", *["6 5 4 3 2 r"] * 6)),
}


def _room_of(lines: list[str]) -> tuple[PartyRoom, list[str]]:
    """The room of a log, once the terminal's key is taken out of its first line; and the other lines."""
    facts = json.loads(lines[0])
    assert set(facts.pop("terminal")) <= {"seed", "keys", "choose"}
    setup = read_setup(json.dumps(facts))
    return PartyRoom(GAMES[setup.rules["game"]], setup), lines[1:]


@pytest.mark.parametrize("name", PLAYED)
def test_a_rooms_reader_finds_the_same_game_in_the_log(name: str) -> None:
    command, typed = PLAYED[name]
    table = Room()
    assert table.run(command, *typed).status == 0
    room, lines = _room_of(table.store.read(1))
    steps = list(room.replay(room.start(), lines))
    assert [step.write() for step in steps] == lines
    assert {step.line.at for step in steps} == {room.setup.opened} == {NOW_MS}
    assert verify([write_setup(room.setup), *lines], GAMES) == len(lines), "pubdice check has nothing against it"
    after = steps[-1].after
    assert after.match is not None
    assert all(chair.people == (LOCAL,) or chair.bot for chair in after.chairs)
    header = room.kit.normalize(RawHeader(json.loads(table.run("replay 1 --json").out)["header"]))
    assert write_record(header, after.match.table, iter(lines)) == table.run("record 1").out


@pytest.mark.parametrize("name", PLAYED)
def test_a_game_is_written_at_once_with_its_people_and_its_draw(name: str, tmp_path: Path) -> None:
    """So a process killed as it sets up a game leaves none, or one that goes on."""
    assert pubdice(*PLAYED[name][0].split(), data=tmp_path).status == 0
    first = json.loads((tmp_path / "1.log").read_bytes().splitlines()[0])
    tags = [line.split(" ")[1] for line in first[1:]]
    assert tags[: tags.index("started") + 1].count("started") == 1
    assert ("draw" in tags) == (name == "drawn")
    (tmp_path / "2.log").write_text(json.dumps(first) + "\n")
    going_on = pubdice("resume", "2", data=tmp_path)
    assert (going_on.status, going_on.err) == (0, "")


def test_what_only_the_terminal_knows_is_read_by_the_terminal_alone() -> None:
    table = Room()
    table.run("play midnight --seats Ann,bot --seed 🎲 --keys position --choose reroll")
    line = table.store.read(1)[0]
    with pytest.raises(BadNotation):
        read_setup(line)
    log = read_log([line])
    assert (log.seed, log.keys, log.choose) == ("🎲", "position", "reroll")


def test_a_room_of_the_web_is_no_game_of_the_terminal() -> None:
    with pytest.raises(BadNotation):
        read_log([write_setup(Setup({"game": "midnight"}, 2, LOCAL, NOW_MS))])


def test_a_log_whose_match_has_not_begun_is_damage() -> None:
    table = Room()
    table.run("play midnight --seats Ann,Bob")
    for lines in (1, 2, 3):
        table.store.create(*table.store.read(1)[:lines])
        assert "is damaged: event" in one_sentence(table.run(f"resume {1 + lines}"), "resume")


def _setup(first: str = "Zoë") -> Setup:
    kit = GAMES["midnight"]
    header = kit.normalize(RawHeader({"game": "midnight", "seats": "Zoë, Tip", "first": first}))
    return local_setup(header, {"Tip": "tip"}, "house", NOW_MS)


@pytest.mark.parametrize("first", ["Zoë", "Tip", "draw"])
@pytest.mark.parametrize(
    "own", [{}, {"seed": "7"}, {"seed": "🎲"}, {"keys": "position"}, {"choose": "reroll", "texts": ("0 started",)}]
)
def test_a_first_line_written_is_read_again(first: str, own: dict[str, Any]) -> None:
    log = GameLog(_setup(first), **own)
    assert "\n" not in log.write()[0]
    assert read_log(log.write()) == log


TAMPERED: list[tuple[str, Any]] = [
    ("pubdice", 2), ("header", None), ("header", {"game": "midnight"}),
    ("header", {"game": 1, "seats": "Ann", "format": "rounds 1", "first": "Ann"}),
    ("bots", ["Tip"]), ("bots", {"Tip": 1}), ("bots", {"Tip": ""}), ("bots", {"Eve": "tip"}),
    ("dice", "loaded"), ("dice", []), ("seed", 7), ("seed", "\ud800"), ("keys", "hands"), ("keys", []),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), TAMPERED)
def test_a_first_line_of_version_1_that_was_tampered_with_is_refused(key: str, value: object) -> None:
    data = json.loads(FileStore(OLD.parent)._parse((OLD / "house-dice.log").read_bytes(), 1)[1][0])
    with pytest.raises(BadNotation):
        read_log([json.dumps({**data, key: value})])
    with pytest.raises(BadNotation):
        read_log([json.dumps({name: fact for name, fact in data.items() if name != key})])


@pytest.mark.parametrize(
    "own",
    [
        *(
            None,
            [],
            "x",
            {},
            {"seed": None},
            {"seed": 7, "keys": "face"},
            {"seed": "\n", "keys": "face"},
            {"seed": None, "keys": "hands"},
        ),
        {"seed": None, "keys": "face", "choose": "both"},
    ],
)
def test_what_a_terminal_cannot_know_is_refused(own: object) -> None:
    with pytest.raises(BadNotation):
        read_log([json.dumps({**json.loads(GameLog(_setup()).write()[0]), "terminal": own})])


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "7", '"x"', "{", "[" * 5, "[" * 100_000, '{"pubdice": 1}'])
def test_what_is_no_first_line_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        read_log([text])


def test_a_bots_real_dice_are_typed_and_its_choice_is_its_own() -> None:
    """What stands behind the dice in a line would choose for the bot."""
    table = Room()
    told = table.run("play midnight --seats bot,Ann --format rounds:1 --dice real", "r", "+6", "123456 b", "q")
    assert "Roll 6 of your own dice and type them" in told.replies[1]
    assert "You can't choose yet. Roll your dice and type them." in told.replies[2]
    assert told.replies[3].startswith(
        "Tip rolled 1 2 3 4 5 6.\nThe rest of the line was left undone.\nTip kept 1 4 5 6."
    )
    assert table.log() == ["roll 123456", "play k1456"]


def test_two_who_share_the_keyboard_and_a_bot_are_three_chairs_of_one_room() -> None:
    table = Room(rolls=dice("344512"))
    table.run("play midnight --seats Ann,bot,Bob", "r", "q")
    assert [line.partition(" ")[2] for line in table.store.read(1)[1:]] == [
        f"sat 0 {LOCAL} Ann",
        f"shared 2 {LOCAL} Bob",
        "started",
        "roll 344512",
    ]
