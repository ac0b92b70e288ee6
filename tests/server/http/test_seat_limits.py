"""A removed player stays out, and no program takes all the seats. Families behind one address sit down."""

import asyncio
from dataclasses import replace

import pytest

from pubdice.server.web.limits import Rate
from support.house import MINUTE, UNLIMITED, Pub, at_the_pub, play_out, seated, table_of


async def test_a_removed_player_is_not_back_without_a_cookie(pub: Pub) -> None:
    (ann, eve), code = await table_of(pub, "Ann", "Eve", people=None, listed=True)
    await ann.done(code, "remove", seat=1)
    assert (await eve.ask(code, "sit", name="Eve")).data["code"] == "removed-before"
    for fresh in (pub.client("Eve again"), pub.client("Eve once more"), pub.client("A friend")):
        answer = await fresh.ask(code, "sit", name="Somebody")
        assert (answer.status, answer.data["code"]) == (403, "table-shut")
        assert "closed this table to new people" in (await fresh.page(code)).text
    assert (await eve.ask(code, "admit")).status == 403
    assert "Let new people in" in (await ann.page(code)).text
    await ann.done(code, "admit")
    assert (await ann.ask(code, "admit")).data["code"] == "not-shut"
    assert "Let new people in" not in (await ann.page(code)).text
    await pub.client("A friend").done(code, "sit", name="Friend")
    assert (await eve.ask(code, "sit", name="Eve")).data["code"] == "removed-before"


async def test_a_table_stays_shut_through_restarts_and_rematches(pub: Pub) -> None:
    ann, bob, code = await seated(pub, people=3, rules={"format": "rounds 1"})
    eve = pub.client("Eve")
    await eve.done(code, "sit", name="Eve")
    await ann.done(code, "remove", seat=2)
    phone = pub.client("Bob's other phone")
    words = pub.house.words(pub.actor(code), 1)
    await phone.done(code, "join", words=words)
    await play_out(pub, code, [ann, bob])
    await pub.restart(kill=True)
    assert (await pub.client("Eve again").ask(code, "queue", name="Eve")).data["code"] == "table-shut"
    following = (await ann.ask(code, "rematch")).data["go"].removeprefix("/t/")
    assert (await pub.client("Eve again").ask(following, "sit", name="Eve")).data["code"] == "table-shut"
    assert (await bob.ask(code, "rematch")).status == 200
    assert [seat["name"] for seat in (await pub.view(following))["seats"]][:2] == ["Ann", "Bob"]


async def test_one_program_takes_only_some_seats_of_a_listed_table(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None, listed=True)
    await ann.page(code)
    answers = []
    for number in range(8):
        eve = pub.client(f"eve {number}")
        eve.address = "198.51.100.7"
        answer = await eve.ask(code, "sit", name=f"Eve {number}")
        answers.append(answer.status)
    assert answers == [200] * 3 + [409] * 5
    other = pub.client("Kim")
    other.address = "203.0.113.5"
    assert (await other.ask(code, "sit", name="Kim")).status == 200
    for number in range(6):
        assert (await pub.client(f"friend {number}").ask(code, "sit", name=f"Friend {number}")).status == 200, (
            "where the host is, everybody may sit"
        )


@pytest.mark.parametrize("do", ["sit", "queue"])
async def test_one_program_takes_no_more_by_asking_for_all_at_once(pub: Pub, do: str) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None, bots=["tip"] if do == "queue" else [], listed=True)
    await ann.page(code)
    if do == "queue":
        await ann.done(code, "start")
    eves = [pub.client(f"eve {number}") for number in range(8)]
    for eve in eves:
        eve.address = "198.51.100.7"
    answers = await asyncio.gather(*(eve.ask(code, do, name=eve.name) for eve in eves))
    assert sorted(answer.status for answer in answers) == [200] * 3 + [409] * 5
    assert {answer.data["code"] for answer in answers if answer.status == 409} == {"seats-here"}
    assert (await eves[-1].ask(code, do, name="Eve")).data["code"] == "seats-here"


async def test_who_is_refused_a_seat_counts_no_longer(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None, listed=True)
    await ann.page(code)
    eves = [pub.client(f"eve {number}") for number in range(6)]
    for eve in eves:
        eve.address = "198.51.100.7"
    taken = await asyncio.gather(*(eve.ask(code, "sit", name="Ann") for eve in eves[:3]))
    assert [answer.data["code"] for answer in taken] == ["name-taken"] * 3
    answers = await asyncio.gather(*(eve.ask(code, "sit", name=eve.name) for eve in eves[3:]))
    assert [answer.status for answer in answers] == [200] * 3


