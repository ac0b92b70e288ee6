"""A table's page: its parts and their order, its buttons, and its readers."""

import json
from dataclasses import replace

import pytest

from pubdice.games.shutbox import KIT as SHUTBOX
from pubdice.server.pages import table as table_page
from pubdice.server.web.render import Frame
from pubdice.server.wire import BeamView, RailView, Sure, Told, View
from pubdice.text.game_words import Slot
from server.samples.tables import ENGLISH, NASTY, OVER, TABLE, THREE, seat, tables, view
from support.html_tree import Node, read

SURE = Sure("reroll", "Reroll all four…", "Throw away 17?", "Reroll all four", "Go back")


def turn(**facts: object) -> View:
    """The sample's turn, with some of it changed."""
    return View(**{**{name: getattr(TABLE.view, name) for name in View.__struct_fields__}, **facts})


def shown(page: table_page.TablePage) -> Node:
    return read(table_page.html(ENGLISH, page))


def test_the_live_regions_come_last_and_empty() -> None:
    first, second = shown(TABLE).one("body").children[-2:]
    assert (first.attrs["id"], first.attrs["aria-live"], first.words()) == ("polite", "polite", "")
    assert (second.attrs["id"], second.attrs["aria-live"], second.words()) == ("assertive", "assertive", "")


def test_the_table_tells_scripts_where_it_stands() -> None:
    main = shown(replace(TABLE, seat=1)).one("main")
    facts = {name: value for name, value in main.attrs.items() if name.startswith("data-")}
    assert facts == {
        "data-code": "ABCDEF", "data-here": "/t/ABCDEF", "data-seq": "41", "data-shape": "12", "data-stage": "playing",
        "data-seat": "1",
        "data-seats": "1", "data-told": "1", "data-now": "1000", "data-clock": "43000", "data-mine": "true",
        "data-patience": "4.7",
    }  # fmt: skip
    assert shown(TABLE).one("main").attrs["data-seat"] == ""


PLAYING = {
    "status", "counter", "clock", "act", "cup", "dice", "rail", "beam", "acts", "main", "bank", "tools", "back",
    "unmark", "sure", "ladder", "told", "standing",
}  # fmt: skip
"""The parts that scripts change in place while a match is played."""


def test_a_script_finds_each_part_that_it_changes_in_place() -> None:
    wanted = {"polite", "assertive", "table", "connection", "play", "heading", "refusal", "seats", "keys", "menu"}
    for name, page in tables():
        ids = {node.attrs.get("id") for node in shown(page).all()}
        assert ids >= wanted | (PLAYING if page.view.stage == "playing" else set()), name


def test_the_order_of_the_document_is_that_of_a_turn() -> None:
    order = ("heading", "status", "dice", "rail", "main", "back", "story", "log", "seats")
    for name, page in tables():
        main = shown(page).one("main")
        found = [node.attrs["id"] for node in main.all() if node.attrs.get("id") in order]
        assert found == [each for each in order if each in found], name
        assert [node.attrs.get("id") for node in main.all("h1")] == ["heading"], name


def test_one_gold_button_is_offered_at_most() -> None:
    for name, page in tables():
        gold = [node for node in shown(page).one("main").all("button", "a") if "main" in classes(node)]
        seen = [node for node in gold if not node.hidden and "data-waiting" not in node.attrs]
        assert len([node for node in seen if "no" not in classes(node)]) <= 1, name


def classes(node: Node) -> list[str]:
    return str(node.attrs.get("class")).split()


def test_my_dice_are_buttons_that_carry_the_marks_they_lead_to() -> None:
    page = shown(replace(TABLE, seat=1))
    dice = page.one("ol", id="dice").all("button")
    assert [node.attrs.get("value") for node in dice] == [None, "", "1 2", None, "1 4", None]
    seen = [node for node in dice if not node.hidden]
    assert [node.attrs["data-status"] for node in seen] == ["locked", "marked", "free", "free"]
    assert [node.attrs["aria-pressed"] for node in seen] == ["true", "true", "false", "false"]
    assert [node.words() for node in seen] == ["locked", "marked", "", ""]  # as scripts draw it
    assert (dice[0].attrs["type"], dice[0].attrs["aria-disabled"]) == ("button", "true")
    main = page.one("button", id="main")
    assert (main.attrs["name"], main.attrs["value"], main.words(), main.hidden) == ("do", "roll", "Roll 2 dice", False)


