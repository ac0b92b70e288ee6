"""A whole match of every game through the engine and into its record, with fixed dice and choices.

The caches of the rules are warm: the same match was played once before it is counted.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from costs.counting import counted_calls
from costs.measured import Cost, cost_of
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.match.header import RawHeader
from pubdice.match.match import Match, MatchState
from pubdice.match.record import Move, Played, Rolled, write_steps

SEED = 420
FACES = (1, 2, 3, 4, 5, 6)
MOST = 150
"""Transitions: a match of lives may go on for long."""


def steps(match: Match[Any, Any], rng: Random) -> Iterator[tuple[MatchState[Any], Move, MatchState[Any]]]:
    """The transitions of a match, each with the states before and after."""
    state = match.start()
    for _ in range(MOST):
        if state.over:
            return
        before, due = state, match.to_roll(state)
        if due:
            dice = tuple(rng.choices(FACES, k=due))
            state = match.roll(state, tuple(sorted(dice)))
            yield before, Rolled(dice), state
        else:
            action = rng.choice(match.legal(state))
            state = match.play(state, action)
            yield before, Played(action), state


def cost_of_match(kit: Kit) -> Cost:
    """The cost of one match of a game."""
    header = kit.normalize(RawHeader({"game": kit.name, "seats": ", ".join(kit.names)}))
    match = kit.match(header)
    transitions = len(list(steps(match, Random(SEED))))
    record = write_steps(header, match, steps(match, Random(SEED)))
    with counted_calls() as calls:
        again = write_steps(header, match, steps(match, Random(SEED)))
    assert again == record
    return cost_of(calls, transitions=transitions, bytes_stored=len(record.encode()))


def measure() -> dict[str, Cost]:
    """Every game."""
    return {f"A match of {name}": cost_of_match(kit) for name, kit in GAMES.items()}
