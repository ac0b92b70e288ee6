"""Tests of guests that send floods of requests or pose as another guest: their requests are counted, and guests are
served in turns. A house's odd answers end in a sentence.
"""

import json

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from pocket.shell_pages import BELOW, EN, engine, visit
from pocket.test_shell_words import words

TURNS = """async at => {
  const { Turns } = await import(`${at}turns.js`);
  const { setTimeout } = window;
  const task = () => new Promise(done => setTimeout(done));
  const handed = [];
  let begins;
  const turns = new Turns(one => new Promise(done => { handed.push(one); begins = done; }));
  const ask = (phone, many) => Array.from({ length: many }, (_, at) => turns.add(phone, `${phone}${at}`));
  const until = async many => { while (handed.length < many) await task(); };
  const next = async () => { begins(); await until(handed.length + 1); };
  const patient = () => { window.setTimeout = () => 0; };
  const found = await (SCRIPT)();
  window.setTimeout = setTimeout;
  return found;
}"""
"""A script with a queue before an engine. ask(phone, many) adds requests, and next() begins an answer."""
IN_TURNS = """async () => {
  patient();
  ask('A', 100);
  await until(1);
  const after = [];
  for (const phone of ['B', 'C', 'B', 'D']) {
    for (let at = 0; at < 7; at++) await next();
    const since = handed.length;
    ask(phone, 1);
    while (handed.at(-1)[0] !== phone) await next();
    after.push(handed.length - since - 1);
  }
  while (handed.length < 104) await next();
  return { after, own: handed.filter(one => one[0] === 'A').map(one => +one.slice(1)) };
}"""
"""A script in which 100 requests of phone A wait. It returns how many requests are handed over between another phone's
request and its turn, and the order of A's requests."""
ALL_IN_TURNS = """async () => {
  patient();
  for (const phone of 'ABC') ask(phone, 4);
  await until(1);
  while (handed.length < 12) await next();
  return handed.map(one => one[0]).join('');
}"""
GONE = """async () => {
  const dropped = [];
  for (let round = 0; round < 60; round++) {
    ask('A', 90);
    for (let at = 0; at < 90; at++) dropped.push(turns.drop('A', `A${at}`));
  }
  ask('B', 1);
  await until(1);
  begins();
  while (turns.isServing) await task();
  return { handed, dropped: dropped.every(Boolean), again: turns.drop('B', 'B0'), left: turns.waiting.size };
}"""
"""A script in which A asks 5,400 times, and takes each request back at once."""
SLOW = """async () => {
  ask('A', 3);
  await until(1);
  ask('', 1);
  await until(4);
  return handed;
}"""
FULL = """async () => {
  const took = ask('A', 1000);
  return [took.filter(Boolean).length, took[599], ask('B', 1)[0]];
}"""

