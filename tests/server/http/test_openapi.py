"""The published description is valid and whole, and every route and message keeps to it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from hashlib import blake2b
from http.cookiejar import DefaultCookiePolicy
from importlib.metadata import version
from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from schemathesis.specs.openapi import checks

from pubdice.core.errors import NotStored
from pubdice.server import wire
from pubdice.server.app import ROUTES, HttpConfig, create_app
from pubdice.server.table.commands import request_of
from pubdice.server.table.commit import Key, key_of
from pubdice.server.web.openapi import SENTENCES, describe
from pubdice.server.web.refusals import REFUSED, STATUS, status_of
from pubdice.server.web.routing import JSON, Route
from pubdice.server.web.static_files import STATIC
from pubdice.server.wire import ClientKey, OrderKey
from pubdice.text import game_words
from support.asgi_client import Client
from support.house import Pub, seated
from support.house_process import House, Phone, run
from support.http_wire import Answer
from support.profiles import NIGHTLY


def walk(node: Any) -> list[dict[str, Any]]:
    """Every object inside."""
    if isinstance(node, dict):
        return [node, *(inner for value in node.values() for inner in walk(value))]
    return [inner for value in node for inner in walk(value)] if isinstance(node, list) else []


def test_the_description_is_valid_openapi() -> None:
    schemathesis.openapi.from_dict(describe(ROUTES, "1.2.3")).validate()


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


def test_every_route_has_the_statuses_of_the_door() -> None:
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


def test_every_refusal_of_a_route_has_a_sentence() -> None:
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


DESCRIBED = json.loads(json.dumps(describe(ROUTES, version("pubdice"))))
OPERATIONS = {
    operation.label: operation
    for operation in (
        found.ok() for found in schemathesis.openapi.from_dict(DESCRIBED).get_all_operations() if isinstance(found, Ok)
    )
}
EXAMPLES, FEW = (300, 300) if NIGHTLY else (6, 3)
"""Examples of every route, and fewer of a route with a path of one or two parts alone."""
CHECKS = (
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
)
TRIES = 60
"""A house that still counts how large a match is says to send the form again in a moment."""
STRICT = ("POST /tables", "POST /t/{code}")
"""Routes that refuse each field they do not know. Others guess at the meaning."""


@dataclass
class Open:
    """A house, and who is in it."""

    house: House
    codes: tuple[str, ...]
    tokens: tuple[str, ...]
    line: requests.Session


async def people(port: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tables in every stage."""
    ann, bob = Phone(port, "Ann"), Phone(port, "Bob")
    gathers = await ann.open_table(people=3, listed=True)
    plays = await ann.open_table(people=2, game="420")
    real = await ann.open_table(people=1, dice="real", bots=["tip"])
    over = await ann.open_table(people=1, rules={"format": "rounds 1"})
    await bob.do(plays, do="sit", name="Bob")
    await ann.do(plays, do="roll")
    while (view := await ann.view(over))["stage"] != "over":
        free = [die["place"] for die in view["dice"] if die["status"] == "free"]
        await ann.do(over, do="roll", **({"marks": free} if view["ask"] == "keep" else {}))
    return (gathers, plays, real, over), (ann.token, bob.token, Phone(port, "Eve").token)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    with House(tmp_path_factory.mktemp("house"), limits=False) as house, requests.Session() as line:
        line.headers.clear()  # as where each request has a line of its own
        line.trust_env = False  # else it looks for proxies and passwords at every request
        line.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # each request brings its own
        yield Open(house, *run(people(house.port)), line)
        house.stop()
        assert '"error"' not in house.errors(), house.errors()
        assert "Traceback" not in house.errors()


def modes(label: str) -> list[GenerationMode]:
    """The kinds of requests for a route: as its description allows, and otherwise."""
    operation = OPERATIONS[label]
    takes = operation.body or operation.path_parameters or operation.query
    return [GenerationMode.POSITIVE, *([GenerationMode.NEGATIVE] if takes else [])]


@pytest.mark.parametrize("label", [label for label in OPERATIONS if NIGHTLY or not label.startswith("HEAD")])
def test_every_route_answers_as_described(opened: Open, label: str) -> None:
    for mode in modes(label):
        answers_as_described(opened, label, mode)


