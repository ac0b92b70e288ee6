"""Attacks on duplicate nights: codes guessed by others, tables opened by one person, forged settings."""

import json

import pytest

from pubdice.core.errors import BadNotation
from pubdice.server import nights
from pubdice.server.nights import LEFT_MS, MOST_HERE, WAITING_MS, read_stored_night
from pubdice.server.table.codes import link
from pubdice.server.web.limits import Limits, Rate
from server.http.test_night import MIDNIGHT, begun, own_table, sent, two_tables
from support.asgi_client import Client
from support.house import ANY, Pub, at_the_pub, play_out, play_turn

GUESSING = Limits(ANY, ANY, Rate(1 / 60, 3), Rate(3 / 60, 6), openings=ANY, questions=ANY, streams=100)


def code_of(night: str) -> str:
    """The code in a night's link."""
    return night.removeprefix("/night/").partition("-")[0]


def person(pub: Pub, name: str, address: str = "") -> Client:
    """A player at an address."""
    client = pub.client(name)
    client.address = address or client.address
    return client


async def opened(pub: Pub, night: str, names: str, address: str) -> list[int]:
    """The statuses of players, one for each letter, as each sets up a table of the night from one address."""
    people = [person(pub, f"{letter}. {address}", address) for letter in names]
    answers = [await sent(each, night, {"name": "Eve", "key": f"key of {each.name}"}) for each in people]
    return [answer.status for answer in answers]


@at_the_pub(limits=GUESSING)
async def test_players_of_a_night_come_in_while_others_guess(pub: Pub) -> None:
    ann, bob, eve = person(pub, "Ann"), person(pub, "Bob"), person(pub, "Eve")
    night = await begun(ann)
    code = code_of(night)
    await own_table(ann, night)
    for address in ("192.0.2.66", "192.0.2.67", eve.address):
        eve.address = address
        heard = [(await eve.get("/night/BAFBAFBAF")).status for _ in range(4)]
        assert heard in ([404, 404, 404, 429], [429] * 4), "three codes an address, six together"
    assert (await bob.get(f"/night/{code}")).status == 429
    assert (await bob.get(f"/find?code={code}")).status == 429
    assert (await bob.get(night, "text/html")).status == 200
    assert (await ann.get(f"/night/{code}")).headers["location"] == night, "she sits at one of its tables"
    assert (await ann.get(f"/find?code={code}")).headers["location"] == night
    assert (await bob.get(f"/find?code=http://pub{night}")).headers["location"] == night
    assert (await sent(bob, night, {"name": "Bob", "key": "1"})).status == 303


async def test_one_address_cannot_fill_a_night(pub: Pub) -> None:
    night = await begun(person(pub, "Host"))
    heard = await opened(pub, night, "abcdefghijklmnopqrst", "192.0.2.66")
    assert heard == [303] * MOST_HERE + [409] * (20 - MOST_HERE)
    eve = person(pub, "Eve", "192.0.2.66")
    refused = await sent(eve, night, {"name": "Eve", "key": "1"})
    assert refused.data["code"] == "night-here"
    await pub.restart()
    assert await opened(pub, night, "u", "192.0.2.66") == [409], "the bound outlives a restart"
    assert await opened(pub, night, "vw", "192.0.2.7") == [303] * 2


async def test_one_household_cannot_fill_a_night_from_all_its_networks(pub: Pub) -> None:
    """Providers delegate an IPv6 /56 to each: 256 networks, of which 25 took all 96 tables."""
    night = await begun(person(pub, "Host"))
    heard = [status for at in range(20) for status in await opened(pub, night, "a", f"2001:db8:0:{at:x}::7")]
    assert heard == [303] * MOST_HERE + [409] * (20 - MOST_HERE)
    assert await opened(pub, night, "b", "2001:db8:0:100::7") == [303], "another household"


async def test_two_busy_addresses_leave_a_quiet_one_its_tables(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nights, "MOST_TABLES", 8)
    monkeypatch.setattr(nights, "MOST_HERE", 4)
    night = await begun(person(pub, "Host"), players="1")
    for address in ("192.0.2.1", "192.0.2.2"):
        for number in range(4):
            eve = person(pub, f"Eve {number}{address[-1]}", address)
            await play_out(pub, await own_table(eve, night), [eve])
    ann = person(pub, "Ann", "192.0.2.3")
    assert (await ann.get(night)).data["over"] == 8
    assert await opened(pub, night, "x", "192.0.2.1") == await opened(pub, night, "x", "192.0.2.2") == [409]
    assert await opened(pub, night, "abc", ann.address) == [303, 303, 409], "a third of eight"
    full = await sent(ann, night, {"name": "Ann", "key": "1"})
    assert (full.status, full.data["code"]) == (409, "night-full")
    assert "10 tables" in full.data["why"]
    assert await opened(pub, night, "abc", "192.0.2.4") == [303, 303, 409], "a quarter of eight"


