"""A move counts once, and whoever comes back finds everything as it is."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import Any
from unittest.mock import patch

import pytest

from pubdice.server import pages
from pubdice.server.hub import Hub
from server.houses import HOUR, MINUTE, MONTH, SECOND, Pub, at_the_pub, play_out, play_turn, seated, without_time

# a move counts once


async def _again(pub: Pub, code: str) -> None:
    """Nothing happens meanwhile."""


async def _forgotten(pub: Pub, code: str) -> None:
    """The table is forgotten, and loaded again."""
    pub.forget()
    assert code not in pub.house.hubs


async def _restarted(pub: Pub, code: str) -> None:
    await pub.restart()


async def _killed(pub: Pub, code: str) -> None:
    await pub.restart(kill=True)


async def _refused_by_now(pub: Pub, code: str) -> None:
    """The turn goes on, so that a roll would be refused."""
    ann, bob = pub.client("Ann"), pub.client("Bob")
    await ann.done(code, "bank", marks=[0, 1, 2, 3, 4, 5])
    await bob.done(code, "roll")


async def _over_by_now(pub: Pub, code: str) -> None:
    await play_out(pub, code, [pub.client("Ann"), pub.client("Bob")])


@pytest.mark.parametrize("meanwhile", [_again, _forgotten, _restarted, _killed, _refused_by_now, _over_by_now])
@at_the_pub()
async def test_a_move_asked_a_hundred_times_counts_once_and_is_answered_alike(
    pub: Pub, meanwhile: Callable[[Pub, str], Awaitable[None]]
) -> None:
    ann, _, code = await seated(pub)
    first = await ann.ask(code, "roll", "the-one-key")
    assert first.status == 200
    await meanwhile(pub, code)
    before = pub.stored(code)
    answers = [await ann.ask(code, "roll", "the-one-key") for _ in range(50)]
    answers += await asyncio.gather(*[ann.ask(code, "roll", "the-one-key") for _ in range(50)])
    assert {(answer.status, answer.body) for answer in answers} == {(200, first.body)}
    assert pub.stored(code) == before
    assert sum(" roll " in line for line in before[:4]) == 1


@at_the_pub()
async def test_a_hundred_at_once_count_once(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    stream = await bob.look(code, 0)
    answers = await asyncio.gather(*[ann.ask(code, "roll", "the-one-key") for _ in range(100)])
    assert len({(answer.status, answer.body) for answer in answers}) == 1
    assert answers[0].status == 200
    await pub.settle()
    assert sum(" roll " in line for line in pub.stored(code)) == 1
    assert stream.log == pub.stored(code)


@pytest.mark.parametrize("do", ["sit", "join", "give", "leave", "pace", "start", "close"])
@at_the_pub()
async def test_whatever_is_asked_counts_once(pub: Pub, do: str) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    code = await ann.order(people=4 if do in ("start", "close") else 2)
    asker = bob if do in ("sit", "join", "leave") else ann
    if do in ("leave", "give"):
        await bob.done(code, "sit", name="Bob")
    words = pub.house.words(pub.hub(code), 0)
    table: dict[str, dict[str, Any]] = {
        "sit": {"name": "Bob"},
        "join": {"words": words},
        "pace": {"ms": 400},
        "close": {"seat": 3},
    }
    fields = table.get(do, {})
    first = await asker.ask(code, do, "the-one-key", **fields)
    assert first.status == 200, first.body
    before = pub.stored(code)
    for _ in range(2):
        answers = [await asker.ask(code, do, "the-one-key", **fields) for _ in range(5)]
        assert {(answer.status, answer.body) for answer in answers} == {(200, first.body)}
        assert pub.stored(code) == before
        await pub.restart()


@at_the_pub()
async def test_taking_a_seat_on_another_phone_counts_once_and_never_pushes_its_owner_out(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    words = pub.house.words(pub.hub(code), 0)
    phone = pub.client("Ann's phone")
    first = await phone.ask(code, "join", "the-one-key", words=words)
    for number in range(6):
        await pub.client(f"Ann's {number}").done(code, "join", words=words)
    assert pub.hub(code).state.seat_of(ann.person) == 0
    assert pub.hub(code).state.seat_of(phone.person) is None
    assert pub.house.words(pub.hub(code), 0) == words, "they are of the first phone, which stays"
    before = pub.stored(code)
    again = await phone.ask(code, "join", "the-one-key", words=words)
    assert (again.status, again.body) == (first.status, first.body)
    assert pub.stored(code) == before


@at_the_pub()
async def test_wrong_words_are_refused_as_such_to_who_has_a_seat_too(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    assert (await ann.ask(code, "join", words="fakal fakal fakal fakal")).data["code"] == "wrong-words"
    own = pub.house.words(pub.hub(code), 0)
    assert (await ann.ask(code, "join", words=own)).data["code"] == "seated-already"


@at_the_pub()
async def test_the_page_of_who_was_asked_to_leave_knows_it(pub: Pub) -> None:
    ann, bob, code = await seated(pub, people=3)
    seen: list[bool] = []
    table = pages.table

    def look(frame: pages.Frame, page: pages.TablePage) -> str:
        seen.append(page.barred)
        return table(frame, page)

    with patch.object(pages, "table", look):
        for do, who in (("", bob), ("remove", bob), ("", ann), ("", pub.client("Eve"))):
            if do:
                await ann.done(code, do, seat=1)
            await who.page(code)
    assert seen == [False, True, False, False]
    assert (await bob.ask(code, "sit", name="Bob")).data["code"] == "removed-before"


@at_the_pub()
async def test_the_same_key_of_another_person_is_another_command(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    await ann.done(code, "give", "the-one-key")
    await bob.done(code, "give", "the-one-key")
    assert [line.split(" ", 1)[1] for line in pub.stored(code)[-2:]] == ["stoodin 0 tip gave", "stoodin 1 tip gave"]


@at_the_pub()
async def test_a_key_counts_once_at_each_table(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    _, _, other = await seated(pub)
    assert (await ann.done(code, "roll", "the-one-key")) == (await ann.done(other, "roll", "the-one-key"))
    assert len(pub.stored(code)) == len(pub.stored(other))


@at_the_pub()
async def test_what_was_refused_has_not_used_its_key_up(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    refused = await bob.ask(code, "roll", "the-one-key")
    assert (refused.status, refused.data["code"]) == (403, "not-your-turn")
    await ann.done(code, "roll")
    await ann.done(code, "bank", marks=[0, 1, 2, 3, 4, 5])
    assert (await bob.ask(code, "roll", "the-one-key")).status == 200


@at_the_pub()
async def test_a_form_sent_twice_counts_once(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    for _ in range(2):
        answer = await ann.send(f"/t/{code}", key="the-one-key", do="roll")
        assert (answer.status, answer.headers["location"]) == (303, f"{pub.house.link(code)}#play")
    assert sum(" roll " in line for line in pub.stored(code)) == 1


@at_the_pub()
async def test_a_table_ordered_twice_under_one_key_is_one_table(pub: Pub) -> None:
    ann = pub.client("Ann")
    codes = {await ann.order(key="the-one-key") for _ in range(3)}
    codes |= set(await asyncio.gather(*[ann.order(key="the-one-key") for _ in range(10)]))
    codes |= set(await asyncio.gather(*[ann.order(key="another-key") for _ in range(10)]))
    assert len(codes) == 2
    assert len(pub.store.tables()) == 2
    assert await pub.client("Bob").order(key="the-one-key") not in codes


# come back any time


@pytest.mark.parametrize("away", [SECOND, HOUR, MONTH])
@pytest.mark.parametrize("how", ["waits", "sleeps", "forgets", "restarts", "killed"])
@pytest.mark.parametrize("turns", [0, 4])
@at_the_pub()
async def test_whoever_comes_back_finds_the_exact_state_in_one_request(
    pub: Pub, turns: int, away: int, how: str
) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 5"})
    for _ in range(2 * turns):
        await play_turn(pub, code, [ann, bob])
        await pub.advance(100)
    if turns:
        assert len((await pub.view(code))["last"]) > 1
    else:
        await ann.done(code, "roll")
        await ann.done(code, "mark", marks=[2, 0])
    page = await ann.look(code, 0)
    had = len(page.log)
    assert page.log == pub.stored(code)
    await page.drop()
    before = await pub.view(code)
    if how == "waits":
        await pub.advance(min(away, HOUR))
    elif how in ("sleeps", "forgets"):
        await pub.sleep(away)
    else:
        await pub.restart(away, kill=how == "killed")
    if how == "forgets":
        pub.forget()
    answer = (await ann.get(f"/t/{code}/state")).data
    assert answer["seq"] == before["seq"] == had
    told = ("clock", "whose", "seats")  # who is here is another matter
    assert {**without_time(answer["view"]), **dict.fromkeys(told)} == {**without_time(before), **dict.fromkeys(told)}
    assert [die["status"] for die in answer["view"]["dice"]].count("marked") == (0 if turns else 2)


@pytest.mark.parametrize("how", ["waits", "forgets", "restarts", "killed"])
@at_the_pub()
async def test_whoever_comes_back_is_told_what_was_missed_once_and_in_order(pub: Pub, how: str) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 3"})
    steady, page = await bob.look(code, 0), await ann.look(code, 0)
    await play_turn(pub, code, [ann, bob])
    heard = list(steady.said)
    await page.drop()
    for _ in range(5):
        assert await play_turn(pub, code, [ann, bob])
    await pub.settle()
    missed, lines = steady.said[len(heard) :], list(steady.log)
    await steady.drop()
    await pub.advance(MINUTE)
    if how == "forgets":
        pub.forget()
    elif how != "waits":
        await pub.restart(HOUR, kill=how == "killed")
    back = await ann.look(code, len(page.log))
    assert page.log + back.log == lines == pub.stored(code)
    assert [say for say in back.said if not say.endswith("'s turn.")] == [
        say for say in missed if not say.endswith("'s turn.")
    ]
    assert len([message for message in back.messages if message.event == ""]) == 1


@at_the_pub()
async def test_the_house_keeps_nothing_of_those_who_are_gone(pub: Pub) -> None:
    ann, _, code = await seated(pub, people=3)
    for number in range(40):
        guest = pub.client(f"guest {number}")
        stream = await guest.look(code)
        await guest.done(code, "sit", name="Guest")
        await guest.done(code, "leave") if number % 2 else await ann.done(code, "remove", seat=2)
        if not number % 2:
            await ann.done(code, "admit")
        await stream.drop()
        if number == 0:
            await ann.done(code, "pace", ms=0)
    assert len(pub.hub(code).presence._left) <= 4
    await pub.advance(HOUR)
    assert pub.clock.waiting <= 4
    assert not (await pub.table(code)).streams


@at_the_pub()
async def test_a_forgotten_table_does_nothing_any_more(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["tip"], pace_ms=1200, rules={"format": "rounds 1"})
    await ann.done(code, "roll")
    await ann.done(code, "bank", marks=[0, 1, 2, 3, 4, 5])
    old = pub.house.hubs.pop(code)
    old.close()
    await pub.advance(MINUTE)
    assert len(pub.stored(code)) == old.state.seq
    await ann.get(f"/t/{code}/state")
    await pub.advance(MINUTE)
    assert (await pub.view(code))["stage"] == "over"
    assert isinstance(pub.hub(code), Hub)


@at_the_pub()
async def test_a_table_whose_log_went_on_behind_its_back_catches_up(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    page, eve = await ann.look(code, 0), await pub.client("Eve").look(code, 0)
    number = pub.store.find(code)
    assert number is not None
    pub.store.append(number, len(pub.stored(code)) + 1, [f"{pub.clock.ms} paced 0"])
    asked = await asyncio.gather(*[ann.ask(code, "roll", f"a-key-{number:03}") for number in range(5)])
    assert sorted(answer.status for answer in asked) == [200, 409, 409, 409, 409], "one rolls, and is not asked again"
    await pub.advance(0)
    assert page.ended
    assert eve.ended
    done = next(number for number, answer in enumerate(asked) if answer.status == 200)
    assert (await ann.ask(code, "roll", f"a-key-{done:03}")).body == asked[done].body
    back = await ann.look(code, len(page.log))
    assert page.log + back.log == pub.stored(code)


@at_the_pub()
async def test_a_first_command_repeated_is_the_same_persons(pub: Pub) -> None:
    """The token comes with the first page, so a seat whose answer was lost is no ghost's."""
    ann = pub.client("Ann")
    code = await ann.order(people=2)
    page = await pub.client().get(pub.house.link(code), "text/html")
    bare = await pub.client().get(f"/t/{code}", "text/html")
    assert bare.headers["set-cookie"].startswith("pubdice="), "a bare code leads to the link"
    assert page.headers["set-cookie"].startswith("pubdice=")


