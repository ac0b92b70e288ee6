"""Laws of the turn, for every game and format: the turn passes on when the number of the round or the mover changes."""

from itertools import pairwise
from typing import Any

import pytest

from play import Case, bot_match, in_turn
from pubdice.match.match import MatchState


@pytest.mark.parametrize(("case", "seats"), in_turn(1, 2, 3), ids=str)
def test_a_state_says_whose_turn_it_is_as_its_rules_do(case: Case, seats: int) -> None:
    live = bot_match(case, seats, "movers")
    match, movers, opened = live.table.match, set(), dict[int, MatchState[Any]]()
    for state in [each.match for each in live.states]:
        if state.roll_off is not None:
            continue  # tests/match/test_roll_off.py tests the mover of a roll-off instead
        local = None if state.round is None or state.over else match.game.mover(state.round)
        assert state.mover == (None if local is None else state.order[local])
        # if the match is over but the round has no result, a turn has ended the match
        if state.round is not None and not (state.over and match.game.result(state.round) is None):
            first = opened.setdefault(state.number, state)
            assert match.at(first, state.round).mover == state.mover
        movers.add(state.mover)
    rolled_off = live.states[-1].match.roll_off is not None
    assert len(movers) > min(seats, 2) or rolled_off, "all seats move, and none after the end"
    for before, after in pairwise([state.match for state in live.states]):
        ended = match.turn_ended(before, after)
        assert match.turn(after) == (match.number(after), match.mover(after))
        assert match.passed_on(before, after) == (match.mover(before) != match.mover(after) or ended is not None)
