"""Pages to read and to choose: the rules of each game, help, privacy, the language, light or dark."""

import asyncio
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import ceil, cos, floor, pi, radians, sin

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pubdice.room.setup import MOST_CHAIRS
from pubdice.server.pages.visit import PageVisit, Site
from pubdice.server.web.browser import THEMES, set_language, set_theme
from pubdice.server.web.render import Frame, render, template
from pubdice.server.web.routing import GAME, Form, Route
from pubdice.text.language import CODES
from pubdice.text.markdown import read_blocks

# The picture that a link to the house shows in a chat: six dice on a slate in a wooden frame, drawn as a PNG.
#
# Chats take no SVG. Shapes are convex polygons, filled line by line with four samples a line, so edges are smooth;
# that takes a quarter of a second, once, and no imaging library.


WIDTH, HEIGHT = 1200, 630
SAMPLES = 4
FACES = (1, 4, 6, 6, 5, 6)
TILTS = (-5, 4, 7, -3, -5, 4)
PIPS = {
    1: ((0, 0),),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
Point = tuple[float, float]
Colour = tuple[int, int, int]
WOOD, WOOD_LIT = (0x43, 0x29, 0x0F), (0x7A, 0x51, 0x30)
SLATE, SLATE_LIT = (0x1F, 0x2B, 0x28), (0x38, 0x4A, 0x46)
BONE, BONE_LIT, BONE_EDGE = (0xE9, 0xDD, 0xC2), (0xFD, 0xF8, 0xEC), (0xB3, 0xA5, 0x84)
SHADOW, PIP, NEEDED = (0x17, 0x20, 0x1E), (0x22, 0x1C, 0x15), (0xA5, 0x23, 0x1A)


class Canvas:
    """Lines of pixels, three bytes each."""

    def __init__(self) -> None:
        self.lines = [bytearray(3 * WIDTH) for _ in range(HEIGHT)]

    def fill(self, shape: Sequence[Point], top: Colour, foot: Colour) -> None:
        """Fill a convex polygon, from one colour at its top to another at its foot."""
        ys = [y for _, y in shape]
        first, last = max(0, floor(min(ys))), min(HEIGHT, ceil(max(ys)))
        spans = _spans(shape, first, last)
        for y in range(first, last):
            share = (y - first) / max(1, last - first - 1)
            colour = bytes(round(a + (b - a) * share) for a, b in zip(top, foot, strict=True))
            samples = [span for span in spans[(y - first) * SAMPLES : (y - first + 1) * SAMPLES] if span[0] < span[1]]
            if samples:
                self._line(y, samples, colour)

    def _line(self, y: int, samples: list[tuple[float, float]], colour: bytes) -> None:
        line = self.lines[y]
        left, right = max(0, floor(min(a for a, _ in samples))), min(WIDTH, ceil(max(b for _, b in samples)))
        whole_left = min(right, ceil(max(a for a, _ in samples)))
        whole_right = max(whole_left, floor(min(b for _, b in samples)))
        if len(samples) < SAMPLES:
            whole_left = whole_right = right
        line[3 * whole_left : 3 * whole_right] = colour * (whole_right - whole_left)
        for x in (*range(left, whole_left), *range(whole_right, right)):
            covered = sum(max(0.0, min(b, x + 1) - max(a, x)) for a, b in samples) / SAMPLES
            for part in range(3):
                was = line[3 * x + part]
                line[3 * x + part] = round(was + (colour[part] - was) * covered)

    def png(self) -> bytes:
        """The picture as a PNG."""
        raw = b"".join(b"\0" + line for line in self.lines)
        head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
        chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(raw, 6)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
            for kind, body in chunks
        )


def _spans(shape: Sequence[Point], first: int, last: int) -> list[tuple[float, float]]:
    """The intervals that a convex polygon covers on each sample line."""
    left, right = [float(WIDTH)] * ((last - first) * SAMPLES), [0.0] * ((last - first) * SAMPLES)
    for (x0, y0), (x1, y1) in pairwise([*shape, shape[0]]):
        if y0 == y1:
            continue
        low, high = sorted((y0, y1))
        for at in range(ceil((low - first) * SAMPLES - 0.5), ceil((high - first) * SAMPLES - 0.5)):
            if 0 <= at < len(left):
                x = x0 + (x1 - x0) * (first + (at + 0.5) / SAMPLES - y0) / (y1 - y0)
                left[at], right[at] = min(left[at], x), max(right[at], x)
    return list(zip(left, right, strict=True))


