"""Real dice by the camera: a picture of them is read into the pad, and nothing leaves the phone but the faces."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from browser.page_players import Ear, listen
from browser.scene import Scene, Visitor
from support.browser import PHONE, SMALL, ask, context_of, launched, open_table, page_of, sit, until
from support.house_process import House
from support.rendered_dice import Picture, picture
from support.steady import box_of, measured

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
    expect(page.locator("#shot canvas")).to_be_in_viewport(ratio=1)
    expect(page.locator("#main")).to_be_in_viewport(ratio=1)
    page.locator("#main").tap()
    expect(page.locator("#pad")).to_be_hidden()
    expect(page.locator("#shot")).to_be_hidden()
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
    canvas = page.locator("#shot canvas")
    box = box_of(canvas)
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


def test_the_pad_is_seen_once_its_buttons_work(visitor: Visitor) -> None:
    """On a slow line its script comes after the page."""
    context = visitor()
    table = open_table(context, dice="real", game="midnight", people=1)
    late: list[Route] = []
    context.route("**/pad.*js", lambda route: late.append(route))  # noqa: PLW0108 Playwright marks its handlers
    page = page_of(context)
    with page.expect_request("**/pad.*js"):
        page.goto(table)
    Scene(visitor).lay(page)
    until(page, "document.querySelector('#table').dataset.mine")
    for part in ("#pad .faces button", "#pad .camera"):
        expect(page.locator(part).first).to_be_hidden()
    for route in late:
        route.continue_()
    page.locator("#pad .faces [data-face='2']").click()
    expect(page.locator(ROW)).to_have_count(1)


@pytest.mark.parametrize("file", [{"name": "dice.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"}, None])
def test_what_is_no_picture_or_shows_no_dice_costs_nothing(file: Any, visitor: Visitor) -> None:
    page = at_real_dice(Scene(visitor))
    page.locator("#pad .faces [data-face='2']").tap()
    shoot(page, file or file_of(Picture(np.full((480, 640, 3), 90, np.uint8), ())))
    told = "That did not work. Tap what the dice show." if file else "Dice seen: 0."
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
    for part in ("#shot canvas", "#pad .entered", "#main"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert measured(page, "document.documentElement.scrollWidth") <= SMALL["width"]


def at_a_bots_roll(visitor: Visitor) -> tuple[BrowserContext, str, Page]:
    """Open a table of Mexico at the first roll of two bots, whose dice a player rolls."""
    context = visitor(viewport=PHONE, has_touch=True)
    context.add_init_script(OVER_HTTP)
    table = open_table(context, dice="real", game="mexico", bots=["tip", "lucky"], rules={"format": "rounds 3"})
    assert ask(context, table, do="enter", dice="3 2") == 200
    assert ask(context, table, do="bank") == 200
    page = Scene(visitor).lay(page_of(context, table))
    expect(page.locator("#pad .faces")).to_be_visible()
    return context, table, page


def enter_beside(context: BrowserContext, table: str, page: Page) -> None:
    """Enter the roll on another device of the same person, and wait until the page shows the next roll."""
    assert ask(context, table, do="enter", dice="6 3") == 200
    view = context.request.get(f"{table}/state").json()["view"]
    assert (view["ask"], view["due"]) == ("enter", 2), "the next bot rolls as many dice"
    until(page, "seq => +document.querySelector('#table').dataset.seq >= seq", view["seq"])


def test_faces_of_a_roll_that_another_device_enters_are_not_those_of_the_next(visitor: Visitor) -> None:
    context, table, page = at_a_bots_roll(visitor)
    for _ in range(2):
        page.locator("#pad .faces [data-face='1']").tap()
    expect(page.locator("#main")).to_have_text("Confirm 1 1")
    enter_beside(context, table, page)
    expect(page.locator(ROW)).to_have_count(0)
    expect(page.locator("#main")).to_have_text("2 more to tap")


def test_a_picture_of_a_roll_that_another_device_enters_is_not_one_of_the_next(visitor: Visitor) -> None:
    context, table, page = at_a_bots_roll(visitor)
    shoot(page, file_of(picture(SEED, size=(640, 480), tilt=8, dice=2)))
    enter_beside(context, table, page)
    page.wait_for_timeout(3000)  # longer than a reading
    expect(page.locator(ROW)).to_have_count(0)
    with page.expect_file_chooser() as chooser:
        page.locator("#pad .camera").tap()
    enter_beside(context, table, page)
    chooser.value.set_files(file_of(drawn()))
    expect(page.locator("#polite")).to_contain_text("That did not work.")
    expect(page.locator(ROW)).to_have_count(0)


def test_faces_tapped_for_the_next_roll_outlast_a_late_answer_to_the_one_before(visitor: Visitor) -> None:
    _, _, page = at_a_bots_roll(visitor)
    late: list[Any] = []
    page.route(
        "**/t/*",
        lambda route: late.append((route, route.fetch())) if route.request.method == "POST" else route.continue_(),
    )
    for face in (6, 3):
        page.locator(f"#pad .faces [data-face='{face}']").tap()
    seq = page.locator("#table").get_attribute("data-seq")
    page.locator("#main").tap()
    until(page, "seq => document.querySelector('#table').dataset.seq !== seq", seq)
    expect(page.locator(ROW)).to_have_count(0)
    page.locator("#pad .faces [data-face='5']").tap()
    expect(page.locator(ROW)).to_have_count(1)
    route, answer = late[0]
    route.fulfill(response=answer)
    page.wait_for_timeout(500)
    assert row(page) == "5"


def test_dice_that_were_not_thrown_are_said_and_the_surest_are_taken(visitor: Visitor) -> None:
    context = visitor(viewport=PHONE, has_touch=True)
    context.add_init_script(OVER_HTTP)
    page = Scene(visitor).lay(page_of(context, open_table(context, dice="real", game="threes")))
    shoot(page, file_of(drawn()))
    expect(page.locator("#polite")).to_contain_text("Dice seen: 6. More dice are in view than you rolled.")
    expect(page.locator(ROW)).to_have_count(5)


RESTS = """() => new MutationObserver(() => {
  if (document.querySelector('#pad .entered [data-face]')) self.rested ??= !!document.querySelector('[data-rests]');
}).observe(document.querySelector('#pad .entered'), { childList: true })"""
"""A script that notes if taps rest once the first face is entered."""


def test_a_tap_as_the_dice_land_does_not_confirm_them(visitor: Visitor) -> None:
    page = at_real_dice(Scene(visitor))
    page.evaluate(RESTS)
    shoot(page, file_of(drawn()))
    expect(page.locator(ROW)).to_have_count(6)
    assert page.evaluate("self.rested") is True


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


def press_camera(page: Page) -> None:
    """Press the button by key, once it is seen. ``press`` alone does not wait for that."""
    expect(page.locator("#pad .camera")).to_be_visible()
    page.locator("#pad .camera").press("Enter")


def look(context: BrowserContext) -> tuple[Page, Ear]:
    """Open the camera at a table, by keys."""
    context.add_init_script(LIVE)
    ear = listen(context)
    page = Scene(lambda: context).lay(page_of(context, open_table(context, dice="real", people=1)))
    press_camera(page)
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
    expect(page.locator("#shot")).to_be_hidden()
    expect(page.locator("#pad .camera")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_function("() => tracks.length === 2 && document.querySelector('#pad video')")
    page.locator("#pad .camera").click()
    page.wait_for_function("() => tracks.every(track => track.readyState === 'ended')")
    expect(page.locator("#shot")).to_be_hidden()


def test_the_camera_ends_when_the_phone_is_put_away(filmed: BrowserContext) -> None:
    page, _ = look(filmed)
    page.wait_for_function("() => self.tracks?.length === 1 && document.querySelector('#pad video')")
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function("() => tracks.every(track => track.readyState === 'ended')")
    expect(page.locator("#shot")).to_be_hidden()


ASKS = """navigator.mediaDevices.getUserMedia = (before => async wish => {
  await new Promise(done => { self.allow = done; });
  return before.call(navigator.mediaDevices, wish);
})(navigator.mediaDevices.getUserMedia)"""
"""A script of a browser that asks the player, until it is told to allow the camera."""
HIDE = "Object.defineProperty(document, 'hidden', {value: true, configurable: true})"


def test_a_camera_that_comes_after_escape_or_to_a_page_out_of_view_is_ended(filmed: BrowserContext) -> None:
    filmed.add_init_script(ASKS)
    page, _ = look(filmed)
    for number, away in enumerate(("", HIDE), start=1):
        if number > 1:
            press_camera(page)
        page.wait_for_function("() => self.allow")
        if away:
            page.evaluate(away)
        else:
            page.keyboard.press("Escape")
        page.evaluate("() => { allow(); allow = undefined; }")
        page.wait_for_function("number => self.tracks?.length === number", arg=number)
        page.wait_for_function("() => tracks.every(track => track.readyState === 'ended')")
        expect(page.locator("#pad video")).to_have_count(0)


def test_more_dice_than_were_thrown_do_not_end_the_camera(filmed: BrowserContext) -> None:
    filmed.add_init_script(LIVE)
    ear = listen(filmed)
    page = Scene(lambda: filmed).lay(
        page_of(filmed, open_table(filmed, dice="real", game="420", bots=["tip"], rules={"format": "race"}))
    )
    press_camera(page)
    ear.until(page, "More dice are in view than you rolled")
    page.wait_for_timeout(1000)
    assert page.evaluate("tracks.map(track => track.readyState)") == ["live"]


def test_the_camera_goes_on_in_its_place_when_the_house_draws_the_page_again(
    filmed: BrowserContext, visitor: Visitor
) -> None:
    """Two dice are due and more are in view, so the search goes on."""
    filmed.add_init_script(LIVE)
    table = open_table(filmed, dice="real", people=3, game="mexico", rules={"format": "rounds 3"})
    guests = [visitor(), visitor()]
    for guest, name in zip(guests, ("Bob", "Cid"), strict=True):
        sit(guest, table, name)
    page = Scene(lambda: filmed).lay(page_of(filmed, table))
    press_camera(page)
    page.wait_for_function("() => document.querySelector('#pad video')?.videoWidth")
    page.evaluate("document.querySelector('#pad video').isOld = true")
    assert ask(guests[1], table, do="leave") == 200
    until(page, "[...document.querySelectorAll('#seats li')].some(seat => seat.dataset.kind !== 'person')")
    page.wait_for_timeout(1500)  # until the page is fetched
    assert page.evaluate("document.querySelector('#pad video')?.isOld")
    assert page.evaluate("document.querySelector('#shot').nextElementSibling.matches('.faces')")
    assert page.evaluate("tracks.map(track => track.readyState)") == ["live"]
    expect(page.locator("#shot")).to_be_focused()


def test_a_browser_that_asks_without_end_takes_a_picture_at_the_second_press(visitor: Visitor) -> None:
    context = visitor(viewport=PHONE, has_touch=True)
    context.add_init_script("navigator.mediaDevices.getUserMedia = () => new Promise(() => {})")
    page = Scene(visitor).lay(page_of(context, open_table(context, dice="real")))
    page.locator("#pad .camera").tap()
    page.wait_for_timeout(1100)
    shoot(page, file_of(drawn()))
    expect(page.locator(ROW)).to_have_count(6)


def test_a_camera_that_another_program_has_is_asked_for_again(visitor: Visitor) -> None:
    context = visitor(viewport=PHONE, has_touch=True)
    context.add_init_script(
        """self.asked = 0;
        navigator.mediaDevices.getUserMedia = async () => {
          asked++;
          throw new DOMException('busy', 'NotReadableError');
        }"""
    )
    page = Scene(visitor).lay(page_of(context, open_table(context, dice="real")))
    for number in (1, 2):
        with page.expect_file_chooser():
            page.locator("#pad .camera").tap()
        assert page.evaluate("asked") == number


def test_without_leave_for_the_camera_a_picture_is_asked_for(visitor: Visitor) -> None:
    context = visitor(viewport=PHONE, has_touch=True)
    context.add_init_script("navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('no'))")
    page = Scene(visitor).lay(page_of(context, open_table(context, dice="real", people=1)))
    shoot(page, file_of(drawn()))
    expect(page.locator(ROW)).to_have_count(6)
