"""``pubdice night``: records of one duplicate night ranked, and refused in a sentence where they are not of one."""

import json
from pathlib import Path

import pytest

from pubdice.advice import luck_rank as ranks
from pubdice.games import GAMES
from support.console import Room
from support.duplicate_match import CODE, played, record_of, seals_of

KIT = GAMES["midnight"]
RULES = {"format": "rounds 2"}


@pytest.fixture(autouse=True)
def few_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "MOST_REPLAYS", 1)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Three tables of one night."""
    found = []
    for policy, lots in (("tip", "one"), ("lucky", "two"), ("lucky", "three")):
        found.append(tmp_path / f"{lots}.record")
        found[-1].write_text(record_of(*played(KIT, policy, lots, rules=RULES)))
    return found


def _run(*names: object, more: str = "") -> tuple[int, str, str]:
    told = Room().run(" ".join(["night", *map(str, names), more]).strip())
    return told.status, told.out, told.err


def test_three_tables_are_ranked_by_what_reviews_say_was_lost(files: list[Path]) -> None:
    status, out, err = _run(*files, more="--json")
    assert (status, err) == (0, "")
    rows = json.loads(out)
    assert len(rows) == 6
    assert [row["lost"] for row in rows] == sorted(row["lost"] for row in rows)
    for row in rows:
        review = json.loads(Room().run(f"review {files[row['table'] - 1]} --json").out)
        mine = [each for each in review["decisions"] if each["seat"] == row["seat"]]
        assert row["lost"] == pytest.approx(sum(each["lost"] for each in mine))
        assert row["decisions"] == sum(each["counts"] for each in mine)
    status, out, _ = _run(*files)
    lines = out.splitlines()
    assert status == 0
    assert "made the fewest mistakes" in lines[0]
    assert len(lines) == 7
    assert lines[1].startswith(f"1. {rows[0]['seat']}, table {rows[0]['table']}: lost ")


def test_other_commands_read_records_of_a_night(files: list[Path]) -> None:
    for command in ("replay", "review"):
        assert Room().run(f"{command} {files[0]}").status == 0


@pytest.mark.parametrize(
    ("change", "status", "why"),
    [
        ((f"night: {CODE}", f"night: X{CODE}"), 2, "aren't from the same night."),
        ((f"night: {CODE} ", "# "), 2, "isn't from a same-dice night."),
        ((f"night: {CODE} ", "night: x "), 2, "the code of the night in capital letters, then 16 hex digits."),
    ],
)
def test_records_of_no_night_or_two_are_refused(
    files: list[Path], change: tuple[str, str], status: int, why: str
) -> None:
    files[1].write_text(files[1].read_text().replace(*change))
    found, out, err = _run(*files)
    assert (found, out) == (status, "")
    assert why in err
    assert err.count("\n") == 1


def test_a_choice_taken_back_is_refused_as_every_choice_stands(files: list[Path]) -> None:
    text = files[0].read_text()
    name, roll, keep, rest = next(line for line in text.splitlines() if " k" in line).split(" ", 3)
    back = f"{name} {roll} {keep}\nback {name[:-1]}\n{name} {keep} {rest}"
    files[0].write_text(text.replace(f"{name} {roll} {keep} {rest}", back))
    status, out, err = _run(*files)
    assert (status, out) == (3, "")
    assert "On a same-dice night every choice stands." in err


def test_another_match_and_other_dice_are_refused(files: list[Path], tmp_path: Path) -> None:
    (other := tmp_path / "other.record").write_text(record_of(*played(KIT, "tip", "one", rules={"format": "rounds 1"})))
    assert "are not the same match." in _run(files[0], other)[2]
    seals = seals_of(b"another house")
    mine, theirs = seals_of().night(CODE).write(), seals.night(CODE).write()
    text = record_of(*played(KIT, "tip", "one", rules=RULES, seals=seals))
    other.write_text(text.replace(theirs, mine))
    status, _, err = _run(files[0], other)
    assert status == 3
    assert "differ in round 1: seat 1, turn 1, roll 1 has other dice." in err
    cut = text.replace(theirs, mine).partition("round 2")[0]
    other.write_text(cut)
    assert "ends before the match does." in _run(other)[2]
