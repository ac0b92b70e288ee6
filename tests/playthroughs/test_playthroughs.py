"""Golden records: one seeded match of bots per game, option, format and opener, compared byte for byte.

A change here is a change of rules, bots, seeded dice or notation: look at it, then write the files again with
``.venv/bin/pytest tests/playthroughs --regenerate``.
"""

from pathlib import Path

import pytest

from play import CASES, Case, bot_match, read
from pubdice.games import GAMES
from pubdice.match.record import moves as replayed
from pubdice.match.table import moves

HERE = Path(__file__).parent
GOLDEN = {HERE / f"{case}.record": case for case in CASES if case.kit.name in GAMES}
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
