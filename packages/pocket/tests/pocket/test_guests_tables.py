"""All that a table offers, used by a guest of another phone: the guest opens each table, and the host comes to it.

With sealed dice and advice a guest opens one in ``test_guests_advice.py``.
"""

import re
from collections.abc import Iterator

import pytest

pytest.importorskip("playwright.sync_api", reason="no Playwright: make .venv/.dev installs it")
from playwright.sync_api import Frame, Page, expect

from browser.page_players import listen
from pocket.phones import Host, come, open_table, phone, play
from pocket.pocket_players import ByTouch, house, record_of
from pubdice.games import GAMES
from pubdice.match.sealed_record import check_dice
from support.browser import chromium_running, until

Phones = tuple[Host, Page]


@pytest.fixture(scope="module")
def both(pocket_host: str) -> Iterator[Phones]:
    """Ann's phone, which is the house, and Bob's, which is its guest; in both all goes well."""
    with chromium_running() as browser:
        ours, theirs = phone(browser), phone(browser)
        ears = [listen(ours), listen(theirs)]
        host = Host.open(ours, pocket_host)
        open_table(host, "Ann")
        guest = come(host, theirs)
        host.close_panel()
        yield host, guest
        assert [ear.faults for ear in ears] == [[], []]


def go(page: Page, path: str) -> Frame:
    """Open a page of the house by its address, perhaps the one that is open; the old page is gone once this returns."""
    frame = house(page)
    frame.evaluate("path => { window.before = true; location.href = path; }", path)
    until(frame, "() => !window.before")
    return frame


def tap(page: Page, role: str, name: str) -> None:
    """Tap a link or a button by its name."""
    frame = house(page)
    more = frame.locator("#more > summary")
    target = frame.get_by_role(role, name=name, exact=True).first  # type: ignore[arg-type]
    if more.is_visible() and not target.is_visible():
        more.tap()
    target.tap()


def both_at(both: Phones, game: str, form: str, **rules: str) -> Frame:
    """Bob, a guest, opens a table, and Ann sits down at it; his page."""
    host, guest = both
    go(guest, "/").locator("#open").wait_for()
    open_table(Host(guest), "Bob", game, form, **rules)
    path = house(guest).evaluate("location.pathname")
    go(host.page, path).locator("#sit #name, #sit [name=name]").first.fill("Ann")
    host.frame.get_by_role("button", name="Sit down").tap()
    expect(house(guest).locator("#seats")).to_contain_text("Ann")
    return house(guest)


def begin(both: Phones) -> None:
    """Bob, who opened the table, begins, unless Ann's tap that followed him has begun; both see it."""
    host, guest = both
    start, playing = house(guest).get_by_role("button", name=re.compile("^Start with")), "main[data-stage=playing]"
    expect(start.and_(house(guest).locator(":enabled")).or_(house(guest).locator(playing))).to_be_attached()
    # the page grows meanwhile, as seeds come, and the match may begin by itself
    start.evaluate_all("all => all.forEach(one => one.click())")
    for page in (host.page, guest):
        expect(house(page).locator(playing)).to_be_attached(timeout=20_000)


def matched(both: Phones) -> str:
    """Play the match to its end, each on their own phone; its record, which is the same on both."""
    host, guest = both
    play(host.page, guest)
    text = record_of(house(guest))
    assert text == record_of(host.frame)
    return text


def begin_sealed(both: Phones, game: str, form: str, **rules: str) -> None:
    """Bob, a guest, opens a table with sealed dice, Ann comes to it, and it begins."""
    words = both_at(both, game, form, dice="sealed", **rules).locator(".words li")
    expect(words).to_have_count(8)
    assert words.all_inner_texts() == both[0].frame.locator(".words li").all_inner_texts()
    begin(both)


def check_seals(guest: Page, text: str) -> None:
    """The match is over, and this is its record: Bob checks its dice on his own phone."""
    frame = house(guest)
    check = check_dice(text)
    assert check.fault is None
    assert check.proof is not None
    assert check.proof.fixed is not None
    assert check.proof.fixed.players == ("phone", "phone"), "a seed of each phone"
    assert re.search(r"^seeds: [0-9a-z]{16,28}, [0-9a-z]{16,28}$", text, re.MULTILINE)
    tap(guest, "link", "Check the sealed dice")
    expect(frame.locator(".stamp")).to_have_text(f"✓ {check.rolls} of {check.rolls} rolls")
    expect(frame.locator("#answer")).to_contain_text("This device added the seed of Bob")
    guest.go_back()
    frame.locator("#result").wait_for()


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_an_evening_of_sealed_matches_that_a_guest_opens(both: Phones, game: str) -> None:
    _, guest = both
    begin_sealed(both, game, "race" if game == "420" else "rounds 1")
    check_seals(guest, matched(both))
    frame = house(guest)
    next_table(both)
    assert check_dice(matched(both)).fault is None
    tap(guest, "link", "The evening")
    expect(frame.get_by_role("heading", level=1)).to_contain_text("evening", ignore_case=True)
    for name in ("Ann", "Bob"):
        expect(frame.locator("main")).to_contain_text(name)


def next_table(both: Phones) -> None:
    """Bob asks for one more match, Ann follows him to its table, and it begins."""
    host, guest = both
    tap(guest, "button", "Rematch")
    house(guest).locator("main[data-stage=gathering]").wait_for()
    host.frame.locator("#main").tap()
    host.frame.locator("main:not([data-stage=over])").wait_for()
    begin(both)


def typed(both: Phones, game: str) -> ByTouch:
    """Bob opens a table for real dice, Ann and a bot sit down, and he has typed in his first roll."""
    host, guest = both
    frame = both_at(both, game, "rounds 1", dice="real")
    frame.locator("#add-bot > summary").tap()
    frame.locator("#add-bot button").tap()
    expect(frame.locator("#seats")).to_contain_text("Tip")
    begin(both)
    bob, ann = ByTouch(guest), ByTouch(host.page)
    for _ in range(200):
        for player in (bob, ann):
            if player.sees("#pad") or player.sees("#main:not([aria-disabled])"):
                player.play(1)
            if bob.entered:
                return bob
        guest.wait_for_timeout(50)
    raise AssertionError("Bob never rolls")


@pytest.mark.nightly
def test_a_guest_types_real_dice_beside_a_bot(both: Phones) -> None:
    typed(both, "ship")
    assert "Tip" in matched(both)
