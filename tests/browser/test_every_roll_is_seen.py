"""A law over every game: whatever roll is told of was to be seen on the page, dice that leave no choice too."""

import re
from collections import Counter

import pytest

from browser.conftest import Visitor
from browser.page_players import ready
from pubdice.games import GAMES
from support.browser import ask, open_table

WATCH = """
window.pubdiceSeen = [];
const look = () => {
  const dice = [...document.querySelectorAll('#dice li:not([hidden]) .die')].filter(die => die.checkVisibility());
  const rows = [...document.querySelectorAll('#seats .dice, #won')].map(row => [...row.children]);
  for (const shown of [dice, ...rows])
    pubdiceSeen.push(shown.map(({dataset}) => +dataset.face).sort().join(' '));
};
const read = ReadableStreamDefaultReader.prototype.read, waiting = new WeakMap();
ReadableStreamDefaultReader.prototype.read = async function () {
  if (!waiting.get(this)?.length) {
    const {done, value} = await read.call(this);
    if (done) return {done};
    waiting.set(this, []);
    for (let from = 0, at = 1; at <= value.length; at++)
      if (at === value.length || (value[at - 2] === 10 && value[at - 1] === 10))
        waiting.get(this).push(value.slice(from, from = at));
  }
  await new Promise(done => setTimeout(done));
  return {value: waiting.get(this).shift()};
};
addEventListener('DOMContentLoaded', () => {
  look();
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true});
});
"""
"""Notes all dice on the page after every update. On a busy machine two updates come in one piece, which the observer is
told of once; so they are handed to the page one by one."""


@pytest.mark.parametrize("game", GAMES)
def test_every_roll_that_is_told_was_seen(game: str, visitor: Visitor) -> None:
    context = visitor()
    context.add_init_script(WATCH)
    page = context.new_page()
    table = open_table(context, game=game, bots=["tip"], pace_ms=120, rules={})
    page.goto(table)
    ready(page)  # what it has missed by then comes in one update
    assert ask(context, table, do="give") == 200
    page.locator("#result").wait_for(timeout=60_000)
    told = [re.search(r"rolled ((?:\d ?)+)", line) for line in page.locator("#log li").all_text_contents()]
    seen = [Counter(shown.split()) for shown in set(page.evaluate("pubdiceSeen"))]
    rolls = [Counter(found[1].split()) for found in told if found]
    assert rolls
    for roll in rolls:
        assert any(roll <= shown for shown in seen), roll
