"""Players' books of every version so far, kept as SQL: their phones have their games, and their words open them."""

import asyncio
import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pubdice.store.sqlite.book_file import book_path
from support.house import Pub

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
