"""The pocket house by ear: it loads, is ready and has the focus; a match by keys; what the page round it has to say."""

import json
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from ear.desk import desk, missing
from ear.people import answer, check, keeps
from ear.reader import Reader
from ear.test_heard import focus_mode
from pocket.conftest import pocket_folder, pocket_parts
from support.static_host import StaticHost

pytestmark = pytest.mark.nightly
__all__ = ["pocket_folder", "pocket_parts"]
READY_S, MATCH_S = 240.0, 300.0
HOUSE = "document.querySelector('iframe').contentDocument"
LISTEN = f"""(() => {{
  window.told = [];
  const seen = new MutationObserver(changes => changes.forEach(({{ target, addedNodes }}) => {{
    if (target.closest?.('#polite, #assertive') === target) return;
    for (const node of addedNodes) if (node.textContent.trim()) told.push(...node.textContent.split('\\n'));
  }}));
  const all = {{ childList: true, subtree: true }};
  for (const id of ['polite', 'assertive']) seen.observe({HOUSE}.getElementById(id), all);
}})()"""
STATE = "fetch(location.pathname + '/state').then(answer => answer.json())"


@pytest.fixture(scope="module")
def folder(pocket_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that can be replaced by a new version."""
    return Path(shutil.copytree(pocket_folder, tmp_path_factory.mktemp("host") / "site"))


@pytest.fixture(scope="module")
def reader(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Reader, StaticHost]]:
    if lacking := missing("chromium"):
        pytest.skip(f"no {', '.join(lacking)} to hear with; .ci/install nightly installs them")
    with StaticHost(folder) as host, desk(tmp_path_factory.mktemp("ear"), "chromium") as here:
        yield Reader(here, host.address.rstrip("/")), host


def heard(reader: Reader, mark: int, pattern: str, within_s: float = READY_S) -> None:
    """Wait until something has been heard since a mark, for long."""
    reader.here.heard.wait(lambda: re.search(pattern, reader.said(mark)) is not None, within_s)
    assert re.search(pattern, reader.said(mark)), reader.said(mark)


def test_a_match_is_opened_and_played_by_ear_without_a_network(reader: tuple[Reader, StaticHost]) -> None:
    person, host = reader
    here, mark = person.here, person.mark()
    here.browser.open(person.house, "/", "nobody=1")
    heard(person, mark, r"Loading Pubdice onto this device.*works without a network")
    heard(person, mark, r"Starting the engine")
    heard(person, mark, r"Ready\.")
    person.wait_for("document.activeElement.localName === 'iframe'")
    heard(person, mark, r"Ready\..*Pub dice for your table")
    host.stop()
    here.heard.settle(2.0)
    person.until("Tab", r"Midnight .*radio button")
    focus_mode(here)
    person.press("Down", r"420 .*radio button")
    person.browse()
    person.until("Tab", r"Player 1 entry")
    mark = person.mark()
    here.enter("Ann")
    heard(person, mark, r"(Your|Tip's) turn")
    here.heard.settle(2.0)
    here.hush()
    here.browser.ask(LISTEN)
    mark = person.mark()
    result = play(person)
    check(json.loads(here.browser.ask("JSON.stringify(told)")), here.heard.since(mark), result)


def play(person: Reader) -> str:
    """Ann plays to the end by keys; how it ended."""
    here, until = person.here, time.monotonic() + MATCH_S
    focus_mode(here)
    while (view := state(here.browser.ask(STATE)))["stage"] != "over":
        assert time.monotonic() < until, view["heading"]
        if view["mover"] == 0:
            here.heard.settle()
            if view["ask"] == "keep" and not any(die["status"] == "marked" for die in view["dice"]):
                for die in keeps("420", view):
                    assert answer(here, str(die["place"] + 1)), "silence"
            assert answer(here, "r"), "silence"
        time.sleep(0.2)
    here.heard.settle(2.0)
    return str(view["result"][0]["own"].get("0", view["result"][0]["text"]))


def state(told: Any) -> Any:
    """The view of the table."""
    return told["view"]


def test_another_tab_and_a_new_version_are_heard(reader: tuple[Reader, StaticHost], folder: Path) -> None:
    person, host = reader
    here, mark = person.here, person.mark()
    worker = folder / "sw.js"
    worker.write_text(re.sub(r'("version": ")', r"\1next-", worker.read_text("utf-8"), count=1))
    host.start()
    here.browser.ask("navigator.serviceWorker.getRegistration().then(found => void found.update())")
    heard(person, mark, r"A new version is ready\. Your tables stay as they are\.")
    mark = person.mark()
    here.strike("ctrl+t")
    here.heard.settle(1.5)
    here.enter(person.house)
    heard(person, mark, r"Pubdice is open in another tab, and only one tab can play\.")
    heard(person, mark, r"Play here instead (push )?button")
    mark = person.mark()
    here.strike("Return")
    heard(person, mark, r"Ready\.")
    mark = person.mark()
    here.strike("ctrl+shift+Tab")
    heard(person, mark, r"Pubdice now plays in another tab|Play here instead")
