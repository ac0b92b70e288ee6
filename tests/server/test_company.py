"""The people at a table over HTTP: tables that grow, rematches that move nobody, pauses, calls; by form too."""

import asyncio
import re
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from pubdice.server import inplay
from server.clients import Client
from server.houses import HOUR, MINUTE, SECOND, START_MS, Pub, at_the_pub, play_out, seated
from server.tree import read


async def _growing(pub: Pub, **order: Any) -> tuple[Client, Client, str]:
    """Ann and Bob at a table that grows."""
    ann, bob = pub.client("Ann"), pub.client("Bob")
    code = await ann.order(**{"people": None, "rules": {"format": "rounds 1"}, **order})
    await bob.done(code, "sit", name="Bob")
    return ann, bob, code


def _code(go: str) -> str:
    """The table where an answer leads."""
    return go.removeprefix("/t/").partition("?")[0]


def _names(view: dict[str, Any]) -> list[str]:
    return [seat["name"] for seat in view["seats"]]


@at_the_pub()
async def test_a_table_ordered_without_a_number_grows_until_it_is_started(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None)
    view = await pub.view(code)
    assert (view["grows"], view["room"], view["missing"], _names(view)) == (True, True, 1, ["Ann"])
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
    assert (view["stage"], _names(view)) == ("playing", ["Ann", "Bob", "Cid"])


@at_the_pub()
async def test_play_a_bot_begins_at_once(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None, bots=["tip"], start=True)
    assert (await pub.view(code))["stage"] == "playing"
    alone = await ann.post("/tables", {"game": "midnight", "name": "Ann", "start": True})
    assert (alone.status, alone.data["code"]) == (409, "too-few-players")
    assert len(pub.store.tables()) == 1


@at_the_pub()
async def test_every_command_works_from_a_plain_form(pub: Pub) -> None:
    ann, bob, code = await _growing(pub)
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
    setup = pub.hub(code).state.setup
    assert (setup.rules["format"], setup.rules["need"], setup.clock_s) == ("pot 2 rounds 1", "2 4", 60)
    assert "2 chips" in (await ann.page(code)).text or "2 and a 4" in (await ann.page(code)).text
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


@at_the_pub()
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


