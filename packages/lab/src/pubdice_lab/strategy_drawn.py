"""The picture at the head of each game's page: dice on a green table, drawn by the library, with a line below."""

import re

from pubdice.library.picture import GAP, Picture, picture

LINE, EDGE, LETTER = 34, 12, 17
"""Sizes in pixels: the height of a line of words, the edge of the table, the letters."""
TILE, TILES = 40, range(1, 10)

SHOWN: dict[str, tuple[Picture, str]] = {
    "midnight": (picture("6653", locked="14"), "1 and 4 qualify · 6 + 6 + 5 + 3 = 20"),
    "420": (picture("1", locked="655"), "keep 6 5 5 · a 4 makes 20 and wins"),
    "mexico": (picture("21"), "2 and 1: Mexico"),
    "ship": (picture("63", locked="654"), "6 5 4 aboard · cargo 9"),
    "threes": (picture("12", locked="333"), "3s count nothing · 1 + 2 = 3"),
    "shutbox": (picture("63"), "6 + 3 = 9 · shut 7 and 2, and the box is shut"),
}
"""For each game, the dice of its picture and the words below them."""
SHUT = {1, 3, 4, 5, 6, 8, 9}
"""The tiles that are shut in the picture of Shut the Box."""


def drawn(name: str) -> str:
    """Return a game's picture as SVG. It has its own colours, so it looks the same on a light and on a dark page."""
    dice, words = SHOWN[name]
    inner = re.sub(r"^<svg[^>]*>|<title>.*?</title>|</svg>$", "", dice.svg())
    boxes = _tiles() if name == "shutbox" else ""
    across = (len(dice.free) + len(dice.locked)) * 74 + GAP
    top = TILE + 2 * GAP if boxes else EDGE - GAP
    width = max(across, len(TILES) * (TILE + 6) if boxes else 0, len(words) * LETTER * 6 // 11) + 2 * EDGE
    height = top + 84 + LINE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{words}</title>",
        f'<rect width="{width}" height="{height}" rx="14" fill="#1d5a3c"/>',
        boxes and f'<g transform="translate({(width - 9 * (TILE + 6) + 6) // 2} {EDGE})">{boxes}</g>',
        f'<g transform="translate({(width - across) // 2} {top})">{inner}</g>',
        f'<text x="{width / 2:g}" y="{height - 16}" font-family="sans-serif" font-size="{LETTER}" text-anchor="middle" '
        f'fill="#fff">{words}</text>',
        "</svg>\n",
    ]
    return "".join(parts)


def _tiles() -> str:
    found = []
    for tile in TILES:
        left, shut = (tile - 1) * (TILE + 6), tile in SHUT
        fill, ink = ("#174a31", "#6f9a84") if shut else ("#f6e7c1", "#222")
        found.append(f'<rect x="{left}" width="{TILE}" height="{TILE}" rx="5" fill="{fill}" stroke="{ink}"/>')
        x, y = left + TILE // 2, TILE * 7 // 10
        found.append(
            f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="22" text-anchor="middle" fill="{ink}">'
            f"{tile}</text>"
        )
    return "".join(found)
