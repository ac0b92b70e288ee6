"""The players' book, in any SQL database: the phones of each player, and the results of the player's matches.

It identifies phones by hashes of their browsers' tokens, as the logs do, and holds no names. Each call is one
transaction, and is on the disk when it returns. Calls are allowed from any thread. They take a few ms, so an event loop
makes them in a thread. Callers pass every time.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from typing import Any

from pubdice.core.json_depth import shallow
from pubdice.store.house_store import ALL
from pubdice.store.writer import OpenTransaction

MOST_ENTRIES, MOST_LINKS = 1_000, 8
"""The bounds for one player. ``MOST_ENTRIES`` is the most matches kept one by one, before older ones become sums.

``MOST_LINKS`` is the most browsers.
"""
MOST_TRIES = 2
"""The most attempts to evaluate a match. If all fail, only the result of the match counts."""


@dataclass(frozen=True, slots=True)
class BookPlayer:
    """A player in the book. ``phones`` is the number of linked browsers."""

    id: int
    phones: int


@dataclass(frozen=True, slots=True)
class BookEntry:
    """A finished match, as the book has it for one player."""

    player: int
    code: str
    at: int
    seat: int
    game: str
    form: str
    seats: int
    won: float  # 1 for a win, or a share if several seats won
    state: str = "new"
    utility: str = ""
    worth: Mapping[str, float] | None = None  # the values of the match, by name


@dataclass(frozen=True, slots=True)
class BookSums:
    """The sums of a player's older matches at one game, for one utility (the kind of values)."""

    game: str
    utility: str
    games: int
    won: float
    worth: Mapping[str, float]


_ENTRY = "player, code, at, seat, game, form, seats, won, state, utility, worth"
KEPT = "SELECT count(*), min(at) FROM entries WHERE player = ?"
LINK = "INSERT INTO links (person, player, since) VALUES (?, ?, ?)"
SUM = (
    "INSERT INTO sums (player, game, utility, games, won, worth) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (player, game, utility)"
    " DO UPDATE SET games = excluded.games, won = excluded.won, worth = excluded.worth"
)


