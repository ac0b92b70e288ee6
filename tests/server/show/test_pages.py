"""All pages as they are written: the demands of browsers, screen readers and sizes on each, and their styles."""

import gzip
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pytest

from pubdice.games.midnight import KIT as MIDNIGHT
from pubdice.room.nickname import read_nickname
from pubdice.room.setup import MOST_CHAIRS
from pubdice.server.pages import about
from pubdice.server.pages import front as front_page
from pubdice.server.pages import table as table_page
from pubdice.server.web import render, static_files
from pubdice.server.web.browser import DAILY_COOKIE, DRILL_COOKIE, LANGUAGE_COOKIE, NAME_COOKIE, THEME_COOKIE
from pubdice.text.catalogues import CODES, language, native_names
from pubdice.text.language import Language
from server.samples.every_page import every_page
from server.samples.front import FRONT, HOUSE
from server.samples.tables import ENGLISH, TABLE, tables
from support.by_day import LANGUAGES
from support.html_tree import Node, read
from support.script_imports import waited_for
from support.shipped_script import check_shipped

FIELDS = ("input", "select", "textarea")


@cache
def _pages_read() -> dict[str, Node]:
    return {name: read(text) for name, text in every_page().items()}


def on_every_page(check: Callable[[Node], None]) -> Callable[[], None]:
    """One test for all pages, each read once. A fault says on which page it is."""

    def visit() -> None:
        for name, page in _pages_read().items():
            try:
                check(page)
            except AssertionError as fault:
                fault.add_note(f"on the page {name!r}")
                raise

    visit.__name__ = check.__name__
    return visit


# Every page


@on_every_page
def test_a_name_as_long_as_the_house_takes_fits_its_field(page: Node) -> None:
    for name in ("👩\u200d👧" * 8, "🇩🇪" * 12, "🎲" * 12, "n" * 24):
        assert read_nickname(name) == name
        units = len(name.encode("utf-16-le")) // 2  # by these a browser counts
        for node in page.all("input"):
            if node.attrs.get("name") == "name" and node.attrs.get("type") != "hidden":
                assert units <= int(str(node.attrs["maxlength"])), (name, node.attrs)


@on_every_page
def test_a_page_says_its_language_its_title_and_its_one_heading(page: Node) -> None:
    assert page.one("html").attrs["lang"] == "en"
    assert page.one("head").one("title").words().endswith("| Pubdice")
    assert len(page.one("main").all("h1")) == len(page.all("h1")) == 1


@on_every_page
def test_headings_go_down_one_level_at_a_time(page: Node) -> None:
    levels = [int(node.tag[1]) for node in page.all("h1", "h2", "h3", "h4")]
    seen = 1
    for level in levels[levels.index(1) :]:
        assert level <= seen + 1
        seen = level


@on_every_page
def test_ids_are_unique_and_whatever_is_pointed_at_is_there(page: Node) -> None:
    ids = [node.attrs["id"] for node in page.all() if "id" in node.attrs]
    assert len(ids) == len(set(ids))
    for node in page.all():
        for name in ("for", "form", "aria-labelledby", "aria-describedby"):
            assert node.attrs.get(name) in (None, *ids), node
        if (node.attrs.get("href") or "").startswith("#"):
            assert str(node.attrs["href"])[1:] in (*ids, "this-device", "other-phones")  # those open a pocket's shell


@on_every_page
def test_every_field_has_a_label_and_every_button_a_name(page: Node) -> None:
    labels = {node.attrs["for"]: node.words() for node in page.all("label")}
    for node in page.all(*FIELDS):
        if node.attrs.get("type") != "hidden":
            assert labels.get(node.attrs.get("id")), node.attrs
    for node in page.all("button"):
        assert node.words() or node.attrs.get("aria-label") or node.hidden, node.attrs
    for node in page.all("img"):
        assert "alt" in node.attrs


@on_every_page
def test_no_field_is_wrong_before_anybody_has_typed(page: Node) -> None:
    """Firefox calls what is ``required`` and empty an "invalid entry" from the start, whatever aria-invalid says."""
    for node in page.all(*FIELDS):
        assert "required" not in node.attrs, node.attrs
        assert node.attrs.get("aria-invalid") in (None, "true"), node.attrs
        if node.attrs.get("aria-invalid"):
            assert node.attrs["aria-describedby"], "a field that is wrong says why"


