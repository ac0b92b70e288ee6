"""Pages of an evening, of a duplicate night and of the players' book, as they stand there."""

import time

from playwright.sync_api import Page, expect

from browser.scene import Scene, play_itself_out, whole
from support.browser import ask, open_table, sit


def evening(scene: Scene) -> Page:
    """Three matches of two games, the page once every match is looked through."""
    host, table = scene.table(game="threes", people=1, bots=["lucky"], rules={"format": "rounds 1"})
    ask(host, table, do="give", bot="lucky")
    for number in range(2):
        page = scene.lay(scene.at(table, host))
        expect(page.locator("#result")).to_be_visible()
        if not number:
            assert ask(host, table, do="plan", times="2") == 200
            assert ask(host, table, do="plan", play="midnight rounds 1", times="1") == 200
            page.goto(table)
        before = page.url.partition("#")[0]
        page.locator("#main").click()
        page.wait_for_url(lambda url, before=before: url.partition("#")[0] != before)  # type: ignore[misc]
        table = page.url.partition("#")[0]
        scene.lay(page)
        ask(host, table, do="start")
        ask(host, table, do="give", bot="lucky")
    play_itself_out(host, table)
    return whole(scene, f"{table}/evening")


def book_begun(scene: Scene) -> Page:
    """The book of a phone whose person sits at a table."""
    page = scene.at("/")
    open_table(page.context, people=2)
    page.goto("/book")
    page.get_by_role("button", name="Begin my book").click()
    expect(page.get_by_text("No games yet")).to_be_visible()
    return page


def book_carried(scene: Scene) -> Page:
    page = book_whole(scene)
    page.get_by_role("button", name="Open it on another phone").click()
    expect(page.locator(".words")).to_have_count(2)
    return page


def book_refused(scene: Scene) -> Page:
    page = scene.at("/book")
    page.locator("#table").fill("KOR BUM")
    page.locator("#words").fill("amber otter plain river")
    page.get_by_role("button", name="Open my book").click()
    expect(page.locator("#refusal")).to_be_visible()
    return page


def book_whole(scene: Scene) -> Page:
    """A player who has finished a game, and one of a game that has another unit."""
    page, other = book_begun(scene), scene.at("/").context
    for order in ({"game": "threes", "rules": {"format": "rounds 1"}}, {"rules": {"format": "pot 1 rounds 1"}}):
        table = open_table(page.context, people=2, **order)
        sit(other, table, "Bob")
        while (view := page.request.get(f"{table}/state").json()["view"])["stage"] == "playing":
            mover = (page.context, other)[view["mover"]]
            free = [die["place"] for die in view["dice"] if die["status"] == "free"]
            if view["ask"] == "roll":
                assert ask(mover, table, do="roll") == 200
            else:  # all dice, or else one
                assert 200 in (ask(mover, table, do="bank", marks=free), ask(mover, table, do="roll", marks=free[:1]))
    for _ in range(120):
        if 'http-equiv="refresh"' not in page.request.get("/book").text():
            break
        time.sleep(0.5)
    page.goto("/book")
    expect(page.locator("#by-game")).to_be_visible()
    return page


def book_erased(scene: Scene) -> Page:
    page = book_begun(scene)
    page.get_by_role("button", name="Erase everything").click()
    expect(page.get_by_role("button", name="Erase everything")).to_be_visible()
    return page


def night_begun(scene: Scene) -> Page:
    """A night that has just begun. The form is sent again while the house counts how large its match is."""
    page = scene.at("/night")
    for _ in range(5):
        page.locator("#open .main").click()
        page.wait_for_load_state()
        if page.locator("#mytable").count():
            return page
    raise AssertionError("the house counts on")


def night_ranked(scene: Scene) -> Page:
    """A night with a table at which Ann has played against a bot, to its end."""
    page = night_begun(scene)
    night = page.url
    page.locator("#name").fill("Ann")
    page.locator("#mytable .main").click()
    page.wait_for_url("**/t/**")
    table = page.evaluate("location.pathname")
    ask(page.context, table, do="pace", ms=0)
    ask(page.context, table, do="start")
    for _ in range(100):
        view = page.context.request.get(f"{table}/state").json()["view"]
        if view["stage"] == "over":
            break
        if view["mover"] == 0:
            marks = {} if view["ask"] == "roll" else {"marks": [die["place"] for die in view["dice"]]}
            ask(page.context, table, do="roll", **marks)
        page.wait_for_timeout(50)
    expect(scene.lay(page).locator("#result")).to_be_visible(timeout=30_000)
    page = whole(scene, night, page.context)
    expect(page.locator(".band").first).to_be_visible()
    return page
