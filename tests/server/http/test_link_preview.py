"""The picture of a link: a real PNG of the size it is said to have, with what it should show, and small enough.

Of a finished match it is this match, in time or not at all.
"""

import asyncio
import os
import re
import struct
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from time import perf_counter

import font_source_serif_pro
import pytest
from fontTools.ttLib import TTFont
from PIL import Image, ImageChops, ImageStat

from pubdice.server import rasterise
from pubdice.server.finished_match import FinishedMatch
from pubdice.server.pages import preview as preview_page
from pubdice.server.pages.about import general_picture
from pubdice.server.pages.preview import MOST_DRAWN, MOST_KEPT, MatchPreviews
from pubdice.server.result_picture import WIDE_SIZE
from pubdice.server.web.limits import Limits, Rate
from pubdice.server.web.render import SERVER
from server.http.test_ask import asked_of
from support.house import ANY, Pub, at_the_pub, play_out, seated
from support.html_tree import read

WIDTH, HEIGHT = WIDE_SIZE
ORIGIN = "http://localhost:4224"
MOST_BYTES = 300 * 1024
"""The most bytes that chats fetch."""


def rasterised(svg: str) -> bytes:
    """A picture drawn as the house draws it."""
    return subprocess.run(
        MatchPreviews().command, input=svg.encode(), stdout=subprocess.PIPE, check=True, timeout=30
    ).stdout


def read_png(png: bytes) -> Image.Image:
    """Its pixels in colours."""
    return Image.open(BytesIO(png)).convert("RGB")


