"""Functions that open every page of the house, and a table's page in every state."""

import time
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from browser.scene import LONG_MS, MIDNIGHT_3, Scene, keep_all, play_itself_out, whole
from support.browser import ask, open_table, sit
from support.profiles import NIGHTLY


def gathering_host(scene: Scene) -> Page:
    host, table = scene.table(people=3)
    return scene.lay(scene.at(table, host))


def gathering_guest(scene: Scene) -> Page:
    _, table = scene.table(people=3)
    guest = scene.visitor()
    sit(guest, table, "Bob")
    return scene.lay(scene.at(table, guest))


def gathering_watcher(scene: Scene) -> Page:
    _, table = scene.table(people=3, bots=["tip"])
    return scene.lay(scene.at(table))


def gathering_sealed(scene: Scene) -> Page:
    host, table = scene.table(people=None, dice="sealed")
    sit(guest := scene.visitor(), table, "Bob")
    page = scene.lay(scene.at(table, host))
    expect(page.locator("#own-seed")).to_have_count(0)  # hidden once the page has added its seed
    scene.lay(scene.at(table, guest))
    expect(page.locator("#seats .note").filter(has_text="seed")).to_have_count(0)
    return page


def gathering_priced(scene: Scene) -> Page:
    host, table = scene.table(game="ship", people=None, rules={"format": "rounds 3"})
    page = scene.lay(scene.at(table, host))
    page.locator("#change > summary").click()
    page.locator("#change .fair > summary").click()
    expect(page.get_by_role("button", name="Take this order")).to_be_visible(timeout=60_000)
    return page


def sitting_refused(scene: Scene) -> Page:
    _, table = scene.table(people=3)
    page = scene.lay(scene.at(table))
    page.locator("#sit [name=name]").fill("Ann")
    page.locator("#sit button").first.click()
    expect(page.locator("#sit .refusal")).to_be_visible()
    return page


def mine_to_roll(scene: Scene) -> Page:
    host, table = scene.table(people=1, bots=["tip", "lucky"], rules=MIDNIGHT_3)
    page = scene.lay(scene.at(table, host))
    expect(page.locator("#main")).to_be_visible()
    return page


def mine_to_keep(scene: Scene) -> Page:
    page = mine_to_roll(scene)
    page.locator("#main").click()
    page.locator("#dice [data-status=free]").first.click()
    page.locator("#main").click()
    page.locator("#dice [data-status=locked]").first.wait_for(state="attached")
    page.locator("#dice [data-status=free]").first.click()
    expect(page.locator("#dice [data-status=marked]")).to_have_count(1)
    return page


def lesson_with_chances(scene: Scene) -> Page:
    host, table = scene.table(people=1, bots=["tip"], rules={"format": "rounds 1"}, lessons=1, chances=True)
    page = scene.lay(scene.at(table, host))
    expect(page.locator("#chances b").first).to_be_visible(timeout=60_000)
    ask(host, table, do="roll")
    page.locator("#ask-hint").click()
    expect(page.locator("#hinting .hint")).not_to_be_empty(timeout=20_000)
    page.locator("#chances summary").click()
    expect(page.locator("#chances tbody tr")).to_have_count(2)
    return page


def mine_refused(scene: Scene) -> Page:
    page = mine_to_roll(scene)
    page.locator("#main").click()
    page.locator("#dice [data-status=free]").first.wait_for()
    page.keyboard.press("r")
    expect(page.locator("#refusal")).to_be_visible()
    return page


def hand_of_420(scene: Scene) -> Page:
    for _ in range(20):  # retried: the match may be over at once, or the hand may have no choice
        host, table = scene.table(game="420", people=1, bots=["tip"], rules={"format": "race"})
        page = scene.lay(scene.at(table, host))
        choosable = "#dice .die:not([aria-disabled]):visible"
        for _ in range(12):
            page.locator(f"#main:visible:not([aria-disabled]), #result, {choosable}").first.wait_for()
            if page.locator("#result").is_visible():
                break
            if page.locator("#dice .die:visible").count() == 4 and page.locator(choosable).count():
                return page
            may = page.locator("#main:visible:not([aria-disabled])")
            may.evaluate_all("nodes => nodes.forEach(node => node.click())")  # in one step, as it may become Tip's turn
            page.wait_for_timeout(50)
        page.context.close()
    raise AssertionError("no hand to choose from")


