"""Mexico's card: its numbers, and what a person keeps by it."""

import pytest

from pubdice.advice.policy_share import share_against_best_play
from pubdice.core.dice import Hand
from pubdice.games.mexico import card as module
from pubdice.games.mexico.card import card
from pubdice.games.mexico.rules import Mexico, MexicoRound


@pytest.mark.parametrize(
    ("game", "numbers"),
    [
        (Mexico(), {"STOP": (54, 62), "STOP_EARLY": (53, 61)}),
        (Mexico(True), {"STOP": (54, 62), "HOLD_AGAINST": (63, 65)}),
    ],
    ids=["both dice", "a die held"],
)
def test_no_number_could_be_the_next_one(
    game: Mexico, numbers: dict[str, tuple[int, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A score has no other between it and the next one up or down, so none between loses less."""
    made, share = card(game), share_against_best_play(game)
    policy = made.play(frozenset(line.name for line in made.lines))
    best = share(policy)
    for name, others in numbers.items():
        usual = getattr(module, name)
        for other in others:
            monkeypatch.setattr(module, name, other)
            assert share(policy) < best - 1e-5, (name, other)
        monkeypatch.setattr(module, name, usual)


@pytest.mark.parametrize(
    ("hold", "state", "kept"),
    [
        (False, MexicoRound(2, (), 3, 1, (), (4, 5)), (4, 5)),
        (False, MexicoRound(2, (), 3, 2, (), (4, 5)), ()),
        (False, MexicoRound(2, (), 3, 1, (), (3, 5)), ()),
        (False, MexicoRound(2, (31,), 2, 1, (), (2, 3)), (2, 3)),
        (False, MexicoRound(2, (600,), 2, 1, (), (5, 5)), ()),
        (False, MexicoRound(2, (61,), 2, 1, (), (1, 6)), (1, 6)),
        (True, MexicoRound(2, (), 3, 1, (), (2, 5)), (2,)),
        (True, MexicoRound(2, (), 3, 2, (2,), (2, 5)), ()),
        (True, MexicoRound(2, (63,), 2, 1, (), (2, 5)), ()),
        (True, MexicoRound(2, (64,), 2, 1, (), (1, 5)), (1,)),
    ],
)
def test_what_a_person_keeps_by_the_card(hold: bool, state: MexicoRound, kept: Hand) -> None:
    made = card(Mexico(hold))
    found = made.play(frozenset(line.name for line in made.lines))(Mexico(hold), state)
    assert [(keep.dice, weight) for keep, weight in found] == [(kept, 1)]
