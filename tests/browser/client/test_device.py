"""What a page asks of the device: the screen stays lit while a match is played, and sound costs nothing after."""

import pytest
from playwright.sync_api import BrowserContext, Page

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


AUDIO = "window.AudioContext = class extends AudioContext { constructor() { super(); window.audio = this; } };"
STATE = "window.audio?.state"
LONGEST_MS = 5_000
"""Longer than any sound, and than the page waits for the next."""


def comes_to(page: Page, state: str) -> bool:
    """Wait until the page's audio is in a state; true if it stays there."""
    until(page, f"state => {STATE} === state", state)
    return bool(page.evaluate(STATE) == state)


def test_the_sound_of_a_page_rests_after_a_while_and_runs_again_with_the_next(
    visit: Open, context: BrowserContext
) -> None:
    context.add_init_script(AUDIO)
    context.clock.install()
    page, line = visit(view(0, 5, 4, 4, 1))
    page.keyboard.press("1")
    assert comes_to(page, "running")
    context.clock.run_for(LONGEST_MS)
    assert comes_to(page, "suspended")
    line.send(update(1, mover=1, view=view(1, 5, 4, 4, 1, mover=1)))
    line.send(update(2, mover=0, view=view(2, 5, 4, 4, 1)))
    assert comes_to(page, "running")
    context.clock.run_for(LONGEST_MS)
    assert comes_to(page, "suspended")


WHEN = """
addEventListener('keydown', () => {
  self.isSeen = false;
  requestAnimationFrame(() => requestAnimationFrame(() => { self.isSeen = true; }));
}, true);
self.heard = [];
const make = BaseAudioContext.prototype.createBuffer;
BaseAudioContext.prototype.createBuffer = function (...of) {
  heard.push(isSeen);
  return make.apply(this, of);
};
"""
"""Notes for each sound whether what was pressed is on the screen by then."""


def test_a_die_is_seen_before_its_sound_is_worked_out(visit: Open, context: BrowserContext) -> None:
    context.add_init_script(WHEN)
    page, _ = visit(view(0, 5, 4, 4, 1))
    with page.expect_response("**/sound.js"):
        page.keyboard.press("1")
    while not page.evaluate("heard.length"):  # the first press is for the sounds to come
        page.keyboard.press("1")
        page.wait_for_timeout(100)
    assert all(page.evaluate("heard"))