@pytest.mark.parametrize("people", [3, 4, 6])
async def test_it_never_takes_all_of_a_table_with_so_many_seats(pub: Pub, people: int) -> None:
    ann = pub.client("Ann")
    code = await ann.order(listed=True, people=people)
    await ann.page(code)
    for number in range(people):
        eve = pub.client(f"eve {number}")
        eve.address = f"2001:db8::{number}"
        await eve.ask(code, "sit", name=f"Eve {number}")
    view = await pub.view(code)
    assert view["stage"] == "gathering"
    assert sum(seat["kind"] == "empty" for seat in view["seats"]) >= people // 2


async def test_one_program_shares_only_some_seats_of_a_listed_table(pub: Pub) -> None:
    ann, eve = pub.client("Ann"), pub.client("Eve")
    code = await ann.order(people=None, listed=True)
    await ann.page(code)
    eve.address = "198.51.100.7"
    await eve.done(code, "sit", name="Eve")
    answers = [await eve.ask(code, "share", name=f"Eve {number}") for number in range(5)]
    assert [answer.status for answer in answers] == [200] * 2 + [409] * 3
    assert answers[-1].data["code"] == "seats-here"
    other = pub.client("another")
    other.address = eve.address
    assert (await other.ask(code, "sit", name="Other")).data["code"] == "seats-here"
    for number in range(5):
        assert (await ann.ask(code, "share", name=f"Ann {number}")).status == 200


async def test_one_program_takes_only_some_places_of_the_queue(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None, bots=["tip"], listed=True)
    await ann.done(code, "start")
    answers = []
    for number in range(6):
        eve = pub.client(f"eve {number}")
        eve.address = "198.51.100.7"
        answers.append((await eve.ask(code, "queue", name=f"Eve {number}")).status)
    assert answers == [200] * 3 + [409] * 3
    kim = pub.client("Kim")
    kim.address = "203.0.113.5"
    await kim.done(code, "queue", name="Kim")
    assert (await kim.ask(code, "drop", name="Eve 0")).data["code"] == "not-host"
    assert "Take off the list" in (await ann.page(code)).text
    for number in range(3):
        await ann.done(code, "drop", name=f"Eve {number}")
    assert (await pub.view(code))["queue"] == ["Kim"]
    eve = pub.client("eve 0")
    assert (await eve.ask(code, "queue", name="Eve")).data["code"] == "removed-before"


async def test_who_sits_down_and_leaves_again_counts_for_a_while(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None, listed=True)
    await ann.page(code)
    answers = []
    for number in range(5):
        eve = pub.client(f"eve {number}")
        eve.address = "198.51.100.7"
        answers.append((await eve.ask(code, "sit", name="Eve")).status)
        await eve.ask(code, "leave")
    assert answers == [200] * 3 + [409] * 2
    again = pub.client("eve 0")
    again.address = "198.51.100.7"
    assert (await again.ask(code, "sit", name="Eve")).status == 200, "who was here counts once"
    await again.done(code, "leave")
    await pub.advance(11 * MINUTE)
    other = pub.client("eve 4")
    other.address = "198.51.100.7"
    assert (await other.ask(code, "sit", name="Eve")).status == 200


@at_the_pub(limits=replace(UNLIMITED, comings=Rate(4 / 60, 10)))
async def test_an_address_asks_for_so_many_seats_at_a_table(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None)
    answers = []
    for number in range(12):
        eve = pub.client(f"eve {number}")
        answers.append((await eve.ask(code, "sit", name="Eve")).status)
        await eve.ask(code, "leave")
    assert answers == [200] * 10 + [429] * 2
    other = await ann.order(people=None, key="another-table")
    assert (await pub.client("eve").ask(other, "sit", name="Eve")).status == 200


async def test_a_family_behind_one_address_sits_down_by_the_link(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None)
    for number in range(6):
        kin = pub.client(f"kin {number}")
        kin.address = "198.51.100.7"
        assert (await kin.ask(pub.house.link(code)[3:], "sit", name=f"Kin {number}")).status == 200


async def test_who_queues_has_a_way_on_where_all_players_have_left(pub: Pub) -> None:
    ann, lou, mia = pub.client("Ann"), pub.client("Lou"), pub.client("Mia")
    code = await ann.order(people=1, bots=["tip"], rules={"format": "rounds 1"})
    for client in (lou, mia):
        await client.done(code, "queue", name=client.name)
    stream = await lou.look(code)
    await ann.done(code, "leave")
    await pub.advance(5 * MINUTE)
    assert stream.view["stage"] == "over"
    assert 'value="rematch"' in (await lou.page(code)).text
    assert 'value="rematch"' not in (await pub.client("Eve").page(code)).text
    following = (await lou.ask(code, "rematch")).data["go"].removeprefix("/t/")
    assert (await mia.ask(code, "rematch")).data["go"].removeprefix("/t/") == following
    state = pub.actor(following).state
    assert state.is_host(lou.person)
    assert {lou.person, mia.person} <= set(state.people)
    await pub.restart(kill=True)
    assert (await pub.table(code)).state.rematch == (await pub.table(following)).code
