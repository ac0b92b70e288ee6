"""Secrets beside the house's file: the key of the seals, and the seals that were opened."""

import stat
from pathlib import Path

import pytest

from pubdice.core.errors import NotStored, Refused
from pubdice.core.seal import KeyedSeals, Seal
from pubdice.store.opened_seals_file import OpenedSealsFile
from pubdice.store.secret_file import read_secret
from support.console import pubdice

FIRST, SECOND = (Seal("ab" * 8, number, "cd" * 32) for number in (1, 2))


def test_an_opened_seal_stays_open_with_all_before_it(tmp_path: Path) -> None:
    file = tmp_path / "opened"
    opened = OpenedSealsFile(file)
    assert not opened.is_opened(FIRST)
    opened.note(SECOND)
    opened.note(SECOND)
    again = OpenedSealsFile(file)
    assert again.is_opened(FIRST), "its seed is the hash of the next"
    assert again.is_opened(SECOND)
    assert not again.is_opened(Seal("ab" * 8, 3, "cd" * 32))
    assert not again.is_opened(Seal("cd" * 8, 1, "cd" * 32))
    assert file.read_text() == f"{SECOND.table}\n", "each is noted once"


def test_a_line_cut_short_does_no_harm(tmp_path: Path) -> None:
    (file := tmp_path / "opened").write_text(f"{FIRST.table}\nabab")
    assert OpenedSealsFile(file).is_opened(FIRST)
    OpenedSealsFile(tmp_path / "missing" / "opened").note(FIRST)
    (tmp_path / "folder").mkdir()
    with pytest.raises(NotStored):
        OpenedSealsFile(tmp_path / "folder")


def test_a_seal_is_noted_behind_a_line_cut_short(tmp_path: Path) -> None:
    (file := tmp_path / "opened").write_text(f"{FIRST.table}\nabab")
    OpenedSealsFile(file).note(later := Seal("ef" * 8, 3, "cd" * 32))
    assert OpenedSealsFile(file).is_opened(later)
    assert file.read_text().splitlines() == [FIRST.table, "abab", later.table]


def test_no_dice_are_rolled_under_an_opened_seal(tmp_path: Path) -> None:
    seals = KeyedSeals(bytes(32), bytes, OpenedSealsFile(tmp_path / "opened"))
    seal = seals.first()
    assert seals.can_roll(seal)
    seals.cup(seal, "", 1)
    seals.note_opened(seal)
    assert not seals.can_roll(seal)
    with pytest.raises(Refused) as refused:
        seals.cup(seal, "", 1)
    assert refused.value.code == "seal-opened"
    assert seals.open(seal), "the record still has it"


def test_it_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "house.db.seals"
    first = read_secret(file, lambda size: b"a" * size)
    assert first == b"a" * 32
    assert read_secret(file, lambda size: b"b" * size) == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == [file.name], "no draft is left"


def test_a_book_that_cannot_be_made_is_not_called_lost(tmp_path: Path) -> None:
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
