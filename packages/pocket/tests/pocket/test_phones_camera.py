"""A phone reads another phone's QR code by camera. A film of the code replaces the browser's camera picture."""

from pathlib import Path

from playwright.sync_api import Page, expect

from pocket.phones import EN, IN_MS, Host, answer, camera_sees, phone, with_camera
from pocket.pocket_players import house
from support.static_host import StaticHost

TAPS = """if (top === self) window.taps = [];
addEventListener('click', event => {
  if (event.isTrusted) top.taps.push(event.target.closest('button, a').textContent.trim());
}, true);
if (top === self) {
  const { mediaDevices } = navigator;
  const { getUserMedia } = mediaDevices;
  let isAsked = false;
  mediaDevices.getUserMedia = given => {
    if (!isAsked) taps.push('the camera is allowed');
    isAsked = true;
    return getUserMedia.call(mediaDevices, given);
  };
}"""
"""An init script that records taps. The browser's question for the camera counts as a tap, as a player must answer it.
"""


def tapped(page: Page) -> list[str]:
    """Return the recorded taps. A typed name counts as one tap."""
    return ["a name", *page.evaluate("taps")]


def shown(host: Host) -> str:
    """Return the address in the QR code on the table's page. It is read from the panel, which counts no tap."""
    address = host.let_in()
    host.page.locator("#phones").evaluate("panel => panel.close()")
    return address


def test_two_phones_roll_after_nine_taps(quick_folder: Path, tmp_path: Path) -> None:
    """The host reads the guest's code by camera. The guest scans the host's code with its camera app, and taps the
    link.
    """
    picture = tmp_path / "seen.y4m"
    camera_sees(picture, "nothing yet")
    with StaticHost(quick_folder) as static, with_camera(picture) as browser:
        ours, theirs = phone(browser), phone(browser)
        for each in (ours, theirs):
            each.add_init_script(TAPS)
        host = Host.open(ours, static.address)
        host.frame.locator("#name").fill("Ann")
        host.frame.get_by_role("button", name="Everybody on their own phone").tap()
        expect(host.frame.locator("#door svg")).to_be_visible()
        expect(host.page.locator("#phones[open]")).to_have_count(0)
        guest = theirs.new_page()
        first = shown(host)
        camera_sees(picture, answer(guest, first, "Bob"))
        host.frame.locator("#door").get_by_role("button", name=EN["phones_read_it"]).tap()
        expect(guest.locator("iframe:not(.waits)")).to_be_visible(timeout=IN_MS)
        expect(house(guest).locator("#heading")).to_have_text("You're in")
        expect(host.page.locator("#phones[open]")).to_have_count(0)
        expect(host.frame.locator("#door")).to_contain_text(EN["phones_in"])
        assert shown(host) != first, "the next code is there"
        host.frame.get_by_role("button", name="Start with 2 players").tap()
        host.frame.get_by_role("button", name="Roll").tap()
        expect(host.frame.locator("#dice .die[data-face]").first).to_be_visible()
        assert tapped(host.page) == [
            "a name",
            "Everybody on their own phone",
            "the camera is allowed",
            EN["phones_read_it"],
            "Start with 2 players",
            "Roll 6 dice",
        ]
        assert ["the link", *tapped(guest)] == ["the link", "a name", EN["phones_join_it"]]
