"""Tables in the lists of the front page: told by what the store knows of them, with few logs."""

from unittest.mock import Mock

import pytest

from pubdice.server.table.codes import read_code
from server.http.test_evening import chain
from support.asgi_client import Client
from support.disk import watched
from support.house import HOUR, MINUTE, Pub, play_out, seated, table_of
from support.html_tree import read


async def rows(client: Client) -> dict[str, str]:
    """The tables that the front page lists, by their codes, and what it says of them."""
    lines = read((await client.get("/", "text/html")).text).all("li")
    return {str(line.attrs["id"])[-6:]: line.words() for line in lines if "id" in line.attrs}


async def test_no_log_is_read_for_the_lists_but_those_where_it_may_be_ones_turn(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    over = await ann.order(people=1, rules={"format": "rounds 1"}, listed=True)
    await play_out(pub, over, [ann])
    gathering = await ann.order(people=3, listed=True)
    await bob.done(gathering, "sit", name="Bob")
    playing = await ann.order(game="420", people=2, listed=True, rules={"format": "race"})
    await bob.done(playing, "sit", name="Bob")
    pub.forget()
    asked = watched(monkeypatch)

    lobby = await rows(pub.client("Eve"))
    assert set(lobby) == {gathering, playing}
    assert "Midnight with Ann and Bob Waiting for players" in lobby[gathering]
    assert "420 with Ann and Bob Playing" in lobby[playing]
    assert asked == []

    mine = await rows(ann)
    assert set(mine) == {over, gathering, playing}
    assert "Midnight with Ann Finished" in mine[over]
    assert "420 with Bob" in mine[playing]
    assert asked == [pub.store.find(playing)]


async def test_one_address_does_not_push_the_others_off_the_lobby(pub: Pub) -> None:
    honest = [await _opened(pub, f"192.0.2.{at}") for at in range(4)]
    many = [await _opened(pub, "198.51.100.7") for _ in range(30)]
    seen = list(await rows(pub.client("Eve")))
    assert len(seen) == 20
    assert set(honest) <= set(seen)
    assert seen == [*reversed(many[-16:]), *reversed(honest)], "newest first; places that are left go to anybody"
    others = [await _opened(pub, f"203.0.113.{at}") for at in range(17)]
    flood = [await _opened(pub, "198.51.100.7") for _ in range(20)]
    assert set(await rows(pub.client("Eve"))) == {*flood[-3:], *others}


async def _opened(pub: Pub, address: str) -> str:
    """A table that somebody there opened."""
    client = pub.client("Ann")
    client.address = address
    return await client.order(people=2, listed=True)


async def test_rows_keep_up_with_who_comes_and_goes(pub: Pub) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    code = await ann.order(people=4, listed=True)
    assert "Midnight with Ann Waiting for players" in (await rows(bob))[code]
    await bob.done(code, "sit", name="Bob")
    await ann.done(code, "close", seat=3)
    assert "Midnight with Ann and Bob" in (await rows(pub.client("Eve")))[code]
    await bob.done(code, "leave")
    assert "Midnight with Ann Waiting" in (await rows(bob))[code]
    await ann.done(code, "leave")
    assert "Midnight Waiting for players" in (await rows(pub.client("Eve")))[code]
    assert set(await rows(bob)) == {code}, "where one has sat it stays"


async def test_whose_turn_it_is_is_told_to_them_alone(pub: Pub) -> None:
    (ann, bob), code = await table_of(pub, "Ann", "Bob", people=2)
    pub.forget()
    told = {client.name: (await rows(client))[code] for client in (ann, bob)}
    assert "Your turn" in told["Ann"]
    assert "Ann's turn" in told["Bob"]


async def test_a_finished_table_can_be_forgotten_and_no_other(pub: Pub) -> None:
    ann = pub.client("Ann")
    over = await ann.order(people=1, rules={"format": "rounds 1"})
    await play_out(pub, over, [ann])
    playing = await ann.order(people=1, bots=["tip"])
    mine = read((await ann.get("/", "text/html")).text).one("section", id="mine")
    (form,) = mine.all("form")
    assert form.attrs["action"] == pub.house.link(over)
    fields = {str(node.attrs["name"]): str(node.attrs["value"]) for node in form.all("input", "button")}
    answer = await ann.send(f"/t/{over}", **fields)
    assert (answer.status, answer.headers["location"].partition("#")[0]) == (303, "/")
    assert set(await rows(ann)) == {playing}


async def test_ones_own_table_is_listed_once(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=3, listed=True)
    page = read((await ann.get("/", "text/html")).text)
    assert page.one("section", id="mine").all("li", id=f"mine-{code}")
    assert not page.all("section", id="lobby")


async def test_of_an_evening_only_the_last_log_is_read_and_of_one_match_of_another_none(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a restart: each log is of a match that takes its time to replay."""
    ann, _, codes = await chain(pub, "midnight rounds 1", "ship rounds 1")
    codes = [read_code(code) or "" for code in codes]
    eve = pub.client("Eve")
    for _ in range(2):
        alone = await eve.order(people=1, rules={"format": "rounds 1"})
        await play_out(pub, alone, [eve])
    pub.forget()
    loaded = Mock(wraps=pub.house._load_once)
    monkeypatch.setattr(pub.house, "_load_once", loaded)
    for _ in range(2):
        assert "3 matches" in (await rows(ann))[codes[-1]]
        assert len(await rows(eve)) == 2
    assert [call.args[0] for call in loaded.call_args_list] == [codes[-1]]


async def test_an_evening_of_finished_matches_is_one_row_with_one_button_that_forgets_them_all(pub: Pub) -> None:
    ann, _, codes = await chain(pub, "midnight rounds 1", "ship rounds 1")
    alone = await ann.order(people=1, rules={"format": "rounds 1"})
    await play_out(pub, alone, [ann])
    waiting = await ann.order(people=2)
    found = await rows(ann)
    codes = [read_code(code) or "" for code in codes]
    assert set(found) == {codes[-1], alone, waiting}
    assert found[codes[-1]].startswith("This evening: ")
    assert "3 matches" in found[codes[-1]]
    page = read((await ann.get("/", "text/html")).text).one("section", id="mine")
    assert [str(line.attrs["id"])[-6:] for line in page.all("li")] == [waiting, alone, codes[-1]], "what goes on first"
    row = page.one("li", id=f"mine-{codes[-1]}")
    href = str(row.one("a").attrs["href"])
    assert href.endswith("/evening")
    assert (await ann.get(href, "text/html")).status in (200, 202), "it is there, or its highlights are looked for"
    assert [line.attrs["id"] for line in page.one("details").all("li")] == [f"mine-{alone}", row.attrs["id"]]
    form = row.one("form")
    fields = {str(node.attrs["name"]): str(node.attrs["value"]) for node in form.all("input")}
    assert set(fields["codes"].split()) == set(codes)
    others = await pub.client("Eve").send(str(form.attrs["action"]), **fields)
    assert (others.status, set(await rows(ann))) == (303, set(found)), "nobody else's"
    assert (
        await ann.send(str(form.attrs["action"]), **{**fields, "codes": f"{fields['codes']} {waiting}"})
    ).status == 303
    assert set(await rows(ann)) == {alone, waiting}, "and no table that goes on"


async def test_an_evening_of_another_day_is_not_this_evening_and_two_are_two_rows(pub: Pub) -> None:
    ann, _, first = await chain(pub, "midnight rounds 1")
    pub.clock.ms += 24 * 3600 * 1000
    _, _, second = await chain(pub, "midnight rounds 1")
    found = await rows(ann)
    assert {code: line.partition(":")[0] for code, line in found.items()} == {
        read_code(first[-1]): "An evening",
        read_code(second[-1]): "This evening",
    }


ALL = [0, 1, 2, 3, 4, 5]


async def test_when_a_table_was_played_at_last_is_written_down_once_an_hour(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 9"})
    await ann.done(code, "roll")

    def updated() -> int:
        [(at,)] = pub.store._rows("SELECT updated FROM tables")
        return int(at)

    written, opened = set[int](), pub.clock.ms
    for number in range(30):
        await pub.sleep(10 * MINUTE)
        await ann.done(code, "mark", marks=[number % 6])
        written.add(updated())
        assert 0 <= pub.clock.ms - updated() < HOUR
    assert len(written) <= 1 + (pub.clock.ms - opened) // HOUR + 1
    await ann.done(code, "bank", marks=ALL)
    before = updated()
    await bob.done(code, "give")
    assert updated() == pub.clock.ms >= before, "who comes and goes is written at once"
