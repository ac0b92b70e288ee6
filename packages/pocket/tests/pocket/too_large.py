"""Asks a pocket everything about tables of three: as JSON, what each page and answer says.

Run in a Python without numpy, with the folder to use and a language's tag.
"""

import asyncio
import html
import json
import re
import sys
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

from databases.every_event import PEOPLE, Evening, order
from pocket.pockets import COOKIES_KEPT, TOKEN, Answered, pocket
from pubdice.room import commands as ask
from pubdice.server.web.browser import person_of
from pubdice.store import SqliteStore
from pubdice.store.bundle import COOKIES, TABLES
from pubdice.store.sqlite.house_files import bundle_path
from pubdice_pocket.browser.engine import PocketRequest
from pubdice_pocket.browser.pocket import Pocket

TABLES_OF = {
    "THREPS": {"game": "threes", "format": "rounds 1"},
    "MEXCPD": {"game": "mexico", "format": "rounds 1"},
    "RACEPD": {"game": "420"},
}
POSITIONS = (
    "/ask/ship?roll=6+5+4+2+1&format=rounds&rounds=5&seats=3",
    "/ask/420?hands=6551,6442,4332",
    "/prices/ship?seats=3",
    "/prices/mexico?seats=3",
    "/prices/420?seats=3",
)


def tables(data: Path) -> None:
    """Tables of three in which it is Ann's turn to choose, and one of each game that is over."""
    with patch.dict(PEOPLE, Ann=person_of(TOKEN)), closing(SqliteStore(data)) as store:
        store.settle("secret", bytes(range(32)))
        for code, rules in TABLES_OF.items():
            for name in (code, code.replace("P", "V")):
                table = Evening(store, name, order(rules, 3, lessons=2, chances=True, bots=("tip",)))
                table.do("Ann", ask.Sit(0, "Ann"))
                table.do("Bob", ask.Sit(1, "Bob"))
                if name == code:
                    table.play(lambda state: state.mover == 0 and _chooses(state))
                else:
                    table.play()


def _chooses(state: Any) -> bool:
    return len(state.match.table.match.legal(state.match.state.match)) > 1


async def asked(of: Pocket, target: str, tag: str, data: object = None, times: int = 15) -> Answered:
    """An answer that is there, as a page waits for it."""
    body = b"" if data is None else json.dumps(data).encode()
    headers = [("accept", "text/html,*/*"), ("accept-language", tag), ("sec-fetch-site", "same-origin")]
    if body:
        headers += [("content-type", "application/json"), ("content-length", str(len(body)))]
    for _ in range(times):
        answer = Answered()

        def begin(status: int, sent: list[tuple[str, str]], answer: Answered = answer) -> None:
            answer.status, answer.headers = status, {name.lower(): value for name, value in sent}

        def part(piece: bytes, more: bool, answer: Answered = answer) -> None:
            answer.body += piece

        await of.answer(PocketRequest("POST" if body else "GET", target, headers, body), begin, part)
        if answer.status in (303, 307):
            return await asked(of, answer.headers["location"], tag)
        if answer.status != 202:
            return answer
        await asyncio.sleep(0.05)
    raise AssertionError((target, answer.status, answer.text[-300:]))


async def main(folder: Path, tag: str) -> dict[str, list[Any]]:
    """By address: the status, and the words of the answer."""
    tables(folder / TABLES)
    bundle_path(folder / TABLES, COOKIES).write_text(json.dumps({**COOKIES_KEPT, "language": tag}), "utf-8")
    opened, found = pocket(folder), {}
    await opened.begin()
    for code in TABLES_OF:
        over = code.replace("P", "V")
        for target in (f"/t/{code}", f"/t/{over}/receipt", f"/t/{over}/ask/1"):
            found[target] = await asked(opened, target, tag)
        command = {"do": "hint", "key": f"{code}-hint-00000001"}
        found[f"/t/{code} hint"] = await asked(opened, f"/t/{code}", tag, command)
    for target in POSITIONS:
        found[target] = await asked(opened, target, tag)
    await opened.end()
    told = {name: re.sub("<[^>]+>", " ", html.unescape(answer.text)) for name, answer in found.items()}
    return {name: [found[name].status, " ".join(words.split())] for name, words in told.items()}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))))
