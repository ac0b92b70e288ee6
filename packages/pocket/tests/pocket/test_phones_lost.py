"""The line (the WebRTC connection) between two phones breaks or ends. Each phone says so, and its players can go on.

A *spare line* is a second one, agreed in advance, for a guest to come back by. No engine runs here. The house is a page
that sends the messages of the test over its line.
"""

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pocket.clean_phone import clean
from pocket.phones import EN, HOUSE, IN_MS, LINE, PEERS, Host, answer, phone
from pocket.pocket_players import house, there
from pocket.shell_pages import SOONER, engine
from pocket.small_folder import COMPLETE, lose
from pocket.test_phones import code_of
from support.browser import until
from support.static_host import StaticHost

OTHER = (
    "<!doctype html><title>Their house</title><main data-stage=gathering><h1>Their house</h1>"
    "<a href='#other-phones'>Other phones</a></main>"
)
ASKED_NOW = "fetch('ready').then(() => null, () => null)"
"""A script that asks the house. Once it has an answer, the guest has heard all that the house said before."""
WAITS = """async () => {
  const { setTimeout } = window;
  const body = document.body.appendChild(document.createElement('div'));
  const { Visiting } = await import('/pocket/phones/visiting.js');
  const { offer } = await import('/pocket/going_on/offer.js');
  await new Promise(done => setTimeout(done, 500));
  return new Promise(told => {
    window.setTimeout = (later, ms) => told(ms);
    offer(new Visiting(() => {}), body, () => {});
  });
}"""
"""A script that returns the milliseconds until a guest offers to become the house, if its page has just been loaded."""
SENT_AWAY = """async () => {
  const { Hosting } = await import('/pocket/phones/hosting.js');
  const house = new Hosting({ ask() {}, at: () => '/', changed() {} });
  let closed = 0;
  const spare = { close: () => closed++ };
  const link = { isGone: true, send() {}, close() {} };
  house.guests.set('a', { link, spare, label: '', asked: new Map(), lostAt: 1 });
  house.send('a');
  await new Promise(done => setTimeout(done, 300));
  const told = [];
  return new Promise(done => {
    const close = () => done({ closed, told: [...told, 'closed'] });
    house.enter({ other: 'a', send: message => told.push(message), close }, 'a');
  });
}"""
"""A script: a house sends away a guest that is out of reach. The guest comes back by its spare line. Returns the
messages that it gets.
"""
CAMERA = """() => {
  window.BarcodeDetector = class {
    static getSupportedFormats = async () => ['qr_code'];
    detect = async () => [];
  };
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement('canvas');
    canvas.getContext('2d').fillRect(0, 0, 9, 9);
    return canvas.captureStream(10);
  };
  const button = document.querySelector('#phones [data-say=phones_read_it]');
  const { play } = HTMLVideoElement.prototype;
  window.played = 0;
  HTMLVideoElement.prototype.play = function () {
    const shown = play.call(this);
    if (++window.played === 1) button.click();
    return shown;
  };
  button.click();
}"""
"""A script that taps "Read it with the camera" twice. The camera has a black picture. The second tap comes before the
picture of the first.
"""
OFFERS = """() => {
  const { createOffer } = RTCPeerConnection.prototype;
  window.offers = 0;
  RTCPeerConnection.prototype.createOffer = function () {
    window.offers++;
    return createOffer.call(this);
  };
}"""
"""A script after which the page counts the codes it makes, in ``offers``."""
LOOKS = """async () => {
  const { Visiting } = await import('/pocket/phones/visiting.js');
  const { setTimeout } = window;
  const guest = new Visiting(() => {});
  const pauses = [];
  let now = performance.now();
  performance.now = () => now;
  window.RTCPeerConnection = class {
    constructor() {
      throw new Error('Cannot create so many PeerConnections');
    }
  };
  window.setTimeout = (later, ms) => {
    pauses.push(ms);
    now += ms + 1500;
    if (pauses.length === 500) guest.ended = true;
    setTimeout(later);
  };
  Object.assign(guest, { house: 'a', spare: {}, spareOf: {}, link: { peer: { connectionState: 'closed' } } });
  await guest.retry();
  return { pauses, isLooking: guest.isLooking };
}"""
"""A script that returns the milliseconds between a guest's attempts to reach the house again. Its browser refuses to
make another line.
"""
NO_ROOM = """() => {
  const Peer = RTCPeerConnection;
  window.isFull = true;
  window.RTCPeerConnection = class extends Peer {
    constructor(how) {
      if (window.isFull) throw new Error('Cannot create so many PeerConnections');
      super(how);
    }
  };
}"""
"""A script after which the browser refuses to make another line while ``isFull``."""
GATHERS = """() => {
  document.querySelector('main').append(Object.assign(document.createElement('div'), { id: 'door' }));
  document.title = 'It gathers';
}"""
"""A script that makes the house's page that of a table which still gathers players."""
OFFER = """async () => {
  const { Link, certificate } = await import('/pocket/phones/link.js');
  return new Link(await certificate(), { heard() {}, lost() {} }).offer();
}"""
"""A script that returns the code of a new phone."""
SAID = """addEventListener('DOMContentLoaded', () => {
  window.said = [];
  new MutationObserver(seen => {
    for (const { addedNodes } of seen) for (const { textContent } of addedNodes) said.push(textContent);
  }).observe(document.getElementById('heard'), { childList: true });
});"""
"""An init script that records the texts given to screen readers."""