def test_others_see_the_dice_and_have_nothing_to_press() -> None:
    for page in (shown(TABLE), shown(replace(TABLE, seat=0))):
        dice = page.one("ol", id="dice").all("button")
        assert not [node for node in dice if "name" in node.attrs]
        assert page.one("button", id="main").hidden
        assert page.one("h1").words() == f"{NASTY}'s turn"


def test_a_sentence_about_the_reader_is_in_the_second_person() -> None:
    mine = shown(replace(TABLE, seat=1))
    assert mine.one("h1").words() == "Your turn: keep one or more"
    assert mine.one("p", id="status").words() == "You still need a 1."
    assert mine.one("title").words().startswith("Your turn – Midnight")
    assert shown(TABLE).one("title").words().startswith(f"{NASTY}'s turn – Midnight")


def test_a_phone_of_two_is_handed_over_before_the_second_rolls() -> None:
    shared = replace(TABLE, seat=1, seats=(0, 1), held=0)
    page = shown(shared)
    assert page.one("h1").words() == f"Pass to {NASTY}"
    assert not page.one("div", id="pass").hidden
    assert page.one("button", id="main").hidden
    taken = shown(replace(shared, held=1))
    assert taken.one("h1").words() == f"{NASTY}'s turn", "by name, as several share the page"
    assert taken.one("div", id="pass").hidden
    assert not taken.one("button", id="main").hidden


def test_the_rail_shows_what_is_needed_won_and_chosen() -> None:
    slots = Slot(1, 1), Slot(0, 4), Slot(6), Slot(5, 0, True), Slot(), Slot()
    told = Told("You have 1, still need 4. Score 6.")
    rail = RailView(slots, Told("You need"), Told("Your score"), "6", told)
    page = shown(replace(TABLE, seat=1, view=turn(rail=rail, red=[1, 4])))
    box = page.one("div", id="rail")
    found = [
        (node.attrs["data-face"], *sorted(set(node.attrs) - {"class", "data-face"}))
        for node in box.all("span", **{"class": "slot"})
    ]
    assert found == [
        ("1", "data-need", "data-won"), ("4", "data-need"), ("6", "data-won"), ("5", "data-preview"),
        ("0",), ("0",),
    ]  # fmt: skip
    assert "Score 6." in box.words()
    assert [node.attrs["data-place"] for node in page.one("ol", id="dice").all("button") if not node.hidden] == [
        "1",
        "2",
        "4",
    ]


def test_the_beam_shows_a_sum_against_its_target_and_past_it() -> None:
    for value, colour in ((17, "#edb64d"), (22, "#ffb4a8")):
        box = shown(replace(TABLE, view=turn(beam=BeamView(value, 20, 24, "20 wins", Told(""))))).one("div", id="beam")
        bar = box.all("rect", **{"class": "fill"})
        assert [(node.attrs["fill"], node.attrs["width"]) for node in bar] == [(colour, str(value * 360 / 24))]


def test_a_player_is_asked_twice_before_all_dice_roll_again() -> None:
    asked = shown(replace(TABLE, seat=1, view=turn(sure=SURE))).one("details", id="sure")
    assert "open" not in asked.attrs
    assert asked.one("summary").words() == "Reroll all four…"
    assert asked.one("button").attrs["value"] == "reroll"
    assert shown(replace(TABLE, seat=0, view=turn(sure=SURE))).one("details", id="sure").hidden


def test_a_seat_is_told_by_name_shape_and_colour() -> None:
    twenty = dict(tables())["twenty"]
    shapes = [node for node in shown(twenty).one("div", id="seats").all("span") if "shape" in str(node.attrs["class"])]
    assert len({(node.words(), node.attrs["class"]) for node in shapes}) == 20
    assert all(node.attrs["aria-hidden"] == "true" for node in shapes)


def test_who_watches_may_sit_down_in_empty_seats_and_bots() -> None:
    page = shown(replace(TABLE, view=view(seats=[seat("", "empty"), *THREE])))
    assert page.one("input", id="name").attrs["value"] == NASTY
    places = [node.attrs["value"] for node in page.one("form", id="sit").all("button", name="seat")]
    assert places == ["0"]
    bots = shown(TABLE).one("form", id="sit").all("button", name="seat")
    assert [(node.attrs["value"], node.words()) for node in bots] == [("3", "Take over from Tip")]
    assert page.one("form", id="join").all("input", name="words")
    assert not shown(replace(TABLE, seat=0)).all("form", id="sit")
    assert not shown(replace(TABLE, view=OVER)).all("form", id="sit")