def answers_as_described(opened: Open, label: str, mode: GenerationMode) -> None:
    operation = OPERATIONS[label]
    examples = EXAMPLES if operation.body or operation.query else FEW

    @given(case=operation.as_strategy(generation_mode=mode), dice=st.integers(0, 11))
    @settings(max_examples=examples, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    def asked(case: Any, dice: int) -> None:
        lives = "code" in (case.path_parameters or {}) and dice % 4 > 0
        if lives:
            if label.endswith("/events"):  # a table's stream has no end. Other tests hear it
                return
            case.path_parameters["code"] = opened.codes[dice % len(opened.codes)]
        if dice % 3:
            case.cookies = {"pubdice": opened.tokens[dice % len(opened.tokens)]}
        base = f"http://127.0.0.1:{opened.house.port}"
        for _ in range(TRIES):
            response = case.call(base_url=base, session=opened.line, timeout=10, allow_redirects=False)
            if response.status_code != 503 or response.json()["code"] != "night-counting":
                break
            sleep(1)
        assert response.status_code < 500, response.text
        case.validate_response(response, checks=CHECKS)
        if mode == GenerationMode.NEGATIVE and label in STRICT and not lives:
            assert response.status_code >= 400, response.text
        if response.status_code >= 400 and response.headers["content-type"] == "application/json":
            assert re.fullmatch(r"[A-Z].*[.:]", response.json()["why"], re.DOTALL)

    asked()


def test_what_the_house_publishes_is_what_was_tried(opened: Open) -> None:
    assert requests.get(f"http://127.0.0.1:{opened.house.port}/openapi.json", timeout=60).json() == DESCRIBED


SOUND = ("abcdefgh", "A-Za-z0-9_-", "x" * 64)


@pytest.mark.parametrize("key", SOUND)
def test_keys_are_letters_digits_and_two_signs(key: str) -> None:
    assert msgspec.convert(key, ClientKey) == msgspec.convert(key, OrderKey) == key


@pytest.mark.parametrize("end", ["\n", "\n\n", "\r", " ", "\0", "\u2028", "é", "\N{ARABIC-INDIC DIGIT ONE}"])
@pytest.mark.parametrize("key", SOUND)
def test_nothing_follows_a_key(key: str, end: str) -> None:
    for kind in (ClientKey, OrderKey):
        for text in (key[:60] + end, end + key[:60]):
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert(text, kind)
    with pytest.raises(msgspec.ValidationError):
        request_of({"key": key[:60] + end, "do": "roll"})


@pytest.mark.parametrize(
    ("told", "hashed"),
    [
        ({"do": "roll", "seen": 7, "marks": [0, 2]}, b'"roll","marks":[0,2],"seen":7}'),
        ({"do": "rules", "chances": False}, b'"rules","chances":false}'),
        ({"do": "rematch", "decider": False}, b'"rematch"}'),
        ({"do": "plan", "times": "2", "play": "", "rules": {}}, b'"plan","rules":{},"play":"","times":"2"}'),
        ({"do": "type", "text": "1 6 r"}, b'"type","text":"1 6 r"}'),
    ],
)  # fmt: skip
def test_a_request_is_hashed_as_in_every_version_before(told: dict[str, object], hashed: bytes) -> None:
    """A repeated request is known to the next version of the house, too."""
    body = b'{"key":"abcdefgh","do":' + hashed
    asked = request_of({**told, "key": "abcdefgh"})
    assert key_of("ann", asked) == Key("ann abcdefgh", blake2b(body, digest_size=16).digest())


DECLARED = re.findall(
    r"^  interface (\w+) \{\n(.*?)^  \}", (Path(str(STATIC)).parent / "wire.d.ts").read_text("utf-8"), re.M | re.S
)


def test_every_type_of_the_scripts_has_the_fields_of_its_message() -> None:
    assert {name for name, _ in DECLARED} >= {"Update", "View", "SeatView", "DieView", "Say"}
    for name, body in DECLARED:
        declared = re.findall(r"^    (\w+)\??: ", body, re.M)
        kind: Any = getattr(wire, name, None) or getattr(game_words, name)
        known = kind.__struct_fields__ if issubclass(kind, msgspec.Struct) else [field.name for field in fields(kind)]
        assert declared == list(known), name
