"""A turn as people ask about it: nodes of dice in the hand, what each keep leads to, the choice best play makes."""

import numpy as np
import pytest

from pubdice.core.dice import rolls
from pubdice.core.game import Keep, RoundState
from pubdice.games.midnight.rules import Midnight
from pubdice.solve.turns.turn import TurnGraph, turn

NEEDS = ((1, 4), (2, 4))
EVERY_NEED = pytest.mark.parametrize("need", NEEDS, ids=["1-4", "2-4"])


@EVERY_NEED
def test_scores_are_0_and_4_to_24_in_order(need: tuple[int, int]) -> None:
    turned = turn(Midnight(need))
    assert turned.scores == (0, *range(4, 25))
    assert (turned.mean == np.array(turned.scores)).all()


@EVERY_NEED
def test_six_dice_locked_are_an_end_worth_their_score(need: tuple[int, int]) -> None:
    game = Midnight(need)
    turned = turn(game)
    solved = turned.solve(turned.mean)
    for hand, _ in rolls(6):
        node = turned.node(RoundState(1, (game.worth(hand),)))
        assert node < turned.graph.ends
        assert solved.value[node] == game.worth(hand)
        assert solved.chance[node, turned.scores.index(game.worth(hand))] == 1


@EVERY_NEED
def test_what_follows_a_choice_is_what_the_rules_say(need: tuple[int, int]) -> None:
    turned = turn(Midnight(need))
    game = turned.game
    for locked, free in [((), (1, 2, 4, 4, 5, 6)), ((1, 6), (2, 3, 4, 4)), ((1, 4, 5, 5, 6), (2,))]:
        state = RoundState(1, (), locked, free)
        after = turned.after(state)
        assert [keep for keep, _ in after] == list(game.legal(state))
        for keep, node in after:
            assert node == turned.node(game.play(state, keep))


@EVERY_NEED
def test_the_choice_is_what_the_value_before_it_counts_on(need: tuple[int, int]) -> None:
    """The average of the chances after the choices is the chance before the roll, tie or no tie."""
    turned = turn(Midnight(need))
    for utility in (turned.mean, (turned.mean > 0).astype(float), (turned.mean == 24).astype(float)):
        solved = turned.solve(utility)
        for locked in ((), (4,), (1, 6), (2, 2, 3)):
            due = 6 - len(locked)
            chance = sum(
                ways
                * solved.chance[
                    turned.choice(solved, [node for _, node in turned.after(RoundState(1, (), locked, hand))])
                ]
                for hand, ways in rolls(due)
            )
            assert chance / 6**due == pytest.approx(solved.chance[turned.node(RoundState(1, (), locked))], abs=1e-13)


def test_lanes_are_solved_as_one_by_one() -> None:
    turned = turn(Midnight())
    utilities = np.random.default_rng(7).random((len(turned.scores), 5))
    chances = turned.chances(utilities)
    assert turned.best(utilities) == pytest.approx((chances * utilities).sum(axis=0), abs=1e-13)
    for lane in range(5):
        solved = turned.solve(utilities[:, lane])
        assert solved.chance[turned.start] == pytest.approx(chances[:, lane], abs=1e-14)
        value, along = turned.pairs(utilities[:, [lane]], turned.mean[:, None])
        assert value[0] == pytest.approx(solved.value[turned.start], abs=1e-14)
        assert along[0] == pytest.approx(float(chances[:, lane] @ turned.mean), abs=1e-12)


def test_with_both_needed_dice_the_last_sixes_are_kept() -> None:
    turned = turn(Midnight())
    solved = turned.solve(turned.mean)
    after = dict(turned.after(RoundState(1, (), (1, 4), (2, 3, 6, 6))))
    best = turned.choice(solved, list(after.values()))
    assert after[Keep((6, 6))] == best


def test_a_turn_is_enumerated_once() -> None:
    assert turn(Midnight()) is turn(Midnight())
    assert TurnGraph(Midnight()).scores == turn(Midnight()).scores
