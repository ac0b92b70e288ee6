"""Golden records: one seeded match of bots per game, option, format and opener, compared byte for byte.

A change here is a change of rules, bots, seeded dice or notation: look at it, then write the files again with
``.venv/bin/pytest tests/playthroughs --regenerate``.
"""

from pathlib import Path

import pytest

from play import CASES, KITS, Case, bot_match, covering, read
from pubdice.games import GAMES
from pubdice.match.record import moves as replayed
from pubdice.match.table import moves

HERE = Path(__file__).parent
MOST = 120
"""The most cases of a game of which each has a record. Of more, there are enough for each pair of choices."""


def _chosen(name: str) -> dict[Path, Case]:
    """The records of a game: of its cases, of its pairs of choices, and those that are here."""
    every = {case.fields: case for case in CASES if case.kit.name == name}
    few = {*every} if len(every) <= MOST else {*covering([*every])}
    paths = {HERE / f"{case}.record": case for case in every.values()}
    return {path: case for path, case in paths.items() if case.fields in few or path.exists()}


GOLDEN = {path: case for name in GAMES if name in KITS for path, case in _chosen(name).items()}
EVERY_RECORD = pytest.mark.parametrize(("path", "case"), GOLDEN.items(), ids=lambda value: getattr(value, "stem", ""))


@EVERY_RECORD
def test_a_seeded_match_is_the_golden_one_byte_for_byte(path: Path, case: Case, regenerate: bool) -> None:
    text = bot_match(case, 3, "playthrough").text()
    if regenerate:
        path.write_bytes(text.encode("utf-8"))
    assert path.read_bytes() == text.encode("utf-8")


@EVERY_RECORD
def test_a_golden_record_replays_to_the_end_of_the_match(path: Path, case: Case) -> None:
    record, steps = read(path.read_text(encoding="utf-8"))
    assert case.kit.normalize(record.header).fields == record.header.fields
    assert steps[-1].after.over
    assert replayed(steps) == moves(bot_match(case, 3, "playthrough").events)


def test_every_file_here_is_compared() -> None:
    assert sorted(HERE.glob("*.record")) == sorted(GOLDEN)
