"""What is described is what a house answers: each kind of refusal is provoked, its status and shape are compared."""

import json
from typing import Any

import msgspec
import pytest

from pubdice.core.errors import NotStored
from pubdice.server import wire
from pubdice.server.app import ROUTES
from pubdice.server.web.openapi import describe
from pubdice.server.web.refusals import REFUSED, STATUS, status_of
from pubdice.server.web.routing import JSON, Route
from support.asgi_client import Client
from support.house import Pub, at_the_pub, seated
from support.http_wire import Answer

AT = {(route.method, route.path): route for route in ROUTES}
TABLE = ("/t/{code}", "/t/{code}/state", "/t/{code}/events", "/t/{code}/big", "/t/{code}/record", "/t/{code}/qr.svg")
WRONG_LINK = "ABCDEF-" + "a" * 26


def _as_described(route: Route, answer: Answer, status: int) -> None:
    """The status is the one expected and described, and the body what the description refers to."""
    assert answer.status == status, answer.text
    assert status in route.statuses(), route.path
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if status not in route.answers():
        assert kind == JSON
        found = msgspec.json.decode(answer.body, type=wire.Refusal, strict=True)
        assert status_of(found.code) == status or status == 422
        assert found.why
        return
    assert not route.answers()[status] or kind in route.answers()[status]
    if kind == JSON and route.returns:
        msgspec.json.decode(answer.body, type=route.returns, strict=True)


@pytest.mark.parametrize("path", [path for path in TABLE if "events" not in path])
@at_the_pub()
async def test_a_table_that_is_there_not_there_or_not_to_be_read(
    pub: Pub, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _, code = await seated(pub)
    route, eve = AT["GET", path], pub.client("Eve")
    _as_described(route, await ann.get(path.replace("{code}", code)), 307 if path == "/t/{code}" else 200)
    _as_described(route, await eve.get(path.replace("{code}", "ZZZZZZ")), 404)
    _as_described(route, await eve.get(path.replace("{code}", WRONG_LINK)), 404)

    async def unread(code: str) -> None:
        raise NotStored("log-damaged", table=code, line=3)

    monkeypatch.setattr(type(pub.house), "find", lambda self, code, **how: unread(code))
    _as_described(route, await eve.get(path.replace("{code}", code)), 503)


@at_the_pub()
async def test_a_record_before_there_is_a_match(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=2)
    _as_described(AT["GET", "/t/{code}/record"], await ann.get(f"/t/{code}/record"), 404)


@at_the_pub()
async def test_the_ways_in_and_their_pages(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    find, rules, static = AT["GET", "/find"], AT["GET", "/rules/{game}"], AT["GET", "/static/{hash}/{name}"]
    _as_described(find, await ann.get(f"/find?code={code[:6]}"), 303)
    _as_described(find, await ann.get("/find?code=ZZZZZZ"), 404)
    _as_described(rules, await ann.get("/rules/midnight"), 200)
    _as_described(rules, await ann.get("/rules/chess"), 404)
    _as_described(static, await ann.get("/static/0/nothing.js"), 404)
    _as_described(AT["GET", "/words"], await ann.get("/words"), 308)
    _as_described(AT["GET", "/daily/{date}"], await ann.get("/daily/2030-01-01"), 404)
    _as_described(AT["GET", "/daily/{date}"], await ann.get("/daily/2030-13-01"), 422)
    for path in ("/", "/help", "/privacy", "/openapi.json", "/healthz", "/metrics", "/preview.png"):
        _as_described(AT["GET", path], await ann.get(path), 200)


async def _sent(client: Client, path: str, body: bytes, kind: str = JSON) -> Answer:
    return await client.request("POST", path, body, content_type=kind)


@pytest.mark.parametrize("path", ["/tables", "/t/{code}"])
@at_the_pub()
async def test_a_body_that_cannot_be_read(pub: Pub, path: str) -> None:
    ann, _, code = await seated(pub)
    route, there = AT["POST", path], path.replace("{code}", code)
    _as_described(route, await _sent(ann, there, b"{"), 400)
    _as_described(route, await _sent(ann, there, b"<a/>", "text/xml"), 415)
    _as_described(route, await _sent(ann, there, b'{"key": 1}'), 422)
    _as_described(route, await _sent(ann, there, b'{"key": "12345678", "do": "fly"}'), 422)


@at_the_pub()
async def test_a_command_that_is_done_or_refused(pub: Pub) -> None:
    route = AT["POST", "/t/{code}"]
    ann, bob, code = await seated(pub)
    _as_described(route, await pub.client("Eve").ask(code, "roll"), 403)
    _as_described(route, await bob.ask(code, "roll"), 403)
    _as_described(route, await ann.ask(code, "roll", "the-same-key"), 200)
    _as_described(route, await ann.ask(code, "roll"), 409)
    _as_described(route, await ann.ask(code, "nudge", "the-same-key", seat=1), 409)
    _as_described(route, await ann.ask("ZZZZZZ", "roll"), 404)


@at_the_pub()
async def test_a_table_that_is_set_up_or_refused(pub: Pub) -> None:
    route, ann = AT["POST", "/tables"], pub.client("Ann")
    order: dict[str, Any] = {"game": "midnight", "name": "Ann", "key": "key-of-an-order", "people": 2}
    _as_described(route, await ann.post("/tables", order), 201)
    _as_described(route, await ann.post("/tables", {**order, "people": 3}), 409)
    for wrong in ({"game": "chess"}, {"rules": {"format": "rounds 99"}}, {"people": 0}, {"people": 50}):
        _as_described(route, await ann.post("/tables", {**order, "key": "another-key", **wrong}), 422)


def test_every_code_a_route_refuses_with_has_a_sentence_and_every_status_a_route() -> None:
    assert all(code in REFUSED for route in ROUTES for code in route.codes())
    assert set(STATUS) <= set(REFUSED)
    described = {status for route in ROUTES for status in route.statuses()}
    assert {status_of(code) for code in REFUSED} <= described
    asked = AT["POST", "/t/{code}"]
    assert {status_of(code) for code in REFUSED} <= set(asked.statuses())


def test_every_answer_of_data_has_a_shape() -> None:
    described = json.loads(json.dumps(describe(ROUTES, "1.2.3")))
    for path, operations in described["paths"].items():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                name = response.get("$ref", "").rsplit("/", 1)[-1]
                whole = described["components"]["responses"][name] if name else response
                shape = whole.get("content", {}).get(JSON, {}).get("schema", {"$ref": ""})
                assert "$ref" in shape or path == "/openapi.json", (path, status)
