"""From match to match: whole evenings, rematches and their chain, and the line-up of an evening."""

import asyncio

import pytest

from pubdice.games import GAMES
from pubdice.room import Setup
from pubdice.server.table import in_play
from pubdice.server.table.commit import Key
from support.asgi_client import Client
from support.house import HOUR, MINUTE, SECOND, Pub, growing, play_out, seat_names, seated
from support.html_tree import filled, read
from support.http_wire import Answer


def _code(go: str) -> str:
    """The table where an answer leads."""
    return go.removeprefix("/t/").partition("?")[0]


async def test_a_rematch_begins_when_all_players_are_there(pub: Pub) -> None:
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


async def test_a_rematch_begins_by_itself_after_the_grace_time(pub: Pub) -> None:
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


async def test_a_player_late_for_a_rematch_is_led_to_the_last_table(pub: Pub) -> None:
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


async def test_a_late_player_sits_down_at_a_free_seat_of_a_rematch(pub: Pub) -> None:
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


async def test_a_rematch_counts_among_an_addresss_tables(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
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


# rematch


async def test_two_who_want_a_rematch_at_once_meet_at_one_next_table(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    await play_out(pub, code, [ann, bob])
    pressed = [ann.ask(code, "rematch", "ann-rematch"), bob.ask(code, "rematch", "bob-rematch")]
    answers = await asyncio.gather(*pressed, *[ann.ask(code, "rematch", "ann-rematch") for _ in range(5)])
    assert {answer.status for answer in answers} == {200}
    places = {answer.data["go"] for answer in answers}
    assert len(places) == 1
    assert len(pub.store.tables()) == 2
    assert (await pub.view(code))["rematch"] in places
    later = await bob.ask(code, "rematch")
    assert (later.status, later.data["go"]) == (200, *places)
    following = places.pop().removeprefix("/t/")
    view = await pub.view(following)
    assert view["stage"] == "playing"
    assert [seat["name"] for seat in view["seats"]] == ["Ann", "Bob"]
    assert view["mover"] == 1
    await bob.done(following, "roll")
    for client, key in ((ann, "ann-rematch"), (bob, "bob-rematch")):
        await pub.restart()
        assert (await client.ask(code, "rematch", key)).data["go"] == f"/t/{following}"
    assert len(pub.store.tables()) == 2


async def test_a_rematch_not_stored_is_tried_again_at_one_table(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    await play_out(pub, code, [ann, bob])
    for failing in (1, 1, 1):
        pub.disk.failing = failing
        assert (await ann.ask(code, "rematch", "ann-rematch")).status == 503
    assert (await ann.ask(code, "rematch", "ann-rematch")).status == 200
    assert len(pub.store.tables()) == 2


# host, watchers, names


# whole evenings


async def on(pub: Pub, code: str, people: list[Client]) -> str:
    """The code of the next table, with all players at it."""
    go = [(await client.ask(code, "rematch")).data["go"] for client in people]
    await pub.settle()
    return str(go[0]).removeprefix("/t/").partition("?")[0]


async def test_an_evening_goes_through_its_line_up_by_itself(pub: Pub) -> None:
    ann, bob, code = await growing(pub, game="mexico", rules={"format": "lives 1"})
    await ann.done(code, "plan", times="best of 3")
    await ann.done(code, "plan", play="midnight rounds 1", times="1")
    assert (await pub.view(code))["planned"] == "Match 1, best of 3. Then Midnight."
    assert (await pub.view(code, "de"))["planned"] == "Partie 1, Best of 3. Danach Midnight."
    await ann.done(code, "start")
    matches = ["mexico"]
    for _ in range(3):
        view = await play_out(pub, code, [ann, bob])
        assert view["planned"].startswith("Next: ") or "Next: Midnight." in view["planned"], view["planned"]
        code = await on(pub, code, [ann, bob])
        matches.append(pub.actor(code).room.kit.name)
        assert (await pub.view(code))["stage"] == "playing"
        if matches[-1] == "midnight":
            break
    assert matches[:2] == ["mexico", "mexico"]
    assert matches[-1] == "midnight"
    won = pub.actor(code).state.setup.evening
    assert max(row.wins for row in won) == 2, "best of three ends with the second win"
    view = await play_out(pub, code, [ann, bob])
    assert view["planned"] == ""
    assert view["evening"]["games"] == len(matches)


async def test_the_host_plans_by_forms_alone_and_nobody_else_sees_them(pub: Pub) -> None:
    ann, bob, code = await growing(pub)
    assert not read((await bob.page(code)).text).all("details", id="plan")
    plan = read((await ann.page(code)).text).one("details", id="plan")
    fields = filled(plan.one("form", id="planning"))
    answer = await ann.send(f"/t/{code}", **{**fields, "times": "best of 3"})
    assert answer.status == 303, answer.text
    fields = filled(plan.one("form", id="plan-more"))
    offered = [option.words() for option in plan.one("select", id="plan-play").all("option")]
    assert offered[0] == "Midnight as it is now"
    assert len(offered) == len(set(offered)) == sum(len(kit.formats) for kit in GAMES.values()) + 1
    answer = await ann.send(f"/t/{code}", **{**fields, "play": "mexico lives 3", "times": "2"})
    assert answer.status == 303, answer.text
    page = read((await bob.page(code)).text)
    assert page.one("p", id="planned").words() == "Match 1, best of 3. Then 2 matches of Mexico."
    plan = read((await ann.page(code)).text).one("details", id="plan")
    chosen = [option for option in plan.one("select", id="plan-times").all("option") if "selected" in option.attrs]
    assert [option.attrs["value"] for option in chosen] == ["best of 3"]
    answer = await ann.send(f"/t/{code}", **filled(plan.one("form", id="unplan-1")))
    assert answer.status == 303, answer.text
    assert pub.actor(code).state.setup.line_up == ()


async def test_bad_plans_are_one_sentence_and_change_nothing(pub: Pub) -> None:
    ann, bob, code = await growing(pub)
    before = pub.actor(code).state
    for fields, status, why in (
        ({"play": "chess", "times": "1"}, 422, "There's no game of that name."),
        ({"play": "midnight", "times": "12"}, 422, 'Write how many matches: 1 to 9, or "best of 3".'),
        ({"play": "midnight"}, 422, "Write how many matches"),
        ({"play": "midnight pot 0", "times": "1"}, 422, "Enter a number:"),
        (
            {"play": "midnight", "times": "1", "rules": {"bogus": "1"}},
            422,
            'There is no house rule called "bogus" here.',
        ),
    ):
        answer = await ann.ask(code, "plan", **fields)
        assert (answer.status, answer.data["why"][: len(why)]) == (status, why)
    assert (await bob.ask(code, "plan", play="midnight", times="1")).data["code"] == "not-host"
    assert (await ann.ask(code, "unplan", play="midnight", to=0)).data["code"] == "not-planned"
    assert (await ann.ask(code, "unplan")).data["code"] == "not-planned"
    assert pub.actor(code).state == before
    answer = await ann.send(f"/t/{code}", key="a-key-of-ann", do="plan", play="midnight", times="0")
    assert answer.status == 422
    page = read(answer.text)
    assert "Write how many matches" in page.one("p", id="refusal").words()
    assert "open" in page.one("details", id="plan").attrs


async def test_between_matches_the_host_plans_the_next_one(pub: Pub) -> None:
    ann, bob, code = await growing(pub, rules={"format": "rounds 5"})
    await ann.done(code, "start")
    await play_out(pub, code, [ann, bob])
    page = read((await ann.page(code)).text)
    assert page.one("button", id="main").words() == "Rematch"
    fields = filled(page.one("form", id="plan-more"))
    assert (await ann.send(f"/t/{code}", **{**fields, "play": "mexico lives 3"})).status == 303
    page = read((await bob.page(code)).text)
    assert page.one("p", id="planned").words() == "Next: Mexico."
    assert page.one("button", id="main").words() == "Next match"
    following = await on(pub, code, [ann, bob])
    assert pub.actor(following).room.kit.name == "mexico"
    refused = await ann.ask(code, "plan", play="midnight", times="1")
    assert refused.data["code"] == "rematch-laid"
    await pub.restart()
    assert pub.actor(following).room.kit.name == "mexico"


async def test_a_plan_made_while_a_rematch_is_laid_is_refused(pub: Pub) -> None:
    ann, bob, code = await growing(pub, rules={"format": "rounds 1"})
    await ann.done(code, "start")
    await play_out(pub, code, [ann, bob])
    open_next, plans = pub.house.open_next, list[asyncio.Task[Answer]]()

    async def meanwhile(setup: Setup, key: Key, address: str) -> str:
        plans.append(asyncio.create_task(ann.ask(code, "plan", play="mexico lives 3", times="1")))
        await pub.settle()
        return await open_next(setup, key, address)

    pub.house.open_next = meanwhile  # type: ignore[method-assign]
    following = await on(pub, code, [bob])
    refused = await plans[0]
    assert (refused.status, refused.data["code"]) == (409, "rematch-laid")
    assert pub.actor(code).state.setup.line_up == ()
    assert pub.actor(following).room.kit.name == "midnight"
    assert len(plans) == 1
