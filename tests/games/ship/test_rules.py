"""Ship, Captain and Crew as its sources tell it (docs/games/index.md has their titles)."""

import pytest

from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, RoundResult, RoundSeat, RoundState
from pubdice.games.ship.rules import Ship, aboard, comes_aboard

GAME, SINGLE, STAYS = Ship(), Ship("single"), Ship("stays")


def _turns(game: Ship, *turns: str) -> RoundState:
    """A round of rolls as they fell and keeps: ``64331 k6 6541 k54 ...``, a text a seat."""
    state = game.start(len(turns))
    for step in " ".join(turns).split():
        state = game.play(state, game.read_action(step)) if step[0] == "k" else game.roll(state, tuple(map(int, step)))
    return state


def _rolled(game: Ship, turn: str) -> RoundState:
    return _turns(game, turn)


def test_the_example_of_the_encyclopedia_keeps_the_6_and_then_5_and_4() -> None:
    """The encyclopedia, "Rules": 6 4 3 3 1, then 6 5 4 1; the 4 goes back while there is no 5."""
    state = _rolled(GAME, "64331")
    assert GAME.legal(state) == (Keep.of(6),)
    state = _rolled(GAME, "64331 k6 6541")
    assert GAME.legal(state) == (Keep.of(4, 5), Keep.of(1, 4, 5, 6))
    assert _rolled(GAME, "64331 k6 6541 k6541").scores == (7,)


def test_the_example_of_the_old_encyclopedia_scores_three_or_rolls_on() -> None:
    """An older version of the encyclopedia, "Play": 3 3 3 6 4, then 5 4 1 2; stay with 3, or roll a third time."""
    assert _rolled(GAME, "33364 k6 5412 k5412").scores == (3,)
    assert _rolled(GAME, "33364 k6 5412 k54 52 k52").scores == (7,)


def test_all_three_may_fall_on_one_roll_in_any_order_of_the_dice() -> None:
    """An issue of the app ("Dice are checked in order"): 5 6 4 3 3 has all three, and a cargo of 6."""
    assert GAME.legal(_rolled(GAME, "56433")) == (Keep.of(4, 5, 6), Keep.of(3, 3, 4, 5, 6))
    assert _rolled(GAME, "56433 k56433").scores == (6,)


@pytest.mark.parametrize(
    ("locked", "free", "found"),
    [
        ((), (5, 4, 3, 3, 2), ()),
        ((), (2, 3, 3, 4, 6), (6,)),
        ((6,), (1, 4, 4, 4), ()),
        ((6,), (1, 2, 5, 5), (5,)),
        ((5, 6), (4, 4, 4), (4,)),
        ((), (4, 5, 6, 6, 6), (4, 5, 6)),
        ((4, 5, 6), (4, 5), ()),
    ],
)
def test_a_5_needs_a_6_and_a_4_needs_both(locked: tuple[int, ...], free: tuple[int, ...], found: object) -> None:
    """The first two: the README of the package shipcapcrew, Jordan's and Charlie's first rolls."""
    assert comes_aboard(locked, tuple(sorted(free))) == found


def test_without_all_three_after_three_rolls_a_turn_scores_nothing() -> None:
    assert _rolled(GAME, "11223 k- 66543").locked == ()
    state = _rolled(GAME, "11223 k- 11655 k65 666")
    assert GAME.legal(state) == (Keep.of(6, 6, 6),), "the last roll stays as it falls"
    assert GAME.play(state, Keep.of(6, 6, 6)).scores == (0,)


def test_both_cargo_dice_are_rolled_together_and_the_new_total_counts() -> None:
    """Bicycle, "The Play"; the Dice Pages: a high one may not be held to roll a low one."""
    state = _rolled(GAME, "65461")
    with pytest.raises(IllegalAction, match="cargo-together"):
        GAME.play(state, Keep.of(4, 5, 6, 6))
    assert _rolled(GAME, "65461 k654 21 k- 11 k11").scores == (2,)


