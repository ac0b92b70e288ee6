"""Who pays at the end of an evening: as the formats say, else the one who has won least; ties are shared."""

from dataclasses import replace

import pytest

from pints import PINTS
from pubdice.games import GAMES
from pubdice.match.formats.format import Unit
from pubdice.room.setup import Row
from pubdice.server.evenings import units_of, who_buys
from pubdice.text.catalogues import language

UNITS = units_of(GAMES.values())


def row(name: str, wins: int, **takings: int) -> Row:
    return Row(name, (f"{name}-person",), wins, tuple(takings.items()))


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (
            [row("Ann", 3, drinks=0, chips=-9), row("Bob", 1, drinks=2, chips=9), row("Cid", 0, drinks=1, chips=0)],
            ["Bob buys 2 rounds of drinks.", "Cid buys a round of drinks."],
        ),
        ([row("Ann", 3, chips=-9), row("Bob", 1, chips=9)], ["Ann has lost 9 chips, the most, and buys."]),
        (
            [row("Ann", 3, chips=-4), row("Bob", 1, chips=8), row("Cid", 0, chips=-4)],
            ["Ann and Cid have lost 4 chips each, the most, and share the bill."],
        ),
        ([row("Ann", 3, chips=0), row("Bob", 1, chips=0)], ["Bob has won the fewest matches, 1, and buys."]),
        (
            [row("Ann", 3), row("Bob", 1), row("Cid", 1)],
            ["Bob and Cid have won the fewest matches, 1 each, and share the bill."],
        ),
        ([row("Ann", 1), row("Bob", 1)], ["Everybody has won the same number of matches, so you share the bill."]),
        ([row("Ann", 0), Row("Tip", (), 4)], []),
        ([Row("Tip", (), 4), Row("Lucky", (), 2)], ["Lucky has won the fewest matches, 2, and buys."]),
        ([row("Ann", 2), row("Bob", 1), Row("Tip", (), 0)], ["Bob has won the fewest matches, 1, and buys."]),
    ],
)
def test_who_buys(rows: list[Row], told: list[str]) -> None:
    assert who_buys(language("en"), rows, UNITS) == told
    german = who_buys(language("de"), rows, UNITS)
    assert len(german) == len(told)
    assert not set(german) & set(told)


def test_a_format_with_a_unit_of_its_own_says_what_is_owed() -> None:
    def owed(language: object, name: str, amount: int) -> str:
        return f"{name} owes {amount}."

    kit = replace(GAMES["midnight"], formats=(replace(PINTS, unit=Unit("pints", owed=owed)),))
    rows = [row("Ann", 3, pints=2), row("Bob", 1, pints=0)]
    assert who_buys(language("en"), rows, units_of([kit])) == ["Ann owes 2."]
    assert who_buys(language("en"), rows, {}) == ["Bob has won the fewest matches, 1, and buys."]
