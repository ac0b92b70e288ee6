"""``pubdice move-house``, ``check`` and ``backup``, of files and of databases: copied, compared, every log replayed."""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from pubdice.core.errors import NotStored
from pubdice.kit import Kit
from pubdice.server.backups import SUFFIX, save_all
from pubdice.server.log_check import read_log, verify
from pubdice.store.bundle import BOOK, KEY, OPENED
from pubdice.store.sqlite.players import book_path, copy_players
from pubdice.store.sqlite.schema import not_stored
from pubdice.store.sqlite.store import SqliteReader, copy
from pubdice.text.language import Language, Sentence
from pubdice_cluster.copying import (
    HousePlace,
    LostEvents,
    copy_rows,
    logs,
    lost_events,
    open_reader,
    open_rows,
    open_target,
)

MOST_TOLD = 20
"""Tables that are told one by one; of more, how many there are."""
COPY_GONE = ("store-unreachable", "store-unreadable")
"""Codes of NotStored by which a copy, all of which was just read, can't be read any more: no log's fault."""
REFUSED_PLACES: dict[str, Sentence] = {
    "no-driver": "To use PostgreSQL install pubdice[cluster].",
    "bad-address": "That's no address of a database. Write postgresql://USER:PASSWORD@HOST/NAME, and in a password %40 "
    "for @, %2F for / and %25 for %.",
    "no-such-host": "There's no such host: {file}.",
    "store-unreachable": "{file} doesn't answer ({reason}).",
    "wrong-password": "{file} refuses that user or that password.",
    "no-database": "There's no such database: {file}. Make it first, with createdb.",
    "no-rights": "That user may not do that in {file}. Make the user the owner of the database.",
    "store-foreign": "{file} holds tables of another program. Make a database for Pubdice alone.",
    "database-full": "There's no room left where {file} is kept.",
    "no-house": "There's no house in {file}.",
    "place-taken": "There's a house in {file} already. Name an empty place.",
    "house-open": "A house serves {file}. Stop it first; pubdice backup copies a house while people play.",
    "copy-differs": 'The copy in {file} differs from the house in "{name}", so it doesn\'t count.',
    "copy-odd": 'A row of "{name}" holds what no house writes. Nothing was copied.',
    "other-house": "{file} and {other} are not copies of one house.",
    "unsound": "Nothing was moved. Add --damaged to move these logs as they are.",
}
"""Why a place is not read or written, by code of NotStored."""
LEFT: dict[str, Sentence] = {
    BOOK: "The players' book stays in {file}.",
    KEY: "The key of sealed dice stays in {file}.",
    OPENED: "The list of opened seals stays in {file}.",
}
"""The parts that a database has no table for."""
LOST: dict[str, Sentence] = {
    "missing": ("{table} is missing, with one event", "{table} is missing, with {events} events", "events"),
    "shorter": ("{table} lacks its last event", "{table} lacks its last {events} events", "events"),
    "different": (
        "{table} differs from line {line} on: one event is only in {old}",
        "{table} differs from line {line} on: {events} events are only in {old}",
        "events",
    ),
}
"""The sentence for a loss of a log, by its kind."""


@dataclass(frozen=True, slots=True)
class Teller:
    """The voice of a command: its language, its output, and its sentences for failures."""

    tongue: Language
    out: TextIO
    trouble: Callable[[Language, NotStored], str]

    def say(self, line: str) -> None:
        """Write one more line."""
        self.out.write(line + "\n")

    def unsound(self, table: int, error: NotStored) -> str:
        """Why a table's log cannot be replayed."""
        return self.tongue.say("Table {table}: {why}", table=table, why=self.trouble(self.tongue, error))


def move_house(
    source: HousePlace, target: HousePlace, games: Mapping[str, Kit], teller: Teller, *, damaged: bool
) -> int:
    """Copy a house to an empty place, compare every row, and replay every log there; the exit status.

    damaged: copy logs that cannot be replayed as well. NotStored, and then nothing has changed.
    """
    tongue = teller.tongue
    with open_rows(source, alone=True) as rows, open_target(target) as made:
        copied = copy_rows(rows, made)
        wrong, events = 0, 0
        for number, _, lines in logs(made):
            try:
                events += verify(lines, games)
            except NotStored as error:
                if error.code == "game-gone":
                    teller.say(teller.unsound(number, error))
                    continue
                if error.code in COPY_GONE:
                    raise
                wrong += 1
                if wrong <= MOST_TOLD:
                    teller.say(teller.unsound(number, error))
        if wrong > MOST_TOLD:
            teller.say(_more(tongue, wrong - MOST_TOLD))
        if wrong and not damaged:
            raise NotStored("unsound")
        made.commit()
    for name in copied.left:
        teller.say(tongue.tell(LEFT[name], {"file": str(source)}))
    tables = tongue.count("{number} table", "{number} tables", copied.tables)
    said = "{tables} moved to {file}: the same in both, {events} events replayed."
    teller.say(tongue.say(said, tables=tables, file=str(target), events=events))
    return 0


