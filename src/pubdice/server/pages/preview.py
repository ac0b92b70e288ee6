"""A finished match in the preview of a link: its picture as a PNG, and the text beside it.

Chats take no SVG, so an optional library (decision 24) draws the picture as pixels, in a process of its own. Drawing
holds Python's lock for 0.1 s, and a process that hangs can be killed. A request waits for ``WITHIN_S``. After that it
gets the general picture, and this one is ready for the next request.
"""

import asyncio
import subprocess
import sys
from collections import OrderedDict
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from subprocess import DEVNULL, PIPE

from starlette.responses import Response

from pubdice.advice.turning import TurningPoint
from pubdice.server.finished_match import FinishedMatch, finished_match, with_turning_point
from pubdice.server.pages.about import general_picture
from pubdice.server.pages.turned import known_turning_point
from pubdice.server.pages.visit import CODE, FINDING, PageVisit
from pubdice.server.result_picture import wide_picture
from pubdice.server.table.actor import TableActor
from pubdice.server.table.house import House
from pubdice.server.web.render import Preview
from pubdice.server.web.routing import Field, Route
from pubdice.text.catalogues import CODES, language
from pubdice.text.language import stopped

NEEDS = ("resvg_py", "font_source_serif_pro")
"""The library that draws, and the font. Drawing needs both."""
RASTERISE = Path(__file__).parents[1] / "rasterise.py"
WITHIN_S = 0.3
"""The time that a chat waits for the picture of this match."""
ENDED_AFTER_S = 5.0
"""The time after which a drawing process is killed. It hangs, or the machine is too slow for pictures."""
FAILED_S = 300.0
"""The time before a failed or hung drawing is tried again. A hung one keeps others waiting."""
MOST_KEPT, MOST_DRAWN = 64, 4
"""The most pictures in the cache (LRU), of 60 KB each, and the most pictures being drawn or waiting for it."""
FRESH_S, LASTING_S = 60, 3600
"""The seconds for which a chat may cache the general picture (shown in place of a match's), and a match's own picture.
"""
DRAWN = (
    (0x20, 0x7E), (0xA0, 0x12B), (0x12E, 0x131), (0x134, 0x149), (0x14C, 0x165), (0x168, 0x17F), (0x218, 0x21B),
    (0x386, 0x38A), (0x38C, 0x38C), (0x38E, 0x3A1), (0x3A3, 0x3CE), (0x400, 0x45F), (0x490, 0x493), (0x1E9E, 0x1E9E),
    (0x1EA0, 0x1EF9), (0x2010, 0x2010), (0x2012, 0x2015), (0x2018, 0x201A), (0x201C, 0x201E), (0x2022, 0x2022),
    (0x2026, 0x2026), (0x2192, 0x2192), (0x2212, 0x2212),
)  # fmt: skip
"""The font's characters, as ranges. Other characters would be empty boxes, so a match with one of them has the general
picture.
"""

_Key = tuple[str, int, str, bool]
"""A match's table, the number of its last event, the language, and True if the turning point is known."""


class MatchPreviews:
    """The pictures of the latest finished matches as PNGs. ``drawing`` has the tasks that draw, by match.

    ``failed`` has the loop's time in s of each failure. ``told`` has the content of pictures, by match and by the
    house's address: people reach a house at several addresses (``Host``). The drawing shows no address, so each match
    has one picture.
    """

    def __init__(self, _: House | None = None) -> None:
        self.told: OrderedDict[tuple[_Key, str], FinishedMatch] = OrderedDict()
        self._kept: OrderedDict[_Key, bytes] = OrderedDict()
        self.drawing: dict[_Key, asyncio.Task[None]] = {}
        self.failed: OrderedDict[_Key, float] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()
        self.command = drawing_command()

    def was_tried(self, key: _Key) -> bool:
        """Return True if a picture is drawn, or failed too recently to be tried again."""
        failed = self.failed.get(key)
        return key in self._kept or (failed is not None and asyncio.get_running_loop().time() < failed + FAILED_S)

    def begin(self, key: _Key, found: FinishedMatch) -> "asyncio.Task[None] | None":
        """Begin to draw a match, and return the task. None if the match is drawn, or can't be drawn now."""
        if self.was_tried(key) or not can_draw(found):
            return None
        if key not in self.drawing and len(self.drawing) < MOST_DRAWN:
            task = asyncio.get_running_loop().create_task(self._draw(key, wide_picture(found)))
            self.drawing[key] = task
            task.add_done_callback(lambda _: self.drawing.pop(key, None))
        return self.drawing.get(key)

    async def png(self, key: _Key, found: FinishedMatch) -> bytes | None:
        """Return the picture of a match, None if it is not ready within ``WITHIN_S``."""
        task = self.begin(key, found)
        if task is not None:
            await asyncio.wait([task], timeout=WITHIN_S)
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    async def _draw(self, key: _Key, svg: str) -> None:
        async with self._one_at_a_time:
            png = await asyncio.to_thread(self._pixels, svg)
        self.failed.pop(key, None)
        if not png.startswith(b"\x89PNG"):
            self.failed[key] = asyncio.get_running_loop().time()
            if len(self.failed) > MOST_KEPT:
                self.failed.popitem(last=False)
            return
        self._kept[key] = png
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    def _pixels(self, svg: str) -> bytes:
        """Run the process that draws, and return its output. Empty if it fails, or is too slow."""
        try:
            done = subprocess.run(  # noqa: S603 - our own program
                self.command, input=svg.encode(), stdout=PIPE, stderr=DEVNULL, timeout=ENDED_AFTER_S, check=False
            )
        except (OSError, subprocess.SubprocessError):  # the system allows no process, or it hangs
            return b""
        return done.stdout