def rounded(middle: Point, size: Point, radius: float, tilt: float = 0) -> list[Point]:
    """A rectangle with round corners, turned about its middle by some degrees."""
    (mx, my), (width, height), turn = middle, size, radians(tilt)
    points = []
    for corner, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for step in range(9):
            angle = (corner + step / 8) * pi / 2
            x = sx * (width / 2 - radius) + radius * cos(angle)
            y = sy * (height / 2 - radius) + radius * sin(angle)
            points.append((mx + x * cos(turn) - y * sin(turn), my + x * sin(turn) + y * cos(turn)))
    return points


@cache
def preview() -> bytes:
    """The picture, drawn once."""
    canvas, middle = Canvas(), (WIDTH / 2, HEIGHT / 2)
    canvas.fill([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], WOOD_LIT, WOOD)
    canvas.fill(rounded(middle, (WIDTH - 64, HEIGHT - 64), 18), SLATE_LIT, SLATE)
    for place, (face, tilt) in enumerate(zip(FACES, TILTS, strict=True)):
        _die(canvas, (WIDTH / 2 + 250 * (place % 3 - 1), HEIGHT / 2 + 230 * (place // 3 - 0.5)), face, tilt)
    return canvas.png()


def _die(canvas: Canvas, middle: Point, face: int, tilt: float, size: float = 168) -> None:
    (x, y), turn = middle, radians(tilt)
    for down, top, foot in ((20, SHADOW, SHADOW), (11, BONE_EDGE, BONE_EDGE), (0, BONE_LIT, BONE)):
        canvas.fill(rounded((x, y + down), (size, size), 0.19 * size, tilt), top, foot)
    ink, radius = NEEDED if face in (1, 4) else PIP, 0.15 if face == 1 else 0.11
    for across, along in PIPS[face]:
        px, py = 0.26 * size * across, (0.29 if face == 6 else 0.26) * size * along
        at = (x + px * cos(turn) - py * sin(turn), y + px * sin(turn) + py * cos(turn))
        canvas.fill(rounded(at, (2 * size * radius,) * 2, size * radius), ink, ink)


help_html = template("help.html")
privacy_html = template("privacy.html")


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A game's rules. game: its title; text: in Markdown. best_play: the game's name, if it has a page of best play.
    most: how many may play at a table of the house; 0 if that is not said.
    """

    game: str
    text: str
    best_play: str = ""
    most: int = 0


async def rules(visit: PageVisit) -> Response:
    """``GET /rules/{game}``: a game's page of rules."""
    kit = visit.game()
    solved = kit.name if kit.solver is not None else ""
    most = min(MOST_CHAIRS, kit.usual_game.most_seats)
    return visit.html(rules_html, RulesPage(kit.words.title, kit.page(visit.language), solved, most))


def rules_html(frame: Frame, page: RulesPage) -> str:
    """A game's rules, from their Markdown."""
    blocks = read_blocks(page.text)
    return render("rules.html", frame, game=page.game, blocks=blocks, best_play=page.best_play, most=page.most)


async def how_to(visit: PageVisit) -> Response:
    """``GET /help``: the help: by touch, by keys, by ear."""
    return visit.html(help_html, None)


async def privacy(visit: PageVisit) -> Response:
    """``GET /privacy``: the data that the house stores about people."""
    return visit.html(privacy_html, None)


async def speak(visit: PageVisit) -> Response:
    """``POST /language``: set the language, or light or dark, and go back to the page that the form was on."""
    form = visit.form()
    back = form.get("back", "/")
    if not back.startswith("/") or back[1:2] in ("/", "\\") or not back.isprintable():
        back = "/"
    response = visit.redirect(back)
    if form.get("theme") in THEMES:
        set_theme(response, form["theme"], secure=visit.secure)
    if form.get("language") in CODES:
        set_language(response, form["language"], secure=visit.secure)
    return response


async def moved(site: Site, request: Request) -> Response:
    """``GET /words``: redirect from an earlier address of the page on privacy."""
    return RedirectResponse("/privacy", 308)


async def picture(site: Site, request: Request) -> Response:
    """``GET /preview.png``: the picture that chats show of a link."""
    drawn = await asyncio.to_thread(preview)
    return Response(drawn, headers={"cache-control": "public, max-age=86400"}, media_type="image/png")


ROUTES = (
    Route("GET", "/rules/{game}", rules, "The rules of a game.", (GAME,), refuses=("no-page",)),
    Route("GET", "/help", how_to, "How to play here."),
    Route("GET", "/privacy", privacy, "What the house keeps of people, and for how long."),
    Route("GET", "/words", moved, "Moved to /privacy.", gives={308: ()}, plain=True),
    Route(
        "GET",
        "/preview.png",
        picture,
        "The picture that chats show of a link.",
        gives={200: ("image/png",)},
        plain=True,
    ),
    Route(
        "POST",
        "/language",
        speak,
        "Choose a language.",
        takes=(Form("LanguageForm", ("language",), ("back",)),),
    ),
)
