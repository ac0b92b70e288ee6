"""Nights of the same dice over HTTP: dice, ranking, views, and a secret that never leaves the house."""

import asyncio
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from pubdice.advice.coach import Coach
from pubdice.advice.review import review
from pubdice.checked_record import Checked, read_checked
from pubdice.core.cup import Cup, DiceSlot, NightMark, SeededCup
from pubdice.core.seal import KeyedSeals
from pubdice.games import GAMES
from pubdice.match.record import dice_by_slot, first_difference
from pubdice.server import nights
from pubdice.server.observe import start_log
from pubdice.store.sqlite.store import copy
from pubdice.text.language import Language
from server.http.test_ask import asked_of
from support.asgi_client import Client
from support.house import MONTH, Pub, play_out, play_turn
from support.html_tree import read
from support.http_wire import Answer
from support.same_bytes import same_bytes

MIDNIGHT = {"game": "midnight", "midnight.format": "rounds", "midnight.rounds": "1", "players": "2"}


async def sent(client: Client, target: str, form: dict[str, str], accept: str = "*/*") -> Answer:
    """The answer to a form."""
    kind = "application/x-www-form-urlencoded"
    return await client.request("POST", target, urlencode(form).encode(), content_type=kind, accept=accept)


async def counted(client: Client, form: dict[str, str]) -> Answer:
    """The answer to the form that begins a night. It is sent again while the house counts."""
    while (answer := await sent(client, "/night", form)).status == 503:
        assert answer.data["code"] == "night-counting"
    return answer


async def begun(client: Client, **form: str) -> str:
    """A night's page."""
    answer = await counted(client, {**MIDNIGHT, **form})
    assert answer.status == 303, answer.text
    return str(answer.headers["location"])


async def own_table(client: Client, night: str) -> str:
    """The code of a table of the night that a person has set up."""
    answer = await sent(client, night, {"name": client.name, "key": f"key of {client.name}"})
    assert answer.status == 303, answer.text
    return str(answer.headers["location"]).removeprefix("/t/").partition("-")[0]


async def two_tables(pub: Pub, **form: str) -> tuple[str, list[list[Client]], list[str]]:
    """A night with two tables that are full, and so have begun: Ann and Bob, Cid and Dan."""
    night = await begun(pub.client("Host"), **form)
    people = [[pub.client(name) for name in names] for names in (("Ann", "Bob"), ("Cid", "Dan"))]
    codes = []
    for host, guest in people:
        codes.append(await own_table(host, night))
        await guest.done(codes[-1], "sit", name=guest.name)
    return night, people, codes


async def record_at(client: Client, code: str) -> Checked:
    return read_checked((await client.get(f"/t/{code}/record")).text, GAMES, Language())


async def data_of(client: Client, night: str) -> dict[str, Any]:
    return dict((await asked_of(client, night)).data)


async def test_a_nights_matches_are_opened_by_a_loser_who_lost(pub: Pub) -> None:
    form = {"game": "threes", "threes.format": "rounds", "threes.rounds": "2", "threes.opener": "loser"}
    code = await own_table(pub.client("Ann"), await begun(pub.client("Host"), **form))
    await pub.client("Bob").done(code, "sit", name="Bob")
    live = pub.actor(code).state.match
    assert live is not None
    assert (live.table.match.opener, live.table.match.loser_lost) == ("loser", True)


@pytest.mark.parametrize("game", GAMES)
async def test_two_tables_of_a_night_have_the_same_dice(pub: Pub, game: str) -> None:
    form = {"game": game} if game != "midnight" else {}
    night, people, codes = await two_tables(pub, **form)
    await play_turn(pub, codes[0], people[0])
    await pub.restart(kill=True)
    for code, clients in zip(codes, people, strict=True):
        await play_out(pub, code, clients)
    found = [await record_at(clients[0], code) for code, clients in zip(codes, people, strict=True)]
    one, other = (dice_by_slot(each.match, each.steps) for each in found)
    assert len(one.keys() & other.keys()) > 1
    assert first_difference(one, other) is None
    ranking = (await data_of(people[0][0], night))["ranking"]
    assert sorted(row["seat"] for row in ranking) == ["Ann", "Bob", "Cid", "Dan"]