def tiles_to_shut(scene: Scene) -> Page:
    """Open Shut the Box with two tiles down, a 12 to shut, and one tile tapped for it."""
    host, table = scene.table(game="shutbox", people=1, bots=["tip"], dice="real", rules={"format": "rounds 1"})
    for asked in ({"do": "enter", "dice": "54"}, {"do": "choose", "action": "s81"}, {"do": "enter", "dice": "66"}):
        assert ask(host, table, **asked) == 200
    page = scene.lay(scene.at(table, host))
    tile = page.locator('.tile[data-number="9"]')
    expect(tile).not_to_have_attribute("aria-disabled", "true")
    tile.click()
    expect(tile).to_have_attribute("aria-pressed", "true")
    return page


def points_that_add_up(scene: Scene) -> Page:
    """Open Midnight to 100 points, after the other player's first turn."""
    host, table = scene.table(people=2, dice="real", rules={"format": "points 100 even"})
    sit(guest := scene.visitor(), table, "Bob")
    for person, dice in ((host, "664414"), (guest, "665514")):
        keep_all(person, table, dice)
    page = scene.lay(scene.at(table, host))
    expect(page.locator("#seats .points").first).to_be_visible()
    return page


def others_turn(scene: Scene) -> Page:
    host, table = scene.table(people=2, rules=MIDNIGHT_3)
    guest = scene.visitor()
    sit(guest, table, "Bob")
    scene.lay(scene.at(table, host)).locator("#main").click()
    page = scene.lay(scene.at(table, guest))
    expect(page.locator("#main")).to_be_hidden()
    return page


def bots_turn(scene: Scene) -> Page:
    host, table = scene.table(people=1, bots=["tip"], rules={"format": "pot 2 rounds 2"}, pace_ms=0)
    ask(host, table, do="pace", ms=LONG_MS)
    ask(host, table, do="give")
    ask(host, table, do="resume")
    watcher = scene.lay(scene.at(table))
    ask(host, table, do="give")
    expect(watcher.locator("#main")).to_be_hidden()
    return watcher


def away_with_vote(scene: Scene) -> Page:
    host, table = scene.table(people=3, grace_s=0, rules=MIDNIGHT_3)
    gone, other = scene.visitor(), scene.visitor()
    sit(gone, table, "Bob")
    scene.lay(scene.at(table, gone))
    sit(other, table, "Cy")
    scene.lay(scene.at(table, other))
    gone.pages[0].close()
    page = scene.lay(scene.at(table, host))
    expect(page.locator(".vote").first).to_be_visible()
    return page


def stand_in(scene: Scene) -> Page:
    host, table = scene.table(people=1, bots=["tip"], rules=MIDNIGHT_3)
    ask(host, table, do="pace", ms=LONG_MS)
    ask(host, table, do="give")
    page = scene.lay(scene.at(table, host))
    expect(page.locator("#resume button")).to_be_visible()
    return page


def real_dice(scene: Scene) -> Page:
    host, table = scene.table(people=1, bots=["tip"], dice="real", rules=MIDNIGHT_3, clock_s=120)
    page = scene.lay(scene.at(table, host))
    expect(page.locator("#pad .faces button").first).to_be_visible()
    return page


def drawing(scene: Scene) -> Page:
    host, table = scene.table(people=1, bots=["tip", "lucky"], dice="real", rules={"first": "draw"})
    page = scene.lay(scene.at(table, host))
    expect(page.locator("#draw button").first).to_be_visible()
    return page


def over(scene: Scene) -> Page:
    host, table = scene.table(people=1, bots=["tip"], rules={"format": "rounds 2"})
    page = scene.lay(scene.at(table, host))
    ask(host, table, do="give")
    expect(page.locator("#result")).to_be_visible()
    return page


