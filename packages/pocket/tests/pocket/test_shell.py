"""The page round the engine, in Chromium: it loads, shows the house, follows its page, and gives way to another tab.

If the house itself does not matter, a few pages replace its engine (``stand_in_engine.js``).
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from benchmarks.pocket import SNAPSHOT
from pocket.shell_pages import BELOW, EN, SAID, context_on, copied, engine, focused, house, path_of, status, visit
from pocket.small_folder import publish
from support.browser import PHONE, launched, until
from support.static_host import StaticHost

FIRST_MS = 180_000
"""The time limit of a first start, which imports everything. With two cores it takes 20 s alone, and a minute beside
other tests.
"""
TUMBLED = """
  window.tumbled = 0;
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) {
    if (this.closest('.dice')) tumbled++;
    return animate.apply(this, how);
  };
  let lots = 0;
  Math.random = () => [0.4, 0.99][lots++ % 2];
"""
"""A script that counts the animations of dice in ``tumbled``, and makes ``Math.random`` return 0.4 and 0.99 in turn."""
FACES = "dice => dice.map(die => die.dataset.face)"
SQUARE = "dice => dice.map(die => getComputedStyle(die).transform)"
FILES_CAME = f"""async () => {{
  const {{ installing, starting }} = await import('/{BELOW}pocket/shell_page.js');
  const turn = () => new Promise(done => setTimeout(done));
  installing(1e6, 2e6);
  await turn();
  starting('interpreter');
  for (let told = 0; told < 2; told++) {{
    installing(2e6, 2e6);
    await turn();
  }}
}}"""
"""A script: the last file comes while the engine starts. The page hears the final amount twice: with that file, and
after the check of all files.
"""
AMOUNTS = """
  window.bytes = [];
  new MutationObserver(changes => {
    for (const { target, addedNodes } of changes)
      if (target.id === 'amount') bytes.push(...Array.from(addedNodes, ({ textContent }) => textContent));
  }).observe(document, { subtree: true, childList: true });
