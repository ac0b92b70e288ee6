"""A match that goes on when its host's phone is gone: guests keep the log, so a guest can go on as host.

A guest's phone asks for the log of each table that it has open. It gets all lines so far. Then it gets each new entry,
after the entry is stored and before the sender of the move gets its answer. The log names persons by hashes of their
tokens. The guest's phone also learns the name of each person's phone (the fingerprint of its certificate). A log
contains no token, no words of a seat (which would move the seat to another phone), no answer and no key.

Some logs stay in their house. A log of sealed dice would reveal seeds. A log of a duplicate night is of no use without
a key of its house.

A guest that goes on as host stores the lines in its own house (``House.go_on``). The other guests connect to this house
with codes, as to any house. They get their seats back by their certificates, because DTLS proves which phone is at the
other end of a connection.
"""

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Annotated, Any

import msgspec

from pubdice.core.dice import whole_number
from pubdice.core.errors import Failure, NotStored
from pubdice.core.json_depth import shallow
from pubdice.room import RoomState
from pubdice.room.commands import Recognise
from pubdice.server.table.codes import read_code
from pubdice.server.table.house import TABLES, House
from pubdice.server.web.limits import Buckets, Limits
from pubdice.store.writer import Entry

MOST_LINES = 20_000
"""The most lines of a log that is passed on, about 800 KB. A round of Midnight for three has about 40 lines. If more
than 4 MB wait to be sent to a guest, the connection to that guest ends."""
LINES_AT_ONCE = 500
MOST_PHONES = 64  # The most persons whose phones are known. The person not seen for longest is forgotten first.
MOST_OF_PHONE = 3
"""The most persons with the same phone. The number is limited because a phone can make up tokens. A house and its
guests are 20 phones at most."""
MOST_TABLES = 12  # the most tables that a guest's phone keeps
MOST_CLAIMS = 64  # The most tables whose claims are in memory. Claims of further tables are read from the store again.
_DEED = re.compile(r"\d+ (?:draw|roll|play|wenton) ")
_TABLE = re.compile(r"/t/([^/]+)(/kept)?(?:/.*)?")
Send = Callable[[bytes, bool], object]
PersonName = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{1,64}\Z")]
PhoneName = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{0,64}\Z")]


class KeptTable(msgspec.Struct):
    """A table as the phone of a guest has kept it."""

    lines: Annotated[list[str], msgspec.Meta(min_length=1, max_length=MOST_LINES)]  # the log so far
    you: PersonName  # the guest, as a person of the earlier house
    # the phone of each person of the earlier house, by person
    people: Annotated[dict[PersonName, PhoneName], msgspec.Meta(max_length=MOST_PHONES)] = {}


_kept_tables = msgspec.json.Decoder(Annotated[list[msgspec.Raw], msgspec.Meta(max_length=MOST_TABLES)])
_kept_table = msgspec.json.Decoder(KeptTable)
_noted = msgspec.json.Decoder(dict[PhoneName, PersonName])


def read_kept(text: str | bytes) -> list[KeptTable]:
    """Return the tables that a phone has kept, from the text in its browser's storage. Damaged tables are left out.

    Raises NotStored("bundle-damaged") if no table is left.
    """
    found = []
    with suppress(msgspec.MsgspecError, ValueError):
        for table in _kept_tables.decode(shallow(text)):
            with suppress(msgspec.MsgspecError):
                found.append(_kept_table.decode(table))
    if not found:
        raise NotStored("bundle-damaged")
    return found


def digest_of_line(line: str) -> str:
    """Return a digest of a log line, as 16 hex digits. A guest's phone sends the digest of its last line when it asks
    for the rest of the log.
    """
    return sha256(line.encode()).hexdigest()[:16]


def asked_table(path: str) -> tuple[str, bool]:
    """Return the name of the table in a path, and True if the path asks for the table's log. Return "" and False for
    any other path.
    """
    found = _TABLE.fullmatch(path)
    return (found[1], bool(found[2])) if found else ("", False)


@dataclass(slots=True, eq=False)
class _Feed:
    """A phone that keeps the log of a table."""

    code: str
    send: Send  # called with bytes, and with True if more bytes follow
    ended: asyncio.Event = field(default_factory=asyncio.Event)  # set after the last bytes are sent

    def tell(self, data: bytes) -> None:
        """Send a message. Never raise, because the sender of a move is waiting for its answer."""
        try:
            self.send(data, True)
        except Exception:  # noqa: BLE001 - whatever it is, this phone asks again
            self.ended.set()

    def end(self, why: str = "") -> None:
        """Send nothing more after this. If ``why`` is given, the phone is told why it does not get the log."""
        if not self.ended.is_set():
            self.tell(_message(no=why) if why else b"")
            self.ended.set()


def _message(**facts: Any) -> bytes:
    """Return a message as a line of JSON, in one of three forms: {from, lines, people, you}, {people} or {no: why}."""
    return json.dumps(facts, ensure_ascii=False).encode() + b"\n"


