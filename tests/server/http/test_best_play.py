"""Best play as pages: pictures by eye and by ear, their numbers in tables, the command for each."""

import asyncio
import re

import pytest

from pubdice.advice.figures import BestPlayFigure, BestPlayRow, figure_names
from pubdice.games import GAMES
from pubdice.server import answers
from pubdice.server.pages.best_play import spoken
from pubdice.server.web.limits import Limits, Rate
from pubdice.text.catalogues import language
from support.asgi_client import Client
from support.house import Pub, at_the_pub
from support.html_tree import read
from support.http_wire import Answer

GAME = "ship"
"""Whose figures take the least time."""


async def whole(client: Client, target: str, accept: str = "text/html") -> Answer:
    while (answer := await client.get(target, accept)).status == 202:
        assert answer.headers["retry-after"]
        await asyncio.sleep(0.05)
    return answer


@pytest.mark.parametrize(
    "game", [GAME, *[pytest.param(name, marks=pytest.mark.nightly) for name in GAMES if name != GAME]]
)
@at_the_pub()
async def test_every_picture_has_a_name_a_table_and_a_command(pub: Pub, game: str) -> None:
    ann = pub.client("Ann")
    data = (await whole(ann, f"/best-play/{game}", "*/*")).data
    page = read((await whole(ann, f"/best-play/{game}")).text)
    sections = page.all("section")
    names = figure_names(GAMES[game])
    assert [section.attrs["id"] for section in sections] == list(names)
    assert [figure["name"] for figure in data["figures"]] == list(names)
    assert data["of"] == len(names)
    for section, figure in zip(sections, data["figures"], strict=True):
        assert section.one("code").words() == figure["command"]
        if figure["name"] == "claims":
            assert len(section.all("li")) == len(figure["rows"])
            continue
        picture = section.one("svg")
        assert picture.attrs["role"] == "img"
        said = picture.one("title").words()
        assert section.one("h2").words() not in said, "a picture says what it shows, not what stands before it"
        assert re.match(r"The columns go from (.+) to (.+)\. .*The table below has the numbers\.$", said)
        if peak := section.all("p", **{"class": "peak"}):
            assert re.search(rf"\. The highest is at .+: {re.escape(peak[0].words())}\.", said)
        assert picture.attrs["aria-labelledby"] == picture.one("title").attrs["id"]
        assert section.one("caption").words() == section.one("h2").words()
        assert len(section.one("tbody").all("tr")) == len(figure["rows"])
        drawn = sum(row["value"] is not None for row in figure["rows"])
        assert str(picture.one("path", **{"class": "columns"}).attrs["d"]).count("M") == drawn
    assert "style" not in {
        name for node in page.one("main").all("svg", "path", "table", "td", "p") for name in node.attrs
    }


def test_a_picture_is_told_by_its_ends_and_its_top() -> None:
    values = ("nothing", "0", None), ("two", "2", 0.1), ("three", "3", 0.5), ("four", "4", 0.2)
    rows = tuple(BestPlayRow(label, short, (), value) for label, short, value in values)
    shown = BestPlayFigure("spread", "A title", "A lead.", (), rows, "pubdice", "50.0 %")
    told = "The columns go from 2 to 4. The highest is at 3: 50.0 %. The table below has the numbers."
    assert spoken(shown, language("en")) == told


@at_the_pub()
async def test_the_page_speaks_german_and_its_numbers_too(pub: Pub) -> None:
    page = read((await whole(pub.client("Eva", "de"), f"/best-play/{GAME}")).text)
    assert page.one("h1").words() == "Bestes Spiel: Schiff, Kapitän und Mannschaft"
    assert " %" in page.one("main").words()
    assert "," in page.one("section", id="first-rolls").one("tbody").words()
    assert "the share" not in page.words()


@at_the_pub()
async def test_rules_and_ask_lead_to_it(pub: Pub) -> None:
    ann = pub.client("Ann")
    for path in ("/rules/threes", "/ask/threes"):
        assert read((await ann.get(path, "text/html")).text).one("main").all("a", href="/best-play/threes")


@at_the_pub()
async def test_while_it_is_worked_out_the_page_shows_what_is_ready(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.0)
    ann = pub.client("Ann")
    first = await ann.get(f"/best-play/{GAME}", "text/html")
    assert first.status == 202
    assert read(first.text).one("main").all("section") == []
    assert read(first.text).all("meta", **{"http-equiv": "refresh"})
    monkeypatch.undo()
    assert (await whole(ann, f"/best-play/{GAME}")).status == 200


@at_the_pub()
async def test_a_game_that_is_not_here_has_no_such_page(pub: Pub) -> None:
    assert (await pub.client("Ann").get("/best-play/chess")).status == 404


@at_the_pub(limits=Limits(questions=Rate(1, 1)))
async def test_it_counts_as_a_question(pub: Pub) -> None:
    ann = pub.client("Ann")
    await ann.get("/best-play/chess")
    statuses = [(await ann.get(f"/best-play/{GAME}")).status for _ in range(2)]
    assert statuses[1] == 429
