"""Moves at a table of the house: chosen by notation or in a typed line, by who moves, and refused in a sentence."""

from typing import Any

from support.asgi_client import Client
from support.house import Pub


async def _boxed(pub: Pub) -> tuple[Client, Client, str]:
    """Ann and Bob at Shut the Box with real dice; Ann has 6 6."""
    ann, bob = pub.client("Ann"), pub.client("Bob")
    rules = {"format": "rounds 1", "first": "draw"}
    code = await ann.order(game="shutbox", dice="real", people=2, rules=rules)
    await bob.done(code, "sit", name="Bob")
    await ann.done(code, "draw", seat=0)
    await ann.done(code, "enter", dice="66")
    return ann, bob, code


def _down(view: dict[str, Any]) -> list[int]:
    return [tile["number"] for tile in view["things"]["tiles"] if not tile["up"]]


async def test_a_typed_line_names_tiles_a_word_or_a_label(pub: Pub) -> None:
    ann, _, code = await _boxed(pub)
    assert len((await pub.view(code))["moves"]) == 12
    await ann.done(code, "type", text="3 9")
    assert _down(await pub.view(code)) == [3, 9]
    await ann.done(code, "enter", dice="54")
    await ann.done(code, "type", text="Shut 8 and 1")
    await ann.done(code, "enter", dice="56")
    await ann.done(code, "type", text="s74")
    view = await pub.view(code)
    assert _down(view) == [1, 3, 4, 7, 8, 9]
    assert view["things"]["said"] == "Up: 2 5 6. They count 13."


async def test_a_move_that_is_not_open_is_refused_in_a_sentence(pub: Pub) -> None:
    ann, bob, code = await _boxed(pub)
    for do, asked, why in (
        ("choose", {"action": "s9"}, "such as 9 3."),
        ("choose", {"action": "k45"}, "written like s1"),
        ("bank", {}, "Name tiles that are up and add up to the dice"),
    ):
        refused = await ann.ask(code, do, **asked)
        assert refused.status in {409, 422}
        assert why in refused.data["why"]
    assert "Ann" in (await bob.ask(code, "choose", action="s93")).data["why"]
    assert _down(await pub.view(code)) == []
