"""The ways on once a match is over: each button does what it is called, and so does the key that the page names for it.

Pages say a key's deed by the button's own label (``after.js``), so the label is what must be true.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from pubdice.server.table.actor import TableActor
from support.asgi_client import Client
from support.house import Pub
from support.html_tree import Node, read

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
    """A match of Ann and Bob with real dice that is over; Lou wants to play the next one, and Eve watches."""
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
    """Press a button of the page's form for a rematch; the code of the table that it leads to."""
    form = page.one("form", id="rematch")
    fields = {str(node.attrs["name"]): str(node.attrs["value"]) for node in form.all("input")}
    if "name" in pressed.attrs:
        fields[str(pressed.attrs["name"])] = str(pressed.attrs["value"])
    answer = await client.send(f"/t/{code}", **fields)
    assert answer.status == 303
    return answer.headers["location"].partition("#")[0].rpartition("/")[2]


def does(label: str, before: TableActor, after: TableActor, laid: str) -> bool:
    """Whether a table is what a button promised. laid: the next table's code, before the press."""
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
    """Before and after somebody has laid the next table, to players, to who is in the queue, and to who watches."""
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