@on_every_page
def test_a_players_row_is_heard_in_one_piece_with_the_name_once(page: Node) -> None:
    for row in page.all("li"):
        if "data-seat" in row.attrs and row.all("bdi"):
            name, said = row.one("bdi").words(), heard(row)
            assert said.startswith(name), said
            assert name not in said.removeprefix(name), said
            assert said == " ".join(part.words() for part in row.all("span", **{"class": "said unseen"}))


@on_every_page
def test_nothing_to_look_at_alone_is_heard(page: Node) -> None:
    """Neither an empty place for later news nor a dot between two words."""
    for node in page.all("p", "span", "div"):
        if node.attrs.get("role") == "status" and node.attrs.get("class") != "told":
            assert node.words(), node.attrs
    assert not page.all("p", "div", "span", role="img"), "Firefox leaves their labels out: words are text, unseen"
    assert "·" not in heard(page.one("main"))


@on_every_page
def test_a_sentence_with_a_decimal_point_is_heard_in_one_piece(page: Node) -> None:
    """Orca with Firefox ends a sentence at the point, except in headings, items of lists, and elements with a focus."""
    for node in [*page.all("p", "dd", "caption"), *page.all("span", **{"class": "unseen"})]:
        if not node.hidden and re.search(r"\d\.\d\S*\s+\S", heard(node)):
            assert "tabindex" in node.attrs, node.words()


def test_the_words_of_a_seal_come_before_the_lobbys_controls() -> None:
    lobbies = 0
    for page in _pages_read().values():
        ids = [node.attrs["id"] for node in page.all() if "id" in node.attrs]
        if "seal" in ids and "guests" in ids:
            assert ids.index("seal") < ids.index("guests")
            lobbies += 1
    assert lobbies


def heard(node: Node) -> str:
    """The words that a screen reader is given."""
    if "hidden" in node.attrs or node.attrs.get("aria-hidden") == "true":
        return ""
    return " ".join([*node.text.split(), *filter(None, map(heard, node.children))])


@on_every_page
def test_a_page_has_no_inline_script_and_nothing_from_elsewhere(page: Node) -> None:
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


@on_every_page
def test_every_form_that_changes_something_posts_and_counts_once(page: Node) -> None:
    keys = []
    for form in page.all("form"):
        action = str(form.attrs["action"])
        if action.startswith(("/find", "/ask", "/verify", "/try")) or action.endswith("/receipt"):
            assert form.attrs["method"] == "get"
            continue
        assert form.attrs["method"] == "post"
        if str(form.attrs["action"]).startswith("/t/"):
            keys.append(form.one("input", name="key").attrs["value"])
    assert len(keys) == len(set(keys))
    assert all(keys)


ENGLISH_WORDS = ("Threes", "Midnight", "Lucky", "Steady", "Cautious", "Bold", "Perfect")


@pytest.mark.parametrize("pocket", [False, True], ids=["house", "pocket"])
def test_all_that_a_browser_keeps_is_listed_under_privacy(pocket: bool) -> None:
    page = read(about.privacy_html(replace(ENGLISH, pocket=pocket), None))
    listed = " ".join(node.words() for node in page.one("main").all("ul")[0].all("li"))
    named = {NAME_COOKIE: "name", LANGUAGE_COOKIE: "language", THEME_COOKIE: "light or dark"}
    named |= {DAILY_COOKIE: "Last orders", DRILL_COOKIE: "drill"}
    assert {cookie: words in listed for cookie, words in named.items()} == dict.fromkeys(named, True)


def test_english_words_of_a_german_page_are_marked_english() -> None:
    pages = dict(every_page(render.Frame(language("de"), "de")))
    told = 0
    for name, text in pages.items():
        for node in read(text).one("main").all("a", "span", "legend"):
            if node.text.strip() in ENGLISH_WORDS and "name" not in (node.attrs.get("class") or ""):
                assert node.attrs.get("lang") == "en", f"{name}: {node.text}"
                told += 1
        for node in read(text).all("code"):
            assert node.attrs.get("lang") == "en", f"{name}: {node.text}"
    assert told > 20


