"""A house in a pocket: its pages speak of no other device, one form names everybody, and the rest is refused."""

import re
from http.cookies import SimpleCookie

import pytest

from pubdice.games import GAMES
from pubdice.server.table.ordered_setup import OrderError, from_form
from server.samples.every_page import every_page
from support.asgi_client import Client
from support.house import Pub
from support.html_tree import Node, read

OTHERS = re.compile(
    r"another phone|other machine|\blinks?\b|\bQR\b|\bscan|\bserver\b|e-mail|big screen|public games|\binvite"
    r"|\bnetwork\b|\bjoin (with|a|this)\b|phones can't|your phones|every phone|friends appear",
    re.IGNORECASE,
)
"""Words that only other devices would give a meaning."""
NIGHT = "A same-dice night needs a house on a server."
TRUE_THERE = ("It needs no network.", "What goes over the network", "Join another phone", NIGHT)


async def pocket(pub: Pub) -> Client:
    """The one browser of a pocket."""
    pub.pocket = True
    await pub.restart()
    return pub.client("Ann")


async def opened(ann: Client, **form: str) -> Node:
    """The table that the pocket's form opens, as its page."""
    answer = await ann.send("/tables", **{"with": "phone", "game": "midnight", **form})
    assert answer.status == 303, read(answer.body.decode()).one("p", id="refusal").words()
    page = await ann.get(answer.headers["location"], "text/html")
    return read(page.body.decode())


def names(page: Node) -> list[str]:
    return [node.words() for node in page.one("div", id="seats").all("bdi")]


def pages() -> dict[str, Node]:
    """Every page of a pocket, by its name."""
    return {name: read(html) for name, html in every_page().items() if "pocket" in name}


def test_no_page_of_a_pocket_speaks_of_other_devices() -> None:
    for name, page in pages().items():
        told = page.one("body").words()
        for true in TRUE_THERE:
            told = told.replace(true, "")
        assert not OTHERS.search(told), (name, OTHERS.search(told))
        menus = [menu.words() for menu in page.all("footer")]
        assert [menu.count(NIGHT) for menu in menus if "Open a record" in menu] == [1] * len(menus), name
        for node in page.all("a", "img", "form"):
            address = str(node.attrs.get("href") or node.attrs.get("src") or node.attrs.get("action"))
            assert not re.search(r"^/night|/big$|qr\.svg$|^/find|^http", address), (name, address)
        told_of = [node for node in page.all() if {"data-copy", "data-share"} & {*node.attrs}]
        assert not [node for node in told_of if "/t/" in str(node.attrs)], name


async def test_everybody_is_named_at_once_and_the_match_begins(pub: Pub) -> None:
    ann = await pocket(pub)
    page = await opened(ann, name="Ann", player2="", player3="Bob", player8="Cy", bots="2")
    assert names(page) == ["Ann", "Bob", "Cy", "Tip", "Tip 2"], "people first, then bots"
    assert page.one("main").attrs["data-seats"] == "0 1 2", "all three are on this phone"
    assert page.one("main").attrs["data-stage"] == "playing"


async def test_who_is_alone_plays_a_bot_and_two_need_none(pub: Pub) -> None:
    ann = await pocket(pub)
    assert names(await opened(ann, name="Ann", player2="  ", bots="0")) == ["Ann", "Tip"]
    assert names(await opened(ann, name="Ann", player2="Bob", bots="0")) == ["Ann", "Bob"]
    alone = await opened(ann, name="Ann", game="420", **{"420.bot": "lucky"})
    assert sorted(names(alone)) == ["Ann", "Lucky"]


async def test_the_whole_form_as_a_browser_sends_it_is_read(pub: Pub) -> None:
    """Every field of the page that the house really shows, as many as a browser would send."""
    ann = await pocket(pub)
    form = read((await ann.get("/", "text/html")).body.decode()).one("form", id="open")
    fields: dict[str, str] = {}
    for node in form.all("input", "select"):
        chosen = [option for option in node.all("option") if "selected" in option.attrs] or node.all("option")
        if node.attrs.get("type") != "radio" or "checked" in node.attrs:
            sent = chosen[0] if node.tag == "select" else node
            fields[str(node.attrs["name"])] = str(sent.attrs.get("value", sent.words()) or "")
    page = await opened(ann, **{**fields, "name": "Ann", "player2": "Bob"})
    assert names(page) == ["Ann", "Bob"]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"name": "Ann", "player4": "ANN"}, "player4"),
        ({"name": "Ann", "player2": "Bob", "player7": "!!"}, "player7"),
        ({"name": "", "player2": "Bob"}, "name"),
        ({"name": "Ann", "bots": "5"}, "bots"),
        ({"name": "Ann", "bots": "two"}, "bots"),
    ],
)
async def test_a_refusal_stands_at_its_field_and_nothing_typed_is_lost(
    pub: Pub, given: dict[str, str], field: str
) -> None:
    ann = await pocket(pub)
    answer = await ann.send("/tables", **{"with": "phone", "game": "midnight", **given})
    page = read(answer.body.decode())
    wrong = [node.attrs["name"] for node in page.all("input", "select") if node.attrs.get("aria-invalid")]
    assert (answer.status, wrong) == (409 if field == "player4" else 422, [field])
    assert len(page.all("p", id="refusal")) == 1
    for name, value in given.items():
        assert name == "bots" or page.one("input", name=name).attrs["value"] == value
    assert ("open" in page.one("fieldset", **{"class": "players"}).one("details").attrs) == (
        field not in ("name", "player2")
    )
    assert not pub.store.tables()


