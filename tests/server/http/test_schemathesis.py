"""The published description, tried out on a real house by a program that knows nothing else of it.

Every route is asked with what the description allows and what it does not. No answer is the house's fault, and every
one is as described: its status, its content type, its data. Codes are often those of tables there are, cookies those of
people who sit there.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from importlib.metadata import version
from time import sleep
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from schemathesis.specs.openapi import checks

from pubdice.server.app import ROUTES
from pubdice.server.web.openapi import describe
from support.house_process import House, Phone, run
from support.profiles import NIGHTLY

DESCRIBED = json.loads(json.dumps(describe(ROUTES, version("pubdice"))))
OPERATIONS = {
    operation.label: operation
    for operation in (
        found.ok() for found in schemathesis.openapi.from_dict(DESCRIBED).get_all_operations() if isinstance(found, Ok)
    )
}
EXAMPLES, FEW = (300, 300) if NIGHTLY else (10, 6)
"""Of every route; the second where the path is all that is asked, as it has one or two parts."""
CHECKS = (
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
)
TRIES = 60
"""A house that still counts how large a match is says to send the form again in a moment."""
STRICT = ("POST /tables", "POST /t/{code}")
"""Where nothing that is not meant is let pass; elsewhere some is taken for what was probably meant."""


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


CASES = [
    (label, mode)
    for label, operation in OPERATIONS.items()
    if NIGHTLY or not label.startswith("HEAD")  # which is GET without its body
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    if mode == GenerationMode.POSITIVE or operation.body or operation.path_parameters or operation.query
]


@pytest.mark.parametrize(("label", "mode"), CASES, ids=[f"{label}, {mode.value}" for label, mode in CASES])
def test_every_route_answers_as_described(opened: Open, label: str, mode: GenerationMode) -> None:
    """With what the description allows, and with what it does not."""
    operation = OPERATIONS[label]
    examples = EXAMPLES if operation.body or operation.query else FEW

    @given(case=operation.as_strategy(generation_mode=mode), dice=st.integers(0, 11))
    @settings(max_examples=examples, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    def asked(case: Any, dice: int) -> None:
        lives = "code" in (case.path_parameters or {}) and dice % 4 > 0
        if lives:
            if label.endswith("/events"):  # endless where there is a table: other tests hear them
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
    assert requests.get(f"http://127.0.0.1:{opened.house.port}/openapi.json", timeout=5).json() == DESCRIBED