def test_what_people_write_is_shown_and_never_obeyed() -> None:
    evil = '<script>alert("1")</script>'
    text = table_page.html(ENGLISH, replace(TABLE, story=(evil,), name=evil, refusal=evil, refused="sit"))
    text += front_page.html(
        ENGLISH, replace(FRONT, values={"name": evil, "code": evil, "420.stake": evil}, refusal=evil)
    )
    rules = f"# Midnight\n\n{evil} **{evil}**\n\n- {evil}"
    text += about.rules_html(ENGLISH, replace(MIDNIGHT, rules=lambda _: rules))
    text += render.trouble(render.Frame(Language(), here=evil), render.Trouble(404, evil))
    assert "<script>" not in text
    assert "O&#39;Hara &amp; Zoë" in table_page.html(ENGLISH, TABLE)


@on_every_page
def test_language_and_theme_can_be_chosen_from_every_page(page: Node) -> None:
    """A table's menu has the buttons. Every other page has a link to the page with the buttons."""
    if page.all("form", action="/language"):
        _offers_languages_and_themes(page)
        return
    [link] = [node for node in page.all("a") if str(node.attrs["href"]).startswith("/language")]
    assert link.words() == "English"
    assert link.one("svg").attrs["aria-hidden"] == "true", "drawn, as not every machine has a globe among its letters"
    assert link.attrs["aria-label"] == "English: Language and light"


def _offers_languages_and_themes(page: Node) -> None:
    tongues, themes = page.all("form", action="/language")
    assert tuple((node.attrs["value"], node.words()) for node in tongues.all("button")) == native_names()
    assert [node.attrs["value"] for node in themes.all("button", name="theme")] == ["", "light", "dark"]


def test_the_page_of_languages_marks_the_one_in_force() -> None:
    dark = read(about.tongues_html(replace(ENGLISH, theme="dark", wanted="de"), about.Tongues("/help")))
    _offers_languages_and_themes(dark)
    assert dark.one("html").attrs["data-theme"] == "dark"
    assert [node.words() for node in dark.all("button") if "aria-current" in node.attrs] == ["Deutsch", "Dark"]
    assert {back.attrs["value"] for back in dark.all("input", name="back")} == {"/help"}


def test_a_page_that_a_language_lacks_says_so_in_that_language() -> None:
    page = read(about.privacy_html(replace(ENGLISH, wanted="de"), None))
    [line] = [node for node in page.all("p") if node.attrs.get("lang") == "de"]
    assert line.words() == "Diese Seite ist auf Englisch."
    assert page.one("html").attrs["lang"] == "en"


def test_a_script_from_right_to_left_turns_the_page() -> None:
    hebrew = read(about.help_html(render.Frame(language("he"), "he", "he"), None))
    assert hebrew.one("html").attrs["dir"] == "rtl"
    assert "dir" not in read(about.help_html(ENGLISH, None)).one("html").attrs


def test_the_browser_is_told_the_colour_of_each_theme() -> None:
    def colours(frame: render.Frame) -> list[tuple[str | None, str | None]]:
        metas = read(about.help_html(frame, None)).all("meta", name="theme-color")
        return [(meta.attrs["content"], meta.attrs.get("media")) for meta in metas]

    light, dark = colours(ENGLISH)
    assert (light[1], dark[1]) == ("(prefers-color-scheme: light)", "(prefers-color-scheme: dark)")
    assert colours(replace(ENGLISH, theme="dark")) == [(dark[0], None)]
    assert colours(replace(ENGLISH, theme="light")) == [(light[0], None)]


@on_every_page
def test_a_page_has_at_most_five_landmarks(page: Node) -> None:
    named = [node for node in page.all("section", "form", "aside") if {"aria-label", "aria-labelledby"} & {*node.attrs}]
    assert len(page.all("header", "nav", "main", "footer")) + len(named) <= 5


# The table's page


def test_rules_are_read_as_headings_paragraphs_lists_and_bold() -> None:
    text = "# Title\n\nSome **bold** words\nin a line.\n\n1. one\n   more\n2. two\n\n- **three**\n\n## Next"
    page = read(about.rules_html(ENGLISH, replace(MIDNIGHT, rules=lambda _: text))).one("main")
    assert [node.tag for node in page.children] == ["nav", "h1", "p", "ol", "ul", "h2", "p", "p"]
    assert [node.words() for node in page.one("ol").all("li")] == ["one more", "two"]
    assert [node.words() for node in page.all("strong")] == ["bold", "three"]


