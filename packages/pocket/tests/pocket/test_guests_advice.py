"""Tests of a guest's phone: it opens a table with sealed dice, and gets hints, chances, drill and receipt from the
host.

The host has no solutions that were made beforehand. It solves during the match.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Frame, Page, expect

from browser.page_players import listen
from pocket.phones import IN_MS, Host, come, open_table, phone, play
from pocket.pocket_players import READY, ByTouch, house, record_of
from pocket.test_going_on_as_host import some_moves
from pubdice.match.sealed_record import check_dice
from pubdice.server.table.ordered_setup import SHOWN
from support.browser import chromium_running, until

SOLVED_MS = 150_000  # the most milliseconds until the host's phone has solved a short match of two, on a busy machine
WORKED_OUT = """() => document.readyState === 'complete' && !!document.querySelector('#page')
    && !document.querySelector('#page [role=status]')"""
"""The conditions are in one script, because a page that reloads while it asks for results also has no status for a
moment."""
CHANCES = "#chances b"
BUSY = """ms => {
  const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  setTimeout(() => Atomics.wait(new Int32Array(buffer), 0, 0, ms));
}"""
"""A script that blocks the engine for this many milliseconds, as work would."""
BUSY_MS = 5000


Phones = tuple[Host, Page]


@pytest.fixture(scope="module")
def both(pocket_host: str) -> Iterator[Phones]:
    """Ann's phone as the house, and Bob's phone as its guest. At the end, assert that neither page had errors."""
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
    """Open a page of the house by its address, which may be the current one. When this returns, the old page is
    gone.
    """
    frame = house(page)
    frame.evaluate("path => { window.before = true; location.href = path; }", path)
    until(frame, "() => !window.before")
    return frame


def tap(page: Page, role: str, name: str) -> None:
    frame = house(page)
    more = frame.locator("#more > summary")
    target = frame.get_by_role(role, name=name, exact=True).first  # type: ignore[arg-type]
    if more.is_visible() and not target.is_visible():
        more.tap()
    target.tap()


def both_at(both: Phones, game: str, form: str, **rules: str) -> Frame:
    """As Bob, the guest, open a table, and as Ann take a seat at it. Return Bob's page."""
    host, guest = both
    go(guest, "/").locator("#open").wait_for()
    open_table(Host(guest), "Bob", game, form, **rules)
    path = house(guest).evaluate("location.pathname")
    go(host.page, path).locator("#sit #name, #sit [name=name]").first.fill("Ann")
    host.frame.get_by_role("button", name="Sit down").tap()
    expect(house(guest).locator("#seats")).to_contain_text("Ann")
    return house(guest)


def begin(both: Phones) -> None:
    """As Bob begin the match, unless Ann's tap has begun it. (Bob opened the table.) Wait until both pages show the
    match.
    """
    host, guest = both
    start, playing = house(guest).get_by_role("button", name=re.compile("^Start with")), "main[data-stage=playing]"
    expect(start.and_(house(guest).locator(":enabled")).or_(house(guest).locator(playing))).to_be_attached()
    # the page changes meanwhile as seeds come, and the match may begin without a tap
    start.evaluate_all("all => all.forEach(one => one.click())")
    for page in (host.page, guest):
        expect(house(page).locator(playing)).to_be_attached(timeout=20_000)


def matched(both: Phones) -> str:
    """Play the match to its end, with each player on a phone of their own. Return its record, and assert that it is the
    same on both phones.
    """
    host, guest = both
    play(host.page, guest)
    text = record_of(house(guest))
    assert text == record_of(host.frame)
    return text


def begin_sealed(both: Phones, game: str, form: str, **rules: str) -> None:
    """Open a table with sealed dice as Bob, the guest. Ann comes to it, and the match begins."""
    words = both_at(both, game, form, dice="sealed", **rules).locator(".words li")
    expect(words).to_have_count(8)
    assert words.all_inner_texts() == both[0].frame.locator(".words li").all_inner_texts()
    begin(both)


def check_seals(guest: Page, text: str) -> None:
    """Check the dice of a finished match, from its record, on Bob's phone."""
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


def to_choose(both: Phones) -> ByTouch:
    """Play until Bob has a choice for which a hint is offered. Return his player."""
    ann, bob = (ByTouch(page) for page in (both[0].page, both[1]))
    for _ in range(300):
        if bob.sees("#ask-hint"):
            return bob
        for player in (bob, ann):
            waits = player.sees("#main[data-waiting]")
            if player.sees(READY) or (waits and player is ann):
                player.play(1)
        both[1].wait_for_timeout(50)
    raise AssertionError("Bob never has a choice")


