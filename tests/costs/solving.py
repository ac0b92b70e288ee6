"""The usual match of each game for two, solved in this thread; numba compiles nothing, and nothing is kept."""

from costs.counting import counted_calls
from costs.measured import Cost, cost_of
from pubdice.advice.losses import Lesson
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.match.notation import RawHeader
from pubdice.server.jobs import NoAnswer, rank_day, teach

DAY = 100


def cost_of_solution(kit: Kit) -> Cost:
    """The cost of the chances of a match's start."""
    match = kit.match(kit.normalize(RawHeader({"game": kit.name, "seats": "Ann, Bob"})))
    assert kit.solver is not None
    with counted_calls() as calls:
        kit.solver(match).values(match.start())
    return cost_of(calls)


def cost_of_hint(game: str) -> Cost:
    """The cost of a hint in a match whose solver a hint before it has made."""
    kit = GAMES[game]
    header = {"game": kit.name, "seats": "Ann, Bob"}
    match, rules = kit.match(kit.normalize(RawHeader(header))), tuple(header.items())
    hands = [match.roll(match.start(), dice) for dice in ((2, 1), (4, 3))]
    teach(None, rules, hands[0], "en")
    with counted_calls() as calls:
        lesson = teach(None, rules, hands[1], "en")
    assert isinstance(lesson, Lesson), lesson
    return cost_of(calls)


def cost_of_day(game: str) -> Cost:
    """The cost of a day's question that somebody has asked before."""
    rank_day(None, (game,), DAY, "en")
    with counted_calls() as calls:
        found = rank_day(None, (game,), DAY, "en")
    assert not isinstance(found, NoAnswer), found
    return cost_of(calls)


def measure() -> dict[str, Cost]:
    """Every game of the house, a hint, and a day's question."""
    hint = {"A hint in a match that is solved": cost_of_hint("mexico")}
    hint |= {"A day's question, asked once more": cost_of_day("mexico")}
    return hint | {f"A match of {name}, solved": cost_of_solution(kit) for name, kit in GAMES.items()}
