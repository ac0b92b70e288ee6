"""The front page: the form of a table, also when rules change, and the lists of tables."""

from dataclasses import replace
from unittest.mock import Mock

import pytest

from pubdice.games import GAMES
from pubdice.room import Setup
from pubdice.server.app import ROUTES
from pubdice.server.pages import front as front_page
from pubdice.server.table.codes import read_code
from pubdice.server.table.game_offers import match_fields
from pubdice.server.table.ordered_setup import OrderError, from_form, to_form
from pubdice.server.web.browser import FORM_PAGES
from pubdice.text.language import BOTS, OPENERS
from server.http.test_evening import chain
from server.samples.every_page import every_page
from server.samples.front import FRONT
from server.samples.tables import ENGLISH
from support.asgi_client import Client
from support.disk import watched
from support.house import HOUR, MINUTE, Pub, play_out, seated, table_of
from support.html_tree import Node, filled, read, way_back


def front(**facts: object) -> Node:
    return read(front_page.html(ENGLISH, replace(FRONT, **facts)))  # type: ignore[arg-type]


def golds(page: Node) -> list[str]:
    return [node.words() for node in page.all("button", "a") if "main" in str(node.attrs.get("class")).split()]


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
            if rule.more or len(rule.choices) > 3:  # too many for a line each
                listed = rules.one("select", id=f"{game.name}.{rule.key}").all("option")
                sent = [option.attrs.get("value", option.words()) for option in listed]
                assert sent == [*rule.choices, *rule.more]
                told = " ".join(option.words() for option in listed)
                assert all(meaning[1:] in told for meaning in rule.meanings)
                continue
            values = [node.attrs["value"] for node in rules.all("input", name=f"{game.name}.{rule.key}")]
            assert values == list(rule.choices)
            assert all(meaning[1:] in labels for meaning in rule.meanings)
        named = {str(node.attrs["name"]).partition(".") for node in rules.all("input", "select")}
        assert {of for of, dot, _ in named if dot} == {game.name}, "of the other games there is nothing"
    for label in ("Who can join", "Dice", "If someone drops out", "Time per turn", "How fast bots play"):
        assert label in labels


def test_a_player_types_a_name_and_finds_the_rest_folded() -> None:
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


def test_enter_plays_with_friends_and_a_button_with_a_bot() -> None:
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


def test_the_table_that_waits_for_me_has_the_one_gold_button() -> None:
    assert golds(read(every_page()["front, empty"])) == ["Play with friends"]
    assert golds(front()) == [f"Play : {FRONT.mine[0].title}"]
    waiting = (replace(FRONT.mine[0], turn=False, go="Watch"),)
    assert golds(front(mine=waiting)) == ["Play with friends"]
    other = replace(FRONT.mine[0], code="CDEFGH", title="420 with Red")
    assert golds(front(mine=(other, *FRONT.mine))) == ["Play : 420 with Red"]


def test_a_player_who_comes_back_finds_their_tables_first() -> None:
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


def test_a_refused_form_keeps_its_fields_and_says_why_once() -> None:
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


def test_the_front_page_shows_a_few_tables_and_folds_the_rest() -> None:
    rows = tuple(front_page.TableRow(f"ABCDE{letter}", "Midnight", "Playing", "Watch") for letter in "FGHJK")
    lobby = front(lobby=rows).one("section", id="lobby")
    assert len(lobby.all("li")) == 5
    assert len(lobby.one("details").all("li")) == 2
    assert lobby.one("summary").words() == "2 more"
    assert not front().one("section", id="lobby").all("details")


def test_each_address_of_a_form_is_known_by_its_page() -> None:
    shown = {route.path for route in ROUTES if route.method == "GET"}
    assert set(FORM_PAGES) == {route.path for route in ROUTES if route.method == "POST"} - shown
    assert set(FORM_PAGES.values()) <= shown


@pytest.mark.parametrize("target", FORM_PAGES)
async def test_a_language_chosen_after_a_form_leads_to_its_page(pub: Pub, target: str) -> None:
    ann = pub.client("Ann")
    if target in ("/names", "/tables/forget"):  # they answer no form with a page
        answer = await ann.get(target, "text/html")
    else:
        answer = await ann.send(target, game="midnight", players="99", name="")
    back = way_back(read(answer.text))
    assert back == FORM_PAGES[target]
    chosen = await ann.send("/language", language="de", back=back)
    page = await ann.get(str(chosen.headers["location"]), "text/html")
    assert (chosen.status, page.status) == (303, 200)