def over_watched(scene: Scene) -> Page:
    host, table = scene.table(game="420", people=1, bots=["tip"], rules={"format": "race"})
    ask(host, table, do="give")
    page = scene.lay(scene.at(table))
    expect(page.locator("#result")).to_be_visible()
    return page


def sealed_over(scene: Scene, **order: object) -> tuple[BrowserContext, str]:
    """Play a match with sealed dice to its end. Return the player's browser, and the table's address."""
    host, table = scene.table(people=1, bots=["tip"], dice="sealed", **order)
    assert ask(host, table, do="seed", seed="heads or tails") == 200
    page = scene.lay(scene.at(table, host))
    ask(host, table, do="give")
    expect(page.locator("#result")).to_be_visible()
    return host, table


def front_empty(scene: Scene) -> Page:
    return scene.at("/")


def front_tried(scene: Scene) -> Page:
    page = scene.at("/")
    page.locator("#trial button").click()
    expect(page.locator("#trial [name=keep]")).to_have_count(6)
    return page


def front_refused(scene: Scene) -> Page:
    page = scene.at("/")
    page.locator("#open .main").click()
    expect(page.locator("#refusal")).to_be_visible()
    return page


def front_code_refused(scene: Scene) -> Page:
    page = scene.at("/")
    page.locator("#code").fill("ABC")
    page.locator("#find button").click()
    expect(page.locator("#find .refusal")).to_be_visible()
    return page


def front_filled(scene: Scene) -> Page:
    host, _ = scene.table(people=2, listed=True)
    open_table(host, bots=["tip"])
    page = scene.at("/", host)
    expect(page.locator(".tables li").nth(1)).to_be_visible()
    return page


def front_priced(scene: Scene) -> Page:
    page = scene.at("/")
    page.locator(".game label", has_text="Ship").click()
    page.locator("#house > summary").click()
    page.locator("#house .fair > summary").click()
    expect(page.get_by_role("button", name="Take this order")).to_be_visible(timeout=60_000)
    return page


def dice_checked(scene: Scene) -> Page:
    page = scene.at(f"{sealed_over(scene)[1]}/verify")
    expect(page.locator(".stamp")).to_be_visible()
    return page


def dice_differ(scene: Scene) -> Page:
    host, table = sealed_over(scene)
    page = scene.at("/verify")
    record = host.request.get(f"{table}/record").text()
    page.locator("#record").fill(record.replace("= ", "=", 1))
    page.locator("#verify .main").click()
    expect(page.locator("#answer h2")).to_be_visible()
    return page


def receipt(scene: Scene, query: str = "") -> Page:
    host, table = scene.table(game="threes", people=1, bots=["lucky"], rules={"format": "rounds 1"})
    ask(host, table, do="give", bot="lucky")
    play_itself_out(host, table)
    page = scene.at(f"{table}/receipt", host)
    expect(page.locator("#counted")).to_be_visible(timeout=30_000)  # the page reloads until the house has computed it
    if query:
        page.goto(f"{table}/receipt{query}")
    return page


def receipt_asked(scene: Scene) -> Page:
    for _ in range(5):  # several tries, as a match may be without an error
        page = receipt(scene, "?again=1")
        if page.locator("#keep-1").count():
            return page
    raise AssertionError("nobody ever errs")


def _answered(scene: Scene, address: str) -> Page:
    page = scene.at(address)
    expect(page.locator("#answer")).to_be_visible(timeout=30_000)  # the page reloads until the house has computed it
    return page


def asked(scene: Scene) -> Page:
    return _answered(scene, "/ask/threes?roll=33621")


def asked_in_match(scene: Scene) -> Page:
    return _answered(scene, "/ask/mexico?roll=64&lives-left=2,1&scores=33&limit=2")


def day_asked(scene: Scene) -> Page:
    page = scene.at("/daily")
    expect(page.locator(".answers")).to_be_visible(timeout=30_000)  # the page reloads until the house has computed it
    return page


def day_answered(scene: Scene) -> Page:
    page = day_asked(scene)
    page.locator(".answers button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#line")).to_be_visible()
    return page


def day_over(scene: Scene) -> Page:
    return _answered(scene, "/daily/2025-11-20")


