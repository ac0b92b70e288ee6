"""Threes's card: its numbers, and what a person keeps by it."""

import pytest

from pubdice.advice.policy_share import share_against_best_play
from pubdice.core.dice import Hand
from pubdice.core.game import Keep, RoundState
from pubdice.games.threes import card as module
from pubdice.games.threes.card import LINES, card
from pubdice.games.threes.rules import Moon, Threes

NAMES = frozenset(line.name for line in LINES)


@pytest.mark.nightly
def test_no_number_could_be_one_more_or_less(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Threes()
    share, policy = share_against_best_play(game), card(game).play(NAMES)
    best = share(policy)
    assert 0.499 < best < 0.5
    for name, others in {"MOST": (4, 6), "FEW": (1, 3)}.items():
        usual = getattr(module, name)
        for other in others:
            monkeypatch.setattr(module, name, other)
            module._kept.cache_clear()
            assert share(policy) < best - 1e-5, (name, other)
        monkeypatch.setattr(module, name, usual)
    module._kept.cache_clear()


@pytest.mark.parametrize(
    ("locked", "free", "scores", "kept"),
    [
        ((), (1, 2, 3, 3, 6), (), (3, 3)),
        ((), (1, 1, 2, 3, 3), (), (1, 1, 2, 3, 3)),
        ((), (1, 2, 2, 3, 3), (), (1, 2, 2, 3, 3)),
        ((), (2, 2, 2, 3, 3), (), (3, 3)),
        ((), (1, 2, 4, 5, 6), (), (1,)),
        ((3, 3), (1, 3, 6), (), (1, 3)),
        ((3,), (1, 3, 5, 6), (), (3,)),
        ((3, 3), (2, 3, 6), (), (3,)),
        ((3, 3), (1, 3, 6), (20,), (1, 3, 6)),
        ((3, 3), (1, 3, 6), (3,), (3,)),
        ((3, 3, 3), (1, 2), (3,), (1, 2)),
        ((3, 3, 3), (1, 2), (2,), (1,)),
        ((3, 3, 3), (1, 2), (2, 5), (1,)),
    ],
)
def test_what_a_person_keeps_by_the_card(locked: Hand, free: Hand, scores: Hand, kept: Hand) -> None:
    state = RoundState(len(scores) + 1 if scores else 2, scores, locked, free)
    assert [(keep.dice, weight) for keep, weight in card(Threes()).play(NAMES)(Threes(), state)] == [(kept, 1)]


def test_what_no_line_settles_is_any_one_die() -> None:
    found = card(Threes()).play(NAMES - {"lowest", "ones"})(Threes(), RoundState(2, (), (), (1, 4, 4, 5, 6)))
    assert [(keep.dice, weight) for keep, weight in found] == [((1,), 1), ((4,), 2), ((5,), 1), ((6,), 1)]


@pytest.mark.parametrize(
    ("moon", "locked", "kept"), [("yes", 0, 5), ("yes", 3, 2), ("first", 0, 5), ("first", 3, 1), ("no", 0, 1)]
)
def test_the_last_to_roll_keeps_a_moon_whatever_the_leader_has(moon: Moon, locked: int, kept: int) -> None:
    game, state = Threes(moon), RoundState(2, (0,), (6,) * locked, (6,) * (5 - locked))
    assert card(game).play(NAMES)(game, state) == ((Keep((6,) * kept), 1),)
