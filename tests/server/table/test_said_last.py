"""What a view says of what happened last: the latest command, also where the clock tells none from another."""

from typing import Any

import pytest

from pubdice.games import GAMES
from support.house import Pub, at_the_pub, play_turn, seated


async def said(pub: Pub, code: str) -> list[str]:
    return [line["text"] for line in (await pub.view(code))["last"]]


async def longest(pub: Pub, game: str, ms: int) -> int:
    """The most lines that a view says of the latest move, in a match in which so much time goes by at each."""
    ann, bob, code = await seated(pub, game=game, rules={})
    found = list[int]()
    while await play_turn(pub, code, [ann, bob]) and len(found) < 40:
        found.append(len(await said(pub, code)))
        await pub.advance(ms)
    return max(found[2:])  # before that, it tells who came and sat down


@pytest.mark.parametrize("game", GAMES)
@at_the_pub()
async def test_a_view_tells_the_latest_move_alone_while_the_clock_stands_still(pub: Pub, game: str) -> None:
    still, ticking = await longest(pub, game, 0), await longest(pub, game, 1)
    assert still <= 2 * ticking < 10, (still, ticking)


@at_the_pub()
async def test_a_table_loaded_again_says_what_it_said_while_the_clock_stands_still(pub: Pub) -> None:
    ann, bob, code = await seated(pub, game="midnight", rules={"format": "rounds 3"})
    for _ in range(20):
        await play_turn(pub, code, [ann, bob])
        before: Any = await said(pub, code)
        pub.forget()
        assert await said(pub, code) == before