def test_the_rules_say_how_many_play_at_a_table() -> None:
    page = replace(MIDNIGHT, rules=lambda _: "# 420\n\nRoll.")
    assert [node.words() for node in read(about.rules_html(ENGLISH, page)).one("main").all("p")][2] == (
        f"Up to {MOST_CHAIRS} play at a table."
    )
    assert len(set(render.SHAPES)) >= MOST_CHAIRS, "each with a shape of their own"


def test_static_files_are_addressed_by_what_they_hold() -> None:
    assert static_files.link("house.css") == f"/static/{static_files.edition()}/house.css"
    assert b"--slate" in static_files.read_static("house.css")
    with pytest.raises(FileNotFoundError):
        static_files.read_static("nothing.css")


def test_a_script_is_sent_without_its_comments() -> None:
    for file in static_files.STATIC.iterdir():
        if file.name.endswith(".js"):
            check_shipped(file.read_bytes(), static_files.served(file.name), file.name)


def test_every_look_of_a_page_is_small_on_the_wire() -> None:
    files = {file.name: len(static_files.compressed(file.name)) for file in static_files.STATIC.iterdir()}
    used: set[str] = set()
    for name, html, page in looks():
        links = [str(node.attrs["href"]) for node in page.all("link") if node.attrs["rel"] == "stylesheet"]
        linked = [str(node.attrs["src"]) for node in page.all("script") if "src" in node.attrs]
        linked += [str(node.attrs["href"]) for node in page.all("link") if node.attrs["rel"] == "modulepreload"]
        sheets = [link.rpartition("/")[2] for link in links]
        programs = {link.rpartition("/")[2] for link in linked}
        used.update(sheets, programs)
        scripts = sum(files[program] for program in programs)
        assert scripts <= 22 * 1024, (name, programs)
        styles = sum(files[sheet] for sheet in sheets if sheet != "rtl.css")
        seldom = {"big.css", "ladder.css", "many.css", "moves.css", "outside.css", "pad.css", "pass.css"}
        beside = seldom.intersection(sheets)
        assert styles <= (8.5 if len(beside) > 1 else 8) * 1024, (name, sheets)
        assert len(gzip.compress(html.encode(), 9)) + scripts + styles + files["icon.svg"] <= 40 * 1024, name
    later = {"taps.js", "tablet.js", "tablet.css", "chances.js", "result.js", "cheer.js", "shakes.js"}
    later |= {"after.js", "calls.js", "clocks.js", "phone.js", "scales.js", "share.js", "sound.js"}
    later |= {"all_keys.js", "awake.js", "hints.js", "key_settings.js", "trial.js", "turn.js", "faces.js", "pad.js"}
    assert max(files[name] for name in later) <= 1024
    assert files["camera.js"] + files["dice_reader.js"] + files["dice_reader.bin"] <= 40 * 1024
    sealed = {"seal.js", "sha256.js", "verify.js"}  # at tables with sealed dice alone: the phone's part, and the check
    assert sum(files[name] for name in sealed) <= 8 * 1024
    moving = {"moves.js", "moves.css"}  # at tables where dice are not kept
    assert sum(files[name] for name in moving) <= 2.5 * 1024
    assert files["rtl.css"] <= 0.5 * 1024  # on pages from right to left alone
    later |= {"camera.js", "dice_reader.js"}
    later |= sealed | moving | {"prices.js"}  # which comes with house rules that are opened
    assert used | later == {name for name in files if name.endswith((".css", ".js"))}, "no look was left out"


def test_the_front_page_is_no_larger_on_the_wire_than_it_was() -> None:
    """All that a first visitor's browser waits for: 13,829 bytes before dice were thrown there."""
    for code in CODES:
        html = front_page.html(render.Frame(language(code), code), HOUSE)
        page = read(html)
        linked = [str(node.attrs["href"]) for node in page.all("link") if node.attrs["rel"] != "icon"]
        linked += [str(node.attrs["src"]) for node in page.all("script")]
        files = [link.rpartition("/")[2] for link in linked] + ["icon.svg"]
        sent = len(gzip.compress(html.encode(), 9)) + sum(len(static_files.compressed(name)) for name in files)
        assert sent <= 13_829, (code, files)


