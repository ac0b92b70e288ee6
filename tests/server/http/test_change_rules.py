"""Rules changed in the lobby: with the fields of the front page, filled in as they are now, by the host alone."""

import pytest

from pubdice.games import GAMES
from pubdice.room import Setup
from pubdice.server.table.ordered_setup import from_form, to_form
from support.house import Pub, table_of
from support.html_tree import Node, read


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("midnight", {"format": "rounds 7", "opener": "winner", "need": "2 4"}),
        ("midnight", {"format": "pot 3 rounds 4", "first": "draw"}),
        ("midnight", {"format": "rounds:2"}),
        ("420", {"format": "race"}),
        ("420", {"format": "drinks", "first": "draw"}),
    ],
)
def test_a_form_filled_in_from_a_table_orders_a_table_like_it(game: str, rules: dict[str, str]) -> None:
    setup = Setup({**rules, "game": game}, 2, "host", 0, dice="real", grace_s=60, clock_s=30, pace_ms=400)
    order = from_form({"game": game, **to_form(setup, GAMES[game])}, GAMES)
    assert order.rules == {**rules, "game": game, "format": order.rules["format"]}
    assert order.rules["format"].split() == rules["format"].replace(":", " ").split()
    assert (order.dice, order.grace_s, order.clock_s, order.pace_ms) == ("real", 60, 30, 400)


def filled(form: Node) -> dict[str, str]:
    """What a browser sends of a form nobody has touched."""
    found: dict[str, str] = {}
    for node in form.all("input", "select"):
        name, kind = str(node.attrs["name"]), node.attrs.get("type")
        if node.tag == "select":
            options = node.all("option")
            chosen = next((option for option in options if "selected" in option.attrs), options[0])
            found[name] = str(chosen.attrs.get("value", chosen.words()))
        elif kind != "radio" or "checked" in node.attrs:
            found[name] = str(node.attrs["value"])
    return found


async def test_the_host_changes_the_rules_in_the_lobby_and_nobody_else_can(pub: Pub) -> None:
    (ann, bob), code = await table_of(pub, "Ann", "Bob", people=None, rules={"format": "pot 2 rounds 3"}, clock_s=30)
    assert not read((await bob.page(code)).text).all("form", id="changing")
    form = read((await ann.page(code)).text).one("form", id="changing")
    fields = filled(form)
    assert fields["midnight.format"] == "pot"
    assert (fields["midnight.stake"], fields["midnight.pot-rounds"], fields["clock"]) == ("2", "3", "30")
    answer = await ann.send(f"/t/{code}", **{**fields, "midnight.format": "rounds", "midnight.rounds": "2"})
    assert answer.status == 303, answer.text
    rules = pub.actor(code).state.setup.rules
    assert rules["format"] == "rounds 2"
    assert pub.actor(code).state.setup.clock_s == 30


async def test_a_field_that_is_wrong_is_told_on_the_table_and_changes_nothing(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None)
    fields = filled(read((await ann.page(code)).text).one("form", id="changing"))
    wanted = {"midnight.format": "pot", "midnight.stake": "lots", "midnight.first": "draw"}
    wanted |= {"clock": "120", "dice": "real"}
    answer = await ann.send(f"/t/{code}", **{**fields, **wanted})
    page = read(answer.text)
    assert answer.status == 422
    assert "open" in page.one("details", id="change").attrs
    assert page.one("input", id="midnight.stake").attrs["aria-invalid"] == "true"
    assert page.one("p", id="refusal").words()
    assert filled(page.one("form", id="changing")).items() >= wanted.items(), "all that was chosen stays"
    assert pub.actor(code).state.setup.rules["format"].startswith("rounds")


async def test_a_draw_for_player_1_stays_until_the_host_takes_it_back(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None, rules={"format": "rounds 3", "first": "draw"})
    for first, rounds in (("draw", "2"), ("", "4")):
        fields = filled(read((await ann.page(code)).text).one("form", id="changing"))
        assert fields["midnight.first"] == "draw"
        changed = {**fields, "midnight.first": first, "midnight.rounds": rounds}
        assert (await ann.send(f"/t/{code}", **changed)).status == 303
        rules = pub.actor(code).state.setup.rules
        assert (rules["format"], rules.get("first", "")) == (f"rounds {rounds}", first)