def back_up(source: HousePlace, file: Path, *, key: bool) -> None:
    """Save everything of a house in a zip, or copy its tables, with the players' book beside them, while it runs.

    A database is first copied into files beside the target. NotStored as ``copy``, ``save_all`` and ``open_rows``.
    """
    if isinstance(source, Path):
        _back_up_files(source, file, key=key)
        return
    if file.exists():
        raise NotStored("backup-exists", folder=str(file.parent), file=str(file))
    try:
        with TemporaryDirectory(prefix=".pubdice-", dir=file.parent) as folder:
            data = Path(folder) / "house.db"
            with open_rows(source) as rows, open_target(data) as made:
                copy_rows(rows, made)
                made.commit()
            _back_up_files(data, file, key=key)
    except OSError as error:
        raise not_stored("store-unwritable", file, error) from None


def _back_up_files(data: Path, file: Path, *, key: bool) -> None:
    if file.suffix.lower() == SUFFIX:
        save_all(data, file, key=key)
        return
    if key:
        raise NotStored("key-alone")
    book = book_path(data)
    if book.exists() and book_path(file).exists():
        raise NotStored("backup-exists", folder=str(file.parent), file=str(book_path(file)))
    copy(data, file)
    if book.exists():
        copy_players(book, book_path(file))


def check(place: HousePlace, games: Mapping[str, Kit], teller: Teller) -> int:
    """Replay every log; the exit status, 0 if all are sound but those whose game is not installed."""
    tongue = teller.tongue
    with closing(open_reader(place)) as reader:
        wrong = reader.damage() if isinstance(reader, SqliteReader) else []
        gone: list[str] = []
        sound = events = 0
        for number in reader.tables():
            try:
                events += verify(read_log(reader, number), games)
                sound += 1
            except NotStored as error:
                if error.code in COPY_GONE:
                    reader.tables()  # raises too if all is gone, and not one log: each further one would be waited for
                (gone if error.code == "game-gone" else wrong).append(teller.unsound(number, error))
    for line in wrong + gone:
        teller.say(line)
    tables = tongue.count("{number} table is sound", "{number} tables are sound", sound)
    teller.say(tongue.say("{tables}, {events} events replayed.", tables=tables, events=events))
    return 1 if wrong else 0


def check_against(place: HousePlace, old: HousePlace, teller: Teller) -> int:
    """Say what a house lacks that another copy of it has; the exit status, 0 if it lacks nothing."""
    tongue = teller.tongue
    with open_rows(old) as before, open_rows(place) as now:
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
        teller.say(_more(tongue, tables - MOST_TOLD))
    facts = {"file": str(place), "events": events, "answers": answers}
    one = "{file} lacks something of one table. Events: {events}, answers: {answers}."
    many = "{file} lacks something of {number} tables. Events: {events}, answers: {answers}."
    teller.say(tongue.count(one, many, tables, **facts))
    return 1


def _lost(tongue: Language, lost: LostEvents, old: str) -> str:
    """The loss of one table: events with the time of the first and the last, and answers."""
    table = tongue.say("Table {table}", table=f"{lost.table} ({lost.code})" if lost.code else lost.table)
    said = []
    if lost.kind in LOST:
        facts = {"table": table, "line": lost.line + 1, "events": lost.events, "old": old}
        what = tongue.tell(LOST[lost.kind], facts)
        if lost.since is None or lost.until is None:
            said.append(tongue.say("{what}.", what=what))
        else:
            times = {"since": _time(lost.since), "until": _time(lost.until)}
            said.append(tongue.say("{what}, from {since} to {until} UTC.", what=what, **times))
    if lost.answers:
        one, many = "{table} lacks one answer.", "{table} lacks {number} answers."
        said.append(tongue.count(one, many, lost.answers, table=table))
    return " ".join(said)


def _time(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M:%S}"


def _more(tongue: Language, number: int) -> str:
    return tongue.count("And one more table.", "And {number} more tables.", number)
