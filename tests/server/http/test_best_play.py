"""Best play as pages: pictures by eye and by ear, their numbers in tables, the command for each."""

import re
from itertools import pairwise

import pytest

from pubdice.advice.figures import BestPlayFigure, BestPlayRow, figure_names
from pubdice.games import GAMES
from pubdice.server.pages.best_play import picture
from server.http.test_ask import asked_of
from support.house import Pub
from support.html_tree import read

GAME = "ship"
"""Whose figures take the least time."""


@pytest.mark.parametrize(
    "game", [GAME, *[pytest.param(name, marks=pytest.mark.nightly) for name in GAMES if name != GAME]]
)
async def test_every_picture_has_a_name_a_table_and_a_command(pub: Pub, game: str) -> None:
    ann = pub.client("Ann")
    data = (await asked_of(ann, f"/best-play/{game}")).data
    page = read((await asked_of(ann, f"/best-play/{game}", "text/html")).text)
    sections = page.all("section")
    names = figure_names(GAMES[game])
    assert [section.attrs["id"] for section in sections] == list(names)
    assert [figure["name"] for figure in data["figures"]] == list(names)
    assert data["of"] == len(names)
    for section, figure in zip(sections, data["figures"], strict=True):
        assert section.one("code").words() == figure["command"]
        if bars := section.all("ol", **{"class": "named"}):
            rows = bars[0].all("li")
            assert len(rows) == len(figure["rows"])
            assert all(row.one("b").words() for row in rows)
            continue  # each number stands beside its name, so there is neither picture nor table
        picture = section.one("svg")
        assert picture.attrs["role"] == "img"
        said = picture.one("title").words()
        assert section.one("h2").words() not in said, "a picture says what it shows, not what stands before it"
        assert re.match(r"The columns go from (.+) to (.+)\. .*Below, you can open a table of the numbers\.$", said)
        if peak := section.all("p", **{"class": "peak"}):
            column, _, value = peak[0].words().partition(" – ")
            assert column in section.one("thead").words(), "the picture names the column whose numbers it shows"
            assert bool(value) == ("The highest" in said)
            assert not value or re.search(rf"\. The highest is at .+: {re.escape(value)}\.", said)
        assert picture.attrs["aria-labelledby"] == picture.one("title").attrs["id"]
        assert section.one("caption").words() == section.one("h2").words()
        assert len(section.one("tbody").all("tr")) == len(figure["rows"])
        drawn = sum(row["value"] is not None for row in figure["rows"])
        assert str(picture.one("path", **{"class": "columns"}).attrs["d"]).count("M") == drawn
    assert "style" not in {
        name for node in page.one("main").all("svg", "path", "table", "td", "p") for name in node.attrs
    }


async def test_house_rules_in_the_address_have_figures_of_their_own(pub: Pub) -> None:
    ann = pub.client("Ann")
    usual = read((await asked_of(ann, "/best-play/ship", "text/html")).text).one("main")
    assert usual.all("a", href="/best-play/ship?boxcars=yes")
    shown = (await asked_of(ann, "/best-play/ship?boxcars=yes", "text/html")).text
    page = read(shown).one("main")
    assert re.search('<p class="lead">.*6 6', shown)
    assert page.all("a", href="/drill/ship?boxcars=yes")
    assert page.all("a", href="/best-play/ship")
    for there in ("/daily?game=ship&boxcars=yes", "/prices/ship?boxcars=yes"):
        (link,) = page.all("a", href=there)
        assert (await asked_of(ann, str(link.attrs["href"]), "text/html")).status == 200
    commands = [code.text for code in page.all("code")]
    assert [command for command in commands if command.endswith(" --boxcars yes")]
    assert (await ann.get("/best-play/ship?boxcars=9")).status == 422


COLUMN = re.compile(r"M([\d.]+) 100V([\d.]+)h([\d.]+)V100z")
MARK = re.compile(r"M(\d+) ([\d.]+)h(\d+)")


def rows_of(*values: float | None, marks: tuple[float, ...] = ()) -> BestPlayFigure:
    """A figure of these values, the first with marks."""
    rows = tuple(
        BestPlayRow(f"column {at}", str(at), (), value, marks[at] if at < len(marks) else None)
        for at, value in enumerate(values)
    )
    return BestPlayFigure("spread", "A title", "A lead.", (), rows, "pubdice")


def test_a_column_is_as_high_as_its_number() -> None:
    values = (0.1, None, 0.5, 0.0, 0.2)
    drawn = picture(rows_of(*values, marks=(0.25, 0.5)))
    assert drawn is not None
    assert drawn.wide == 10 * len(values)
    columns = [tuple(map(float, found)) for found in COLUMN.findall(drawn.columns)]
    assert "".join(f"M{x:g} 100V{top:.2f}h{wide:g}V100z" for x, top, wide in columns) == drawn.columns
    assert [(100 - top) / 100 for _, top, _ in columns] == [0.2, 1.0, 0.0, 0.4], "of the greatest"
    assert [int(x // 10) for x, _, _ in columns] == [0, 2, 3, 4], "what has no number leaves its place empty"
    assert all(10 * (x // 10) < x and x + wide < 10 * (x // 10 + 1) for x, _, wide in columns), "each by itself"
    assert [tuple(map(float, found)) for found in MARK.findall(drawn.line)] == [(0, 50, 10), (10, 0, 10)]
    assert drawn.labels == tuple((str(at), 1) for at in range(5))


@pytest.mark.parametrize("number", [12, 13, 59, 60, 252])
def test_columns_of_any_number_fill_the_picture(number: int) -> None:
    drawn = picture(rows_of(*[1 / (1 + at) for at in range(number)]))
    assert drawn is not None
    columns = [tuple(map(float, found)) for found in COLUMN.findall(drawn.columns)]
    assert len(columns) == number
    assert columns[-1][0] + columns[-1][2] <= drawn.wide == 10 * number
    gaps = {after[0] - before[0] - before[2] for before, after in pairwise(columns)}
    assert gaps == ({2.0} if number < 60 else {0.0})
    assert len(drawn.labels) <= 12
    assert sum(room for _, room in drawn.labels) == number, "the names stand under their columns"
    at = 0
    for name, room in drawn.labels:
        assert name == str(at)
        at += room


def test_a_number_below_0_or_missing_has_no_column() -> None:
    drawn = picture(rows_of(-0.2, 0.4))
    assert drawn is not None
    assert [top for _, top, _ in COLUMN.findall(drawn.columns)] == ["100.00", "0.00"]
    assert picture(rows_of(None, None)) is None
    flat = picture(rows_of(0.0, 0.0))
    assert flat is not None
    assert [top for _, top, _ in COLUMN.findall(flat.columns)] == ["100.00", "100.00"]


async def test_rules_and_ask_lead_to_it(pub: Pub) -> None:
    ann = pub.client("Ann")
    for path in ("/rules/threes", "/ask/threes"):
        assert read((await ann.get(path, "text/html")).text).one("main").all("a", href="/best-play/threes")
