"""The README's picture, a phone and a tablet with the page.

``PYTHONPATH=tests:packages/workshop/src/pubdice_workshop/laws:. python -m browser.make_picture`` makes it.

Tables are laid until one has a telling moment: a 1 and a 6 are kept, a 4 is still needed, and another 6 has just been
rolled. Run it when the look of the table changes.
"""

import sys
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ViewportSize

from browser.page_players import state_of
from support.browser import BEHIND, ask, chromium_running, context_of, open_table
from support.house_process import House

PICTURE = Path(__file__).parents[2] / "docs" / "phone-and-tablet.jpg"
PHONE, TABLET = {"width": 390, "height": 800}, {"width": 1100, "height": 830}
SIZE = ViewportSize(width=1240, height=700)
BOTH = """
<style>
  body { margin: 0; background: #e8e4da; position: relative; width: 1240px; height: 700px; overflow: hidden }
  img { position: absolute; display: block; border: solid #1c1c1e; background: #1c1c1e; box-shadow: 0 10px 30px #0006 }
  .tablet { left: 40px; top: 34px; width: 800px; border-width: 14px; border-radius: 24px }
  .phone { right: 40px; top: 40px; width: 290px; border-width: 9px; border-radius: 34px }
</style>
<img class="tablet" src="data:image/png;base64,%s"><img class="phone" src="data:image/png;base64,%s">
"""
"""A page that shows both pictures beside each other."""
TABLES = 400
RULES = {"format": "rounds 5"}


def main() -> int:
    """Play to the telling moment on phone and tablet, and put both pictures into one."""
    with TemporaryDirectory() as folder, House(Path(folder), *BEHIND) as house, chromium_running() as browser:
        shown = []
        for name, look in (("tablet", {"viewport": TABLET}), ("phone", {"viewport": PHONE, "device_scale_factor": 2})):
            take(browser, house, file := Path(folder, f"{name}.png"), **look)
            shown.append(b64encode(file.read_bytes()).decode())
        page = browser.new_page(viewport=SIZE)
        page.set_content(BOTH % tuple(shown), wait_until="load")
        page.screenshot(path=PICTURE, type="jpeg", quality=68)
    sys.stdout.write(f"{PICTURE}: {PICTURE.stat().st_size} bytes\n")
    return 0


def take(browser: Browser, house: House, file: Path, quality: int | None = None, **settings: Any) -> None:
    """Take a picture of a table at a telling moment, as JPEG of this quality or PNG. ``settings`` are the browser's."""
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
    page.screenshot(path=file, type="jpeg" if quality else "png", quality=quality)
    kim.close()


def telling(kim: BrowserContext, table: str) -> bool:
    """Play at a table. Return True if it comes to a telling moment."""
    while state_of(kim, table)["view"]["mover"] != 0:  # the bot moves without a pause
        pass
    ask(kim, table, do="roll")
    places = {die["face"]: die["place"] for die in dice(kim, table)}
    if not {1, 6} <= set(places) or 4 in places:
        return False
    ask(kim, table, do="roll", marks=[places[1], places[6]])
    faces = [die["face"] for die in dice(kim, table) if die["status"] == "free"]
    return faces.count(6) == 1 and not {1, 4} & set(faces)


def dice(kim: BrowserContext, table: str) -> list[dict[str, Any]]:
    """Return the dice on the table."""
    found: list[dict[str, Any]] = state_of(kim, table)["view"]["dice"]
    return found


if __name__ == "__main__":
    sys.exit(main())
