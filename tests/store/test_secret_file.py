"""The key of the seals: made once, for its owner only, and named in a sentence where it can't be used."""

import stat
from pathlib import Path

import pytest

from pubdice.core.errors import NotStored
from pubdice.store.secret_file import read_secret
from support.console import pubdice


def test_it_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "house.db.seals"
    first = read_secret(file, lambda size: b"a" * size)
    assert first == b"a" * 32
    assert read_secret(file, lambda size: b"b" * size) == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == [file.name], "no draft is left"


def test_where_it_cannot_be_made_that_is_said_and_not_that_it_is_lost(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotStored) as refused:
        read_secret(tmp_path / "file" / "seals", bytes)
    assert (refused.value.code, refused.value.facts["reason"]) == ("store-unwritable", "File exists")


@pytest.mark.parametrize("text", ["", "xyz", "ab" * 31, "ä"])
def test_a_damaged_one_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    (file := tmp_path / "seals").write_text(text)
    with pytest.raises(NotStored) as refused:
        read_secret(file, bytes)
    assert refused.value.code == "secret-file"
    assert file.read_text() == text


def test_a_house_that_cannot_use_it_does_not_start_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "house.db.seals").mkdir()
    told = pubdice("serve", "--data", str(tmp_path / "house.db"), "--port", "0", data=tmp_path)
    assert told.status == 1
    assert "house.db.seals is needed to seal dice, and can't be used (Is a directory)." in told.err
    assert told.err.count("\n") == 1


def test_the_terminal_says_so_too(tmp_path: Path) -> None:
    (tmp_path / "seals").write_text("damaged")
    told = pubdice("play", "midnight", "--dice", "sealed", "--seats", "bot,bot", data=tmp_path)
    assert told.status == 1
    assert "seals is needed to seal dice, and can't be used." in told.err
