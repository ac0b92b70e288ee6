"""The players' book on the disk: a SQLite file of its own beside the tables', so that it can be taken away alone.

It holds names, what their four words hash to, which browsers they use (hashes of tokens, as in the logs), and what
their matches came to. Each call is one transaction, on the disk when it returns. Any thread may call, one at a time;
calls take a few ms, so the event loop makes them in a thread. Knows no game, no clock, and no words.
"""

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pubdice.core.errors import Refused
from pubdice.store.players_schema import open_players
from pubdice.store.schema import not_stored

MOST_PLAYERS, MOST_ENTRIES, MOST_LINKS = 10_000, 1_000, 8
"""Players of a book; matches of a player kept one by one, older ones in sums; browsers of a player, the latest."""
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


class PlayersFile:
    """The players' book of a house. file: None keeps it in memory, as tests do.

    NotStored("store-unreadable"), ("store-newer"), ("store-unwritable").
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file, self._one_at_a_time = file, threading.Lock()
        self._db = open_players(file)
        self.salt = bytes(self._all("SELECT value FROM book WHERE name = 'salt'")[0][0])

    # players and their browsers

    def player_of(self, person: str | None) -> BookPlayer | None:
        """The player whose browser this is; None if it is nobody's."""
        rows = self._all(
            "SELECT id, name, joined, since FROM links JOIN players ON id = player WHERE person = ?", (person,)
        )
        return BookPlayer(*rows[0]) if rows else None

    def join(self, person: str, name: str, words: bytes, now: int) -> bool:
        """Write a name into the book; False if this browser is somebody's already. words: their hash.

        Raises Refused("book-full").
        """
        with self._transaction() as db:
            if db.execute("SELECT 1 FROM links WHERE person = ?", (person,)).fetchall():
                return False
            if db.execute("SELECT count(*) FROM players").fetchall()[0][0] >= MOST_PLAYERS:
                raise Refused("book-full")
            row = db.execute("INSERT INTO players (name, words, joined) VALUES (?, ?, ?)", (name, words, now))
            db.execute("INSERT INTO links VALUES (?, ?, ?)", (person, row.lastrowid, now))
            return True

    def enter(self, person: str, words: bytes, now: int) -> bool:
        """Link a browser with the player whose words hash to this; whether there is one.

        A browser has one player, and a player ``MOST_LINKS`` browsers: of more the longest linked is let go.
        """
        with self._transaction() as db:
            rows = db.execute("SELECT id FROM players WHERE words = ?", (words,)).fetchall()
            if not rows:
                return False
            player = rows[0][0]
            known = db.execute("SELECT player FROM links WHERE person = ?", (person,)).fetchall()
            if known != [(player,)]:
                db.execute("INSERT OR REPLACE INTO links VALUES (?, ?, ?)", (person, player, now))
            db.execute(
                "DELETE FROM links WHERE player = ? AND person NOT IN (SELECT person FROM links WHERE player = ?"
                " ORDER BY since DESC, person = ? DESC LIMIT ?)",
                (player, player, person, MOST_LINKS),
            )
            return True

    def change_words(self, player: int, words: bytes) -> None:
        """Give a player other words; the old ones lead nowhere from then on."""
        with self._transaction() as db:
            db.execute("UPDATE players SET words = ? WHERE id = ?", (words, player))

    def leave(self, person: str) -> None:
        """Link a browser with nobody. The player stays in the book."""
        with self._transaction() as db:
            db.execute("DELETE FROM links WHERE person = ?", (person,))

    def erase(self, player: int) -> None:
        """Delete everything about a player, from the file's bytes too."""
        with self._transaction() as db:
            for table in ("links", "entries", "sums", "met"):
                db.execute(f"DELETE FROM {table} WHERE player = ?", (player,))  # noqa: S608
            db.execute("DELETE FROM met WHERE other = ?", (player,))
            db.execute("DELETE FROM players WHERE id = ?", (player,))
        with self._one_at_a_time, self._told():
            self._db.execute("VACUUM")

    def links(self, persons: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Which of these persons are players', since when: the player's number, ms since 1970."""
        marks = ", ".join("?" * len(persons))
        rows = self._all(f"SELECT person, player, since FROM links WHERE person IN ({marks})", tuple(persons))  # noqa: S608
        return {person: (player, since) for person, player, since in rows}

    def browsers(self, player: int) -> list[tuple[str, int]]:
        """A player's persons, each with the time it was linked, the latest first."""
        return list(self._all("SELECT person, since FROM links WHERE player = ? ORDER BY since DESC", (player,)))

    # matches of a player

    def known(self, player: int, codes: Sequence[str]) -> set[str]:
        """Which of these tables the player has an entry for, one by one or in the sums."""
        marks = ", ".join("?" * len(codes))
        return {
            code
            for (code,) in self._all(
                f"SELECT code FROM entries WHERE player = ? AND code IN ({marks})",  # noqa: S608
                (player, *codes),
            )
        }

    def add(self, entries: Sequence[BookEntry]) -> None:
        """Enter matches, each once; of a player's too many the oldest become sums."""
        with self._transaction() as db:
            for entry in entries:
                db.execute(
                    f"INSERT OR IGNORE INTO entries ({_ENTRY}) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"  # noqa: S608
                    " WHERE EXISTS (SELECT 1 FROM players WHERE id = ?)",  # perhaps erased meanwhile
                    (*_row(entry), entry.player),
                )
            for player in {entry.player for entry in entries}:
                self._fold(db, player)

    def new(self, player: int, most: int) -> list[BookEntry]:
        """A player's matches that are still to be worked out, the latest first."""
        query = f"SELECT {_ENTRY} FROM entries WHERE player = ? AND state = 'new' ORDER BY at DESC, code LIMIT ?"  # noqa: S608
        return [_entry(row) for row in self._all(query, (player, most))]

    def waiting(self, player: int) -> int:
        """How many matches of a player are still to be worked out."""
        return int(self._all("SELECT count(*) FROM entries WHERE player = ? AND state = 'new'", (player,))[0][0])

    def worked(self, code: str, utility: str, worth: Mapping[int, Mapping[str, float]] | None) -> None:
        """What a table's match came to, by seat; None if that cannot be said. Counts for every player who was there."""
        with self._transaction() as db:
            if worth is None:
                db.execute("UPDATE entries SET state = 'bare' WHERE code = ? AND state = 'new'", (code,))
            for seat, mine in (worth or {}).items():
                db.execute(
                    "UPDATE entries SET state = 'worked', utility = ?, worth = ?"
                    " WHERE code = ? AND seat = ? AND state = 'new'",
                    (utility, json.dumps(dict(mine)), code, seat),
                )

    def tried(self, code: str) -> None:
        """Count a try that came to nothing; after ``MOST_TRIES`` the result alone counts."""
        with self._transaction() as db:
            db.execute("UPDATE entries SET tries = tries + 1 WHERE code = ?", (code,))
            db.execute(
                "UPDATE entries SET state = 'bare' WHERE code = ? AND tries >= ? AND state = 'new'", (code, MOST_TRIES)
            )

    def entries(self, player: int, most: int = MOST_ENTRIES) -> list[BookEntry]:
        """A player's matches, the latest first."""
        query = f"SELECT {_ENTRY} FROM entries WHERE player = ? AND state != 'out' ORDER BY at DESC, code LIMIT ?"  # noqa: S608
        return [_entry(row) for row in self._all(query, (player, most))]

    def horizon(self, player: int) -> int:
        """The time up to which a player's matches are in the sums; 0 while all are kept one by one."""
        query = "SELECT count(*), min(at) FROM entries WHERE player = ?"
        kept, oldest = self._all(query, (player,))[0]
        return int(oldest) if kept >= MOST_ENTRIES else 0

    def sums(self, player: int) -> list[BookSums]:
        """What a player's older matches come to."""
        rows = self._all("SELECT game, utility, games, won, worth FROM sums WHERE player = ?", (player,))
        return [BookSums(game, utility, games, won, json.loads(worth)) for game, utility, games, won, worth in rows]

    def opponents(self, player: int, most: int) -> list[Opponent]:
        """The other players of the book this one has met, those of most matches first."""
        query = (
            "SELECT name, sum(games) AS all_games, sum(won), sum(theirs) FROM ("
            " SELECT theirs.player AS other, count(*) AS games, sum(mine.won) AS won, sum(theirs.won) AS theirs"
            " FROM entries AS mine JOIN entries AS theirs ON theirs.code = mine.code AND theirs.player != mine.player"
            " WHERE mine.player = ? AND mine.state != 'out' AND theirs.state != 'out' GROUP BY theirs.player"
            " UNION ALL SELECT other, games, won, theirs FROM met WHERE player = ?"
            ") JOIN players ON id = other GROUP BY other ORDER BY all_games DESC, name LIMIT ?"
        )
        return [Opponent(*row) for row in self._all(query, (player, player, most))]

    def export(self, player: int) -> dict[str, Any]:
        """Everything the file holds about a player, as plain data."""
        name, words, joined = self._all("SELECT name, words, joined FROM players WHERE id = ?", (player,))[0]
        matches = self._all(f"SELECT {_ENTRY} FROM entries WHERE player = ? ORDER BY at, code", (player,))  # noqa: S608
        return {
            "name": name,
            "joined": joined,
            "words": bytes(words).hex(),
            "browsers": [{"person": person, "since": since} for person, since in self.browsers(player)],
            "matches": [_data(_entry(row)) for row in matches],
            "sums": [_data(each) for each in self.sums(player)],
            "met": [_data(each) for each in self.opponents(player, MOST_PLAYERS)],
        }

    def _fold(self, db: sqlite3.Connection, player: int) -> None:
        """Turn a player's entries beyond ``MOST_ENTRIES`` into sums. Callers give worth as sums that can be added."""
        query = f"SELECT {_ENTRY} FROM entries WHERE player = ? ORDER BY at DESC, code LIMIT -1 OFFSET ?"  # noqa: S608
        for entry in map(_entry, db.execute(query, (player, MOST_ENTRIES)).fetchall()):
            db.execute("DELETE FROM entries WHERE player = ? AND code = ?", (player, entry.code))
            if entry.state == "out":
                continue
            rows = db.execute(
                "SELECT games, won, worth FROM sums WHERE player = ? AND game = ? AND utility = ?",
                (player, entry.game, entry.utility),
            ).fetchall()
            games, won, text = rows[0] if rows else (0, 0.0, "{}")
            worth = json.loads(text)
            for name, amount in (entry.worth or {}).items():
                worth[name] = worth.get(name, 0) + amount
            db.execute(
                "INSERT OR REPLACE INTO sums VALUES (?, ?, ?, ?, ?, ?)",
                (player, entry.game, entry.utility, games + 1, won + entry.won, json.dumps(worth)),
            )
            others = db.execute(
                "SELECT player, won FROM entries WHERE code = ? AND player != ? AND state != 'out'",
                (entry.code, player),
            )
            for other, theirs in others.fetchall():
                for one, two, mine, their in ((player, other, entry.won, theirs), (other, player, theirs, entry.won)):
                    db.execute(
                        "INSERT INTO met VALUES (?, ?, 1, ?, ?) ON CONFLICT DO UPDATE SET games = games + 1,"
                        " won = won + excluded.won, theirs = theirs + excluded.theirs",
                        (one, two, mine, their),
                    )

    # the file

    def close(self) -> None:
        """Close the connection to the file."""
        with self._one_at_a_time:
            self._db.close()

    def _all(self, query: str, values: Sequence[object] | Mapping[str, object] = ()) -> list[tuple[Any, ...]]:
        with self._one_at_a_time, self._told():
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """One transaction; an error in it leaves the file as it was."""
        with self._one_at_a_time, self._told():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn SQLite's errors into NotStored("store-unwritable")."""
        try:
            yield
        except sqlite3.Error as error:
            raise not_stored("store-unwritable", self.file or Path(":memory:"), error) from None


def _row(entry: BookEntry) -> tuple[object, ...]:
    return (
        entry.player, entry.code, entry.at, entry.seat, entry.game, entry.form, entry.seats, entry.won, entry.state,
        entry.utility, json.dumps(dict(entry.worth or {})),
    )  # fmt: skip


def _data(row: BookEntry | BookSums | Opponent) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name != "player"}


def _entry(row: tuple[Any, ...]) -> BookEntry:
    return BookEntry(*(*row[:-1], json.loads(row[-1])))
