"""Tests of the answers that a phone's engine gives to other phones. They are as from a served house, and each phone is
a person of its own.
"""

import asyncio
import json
from pathlib import Path

from pocket.pockets import Answered, answered
from pubdice.server.web.browser import person_of
from pubdice_pocket.browser.engine import PocketRequest
from pubdice_pocket.browser.pocket import Pocket

GUEST, OTHER = "10.1.2.3", "10.4.5.6"
FORGED = [
    ("accept", "text/html"),
    ("Host", "evil.example"),
    ("Origin", "https://evil.example"),
    ("X-Forwarded-For", "10.9.9.9"),
    ("Content-Length", "1"),
    ("Transfer-Encoding", "chunked"),
]
ORDER = {"game": "midnight", "name": "Bob", "people": 2, "rules": {"format": "rounds 1"}}


async def ask(
    of: Pocket,
    method: str,
    target: str,
    headers: list[tuple[str, str]],
    body: bytes = b"",
    *,
    guest: str = GUEST,
    near: bool = False,
) -> Answered:
    """Send a request of a guest, or of this phone if ``guest`` is ""."""
    if body and not guest:  # the service worker adds this header
        headers = [*headers, ("content-length", str(len(body)))]
    return await answered(of, PocketRequest(method, target, headers, body, near, guest))


async def opened(of: Pocket, *, cookie: str = "", guest: str = GUEST, order: object = ORDER) -> Answered:
    """Open a table as a guest. Return the answer. The request counts towards the guest's rate limit."""
    headers = [("content-type", "application/json"), ("accept", "application/json")]
    headers += [("cookie", cookie)] if cookie else []
    return await ask(of, "POST", "/tables", headers, json.dumps(order).encode(), guest=guest)


async def test_a_guest_and_the_phone_keep_cookies_of_their_own(lived: Pocket, tmp_path: Path) -> None:
    before = (tmp_path / "cookies.json").read_bytes()
    page = await ask(lived, "GET", "/", [("accept", "text/html")])
    assert page.status == 200
    assert 'value="Ann"' not in page.text, "the name that this phone's owner gave"
    assert 'id="mine"' not in page.text, "nor her tables"
    token = page.headers["set-cookie"].partition(";")[0]
    assert person_of(token.partition("=")[2])
    table = await opened(lived, cookie=token)
    assert table.status == 201
    again = await ask(lived, "GET", "/", [("accept", "text/html"), ("cookie", token)])
    assert 'id="mine"' in again.text
    other = await ask(lived, "GET", "/", [("accept", "text/html")], guest=OTHER)
    assert 'id="mine"' not in other.text
    assert (tmp_path / "cookies.json").read_bytes() == before


async def test_a_guest_gets_what_a_served_house_gives_and_no_files(lived: Pocket) -> None:
    page = [("accept", "text/html")]
    assert [(await ask(lived, "GET", path, page)).status for path in ("/", "/night", "/rules/420")] == [200] * 3
    assert [(await ask(lived, "GET", path, page)).status for path in ("/record",)] == [404]
    form = [("accept", "text/html"), ("content-type", "application/x-www-form-urlencoded")]
    assert (await ask(lived, "POST", "/record", form, b"record=pubdice")).status == 404
    assert (await ask(lived, "GET", "/record", page, guest="")).status == 200, "but this phone itself opens them"
    # While guests are here, this phone's own pages also are those of a house.
    assert 'value="bot"' in (await ask(lived, "GET", "/", page, guest="", near=True)).text
    assert 'value="bot"' not in (await ask(lived, "GET", "/", page, guest="")).text


async def test_a_guest_is_called_by_its_seat_and_not_by_its_cookie(lived: Pocket) -> None:
    page = [("accept", "text/html")]
    token = (await ask(lived, "GET", "/", page)).headers["set-cookie"].partition(";")[0]
    order = {**ORDER, "name": "Eve"}
    table = (await opened(lived, cookie=token, order=order)).data["go"]
    code = table.removeprefix("/t/").partition("-")[0]
    mine = await ask(lived, "GET", table, [*page, ("cookie", f"{token}; name=Ann")])
    assert mine.headers["pubdice-seat"] == f"{code} Eve"
    state = await ask(lived, "GET", f"{table}/state", [("cookie", f"name=Eve; {token}")])
    assert state.headers["pubdice-seat"] == f"{code} Eve"
    other = await ask(lived, "GET", table, [*page, ("cookie", "name=Eve")], guest=OTHER)
    assert other.headers["pubdice-seat"] == f"{code} ", "it only watches"
    for path, guest in (("/", GUEST), (table, "")):
        answer = await ask(lived, "GET", path, [*page, ("cookie", token)], guest=guest, near=True)
        assert "pubdice-seat" not in answer.headers


async def test_headers_that_a_guest_makes_up_do_not_count(lived: Pocket) -> None:
    assert (await ask(lived, "GET", "/", FORGED)).status == 200
    body = json.dumps(ORDER).encode()
    sent = [*FORGED, ("Content-Type", "application/json"), ("Sec-Fetch-Site", "cross-site")]
    assert (await ask(lived, "POST", "/tables", sent, body)).status == 403, "its own browser says: another website"
    assert (await ask(lived, "POST", "/tables", sent[:-1], body)).status == 201
    large = b" " * 5000 + body
    assert (await ask(lived, "POST", "/tables", sent[:-1], large)).status == 413
    assert (await ask(lived, "DELETE", "/tables", [])).status == 405
    assert (await ask(lived, "GET", "/" + "x" * 9000, [])).status == 414


async def test_a_guests_flood_counts_for_nobody_else(of: Pocket) -> None:
    found = [0]
    # 600 requests may come at once, and 60 more for each second that this takes
    while found[-1] != 429 and len(found) < 6000:
        found.append((await ask(of, "GET", "/ready", [])).status)
    assert found[-1] == 429
    assert (await ask(of, "GET", "/ready", [], guest=OTHER)).status == 200
    assert (await ask(of, "GET", "/ready", [], guest="")).status == 200


async def test_a_phone_and_its_guest_hear_the_moves_of_one_table(of: Pocket) -> None:
    ann = (await ask(of, "GET", "/", [("accept", "text/html")], near=True, guest="")).headers["set-cookie"]
    assert ann
    table = (await opened(of, guest="", order={**ORDER, "name": "Ann"})).data["go"]
    heard: list[bytes] = []
    told = asyncio.Event()

    def part(piece: bytes, more: bool) -> None:
        heard.append(piece)
        if b"Bob" in piece:
            told.set()

    events = PocketRequest("GET", f"{table}/events?from=0", [("accept", "text/event-stream")], b"", near=True)
    stream = asyncio.ensure_future(of.answer(events, lambda status, headers: None, part))
    sit = json.dumps({"key": "bob-sits-down-1", "do": "sit", "name": "Bob"}).encode()
    answer = await ask(of, "POST", table, [("content-type", "application/json")], sit)
    assert answer.status == 200, answer.text
    await asyncio.wait_for(told.wait(), 10)
    stream.cancel()