def whole(page: Page, path: str) -> Frame:
    """Return a page of the house, once all its values are computed."""
    frame = go(page, path)
    frame.wait_for_url(f"**{path}")
    expect(frame.locator("#page")).to_be_visible()
    until(frame, WORKED_OUT, within_ms=SOLVED_MS)
    return frame


def data(page: Page, path: str) -> object:
    """Return the values of a page as JSON, as a program on that phone gets them."""
    return house(page).evaluate(
        "async path => (await fetch(path, { headers: { accept: 'application/json' } })).json()", path
    )


def same_chances(both: Phones) -> None:
    """Wait until both pages show the same chances. After a move, one page gets them a moment before the other."""
    host, guest = both
    for _ in range(600):
        ours, theirs = (house(page).locator(CHANCES).all_inner_texts() for page in (host.page, guest))
        if ours == theirs != []:
            return
        guest.wait_for_timeout(50)
    raise AssertionError(f"{ours} at the host, {theirs} at the guest")


@pytest.mark.parametrize(
    ("game", "form"),
    [
        ("midnight", "rounds 1"),
        *(pytest.param(*other, marks=pytest.mark.nightly) for other in (("420", "race"), ("threes", "rounds 1"))),
    ],
)
def test_a_guest_opens_a_sealed_table_checks_its_dice_and_has_the_hosts_advice(
    both: Phones, game: str, form: str
) -> None:
    """The guest gets everything: sealed dice and their check, lessons, and the decisive moves of the match."""
    host, guest = both
    begin_sealed(both, game, form, lessons="2", chances=SHOWN)
    first, ours = (house(page).locator(CHANCES) for page in (guest, host.page))
    expect(first.first).to_be_visible(timeout=SOLVED_MS)
    expect(ours.first).to_be_visible(timeout=SOLVED_MS)
    bob = to_choose(both)
    same_chances(both)
    bob.press("#ask-hint")
    expect(house(guest).locator("#hinting .hint")).to_contain_text("is best", timeout=SOLVED_MS)
    text = matched(both)
    path = house(guest).evaluate("location.pathname")
    check_seals(guest, text)
    tap(guest, "link", "What decided it")
    expect(house(guest).locator("#page")).to_be_visible()
    ours_whole, theirs_whole = (whole(page, f"{path}/receipt") for page in (host.page, guest))
    found: Any = data(guest, f"{path}/receipt")
    assert found == data(host.page, f"{path}/receipt")
    assert [*found["seats"]] == ["Bob", "Ann"]
    headings = [page.get_by_role("heading", level=1).inner_text() for page in (ours_whole, theirs_whole)]
    assert headings.count("What decided it") in (0, 2), "at a tie nothing decided it, for neither reader"
    assert (
        theirs_whole.locator("table tbody").all_inner_texts()
        == ours_whole.locator("table tbody").all_inner_texts()
        != []
    )
    answer = whole(guest, f"/drill/{game}/1").locator("#page form.slate")
    asked = whole(host.page, f"/drill/{game}/1").locator("#page form.slate").inner_text()
    assert answer.inner_text() == asked
    answer.locator("[name=keep]").first.press("Enter")
    expect(house(guest).get_by_role("heading", name="The answer")).to_be_visible(timeout=SOLVED_MS)


def test_a_guest_whose_host_takes_its_time_is_told_to_wait_and_its_move_counts(both: Phones) -> None:
    host, guest = both
    frame = both_at(both, "midnight", "rounds 1")
    begin(both)
    ann, bob = ByTouch(host.page), ByTouch(guest)
    while not bob.sees(READY):
        if ann.sees(READY) or ann.sees("#main[data-waiting]"):
            ann.play(1)
    was = frame.locator("#table").get_attribute("data-seq")
    engine = next(worker for worker in host.page.workers if worker.url.endswith("/worker.js"))
    engine.evaluate(BUSY, BUSY_MS)
    bob.press("#main")
    expect(frame.locator("#connection")).to_have_text("One moment…", timeout=BUSY_MS)
    assert frame.locator("#table").get_attribute("data-seq") == was
    expect(frame.locator("#connection")).to_have_text("", timeout=IN_MS)
    expect(frame.locator("#table")).not_to_have_attribute("data-seq", str(was))
    some_moves(2, host.page, guest)
