"""Deeds of people at tables, by HTTP: each measured as the first deed of its kind in a process, and as a later one.

The clock stands still throughout, so that every command of a match has the same millisecond.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from costs.houses import CountedPub, at_home, in_child
from costs.measured import Cost
from pubdice.server.table.codes import read_code
from support.asgi_client import Client
from support.house import growing, play_out, seated
from support.http_wire import Answer

Deed = Callable[[], Awaitable[Answer]]
PACE_MS = 1000
LONG = {"format": "rounds 9"}
MOVES = 8
"""Between the first roll of a table and the one that is measured as a later one."""
WATCHING = {"nobody watching": 0, "one watching": 1, "four watching": 4}


async def next_move(pub: CountedPub, code: str, people: Sequence[Client]) -> Deed:
    """The mover's next move: a roll, with the first free die kept where one must be; or the last that is offered."""
    view = await pub.view(code)
    chair = pub.actor(code).state.chairs[view["mover"]]
    mover = next(client for client in people if client.person in chair.people)
    if view["moves"]:
        return lambda: mover.ask(code, "choose", action=view["moves"][-1]["move"])
    free = [die["place"] for die in view["dice"] if die["status"] == "free"]
    fields: dict[str, Any] = {} if view["ask"] == "roll" else {"marks": free[:1]}
    return lambda: mover.ask(code, "roll", **fields)


async def measured(pub: CountedPub, deed: Deed) -> Cost:
    """The cost of a deed that is done."""
    cost, answer = await pub.cost(deed)
    assert answer.status in (200, 201), answer.body
    return cost


async def sealed(pub: CountedPub, **order: Any) -> tuple[Client, Client, str]:
    """Ann and Bob at a table with sealed dice, whose match has begun."""
    ann, bob, code = await growing(pub, dice="sealed", **order)
    for client in (ann, bob):
        await client.done(code, "seed", seed=client.name)
    await ann.done(code, "start")
    return ann, bob, code


async def rolls(pub: CountedPub, looking: int) -> list[Cost]:
    """The first roll of a table, and a later one."""
    return await moves(pub, looking, await seated(pub, rules=LONG))


async def sealed_rolls(pub: CountedPub) -> list[Cost]:
    """The first roll of sealed dice, and a later one, while one watches."""
    return await moves(pub, 1, await sealed(pub, rules=LONG))


async def offered_moves(pub: CountedPub) -> list[Cost]:
    """The first roll at a game of moves, after which some are offered, and a later choice, while one watches."""
    return await moves(pub, 1, await seated(pub, game="shutbox", rules=LONG))


async def moves(pub: CountedPub, looking: int, table: tuple[Client, Client, str]) -> list[Cost]:
    """The first move at a table, and a later one."""
    *people, code = table
    for number in range(looking):
        await pub.client(f"Guest {number}").look(code)
    first = await measured(pub, await next_move(pub, code, people))
    for _ in range(MOVES):
        await (await next_move(pub, code, people))()
        await pub.settle()
    return [first, await measured(pub, await next_move(pub, code, people))]


async def openings(pub: CountedPub) -> list[Cost]:
    """A new table, twice."""
    ann = pub.client("Ann")

    def order(key: str) -> Deed:
        return lambda: ann.post("/tables", {"game": "midnight", "name": "Ann", "people": 2, "key": key})

    return [await measured(pub, order(key)) for key in ("first-table", "other-table")]


async def sittings(pub: CountedPub) -> list[Cost]:
    """A seat taken at each of two tables, while the one who has opened it watches."""
    costs = []
    for _ in range(2):
        ann, bob = pub.client("Ann"), pub.client("Bob")
        code = await ann.order()
        await ann.look(code)
        costs.append(await measured(pub, lambda bob=bob, code=code: bob.ask(code, "sit", name="Bob")))  # type: ignore[misc]
    return costs


async def rematches(pub: CountedPub) -> list[Cost]:
    """A rematch of each of two matches, while the other player watches."""
    costs = []
    for _ in range(2):
        ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
        await play_out(pub, code, [ann, bob])
        await bob.look(code)
        costs.append(await measured(pub, lambda ann=ann, code=code: ann.ask(code, "rematch")))  # type: ignore[misc]
    return costs


async def reactions(pub: CountedPub) -> list[Cost]:
    """A reaction, twice, while the other player watches."""
    ann, bob, code = await seated(pub)
    await bob.look(code)
    costs = []
    for phrase in (0, 1):
        costs.append(await measured(pub, lambda phrase=phrase: ann.ask(code, "react", phrase=phrase)))  # type: ignore[misc]
        await pub.advance(10_000)
    return costs


async def bots_moves(pub: CountedPub) -> list[Cost]:
    """The first decision of a bot, and a later one, while the person who plays with it watches."""
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["tip"], pace_ms=PACE_MS, start=True, rules=LONG)
    await ann.look(code)
    costs: list[Cost] = []
    while len(costs) <= MOVES:
        state = pub.actor(code).state
        if state.match is not None and state.mover is not None and state.plays(state.mover):
            due = state.match.table.match.to_roll(state.match.state.match)
            cost, _ = await pub.cost(lambda: pub.advance(PACE_MS))
            costs += [] if due else [cost]
        else:
            await (await next_move(pub, code, [ann]))()
            await pub.settle()
    return [costs[0], costs[-1]]


async def last_moves(pub: CountedPub) -> list[Cost]:
    """The move that ends a match, at each of two tables, while the other player watches."""
    costs = []
    for _ in range(2):
        *people, code = await seated(pub, rules={"format": "rounds 1"})
        await people[1].look(code)
        while (await pub.view(code))["stage"] == "playing":
            cost = await measured(pub, await next_move(pub, code, people))
        costs.append(cost)
    return costs


async def returns(pub: CountedPub) -> list[Cost]:
    """The page of each of two tables under way that are not in memory: their logs are read and replayed."""
    costs = []
    for _ in range(2):
        *people, code = await seated(pub, rules=LONG)
        for _ in range(2 * MOVES):
            await (await next_move(pub, code, people))()
        await pub.settle()
        link = pub.house.link(code)
        pub.house.actors.pop(read_code(code) or code).close()
        costs.append(await measured(pub, lambda link=link, ann=people[0]: ann.get(link, "text/html")))  # type: ignore[misc]
    return costs


def measure() -> dict[str, Cost]:
    """Each deed, cold and warm."""
    scenes: dict[str, Callable[[CountedPub], Awaitable[list[Cost]]]] = {
        f"A roll, {who}": lambda pub, number=number: rolls(pub, number)  # type: ignore[misc]
        for who, number in WATCHING.items()
    }
    scenes |= {"A new table": openings, "Sitting down": sittings, "A rematch": rematches, "A reaction": reactions}
    scenes |= {"A roll of sealed dice": sealed_rolls, "A move at a game of moves": offered_moves}
    scenes |= {"A bot's move": bots_moves, "The last move of a match": last_moves}
    scenes["A table that is not in memory, asked for"] = returns
    found: dict[str, Cost] = {}
    for name, scene in scenes.items():
        cold, warm = in_child(lambda scene=scene: [vars(cost) for cost in at_home(scene)])  # type: ignore[misc]
        found |= {f"{name}, cold": Cost(**cold), f"{name}, warm": Cost(**warm)}
    return found
