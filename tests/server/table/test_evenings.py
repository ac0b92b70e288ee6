"""Whole evenings: all games from the first seat to the rematch, the host and those who watch."""

import asyncio

from pig import KIT as PIG
from pubdice.games import GAMES
from support.house import Pub, at_the_pub, play_out, seated, without_time

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


async def test_a_rematch_that_could_not_be_stored_is_tried_again_at_the_same_next_table(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    await play_out(pub, code, [ann, bob])
    for failing in (1, 1, 1):
        pub.disk.failing = failing
        assert (await ann.ask(code, "rematch", "ann-rematch")).status == 503
    assert (await ann.ask(code, "rematch", "ann-rematch")).status == 200
    assert len(pub.store.tables()) == 2


# host, watchers, names


async def test_who_watches_sees_all_and_moves_nothing(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    eve, stranger = pub.client("Eve"), pub.client()
    streams = [await eve.look(code, 0), await stranger.look(code, 0)]
    for do in ("roll", "bank", "mark", "give", "leave", "nudge"):
        assert (await eve.ask(code, do)).data["code"] == "not-seated"
    view = await play_out(pub, code, [ann, bob])
    await pub.settle()
    assert all(stream.log == pub.stored(code) for stream in streams)
    assert all(without_time(stream.view) == without_time(view) for stream in streams)
    assert all(ann.person not in message.data["log"] for message in streams[0].messages)


async def test_names_are_text_wherever_they_stand(pub: Pub) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    for evil in ("<script>alert(1)</script>", '"><b onx=1>', "A\x1b[31m", "A\u202eB", ""):
        assert (await ann.post("/tables", {"game": "midnight", "name": evil})).status == 422
    code = await ann.order(name="O'Neill & Co", people=2, listed=True)
    for evil in ("<i>Bob</i>", "{{ 7*7 }}", "\u2028"):
        assert (await bob.ask(code, "sit", name=evil)).status == 422
        page = await bob.send(f"/t/{code}", key="a-key-" + str(len(evil)), do="sit", name=evil)
        assert page.status == 422
        assert evil not in page.text
    await bob.done(code, "sit", name="Bob &amp Son")
    for target in (pub.house.link(code), "/"):
        text = (await bob.get(target, "text/html")).text
        assert "O&#39;Neill &amp; Co" in text
        assert "Bob &amp;amp Son" in text or target == "/", "one does not read there that one plays with oneself"
        assert "O'Neill & Co" not in text
    assert [seat["name"] for seat in (await pub.view(code))["seats"]] == ["O'Neill & Co", "Bob &amp Son"]


# whole evenings


async def test_real_dice_are_entered_and_taken_back(pub: Pub) -> None:
    ann, bob, code = await seated(pub, dice="real", rules={"format": "rounds 1"})
    assert (await ann.ask(code, "roll")).data["code"] == "enter-dice"
    assert (await pub.client("Eve").ask(code, "enter", dice="123456")).data["code"] == "not-seated"
    assert (await ann.ask(code, "enter", dice="12345")).status == 409
    assert (await ann.ask(code, "enter", dice="12345x")).status == 422
    await bob.done(code, "enter", dice="1 4 6 6 6 5")
    assert [die["face"] for die in (await pub.view(code))["dice"]] == [1, 4, 6, 6, 6, 5]
    await bob.done(code, "back", "take-it-back")
    await bob.done(code, "enter", dice="1,4,6,6,6,6")
    assert await bob.done(code, "back", "take-it-back") < len(pub.stored(code))
    await ann.done(code, "bank", marks=[0, 1, 2, 3, 4, 5])
    await ann.done(code, "enter", dice="222222")
    await bob.done(code, "bank", marks=[0, 1, 2, 3, 4, 5])
    view = await pub.view(code)
    assert view["stage"] == "over"
    assert view["seats"][0]["score"] == "24"
    assert "Ann" in view["result"][0]["text"]
    await pub.restart()
    assert (await pub.view(code))["result"] == view["result"]


@at_the_pub(games={**GAMES, "pig": PIG})
async def test_a_third_game_goes_through_the_whole_house(pub: Pub) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    assert "Pig" in (await ann.get("/", "text/html")).text
    code = await ann.order("pig", people=2, bots=["tip"], pace_ms=0, rules={"target": "20"})
    stream = await pub.client().look(code, 0)
    await bob.done(code, "sit", name="Bob")
    assert "Pig" in (await ann.page(code)).text
    await ann.done(code, "roll")
    await pub.restart()
    view = await play_out(pub, code, [ann, bob])
    stream = await pub.client().look(code, 0)
    assert stream.log == pub.stored(code)
    assert "target: 20" in (await ann.get(f"/t/{code}/record")).text
    following = (await ann.ask(code, "rematch")).data["go"].removeprefix("/t/")
    assert (await pub.view(following))["stage"] == "gathering", "Bob still looks at the result"
    await bob.done(code, "rematch")
    assert (await pub.view(following))["stage"] == "playing"
    assert view["result"]


async def test_two_languages_at_one_table_have_one_log_and_words_of_their_own(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    english, german = await ann.look(code, 0), await pub.client("Bob", speaks="de").look(code, 0)
    view = await play_out(pub, code, [ann, bob])
    await pub.settle()
    assert english.log == german.log == pub.stored(code)
    assert english.said != german.said
    assert len(english.said) == len(german.said)
    assert english.view["result"] == view["result"]
    assert {key: german.view[key] for key in ("seq", "shape", "stage")} == {
        key: english.view[key] for key in ("seq", "shape", "stage")
    }
