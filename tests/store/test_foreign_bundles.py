"""Files that are damaged or hostile: no zip but a bundle is taken, however it was made, and at no great cost."""

import io
import json
import sqlite3
import stat
import struct
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from pubdice.core.errors import NotStored
from pubdice.store.bundle import BOOK, CONTENTS, COOKIES, KEY, OPENED, TABLES, Bundle
from store.bundles import refusal, rewritten, with_sums


def test_a_damaged_byte_is_refused_or_changes_nothing(packed: bytes) -> None:
    end = len(packed) - 600  # the zip's directory, the part with most faults
    places = {*range(0, 600, 2), *range(end, len(packed)), *Random(13).sample(range(len(packed)), 400)}
    damaged_bytes_are_refused(packed, sorted(places))


@pytest.mark.nightly
def test_every_damaged_byte_is_refused_or_changes_nothing(packed: bytes) -> None:
    damaged_bytes_are_refused(packed, range(len(packed)))


def damaged_bytes_are_refused(packed: bytes, places: Sequence[int]) -> None:
    lots, refused, before = Random(13), 0, contents(packed)
    for at in places:
        content = bytearray(packed)
        content[at] ^= 1 << lots.randrange(8)
        try:
            found = contents(bytes(content))
        except NotStored:
            refused += 1
        else:
            assert found == before, at
    assert refused > 0.8 * len(places)


def contents(content: bytes) -> Mapping[str, bytes]:
    """A bundle's files. Raises NotStored."""
    opened, found = Bundle(io.BytesIO(content)), dict[str, bytes]()
    for name in opened.files:
        opened.write(name, out := io.BytesIO())
        found[name] = out.getvalue()
    return found


def test_a_file_cut_short_or_longer_is_refused(packed: bytes, tmp_path: Path) -> None:
    for size in (0, 1, 4, 21, 22, 100, len(packed) // 2, len(packed) - 1):
        assert refusal(packed[:size], tmp_path) == "bundle-damaged"
    assert refusal(packed + b"x", tmp_path) == "bundle-damaged"
    assert refusal(b"x" + packed, tmp_path) == "bundle-damaged"


@pytest.mark.parametrize(
    "name", ["../house.db", "/etc/passwd", "folder/house.db", "house.db-wal", "..\\x", "x" * 300, "HOUSE.DB"]
)
def test_only_known_names_are_taken(packed: bytes, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "inner"
    folder.mkdir()
    content = rewritten(packed, lambda files: files.update({name: b"x"}), sums=True)
    assert refusal(content, folder) == "bundle-damaged"
    hidden = rewritten(packed, lambda files: files.update({name: b"x"}))
    assert refusal(hidden, folder) == "bundle-damaged"
    assert [path.name for path in tmp_path.iterdir()] == ["inner"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_links_duplicates_secrets_and_other_packings_are_refused(packed: bytes, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(packed)) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}

    def made(change: Callable[[zipfile.ZipInfo], None] = lambda info: None, *, more: str = "", bits: int = 0) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as target:
            for name in [*files, *([more] if more else [])]:
                info = zipfile.ZipInfo(name)
                if name == KEY:
                    change(info)
                target.writestr(info, files[name])
            for info in target.filelist:
                info.flag_bits |= bits
        return out.getvalue()

    def is_link(info: zipfile.ZipInfo) -> None:
        info.external_attr = (stat.S_IFLNK | 0o777) << 16

    def is_folder(info: zipfile.ZipInfo) -> None:
        info.external_attr = (stat.S_IFDIR | 0o777) << 16

    def is_bzip(info: zipfile.ZipInfo) -> None:
        info.compress_type = zipfile.ZIP_BZIP2

    assert refusal(made(), tmp_path) == ""
    assert refusal(made(is_link), tmp_path) == "bundle-damaged"
    assert refusal(made(is_folder), tmp_path) == "bundle-damaged"
    assert refusal(made(is_bzip), tmp_path) == "bundle-damaged"
    assert refusal(made(more=TABLES), tmp_path) == "bundle-damaged"
    assert refusal(made(bits=1), tmp_path) == "bundle-damaged", "encrypted"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"format": 2}, "bundle-newer"),
        ({"format": 2, "files": None}, "bundle-newer"),
        ({"format": 0}, "bundle-damaged"),
        ({"format": "1"}, "bundle-damaged"),
        ({"format": True}, "bundle-damaged"),
        ({"files": []}, "bundle-damaged"),
        ({"files": None}, "bundle-damaged"),
        ({"files": [1]}, "bundle-damaged"),
        ({"files": {"house.db": "x"}}, "bundle-damaged"),
        ({"files": {}}, "bundle-damaged"),
    ],
)
def test_contents_that_say_something_else_are_refused(
    packed: bytes, tmp_path: Path, change: Mapping[str, object], why: str
) -> None:
    def lie(files: dict[str, bytes]) -> None:
        files[CONTENTS] = json.dumps(json.loads(files[CONTENTS]) | change).encode()

    assert refusal(rewritten(packed, lie), tmp_path) == why


