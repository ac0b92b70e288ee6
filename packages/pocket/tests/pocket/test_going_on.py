"""Tests of the logs that guests keep, and of a guest that goes on as host. They use two engines, without a browser."""

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pocket.pockets import Answered, answered, opened
from pubdice.core.errors import NotStored
from pubdice.library.match_in_play import read_record
from pubdice.server.table.actor import TableActor
from pubdice.server.web.browser import person_of
from pubdice_pocket.browser import going_on
from pubdice_pocket.browser.engine import PocketRequest
from pubdice_pocket.browser.going_on import MOST_TABLES, digest_of_line, read_kept
from pubdice_pocket.browser.pocket import Pocket

ANN, BOB, CID = "a" * 18, "b" * 18, "c" * 18  # the names of three phones; Ann's phone is the house
ORDER = {"game": "midnight", "name": "Ann", "people": 3, "rules": {"format": "rounds 1"}}
JSON = [("content-type", "application/json"), ("accept", "application/json")]


@dataclass
class Guest:
    """A guest's phone. It keeps the cookies of a house, and the log of one table."""

    of: Pocket
    phone: str
    cookies: dict[str, str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    people: dict[str, str] = field(default_factory=dict)
    you: str = ""
    no: str = ""
    asked: int = 0
    order: list[str] = field(default_factory=list)
    heard: list[dict[str, Any]] = field(default_factory=list)

    def request(self, method: str, target: str, headers: list[tuple[str, str]], body: bytes = b"") -> PocketRequest:
        if not self.phone:  # true for the phone that is the house
            headers = [*headers, *([("content-length", str(len(body)))] if body else [])]
            return PocketRequest(method, target, headers, body, near=True)
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = [*headers, *([("cookie", cookie)] if cookie else [])]
        return PocketRequest(method, target, headers, body, guest=f"10.0.0.{ord(self.phone[0])}", phone=self.phone)

    async def ask(self, method: str, target: str, data: object = None) -> Answered:
        def heard(status: int, sent: list[tuple[str, str]]) -> None:
            if method == "POST" and status == 200:
                self.order.append(f"{self.phone or ANN} answered")
            for name, value in sent:
                if name == "set-cookie":
                    cookie, _, text = value.partition(";")[0].partition("=")
                    self.cookies[cookie] = text

        headers = [("accept", "text/html")] if data is None else JSON
        body = b"" if data is None else json.dumps(data).encode()
        return await answered(self.of, self.request(method, target, headers, body), heard)

    async def do(self, table: str, deed: str, **more: object) -> Answered:
        """Send a command to a table, under a new idempotency key."""
        self.asked += 1
        key = f"{self.phone or 'own'}-{self.asked:08d}"
        return await self.ask("POST", table, {"key": key, "do": deed, **more})

    @property
    def person(self) -> str:
        """The person that the cookie of this phone stands for."""
        return str(person_of(self.cookies["pubdice"]))

    async def keeps(self, table: str, query: str = "") -> "asyncio.Task[None]":
        """Keep a table's log from now on. Wait until all lines so far are here."""
        task = self.keep(table, query)
        await a_while()
        return task

    async def has_kept(self, table: str, query: str = "") -> None:
        """Keep a table's log as it is now, without later entries."""
        (await self.keeps(table, query)).cancel()
        await a_while()

    def keep(self, table: str, query: str = "") -> "asyncio.Task[None]":
        def part(piece: bytes, more: bool) -> None:
            for line in piece.decode().splitlines():
                self.hear(json.loads(line))

        asked = self.request("GET", f"{table}/kept{query}", [])
        return asyncio.ensure_future(self.of.answer(asked, lambda status, sent: None, part))

    def hear(self, message: dict[str, Any]) -> None:
        self.heard.append(message)
        if "from" in message:
            self.order.append(f"{self.phone} kept")
            del self.kept[message["from"] :]
            assert message["from"] == len(self.kept), "no gap"
            self.kept += message["lines"]
        self.people |= message.get("people", {})
        self.you = message.get("you", self.you)
        self.no = message.get("no", self.no)

    @property
    def table(self) -> str:
        """The JSON of the tables with which this phone would go on."""
        people = {person: phone or ANN for person, phone in self.people.items()}
        return json.dumps([{"lines": self.kept, "you": self.you, "people": people}])


async def a_while() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def only_actor(of: Pocket) -> TableActor:
    (actor,) = of.engine.house.actors.values()
    return actor


def log_of(of: Pocket) -> list[str]:
    return of.engine.store.read(of.engine.store.tables()[-1])


async def seated(of: Pocket, order: object = ORDER) -> tuple[str, Guest, Guest, Guest]:
    """Open a table at Ann's house, and seat Bob and Cid. Return the table's path and the three phones."""
    ann, bob, cid = Guest(of, ""), Guest(of, BOB), Guest(of, CID)
    await ann.ask("GET", "/")
    table = (await ann.ask("POST", "/tables", order)).data["go"]
    for guest, name in ((bob, "Bob"), (cid, "Cid")):
        await guest.ask("GET", table)
        assert (await guest.do(table, "sit", name=name)).status == 200
    return table, ann, bob, cid


async def turn(table: str, *phones: Guest) -> str:
    """Make a move on the phone whose turn it is: keep one more die and roll, or bank. Return the name of the phone, or
    "" if the match is over.
    """
    for phone in phones:
        state = (await phone.ask("GET", f"{table}/state")).data
        if state["view"]["mover"] not in state["seats"]:
            continue
        for deed, more in (("roll", {}), *(("roll", {"marks": [place]}) for place in range(6)), ("bank", {})):
            answer = await phone.do(table, deed, **more)
            assert answer.status != 429, answer.text
            if answer.status == 200:
                return phone.phone or ANN
    return ""


async def played(table: str, *phones: Guest, most: int = 300) -> str:
    """Play a match to its end. Return its record."""
    for _ in range(most):
        if not await turn(table, *phones):
            break
    return (await phones[0].ask("GET", f"{table}/record")).text


async def test_a_guest_has_each_entry_before_its_sender_has_the_answer(of: Pocket) -> None:
    table, ann, bob, cid = await seated(of)
    for phone in (bob, cid):
        await phone.keeps(table)
    assert bob.kept == log_of(of)
    order: list[str] = []
    ann.order = bob.order = cid.order = order
    for _ in range(6):
        order.clear()
        mover = await turn(table, ann, bob, cid)
        answered = order.index(f"{mover} answered")
        assert {f"{BOB} kept", f"{CID} kept"} <= set(order[:answered]), order
        assert bob.kept == cid.kept == log_of(of)
    assert sum(len(message["lines"]) for message in bob.heard) == len(bob.kept), "only what is new"


async def test_a_sent_log_holds_no_token_words_key_or_answer(of: Pocket, tmp_path: Path) -> None:
    table, _, bob, cid = await seated(of)
    await bob.keeps(table)
    await turn(table, cid, bob)
    sent, own = json.dumps(bob.heard), json.loads((tmp_path / "cookies.json").read_bytes())
    house, actor = of.engine.house, only_actor(of)
    secrets = [cid.cookies["pubdice"], *own.values(), *[house.words(actor, seat) for seat in range(3)]]
    secrets += [house.secret.hex(), (tmp_path / "house.db.seals").read_text().strip(), '"key"', "answer"]
    assert [secret for secret in secrets if len(secret) > 5 and secret in sent] == []
    assert cid.person in sent, "a hash, as in the log"
    assert bob.people == {person_of(own["pubdice"]): "", bob.person: BOB, cid.person: CID}


@pytest.mark.parametrize("dice", ["sealed", "house"])
async def test_a_log_that_holds_seeds_stays_with_the_host(of: Pocket, dice: str) -> None:
    table, ann, bob, _ = await seated(of, {**ORDER, "people": 4, "dice": dice})
    task = await bob.keeps(table)
    assert bob.no == ("sealed" if dice == "sealed" else "")
    assert bool(bob.kept) == (dice == "house")
    if dice == "house":  # the host changes the rules, after which new entries are not sent
        assert (await ann.do(table, "rules", dice="sealed")).status == 200
        await a_while()
        assert bob.no == "sealed"
        count = len(bob.kept)
        assert (await ann.do(table, "seed", seed="heads1")).status == 200
        await a_while()
        assert len(bob.kept) == count
        assert "heads1" not in json.dumps(bob.heard)
        assert task.done()


async def test_only_a_tables_own_link_gives_its_log(of: Pocket) -> None:
    table, _, bob, _ = await seated(of)
    code = table.rpartition("/")[2].partition("-")[0]
    for path in (f"/t/{code}", f"/t/{code}-aaaaaaaaaaaa", table.lower(), "/t/KORBUM", "/t/x"):
        assert (await bob.ask("GET", f"{path}/kept")).status == 404, path
    assert (await bob.ask("POST", f"{table}/kept", {})).status == 404
    alone = PocketRequest("GET", f"{table}/kept", [("accept", "text/html")], b"")
    found: list[int] = []
    await of.answer(alone, lambda status, sent: found.append(status), lambda piece, more: None)
    assert found == [404], "a house without guests has no such page"


async def test_a_phone_gets_the_lines_that_its_log_lacks(of: Pocket) -> None:
    table, ann, bob, cid = await seated(of)
    await bob.has_kept(table)
    known = len(bob.kept)
    await turn(table, ann, bob, cid)
    await bob.keeps(table, f"?from={known}&last={digest_of_line(bob.kept[-1])}")
    assert bob.heard[-1]["from"] == known
    assert bob.kept == log_of(of)
    for wrong in (f"?from={known}&last=0123456789abcdef", "?from=999999&last=", "?from=x", "?last=&from=-1"):
        other = Guest(of, CID, dict(cid.cookies))
        await other.has_kept(table, wrong)
        assert other.heard[0]["from"] == 0
        assert other.kept == bob.kept


async def test_a_phone_that_asks_twice_is_told_once_and_others_go_on(of: Pocket) -> None:
    table, ann, bob, cid = await seated(of)
    first, others = bob.keep(table), await cid.keeps(table)
    again = Guest(of, BOB, dict(bob.cookies))
    await again.keeps(table)
    assert first.done()
    heard = len(bob.heard)
    others.cancel()
    await turn(table, ann, bob, cid)
    assert len(bob.heard) == heard
    assert again.kept == log_of(of)


async def test_a_page_that_fails_keeps_no_move_from_being_answered(of: Pocket) -> None:
    table, ann, bob, cid = await seated(of)
    task = await bob.keeps(table)
    bob.hear = None  # type: ignore[method-assign, assignment]
    assert await turn(table, ann, bob, cid)
    await a_while()
    assert task.done()


async def test_a_phone_that_comes_after_the_others_is_told_of(tmp_path: Path) -> None:
    """After a restart, the house learns a person's phone from that phone's next request."""
    async with opened(tmp_path) as of:
        table, _, *guests = await seated(of)
    async with opened(tmp_path) as of:
        bob, cid = (Guest(of, guest.phone, guest.cookies) for guest in guests)
        await bob.keeps(table)
        assert CID not in bob.people.values()
        await cid.ask("GET", table)
        assert bob.people[cid.person] == CID


async def told_of(of: Pocket, table: str) -> set[str]:
    """Return the phones that a guest learns of if it comes now."""
    last = Guest(of, "f" * 18)
    await last.has_kept(table)
    return set(last.people.values())


async def made_up(of: Pocket, number: int, phone: str = "") -> None:
    """Send a request from an unknown phone, with a token that it has made up."""
    token = f"{number:021d}A"
    assert person_of(token)
    await Guest(of, phone or f"{number:018x}", {"pubdice": token}).ask("GET", "/ready")


async def test_the_phone_that_was_silent_longest_is_forgotten_first(of: Pocket) -> None:
    table, _, bob, _ = await seated(of)
    for number in range(100):
        await made_up(of, number)
        await bob.ask("GET", "/ready")
    assert await told_of(of, table) & {BOB, CID} == {BOB}


async def test_made_up_persons_push_out_none_of_another_phone(of: Pocket) -> None:
    table, _, bob, _ = await seated(of)
    for number in range(100):
        await made_up(of, number, "d" * 18)
    assert await told_of(of, table) >= {BOB, CID}
    await bob.keeps(table)
    for number in range(100, 200):  # like a browser that makes a new certificate each time
        await made_up(of, number)
    assert await told_of(of, table) & {BOB, CID} == {BOB}, "Bob has a line, and keeps the table"


async def test_a_long_log_comes_in_parts_and_a_too_long_one_never(of: Pocket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(going_on, "LINES_AT_ONCE", 3)
    table, ann, bob, cid = await seated(of)
    task = await bob.keeps(table)
    assert len(bob.heard) > 1
    assert [bool(message["whole"]) for message in bob.heard].count(True) == 1
    assert bob.kept == log_of(of)
    monkeypatch.setattr(going_on, "MOST_LINES", len(bob.kept))
    await turn(table, ann, bob, cid)
    assert bob.no == "large"
    again = await cid.keeps(table)
    assert (cid.no, cid.kept) == ("large", [])
    await asyncio.gather(task, again)


async def test_one_goes_on_as_host_and_the_match_is_played_to_its_end(of: Pocket, other: Pocket) -> None:
    table, ann, bob, cid = await seated(of)
    tasks = [await phone.keeps(table) for phone in (bob, cid)]
    for _ in range(4):
        await turn(table, ann, bob, cid)
    for task in tasks:
        task.cancel()
    assert "Watch" not in (await ann.ask("GET", "/")).text, "nor once a match went on elsewhere: it is Ann's"
    # Ann's phone dies, and Bob taps to go on
    (path,) = await other.go_on(bob.table)
    assert path.rpartition("/")[2].partition("-")[0] != table.rpartition("/")[2].partition("-")[0]
    assert await other.go_on(bob.table) == [path], "twice is once"
    log = log_of(other)
    assert log[: len(bob.kept)] == bob.kept
    assert [line.split()[1] for line in log[len(bob.kept) :]] == ["wenton"]
    bobs, cids, anns = Guest(other, ""), Guest(other, CID), Guest(other, ANN)
    page = (await cids.ask("GET", path)).text
    assert "The phone of Bob is the house now." in page
    assert 'data-seat="2"' in page or "Cid" in page
    await anns.ask("GET", path)
    state = only_actor(other).state
    assert [chair.people for chair in state.chairs] == [(anns.person,), (state.host,), (cids.person,)]
    assert read_record(await played(path, bobs, cids, anns)).over
    assert [line.split()[1] for line in log_of(other) if "recognised" in line] == ["recognised"] * 2
    # the log in the old house has not changed
    assert "wenton" not in json.dumps(log_of(of))


async def test_a_seat_is_its_phones_alone_and_a_stranger_only_watches(of: Pocket, other: Pocket) -> None:
    table, _, bob, cid = await seated(of)
    await bob.has_kept(table)
    (path,) = await other.go_on(bob.table)
    stranger, mallory = Guest(other, "d" * 18), Guest(other, "e" * 18, dict(cid.cookies))
    for phone in (stranger, mallory):
        await phone.ask("GET", path)
    actor = only_actor(other)
    assert actor.state.seat_of(cid.person) == 2, "until Cid's own phone comes"
    assert actor.state.seat_of(stranger.person) is None
    assert (await stranger.do(path, "roll")).status != 200
    # If a phone has a new certificate, it can use the words of its seat, which the page of the new host shows.
    words = other.engine.house.words(actor, 0)
    assert words in (await Guest(other, "").ask("GET", path)).text
    assert words not in (await stranger.ask("GET", path)).text
    assert (await stranger.do(path, "join", seat=0, words=words)).status == 200
    cids = Guest(other, CID)
    await cids.ask("GET", path)
    assert actor.state.seat_of(cids.person) == 2
    assert actor.state.seat_of(cid.person) is None


@pytest.mark.parametrize("moved", [False, True])
async def test_a_match_that_went_elsewhere_and_back_goes_on_once(
    of: Pocket, other: Pocket, tmp_path: Path, moved: bool
) -> None:
    """Ann's phone dies and Bob's goes on. Bob's dies and Ann's goes on, so its house has both courses of the match.

    If ``moved``, Ann's phone made a move that Bob's phone never heard of. Then both courses go on.
    """
    table, *phones = await seated(of)
    _, bob, cid = phones
    await bob.has_kept(table)
    if moved:
        await turn(table, *phones)
    await cid.has_kept(table)
    (bobs,) = await other.go_on(bob.table)
    ann = Guest(other, ANN)
    await ann.ask("GET", bobs)
    await of.go_on(_table(log_of(other), ann.person))
    before, back = cid.kept, log_of(of)
    assert [sum(" wenton " in line for line in log) for log in (before, back)] == [0, 2]
    # the first log is one that no house wrote
    kept = [{"lines": log, "you": cid.you} for log in ([*back, "x"], before, back)]
    async with opened(tmp_path / "third") as third:
        codes, logs = await third.go_on(json.dumps(kept)), third.engine.store
        assert len(codes) == 1 + moved
        found = [logs.read(number)[:-1] for number in logs.tables()]
        assert sorted(found, key=len) == sorted([back, *[before] * moved], key=len)


async def test_a_phone_has_its_seat_in_the_house_after_the_next(of: Pocket, other: Pocket, tmp_path: Path) -> None:
    """Ann's phone dies, and Bob's goes on. Cid comes to it. Then Bob's phone dies, and Cid's goes on. Ann's phone comes
    back and has its seat.
    """
    table, _, bob, _ = await seated(of)
    await bob.has_kept(table)
    (path,) = await other.go_on(bob.table)
    cid = Guest(other, CID)
    await cid.ask("GET", path)
    await cid.has_kept(path)
    assert sorted(cid.people.values()) == ["", ANN, CID]
    kept = _table(cid.kept, cid.you, people={who: phone or BOB for who, phone in cid.people.items()})
    async with opened(tmp_path / "third") as third:
        (path,) = await third.go_on(kept)
        ann = Guest(third, ANN)
        await ann.ask("GET", path)
        assert only_actor(third).state.seat_of(ann.person) == 0


async def test_a_seat_survives_a_lost_answer_with_its_token(of: Pocket, tmp_path: Path) -> None:
    table, _, bob, _ = await seated(of)
    await bob.has_kept(table)

    async def come(to: Pocket) -> Guest:
        """Bring Cid's phone to a house, without a token. Assert that the new token has Cid's seat."""
        (path,) = await to.go_on(bob.table)
        cid = Guest(to, CID)
        await cid.ask("GET", path)
        actor = only_actor(to)
        assert actor.state.seat_of(cid.person) == 2
        seq = actor.state.seq
        await cid.ask("GET", path)
        assert actor.state.seq == seq, "one who has the token is recognised once"
        return cid

    async with opened(tmp_path / "other") as other:
        # The connection breaks before the first answer. So two requests go out at once, and the older answer comes
        # last.
        lost = await come(other)
        again = await come(other)
        assert again.cookies != lost.cookies
        (path,) = await other.go_on(bob.table)
        both = Guest(other, CID), Guest(other, CID)
        await asyncio.gather(*[phone.ask("GET", path) for phone in both])
        await both[0].ask("GET", path)
        assert only_actor(other).state.seat_of(both[0].person) == 2
    async with opened(tmp_path / "other") as other:
        await come(other)
        stranger = Guest(other, "d" * 18)
        (path,) = await other.go_on(bob.table)
        await stranger.ask("GET", path)
        assert "pubdice" not in stranger.cookies or not only_actor(other).state.seats_of(stranger.person)


def _table(lines: list[Any], you: str = "x", **more: object) -> str:
    return json.dumps([{"lines": lines, "you": you, **more}])


NO_TABLES = [
    "",
    "[" * 50_000,
    _table(json.loads("[" * 900 + "]" * 900)),
    "{}",
    "[1]",
    _table([]),
    _table(["a"], you=""),
    _table(["a"], you="a b"),
    _table(["a"], you="a\n"),
    _table(["a"], people={"a\n": "00"}),
    _table(["a"], people={"a": "00\n"}),
    _table(["a"], people={"a b": "00"}),
    _table(["a"], people={"a": "Z"}),
    json.dumps([{"lines": ["a"], "you": "x"}] * (MOST_TABLES + 1)),
]


@pytest.mark.parametrize("text", NO_TABLES)
def test_what_no_phone_of_ours_has_kept_is_refused(text: str) -> None:
    with pytest.raises(NotStored, match="bundle-damaged"):
        read_kept(text)


def test_a_damaged_table_keeps_no_other_from_going_on() -> None:
    good, bad = json.loads(_table(["a"]))[0], json.loads(_table([1]))[0]
    assert [table.lines for table in read_kept(json.dumps([bad, good, 7]))] == [["a"]]


async def test_a_guest_that_asks_for_endless_logs_has_to_wait(of: Pocket) -> None:
    table, _, bob, cid = await seated(of)

    async def status(phone: Guest) -> int:
        found: list[int] = []
        asked = phone.request("GET", f"{table}/kept", [])
        task = asyncio.ensure_future(of.answer(asked, lambda status, sent: found.append(status), lambda *_: None))
        await a_while()
        task.cancel()
        return found[0]

    answered = [await status(bob) for _ in range(40)]
    assert answered[:20] == [200] * 20
    assert answered.count(429) >= 15
    assert await status(cid) == 200


async def test_a_log_that_no_house_has_written_goes_on_nowhere(of: Pocket, other: Pocket) -> None:
    table, ann, bob, cid = await seated(of)
    task = await bob.keeps(table)
    await turn(table, ann, bob, cid)
    task.cancel()
    good = json.loads(bob.table)[0]
    setup = json.loads(bob.kept[0])
    sealed = json.dumps({**setup, "night": "x"})
    bad = [
        ["x"],
        [*bob.kept, "x"],
        [*bob.kept, "1 roll 7"],
        bob.kept[1:],
        [sealed, *bob.kept[1:]],
        [json.dumps({**setup, "rules": {"game": "midnight", "opener": ""}}), *bob.kept[1:]],
        [json.dumps({**setup, "evening": json.loads("[" * 900 + "]" * 900)}), *bob.kept[1:]],
        [*bob.kept, bob.kept[-1].partition(" ")[0] + " renamed 1 \u202e"],
        [bob.kept[0]] * 2,
    ]
    assert await other.go_on(json.dumps([{**good, "lines": lines} for lines in bad])) == []
    assert other.engine.store.tables() == []
    assert read_record(await played(table, ann, bob, cid)).over
    assert await other.go_on(json.dumps([{**good, "lines": log_of(of)}])) == []
