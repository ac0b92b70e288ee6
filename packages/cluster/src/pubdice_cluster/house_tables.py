"""The SQL tables of a house that a copy takes along, between SQLite and PostgreSQL.

A SQL table that is added to the schema of both is one more entry in HOUSE.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from pubdice.store.bundle import BOOK, KEY, OPENED, TABLES

SqlRow = tuple[object, ...]


class ColumnKind(Enum):
    """The kind of a column's values. UTF8: a text in SQLite, and its bytes in PostgreSQL, whose texts cannot hold
    U+0000.
    """

    NUMBER = auto()
    COUNT = auto()
    REAL = auto()
    FLAG = auto()
    TEXT = auto()
    UTF8 = auto()
    BYTES = auto()


NUMBER, COUNT, REAL, FLAG, TEXT, UTF8, BYTES = ColumnKind
"""COUNT is PostgreSQL's int, NUMBER its bigint."""


@dataclass(frozen=True, slots=True)
class HouseTable:
    """A SQL table of a house. name: PostgreSQL's; columns: the same in both.

    parts: conditions, and the order of the rows that meet them; together all rows, in an order without ties. file:
    which file of a house holds it, by its name in a bundle. counter: the column that numbers itself. latest: the column
    of which only the largest value counts, for rows that are otherwise the same.
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
"""All of them, in the order in which they are copied. Those of a file that is a text have a row for each line."""
