"""Tests of a full tablespace: the house answers with one sentence and the right status, leaves nothing half done, and
recovers once there is room.

The tablespace is a small file system in memory. Only root can mount it, so the tests run at night.
"""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from cluster.houses import houses
from support.house_process import House, Phone, run
from support.postgres import PostgresServer, own_server

pytestmark = pytest.mark.nightly
SIZE_MB = 24
LEFT = 64 * 1024
NAME = "small"


@dataclass(frozen=True, slots=True)
class Small:
    """A database in a small tablespace, and the folder where the tablespace is mounted."""

    address: str
    folder: Path

    def fill(self) -> None:
        """Fill the tablespace until only LEFT bytes are free."""
        with psycopg.connect(self.address, autocommit=True) as db:
            db.execute("CHECKPOINT")  # after this, pages in memory have their room on the disk
        left = shutil.disk_usage(self.folder).free
        (self.folder / "filler").write_bytes(bytes(left - LEFT))

    def free(self) -> None:
        (self.folder / "filler").unlink(missing_ok=True)


@contextmanager
def small_tablespace(server: PostgresServer) -> Iterator[Small]:
    """Open a database in a tablespace of SIZE_MB. If no file system can be mounted, skip the test."""
    with TemporaryDirectory(prefix="pubdice-small-", dir="/tmp") as made:
        folder = Path(made)
        mounts = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m", "tmpfs", made]
        if (mounted := subprocess.run(mounts, capture_output=True, check=False)).returncode:
            pytest.skip(f"no file system of one's own may be made here ({mounted.stderr.decode().strip()})")
        try:
            own = folder / "space"
            own.mkdir(mode=0o700)
            folder.chmod(0o711)
            if server.user:
                shutil.chown(own, server.user)
            with psycopg.connect(server.address, autocommit=True) as db:
                db.execute(f"CREATE TABLESPACE {NAME} LOCATION '{own}'")
                db.execute(f"CREATE DATABASE {NAME} TABLESPACE {NAME}")
                small = Small(f"{server.address.rpartition('/')[0]}/{NAME}", folder)
                yield small
                small.free()
                db.execute(f"DROP DATABASE {NAME} WITH (FORCE)")
                db.execute(f"DROP TABLESPACE {NAME}")
        finally:
            subprocess.run(["umount", "--lazy", made], check=True)


async def until_full(ann: Phone, code: str) -> None:
    """Send commands until there is no more room, not even within the pages of the tables."""
    for at in range(2_000):
        answer = await ann.do(code, do="pace", ms=at % 40)
        if answer.status != 200:
            assert (answer.status, answer.data["code"]) == (503, "store-unwritable"), answer.body
            assert "\n" not in answer.data["why"]
            return
    raise AssertionError("there is always room")


async def filled_and_freed(house: House, small: Small) -> None:
    ann = Phone(house.port, "ann")
    code = await ann.open_table(game="midnight")
    small.fill()
    await until_full(ann, code)
    asked = {"key": ann.key(), "do": "pace", "ms": 17}
    before = (await ann.view(code))["seq"]
    while (answer := await ann.ask("POST", f"/t/{code}", asked)).status == 200:
        asked["key"], before = ann.key(), answer.data["seq"]
    assert answer.status == 503
    assert (await ann.view(code))["seq"] == before, "what is not stored is not shown"
    small.free()
    assert (await ann.ask("POST", f"/t/{code}", asked)).status == 200
    assert (await ann.view(code))["seq"] == before + 1


def test_a_full_tablespace_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    with own_server() as server, small_tablespace(server) as small, houses(small.address, tmp_path, 1) as (house,):
        run(filled_and_freed(house, small))
        assert "Traceback" not in house.errors()


def test_no_house_begins_in_a_full_tablespace(tmp_path: Path) -> None:
    with own_server() as server, small_tablespace(server) as small:
        small.fill()
        house = House(tmp_path, "--store", small.address)
        house.begin()
        assert house.end() == 1, house.errors()
        assert house.errors().count("\n") == 1
        assert house.errors().startswith("pubdice: ")
        assert "Traceback" not in house.errors()
