"""Each player has their own phone, and one phone is the house (the host). No server helps, only the phones' own
network.

A *line* is the WebRTC connection between two phones.
"""

import base64
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect

from pocket.clean_phone import clean
from pocket.phones import BREAK, EN, HELP, HOUSE, IN_MS, LINE, PEERS, Host, answer, come, open_table, phone, sit
from pocket.pocket_players import ENGINE_MS, house, there
from pocket.small_folder import COMPLETE
from pocket.test_shell_told import checked
from support.browser import PHONE, SMALL, until
from support.steady import box_of

ASK = {"ask": 1, "method": "GET", "target": "/", "headers": [["accept", "text/html"]], "body": ""}
NOT_OURS = [  # messages of no house or guest: each of them ends the line it comes by
    '"no JSON',
    "[1, 2]",
    '{"what": 1}',
    '{"ask": -1}',
    '{"ask": 1, "method": "CONNECT", "target": "/", "headers": [], "body": ""}',
    '{"ask": 1, "method": "GET", "target": "http://elsewhere/", "headers": [], "body": ""}',
    '{"ask": 1, "method": "GET", "target": ["/"], "headers": [], "body": ""}',
    '{"ask": 1, "method": "GET", "target": "/", "headers": [["a", ["b"]]], "body": ""}',
    '{"ask": 1, "method": "GET", "target": "/", "headers": [["accept"]], "body": ""}',
    '{"ask": 1, "method": "GET", "target": "/", "headers": [["host", "a\\r\\nb: c"]], "body": ""}',
    '{"spare": "AQAA"}',
    "x" * 17_000,
]

SCRIPTS = ["/static/0123456789ab/table.js", "/evil.js", "/static/0123456789ab/none.js"]
OWNED = "<script>parent.owned = 1</script><img src=x onerror='parent.owned = 2'>" + "".join(
    f'<script src="{script}"></script><script type="module" src="{script}"></script>' for script in SCRIPTS
)


def code_of(
    kind: int,
    address: bytes,
    port: int = 9999,
    *,
    key: bytes = bytes(32),
    ufrag: bytes = b"uuuu",
    pwd: bytes = b"p" * 24,
    of: bytes = b"",
) -> str:
    """Return the code of a phone at an address that no phone has.

    ``kind`` is 4 for an IPv4 address, 0 for a name that hides the address.
    """
    told = b"".join(bytes([len(text)]) + text for text in (ufrag, pwd, of))
    code = bytes([1]) + key + told + bytes([kind]) + address + port.to_bytes(2, "big")
    return base64.urlsafe_b64encode(code).decode().rstrip("=")


READ = "peers[0].getStats().then(all => [...all.values()].some(({ requestsReceived }) => requestsReceived))"
"""A script: true if another phone has sent this phone a STUN request."""


FULL = """async () => {
  const { Hosting } = await import('/pocket/phones/hosting.js');
  const { Visiting } = await import('/pocket/phones/visiting.js');
  const house = new Hosting({ ask() {}, at: () => '/', changed() {} });
  const isGuest = name => house.guests.has(name);
  const guest = (isGone, lostAt) =>
    ({ link: { isGone, isNear: !isGone, close() {}, send() {} }, spare: null, label: '', asked: new Map(), lostAt });
  const meet = async () => {
    const visiting = new Visiting(() => {});
    const door = await house.door();
    const code = await visiting.come(door.code);
    const link = visiting.coming;
    return [await door.accept(code), visiting, link];
  };
  for (let at = 0; at < 19; at++) house.guests.set(`guest ${at}`, guest(at === 4 || at === 7, at === 4 ? 2 : 1));
  const [first, visiting, link] = await meet();
  const kept = ['guest 4', 'guest 7'].map(isGuest);
  const { other } = house.guests.get(link.other)?.link ?? {};
  const was = isGuest(other);
  await link.opened;
  const gone = new Promise(done => (house.house.changed = done));
  await visiting.end(true);
  await gone;
  const left = isGuest(other);
  house.guests.set('guest 4', guest(false, 0)).set('guest 7', guest(false, 0));
  const [second] = await meet();
  return { first, kept, was, left, banned: house.sentAway.size, second };
}"""
"""A script: two guests of a full house are out of reach. A new guest comes and leaves. A second new guest comes while
all guests are in reach.
"""


