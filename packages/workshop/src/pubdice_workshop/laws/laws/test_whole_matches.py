"""Laws of whole matches with seeded dice, for every game and format with 2 to 6 seats: each can be replayed, and saved
and reloaded at every event.
"""

from itertools import combinations

import pytest

from play import (
    BY_RULES,
    CASES,
    Case,
    Live,
    bot_match,
    covering,
    endless,
    go_on,
    in_turn,
    play,
    read,
    reload,
    room_of,
    seated,
)
from pubdice.match.record import moves as replayed
from pubdice.match.table import moves
from support.profiles import NIGHTLY

HOUSE_SEATS = range(2, 7) if NIGHTLY else (3, 6)


def _replays(live: Live) -> None:
    assert live.end.match.over
    _, steps = read(live.text())
    assert replayed(steps) == moves(live.events)
    last = steps[-1].after
    assert last == live.end.match
    form = live.table.match.format
    assert form.champions(last.tally) == form.champions(live.end.match.tally)
    assert len(last.tally.points) == live.table.match.seats
    by_name = [each for each in form.slate(last.tally, live.table.names).values() if isinstance(each, dict)]
    for amounts in by_name:
        assert tuple(amounts) == live.table.names
        assert all(isinstance(amount, int) for amount in amounts.values())


def _reloads(live: Live) -> None:
    lines = live.lines()
    for at, state in enumerate(live.states):
        assert reload(live.table, lines[:at]) == state


def test_a_sample_has_every_two_choices_that_meet_and_is_far_smaller() -> None:
    rows = [(a, b, c, d) for a in "ab" for b in "abcd" for c in "abc" for d in "abcd" if (a, b) != ("a", "d")]
    chosen = covering(rows)
    assert set(chosen) <= set(rows)
    meet = {pair for row in rows for pair in combinations(enumerate(row), 2)}
    assert {pair for row in chosen for pair in combinations(enumerate(row), 2)} == meet
    assert 16 <= len(chosen) <= 20 < len(rows)
    met = {(case.kit.name, field, seats) for case, seats in seated(range(2, 7)) for field in case.fields}
    assert met == {
        (case.kit.name, field, seats) for case in CASES for seats in room_of(case.game, 2, 6) for field in case.fields
    }


@pytest.mark.parametrize(("case", "seats"), seated(HOUSE_SEATS), ids=str)
def test_a_seeded_match_between_bots_replays_and_reloads_to_the_same_result(case: Case, seats: int) -> None:
    live = bot_match(case, seats, f"house {seats}")
    _replays(live)
    _reloads(live)


@pytest.mark.parametrize(("case", "seats"), in_turn(2, 5), ids=str)
def test_a_match_with_real_dice_taken_back_now_and_then_replays_and_reloads(case: Case, seats: int) -> None:
    played = (play(case, seats, endless(seed), "real") for seed in range(seats, seats + 50))
    # a short game may end without a move taken back, so look for a seed with one
    live = next(live for live in played if "back" in live.lines())
    _replays(live)
    _reloads(live)


@pytest.mark.parametrize("case", BY_RULES, ids=str)
def test_a_match_resumed_from_its_log_ends_as_it_would_have(case: Case) -> None:
    live = bot_match(case, 3, "resumed")
    lines = live.lines()
    for cut in (1, len(lines) // 3, len(lines) // 2):
        state = reload(live.table, lines[:cut])
        later = list(go_on(case, live.table, state, "resumed"))
        assert tuple(event for event, _ in later) == live.events[cut:]
        assert later[-1][1] == live.end