class Feeds:
    """The phones that keep logs of this house's tables, and the phone of each person who has sent a request."""

    def __init__(self, claims: "Claims") -> None:
        self._claims = claims
        self._of: dict[int, dict[str, _Feed]] = {}
        self._people: dict[str, str] = {}  # the phone of each person, by person
        self._asked = Buckets(Limits().records, MOST_PHONES)

    def grown(self, entry: Entry) -> None:
        """Send a stored entry to all phones that keep the log of its table."""
        feeds = self._of.get(entry.table)
        if not feeds or not entry.lines:
            return
        people = self._phones_of(word for line in entry.lines for word in line.split(" ", 6))
        data = _message(**{"from": entry.seen, "lines": entry.lines}, **({"people": people} if people else {}))
        large = entry.seen + len(entry.lines) > MOST_LINES
        for feed in list(feeds.values()):
            if large:
                feed.end("large")
            else:
                feed.tell(data)

    def wait(self, phone: str, now_s: float) -> float:
        """Count a phone's request for a log. Such requests are limited, because each may read a whole log. Return the
        seconds that the phone must wait, or 0.
        """
        return self._asked.take(phone, now_s)

    def meet(self, phone: str, person: str | None, state_of: Callable[[str], RoomState | None]) -> None:
        """Note the phone of a person who sent a request. ``state_of`` returns the state of the table with a
        given code.
        """
        if not person:
            return
        was = self._people.pop(person, None)
        self._people[person] = phone  # the dict is ordered, and the person seen last stands last
        if was == phone:
            return
        own = [each for each, of in self._people.items() if of == phone]
        for each in own[:-MOST_OF_PHONE]:
            del self._people[each]
        if len(self._people) > MOST_PHONES:
            here = {of for feeds in self._of.values() for of in feeds}
            away = (each for each, of in self._people.items() if of not in here)
            del self._people[next(away, next(iter(self._people)))]
        for feeds in self._of.values():
            for feed in feeds.values():
                state = state_of(feed.code)
                if state is not None and person in persons_of(state):
                    feed.tell(_message(people={person: phone}))

    async def serve(
        self, house: House, table: tuple[str, int], phone: str, *, you: str, query: str, send: Send
    ) -> None:
        """Send the log of a table to a phone, and then each new entry, until the task is cancelled or the connection
        ends.

        ``table`` is the table's code and number, and ``you`` is the phone's person. ``query`` says which lines the
        phone has already: "from=N&last=DIGEST".
        """
        code, number = table
        feed = _Feed(code, send)
        try:
            if await self._catch_up(house, feed, number, you, query):
                # there is no await since the last read, so no entry can be missed
                feeds = self._of.setdefault(number, {})
                if phone in feeds:
                    feeds[phone].end()
                feeds[phone] = feed
                await feed.ended.wait()
        finally:
            feeds = self._of.get(number, {})
            if feeds.get(phone) is feed:
                del feeds[phone]
            if not feeds:
                self._of.pop(number, None)

    async def _catch_up(self, house: House, feed: _Feed, number: int, you: str, query: str) -> bool:
        """Send the lines that the phone lacks. Return False if this log stays in the house."""
        store, actor = house.store, await house.find(feed.code)
        state = None if actor is None else actor.state
        length = store.length(number)
        why = "large" if length > MOST_LINES else "" if state is None else withheld(state)
        if state is None or why:
            feed.end(why or "gone")
            return False
        asked = dict(part.partition("=")[::2] for part in query.split("&"))
        at = min(whole_number(asked.get("from", "")) or 0, length)
        if at and digest_of_line(store.part(number, at - 1, 1)[0]) != asked.get("last"):
            at = 0  # the phone's log is another one, so send this one from the start
        # Include people of the earlier house who have not come here yet, because they may come to the next house.
        known = persons_of(state)
        away = {person: phone for person, phone in self._claims.people(feed.code).items() if person in known}
        facts: dict[str, Any] = {"you": you, "people": {**away, **self._phones_of(known)}}
        while True:
            lines = store.part(number, at, LINES_AT_ONCE)
            whole = len(lines) < LINES_AT_ONCE
            feed.send(_message(**{"from": at, "lines": lines, "whole": whole}, **facts), True)
            facts, at = {}, at + len(lines)
            if whole:
                return True
            await asyncio.sleep(0)

    def look_again(self, number: int, state: RoomState) -> None:
        """If a table has changed to sealed dice, stop sending its log."""
        if why := withheld(state):
            for feed in list(self._of.get(number, {}).values()):
                feed.end(why)

    def end(self) -> None:
        """End all connections on which logs are sent, because the house ends."""
        for feed in [feed for feeds in self._of.values() for feed in feeds.values()]:
            feed.end()

    def _phones_of(self, people: Iterable[str]) -> dict[str, str]:
        return {person: self._people[person] for person in people if person in self._people}


