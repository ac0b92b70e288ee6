"""The picture of a table for the README, taken from the real page: ``python -m browser.make_picture`` in tests/.

Real dice are entered, so that it is the same picture again. Run it when the look of the table changes.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from browser.house import BEHIND, ask, chromium_running, context_of, open_table, sit
from faults.webhouse import House

PICTURE = Path(__file__).parents[2] / "docs" / "table.jpg"
SIZE = {"width": 1180, "height": 720}


def main() -> int:
    """Play to a telling moment, and take the picture."""
    with TemporaryDirectory() as folder, House(Path(folder), *BEHIND) as house, chromium_running() as browser:
        kim, ann = (context_of(browser, house, viewport=SIZE) for _ in range(2))
        table = open_table(ann, "Ann", people=2, dice="real", rules={"format": "rounds 5"})
        sit(kim, table, "Kim")
        for dice in ("1 4 5 5 3 3", "1 3 2 5 2 6"):
            context = ann if dice.startswith("1 4") else kim
            asked = [{"do": "enter", "dice": dice}]
            if context is ann:
                asked += [{"do": "roll", "marks": [0, 1, 2, 3, 4, 5]}]
            for request in asked:
                assert ask(context, table, **request) == 200, request
        for request in ({"do": "roll", "marks": [0, 5]}, {"do": "enter", "dice": "6 5 2 3"}):
            assert ask(kim, table, **request) == 200, request
        page = kim.new_page()
        page.emulate_media(reduced_motion="reduce")
        page.goto(table)
        page.locator("#dice [data-face='6'][data-status=free]").first.click()
        page.locator("#dice [data-status=marked]").first.wait_for()
        page.screenshot(path=PICTURE, type="jpeg", quality=80)
    sys.stdout.write(f"{PICTURE}: {PICTURE.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
