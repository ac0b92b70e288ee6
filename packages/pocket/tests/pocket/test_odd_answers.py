"""Answers that no house of ours gives, as another phone might: each ends in a sentence, none in endless waiting."""

import json

from playwright.sync_api import BrowserContext, expect

from pocket.shell_pages import EN, engine, visit
from pocket.test_shell_words import words

TOLD = words("sw.js")["en"]["slow"]
STATUSES: tuple[object, ...] = (0, 99, 100, 101, 103, 199, 600, 999, -1, 1e9, None, "", "many", [], {})
"""None of them can be the status of a ``Response``."""
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
    """A part of a body; it has no bytes, only their number, as JSON has none."""
    return {"part": {"length": 0} if not size else [97] * size, "more": more}


END = part(size=0)
REFUSED = [
    *([head(status), END] for status in STATUSES),
    *([head(200, headers), END] for headers in HEADERS),
    [END],
    [part(more=True)],
]
"""A head that no browser can have, or none."""
BARE = [[head(status), part(more=True), END] for status in (204, 205, 304)]
"""What says that it has no body, and has one."""
TWICE = [[head(), head(), END], [head(204), head(), END], [head(), head(99), END]]


def test_an_answer_that_no_browser_can_give_is_told_in_a_sentence(home: BrowserContext) -> None:
    page = visit(home, engine())
    frame = page.frames[1]
    found = frame.evaluate(ASK, REFUSED)
    assert found == [[502, TOLD]] * len(REFUSED), [
        json.dumps(odd) for odd, told in zip(REFUSED, found, strict=True) if told != [502, TOLD]
    ]
    assert frame.evaluate(ASK, BARE) == [[status, ""] for status in (204, 205, 304)]
    assert frame.evaluate(ASK, TWICE) == [[200, "broken"], [204, ""], [200, "broken"]]
    frame.evaluate("odd => { parent.odd = [odd]; location.href = './odd/0'; }", REFUSED[0])
    expect(page.locator("#notice")).to_contain_text(EN["page_lost"])
