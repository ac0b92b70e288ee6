"""Commands of every kind by everybody at several tables at once: no table comes to be that cannot be."""

import asyncio
from pathlib import Path

import pytest

from server.fuzz import DEEDS, Fuzz
from support.house import Pub

LEAST, MOST = 1_000, 10_000
"""Commands by default: so many, and then on until every deed was done."""
NIGHTLY_COMMANDS, PROGRAMS = 20_000, 6


async def run(path: Path, seed: str, least: int, most: int) -> Fuzz:
    pub = Pub(path)
    await pub.open()
    fuzz = Fuzz(pub, seed)
    try:
        for made in range(most):
            if made >= least and set(fuzz.done) == set(DEEDS):
                break
            await fuzz.once()
        for live in list(fuzz.tables):
            await fuzz.leave(live)
    finally:
        await pub.close()
    pub.sound()
    return fuzz


def usual(fuzz: Fuzz) -> None:
    """It was no idle talk: every deed was done, and refused in many ways."""
    assert set(fuzz.done) == set(DEEDS), set(DEEDS) - set(fuzz.done)
    assert len(fuzz.refused) > 35, fuzz.refused
    assert sum(fuzz.done.values()) > sum(fuzz.refused.values()) / 4


def test_a_thousand_commands_of_every_kind_leave_no_illegal_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With heartbeats that look after all tables, as 42 hours go by: with 16 parts each, they cost as much again."""
    for module in ("app", "table.house"):
        monkeypatch.setattr(f"pubdice.server.{module}.PARTS", 1)
    usual(asyncio.run(run(tmp_path / "house.db", "an evening", LEAST, MOST)))


@pytest.mark.nightly
@pytest.mark.parametrize("program", range(PROGRAMS))
def test_a_hundred_thousand_commands_of_every_kind_leave_no_illegal_state(program: int, tmp_path: Path) -> None:
    usual(asyncio.run(run(tmp_path / "house.db", f"program {program}", NIGHTLY_COMMANDS, NIGHTLY_COMMANDS)))
