"""The lint of tests that measure a moving page, or wait for a time."""

import pytest

from bare_waits import places, problems


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("box = part.bounding_box()", 1),
        ("from support.steady import box_of\nbox = part.bounding_box()", 0),
        ('TOP = "node => node.getBoundingClientRect().top"', 1),
        ("page.wait_for_timeout(500)", 1),
        ("while not there():\n    time.sleep(0.1)", 0),
        ("while True:\n    def late():\n        time.sleep(0.1)", 1),
        ("async def a():\n    await asyncio.sleep(1)\n    await asyncio.sleep(0)", 1),
        ("pub.sleep(5)", 0),
    ],
)
def test_waits_and_bare_measures_are_counted(text: str, number: int) -> None:
    assert places(text) == number


def test_a_number_of_places_only_falls() -> None:
    assert problems({"tests/a.py": 2}, {"tests/a.py": (2, "why")}) == []
    assert "3 places" in problems({"tests/a.py": 3}, {"tests/a.py": (2, "why")})[0]
    assert "Lower its entry" in problems({}, {"tests/bare_waits.py": (2, "why")})[0]
