"""Files and databases of every earlier version: a house opens on each, and all they hold is there."""

import asyncio
import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import get_args

import pytest

from databases.every_event import PEOPLE, spend
from pubdice.core.errors import NotStored
from pubdice.games import GAMES
from pubdice.match.table import TableEvent
from pubdice.room import Room, read_setup
from pubdice.room.events import BY_TAG
from pubdice.room.setup_text import EXPECTED, PLANNED, ROW, SETUP
from pubdice.server.log_check import verify
from pubdice.store import SqliteReader, SqliteStore
from pubdice.store.sqlite import schema
from pubdice.store.sqlite.book_file import book_path
from pubdice.store.sqlite.schema import VERSIONS
from support.house import Pub

HERE = Path(__file__).parent
DUMPS = sorted(HERE.glob("house-*.sql"))


def restored(dump: Path, file: Path) -> Path:
    """The house's file as that version left it."""
    with closing(sqlite3.connect(file)) as db:
        db.executescript(dump.read_text(encoding="utf-8"))
    return file


def dumped(file: Path) -> str:
    """A house's file as SQL, with the two numbers that a dump leaves out."""
    with closing(sqlite3.connect(file)) as db:
        numbers = [
            f"PRAGMA {name} = {db.execute(f'PRAGMA {name}').fetchone()[0]};"
            for name in ("application_id", "user_version")
        ]
        return "\n".join([*numbers, *db.iterdump(), ""])


def standing(file: Path) -> dict[str, dict[str, object]]:
    """The state of every table of a house, in facts. Its words may change."""
    stands: dict[str, dict[str, object]] = {}
    with closing(SqliteReader(file)) as reader:
        for code, number in reader.codes().items():
            log = reader.read(number)
            room = Room(GAMES[read_setup(log[0]).rules["game"]], read_setup(log[0]))
            state = room.start()
            for step in room.replay(state, log[1:]):
                state = step.after
            tally = state.match.state.match.tally if state.match else None
            stands[code] = {
                "stage": state.stage,
                "events": state.seq,
                "rolls": state.rolls,
                "seats": [f"{chair.name} ({chair.kind})" for chair in state.chairs],
                "mover": state.mover,
                "points": list(tally.points) if tally else [],
                "out": sorted(tally.out) if tally else [],
            }
    return stands