HOUSE = """async at => {
  const { Hosting } = await import(`${at}phones/hosting.js`);
  const { Link } = await import(`${at}phones/link.js`);
  let now = 1000;
  const clock = performance.now;
  performance.now = () => now;
  let asked = 0;
  const house = new Hosting({ ask: () => void asked++, at: () => '/', changed() {} });
  const guest = async name => {
    const link = await house.line();
    Object.assign(link, { other: name, isOpen: true });
    link.send = () => {};
    house.enter(link, '');
    const { port1 } = new MessageChannel();
    link.say = said => link.channel.onmessage({ data: typeof said === 'string' ? said : JSON.stringify(said) });
    return link;
  };
  const many = async (name, message, most = 5000) => {
    const link = await guest(name);
    let said = 0;
    for (; !link.isGone && said < most; said++) link.say(message(said));
    link.close();
    return said;
  };
  const ask = (at, more = {}) => ({ ask: at, method: 'GET', target: '/', headers: [], body: '', ...more });
  const ended = await (SCRIPT)(at);
  for (const [, { link, spare }] of house.guests) { link.close(); spare?.close(); }
  house.end();
  performance.now = clock;
  return ended;
}"""
"""A script with a house whose guests have a connection each. Time stands still unless ``now`` changes."""
EVERY_KIND = """async () => ({
  ask: await many('a', at => ask(at)),
  pairs: await many('b', at => (at % 2 ? { gone: at - 1 } : ask(at))),
  gone: await many('c', at => ({ gone: at })),
  enter: await many('d', () => ({ enter: 'AQAA', number: 1 })),
  door: await many('e', () => ({ door: true, number: 1 })),
  spare: await many('f', () => ({ spare: 'AQAA' })),
  junk: await many('g', () => '[}'),
  large: await many('h', at => ask(at, { body: 'x'.repeat(16_000) })),
  bytes: await many('i', () => new Uint8Array(9)),
  asked,
})"""
UNHEARD = """async at => {
  const { Turns } = await import(`${at}turns.js`);
  const turns = new Turns(() => new Promise(() => {}));
  const took = [];
  house.house.ask = ({ phone }, port) => took.push(turns.add(phone, port));
  await many('a', at => (at % 2 ? { gone: at - 1 } : ask(at)), 598);
  await many('a', ask, 2);
  return [took.length, took.every(Boolean)];
}"""
"""A script in which a guest asks 299 times and takes each request back, which the busy engine hears too late. Then the
guest asks twice more."""
AGAIN = """async () => {
  const first = await many('a', at => ask(at));
  const at_once = [await many('a', at => ask(at)), await many('a', at => ask(at))];
  const other = await many('b', at => ask(at));
  now += 1000;
  const after_1_s = await many('a', at => ask(at));
  for (let at = 0; at < 300; at++) house.said.take(`x${at}`, 1);
  now += 10_000;
  return { first, at_once, other, after_1_s, after_10_s: await many('a', at => ask(at)), kept: house.said.fullAt.size };
}"""
"""A script in which a guest whose connection was ended comes back twice, and again after some time."""
DOORS = """async () => {
  let made = 0;
  house.door = async () => ({ code: `${made++}`, accept: async () => 'in' });
  for (let at = 0; at < 10; at++) {
    const link = await guest(`new ${at}`); // one whom the guest before has let in
    for (let turn = 0; turn < 9; turn++) {
      link.say({ door: true, number: turn });
      await new Promise(done => setTimeout(done));
    }
    link.close();
  }
  return made;
}"""
HEAVY = """async () => {
  // a page with all its files and six streams, and that reloaded five times within a second, as our pages ask
  const link = await guest('a');
  let number = 0;
  for (let load = 0; load < 6; load++) {
    const begun = number;
    for (let file = 0; file < FILES + 6; file++) link.say(ask(number++, { headers: [['cookie', 'x'.repeat(500)]] }));
    for (let at = begun; at < number; at++) link.say({ gone: at });
  }
  return link.isGone;
}"""

CALLED = """async () => {
  const seats = { a: 'HERE22 Ann', b: 'HERE22 Bob', e: 'EVES22 Ann', w: 'EVES22 ', c: 'HERE22 Bob' };
  house.house.at = () => '/t/HERE22-secret';
  house.house.ask = ({ phone }, port) => {
    port.postMessage({ status: 200, headers: [['pubdice-seat', seats[phone]], ['content-type', 'text/html']] });
    port.postMessage({ part: new Uint8Array(), more: false });
  };
  const lines = {};
  const all = async () => {
    for (const [name, link] of Object.entries(lines)) {
      const told = new Promise(done => (link.send = message => message.status && done()));
      link.say(ask(++now, { headers: [['cookie', 'name=Ann']] }));
      await told;
    }
    return house.present.map(([name, label]) => label);
  };
  for (const name of 'abewc') lines[name] = await guest(name);
  const first = await all();
  Object.assign(seats, { a: 'HERE22 ', b: 'EVES22 ' }); // Ann stands up, Bob watches elsewhere
  return [first, await all()];
}"""


@pytest.fixture(scope="module")
def shell(home: BrowserContext) -> Page:
    """A page for all tests of this file. Each test makes its own queue or house."""
    return visit(home, engine())


def done(shell: Page, setting: str, script: str) -> object:
    return shell.evaluate(setting.replace("SCRIPT", script), f"/{BELOW}pocket/")


def test_guests_are_answered_in_turns_beside_a_busy_one(shell: Page) -> None:
    found = done(shell, TURNS, IN_TURNS)
    assert found == {"after": [0, 0, 0, 0], "own": list(range(100))}, "and its own keep their order"
    assert done(shell, TURNS, ALL_IN_TURNS) == "ABC" * 4


def test_a_request_taken_back_never_reaches_the_engine(shell: Page) -> None:
    assert done(shell, TURNS, GONE) == {"handed": ["B0"], "dropped": True, "again": False, "left": 0}


