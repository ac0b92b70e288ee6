"""A file with several records, such as an evening's: verified, reviewed and told one after the other."""

import json
import re
from pathlib import Path

import pytest

from pubdice.match.sealed_sentences import ORDER
from support.console import Room

BOTS = "play ship --dice sealed --seats bot,bot --format rounds:1"


def kept(tmp_path: Path, matches: int = 2) -> tuple[Room, Path, list[str]]:
    """A file with the records of so many matches, and each of them."""
    room = Room()
    records = []
    for number in range(1, matches + 1):
        room.run(BOTS)
        records.append(room.run(f"record {number}").out)
    (file := tmp_path / "evening.records").write_text("\n".join(records))
    return room, file, records


def test_each_is_verified_as_if_it_had_a_file_of_its_own(tmp_path: Path) -> None:
    room, file, records = kept(tmp_path)
    told = room.run(f"verify {file}")
    assert (told.status, told.err) == (0, "")
    assert told.out == room.run("verify 1 2").out
    assert len(json.loads(room.run(f"verify {file} --json").out)) == 2
    file.write_text("\n".join([records[0], records[1].replace("= ", "=", 1)]))
    told = room.run(f"verify {file}")
    assert (told.status, told.err) == (
        3, "pubdice verify: Record 2 of 2: The text of this record was changed after it was written. Ask for the file "
        "as the house saved it.\n",
    )  # fmt: skip


def test_every_record_with_a_fault_is_named_and_the_gravest_makes_the_status(tmp_path: Path) -> None:
    room, file, (one, two) = kept(tmp_path)
    bare = re.sub("(?m)^(seal|players|digests|attempt|seeds|seed|check): .*\n", "", one)
    forged, cut, illegal = two.replace("= ", "=  ", 1), bare[: bare.rindex(" = ")], bare.replace("= ", "= 9", 1)
    unsealed = "These dice were not sealed, so there is nothing to check."
    changed = "The text of this record was changed after it was written. Ask for the file as the house saved it."
    for records, status, faults in (
        ([bare, forged], 3, [f"Record 1 of 2: {unsealed}", f"Record 2 of 2: {changed}"]),
        ([one, bare, bare], 1, [f"Record 2 of 3: {unsealed}", f"Record 3 of 3: {unsealed}"]),
        ([bare, two, one, two], 3, [f"Record 1 of 4: {unsealed}", ORDER]),
        ([illegal, forged], 3, ["Record 1 of 2: Line ", f"Record 2 of 2: {changed}"]),
        (["pubdice 1\n", cut], 2, ["Record 1 of 2: ", f"Record 2 of 2: {unsealed}"]),
    ):
        file.write_text("\n".join(records))
        told = room.run(f"verify {file}")
        said = told.err.removeprefix("pubdice verify: ").splitlines()
        assert (told.status, len(said)) == (status, len(faults)), told.err
        assert all(line.startswith(fault) for line, fault in zip(said, faults, strict=True)), told.err


def test_a_seal_that_cannot_be_read_has_its_line_in_the_whole_file(tmp_path: Path) -> None:
    room, file, (one, two) = kept(tmp_path)
    file.write_text("\n".join([one, two.replace("seal: ", "seal: x", 1)]))
    line = 1 + next(at for at, text in enumerate(file.read_text().split("\n")) if text.startswith("seal: x"))
    told = room.run(f"verify {file}")
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith(f"pubdice verify: Record 2 of 2: Line {line}, column 7"), told.err


def test_a_fault_in_a_later_record_stands_where_it_is_in_the_file(tmp_path: Path) -> None:
    room, file, records = kept(tmp_path)
    file.write_text("\n".join([records[0], records[1].replace("round 1", "round one")]))
    line = 1 + file.read_text().split("\n").index("round one")
    for command in ("verify", "review", "replay"):
        told = room.run(f"{command} {file}")
        assert (told.status, told.out) == (2, "")
        assert f"Line {line}, column 7" in told.err


@pytest.mark.nightly
def test_each_is_reviewed_and_told_under_its_number(tmp_path: Path) -> None:
    room, file, records = kept(tmp_path)
    for command in ("review", "replay"):
        told = room.run(f"{command} {file}").out
        alone = [room.run(f"{command} {number}").out for number in (1, 2)]
        assert told == f"Record 1 of 2.\n{alone[0]}Record 2 of 2.\n{alone[1]}"
        data = json.loads(room.run(f"{command} {file} --json").out)
        assert data == [json.loads(room.run(f"{command} {number} --json").out) for number in (1, 2)]
    (one := tmp_path / "one.record").write_text(records[0])
    assert isinstance(json.loads(room.run(f"review {one} --json").out), dict)
