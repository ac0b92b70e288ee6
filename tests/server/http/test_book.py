"""The players' book on the web: a phone's own page, carried by a seat's words, and hidden from all others."""

import asyncio
import json
import re
from typing import Any

import pytest

from pubdice.core.errors import NotStored
from pubdice.server.pages import book as book_page
from pubdice.server.pages.book import BookPage, filled_book
from pubdice.server.table.actor import TableActor
from pubdice.server.table.house import House
from pubdice.server.web.limits import Limits, Rate
from pubdice.store.players_book import BookSums
from pubdice.text.catalogues import language
from support.asgi_client import Client
from support.house import ANY, Pub, at_the_pub, play_out, seated, table_of
from support.html_tree import Node, read
from support.http_wire import Answer

KEY = re.compile(r'name="key" value="[^"]*"')
ASKS_AGAIN = '<meta http-equiv="refresh"'


async def book(client: Client) -> Node:
    """A player's page once everything is worked out."""
    for _ in range(60):
        answer = await client.get("/book", "text/html")
        assert answer.status == 200, answer.text
        if ASKS_AGAIN not in answer.text:
            return read(answer.text).one("main")
        await asyncio.sleep(0.1)
    raise AssertionError("it is never worked out")


async def begun(client: Client) -> None:
    """Begin a book for a player of a table."""
    answer = await client.send("/book", do="begin")
    assert (answer.status, answer.headers["location"]) == (303, "/book"), answer.text


async def carried(client: Client) -> dict[str, str]:
    """The key to a player's book on another phone: the code of a table and the words of the seat."""
    answer = await client.send("/book", do="carry")
    assert answer.status == 200, answer.text
    table, words = read(answer.text).all("p", **{"class": "words"})
    return {"table": table.words(), "words": words.words()}


async def played(pub: Pub, game: str = "ship", form: str = "rounds 1", **order: Any) -> tuple[Client, Client, str]:
    """A match of Ann and Bob that is over."""
    ann, bob, code = await seated(pub, game=game, rules={"format": form}, **order)
    await play_out(pub, code, [ann, bob])
    return ann, bob, code


async def export(client: Client) -> dict[str, Any]:
    """A player's entry in the book."""
    answer = await client.get("/book/export")
    assert answer.status == 200, answer.text
    return dict(answer.data)


def facts(page: Node) -> dict[str, str]:
    """The first game's numbers on a page."""
    return {each.one("dt").words(): each.one("dd").words() for each in page.one("dl").all("div")}


async def test_all_games_of_a_phone_count_also_those_before_its_book(pub: Pub) -> None:
    ann, bob, code = await played(pub)
    await begun(ann)
    assert facts(await book(ann))["Games"] == "1"
    pub.clock.ms += 1
    assert (await bob.ask(code, "rematch")).status == 200
    assert facts(await book(ann))["Games"] == "1", "once, though its table has changed"
    await played(pub, game="threes")
    page = await book(ann)
    assert [node.words() for node in page.all("h3")] == ["Ship, Captain and Crew", "Threes"]
    assert "Rating" in page.words()
    told = [(each["game"], each["seats"], each["state"]) for each in (await export(ann))["matches"]]
    assert [each for each in told if each[2] != "out"] == [("ship", 2, "worked"), ("threes", 2, "worked")]


async def test_a_phone_without_games_begins_no_book(pub: Pub) -> None:
    eve = pub.client("Eve")
    page = await book(eve)
    assert "Play on this phone first" in page.words()
    assert "Begin my book" not in page.words()
    refused = await eve.send("/book", do="begin")
    assert (refused.status, "Play on this phone first" in refused.text) == (409, True)
    assert pub.players.players() == []
    ann, _, _ = await seated(pub, game="ship", rules={"format": "rounds 1"})
    assert "Begin my book" in (await book(ann)).words()
    assert pub.players.players() == [], "reading begins nothing"
    await begun(ann)
    await begun(ann)
    assert pub.players.players() == [1]