QUESTIONS = """async () => {
  const { Hosting } = await import('/pocket/phones/hosting.js');
  const { Visiting } = await import('/pocket/phones/visiting.js');
  const visiting = new Visiting(() => {});
  const asked = [];
  visiting.link = { send: message => asked.push(message) };
  const [first, second, door] = [visiting.question({ enter: 'a' }), visiting.question({ enter: 'b' }), visiting.door()];
  for (const [at, answer] of [[1, 'in'], [0, 'late'], [2, 'undefined'], [7, 'nobody asked'], [1, 'twice']])
    visiting.hear(visiting.link, { answer, number: asked[at]?.number ?? at });
  const house = new Hosting({ ask() {}, at: () => '/', changed() {} });
  const told = async (guest, number) => {
    let found;
    guest.link = { send: ({ answer, number }) => (found = [answer, number]) };
    await house.pass(guest, null, number).catch(() => {});
    return found;
  };
  house.door = () => Promise.reject(new Error('no line'));
  const [busy, broken] = [await told({ passes: true }, 5), await told({}, 6)];
  return { first: await first, second: await second, no: (await door).code, busy, broken };
}"""
"""A script: a guest gets answers in another order than it asked, and a house can't make a code."""


ENDLESS = """async () => {
  const { Visiting } = await import('/pocket/phones/visiting.js');
  const visiting = new Visiting(() => {});
  visiting.arrive({ other: 'aa', close() {}, send() {} });
  const asked = { asked: { target: '/static/a.svg' }, port: { postMessage() {} } };
  visiting.asked.set(1, asked);
  const headers = [['cache-control', 'immutable'], ['content-type', 'image/svg+xml']];
  for (let at = 0; at < 30; at++) headers.push(['set-cookie', `a=${'x'.repeat(16_000)}`]);
  visiting.head({ head: 1, status: 200, headers });
  const part = Uint8Array.of(0, 0, 0, 1, 1, ...Array(16_000).fill(32));
  for (let at = 0; at < 100; at++) visiting.part(part);
  return { held: asked.parts?.length ?? 0, cookies: JSON.stringify(localStorage).length };
}"""
"""A script: a guest whose house sends an endless file, and 30 cookies of 16 KB."""


LOSES = """() => {
  const { setTimeout, clearTimeout } = window;
  window.lost = new Set();
  window.setTimeout = (done, ms, ...more) => {
    const timer = setTimeout(done, ms, ...more);
    if (ms === 6000) lost.add(timer);
    return timer;
  };
  window.clearTimeout = timer => {
    lost.delete(timer);
    clearTimeout(timer);
  };
}"""
"""A script after which ``lost`` has the timers that will tell that the house is out of reach."""


STREAMS = """(() => {
  const { postMessage } = Worker.prototype;
  window.streams = [];
  Worker.prototype.postMessage = function (data, ports) {
    if (!data?.target?.includes('/events')) return postMessage.call(this, data, ports ?? []);
    const { port1, port2 } = new MessageChannel();
    const stream = { ofGuest: !!data.phone, isOpen: true };
    streams.push(stream);
    port1.onmessage = ({ data: said }) => {
      if (said.failed || 'part' in said && !said.more) stream.isOpen = false;
      ports[0].postMessage(said);
    };
    ports[0].onmessage = ({ data: said }) => port1.postMessage(said);
    postMessage.call(this, data, [port2]);
  };
})()"""
"""An init script that lists the event streams asked of the engine, and marks each as open or ended."""


@pytest.fixture(scope="module")
def inn(chromium: Browser, pocket_host: str) -> Iterator[Host]:
    """Open a house on Ann's phone, with a table at which only Ann sits."""
    ours = phone(chromium)
    ours.add_init_script(STREAMS)
    host = Host.open(ours, pocket_host)
    open_table(host, "Ann")
    yield host
    ours.close()


@pytest.fixture(scope="module")
def installed(chromium: Browser, pocket_host: str) -> Iterator[BrowserContext]:
    """A second phone with Pubdice's files. All tests share it, as storing them takes 0.8 s on a new phone."""
    context = phone(chromium)
    context.add_init_script(PEERS)
    page = visitor(context, pocket_host)
    assert page.evaluate(COMPLETE)
    clean(context, pocket_host).close()
    yield context
    context.close()


