"""Attacks on the players' book: filled by people who never played, and its hashing of earlier words taken up."""

import asyncio
import threading

import pytest

from pubdice.server import book
from pubdice.server.web.limits import Limits, Rate
from pubdice.store.sqlite.players import PlayersFile
from support.asgi_client import Client
from support.house import ANY, Pub, at_the_pub


def person(pub: Pub, name: str, address: str) -> Client:
    """A player at an address."""
    client = pub.client(name)
    client.address = address
    return client


def old(players: PlayersFile, words: bytes = b"what no words hash to") -> None:
    """As an earlier version left a player: with the hash of a name and four words."""
    with players._transaction() as work:
        work.execute("INSERT INTO players (joined, words) VALUES (?, ?)", (5, words))


async def tries(client: Client) -> int:
    """The status of a try with a name and the words of an earlier version."""
    form = {"do": "earlier", "name": client.name, "words": "finch wife ember comb"}
    return (await client.send("/book", **form)).status


async def test_a_house_without_earlier_books_hashes_nothing(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed = list[str]()
    monkeypatch.setattr(book, "earlier_hash", lambda salt, name, words: hashed.append(name))
    eve = pub.client("Eve")
    assert "name and four words of its own" not in (await eve.get("/book", "text/html")).text
    assert await tries(eve) == 403
    assert hashed == []
    old(pub.players)
    assert "name and four words of its own" in (await eve.get("/book", "text/html")).text
    assert await tries(eve) == 403
    assert hashed == ["Eve"]


@at_the_pub(limits=Limits(wrong_words=Rate(1 / 60, 3), requests=ANY, questions=ANY))
async def test_tries_at_once_are_counted_before_they_are_hashed(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    go, hashed, most = threading.Event(), list[str](), list[int]()
    running = threading.Semaphore(0)

    def slow(salt: bytes, name: str, words: str) -> bytes:
        running.release()
        most.append(running._value)
        go.wait(30)
        running.acquire()
        hashed.append(name)
        return b"another hash"

    monkeypatch.setattr(book, "earlier_hash", slow)
    old(pub.players)
    asked = [asyncio.create_task(tries(person(pub, f"Eve {at}", "192.0.2.66"))) for at in range(9)]
    asked += [asyncio.create_task(tries(person(pub, f"Mal {at}", f"192.0.2.{at}"))) for at in range(9)]
    while sum(task.done() for task in asked) < 6 or not most:
        await asyncio.sleep(0.01)
    await pub.settle()
    assert [task.result() for task in asked if task.done()] == [429] * 6, "an address has three tries, however quick"
    go.set()
    assert sorted(await asyncio.gather(*asked)) == [403] * 12 + [429] * 6
    assert len(hashed) == 12
    assert max(most) == 1, "one at a time, as each takes 16 MB"