def test_files_told_as_a_list_of_pairs_are_refused(packed: bytes, tmp_path: Path) -> None:
    def lie(files: dict[str, bytes]) -> None:
        told = json.loads(files[CONTENTS])
        files[CONTENTS] = json.dumps(told | {"files": list(told["files"].items())}).encode()

    assert refusal(rewritten(packed, lie), tmp_path) == "bundle-damaged"


@pytest.mark.parametrize("text", [b"", b"null", b"{" * 3000, b"[" * 3999, b"\xff\xfe", b" " * 5000])
def test_contents_that_are_no_json_are_refused(packed: bytes, tmp_path: Path, text: bytes) -> None:
    assert refusal(rewritten(packed, lambda files: files.update({CONTENTS: text})), tmp_path) == "bundle-damaged"


@pytest.mark.parametrize(("told", "why"), [(10_000_000_000, "bundle-large"), (0, ""), (77_824, "bundle-damaged")])
def test_gigabytes_of_zeros_are_refused_at_once(packed: bytes, tmp_path: Path, told: int, why: str) -> None:
    """The directory says how much there is, and is refused. Or it lies, and no more than it says is unpacked."""
    size = told or 60_000_000
    with zipfile.ZipFile(io.BytesIO(packed)) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    files[TABLES] = b""
    with_sums(files)
    said = json.loads(files[CONTENTS])
    said["files"][TABLES]["bytes"] = size
    files[CONTENTS] = json.dumps(said).encode()
    del files[TABLES]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            target.writestr(name, data)
        with target.open(TABLES, "w", force_zip64=True) as file:
            for _ in range(60):
                file.write(bytes(1_000_000))
        target.filelist[-1].file_size = size
    refusal(packed[:100], tmp_path)  # the imports of a process's first refusal are not counted
    tracemalloc.start()
    try:
        assert refusal(out.getvalue(), tmp_path) == (why or "bundle-damaged")
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_zeros_in_small_pieces_are_refused_unwritten(packed: bytes, tmp_path: Path) -> None:
    def swell(files: dict[str, bytes]) -> None:
        files[BOOK] = bytes(50_000_000)
        with_sums(files)

    assert refusal(rewritten(packed, swell), tmp_path) == "bundle-damaged"
    assert refusal(packed, tmp_path, most=100_000) == "bundle-large"
    long_key = rewritten(packed, lambda files: files.update({KEY: b"5e" * 600}), sums=True)
    assert refusal(long_key, tmp_path) == "bundle-damaged"


def test_a_directory_of_a_million_files_is_not_read(packed: bytes, tmp_path: Path) -> None:
    one = packed[packed.rindex(b"PK\1\2") : -22]
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 6, 6, len(one) * 1_000_000, 0, 0)
    tracemalloc.start()
    content = one * 1_000_000 + end
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    assert refusal(content, tmp_path) == "bundle-damaged"
    assert tracemalloc.get_traced_memory()[1] - before < 200_000
    tracemalloc.stop()


TABLE_FAULTS = {
    "bundle-newer": ["PRAGMA user_version = 99"],
    "bundle-damaged": [
        "PRAGMA application_id = 5",
        "PRAGMA user_version = 0",
        "PRAGMA journal_mode = WAL",
        "CREATE TABLE more (x)",
        "CREATE TRIGGER t AFTER INSERT ON log BEGIN DELETE FROM log; END",
        "CREATE VIEW v AS SELECT 1",
        "DROP TABLE orders",
        "ALTER TABLE log ADD COLUMN y",
        "UPDATE house SET value = 1000000000000 WHERE name = 'secret'",
        "UPDATE house SET value = x'00' WHERE name = 'secret'",
        "UPDATE tables SET names = 'nobody'",
        "UPDATE tables SET names = '{}'",
        "UPDATE tables SET names = '[1]'",
        "UPDATE tables SET updated = 'now' WHERE id = 1",
        "UPDATE tables SET code = x'00' WHERE id = 1",
        "UPDATE tables SET listed = 7 WHERE id = 1",
        "UPDATE tables SET listed = 'x' WHERE id = 1",
        "UPDATE tables SET updated = 1 << 62 WHERE id = 1",
        "UPDATE tables SET updated = -1 WHERE id = 1",
        *(
            f"UPDATE tables SET id = {number} WHERE id = 1; UPDATE log SET table_id = {number} WHERE table_id = 1;"
            f"UPDATE sitting SET table_id = {number} WHERE table_id = 1; UPDATE orders SET table_id = {number}"
            for number in ("-5", "0", "1 << 62")
        ),
        "INSERT INTO log (table_id, seq, lines) VALUES (99, 1, 'x')",
        "INSERT INTO log (table_id, key, body, answer) VALUES (99, 'a 1', x'', x'')",
        "INSERT INTO sitting VALUES ('ann', 99)",
        "INSERT INTO orders VALUES ('ann 9', 99, x'')",
        "INSERT INTO sitting VALUES (x'00', 1)",
        "INSERT INTO sitting VALUES (printf('%.*c', 1000000, 'x'), 1)",
        "INSERT INTO orders VALUES (x'00', 1, x'')",
        "INSERT INTO orders VALUES ('ann 9', 1, 'x')",
        "INSERT INTO orders VALUES ('ann ' || char(0) || printf('%.*c', 1000000, 'x'), 1, x'')",
        "INSERT INTO log (table_id, key, body, answer) VALUES (1, 'ann 9', 'x', x'')",
        "INSERT INTO log (table_id, key, body, answer) VALUES (1, 'ann 9', NULL, x'')",
        "INSERT INTO log (table_id, key, body, answer) VALUES (1, 'ann 9', x'', 'x')",
        "INSERT INTO log (table_id, key, body, answer) VALUES (1, x'00', x'', x'')",
        "INSERT INTO log (table_id, key, body, answer) VALUES (1, printf('%.*c', 1000000, 'x'), x'', x'')",
        "INSERT INTO log (table_id, key, body, answer) VALUES (1, 'ann 9', x'', x''), (1, 'ann 9', x'', x'')",
        "INSERT INTO log (table_id, seq, lines) VALUES (1, -1, 'x')",
        "INSERT INTO log (id, table_id, key, body, answer) VALUES (9223372036854775806, 1, 'ann 9', x'', x'')",
    ],
}