def test_one_cargo_die_may_be_held_and_rolled_again_later() -> None:
    state = _rolled(SINGLE, "65461 k6546 2")
    assert (state.locked, state.free) == ((4, 5, 6), (2, 6))
    assert SINGLE.legal(state) == (Keep.of(), Keep.of(2), Keep.of(6), Keep.of(2, 6))
    assert _rolled(SINGLE, "65461 k6546 2 k2 5 k25").scores == (7,)


def test_a_cargo_die_that_is_held_is_not_final() -> None:
    state = _rolled(SINGLE, "65461 k6546")
    assert SINGLE.dice(state, RoundSeat(0)) == ((4, 5, 6), (6,))
    assert SINGLE.to_roll(state) == 1
    assert aboard(state.locked) == (4, 5, 6)


def test_where_the_cargo_stays_the_turn_ends_with_all_three() -> None:
    """Our Pastimes, step 2: the score is final; the gamester: the turn ends."""
    state = _rolled(STAYS, "65411")
    assert STAYS.legal(state) == (Keep.of(1, 1, 4, 5, 6),)
    assert STAYS.play(state, Keep.of(1, 1, 4, 5, 6)).scores == (2,)


def test_the_highest_cargo_wins_and_all_who_tie_for_it() -> None:
    result = GAME.result(_turns(GAME, "65463 k65463", "65411 k65411", "65436 k65436"))
    assert result == RoundResult((RoundSeat(0), RoundSeat(2)), (9, 2, 9))


def test_nobody_wins_if_nobody_has_all_three() -> None:
    assert GAME.result(_turns(GAME, "11111 k- 11111 k- 11111 k11111")) == RoundResult((), (0,))


def test_boxcars_can_win_at_once_and_the_others_forfeit_their_turns() -> None:
    """The Dice Pages, *Captain & Crew*: "an automatic"."""
    game = Ship(boxcars="yes")
    state = _turns(game, "65463 k65463", "65466 k65466", "")
    assert game.mover(state) is None
    assert game.result(state) == RoundResult((RoundSeat(1),), (9, 12, 0))
    assert GAME.mover(_turns(GAME, "65466 k65466", "")) == 1


@pytest.mark.parametrize(
    ("turn", "action", "code"),
    [
        ("", Keep(), "no-keep"),
        ("65411", Keep.of(3), "not-free"),
        ("65411", Keep.of(1, 1), "crew-stays"),
        ("64411", Keep.of(4, 6), "crew-first"),
        ("64411 k6 1111 k- 1111", Keep.of(1), "all-stay"),
    ],
)
def test_a_keep_that_the_rules_forbid_is_refused(turn: str, action: Keep, code: str) -> None:
    with pytest.raises(IllegalAction, match=code):
        GAME.play(_rolled(GAME, turn), action)


@pytest.mark.parametrize(
    ("game", "kept", "rolls_on"),
    [
        (GAME, (), (4, 5, 6)),
        (GAME, (4, 5, 6), (4, 5, 6)),
        (GAME, (2, 6), (2, 4, 5, 6, 6)),
        (SINGLE, (2,), (2, 4, 5, 6)),
        (SINGLE, (6,), (4, 5, 6, 6)),
        (SINGLE, (4, 5, 6), (4, 5, 6)),
        (SINGLE, (4, 5, 6, 6), (4, 5, 6, 6)),
    ],
)
def test_roll_means_the_cargo_marked_and_bank_means_stop(
    game: Ship, kept: tuple[int, ...], rolls_on: tuple[int, ...]
) -> None:
    """Ship, captain and crew need no mark; a 6 marked alone beside the ship is the cargo's."""
    state = _rolled(game, "65462")
    assert game.choose(state, "roll", kept) == Keep(rolls_on)
    assert game.choose(state, "bank", kept) == Keep(state.free)


def test_one_cargo_die_marked_where_both_go_together_is_refused_when_played() -> None:
    state = _rolled(GAME, "65462")
    with pytest.raises(IllegalAction, match="cargo-together"):
        GAME.play(state, GAME.choose(state, "roll", (2,)))
