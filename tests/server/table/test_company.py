"""The people at a table over HTTP: tables that grow, pauses, calls and forgotten tables, by form too."""

import re
import sqlite3
from contextlib import closing

import pytest

from support.asgi_client import Client
from support.house import HOUR, SECOND, Pub, growing, play_out, seat_names, seated
from support.html_tree import read


async def test_every_command_works_from_a_plain_form(pub: Pub) -> None:
    ann, bob, code = await growing(pub)
    key = iter(range(10**6))

    async def form(client: Client, do: str, **fields: str) -> None:
        answer = await client.send(f"/t/{code}", key=f"form-key-{next(key)}", do=do, **fields)
        assert answer.status == 303, (do, answer.text[-300:])

    await form(ann, "share", name="Kim")
    await form(ann, "add-bot", bot="lucky")
    await form(ann, "move", seat="3", to="0")
    await form(ann, "rename", name="Anna", seat="1")
    await form(ann, "drop", seat="0")
    changes = {"midnight.format": "pot", "midnight.stake": "2", "midnight.pot-rounds": "1", "midnight.need": "2 4"}
    await form(ann, "rules", clock="60", pace="300", **changes)
    setup = pub.actor(code).state.setup
    assert (setup.rules["format"], setup.rules["need"], setup.clock_s) == ("pot 2 rounds 1", "2 4", 60)
    assert (
        ">A pot, everyone antes 2 chips a round, 1 round; you need a 2 and a 4; 60 seconds a turn."
        in (await ann.page(code)).text
    )
    await form(ann, "handover", seat="1")
    await form(bob, "ready")
    await form(bob, "unready")
    await form(ann, "ready")
    assert (await pub.view(code))["stage"] == "gathering"
    await form(bob, "ready")
    assert (await pub.view(code))["stage"] == "playing"
    await form(bob, "pause")
    await form(ann, "unpause")
    await form(ann, "react", phrase="0")
    await form(pub.client("Lou"), "queue", name="Lou")
    await play_out(pub, code, [ann, bob])
    await form(ann, "rematch", change="")
    await form(bob, "rematch", change="true")
    await form(ann, "forget")


@pytest.mark.parametrize(
    ("who", "do", "field", "fields"),
    [
        ("Eve", "sit", "name", {"name": "Ann"}),
        ("Eve", "join", "four", {"words": "apple bread candle <dock>"}),
        ("Ann", "share", "other", {"name": "Carl, Dora, Emil, Ann"}),
        ("Ann", "rename", "rename-name", {"name": "Bob"}),
    ],
)
async def test_what_was_typed_stays_in_the_field_that_is_refused(
    pub: Pub, who: str, do: str, field: str, fields: dict[str, str]
) -> None:
    ann, _, code = await growing(pub)
    client = {"Ann": ann, "Eve": pub.client("Eve")}[who]
    answer = await client.send(f"/t/{code}", key="refused-form", do=do, **fields)
    assert answer.status in (403, 409)
    ids = ("name", "other", "rename-name", "four")
    shown = [node for node in read(answer.text).all("input") if node.attrs.get("id") in ids]
    held = {str(node.attrs["id"]): node.attrs["value"] for node in shown}
    assert held.pop(field) == next(iter(fields.values()))
    assert set(held.values()) <= {""}, "no other field takes it"


async def test_a_player_is_told_before_leaving_a_shut_table(pub: Pub) -> None:
    ann, bob, code = await growing(pub)
    again, closed = "You can watch, and sit down again", "then you can only watch, until the host lets you in"

    async def told(client: Client) -> str:
        return read((await client.page(code)).text).one("form", id="leave").words()

    cid = pub.client("Cid")
    await cid.done(code, "sit", name="Cid")
    assert [again in await told(client) for client in (ann, bob)] == [True, True]
    await ann.done(code, "remove", seat=2)
    for client in (ann, bob):  # Ann too: Bob will be the host
        words = await told(client)
        assert words.startswith("Your chair becomes free.")
        assert (again in words, closed in words) == (False, True)
    await bob.done(code, "leave")
    assert (await bob.ask(code, "sit", name="Bob")).data["code"] == "table-shut"
    assert again in await told(ann), "alone she stays the host"
    await ann.done(code, "leave")
    await ann.done(code, "sit", name="Ann")
    await ann.done(code, "admit")
    await bob.done(code, "sit", name="Bob")
    await pub.client("Dora").done(code, "sit", name="Dora")
    await ann.done(code, "start")
    assert f"{again} in a bot's seat" in await told(bob)
    await ann.done(code, "remove", seat=2)
    assert closed in await told(bob)


