"""Pockets for tests, in ordinary Python: a folder after an evening of play, and requests to the engine as from
a page.
"""

import asyncio
import json
import lzma
import secrets
import shutil
import sqlite3
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from databases.every_event import OPENED, PEOPLE, SEALS, Evening, order, spend
from pubdice.core.seal import read_seal
from pubdice.room import commands as ask
from pubdice.server.web.browser import person_of
from pubdice.store import SqliteReader, SqliteStore
from pubdice.store.bundle import BOOK, COOKIES, KEY, PARTS, TABLES
from pubdice.store.bundle import OPENED as OPENED_SEALS
from pubdice.store.players_book import BookEntry
from pubdice.store.sqlite.house_files import bundle_path
from pubdice.store.sqlite.players import PlayersFile
from pubdice_pocket.browser.engine import Engine, PocketRequest
from pubdice_pocket.browser.pocket import Pocket
from support.profiles import NIGHTLY

QUICKLY = () if NIGHTLY else ("--liftoff-only",)
"""Switches of Node. By day, Node compiles the engine only quickly and does not optimise it. That saves 1.1 s
of processor time."""
TOKEN = "AAAAAAAAAAAAAAAAAAAAAA"
COOKIES_KEPT = {"pubdice": TOKEN, "name": "Ann", "language": "en"}
MORE = {"SHYPPP": "ship", "THREEZ": "threes", "SHUTBX": "shutbox"}  # tables of games that the evening does not play
GOES_ON = "PLAYNG"  # the code of a table at which Ann and Bob are in the middle of Midnight


def live(folder: Path) -> Path:
    """Make a pocket after an evening with every game and event, sealed dice and a book. Its browser is Ann's. Return
    the file of its tables.
    """
    person = person_of(TOKEN)
    assert person
    folder.mkdir(exist_ok=True)
    data = folder / TABLES
    with patch.dict(PEOPLE, Ann=person):
        spend(data)
        with closing(SqliteStore(data)) as store:
            for code, game in (*MORE.items(), (GOES_ON, "midnight")):
                table = Evening(store, code, order({"game": game}, 2, listed=True))
                for seat, name in enumerate(("Ann", "Bob")):
                    table.do(name, ask.Sit(seat, name))
                table.play(lambda state: state.setup.rules["game"] == "midnight" and state.rolls > 2)
    bundle_path(data, KEY).write_text(SEALS.key.hex() + "\n", "ascii")
    bundle_path(data, COOKIES).write_text(json.dumps(COOKIES_KEPT), "utf-8")
    with closing(SqliteReader(data)) as reader:
        sealed = json.loads(reader.read(reader.codes()["SEALED"])[0])["seal"]
    bundle_path(data, OPENED_SEALS).write_text(f"{read_seal(sealed).table}\n", "ascii")
    book = PlayersFile(bundle_path(data, BOOK))
    book.begin(person, 5)
    worth = {"lost": 0.25, "decisions": 12.0}
    book.add([BookEntry(1, "SHYPPP", OPENED, 0, "ship", "rounds 1", 2, 1.0, "worked", "win", worth)])
    book.close()
    return data


def content(data: Path) -> Mapping[str, Any]:
    """Return the content of a house's folder, in a form that does not depend on the order of pages in its databases."""
    found: dict[str, Any] = {}
    for name in PARTS:
        path = bundle_path(data, name)
        if not path.exists():
            continue
        found[name] = path.read_bytes()
        if name in (TABLES, BOOK):
            with closing(sqlite3.connect(path)) as db:
                found[name] = list(db.iterdump())
    return found


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Pocket]:
    folder.mkdir(exist_ok=True)
    of = pocket(folder)
    await of.begin()
    try:
        yield of
    finally:
        await of.end()


def at(folder: Path, work: Callable[[Pocket], Coroutine[Any, Any, Any]]) -> Any:
    """Open the engine on a folder, and do work with it."""

    async def whole() -> Any:
        async with opened(folder) as of:
            return await work(of)

    return asyncio.run(whole())


def by_node(*words: str) -> Any:
    """Run Node, and return the JSON in the last line that it prints. If there is no Node, skip the test."""
    if shutil.which("node") is None:
        pytest.skip("no Node: .ci/install installs it with npm")
    done = subprocess.run(["node", *words], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    return json.loads(done.stdout.splitlines()[-1])


def in_node(built: Path, folder: Path, script: Path) -> Any:
    """Return the JSON that a script prints in the built folder's own Python, in Node. The engine is unpacked to
    ``folder``.
    """
    for packed in (built / "pocket").rglob("*.lzma"):
        unpacked = folder / packed.relative_to(built / "pocket").with_suffix("")
        unpacked.parent.mkdir(exist_ok=True, parents=True)
        unpacked.write_bytes(lzma.decompress(packed.read_bytes()))
    shutil.copy(built / "pocket" / "libraries.js", folder)
    return by_node(*QUICKLY, str(Path(__file__).with_name("run_in_node.mjs")), str(folder), str(script))


FORM = "application/x-www-form-urlencoded"
Begin = Callable[[int, list[tuple[str, str]]], object]


def pocket(folder: Path) -> Pocket:
    return Pocket(partial(Engine, folder, time.time_ns, secrets.token_bytes))


@dataclass
class Answered:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def data(self) -> Any:
        return json.loads(self.body)


async def answered(of: Pocket, request: PocketRequest, heard: Begin = lambda status, sent: None) -> Answered:
    """Return the engine's answer to a request. ``heard`` is called with the head of the answer, as soon as it comes."""
    answer = Answered()

    def begin(status: int, sent: list[tuple[str, str]]) -> None:
        answer.status, answer.headers = status, {name.lower(): value for name, value in sent}
        heard(status, sent)

    def part(piece: bytes, more: bool) -> None:
        answer.body += piece

    await of.answer(request, begin, part)
    return answer


async def page(of: Pocket, target: str, data: object = None) -> Answered:
    """Send a request to the engine as a page does, and follow redirects. ``data`` is JSON from a script, or bytes from
    a form.
    """
    headers = [("accept", "text/html,*/*")]
    body = data if isinstance(data, bytes) else b"" if data is None else json.dumps(data).encode()
    if body:
        kind = FORM if isinstance(data, bytes) else "application/json"
        headers = [("accept", "text/html,*/*")] if kind == FORM else []
        headers += [("content-type", kind), ("content-length", str(len(body)))]
    answer = await answered(of, PocketRequest("GET" if data is None else "POST", target, headers, body))
    return await page(of, answer.headers["location"]) if answer.status in (303, 307) else answer


async def records(of: Pocket, codes: list[str]) -> dict[str, str]:
    found = {code: await page(of, f"/t/{code}/record") for code in codes}
    assert {answer.status for answer in found.values()} == {200}, found
    return {code: answer.text for code, answer in found.items()}