async def rows(client: Client) -> dict[str, str]:
    """The tables that the front page lists, by their codes, and what it says of them."""
    lines = read((await client.get("/", "text/html")).text).all("li")
    return {str(line.attrs["id"])[-6:]: line.words() for line in lines if "id" in line.attrs}


async def test_the_lists_read_only_logs_where_it_may_be_ones_turn(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    over = await ann.order(people=1, rules={"format": "rounds 1"}, listed=True)
    await play_out(pub, over, [ann])
    gathering = await ann.order(people=3, listed=True)
    await bob.done(gathering, "sit", name="Bob")
    playing = await ann.order(game="420", people=2, listed=True, rules={"format": "race"})
    await bob.done(playing, "sit", name="Bob")
    pub.forget()
    asked = watched(monkeypatch)

    lobby = await rows(pub.client("Eve"))
    assert set(lobby) == {gathering, playing}
    assert "Midnight with Ann and Bob Waiting for players" in lobby[gathering]
    assert "420 with Ann and Bob Playing" in lobby[playing]
    assert asked == []

    mine = await rows(ann)
    assert set(mine) == {over, gathering, playing}
    assert "Midnight with Ann Finished" in mine[over]
    assert "420 with Bob" in mine[playing]
    assert asked == [pub.store.find(playing)]


async def test_one_address_does_not_push_the_others_off_the_lobby(pub: Pub) -> None:
    honest = [await _opened(pub, f"192.0.2.{at}") for at in range(4)]
    many = [await _opened(pub, "198.51.100.7") for _ in range(30)]
    seen = list(await rows(pub.client("Eve")))
    assert len(seen) == 20
    assert set(honest) <= set(seen)
    assert seen == [*reversed(many[-16:]), *reversed(honest)], "newest first; places that are left go to anybody"
    others = [await _opened(pub, f"203.0.113.{at}") for at in range(17)]
    flood = [await _opened(pub, "198.51.100.7") for _ in range(20)]
    assert set(await rows(pub.client("Eve"))) == {*flood[-3:], *others}


async def _opened(pub: Pub, address: str) -> str:
    """A table opened from that address."""
    client = pub.client("Ann")
    client.address = address
    return await client.order(people=2, listed=True)


async def test_rows_keep_up_with_who_comes_and_goes(pub: Pub) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    code = await ann.order(people=4, listed=True)
    assert "Midnight with Ann Waiting for players" in (await rows(bob))[code]
    await bob.done(code, "sit", name="Bob")
    await ann.done(code, "close", seat=3)
    assert "Midnight with Ann and Bob" in (await rows(pub.client("Eve")))[code]
    await bob.done(code, "leave")
    assert "Midnight with Ann Waiting" in (await rows(bob))[code]
    await ann.done(code, "leave")
    assert "Midnight Waiting for players" in (await rows(pub.client("Eve")))[code]
    assert set(await rows(bob)) == {code}, "where one has sat it stays"


async def test_whose_turn_it_is_is_told_to_them_alone(pub: Pub) -> None:
    (ann, bob), code = await table_of(pub, "Ann", "Bob", people=2)
    pub.forget()
    told = {client.name: (await rows(client))[code] for client in (ann, bob)}
    assert "Your turn" in told["Ann"]
    assert "Ann's turn" in told["Bob"]


async def test_a_finished_table_can_be_forgotten_and_no_other(pub: Pub) -> None:
    ann = pub.client("Ann")
    over = await ann.order(people=1, rules={"format": "rounds 1"})
    await play_out(pub, over, [ann])
    playing = await ann.order(people=1, bots=["tip"])
    mine = read((await ann.get("/", "text/html")).text).one("section", id="mine")
    (form,) = mine.all("form")
    assert form.attrs["action"] == pub.house.link(over)
    fields = {str(node.attrs["name"]): str(node.attrs["value"]) for node in form.all("input", "button")}
    answer = await ann.send(f"/t/{over}", **fields)
    assert (answer.status, answer.headers["location"].partition("#")[0]) == (303, "/")
    assert set(await rows(ann)) == {playing}


async def test_ones_own_table_is_listed_once(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=3, listed=True)
    page = read((await ann.get("/", "text/html")).text)
    assert page.one("section", id="mine").all("li", id=f"mine-{code}")
    assert not page.all("section", id="lobby")


async def test_the_lists_read_one_log_of_an_evening(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart: each log is of a match that takes its time to replay."""
    ann, _, codes = await chain(pub, "midnight rounds 1", "ship rounds 1")
    codes = [read_code(code) or "" for code in codes]
    eve = pub.client("Eve")
    for _ in range(2):
        alone = await eve.order(people=1, rules={"format": "rounds 1"})
        await play_out(pub, alone, [eve])
    pub.forget()
    loaded = Mock(wraps=pub.house._load_once)
    monkeypatch.setattr(pub.house, "_load_once", loaded)
    for _ in range(2):
        assert "3 matches" in (await rows(ann))[codes[-1]]
        assert len(await rows(eve)) == 2
    assert [call.args[0] for call in loaded.call_args_list] == [codes[-1]]


async def test_an_evening_is_one_row_and_forgotten_by_one_button(pub: Pub) -> None:
    ann, _, codes = await chain(pub, "midnight rounds 1", "ship rounds 1")
    alone = await ann.order(people=1, rules={"format": "rounds 1"})
    await play_out(pub, alone, [ann])
    waiting = await ann.order(people=2)
    found = await rows(ann)
    codes = [read_code(code) or "" for code in codes]
    assert set(found) == {codes[-1], alone, waiting}
    assert found[codes[-1]].startswith("This evening: ")
    assert "3 matches" in found[codes[-1]]
    page = read((await ann.get("/", "text/html")).text).one("section", id="mine")
    assert [str(line.attrs["id"])[-6:] for line in page.all("li")] == [waiting, alone, codes[-1]], "what goes on first"
    row = page.one("li", id=f"mine-{codes[-1]}")
    href = str(row.one("a").attrs["href"])
    assert href.endswith("/evening")
    assert (await ann.get(href, "text/html")).status in (200, 202), "it is there, or its highlights are looked for"
    assert [line.attrs["id"] for line in page.one("details").all("li")] == [f"mine-{alone}", row.attrs["id"]]
    form = row.one("form")
    fields = {str(node.attrs["name"]): str(node.attrs["value"]) for node in form.all("input")}
    assert set(fields["codes"].split()) == set(codes)
    others = await pub.client("Eve").send(str(form.attrs["action"]), **fields)
    assert (others.status, set(await rows(ann))) == (303, set(found)), "nobody else's"
    assert (
        await ann.send(str(form.attrs["action"]), **{**fields, "codes": f"{fields['codes']} {waiting}"})
    ).status == 303
    assert set(await rows(ann)) == {alone, waiting}, "and no table that goes on"


async def test_two_evenings_of_two_days_are_two_rows(pub: Pub) -> None:
    ann, _, first = await chain(pub, "midnight rounds 1")
    pub.clock.ms += 24 * 3600 * 1000
    _, _, second = await chain(pub, "midnight rounds 1")
    found = await rows(ann)
    assert {code: line.partition(":")[0] for code, line in found.items()} == {
        read_code(first[-1]): "An evening",
        read_code(second[-1]): "This evening",
    }


ALL = [0, 1, 2, 3, 4, 5]


async def test_the_time_of_a_tables_last_move_is_stored_hourly(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 9"})
    await ann.done(code, "roll")

    def updated() -> int:
        [(at,)] = pub.store._rows("SELECT updated FROM tables")
        return int(at)

    written, opened = set[int](), pub.clock.ms
    for number in range(30):
        await pub.sleep(10 * MINUTE)
        await ann.done(code, "mark", marks=[number % 6])
        written.add(updated())
        assert 0 <= pub.clock.ms - updated() < HOUR
    assert len(written) <= 1 + (pub.clock.ms - opened) // HOUR + 1
    await ann.done(code, "bank", marks=ALL)
    before = updated()
    await bob.done(code, "give")
    assert updated() == pub.clock.ms >= before, "who comes and goes is written at once"


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("midnight", {"format": "rounds 7", "opener": "winner", "need": "2 4"}),
        ("midnight", {"format": "pot 3 rounds 4", "first": "draw"}),
        ("midnight", {"format": "rounds:2"}),
        ("420", {"format": "race"}),
        ("420", {"format": "drinks", "first": "draw"}),
    ],
)
def test_a_form_filled_in_from_a_table_orders_a_table_like_it(game: str, rules: dict[str, str]) -> None:
    setup = Setup({**rules, "game": game}, 2, "host", 0, dice="real", grace_s=60, clock_s=30, pace_ms=400)
    order = from_form({"game": game, **to_form(setup, GAMES[game])}, GAMES)
    assert order.rules == {**rules, "game": game, "format": order.rules["format"]}
    assert order.rules["format"].split() == rules["format"].replace(":", " ").split()
    assert (order.dice, order.grace_s, order.clock_s, order.pace_ms) == ("real", 60, 30, 400)


async def test_the_host_alone_changes_the_rules_in_the_lobby(pub: Pub) -> None:
    (ann, bob), code = await table_of(pub, "Ann", "Bob", people=None, rules={"format": "pot 2 rounds 3"}, clock_s=30)
    assert not read((await bob.page(code)).text).all("form", id="changing")
    form = read((await ann.page(code)).text).one("form", id="changing")
    fields = filled(form)
    assert fields["midnight.format"] == "pot"
    assert (fields["midnight.stake"], fields["midnight.pot-rounds"], fields["clock"]) == ("2", "3", "30")
    answer = await ann.send(f"/t/{code}", **{**fields, "midnight.format": "rounds", "midnight.rounds": "2"})
    assert answer.status == 303, answer.text
    rules = pub.actor(code).state.setup.rules
    assert rules["format"] == "rounds 2"
    assert pub.actor(code).state.setup.clock_s == 30


async def test_a_wrong_rule_is_told_on_the_table_and_changes_nothing(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None)
    fields = filled(read((await ann.page(code)).text).one("form", id="changing"))
    wanted = {"midnight.format": "pot", "midnight.stake": "lots", "midnight.first": "draw"}
    wanted |= {"clock": "120", "dice": "real"}
    answer = await ann.send(f"/t/{code}", **{**fields, **wanted})
    page = read(answer.text)
    assert answer.status == 422
    assert "open" in page.one("details", id="change").attrs
    assert page.one("input", id="midnight.stake").attrs["aria-invalid"] == "true"
    assert page.one("p", id="refusal").words()
    assert filled(page.one("form", id="changing")).items() >= wanted.items(), "all that was chosen stays"
    assert pub.actor(code).state.setup.rules["format"].startswith("rounds")


async def test_a_draw_for_player_1_stays_until_the_host_takes_it_back(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None, rules={"format": "rounds 3", "first": "draw"})
    for first, rounds in (("draw", "2"), ("", "4")):
        fields = filled(read((await ann.page(code)).text).one("form", id="changing"))
        assert fields["midnight.first"] == "draw"
        changed = {**fields, "midnight.first": first, "midnight.rounds": rounds}
        assert (await ann.send(f"/t/{code}", **changed)).status == 303
        rules = pub.actor(code).state.setup.rules
        assert (rules["format"], rules.get("first", "")) == (f"rounds {rounds}", first)


def test_a_script_keeps_the_lists_fresh_but_for_a_refused_form() -> None:
    def scripts(page: Node) -> list[str]:
        return [str(node.attrs["href"]).rpartition("/")[2] for node in page.all("link")]

    assert "page.js" in scripts(front())
    assert "page.js" not in scripts(read(every_page()["front, refused"]))
    for name in ("front", "front, refused"):
        assert read(every_page()[name]).one("section", id="lobby").all("a", href="/")


FORM = {"game": "midnight", "name": "Ann", "midnight.format": "points", "midnight.points": "30"}


def test_a_form_writes_the_switch_of_points_and_reads_it() -> None:
    assert from_form({**FORM, "midnight.even": "0"}, GAMES).rules["format"] == "points 30"
    rules = from_form({**FORM, "midnight.even": "1"}, GAMES).rules
    assert rules["format"] == "points 30 even"
    assert match_fields(GAMES["midnight"], rules)["midnight.even"] == "1"