async def test_a_match_that_cannot_be_read_now_counts_at_the_next_look(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _, code = await played(pub)
    await begun(ann)
    find, asked = pub.house.find, list[str]()

    async def hangs(table: str) -> TableActor | None:
        asked.append(table)
        raise NotStored("store-unreadable")

    monkeypatch.setattr(House, "find", lambda house, table: hangs(table))
    shown = (await ann.get("/book", "text/html")).text
    assert ASKS_AGAIN in shown
    assert "The house still has to work out 1 game." in read(shown).words()
    assert (asked, (await export(ann))["matches"]) == ([code], [])
    monkeypatch.setattr(House, "find", lambda house, table: find(table))
    assert facts(await book(ann))["Games"] == "1"


async def test_a_match_whose_log_is_damaged_is_looked_at_once(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _, _ = await played(pub)
    await begun(ann)
    asked = list[str]()

    async def damaged(table: str) -> TableActor | None:
        asked.append(table)
        raise NotStored("log-damaged")

    monkeypatch.setattr(House, "find", lambda house, table: damaged(table))
    for _ in range(2):
        assert "No games yet" in (await book(ann)).words()
    assert len(asked) == 1
    assert [each["state"] for each in (await export(ann))["matches"]] == ["out"]


async def test_a_seats_words_open_the_book_on_another_phone(pub: Pub) -> None:
    ann, bob, code = await played(pub)
    phone, german = pub.client("phone"), pub.client("third", "de")
    await begun(ann)
    await book(ann)
    way = await carried(ann)
    actor = pub.actor(code)
    assert way["words"] == pub.house.words(actor, actor.state.seats_of(ann.person)[0]), "they are those of her seat"
    written = {"table": f"http://pub.example/t/{code.lower()}", "words": way["words"].upper().replace(" ", ", ")}
    answer = await phone.send("/book", do="enter", **written)
    assert (answer.status, answer.headers["location"]) == (303, "/book")
    assert facts(await book(phone))["Games"] == "1"
    assert "It is open on 2 phones" in (await book(ann)).words()
    assert (await german.send("/book", do="enter", **(await carried(phone)))).status == 303
    assert "Das Spielerbuch" in (await book(german)).words()
    assert (await pub.client("fourth").send("/book", do="enter", **(await carried(german)))).status == 303
    assert (await german.send("/book", do="leave")).status == 303
    assert "Mein Buch öffnen" in (await book(german)).words()
    assert facts(await book(ann))["Games"] == "1", "the player stays in the book"
    assert "Open my book" in (await book(bob)).words()


async def test_a_phone_that_opened_a_book_adds_later_games_only(pub: Pub) -> None:
    ann, bob, _ = await played(pub)
    (cid, dee), earlier = await table_of(pub, "Cid", "Dee", game="ship", people=2, rules={"format": "rounds 1"})
    await play_out(pub, earlier, [cid, dee])
    await begun(ann)
    await book(ann)
    await cid.send("/book", do="enter", **(await carried(ann)))
    assert facts(await book(cid))["Games"] == "1"
    pub.clock.ms += 1
    later = await cid.order("ship", people=2, rules={"format": "rounds 1"})
    await bob.done(later, "sit", name="Bob")
    await play_out(pub, later, [cid, bob])
    assert facts(await book(ann))["Games"] == "2"


async def test_wrong_words_of_all_kinds_hear_the_same_sentence(pub: Pub) -> None:
    ann, bob, code = await played(pub)
    eve = pub.client("Eve")
    actor = pub.actor(code)
    await begun(ann)
    await book(ann)
    way = await carried(ann)
    bobs = pub.house.words(actor, actor.state.seats_of(bob.person)[0])
    tried = [
        {"table": code, "words": "house house house house"},
        {"table": code, "words": bobs},
        {"table": "BAFBAF", "words": way["words"]},
        {"table": "", "words": way["words"]},
        {"table": code, "words": ""},
        {"words": way["words"]},
    ]
    heard = set()
    for form in tried:
        answer = await eve.send("/book", do="enter", **form)
        assert answer.status == 403
        page = read(answer.text).one("main")
        heard.add(page.one("p", id="refusal").words())
        assert "Open my book" in page.words()
    assert heard == {"Those words open no book. Nothing changed."}
    assert (await eve.get("/book/export")).status == 403


async def test_a_seat_of_two_or_of_a_bot_opens_no_book(pub: Pub) -> None:
    ann, bob, _ = await played(pub)
    await begun(ann)
    shared = await ann.order("ship", people=3, rules={"format": "rounds 1"})
    await ann.done(shared, "share", name="Ann's friend")
    await bob.done(shared, "sit", name="Bob")
    await play_out(pub, shared, [ann, bob])
    await book(ann)
    actor, friend = pub.actor(shared), pub.client("Ann's friend")
    for seat in actor.state.seats_of(ann.person):
        answer = await friend.send("/book", do="enter", table=shared, words=pub.house.words(actor, seat))
        assert answer.status == 403


@at_the_pub(limits=Limits(wrong_words=Rate(1 / 60, 3), requests=ANY, questions=ANY))
async def test_guessing_is_limited_as_for_the_words_of_a_seat(pub: Pub) -> None:
    ann, _, code = await played(pub)
    await begun(ann)
    await book(ann)
    way, eve = await carried(ann), pub.client("Eve")
    said = [(await eve.send("/book", do="enter", table=code, words="a b c d")).status for _ in range(5)]
    assert said == [403, 403, 403, 429, 429]
    answer = await eve.send("/book", do="enter", **way)
    assert answer.status == 429, "right ones too: otherwise a refusal would tell them apart"
    assert int(answer.headers["retry-after"]) > 0
    assert (await eve.ask(code, "join", words="a b c d")).status == 429, "it is one limit"


async def test_bad_requests_get_one_sentence_and_change_nothing(pub: Pub) -> None:
    ann, _, _ = await seated(pub, game="ship", rules={"format": "rounds 1"})
    for do in ("carry", "leave", "erase"):
        assert (await ann.send("/book", do=do)).status == 403
    assert (await ann.get("/book/export")).status == 403
    assert (await ann.post("/book", {"do": "begin"})).status == 415
    await begun(ann)
    assert (await ann.send("/book", do="dance")).status == 422
    assert (await ann.send("/book", do="carry")).status == 409, "a book without games has no words"
    assert len((await export(ann))["browsers"]) == 1


async def test_nobody_sees_that_somebody_has_a_book(pub: Pub) -> None:
    ann, bob, code = await played(pub)
    cid = pub.client("Cid")
    targets = ("/book", "/privacy", "/openapi.json", f"/t/{code}", f"/t/{code}/record")

    async def seen() -> list[str]:
        pages = [(await who.get(target, "text/html")).text for who in (bob, cid) for target in targets]
        return [KEY.sub("", page) for page in pages]

    before = await seen()
    await begun(ann)
    await begun(bob)
    await book(ann)
    await bob.send("/book", do="erase", sure="yes")
    assert await seen() == before
    assert ann.person not in (await cid.get("/metrics")).text
    assert "Bob" not in (await book(ann)).words()
    assert "Bob" not in json.dumps(await export(ann))


async def test_the_last_phone_leaves_by_erasing(pub: Pub) -> None:
    ann, _, _ = await played(pub)
    await begun(ann)
    assert "Close it on this phone" not in (await book(ann)).words()
    assert "Erase your book?" in (await ann.send("/book", do="leave")).text
    assert facts(await book(ann))["Games"] == "1"


async def test_seats_that_were_not_one_persons_do_not_count(pub: Pub) -> None:
    ann, bob, code = await seated(pub, game="ship", rules={"format": "rounds 1"})
    await begun(ann)
    await begun(bob)
    await ann.done(code, "give")
    await ann.done(code, "resume")
    await play_out(pub, code, [ann, bob])
    assert "No games yet" in (await book(ann)).words(), "a bot had the seat"
    assert facts(await book(bob))["Games"] == "1"
    shared = await ann.order("ship", people=3, rules={"format": "rounds 1"})
    await ann.done(shared, "share", name="Ann's friend")
    await bob.done(shared, "sit", name="Bob")
    await play_out(pub, shared, [ann, bob])
    assert "No games yet" in (await book(ann)).words(), "two seats on one phone"
    assert facts(await book(bob))["Games"] == "2"
    assert [each["state"] for each in (await export(ann))["matches"]] == ["out", "out"]


async def test_matches_with_lessons_do_not_count(pub: Pub) -> None:
    ann, _, _ = await played(pub, lessons=50)
    await begun(ann)
    assert "No games yet" in (await book(ann)).words()


async def test_erasing_asks_once_and_leaves_nothing_in_the_file(pub: Pub) -> None:
    ann, bob, code = await played(pub)
    await begun(ann)
    await begun(bob)
    await book(ann)
    asked = await ann.send("/book", do="erase")
    assert asked.status == 200
    assert "Erase your book?" in asked.text
    file = pub.players.file
    assert file is not None
    assert ann.person.encode() in file.read_bytes()
    assert (await ann.send("/book", do="erase", sure="yes")).status == 303
    left = [path.read_bytes() for path in file.parent.iterdir() if path.name.startswith(file.name)]
    assert not any(ann.person.encode() in each for each in left)
    assert "Begin my book" in (await book(ann)).words()
    assert facts(await book(bob))["Games"] == "1", "Bob keeps his part"
    assert code.encode() in file.read_bytes()


async def test_what_the_book_says_is_what_the_receipt_says(pub: Pub) -> None:
    ann, _, code = await played(pub, game="threes")
    await begun(ann)
    await book(ann)
    (entry,) = (await export(ann))["matches"]
    answer: Answer = await ann.get(f"/t/{code}/receipt")
    while answer.status == 202:
        answer = await ann.get(f"/t/{code}/receipt")
    receipt = json.loads(answer.text)
    split = receipt["seats"]["Ann"]
    for part in ("expectation", "luck", "skill", "given", "result"):
        assert entry["worth"][part] == pytest.approx(split[part], abs=1e-12)
    lost = [each["lost"] for each in receipt["decisions"] if each["seat"] == "Ann" and each["counts"]]
    assert entry["worth"]["decisions"] == len(lost)
    assert entry["worth"]["lost"] == pytest.approx(sum(lost), abs=1e-12)
    assert entry["worth"]["skill"] == pytest.approx(-sum(lost), abs=1e-9)


async def test_a_match_too_large_to_solve_counts_by_its_result(pub: Pub) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    people = [ann, bob, *[pub.client(f"P{at}") for at in range(4)]]
    code = await ann.order("mexico", people=6, rules={"format": "lives 3"})
    for client in people[1:]:
        await client.done(code, "sit", name=client.name)
    await play_out(pub, code, people)
    await begun(ann)
    page = await book(ann)
    assert facts(page)["Games"] == "1"
    assert "Rating" not in facts(page)
    assert re.search(r"\b(won|shared), 6 players\b", page.words())
    (entry,) = (await export(ann))["matches"]
    assert (entry["state"], entry["worth"]) == ("bare", {})


def test_a_book_counts_games_decisions_and_shared_wins_in_words() -> None:
    for number, words in ((1, ("1 game", "1 real decision")), (3, ("3 games", "3 real decisions"))):
        older = (BookSums("midnight", "share", number, 0.5, {"matches": number, "decisions": number}),)
        told = filled_book(BookPage(), language("en"), {"midnight": "Midnight"}, ((), older), str)
        assert (told.games, told.decisions) == words
    assert [book_page._wins(language("en"), won) for won in (2.0, 0.5)] == ["2", "0.5"]
