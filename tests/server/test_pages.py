"""The pages as text: sound HTML that needs no script, can be heard as well as seen, and lets nothing by unescaped."""

import gzip
from dataclasses import replace

import pytest

from pubdice.languages import LANGUAGES, language
from pubdice.server import pages
from pubdice.words import Language
from server.samples import ENGLISH, FRONT, NASTY, OVER, TABLE, THREE, every_page, seat, tables, view
from server.tree import Node, read

FIELDS = ("input", "select", "textarea")
PAGES = dict(every_page())


def shown(page: pages.TablePage) -> Node:
    return read(pages.table(ENGLISH, page))


@pytest.fixture(params=list(PAGES))
def page(request: pytest.FixtureRequest) -> Node:
    return read(PAGES[request.param])


# Every page


def test_a_page_says_its_language_its_title_and_its_one_heading(page: Node) -> None:
    assert page.one("html").attrs["lang"] == "en"
    assert page.one("title").words().endswith("| Pubdice")
    assert len(page.one("main").all("h1")) == len(page.all("h1")) == 1


def test_headings_go_down_one_level_at_a_time(page: Node) -> None:
    levels = [int(node.tag[1]) for node in page.all("h1", "h2", "h3", "h4")]
    seen = 1
    for level in levels[levels.index(1) :]:
        assert level <= seen + 1
        seen = level


def test_ids_are_unique_and_whatever_is_pointed_at_is_there(page: Node) -> None:
    ids = [node.attrs["id"] for node in page.all() if "id" in node.attrs]
    assert len(ids) == len(set(ids))
    for node in page.all():
        for name in ("for", "form", "aria-labelledby", "aria-describedby"):
            assert node.attrs.get(name) in (None, *ids), node
        if (node.attrs.get("href") or "").startswith("#"):
            assert str(node.attrs["href"])[1:] in ids


def test_every_field_has_a_label_and_every_button_a_name(page: Node) -> None:
    labels = {node.attrs["for"]: node.words() for node in page.all("label")}
    for node in page.all(*FIELDS):
        if node.attrs.get("type") != "hidden":
            assert labels.get(node.attrs.get("id")), node.attrs
    for node in page.all("button"):
        assert node.words() or node.attrs.get("aria-label") or node.hidden, node.attrs
    for node in page.all("img"):
        assert "alt" in node.attrs


def test_a_page_has_no_script_or_style_of_its_own_and_nothing_from_elsewhere(page: Node) -> None:
    assert not page.all("style", "iframe", "object", "embed")
    for node in page.all():
        assert not [name for name in node.attrs if name == "style" or name.startswith("on")]
        for name in ("src", "href", "action"):
            address = node.attrs.get(name) or "/"
            assert address.startswith(("/", "#", "http://house/t/ABCDEF")), address
            assert not address.startswith("//")
    for node in page.all("script"):
        assert not node.text
        assert str(node.attrs["src"]).startswith("/static/")


def test_every_form_that_changes_something_posts_and_counts_once(page: Node) -> None:
    keys = []
    for form in page.all("form"):
        if form.attrs["action"] == "/find":
            assert form.attrs["method"] == "get"
            continue
        assert form.attrs["method"] == "post"
        if str(form.attrs["action"]).startswith("/t/"):
            keys.append(form.one("input", name="key").attrs["value"])
    assert len(keys) == len(set(keys))
    assert all(keys)


@pytest.mark.parametrize("code", [code for code, _ in LANGUAGES])
def test_every_page_can_be_said_in_every_language(code: str) -> None:
    frame = pages.Frame(language(code), code, LANGUAGES)
    for text in dict(every_page(frame)).values():
        assert read(text).one("html").attrs["lang"] == code


def test_what_people_write_is_shown_and_never_obeyed() -> None:
    evil = '<script>alert("1")</script>'
    text = pages.table(ENGLISH, replace(TABLE, story=(evil,), name=evil, refusal=evil, refused="sit"))
    text += pages.front(ENGLISH, replace(FRONT, values={"name": evil, "code": evil, "420.stake": evil}, refusal=evil))
    text += pages.rules(ENGLISH, "Midnight", f"# Midnight\n\n{evil} **{evil}**\n\n- {evil}")
    text += pages.trouble(pages.Frame(Language(), here=evil), pages.Trouble(404, evil))
    assert "<script>" not in text
    assert "O&#39;Hara &amp; Zoë" in pages.table(ENGLISH, TABLE)


def test_the_language_and_the_theme_can_be_chosen_on_every_page(page: Node) -> None:
    tongues, themes = page.all("form", action="/language")
    assert [(node.attrs["value"], node.words()) for node in tongues.all("button")] == [("de", "Deutsch")]
    assert [node.attrs["value"] for node in themes.all("button", name="theme")] == ["", "light", "dark"]
    dark = read(pages.help_page(replace(ENGLISH, theme="dark", here="/help")))
    assert dark.one("html").attrs["data-theme"] == "dark"
    assert {back.attrs["value"] for back in dark.all("input", name="back")} == {"/help"}


