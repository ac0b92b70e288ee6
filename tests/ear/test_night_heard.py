"""A duplicate night and the players' book by ear: begun, played and ranked; begun, and read by headings."""

import re
import time
from collections.abc import Iterator

import pytest

from ear.people import opened
from ear.reader import Reader, reading
from pubdice.terminal.web_client import WebTable
from support.house_process import House

pytestmark = pytest.mark.nightly
Place = tuple[Reader, House]
OVER_S = 60.0
HEAD = "Same-dice night [A-Z ]+ heading level 1"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with reading(tmp_path_factory.mktemp("ear")) as place:
        yield place


def test_a_night_is_begun_by_keys_and_its_ranking_is_read_by_cells(place: Place) -> None:
    reader, house = place
    cookie = opened(house).cookie
    reader.come("/night", cookie)
    reader.until("Tab", r"Game panel\. .* selected radio button")
    reader.until("Tab", r"Players at each table combo box\. 2\.")
    reader.until("Tab", "Begin the night push button")
    reader.follow(HEAD)
    night = reader.here.browser.ask("location.pathname")
    reader.until("Tab", "Your name entry")
    reader.send("Ann", "Finished loading .*Midnight")
    path = reader.here.browser.ask("location.pathname")
    _play(WebTable(f"{reader.house}{path}", time.sleep, cookie=cookie))
    heard = reader.come(night, cookie)
    assert "Finished loading Same-dice night" in heard
    reader.until("h", f"{HEAD}.*Your table heading level 2.*Who made the fewest mistakes heading level 2")
    reader.table(r"What each player lost by their choices\. .* columns Rank column header")
    ranked = reader.cells("Down Right Right Down")
    assert ranked[0].startswith("1"), ranked
    assert "Ann" in ranked[1], ranked
    assert re.match(r"(Lost )?\d+\.\d%", ranked[2]), ranked
    assert "decision" in ranked[3], ranked


def _play(table: WebTable) -> None:
    """Ann starts with a bot beside her, and keeps all she rolls."""
    table.ask("pace", ms=0)
    table.ask("start")
    until = time.monotonic() + OVER_S
    while (view := table.state()["view"])["stage"] != "over":
        assert time.monotonic() < until, view
        if view["mover"] == 0:
            marks = {} if view["ask"] == "roll" else {"marks": [die["place"] for die in view["dice"]]}
            table.ask("roll", **marks)
        else:
            time.sleep(0.1)


def test_the_book_is_begun_by_keys_and_read_by_headings(place: Place) -> None:
    reader, house = place
    assert "Finished loading The players' book" in reader.come("/book", opened(house).cookie)
    reader.until("Tab", "Begin my book push button")
    heard = reader.follow("The players' book|Finished loading")
    assert "Begin my book" not in heard
    reader.until("h", "The players' book heading level 1.*Your book heading level 2")
    reader.until("Tab", r"Save it as a file link.*Erase everything ?\.\.\. push button")
