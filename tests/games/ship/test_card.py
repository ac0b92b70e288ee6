"""Ship's card: its numbers, and what a person keeps by it."""

import pytest

from pubdice.advice.policy_share import share_against_best_play
from pubdice.core.dice import Hand
from pubdice.core.game import RoundState
from pubdice.games.ship import card as module
from pubdice.games.ship.card import card
from pubdice.games.ship.rules import Ship


def _share(game: Ship) -> float:
    made = card(game)
    return share_against_best_play(game)(made.play(frozenset(line.name for line in made.lines)))


@pytest.mark.parametrize(
    ("cargo", "number", "others"),
    [
        ("together", "STOP", (8, 10)),
        ("together", "STOP_LATE", (7, 9)),
        ("single", "HOLD", ((4, 5, 6), (6,))),
        ("single", "HOLD_LATE", (3, 5)),
    ],
)
def test_no_number_could_be_one_more_or_less(
    cargo: str, number: str, others: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Ship(cargo)  # type: ignore[arg-type]
    best = _share(game)
    for other in others:
        monkeypatch.setattr(module, number, other)
        assert _share(game) < best - 1e-5


def test_with_both_cargo_dice_together_nobody_can_play_better() -> None:
    assert _share(Ship()) == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize(
    ("game", "cargo", "rolls", "scores", "kept"),
    [
        (Ship(), (4, 5), 1, (), (4, 5)),
        (Ship(), (4, 4), 1, (), ()),
        (Ship(), (4, 4), 2, (), (4, 4)),
        (Ship(), (1, 3), 1, (3,), (1, 3)),
        (Ship(), (4, 5), 1, (10,), ()),
        (Ship("single"), (2, 6), 1, (), (6,)),
        (Ship("single"), (4, 6), 1, (), (6,)),
        (Ship("single"), (4, 6), 2, (), (4, 6)),
        (Ship("single"), (5, 5), 1, (11,), (5,)),
        (Ship("single"), (2, 3), 2, (), ()),
    ],
)
def test_what_a_person_keeps_by_the_card(game: Ship, cargo: Hand, rolls: int, scores: Hand, kept: Hand) -> None:
    made = card(game)
    state = RoundState(2, scores, (4, 5, 6), cargo, rolls)
    found = made.play(frozenset(line.name for line in made.lines))(game, state)
    assert [(keep.dice, weight) for keep, weight in found] == [(kept, 1)]


def test_without_a_choice_there_is_no_line() -> None:
    assert card(Ship("stays")).lines == ()
