"""The screen stays lit while a match is played, by one lock."""

import pytest
from playwright.sync_api import BrowserContext

from browser.client.page import Open, heard
from browser.scripted_house import update, view
from support.browser import until

LOCKS = """
window.asked = [];
window.held = 0;
class Lock {
  released = false;
  release() {
    held--;
    this.released = true;
  }
}
Object.defineProperty(navigator, 'wakeLock', { value: { request: () => new Promise(given => asked.push(given)) } });
window.give = () => {
  held++;
  asked.shift()(new Lock());
};
"""
"""A device that gives a lock when the test wants it to."""


@pytest.mark.parametrize("is_late", [False, True], ids=["given in time", "given late"])
def test_one_lock_keeps_the_screen_lit_until_the_match_is_over(
    visit: Open, context: BrowserContext, *, is_late: bool
) -> None:
    context.add_init_script(LOCKS)
    page, line = visit(view(0, ask="roll"))
    line.send(update(1, "Ada rolled 3 4."))
    heard(page, "Ada rolled 3 4.")
    assert page.evaluate("asked.length") == 1, "a view that comes meanwhile asks for no other"
    if not is_late:
        assert page.evaluate("give(), held") == 1
    line.send(update(2, "Bob wins.", stage="over", mover=None))
    heard(page, "Ada rolled 3 4.", "Bob wins.")
    if is_late:
        assert page.evaluate("give(), held") == 1
    until(page, "held === 0")
    assert page.evaluate("asked.length") == 0
