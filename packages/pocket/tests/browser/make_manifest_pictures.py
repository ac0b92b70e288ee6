"""A program that makes the icons and screenshots of the pocket's manifest.

Run it after a change of the icon or the table, as ``python -m browser.make_manifest_pictures``. PYTHONPATH must have
``tests``, ``packages/pocket/tests``, ``packages/workshop/src/pubdice_workshop/laws`` and the repository. Icons are
drawn from ``server/web/static/icon.svg``. The maskable icon has only the die, in the middle 80 %, because systems cut
icons to a circle or another shape. Screenshots show the real page.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser

import pubdice
import pubdice_pocket
from browser.make_picture import take
from support.browser import BEHIND, chromium_running
from support.house_process import House

ICON = Path(pubdice.__file__).parent / "server" / "web" / "static" / "icon.svg"
STATIC = Path(pubdice_pocket.__file__).parent / "static"
FIELD = "#2a3835"  # the colour behind the die, to the edges of a maskable icon
ICONS = {"icon-192.png": (192, False), "icon-512.png": (512, False), "icon-maskable-512.png": (512, True)}
"""For each icon, its width and height in pixels, and True if it is maskable."""
SCREENS = {"screen-narrow.jpg": (390, 780, 2), "screen-wide.jpg": (1280, 800, 1)}
"""For each screenshot, the width and height of the page, and the scale."""


def main() -> int:
    """Draw the icons, and take the screenshots."""
    with TemporaryDirectory() as folder, House(Path(folder), *BEHIND) as house, chromium_running() as browser:
        for name, (size, maskable) in ICONS.items():
            (STATIC / name).write_bytes(icon(browser, size, maskable))
        for name, (width, height, scale) in SCREENS.items():
            look = {"viewport": {"width": width, "height": height}, "device_scale_factor": scale}
            take(browser, house, STATIC / name, 60, **look)
    for name in (*ICONS, *SCREENS):
        sys.stdout.write(f"{name}: {(STATIC / name).stat().st_size} bytes\n")
    return 0


def icon(browser: Browser, size: int, maskable: bool) -> bytes:
    """Return the icon as a PNG. A maskable icon has colour up to its edges, and no frame or clear corners."""
    page = browser.new_page(viewport={"width": size, "height": size})
    behind = f"background: {FIELD};" if maskable else ""
    page.set_content(f"<style>body {{ margin: 0; {behind} }} svg {{ display: block }}</style>{ICON.read_text('utf-8')}")
    if maskable:
        page.evaluate("document.querySelector('svg > rect').remove()")
    found = page.screenshot(type="png", omit_background=not maskable)
    page.close()
    return found


if __name__ == "__main__":
    sys.exit(main())