@pytest.fixture
def theirs(installed: BrowserContext, pocket_host: str, shell_host: str) -> Iterator[BrowserContext]:
    """The second phone (``installed``), without the storage of earlier tests."""
    yield installed
    clean(installed, shell_host, pocket_host).close()


def visitor(theirs: BrowserContext, address: str) -> Page:
    """Return a page on the phone ``theirs`` that has the service worker, but shows no house yet."""
    page = theirs.new_page()
    page.goto(address, wait_until="commit")
    until(page, "navigator.serviceWorker.controller !== null")
    page.goto(f"{address}pocket/licences.html")
    return page


def line(inn: Host, page: Page) -> None:
    """Open a line from the page of a ``visitor`` to the house."""
    offer = inn.let_in().rpartition("=")[2]
    inn.take(page.evaluate(LINE, offer))
    until(page, "window.link.isOpen", within_ms=IN_MS)
    expect(inn.page.locator("#phones-status")).to_have_text(EN["phones_in"])


@pytest.mark.nightly
def test_a_killed_phone_has_its_seat_again_after_one_look(inn: Host, theirs: BrowserContext) -> None:
    guest = come(inn, theirs)
    sit(guest, "Bob")
    at = guest.url
    guest.close()
    back = theirs.new_page()
    back.goto(at)
    panel = back.locator("#phones")
    expect(panel).to_contain_text(EN["phones_again"], timeout=ENGINE_MS)
    code = inn.let_in().rpartition("=")[2]
    panel.locator("summary").tap()
    panel.locator("textarea").fill(code)
    panel.get_by_role("button", name=EN["phones_take"]).tap()
    expect(panel.locator(".qr svg")).to_be_visible()
    inn.take(panel.locator("textarea").first.input_value())
    expect(back.locator("iframe:not(.waits)")).to_be_visible(timeout=IN_MS)
    expect(house(back).locator("#heading")).to_have_text("You're in")


def test_a_code_scanned_again_joins_by_one_tap_in_its_own_tab(inn: Host, theirs: BrowserContext) -> None:
    first, second = theirs.new_page(), theirs.new_page()
    answer(first, inn.let_in())
    second.goto(inn.let_in())
    panel = second.locator("#phones")
    expect(panel).to_contain_text(EN["phones_join_this"], timeout=ENGINE_MS)
    expect(panel).to_contain_text(EN["phones_takes_over"])
    assert second.evaluate("peers.length") == 0, "no line before the tap"
    noted = "JSON.parse(localStorage['pubdice shell /'] ?? '{}')"
    assert second.evaluate(f"[{noted}.guest, {noted}.name]") == [None, None], "and nothing is noted"
    expect(first.locator("#phones .qr svg")).to_be_visible()
    panel.get_by_role("button", name=EN["phones_join_it"], exact=True).tap()
    expect(panel.locator(".qr svg")).to_be_visible(timeout=IN_MS)
    expect(first.locator("#status")).to_have_text(EN["moved_away"])
    expect(first.locator("#phones")).to_be_hidden()
    inn.take(panel.locator("textarea").first.input_value())
    expect(second.locator("iframe:not(.waits)")).to_be_visible(timeout=IN_MS)
    assert house(second).url.split("?")[0] == inn.frame.url.split("?")[0], "at the host's table"


def test_a_guest_goes_along_to_the_hosts_next_table(inn: Host, theirs: BrowserContext) -> None:
    guest = come(inn, theirs)
    inn.close_panel()
    table = inn.frame.evaluate("location.pathname")
    house(guest).evaluate("location.href = '/'")
    expect(house(guest).locator("#open")).to_be_attached()
    inn.frame.evaluate("location.href = '/'")
    expect(inn.frame.locator("#open")).to_be_attached()
    open_table(inn, "Ann")
    other = inn.frame.evaluate("location.pathname")
    assert other != table
    until(house(guest), "path => location.pathname === path", other, within_ms=IN_MS)
    expect(guest.frame_locator("iframe").locator("#heading")).to_have_text("Join this table")
    house(guest).evaluate("location.href = '/rules/420'")
    expect(house(guest).get_by_role("heading", level=1)).to_contain_text("420")
    inn.frame.evaluate("path => { location.href = path; }", table)
    expect(guest.locator("#told")).to_have_text(EN["host_goes"])
    guest.locator("#choices").get_by_role("button", name=EN["go_there"]).tap()
    until(house(guest), "path => location.pathname === path", table, within_ms=IN_MS)
    expect(guest.locator("#notice")).to_be_hidden()
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    guest.on("dialog", stay)
    with guest.expect_event("dialog"):
        guest.close(run_before_unload=True)
    assert asked == ["beforeunload"], "a page that goes costs two looks"