async def test_ready_is_taken_back_from_the_page(pub: Pub) -> None:
    ann, bob, code = await growing(pub)

    async def offered() -> list[tuple[str, str, bool]]:
        buttons = read((await bob.page(code)).text).one("form", id="ready").all("button")
        return [(str(each.attrs["value"]), each.text.strip(), "aria-disabled" in each.attrs) for each in buttons]

    stream = await ann.look(code)
    assert await offered() == [("ready", "I'm ready", False)]
    assert (await bob.ask(code, "unready")).data["code"] == "not-ready"
    await bob.done(code, "ready")
    assert await offered() == [("ready", "Waiting for the others", True), ("unready", "I'm not ready yet", False)]
    await bob.done(code, "unready")
    await pub.settle()
    assert [text for text in stream.said if "ready" in text] == ["Bob is ready.", "Bob is not ready yet."]
    assert not stream.view["seats"][1]["ready"]
    assert await offered() == [("ready", "I'm ready", False)]
    await ann.done(code, "ready")
    assert stream.view["stage"] == "gathering"
    await pub.restart(kill=True)
    await bob.done(code, "type", text="ready")
    assert (await pub.view(code))["stage"] == "playing"
    assert (await bob.ask(code, "unready")).data["code"] == "started"


async def test_one_phone_has_two_seats_and_acts_for_the_mover(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None, rules={"format": "rounds 1"})
    await ann.done(code, "share", name="Kim")
    await ann.done(code, "ready")
    state = (await ann.get(f"/t/{code}/state")).data
    assert (state["seats"], state["seat"]) == ([0, 1], 0)
    await ann.done(code, "roll")
    await ann.done(code, "bank", marks=[0, 1, 2, 3, 4, 5])
    assert (await ann.get(f"/t/{code}/state")).data["seat"] == 1
    assert (await play_out(pub, code, [ann]))["stage"] == "over"
    following = (await ann.ask(code, "rematch")).data["go"].removeprefix("/t/")
    view = await pub.view(following)
    assert (view["stage"], seat_names(view)) == ("playing", ["Ann", "Kim"])


async def test_a_player_who_moved_up_is_not_removed_for_another(pub: Pub) -> None:
    ann, bob, code = await growing(pub)
    for name in ("Cid", "Dot"):
        await pub.client(name).done(code, "sit", name=name)
    page = read((await ann.page(code)).text)
    values = [str(node.attrs["value"]) for node in page.one("form", id="remove").all("button")]
    assert values == ["1 Bob", "2 Cid", "3 Dot"]
    await bob.done(code, "leave")
    late = await ann.send(f"/t/{code}", key="late-remove", do="remove", seat=values[1])
    assert late.status == 409
    assert "The seats have changed. Look at them again." in late.text
    assert seat_names(await pub.view(code)) == ["Ann", "Cid", "Dot"]
    for do in ("remove", "handover", "drop", "move"):
        assert (await ann.ask(code, do, seat=2, name="Cid", to=0)).data["code"] == "seat-moved"
    await ann.done(code, "remove", seat=1, name="Cid")
    assert seat_names(await pub.view(code)) == ["Ann", "Dot"]


async def test_a_repeated_command_is_answered_though_seats_changed(pub: Pub) -> None:
    ann, _, code = await growing(pub)
    await pub.client("Cid").done(code, "sit", name="Cid")
    first = await ann.ask(code, "remove", "remove-bob", seat=1, name="Bob")
    assert first.status == 200
    again = await ann.ask(code, "remove", "remove-bob", seat=1, name="Bob")
    assert (again.status, again.body) == (200, first.body)
    assert seat_names(await pub.view(code)) == ["Ann", "Cid"]


async def test_a_call_is_heard_by_all_and_stored_by_nobody(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    stream, before = await bob.look(code), pub.stored(code)
    first = await ann.ask(code, "react", "the-one-key", phrase=2)
    assert first.status == 200
    await pub.settle()
    assert stream.said[-1] == "Ann: Lucky!"
    assert (await ann.ask(code, "react", "the-one-key", phrase=2)).body == first.body, "counts once"
    soon = await ann.ask(code, "react", phrase=0)
    assert (soon.status, soon.data["code"]) == (429, "react-soon")
    assert (await pub.client("Eve").ask(code, "react", phrase=0)).data["code"] == "not-seated"
    await pub.advance(5 * SECOND)
    assert (await ann.ask(code, "react", phrase=0)).status == 200
    assert pub.stored(code) == before
    assert (await ann.ask(code, "react", phrase=6)).status == 422


async def test_a_stranger_forgets_a_table_and_nothing_is_stored(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})

    def answers() -> int:
        with closing(sqlite3.connect(pub.path)) as db:
            return int(db.execute("SELECT count(*) FROM log").fetchone()[0])

    before = answers()
    for _ in range(3):
        eve = pub.client("Eve")
        for key in ("the-one-key", "another-key"):
            answer = await eve.ask(code, "forget", key)
            assert (answer.status, answer.data["go"]) == (200, "/")
    assert answers() == before
    await play_out(pub, code, [ann, bob])
    before = answers()
    for key in ("the-one-key", "the-one-key", "another-key"):
        assert (await ann.ask(code, "forget", key)).data["go"] == "/"
    assert answers() == before + 1, "there was something to forget once"


