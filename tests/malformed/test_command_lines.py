"""Bad command lines: one sentence on standard error, nothing on standard output, and the data folder as it was."""

import os
from pathlib import Path
from tempfile import TemporaryFile

import pytest

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
