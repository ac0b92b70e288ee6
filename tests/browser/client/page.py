"""The page at the scripted house, as a test reads it: what was said, and which dice are kept."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser.scripted_house import Line

Open = Callable[..., tuple[Page, Line]]
PACE = """<form id="pacing" method="post" action="/t/ABCDEF"><input type="hidden" name="do" value="pace">
<input type="hidden" name="key" value="12345678"><select name="ms"><option value="400">brisk</select>
<button>Set</button></form>"""


def heard(page: Page, *lines: str, urgent: bool = False) -> None:
    """All that was said so far, in order."""
    expect(page.locator("#assertive p" if urgent else "#polite p")).to_have_text(list(lines))


def pressed(page: Page) -> list[str]:
    """The places of the dice that are shown as kept."""
    return [die.get_attribute("data-place") or "" for die in page.locator("#dice .die[aria-pressed=true]").all()]
