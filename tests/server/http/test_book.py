"""The players' book on the web: a name and four words, one's own page, and nothing that tells of it to others."""

import asyncio
import hashlib
import json
from typing import Any

import pytest

from pubdice.core.errors import NotStored
from pubdice.games import GAMES
from pubdice.server import book as players_book
from pubdice.server.book import told_words
from pubdice.server.table.actor import Hub
from pubdice.server.table.house import House, RomMix
from pubdice.server.web.limits import Limits, Rate
from support.asgi_client import Client
from support.house import ANY, Pub, at_the_pub, play_out, seated
from support.html_tree import Node, read
from support.http_wire import Answer

ASKS_AGAIN = "This page asks again"


async def book(client: Client) -> Node:
    """A player's page once everything is worked out."""
    for _ in range(60):
        answer = await client.get("/book", "text/html")
        assert answer.status == 200, answer.text
        if ASKS_AGAIN not in answer.text:
            return read(answer.text).one("main")
        await asyncio.sleep(0.1)
    raise AssertionError("it is never worked out")


async def joined(client: Client, name: str = "") -> str:
    """Write somebody into the book; the four words."""
    answer = await client.send("/book", do="join", name=name or client.name)
    assert answer.status == 200, answer.text
    return read(answer.text).one("p", **{"class": "words"}).words()


async def played(pub: Pub, game: str = "ship", form: str = "rounds 1", **order: Any) -> tuple[Client, Client, str]:
    """A match of Ann and Bob that is over."""
    ann, bob, code = await seated(pub, game=game, rules={"format": form}, **order)
    await play_out(pub, code, [ann, bob])
    return ann, bob, code


async def export(client: Client) -> dict[str, Any]:
    """What the book holds about somebody."""
    answer = await client.get("/book/export")
    assert answer.status == 200, answer.text
    return dict(answer.data)


def facts(page: Node) -> dict[str, str]:
    """The first game's numbers on a page."""
    return {each.one("dt").words(): each.one("dd").words() for each in page.one("dl").all("div")}


@at_the_pub()
async def test_a_match_counts_from_the_moment_a_name_is_written(pub: Pub) -> None:
    ann, bob, code = await played(pub)
    words = await joined(ann)
    assert len(words.split()) == 4
    assert "No games yet" in (await book(ann)).words(), "what was over before does not count"
    pub.clock.ms += 1
    assert (await bob.ask(code, "rematch")).status == 200
    assert "No games yet" in (await book(ann)).words(), "nor when its table changes afterwards"
    await played(pub, game="threes")
    page = await book(ann)
    assert page.one("h3").words() == "Threes"
    assert facts(page)["Games"] == "1"
    assert "Rating" in facts(page)
    told = [(each["game"], each["seats"], each["state"]) for each in (await export(ann))["matches"]]
    assert [each for each in told if each[2] != "out"] == [("threes", 2, "worked")]