class PlayersBook(ABC):
    """The players' book of a house, in SQL for SQLite and PostgreSQL. Raises NotStored("store-unwritable")."""

    def players(self) -> list[int]:
        """Return the numbers of all players."""
        return [player for (player,) in self._all("SELECT id FROM players ORDER BY id")]

    def player_of(self, person: str | None) -> BookPlayer | None:
        """Return the player linked with this browser. None if there is none."""
        rows = self._all(
            "SELECT player, count(*) FROM links WHERE player = (SELECT player FROM links WHERE person = ?)"
            " GROUP BY player",
            (person,),
        )
        return BookPlayer(*rows[0]) if rows else None

    def begin(self, person: str, now: int) -> None:
        """Begin a book for a browser that is not linked. All matches of the browser can count."""
        with self._transaction() as work:
            if not work.execute("SELECT 1 FROM links WHERE person = ?", (person,)):
                player = work.execute("INSERT INTO players (joined) VALUES (?) RETURNING id", (now,))[0][0]
                work.execute(LINK, (person, player, 0))

    def enter(self, person: str, player: int, now: int) -> None:
        """Link a browser that has no player with this player. Matches that end from now on can count.

        A player has at most ``MOST_LINKS`` browsers. If this makes one more, the oldest link is removed.
        """
        with self._transaction() as work:
            if work.execute("SELECT 1 FROM links WHERE person = ?", (person,)):
                return
            if not work.execute("SELECT 1 FROM players WHERE id = ?", (player,)):  # the player was erased meanwhile
                return
            work.execute(LINK, (person, player, now))
            work.execute(
                "DELETE FROM links WHERE player = ? AND person NOT IN (SELECT person FROM links WHERE player = ?"
                " ORDER BY since DESC, person = ? DESC LIMIT ?)",
                (player, player, person, MOST_LINKS),
            )

    def seats(self, code: str) -> list[tuple[int, int]]:
        """Return the players for whom the match of a table counts, each with the seat."""
        return list(self._all("SELECT player, seat FROM entries WHERE code = ? AND state != 'out'", (code,)))

    def leave(self, person: str) -> None:
        """Remove a browser's link. Its player stays in the book."""
        with self._transaction() as work:
            work.execute("DELETE FROM links WHERE person = ?", (person,))

    # Books from earlier versions, with a name and four words.

    def has_words(self) -> bool:
        """Return True if some players still have a name and words from an earlier version."""
        return bool(self._all("SELECT 1 FROM players WHERE words IS NOT NULL LIMIT 1"))

    def salt(self) -> bytes:
        """Return the 32 bytes of salt in the hashes of names and words from earlier versions."""
        return bytes(self._all("SELECT value FROM book WHERE name = 'salt'")[0][0])

    def player_with(self, words: bytes) -> int | None:
        """Return the player whose name and words from an earlier version have this hash. None if there is none."""
        rows = self._all("SELECT id FROM players WHERE words = ?", (words,))
        return int(rows[0][0]) if rows else None

    def erase(self, player: int) -> None:
        """Delete everything about a player, and free the bytes as far as the database can."""
        with self._transaction() as work:
            for table in ("links", "entries", "sums"):
                work.execute(f"DELETE FROM {table} WHERE player = ?", (player,))  # noqa: S608
            work.execute("DELETE FROM players WHERE id = ?", (player,))
        self._vacuum()

    def links(self, persons: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Return the links of these persons (browsers): the player's number, and the link's time (ms since 1970)."""
        if not persons:
            return {}
        marks = ", ".join("?" * len(persons))
        rows = self._all(f"SELECT person, player, since FROM links WHERE person IN ({marks})", tuple(persons))  # noqa: S608
        return {person: (player, since) for person, player, since in rows}

    def browsers(self, player: int) -> list[tuple[str, int]]:
        """Return the persons (browsers) of a player, each with the time of its link, latest first."""
        return list(self._all("SELECT person, since FROM links WHERE player = ? ORDER BY since DESC", (player,)))

    def known(self, player: int, codes: Sequence[str]) -> set[str]:
        """Return the tables among these for whose match the player has an entry."""
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
        """Enter matches, each only once. If a player then has too many, the oldest become sums.

        A match at or before the player's horizon is left out. Another request or house may have entered it since the
        caller looked. In this case the sums already contain it.
        """
        with self._transaction() as work:
            for entry in entries:
                if entry.at <= _horizon(work.execute(KEPT, (entry.player,))):
                    continue
                work.execute(
                    f"INSERT INTO entries ({_ENTRY}) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"  # noqa: S608
                    " WHERE EXISTS (SELECT 1 FROM players WHERE id = ?)"  # the player may have been erased meanwhile
                    " ON CONFLICT DO NOTHING",
                    (*_row(entry), entry.player),
                )
            for player in {entry.player for entry in entries}:
                self._fold(work, player)

    def new(self, player: int, most: int) -> list[BookEntry]:
        """Return a player's matches that are not evaluated, latest first."""
        query = f"SELECT {_ENTRY} FROM entries WHERE player = ? AND state = 'new' ORDER BY at DESC, code LIMIT ?"  # noqa: S608
        return [_entry(row) for row in self._all(query, (player, most))]

    def waiting(self, player: int) -> int:
        """Return the number of a player's matches that are not evaluated."""
        return int(self._all("SELECT count(*) FROM entries WHERE player = ? AND state = 'new'", (player,))[0][0])

    def worked(self, code: str, utility: str, worth: Mapping[int, Mapping[str, float]] | None) -> None:
        """Store the values of a table's match, by seat, for every player in it.

        ``worth`` is None if the match has no values.
        """
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
        """Count a failed attempt to evaluate a match. After ``MOST_TRIES`` of them only its result counts."""
        with self._transaction() as work:
            work.execute("UPDATE entries SET tries = tries + 1 WHERE code = ?", (code,))
            work.execute(
                "UPDATE entries SET state = 'bare' WHERE code = ? AND tries >= ? AND state = 'new'", (code, MOST_TRIES)
            )

    def entries(self, player: int, most: int = MOST_ENTRIES) -> list[BookEntry]:
        """Return a player's matches, latest first."""
        query = f"SELECT {_ENTRY} FROM entries WHERE player = ? AND state != 'out' ORDER BY at DESC, code LIMIT ?"  # noqa: S608
        return [_entry(row) for row in self._all(query, (player, most))]

    def horizon(self, player: int) -> int:
        """Return the time up to which a player's matches are in the sums. Return 0 while all are kept one by one."""
        return _horizon(self._all(KEPT, (player,)))

    def sums(self, player: int) -> list[BookSums]:
        """Return the sums of a player's older matches."""
        rows = self._all("SELECT game, utility, games, won, worth FROM sums WHERE player = ?", (player,))
        return [
            BookSums(game, utility, games, won, json.loads(shallow(worth))) for game, utility, games, won, worth in rows
        ]

    def export(self, player: int) -> dict[str, Any]:
        """Return everything that the book holds about a player, as plain data."""
        joined, words = self._all("SELECT joined, words FROM players WHERE id = ?", (player,))[0]
        matches = self._all(f"SELECT {_ENTRY} FROM entries WHERE player = ? ORDER BY at, code", (player,))  # noqa: S608
        return {
            "joined": joined,
            "words": "" if words is None else bytes(words).hex(),
            "browsers": [{"person": person, "since": since} for person, since in self.browsers(player)],
            "matches": [_data(_entry(row)) for row in matches],
            "sums": [_data(each) for each in self.sums(player)],
        }

    def _fold(self, work: OpenTransaction, player: int) -> None:
        """Turn a player's entries beyond ``MOST_ENTRIES`` into sums.

        This is right because all their values are additive.
        """
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

    @abstractmethod
    def close(self) -> None:
        """Release the book and its connections."""

    @abstractmethod
    def _all(self, query: str, values: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        """Return the rows of a query, with a question mark for each value."""

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[OpenTransaction]:
        """Return a context manager for one transaction. If the block raises, the book stays unchanged."""

    @abstractmethod
    def _vacuum(self) -> None:
        """Free the bytes of deleted rows."""


def _horizon(kept: Sequence[tuple[Any, ...]]) -> int:
    number, oldest = kept[0]
    return int(oldest) if number >= MOST_ENTRIES else 0


def _row(entry: BookEntry) -> tuple[object, ...]:
    return (
        entry.player, entry.code, entry.at, entry.seat, entry.game, entry.form, entry.seats, entry.won, entry.state,
        entry.utility, json.dumps(dict(entry.worth or {})),
    )  # fmt: skip


def _data(row: BookEntry | BookSums) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name != "player"}


def _entry(row: tuple[Any, ...]) -> BookEntry:
    return BookEntry(*(*row[:-1], json.loads(shallow(row[-1]))))
