"""The line-up of an evening over HTTP: planned by forms or as data, shown, and followed by the rematches."""

import asyncio

from pubdice.games import GAMES
from pubdice.room import Setup
from pubdice.server.table.commit import Key
from server.http.test_change_rules import filled
from support.asgi_client import Client
from support.house import Pub, growing, play_out
from support.html_tree import read
from support.http_wire import Answer


async def on(pub: Pub, code: str, people: list[Client]) -> str:
    """The next table, where everybody is; its code."""
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
        ({"play": "midnight pot 0", "times": "1"}, 422, "Enter a number from"),
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


async def test_a_plan_made_while_the_rematch_is_set_up_is_refused_and_not_lost(pub: Pub) -> None:
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
