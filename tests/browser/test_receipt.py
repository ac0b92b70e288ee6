"""What decided a match, as people meet it: by keyboard alone, without JavaScript, by ear, and handed on."""

import base64
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.advice_states import receipt, receipt_asked
from browser.scene import Scene, Visitor

PIXELS = """async base64 => {
  const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const ink = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
  ink.drawImage(picture, 0, 0);
  return [[5, 5], [60, 60]].map(([x, y]) => [...ink.getImageData(x, y, 1, 1).data]);
}"""
SHARED_PICTURE = """() => {
  document.querySelector('[data-share="1"]').click();
  return shared.files?.[0].type === 'image/png' && shared.text.includes('/receipt');
}"""
"""Once the picture has come it goes with the line."""
HEADINGS = "nodes => nodes.map(node => [Number(node.tagName[1]), node.textContent.trim().replace(/\\s+/g, ' ')])"


@pytest.fixture(scope="module")
def page(standing: Visitor) -> Page:
    """A receipt, which all tests look at: its match is gone through once."""
    return receipt(Scene(standing))


def press(page: Page, name: str) -> None:
    """Go to a link or button by Tab, and press Enter."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"Tab never comes to {name}")


def test_a_costly_choice_is_answered_by_keyboard_alone(visitor: Visitor) -> None:
    page = receipt_asked(Scene(visitor))
    expect(page.locator("#answer")).to_have_count(0)
    page.locator("#keep-1").focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    press(page, "Answer")
    expect(page.locator("#answer")).to_be_focused()
    expect(page.locator("#answer")).to_contain_text(". ")


def test_by_ear_there_are_headings_a_table_for_the_picture_and_one_live_region(page: Page) -> None:
    heads = page.locator("main :is(h1, h2, h3)").evaluate_all(HEADINGS)
    assert heads[0][0] == 1
    assert heads[1] == [2, "Chance to win"], "the picture comes first"
    page.locator("#counted > summary").click()
    names = [name for _, name in heads]
    assert {"The choice that cost most", "Share it"} <= set(names), "there may be no roll that gained anything"
    assert page.locator("main :is([role=status], [aria-live])").count() == 1
    picture = page.get_by_role("img", name="Below, you can open a table of the numbers.")
    assert "at the start" in str(picture.get_attribute("aria-label"))
    page.locator("#moves summary").click()
    table = page.get_by_role("table").filter(has=page.get_by_role("columnheader", name="After"))
    assert table.get_by_role("row").count() > 2
    assert table.get_by_role("rowheader").first.inner_text() == "The start"


def test_the_line_is_shared_where_that_is_possible_and_else_copied_which_is_said(page: Page) -> None:
    page.evaluate("navigator.share = async what => (window.shared = what)")
    page.get_by_role("button", name="Share", exact=True).click()
    assert "/receipt" in page.evaluate("shared.text")
    page.locator("img.picture").scroll_into_view_if_needed()
    page.evaluate("void (navigator.canShare = ({ files }) => files.length === 1)")
    page.wait_for_function(SHARED_PICTURE)
    expect(page.locator("#told")).not_to_have_text("Copied.")
    page.evaluate("Object.defineProperty(navigator, 'share', { value: undefined })")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<textarea id=here></textarea>')")
    for name in ("Copy the link", "Share"):
        page.evaluate("document.getElementById('told').textContent = ''")
        page.evaluate("navigator.clipboard.writeText('nothing').catch(() => {})")
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("#told")).to_have_text("Copied.")
        page.locator("#here").fill("")
        page.locator("#here").focus()
        page.keyboard.press("Control+V")
        assert page.locator("#here").input_value().split() == page.locator("#share").inner_text().split()
        assert "/receipt" in page.locator("#here").input_value()


def test_the_picture_is_saved_as_a_png_and_without_javascript_as_an_svg(page: Page, visitor: Visitor) -> None:
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the picture").click()
    assert saved.value.suggested_filename == "pubdice.png"
    content = Path(saved.value.path()).read_bytes()
    assert content.startswith(b"\x89PNG")
    high = int(str(page.locator("img.picture").get_attribute("height")))
    assert (int.from_bytes(content[16:20]), int.from_bytes(content[20:24])) == (1080, high)
    frame, slate = page.evaluate(PIXELS, base64.b64encode(content).decode())
    assert frame == [0x65, 0x41, 0x27, 255], "it is drawn, and not blank"
    assert all(abs(one - other) <= 3 for one, other in zip(slate, [0x36, 0x47, 0x3F, 255], strict=True))
    plain = visitor(java_script_enabled=False).new_page()
    plain.goto(page.url)
    with plain.expect_download() as saved:
        plain.get_by_role("link", name="Save the picture").click()
    assert saved.value.suggested_filename == "pubdice.svg"
    assert b"<svg" in Path(saved.value.path()).read_bytes()
