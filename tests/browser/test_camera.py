"""Real dice by the camera: a picture of them is read into the pad, and nothing leaves the phone but the faces."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.page_players import Ear, listen
from browser.scene import Scene, Visitor
from support.browser import PHONE, SMALL, context_of, launched, open_table, page_of
from support.house_process import House
from support.rendered_dice import Picture, picture

SEED, FEWER = 56, 5
"""A drawn picture of six dice, and the number of dice in another one."""
OVER_HTTP = "Object.defineProperty(navigator, 'mediaDevices', { value: undefined })"
"""A script that takes the camera away, as browsers do over plain http."""
ROW = "#pad .entered button[data-face]"
RATE = 10  # pictures of the camera a second
LIVE = """navigator.mediaDevices.getUserMedia = (before => async wish => {
  const stream = await before.call(navigator.mediaDevices, wish);
  (self.tracks ??= []).push(...stream.getTracks());
  return stream;
})(navigator.mediaDevices.getUserMedia)"""
"""A script that keeps the tracks of the camera, to see if they have ended."""


def drawn(dice: int = 6) -> Picture:
    return picture(SEED, size=(640, 480), tilt=8, dice=dice)


def file_of(shot: Picture, kind: str = "image/jpeg") -> Any:
    """Return a picture as a file that a phone's camera gives."""
    written = io.BytesIO()
    Image.fromarray(shot.pixels).save(written, kind.rpartition("/")[2], quality=90)
    return {"name": "dice.jpg", "mimeType": kind, "buffer": written.getvalue()}


def faces(shot: Picture) -> str:
    """Return the faces from left to right, as the pad's row has them."""
    return " ".join(str(die.face) for die in sorted(shot.dice, key=lambda die: die.x))


def at_real_dice(scene: Scene, **settings: Any) -> Page:
    """Open a table at which six dice are typed in, over plain http."""
    context = scene.visitor(viewport=PHONE, has_touch=True, **settings)
    context.add_init_script(OVER_HTTP)
    table = open_table(context, dice="real", game="midnight", people=1)
    page = scene.lay(page_of(context, table))
    expect(page.locator("#pad .camera")).to_be_visible()
    return page


def shoot(page: Page, file: Any) -> None:
    """Press the button, and give the picture that the phone's camera would give."""
    with page.expect_file_chooser() as chooser:
        page.locator("#pad .camera").tap()
    chooser.value.set_files(file)


def row(page: Page) -> str:
    return " ".join(page.locator(ROW).evaluate_all("dice => dice.map(die => die.dataset.face)"))


def test_six_dice_are_shot_looked_at_and_confirmed_with_two_taps_at_the_page(visitor: Visitor) -> None:
    """The phone's own camera takes two more taps: its shutter, and "use this picture"."""
    page = at_real_dice(Scene(visitor))
    sent: list[tuple[str, str | None]] = []
    page.on("request", lambda request: sent.append((request.method, request.post_data)))
    shot = drawn()
    shoot(page, file_of(shot))
    expect(page.locator(ROW)).to_have_count(6)
    assert row(page) == faces(shot)
    expect(page.locator("#pad .shot canvas")).to_be_in_viewport(ratio=1)
    expect(page.locator("#main")).to_be_in_viewport(ratio=1)
    page.locator("#main").tap()
    expect(page.locator("#pad")).to_be_hidden()
    expect(page.locator("#pad .shot")).to_have_count(0)
    assert sorted(die.face for die in shot.dice) == sorted(
        int(face) for face in page.locator("#dice .die").evaluate_all("dice => dice.map(die => die.dataset.face)")
    )
    posts = [body or "" for method, body in sent if method == "POST"]
    assert len(posts) == 1
    assert max(len(body) for body in posts) < 300, "the faces, and no picture"


def test_a_ring_or_a_face_that_is_tapped_changes_a_die(visitor: Visitor) -> None:
    page = at_real_dice(Scene(visitor))
    shot = drawn()
    shoot(page, file_of(shot))
    expect(page.locator(ROW)).to_have_count(6)
    left = min(shot.dice, key=lambda die: die.x)
    canvas = page.locator("#pad .shot canvas")
    box = canvas.bounding_box()
    assert box
    scale = box["width"] / 640
    other = left.face % 6 + 1
    canvas.tap(position={"x": left.x * scale, "y": left.y * scale})
    page.locator(f"#pad .faces [data-face='{other}']").tap()
    assert row(page) == f"{other}{faces(shot)[1:]}"
    for _ in range(6):
        page.locator("#pad .delete").tap()
    canvas.tap(position={"x": left.x * scale, "y": left.y * scale})
    page.locator("#pad .faces [data-face='2']").tap()
    assert row(page) == "2", "a die that was deleted is no longer there to change"


def test_a_picture_with_fewer_dice_says_how_many_and_the_pad_takes_the_rest(visitor: Visitor) -> None:
    page = at_real_dice(Scene(visitor))
    shot = drawn(FEWER)
    shoot(page, file_of(shot))
    expect(page.locator("#polite")).to_contain_text(f"Dice seen: {FEWER}.")  # the line goes after five seconds
    expect(page.locator(ROW)).to_have_count(FEWER)
    expect(page.locator("#main")).to_have_text("1 more to tap")
    page.locator("#pad .faces [data-face='1']").tap()
    expect(page.locator("#main")).to_contain_text("Confirm")


