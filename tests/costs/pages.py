"""Every GET route about a house or a table, each asked once in a copy of a process that has answered nothing yet.

The table has sealed dice, and its match is over, so that every page of a table has an answer. Nothing is worked out
meanwhile: an answer that takes long is given later, by a worker.
"""

from typing import Any

from costs.deeds import sealed
from costs.houses import CountedPub, at_home, in_child
from costs.measured import Cost
from pubdice.server import answers
from pubdice.server.app import ROUTES
from support.house import play_out

GAME = "ship"
VALUES = {"game": GAME, "number": "1", "date": "2025-11-01", "hash": "x", "name": "table.js"}
ELSEWHERE = ("/t/{code}/events", "/night/{code}")
"""A stream does not end, and a night is a house of many tables."""


def routes() -> list[str]:
    """The paths of the routes."""
    return [
        route.path
        for route in ROUTES
        if route.method == "GET" and route.only != "pocket" and route.path not in ELSEWHERE
    ]


async def asked(pub: CountedPub, path: str) -> dict[str, Any]:
    """The cost of the first request of a route."""
    facts, ann = dict(VALUES), pub.client("Ann")
    if "{code}" in path:
        ann, bob, code = await sealed(pub, game=GAME, rules={"format": "rounds 1"})
        await play_out(pub, code, [ann, bob])
        facts["code"] = pub.house.link(code).removeprefix("/t/") if path != "/t/{code}/state" else code
    cost, answer = await pub.cost(lambda: ann.get(path.format(**facts), "text/html"))
    assert answer.status < 500, answer.body
    return vars(cost)


def first_request(path: str) -> dict[str, Any]:
    """The cost of a route in a house where no answer is waited for. Call it in a copy of this process."""
    answers.WAIT_S = 0
    return at_home(lambda pub: asked(pub, path))


def measure() -> dict[str, Cost]:
    """Each route."""
    return {path: Cost(**in_child(lambda path=path: first_request(path))) for path in routes()}  # type: ignore[misc]