@pytest.fixture(scope="module")
def installed(chromium: Browser, shell_host: str) -> Iterator[tuple[BrowserContext, BrowserContext]]:
    """Two phones that have stored Pubdice's files already."""
    ours, theirs = phone(chromium), phone(chromium)
    for each in (ours, theirs):
        page = each.new_page()
        page.goto(shell_host, wait_until="commit")
        until(page, "navigator.serviceWorker.controller !== null")
        assert page.evaluate(COMPLETE)
        page.close()
    yield ours, theirs
    ours.close()
    theirs.close()


@pytest.fixture
def two(installed: tuple[BrowserContext, BrowserContext]) -> tuple[BrowserContext, BrowserContext]:
    """The two phones of ``installed``. Begin on each with ``clean``."""
    return installed


@pytest.fixture
def new(chromium: Browser) -> Iterator[BrowserContext]:
    context = phone(chromium)
    yield context
    context.close()


@pytest.fixture
def guest_of(two: tuple[BrowserContext, BrowserContext], shell_host: str) -> tuple[Page, Page]:
    ours = clean(two[0], shell_host)
    code = ours.evaluate(HOUSE, {"page": OTHER})
    guest = clean(two[1], shell_host)
    ours.evaluate("code => take(code)", answer(guest, f"{shell_host}#phones={code}"))
    expect(guest.locator("iframe:not(.waits)")).to_be_visible(timeout=IN_MS)
    expect(guest.locator("#phones")).to_be_hidden()
    return ours, guest


@pytest.fixture
def host(two: tuple[BrowserContext, BrowserContext], shell_host: str) -> Page:
    """A phone with its own house. A stand-in replaces the engine."""
    page = clean(two[0], shell_host)
    page.add_init_script(engine(prefix="") + SAID + PEERS)
    page.goto(shell_host)
    there(page)
    return page


def other_phones(page: Page) -> None:
    house(page).locator("a[href='#other-phones']").dispatch_event("click")
    expect(page.locator("#phones")).to_be_visible()


def close(page: Page) -> None:
    page.locator("#phones").get_by_role("button", name=EN["close"]).tap()
    expect(page.locator("#phones")).to_be_hidden()


def test_a_phone_that_has_not_read_the_answer_is_no_house(
    two: tuple[BrowserContext, BrowserContext], shell_host: str
) -> None:
    """The proof that it sends is a wrong one."""
    ours, guest = clean(two[0], shell_host), clean(two[1], shell_host)
    code = ours.evaluate(HOUSE, {"page": OTHER})
    ours.evaluate("() => { Object.defineProperty(first, 'proof', { get: () => '0'.repeat(64), set() {} }); }")
    ours.evaluate("code => take(code)", answer(guest, f"{shell_host}#phones={code}"))
    expect(guest.locator("#phones")).to_contain_text(EN["phones_unproved"], timeout=IN_MS)
    assert guest.locator("iframe").count() == 0
    assert not guest.evaluate("JSON.parse(localStorage['pubdice shell /'] ?? '{}').guest")


def test_a_guest_can_read_a_code_while_the_house_is_gone(guest_of: tuple[Page, Page]) -> None:
    ours, guest = guest_of
    panel = guest.locator("#phones")
    other_phones(guest)
    expect(panel).to_contain_text(EN["phones_guest"])
    close(guest)
    ours.evaluate("link.close()")
    expect(panel).to_contain_text(EN["phones_over"], timeout=IN_MS)
    close(guest)
    other_phones(guest)
    expect(panel).to_contain_text(EN["phones_over"])
    expect(panel.get_by_role("button", name=EN["phones_read_it"])).to_be_visible()


