"""The picture of a link: a real PNG of the size it is said to have, with what it should show, and small enough."""

import re
import struct
import zlib
from math import hypot

import pytest

from pubdice.server.pages.about import BONE_LIT, FACES, HEIGHT, NEEDED, WIDTH, preview, rounded
from support.house import Pub, at_the_pub

MOST_BYTES = 300 * 1024
"""What chats fetch."""


def pixels(png: bytes) -> list[bytes]:
    """The lines of a PNG as this house writes them, three bytes a pixel."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, parts = 8, {}
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        parts[kind] = body
        at += 12 + length
    width, height, depth, colours = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    assert (width, height, depth, colours) == (WIDTH, HEIGHT, 8, 2)
    raw, line = zlib.decompress(parts[b"IDAT"]), 1 + 3 * width
    return [raw[y * line + 1 : (y + 1) * line] for y in range(height)]


def test_it_shows_six_dice_with_the_needed_ones_in_red() -> None:
    lines = pixels(preview())
    assert len(preview()) < MOST_BYTES

    def at(x: float, y: float) -> tuple[int, ...]:
        return tuple(lines[round(y)][3 * round(x) : 3 * round(x) + 3])

    first = (WIDTH / 2 - 250, HEIGHT / 2 - 115)
    assert FACES[0] == 1
    assert at(*first) == NEEDED
    for place in range(6):
        x, y = WIDTH / 2 + 250 * (place % 3 - 1), HEIGHT / 2 + 230 * (place // 3 - 0.5)
        assert sum(at(x, y - 70)) > sum(BONE_LIT) * 0.9, "bone near the upper edge"
    assert sum(at(WIDTH / 2, 20)) < sum(BONE_LIT) / 2, "wood round it"


@pytest.mark.parametrize(("tilt", "wide", "high"), [(0, 80, 60), (90, 60, 80), (180, 80, 60)])
def test_a_rounded_rectangle_touches_its_four_sides_and_is_alike_on_all(tilt: float, wide: int, high: int) -> None:
    points = [(x - 10, y - 20) for x, y in rounded((10, 20), (80, 60), 8, tilt)]
    for at, size in enumerate((wide, high)):
        along = [point[at] for point in points]
        assert (min(along), max(along)) == pytest.approx((-size / 2, size / 2))
    there = {(round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in points}
    assert there == {(-x, y) for x, y in there} == {(x, -y) for x, y in there}
    assert all(hypot(wide / 2 - 8 - abs(x), high / 2 - 8 - abs(y)) == pytest.approx(8) for x, y in points)


@at_the_pub()
async def test_it_lies_where_the_pages_say(pub: Pub) -> None:
    ann = pub.client("Ann")
    text = (await ann.get("/", "text/html")).text
    address = re.search(r'og:image" content="(http[^"]*)"', text)
    assert address
    answer = await ann.get("/" + address[1].split("/", 3)[3])
    assert (answer.status, answer.headers["content-type"]) == (200, "image/png")
    assert "max-age" in answer.headers["cache-control"]
    assert answer.body == preview()
