"""Every state of a table, as a page that stands there."""

from playwright.sync_api import BrowserContext, Page, expect

from browser.scene import LONG_MS, MIDNIGHT_3, Scene
from support.browser import ask, sit


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
    expect(page.locator("#own-seed")).to_have_count(0)  # the page has added its seed
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
    for _ in range(20):  # a match can be over at once; a hand that is over, or without foundation, leaves no choice
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
            may.evaluate_all("nodes => nodes.forEach(node => node.click())")  # in one step: it may be Tip's turn by now
            page.wait_for_timeout(50)
        page.context.close()
    raise AssertionError("no hand to choose from")


def tiles_to_shut(scene: Scene) -> Page:
    """Shut the Box with two tiles down, a 12 to shut, and one tile tapped for it."""
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
    """Midnight to 100 points, after the other's first turn."""
    host, table = scene.table(people=2, dice="real", rules={"format": "points 100 even"})
    sit(guest := scene.visitor(), table, "Bob")
    for person, dice in ((host, "664414"), (guest, "665514")):
        assert ask(person, table, do="enter", dice=dice) == 200
        assert ask(person, table, do="roll", marks=[*range(6)]) == 200
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
    """A match with sealed dice that is over, and its table's address."""
    host, table = scene.table(people=1, bots=["tip"], dice="sealed", **order)
    assert ask(host, table, do="seed", seed="heads or tails") == 200
    page = scene.lay(scene.at(table, host))
    ask(host, table, do="give")
    expect(page.locator("#result")).to_be_visible()
    return host, table