async def test_a_page_sets_a_name_from_right_to_left_apart(pub: Pub) -> None:
    """By ``bdi`` or by U+2068 and U+2069: the digits beside it stay in their place."""
    name = "\u05d3\u05df 7"
    ann, dan, code = pub.client("Ann"), pub.client(name), ""
    code = await ann.order(people=None, rules={"format": "rounds 1"})
    await dan.done(code, "sit", name=name)
    bare = re.compile('(?<!\u2068)(?<!<bdi>)(?<!<bdi class="name">)' + name)

    async def looked_at() -> None:
        for reader in (ann, dan, pub.client("Eve")):
            for page in ((await reader.page(code)).text, (await reader.get(f"/t/{code}/big", "text/html")).text):
                shown = re.sub(r"<body[^>]*>|<[a-z][^>]* (?:value|data-place)=[^>]*>", "", page)
                assert name in shown, shown[:200]
                assert not bare.search(shown), shown[max(0, bare.search(shown).start() - 90) :][:130]  # type: ignore[union-attr]

    await looked_at()
    await ann.done(code, "start")
    await looked_at()
    await play_out(pub, code, [ann, dan])
    await ann.done(code, "rematch")
    await looked_at()


def told_words(page: str) -> dict[str, str]:
    """The words in a page that let another phone in, by the sentence before them."""
    found = {}
    for each in read(page).all("details"):
        words = [node.words() for node in each.all("p", **{"class": "four"})]
        if words and str(each.attrs.get("data-place", "")).startswith("in "):
            found[each.one("summary").words()] = words[0]
    return found


async def test_the_host_lets_a_lost_phone_in_again(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    words = told_words((await ann.page(code)).text)
    assert list(words) == ["Let Bob in on another phone"], "not the host's own, which stand under My seat"
    assert len(words["Let Bob in on another phone"].split()) == 4
    for stranger in (bob, pub.client("Eve")):
        page = (await stranger.page(code)).text
        assert told_words(page) == {}
        assert ("Bob opens this table there" in page) is False
    phone = pub.client("Bob's other phone")
    assert (await phone.ask(code, "roll")).status == 403
    await phone.done(code, "join", words=words["Let Bob in on another phone"])
    assert [seat["name"] for seat in (await pub.view(code))["seats"]] == ["Ann", "Bob"]
    assert "You are watching" not in (await phone.page(code)).text
    await phone.done(code, "rename", name="Bobby")
    assert seat_names(await pub.view(code)) == ["Ann", "Bobby"], "it has Bob's seat"


async def test_a_table_without_a_number_grows_until_the_start(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None)
    view = await pub.view(code)
    assert (view["grows"], view["room"], view["missing"], seat_names(view)) == (True, True, 1, ["Ann"])
    refused = await ann.ask(code, "start")
    assert (refused.status, refused.data["code"], refused.data["why"]) == (
        409, "too-few-players", "You need one more player.",
    )  # fmt: skip
    stream = await ann.look(code)
    await pub.client("Bob").done(code, "sit", name="Bob")
    await pub.client("Cid").done(code, "sit", name="Cid")
    await pub.settle()
    assert [text for text in stream.said if "sat down" in text] == [
        "Bob sat down. 2 at the table.", "Cid sat down. 3 at the table.",
    ]  # fmt: skip
    await ann.done(code, "start")
    view = await pub.view(code)
    assert (view["stage"], seat_names(view)) == ("playing", ["Ann", "Bob", "Cid"])


async def test_a_pause_stops_clock_and_bots_and_costs_nobody_time(pub: Pub) -> None:
    ann, bob, code = await seated(pub, clock_s=60)
    streams = [await ann.look(code), await bob.look(code)]
    await pub.advance(20 * SECOND)
    await bob.done(code, "pause")
    assert (await ann.ask(code, "roll")).data["why"] == "The table is paused. Press Go on to play."
    await pub.advance(HOUR)
    await ann.done(code, "unpause")
    await pub.settle()
    view = streams[0].view
    assert view["clock"] - view["now"] == 40 * SECOND
    assert view["paused"] is None
    await pub.advance(39 * SECOND)
    assert not any("timedout" in line for line in pub.stored(code))
    await pub.advance(2 * SECOND)
    assert any("timedout" in line for line in pub.stored(code))