def test_a_slow_answer_holds_up_no_guest_and_a_queue_ends(shell: Page) -> None:
    assert done(shell, TURNS, SLOW) == ["A0", "0", "A1", "A2"]
    assert done(shell, TURNS, FULL) == [600, True, True]


def test_every_kind_of_message_counts_and_the_line_ends_beyond(shell: Page) -> None:
    assert done(shell, HOUSE, EVERY_KIND) == {
        "ask": 601,
        "pairs": 601,
        "gone": 601,
        "enter": 20,  # each counts 31, because this phone opens a connection for it
        "door": 20,
        "spare": 1,  # the message has no code
        "junk": 1,
        "large": 76,  # each counts 8
        "bytes": 1,
        "asked": 48 + 300 + 48,
    }


def test_all_that_a_guest_may_ask_at_once_has_room_in_its_queue(shell: Page) -> None:
    assert done(shell, HOUSE, UNHEARD) == [301, True]


def test_a_guest_that_flooded_is_known_on_its_next_line(shell: Page) -> None:
    assert done(shell, HOUSE, AGAIN) == {
        "first": 601,
        "at_once": [1, 1],
        "other": 601,
        "after_1_s": 61,
        "after_10_s": 601,
        "kept": 64,
    }


def test_a_guest_is_called_by_its_seat_and_another_table(shell: Page) -> None:
    found = done(shell, HOUSE, CALLED)
    assert found == [["Ann", "Bob", "Ann (EVES22)", "", "Bob"], ["", "Bob", "Ann (EVES22)", "", "Bob"]]


def test_guests_cant_let_themselves_in_again_by_ever_new_names(shell: Page) -> None:
    assert done(shell, HOUSE, DOORS) == 19


def test_six_loads_of_a_whole_page_are_no_flood(shell: Page) -> None:
    assert done(shell, HOUSE, HEAVY.replace("FILES", "40")) is False


TOLD = words("sw.js")["en"]["slow"]
STATUSES: tuple[object, ...] = (0, 99, 100, 101, 103, 199, 600, 999, -1, 1e9, None, "", "many", [], {})
"""Values that cannot be the status of a ``Response``."""
VALUES = ("text/html\r\nx: y", "text/html\u2028", "text/html\0", "text/\U0001f3b2")
HEADERS = [
    *([["content-type", value]] for value in VALUES),
    [["content type", "text/html"]],
    [["", "a"]],
    [["a"]],
    ["accept"],
    7,
]
ASK = """async odd => {
  window.parent.odd = odd;
  const told = async at => {
    const answer = await fetch(`./odd/${at}`, { signal: AbortSignal.timeout(20_000) });
    return [answer.status, await answer.text().catch(() => 'broken')];
  };
  return Promise.all(odd.map((_, at) => told(at).catch(({ name }) => [name])));
}"""


def head(status: object = 200, headers: object = ()) -> dict[str, object]:
    return {"status": status, "headers": headers}


def part(more: bool = False, size: int = 2) -> dict[str, object]:
    """Return a message with a part of a body. JSON has no bytes, so it has a list of their numbers."""
    return {"part": {"length": 0} if not size else [97] * size, "more": more}


END = part(size=0)
REFUSED = [
    *([head(status), END] for status in STATUSES),
    *([head(200, headers), END] for headers in HEADERS),
    [END],
    [part(more=True)],
]
"""Answers whose head browsers do not allow, or that have no head."""
BARE = [[head(status), part(more=True), END] for status in (204, 205, 304)]
"""Answers with a body, although their status forbids one."""
TWICE = [[head(), head(), END], [head(204), head(), END], [head(), head(99), END]]


def test_an_impossible_answer_is_told_in_a_sentence(shell: Page) -> None:
    frame = shell.frames[1]
    found = frame.evaluate(ASK, REFUSED)
    assert found == [[502, TOLD]] * len(REFUSED), [
        json.dumps(odd) for odd, told in zip(REFUSED, found, strict=True) if told != [502, TOLD]
    ]
    assert frame.evaluate(ASK, BARE) == [[status, ""] for status in (204, 205, 304)]
    assert frame.evaluate(ASK, TWICE) == [[200, "broken"], [204, ""], [200, "broken"]]
    frame.evaluate("odd => { parent.odd = [odd]; location.href = './odd/0'; }", REFUSED[0])
    expect(shell.locator("#notice")).to_contain_text(EN["page_lost"])
