"""``pubdice check``: replays every log of a house, and compares the house with another copy of it."""

from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice

from pubdice.core.errors import NotStored
from pubdice.kit import Kit
from pubdice.server.house_place import HousePlace
from pubdice.server.log_check import read_log, verify
from pubdice.server.teller import Teller
from pubdice.store.lost_events import LostEvents, lost_events
from pubdice.store.sqlite.store import SqliteReader
from pubdice.text.language import Language, Sentence

MOST_TOLD = 20
"""The most tables that get a line each. Of the other tables only the number is printed."""
COPY_GONE = ("store-unreachable", "store-unreadable")
"""Codes of NotStored for a copy that became unreadable as a whole. Such an error is no fault of one log."""
LOST: dict[str, Sentence] = {
    "missing": ("{table} is missing, with one event", "{table} is missing, with {events} events", "events"),
    "shorter": ("{table} lacks its last event", "{table} lacks its last {events} events", "events"),
    "different": (
        "{table} differs from line {line} on: one event is only in {old}",
        "{table} differs from line {line} on: {events} events are only in {old}",
        "events",
    ),
}
"""The sentence for the loss of a log's events, by ``LostEvents.kind``."""


def check(place: HousePlace, games: Mapping[str, Kit], teller: Teller) -> int:
    """Replay every log. Return the exit status, 0 if every log is sound or its game is not installed."""
    tongue = teller.tongue
    with closing(place.reader()) as reader:
        wrong = reader.damage() if isinstance(reader, SqliteReader) else []
        gone: list[str] = []
        sound = events = 0
        for number in reader.tables():
            try:
                events += verify(read_log(reader, number), games)
                sound += 1
            except NotStored as error:
                if error.code in COPY_GONE:
                    reader.tables()  # raises if the whole copy is gone: else each further log would be waited for
                (gone if error.code == "game-gone" else wrong).append(teller.unsound(number, error))
    for line in wrong + gone:
        teller.say(line)
    tables = tongue.count("{number} table is sound", "{number} tables are sound", sound)
    teller.say(tongue.say("{tables}, {events} events replayed.", tables=tables, events=events))
    return 1 if wrong else 0


def check_against(place: HousePlace, old: HousePlace, teller: Teller) -> int:
    """Print everything that this house lacks of another copy of it. Return the exit status, 0 if it lacks nothing."""
    tongue = teller.tongue
    with closing(old.reader()) as before, closing(place.reader()) as now:
        known, other = before.setting("secret"), now.setting("secret")
        if None not in (known, other) and known != other:
            raise NotStored("other-house", file=str(place), other=str(old))
        found = lost_events(before, now)
        tables = events = answers = 0
        for lost in islice(found, MOST_TOLD):
            teller.say(_lost(tongue, lost, str(old)))
            tables, events, answers = tables + 1, events + lost.events, answers + lost.answers
        for lost in found:
            tables, events, answers = tables + 1, events + lost.events, answers + lost.answers
    if not tables:
        teller.say(tongue.say("{file} has everything that {old} has.", file=str(place), old=str(old)))
        return 0
    if tables > MOST_TOLD:
        teller.say(teller.more(tables - MOST_TOLD))
    facts = {"file": str(place), "events": events, "answers": answers}
    one = "{file} lacks something of one table. Events: {events}, answers: {answers}."
    many = "{file} lacks something of {number} tables. Events: {events}, answers: {answers}."
    teller.say(tongue.count(one, many, tables, **facts))
    return 1


def _lost(tongue: Language, lost: LostEvents, old: str) -> str:
    """Return the sentences about one table: its lost events, the times of the first and the last, and lost answers."""
    table = tongue.say("Table {table}", table=f"{lost.table} ({lost.code})" if lost.code else lost.table)
    said = []
    if lost.kind in LOST:
        facts = {"table": table, "line": lost.line + 1, "events": lost.events, "old": old}
        what = tongue.tell(LOST[lost.kind], facts)
        if lost.since is None or lost.until is None:
            said.append(tongue.say("{what}.", what=what))
        else:
            times = tongue.range(_time(lost.since), _time(lost.until))
            said.append(tongue.say("{what}, {range} UTC.", what=what, range=times))
    if lost.answers:
        one, many = "{table} lacks one answer.", "{table} lacks {number} answers."
        said.append(tongue.count(one, many, lost.answers, table=table))
    return " ".join(said)


def _time(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M:%S}"