def test_why_nobody_could_sit_stands_at_the_name() -> None:
    page = shown(dict(tables())["name refused"])
    assert page.one("form", id="sit").one("p", id="why").words() == "Take another name."
    assert page.one("input", id="name").attrs["aria-describedby"] == "why"
    assert page.one("p", id="refusal").hidden
    assert page.one("title").words().startswith("Take another name.")


def test_players_vote_when_a_seats_time_is_over() -> None:
    votes = shown(replace(TABLE, seat=0)).all("button", **{"class": "vote second"})
    assert [(node.attrs["value"], node.hidden) for node in votes] == [("1", True), ("2", False)]
    assert not shown(TABLE).all("button", **{"class": "vote second"})


def test_only_the_host_runs_the_table() -> None:
    asked = {node.attrs["value"] for node in shown(replace(TABLE, seat=0, host=True)).all("input", name="do")}
    assert asked >= {"remove", "pace"}
    gathering = {node.attrs["value"] for node in shown(dict(tables())["gathering"]).all("input", name="do")}
    assert gathering >= {"start", "pace", "leave"}
    assert not {"remove", "pace", "start", "close"} & {
        node.attrs["value"] for node in shown(replace(TABLE, seat=1)).all("input", name="do")
    }
    removable = shown(replace(TABLE, seat=0, host=True)).one("form", id="remove").all("button")
    assert [node.attrs["value"] for node in removable] == ["1 O'Hara & Zoë", "2 Bob"]


def test_my_four_words_are_mine_alone() -> None:
    mine = shown(replace(TABLE, seat=1, words="amber otter plain river"))
    assert "amber otter plain river" in mine.one("details", id="mine").words()
    assert not shown(TABLE).all("details", id="mine")


def test_the_others_are_brought_by_code_link_and_picture() -> None:
    for share in (
        shown(dict(tables())["gathering"]).one("section", id="play"),
        shown(TABLE).one("details", id="inviting"),
    ):
        assert "ABCDEF" in share.words()
        assert share.all("a")[0].attrs["href"] == "http://house/t/ABCDEF"
        assert share.one("img").attrs["src"] == "/t/ABCDEF/qr.svg"
        assert "/t/ABCDEF/big" in [node.attrs["href"] for node in share.all("a")]


def test_a_big_screen_has_nothing_to_press_and_shows_the_way_in() -> None:
    for _, page in tables():
        big = read(table_page.big_html(ENGLISH, page))
        assert not [
            node
            for node in big.one("main").all("button", "a", "summary")
            if not node.hidden
            and not (node.attrs.get("class") in ("die", "tile") and node.attrs["aria-disabled"] == "true")
        ]
        assert "ABCDEF" in big.one("main").words()
        assert big.one("img", **{"class": "qr"}).attrs["src"] == "/t/ABCDEF/qr.svg"
        assert len(big.one("main").all("h1")) == 1


def test_a_page_without_scripts_looks_again_while_one_waits() -> None:
    def again(page: table_page.TablePage) -> bool:
        return bool(shown(page).one("noscript").all("meta")) if shown(page).all("noscript") else False

    def seconds(page: table_page.TablePage) -> str | None:
        return shown(page).one("noscript").one("meta").attrs["content"]

    assert again(replace(TABLE, seat=0)), "another's turn"
    assert not again(replace(TABLE, seat=1)), "one's own"
    assert not again(TABLE), "a watcher may be typing a name"
    assert not again(replace(TABLE, seat=0, refusal="No.", refused="vote")), "the player needs time to read a refusal"
    assert seconds(replace(TABLE, seat=0)) == "10"
    assert seconds(replace(TABLE, seat=0, said="Bob has 17.")) == "60", "an answer, which may be to a move"


def test_a_page_with_forms_is_loaded_again_by_its_reader() -> None:
    gathering = dict(tables())["gathering"]
    assert gathering.seat is not None
    guest = replace(gathering, host=False, changeable=False, plan=None)
    for page in (gathering, replace(gathering, change=True), guest):
        html = shown(page)
        assert html.all("input", id="rename-name")
        again = [node.attrs["content"] for node in html.all("meta") if node.attrs.get("http-equiv") == "refresh"]
        assert again == ([] if page.change else ["60"] if page is guest else ["110"]), "within two minutes one is away"

        link = next(node for node in html.one("section", id="play").all("a") if node.words() == "Refresh")
        assert link.attrs["href"] == page.here


