"""Houses of every version so far, kept as SQL: each opens, replays and stands as it did, in this version and all later.

``--regenerate`` writes the evening of the version under development anew, as long as none of that version is released.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import get_args

import pytest

from databases.evening import spend
from pubdice.games import GAMES
from pubdice.party import Party, read_setup
from pubdice.party import events as happened
from pubdice.server.commands import verify
from pubdice.server.tell import Teller
from pubdice.server.views import Moment, Viewer
from pubdice.store import SqliteReader, SqliteStore
from pubdice.words import Language

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


def standing(file: Path) -> dict[str, object]:
    """Where every table of a house stands: what was said last of all, and how it ended."""
    stands: dict[str, object] = {}
    with closing(SqliteReader(file)) as reader:
        for code, number in reader.codes().items():
            log = reader.read(number)
            party = Party(GAMES[read_setup(log[0]).rules["game"]], read_setup(log[0]))
            state = party.start()
            for step in party.replay(state, log[1:]):
                state = step.after
            teller = Teller(Language(), party.kit)
            view = Viewer(Language(), party.kit, teller).view(state, Moment(state.at, 0, {}, "/t/"), [])
            stands[code] = {
                "stage": view.stage,
                "events": state.seq,
                "rolls": state.rolls,
                "seats": [f"{seat.name} ({seat.kind})" for seat in view.seats],
                "standing": view.standing,
                "prompt": view.prompt,
                "result": view.result,
            }
    return stands


def test_the_evening_of_this_version_is_kept(tmp_path: Path, regenerate: bool) -> None:
    spend(tmp_path / "house.db")
    dump = HERE / "house-1.sql"
    if regenerate:
        dump.write_text(dumped(tmp_path / "house.db"), encoding="utf-8")
        told = json.dumps(standing(tmp_path / "house.db"), indent=1, ensure_ascii=False)
        dump.with_suffix(".json").write_text(told + "\n", encoding="utf-8")
    assert dump.read_text(encoding="utf-8") == dumped(tmp_path / "house.db")


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_an_old_house_opens_and_stands_as_it_did(dump: Path, tmp_path: Path) -> None:
    file = restored(dump, tmp_path / "house.db")
    SqliteStore(file).close()  # brings it forward
    assert standing(file) == json.loads(dump.with_suffix(".json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_every_log_of_an_old_house_replays(dump: Path, tmp_path: Path) -> None:
    with closing(SqliteReader(restored(dump, tmp_path / "house.db"))) as reader:
        assert reader.damage() == []
        assert sum(verify(reader.read(number), GAMES) for number in reader.tables()) > 100


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_an_answer_given_by_an_old_house_is_still_known(dump: Path, tmp_path: Path) -> None:
    with closing(SqliteReader(restored(dump, tmp_path / "house.db"))) as reader:
        assert reader.answer(reader.codes()["WAYTNG"], "Ann key-00000001") == b'{"seq":1}'


def test_the_evening_holds_every_kind_of_event() -> None:
    text = (HERE / "house-1.sql").read_text(encoding="utf-8")
    words = [kind.__name__.lower() for kind in get_args(happened.Event) if kind is not happened.Moved]
    for word in [*words, "draw", "roll", "mark", "play", "back"]:
        assert f" {word}" in text, word
