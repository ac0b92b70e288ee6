"""A match that is over: its payer, as each reader is told, and the ways on."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pints import PINTS
from pubdice.games import GAMES
from pubdice.match.formats.format import Unit
from pubdice.room.setup import Row
from pubdice.server.table.actor import TableActor
from pubdice.server.table.announce import debts, lead, payers, units_of, who_buys
from pubdice.text.catalogues import language
from support.asgi_client import Client
from support.house import Pub
from support.html_tree import Node, read

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
            ["You have lost one chip, the most, and buy."],
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
        ([row("", 0), row("Bob", 0)], "No leader yet.", "Noch führt niemand."),
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


WINS, LOSES = "146555", "145111"
TABLES: dict[str, tuple[dict[str, Any], Sequence[str]]] = {
    "won": ({"rules": {"format": "rounds 1"}}, (WINS, LOSES)),
    "tied": ({"rules": {"format": "rounds 1"}}, (WINS, WINS)),
    "tied after two rounds": ({"rules": {"format": "rounds 2"}}, (WINS, LOSES, WINS, LOSES)),
    "a total, tied": ({"rules": {"format": "total 1"}}, (WINS, WINS)),
    "drinks": ({"game": "420", "rules": {"format": "drinks"}}, ("5555",)),
    "a pot, carried": ({"rules": {"format": "pot 2 rounds 1"}}, (WINS, WINS, WINS, LOSES)),
    "an evening, won": ({"rules": {"format": "rounds 1"}, "plan": "best of 3"}, (WINS, LOSES)),
    "an evening, tied": ({"rules": {"format": "rounds 1"}, "plan": "best of 3"}, (WINS, WINS)),
}


async def played(pub: Pub, name: str) -> tuple[dict[str, Client], str]:
    """A match of Ann and Bob with real dice that is over. Lou wants to play the next one, and Eve watches."""
    order, hands = TABLES[name]
    people = {person: pub.client(person) for person in ("Ann", "Bob", "Lou", "Eve")}
    ann, bob = people["Ann"], people["Bob"]
    code = await ann.order(order.get("game", "midnight"), people=None, dice="real", rules=order["rules"])
    await bob.done(code, "sit", name="Bob")
    if "plan" in order:
        await ann.done(code, "plan", times=order["plan"])
    await ann.done(code, "start")
    await people["Lou"].done(code, "queue", name="Lou")
    if (await pub.view(code))["ask"] == "draw":
        await ann.done(code, "draw", seat=0)
    for hand in hands:
        mover = people[pub.actor(code).state.names[pub.actor(code).state.mover or 0]]
        await mover.done(code, "enter", dice=hand)
        if pub.actor(code).state.stage == "playing":
            await mover.done(code, "bank", marks=list(range(6)))
    assert pub.actor(code).state.stage == "over", (await pub.view(code))["heading"]
    return people, code


async def page_of(client: Client, code: str) -> Node:
    return read((await client.page(code)).text)


def button(page: Node, name: str) -> Node | None:
    return next(iter(page.all("button", "a", id=name)), None)


async def press(client: Client, page: Node, code: str, pressed: Node) -> str:
    """Press a button of the page's form for a rematch. Return the code of the table that it leads to."""
    form = page.one("form", id="rematch")
    fields = {str(node.attrs["name"]): str(node.attrs["value"]) for node in form.all("input")}
    if "name" in pressed.attrs:
        fields[str(pressed.attrs["name"])] = str(pressed.attrs["value"])
    answer = await client.send(f"/t/{code}", **fields)
    assert answer.status == 303
    return answer.headers["location"].partition("#")[0].rpartition("/")[2]


def does(label: str, before: TableActor, after: TableActor, laid: str) -> bool:
    """True if a table keeps a button's promise. laid: the next table's code, before the press."""
    was, now = before.state.setup, after.state.setup
    plays = now.rules["game"] == was.rules["game"] and now.rules["format"]
    match label:
        case "One more round":
            return not laid and plays == "rounds 1" and now.before == before.code
        case "Rematch":
            return not laid and plays == was.rules["format"] and not now.matches
        case "Next match":
            return not laid and plays == was.rules["format"] and now.played == was.played + 1
        case "Join the rematch" | "Join the next match" | "Go to the next match":
            return after.code == laid
    return False


@pytest.mark.parametrize("name", TABLES)
async def test_each_way_on_does_what_it_is_called(pub: Pub, name: str) -> None:
    """Before and after a player has laid the next table, to players, to the queue, and to watchers."""
    offered = {}
    for way in ("main", "again"):
        people, code = await played(pub, name)
        before = pub.actor(code)
        assert [button(await page_of(people["Eve"], code), each) for each in ("main", "again")] == [None, None]
        page = await page_of(people["Ann"], code)
        if (first := button(page, way)) is None:
            continue
        offered[way] = first.words()
        led = await pub.table(await press(people["Ann"], page, code, first))
        assert does(first.words(), before, led, ""), first.words()
        for person in ("Bob", "Lou", "Eve"):
            page = await page_of(people[person], code)
            main = button(page, "main")
            assert main is not None
            assert button(page, "again") is None, "it is decided"
            goes = str(main.attrs.get("href", "")).rpartition("/")[2] or await press(people[person], page, code, main)
            assert does(main.words(), before, await pub.table(goes), led.code), (person, main.words())
    assert ("again" in offered) == (offered["main"] == "One more round")
    assert offered["main"] == {"an evening, won": "Next match", "an evening, tied": "Next match"}.get(
        name, "One more round" if "tied" in name else "Rematch"
    )
