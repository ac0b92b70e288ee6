"""The law over drawn pictures: the phone's reader of dice reads light dice.

The pictures come from ``support.rendered_dice`` with seeds that the training does not use. Photographs are measured by
``benchmarks/dice_photos``.
"""

import base64
from collections import Counter
from collections.abc import Iterable
from itertools import count

import numpy as np
import pytest
from playwright.sync_api import Page

from browser.client.page import Open
from support.profiles import NIGHTLY
from support.rendered_dice import Picture, picture

ABOVE, ASLANT = 15, 40  # the greatest angles in degrees between the camera and the vertical
MANY = 300 if NIGHTLY else 8
LEAST_WHOLE, LEAST_DICE = 0.75, 0.95
"""The least shares of pictures of six dice that are read wholly right, and of their dice.

The pictures are hard: dark, blurred, rough, and full of other things.
"""
MOST_FALSE = 0.7
"""The largest share of tables without dice in which dice are seen. They are full of dominoes, coins and signs."""
READ = """async ([pixels, width, height, due]) => {
  const { layersOf, read } = await import('/static/dice_reader.js');
  self.layers ??= fetch('/static/dice_reader.bin').then(answer => answer.arrayBuffer()).then(layersOf);
  const bytes = Uint8ClampedArray.from(atob(pixels), one => one.charCodeAt(0));
  return read(await layers, bytes, width, height, due || undefined).filter(({ isMore }) => !isMore);
}"""
SMALLEST = 16
"""The smallest radius in pixels of a face that the law asks for: a die is then a thirtieth of the picture wide."""


def told(page: Page, drawn: Picture, due: int = 0) -> list[dict[str, float]]:
    """Return the dice that the reader sees in a picture."""
    height, width, _ = drawn.pixels.shape
    opaque = b"".join(bytes(pixel) + b"\xff" for pixel in drawn.pixels.reshape(-1, 3))
    found: list[dict[str, float]] = page.evaluate(READ, [base64.b64encode(opaque).decode(), width, height, due])
    return found


def shares(page: Page, pictures: Iterable[Picture]) -> tuple[float, float]:
    """Return the shares of pictures and of dice that are read right, if the number of dice is known."""
    whole = right = dice = every = 0
    for drawn in pictures:
        wanted = Counter(die.face for die in drawn.dice)
        found = Counter(int(die["face"]) for die in told(page, drawn, len(drawn.dice)))
        whole += wanted == found
        right += (wanted & found).total()
        dice += wanted.total()
        every += 1
    return whole / every, right / dice


def of_six(tilt: float, many: int = MANY) -> Iterable[Picture]:
    """Yield pictures of six dice that are all within the picture and large enough."""
    for seed in count():
        drawn = picture(seed, size=(640, 480), tilt=tilt, dice=6, pale=True)
        if len(drawn.dice) == 6 and min(die.radius for die in drawn.dice) >= SMALLEST:
            yield drawn
            many -= 1
        if not many:
            return


@pytest.mark.parametrize(
    "tilt", [pytest.param(ABOVE, id="above"), pytest.param(ASLANT, id="aslant", marks=pytest.mark.nightly)]
)
def test_six_dice_are_read(tilt: float, visit: Open) -> None:
    page, _ = visit()
    whole, dice = shares(page, of_six(tilt))
    assert whole >= LEAST_WHOLE
    assert dice >= LEAST_DICE


def test_things_that_are_no_dice_are_seldom_taken_for_dice(visit: Open) -> None:
    page, _ = visit()
    false = [seed for seed in range(MANY) if told(page, picture(seed, size=(640, 480), dice=0))]
    assert len(false) <= MOST_FALSE * MANY


def test_a_table_without_anything_has_no_dice(visit: Open) -> None:
    page, _ = visit()
    for bright in (0, 60, 128, 255):
        assert told(page, Picture(np.full((480, 640, 3), bright, np.uint8), ())) == []


def test_a_picture_lies_still_when_it_is_turned(visit: Open) -> None:
    """A careless hand holds the phone upside down. The faces are the same, and the places turn with the picture."""
    page, _ = visit()
    drawn = picture(56, size=(640, 480), tilt=8, dice=6, pale=True)
    turned = Picture(drawn.pixels[::-1, ::-1].copy(), drawn.dice)
    height, width, _ = drawn.pixels.shape
    upright, around = told(page, drawn, 6), told(page, turned, 6)
    assert [die["face"] for die in upright] == [die["face"] for die in reversed(around)]
    for die, other in zip(upright, reversed(around), strict=True):
        assert abs(die["x"] + other["x"] - width) < die["radius"] / 2
        assert abs(die["y"] + other["y"] - height) < die["radius"] / 2


def test_the_smallest_and_the_flattest_pictures_are_read_too(visit: Open) -> None:
    page, _ = visit()
    for width, height in ((1, 1), (2, 90), (640, 3), (24, 24)):
        flat = Picture(picture(0, size=(max(width, 8), max(height, 8))).pixels[:height, :width].copy(), ())
        assert all(0 <= die["sure"] <= 1 for die in told(page, flat, 6))