def drill_asked(scene: Scene) -> Page:
    page = scene.at("/drill/threes/1")
    expect(page.locator(".answers")).to_be_visible(timeout=30_000)
    return page


def drill_answered(scene: Scene) -> Page:
    page = drill_asked(scene)
    page.locator(".answers button").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".keeps")).to_be_visible()
    return page


def figures(scene: Scene) -> Page:
    """Open a page of figures once it is complete. Mexico would take 7 s of processor longer than this game."""
    return whole(scene, f"/best-play/{'mexico' if NIGHTLY else 'ship'}")


def prices(scene: Scene) -> Page:
    return whole(scene, "/prices/ship?seats=6")  # seven seats are not solved, so the page also shows a refusal


def evening(scene: Scene) -> Page:
    """Play three matches of two games. Open the evening's page once all are checked."""
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
    """Open the book on a phone whose player sits at a table."""
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
    """Open the book of a player with a finished game, and with one of a game that has another unit."""
    page, other = book_begun(scene), scene.at("/").context
    for order in ({"game": "threes", "rules": {"format": "rounds 1"}}, {"rules": {"format": "pot 1 rounds 1"}}):
        table = open_table(page.context, people=2, **order)
        sit(other, table, "Bob")
        while (view := page.request.get(f"{table}/state").json()["view"])["stage"] == "playing":
            mover = (page.context, other)[view["mover"]]
            free = [die["place"] for die in view["dice"] if die["status"] == "free"]
            if view["ask"] == "roll":
                assert ask(mover, table, do="roll") == 200
            else:  # keep all dice, or if that is refused, one
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
    """Open a night that has just begun. The form is sent again while the house counts the size of its match."""
    page = scene.at("/night")
    for _ in range(5):
        page.locator("#open .main").click()
        page.wait_for_load_state()
        if page.locator("#mytable").count():
            return page
    raise AssertionError("the house counts on")


def night_ranked(scene: Scene) -> Page:
    """Open a night with a table at which Ann has played a match against a bot to its end."""
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


def not_there(scene: Scene) -> Page:
    return scene.at("/t/QQQQQQ")


PAGES: dict[str, Callable[[Scene], Page]] = {
    "rules of Midnight": lambda scene: scene.at("/rules/midnight"),
    "rules of 420": lambda scene: scene.at("/rules/420"),
    "ask, empty": lambda scene: scene.at("/ask/ship"),
    "ask, of moves": lambda scene: scene.at("/ask/shutbox"),
    "ask, answered": asked,
    "ask, in a match": asked_in_match,
    "receipt": receipt,
    "evening": evening,
    "receipt, asked": receipt_asked,
    "verify, empty": lambda scene: scene.at("/verify"),
    "verify, checked": dice_checked,
    "verify, changed": dice_differ,
    "last orders, asked": day_asked,
    "last orders, answered": day_answered,
    "last orders, over": day_over,
    "drill": lambda scene: scene.at("/drill"),
    "drill, asked": drill_asked,
    "drill, answered": drill_answered,
    "best play": figures,
    "book, stranger": lambda scene: scene.at("/book"),
    "book, begun": book_begun,
    "book, carried": book_carried,
    "book, refused": book_refused,
    "book, whole": book_whole,
    "book, erasing": book_erased,
    "prices": prices,
    "night, form": lambda scene: scene.at("/night"),
    "night, begun": night_begun,
    "night, ranked": night_ranked,
    "help": lambda scene: scene.at("/help"),
    "privacy": lambda scene: scene.at("/privacy"),
    "404": not_there,
}
STATES: dict[str, Callable[[Scene], Page]] = {
    made.__name__.replace("_", " "): made
    for made in (
        front_empty, front_refused, front_code_refused, front_filled, front_priced, gathering_host, gathering_guest,
        front_tried, gathering_watcher, gathering_sealed, gathering_priced, sitting_refused, mine_to_roll,
        mine_to_keep, mine_refused, hand_of_420, lesson_with_chances, others_turn, bots_turn, away_with_vote, stand_in,
        real_dice, drawing, tiles_to_shut, points_that_add_up, over, over_watched,
    )
} | PAGES  # fmt: skip
"""All functions above, by the name of their state."""
