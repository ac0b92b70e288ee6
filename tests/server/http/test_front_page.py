"""The front page as text: two buttons to a game, house rules behind a fold, one's tables first, a reason once."""

from dataclasses import replace

import pytest

from pubdice.games import GAMES
from pubdice.server.app import ROUTES
from pubdice.server.pages import front as front_page
from pubdice.server.pages import table as table_page
from pubdice.server.table.game_offers import match_fields
from pubdice.server.table.ordered_setup import OrderError, from_form
from pubdice.server.web.browser import FORM_PAGES
from pubdice.text.language import BOTS, OPENERS
from server.samples.every_page import every_page
from server.samples.front import FRONT
from server.samples.tables import ENGLISH, TABLE
from support.house import Pub
from support.html_tree import Node, read


def front(**facts: object) -> Node:
    return read(front_page.html(ENGLISH, replace(FRONT, **facts)))  # type: ignore[arg-type]


def golds(page: Node) -> list[str]:
    return [node.words() for node in page.all("button", "a") if node.attrs.get("class") == "main"]


def test_every_rule_choice_and_bot_is_offered_with_what_it_does() -> None:
    for game in FRONT.games:
        rules = front(values={"game": game.name}).one("details", id="house")
        labels = " ".join(node.words() for node in rules.all("label", "legend"))
        for form in game.formats:
            assert form.meaning[1:] in labels
            assert [node for node in rules.all() if form.name in str(node.attrs.get("id"))]
            assert all(rules.one(id=f"{game.name}.{field.key}") for field in form.fields)
        openers = game.formats[0].usual.openers
        for choice in (*(openers if len(openers) > 1 else ()), *game.bots):
            assert {**OPENERS, **BOTS}[choice][1:] in labels
            assert [node for node in rules.all() if choice in str(node.attrs.get("id"))]
        for rule in game.options:
            assert rule.meaning[1:] in labels
            values = [node.attrs["value"] for node in rules.all("input", name=f"{game.name}.{rule.key}")]
            assert values == list(rule.choices)
            assert all(meaning[1:] in labels for meaning in rule.meanings)
        named = {str(node.attrs["name"]).partition(".") for node in rules.all("input", "select")}
        assert {of for of, dot, _ in named if dot} == {game.name}, "of the other games there is nothing"
    for label in ("Who can join", "Dice", "If someone drops out", "Time per turn", "How fast bots play"):
        assert label in labels


def test_a_name_is_all_that_has_to_be_typed_and_everything_else_is_folded() -> None:
    page = read(every_page()["front, empty"])
    form, rules = page.one("form", id="open"), page.one("details", id="house")
    blank = [node.attrs["name"] for node in form.all("input") if not node.attrs["value"] and "type" not in node.attrs]
    assert blank == ["name"]
    folded = [node.attrs["name"] for node in rules.all("input", "select")]
    shown = {node.attrs["name"] for node in form.all("input", "select") if node.attrs["name"] not in folded}
    assert shown == {"key", "name", "game"}
    assert "open" not in rules.attrs
    for group in {node.attrs["name"] for node in form.all("input", type="radio")}:
        assert len([node for node in form.all("input", name=group) if "checked" in node.attrs]) == 1


def test_enter_plays_with_friends_and_a_second_button_plays_a_bot() -> None:
    form = read(every_page()["front, empty"]).one("form", id="open")
    friends, bot, *others = form.all("button")
    after = others[-2:]
    assert all("formaction" in node.attrs or node.attrs.get("type") == "button" for node in others[:-2])
    for one, other in ((friends, bot), after):
        assert (one.words(), one.attrs["value"]) == ("Play with friends", "friends")
        assert (other.words(), other.attrs["value"]) == ("Play a bot", "bot")
    assert form.one("details", id="house").all("button")[-2:] == after, "after the last field of the house rules"
    order = from_form({"with": "friends"}, GAMES)
    assert (order.people, order.bots) == (None, []), "chairs come with those who sit down"
    alone = from_form({"with": "bot", "game": "420"}, GAMES)
    assert (alone.bots, alone.start) == (["tip"], True)
    assert from_form({"with": "bot", "game": "midnight", "midnight.bot": "bold"}, GAMES).bots == ["bold"]
    with pytest.raises(OrderError):
        from_form({"with": "bot", "game": "chess"}, GAMES)


def test_there_is_one_gold_button_and_the_table_that_waits_for_me_has_it() -> None:
    assert golds(read(every_page()["front, empty"])) == ["Play with friends"]
    assert golds(front()) == [f"Play : {FRONT.mine[0].title}"]
    waiting = (replace(FRONT.mine[0], turn=False, go="Watch"),)
    assert golds(front(mine=waiting)) == ["Play with friends"]
    other = replace(FRONT.mine[0], code="CDEFGH", title="420 with Red")
    assert golds(front(mine=(other, *FRONT.mine))) == ["Play : 420 with Red"]


