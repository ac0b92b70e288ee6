"""The players' book, in any database: names, what their four words hash to, and what their matches came to.

It knows players' browsers by hashes of tokens, as the logs do. Each call is one transaction, on the disk when it
returns. Any thread may call; calls take a few ms, so the event loop makes them in a thread. Knows no game, no clock,
and no words.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from typing import Any

from pubdice.core.errors import Refused
from pubdice.store.house_store import ALL
from pubdice.store.writer import OpenTransaction

MOST_PLAYERS, MOST_ENTRIES, MOST_LINKS = 10_000, 1_000, 8
"""Players of a book; matches of a player kept one by one, older ones in sums; browsers of a player, the latest."""
KEPT_MS, KEPT_FULL_MS = 35 * 24 * 3600 * 1000, 24 * 3600 * 1000
"""How long a name is kept of which no match counts: longer than a month, as people play once a week or less; the second
where there is no room, in the book or for one address.
"""
MOST_UNPLAYED = 20
"""Names of one address of which no match counts."""
MOST_TRIES = 2
"""Times a match is tried to be worked out. After that its result alone counts."""


@dataclass(frozen=True, slots=True)
class BookPlayer:
    """A player of the book. since: when this browser was linked; joined: when the name was written; ms since 1970."""

    id: int
    name: str
    joined: int
    since: int


@dataclass(frozen=True, slots=True)
class BookEntry:
    """A finished match of one player. won: 1, or a part of it where several won. worth: what it came to, by name."""

    player: int
    code: str
    at: int
    seat: int
    game: str
    form: str
    seats: int
    won: float
    state: str = "new"
    utility: str = ""
    worth: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class BookSums:
    """All older matches of a player at one game, with values of one kind."""

    game: str
    utility: str
    games: int
    won: float
    worth: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Opponent:
    """Another player of the book, and what came of the matches together: whose wins."""

    name: str
    games: int
    won: float
    theirs: float


_ENTRY = "player, code, at, seat, game, form, seats, won, state, utility, worth"
KEPT = "SELECT count(*), min(at) FROM entries WHERE player = ?"
UNPLAYED = (
    "NOT EXISTS (SELECT 1 FROM entries WHERE player = id AND state != 'out')"
    " AND NOT EXISTS (SELECT 1 FROM sums WHERE player = id)"
)
"""Of players of whom no match counts."""
OPENER = "'opener ' || CAST(id AS text)"
"""The name of the book's row that says from where a player's name was written."""
LINK = (
    "INSERT INTO links (person, player, since) VALUES (?, ?, ?)"
    " ON CONFLICT (person) DO UPDATE SET player = excluded.player, since = excluded.since"
)
SUM = (
    "INSERT INTO sums (player, game, utility, games, won, worth) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (player, game, utility)"
    " DO UPDATE SET games = excluded.games, won = excluded.won, worth = excluded.worth"
)
MEET = (
    "INSERT INTO met (player, other, games, won, theirs) VALUES (?, ?, 1, ?, ?) ON CONFLICT (player, other)"
    " DO UPDATE SET games = met.games + 1, won = met.won + excluded.won, theirs = met.theirs + excluded.theirs"
)


class PlayersBook(ABC):
    """The players' book of a house. Its SQL is understood by SQLite and by PostgreSQL.

    salt: goes into the hash of each player's words. NotStored("store-unwritable").
    """

    salt: bytes

    # players and their browsers

    def players(self) -> list[int]:
        """The numbers of all players."""
        return [player for (player,) in self._all("SELECT id FROM players ORDER BY id")]

    def player_of(self, person: str | None) -> BookPlayer | None:
        """The player whose browser this is; None if it is nobody's."""
        rows = self._all(
            "SELECT id, name, joined, since FROM links JOIN players ON id = player WHERE person = ?", (person,)
        )
        return BookPlayer(*rows[0]) if rows else None

    def join(self, person: str, name: str, words: bytes, now: int, opener: bytes = b"") -> bool:
        """Write a name into the book; False if this browser is somebody's already. words: their hash.

        opener: two bytes that stand for the address, kept until a match counts. Raises Refused("book-full"),
        ("book-here").
        """
        with self._transaction() as work:
            if work.execute("SELECT 1 FROM links WHERE person = ?", (person,)):
                return False
            if work.execute("SELECT count(*) FROM players")[0][0] >= MOST_PLAYERS:
                raise Refused("book-full")
            if opener and work.execute("SELECT count(*) FROM book WHERE value = ?", (opener,))[0][0] >= MOST_UNPLAYED:
                raise Refused("book-here", most=MOST_UNPLAYED)
            new = "INSERT INTO players (name, words, joined) VALUES (?, ?, ?) RETURNING id"
            player = work.execute(new, (name, words, now))[0][0]
            work.execute(LINK, (person, player, now))
            if opener:
                work.execute("INSERT INTO book (name, value) VALUES (?, ?)", (_opener(player), opener))
            return True

    def enter(self, person: str, words: bytes, now: int) -> bool:
        """Link a browser with the player whose words hash to this; whether there is one.

        A browser has one player, and a player ``MOST_LINKS`` browsers: of more the longest linked is let go.
        """
        with self._transaction() as work:
            rows = work.execute("SELECT id FROM players WHERE words = ?", (words,))
            if not rows:
                return False
            player = rows[0][0]
            known = work.execute("SELECT player FROM links WHERE person = ?", (person,))
            if known != [(player,)]:
                work.execute(LINK, (person, player, now))
            work.execute(
                "DELETE FROM links WHERE player = ? AND person NOT IN (SELECT person FROM links WHERE player = ?"
                " ORDER BY since DESC, person = ? DESC LIMIT ?)",
                (player, player, person, MOST_LINKS),
            )
            return True

    def unplayed(self, before: int, most: int, opener: bytes = b"") -> list[int]:
        """Players who joined before then (ms since 1970) and of whom no match counts.

        First those of the address with the most of them, of it the earliest first. opener: those of this one alone.
        """
        here = " AND value = ?" if opener else ""
        rows = self._all(
            f"SELECT id FROM players LEFT JOIN book ON book.name = {OPENER} WHERE joined < ? AND {UNPLAYED}{here}"  # noqa: S608
            " ORDER BY count(value) OVER (PARTITION BY value) DESC, joined, id LIMIT ?",
            (before, *([opener] if opener else []), most),
        )
        return [player for (player,) in rows]

    def change_words(self, player: int, words: bytes) -> None:
        """Give a player other words; the old ones lead nowhere from then on."""
        with self._transaction() as work:
            work.execute("UPDATE players SET words = ? WHERE id = ?", (words, player))

    def leave(self, person: str) -> None:
        """Link a browser with nobody. The player stays in the book."""
        with self._transaction() as work:
            work.execute("DELETE FROM links WHERE person = ?", (person,))

    def erase(self, player: int) -> None:
        """Delete everything about a player, and free the bytes that it lay in, as far as the database can."""
        with self._transaction() as work:
            _delete(work, player)
        self._vacuum()

    def drop_unplayed(self, players: Sequence[int]) -> None:
        """Delete everything about those of these players of whom no match counts.

        A file's bytes are overwritten; the next ``erase`` frees them.
        """
        with self._transaction() as work:
            for player in players:
                if work.execute(f"SELECT 1 FROM players WHERE id = ? AND {UNPLAYED}", (player,)):  # noqa: S608
                    _delete(work, player)

    def links(self, persons: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Which of these persons are players', since when: the player's number, ms since 1970."""
        if not persons:
            return {}
        marks = ", ".join("?" * len(persons))
        rows = self._all(f"SELECT person, player, since FROM links WHERE person IN ({marks})", tuple(persons))  # noqa: S608
        return {person: (player, since) for person, player, since in rows}

    def browsers(self, player: int) -> list[tuple[str, int]]:
        """A player's persons, each with the time it was linked, the latest first."""
        return list(self._all("SELECT person, since FROM links WHERE player = ? ORDER BY since DESC", (player,)))

    # matches of a player

    def known(self, player: int, codes: Sequence[str]) -> set[str]:
        """Which of these tables the player has an entry for, one by one or in the sums."""
        if not codes:
            return set()
        marks = ", ".join("?" * len(codes))
        return {
            code
            for (code,) in self._all(
                f"SELECT code FROM entries WHERE player = ? AND code IN ({marks})",  # noqa: S608
                (player, *codes),
            )
        }

    def add(self, entries: Sequence[BookEntry]) -> None:
        """Enter matches, each once; of a player's too many the oldest become sums.

        A match up to the player's horizon is left out: another request, or another house, may have entered it since the
        caller looked, and then it is in the sums already.
        """
        with self._transaction() as work:
            for entry in entries:
                if entry.at <= _horizon(work.execute(KEPT, (entry.player,))):
                    continue
                work.execute(
                    f"INSERT INTO entries ({_ENTRY}) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"  # noqa: S608
                    " WHERE EXISTS (SELECT 1 FROM players WHERE id = ?)"  # perhaps erased meanwhile
                    " ON CONFLICT DO NOTHING",
                    (*_row(entry), entry.player),
                )
                if entry.state != "out":
                    work.execute("DELETE FROM book WHERE name = ?", (_opener(entry.player),))
            for player in {entry.player for entry in entries}:
                self._fold(work, player)

    def new(self, player: int, most: int) -> list[BookEntry]:
        """A player's matches that are still to be worked out, the latest first."""
        query = f"SELECT {_ENTRY} FROM entries WHERE player = ? AND state = 'new' ORDER BY at DESC, code LIMIT ?"  # noqa: S608
        return [_entry(row) for row in self._all(query, (player, most))]

    def waiting(self, player: int) -> int:
        """How many matches of a player are still to be worked out."""
        return int(self._all("SELECT count(*) FROM entries WHERE player = ? AND state = 'new'", (player,))[0][0])

    def worked(self, code: str, utility: str, worth: Mapping[int, Mapping[str, float]] | None) -> None:
        """What a table's match came to, by seat; None if that cannot be said. Counts for every player who was there."""
        with self._transaction() as work:
            if worth is None:
                work.execute("UPDATE entries SET state = 'bare' WHERE code = ? AND state = 'new'", (code,))
            for seat, mine in (worth or {}).items():
                work.execute(
                    "UPDATE entries SET state = 'worked', utility = ?, worth = ?"
                    " WHERE code = ? AND seat = ? AND state = 'new'",
                    (utility, json.dumps(dict(mine)), code, seat),
                )

    def tried(self, code: str) -> None:
        """Count a try that came to nothing; after ``MOST_TRIES`` the result alone counts."""
        with self._transaction() as work:
            work.execute("UPDATE entries SET tries = tries + 1 WHERE code = ?", (code,))
            work.execute(
                "UPDATE entries SET state = 'bare' WHERE code = ? AND tries >= ? AND state = 'new'", (code, MOST_TRIES)
            )

    def entries(self, player: int, most: int = MOST_ENTRIES) -> list[BookEntry]:
        """A player's matches, the latest first."""
        query = f"SELECT {_ENTRY} FROM entries WHERE player = ? AND state != 'out' ORDER BY at DESC, code LIMIT ?"  # noqa: S608
        return [_entry(row) for row in self._all(query, (player, most))]

    def horizon(self, player: int) -> int:
        """The time up to which a player's matches are in the sums; 0 while all are kept one by one."""
        return _horizon(self._all(KEPT, (player,)))

    def sums(self, player: int) -> list[BookSums]:
        """What a player's older matches come to."""
        rows = self._all("SELECT game, utility, games, won, worth FROM sums WHERE player = ?", (player,))
        return [BookSums(game, utility, games, won, json.loads(worth)) for game, utility, games, won, worth in rows]

    def opponents(self, player: int, most: int) -> list[Opponent]:
        """The other players of the book this one has met, those of most matches first."""
        query = (
            "SELECT name, CAST(sum(games) AS bigint) AS all_games, sum(won), sum(theirs) FROM ("
            " SELECT theirs.player AS other, count(*) AS games, sum(mine.won) AS won, sum(theirs.won) AS theirs"
            " FROM entries AS mine JOIN entries AS theirs ON theirs.code = mine.code AND theirs.player != mine.player"
            " WHERE mine.player = ? AND mine.state != 'out' AND theirs.state != 'out' GROUP BY theirs.player"
            " UNION ALL SELECT other, games, won, theirs FROM met WHERE player = ?"
            ") AS met_each JOIN players ON id = other GROUP BY id ORDER BY all_games DESC, name LIMIT ?"
        )
        return [Opponent(*row) for row in self._all(query, (player, player, most))]

    def export(self, player: int) -> dict[str, Any]:
        """Everything the book holds about a player, as plain data."""
        name, words, joined = self._all("SELECT name, words, joined FROM players WHERE id = ?", (player,))[0]
        opener = self._all("SELECT value FROM book WHERE name = ?", (_opener(player),))
        matches = self._all(f"SELECT {_ENTRY} FROM entries WHERE player = ? ORDER BY at, code", (player,))  # noqa: S608
        return {
            "name": name,
            "joined": joined,
            "words": bytes(words).hex(),
            "opener": "".join(bytes(value).hex() for (value,) in opener),
            "browsers": [{"person": person, "since": since} for person, since in self.browsers(player)],
            "matches": [_data(_entry(row)) for row in matches],
            "sums": [_data(each) for each in self.sums(player)],
            "met": [_data(each) for each in self.opponents(player, MOST_PLAYERS)],
        }

    def _fold(self, work: OpenTransaction, player: int) -> None:
        """Turn a player's entries beyond ``MOST_ENTRIES`` into sums. Callers give worth as sums that can be added."""
        query = f"SELECT {_ENTRY} FROM entries WHERE player = ? ORDER BY at DESC, code LIMIT ? OFFSET ?"  # noqa: S608
        for entry in map(_entry, work.execute(query, (player, ALL, MOST_ENTRIES))):
            work.execute("DELETE FROM entries WHERE player = ? AND code = ?", (player, entry.code))
            if entry.state == "out":
                continue
            rows = work.execute(
                "SELECT games, won, worth FROM sums WHERE player = ? AND game = ? AND utility = ?",
                (player, entry.game, entry.utility),
            )
            games, won, text = rows[0] if rows else (0, 0.0, "{}")
            worth = json.loads(text)
            for name, amount in (entry.worth or {}).items():
                worth[name] = worth.get(name, 0) + amount
            work.execute(SUM, (player, entry.game, entry.utility, games + 1, won + entry.won, json.dumps(worth)))
            others = work.execute(
                "SELECT player, won FROM entries WHERE code = ? AND player != ? AND state != 'out'",
                (entry.code, player),
            )
            for other, theirs in others:
                work.execute(MEET, (player, other, entry.won, theirs))
                work.execute(MEET, (other, player, theirs, entry.won))

    # the database

    @abstractmethod
    def close(self) -> None:
        """Release the book, and what connects to it."""

    @abstractmethod
    def _all(self, query: str, values: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        """The rows of a query; a question mark stands for each value."""

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[OpenTransaction]:
        """One transaction, after which another may begin; an error in it leaves the book as it was."""

    @abstractmethod
    def _vacuum(self) -> None:
        """Free the bytes of deleted rows."""


def _delete(work: OpenTransaction, player: int) -> None:
    for table in ("links", "entries", "sums", "met"):
        work.execute(f"DELETE FROM {table} WHERE player = ?", (player,))  # noqa: S608
    work.execute("DELETE FROM met WHERE other = ?", (player,))
    work.execute("DELETE FROM book WHERE name = ?", (_opener(player),))
    work.execute("DELETE FROM players WHERE id = ?", (player,))


def _opener(player: int) -> str:
    return f"opener {player}"


def _horizon(kept: Sequence[tuple[Any, ...]]) -> int:
    number, oldest = kept[0]
    return int(oldest) if number >= MOST_ENTRIES else 0


def _row(entry: BookEntry) -> tuple[object, ...]:
    return (
        entry.player, entry.code, entry.at, entry.seat, entry.game, entry.form, entry.seats, entry.won, entry.state,
        entry.utility, json.dumps(dict(entry.worth or {})),
    )  # fmt: skip


def _data(row: BookEntry | BookSums | Opponent) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name != "player"}


def _entry(row: tuple[Any, ...]) -> BookEntry:
    return BookEntry(*(*row[:-1], json.loads(row[-1])))