def test_a_code_brings_only_letters_into_the_browsers_sdp(host: Page) -> None:
    """A stranger may have written the code, and its texts become lines of the SDP given to the browser."""
    there = (4, b"\x7f\x00\x00\x01")
    line = b"u" * 24 + b"\r\na=x"
    wrong = [
        code_of(*there, ufrag=line),
        code_of(*there, pwd=line),
        code_of(*there, of=line),
        code_of(*there, ufrag=b"uuu"),
        code_of(*there, pwd=b"p" * 21),
        code_of(9, bytes(4)),
        "Ag" + code_of(*there)[2:],
    ]
    is_code = "codes => import('/pocket/phones/link.js').then(({ readCode }) => codes.map(code => !!readCode(code)))"
    assert host.evaluate(is_code, [code_of(*there), *wrong]) == [True] + [False] * len(wrong)


def test_a_code_to_the_internet_is_followed_only_at_a_tap(host: Page) -> None:
    """A guest that reads such a code asks its player first. So does a house, if a guest's code has no nearer address.

    No phone is at the address in the code.
    """
    far = (4, b"\xc0\x00\x02\xfd")
    panel = host.locator("#phones")
    go_on = panel.get_by_role("button", name=EN["phones_far_on"])
    let_in(host)
    offer = panel.locator("textarea").first.input_value().rpartition("=")[2]
    Host(host).take(code_of(*far, of=ufrag_of(offer)))
    expect(panel).to_contain_text(EN["phones_code_far"])
    lines = "peers.filter(({ remoteDescription }) => remoteDescription).length"
    assert host.evaluate(lines) == 0
    go_on.tap()
    until(host, f"{lines} === 1")
    panel.get_by_role("button", name=EN["phones_stop"]).tap()
    other_phones(host)
    panel.get_by_role("button", name=EN["phones_join"]).tap()
    panel.locator("summary").tap()
    panel.locator("textarea").fill(code_of(*far))
    before = host.evaluate(lines)
    panel.get_by_role("button", name=EN["phones_take"]).tap()
    expect(panel).to_contain_text(EN["phones_code_far"])
    assert host.evaluate(lines) == before
    go_on.tap()
    expect(panel.locator(".qr svg")).to_be_visible()
    assert host.evaluate(lines) == before + 1


def test_an_installed_app_takes_an_opened_link(host: Page, shell_host: str) -> None:
    queue = "{ value: { setConsumer: to => (window.to = to) } }"
    host.add_init_script(f"Object.defineProperty(window, 'launchQueue', {queue})")
    host.goto(shell_host)
    there(host)
    opened = "targetURL => to({ targetURL })"
    panel = host.locator("#phones")
    host.evaluate(opened, f"{shell_host}#phones=AAAA")
    host.evaluate("(now => { performance.now = () => now() + 5000; })(performance.now.bind(performance))")
    host.evaluate(opened, shell_host)
    host.evaluate(opened, f"{shell_host}daily")
    expect(house(host).get_by_role("heading", level=1)).to_have_text("At /daily")
    assert not panel.is_visible(), "it began with the code itself, and the icon leads nowhere"
    host.evaluate(opened, f"{shell_host}#phones={host.evaluate(OFFER)}")
    expect(panel).to_contain_text(EN["phones_join_this"])


def test_a_second_tap_on_join_takes_nothing_from_the_tab(host: Page, shell_host: str) -> None:
    other = host.context.new_page()
    other.goto(f"{shell_host}#phones={host.evaluate(OFFER)}")
    asked = "new BroadcastChannel('pubdice shell /').onmessage = ({ data }) => { window.took += data.take ? 1 : 0; }"
    host.evaluate(f"() => {{ window.took = 0; {asked} }}")
    panel = other.locator("#phones")
    panel.get_by_role("button", name=EN["phones_join_it"], exact=True).dblclick()
    expect(panel.locator(".qr svg")).to_be_visible(timeout=IN_MS)
    assert host.evaluate("took") == 1