def test_who_comes_back_finds_their_tables_first_and_is_known_by_name() -> None:
    page = front()
    ids = [node.attrs["id"] for node in page.all() if "id" in node.attrs]
    assert ids.index("mine") < ids.index("new") < ids.index("code") < ids.index("lobby")
    assert f"Hello, {FRONT.name}" in page.one("section", id="mine").one("h2").words()
    name = page.one("details", id="house").one("input", id="name")
    assert name.attrs["value"] == FRONT.name
    assert not page.one("details", id="house").attrs.get("open")
    refused = front(refusal="Enter your name.", field="name")
    assert not refused.one("details", id="house").all("input", id="name")
    assert not read(every_page()["front, empty"]).all("section", id="mine")


def test_a_refused_form_is_shown_as_it_was_with_the_reason_once_at_the_field() -> None:
    page = read(every_page()["front, refused"])
    name = page.one("input", id="name")
    assert (name.attrs["value"], name.attrs["aria-invalid"], name.attrs["aria-describedby"]) == (
        "!!",
        "true",
        "refusal",
    )
    assert page.one("body").words().count("No name.") == 1
    assert page.one("p", id="refusal").words() == "No name."
    assert "checked" in page.one("input", id="game-420").attrs
    assert "checked" in page.one("input", id="420.format.drinks").attrs
    assert "checked" in page.one("input", id="door.open").attrs


@pytest.mark.parametrize(
    "field", ["", "game", "grace", "midnight.stake", "midnight.bot", "420.first", "midnight.opener", "code"]
)
def test_a_fault_is_logged_at_its_field_and_unfolds_it(field: str) -> None:
    game = field.partition(".")[0] if "." in field else "midnight"
    page = front(refusal="No.", field=field, values={"game": game})
    assert page.one("p", id="refusal").words() == "No."
    folded = page.one("details", id="house")
    assert ("open" in folded.attrs) == bool(folded.all("p", id="refusal"))
    more = folded.one("details", **{"class": "later"})
    assert ("open" in more.attrs) == bool(more.all("p", id="refusal"))


def test_of_many_tables_the_first_few_are_shown_and_the_others_folded() -> None:
    rows = tuple(front_page.TableRow(f"ABCDE{letter}", "Midnight", "Playing", "Watch") for letter in "FGHJK")
    lobby = front(lobby=rows).one("section", id="lobby")
    assert len(lobby.all("li")) == 5
    assert len(lobby.one("details").all("li")) == 2
    assert lobby.one("summary").words() == "2 more"
    assert not front().one("section", id="lobby").all("details")


def test_lists_are_kept_fresh_by_a_script_but_for_the_answer_to_a_form() -> None:
    def scripts(page: Node) -> list[str]:
        return [str(node.attrs["href"]).rpartition("/")[2] for node in page.all("link")]

    assert "page.js" in scripts(front())
    assert "page.js" not in scripts(read(every_page()["front, refused"]))
    for name in ("front", "front, refused"):
        assert read(every_page()[name]).one("section", id="lobby").all("a", href="/")


def test_tables_are_listed_with_where_they_are() -> None:
    found = [node.attrs["href"] for node in front().all("a") if str(node.attrs["href"]).startswith("/t/")]
    assert found == ["/t/ABCDEF", "/t/BCDEFG"]


def test_a_link_in_a_chat_shows_a_picture_and_the_game_and_nobodys_name() -> None:
    for text in (
        every_page()["front"],
        table_page.html(ENGLISH, replace(TABLE, origin="http://house", seat=1, words="a b c d")),
    ):
        metas = read(text).all("meta")
        shown = {meta.attrs["property"]: meta.attrs["content"] for meta in metas if "property" in meta.attrs}
        assert shown["og:image"] == "http://house/preview.png"
        assert (shown["og:image:width"], shown["og:image:height"]) == ("1200", "630")
        assert shown["og:title"]
        assert shown["og:description"]
        whole = " ".join(str(meta.attrs.get("content")) for meta in metas)
        assert not [name for name in ("Ann", "O'Hara", "Bob", "ABCDEF", "a b c d") if name in whole]
    assert "Midnight" in str(shown["og:title"])


def test_every_address_that_only_takes_a_form_is_known_by_the_page_with_the_form() -> None:
    shown = {route.path for route in ROUTES if route.method == "GET"}
    assert set(FORM_PAGES) == {route.path for route in ROUTES if route.method == "POST"} - shown
    assert set(FORM_PAGES.values()) <= shown


@pytest.mark.parametrize("target", FORM_PAGES)
async def test_another_language_leads_from_the_answer_to_a_form_to_a_page(pub: Pub, target: str) -> None:
    ann = pub.client("Ann")
    if target in ("/names", "/language", "/tables/forget"):  # which answer no form with a page
        answer = await ann.get(target, "text/html")
    else:
        answer = await ann.send(target, game="midnight", players="99", name="")
    backs = {str(node.attrs["value"]) for node in read(answer.text).all("input", name="back")}
    assert backs == {FORM_PAGES[target]}
    chosen = await ann.send("/language", language="de", back=backs.pop())
    page = await ann.get(str(chosen.headers["location"]), "text/html")
    assert (chosen.status, page.status) == (303, 200)


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
