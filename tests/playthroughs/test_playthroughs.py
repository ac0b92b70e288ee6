"""Golden records: one seeded match of bots per game, option, format and opener, compared byte for byte.

A change here is a change of rules, bots, seeded dice or notation: look at it, then write the files again with
``.venv/bin/pytest tests/playthroughs --regenerate``.
"""

from pathlib import Path

import pytest

from law_plugin import ONE_CAUSE
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
EVERY_GAME = pytest.mark.parametrize("name", sorted({case.kit.name for case in GOLDEN.values()}))


def _golden(name: str) -> dict[Path, Case]:
    """The records of a game. If one is missing, its test is skipped: the first test below fails for it, once."""
    records = {path: case for path, case in GOLDEN.items() if case.kit.name == name}
    if not all(path.exists() for path in records):
        pytest.skip(ONE_CAUSE)
    return records


def test_every_case_has_its_record_and_every_record_its_case(regenerate: bool) -> None:
    """If a game has a new option, run ``pytest tests/playthroughs --regenerate`` and look at the new records."""
    for path, case in GOLDEN.items() if regenerate else ():
        path.write_bytes(bot_match(case, 3, "playthrough").text().encode("utf-8"))
    there = {*HERE.glob("*.record")}
    assert (sorted(GOLDEN.keys() - there), sorted(there - GOLDEN.keys())) == ([], []), "run it with --regenerate"


@EVERY_GAME
def test_seeded_matches_are_the_golden_ones_byte_for_byte(name: str) -> None:
    for path, case in _golden(name).items():
        assert path.read_bytes() == bot_match(case, 3, "playthrough").text().encode("utf-8"), path.name


@EVERY_GAME
def test_golden_records_replay_to_the_end_of_the_match(name: str) -> None:
    for path, case in _golden(name).items():
        record, steps = read(path.read_text(encoding="utf-8"))
        assert case.kit.normalize(record.header).fields == record.header.fields, path.name
        assert steps[-1].after.over, path.name
        assert replayed(steps) == moves(bot_match(case, 3, "playthrough").events), path.name
