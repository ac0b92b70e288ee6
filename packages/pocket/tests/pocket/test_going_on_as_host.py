"""Tests in which the host's phone dies in the middle of a match. A guest goes on as host, and all players keep their
seats.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.page_players import listen
from pocket.phones import EN, IN_MS, Host, LetsIn, answer, come, open_table, phone, play, sit
from pocket.pocket_players import ENGINE_MS, house, record_of, there
from pocket.test_shell_told import checked
from pocket.test_shell_words import words
from support.browser import PHONE, SMALL

TOLD = {**EN, **words("going_on/words.js")["en"]}
OFFER_MS = 60_000  # the offer to go on comes 20 s after the connection is lost


@pytest.fixture
def phones(chromium: Browser) -> Iterator[list[BrowserContext]]:
    """Three phones: Ann's, Bob's and Cid's."""
    contexts = [phone(chromium) for _ in range(3)]
    yield contexts
    for context in contexts:
        context.close()


def begun(phones: list[BrowserContext], address: str, moves: int, form: str = "rounds 1") -> tuple[Host, Page, Page]:
    """Return a match of three after some moves, each player on a phone of their own. Ann's phone is the house."""
    host = Host.open(phones[0], address)
    open_table(host, "Ann", "ship", form)
    guests = []
    for context, name in zip(phones[1:], ("Bob", "Cid"), strict=True):
        guests.append(come(host, context))
        host.close_panel()
        sit(guests[-1], name)
    host.frame.get_by_role("button", name="Start with 3 players").tap()
    bob, cid = guests
    play(host.page, bob, cid, moves=moves)
    return host, bob, cid


def go_on(guest: Page) -> Host:
    """Go on as host by one tap, as a guest whose house has died does."""
    panel = guest.locator("#phones")
    expect(panel).to_contain_text(TOLD["going_on_what"], timeout=OFFER_MS)
    guest.set_viewport_size(SMALL)
    if guest.locator("iframe").count():  # if the page was closed, there is none behind the offer
        assert house(guest).evaluate("document.documentElement.inert"), "what is behind the offer can't be tapped"
    checked(guest, "the offer to go on")
    guest.set_viewport_size(PHONE)
    panel.get_by_role("button", name=TOLD["going_on_here"]).tap()
    expect(guest.locator("iframe:not(.waits)")).to_be_visible(timeout=ENGINE_MS)
    expect(panel.locator(".qr svg")).to_be_visible(timeout=ENGINE_MS)
    return Host(guest)


def come_again(host: LetsIn, guest: Page) -> None:
    """Bring a guest that has lost its house back to it by a code, or to the house that goes on."""
    panel = guest.locator("#phones")
    code = host.let_in().rpartition("=")[2]
    panel.locator("summary").first.tap()
    panel.locator("textarea").first.fill(code)
    panel.get_by_role("button", name=EN["phones_take"]).tap()
    expect(panel.locator(".qr svg")).to_be_visible()
    host.take(panel.locator("textarea").first.input_value())
    expect(panel.locator(".qr svg")).to_be_hidden(timeout=IN_MS)
    expect(guest.locator("iframe:not(.waits)")).to_be_visible(timeout=IN_MS)


def come_back(host: Host, context: BrowserContext) -> Page:
    """Bring a phone whose page was closed to the house that goes on."""
    page = context.new_page()
    host.take(answer(page, host.let_in()))
    expect(page.locator("iframe:not(.waits)")).to_be_visible(timeout=IN_MS)
    return page


def is_told_nothing(page: Page) -> None:
    """Assert that the page has the match, and does not report that the match went on elsewhere too."""
    there(page)
    expect(page.locator("#phones")).not_to_contain_text(TOLD["going_on_own"].partition(".")[0])


def seq(page: Page) -> int:
    return int(house(page).locator("#table").get_attribute("data-seq") or -1)


@pytest.mark.nightly
def test_a_guest_goes_on_as_host_and_the_match_is_played_out(phones: list[BrowserContext], pocket_host: str) -> None:
    ears = [listen(context) for context in phones]
    old, bob, cid = begun(phones, pocket_host, 2)
    was = seq(old.page)
    old.page.close()
    new = go_on(bob)
    expect(new.frame.locator("#story")).to_contain_text("Your phone is the house now.")
    assert seq(bob) == was + 1, "all that was acknowledged, and who went on"
    come_again(new, cid)
    new.close_panel()  # the panel shows the used code until it knows that Cid is there
    # The phone that was the house is now a guest like the others. It also keeps its own table.
    ann = come_back(new, phones[0])
    is_told_nothing(ann)
    new.close_panel()
    play(bob, cid, ann)
    text = record_of(house(bob))
    assert text == record_of(house(cid)) == record_of(house(ann))
    assert {house(page).url.partition("?")[0] for page in (cid, ann)} == {house(bob).url.partition("?")[0]}
    assert [ear.faults for ear in ears] == [[], [], []]