async def test_the_ranking_is_what_reviews_say_is_lost(pub: Pub) -> None:
    night, people, codes = await two_tables(pub, **{"midnight.rounds": "3"})
    for code, clients in zip(codes, people, strict=True):
        await play_out(pub, code, clients)
    data = await data_of(people[0][0], night)
    assert (data["over"], data["going"], data["held"]) == (2, 0, False)
    lost = {}
    for code, clients in zip(codes, people, strict=True):
        checked = await record_at(clients[0], code)
        assert checked.kit.solver is not None
        found = review(Coach(checked.kit.solver(checked.match), checked.match), checked.steps)
        for seat, name in enumerate(checked.header.names):
            mine = [each for each in found.decisions if each.seat == seat]
            lost[name] = sum(each.chosen.lost for each in mine), sum(each.counts for each in mine)
    ranking = data["ranking"]
    for row in ranking:
        assert [row["lost"], row["decisions"]] == pytest.approx(lost[row["seat"]])
    assert [row["lost"] for row in ranking] == sorted(row["lost"] for row in ranking)
    for row in ranking:
        assert row["low"] <= row["mean"] <= row["high"]
        assert row["mean"] == pytest.approx(row["lost"] / row["decisions"])
    page = read((await asked_of(people[0][0], night, "text/html")).text)
    rows = page.one("tbody").all("tr")[::2]
    assert [row.one("bdi").words() for row in rows] == [row["seat"] for row in ranking]
    assert f"Table {ranking[0]['table']}" in rows[0].words()


async def test_a_night_of_many_tables_is_ranked_whole(pub: Pub) -> None:
    night, names = await begun(pub.client("Host"), game="mexico"), list[str]()
    for number in range(nights.AT_ONCE + 1):
        people = [pub.client(f"{name} {number}") for name in ("Ann", "Bob")]
        code = await own_table(people[0], night)
        await people[1].done(code, "sit", name=people[1].name)
        await play_out(pub, code, people)
        names += [client.name for client in people]
    ranking = (await data_of(people[0], night))["ranking"]
    assert sorted(row["seat"] for row in ranking) == sorted(names)


async def test_who_still_plays_sees_no_other_table_of_the_night(pub: Pub) -> None:
    night, people, codes = await two_tables(pub)
    (ann, bob), (cid, dan) = people
    await play_out(pub, codes[0], [ann, bob])
    await play_turn(pub, codes[1], [cid, dan])
    link = pub.house.link(codes[0])
    for path in (
        "",
        "/state",
        "/events",
        "/record",
        "/big",
        "/receipt",
        "/receipt.svg",
        "/preview.png",
        "/ask/1",
        "/verify",
    ):
        held = await cid.get(f"{link}{path}")
        assert (held.status, held.data["code"]) == (403, "night-held"), path
    go = str((await ann.ask(codes[0], "rematch")).data["go"])
    assert (await cid.get(f"{go}/evening/records")).data["code"] == "no-match-over", "the evening shows no dice of it"
    evening = (await asked_of(cid, f"{go}/evening")).data
    assert (evening["games"], len(evening["matches"]), evening["dearest"]) == (1, 1, [])
    assert held.data["why"] == ("You're at another table of this night, with the same dice. Finish that match first.")
    mine = await data_of(cid, night)
    assert (mine["held"], mine["ranking"], mine["over"], mine["going"]) == (True, [], 1, 1)
    page = (await cid.get(night, "text/html")).text
    assert "see how the other tables did when your match is over." in page
    assert "Ann" not in page
    await play_out(pub, codes[1], [cid, dan])
    assert (await cid.get(f"{link}/record")).status == 200
    assert len((await data_of(cid, night))["ranking"]) == 4


async def test_a_night_is_played_once_and_its_table_set_up_once(pub: Pub) -> None:
    night, people, codes = await two_tables(pub)
    ann, bob = people[0]
    refused = await sent(ann, night, {"name": "Ann", "key": "another key"})
    assert (refused.status, refused.data["code"]) == (403, "night-once")
    again = await sent(ann, night, {"name": "Ann", "key": "key of Ann"})
    assert again.headers["location"].startswith(f"/t/{codes[0]}"), "the same form, sent twice"
    await play_out(pub, codes[1], people[1])
    words = pub.house.words(pub.actor(codes[0]), 0)
    assert (await people[1][0].ask(codes[0], "join", words=words)).data["code"] == "night-once", "under way"
    await play_out(pub, codes[0], [ann, bob])
    eve = pub.client("Eve")
    third = await own_table(eve, night)
    assert (await ann.ask(third, "sit", name="Ann")).data["code"] == "night-once"
    assert (await pub.client("Fay").ask(third, "sit", name="Fay")).status == 200
    plain = (await ann.get(night, "text/html")).text
    assert "You have played this night." in plain


