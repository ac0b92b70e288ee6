"""Rematches over HTTP: who is moved, who is waited for, and the chain they make."""

import pytest

from pubdice.server.table import in_play
from support.house import HOUR, MINUTE, SECOND, Pub, play_out, seat_names, seated


def _code(go: str) -> str:
    """The table where an answer leads."""
    return go.removeprefix("/t/").partition("?")[0]


async def test_a_rematch_moves_only_who_asks_and_begins_when_all_are_there(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    await play_out(pub, code, [ann, bob])
    looking = await bob.look(code)
    following = (await ann.ask(code, "rematch")).data["go"].removeprefix("/t/")
    await pub.settle()
    assert looking.view["rematch"] == f"/t/{following}"
    assert [seat["note"] for seat in looking.view["seats"]] == ["is in", "still looking"]
    view = await pub.view(following)
    assert view["stage"] == "gathering"
    assert [(seat["awaited"], seat["ready"]) for seat in view["seats"]] == [(False, True), (True, False)]
    await pub.advance(HOUR)
    refused = await pub.client("Eve").ask(following, "sit", seat=1, name="Eve")
    assert refused.data["code"] == "seat-kept"
    assert (await bob.ask(code, "rematch", change=True)).data["go"] == f"/t/{following}?change=1"
    assert (await pub.view(following))["stage"] == "gathering"
    await bob.done(following, "ready")
    assert (await pub.view(following))["stage"] == "playing"
    assert len(pub.store.tables()) == 2


async def test_who_has_gone_to_the_next_table_has_lost_no_connection(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    await play_out(pub, code, [ann, bob])
    gone, looking = await ann.look(code), await bob.look(code)
    await ann.done(code, "rematch")
    await gone.drop()
    await pub.advance(MINUTE)
    assert looking.said[-1].startswith("Ann wants ")
    assert "back" not in " ".join((await bob.look(code)).said)


async def test_a_rematch_begins_by_itself_when_the_last_awaited_was_waited_for_long_enough(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"}, people=3, grace_s=30)
    cid = pub.client("Cid")
    await cid.done(code, "sit", name="Cid")
    await play_out(pub, code, [ann, bob, cid])
    looking = await cid.look(code)
    following = (await ann.ask(code, "rematch")).data["go"].removeprefix("/t/")
    await bob.done(code, "rematch")
    here = [await client.look(following) for client in (ann, bob)]
    await pub.advance(10 * MINUTE)
    assert (await pub.view(following))["stage"] == "gathering", "Cid still looks at the result"
    await looking.drop()
    await pub.advance(29 * SECOND)
    assert here[0].view["stage"] == "gathering"
    await pub.advance(10 * SECOND)
    assert here[0].view["stage"] == "playing", "nobody had to press anything"
    assert seat_names(here[1].view) == ["Ann", "Bob"]
    assert "Cid sits this one out." in here[0].said


async def test_a_rematch_begins_without_the_word_of_somebody_lost(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"}, grace_s=30)
    await play_out(pub, code, [ann, bob])
    following = _code((await ann.ask(code, "rematch")).data["go"])
    await bob.ask(code, "rematch", change=True)
    here, there = await ann.look(following), await bob.look(following)
    await pub.advance(HOUR)
    assert here.view["stage"] == "gathering", "Bob is here and has not said ready"
    await there.drop()
    await pub.advance(29 * SECOND)
    there = await bob.look(following)
    await pub.advance(MINUTE)
    assert here.view["stage"] == "gathering", "Bob was back in time"
    await there.drop()
    await pub.advance(29 * SECOND)
    assert here.view["stage"] == "gathering"
    await pub.advance(2 * SECOND)
    assert (here.view["stage"], seat_names(here.view)) == ("playing", ["Ann", "Bob"])
    await pub.restart(kill=True)
    assert (await pub.view(following))["stage"] == "playing"


async def test_a_rematch_where_nobody_is_does_not_begin_by_itself(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"}, people=3, grace_s=30)
    cid = pub.client("Cid")
    await cid.done(code, "sit", name="Cid")
    await play_out(pub, code, [ann, bob, cid])
    looking = await cid.look(code)
    following = (await ann.ask(code, "rematch")).data["go"].removeprefix("/t/")
    await bob.done(code, "rematch")
    await pub.advance(HOUR)
    await looking.drop()
    await pub.advance(HOUR)
    assert (await pub.view(following))["stage"] == "gathering"
    back = await bob.look(following)
    await pub.advance(MINUTE)
    assert back.view["stage"] == "playing"


async def test_who_comes_late_to_a_rematch_is_led_to_the_last_table_of_the_chain(pub: Pub) -> None:
    ann, bob, first = await seated(pub, rules={"format": "rounds 1"}, people=3, grace_s=0)
    cid = pub.client("Cid")
    await cid.done(first, "sit", name="Cid")
    await play_out(pub, first, [ann, bob, cid])
    code = first
    for _ in range(2):
        await pub.advance(MINUTE)
        await ann.done(code, "rematch")
        code = _code((await bob.ask(code, "rematch")).data["go"])
        await ann.look(code)
        await pub.advance(MINUTE)
        assert seat_names(await play_out(pub, code, [ann, bob])) == ["Ann", "Bob"]
    assert _code((await cid.ask(first, "rematch")).data["go"]) == code
    assert (await pub.view(code))["queue"] == ["Cid"], "that match is over: they are down for the next"
    following = _code((await ann.ask(code, "rematch")).data["go"])
    assert _code((await cid.ask(first, "rematch")).data["go"]) == following
    seats = {seat["name"]: seat["kind"] for seat in (await pub.view(following))["seats"]}
    assert (seats["Ann"], seats["Cid"]) == ("person", "person")
    assert len(pub.store.tables()) == 4


async def test_who_comes_late_sits_down_at_a_rematch_that_has_not_kept_a_seat(pub: Pub) -> None:
    ann, bob, first = await seated(pub, rules={"format": "rounds 1"}, people=3, grace_s=0)
    cid = pub.client("Cid")
    await cid.done(first, "sit", name="Cid")
    await play_out(pub, first, [ann, bob, cid])
    await ann.done(first, "rematch")
    following = _code((await bob.ask(first, "rematch", change=True)).data["go"])
    await ann.done(following, "drop", seat=2)
    assert seat_names(await pub.view(following)) == ["Ann", "Bob"]
    await cid.done(first, "rematch")
    assert seat_names(await pub.view(following)) == ["Ann", "Bob", "Cid"]


async def test_rematches_count_among_the_tables_in_play_from_an_address(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    await play_out(pub, code, [ann, bob])
    monkeypatch.setattr(in_play, "MOST_HERE", 1)
    await ann.order(key="another-table")
    refused = await ann.ask(code, "rematch", "the-rematch")
    assert (refused.status, refused.data["code"]) == (429, "tables-here")
    assert "Finish one first" in refused.data["why"]
    assert len(pub.store.tables()) == 2
    monkeypatch.setattr(in_play, "MOST_HERE", 2)
    following = (await ann.ask(code, "rematch", "the-rematch")).data["go"]
    assert (await ann.post("/tables", {"game": "midnight", "name": "Ann"})).data["code"] == "tables-here"
    assert (await bob.ask(code, "rematch")).data["go"] == following, "who follows opens nothing"


async def test_who_was_removed_cannot_come_back_by_a_rematch(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    await ann.done(code, "remove", seat=1)
    await play_out(pub, code, [ann])
    following = (await ann.ask(code, "rematch")).data["go"].removeprefix("/t/")
    assert (await bob.ask(following, "sit", name="Bob")).data["code"] == "removed-before"
    assert (await bob.ask(following, "queue", name="Bob")).data["code"] == "removed-before"
