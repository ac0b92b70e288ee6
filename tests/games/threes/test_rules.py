"""Threes as its sources tell it (docs/games/index.md has their titles)."""

import pytest

from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, RoundResult, RoundSeat, RoundState
from pubdice.games.threes.rules import MOON, NO_TURN, Threes

GAME = Threes()


def _turns(game: Threes, *turns: str) -> RoundState:
    """A round of rolls as they fell and keeps: ``21366 k3 4216 k1 ...``, a text a seat."""
    state = game.start(len(turns))
    for step in " ".join(turns).split():
        state = game.play(state, game.read_action(step)) if step[0] == "k" else game.roll(state, tuple(map(int, step)))
    return state


@pytest.mark.parametrize(
    ("turn", "score"),
    [
        ("23346 k33 155 k1 12 k12", 4),  # algomath, "Threes", "Game Rule"
        ("21366 k3 4216 k1 336 k33 2 k2", 3),  # Barmeister, "Threes", the example
        ("23314 k12334", 7),  # Mathematics, question 4482277: "a score of 7"
    ],
)
def test_the_examples_of_the_sources_count_what_they_say(turn: str, score: int) -> None:
    assert GAME.result(_turns(GAME, turn)) == RoundResult((RoundSeat(0),), (score,))


@pytest.mark.parametrize(
    ("hand", "score"), [((3, 3, 3, 3, 3), 0), ((6, 6, 6, 6, 6), 30), ((1, 2, 4, 5, 6), 18), ((1, 1, 1, 1, 3), 4)]
)
def test_the_dice_are_summed_and_threes_count_nothing(hand: tuple[int, ...], score: int) -> None:
    """The encyclopedia, "Rules of the game"; the Dice Pages, "Method of play"."""
    assert GAME.worth(hand) == score


def test_at_least_one_die_of_each_roll_is_kept() -> None:
    state = GAME.roll(GAME.start(1), (1, 2, 4, 5, 6))
    with pytest.raises(IllegalAction, match="keep-one"):
        GAME.play(state, Keep())
    with pytest.raises(IllegalAction, match="not-free"):
        GAME.play(state, Keep.of(3))
    assert len(GAME.legal(state)) == 2**5 - 1


def test_a_turn_has_at_most_five_rolls_and_may_end_with_the_first() -> None:
    """The encyclopedia, "Rules of the game"; the Dice Pages: a player may stop on the first roll."""
    assert _turns(GAME, "66666 k6 6666 k6 666 k6 66 k6 6 k6", "33311 k33311").scores == (30, 2)


def test_a_three_need_not_be_kept() -> None:
    state = GAME.roll(GAME.start(1), (3, 3, 6, 6, 6))
    assert Keep.of(6, 6, 6) in GAME.legal(state)


def test_the_lowest_score_wins_and_all_who_tie_for_it() -> None:
    result = GAME.result(_turns(GAME, "33312 k33312", "11111 k11111", "33333 k33333", "33333 k33333"))
    assert result == RoundResult((RoundSeat(2), RoundSeat(3)), (3, 5, 0, 0))


def test_five_sixes_shoot_the_moon_and_nobody_else_rolls() -> None:
    """The encyclopedia, "Rules of the game"; Book of Threes; dice-play: 6-6-6-6-6 wins at once."""
    game = Threes("yes")
    state = _turns(game, "33333 k33333", "66664 k6666 6 k6", "", "")
    assert game.mover(state) is None
    assert game.result(state) == RoundResult((RoundSeat(1),), (0, MOON, NO_TURN, NO_TURN))
    assert [game.score(state, RoundSeat(seat)) for seat in range(4)] == [0, MOON, None, None]


def test_the_last_seat_can_shoot_the_moon_too() -> None:
    game = Threes("yes")
    assert game.result(_turns(game, "33333 k33333", "66666 k66666")) == RoundResult((RoundSeat(1),), (0, MOON))


def test_the_moon_may_have_to_fall_on_the_first_roll() -> None:
    """Neighborhood Dice, "How To Play: Tripps": on the first roll."""
    game = Threes("first")
    assert game.result(_turns(game, "66666 k66666", "")) == RoundResult((RoundSeat(0),), (MOON, NO_TURN))
    assert _turns(game, "66666 k6666 6 k6", "").scores == (30,)


def test_without_the_moon_five_sixes_are_the_worst_score() -> None:
    """The Dice Pages and dkdataland name no exception: 30 is the most."""
    assert GAME.result(_turns(GAME, "66666 k66666", "66655 k66655")) == RoundResult((RoundSeat(1),), (30, 28))
