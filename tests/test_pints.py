"""A format with a unit of its own (``pints``): an evening counts it, keeps it and tells it beside the matches won."""

from dataclasses import replace
from typing import Any

import pytest

from pints import PINTS
from pubdice.core.errors import Unsolved
from pubdice.games import GAMES
from pubdice.match.formats import POT, ROUNDS, Unit
from pubdice.match.header import RawHeader
from support.asgi_client import Client
from support.house import Pub, at_the_pub, play_out
from support.html_tree import read

MIDNIGHT = replace(GAMES["midnight"], formats=(PINTS, POT, ROUNDS))


async def _next(pub: Pub, code: str, players: list[Client], form: str) -> str:
    """The rematch, played in this format, once the host has changed the rules."""
    go = (await players[0].ask(code, "rematch", change=True)).data["go"]
    for client in players[1:]:
        await client.done(code, "rematch")
    following = str(go).removeprefix("/t/").partition("?")[0]
    await players[0].done(following, "rules", rules={"format": form})
    for client in players:
        await client.ask(following, "ready")
    assert (await pub.view(following))["stage"] == "playing"
    return following


def _takings(view: dict[str, Any]) -> dict[str, dict[str, int]]:
    return {row["name"]: row["takings"] for row in view["evening"]["rows"]}


async def _rows(client: Client, code: str) -> list[str]:
    """The evening's rows as a screen reader meets them."""
    page = read((await client.page(code)).text).one("div", id="evening")
    return [row.words() for row in page.all("li")]


@at_the_pub(games={"midnight": MIDNIGHT})
async def test_pints_are_counted_and_told_over_a_chain_of_rematches(pub: Pub) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob", speaks="de")
    code = await ann.order(people=2, rules={"format": "pot 2 rounds 1"})
    await bob.done(code, "sit", name="Bob")
    first = await play_out(pub, code, [ann, bob])
    chips = _takings(first)
    won, lost = (amounts["chips"] for amounts in chips.values())
    assert won == -lost > 0
    assert [row["told"] for row in first["evening"]["rows"]] == [[], []], "chips are counted, and pages look as ever"
    bought = dict.fromkeys(chips, 0)
    for form in ("pints 3", "pints 2"):
        code = await _next(pub, code, [ann, bob], form)
        view = await play_out(pub, code, [ann, bob])
        for seat in view["seats"]:
            bought[seat["name"]] += int(seat["points"])
    assert sum(bought.values()) >= 5
    assert _takings(view) == {name: {**chips[name], "pints": bought[name]} for name in chips}
    assert [list(amounts) for amounts in _takings(view).values()] == [["chips", "pints"]] * 2, "as they came up"
    await pub.restart(kill=True)
    code = await _next(pub, code, [ann, bob], "rounds 1")
    assert _takings(await pub.view(code)) == _takings(view), "read from the next table's first line"
    last = await play_out(pub, code, [ann, bob])
    assert last["evening"]["games"] == 4
    assert [list(amounts)[:2] for amounts in _takings(last).values()] == [["chips", "pints"]] * 2
    names = [row["name"] for row in last["evening"]["rows"]]
    for client, one, many in ((ann, "pint", "pints"), (bob, "Halbe", "Halbe")):
        rows = await _rows(client, code)
        assert len(rows) == 2
        for name, row in zip(names, rows, strict=True):
            assert name in row
            assert row.endswith(f", {bought[name]} {one if bought[name] == 1 else many}")


@pytest.mark.parametrize("key", ["", "Pints", "a pint", "name", "people", "wins", "p" * 17, "pints\n", "µ"])
def test_a_unit_has_a_short_plain_key_that_no_row_has(key: str) -> None:
    with pytest.raises(ValueError, match="unit"):
        Unit(key)


@pytest.mark.nightly
def test_a_prize_that_no_solver_knows_leads_to_the_plain_one_and_midnight_of_three_is_too_large_for_it() -> None:
    assert MIDNIGHT.solver is not None
    two, three = (
        MIDNIGHT.match(MIDNIGHT.normalize(RawHeader({"game": "midnight", "seats": seats})))
        for seats in ("Ann, Bob", "Ann, Bob, Cid")
    )
    with pytest.raises(Unsolved, match="too-many-moves"):
        MIDNIGHT.solver(three)
    solver = MIDNIGHT.solver(two)
    assert solver.utility == "share of the match"
    assert sum(solver.values(two.start())) == pytest.approx(1, abs=1e-9)
