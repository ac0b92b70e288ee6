"""A file with several records, such as an evening's: verified, reviewed and told one after the other."""

import json
from pathlib import Path

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
        3, "pubdice verify: The text of this record was changed after it was written. Ask for the file as the house "
        "saved it.\n",
    )  # fmt: skip


def test_a_fault_in_a_later_record_stands_where_it_is_in_the_file(tmp_path: Path) -> None:
    room, file, records = kept(tmp_path)
    file.write_text("\n".join([records[0], records[1].replace("round 1", "round one")]))
    line = 1 + file.read_text().split("\n").index("round one")
    for command in ("verify", "review", "replay"):
        told = room.run(f"{command} {file}")
        assert (told.status, told.out) == (2, "")
        assert f"Line {line}, column 7" in told.err


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
