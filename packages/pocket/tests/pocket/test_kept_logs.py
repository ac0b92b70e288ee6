"""Tests of the logs of tables that a phone keeps, in a real browser. The test chooses the messages that the houses
send.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pocket.clean_phone import clean
from pocket.phones import EN, IN_MS, phone
from pocket.test_going_on_as_host import TOLD
from support.browser import until

HOUSES = """
  window.houses = (name, logs) => (asked, port) => {
    const [path, query] = asked.target.split('/kept');
    const { lines, you = 'me', people = {}, no } = logs[path];
    const from = Number(/from=(\\d+)/.exec(query)?.[1] ?? 0);
    (window.asked ??= []).push([name, path, query]);
    port.postMessage({ status: 200, headers: [] });
    const say = (message, more) => port.postMessage(
      { part: new TextEncoder().encode(`${JSON.stringify(message)}\\n`), more });
    if (no) return say({ no }, false);
    say({ from, lines: lines.slice(from), people, you, whole: true }, false);
  };
  window.follow = async (...given) => (await import('/pocket/going_on/kept.js')).follow(...given);
  window.keep = async (name, logs) => {
    const told = [];
    for (const path of Object.keys(logs))
      await follow(name, houses(name, logs), `${path}/events?from=3`, (other, { number, further }) =>
        told.push([other.house, other.path, number, further]));
    return told;
  };
  window.toGoOn = async name => (await import('/pocket/going_on/kept.js')).toGoOn(name);
  window.kept = async () => (await (await import('/pocket/going_on/kept.js')).keptTables()).length;
"""
BEGUN = ['{"pubdice": 3}', "1 sat 0 ann Ann", "2 sat 1 bob Bob", "3 started", "4 roll 123456", "5 play k1"]
MORE = [*BEGUN, "6 roll 23456", "7 mark 1"]
STORY = [*BEGUN, "9 wenton 0123456789abcdef 2 bob bob-there", "10 roll 55555"]
OTHER_STORY = [*BEGUN, "9 wenton fedcba9876543210 2 cid cid-there"]
YET_A_STORY = [*BEGUN, "9 wenton 0123456789abcdef 2 bob bob-there"]
A_MARK_MORE = [*BEGUN, "6 mark 1"]


def quiet(page: Page, address: str) -> Page:
    """Return a page that shows nothing, on a phone that has the folder's files."""
    page.goto(address, wait_until="commit")
    until(page, "navigator.serviceWorker.controller !== null")
    page.goto(f"{address}pocket/licences.html")
    return page


@pytest.fixture(scope="module")
def installed(chromium: Browser, shell_host: str) -> Iterator[BrowserContext]:
    """A phone that has the folder's files, and the simulated houses of a test. Fetching the files takes 0.4 s."""
    yield from phone_with(chromium, shell_host)


@pytest.fixture(scope="module")
def pocket_installed(chromium: Browser, pocket_host: str) -> Iterator[BrowserContext]:
    """A phone that has a whole pocket's files, and the simulated houses of a test."""
    yield from phone_with(chromium, pocket_host)


def phone_with(browser: Browser, address: str) -> Iterator[BrowserContext]:
    context = phone(browser)
    context.add_init_script(HOUSES)
    quiet(context.new_page(), address)
    yield context
    context.close()


@pytest.fixture
def own(installed: BrowserContext, shell_host: str) -> Page:
    """A page of a phone that is no guest yet."""
    return clean(installed, shell_host)


@pytest.fixture
def in_pocket(pocket_installed: BrowserContext, pocket_host: str) -> Page:
    """A page of a phone that is no guest yet, with the files of a whole pocket."""
    return clean(pocket_installed, pocket_host)


def keep(page: Page, house: str, **logs: Any) -> list[list[Any]]:
    """Keep tables of a house, each by the last part of its path. Return the other courses of these matches that the
    phone reports.
    """
    told = {f"/t/{name}": log if isinstance(log, dict) else {"lines": log} for name, log in logs.items()}
    return list(page.evaluate("([name, logs]) => keep(name, logs)", [house, told]))


def test_a_phone_keeps_a_log_and_asks_only_for_news(own: Page) -> None:
    assert keep(own, "aa", T={"lines": BEGUN, "people": {"ann": "", "cid": "cc"}, "you": "bob"}) == []
    own.reload()
    keep(own, "aa", T=MORE)
    (_, path, query) = own.evaluate("asked")[0]
    assert path == "/t/T"
    assert query.startswith(f"?from={len(BEGUN)}&last=")
    found = own.evaluate("toGoOn('')")
    assert found == {
        "tables": [{"lines": MORE, "you": "me", "people": {"ann": "aa", "cid": "cc"}}],
        "isSealed": False,
    }