@at_the_pub()
async def test_a_key_used_for_something_else_is_refused_and_nothing_is_done(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    first = await ann.ask(code, "roll", "the-one-key")
    for _ in range(2):
        for do, fields in (("leave", {}), ("pace", {"ms": 300}), ("sit", {"name": "Eve"}), ("mark", {"marks": [0]})):
            answer = await ann.ask(code, do, "the-one-key", **fields)
            assert (answer.status, answer.data["code"]) == (409, "key-used"), do
        assert (await ann.ask(code, "roll", "the-one-key")).body == first.body
        await pub.restart(kill=True)
    assert (await ann.send(f"/t/{code}", key="the-one-key", do="roll")).status == 303, "a form that asks the same"
    other = [await ann.ask(code, "nudge", "another-key"), await ann.ask(code, "pace", "another-key", ms=500)]
    assert [answer.status for answer in other] == [409, 200], "what was refused has used no key"


@at_the_pub()
async def test_a_typed_line_and_a_call_use_their_key_like_all_else(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    first = await ann.ask(code, "roll", "the-roll-key")
    for do, fields in (("type", {"text": "1 r"}), ("react", {"phrase": 0})):
        answer = await ann.ask(code, do, "the-roll-key", **fields)
        assert (answer.status, answer.data["code"]) == (409, "key-used"), do
    assert (await ann.ask(code, "roll", "the-roll-key")).body == first.body
    line = (await ann.ask(code, "type", "the-line-key", text=f"{_face(pub, code)}")).body
    assert (await ann.ask(code, "type", "the-line-key", text=f"{_face(pub, code)}")).body == line
    called = (await ann.ask(code, "react", "the-call-key", phrase=1)).body
    length = len(pub.stored(code))
    for key, do, fields in (
        ("the-line-key", "type", {"text": "r"}),
        ("the-line-key", "nudge", {}),
        ("the-line-key", "react", {"phrase": 1}),
        ("the-call-key", "react", {"phrase": 2}),
        ("the-call-key", "pace", {"ms": 300}),
    ):
        answer = await ann.ask(code, do, key, **fields)
        assert (answer.status, answer.data["code"]) == (409, "key-used"), (key, do)
    assert (await ann.ask(code, "react", "the-call-key", phrase=1)).body == called
    assert len(pub.stored(code)) == length


def _face(pub: Pub, code: str) -> int:
    """A face that the mover has."""
    play = pub.hub(code).state.play
    assert play is not None
    face = play.trays[0].faces[0]
    assert face is not None
    return face


@at_the_pub()
async def test_an_orders_key_opens_no_other_table(pub: Pub) -> None:
    ann = pub.client("Ann")
    order = {"game": "midnight", "name": "Ann", "key": "the-order-key"}
    code = (await ann.post("/tables", order)).data["code"]
    again = await ann.post("/tables", {**order, "game": "420"})
    assert (again.status, again.data["code"]) == (409, "key-used")
    assert (await ann.post("/tables", order)).data["code"] == code
    assert len(pub.store.tables()) == 1


@at_the_pub()
async def test_an_answer_of_an_earlier_version_is_given_whatever_was_asked(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    first = await ann.ask(code, "roll", "the-one-key")
    await pub.close()
    with closing(sqlite3.connect(pub.path)) as db:
        db.execute("UPDATE answers SET body = x''")
        db.commit()
    await pub.open()
    assert (await ann.ask(code, "leave", "the-one-key")).body == first.body
