"""Attacks on the players' book: filled with names, its door held shut, its hashing taken up."""

import asyncio
import threading

import pytest

from pubdice.server import book
from pubdice.server.book import MOST_HASHES_HERE
from pubdice.server.table.house import RomMix
from pubdice.server.web.limits import Limits, Rate
from pubdice.store import players_book
from pubdice.store.players_book import KEPT_FULL_MS, KEPT_MS
from server.http.test_book import export, joined, played
from support.asgi_client import Client
from support.house import ANY, Pub, at_the_pub


def person(pub: Pub, name: str, address: str) -> Client:
    """Somebody at an address."""
    client = pub.client(name)
    client.address = address
    return client


async def joins(client: Client) -> int:
    """The status that somebody hears who writes their name into the book."""
    return (await client.send("/book", do="join", name=client.name)).status


@at_the_pub()
async def test_a_book_full_of_names_that_never_play_has_room_after_a_day(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players_book, "MOST_PLAYERS", 5)
    for name in "abcde":
        assert await joins(person(pub, f"Eve {name}", "192.0.2.66")) == 200
    ann = person(pub, "Ann", "192.0.2.1")
    assert await joins(ann) == 503
    pub.clock.ms += KEPT_FULL_MS + 1
    assert await joins(ann) == 200
    assert (await export(ann))["name"] == "Ann"


@at_the_pub()
async def test_a_full_book_drops_names_of_the_address_that_wrote_the_most(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players_book, "MOST_PLAYERS", 5)
    monkeypatch.setattr(book, "MOST_DROPPED", 4)
    ann = person(pub, "Ann", "192.0.2.1")
    assert await joins(ann) == 200
    pub.clock.ms += 1
    for name in "abcd":
        assert await joins(person(pub, f"Eve {name}", "192.0.2.66")) == 200
    pub.clock.ms += KEPT_FULL_MS + 1
    assert await joins(person(pub, "Bob", "192.0.2.2")) == 200
    assert (await export(ann))["name"] == "Ann", "though hers was the first"


@at_the_pub()
async def test_one_address_has_few_names_without_a_match(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players_book, "MOST_UNPLAYED", 3)
    for name in "abc":
        assert await joins(person(pub, f"Eve {name}", "192.0.2.66")) == 200
    late = person(pub, "Eve d", "192.0.2.66")
    refused = await late.send("/book", do="join", name="Eve")
    assert (refused.status, "3 names from your network have no game here yet" in refused.text) == (409, True)
    assert await joins(person(pub, "Ann", "192.0.2.1")) == 200
    pub.clock.ms += KEPT_FULL_MS + 1
    assert await joins(late) == 200, "nobody at that address is shut out for longer than a day"


@at_the_pub()
async def test_a_name_without_a_match_goes_after_five_weeks_and_one_with_a_match_stays(pub: Pub) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    await joined(ann)
    words = await joined(pub.client("Eve"))
    pub.clock.ms += 1
    await played(pub)
    pub.clock.ms += KEPT_MS - 1
    await joined(bob)
    assert (await export(pub.client("Eve")))["name"] == "Eve", "five weeks are not over"
    pub.clock.ms += 2
    await joined(pub.client("Cid"))
    assert (await pub.client("Eve").get("/book/export")).status == 403
    assert (await pub.client("phone").send("/book", do="enter", name="Eve", words=words)).status == 403
    mine = await export(ann)
    assert (mine["name"], len(mine["matches"])) == ("Ann", 1), "she played, and never opened the book since"


@at_the_pub()
async def test_one_address_has_two_hashes_waiting_and_others_come_through_in_one_thread(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, threads = threading.Event(), list[int]()

    def slow(salt: bytes, name: str, number: int | None, mix: RomMix | None) -> bytes:
        threads.append(threading.get_ident())
        go.wait(30)
        return f"{name}, {number}".encode().ljust(32)

    monkeypatch.setattr(book, "words_hash", slow)

    def tries(address: str, count: int) -> list[asyncio.Task[int]]:
        who = [person(pub, f"{address} {at}", address) for at in range(count)]
        return [asyncio.create_task(_entered(each)) for each in who]

    flood = [task for at in range(30) for task in tries(f"192.0.2.{60 + at}", MOST_HASHES_HERE + 3)]
    await pub.settle()
    honest = tries("192.0.2.1", 1)
    await pub.settle()
    assert [task.result() for task in flood if task.done()] == [503] * 90
    go.set()
    assert await asyncio.gather(*honest) == [403], "looked up, though no such words are there"
    await asyncio.gather(*flood)
    assert len(threads) == 61
    assert len(set(threads)) == 1, "one thread keeps the memory of one hash"


@at_the_pub()
async def test_a_hash_waits_for_no_second_one_of_addresses_that_came_before(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, hashed = threading.Event(), list[str]()

    def slow(salt: bytes, name: str, number: int | None, mix: RomMix | None) -> bytes:
        go.wait(30)
        hashed.append(name)
        return name.encode().ljust(32)

    monkeypatch.setattr(book, "words_hash", slow)
    attackers = [person(pub, f"Eve {at} {letter}", f"192.0.2.{60 + at}") for at in range(20) for letter in "ab"]
    asked = [asyncio.create_task(_entered(each, each.name)) for each in attackers]
    await pub.settle()
    asked.append(asyncio.create_task(_entered(person(pub, "Ann", "192.0.2.1"), "Ann")))
    await pub.settle()
    go.set()
    assert await asyncio.gather(*asked) == [403] * 41
    assert hashed.index("Ann") <= 20, "one of each address at most, of 40 that wait"


async def _entered(client: Client, name: str = "Ann") -> int:
    return (await client.send("/book", do="enter", name=name, words="no such words")).status


@at_the_pub(limits=Limits(ANY, ANY, wrong_words=Rate(1 / 60, 3), house_wrong_words=Rate(1 / 60, 4), questions=ANY))
async def test_a_few_addresses_that_guess_words_shut_the_book_for_nobody_else(pub: Pub) -> None:
    words = await joined(person(pub, "Ann", "192.0.2.1"))
    for address in ("192.0.2.66", "192.0.2.67", "192.0.2.68"):
        heard = [await _entered(person(pub, address, address)) for _ in range(4)]
        assert heard == [403, 403, 403, 429]
    phone = person(pub, "phone", "192.0.2.1")
    table = pub.house.link(await person(pub, "Bob", "192.0.2.2").order(people=2)).removeprefix("/t/")
    guesses = [await person(pub, str(at), f"192.0.2.{80 + at}").ask(table, "join", words="a b c d") for at in range(6)]
    assert [guess.status for guess in guesses] == [403] * 4 + [429] * 2, "none of those in the book counted here"
    assert (await phone.send("/book", do="enter", name="Ann", words=words)).status == 303, "nor these there"


@at_the_pub(limits=Limits(ANY, ANY, openings=Rate(1 / 60, 3), questions=ANY))
async def test_one_address_writes_few_names_at_once(pub: Pub) -> None:
    heard = [await joins(person(pub, f"Eve {letter}", "192.0.2.66")) for letter in "abcde"]
    assert heard == [200, 200, 200, 429, 429]
    assert await joins(person(pub, "Ann", "192.0.2.1")) == 200