@pytest.mark.parametrize(
    ("before", "log", "then", "told"),
    [
        (["aa", BEGUN], STORY, "bb", []),
        (["aa", A_MARK_MORE], STORY, "bb", []),
        (["aa", MORE], STORY, "bb", [["aa", "/t/T", 2, "both"]]),
        (["aa", MORE], OTHER_STORY, "bb", [["aa", "/t/T", 2, "there"]]),
        (["bb", STORY], OTHER_STORY, "cc", [["bb", "/t/T", 2, "there"]]),
        (["bb", OTHER_STORY], STORY, "cc", [["bb", "/t/T", 2, "here"]]),
        (["bb", OTHER_STORY], YET_A_STORY, "cc", []),
        (["", BEGUN], STORY, "bb", [["", "/t/T", 2, "here"]]),
        (["", BEGUN], OTHER_STORY, "bb", []),
        (["", STORY], BEGUN, "aa", [["", "/t/T", 2, "there"]]),
        (["", BEGUN], BEGUN, "aa", []),
        (["aa", ["{}", *MORE[1:]]], STORY, "bb", []),
    ],
    ids=[
        *("behind", "marks", "both moved", "saw more", "the other is further", "this is further", "no player moved"),
        *("own went on", "own host is back at once", "old host", "same", "another table"),
    ],
)
def test_two_courses_of_one_table_are_told_apart_once(
    own: Page, before: list[Any], log: list[str], then: str, told: list[Any]
) -> None:
    house, lines = before
    assert keep(own, house, T=lines) == []
    assert keep(own, then, T2=log) == told
    own.reload()
    assert keep(own, then, T2=log) == []


def test_a_house_with_another_log_replaces_nothing(own: Page) -> None:
    """The house's phone has restored an older file, and goes on from there."""
    keep(own, "aa", T=STORY)
    told = own.evaluate(
        """async lines => {
          const told = [];
          const house = (asked, port) => {
            port.postMessage({ status: 200, headers: [] });
            const text = JSON.stringify({ from: 0, lines, you: 'me', people: {}, whole: true });
            port.postMessage({ part: new TextEncoder().encode(`${text}\n`), more: false });
          };
          await follow('aa', house, '/t/T/events', (other, { number }) => told.push([other.house, number]));
          return told;
        }""",
        MORE,
    )
    assert told == [["aa", 2]]
    assert own.evaluate("kept()") == 2


def test_few_tables_are_kept_and_no_sealed_or_endless_one(own: Page) -> None:
    keep(own, "aa", **{f"T{number}": [f'{{"pubdice": {number}}}', *BEGUN[1:]] for number in range(14)})
    assert own.evaluate("kept()") == 12
    long = [f'{{"pubdice": "{"x" * 1000}"}}', *["1 nudged 0" + "0" * 1000] * 1500]
    keep(own, "bb", S={"no": "sealed", "lines": []}, L=long, N=BEGUN)
    keep(own, "bb", S={"no": "sealed", "lines": []})
    found = own.evaluate("toGoOn('bb')")
    assert [table["lines"] for table in found["tables"]] == [BEGUN]
    assert found["isSealed"]
    assert own.evaluate("kept()") == 12


SAYS = """
  // a house that says these parts, one after the other, and goes on as long as it is heard
  window.says = (...parts) => (asked, port) => {
    port.onmessage = () => (window.ended = (window.ended ?? 0) + 1);
    port.postMessage({ status: 200, headers: [] });
    for (const part of parts)
      port.postMessage({ part: typeof part === 'string' ? new TextEncoder().encode(part) : part, more: true });
  };
  window.line = message => `${JSON.stringify(message)}\\n`;
  // so often what is kept is taken back
  window.noRoom = times => {
    const put = IDBObjectStore.prototype.put;
    window.refused = 0;
    IDBObjectStore.prototype.put = function (...given) {
      const asked = put.apply(this, given);
      if (this.name === 'lines' && refused++ < times) this.transaction.abort();
      return asked;
    };
  };
  window.during = (work, ms = 10_000) => Promise.race([work, new Promise(late => setTimeout(late, ms, 'still'))]);
"""


@pytest.fixture
def hearing(own: Page) -> Page:
    """A page with a house whose messages a test chooses."""
    own.evaluate(SAYS)
    return own