@at_the_pub()
async def test_a_match_whose_table_cannot_be_read_just_now_counts_at_the_next_look(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = pub.client("Ann")
    await joined(ann)
    pub.clock.ms += 1
    _, _, code = await played(pub)
    find, asked = pub.house.find, list[str]()

    async def hangs(table: str) -> Hub | None:
        asked.append(table)
        raise NotStored("store-unreadable")

    monkeypatch.setattr(House, "find", lambda house, table: hangs(table))
    assert ASKS_AGAIN in (await ann.get("/book", "text/html")).text
    assert (asked, (await export(ann))["matches"]) == ([code], [])
    monkeypatch.setattr(House, "find", lambda house, table: find(table))
    assert facts(await book(ann))["Games"] == "1"


@at_the_pub()
async def test_a_match_whose_log_is_damaged_is_looked_at_once(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = pub.client("Ann")
    await joined(ann)
    pub.clock.ms += 1
    await played(pub)
    asked = list[str]()

    async def damaged(table: str) -> Hub | None:
        asked.append(table)
        raise NotStored("log-damaged")

    monkeypatch.setattr(House, "find", lambda house, table: damaged(table))
    for _ in range(2):
        assert "No games yet" in (await book(ann)).words()
    assert len(asked) == 1
    assert [each["state"] for each in (await export(ann))["matches"]] == ["out"]


@at_the_pub()
async def test_the_words_open_the_book_on_another_phone_in_either_language(pub: Pub) -> None:
    ann, phone, german = pub.client("Ann"), pub.client("phone"), pub.client("third", "de")
    words = await joined(ann)
    pub.clock.ms += 1
    answer = await phone.send("/book", do="enter", name=" ann ", words=words.upper().replace(" ", ", "))
    assert (answer.status, answer.headers["location"]) == (303, "/book")
    assert "Ann" in (await book(phone)).words()
    fresh = await german.send("/book", do="enter", name="Ann", words=words)
    assert fresh.status == 303
    assert "Das Spielerbuch" in (await book(german)).words()
    again = await german.send("/book", do="words")
    told = read(again.text).one("p", **{"class": "words"}).words()
    assert (await pub.client("fourth").send("/book", do="enter", name="Ann", words=words)).status == 403
    assert (await pub.client("fourth").send("/book", do="enter", name="Ann", words=told)).status == 303
    assert (await german.send("/book", do="leave")).status == 303
    assert "Ann" not in (await book(german)).words()
    assert "Ann" in (await book(ann)).words(), "the player stays in the book"


@at_the_pub()
async def test_wrong_words_and_wrong_names_hear_the_same_sentence(pub: Pub) -> None:
    ann, eve = pub.client("Ann"), pub.client("Eve")
    words = await joined(ann)
    wrong = told_words(7, "en")
    tried: list[tuple[str, str]] = [("Ann", wrong), ("Nobody Here", words), ("Ann", "no words"), ("", ""), ("Ann", "")]
    heard = set()
    for name, text in tried:
        answer = await eve.send("/book", do="enter", name=name, words=text)
        assert answer.status == 403
        page = read(answer.text).one("main")
        heard.add(page.one("p", id="refusal").words())
        assert "Open my book" in page.words()
    assert heard == {"Nobody in the book has that name and those four words. Nothing changed."}
    assert "Write me into the book" in (await book(eve)).words()


@at_the_pub()
async def test_every_try_costs_one_hash_whatever_is_wrong(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[int | None] = []
    plain = players_book.words_hash

    def counted(salt: bytes, name: str, number: int | None, mix: RomMix | None) -> bytes:
        hashed.append(number)
        return plain(salt, name, number, mix)

    monkeypatch.setattr(players_book, "words_hash", counted)
    words = await joined(pub.client("Ann"))
    del hashed[:]
    eve = pub.client("Eve")
    for name, text in [("Ann", told_words(7, "en")), ("Zoë", words), ("Ann", "x"), ("", ""), ("Ann", words)]:
        await eve.send("/book", do="enter", name=name, words=text)
    assert len(hashed) == 5


@at_the_pub(limits=Limits(wrong_words=Rate(1 / 60, 3), requests=ANY, questions=ANY))
async def test_guessing_is_limited_as_for_the_words_of_a_seat(pub: Pub) -> None:
    words = await joined(pub.client("Ann"))
    eve = pub.client("Eve")
    said = [(await eve.send("/book", do="enter", name="Ann", words="a b c d")).status for _ in range(5)]
    assert said == [403, 403, 403, 429, 429]
    answer = await eve.send("/book", do="enter", name="Ann", words=words)
    assert answer.status == 429, "right ones too: otherwise a refusal would tell them apart"
    assert int(answer.headers["retry-after"]) > 0


@at_the_pub(limits=Limits(questions=Rate(1 / 60, 2), requests=ANY))
async def test_asking_too_often_is_refused(pub: Pub) -> None:
    ann = pub.client("Ann")
    said = [(await ann.send("/book", do="join", name=name)).status for name in ("You", "You", "Ann")]
    assert said == [422, 422, 429]


@at_the_pub()
async def test_bad_requests_get_one_sentence_and_change_nothing(pub: Pub) -> None:
    ann = pub.client("Ann")
    for name in ("", "x" * 30, "Seat 2", "\n"):
        answer = await ann.send("/book", do="join", name=name)
        assert answer.status == 422
        assert 0 < len(read(answer.text).one("p", id="refusal").words()) < 80
    for do in ("words", "erase"):
        assert (await ann.send("/book", do=do)).status == 403
    assert (await ann.get("/book/export")).status == 403
    assert (await ann.post("/book", {"do": "join"})).status == 415
    await joined(ann)
    assert (await ann.send("/book", do="dance")).status == 422
    again = await ann.send("/book", do="join", name="Zoë")
    assert (again.status, again.headers["location"]) == (303, "/book")
    assert (await export(ann))["name"] == "Ann"


@at_the_pub()
async def test_two_players_of_the_book_see_each_other_and_nobody_else_sees_anything(pub: Pub) -> None:
    ann, bob, cid = (pub.client(name) for name in ("Ann", "Bob", "Cid"))
    await joined(ann, "Queen of Diamonds")
    pub.clock.ms += 1
    _, _, code = await played(pub)
    page = await book(ann)
    assert "met" not in [node.attrs.get("id") for node in page.all("h2")], "Bob is not in the book"
    assert "Bob" not in page.words()
    await joined(bob, "Knave of Hearts")
    pub.clock.ms += 1
    await played(pub)
    mine, theirs = (await book(ann)).words(), (await book(bob)).words()
    assert "Knave of Hearts" in mine
    assert "Queen of Diamonds" in theirs
    assert [(each["name"], each["games"]) for each in (await export(ann))["met"]] == [("Knave of Hearts", 1)]
    seen = [await cid.get(target, "text/html") for target in ("/", "/book", "/metrics", "/privacy", "/openapi.json")]
    seen += [await who.page(code) for who in (bob, cid)]
    link = pub.house.link(pub.hub(code).code)
    seen += [await cid.get(f"{link}/{part}") for part in ("state", "record")]
    for answer in seen:
        assert "Diamonds" not in answer.text
        assert "Hearts" not in answer.text
    log = "\n".join(pub.store.read(pub.hub(code).number))
    assert "Diamonds" not in log


@at_the_pub()
async def test_seats_that_were_not_one_persons_do_not_count(pub: Pub) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    await joined(ann)
    await joined(bob)
    pub.clock.ms += 1
    ann, bob, code = await seated(pub, game="ship", rules={"format": "rounds 1"})
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


@at_the_pub()
async def test_matches_with_lessons_do_not_count(pub: Pub) -> None:
    ann = pub.client("Ann")
    await joined(ann)
    pub.clock.ms += 1
    await played(pub, lessons=50)
    assert "No games yet" in (await book(ann)).words()


@at_the_pub()
async def test_erasing_asks_once_and_leaves_nothing_in_the_file(pub: Pub) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    await joined(ann, "Queen of Diamonds")
    await joined(bob)
    pub.clock.ms += 1
    _, _, code = await played(pub)
    await book(ann)
    hidden = (await export(ann))["words"]
    asked = await ann.send("/book", do="erase")
    assert asked.status == 200
    assert "Erase everything about Queen of Diamonds?" in asked.text
    file = pub.players.file
    assert file is not None
    before = file.read_bytes()
    secrets = (b"Queen of Diamonds", bytes.fromhex(hidden), ann.person.encode())
    assert all(secret in before for secret in secrets)
    assert (await ann.send("/book", do="erase", sure="yes")).status == 303
    left = [path.read_bytes() for path in file.parent.iterdir() if path.name.startswith(file.name)]
    assert not any(secret in each for secret in secrets for each in left)
    assert "Write me into the book" in (await book(ann)).words()
    assert "Queen of Diamonds" not in (await book(bob)).words()
    assert facts(await book(bob))["Games"] == "1", "Bob keeps his part"
    assert code.encode() in file.read_bytes()


@at_the_pub()
async def test_the_book_outlives_the_house_and_a_kill(pub: Pub) -> None:
    ann = pub.client("Ann")
    await joined(ann)
    pub.clock.ms += 1
    await played(pub)
    await pub.restart(kill=True)
    first = facts(await book(ann))
    assert first["Games"] == "1"
    await pub.restart()
    assert facts(await book(ann)) == first


@at_the_pub()
async def test_what_the_book_says_is_what_the_receipt_says(pub: Pub) -> None:
    ann = pub.client("Ann")
    await joined(ann)
    pub.clock.ms += 1
    _, _, code = await played(pub, game="threes")
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


@pytest.mark.parametrize(
    "game", [pytest.param(name, marks=[pytest.mark.nightly] if at else []) for at, name in enumerate(GAMES)]
)
@at_the_pub()
async def test_every_game_of_the_house_is_entered(pub: Pub, game: str) -> None:
    ann = pub.client("Ann", "de")
    await joined(ann)
    pub.clock.ms += 1
    form = next(iter(GAMES[game].formats)).name
    ann, bob, code = await seated(pub, game=game, rules={"format": {"rounds": "rounds 1"}.get(form, form)})
    await play_out(pub, code, [ann, bob])
    page = await book(ann)
    assert facts(page)["Games"] == "1"
    (entry,) = (await export(ann))["matches"]
    assert entry["state"] == "worked"


@at_the_pub()
async def test_a_match_too_large_to_solve_counts_by_its_result(pub: Pub) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    await joined(ann)
    pub.clock.ms += 1
    people = [ann, bob, *[pub.client(f"P{at}") for at in range(4)]]
    code = await ann.order("mexico", people=6, rules={"format": "lives 3"})
    for client in people[1:]:
        await client.done(code, "sit", name=client.name)
    await play_out(pub, code, people)
    page = await book(ann)
    assert facts(page)["Games"] == "1"
    assert "Rating" not in facts(page)
    (entry,) = (await export(ann))["matches"]
    assert (entry["state"], entry["worth"]) == ("bare", {})


@at_the_pub()
async def test_a_house_without_openssl_writes_people_in_and_finds_them_again(pub: Pub) -> None:
    """A browser's Python has no ``hashlib.scrypt``; what mixes instead is asked once for each name and words."""
    asked: list[int] = []

    def mix(block: bytes) -> bytes:
        asked.append(len(block))
        return hashlib.shake_256(block).digest(len(block))

    pub.rom_mix = mix
    await pub.restart()
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(hashlib, "scrypt")
        ann, again = pub.client("Ann"), pub.client("Bob")
        words = await joined(ann)
        assert (await again.send("/book", do="enter", name="Ann", words="house " * 4)).status == 403
        assert (await again.send("/book", do="enter", name="Ann", words=words)).status == 303
    assert asked == [1024] * 3
    assert (await export(again))["name"] == "Ann"