@pytest.mark.nightly
def test_a_full_house_replaces_the_guest_longest_out_of_reach(theirs: BrowserContext, shell_host: str) -> None:
    found = visitor(theirs, shell_host).evaluate(FULL)
    assert found == {
        "first": "in",
        "kept": [True, False],
        "was": True,
        "left": False,
        "banned": 0,
        "second": "full",
    }


@pytest.mark.nightly
def test_each_question_of_a_guest_has_its_own_answer(theirs: BrowserContext, shell_host: str) -> None:
    found = visitor(theirs, shell_host).evaluate(QUESTIONS)
    assert found == {"first": "late", "second": "in", "no": "", "busy": ["", 5], "broken": ["", 6]}


def test_a_house_fills_neither_a_guests_memory_nor_its_storage(theirs: BrowserContext, shell_host: str) -> None:
    found = visitor(theirs, shell_host).evaluate(ENDLESS)
    assert found["held"] == 0, "a file without an end is passed on, and not kept"
    assert found["cookies"] < 2000


@pytest.mark.nightly
def test_a_guest_that_leaves_has_its_own_house_again(inn: Host, theirs: BrowserContext) -> None:
    back = come(inn, theirs)
    house(back).locator("a[href='#other-phones']").first.dispatch_event("click")
    back.locator("#phones").get_by_role("button", name=EN["phones_leave"]).tap()
    expect(back.locator("#phones")).to_be_hidden()
    there(back)
    expect(house(back).locator("#player2")).to_be_attached(timeout=ENGINE_MS)
    house(back).evaluate("location.href = '/language'")
    back.frame_locator("iframe").locator("button[value=de]").first.dispatch_event("click")
    expect(back.locator("html")).to_have_attribute("lang", "de")
    back.close()
    again = come(inn, theirs)
    expect(house(again).locator("html"), "the other house has no cookie of it").to_have_attribute("lang", "de")


@pytest.mark.nightly
def test_a_guest_is_told_where_the_tables_are_that_it_sees(inn: Host, theirs: BrowserContext) -> None:
    guest = come(inn, theirs)
    inn.close_panel()
    sit(guest, "Eve")
    assert theirs.pages[0].evaluate("JSON.parse(localStorage['pubdice shell /']).said ?? null") is None
    assert guest.locator("#notice").is_hidden(), "nothing about tables of its own"
    house(guest).locator("a[href='#this-device']").first.dispatch_event("click")
    panel = guest.locator("#panel")
    expect(panel.locator("#where")).to_have_text(EN["guest"])
    expect(panel.locator("#kept")).to_have_text(EN["guest_keeps"])
    expect(panel.locator("#offline")).not_to_be_empty()
    assert panel.locator("#save").is_hidden()
    guest.keyboard.press("Escape")
    inn.frame.locator("a[href='#this-device']").first.dispatch_event("click")
    expect(inn.page.locator("#where")).to_have_text(EN["stays"])
    expect(inn.page.locator("#kept")).to_have_text(re.compile("your tables"))
    inn.page.keyboard.press("Escape")


@pytest.mark.nightly
def test_streams_end_with_the_service_worker_that_passed_them_on(inn: Host, theirs: BrowserContext) -> None:
    """A browser ends a service worker whose stream has lasted some minutes. The page then opens a new stream.

    No port reports the end to the engine, so it must end the old stream itself.
    """
    guest = come(inn, theirs)
    inn.close_panel()
    house(guest).evaluate("path => { location.href = path; }", inn.frame.evaluate("location.pathname"))
    for page, of in ((inn.page, "!ofGuest"), (guest, "ofGuest")):
        opened = f"streams.filter(({{ ofGuest, isOpen }}) => isOpen && {of}).length"
        until(inn.page, f"{opened} === 1")
        number = inn.page.evaluate("streams.length")
        session = page.context.new_cdp_session(page)
        session.send("ServiceWorker.enable")
        session.send("ServiceWorker.stopAllWorkers")
        until(inn.page, f"streams.length > {number}", within_ms=IN_MS)
        until(inn.page, f"{opened} === 1")


