"""Sealed dice in the terminal: the words first, a seed of one's own, and ``verify``."""

from pathlib import Path

import pytest

from pubdice.core.seal import KeyedSeals
from support.console import Room

BOTS = "play midnight --dice sealed --seats bot,bot --format rounds:1"


def test_the_words_come_first_then_ones_own_seed() -> None:
    room = Room()
    told = room.run("play midnight --dice sealed --seats Ann,bot --format rounds:1", "not, a seed", "my seed 1", "q")
    lines = told.out.splitlines()
    assert lines[0].startswith("The dice are sealed and can't change now. Note these words: ")
    assert len(lines[0].rpartition(": ")[2].split()) == 8
    assert lines[1] == "Add a seed of your own: any letters and digits. Press Enter for a random one."
    assert '"not, a seed": A seed is 1 to 32 letters from A to Z and digits.' in told.out
    assert "Your seed: myseed1. Look for it in the record." in lines
    assert "seeded 0 myseed1" in "\n".join(room.store.read(1))
    again = room.run("resume 1", "q")
    assert lines[0] in again.out, "the words are shown again"


def test_a_match_is_verified_by_its_number_and_from_a_file(tmp_path: Path) -> None:
    room = Room()
    told = room.run(BOTS)
    assert "The seal is open. pubdice verify 1 checks every roll." in told.out
    verified = room.run("verify 1")
    assert (verified.status, verified.err) == (0, "")
    assert "The seal is open. All rolls match it: " in verified.out
    record = room.run("record 1").out
    (file := tmp_path / "evening.record").write_text(record)
    assert Room().run(f"verify {file}").out == verified.out, "without the game, on another machine"
    data = room.run("verify 1 --json").out
    assert '"fault": null' in data


@pytest.mark.parametrize(
    ("change", "status", "why"),
    [
        (("= ", "=  "), 3, "was changed after it was written"),
        (("seal: ", "seal: x"), 2, "A seal is a chain, a number and 64 hex digits."),
        (("check: ", "# check: "), 3, "was changed after it was written"),
        (("seal: ", "# seal: "), 1, "These dice were not sealed"),
    ],
)
def test_a_changed_record_fails(tmp_path: Path, change: tuple[str, str], status: int, why: str) -> None:
    room = Room()
    room.run(BOTS)
    (file := tmp_path / "changed.record").write_text(room.run("record 1").out.replace(*change, 1))
    told = room.run(f"verify {file}")
    assert told.status == status
    assert why in told.err
    assert told.err.count("\n") == 1


def test_a_match_that_is_not_over_does_not_count() -> None:
    room = Room()
    room.run("play midnight --dice sealed --seats Ann,bot", "", "r", "q")
    told = room.run("verify 1")
    assert (told.status, told.err) == (
        1, "pubdice verify: The house has not opened its seal, so this match does not count.\n",
    )  # fmt: skip


def test_a_seed_for_dice_and_sealed_dice_exclude_each_other() -> None:
    told = Room().run("play midnight --dice sealed --seed stout --seats bot,bot")
    assert (told.status, told.err) == (2, "pubdice play: --seed does not go with --dice sealed.\n")


def test_records_of_two_matches_are_checked_together(tmp_path: Path) -> None:
    room = Room()
    for _ in range(2):
        room.run(BOTS)
    assert room.run("verify 1 2").status == 0, "each begins a chain of its own"


def test_a_game_whose_key_is_lost_is_void() -> None:
    room = Room()
    room.run("play midnight --dice sealed --seats Ann,bot", "", "r", "q")
    room.seals = lambda: KeyedSeals(b"x" * 32, bytes)
    told = room.run("resume 1", "r", "1", "r", "q")
    assert "The seal of this game can't be opened any more, so the game is void." in told.out
