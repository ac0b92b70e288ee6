"""Shut the Box's card: its number, and that it looks at nobody's score."""

from dataclasses import replace

import pytest

from pubdice.advice.policy_share import share_against_best_play
from pubdice.games.shutbox import card as module
from pubdice.games.shutbox.card import ONE, SHUTS, card
from pubdice.games.shutbox.rules import TILES, BoxRound, ShutTheBox

NAMES = frozenset(line.name for line in (*SHUTS, ONE))
GAME = ShutTheBox("may")


@pytest.mark.nightly
def test_no_other_number_loses_less(monkeypatch: pytest.MonkeyPatch) -> None:
    share, policy = share_against_best_play(GAME, watches=False), card(GAME).play(NAMES)
    best = share(policy)
    for other in (*range(6), *range(7, 13)):
        monkeypatch.setattr(module, "LITTLE", other)
        assert share(policy) < best - 1e-5, other


@pytest.mark.parametrize(
    ("tiles", "least"), [(10, 1e-4), pytest.param(12, 5e-7, marks=pytest.mark.nightly)], ids=["10", "12"]
)
def test_with_more_tiles_the_neighbours_of_the_number_lose_more(
    tiles: int, least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = ShutTheBox("may", tiles=tiles)
    share, policy = share_against_best_play(game, watches=False), card(game).play(NAMES)
    best = share(policy)
    for other in (5, 7):
        monkeypatch.setattr(module, "LITTLE", other)
        assert share(policy) < best - least, other


@pytest.mark.parametrize("die", ["no", "may", "must", "six", "maysix"])
def test_its_lines_look_at_nobodys_score(die: str) -> None:
    game = ShutTheBox(die)
    policy = card(game).play(NAMES)
    for scores in ((), (0,), (12,), (45,)):
        for up in (TILES, (1, 2, 3), (1, 2, 4, 8)):
            alone = BoxRound(1, (), up, (1, 2), 2)
            assert policy(game, replace(alone, seats=2, scores=scores)) == policy(game, alone)


@pytest.mark.nightly
def test_a_policy_that_is_followed_once_has_the_share_of_one_followed_against_every_score() -> None:
    policy = card(GAME).play(NAMES)
    once, every = (share_against_best_play(GAME, watches=watches)(policy) for watches in (False, True))
    assert once == pytest.approx(every, abs=1e-12)


def test_one_die_is_for_six_points_or_less_and_without_the_line_for_chance() -> None:
    policy, open_to_chance = card(GAME).play(NAMES), card(GAME).play(NAMES - {"one"})
    assert policy(GAME, BoxRound(2, (), (1, 2, 3))) == (("one", 1),)
    assert policy(GAME, BoxRound(2, (), (1, 6))) == (("two", 1),)
    assert open_to_chance(GAME, BoxRound(2, (), (1, 2, 3))) == (("one", 1), ("two", 1))
    assert card(ShutTheBox()).lines == SHUTS