@cache
def is_there() -> bool:
    """Return True if the library that draws and its font are installed."""
    return all(map(find_spec, NEEDS))


@cache
def drawing_command() -> tuple[str, ...]:
    """Return the program that draws, with the folders of its packages, wherever they are installed."""
    origins = [spec.origin for name in NEEDS if (spec := find_spec(name)) and spec.origin]
    folders = dict.fromkeys(str(Path(origin).parents[1]) for origin in origins)
    return (sys.executable, "-I", str(RASTERISE), *folders)


def can_draw(found: FinishedMatch) -> bool:
    """Return True if the library is installed and the font has all characters of a match."""
    names = [line.name for line in found.chart.lines] if found.chart else []
    rows = [text for row in found.rows for text in row]
    texts = found.title, found.lead, found.score, found.hand_told, *found.turned, found.change, found.question
    return is_there() and all(
        any(first <= ord(char) <= last for first, last in DRAWN) for text in (*texts, *names, *rows) for char in text
    )


def finished_table(visit: PageVisit, actor: TableActor, code: str = "") -> FinishedMatch:
    """Return the finished match of a table, as data for its picture, in the language ``code`` or else the reader's.

    It has the turning point only if that is already known.
    """
    return _found(visit, actor, code or visit.language)[1]


def _found(visit: PageVisit, actor: TableActor, code: str) -> tuple[_Key, FinishedMatch]:
    turn = known_turning_point(visit, actor, code)
    address = "" if visit.is_pocket else f"{visit.place(actor.code)}/receipt"
    key = *actor.match_place, code, isinstance(turn, TurningPoint)
    place, told = (key, address), visit.site.part(MatchPreviews).told
    if place not in told:
        live, tongue = actor.state.match, language(code)
        assert live is not None, "its match is over"
        found = finished_match(tongue, actor.room.kit, live.table, live.state, actor.state.at)
        if address:
            shown = f"{visit.public_origin}/t/{actor.code}".partition("://")[2]
            found = replace(found, address=address, shown=shown)
        told[place] = with_turning_point(found, turn, tongue) if isinstance(turn, TurningPoint) else found
        if len(told) > MOST_KEPT:
            told.popitem(last=False)
    told.move_to_end(place)
    return key, told[place]


def preview_of(visit: PageVisit, actor: TableActor) -> Preview | None:
    """Return the preview of a link to a finished match. None in a pocket, as no other device can open its links.

    A browser without a cookie may be a chat, which asks for the picture next. So drawing begins at once.
    """
    if visit.is_pocket:
        return None
    key, found = _found(visit, actor, visit.language)
    if visit.new or visit.person is None:
        visit.site.part(MatchPreviews).begin(key, found)
    title = found.title.partition(" · ")[0]
    lead, more = found.told.removeprefix(f"{title}: "), found.described.removeprefix(found.told).strip()
    image = f"{visit.place(actor.code)}/preview.png?language={visit.language}"
    return Preview(lead, f"{stopped(found.title)} {more}".strip(), visit.public_origin, image, found.described)


async def picture(visit: PageVisit) -> Response:
    """``GET /t/{code}/preview.png``: the match's picture if the match is over and drawn in time, else the general
    picture.
    """
    actor, code = await visit.table(), visit.query("language")
    code = code if code in CODES else visit.language
    png = None
    if actor.state.stage == "over":
        previews = visit.site.part(MatchPreviews)
        key, found = _found(visit, actor, code)
        if not previews.was_tried(key):
            visit.count("asking")
        png = await previews.png(key, found)
    lasts = LASTING_S if png else FRESH_S
    return Response(
        png or general_picture(), headers={"cache-control": f"private, max-age={lasts}"}, media_type="image/png"
    )


ROUTES = (
    Route(
        "GET",
        "/t/{code}/preview.png",
        picture,
        "The picture that chats show of a link to a table: of its match, once it is over.",
        (CODE, Field("language", "The language of the picture; the reader's if left out.", schema={"maxLength": 8})),
        refuses=(*FINDING, "often"),
        gives={200: ("image/png",)},
        only="house",
    ),
)
