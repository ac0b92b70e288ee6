from collections.abc import Mapping, Sequence
from math import nextafter
from typing import Any

import pytest

from play import CASES, KITS, bot_match
from pubdice.advice import bots
from pubdice.core.game import Keep
from pubdice.match.record import Played
from pubdice.match.table import PlayAction, RollOrBank, Table
from support.scripted_cup import ScriptedCup


def _table() -> Table:
    case = next(case for case in CASES if case.kit is KITS["midnight"])
    return case.table(2)[1]


def test_a_bot_rolls_when_dice_are_due_and_acts_outright_when_it_must_choose() -> None:
    table = _table()
    tip = KITS["midnight"].policies["tip"]
    state = table.start()
    assert bots.act(tip, table, state, lambda n: 0) == RollOrBank("roll")
    for event in table.decide(state, RollOrBank("roll"), ScriptedCup([(3, 1, 5, 4, 2, 6)])):
        state = table.apply(state, event)
    assert bots.act(tip, table, state, lambda n: 0) == PlayAction(Keep((1, 4, 5, 6)))


def test_the_perfect_bot_takes_the_action_its_solver_values_most() -> None:
    table = _table()
    kit = KITS["midnight"]
    assert kit.solver is not None
    perfect = bots.Perfect(kit.solver(table.match))
    state = table.start()
    assert bots.act(perfect, table, state, lambda n: 0) == RollOrBank("roll")
    for event in table.decide(state, RollOrBank("roll"), ScriptedCup([(6, 5, 5, 4, 1, 3)])):
        state = table.apply(state, event)
    action = bots.act(perfect, table, state, lambda n: 0)
    values = dict(perfect.solver.action_values(state.match))
    assert isinstance(action, PlayAction)
    assert values[action.action] == max(values.values()) > min(values.values())


class Rounded:
    """A solver whose two equal values came out as neighbouring floats, which round to 12 digits differently."""

    utility, bound = "share of the match", 0.0

    def values(self, state: Any) -> Sequence[float]:
        return []

    def facts(self, state: Any) -> Sequence[tuple[Any, Mapping[str, float]]]:
        return []

    def action_values(self, state: Any) -> Sequence[tuple[Any, float]]:
        return [("first", 0.1234567890125), ("second", nextafter(0.1234567890125, 1))]


def test_the_perfect_bot_takes_the_first_of_what_only_rounding_tells_apart() -> None:
    state: Any = None
    assert bots.Perfect(Rounded()).action(state) == "first"


@pytest.mark.parametrize("seed", range(3))
def test_the_tips_beat_luck_over_a_few_matches(seed: int) -> None:
    """Seats 0 and 2 follow the tips, 1 and 3 keep anything: nobody lucky has ever won most of twenty rounds."""
    case = next(case for case in CASES if str(case).startswith("midnight-1_4-rounds"))
    live = bot_match(case, 4, f"tips {seed}", format="rounds 20")
    points = live.end.match.tally.points
    assert points[0] + points[2] > 2 * (points[1] + points[3])
    assert any(isinstance(event, Played) for event in live.events)
