"""Pages of advice, of receipts and of checks, as they stand there."""

from playwright.sync_api import Page, expect

from browser.scene import Scene, play_itself_out, whole
from browser.table_states import sealed_over
from support.browser import ask
from support.profiles import NIGHTLY


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
    expect(page.locator("#counted")).to_be_visible(timeout=30_000)  # it asks again while the house works it out
    if query:
        page.goto(f"{table}/receipt{query}")
    return page


def receipt_asked(scene: Scene) -> Page:
    for _ in range(5):  # nobody may have given anything away
        page = receipt(scene, "?again=1")
        if page.locator("#keep-1").count():
            return page
    raise AssertionError("nobody ever errs")


def _answered(scene: Scene, address: str) -> Page:
    page = scene.at(address)
    expect(page.locator("#answer")).to_be_visible(timeout=30_000)  # it asks again while the house works it out
    return page


def asked(scene: Scene) -> Page:
    return _answered(scene, "/ask/threes?roll=33621")


def asked_in_match(scene: Scene) -> Page:
    return _answered(scene, "/ask/mexico?roll=64&lives-left=2,1&scores=33&limit=2")


def day_asked(scene: Scene) -> Page:
    page = scene.at("/daily")
    expect(page.locator(".answers")).to_be_visible(timeout=30_000)  # it asks again while the house works it out
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
    """Asked for as data until all is there, as prices are. Mexico takes 7 s of processor longer."""
    return whole(scene, f"/best-play/{'mexico' if NIGHTLY else 'ship'}")


def prices(scene: Scene) -> Page:
    return whole(scene, "/prices/ship?seats=6")  # seven are not solved, so it shows a refusal too
