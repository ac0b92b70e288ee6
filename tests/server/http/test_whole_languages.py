"""A page is in one language as a whole: its reader's, or English with a line in the reader's that says so."""

import pytest

from pubdice.text.catalogues import CODES, has_part
from support.by_day import LANGUAGES
from support.house import Pub
from support.html_tree import read

OF_A_TABLE = [code for code in CODES if not has_part(code, "pages")]
"""The languages that speak at a table alone."""


@pytest.mark.parametrize("code", [code for code in OF_A_TABLE if code in LANGUAGES])
async def test_a_page_speaks_the_readers_language_or_says_it_cannot(pub: Pub, code: str) -> None:
    client = pub.client("Ann", code)
    for path in ("/", "/help", "/language", "/rules/ship", "/t/NONONO", "/nowhere"):
        page = read((await client.get(path, "text/html")).text)
        assert page.one("html").attrs["lang"] == code, path
    for path in ("/ask/midnight", "/drill", "/book", "/night", "/privacy", "/verify", "/night/NONONO"):
        page = read((await client.get(path, "text/html")).text)
        assert page.one("html").attrs["lang"] == "en", path
        assert [node.attrs["lang"] for node in page.all("p") if "lang" in node.attrs] == [code], path