@pytest.mark.nightly
def test_a_guest_that_leaves_hears_no_more_of_the_lost_house(inn: Host, theirs: BrowserContext) -> None:
    guest = come(inn, theirs)
    inn.close_panel()
    guest.evaluate(LOSES)
    guest.evaluate(BREAK)
    until(guest, "lost.size === 1")
    house(guest).locator("a[href='#other-phones']").first.dispatch_event("click")
    guest.locator("#phones").get_by_role("button", name=EN["phones_alone"]).tap()
    there(guest)
    assert guest.evaluate("lost.size") == 0


@pytest.mark.nightly
def test_a_phone_that_was_never_in_hears_of_no_seat(inn: Host, theirs: BrowserContext) -> None:
    page = theirs.new_page()
    answer(page, inn.let_in())
    page.evaluate(f"() => {{ {BREAK}; dispatchEvent(new Event('online')); }}")
    until(page, "peers[0].connectionState === 'closed'")
    expect(page.locator("#phones")).not_to_contain_text(EN["phones_over"])
    expect(page.locator("#phones .qr svg")).to_be_visible()


def test_a_broken_line_is_there_again_and_nothing_is_lost(inn: Host, theirs: BrowserContext) -> None:
    guest = come(inn, theirs)
    until(guest, "peers.length > 1 && peers[1].remoteDescription !== null")
    # one after the other: the guest answers the spare line, and the house has that answer before it answers this
    guest.evaluate("peers[1].createAnswer().then(() => null)")
    assert house(guest).evaluate("fetch('/ready').then(({ status }) => status)") == 200
    house(guest).evaluate("addEventListener('online', () => { window.isBack = true; })")
    guest.evaluate(BREAK)
    house(guest).evaluate("() => { window.asked = fetch('/ready').then(({ status }) => status); }")
    until(guest, "peers.some((peer, at) => at && peer.connectionState === 'connected')", within_ms=IN_MS)
    house(guest).wait_for_function("() => window.isBack", timeout=IN_MS)  # the "online" event wakes the page
    assert house(guest).evaluate("asked") == 200, "what was asked meanwhile is answered"
    inn.close_panel()
    sit(guest, "Cy")
    expect(inn.frame.locator("#seats")).to_contain_text("Cy")


@pytest.mark.nightly
def test_a_guest_lets_a_phone_in_and_the_host_sends_it_away(
    inn: Host, theirs: BrowserContext, chromium: Browser
) -> None:
    guest, others = come(inn, theirs), phone(chromium)
    inn.close_panel()
    door = Host(guest)
    third = come(door, others)
    sit(third, "Dora")
    inn.let_in()
    away = inn.page.locator("#phones").get_by_role("button", name=EN["phones_send_away"].format(name="Dora"))
    away.tap()
    expect(third.locator("#phones")).to_contain_text(EN["phones_sent_away"])
    expect(away).to_have_count(0)
    # the house does not let the same phone in again
    third.close()
    code = answer(others.new_page(), inn.let_in())
    inn.take(code)
    expect(inn.page.locator("#phones-status")).to_have_text(EN["phones_away"])
    others.close()


def test_wrong_and_late_codes_are_refused_in_a_sentence(inn: Host, theirs: BrowserContext, pocket_host: str) -> None:
    status = inn.page.locator("#phones-status")
    first = inn.let_in()
    code = code_of(4, b"\xc0\x00\x02\xfd")
    for wrong in ("", "hello", code[:-2], f"{code}AAAA", "A" * 401, first):
        inn.take(wrong)
        expect(status).to_have_text(EN["phones_stale" if wrong == first else "phones_unread"])
        inn.let_in()
    inn.close_panel()
    assert inn.let_in() == first, "it is good until a phone has come in by it"
    wrong_page = theirs.new_page()
    wrong_page.goto(f"{pocket_host}#phones=AAAA")
    expect(wrong_page.locator("#phones-status")).to_have_text(EN["phones_unread"], timeout=ENGINE_MS)
    expect(wrong_page.locator("#phones-status")).to_be_visible()


COUNT_LOOKS = """() => {
  const { getStats } = peers[0];
  window.looks = 0;
  peers[0].getStats = function () {
    window.looks++;
    return getStats.call(this);
  };
}"""


