from dataclasses import dataclass
from typing import Any

import pytest

import pig
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Game, Keep, Result, Seat
from pubdice.games.fourtwenty import FourTwenty
from pubdice.games.midnight import Midnight
from pubdice.games.threes.rules import Threes
from pubdice.match.formats import Drinks, Pot, Race, Rounds, buyer
from pubdice.match.match import Match, MatchState

FIRST = Seat(0)
SCORING = {0: (1, 1, 1, 1, 1, 1), 16: (1, 1, 4, 4, 5, 6), 23: (1, 4, 5, 6, 6, 6), 24: (1, 4, 6, 6, 6, 6)}
"""Six dice that come to these scores when all are kept at once."""


def _midnight(seats: int, opener: str, first: Seat | None = FIRST, rounds: int = 9) -> Match[Any, Keep]:
    return Match(Midnight(), seats, Rounds(rounds), opener, first)


def _round(match: Match[Any, Keep], state: MatchState[Any], *scores: int) -> MatchState[Any]:
    """A whole round; scores by table seat."""
    for seat in state.order:
        hand = tuple(sorted(SCORING[scores[seat]]))
        state = match.play(match.roll(state, hand), Keep(hand))
    return state


def test_the_first_named_opens_and_turns_go_on_from_the_opener() -> None:
    assert _midnight(3, "rotate").start().order == (0, 1, 2)
    assert _midnight(3, "rotate", Seat(2)).start().order == (2, 0, 1)


def test_a_round_is_told_in_table_seats_and_not_in_turn_order() -> None:
    match = _midnight(3, "fixed", Seat(1))
    state = _round(match, match.start(), 16, 23, 0)
    assert state.last == Result((Seat(1),), (16, 23, 0))
    assert state.tally.points == (0, 1, 0)
    assert state.number == 2


@pytest.mark.parametrize(
    ("opener", "scores", "opens"),
    [
        ("rotate", (0, 0, 0), 2),
        ("rotate", (24, 0, 0), 2),
        ("fixed", (24, 0, 0), 1),
        ("winner", (16, 23, 24), 2),
        ("winner", (24, 23, 24), 2),
        ("winner", (24, 23, 0), 0),
        ("winner", (0, 0, 0), 1),
        ("loser", (16, 23, 24), 0),
        ("loser", (16, 23, 16), 2),
        ("loser", (0, 0, 0), 1),
    ],
)
def test_who_opens_the_next_round_when_seat_1_opened(opener: str, scores: tuple[int, ...], opens: int) -> None:
    """Of several who qualify, the first in the turn order 1, 2, 0; if nobody won, the opener stays."""
    match = _midnight(3, opener, Seat(1))
    state = _round(match, match.start(), *scores)
    assert state.order == tuple(Seat((opens + step) % 3) for step in range(3))


@pytest.mark.parametrize(("dice", "opens"), [("33333 66655 33311", 1), ("66655 33333 66655", 0)])
def test_where_the_lowest_score_wins_the_highest_is_the_losers(dice: str, opens: int) -> None:
    """dkdataland, "Threes": the highest score goes first. Of several the first in turn order opens."""
    match = Match(Threes(), 3, Rounds(3), "loser")
    state = match.start()
    for turn in dice.split():
        hand = tuple(sorted(map(int, turn)))
        state = match.play(match.roll(state, hand), Keep(hand))
    assert state.order[0] == opens


def test_rotating_openers_go_round_the_whole_table() -> None:
    match = _midnight(3, "rotate", Seat(1))
    state, opened = match.start(), []
    for _ in range(4):
        opened.append(state.order[0])
        state = _round(match, state, 0, 16, 0)
    assert opened == [1, 2, 0, 1]


def test_a_match_over_keeps_its_last_round_and_takes_no_more() -> None:
    match = _midnight(2, "rotate", rounds=1)
    state = _round(match, match.start(), 16, 16)
    assert state.over
    assert state.tally.points == (1, 1)
    assert match.format.champions(state.tally) == (0, 1)
    assert (match.mover(state), match.to_roll(state), match.legal(state)) == (None, 0, ())
    with pytest.raises(IllegalAction, match="match-over"):
        match.roll(state, (1,) * 6)
    with pytest.raises(IllegalAction, match="match-over"):
        match.play(state, Keep((1,)))
    with pytest.raises(IllegalAction, match="match-over"):
        match.choose(state, "roll", ())


def test_stakes_are_paid_as_every_round_opens() -> None:
    match: Match[Any, Keep] = Match(Midnight(), 2, Pot(3, 2))
    state = match.start()
    assert (state.tally.points, state.tally.pot) == ((-3, -3), 6)
    state = _round(match, state, 16, 16)
    assert (state.tally.points, state.tally.pot) == ((-6, -6), 12)
    state = _round(match, state, 0, 0)
    assert (state.tally.pot, state.over) == (18, False)
    state = _round(match, state, 0, 23)
    assert (state.tally.points, state.tally.pot, state.over) == ((-9, 9), 0, True)


def _wins(match: Match[Any, Keep], state: MatchState[Any], winner: int) -> MatchState[Any]:
    """A round of 420 in which everybody rolls 4 until the winner's first turn comes."""
    number = state.number
    while state.number == number and not state.over:
        if match.legal(state):
            state = match.play(state, Keep(()))
        state = match.roll(state, (5, 5, 5, 5) if match.mover(state) == winner else (1, 1, 1, 1))
    return state