def test_only_a_real_code_in_a_second_tab_ends_the_first(host: Page, shell_host: str) -> None:
    """Otherwise both tabs would share one engine and be one guest, with pages from the phone's own house and the
    host's.
    """
    other = host.context.new_page()
    other.goto(f"{shell_host}#phones=AAAA")
    panel = other.locator("#phones")
    expect(panel.locator("#phones-status")).to_have_text(EN["phones_unread"], timeout=IN_MS)
    panel.locator("summary").tap()
    for code, key in (("AAAA", "phones_unread"), (code_of(4, b"\xc0\x00\x02\xfd"), "phones_code_far")):
        panel.locator("textarea").fill(code)
        panel.get_by_role("button", name=EN["phones_take"]).tap()
        expect(panel).to_contain_text(EN[key])
    there(host)
    panel.get_by_role("button", name=EN["phones_far_on"]).tap()
    expect(panel.locator(".qr svg")).to_be_visible(timeout=IN_MS)
    expect(host.locator("#status")).to_have_text(EN["moved_away"])
    assert host.locator("iframe").count() == 0


def test_a_guests_lost_page_comes_again_in_the_same_tab(guest_of: tuple[Page, Page]) -> None:
    """The page comes once the line is back. A reload of the tab would lose the spare line."""
    ours, guest = guest_of
    ours.evaluate("spare()")
    until(ours, "next.peer.signalingState === 'stable'", within_ms=IN_MS)
    ours.evaluate("isDown = true")
    guest.evaluate("window.isSame = true")
    house(guest).evaluate("location.href = '/rules/420'")
    expect(guest.locator("#told")).to_have_text(EN["page_lost"], timeout=IN_MS)
    ours.evaluate("link.send({ goes: '/t/ABCDEF' })")
    guest.evaluate(ASKED_NOW)
    assert not ours.evaluate("link.isGone"), "the host may go to another table meanwhile"
    ours.evaluate("isDown = false")
    expect(guest.locator("#choices").get_by_role("button", name=EN["again"])).to_be_visible()
    ours.evaluate("link.close()")
    expect(guest.frame_locator("iframe").get_by_role("heading")).to_have_text("Their house", timeout=IN_MS)
    expect(guest.locator("#told")).to_have_text(EN["host_goes"])
    expect(guest.locator("#phones")).to_be_hidden()
    assert guest.evaluate("window.isSame"), "the tab was not loaded again"


def test_a_guest_at_a_table_is_offered_the_hosts_next_one(
    guest_of: tuple[Page, Page],
) -> None:
    ours, guest = guest_of
    there_yet = "path => location.pathname === path"
    house(guest).evaluate("location.href = '/t/GHJKLM'")
    until(house(guest), there_yet, "/t/GHJKLM", within_ms=IN_MS)
    expect(guest.frame_locator("iframe").get_by_role("heading")).to_have_text("Their house")
    stage = "stage => { document.querySelector('main').dataset.stage = stage; }"
    notice, told = guest.locator("#notice"), guest.locator("#told")
    house(guest).evaluate(stage, "playing")
    ours.evaluate("link.send({ goes: '/t/ABCDEF' })")
    guest.evaluate(ASKED_NOW)
    expect(notice).to_be_hidden()
    house(guest).evaluate(stage, "over")
    expect(told).to_have_text(EN["host_goes"])
    house(guest).evaluate("document.title = 'Over'")
    expect(guest).to_have_title("Over")
    expect(notice).to_be_visible()
    ours.evaluate("link.send({ goes: '/t/GHJKLM' })")
    expect(notice).to_be_hidden()
    ours.evaluate("link.send({ goes: '/t/ABCDEF' })")
    expect(told).to_have_text(EN["host_goes"])
    for path in ("/rules/420", "/t/GHJKLM", "/t/ABCDEF"):  # as if the guest followed links on the house's pages
        expect(notice).to_be_visible()
        house(guest).evaluate("path => { location.href = path; }", path)
        until(house(guest), there_yet, path, within_ms=IN_MS)
        expect(guest.frame_locator("iframe").get_by_role("heading")).to_have_text("Their house")
    expect(notice).to_be_hidden()


def test_a_reloaded_guest_waits_before_it_offers_to_go_on(host: Page, shell_host: str) -> None:
    assert host.evaluate(WAITS) > 19_700


def ufrag_of(code: str) -> bytes:
    """Return the ufrag (the user name of ICE) in a code."""
    told = base64.urlsafe_b64decode(f"{code}===")
    return told[34 : 34 + told[33]]


