"""The SQL tables that a copy carries between SQLite and PostgreSQL. If you add a SQL table to both schemas, add an
entry to ``HOUSE``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from pubdice.store.bundle import BOOK, KEY, OPENED, TABLES

SqlRow = tuple[object, ...]


class ColumnKind(Enum):
    """The types of a column's values. UTF8 is text in SQLite and bytes in PostgreSQL, because text in PostgreSQL cannot
    hold the character U+0000.
    """

    NUMBER = auto()
    COUNT = auto()
    REAL = auto()
    FLAG = auto()
    TEXT = auto()
    UTF8 = auto()
    BYTES = auto()


NUMBER, COUNT, REAL, FLAG, TEXT, UTF8, BYTES = ColumnKind
"""Short names for the types. COUNT is PostgreSQL's int (4 bytes), NUMBER its bigint (8 bytes)."""


@dataclass(frozen=True, slots=True)
class HouseTable:
    """A SQL table of a house. Its columns are the same in SQLite and PostgreSQL.

    Attributes:
        parts: pairs of a WHERE condition and an ORDER BY. Read one part after another, they give each row once, in an
            order without ties.
        file: the name that a bundle (the files of a house) gives to the SQLite or text file that holds the table.
        counter: the column that the database numbers itself.
        latest: if some rows are equal but for this column, a copy keeps only the largest value.

    """

    name: str
    columns: Sequence[tuple[str, ColumnKind]]
    parts: Sequence[tuple[str, str]]
    file: str = TABLES
    counter: str = ""
    latest: str = ""

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [name for name, _ in self.columns]

    @property
    def kinds(self) -> list[ColumnKind]:
        """The kinds of the columns."""
        return [kind for _, kind in self.columns]


TABLE_ROWS = HouseTable(
    "tables",
    (
        ("id", NUMBER),
        ("code", TEXT),
        ("stage", TEXT),
        ("listed", FLAG),
        ("updated", NUMBER),
        ("game", TEXT),
        ("names", TEXT),
    ),
    (("", "id"),),
    counter="id",
)
LOG = HouseTable(
    "log",
    (("table_id", NUMBER), ("seq", COUNT), ("key", UTF8), ("body", BYTES), ("lines", UTF8), ("answer", BYTES)),
    (("seq IS NOT NULL", "table_id, seq"), ("seq IS NULL", "table_id, key")),
)
SETTINGS = HouseTable("house", (("name", TEXT), ("value", BYTES)), (("", "name"),))
ENTRY = (
    ("player", NUMBER), ("code", TEXT), ("at", NUMBER), ("seat", COUNT), ("game", TEXT), ("form", TEXT),
    ("seats", COUNT), ("won", REAL), ("state", TEXT), ("tries", COUNT), ("utility", TEXT), ("worth", TEXT),
)  # fmt: skip
SUM = (("player", NUMBER), ("game", TEXT), ("utility", TEXT), ("games", NUMBER), ("won", REAL), ("worth", TEXT))
HOUSE = (
    TABLE_ROWS,
    LOG,
    HouseTable("sitting", (("person", TEXT), ("table_id", NUMBER)), (("", "person, table_id"),)),
    HouseTable("orders", (("key", TEXT), ("table_id", NUMBER), ("body", BYTES)), (("", "key"),)),
    SETTINGS,
    HouseTable("book", (("name", TEXT), ("value", BYTES)), (("name = 'salt'", "name"),), BOOK),
    HouseTable(
        "players",
        (("id", NUMBER), ("words", BYTES), ("joined", NUMBER)),
        (("", "id"),),
        BOOK,
        counter="id",
    ),
    HouseTable("links", (("person", TEXT), ("player", NUMBER), ("since", NUMBER)), (("", "person"),), BOOK),
    HouseTable("entries", ENTRY, (("", "player, code"),), BOOK),
    HouseTable("sums", SUM, (("", "player, game, utility"),), BOOK),
    HouseTable("secrets", (("name", TEXT), ("value", BYTES)), (("", "name"),), KEY),
    HouseTable("opened_seals", (("chain", TEXT), ("number", COUNT)), (("", "chain"),), OPENED, latest="number"),
)
"""All SQL tables, in the order of copying. If a table is a text file beside the SQLite files, each line of the file is
a row."""