def _drinks(seats: int, first: Seat | None = FIRST) -> Match[Any, Keep]:
    return Match(FourTwenty(), seats, Drinks(), first=first)


def test_a_winner_drops_out_and_is_passed_over() -> None:
    match = _drinks(4)
    state = _wins(match, match.start(), 2)
    assert (state.tally.out, state.order) == ((2,), (1, 3, 0))
    state = _wins(match, state, 3)
    assert (state.tally.out, state.order) == ((2, 3), (0, 1))


def test_the_seat_after_player_1_opens_even_if_player_1_won_and_left() -> None:
    match = _drinks(4)
    state = _wins(match, match.start(), 0)
    assert (state.tally.out, state.order) == ((0,), (1, 2, 3))
    state = _wins(match, state, 1)
    assert state.order == (2, 3)


def test_the_next_player_1_is_sought_left_of_the_last_one_past_every_empty_chair() -> None:
    match = _drinks(5, Seat(3))
    state = _wins(match, match.start(), 4)
    assert state.order == (0, 1, 2, 3)
    state = _wins(match, state, 1)
    assert state.order == (2, 3, 0), "left of 0 sits 1, who is out: so 2"
    state = _wins(match, state, 3)
    assert state.order == (0, 2), "left of 2 sit 3 and 4, both out"


def test_the_last_one_left_buys() -> None:
    match = _drinks(3)
    state = _wins(match, _wins(match, match.start(), 1), 0)
    assert state.over
    assert buyer(state.tally) == 2
    assert state.tally.out == (1, 0)


def test_seats_that_are_out_score_nothing_in_later_rounds() -> None:
    match = _drinks(3)
    state = _wins(match, _wins(match, match.start(), 0), 1)
    assert state.last is not None
    assert state.last.scores[0] == 0
    assert state.last.scores[1] == 20


def test_player_1_is_drawn_once_and_first() -> None:
    match = _drinks(3, None)
    state = match.start()
    assert match.to_draw(state)
    assert (match.mover(state), match.to_roll(state), match.legal(state), match.number(state)) == (None, 0, (), 0)
    with pytest.raises(IllegalAction, match="draw-first"):
        match.roll(state, (1, 1, 1, 1))
    with pytest.raises(IllegalAction, match="draw-first"):
        match.play(state, Keep(()))
    for seat in (-1, 3):
        with pytest.raises(IllegalAction, match="no-seat"):
            match.draw(state, Seat(seat))
    drawn = match.draw(state, Seat(2))
    assert (drawn.order, match.number(drawn)) == ((2, 0, 1), 1)
    with pytest.raises(IllegalAction, match="no-draw"):
        match.draw(drawn, Seat(0))


def test_a_turn_finished_is_told_with_its_score() -> None:
    match = _midnight(2, "fixed", Seat(1), rounds=1)
    start = match.start()
    rolled = match.roll(start, (1, 4, 5, 6, 6, 6))
    assert match.turn_ended(start, rolled) is None
    part = match.play(rolled, Keep((1, 4)))
    assert match.turn_ended(rolled, part) is None
    whole = match.play(rolled, Keep((1, 4, 5, 6, 6, 6)))
    assert match.turn_ended(rolled, whole) == (1, 23)
    last = match.roll(whole, (1, 1, 1, 1, 1, 1))
    assert match.turn_ended(last, match.play(last, Keep((1,) * 6))) == (0, 0)


def test_a_round_that_ends_is_told_with_its_result_once() -> None:
    match = _midnight(1, "rotate")
    rolled = match.roll(match.start(), (1, 4, 5, 6, 6, 6))
    after = match.play(rolled, Keep((1, 4, 5, 6, 6, 6)))
    assert match.round_ended(match.start(), rolled) is None
    assert match.round_ended(rolled, after) == after.last == Result((Seat(0),), (23,))
    assert match.round_ended(after, match.roll(after, (1, 1, 1, 1, 1, 1))) is None


def test_a_turn_that_ends_a_round_belongs_to_its_mover_though_the_next_opener_is_the_same() -> None:
    match = _midnight(1, "rotate")
    rolled = match.roll(match.start(), (1, 4, 5, 6, 6, 6))
    assert match.turn_ended(rolled, match.play(rolled, Keep((1, 4, 5, 6, 6, 6)))) == (0, 23)


@dataclass(frozen=True)
class Wrong:
    game: Game[Any, Any]
    seats: int
    form: Any
    opener: str = "rotate"
    first: int = 0


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (Wrong(FourTwenty(), 1, Race()), "seats 2 to 20"),
        (Wrong(Midnight(), 21, Rounds()), "seats 1 to 20"),
        (Wrong(pig.Pig(), 11, Race()), "seats 2 to 10"),
        (Wrong(FourTwenty(), 2, Race(), "winner"), "opener winner"),
        (Wrong(Midnight(), 2, Rounds(), "anyone"), "opener anyone"),
        (Wrong(Midnight(), 2, Rounds(), first=2), "seat 2 does not exist"),
    ],
)
def test_a_match_that_cannot_be_is_refused(wrong: Wrong, says: str) -> None:
    match: Match[Any, Any] = Match(wrong.game, wrong.seats, wrong.form, wrong.opener, Seat(wrong.first))
    with pytest.raises(ValueError, match=says):
        match.start()