def come_in(host: Page, guest: Page, number: int) -> None:
    """Bring the phone ``guest`` to the house, which shows its code. It is guest ``number``, from 1."""
    panel = host.locator("#phones")
    code = panel.locator("textarea").first.input_value().rpartition("=")[2]
    Host(host).take(guest.evaluate(LINE, code))
    expect(panel.locator(".phones-guests li")).to_have_count(number, timeout=IN_MS)
    expect(panel.locator("#phones-status")).to_have_text(EN["phones_in"])


def let_in(host: Page) -> None:
    """Make the phone the house: go to its table, if it shows another page, and show a code."""
    if "/t/" not in house(host).url:
        house(host).locator("#table").tap()
        expect(host.frame_locator("iframe").get_by_role("heading")).to_have_text("At /t/ABCDEF")
    other_phones(host)
    host.locator("#phones").get_by_role("button", name=EN["phones_let_in"]).tap()
    expect(host.locator("#phones .qr svg")).to_be_visible(timeout=IN_MS)


def test_a_phone_that_stops_hosting_hears_of_no_gone_guest(
    host: Page, two: tuple[BrowserContext, BrowserContext], shell_host: str
) -> None:
    let_in(host)
    come_in(host, clean(two[1], shell_host), 1)
    host.evaluate("code => { location.hash = `phones=${code}`; }", host.evaluate(OFFER))
    expect(host.locator("#phones")).to_contain_text(EN["phones_ends_house"])
    close(host)
    other_phones(host)
    host.locator("#phones").get_by_role("button", name=EN["phones_stop"]).tap()
    expect(host.locator("#phones")).to_be_hidden()
    until(host, "told => said.includes(told)", EN["phones_in"], within_ms=IN_MS)  # it waits for earlier ones
    other_phones(host)
    until(host, "told => said.includes(told)", EN["phones_what"], within_ms=IN_MS)  # as the last of all
    said = host.evaluate("said")
    name = EN["phones_phone"].format(number=1)
    assert EN["phones_gone"].format(name=name) not in said
    assert EN["phones_lost_guest"].format(name=name) not in said


def test_who_was_sent_away_while_out_of_reach_is_told_once_back(
    two: tuple[BrowserContext, BrowserContext], shell_host: str
) -> None:
    assert clean(two[0], shell_host).evaluate(SENT_AWAY) == {"closed": 0, "told": [{"away": True}, "closed"]}


def test_a_guest_that_was_sent_away_is_told_so_each_time(
    guest_of: tuple[Page, Page],
) -> None:
    ours, guest = guest_of
    panel = guest.locator("#phones")
    ours.evaluate("link.send({ away: true })")
    expect(panel).to_contain_text(EN["phones_sent_away"])
    assert guest.evaluate("JSON.parse(localStorage['pubdice shell /']).guest") is False
    close(guest)
    other_phones(guest)
    expect(panel).to_contain_text(EN["phones_sent_away"])
    expect(panel.get_by_role("button", name=EN["phones_alone"])).to_be_visible()
    # the guest may come to another house by a new code, here of the same phone as a new house
    guest.evaluate("code => { location.hash = `phones=${code}`; }", ours.evaluate(HOUSE, {"page": OTHER}))
    panel.get_by_role("button", name=EN["phones_join_it"], exact=True).tap()
    expect(panel.locator(".qr svg")).to_be_visible(timeout=IN_MS)
    ours.evaluate("code => take(code)", panel.locator("textarea").first.input_value())
    expect(panel).to_be_hidden(timeout=IN_MS)
    other_phones(guest)
    expect(panel).to_contain_text(EN["phones_guest"])


def test_a_second_tap_on_the_camera_does_not_deny_it(host: Page) -> None:
    other_phones(host)
    panel = host.locator("#phones")
    panel.get_by_role("button", name=EN["phones_join"]).tap()
    host.evaluate(CAMERA)
    until(host, "played === 2 && document.querySelector('#phones video').srcObject?.active")
    expect(panel.locator("video")).to_be_visible()
    expect(panel.locator("#phones-status")).to_be_empty()


def test_a_phone_lets_others_in_only_at_a_table(host: Page) -> None:
    """A phone offers to let others in only at a table, because a guest would find no table on the front page."""
    frame = house(host)
    other_phones(host)
    panel = host.locator("#phones")
    expect(panel).to_contain_text(EN["phones_first_table"])
    expect(panel.get_by_role("button", name=EN["phones_let_in"])).to_have_count(0)
    close(host)
    frame.locator("#table").tap()
    expect(frame.get_by_role("heading")).to_have_text("At /t/ABCDEF")
    frame.evaluate("window.isOld = true")
    let_in(host)
    until(frame, "!window.isOld && document.readyState === 'complete'", within_ms=IN_MS)
    expect(frame.get_by_role("heading")).to_have_text("At /t/ABCDEF")