def test_the_browser_is_told_the_colour_of_the_page_in_light_and_dark() -> None:
    def colours(frame: pages.Frame) -> list[tuple[str | None, str | None]]:
        metas = read(pages.help_page(frame)).all("meta", name="theme-color")
        return [(meta.attrs["content"], meta.attrs.get("media")) for meta in metas]

    light, dark = colours(ENGLISH)
    assert (light[1], dark[1]) == ("(prefers-color-scheme: light)", "(prefers-color-scheme: dark)")
    assert colours(replace(ENGLISH, theme="dark")) == [(dark[0], None)]
    assert colours(replace(ENGLISH, theme="light")) == [(light[0], None)]


@pytest.mark.parametrize("name", [name for name in PAGES if not name.startswith("table")])
def test_a_page_has_at_most_five_landmarks(name: str) -> None:
    page = read(PAGES[name])
    named = [node for node in page.all("section", "form", "aside") if {"aria-label", "aria-labelledby"} & {*node.attrs}]
    assert len(page.all("header", "nav", "main", "footer")) + len(named) <= 5


# The table's page


def test_the_live_regions_come_last_and_empty() -> None:
    first, second = shown(TABLE).one("body").children[-2:]
    assert (first.attrs["id"], first.attrs["aria-live"], first.words()) == ("polite", "polite", "")
    assert (second.attrs["id"], second.attrs["aria-live"], second.words()) == ("assertive", "assertive", "")


def test_the_table_tells_scripts_where_it_stands() -> None:
    main = shown(replace(TABLE, seat=1)).one("main")
    facts = {name: value for name, value in main.attrs.items() if name.startswith("data-")}
    assert facts == {
        "data-code": "ABCDEF", "data-seq": "41", "data-shape": "12", "data-stage": "playing", "data-seat": "1",
        "data-now": "1000", "data-clock": "43000",
    }  # fmt: skip
    assert shown(TABLE).one("main").attrs["data-seat"] == ""


@pytest.mark.parametrize("page", [page for _, page in tables()], ids=[name for name, _ in tables()])
def test_whatever_a_script_changes_in_place_is_always_there(page: pages.TablePage) -> None:
    ids = {node.attrs.get("id") for node in shown(page).all()}
    assert ids >= {
        "polite", "assertive", "table", "connection", "play", "whose", "heading", "status", "beat", "counter", "clock",
        "last", "act", "dice", "main", "bank", "back", "refusal", "seats", "slate", "scores", "standing", "story",
        "log", "keys",
    }  # fmt: skip


def test_my_dice_are_buttons_that_carry_the_marks_they_lead_to() -> None:
    page = shown(replace(TABLE, seat=1))
    dice = page.one("ol", id="dice").all("button")
    assert [node.attrs.get("value") for node in dice] == [None, "", "1 2", None, "1 4", None]
    assert [node.attrs["data-status"] for node in dice if not node.hidden] == ["locked", "marked", "free", "free"]
    assert [node.attrs["aria-pressed"] for node in dice if not node.hidden] == ["true", "true", "false", "false"]
    assert [node.words() for node in dice if not node.hidden] == ["locked", "marked", "free", "free"]
    assert (dice[0].attrs["type"], dice[0].attrs["aria-disabled"]) == ("button", "true")
    main = page.one("button", id="main")
    assert (main.attrs["name"], main.attrs["value"], main.words(), main.hidden) == ("do", "roll", "Roll 2 dice", False)
    assert page.one("p", id="heading").words() == "Your turn: keep one or more"


def test_others_see_the_dice_and_wait() -> None:
    for page in (shown(TABLE), shown(replace(TABLE, seat=0))):
        dice = page.one("ol", id="dice").all("button")
        assert not [node for node in dice if "name" in node.attrs]
        assert page.one("button", id="main").hidden
        assert page.one("p", id="heading").words() == f"{NASTY}'s turn"


def test_a_seat_is_told_by_name_shape_and_colour() -> None:
    twenty = dict(tables())["twenty"]
    shapes = [
        node for node in shown(twenty).one("section", id="seats").all("span") if "shape" in str(node.attrs["class"])
    ]
    assert len({(node.words(), node.attrs["class"]) for node in shapes}) == 20
    assert all(node.attrs["aria-hidden"] == "true" for node in shapes)


def test_who_watches_may_sit_down_in_empty_seats_and_bots() -> None:
    page = shown(replace(TABLE, view=view(seats=[seat("", "empty"), *THREE])))
    assert page.one("input", id="name").attrs["value"] == NASTY
    places = [node.attrs["value"] for node in page.all("button") if node.attrs.get("form") == "sit"]
    assert places == ["0", "4"]
    assert page.one("form", id="join").all("input", name="words")
    assert not shown(replace(TABLE, seat=0)).all("form", id="sit")
    assert not shown(replace(TABLE, view=OVER)).all("form", id="sit")


def test_why_nobody_could_sit_stands_at_the_name() -> None:
    page = shown(dict(tables())["name refused"])
    assert page.one("form", id="sit").one("p", id="why").words() == "Take another name."
    assert page.one("input", id="name").attrs["aria-describedby"] == "why"
    assert page.one("p", id="refusal").hidden
    assert page.one("title").words().startswith("Take another name.")


