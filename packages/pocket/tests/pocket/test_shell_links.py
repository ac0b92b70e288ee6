"""Links of the house that save a file, in Chromium: the browser would ask the host, which has none."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from pocket.shell_pages import BELOW, EN, chromium, context_on, engine, host, house, path_of, visit
from support.static_host import StaticHost

__all__ = ["chromium", "host"]


def test_a_link_that_saves_gives_the_file_of_the_engine(chromium: Browser, host: StaticHost) -> None:
    context = context_on(chromium, host.address)
    page = visit(context, engine())
    before = path_of(page)
    with page.expect_download() as saved:
        house(page).get_by_role("link", name="Save", exact=True).press("Enter")
    assert saved.value.suggested_filename == "a.record"
    assert Path(saved.value.path()).read_text("utf-8") == "pubdice 1"
    assert not [path for path in host.asked if "saved" in path], "the host was asked"
    house(page).get_by_role("link", name="Save nothing").click()
    expect(page.locator("#told")).to_have_text(EN["not_saved"])
    assert path_of(page) == before
    expect(house(page).get_by_role("heading")).to_be_visible()
    context.close()


def test_the_address_and_the_title_follow_a_page_that_goes_on_to_the_next_table_by_itself(
    chromium: Browser, host: StaticHost
) -> None:
    context = context_on(chromium, host.address)
    page = visit(context, engine())
    house(page).locator("html").evaluate(
        "() => { history.pushState(null, '', new URL('t/NEXT', location)); document.title = 'Next'; }"
    )
    expect(page).to_have_title("Next")
    assert path_of(page) == f"/{BELOW}t/NEXT"
    context.close()