def test_a_page_names_every_script_that_it_waits_for() -> None:
    """Else it is fetched once another has come, one after the other, and is not counted among the page's bytes."""
    for name, _, page in looks():
        links = [str(node.attrs["src"]) for node in page.all("script") if "src" in node.attrs]
        links += [str(node.attrs["href"]) for node in page.all("link") if node.attrs["rel"] == "modulepreload"]
        programs = {link.rpartition("/")[2] for link in links}
        assert waited_for(programs, static_files.read_static) == programs, name


@cache
def looks() -> tuple[tuple[str, str, Node], ...]:
    """Every page, and each table as others see it too: on a phone that is shared, with real dice, from afar."""
    return tuple((name, html, read(html)) for name, html in _looks())


def _looks() -> Iterator[tuple[str, str]]:
    for code in dict.fromkeys((CODES[0], *LANGUAGES)):
        yield from every_page(render.Frame(language(code), code)).items()
    for name, page in tables():
        shared = replace(page, seat=0, seats=tuple(range(len(page.view.seats))), held=None)
        yield f"{name}, from afar", table_page.big_html(ENGLISH, page)
        yield f"{name}, shared", table_page.html(ENGLISH, shared)
        yield f"{name}, shared, real dice", table_page.html(ENGLISH, replace(shared, real=True))


SHEETS = sorted(file.name for file in static_files.STATIC.iterdir() if file.name.endswith(".css"))
TOKEN = re.compile(r"[{}]|[^{};]+")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def declared(style: str, name: str) -> list[str]:
    """The selectors of the rules that declare this property, each behind its outer ones."""
    found, heads, last = list[str](), list[str](), ""
    for part in map(str.strip, TOKEN.findall(COMMENT.sub("", style))):
        if part == "{":
            heads.append(last)
        elif part == "}":
            heads.pop()
        elif part.partition(":")[0] == name and heads:
            found.append(" ".join(head for head in heads if not head.startswith("@")))
        last = part
    return found


def test_nested_rules_of_a_style_are_found() -> None:
    style = "a, b { order: 1; border: 0 } @media print { #c { d { order: 2 } e:hover { color: red } } }"
    assert declared(style, "order") == ["a, b", "#c d"]
    assert split("a, :is(b, c:not(d, e)), f") == ["a", " :is(b, c:not(d, e))", " f"]


def test_another_order_on_the_screen_is_that_of_a_stage() -> None:
    """Bound to names alone it holds wherever the name stands: the winner's once stood below the dice."""
    for sheet in SHEETS:
        style = static_files.read_static(sheet).decode()
        loose = [rule for rule in declared(style, "order") for one in split(rule) if "[data-stage=" not in one]
        assert loose == [], sheet


def split(selectors: str) -> list[str]:
    """The selectors of a list. A list in parentheses is part of one selector."""
    parts, depth = [""], 0
    for sign in selectors:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


DECLARATION = re.compile(r"(?P<name>[\w-]+)\s*:\s*(?P<value>[^;{}]+);")
LENGTH = re.compile(r"(?<![\w.#-])(-?[\d.]+)(rem|px)\b")
SIZES = ("tiny", "small", "body", "head", "title")
SIZED = {"font", "font-size", *(f"--{size}" for size in SIZES)}
STEP_REM = 0.125
"""2 px. Above 2rem 4 px, above 8rem 8 px: so fine no eye sees there."""


def rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Each declaration of a sheet: its property and its value."""
    css = COMMENT.sub("", (static_files.STATIC / sheet).read_text())
    for found in DECLARATION.finditer(css):
        yield found["name"], " ".join(found["value"].split())


def is_in_steps(rem: float) -> bool:
    """True if a length in rem is a whole number of steps."""
    steps = STEP_REM * (1 if abs(rem) <= 2 else 2 if abs(rem) <= 8 else 4)
    return (rem / steps).is_integer()


def lengths(*names: str) -> Iterator[tuple[str, float]]:
    """Each length in rem of these properties, or of all but text's, with its place."""
    for sheet in SHEETS:
        for name, value in rules(sheet):
            if name in names or (not names and name not in SIZED):
                for number, unit in LENGTH.findall(value):
                    if unit == "rem":
                        yield f"{sheet}, {name}: {value}", float(number)


def test_space_goes_in_steps() -> None:
    assert [place for place, rem in lengths() if not is_in_steps(rem)] == []


def test_text_has_sizes_by_name() -> None:
    """Text larger than a heading, such as a code to be read across a room, has a size of its own."""
    assert [place for place, rem in lengths("font", "font-size") if rem < 2.125] == []