@pytest.mark.parametrize("file", [{"name": "dice.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"}, None])
def test_what_is_no_picture_or_shows_no_dice_costs_nothing(file: Any, visitor: Visitor) -> None:
    page = at_real_dice(Scene(visitor))
    page.locator("#pad .faces [data-face='2']").tap()
    shoot(page, file or file_of(Picture(np.full((480, 640, 3), 90, np.uint8), ())))
    told = "The picture can't be read. Tap what the dice show." if file else "Dice seen: 0."
    expect(page.locator("#polite")).to_contain_text(told)
    page.locator("#pad .faces [data-face='4']").tap()
    expect(page.locator(ROW).last).to_have_attribute("data-face", "4")
    expect(page.locator("#main")).to_have_text("4 more to tap")


@pytest.mark.parametrize("kind", ["image/png", "image/webp"])
def test_other_kinds_of_picture_are_read_too(kind: str, visitor: Visitor) -> None:
    page = at_real_dice(Scene(visitor))
    shoot(page, file_of(drawn(), kind))
    expect(page.locator(ROW)).to_have_count(6)
    assert row(page) == faces(drawn())


def test_on_the_smallest_phone_the_picture_the_row_and_the_button_are_seen_at_once(visitor: Visitor) -> None:
    page = at_real_dice(Scene(visitor))
    page.set_viewport_size(SMALL)
    shoot(page, file_of(drawn()))
    expect(page.locator(ROW)).to_have_count(6)
    page.evaluate("scrollTo(0, 0)")
    for part in ("#pad .shot canvas", "#pad .entered", "#main"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film for Chromium's false camera: five dice for two seconds, then six."""
    file = tmp_path_factory.mktemp("film") / "dice.y4m"
    with file.open("wb") as out:
        out.write(f"YUV4MPEG2 W640 H480 F{RATE}:1 Ip A1:1 C420jpeg\n".encode())
        for shot, seconds in ((drawn(FEWER), 2), (drawn(), 8)):
            parts = Image.fromarray(shot.pixels).convert("YCbCr").split()
            planes = [parts[0], *[part.resize((320, 240), Image.Resampling.BOX) for part in parts[1:]]]
            out.writelines([b"FRAME\n" + b"".join(plane.tobytes() for plane in planes)] * (RATE * seconds))
    return file


@pytest.fixture
def filmed(chromium: Browser, inn: House, film: Path) -> Iterator[BrowserContext]:
    """A browser whose camera shows the film. A page at 127.0.0.1 is a secure context."""
    camera = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
    browser = launched(chromium.browser_type, *camera, f"--use-file-for-fake-video-capture={film}")
    yield context_of(browser, inn)
    browser.close()


def look(context: BrowserContext) -> tuple[Page, Ear]:
    """Open the camera at a table, by keys."""
    context.add_init_script(LIVE)
    ear = listen(context)
    page = Scene(lambda: context).lay(page_of(context, open_table(context, dice="real", people=1)))
    page.locator("#pad .camera").press("Enter")
    return page, ear


def test_held_still_dice_are_read_at_once_and_space_takes_them(filmed: BrowserContext) -> None:
    page, ear = look(filmed)
    expect(page.locator(ROW)).to_have_count(6)
    assert row(page) == faces(drawn())
    assert page.evaluate("tracks.map(track => track.readyState)") == ["ended"]
    ear.until(page, "Space: Confirm")
    assert any("Dice seen: 6." in line for line in ear.texts)
    page.keyboard.press("Space")
    expect(page.locator("#pad")).to_be_hidden()


def test_the_camera_ends_with_escape_and_with_a_second_press(filmed: BrowserContext) -> None:
    page, _ = look(filmed)
    page.wait_for_function("() => self.tracks?.length === 1")
    page.keyboard.press("Escape")
    page.wait_for_function("() => tracks.every(track => track.readyState === 'ended')")
    expect(page.locator("#pad .shot")).to_have_count(0)
    expect(page.locator("#pad .camera")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_function("() => tracks.length === 2 && document.querySelector('#pad video')")
    page.locator("#pad .camera").click()
    page.wait_for_function("() => tracks.every(track => track.readyState === 'ended')")
    expect(page.locator("#pad .shot")).to_have_count(0)


def test_the_camera_ends_when_the_phone_is_put_away(filmed: BrowserContext) -> None:
    page, _ = look(filmed)
    page.wait_for_function("() => self.tracks?.length === 1 && document.querySelector('#pad video')")
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function("() => tracks.every(track => track.readyState === 'ended')")
    expect(page.locator("#pad .shot")).to_have_count(0)


def test_without_leave_for_the_camera_a_picture_is_asked_for(visitor: Visitor) -> None:
    context = visitor(viewport=PHONE, has_touch=True)
    context.add_init_script("navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('no'))")
    page = Scene(visitor).lay(page_of(context, open_table(context, dice="real", people=1)))
    shoot(page, file_of(drawn()))
    expect(page.locator(ROW)).to_have_count(6)