def test_no_seat_is_said_to_wait_for_who_watches() -> None:
    for number, waits in ((0, True), (None, False)):
        assert ("Your seat waits" in table_page.html(ENGLISH, replace(TABLE, seat=number))) == waits


def test_real_dice_are_typed_in_by_the_mover_alone() -> None:
    page = dict(tables())["real dice"]
    assert not shown(page).one("input", id="enter").hidden
    assert shown(replace(page, seat=1)).one("input", id="enter").hidden
    refused = replace(page, refused="enter", refusal="Too many.", posted={"dice": "1 4 6 6 6 6 6"})
    assert shown(refused).one("input", id="enter").attrs["value"] == "1 4 6 6 6 6 6"
    assert not shown(TABLE).all("input", id="enter")
    faces = [
        node.attrs["data-face"] for node in shown(page).one("div", id="pad").all("button") if "data-face" in node.attrs
    ]
    assert faces == ["1", "2", "3", "4", "5", "6"]
    draw = shown(dict(tables())["real draw"]).one("form", id="draw")
    assert [node.attrs["value"] for node in draw.all("button")] == ["0", "1", "2", "3"]


def test_anybody_who_sits_may_have_player_1_drawn() -> None:
    assert not shown(dict(tables())["drawn by the house"]).one("button", id="main").hidden


def test_a_finished_table_shows_result_rematch_and_record() -> None:
    page = shown(replace(TABLE, seat=0, view=OVER)).one("section", id="play")
    assert page.one("h1").words() == f"{NASTY} wins"
    assert page.one("input", name="do").attrs["value"] == "rematch"
    decided, ways = "/t/ABCDEF/receipt", ["/t/ABCDEF/receipt", "/t/ABCDEF/ask/1", "/t/ABCDEF/record", "/"]
    assert [node.attrs["href"] for node in page.all("a")] == [decided, *ways]
    given = view(stage="over", mover=None, seats=[seat(kind="standin")])
    assert not shown(replace(TABLE, seat=0, view=given)).all("form", id="resume")
    watched = shown(replace(TABLE, view=view(stage="over", seats=THREE, rematch="/t/BCDEFG"))).one("section", id="play")
    assert [node.attrs["href"] for node in watched.all("a")] == [
        decided,
        "/t/BCDEFG",
        *ways,
    ]


def test_the_clock_is_shown_before_any_script_runs() -> None:
    clock = shown(TABLE).one("p", id="clock")
    assert (clock.words(), clock.hidden) == ("0:42 left", False)


def test_settings_offer_what_the_game_has() -> None:
    of_keeps = {"swap", "digits", "key-bank"}
    ids = {node.attrs.get("id") for node in shown(replace(TABLE, seat=1)).all()}
    assert ids >= {*of_keeps, "key-roll"}
    of_moves = {node.attrs.get("id") for node in shown(replace(TABLE, seat=1, kit=SHUTBOX)).all()}
    assert not of_moves & of_keeps
    assert "key-roll" in of_moves
    assert "1 to 9 choose a move or a tile." in shown(replace(TABLE, seat=1, kit=SHUTBOX)).one("body").words()


@pytest.mark.parametrize(
    ("page", "frame", "heading"),
    [
        ("seated", ENGLISH, "You're in"),
        ("host", ENGLISH, "Share this code"),
        ("host", replace(ENGLISH, near=True, pocket=False), "Your table"),
        ("watching", ENGLISH, "Join this table"),
    ],
)
def test_a_lobby_says_the_same_in_its_heading_and_its_title(page: str, frame: Frame, heading: str) -> None:
    lobby = dict(tables())["gathering"]
    seat = None if page == "watching" else 0
    html = read(table_page.html(frame, replace(lobby, seat=seat, host=page == "host")))
    assert html.one("h1").words() == heading
    assert html.one("title").words().partition(" – ")[0] == heading


def test_a_code_is_spelled_and_what_is_copied_has_a_name() -> None:
    html = shown(replace(dict(tables())["gathering"], seat=0, host=True))
    invite = html.one("div", **{"class": "invite"})
    assert [node.words() for node in invite.all("span", translate="no") if "aria-hidden" not in node.attrs] == [
        "A B C D E F"
    ]
    assert [node.words() for node in html.all("button") if "data-copy" in node.attrs] == ["Copy the link"]


def test_who_comes_to_a_match_that_has_begun_is_told_its_rules() -> None:
    said = json.loads(str(shown(TABLE).one("body").attrs["data-words"]))
    assert said["opening"] == f"{TABLE.kit.words.title}: {TABLE.rules}"