async def test_a_night_has_an_end_however_many_addresses_come(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nights, "MOST_TABLES", 2)
    monkeypatch.setattr(nights, "MOST_SHARED", 5)
    night = await begun(person(pub, "Host"))
    heard = [status for at in range(7) for status in await opened(pub, night, "a", f"192.0.2.{at}")]
    assert heard == [303] * 5 + [409] * 2


async def test_tables_that_nobody_plays_give_their_places_back(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nights, "MOST_TABLES", 3)
    night = await begun(person(pub, "Host"))
    early = person(pub, "Ann", "192.0.2.1")
    first = await own_table(early, night)
    assert await opened(pub, night, "abc", "192.0.2.66") == [303, 303, 409]
    pub.clock.ms += WAITING_MS + 1
    assert (await early.get(night)).data["going"] == 0
    bob, cid = person(pub, "Bob", "192.0.2.2"), person(pub, "Cid", "192.0.2.2")
    await bob.done(await own_table(cid, night), "sit", name="Bob")
    assert await opened(pub, night, "de", "192.0.2.3") == [303, 303]
    late = person(pub, "Dan", "192.0.2.3")
    assert (await late.ask(first, "sit", name="Dan")).data["code"] == "night-full", "its place is another's now"
    pub.clock.ms += WAITING_MS + 1
    assert (await late.ask(first, "sit", name="Dan")).status == 200, "it has room again, and begins"
    pub.clock.ms += WAITING_MS + 1
    assert (await person(pub, "Fay").get(night)).data["going"] == 2, "tables that play keep their places"


async def test_tables_that_all_players_left_give_their_places_back(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nights, "MOST_TABLES", 2)
    night, people, codes = await two_tables(pub)
    late = person(pub, "Eve", people[0][0].address)
    full = await sent(late, night, {"name": "Eve", "key": "1"})
    assert (full.status, full.data["code"]) == (409, "night-full")
    pub.clock.ms += LEFT_MS + 1
    assert (await late.get(night)).data["going"] == 0
    await own_table(late, night)
    await play_out(pub, codes[0], people[0])
    found = (await late.get(night)).data
    assert (found["over"], found["going"]) == (1, 1), "a match that its people finish late is the night's all the same"
    await play_turn(pub, codes[1], people[1])
    assert (await late.get(night)).data["going"] == 2, "more than the most may play on, and the page tells all"


async def test_a_night_of_an_earlier_version_is_found_by_its_code(pub: Pub) -> None:
    begun_at = pub.clock.ms
    rules = {"game": "midnight", "format": "rounds 1"}
    for stored in ({}, {"clock_s": 60, "grace_s": 30}):
        value = json.dumps({"rules": rules, "seats": 2, "begun": begun_at, **stored}).encode()
        pub.house.store.settle("night KORBUMTAL", value)
        found = await pub.client().get("/night/KORBUMTAL")
        assert found.headers["location"] == f"/night/{link(pub.house.secret, 'KORBUMTAL', 'night')}"
        ann = person(pub, "Ann")
        code = await own_table(ann, found.headers["location"])
        assert pub.actor(code).state.setup.night.startswith("KORBUMTAL ")


GOOD: dict[str, object] = {"rules": {"game": "midnight"}, "seats": 2, "begun": 1_763_640_000_000}
CHANGES: list[dict[str, object]] = [
    {"seats": "x"}, {"seats": 0}, {"seats": 10**30}, {"seats": True}, {"begun": None}, {"begun": -1}, {"begun": 1e300},
    {"rules": []}, {"rules": {"game": 5}}, {"rules": {"game": {"a": "b"}}}, {"clock_s": "x"}, {"grace_s": -1},
    {"more": 1},
]  # fmt: skip
HOSTILE = [
    b"{", b"[]", b"null", b"\xff", b"[" * 90_000, b'{"rules":' * 90_000, b"",
    *(json.dumps(GOOD | change).encode() for change in CHANGES),
]  # fmt: skip
NOT_PLAYED: list[dict[str, object]] = [
    {"rules": {}},
    {"rules": {"game": "chess"}},
    {"rules": {"game": "midnight", "need": "9 9"}},
    {"seats": 99},
]


async def test_a_stored_night_that_no_house_wrote_is_no_night(pub: Pub) -> None:
    eve = person(pub, "Eve")
    for value in HOSTILE:
        with pytest.raises(BadNotation, match="night"):
            read_stored_night(value)
    for value in [*HOSTILE, *(json.dumps(GOOD | change).encode() for change in NOT_PLAYED)]:
        pub.house.store.submit_setting("night KORBUMTAL", value, lambda _: None)
        await pub.settle()
        for answer in (
            await eve.get("/night/KORBUMTAL"),
            await eve.get("/night/KORBUMTAL", "text/html"),
            await eve.get("/find?code=KORBUMTAL"),
            await eve.get(f"/night/{link(pub.house.secret, 'KORBUMTAL', 'night')}"),
            await sent(eve, "/night/KORBUMTAL", {"name": "Eve"}),
        ):
            assert answer.status == 404, (value[:60], answer.text)
    assert (await sent(eve, "/night", MIDNIGHT)).status in (303, 503), "all else works"
