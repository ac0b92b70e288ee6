"""Every GET route of the house, each asked in a copy of a process that has answered nothing yet.

Cold is the first request that the route gets in a process that has just opened a house; warm is the same request once
more. Where the first answer is that the house still works something out (202), the request is also measured once that
is done, as "worked out", before it is warm.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from costs.deeds import sealed
from costs.houses import CountedPub, at_home, in_child
from costs.measured import Cost
from pubdice.advice import luck_rank
from pubdice.server import answers
from pubdice.server.app import ROUTES
from support.asgi_client import Client
from support.house import play_out, seated

T = TypeVar("T")
GAME = "ship"
"""The game of pages about one: its answers take the least time."""
RECORDS = [route.path for route in ROUTES if route.only == "pocket" and route.method == "GET"]
STREAM = "/t/{code}/events"
IN_GERMAN = ("/", "/t/{code}")
"""Routes that are asked in a language with a catalogue, too."""


async def under_way(pub: CountedPub) -> dict[str, str]:
    """A table in the middle of a match."""
    ann, _, code = await seated(pub, game=GAME)
    await ann.done(code, "roll")
    return {"code": code}


async def over(pub: CountedPub) -> dict[str, str]:
    """A table whose match is over."""
    ann, bob, code = await seated(pub, game=GAME, rules={"format": "rounds 1"})
    await play_out(pub, code, [ann, bob])
    return {"code": code, "number": "1"}


async def sealed_over(pub: CountedPub) -> dict[str, str]:
    """A table with sealed dice whose match is over."""
    ann, bob, code = await sealed(pub, game=GAME)
    await play_out(pub, code, [ann, bob])
    return {"code": code}


async def opened(pub: CountedPub) -> dict[str, str]:
    """A pocket in which the record of a match with sealed dice was opened."""
    code = (await sealed_over(pub))["code"]
    ann = pub.client("Ann")
    record = (await ann.get(f"/t/{code}/record")).text
    pub.pocket = True
    await pub.restart()
    answer = await ann.send("/record", record=record)
    assert answer.status == 303, answer.text
    return {"opened": answer.headers["location"].split("/")[2], "number": "1"}


async def night(pub: CountedPub) -> dict[str, str]:
    """A duplicate night."""
    form = {"game": GAME, f"{GAME}.format": "rounds", f"{GAME}.rounds": "1", "players": "2"}
    pub.gated.gate.set()
    while (answer := await pub.client("Ann").send("/night", **form)).status == 503:
        await at_rest(pub)
    pub.gated.gate.clear()
    return {"code": answer.headers["location"].removeprefix("/night/")}


async def nothing(pub: CountedPub) -> dict[str, str]:
    """A house without tables."""
    return {}


SCENES: dict[str, Callable[[CountedPub], Awaitable[dict[str, str]]]] = {
    "/t/{code}/ask/{number}": over,
    "/t/{code}/receipt": over,
    "/t/{code}/receipt.svg": over,
    "/t/{code}/evening": over,
    "/t/{code}/evening/records": over,
    "/t/{code}/verify": sealed_over,
    "/night/{code}": night,
    "/find": under_way,
    **dict.fromkeys(RECORDS, opened),
}
"""The scene in which a route is asked; else a match under way, if it is about a table."""
VALUES = {"game": GAME, "number": "1", "date": "2025-11-01", "hash": "x", "name": "table.js"}
QUERY = {"/find": "?code={code}"}
MOST_ASKED = 200


async def at_rest(pub: CountedPub) -> None:
    """Until nothing is being worked out."""
    await pub.settle()
    while pub.gated.working:
        await asyncio.sleep(0.01)
        await pub.settle()


def get(client: Client, target: str, *, stream: bool) -> Callable[[], Awaitable[Any]]:
    """A request, as a browser makes it; a stream is left open."""
    return (lambda: client.look(target.split("/")[2])) if stream else (lambda: client.get(target, "text/html"))


async def target_of(pub: CountedPub, path: str, game: str) -> str:
    """The address that a route is asked by, in a house that has what it is about."""
    scene = SCENES.get(path, under_way if "{code}" in path else nothing)
    facts = {**VALUES, "game": game, **await scene(pub)}
    if path.startswith("/t/") and path != "/t/{code}/state":
        facts["code"] = pub.house.link(facts["code"]).removeprefix("/t/")  # else it leads there
    return (path + QUERY.get(path, "")).format(**facts)


async def asked(pub: CountedPub, path: str) -> list[tuple[str, Cost]]:
    """The cost of each request of one route, named by when it was asked and what its status was."""
    target = await target_of(pub, path, GAME)
    deed = get(pub.client("Ann"), target, stream=path == STREAM)
    cold = await pub.cost(deed)
    found, last = [("cold", cold)], cold
    pub.gated.gate.set()
    for _ in range(MOST_ASKED):
        if last[1].status != 202:
            break
        await at_rest(pub)
        last = await pub.cost(deed)
    if last is not cold:
        found.append(("worked out", last))
    await at_rest(pub)
    found.append(("warm", await pub.cost(deed)))
    if path in IN_GERMAN:
        deed = get(pub.client("Zoe", "de"), target, stream=False)
        await deed()
        found.append(("warm in German", await pub.cost(deed)))
    return [(f"{when}: {answer.status}", cost) for when, (cost, answer) in found]


def routes() -> list[str]:
    """The paths of all GET routes."""
    return [route.path for route in ROUTES if route.method == "GET"]


def cost_of_route(path: str) -> dict[str, Cost]:
    """The cost of each request of one route, in a copy of this process."""
    found: list[Any] = in_child(
        lambda: [(when, vars(cost)) for when, cost in nothing_at_once(lambda pub: asked(pub, path))]
    )
    return {f"GET {path.replace('{game}', GAME)}, {when}": Cost(**fields) for when, fields in found}


def nothing_at_once(ask: Callable[[CountedPub], Awaitable[T]]) -> T:
    """What is asked of a house where no answer is there at once, and a worker does less, which is not counted. The
    settings stay changed, so call it in a copy of this process.
    """
    answers.WAIT_S = 0
    luck_rank.MOST_REPLAYS = 25
    return at_home(ask)


def measure() -> dict[str, Cost]:
    """Each route."""
    return {name: cost for path in routes() for name, cost in cost_of_route(path).items()}
