"""Opened seals are remembered in a file of their own, which an older copy of the tables leaves as it is."""

from pathlib import Path

import pytest

from pubdice.core.errors import NotStored, Refused
from pubdice.core.seal import KeyedSeals, Seal
from pubdice.store.opened_seals_file import OpenedSealsFile

FIRST, SECOND = (Seal("ab" * 8, number, "cd" * 32) for number in (1, 2))


def test_what_was_opened_stays_so_and_with_it_all_before_in_the_chain(tmp_path: Path) -> None:
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


def test_a_line_cut_short_and_a_file_that_cannot_be_written_do_no_harm(tmp_path: Path) -> None:
    (file := tmp_path / "opened").write_text(f"{FIRST.table}\nabab")
    assert OpenedSealsFile(file).is_opened(FIRST)
    OpenedSealsFile(tmp_path / "missing" / "opened").note(FIRST)
    (tmp_path / "folder").mkdir()
    with pytest.raises(NotStored):
        OpenedSealsFile(tmp_path / "folder")


def test_a_seal_is_noted_on_a_line_of_its_own_behind_one_cut_short(tmp_path: Path) -> None:
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
