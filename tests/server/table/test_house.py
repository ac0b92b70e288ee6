"""Coming back: each player finds the table as it is and hears the missed events. Players who left leave nothing."""

import asyncio
import gc
from unittest.mock import patch

import pytest

from pubdice.server.pages import table as table_page
from pubdice.server.table.actor import TableActor
from pubdice.server.web import render
from support.by_day import each_once
from support.house import HOUR, MINUTE, MONTH, SECOND, Pub, play_out, play_turn, seated, without_time


async def test_a_seat_on_another_phone_keeps_its_owner(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    words = pub.house.words(pub.actor(code), 0)
    phone = pub.client("Ann's phone")
    first = await phone.ask(code, "join", "the-one-key", words=words)
    for number in range(6):
        await pub.client(f"Ann's {number}").done(code, "join", words=words)
    assert pub.actor(code).state.seat_of(ann.person) == 0
    assert pub.actor(code).state.seat_of(phone.person) is None
    assert pub.house.words(pub.actor(code), 0) == words, "they are of the first phone, which stays"
    before = pub.stored(code)
    again = await phone.ask(code, "join", "the-one-key", words=words)
    assert (again.status, again.body) == (first.status, first.body)
    assert pub.stored(code) == before


async def test_wrong_words_are_refused_as_such_to_who_has_a_seat_too(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    assert (await ann.ask(code, "join", words="fakal fakal fakal fakal")).data["code"] == "wrong-words"
    own = pub.house.words(pub.actor(code), 0)
    assert (await ann.ask(code, "join", words=own)).data["code"] == "seated-already"


async def test_the_page_of_who_was_asked_to_leave_knows_it(pub: Pub) -> None:
    ann, bob, code = await seated(pub, people=3)
    seen: list[bool] = []
    table = table_page.html

    def look(frame: render.Frame, page: table_page.TablePage) -> str:
        seen.append(page.banned)
        return table(frame, page)

    with patch.object(table_page, "html", look):
        for do, who in (("", bob), ("remove", bob), ("", ann), ("", pub.client("Eve"))):
            if do:
                await ann.done(code, do, seat=1)
            await who.page(code)
    assert seen == [False, True, False, False]
    assert (await bob.ask(code, "sit", name="Bob")).data["code"] == "removed-before"


# come back any time


@pytest.mark.parametrize(
    ("turns", "how", "away"),
    each_once((0, 4), ("waits", "sleeps", "forgets", "restarts", "killed"), (SECOND, HOUR, MONTH)),
)
async def test_a_player_who_comes_back_finds_the_exact_state(pub: Pub, turns: int, away: int, how: str) -> None:
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
    told = ("clock", "whose", "seats")  # presence is another matter
    assert {**without_time(answer["view"]), **dict.fromkeys(told)} == {**without_time(before), **dict.fromkeys(told)}
    assert [die["status"] for die in answer["view"]["dice"]].count("marked") == (0 if turns else 2)


def what_happened(said: list[str]) -> list[str]:
    """Without whose turn it is and what the mover is asked: that is told as it stands, not after each roll missed."""
    asked = ("'s turn.", "?", "You need 1 and 4.")
    return [say for say in said if say and not say.endswith(asked) and not say.startswith("You still need")]


@pytest.mark.parametrize("how", ["waits", "forgets", "restarts", "killed"])
async def test_a_player_who_comes_back_hears_missed_events_once(pub: Pub, how: str) -> None:
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
    assert what_happened(back.said) == what_happened(missed)
    assert len([message for message in back.messages if message.event == ""]) == 1


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
    assert len(pub.actor(code).presence._last_seen) <= 4
    await pub.advance(HOUR)
    assert pub.clock.waiting <= 4
    assert not (await pub.table(code)).presence.streams


async def test_a_forgotten_table_does_nothing_any_more(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["tip"], pace_ms=1200, rules={"format": "rounds 1"})
    await ann.done(code, "roll")
    await ann.done(code, "bank", marks=[0, 1, 2, 3, 4, 5])
    old = pub.house.actors.pop(code)
    old.close()
    await pub.advance(MINUTE)
    assert len(pub.stored(code)) == old.state.seq
    await ann.get(f"/t/{code}/state")
    await pub.advance(MINUTE)
    assert (await pub.view(code))["stage"] == "over"
    assert isinstance(pub.actor(code), TableActor)


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


async def test_match_after_match_leaves_no_cycle(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    await play_out(pub, code, [ann, bob])
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            following = (await ann.ask(code, "rematch")).data["go"].removeprefix("/t/")
            await bob.ask(code, "rematch")
            code = following
            await play_out(pub, code, [ann, bob])
            await pub.advance(5 * MINUTE)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        left = {type(each).__qualname__ for each in gc.garbage if type(each).__module__.startswith("pubdice.")}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert left == set()