def known(stands: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    """The facts written down of it, in version 1 beside sentences."""
    facts = ("stage", "events", "rolls", "seats", "mover", "points", "out")
    return {code: {fact: stand[fact] for fact in facts if fact in stand} for code, stand in stands.items()}


def test_the_evening_of_this_version_is_kept(tmp_path: Path, regenerate: bool) -> None:
    spend(tmp_path / "house.db")
    dump = HERE / f"house-{len(VERSIONS)}.sql"
    if regenerate:
        dump.write_text(dumped(tmp_path / "house.db"), encoding="utf-8")
        told = json.dumps(standing(tmp_path / "house.db"), indent=1, ensure_ascii=False)
        dump.with_suffix(".json").write_text(told + "\n", encoding="utf-8")
    assert dump.read_text(encoding="utf-8") == dumped(tmp_path / "house.db")


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_an_old_house_opens_and_stands_as_it_did(dump: Path, tmp_path: Path) -> None:
    file = restored(dump, tmp_path / "house.db")
    SqliteStore(file).close()  # brings it forward
    kept = known(json.loads(dump.with_suffix(".json").read_text(encoding="utf-8")))
    assert kept
    for code, stand in standing(file).items():
        assert {fact: stand[fact] for fact in kept[code]} == kept[code]


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_every_log_of_an_old_house_replays(dump: Path, tmp_path: Path) -> None:
    with closing(SqliteReader(restored(dump, tmp_path / "house.db"))) as reader:
        assert reader.damage() == []
        assert sum(verify(reader.read(number), GAMES) for number in reader.tables()) > 100


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_an_answer_given_by_an_old_house_is_still_known(dump: Path, tmp_path: Path) -> None:
    with closing(SqliteReader(restored(dump, tmp_path / "house.db"))) as reader:
        assert reader.answer(reader.codes()["WAYTNG"], "Ann key-00000001") == b'{"seq":1}'


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_the_front_page_lists_the_tables_of_an_old_house(dump: Path, tmp_path: Path) -> None:
    async def evening() -> None:
        pub = Pub(restored(dump, tmp_path / "house.db"))
        await pub.open()
        try:
            page = (await pub.client().get("/", "text/html")).text
            assert "Midnight with Ann" in page
            assert "Waiting for players" in page
            assert [row.code for row in pub.store.lobby(9)] == ["WAYTNG"]
        finally:
            await pub.close()
        pub.sound()

    asyncio.run(evening())


def test_a_table_ordered_in_this_version_is_known_by_its_key(tmp_path: Path) -> None:
    with closing(SqliteStore(restored(DUMPS[-1], tmp_path / "house.db"))) as store:
        assert store.ordered(f"{PEOPLE['Ann']} order-WAYTNG") == "WAYTNG"


def test_the_evening_holds_every_kind_of_event() -> None:
    text = DUMPS[-1].read_text(encoding="utf-8")
    for word in [*BY_TAG, "draw", "roll", "mark", "play", "back", "unplay"]:
        assert f" {word}" in text, word


FIRST = (
    "admitted back botted closed draw followed handedover joined left mark nudged opened paced paused play queued"
    " readied rematched removed renamed reopened resumed roll ruled sat seeded shared shifted started stoodin timedout"
    " unpaused unqueued unreadied voted"
)
SECOND = f"{FIRST} committed fixed retimed"
THIRD = f"{SECOND} recognised wenton"
FOURTH = f"{THIRD} backasked backagreed backdeclined unplay"
KINDS = {4: FIRST, 5: SECOND, 6: THIRD, 7: FOURTH}
"""The tags in logs, by the version of the file."""
WRITTEN_BY = {4: "house-4-seals-1.sql", 5: "house-5.sql", 6: "house-6.sql", 7: "house-7.sql"}
"""``house-4.sql`` was written by a state under development, with the new tags and the old number."""


def kinds(dump: Path, file: Path) -> set[str]:
    """The tags of all lines in the logs of a house."""
    with closing(SqliteReader(restored(dump, file))) as reader:
        return {line.split(" ")[1] for number in reader.tables() for line in reader.read(number)[1:]}


def test_a_new_kind_of_event_has_a_new_number_of_the_file(tmp_path: Path) -> None:
    """A contributor who adds a kind adds a version to the schema and one to ``KINDS``, and changes no released one."""
    number = len(VERSIONS)
    assert max(KINDS) == number
    assert HERE / WRITTEN_BY[number] == DUMPS[-1]
    for version, dump in WRITTEN_BY.items():
        assert kinds(HERE / dump, tmp_path / f"{version}.db") == set(KINDS[version].split()), version
    assert len(KINDS[number].split()) == len(BY_TAG) + len(get_args(TableEvent))


def test_a_program_that_knows_fewer_kinds_leaves_the_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = restored(DUMPS[-1], tmp_path / "house.db")
    monkeypatch.setattr(schema, "VERSIONS", VERSIONS[:4])
    for opened in (SqliteStore, SqliteReader):
        with pytest.raises(NotStored, match="store-newer"):
            opened(file)


def test_the_evening_has_all_that_a_first_line_may_hold() -> None:
    text = DUMPS[-1].read_text(encoding="utf-8")
    for key in (*SETUP, *PLANNED, *EXPECTED, *ROW):
        assert f'"{key}": ' in text, key


BOOKS = sorted(Path(__file__).parent.glob("book-*.sql"))
TOKENS = {"Ann": "FyObbiUBEDMO2mSinGEL8Q"}


@pytest.mark.parametrize("dump", BOOKS, ids=lambda dump: dump.stem)
def test_an_old_book_is_open_on_its_phones_and_by_its_words(dump: Path, tmp_path: Path) -> None:
    saved = json.loads(dump.with_suffix(".json").read_text(encoding="utf-8"))
    kept, words = saved["held"], saved["words"]
    with closing(sqlite3.connect(book_path(tmp_path / "house.db"))) as db:
        db.executescript(dump.read_text(encoding="utf-8"))

    async def read() -> None:
        pub = Pub(tmp_path / "house.db")
        await pub.open()
        try:
            ann = pub.client("Ann")
            ann.token = TOKENS["Ann"]
            answer = await ann.get("/book/export")
            assert answer.status == 200
            for part in ("joined", "browsers", "matches", "sums", "words"):
                assert answer.data[part] == kept[part], part
            typed = {"name": " queen of DIAMONDS", "words": words.upper().replace(" ", ", ")}
            page = await pub.client("phone").send("/book", do="earlier", name="Ann", words=words)
            assert page.status == 403
            assert "Open my old book" in page.text
            assert (await pub.client("phone").send("/book", do="earlier", **typed)).status == 303
            phone = (await pub.client("phone").get("/book/export")).data
            assert [phone[part] == kept[part] for part in ("matches", "sums")] == [True, True]
            assert (await pub.client("third").send("/book", do="earlier", **typed)).status == 303, "more than once"
            with pytest.MonkeyPatch.context() as patched:  # as in a browser's Python
                patched.delattr(hashlib, "scrypt")
                assert (await pub.client("fourth").send("/book", do="earlier", **typed)).status == 403
        finally:
            await pub.close()

    asyncio.run(read())