WRONG = """[
  line({ from: 0, lines: [{}, {}] }),
  line({ from: 0, lines: ['{}', '1 sat\\n2 sat'] }),
  line({ from: 0, lines: ['{}'], people: { 'a b': '' } }),
  line({ from: 0, lines: ['{}'], people: { ann: 'x'.repeat(99) } }),
  line({ from: 0, lines: ['{}'], you: 'bob\\n' }),
  line({ from: 0, lines: ['{}'], no: 'x'.repeat(99) }),
  line({ from: 1, lines: ['{}'] }),
  line({ from: 'a', lines: ['{}'] }),
  'x\\n',
  new Uint8Array(1_600_000).fill(32),
  line({ from: 0, lines: ['{}', ...Array(20_000).fill('')] }),
]"""
"""Messages about a table in a form of no house of ours."""


def test_a_log_that_no_house_of_ours_says_is_not_kept(hearing: Page) -> None:
    hearing.evaluate(
        f"""async () => {{
          window.ends = [];
          for (const [at, said] of {WRONG}.entries()) {{
            window.ended = 0;
            await during(follow('aa', says(said), `/t/T${{at}}/events`, () => {{}}));
            for (let tries = 0; tries < 1000 && !ended; tries++) await new Promise(done => setTimeout(done, 10));
            ends.push(ended);
          }}
        }}"""
    )
    assert hearing.evaluate("ends") == [1] * 11, "the house is told that its log is not read"
    assert hearing.evaluate("toGoOn('aa')") == {"tables": [], "isSealed": False}


def test_persons_that_a_house_makes_up_are_few(hearing: Page) -> None:
    found = hearing.evaluate(
        """async () => {
          const { keptTables } = await import('/pocket/going_on/kept.js');
          const many = at => Object.fromEntries(Array.from({ length: 40 }, (_, of) => [`p${at}x${of}`, 'ab']));
          const begun = line({ from: 0, lines: ['{}'], you: 'me' });
          const later = [1, 2, 3].map(at => line({ people: many(at) }));
          follow('aa', says(begun, ...later), '/t/T/events', () => {});
          let people = {};
          for (let tries = 0; tries < 1200 && !('p3x39' in people); tries++) {
            await new Promise(done => setTimeout(done, 50));
            people = (await keptTables())[0]?.people ?? {};
          }
          return Object.keys(people);
        }"""
    )
    assert len(found) == 64
    assert found[-1] == "p3x39"


def test_a_phone_follows_few_tables_and_leaves_the_oldest(hearing: Page) -> None:
    """Each kept log takes one of the 48 requests that a guest may have open, and an evening has many tables."""
    found = hearing.evaluate(
        """async () => {
          const open = [];
          const rest = ms => new Promise(done => setTimeout(done, ms));
          for (let at = 0; at < 12; at++) {
            const house = (asked, port) => {
              open.push(at);
              port.onmessage = () => open.splice(open.indexOf(at), 1);
              const said = line({ from: 0, lines: [`{"at": ${at}}`], you: 'me' });
              says(said)(asked, { postMessage: port.postMessage.bind(port) });
            };
            follow('aa', house, `/t/T${at}/events`, () => {});
            for (let tries = 0; tries < 3000 && !open.includes(at); tries++) await rest(10);
            if (at !== 10) continue;
            follow('aa', house, '/t/T7/events', () => {}); // seen again: it stays
            await rest(100);
          }
          for (let tries = 0; tries < 3000 && open.length > 4; tries++) await rest(10);
          return open;
        }"""
    )
    assert sorted(found) == [7, 9, 10, 11]


@pytest.mark.nightly
def test_a_shown_code_stays_while_another_course_is_told(in_pocket: Page) -> None:
    keep(in_pocket, "", O=STORY)
    in_pocket.evaluate(
        """async logs => {
          const { show, make } = await import('/pocket/phones/sheet.js');
          const { keepOwn } = await import('/pocket/going_on/offer.js');
          show(make('p', '', { className: 'qr' }), make('textarea', ''));
          document.querySelector('#phones textarea').focus();
          keepOwn(houses('', logs), '/t/T/kept');
        }""",
        {"/t/T": {"lines": OTHER_STORY}},
    )
    panel = in_pocket.locator("#phones")
    told = TOLD["going_on_own_behind"].format(number=2)
    expect(panel.locator(f".qr ~ textarea, div:has(.qr) + div > p:text-is('{told}')")).to_have_count(2)
    expect(panel.locator("textarea")).to_be_focused()
    # the panel has no link to a table that is on this phone anyway
    expect(panel.get_by_role("button")).to_have_count(1)
    panel.get_by_role("button", name=EN["close"]).tap()
    in_pocket.evaluate("async () => { (await import('/pocket/phones/sheet.js')).show(); }")
    expect(panel).not_to_contain_text(told)