"""
"""An init script that records each amount shown, even one replaced before the browser draws it."""
VERSION = """new Promise(done => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => done(data.version);
  navigator.serviceWorker.controller.postMessage({ version: true }, [port2]);
})"""


@pytest.fixture
def whole(pocket_folder: Path, tmp_path: Path) -> Iterator[StaticHost]:
    copied(pocket_folder, tmp_path)
    with StaticHost(tmp_path, BELOW) as whole:
        yield whole


def test_a_first_visit_tells_how_far_it_is_to_the_house(chromium: Browser, whole: StaticHost) -> None:
    whole.held = {"front.json.lzma"}  # so no page covers the dice before they are tapped, also on a fast machine
    context = context_on(chromium, whole.address, reduced_motion="no-preference", has_touch=True, viewport=PHONE)
    page = context.new_page()
    page.add_init_script(TUMBLED + SAID + AMOUNTS)
    page.goto("./")
    dice = page.locator("#start .dice li")
    for die in dice.all():
        die.tap()
    assert page.evaluate("tumbled") == 6
    assert dice.evaluate_all(FACES) == ["3", "6", "3", "6", "3", "6"]
    whole.let_go.set()
    expect(page.locator("#start")).to_be_hidden(timeout=FIRST_MS)
    expect(page.locator("iframe:not(.waits, .early)")).to_be_visible(timeout=FIRST_MS)
    numbers = page.evaluate("bytes")
    assert [each for each in numbers if each.startswith("Step")][-3:] == [f"Step {step} of 4" for step in (2, 3, 4)]
    told = [found for each in numbers if (found := re.fullmatch(r"([\d.]+) of ([\d.]+) MB", each))]
    loaded = [float(found[1]) for found in told]
    assert loaded == sorted(loaded)
    assert 5 < loaded[-1] == float(told[-1][2])
    assert focused(page) == "IFRAME"
    assert page.title() == "Pub dice for your table | Pubdice"
    house(page).locator("#name").fill("Ann")
    house(page).locator("#open button.main").click()
    house(page).locator("#main").wait_for()
    expect(page).to_have_url(re.compile(rf"/{BELOW}t/[^/]+$"))
    table, title = page.url, page.title()
    assert "Midnight" in title
    until(page, SNAPSHOT, within_ms=FIRST_MS)
    whole.stop()  # the phone has no network now, as on a train
    page.reload()
    expect(page.locator("#start")).to_be_hidden(timeout=FIRST_MS)
    house(page).locator("#main").wait_for()
    assert (page.url, page.title()) == (table, title), "the table is still there"
    assert EN["interpreter"] not in page.evaluate("said"), "it began with the snapshot of memory"
    packed = [path for path in whole.asked if re.search(r"/pocket/(engine/.*|house\.zip)\.lzma$", path)]
    assert len(packed) == len(set(packed)) == 7, "what is large is fetched once, packed"
    context.close()


def test_dice_turn_without_a_tumble_where_motion_is_reduced(chromium: Browser, host: StaticHost) -> None:
    context = context_on(chromium, host.address, has_touch=True, viewport=PHONE)
    page = visit(context, TUMBLED + engine("this.tell({ stage: 'files' });"), ready=False)
    dice = page.locator("#start .dice li")
    expect(status(page)).to_have_text(EN["files"])
    assert dice.evaluate_all(FACES) == ["1", "4", "6", "6", "5", "6"]
    for _ in range(2):
        for die in dice.all():
            die.tap()
    assert dice.evaluate_all(FACES) == ["3", "6", "3", "6", "3", "6"], "each by its own lot"
    assert page.evaluate("tumbled") == 0
    assert set(dice.evaluate_all(SQUARE)) == {"none"}, "they lie square"
    expect(status(page)).to_have_text(EN["files"])
    context.close()


def test_a_page_told_twice_of_its_files_begins_no_step_again(chromium: Browser, host: StaticHost) -> None:
    context = context_on(chromium, host.address)
    page = visit(context, engine("this.tell({ stage: 'files' });"), ready=False)
    expect(status(page)).to_have_text(EN["files"])
    page.evaluate("said.length = 0")
    page.evaluate(FILES_CAME)
    steps = [EN[each] for each in ("installing", "interpreter")]
    assert page.evaluate("said") == steps
    # already announced: a screen reader that reads the page would say it again
    expect(status(page)).to_have_attribute("aria-hidden", "true")
    context.close()


@pytest.mark.nightly
def test_address_title_language_and_theme_follow_the_house(home: BrowserContext) -> None:
    page = visit(home, engine())
    assert (path_of(page), page.title()) == (f"/{BELOW}", "At / | Pubdice")
    colour = page.locator("meta[name=theme-color]").evaluate("node => [...node.attributes].map(each => each.name)")
    assert colour == ["name", "content"], "nothing else of a page that may be another phone's gets into the tab"
    house(page).locator("#table").click()
    expect(house(page).locator("h1")).to_have_text("At /t/ABCDEF")
    assert (path_of(page), page.title()) == (f"/{BELOW}t/ABCDEF", "At /t/ABCDEF | Pubdice")
    expect(page.locator("iframe")).to_have_attribute("title", "At /t/ABCDEF | Pubdice")
    page.frames[1].evaluate("document.title = 'Your turn – Midnight'")
    expect(page).to_have_title("Your turn – Midnight")
    house(page).locator("#dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    house(page).locator("#german").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.go_back()
    expect(page).to_have_title("At /dark | Pubdice")
    titles = """() => new Promise(done => {
      const { contentWindow } = document.querySelector('iframe');
      contentWindow.addEventListener('pagehide', () => done(document.querySelector('iframe').title));
      contentWindow.location.reload();
    })"""
    assert page.evaluate(titles) == "", "while a page comes, nothing hides its own title (Firefox)"
    page.go_back()
    expect(house(page).locator("h1")).to_have_text("At /t/ABCDEF")
    assert path_of(page) == f"/{BELOW}t/ABCDEF"
    page.go_forward()
    expect(house(page).locator("h1")).to_have_text("At /dark")
    assert path_of(page) == f"/{BELOW}dark"


@pytest.mark.nightly
def test_the_house_is_told_which_languages_the_browser_reads(chromium: Browser, host: StaticHost) -> None:
    """Chromium adds the Accept-Language header only after the service worker, so that never sees it.

    Playwright's ``locale`` would show it to the service worker, so the test sets a flag of Chromium instead.
    """
    german = launched(chromium.browser_type, "--accept-lang=de-CH,de")
    page = visit(context_on(german, host.address, locale=None), engine())
    house(page).locator("#table").click()
    expect(house(page).locator("h1")).to_have_text("At /t/ABCDEF")
    assert set(page.evaluate("tongues")) == {page.evaluate("navigator.languages.join()")}
    german.close()


@pytest.mark.parametrize("path", ["", "t/ABCDEF?step=3#play", pytest.param("index.html", marks=pytest.mark.nightly)])
def test_a_link_opened_directly_lands_on_its_page(home: BrowserContext, path: str) -> None:
    page = visit(home, engine(), path)
    there = path.removesuffix("index.html")
    expect(house(page).locator("h1")).to_have_text(f"At /{there.partition('#')[0]}")
    assert path_of(page) == f"/{BELOW}{there}"
    assert page.evaluate("document.querySelector('link[rel=manifest]').href").endswith(f"/{BELOW}manifest.webmanifest")


def test_an_address_with_two_slashes_leads_to_no_other_host(home: BrowserContext) -> None:
    page = visit(home, engine())
    asked = page.evaluate(
        "async () => { history.replaceState(null, '', `${location.origin}//other.example/t`);"
        f" const {{ wanted }} = await import('/{BELOW}pocket/shell_frame.js');"
        " return [wanted(new URL('/', location.origin)), location.origin]; }"
    )
    assert asked[0] == f"{asked[1]}//other.example/t"


def test_nothing_but_the_house_can_be_reached_with_the_tab_key(home: BrowserContext) -> None:
    page = visit(home, engine())
    assert focused(page) == "IFRAME"
    found = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        found.add(focused(page))
    assert found <= {"IFRAME", "BODY"}


def test_a_wrong_field_has_the_focus_in_the_frame_too(home: BrowserContext) -> None:
    page = visit(home, engine())
    house(page).locator("#dark").click()
    expect(house(page).locator("#name")).to_be_focused()


@pytest.mark.nightly
def test_a_form_of_another_website_is_told_from_one_of_the_house(
    home: BrowserContext, host: StaticHost, tmp_path: Path
) -> None:
    page = visit(home, engine())
    house(page).locator("#move").click()
    expect(house(page).locator("h1")).to_have_text("At /move")
    move = f"POST /{BELOW}move"
    assert page.evaluate("asked.at(-1)") == f"{move} same-origin"
    (tmp_path / "other.html").write_text(
        f'<iframe name="in"></iframe><form method="post" target="in" action="{host.address}move"><button id="in">'
        f'in</button></form><form method="post" action="{host.address}move"><button id="top">top</button></form>'
    )
    with StaticHost(tmp_path) as other:  # a different port makes a different origin
        foreign = home.new_page()
        foreign.goto(f"{other.address}other.html")
        foreign.locator("#in").click()
        until(page, "asked.at(-1).endsWith('cross-site')")
        assert page.evaluate("asked.at(-1)") == f"{move} cross-site", "which the house refuses, as from any browser"
        count = page.evaluate("asked.length")
        foreign.locator("#top").click()
        expect(status(foreign)).to_have_text(EN["other_tab"])
        assert page.evaluate("asked.length") == count, "the whole page is the shell, and only asks to see something"


@pytest.mark.nightly
def test_a_second_tab_says_so_and_can_take_over(home: BrowserContext) -> None:
    first = visit(home, engine(), "t/ABCDEF")
    second = visit(home, engine(), ready=False)
    expect(status(second)).to_have_text(EN["other_tab"])
    assert second.locator("iframe").count() == 0
    second.get_by_role("button", name=EN["here"]).click()
    expect(second.locator("#start")).to_be_hidden()
    expect(status(first)).to_have_text(EN["moved_away"])
    assert first.evaluate("asked").count("end") == 1, "its files are closed before the other tab opens them"
    assert first.locator("iframe").count() == 0
    first.bring_to_front()
    here = first.get_by_role("button", name=EN["here"])
    first.keyboard.press("Tab")
    expect(here).to_be_focused()
    expect(here).to_have_accessible_description(EN["moved_away"])
    first.get_by_role("button", name=EN["here"]).click()
    expect(house(first).locator("h1")).to_have_text("At /t/ABCDEF")
    expect(status(second)).to_have_text(EN["moved_away"])


def test_a_tab_that_is_closed_lets_the_next_one_play(home: BrowserContext) -> None:
    visit(home, engine()).close()
    visit(home, engine())


def test_a_new_version_is_used_only_at_the_players_word(chromium: Browser, shell_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(shell_folder, tmp_path / BELOW)
    with StaticHost(tmp_path, BELOW) as host:
        context = context_on(chromium, host.address)
        page = visit(context, engine())
        house(page).locator("#table").click()
        expect(house(page).locator("h1")).to_have_text("At /t/ABCDEF")
        page.locator("#notice").get_by_role("button", name=EN["ok"]).click()
        worker = tmp_path / BELOW / "sw.js"
        publish(worker, re.sub(rb'("version": ")', rb"\1next-", worker.read_bytes(), count=1))
        page.evaluate("window.stays = true; navigator.serviceWorker.getRegistration().then(each => each.update())")
        expect(page.locator("#notice")).to_contain_text(EN["new_version"])
        assert focused(page) == "IFRAME"
        assert page.evaluate("stays"), "it never reloads by itself"
        page.get_by_role("button", name=EN["later"]).click()
        page.reload()
        expect(page.locator("#told")).to_have_text(EN["new_version"])
        page.get_by_role("button", name=EN["use_it"]).click()
        page.wait_for_function("() => !window.stays")
        expect(house(page).locator("h1")).to_have_text("At /t/ABCDEF")
        expect(page.locator("#notice")).to_be_hidden()
        assert page.evaluate(VERSION).startswith("next-")
        context.close()


def test_a_link_that_saves_gives_the_file_of_the_engine(chromium: Browser, host: StaticHost) -> None:
    context = context_on(chromium, host.address)
    page = visit(context, engine())
    before = path_of(page)
    with page.expect_download() as saved:
        house(page).get_by_role("link", name="Save", exact=True).press("Enter")
    assert saved.value.suggested_filename == "a.record"
    assert Path(saved.value.path()).read_text("utf-8") == "pubdice 1"
    assert not [path for path in host.asked if "saved" in path], "the host was asked"
    house(page).get_by_role("link", name="Save nothing").click()
    expect(page.locator("#told")).to_have_text(EN["not_saved"])
    assert path_of(page) == before
    expect(house(page).get_by_role("heading")).to_be_visible()
    context.close()


def test_the_address_follows_a_page_to_its_next_table(chromium: Browser, host: StaticHost) -> None:
    context = context_on(chromium, host.address)
    page = visit(context, engine())
    house(page).locator("html").evaluate(
        "() => { history.pushState(null, '', new URL('t/NEXT', location)); document.title = 'Next'; }"
    )
    expect(page).to_have_title("Next")
    assert path_of(page) == f"/{BELOW}t/NEXT"
    context.close()
