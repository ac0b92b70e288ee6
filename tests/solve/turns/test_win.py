"""Winning a round: against brute force over the distributions of the turns themselves, and against common sense."""

import numpy as np
import pytest

from pubdice.core.errors import BadNotation
from pubdice.core.game import TurnGame
from pubdice.games.midnight.rules import Midnight
from pubdice.games.ship.rules import Ship
from pubdice.games.threes.rules import Threes
from pubdice.match.formats import Rounds
from pubdice.match.match import Match
from pubdice.solve.choose import solve_match
from pubdice.solve.turns.goals import ToWin, read_goal, read_to_win, utility
from pubdice.solve.turns.turn import turn
from pubdice.solve.turns.win import TIES, Ties, Win
from small_games import LowPair, Pair, TwelveEnds

NEED = (1, 4)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("seats", [2, 3])
def test_the_winnings_of_all_seats_are_what_the_round_gives_out(ties: Ties, seats: int) -> None:
    table = Win(Midnight(NEED), ties, seats)
    shares = table.by_seat()
    nobody = _nobody(table)
    if ties == "carry":
        assert sum(shares) == pytest.approx(1, abs=1e-12)
    elif ties == "share":
        assert sum(shares) == pytest.approx(1 - nobody, abs=1e-12)
    else:
        assert sum(shares) > 1 - nobody
    assert shares == sorted(shares), "knowing more is worth more"


@pytest.mark.parametrize(
    "game",
    [Pair(), LowPair(), TwelveEnds(), Ship("together", "yes"), Ship("single", "yes"), Threes("yes"), Threes("first")],
    ids=str,
)
def test_shares_of_a_round_are_those_of_its_match_and_add_up_to_one(game: TurnGame) -> None:
    """Also where a score ends the round at once: then nobody has a turn after it."""
    for seats in (2, 3):
        match = Match(game, seats, Rounds(1))
        solved = solve_match(match).values(match.start())
        assert Win(game, "share", seats, 1 / seats).by_seat() == pytest.approx(solved, abs=1e-11)
    assert sum(Win(game, "share", 5, 1 / 5).by_seat()) == pytest.approx(1, abs=1e-12)


def _nobody(table: Win) -> float:
    chance = 1.0
    for seat in range(table.seats):
        chance *= float(table.chance(0, 0, table.seats - seat)[0])
    return chance


def test_the_last_seat_plays_for_one_more_than_the_leader() -> None:
    table, turned = Win(Midnight(NEED), "share", 2), turn(Midnight(NEED))
    for beat in (10, 19, 23):
        worth = table.to_beat(beat, 1, 0)
        for score, value in zip(turned.scores, worth, strict=True):
            assert value == (1 if score > beat else 0.5 if score == beat else 0)
    assert list(table.to_beat(24, 1, 0)) == [0.0] * 21 + [0.5]


def test_a_seat_with_one_to_come_is_worth_what_that_seat_leaves_it() -> None:
    table, turned = Win(Midnight(NEED), "each", 2), turn(Midnight(NEED))
    for score in (14, 20):
        beaten = np.array(table.chance(turned.rank(score), 1, 1)) @ (np.array(turned.scores) > score)
        assert table.utility(0, 0, 1)[turned.scores.index(score)] == pytest.approx(1 - beaten, abs=1e-12)


def test_a_pot_that_is_carried_is_worth_its_part_to_everybody() -> None:
    table = Win(Midnight(NEED), "carry", 4)
    assert table.values(20, 2, 0) == (0.25, 0.25)
    assert table.values(20, 1, 0) == (1.0, 0.0)
    assert table.values(0, 0, 0) == (0.25, 0.25)


def test_two_seats_who_share_a_match_of_one_round_split_everything() -> None:
    shares = Win(Midnight(NEED), "share", 2, no_winner=0.5).by_seat()
    assert sum(shares) == pytest.approx(1, abs=1e-12)
    assert shares[0] == pytest.approx(0.460307742371522, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "goal"),
    [("score", ("score", 0)), ("Qualify", ("qualify", 0)), ("reach:20", ("reach", 20)), ("exactly:4", ("exactly", 4))],
)
def test_goals_are_read(text: str, goal: tuple[str, int]) -> None:
    assert read_goal(text, turn(Midnight())) == goal


@pytest.mark.parametrize(
    "text", ["", "reach", "reach:25", "reach:3", "reach:x", "exactly:²", "reach:00200", "win:3", "score:1"]
)
def test_what_is_no_goal_is_refused(text: str) -> None:
    with pytest.raises(BadNotation) as caught:
        read_goal(text, turn(Midnight()))
    assert caught.value.code == "goal"


@pytest.mark.parametrize(
    ("beat", "holders", "to_come", "ties"),
    [
        (3, None, 0, "share"),  # no turn comes to 3
        (25, None, 0, "share"),
        (0, 1, 0, "share"),
        (19, 0, 0, "share"),
        (19, 1, 19, "share"),
        (19, 1, 0, "x"),
    ],
)
def test_what_cannot_be_beaten_is_refused(beat: int, holders: int | None, to_come: int, ties: str) -> None:
    with pytest.raises(BadNotation):
        read_to_win(turn(Midnight()), beat, holders, to_come, ties)


def test_a_goal_is_worth_1_where_it_is_reached() -> None:
    turned = turn(Midnight(NEED))
    assert list(utility(("exactly", 24), turned, ToWin())) == [0.0] * 21 + [1.0]
    assert sum(utility(("qualify", 0), turned, ToWin())) == 21
    assert sum(utility(("reach", 20), turned, ToWin())) == 5