def test_the_general_picture_is_its_svg_with_two_red_dice() -> None:
    given, drawn = (
        read_png(general_picture()),
        read_png(rasterised((SERVER / "pages" / "preview.svg").read_text("utf-8"))),
    )
    assert given.size == drawn.size == (WIDTH, HEIGHT)
    assert max(ImageStat.Stat(ImageChops.difference(given, drawn)).mean) < 1
    assert len(general_picture()) < MOST_BYTES
    assert given.getpixel((350, 200)) == (0xA5, 0x23, 0x1A), "a 1"
    for place in range(6):
        bone = given.getpixel((350 + 250 * (place % 3), 130 + 230 * (place // 3)))
        assert isinstance(bone, tuple)
        assert sum(bone) > 690


async def test_it_lies_where_the_pages_say(pub: Pub) -> None:
    ann = pub.client("Ann")
    text = (await ann.get("/", "text/html")).text
    address = re.search(r'og:image" content="(http[^"]*)"', text)
    assert address
    answer = await ann.get("/" + address[1].split("/", 3)[3])
    assert (answer.status, answer.headers["content-type"]) == (200, "image/png")
    assert "max-age" in answer.headers["cache-control"]
    assert answer.body == general_picture()


def size_of(png: bytes) -> tuple[int, int]:
    """The size that a PNG says it has."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def metas(text: str) -> dict[str, str]:
    """A page's properties for a chat."""
    found = read(text).all("meta")
    return {str(meta.attrs["property"]): str(meta.attrs["content"]) for meta in found if "property" in meta.attrs}


async def finished(pub: Pub, *names: str, game: str = "midnight", form: str = "rounds 1") -> str:
    """A match of these people that is over: its link."""
    first, *others = [pub.client(name) for name in names]
    code = await first.order(game=game, rules={"format": form}, people=len(names))
    for client in others:
        await client.done(code, "sit", name=client.name)
    await play_out(pub, code, [first, *others])
    return pub.house.link(code)


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch) -> MatchPreviews:
    """The house's pictures of matches. A drawing has as much time as a busy machine takes."""
    made = MatchPreviews()
    monkeypatch.setattr(preview_page, "ENDED_AFTER_S", 60.0)
    monkeypatch.setattr(preview_page, "MatchPreviews", lambda _: made)
    return made


@pytest.mark.parametrize("path", ["", "/receipt", "/evening"])
async def test_the_link_to_a_finished_match_shows_this_match(pub: Pub, pictures: MatchPreviews, path: str) -> None:
    link, chat = await finished(pub, "Ann", "Bob"), pub.client("Chat", "de")
    page = await asked_of(chat, link + path, "text/html")
    shown = metas(page.text)
    assert shown["og:image"] == f"{ORIGIN}{link}/preview.png?language=de"
    assert "Ann" in shown["og:image:alt"]
    assert "Bob" in shown["og:image:alt"]
    if path != "/evening":
        assert "Ann" in shown["og:title"]
        assert shown["og:description"].startswith("Midnight")
    answer = await chat.get(shown["og:image"].removeprefix(ORIGIN))
    assert (answer.status, answer.headers["content-type"]) == (200, "image/png")
    await pub.settle()
    await asyncio.gather(*pictures.drawing.values())
    answer = await chat.get(shown["og:image"].removeprefix(ORIGIN))
    assert size_of(answer.body) == (int(shown["og:image:width"]), int(shown["og:image:height"])) == (WIDTH, HEIGHT)
    assert len(answer.body) < MOST_BYTES
    assert answer.body != general_picture(), "it is this match"


async def test_a_match_under_way_shows_the_house_and_no_name(pub: Pub) -> None:
    ann, _, code = await seated(pub, game="midnight", rules={"format": "rounds 2"})
    await ann.done(code, "roll")
    link = pub.house.link(code)
    shown = metas((await ann.get(link, "text/html")).text)
    assert shown["og:image"] == f"{ORIGIN}/preview.png"
    assert "Ann" not in " ".join(shown.values())
    answer = await ann.get(f"{link}/preview.png")
    assert answer.body == general_picture()


HANGS = (sys.executable, "-c", "import sys, time; time.sleep(60); sys.stdout.buffer.write(b'\\x89PNG too late')")
FAILS = (sys.executable, "-c", "raise SystemExit(1)")
SAYS = (sys.executable, "-c", "import sys; sys.stdout.buffer.write(b'\\x89PNG it is')")
WAITS = """
import sys, time
from pathlib import Path
while not Path(sys.argv[1]).exists():
    time.sleep(0.01)
"""
"""A drawing that goes on until a file is there."""


async def test_a_drawing_that_takes_long_is_not_waited_for(pub: Pub, pictures: MatchPreviews, tmp_path: Path) -> None:
    link, chat, may_end = await finished(pub, "Ann", "Bob"), pub.client("Chat"), tmp_path / "may-end"
    pictures.command = (sys.executable, "-c", WAITS, str(may_end))
    begun = perf_counter()
    answer = await chat.get(f"{link}/preview.png")
    took, drawing = perf_counter() - begun, list(pictures.drawing.values())
    may_end.touch()
    await asyncio.gather(*drawing)
    assert answer.body == general_picture(), "the general one"
    assert took >= preview_page.WITHIN_S
    assert preview_page.WITHIN_S <= 0.3
    assert drawing, "somebody may ask again"


async def test_a_drawing_that_hangs_is_ended(
    pub: Pub, pictures: MatchPreviews, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview_page, "ENDED_AFTER_S", 0.2)
    monkeypatch.setattr(preview_page, "FAILED_S", 0)
    link, chat = await finished(pub, "Ann", "Bob"), pub.client("Chat")
    pictures.command = HANGS
    answer = await chat.get(f"{link}/preview.png")
    await asyncio.gather(*pictures.drawing.values())
    assert answer.body == general_picture()
    assert len(pictures.failed) == 1, "it was ended before it drew anything"
    monkeypatch.setattr(preview_page, "ENDED_AFTER_S", 60.0)
    pictures.command = SAYS
    await chat.get(f"{link}/preview.png")
    await asyncio.gather(*pictures.drawing.values())
    answer = await chat.get(f"{link}/preview.png")
    assert answer.body == b"\x89PNG it is", "one that failed is tried again, when its time is over"


@at_the_pub(limits=Limits(ANY, ANY, ANY, ANY, ANY, ANY, ANY, questions=Rate(1 / 60, 1)))
async def test_a_drawing_that_failed_is_not_begun_by_each_visitor(
    pub: Pub, pictures: MatchPreviews, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, drawn = await finished(pub, "Ann", "Bob"), list[str]()

    def fails(svg: str) -> bytes:
        drawn.append(svg)
        return b""

    monkeypatch.setattr(pictures, "_pixels", fails)
    for name in ("Chat", "Cid", "Dora"):
        await pub.client().get(link, "text/html")
        answer = await pub.client(name).get(f"{link}/preview.png")
        assert (answer.status, answer.body) == (200, general_picture()), "it counts as no question"
        await asyncio.gather(*pictures.drawing.values())
    assert len(drawn) == 1


@pytest.mark.parametrize("command", [FAILS, ("/no/such/program",)])
async def test_a_drawing_that_fails_is_the_general_picture(
    pub: Pub, pictures: MatchPreviews, command: tuple[str, ...]
) -> None:
    link = await finished(pub, "Ann", "Bob")
    pictures.command = command
    answer = await pub.client("Chat").get(f"{link}/preview.png")
    assert (answer.status, answer.body) == (200, general_picture())
    assert "max-age=60" in answer.headers["cache-control"], "the next may have more luck"


async def test_names_that_the_font_lacks_are_no_empty_boxes(pub: Pub, pictures: MatchPreviews) -> None:
    link = await finished(pub, "Ann", "王小明")
    pictures.command = SAYS
    chat = pub.client("Chat")
    assert "王小明" in metas((await chat.get(link, "text/html")).text)["og:image:alt"]
    assert (await chat.get(f"{link}/preview.png")).body == general_picture()
    assert not pictures.drawing


DRAWS = """
import subprocess, sys
from pubdice.server.pages import preview
assert preview.is_there()
preview.ENDED_AFTER_S = 60.0
sys.stdout.buffer.write(preview.MatchPreviews()._pixels(sys.stdin.read()))
"""


def test_packages_of_a_user_alone_draw_as_well(tmp_path: Path) -> None:
    """As after ``pip install --user``: a Python that is isolated does not look there."""
    system = Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    env = {**os.environ, "PYTHONUSERBASE": str(tmp_path), "PYTHONPATH": ""}
    asked = [str(system), "-m", "site", "--user-site"]
    packages = Path(subprocess.run(asked, env=env, stdout=subprocess.PIPE, text=True, check=False).stdout.strip())
    packages.mkdir(parents=True)
    (packages / "all.pth").write_text("\n".join(path for path in sys.path if "site-packages" in path))
    (packages / "house.pth").write_text(str(Path(rasterise.__file__).parents[2]))
    svg = (SERVER / "pages" / "preview.svg").read_text("utf-8")
    done = subprocess.run([str(system), "-c", DRAWS], env=env, input=svg.encode(), stdout=subprocess.PIPE, check=True)
    assert read_png(done.stdout).size == (WIDTH, HEIGHT)


def test_every_sign_that_is_said_to_be_drawn_is_in_the_font() -> None:
    fonts = Path(font_source_serif_pro.__file__).parent / "files"
    for style in rasterise.STYLES:
        there = TTFont(fonts / f"SourceSerifPro-{style}.ttf").getBestCmap()
        said = [sign for first, last in preview_page.DRAWN for sign in range(first, last + 1)]
        assert [hex(sign) for sign in said if sign not in there] == []


async def test_without_the_library_there_is_the_general_picture(
    pub: Pub, pictures: MatchPreviews, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview_page, "is_there", lambda: False)
    link = await finished(pub, "Ann", "Bob")
    assert (await pub.client("Chat").get(f"{link}/preview.png")).body == general_picture()
    assert not pictures.drawing


async def test_a_visitor_without_a_cookie_has_the_picture_drawn(pub: Pub, pictures: MatchPreviews) -> None:
    link = await finished(pub, "Ann", "Bob")
    pictures.command = SAYS
    await pub.client("Ann").get(link, "text/html")
    assert not pictures.drawing, "a player is no chat"
    await pub.client().get(link, "text/html")
    assert len(pictures.drawing) == 1
    await asyncio.gather(*pictures.drawing.values())
    pictures.command = FAILS
    assert (await pub.client("Chat").get(f"{link}/preview.png")).body.startswith(b"\x89PNG it"), "and is kept"


@at_the_pub(limits=Limits(ANY, ANY, ANY, ANY, ANY, ANY, ANY, questions=Rate(1 / 60, 1)))
async def test_a_drawing_counts_as_a_question_once(pub: Pub, pictures: MatchPreviews) -> None:
    one, two = await finished(pub, "Ann", "Bob"), await finished(pub, "Ann", "Bob")
    pictures.command = SAYS
    chat = pub.client("Chat")
    for _ in range(3):
        assert (await chat.get(f"{one}/preview.png")).status == 200
        await asyncio.gather(*pictures.drawing.values())
    assert (await chat.get(f"{two}/preview.png")).status == 429


async def test_no_more_are_kept_or_drawn_than_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    house = MatchPreviews()
    monkeypatch.setattr(preview_page, "WITHIN_S", 60.0)
    monkeypatch.setattr(house, "_pixels", lambda svg: b"\x89PNG" + svg[:9].encode())
    found = FinishedMatch("Midnight", "Ann wins")
    for at in range(MOST_DRAWN + 3):
        house.begin(("CODE", at, "en", False), found)
    assert len(house.drawing) == MOST_DRAWN
    await asyncio.gather(*house.drawing.values())
    for at in range(MOST_KEPT + 3):
        assert await house.png(("CODE", at, "en", False), found)
    known = [house.was_tried(("CODE", at, "en", False)) for at in range(MOST_KEPT + 3)]
    assert known == [False] * 3 + [True] * MOST_KEPT
    monkeypatch.setattr(house, "_pixels", lambda _: b"")
    for at in range(MOST_KEPT + 3):
        assert await house.png(("FAILS", at, "en", False), found) is None
    assert len(house.failed) == MOST_KEPT
