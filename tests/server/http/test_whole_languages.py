"""A page is in one language as a whole: its reader's, or English with a line in the reader's that says so."""

import re

import pytest

from pubdice.text.catalogues import CODES, has_part
from support.house import Pub, growing, play_turn, seated
from support.html_tree import read

OF_A_TABLE = [code for code in CODES if not has_part(code, "pages")]
"""The languages that speak at a table alone."""


@pytest.mark.parametrize("code", OF_A_TABLE)
async def test_a_page_is_in_the_readers_language_or_says_that_it_is_in_english(pub: Pub, code: str) -> None:
    client = pub.client("Ann", code)
    for path in ("/", "/help", "/language", "/rules/ship", "/t/NONONO", "/nowhere"):
        page = read((await client.get(path, "text/html")).text)
        assert page.one("html").attrs["lang"] == code, path
    for path in ("/ask/midnight", "/drill", "/book", "/night", "/privacy", "/verify", "/night/NONONO"):
        page = read((await client.get(path, "text/html")).text)
        assert page.one("html").attrs["lang"] == "en", path
        assert [node.attrs["lang"] for node in page.all("p") if "lang" in node.attrs] == [code], path


@pytest.mark.parametrize(("code", "is_beside"), [("en", True), *[(code, False) for code in OF_A_TABLE]])
async def test_prices_in_english_have_their_own_page_and_are_not_beside_the_rules(
    pub: Pub, code: str, *, is_beside: bool
) -> None:
    ann, _, table = await growing(pub)
    ann.speaks = code
    front, lobby = await ann.get("/", "text/html"), await ann.page(table)
    for answer, tag, to in ((front, "button", "formaction"), (lobby, "a", "href")):
        page = read(answer.text)
        ways = [node for node in page.all(tag) if str(node.attrs.get(to, "")).startswith("/prices")]
        boxes = [node for node in page.all("div") if str(node.attrs.get("class")).startswith("priced")]
        assert ways
        assert len(boxes) == is_beside, tag


@pytest.mark.parametrize("code", CODES)
async def test_a_players_row_is_heard_with_the_name_once_in_every_language(pub: Pub, code: str) -> None:
    ann, bob, table = await seated(pub)
    for _ in range(20):  # until a hand lies beside a name
        await play_turn(pub, table, (ann, bob))
        if any(seat["hand"] for seat in (await pub.view(table))["seats"]):
            break
    bob.speaks = code
    rows = [row for row in read((await bob.page(table)).text).all("li") if "data-seat" in row.attrs]
    assert len(rows) == 2
    for row in rows:
        name, said = row.one("bdi").words(), row.one("span", **{"class": "said unseen"}).words()
        assert said.count(name) == 1, said
        assert not re.search(r"[:,]\s*[:,]", said), said
