"""House rules with their price, for those who ask: beside each choice, and one tap to the fair order."""

from playwright.sync_api import Page, Request, Route, expect

from browser.front_states import front_priced
from browser.scene import Scene, Visitor
from support.browser import page_of, sit

USUAL = {"keep": "plain"}
ADDS_UP = ["Where scores add up, Ship, Captain and Crew is solved for two players."] * 2
"""Beside points and total, for more players: a reason of their own."""


def asked_of(page: Page) -> list[str]:
    """The requests for prices of this page from now on, as they are made."""
    found: list[str] = []

    def note(request: Request) -> None:
        if "/prices" in request.url and "/static/" not in request.url:
            found.append(request.url)

    page.on("request", note)
    return found


def test_each_choice_says_its_share_as_the_page_of_prices_does_and_the_fair_order_is_one_tap(visitor: Visitor) -> None:
    scene = Scene(visitor)
    page = front_priced(scene)
    told = scene.at("/prices/ship")
    expect(told.locator("#fair")).to_be_visible(timeout=60_000)
    for rule in ("cargo", "opener"):
        rows = told.locator(f"#{rule} tbody tr").all()
        radios = page.locator(f"[name='ship.{rule}']").all()
        assert len(rows) == len(radios) > 1
        for row, radio in zip(rows, radios, strict=True):
            share, change = row.locator("td").all_text_contents()
            expected = f"Player 1: {share}" if change == "–" else f"Player 1: {share} ({change})"
            label = page.locator(f"label[for='{radio.get_attribute('id')}']")
            expect(label.locator(".price")).to_have_text(expected)
    page.locator("#house .later > summary").click()
    name = page.get_by_role("radio", name="The winner of the last round Player 1: ")
    expect(name.locator("visible=true")).to_have_count(1)  # and it is heard with the choice
    the_fair_order_is_one_tap_and_another_choice_is_priced_again(page)


def the_fair_order_is_one_tap_and_another_choice_is_priced_again(page: Page) -> None:
    """The same form, whose choices have their prices."""
    order = page.locator(".fairest")
    expect(order).to_contain_text("Fairest: 10 rounds")
    page.get_by_role("button", name="Take this order").click()
    expect(page.locator("[name='ship.rounds']")).to_have_value("10")
    expect(order).to_contain_text("These rules are the fairest", timeout=60_000)
    expect(page.get_by_role("button", name="Take this order")).to_be_hidden()
    status = page.locator(".priced [role=status]")
    before = status.inner_text()
    page.locator("label", has_text="Always the same player").locator("visible=true").click()
    expect(status).not_to_have_text(before, timeout=60_000)
    page.locator("#players").select_option("9")
    expect(status).to_have_text("Ship, Captain and Crew is solved for 6 seats at most.", timeout=60_000)
    expect(page.locator(".price")).to_have_text(ADDS_UP)  # of the others none, since nothing new can be said there


def test_a_lost_line_is_said_and_the_next_choice_asks_again(visitor: Visitor) -> None:
    page = page_of(visitor(), "/")
    page.route("**/prices", lambda route: route.abort())
    page.locator(".game label", has_text="Ship").click()  # the quickest to price
    page.locator("#house > summary").click()
    page.locator("#house .fair > summary").click()
    status = page.locator(".priced [role=status]")
    expect(status).to_have_text("That did not work. Try again.")
    page.unroute("**/prices")
    page.locator("#house .later > summary").click()
    page.locator("label", has_text="Always the same player").locator("visible=true").click()
    expect(status).to_contain_text("Player 1 has", timeout=60_000)


def test_prices_whose_request_hangs_are_said_to_fail_and_asked_for_again(visitor: Visitor) -> None:
    page = page_of(visitor())
    page.clock.install()
    page.goto("/")
    hung: list[Route] = []
    page.route("**/prices", lambda route: route.continue_() if hung else hung.append(route))
    page.locator(".game label", has_text="Ship").click()
    page.locator("#house > summary").click()
    page.locator("#house .fair > summary").click()
    page.clock.run_for(1_000)
    page.clock.run_for(10_000)
    status = page.locator(".priced [role=status]")
    expect(status).to_have_text("That did not work. Try again.")
    page.clock.resume()
    expect(status).to_contain_text("Player 1 has", timeout=60_000)


def test_a_table_s_form_prices_its_own_rules_for_those_who_sit_there(visitor: Visitor) -> None:
    scene = Scene(visitor)
    host, table = scene.table(game="ship", people=None, rules={"format": "rounds 3"})
    page = scene.at(table, host)
    found = asked_of(page)
    scene.lay(page)
    sit(visitor(), table, "Bob")
    expect(page.locator("#seats .name")).to_have_count(2)
    assert found == [], "nothing is asked while the rules are closed"
    page.locator("#change > summary").click()
    page.locator("#change .fair > summary").click()
    prices = page.locator("#changing .price")
    expect(prices.first).to_contain_text("Player 1: 4", timeout=60_000)
    expect(page.locator("#players")).to_have_value("2")
    expect(page.get_by_role("button", name="Take this order")).to_be_visible(timeout=60_000)
    sit(visitor(), table, "Cy")  # the page is renewed, and has prices again
    expect(page.locator("#seats .name")).to_have_count(3)
    expect(page.locator("#players")).to_have_value("3")
    expect(prices.first).to_contain_text("Player 1: 3", timeout=60_000)
    assert any("/prices/ship?" in url and "seats=3" in url and "rounds:3" in url for url in found)
    page.locator("#changing label", has_text="Each die by itself").click()
    expect(prices.first).to_contain_text("Player 1: ", timeout=60_000)
    page.get_by_role("button", name="Save rules").click()
    expect(page.locator("#facts")).to_contain_text("cargo dice rolled one by one")


def test_a_table_s_form_has_no_prices_without_scripts_but_their_page(visitor: Visitor) -> None:
    host, table = Scene(visitor).table(game="ship", people=None)
    state = host.storage_state()
    page = page_of(visitor(java_script_enabled=False, storage_state=state), table)
    page.locator("#change > summary").click()
    expect(page.locator("#changing .priced")).to_be_hidden()
    expect(page.get_by_role("link", name="Are these rules fair?")).to_be_visible()