def test_a_guest_whose_own_table_is_ahead_looks_at_it(in_pocket: Page) -> None:
    keep(in_pocket, "", O=STORY)
    in_pocket.evaluate(
        """async logs => {
          const { useTab } = await import('/pocket/phones/panel.js');
          const { keepAsGuest } = await import('/pocket/going_on/offer.js');
          useTab({ plays: () => false, alone: path => (window.went = path) });
          keepAsGuest({ house: 'bb', ask: houses('bb', logs) }, '/t/T/events');
        }""",
        {"/t/T": {"lines": BEGUN}},
    )
    in_pocket.get_by_role("button", name=TOLD["going_on_look"]).tap()
    until(in_pocket, "window.went === '/t/O'")
    expect(in_pocket.locator("#phones")).to_be_hidden()


def test_a_house_pushes_nothing_out_that_is_kept_of_another(own: Page) -> None:
    keep(own, "aa", **{f"T{at}": [f'{{"pubdice": {at}}}', *BEGUN[1:]] for at in range(3)})
    keep(own, "", O=BEGUN)
    keep(own, "bb", **{f"T{at}": [f'{{"pubdice": {at}}}', *BEGUN[1:]] for at in range(30, 60)})
    assert own.evaluate("kept()") == 12
    assert len(own.evaluate("toGoOn('aa')")["tables"]) == 3
    assert len(own.evaluate("toGoOn('bb')")["tables"]) == 8


def test_a_house_that_lost_moves_is_told_of_at_its_next_move(hearing: Page) -> None:
    """The phone of the house has restored an older file. Until the next move, the older file contradicts nothing."""
    keep(hearing, "aa", T=MORE)
    told = hearing.evaluate(
        """async ([begun, behind]) => {
          const told = [];
          let say;
          const house = (asked, port) => {
            says(line({ from: 0, lines: begun, you: 'me', whole: true }))(asked, port);
            say = more => port.postMessage({ part: new TextEncoder().encode(line(more)), more: true });
          };
          const work = follow('aa', house, '/t/T/events', (other, { number }) => told.push([other.house, number]));
          await during(work, 500);
          const before = told.length;
          say({ from: behind, lines: ['60 roll 111111'] });
          say({ from: behind + 1, lines: ['70 play k1'] });
          while (!told.length) await during(work, 50);
          return [before, told];
        }""",
        [BEGUN, len(BEGUN)],
    )
    assert told == [0, [["aa", 2]]]


def test_what_comes_after_lines_that_had_no_room_leaves_no_hole(hearing: Page) -> None:
    hearing.evaluate(
        """async ([begun, more]) => {
          noRoom(1);
          const [first, next] = [begun, more.slice(begun.length)];
          const said =
            line({ from: 0, lines: first, you: 'me' }) + line({ from: first.length, lines: next, whole: true });
          const nothing = line({ from: more.length, whole: true });
          const house = (asked, port) => says(asked.target.includes('from=') ? nothing : said)(asked, port);
          follow('aa', house, '/t/T/events', () => {});
        }""",
        [BEGUN, MORE],
    )
    until(hearing, f"toGoOn('aa').then(({{ tables }}) => tables[0]?.lines.length === {len(MORE)})", within_ms=IN_MS)
    assert hearing.evaluate("toGoOn('aa')")["tables"][0]["lines"] == MORE


def test_a_phone_keeps_a_log_again_once_its_line_is_back(hearing: Page) -> None:
    """A page waits for seconds before it asks for its next stream. Moves may be acknowledged meanwhile."""
    hearing.evaluate(
        """async ([begun, more]) => {
          const known = line({ from: 0, lines: begun, you: 'me' });
          const rest = line({ from: begun.length, lines: more.slice(begun.length), whole: true });
          window.asked = [];
          const house = ({ target }, port) => {
            asked.push(target);
            const tries = asked.length;
            if (tries === 2) says(rest)({}, port);
            else if (tries === 1) says(known)({}, port);
            window.lose = why => port.postMessage({ failed: why });
            if (tries === 1) lose('lost');
          };
          window.followed = follow('aa', house, '/t/T/events', () => {}).then(() => 'ended');
        }""",
        [BEGUN, MORE],
    )
    until(hearing, f"toGoOn('aa').then(({{ tables }}) => tables[0]?.lines.length === {len(MORE)})", within_ms=IN_MS)
    assert hearing.evaluate("toGoOn('aa')")["tables"][0]["lines"] == MORE
    first, second = hearing.evaluate("asked")
    assert (first, second.partition("&")[0]) == ("/t/T/kept", f"/t/T/kept?from={len(BEGUN)}")
    assert hearing.evaluate("lose('ended'), during(followed)") == "ended"
    assert len(hearing.evaluate("asked")) == 2


