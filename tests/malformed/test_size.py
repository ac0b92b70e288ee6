"""Text that is wrong, wherever pubdice reads some: each case is refused in a sentence, and nothing is lost.

The suite holds many cases, no two alike: of commands, answers, records and what only looks unusual.
"""

import os
from collections import Counter
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from malformed.bad_answers import ANSWERS
from malformed.bad_commands import COMMANDS
from malformed.bad_headers import HEADERS
from malformed.bad_turns import TURNS
from malformed.cases import BadCommand, BadRecord
from support.console import Told, one_sentence, pubdice, snapshot
from support.started import Started

KNOWN = ("play", "resume", "games", "rules", "replay", "record", "perft", "review", "drill", "simulate", "arena")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a game that waits, one that is over, and a damaged one."""
    folder = tmp_path_factory.mktemp("house")
    assert pubdice("play", "midnight", "--seed", "7", data=folder, typed="r\n1\n").status == 0
    assert "game 2" in pubdice("play", "420", "--seats", "bot,bot", "--seed", "7", data=folder).out
    assert pubdice("play", "midnight", "--seed", "7", data=folder, typed="r\n1\n").status == 0
    damaged = folder / "3.log"
    lines = damaged.read_bytes().splitlines(keepends=True)
    damaged.write_bytes(b"".join([lines[0], b'["roll 34451"]\n', *lines[1:]]))
    return folder


def _refused(told: Told, bad: BadCommand) -> None:
    sentence = one_sentence(told, bad.words[0] if bad.words[0] in KNOWN else "")
    assert told.status == bad.status
    assert bad.says in sentence


@pytest.mark.parametrize("bad", COMMANDS, ids=lambda bad: bad.why)
def test_a_bad_command_line_is_refused_in_a_sentence(bad: BadCommand, house: Path, tmp_path: Path) -> None:
    before = snapshot(house)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        told = pubdice(*bad.words, data=house, typed="r\nr\nr\n")
    _refused(told, bad)
    assert snapshot(house) == before
    assert snapshot(tmp_path) == {}


def test_a_waiting_game_is_asked_for_where_none_waits(tmp_path: Path) -> None:
    told = pubdice("resume", data=tmp_path)
    assert told.status == 1
    assert "No game is waiting" in one_sentence(told, "resume")
    assert snapshot(tmp_path) == {}


REAL = [bad for bad in COMMANDS if "\0" not in "".join(bad.words) and len("".join(bad.words)) < 10_000][::40]


def _process(*words: str, data: Path, typed: bytes = b"") -> Told:
    with TemporaryFile() as stdin:
        stdin.write(typed)
        stdin.seek(0)
        process = Started(*words, environ={**os.environ, "PUBDICE_DATA": str(data)}, folder=data, stdin=stdin.fileno())
        out, err = process.communicate(timeout=30)
    return Told(process.wait(), out, err)


@pytest.mark.parametrize("bad", REAL, ids=lambda bad: bad.why)
def test_a_bad_command_line_is_refused_by_the_real_command_too(bad: BadCommand, house: Path) -> None:
    before = snapshot(house)
    _refused(_process(*bad.words, data=house), bad)
    assert snapshot(house) == before


@pytest.mark.parametrize("bad", [*HEADERS[::90], *TURNS[::48]], ids=lambda bad: bad.why)
def test_a_bad_record_is_refused_by_the_real_command_too(bad: BadRecord, tmp_path: Path) -> None:
    told = _process("replay", "-", data=tmp_path, typed=bad.data)
    sentence = one_sentence(told, "replay")
    assert told.status == bad.status
    assert bad.says in sentence
    assert snapshot(tmp_path) == {}


RECORDS = [*HEADERS, *TURNS]


def _shown(text: str) -> str:
    """What of a piece of text may be shown again."""
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text.strip())
    return shown if len(shown) <= 40 else shown[:39] + "…"


@pytest.mark.parametrize("bad", RECORDS, ids=lambda bad: bad.why)
def test_a_bad_record_is_refused_in_a_sentence_with_its_place(bad: BadRecord, tmp_path: Path) -> None:
    told = pubdice("replay", "-", typed=bad.data, data=tmp_path)
    sentence = one_sentence(told, "replay")
    assert told.status == bad.status
    assert bad.says in sentence
    assert snapshot(tmp_path) == {}
    if bad.place is None:
        return
    line, column, found = bad.place
    stood = f'"{_shown(found)}"' if found else "at the end"
    assert sentence.startswith(f"Line {line}, column {column}, {stood}: "), sentence


@pytest.mark.parametrize("bad", RECORDS[::9], ids=lambda bad: bad.why)
def test_a_bad_record_in_a_file_is_refused_just_so_and_left_alone(bad: BadRecord, tmp_path: Path) -> None:
    file = tmp_path / "bad.record"
    file.write_bytes(bad.data)
    piped = pubdice("replay", "-", typed=bad.data, data=tmp_path / "data")
    for options in ([], ["--json"]):
        told = pubdice("replay", str(file), *options, data=tmp_path / "data")
        assert (told.status, told.out) == (bad.status, "")
        assert told.err.endswith(piped.err.removeprefix("pubdice replay: ").removeprefix('"-"'))
    assert snapshot(tmp_path) == {"bad.record": bad.data}


GOOD = "pubdice 1\ngame: 420\nseats: Red, Blue\n\nround 1\nRed: 6554 = 20\n"


@pytest.mark.parametrize(
    "data",
    [
        GOOD.encode(),
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace("\n", "\r\n").encode(),
        GOOD.replace("\n", "\n\n# a comment\n").encode(),
        GOOD.rstrip("\n").encode(),
        GOOD.replace("Red: 6554 = 20", "  Red :   6554=20  # at last").encode(),
        GOOD.replace("Red: 6554", "Red:\t6554").encode(),
        GOOD.upper().replace("GAME", "Game").replace("RED", "Red").replace("ROUND", "round").encode(),
    ],
    ids=["plain", "byte order mark", "CRLF", "comments", "no last line end", "spaces", "tab", "keys in capitals"],
)
def test_what_only_looks_unusual_is_read(data: bytes, tmp_path: Path) -> None:
    told = pubdice("replay", "-", typed=data, data=tmp_path)
    assert (told.status, told.err) == (0, "")
    assert "20" in told.out


def test_the_suite_holds_at_least_300_cases_no_two_alike() -> None:
    names = Counter(
        [f"record: {bad.why}" for bad in (*HEADERS, *TURNS)]
        + [f"command: {bad.why}" for bad in COMMANDS]
        + [f"answer: {bad.scene}: {bad.why}" for bad in ANSWERS]
    )
    assert len(names) >= 300
    assert [name for name, times in names.items() if times > 1] == []
    inputs = {bad.data for bad in (*HEADERS, *TURNS)}
    lines = {bad.words for bad in COMMANDS}
    answers = {(bad.scene, bad.line) for bad in ANSWERS}
    assert len(inputs) + len(lines) + len(answers) >= 300
    assert len(inputs) >= 150
    assert len(lines) >= 100
    assert len(answers) >= 100
