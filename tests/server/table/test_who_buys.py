"""Who pays at the end of an evening: as the formats say, else the one who has won least; ties are shared."""

from dataclasses import replace

import pytest

from pints import PINTS
from pubdice.games import GAMES
from pubdice.match.formats.format import Unit
from pubdice.room.setup import Row
from pubdice.server.table.announce import debts, lead, payers, units_of, who_buys
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
        ([row("Ann", 3, chips=0), row("Bob", 1, chips=0)], ["Bob buys: one win."]),
        (
            [row("Ann", 3), row("Bob", 1), row("Cid", 1)],
            ["Bob and Cid share the bill: one win each."],
        ),
        ([row("Ann", 1), row("Bob", 1)], ["All square: split the bill."]),
        ([row("Ann", 1), row("Bob", 0)], ["Bob buys: no win yet."]),
        ([row("Ann", 1), row("Bob", 0), row("Cid", 0)], ["Bob and Cid share the bill: no win yet."]),
        ([row("Ann", 0), Row("Tip", (), 4)], []),
        ([Row("Tip", (), 4), Row("Lucky", (), 2)], ["Lucky buys: 2 wins."]),
        ([row("Ann", 2), row("Bob", 1), Row("Tip", (), 0)], ["Bob buys: one win."]),
    ],
)
def test_who_buys(rows: list[Row], told: list[str]) -> None:
    assert who_buys(language("en"), rows, UNITS) == told
    payers_named = [one.name for one in payers(rows, UNITS)]
    assert all(name in " ".join(told) for name in payers_named)
    assert bool(payers_named) == bool(told and told != ["All square: split the bill."])
    german = who_buys(language("de"), rows, UNITS)
    assert len(german) == len(told)
    assert not set(german) & set(told)


@pytest.mark.parametrize(
    ("rows", "english", "german"),
    [
        (
            [row("", 3, drinks=2), row("Bob", 1, drinks=0)],
            ["You buy 2 rounds of drinks."],
            ["Du zahlst 2 Runden Getränke."],
        ),
        (
            [row("", 3, chips=-1), row("Bob", 1, chips=1)],
            ["You have lost one chip, more than anybody else, and buy."],
            ["Du hast einen Chip verloren, mehr als alle anderen, und zahlst."],
        ),
        (
            [row("Ann", 3, chips=-4), row("Bob", 1, chips=8), row("", 0, chips=-4)],
            ["You and Ann have lost 4 chips each, the most, and share the bill."],
            ["Du und Ann habt mit je 4 Chips am meisten verloren und zahlt zusammen."],
        ),
        (
            [row("Ann", 3), row("", 1), row("Cid", 1)],
            ["You and Cid share the bill: one win each."],
            ["Du und Cid zahlt zusammen: je ein Sieg."],
        ),
        (
            [row("Ann", 2), row("", 1)],
            ["You buy: one win."],
            ["Du zahlst: ein Sieg."],
        ),
        (
            [row("Ann", 1), row("", 0)],
            ["You buy: no win yet."],
            ["Du zahlst: noch kein Sieg."],
        ),
        (
            [row("Ann", 1), row("", 0), row("Cid", 0)],
            ["You and Cid share the bill: no win yet."],
            ["Du und Cid zahlt zusammen: noch kein Sieg."],
        ),
        ([row("", 2), row("Bob", 1)], ["Bob buys: one win."], None),
    ],
)
def test_who_buys_is_told_to_the_reader_as_you(rows: list[Row], english: list[str], german: list[str] | None) -> None:
    assert who_buys(language("en"), rows, UNITS) == english
    if german is not None:
        assert who_buys(language("de"), rows, UNITS) == german


@pytest.mark.parametrize(
    ("rows", "english", "german"),
    [
        ([row("", 2), row("Bob", 1)], "You lead", "Du führst"),
        ([row("Bob", 2), row("", 2), row("Cid", 0)], "You and Bob lead", "Du und Bob führt"),
        ([row("Bob", 2), row("", 2), row("Cid", 2), row("Dan", 0)], "You, Bob and Cid lead", "Du, Bob und Cid führt"),
        ([row("", 2), row("Bob", 2)], "It's a tie so far.", "Bisher Gleichstand."),
        ([row("Ann", 1), row("Bob", 1), row("", 1)], "It's a tie so far.", "Bisher Gleichstand."),
        ([row("", 0), row("Bob", 0)], "Nobody leads yet.", "Noch führt niemand."),
        ([row("Bob", 2), row("", 1)], "Bob leads", "Bob führt"),
    ],
)
def test_the_leader_is_told_to_the_reader_as_you(rows: list[Row], english: str, german: str) -> None:
    assert lead(language("en"), rows) == english
    assert lead(language("de"), rows) == german


def test_three_who_have_won_as_little_share_the_bill() -> None:
    rows = [row("Ann", 3), row("Bob", 2), row("", 2), row("Cid", 2)]
    assert who_buys(language("en"), rows, UNITS) == ["You, Bob and Cid share the bill: 2 wins each."]
    assert who_buys(language("de"), rows, UNITS) == ["Du, Bob und Cid zahlt zusammen: je 2 Siege."]
    assert payers(rows, UNITS) == rows[1:]


def test_several_who_share_the_bill_with_the_reader_are_one_list() -> None:
    rows = [row("", 1, chips=-4), row("Bob", 1, chips=-4), row("Cid", 1, chips=-4), row("Dan", 2, chips=12)]
    assert who_buys(language("en"), rows, UNITS) == [
        "You, Bob and Cid have lost 4 chips each, the most, and share the bill."
    ]


def test_debts_are_those_of_what_is_owed_alone() -> None:
    rows = [row("Ann", 3, drinks=2, chips=-9), row("Bob", 1, drinks=0, chips=9)]
    assert debts(language("en"), rows, UNITS) == ["Ann buys 2 rounds of drinks."]
    assert debts(language("en"), [row("Ann", 3, chips=-9), row("Bob", 1, chips=9)], UNITS) == []


def test_a_format_with_a_unit_of_its_own_says_what_is_owed() -> None:
    def owed(language: object, name: str, amount: int) -> str:
        return f"{name} owes {amount}."

    kit = replace(GAMES["midnight"], formats=(replace(PINTS, unit=Unit("pints", owed=owed)),))
    rows = [row("Ann", 3, pints=2), row("Bob", 1, pints=0)]
    assert who_buys(language("en"), rows, units_of([kit])) == ["Ann owes 2."]
    assert who_buys(language("en"), rows, {}) == ["Bob buys: one win."]