def test_a_house_without_a_code_says_so_and_tries_again(host: Page) -> None:
    house(host).locator("#table").tap()
    expect(host.frame_locator("iframe").get_by_role("heading")).to_have_text("At /t/ABCDEF")
    host.evaluate(NO_ROOM)
    house(host).evaluate("window.isOld = true")
    other_phones(host)
    panel, door = host.locator("#phones"), host.frame_locator("iframe").locator("#door")
    panel.get_by_role("button", name=EN["phones_let_in"]).tap()
    expect(panel).to_contain_text(EN["phones_silent"])
    until(house(host), "!window.isOld && document.readyState === 'complete'", within_ms=IN_MS)
    house(host).evaluate(GATHERS)
    expect(door).to_contain_text(EN["phones_silent"])
    close(host)
    other_phones(host)
    expect(panel).to_contain_text(EN["phones_silent"])
    close(host)
    expect(door.get_by_role("button", name=EN["phones_let_in"])).to_be_visible()
    # any change of the house's page starts a new try, too, so the button may be gone
    host.evaluate("() => { isFull = false; frames[0].document.querySelector('#door button')?.click(); }")
    expect(door.locator("svg")).to_be_visible()
    other_phones(host)
    drawn = "node => node.outerHTML"
    assert door.locator("svg").evaluate(drawn) == panel.locator(".qr svg").evaluate(drawn), "one code"


def test_a_code_is_made_only_once_the_advised_hotspot_is_on(
    host: Page, two: tuple[BrowserContext, BrowserContext], shell_host: str
) -> None:
    let_in(host)
    panel = host.locator("#phones")
    code = panel.locator("textarea").first.input_value()
    answered = clean(two[1], shell_host).evaluate(LINE, code.rpartition("=")[2])
    two[1].pages[0].close()  # so the house's connection to it fails
    made = "window.offers"
    host.evaluate(OFFERS)
    host.evaluate(f"() => {{ {SOONER} }}")
    Host(host).take(answered)
    expect(panel.locator("#phones-status")).to_have_text(EN["phones_apart"], timeout=IN_MS)
    expect(panel.locator(".qr")).to_have_count(0)
    assert host.evaluate(made) == 0
    panel.get_by_role("button", name=EN["phones_let_in"]).tap()
    expect(panel.locator(".qr svg")).to_be_visible()
    assert host.evaluate(made) == 1


def test_a_guest_looks_for_the_house_less_often_with_time(
    two: tuple[BrowserContext, BrowserContext], shell_host: str
) -> None:
    found = clean(two[0], shell_host).evaluate(LOOKS)
    pauses = found["pauses"]
    assert len(pauses) == 500
    assert found["isLooking"] is False
    assert set(pauses[:20]) == {1000}
    assert max(pauses) == 10_000
    after = [sum(pauses[:at]) + 1500 * at for at in range(len(pauses))]
    assert all(pause <= 3500 for pause, since in zip(pauses, after, strict=True) if since < 180_000), "back within 5 s"


def test_a_missing_part_of_the_panel_is_fetched_at_the_next_tap(new: BrowserContext, shell_folder: Path) -> None:
    with StaticHost(shell_folder) as static:
        page = new.new_page()
        page.add_init_script(engine(prefix=""))
        page.goto(static.address)
        there(page)
        assert page.evaluate(COMPLETE)
        static.stop()
        lose(page, "pocket/phones/hosting.js")
        link = house(page).locator("a[href='#other-phones']")
        link.dispatch_event("click")
        expect(page.locator("#told")).to_have_text(EN["damaged"], timeout=IN_MS)
        static.start()
        link.dispatch_event("click")
        expect(page.locator("#phones")).to_contain_text(EN["phones_what"], timeout=IN_MS)


def test_who_comes_by_a_code_at_once_has_all_files_fetched(new: BrowserContext, shell_folder: Path) -> None:
    """The phone needs the advice for phones that can't reach each other when it has no network left to fetch it."""
    with StaticHost(shell_folder) as static:
        page = new.new_page()
        page.goto(f"{static.address}#phones=AAAA")
        until(page, "caches.match('pocket/phones_apart/hotspot.js').then(Boolean)", within_ms=IN_MS)
