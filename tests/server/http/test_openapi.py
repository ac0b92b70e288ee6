"""The published description: valid, whole, and of the house there is."""

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
import schemathesis

from pubdice.server import wire
from pubdice.server.app import ROUTES, HttpConfig, create_app
from pubdice.server.web.openapi import SENTENCES, describe


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
