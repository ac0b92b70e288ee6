"""The way of a newcomer that docs/first-minutes.md counts is there: a name, "Play a bot", "Roll", in a real browser."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.first_minutes import rolled_in_a_browser
from support.browser import chromium_running
from support.house_process import House


def _rolled(house: House) -> list[str]:
    with chromium_running():
        pass  # or it is skipped
    return rolled_in_a_browser(f"http://127.0.0.1:{house.port}/")


def test_a_newcomer_comes_from_the_front_page_to_a_roll(tmp_path: Path) -> None:
    # A thread has one browser at a time, and this one may still have that of the tests before.
    with House(tmp_path) as house, ThreadPoolExecutor(1) as beside:
        read = beside.submit(_rolled, house).result()
    assert "No sign-up." in read
    assert "You need 1 and 4." in read