def looked_twice(page: Page) -> None:
    """Wait until a phone has looked twice for the answer to its code."""
    until(page, "before => looks > before + 2", page.evaluate("looks"))


def test_of_two_phones_that_scan_one_code_the_read_one_comes_in(
    inn: Host, theirs: BrowserContext, shell_host: str
) -> None:
    offer = inn.let_in()
    first, second = theirs.new_page(), visitor(theirs, shell_host)
    codes = [answer(first, offer), second.evaluate(LINE, offer.rpartition("=")[2])]
    expect(first.locator("#phones-status")).to_have_text(EN["phones_waits"])
    inn.take(codes[1])
    until(second, "window.link.isOpen", within_ms=IN_MS)  # although another phone had sent messages before it
    expect(inn.page.locator("#phones-status")).to_have_text(EN["phones_in"])
    expect(first.locator("#phones-status")).to_have_text(EN["phones_waits"])
    inn.take(codes[0])
    expect(inn.page.locator("#phones-status")).to_have_text(EN["phones_stale"])
    until(first, READ)
    first.evaluate("(now => { performance.now = () => now + window.later; })(performance.now(), window.later = 0)")
    first.evaluate(COUNT_LOOKS)
    looked_twice(first)
    first.evaluate("later = 9_500")
    looked_twice(first)
    expect(first.locator("#phones-status"), "a lost packet or two is no other phone").to_have_text(EN["phones_waits"])
    first.evaluate("later = 20_000")
    expect(first.locator("#phones-status")).to_have_text(EN["phones_used"], timeout=IN_MS)
    expect(first.locator("#phones").get_by_role("button", name=EN["phones_read_it"])).to_be_visible()


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("kind", "address", "key"),
    [(4, b"\x7f\x00\x00\x01", "phones_apart"), (0, bytes(16), "phones_perhaps")],
    ids=["address", "name"],
)
def test_a_guest_that_finds_no_way_is_shown_a_hotspot(
    kind: int, address: bytes, key: str, theirs: BrowserContext, pocket_host: str
) -> None:
    page, asked = theirs.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.set_viewport_size(SMALL)
    answer(page, f"{pocket_host}#phones={code_of(kind, address)}")
    drawings = page.locator("#phones").get_by_role("img")
    expect(drawings).to_have_count(0)
    assert not [url for url in asked if "hotspot" in url], "the drawings are loaded once they are needed"
    expect(page.locator("#phones-status")).to_have_text(EN[key], timeout=10_000)
    expect(page.locator("#phones")).to_contain_text(HELP["hotspot_what"])
    for at, name in enumerate(("hotspot_on_android", "hotspot_on_iphone")):
        expect(drawings.nth(at)).to_have_accessible_name(HELP[name])
    boxes = [box_of(drawings.nth(at)) for at in (0, 1)]
    assert boxes[0]["y"] == boxes[1]["y"], "side by side on the smallest phone"
    assert [url for url in asked if "hotspot" in url]
    checked(page, key)


@pytest.mark.nightly
def test_a_malformed_message_ends_its_line_alone(inn: Host, theirs: BrowserContext, shell_host: str) -> None:
    page = visitor(theirs, shell_host)
    for message in NOT_OURS:
        line(inn, page)
        page.evaluate("text => link.channel.send(text)", message)
        until(page, "window.gone", within_ms=IN_MS)
    assert inn.frame.evaluate("async () => (await fetch('/ready')).status") == 200, "the house goes on"


def test_no_script_of_another_phone_runs_on_a_guests(
    chromium: Browser, theirs: BrowserContext, pocket_host: str, shell_host: str
) -> None:
    ours = phone(chromium)
    page = visitor(ours, shell_host)
    code = page.evaluate(HOUSE, {"scripts": SCRIPTS, "page": f"<!doctype html><title>x</title>{OWNED}<p id=heading>"})
    guest = theirs.new_page()
    page.evaluate("code => take(code)", answer(guest, f"{pocket_host}#phones={code}"))
    until(
        page, "['table.js', 'evil.js', 'none.js'].every(name => asked.some(at => at.endsWith(name)))", within_ms=IN_MS
    )
    expect(guest.locator("#phones")).to_contain_text(EN["phones_differs"], timeout=IN_MS)
    assert guest.evaluate("window.owned") is None
    ours.close()


