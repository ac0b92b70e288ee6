"""Tables of a duplicate night: nothing of the night's secret, and no die of it, leaves the house before its time."""

import asyncio
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest

from pubdice.core.cup import Cup, DiceSlot, NightMark, SeededCup, read_night, secret_of
from pubdice.core.seal import KeyedSeals
from pubdice.server.observe import start_log
from pubdice.store.sqlite.store import copy
from server.http.test_night import begun, own_table, sent
from support.house import Pub, play_turn
from support.same_bytes import same_bytes


async def test_the_secret_of_a_night_is_nowhere_stored(pub: Pub, tmp_path_factory: pytest.TempPathFactory) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    code = await own_table(ann, await begun(ann))
    await bob.done(code, "sit", name="Bob")
    await play_turn(pub, code, [ann, bob])
    secret = secret_of(pub.key, read_night(pub.actor(code).state.setup.night).code)
    backup = tmp_path_factory.mktemp("backup") / "copy.db"
    copy(pub.path, backup)
    for file in [*pub.path.parent.iterdir(), backup]:
        kept = file.read_bytes()
        assert secret not in kept
        assert secret.hex().encode() not in kept
        assert pub.key not in kept


class LaidNight(KeyedSeals):
    """A house whose nights have the same mark and dice, so that only the secret key differs."""

    def night(self, code: str) -> NightMark:
        return NightMark(code, "ab" * 8)

    def night_cup(self, night: NightMark, slot: DiceSlot) -> Cup:
        return SeededCup(f"{slot}")


def _all_bytes(folder: Path, key: bytes) -> list[bytes]:
    """Everything that a house with this key sends and stores while a table of a night is played."""
    seen: list[bytes] = []
    logged = StringIO()
    end_log = start_log(logged)

    async def evening() -> None:
        pub = Pub(folder / "house.db")
        pub.seals = LaidNight(key, lambda size: b"\1" * size)
        await pub.open()
        try:
            ann, bob, cid = pub.client("Ann"), pub.client("Bob"), pub.client("Cid")
            night = await begun(ann, **{"midnight.rounds": "5"})
            code = await own_table(ann, night)
            await bob.done(code, "sit", name="Bob")
            streams = [await ann.look(code), await bob.look(code)]
            for _ in range(6):
                assert await play_turn(pub, code, [ann, bob])
            paths = f"/t/{code}/state", f"/t/{code}/record", "/metrics", night
            seen.extend([(await ann.get(path)).body for path in paths])
            seen.append((await ann.page(code)).body)
            seen.append((await cid.get(night, "text/html")).body)
            seen.append((await sent(cid, night, {"name": "Cid", "key": "of Cid"})).body)
            seen.extend(repr(message).encode() for stream in streams for message in stream.messages)
            copy(pub.path, folder / "backup.db")
            with closing(sqlite3.connect(folder / "backup.db")) as db:
                seen.append("\n".join(db.iterdump()).encode())
        finally:
            await pub.close()

    asyncio.run(evening())
    end_log()
    return [*seen, logged.getvalue().encode()]


def test_only_the_key_varies_and_every_byte_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    same_bytes(monkeypatch, tmp_path, _all_bytes, (b"one key" * 5, b"another key" * 5))
