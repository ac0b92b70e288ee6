"""What the page asks of the house: once each, in order, and what it makes of the answers."""

from playwright.sync_api import BrowserContext, expect

from browser.client.page import PACE, Open, heard
from browser.scripted_house import House, page_html, update, view


def test_a_dropped_answer_is_asked_for_again_under_the_same_key_and_the_next_command_waits(
    visit: Open, house: House
) -> None:
    page, _ = visit(view(0, ask="roll"), extra=PACE)
    house.answers.extend([None, (200, "<html>a portal</html>")])
    page.keyboard.press("r")
    page.locator("#pacing button").click()
    posts = house.posted(4)
    assert [post["do"] for post in posts] == ["roll", "roll", "roll", "pace"]
    keys = [post["key"] for post in posts]
    assert len(set(keys[:3])) == 1
    assert keys[3] != keys[0]
    assert all(len(key) == 22 for key in keys)
    times = [int(key[:12], 16) for key in keys]
    assert 1_600_000_000_000 < times[0] <= times[3], "keys are in order of time, for the store's index"
    heard(page, "Not sent yet.")


def test_a_refusal_is_shown_and_said_at_once(visit: Open, house: House) -> None:
    page, _ = visit(view(0, ask="roll"), extra=PACE)
    house.answers.append((409, {"code": "keep-one", "why": "Keep at least one."}))
    page.locator("#main").click()
    expect(page.locator("#refusal")).to_have_text("Keep at least one.")
    heard(page, "Keep at least one.", urgent=True)
    house.answers.append((403, {"code": "host", "why": "Only the host."}))
    page.locator("#pacing button").click()
    expect(page.locator("#pacing .refusal")).to_have_text("Only the host.")
    expect(page.locator("#refusal")).to_be_visible()
    assert house.posts[-1] == {"key": house.posts[-1]["key"], "do": "pace", "ms": 400, "seen": 0}
    page.locator("#main").click()
    expect(page.locator("#refusal")).to_be_hidden()


def test_a_house_that_cannot_store_is_asked_again_and_then_believed(visit: Open, house: House) -> None:
    page, _ = visit(view(0, ask="roll"))
    house.answers.extend([(503, {"code": "stored", "why": "It could not be stored."})] * 3)
    page.locator("#main").click()
    expect(page.locator("#refusal")).to_have_text("It could not be stored.")
    assert len({post["key"] for post in house.posted(3)}) == 1


HINTING = """<form id="hinting" method="post" action="/t/ABCDEF"><input type="hidden" name="do" value="hint">
<button id="ask-hint">Hint</button><p class="hint"></p></form>"""


def test_a_hint_on_its_way_is_told_once(visit: Open, house: House, context: BrowserContext) -> None:
    context.clock.install()
    page, _ = visit(view(0, 5, 4, 4), extra=HINTING)
    house.answers.extend([(200, {"seq": 0, "said": said}) for said in ["Sending."] * 3 + ["Keep 5."] * 2])
    page.locator("#ask-hint").click()
    for asked in range(1, 4):
        house.posted(asked)
        heard(page, "Sending.")
        expect(page.locator("#hinting .hint")).to_have_text("Sending.")
        context.clock.run_for(2_000)
    heard(page, "Sending.", "Keep 5.")
    page.locator("#ask-hint").click()
    heard(page, "Sending.", "Keep 5.", "Keep 5.")


SITTING = """<form id="sit" method="post" action="/t/ABCDEF"><input type="hidden" name="do" value="sit">
<input id="name" name="name"><button>Sit</button></form>"""


def test_a_refused_field_is_marked_described_and_has_the_focus_until_it_is_asked_again(
    visit: Open, house: House
) -> None:
    page, _ = visit(view(0, ask="roll"), extra=SITTING)
    house.answers.append((409, {"code": "name", "why": "Take another name."}))
    page.locator("#sit button").click()
    name = page.locator("#name")
    expect(name).to_be_focused()
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_have_accessible_description("Take another name.")
    name.fill("Bo")
    name.press("Enter")
    expect(name).not_to_have_attribute("aria-invalid", "true")
    expect(name).not_to_have_attribute("aria-describedby", "sit-why")


def test_a_refusal_stays_when_the_page_is_renewed_until_somebody_had_time_to_read_it(
    visit: Open, house: House, context: BrowserContext
) -> None:
    context.clock.install()
    page, line = visit(view(0, ask="roll"), extra=SITTING)
    house.answers.append((409, {"code": "name", "why": "Take another name."}))
    page.locator("#sit button").click()
    name = page.locator("#name")
    expect(name).to_have_accessible_description("Take another name.")
    for seq, wait_ms, refused in ((1, 0, True), (2, 24_100, False)):
        context.clock.run_for(wait_ms)
        line = house.line() if wait_ms else line  # silent for 20 s, it is dead; the next comes within 4 s
        house.html = page_html(seq=seq, shape=seq, extra=f"{SITTING}<p id='new'>{seq}</p>")
        line.send(update(seq, shape=seq))
        expect(page.locator("#new")).to_have_text(f"{seq}")
        expect(page.locator("#sit .refusal")).to_have_count(int(refused))
        expect(name).to_have_accessible_description("Take another name." if refused else "")


def test_a_command_that_waits_for_its_answer_is_told_of_once_and_taken_back_with_it(visit: Open, house: House) -> None:
    page, _ = visit(view(0, ask="roll"))
    house.hold.clear()
    page.keyboard.press("r")
    heard(page)
    expect(page.locator("#connection")).to_have_text("Sending.")
    heard(page, "Sending.")
    page.wait_for_timeout(1_800)
    heard(page, "Sending.")
    house.hold.set()
    expect(page.locator("#connection")).to_be_hidden()
    heard(page, "Sending.")


def test_a_bank_that_is_not_offered_can_be_asked_for_by_its_key(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 5, 4, bank=None))
    expect(page.locator("#bank")).to_be_hidden()
    page.keyboard.press("b")
    assert house.posted(1)[0]["do"] == "bank"


def test_an_answer_may_lead_elsewhere(visit: Open, house: House) -> None:
    page, _ = visit(extra=PACE)
    house.answers.append((200, {"seq": 1, "go": "/t/GHIJKL"}))
    page.locator("#pacing button").click()
    page.wait_for_url("**/t/GHIJKL")


def test_who_sits_down_stays_on_the_page_and_listens_as_who_they_are_now(visit: Open, house: House) -> None:
    page, _ = visit(extra=PACE)
    page.evaluate("document.body.dataset.same = 'yes'")
    house.html = page_html(seq=1, shape=1, extra="<p id='new'>You sit.</p>")
    house.answers.append((200, {"seq": 1, "go": "/t/ABCDEF"}))
    page.locator("#pacing button").click()
    expect(page.locator("#new")).to_be_visible()
    again = house.line()
    assert again.begun == 0
    again.send(update(1, "Ada takes a seat.", shape=1))
    heard(page, "Ada takes a seat.")
    expect(page.locator("body")).to_have_attribute("data-same", "yes")