PAIRS = """ask => {
  for (let at = 1; at <= 250; at++) {
    link.channel.send(JSON.stringify({ ...ask, ask: at, target: '/rules/threes' }));
    link.channel.send(JSON.stringify({ gone: at }));
  }
  link.channel.send(JSON.stringify({ ...ask, ask: 0, target: '/ready' }));
}"""
"""A script that sends 250 requests and takes back each at once, as a guest may. Then it sends one more."""
BUSY = "() => setTimeout(() => { for (const end = performance.now() + 5000; performance.now() < end; ); })"
"""A script that keeps the engine's worker busy for 5 s, so that it hears all requests before it hears of any that was
taken back."""
RULES_READ = """async () => {
  await fetch('/rules/threes');
  const told = await (await fetch('/metrics')).text();
  const counted = told.split('\\n').filter(line => line.startsWith('pubdice_requests_total{route="/rules/'));
  return counted.reduce((sum, line) => sum + +line.split(' ').at(-1), 0);
}"""


def test_requests_that_a_guest_takes_back_cost_nothing(inn: Host, theirs: BrowserContext, shell_host: str) -> None:
    page = visitor(theirs, shell_host)
    line(inn, page)
    before = inn.frame.evaluate(RULES_READ)
    assert before
    inn.page.workers[0].evaluate(BUSY)
    page.evaluate(PAIRS, ASK)
    until(page, "heard.some(({ head, failed }) => head === 0 || failed === 0) || window.gone")
    assert page.evaluate("window.gone") is False, "501 messages are no flood"
    assert page.evaluate("heard.find(({ head }) => head === 0)?.status") == 200, "and its request has its answer"
    assert inn.frame.evaluate(RULES_READ) - before < 100, "of 250"
    page.evaluate(
        "ask => { for (let at = 1; at <= 2000; at++) link.channel.send(JSON.stringify({ ...ask, ask: at })); }", ASK
    )
    assert inn.frame.evaluate("async () => (await fetch('/ready')).status") == 200
    until(page, "window.gone", within_ms=IN_MS)


def test_where_the_camera_is_refused_the_codes_are_copied(inn: Host) -> None:
    inn.let_in()
    panel = inn.page.locator("#phones")
    panel.get_by_role("button", name=EN["phones_read_it"]).tap()
    expect(panel.locator("#phones-status")).to_have_text(EN["phones_no_camera"])
    expect(panel.get_by_role("button", name=EN["phones_take"])).to_be_visible()


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.nightly), "dark"], ids=["light", "dark"])
def test_the_panel_can_be_used_on_the_smallest_phone(inn: Host, theirs: BrowserContext, scheme: Any) -> None:
    guest = theirs.new_page()
    for page in (inn.page, guest):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(SMALL)
    code = inn.let_in()
    assert len(code) <= 300
    checked(inn.page, "the host's code")
    shown = answer(guest, code)
    checked(guest, "the guest's code")
    inn.take(shown)
    expect(guest.locator("iframe:not(.waits)")).to_be_visible(timeout=IN_MS)
    assert house(guest).url.split("?")[0] == inn.frame.url.split("?")[0], "at the host's table"
    inn.let_in()
    expect(inn.page.locator("#phones").get_by_role("button", name=re.compile("^Send .* away$")).first).to_be_visible()
    checked(inn.page, "a guest that can be sent away")
    house(guest).locator("a[href='#other-phones']").first.dispatch_event("click")
    expect(guest.locator("#phones")).to_be_visible()
    checked(guest, "the guest's panel")
    for page in (inn.page, guest):
        page.set_viewport_size(PHONE)
    inn.close_panel()


def test_a_reloaded_house_is_alone_and_lets_phones_in_again(inn: Host) -> None:
    """Reload the host's page. The test must be the last with ``inn``, as its phone is then a house without guests."""
    table = inn.frame.evaluate("location.pathname")
    inn.frame.evaluate("location.href = '/'")
    expect(inn.frame.locator("#open button[value=bot]").first).to_be_attached()
    inn.page.reload()
    there(inn.page)
    expect(inn.frame.locator("#open button[value=phone]").first).to_be_attached()
    inn.frame.evaluate("path => { location.href = path; }", table)
    expect(inn.frame.locator("#heading")).to_have_text("Who plays on this phone?")
    inn.let_in()
    inn.close_panel()
    expect(inn.frame.locator("#door svg")).to_be_visible()