def test_a_pocket_has_at_most_four_bots() -> None:
    order = from_form({"with": "friends", "name": "Ann", "player2": "Bob", "bots": "3"}, GAMES)
    assert (order.others, order.bots, order.start) == ([], [], False)
    with pytest.raises(OrderError):
        from_form({"with": "phone", "name": "Ann", "bots": "-1"}, GAMES)


async def test_what_needs_other_devices_is_refused_in_a_sentence(pub: Pub) -> None:
    ann = await pocket(pub)
    code = await ann.order(people=None)
    link = pub.house.link(code)
    for path in ("/find?code=ABC", "/night", "/night/ABCDEF", f"{link}/big", f"{link}/qr.svg"):
        answer = await ann.get(path, "text/html")
        assert answer.status == 404
        page = read(answer.body.decode())
        assert page.one("p", **{"class": "lead"}).words() == (
            "That needs several devices. Here Pubdice plays on this one alone."
        ), path
    assert (await ann.send("/night", game="midnight")).status == 404
    assert (await ann.get("/")).status == 200


async def test_a_program_names_those_who_share_its_phone_too(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None, others=["Bob", "Cy"], bots=["tip"], start=True)
    assert list(pub.actor(code).state.names) == ["Ann", "Bob", "Cy", "Tip"]
    assert pub.actor(code).state.seats_of(ann.person) == (0, 1, 2)
    full = await ann.order(people=3, others=["Bob", "Cy"])
    assert pub.actor(full).state.stage == "playing", "a table that is full begins"
    many = await ann.post("/tables", {"game": "midnight", "name": "Ann", "others": ["Bob"] * 64})
    assert many.status == 422


async def test_somebody_on_a_shared_phone_stops_and_the_others_play_on(pub: Pub) -> None:
    ann = await pocket(pub)
    page = await opened(ann, name="Ann", player2="Bob", player3="Cy", dice="sealed")
    stops = page.one("details", id="going-home").all("button")
    assert [node.attrs["value"] for node in stops] == ["0 Ann", "1 Bob", "2 Cy"]
    here = str(page.one("main").attrs["data-here"])
    moved = await ann.send(here, do="leave", seat="1 Cy", key="leaving-cy")
    assert "The seats have changed." in moved.body.decode()
    gone = await ann.send(here, do="leave", seat="1 Bob", key="leaving-bob")
    assert gone.status == 303
    assert names(read((await ann.get(here, "text/html")).body.decode())) == ["Ann", "Cy"]


async def on_the_form(ann: Client) -> list[str]:
    """The names that the form of the next game has already."""
    form = read((await ann.get("/", "text/html")).body.decode()).one("fieldset", **{"class": "players"})
    return [str(node.attrs["value"]) for node in form.all("input") if node.attrs["value"]]


async def test_a_pocket_remembers_the_players_of_its_phone(pub: Pub) -> None:
    ann = await pocket(pub)
    ann.jar = SimpleCookie()
    assert await on_the_form(ann) == []
    sealed = await opened(ann, name="Ann", player2="Jürgen", player5="Zoë", dice="sealed")
    assert await on_the_form(ann) == ["Ann", "Jürgen", "Zoë"]
    here = str(sealed.one("main").attrs["data-here"])
    assert (await ann.send(here, do="share", name="Cy, Dora", key="two-more-come")).status == 303
    assert (await ann.send(here, do="leave", seat="1 Jürgen", key="one-of-them-goes")).status == 303
    assert await on_the_form(ann) == ["Ann", "Zoë", "Cy", "Dora"]
    page = read((await ann.get("/", "text/html")).body.decode())
    assert page.one("button", form="forget-names").words() == "Clear the other names"
    assert (await ann.send("/names")).status == 303
    assert await on_the_form(ann) == ["Ann"]


async def test_the_order_at_a_table_is_changed_where_people_are_added(pub: Pub) -> None:
    ann = await pocket(pub)
    page = await opened(ann, name="Ann", player2="Bob", bots="1", dice="sealed")
    here = str(page.one("main").attrs["data-here"])
    up = [node.attrs["value"] for node in page.one("details", id="order").all("button")]
    assert up == ["1 Bob", "2 Tip"]
    assert (await ann.send(here, do="move", seat="1 Bob", to="0", key="bob-goes-first")).status == 303
    page = read((await ann.get(here, "text/html")).body.decode())
    assert names(page) == ["Bob", "Ann", "Tip"]
    assert "2 Tip" in [node.attrs["value"] for node in page.one("details", id="going-home").all("button")]
    assert (await ann.send(here, do="drop", seat="2 Tip", key="no-bot-please")).status == 303
    assert names(read((await ann.get(here, "text/html")).body.decode())) == ["Bob", "Ann"]


def test_each_page_of_a_pocket_leads_to_this_device() -> None:
    for name, page in pages().items():
        assert [node for node in page.all("a") if node.attrs.get("href") == "#this-device"], name