async def test_a_rematch_is_of_no_night_and_its_rules_are_fixed(pub: Pub) -> None:
    night, people, codes = await two_tables(pub)
    ann, bob = people[0]
    eve = pub.client("Eve")
    third = await own_table(eve, night)
    for change in ({"rules": {"need": "2 4"}}, {"dice": "real"}, {"dice": "sealed"}, {"lessons": 1}, {"chances": True}):
        assert (await eve.ask(third, "rules", **change)).data["code"] == "night-rules"
    assert (await eve.ask(third, "close", seat=1)).data["code"] == "night-rules"
    lobby = (await eve.page(third)).text
    assert f'href="{night}"' in lobby
    assert "the same dice as everybody in night" in lobby
    assert 'id="change"' not in lobby
    await play_out(pub, codes[0], [ann, bob])
    assert "The night&#39;s ranking" in (await ann.page(codes[0])).text
    go = (await ann.ask(codes[0], "rematch")).data["go"]
    assert pub.actor(go.removeprefix("/t/").partition("-")[0]).state.setup.night == ""


async def test_a_night_of_too_many_players_is_refused_in_a_sentence(pub: Pub) -> None:
    ann, large = pub.client("Ann"), {**MIDNIGHT, "players": "7"}
    why = "Midnight is solved for 6 seats at most."
    page: Answer = await sent(ann, "/night", large, accept="text/html")
    assert (page.status, read(page.text).one("p", id="refusal").words()) == (422, why)
    data = await sent(ann, "/night", large)
    assert (data.status, data.data["why"]) == (422, why)


async def test_bad_input_gets_one_sentence(pub: Pub) -> None:
    ann = pub.client("Ann")
    for form, status in (({"game": "chess"}, 422), ({"players": "0"}, 422), ({"players": "x"}, 422)):
        refused = await sent(ann, "/night", {**MIDNIGHT, **form}, accept="text/html")
        assert refused.status == status, refused.text
        assert read(refused.text).one("p", id="refusal").words().endswith(".")
    missing = await ann.get("/night/KORBUMTAL")
    assert (missing.status, missing.data["code"]) == (404, "no-night")
    night = await begun(ann)
    nameless = await sent(ann, night, {"name": " "}, accept="text/html")
    assert nameless.status == 422
    assert read(nameless.text).one("p", id="refusal").words() == "Enter your name."
    cut = await sent(ann, night, {"name": "Ann|Lee"}, accept="text/html")
    assert cut.status == 422
    assert read(cut.text).one("input", id="name").attrs["value"] == "Ann|Lee", "to be put right"
    pub.clock.ms += MONTH + 1000
    assert (await ann.get(night)).data["code"] == "no-night"


async def test_no_page_loads_again_under_a_name_that_is_being_typed(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nights, "AT_ONCE", 0)  # the losses are never ready
    night, people, codes = await two_tables(pub)
    await play_out(pub, codes[0], people[0])

    async def page(client: Client, name: str | None = None) -> tuple[bool, bool, bool]:
        """Three facts of the page: it loads again by itself, has the form, offers to be loaded again."""
        if name is None:
            answer = await client.get(night, "text/html")
        else:
            answer = await sent(client, night, {"name": name, "key": "a key of Eve"}, accept="text/html")
        assert answer.headers["retry-after"], "it is still worked out"
        html = read(answer.text)
        again = bool(html.all("meta", **{"http-equiv": "refresh"}))
        return again, bool(html.all("form", id="mytable")), "Refresh" in html.one("main").words()

    eve = pub.client("Eve")
    assert await page(eve) == (False, True, True)
    assert await page(eve, "Eve|") == (False, True, True)
    assert await page(people[0][0]) == (True, False, False), "who has played only waits"


