from fractions import Fraction
from itertools import product

import pytest

from pubdice.core.dice import Hand, rolls, subhands
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, RoundResult, RoundSeat
from pubdice.games.fourtwenty import FourTwenty
from pubdice.games.fourtwenty.rules import RoundState, legal_keeps

GAME = FourTwenty()


def _at(mine: Hand, other: Hand = (1, 1, 1, 1)) -> RoundState:
    """The mover has this hand and a choice to make."""
    return RoundState((mine, other), RoundSeat(0), None)


def _keeps(hand: Hand) -> set[Hand]:
    return {keep.dice for keep in GAME.legal(_at(hand))}


def test_the_chance_of_20_on_the_first_turn_is_about_1_in_37() -> None:
    """Steere, "Object of the game": 2.7%."""
    chance = Fraction(sum(ways for hand, ways in rolls(4) if GAME.result(GAME.roll(GAME.start(2), hand))), 6**4)
    assert chance == Fraction(35, 1296)
    assert round(1 / chance) == 37
    assert f"{float(chance):.1%}" == "2.7%"


def test_the_first_turn_rolls_all_four_and_the_turn_passes() -> None:
    state = GAME.start(3)
    for seat in range(3):
        assert (GAME.mover(state), GAME.to_roll(state), GAME.legal(state)) == (seat, 4, ())
        state = GAME.roll(state, (1, 2, 3, 5))
    assert (GAME.mover(state), GAME.to_roll(state)) == (0, 0)
    assert GAME.legal(state)


@pytest.mark.parametrize("winning", [(4, 5, 5, 6), (2, 6, 6, 6), (5, 5, 5, 5)])
def test_exactly_20_wins_at_once(winning: Hand) -> None:
    state = GAME.roll(GAME.roll(GAME.start(3), (1, 1, 1, 1)), winning)
    assert GAME.result(state) == RoundResult((RoundSeat(1),), (4, 20, 0))
    assert (GAME.mover(state), GAME.to_roll(state), GAME.legal(state)) == (None, 0, ())
    with pytest.raises(IllegalAction, match="no-roll"):
        GAME.roll(state, (1, 1, 1, 1))
    with pytest.raises(IllegalAction, match="no-keep"):
        GAME.play(state, Keep(()))


@pytest.mark.parametrize("near", [(4, 5, 5, 5), (5, 5, 5, 6)])
def test_19_and_21_do_not_win(near: Hand) -> None:
    assert GAME.result(GAME.roll(GAME.start(2), near)) is None


@pytest.mark.parametrize(
    ("hand", "kept"),
    [
        ((1, 4, 5, 6), {(), (5,), (6,), (4, 6), (5, 6), (4, 5, 6)}),
        ((1, 2, 3, 4), {()}),
        ((4, 4, 4, 4), {()}),
        ((2, 3, 4, 5), {(), (5,)}),
        ((3, 4, 4, 6), {(), (6,), (4, 6)}),
        ((4, 4, 4, 6), {(), (6,), (4, 6)}),
        ((1, 5, 5, 5), {(), (5,), (5, 5), (5, 5, 5)}),
        ((1, 3, 6, 6), {(), (6,), (6, 6), (3, 6, 6)}),
    ],
)
def test_one_die_of_5_two_of_10_three_of_15_are_foundations(hand: Hand, kept: set[Hand]) -> None:
    assert _keeps(hand) == kept


def test_foundations_of_every_hand_are_what_the_document_says() -> None:
    """Steere, "Reroll restrictions" and "Go over and reset", said over again for all 126 hands."""
    for hand, _ in rolls(4):
        for kept in subhands(hand):
            size, total = len(kept), sum(kept)
            over = sum(hand) >= 21 and size > 0
            allowed = (
                size == 0 or (size == 1 and total >= 5) or (size == 2 and total >= 10) or (size == 3 and total >= 15)
            )
            assert (Keep(kept) in legal_keeps(hand)) == (allowed and not over)


def test_after_21_or_more_all_four_must_be_rerolled() -> None:
    for hand, _ in rolls(4):
        if sum(hand) >= 21:
            assert _keeps(hand) == {()}
            with pytest.raises(IllegalAction, match="reset"):
                GAME.play(_at(hand), Keep(hand[-1:]))


@pytest.mark.parametrize(
    ("hand", "kept", "rule"),
    [
        ((1, 4, 5, 6), (4,), "foundation"),
        ((1, 4, 5, 6), (4, 5), "foundation"),
        ((1, 4, 5, 6), (1, 4, 6), "foundation"),
        ((1, 4, 5, 6), (1, 4, 5, 6), "reroll-one"),
        ((1, 4, 5, 6), (5, 5), "not-free"),
        ((4, 5, 6, 6), (4, 5, 6), "reset"),
        ((4, 5, 6, 6), (3,), "not-free"),
    ],
)
def test_a_keep_that_is_not_allowed_is_refused_for_its_reason(hand: Hand, kept: Hand, rule: str) -> None:
    with pytest.raises(IllegalAction) as error:
        GAME.play(_at(hand), Keep(kept))
    assert error.value.code == rule


def test_dice_rerolled_join_those_kept_and_the_turn_passes() -> None:
    state = GAME.play(_at((1, 4, 5, 6)), Keep((5, 6)))
    assert GAME.to_roll(state) == 2
    after = GAME.roll(state, (2, 3))
    assert after.hands[0] == (2, 3, 5, 6)
    assert (GAME.mover(after), GAME.score(after, RoundSeat(0))) == (1, 16)


def test_every_total_but_20_goes_on() -> None:
    won = [dice for dice in product(range(1, 7), repeat=2) if GAME.result(_rolled((5, 5), dice))]
    assert sorted(map(sum, won)) == [10, 10, 10]


def _rolled(kept: Hand, dice: tuple[int, ...]) -> RoundState:
    return GAME.roll(RoundState(((1, 1, 5, 5), (1, 1, 1, 1)), RoundSeat(0), kept), tuple(sorted(dice)))


def test_there_is_nothing_to_bank() -> None:
    with pytest.raises(IllegalAction, match="no-bank"):
        GAME.choose(_at((1, 4, 5, 6)), "bank", (5, 6))
    assert GAME.choose(_at((1, 4, 5, 6)), "roll", (5, 6)) == Keep((5, 6))