@pytest.mark.parametrize(
    ("statement", "why"), [(statement, why) for why, statements in TABLE_FAULTS.items() for statement in statements]
)
def test_tables_that_no_house_wrote_are_refused(
    house: Path, packed: bytes, tmp_path: Path, statement: str, why: str
) -> None:
    def tamper(files: dict[str, bytes]) -> None:
        (path := tmp_path / "tampered").write_bytes(files[TABLES])
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.executescript(statement)
        files[TABLES] = path.read_bytes()
        path.unlink()
        with_sums(files)

    assert refusal(rewritten(packed, tamper), tmp_path) == why


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (TABLES, b""),
        (TABLES, b"no database " * 1000),
        (BOOK, b"SQLite format 3\0"),
        (BOOK, b"SQLite format 3\0\x10\0\1\1" + bytes(5000)),
        (KEY, b"5e" * 31),
        (KEY, b"no key"),
        (OPENED, b"\xff\n"),
        (COOKIES, b"[]"),
        (COOKIES, b'{"name": 5}'),
        (COOKIES, b'{"name": "\\ud800"}'),
        (COOKIES, b'{"name": "two\\r\\nlines"}'),
        (COOKIES, b"{" * 20_000),
        (COOKIES, b"[" * 20_000),
    ],
)
def test_files_that_are_something_else_are_refused(packed: bytes, tmp_path: Path, name: str, content: bytes) -> None:
    changed = rewritten(packed, lambda files: files.update({name: content}), sums=True)
    assert refusal(changed, tmp_path) == "bundle-damaged"


ENTRY = "INSERT INTO entries (player, code, at, seat, game, form, seats, won, state) VALUES"
BOOK_FAULTS = [
    "DELETE FROM book",
    "UPDATE book SET value = 32",
    "DELETE FROM players",
    "UPDATE players SET words = 'no bytes'",
    "UPDATE links SET person = printf('%.*c', 1000000, 'A')",
    "UPDATE players SET joined = 1 << 62",
    "UPDATE links SET since = -1",
    "UPDATE sqlite_sequence SET seq = 9223372036854775807",
    "INSERT INTO links VALUES ('eve', 99, 1)",
    "INSERT INTO sums VALUES (99, 'midnight', 'win', 1, 1.0, '{}')",
    f"{ENTRY} (1, 'KORBUM', 1 << 62, 0, 'midnight', 'rounds 5', 2, 1.0, 'new')",
    f"{ENTRY} (1, 'KORBUM', 1, -1, 'midnight', 'rounds 5', 2, 1.0, 'new')",
    f"{ENTRY} (1, 'KORBUM', 1, 0, 'midnight', 'rounds 5', 2, 9e999, 'new')",
    f"{ENTRY} (1, 'KORBUM', 1, 0, 'midnight', 'rounds 5', 2, 'x', 'new')",
    f"{ENTRY} (1, x'00', 1, 0, 'midnight', 'rounds 5', 2, 1.0, 'new')",
]


@pytest.mark.parametrize(
    ("statement", "why"),
    [*((statement, "bundle-damaged") for statement in BOOK_FAULTS), ("DELETE FROM links; DELETE FROM players", "")],
)
def test_a_book_that_no_house_wrote_is_refused(packed: bytes, tmp_path: Path, statement: str, why: str) -> None:
    def tamper(files: dict[str, bytes]) -> None:
        (path := tmp_path / "tampered").write_bytes(files[BOOK])
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.executescript(statement)
        files[BOOK] = path.read_bytes()
        path.unlink()

    assert refusal(rewritten(packed, tamper, sums=True), tmp_path) == why


def test_a_book_is_no_tables_and_tables_are_no_book(packed: bytes, tmp_path: Path) -> None:
    def swap(files: dict[str, bytes]) -> None:
        files[TABLES], files[BOOK] = files[BOOK], files[TABLES]
        with_sums(files)

    assert refusal(rewritten(packed, swap), tmp_path) == "bundle-damaged"