async def test_a_watcher_who_sits_at_another_table_is_sent_away(pub: Pub) -> None:
    night, _, codes = await two_tables(pub)
    eve, fay = pub.client("Eve"), pub.client("Fay")
    watching = [await client.look(codes[0]) for client in (eve, fay)]
    third = await own_table(eve, night)
    await fay.done(third, "sit", name="Fay")
    await pub.settle()
    assert [stream.ended for stream in watching] == [True, True]
    again = await eve.get(f"/t/{codes[0]}/events")
    assert (again.status, again.data["code"]) == (403, "night-held")


async def test_a_nights_code_leads_to_its_page(pub: Pub) -> None:
    ann = pub.client("Ann")
    night = await begun(ann)
    code = night.rpartition("/")[2]
    for typed in (code, f"{code[:3]} {code[3:6]} {code[6:]}".lower()):
        found = await ann.get(f"/find?{urlencode({'code': typed})}")
        assert (found.status, found.headers["location"]) == (303, night)
    assert (await ann.get("/find?code=KORBUMTAL")).status == 404


async def test_a_table_of_a_night_cannot_be_forgotten_to_play_it_again(pub: Pub) -> None:
    night, people, codes = await two_tables(pub)
    ann, bob = people[0]
    await play_out(pub, codes[0], [ann, bob])
    refused = await ann.ask(codes[0], "forget")
    assert (refused.status, refused.data["code"]) == (409, "night-kept")
    again = await sent(ann, night, {"name": "Ann", "key": "another key"})
    assert again.data["code"] == "night-once"


async def test_bots_and_seats_that_bots_played_are_not_ranked(pub: Pub) -> None:
    night, people, codes = await two_tables(pub)
    ann, bob = people[0]
    await bob.done(codes[0], "give")
    await play_out(pub, codes[0], [ann, bob])
    assert [row["seat"] for row in (await data_of(ann, night))["ranking"]] == ["Ann"]
    cid, dan = people[1]
    third = await begun(pub.client("Host"))
    own = await own_table(cid, third)
    await dan.done(own, "sit", name="Dan")
    for client in (cid, dan):
        await client.done(own, "give")
    await play_out(pub, own, [cid, dan])
    assert (await data_of(cid, third))["ranking"] == []
    assert "so there is no ranking" in (await asked_of(cid, third, "text/html")).text


class LaidNight(KeyedSeals):
    """A house whose nights have the same mark and dice. Only the secret key differs."""

    def night(self, code: str) -> NightMark:
        return NightMark(code, "ab" * 8)

    def night_cup(self, night: NightMark, slot: DiceSlot) -> Cup:
        return SeededCup(f"{slot}")


def _all_bytes(folder: Path, key: bytes) -> list[bytes]:
    """Everything that a house with this key sends and stores while a table of a night is played."""
    seen: list[bytes] = []
    logged = StringIO()
    end_log = start_log(logged)

    async def evening() -> None:
        pub = Pub(folder / "house.db")
        pub.seals = LaidNight(key, lambda size: b"\1" * size)
        await pub.open()
        try:
            ann, bob, cid = pub.client("Ann"), pub.client("Bob"), pub.client("Cid")
            night = await begun(ann, **{"midnight.rounds": "5"})
            code = await own_table(ann, night)
            await bob.done(code, "sit", name="Bob")
            streams = [await ann.look(code), await bob.look(code)]
            for _ in range(6):
                assert await play_turn(pub, code, [ann, bob])
            paths = f"/t/{code}/state", f"/t/{code}/record", "/metrics", night
            seen.extend([(await ann.get(path)).body for path in paths])
            seen.append((await ann.page(code)).body)
            seen.append((await cid.get(night, "text/html")).body)
            seen.append((await sent(cid, night, {"name": "Cid", "key": "of Cid"})).body)
            seen.extend(repr(message).encode() for stream in streams for message in stream.messages)
            copy(pub.path, folder / "backup.db")
            with closing(sqlite3.connect(folder / "backup.db")) as db:
                seen.append("\n".join(db.iterdump()).encode())
        finally:
            await pub.close()

    asyncio.run(evening())
    end_log()
    return [*seen, logged.getvalue().encode()]


def test_only_the_key_varies_and_every_byte_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    same_bytes(monkeypatch, tmp_path, _all_bytes, (b"one key" * 5, b"another key" * 5))
