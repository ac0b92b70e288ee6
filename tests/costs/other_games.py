"""The first request of every route about a game, for the games that ``pages`` does not ask about."""

from typing import Any

from costs.houses import CountedPub, in_child
from costs.measured import Cost
from costs.pages import GAME, get, nothing_at_once, routes, target_of
from pubdice.games import GAMES


async def asked(pub: CountedPub, game: str) -> dict[str, Any]:
    """Each route about a game, until the house works out its answer."""
    ann, found = pub.client("Ann"), {}
    for path in routes():
        if "{game}" in path:
            target = await target_of(pub, path, game)
            cost, answer = await pub.cost(get(ann, target, stream=False))
            found[f"GET {target}: {answer.status}"] = vars(cost)
    return found


def measure() -> dict[str, Cost]:
    """Each game, in a copy of this process."""
    found: dict[str, Cost] = {}
    for game in GAMES:
        if game != GAME:
            costs = in_child(lambda game=game: nothing_at_once(lambda pub: asked(pub, game)))  # type: ignore[misc]
            found |= {name: Cost(**fields) for name, fields in costs.items()}
    return found
