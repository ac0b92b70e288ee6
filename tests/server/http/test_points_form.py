"""A match for points on the web: its form with a switch, and what a table says of who needs what and who leads."""

from pubdice.games import GAMES
from pubdice.server.table.new_tables import from_form, match_fields
from support.house import Pub
from support.html_tree import read

FORM = {"game": "midnight", "name": "Ann", "midnight.format": "points", "midnight.points": "30"}


async def test_the_form_offers_points_with_both_ways_to_end(pub: Pub) -> None:
    page = read((await pub.client("Ann").get("/", "text/html")).text)
    switch = page.one("select", id="midnight.even")
    assert [(option.attrs["value"], option.words()) for option in switch.all("option")] == [
        ("0", "the match is over at once"),
        ("1", "the round is played out, and the most points win (fair)"),
    ]
    assert page.one("input", id="midnight.points").attrs["value"] == "100"


def test_a_form_writes_the_switch_and_is_filled_from_it() -> None:
    assert from_form({**FORM, "midnight.even": "0"}, GAMES).rules["format"] == "points 30"
    rules = from_form({**FORM, "midnight.even": "1"}, GAMES).rules
    assert rules["format"] == "points 30 even"
    assert match_fields(GAMES["midnight"], rules)["midnight.even"] == "1"


async def test_a_table_says_what_is_needed_and_not_what_to_beat(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(game="midnight", people=None, rules={"format": "points 30"}, bots=["tip"])
    await ann.done(code, "start")
    assert "You need 30 more points." in (await ann.page(code)).text
