"""The picture of a table for the README, from the real page: ``PYTHONPATH=tests:. python -m browser.make_picture``.

Tables are laid until one has a telling moment: a 1 and a 6 are kept, a 4 is still needed, and another 6 has just been
rolled. Run it when the look of the table changes.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, BrowserContext

from browser.page_players import state_of
from support.browser import BEHIND, ask, chromium_running, context_of, open_table
from support.house_process import House

PICTURE = Path(__file__).parents[2] / "docs" / "table.jpg"
SIZE = {"width": 1100, "height": 860}
TABLES = 400
RULES = {"format": "rounds 5"}


def main() -> int:
    """Play to that moment, and take the picture."""
    with TemporaryDirectory() as folder, House(Path(folder), *BEHIND) as house, chromium_running() as browser:
        take(browser, house, PICTURE, 72, viewport=SIZE)
    sys.stdout.write(f"{PICTURE}: {PICTURE.stat().st_size} bytes\n")
    return 0


def take(browser: Browser, house: House, file: Path, quality: int, **settings: Any) -> None:
    """Take the picture of a table at a telling moment, as a JPEG. settings: of the browser."""
    for _ in range(TABLES):
        kim = context_of(browser, house, **settings)
        table = open_table(kim, "Kim", bots=["tip"], rules=RULES)
        if telling(kim, table):
            break
        kim.close()
    page = kim.new_page()
    page.emulate_media(reduced_motion="reduce")
    page.goto(table)
    page.locator("#dice [data-face='6'][data-status=free]").first.click()
    page.locator("#dice [data-status=marked]").first.wait_for()
    page.screenshot(path=file, type="jpeg", quality=quality)
    kim.close()


def telling(kim: BrowserContext, table: str) -> bool:
    """Whether this table came to such a moment."""
    while state_of(kim, table)["view"]["mover"] != 0:  # the bot plays at once
        pass
    ask(kim, table, do="roll")
    places = {die["face"]: die["place"] for die in dice(kim, table)}
    if not {1, 6} <= set(places) or 4 in places:
        return False
    ask(kim, table, do="roll", marks=[places[1], places[6]])
    faces = [die["face"] for die in dice(kim, table) if die["status"] == "free"]
    return faces.count(6) == 1 and not {1, 4} & set(faces)


def dice(kim: BrowserContext, table: str) -> list[dict[str, Any]]:
    """The dice on the table."""
    found: list[dict[str, Any]] = state_of(kim, table)["view"]["dice"]
    return found


if __name__ == "__main__":
    sys.exit(main())
