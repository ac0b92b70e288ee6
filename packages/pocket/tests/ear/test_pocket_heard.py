"""Tests by ear of the pocket without a network: matches are played from speech alone, and its pages answer."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ear.listener import ENDED, Listener, at_midnight
from ear.people import check
from ear.pocket_desk import HOUSE, STORY, Pocket, pocket_at_a_desk
from ear.test_heard import focus_mode
from pocket.conftest import pocket_folder, pocket_parts

pytestmark = pytest.mark.nightly
__all__ = ["pocket_folder", "pocket_parts"]
RESULT = """fetch(location.pathname + '/state').then(answer => answer.json()).then(
  ({ view: { result: [lead] } }) => lead.own?.[HOUSE.getElementById('table').dataset.told] ?? lead.text
)""".replace("HOUSE", HOUSE)


@pytest.fixture(params=os.environ.get("EAR_BROWSERS", "chromium firefox").split())
def pocket(request: pytest.FixtureRequest, pocket_folder: Path, tmp_path: Path) -> Iterator[Pocket]:
    with pocket_at_a_desk(pocket_folder, tmp_path, request.param) as pocket:
        yield pocket


def played(pocket: Pocket, player: Listener) -> None:
    """Play a match to its end. Assert that each line is heard whole, in order and once, and that the result is heard
    too.
    """
    reader = pocket.reader
    focus_mode(reader.here)
    pocket.ask(STORY)
    mark = reader.mark()
    player.play()
    reader.here.heard.settle(2.0)
    result = str(pocket.ask(RESULT))
    told = json.loads(str(pocket.ask("JSON.stringify(told)")))
    assert any(line.startswith(result) for line in told), told
    heard = re.sub(r"\b(Pass to|Space: I'm) \w+\.", "", reader.here.heard.since(mark))
    assert "Browse mode" not in heard, "the focus stays as the match ends"
    for asked in re.findall(r"\S+ turn\. Here: [\w ]+\.", heard):
        heard = heard.replace(asked, "", 1)
    check(told, heard, result)


def test_a_listener_comes_first_and_plays_a_bot_by_ear(pocket: Pocket) -> None:
    pocket.host.held = {"house.zip.lzma"}
    mark = pocket.reader.mark()
    pocket.type_address()
    pocket.hear(mark, r"Your choice opens once all is here\.")
    pocket.host.let_go.set()
    heard = pocket.hear(mark, r"Ready\.")
    assert re.search(
        r"Loading Pubdice onto this device\. After that it works without a network\..*Pub dice for your table"
        r".*Pubdice is still loading\. Your choice opens once all is here\..*Ready\.",
        heard,
    ), heard
    assert heard.count("is still loading") <= 2, "told once, and read once where Orca reads the page as it loads"
    assert pocket.ask("document.activeElement.localName") == "iframe"
    assert heard.count("Loading Pubdice") <= 2, "told once, and read once where Orca reads the page as it loads"
    assert "percent" not in heard, "the sentences tell how far it is"
    # Speech is so quick that it may reach a line on the page before the line is removed, after 5 s.
    assert heard.count("Ready.") <= 2, "told once, and read once where Orca reads the page as it loads"
    pocket.host.stop()
    pocket.reader.until("h", "Pub dice for your table heading level 1")
    pocket.begin("Ann")
    played(pocket, Listener(pocket.reader, at_midnight))
    for key, said in (("w", ENDED.pattern), ("s", "."), ("l", ENDED.pattern), ("h", "You have")):
        assert re.search(said, pocket.press(key, said)), key
