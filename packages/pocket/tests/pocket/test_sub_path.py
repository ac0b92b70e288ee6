"""A house in a folder of a web site: each address begins with the folder's path, once, and nothing else changes."""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from pubdice.server.pages import front as front_page
from pubdice.server.web import static_files
from pubdice_pocket.browser.sub_path import SubPath, below
from server.samples.every_page import every_page
from server.samples.front import FRONT
from server.samples.tables import ENGLISH
from support.house import Pub, at_the_pub
from support.http_wire import Answer

PREFIX = "/pub/dice"
FORM = "application/x-www-form-urlencoded"
SOLVED = {"/best-play/*", "/prices/*"}  # too slow for this test: computed for seconds before they show anything
ADDRESS = re.compile(
    r"""(?:^|[\s"'(=;,])/(?:t|static|rules|ask|daily|drill|night|book|prices|best-play|verify|tables)\b"""
)


async def asked(app: ASGIApp, method: str, target: str, body: bytes = b"", **told: str) -> Answer:
    """Call an ASGI application directly, and return its answer. The request has no cookies."""
    answer, path, query = Answer(), *target.partition("?")[::2]
    headers = {"host": "localhost", "accept": "text/html", "content-length": str(len(body)), **told}
    scope = {
        "type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": path, "root_path": "",
        "raw_path": path.encode(), "query_string": query.encode(), "client": ("127.0.0.1", 1),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {key.decode(): value.decode() for key, value in message["headers"]}
        answer.body += message.get("body", b"")

    await app(scope, receive, send)
    return answer


class Sending:
    """An ASGI application that answers each request with the body ``parts``, of the content type ``kind``."""

    def __init__(self, kind: str, *parts: str, **headers: str) -> None:
        self._parts = [part.encode() for part in parts]
        told = {"content-type": kind, "content-length": str(sum(map(len, self._parts))), **headers}
        self._headers = [(name.encode(), value.encode()) for name, value in told.items()]
        self.asked: Scope = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked = scope
        await send({"type": "http.response.start", "status": 200, "headers": self._headers})
        for number, part in enumerate(self._parts, 1):
            await send({"type": "http.response.body", "body": part, "more_body": number < len(self._parts)})


def sent(kind: str, *parts: str, prefix: str = PREFIX, **headers: str) -> Answer:
    return asyncio.run(asked(SubPath(Sending(kind, *parts, **headers), prefix), "GET", f"{prefix}/"))


class Parts(HTMLParser):
    """A page as a list ``found``: each attribute as (tag, name, value), each tag, and each text as ("", "", text)."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[Any] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.extend((tag, name, value or "") for name, value in attrs)
        self.found.append(tag)

    def handle_data(self, data: str) -> None:
        self.found.append(("", "", data))


def moved(part: Any) -> Any:
    """Return an entry of ``Parts.found``, with the prefix if it is an address that begins with one slash.

    The value of an ``input`` is what a player typed, so it stays.
    """
    if not isinstance(part, tuple):
        return part
    tag, name, value = part
    is_address = tag and value.startswith("/") and not value.startswith("//") and (tag, name) != ("input", "value")
    return (tag, name, PREFIX + value) if is_address else part


@pytest.mark.nightly
def test_every_address_of_every_page_gets_the_prefix_once() -> None:
    count = 0
    for name, page in every_page().items():
        answer, before = sent("text/html; charset=utf-8", page), Parts(page).found
        assert Parts(answer.text).found == list(map(moved, before)), name
        assert answer.headers["content-length"] == str(len(answer.body)), name
        count += len([part for part in before if moved(part) != part])
        inside = [part for part in before if isinstance(part, tuple) and ADDRESS.search(part[2])]
        assert [part for part in inside if not part[2].startswith("/")] == [], f"{name}: an address inside of a text"
    assert count > 1500


def test_what_people_wrote_is_left_alone() -> None:
    given = {"name": '" href="/t/X', "code": ' action="/y"'}
    page = front_page.html(ENGLISH, replace(FRONT, values=given, refusal="No.", field="name"))
    values = {part[2] for part in Parts(sent("text/html", page).text).found if part[:2] == ("input", "value")}
    assert {'" href="/t/X', ' action="/y"'} <= values


@pytest.mark.nightly
@at_the_pub()
async def test_every_address_in_a_house_below_a_folder_leads_somewhere(pub: Pub) -> None:
    app = SubPath(pub.app, PREFIX)
    form = urlencode({"key": "order-key-1", "name": "Ann", "game": "midnight", "with": "bot"}).encode()
    opened = await asked(app, "POST", f"{PREFIX}/tables", form, content_type=FORM)
    assert opened.status == 303
    waiting, met = [f"{PREFIX}/", opened.headers["location"]], set[str]()
    while waiting:
        target = waiting.pop(0).partition("#")[0]
        assert target.startswith(f"{PREFIX}/"), target
        kind = re.sub(r"(?<=/t)/[^/]+|/(?:midnight|420|mexico|ship|threes)$|/[0-9-]+$", "/*", target.partition("?")[0])
        if kind in met or kind.removeprefix(PREFIX) in SOLVED:
            continue
        met.add(kind)
        answer = await asked(app, "GET", target)
        assert answer.status < 400, target
        if "location" in answer.headers:
            waiting.append(answer.headers["location"])
        if answer.headers.get("content-type", "").startswith("text/html"):
            places = [part for part in Parts(answer.text).found if isinstance(part, tuple)]
            waiting += [value for _, name, value in places if name in ("href", "src") and value.startswith("/")]
            actions = [value for _, name, value in places if name in ("action", "formaction")]
            assert all(value.startswith(f"{PREFIX}/") for value in actions), target
    assert {"/", "/t/*", "/rules/*", "/book", "/daily", "/night"} <= {kind.removeprefix(PREFIX) for kind in met}


def strings(data: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from strings(value, name)
    elif isinstance(data, list):
        for value in data:
            yield from strings(value, key)
    elif isinstance(data, str):
        yield key, data


@at_the_pub()
async def test_data_and_redirects_have_the_prefix(pub: Pub) -> None:
    app, kind = SubPath(pub.app, PREFIX), {"content_type": "application/json", "accept": "application/json"}
    order = json.dumps({"game": "midnight", "name": "Ann", "people": 1, "bots": ["tip"]}).encode()
    opened = await asked(app, "POST", f"{PREFIX}/tables", order, **kind)
    assert opened.status == 201
    go, token = opened.data["go"], opened.headers["set-cookie"].partition(";")[0]
    assert go.startswith(f"{PREFIX}/t/")
    assert "path=/;" in opened.headers["set-cookie"].lower(), "a cookie stays in the pocket's jar"
    found = [await asked(app, "GET", go + more, accept="application/json") for more in ("/state", "/evening")]
    for do in ("leave", "forget"):
        deed = json.dumps({"key": f"{do}-key-1", "do": do}).encode()
        found.append(await asked(app, "POST", go, deed, cookie=token, **kind))
    values = [pair for answer in found for pair in strings(answer.data)]
    assert ("go", f"{PREFIX}/") in values
    assert [pair for pair in values if pair[1].startswith("/") and not pair[1].startswith(f"{PREFIX}/")] == []
    back = urlencode({"theme": "dark", "back": "/help"}).encode()
    assert (await asked(app, "POST", f"{PREFIX}/language", back, content_type=FORM)).headers["location"] == (
        f"{PREFIX}/help"
    )


@at_the_pub()
async def test_a_form_of_another_website_is_refused_there_as_well(pub: Pub) -> None:
    app, body = SubPath(pub.app, PREFIX), urlencode({"theme": "dark", "back": "/help"}).encode()
    refused = await asked(app, "POST", f"{PREFIX}/language", body, content_type=FORM, sec_fetch_site="cross-site")
    assert refused.status == 403
    assert f'href="{PREFIX}/help"' in refused.text


@pytest.mark.parametrize("target", ["/", "/t/ABCDEF", "/pub/dicey", "/pub"])
def test_another_folder_of_the_host_is_not_the_house(target: str) -> None:
    app = Sending("text/html", "a page")
    answer = asyncio.run(asked(SubPath(app, PREFIX), "GET", target))
    assert (answer.status, answer.text) == (404, f"Nothing is here. Pubdice is at {PREFIX}/ on this host.")
    assert not app.asked


def test_an_application_is_asked_without_the_prefix() -> None:
    app = Sending("text/html", "a page")
    asyncio.run(asked(SubPath(app, "/my%20games"), "GET", "/my games/t/ABCDEF?a=/b", accept_encoding="gzip"))
    assert (app.asked["path"], app.asked["query_string"]) == ("/t/ABCDEF", b"a=/b")
    assert b"accept-encoding" not in dict(app.asked["headers"])
    for target, inner in ((PREFIX, "/"), (f"{PREFIX}/", "/"), (f"{PREFIX}/t/ABCDEF", "/t/ABCDEF")):
        asyncio.run(asked(SubPath(app, PREFIX), "GET", target))
        assert (app.asked["path"], app.asked["raw_path"]) == (inner, inner.encode())


def test_a_page_in_parts_is_rewritten_whole_and_a_stream_at_once() -> None:
    assert sent("text/html", "<a hr", 'ef="', '/t/X">').text == f'<a href="{PREFIX}/t/X">'
    events = 'data: {"view":{"rematch":"/t/X"}}\n\n', 'data: {"say":[{"text":"\\"go\\":\\"/t/X\\""}]}\n\n'
    parts: list[bytes] = []

    async def heard() -> None:
        async def send(message: Any) -> None:
            parts.append(message.get("body", b"head"))

        scope = {"type": "http", "path": f"{PREFIX}/t/X/events", "headers": []}
        await SubPath(Sending("text/event-stream; charset=utf-8", *events), PREFIX)(scope, asyncio.Queue().get, send)

    asyncio.run(heard())
    assert parts == [b"head", events[0].replace("/t/X", f"{PREFIX}/t/X").encode(), events[1].encode()]


def test_styles_and_foreign_addresses() -> None:
    style = 'a{background:url(/static/1/turn.svg)}b{background:url("/x")}c{background:url(//other/x),url(y)}'
    assert sent("text/css", style).text == (
        f'a{{background:url({PREFIX}/static/1/turn.svg)}}b{{background:url("{PREFIX}/x")}}'
        "c{background:url(//other/x),url(y)}"
    )
    page = '<a href="//other/x"><a href="https://house/t/X"><a href="#top"><a title="/t/X">'
    assert sent("text/html", page).text == page
    assert sent("text/html", "", location="//other/").headers["location"] == "//other/"
    assert sent("text/plain", 'href="/t/X" "go":"/t/X"').text == 'href="/t/X" "go":"/t/X"'


def test_a_folder_with_quotes_and_brackets_is_escaped() -> None:
    odd = "/o'hara&(sons)"
    assert Parts(sent("text/html", '<a href="/t/X">', prefix=odd).text).found[0] == ("a", "href", f"{odd}/t/X")
    assert sent("text/css", "a{background:url(/x)}", prefix=odd).text == r"a{background:url(/o\'hara&\(sons\)/x)}"


def test_at_the_root_nothing_happens() -> None:
    app = Sending("text/html", "a page")
    assert below(app, "") is app
    assert isinstance(below(app, PREFIX), SubPath)


@pytest.mark.parametrize("prefix", ["pubdice", "/pubdice/", "//pubdice", "/", '/a"b', "/a b", "/a<b", "/ä"])
def test_what_is_no_path_of_a_folder(prefix: str) -> None:
    with pytest.raises(ValueError, match="no path of a folder"):
        SubPath(Sending("text/html"), prefix)


def test_no_script_holds_an_address() -> None:
    scripts = [file for file in static_files.STATIC.iterdir() if file.name.endswith(".js")]
    assert len(scripts) > 10
    for file in scripts:
        assert re.findall(r"""["'`]/[a-z][^"'`]*["'`]""", file.read_text("utf-8")) == [], file.name