def test_only_those_who_sit_may_vote_and_only_for_whom_it_is_time() -> None:
    votes = shown(replace(TABLE, seat=0)).all("button", **{"class": "vote"})
    assert [(node.attrs["value"], node.hidden) for node in votes] == [("1", True), ("2", False)]
    assert not shown(TABLE).all("button", **{"class": "vote"})


def test_only_the_host_runs_the_table() -> None:
    asked = {node.attrs["value"] for node in shown(replace(TABLE, seat=0, host=True)).all("input", name="do")}
    assert asked >= {"remove", "pace"}
    gathering = {node.attrs["value"] for node in shown(dict(tables())["gathering"]).all("input", name="do")}
    assert gathering >= {"start", "close", "pace", "leave"}
    assert not {"remove", "pace", "start", "close"} & {
        node.attrs["value"] for node in shown(replace(TABLE, seat=1)).all("input", name="do")
    }
    removable = shown(replace(TABLE, seat=0, host=True)).one("form", id="remove").all("button")
    assert [node.attrs["value"] for node in removable] == ["1", "2"]


def test_my_four_words_are_mine_alone() -> None:
    mine = shown(replace(TABLE, seat=1, words="amber otter plain river"))
    assert "amber otter plain river" in mine.one("details", id="mine").words()
    assert not shown(TABLE).all("details", id="mine")


def test_the_others_are_brought_by_code_link_and_picture() -> None:
    share = shown(dict(tables())["gathering"]).one("details", id="share")
    assert "open" in share.attrs
    assert "ABCDEF" in share.words()
    assert share.one("a").attrs["href"] == "http://house/t/ABCDEF"
    assert share.one("img").attrs["src"] == "/t/ABCDEF/qr.svg"


def test_real_dice_are_typed_in_by_the_mover_alone() -> None:
    page = dict(tables())["real dice"]
    assert not shown(page).one("input", id="enter").hidden
    assert shown(replace(page, seat=1)).one("input", id="enter").hidden
    assert not shown(TABLE).all("input", id="enter")
    draw = shown(dict(tables())["real draw"]).one("form", id="draw")
    assert [node.attrs["value"] for node in draw.all("button")] == ["0", "1", "2", "3"]


def test_anybody_who_sits_may_have_player_1_drawn() -> None:
    assert not shown(dict(tables())["drawn by the house"]).one("button", id="main").hidden


def test_a_finished_table_shows_its_result_a_rematch_and_the_record() -> None:
    page = shown(replace(TABLE, seat=0, view=OVER))
    result = page.one("section", id="result")
    assert f"{NASTY} wins." in result.words()
    assert result.one("input", name="do").attrs["value"] == "rematch"
    assert result.one("a").attrs["href"] == "/t/ABCDEF/record"
    assert page.one("section", id="play").hidden
    given = view(stage="over", mover=None, seats=[seat(kind="standin")])
    assert not shown(replace(TABLE, seat=0, view=given)).all("form", id="resume")
    laid = shown(dict(tables())["next table laid"]).one("section", id="result")
    assert [node.attrs["href"] for node in laid.all("a")] == ["/t/ABCDEF/record"]
    assert laid.one("input", name="do").attrs["value"] == "rematch", "one goes there by taking one's seat"
    watched = shown(replace(dict(tables())["next table laid"], seat=None)).one("section", id="result")
    assert [node.attrs["href"] for node in watched.all("a")] == ["/t/BCDEFG", "/t/ABCDEF/record"]


def test_the_clock_is_shown_before_any_script_runs() -> None:
    clock = shown(TABLE).one("p", id="clock")
    assert (clock.words(), clock.hidden) == ("0:42 left", False)


# Rules, static files, weight


def test_rules_are_read_as_headings_paragraphs_lists_and_bold() -> None:
    text = "# Title\n\nSome **bold** words\nin a line.\n\n1. one\n   more\n2. two\n\n- **three**\n\n## Next"
    page = read(pages.rules(ENGLISH, "Midnight", text)).one("main")
    assert [node.tag for node in page.children] == ["h1", "p", "ol", "ul", "h2", "p"]
    assert [node.words() for node in page.one("ol").all("li")] == ["one more", "two"]
    assert [node.words() for node in page.all("strong")] == ["bold", "three"]


def test_static_files_are_addressed_by_what_they_hold() -> None:
    assert pages.static("house.css") == f"/static/{pages.edition()}/house.css"
    assert b"--slate" in pages.read_static("house.css")
    with pytest.raises(FileNotFoundError):
        pages.read_static("nothing.css")


def test_a_table_page_is_small_on_the_wire() -> None:
    def weight(content: bytes) -> int:
        return len(gzip.compress(content, 9))

    files = {file.name: weight(file.read_bytes()) for file in (pages.WEB / "static").iterdir()}
    scripts = sum(size for name, size in files.items() if name.endswith(".js"))
    page = max(weight(pages.table(ENGLISH, page).encode()) for _, page in tables())
    styles = files["house.css"] + files["table.css"]
    assert styles <= 7 * 1024
    assert page + scripts + styles + files["icon.svg"] <= 40 * 1024
