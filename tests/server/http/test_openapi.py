"""The published description: valid, whole, of the house there is, and what a house answers."""

import json
import re
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import schemathesis

from pubdice.core.errors import NotStored
from pubdice.server import wire
from pubdice.server.app import ROUTES, HttpConfig, create_app
from pubdice.server.web.openapi import SENTENCES, describe
from pubdice.server.web.refusals import REFUSED, STATUS, status_of
from pubdice.server.web.routing import JSON, Route
from support.asgi_client import Client
from support.house import Pub, seated
from support.http_wire import Answer


def walk(node: Any) -> list[dict[str, Any]]:
    """Every object inside."""
    if isinstance(node, dict):
        return [node, *(inner for value in node.values() for inner in walk(value))]
    return [inner for value in node for inner in walk(value)] if isinstance(node, list) else []


def test_the_description_is_valid_openapi() -> None:
    schemathesis.openapi.from_dict(describe(ROUTES, "1.2.3")).validate()


def test_an_invalid_description_would_be_noticed() -> None:
    broken = describe(ROUTES, "1.2.3")
    broken["paths"]["/"]["get"]["responses"] = {"2x0": {}}
    with pytest.raises(Exception, match="required"):
        schemathesis.openapi.from_dict(broken).validate()


def test_everything_referred_to_is_there() -> None:
    described = json.loads(json.dumps(describe(ROUTES, "1.2.3")))
    for node in walk(described):
        if "$ref" in node:
            target = described
            for step in node["$ref"].removeprefix("#/").split("/"):
                target = target[step]


def test_every_deed_and_field_of_the_wire_is_described() -> None:
    described = describe(ROUTES, "1.2.3")["components"]["schemas"]
    assert described["Request"]["discriminator"]["propertyName"] == "do"
    assert set(described["Request"]["discriminator"]["mapping"]) == set(wire.REQUESTS)
    for kind in wire.REQUESTS.values():
        assert set(described[kind.__name__]["properties"]) == {"do", *kind.__struct_fields__}
    assert {"key", "do", *wire.FIELDS} <= set(described["RequestForm"]["properties"])
    assert set(described["View"]["properties"]) == set(wire.View.__struct_fields__)


def test_places_of_dice_are_said_to_count_from_0() -> None:
    described = describe(ROUTES, "1.2.3")["components"]["schemas"]
    place = described["DieView"]["properties"]["place"]
    assert place == described["RollOn"]["properties"]["marks"]["items"]
    assert place["minimum"] == 0
    assert "from 0" in place["description"]


def test_every_status_has_a_sentence_and_every_route_what_the_door_answers() -> None:
    for route in ROUTES:
        assert set(route.statuses()) <= set(SENTENCES)
        assert {400, 403, 405, 408, 413, 414, 421, 429, 500} <= set(route.statuses())
    assert len({(route.method, route.path) for route in ROUTES}) == len(ROUTES)


def test_every_route_of_the_app_is_described() -> None:
    paths = describe(ROUTES, "1.2.3")["paths"]
    described = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    house: Any = SimpleNamespace(secret=b"", games={})
    door: Any = create_app(house, lambda count: b"x" * count, HttpConfig())
    served = set()
    for route in door.app.routes:
        path = re.sub(r"\{(\w+)(:\w+)?\}", r"{\1}", route.path)
        served |= {(method, path) for method in route.methods or ()}
    assert served == described, "HEAD too, which answers wherever GET does"


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


async def test_a_record_before_there_is_a_match(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=2)
    _as_described(AT["GET", "/t/{code}/record"], await ann.get(f"/t/{code}/record"), 404)


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
async def test_a_body_that_cannot_be_read(pub: Pub, path: str) -> None:
    ann, _, code = await seated(pub)
    route, there = AT["POST", path], path.replace("{code}", code)
    _as_described(route, await _sent(ann, there, b"{"), 400)
    _as_described(route, await _sent(ann, there, b"<a/>", "text/xml"), 415)
    _as_described(route, await _sent(ann, there, b'{"key": 1}'), 422)
    _as_described(route, await _sent(ann, there, b'{"key": "12345678", "do": "fly"}'), 422)


async def test_a_command_that_is_done_or_refused(pub: Pub) -> None:
    route = AT["POST", "/t/{code}"]
    ann, bob, code = await seated(pub)
    _as_described(route, await pub.client("Eve").ask(code, "roll"), 403)
    _as_described(route, await bob.ask(code, "roll"), 403)
    _as_described(route, await ann.ask(code, "roll", "the-same-key"), 200)
    _as_described(route, await ann.ask(code, "roll"), 409)
    _as_described(route, await ann.ask(code, "nudge", "the-same-key", seat=1), 409)
    _as_described(route, await ann.ask("ZZZZZZ", "roll"), 404)


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