@at_the_pub()
async def test_a_rematch_begins_without_those_who_have_gone_home(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"}, grace_s=30)
    await play_out(pub, code, [ann, bob])
    await pub.advance(HOUR)
    cid = pub.client("Cid")
    await cid.done(code, "queue", name="Cid")
    watching = await cid.look(code)
    following = (await ann.ask(code, "rematch")).data["go"].removeprefix("/t/")
    await pub.advance(40 * SECOND)
    assert watching.view["queue"] == ["Cid"]
    assert (await cid.ask(code, "rematch")).status == 200
    view = await pub.view(following)
    assert (view["stage"], _names(view)) == ("playing", ["Ann", "Cid"])


@at_the_pub()
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
    assert _names(here[1].view) == ["Ann", "Bob"]
    assert "Cid sits this one out." in here[0].said


@at_the_pub()
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
    assert (here.view["stage"], _names(here.view)) == ("playing", ["Ann", "Bob"])
    await pub.restart(kill=True)
    assert (await pub.view(following))["stage"] == "playing"


@at_the_pub()
async def test_ready_is_taken_back_from_the_page(pub: Pub) -> None:
    ann, bob, code = await _growing(pub)

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


@at_the_pub()
async def test_without_scripts_too_somebody_lost_holds_up_nobody(pub: Pub) -> None:
    ann, bob, code = await _growing(pub, grace_s=30)
    cid = pub.client("Cid")
    await cid.done(code, "sit", name="Cid")
    await cid.page(code)
    await ann.done(code, "ready")
    await bob.done(code, "ready")
    for _ in range(30):
        await pub.advance(10 * SECOND)
        await ann.page(code)
        await bob.page(code)
        if (await pub.view(code))["stage"] == "playing":
            break
    assert (await pub.view(code))["stage"] == "playing"
    assert pub.clock.ms >= START_MS + 150 * SECOND, "who reads pages without a stream counts as here for 2 minutes"


@at_the_pub()
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


@at_the_pub()
async def test_the_evening_is_shown_across_the_chain(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    assert (await pub.view(code))["evening"] is None
    for games in (1, 2):
        view = await play_out(pub, code, [ann, bob])
        assert view["evening"]["games"] == games
        assert sorted(row["name"] for row in view["evening"]["rows"]) == ["Ann", "Bob"]
        assert sorted(row["seat"] for row in view["evening"]["rows"]) == [0, 1]
        assert 0 < sum(row["wins"] for row in view["evening"]["rows"]) <= 2 * games
        await ann.done(code, "rematch")
        code = (await bob.ask(code, "rematch")).data["go"].removeprefix("/t/")
        assert (await pub.view(code))["evening"]["games"] == games


@at_the_pub()
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
        assert _names(await play_out(pub, code, [ann, bob])) == ["Ann", "Bob"]
    assert _code((await cid.ask(first, "rematch")).data["go"]) == code
    assert (await pub.view(code))["queue"] == ["Cid"], "that match is over: they are down for the next"
    following = _code((await ann.ask(code, "rematch")).data["go"])
    assert _code((await cid.ask(first, "rematch")).data["go"]) == following
    seats = {seat["name"]: seat["kind"] for seat in (await pub.view(following))["seats"]}
    assert (seats["Ann"], seats["Cid"]) == ("person", "person")
    assert len(pub.store.tables()) == 4


@at_the_pub()
async def test_who_comes_late_sits_down_at_a_rematch_that_has_not_kept_a_seat(pub: Pub) -> None:
    ann, bob, first = await seated(pub, rules={"format": "rounds 1"}, people=3, grace_s=0)
    cid = pub.client("Cid")
    await cid.done(first, "sit", name="Cid")
    await play_out(pub, first, [ann, bob, cid])
    await ann.done(first, "rematch")
    following = _code((await bob.ask(first, "rematch", change=True)).data["go"])
    await ann.done(following, "drop", seat=2)
    assert _names(await pub.view(following)) == ["Ann", "Bob"]
    await cid.done(first, "rematch")
    assert _names(await pub.view(following)) == ["Ann", "Bob", "Cid"]


@at_the_pub()
async def test_rematches_count_among_the_tables_in_play_from_an_address(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    await play_out(pub, code, [ann, bob])
    monkeypatch.setattr(inplay, "MOST_HERE", 1)
    await ann.order(key="another-table")
    refused = await ann.ask(code, "rematch", "the-rematch")
    assert (refused.status, refused.data["code"]) == (429, "tables-here")
    assert "Finish one first" in refused.data["why"]
    assert len(pub.store.tables()) == 2
    monkeypatch.setattr(inplay, "MOST_HERE", 2)
    following = (await ann.ask(code, "rematch", "the-rematch")).data["go"]
    assert (await ann.post("/tables", {"game": "midnight", "name": "Ann"})).data["code"] == "tables-here"
    assert (await bob.ask(code, "rematch")).data["go"] == following, "who follows opens nothing"


@at_the_pub()
async def test_who_was_removed_cannot_come_back_by_a_rematch(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    await ann.done(code, "remove", seat=1)
    await play_out(pub, code, [ann])
    following = (await ann.ask(code, "rematch")).data["go"].removeprefix("/t/")
    assert (await bob.ask(following, "sit", name="Bob")).data["code"] == "removed-before"
    assert (await bob.ask(following, "queue", name="Bob")).data["code"] == "removed-before"


@at_the_pub()
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
    assert (view["stage"], _names(view)) == ("playing", ["Ann", "Kim"])


@at_the_pub()
async def test_who_moved_up_to_a_seat_is_not_removed_in_place_of_who_left_it(pub: Pub) -> None:
    ann, bob, code = await _growing(pub)
    for name in ("Cid", "Dot"):
        await pub.client(name).done(code, "sit", name=name)
    page = read((await ann.page(code)).text)
    values = [str(node.attrs["value"]) for node in page.one("form", id="remove").all("button")]
    assert values == ["1 Bob", "2 Cid", "3 Dot"]
    await bob.done(code, "leave")
    late = await ann.send(f"/t/{code}", key="late-remove", do="remove", seat=values[1])
    assert late.status == 409
    assert "The seats have changed. Look again who sits where." in late.text
    assert _names(await pub.view(code)) == ["Ann", "Cid", "Dot"]
    for do in ("remove", "handover", "drop", "move"):
        assert (await ann.ask(code, do, seat=2, name="Cid", to=0)).data["code"] == "seat-moved"
    await ann.done(code, "remove", seat=1, name="Cid")
    assert _names(await pub.view(code)) == ["Ann", "Dot"]


@at_the_pub()
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


@at_the_pub()
async def test_a_pause_over_night_and_a_restart_give_the_turn_its_time_and_no_more(pub: Pub) -> None:
    ann, bob, code = await seated(pub, clock_s=60)
    await bob.done(code, "pause")
    await pub.restart(away_ms=10 * HOUR)
    here = await ann.look(code)
    assert here.view["paused"]["text"] == "The table is paused."
    await pub.advance(MINUTE)
    await ann.done(code, "unpause")
    await pub.settle()
    assert here.view["clock"] == pub.clock.ms + MINUTE
    await pub.advance(HOUR)
    assert any("timedout" in line for line in pub.stored(code))


@at_the_pub()
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


@at_the_pub()
async def test_a_finished_table_is_forgotten_and_stays_so(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    assert (await ann.ask(code, "forget")).data["code"] == "still-seated"
    await play_out(pub, code, [ann, bob])
    assert (await ann.ask(code, "forget", "the-one-key")).data["go"] == "/"
    assert (await ann.ask(code, "forget", "the-one-key")).data["go"] == "/"
    await bob.done(code, "rematch")
    assert code not in (await ann.get("/", "text/html")).text
    assert code in (await bob.get("/", "text/html")).text


@at_the_pub()
async def test_what_was_forgotten_once_is_not_refused_to_who_sits_there_again(pub: Pub) -> None:
    _, bob, code = await _growing(pub)
    await bob.done(code, "leave")
    answer = await bob.ask(code, "forget", "the-one-key")
    await bob.done(code, "sit", name="Bob")
    again = await bob.ask(code, "forget", "the-one-key")
    assert (again.status, again.body) == (answer.status, answer.body)


@at_the_pub()
async def test_who_never_sat_at_a_table_forgets_it_and_nothing_is_stored(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})

    def answers() -> int:
        with closing(sqlite3.connect(pub.path)) as db:
            return int(db.execute("SELECT count(*) FROM answers").fetchone()[0])

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


@pytest.mark.parametrize("do", ["ready", "unready", "share", "add-bot", "rename", "handover", "rules"])
@at_the_pub()
async def test_whatever_is_asked_before_a_match_counts_once(pub: Pub, do: str) -> None:
    ann, _, code = await _growing(pub)
    fields: dict[str, dict[str, Any]] = {
        "share": {"name": "Kim"},
        "rename": {"name": "Anna"},
        "handover": {"seat": 1},
        "rules": {"rules": {"need": "2 4"}},
    }
    if do == "unready":
        await ann.done(code, "ready")
    answers = await asyncio.gather(*[ann.ask(code, do, "the-one-key", **fields.get(do, {})) for _ in range(20)])
    assert {(answer.status, answer.body) for answer in answers} == {(200, answers[0].body)}
    before = pub.stored(code)
    await pub.restart()
    assert (await ann.ask(code, do, "the-one-key", **fields.get(do, {}))).body == answers[0].body
    assert pub.stored(code) == before


@at_the_pub()
async def test_a_name_from_right_to_left_is_set_apart_wherever_a_page_shows_it(pub: Pub) -> None:
    """By ``bdi`` or by U+2068 and U+2069: the digits beside it stay where they belong."""
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