def withheld(state: RoomState) -> str:
    """Return the reason why a log stays in its house: "sealed" or "night". Return "" if the log may be passed on."""
    return "sealed" if state.setup.seal else "night" if state.setup.night else ""


def persons_of(state: RoomState) -> set[str]:
    """Return all persons that a table knows: those at a seat, awaited, in the queue or removed, and the host."""
    awaited = [person for chair in state.chairs for person in chair.awaited]
    return {*state.people, *awaited, *dict(state.queue), *state.banned, state.host}


class Claims:
    """The claims of other phones to their old seats, at tables that go on here from another house. The store keeps the
    claims of each table as one setting.

    A claim links a phone to the person that the table knows. At first this is the person of the earlier house. After
    the phone comes, it is the person of this house. So a phone keeps its seat even if the answer with its new token is
    lost.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._of: dict[str, Mapping[str, str]] = {}
        self._one_at_a_time = asyncio.Lock()

    async def keep(self, code: str, people: Mapping[str, str]) -> None:
        """Store the claims of a table. ``people`` has the name of each person's phone, by person of the earlier
        house.
        """
        known = self._at(code)  # if the table goes on a second time, persons who have come meanwhile stay
        await self._note(code, {**{phone: person for person, phone in people.items()}, **known})

    def people(self, code: str) -> Mapping[str, str]:
        """Return the phone of each person with a claim at a table that goes on here."""
        return {person: phone for phone, person in self._at(code).items()}

    def of(self, code: str, phone: str) -> str:
        """Return the person whose seat this phone can claim at a table that goes on here, or "" if it has no claim."""
        return self._at(code).get(phone, "")

    async def recognise(self, code: str, phone: str, person: str) -> None:
        """Give a phone of the earlier house its seat at a table, as this person. If the phone has the seat already, do
        nothing.
        """
        # If the connection breaks, the request is cancelled. The log and the claim must still change together, so
        # shield them.
        await asyncio.shield(self._recognise(code, phone, person))

    async def _recognise(self, code: str, phone: str, person: str) -> None:
        # two first requests of a phone each get a new token: the second must find the first one's person, to take over
        # its seat
        async with self._one_at_a_time:
            before = self.of(code, phone)
            # if it fails, the table goes on without the claim, and the next request tries again
            with suppress(Failure):
                actor = await self._house.find(code)
                if actor is not None and before != person and before in persons_of(actor.state):
                    await actor.ask(Recognise(before, person), None, None)
                    await self._note(code, {**self._at(code), phone: person})

    def _at(self, code: str) -> Mapping[str, str]:
        if code not in self._of:
            if len(self._of) >= MOST_CLAIMS:
                del self._of[next(iter(self._of))]
            self._of[code] = {}
            with suppress(msgspec.MsgspecError, ValueError):  # a restored file may hold any text here
                self._of[code] = _noted.decode(shallow(self._house.store.setting(_setting(code)) or b"{}"))
        return self._of[code]

    async def _note(self, code: str, claims: Mapping[str, str]) -> None:
        self._of[code] = claims
        await self._house.keep(_setting(code), json.dumps(claims).encode())


def _setting(code: str) -> str:
    return f"phones of {code}"


async def go_on(house: House, claims: Claims, tables: Iterable[KeptTable], person: str) -> list[str]:
    """Go on with tables of another house, with ``person`` as host. Return the codes of the tables that can go on, in
    the given order.

    These cannot go on: a match that is over, a match with sealed dice, and a log that no house has written. If a match
    went on elsewhere and came back, ``tables`` may have two logs of it. Then the shorter log is left out, unless it has
    a move that the longer log lacks.
    """
    codes, gone_on = dict[int, str](), list[list[str]]()
    for at, table in sorted(enumerate(tables), key=lambda each: -len(each[1].lines)):
        if any(_goes_on_from(lines, table.lines) for lines in gone_on):
            continue
        with suppress(Failure):
            codes[at] = code = await house.go_on(table.lines, table.you, person)
            gone_on.append(table.lines)
            await claims.keep(code, {who: phone for who, phone in table.people.items() if who != table.you})
    return [codes[at] for at in sorted(codes)]


def _goes_on_from(lines: Sequence[str], before: Sequence[str]) -> bool:
    """Return True if a log contains every move of another log, in the same lines. The change to another house is not a
    move.
    """
    same = next((at for at, (one, other) in enumerate(zip(lines, before, strict=False)) if one != other), len(before))
    return same > 0 and not any(_DEED.match(line) for line in before[same:])


def table_asked(house: House, named: str) -> tuple[str, int] | None:
    """Return the code and number of the table with this link. Return None for any other text."""
    code = read_code(named)
    if code is None or house.link(code) != f"{TABLES}{named}":
        return None
    number = house.store.find(code)
    return None if number is None else (code, number)