@pytest.mark.parametrize("why", ["ended", "failed"])
def test_a_page_that_asks_for_an_awaited_log_has_it_kept(hearing: Page, why: str) -> None:
    """If a phone has left and come again, the waiting request fails only after its page has asked for a new stream."""
    found = hearing.evaluate(
        """async ([lines, failed]) => {
          const before = (_, port) => (window.fail = () => port.postMessage({ failed }));
          follow('aa', before, '/t/T/events', () => {});
          while (!window.fail) await new Promise(later => setTimeout(later, 10));
          follow('aa', says(line({ from: 0, lines, you: 'me', whole: true })), '/t/T/events', () => {});
          await new Promise(later => setTimeout(later, 50));
          fail();
          let found = await toGoOn('aa');
          for (let tries = 0; tries < 600 && !found.tables.length; tries++) {
            await new Promise(later => setTimeout(later, 50));
            found = await toGoOn('aa');
          }
          return found;
        }""",
        [BEGUN, why],
    )
    assert [table["lines"] for table in found["tables"]] == [BEGUN]


def test_what_was_asked_of_one_house_is_never_passed_to_another(own: Page) -> None:
    told = own.evaluate(
        """async () => {
          const { Visiting } = await import('/pocket/phones/visiting.js');
          const sent = [];
          const line = other => ({ other, isOpen: true, close() {}, send: message => sent.push(message.target) });
          const visiting = new Visiting(() => {});
          const asks = target => {
            const { port1, port2 } = new MessageChannel();
            visiting.ask({ method: 'GET', target, headers: [], body: new Uint8Array() }, port2);
            return new Promise(told => (port1.onmessage = ({ data }) => told(data.failed)));
          };
          visiting.arrive(line('aa'));
          visiting.link = null;
          const failed = asks('/t/T/kept');
          visiting.arrive(line('bb'));
          visiting.link = null;
          const waits = asks('/t/T/kept');
          visiting.end(); // who comes again must not find that something waits for a line of before
          const late = new Promise(told => setTimeout(told, 5000, 'late'));
          return [await failed, await Promise.race([waits, late]), await asks('/t/T/kept'), sent];
        }"""
    )
    assert told == ["ended", "ended", "ended", []]


def test_a_pushed_out_table_is_not_followed_again(hearing: Page) -> None:
    asked = hearing.evaluate(
        """async () => {
          const { follow } = await import('/pocket/going_on/kept.js');
          let asked = 0;
          const lost = (_, port) => {
            asked++;
            port.postMessage({ failed: 'lost' });
          };
          const { setTimeout } = window;
          // the pause before the next request lasts as long as this test wants
          const again = await new Promise(pauses => {
            window.setTimeout = pauses;
            follow('aa', lost, '/t/T/events', () => {});
          });
          window.setTimeout = setTimeout;
          for (const at of [1, 2, 3, 4]) follow('aa', says(), `/t/T${at}/events`, () => {});
          again();
          await new Promise(done => setTimeout(done, 1000));
          return asked;
        }"""
    )
    assert asked == 1


def test_storage_that_was_refused_once_is_asked_again(own: Page) -> None:
    own.evaluate(
        """async () => {
          const open = IDBFactory.prototype.open;
          IDBFactory.prototype.open = () => { throw new DOMException('denied', 'SecurityError'); };
          await toGoOn('').catch(() => {});
          IDBFactory.prototype.open = open;
        }"""
    )
    keep(own, "aa", T=BEGUN)
    assert len(own.evaluate("toGoOn('aa')")["tables"]) == 1


def test_what_comes_until_the_offer_is_pressed_goes_on_too(in_pocket: Page) -> None:
    """When a house dies, its last entries may reach the guest's disk only after the connection is known to be lost."""
    keep(in_pocket, "aa", T=BEGUN)
    in_pocket.evaluate(
        """async () => {
          const { offer } = await import('/pocket/going_on/offer.js');
          window.body = document.body.appendChild(document.createElement('div'));
          const visiting = { house: 'aa', lostAt: performance.now() - 19_000 };
          offer(visiting, body, tables => (window.taken = tables));
        }"""
    )
    keep(in_pocket, "aa", T=MORE)
    until(in_pocket, "body.querySelector('button') !== null", within_ms=IN_MS)
    in_pocket.evaluate("body.querySelector('button').click()")
    assert in_pocket.evaluate("taken[0].lines") == MORE
