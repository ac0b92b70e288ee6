import pytest

from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.game import Keep, RoundResult, RoundSeat
from pubdice.games.midnight import Midnight
from pubdice.games.midnight.rules import RoundState, counted, lacking

GAME, VARIANT = Midnight(), Midnight((2, 4))


def _turn(game: Midnight, state: RoundState, *steps: str) -> RoundState:
    """Rolls as they fell and keeps: ``344512 k45``."""
    for step in " ".join(steps).split():
        if step[0] == "k":
            state = game.play(state, game.read_action(step))
        else:
            state = game.roll(state, tuple(sorted(map(int, step))))
    return state


def test_the_example_of_the_encyclopedia_scores_20() -> None:
    """The encyclopedia, "Example game": 6 + 3 + 5 + 6."""
    state = _turn(GAME, GAME.start(1), "344512 k45 6326 k66 21 k1 3 k3")
    assert GAME.result(state) == RoundResult((RoundSeat(0),), (20,))


def test_the_example_of_playpalace_scores_23() -> None:
    """PlayPalace, "Example Turn": 6 + 5 + 6 + 6."""
    state = _turn(GAME, GAME.start(1), "315426 k146 253 k5 66 k66")
    assert GAME.result(state) == RoundResult((RoundSeat(0),), (23,))


@pytest.mark.parametrize(
    ("hand", "score"),
    [
        ((1, 1, 4, 4, 5, 6), 16),
        ((1, 4, 6, 6, 6, 6), 24),
        ((1, 1, 1, 1, 1, 4), 4),
        ((1, 4, 4, 4, 4, 4), 16),
        ((1, 2, 3, 4, 5, 6), 16),
        ((1, 1, 1, 1, 1, 1), 0),
        ((4, 6, 6, 6, 6, 6), 0),
        ((2, 3, 5, 5, 6, 6), 0),
        ((2, 4, 6, 6, 6, 6), 0),
    ],
)
def test_the_four_dice_beside_a_1_and_a_4_are_summed(hand: tuple[int, ...], score: int) -> None:
    assert GAME.worth(hand) == score


@pytest.mark.parametrize(
    ("hand", "score"),
    [((2, 4, 6, 6, 6, 6), 24), ((1, 4, 6, 6, 6, 6), 0), ((1, 2, 3, 4, 5, 6), 15), ((2, 2, 4, 4, 5, 6), 17)],
)
def test_the_variant_needs_a_2_and_a_4(hand: tuple[int, ...], score: int) -> None:
    assert VARIANT.worth(hand) == score


def test_a_miss_knows_which_of_the_two_faces_is_lacking() -> None:
    assert lacking((1, 1, 2, 3, 5, 6), (1, 4)) == (4,)
    assert lacking((2, 3, 4, 4, 5, 6), (1, 4)) == (1,)
    assert lacking((2, 3, 5, 5, 6, 6), (1, 4)) == (1, 4)
    assert lacking((1, 4), (1, 4)) == ()
    assert counted((2, 3, 5, 5, 6, 6), (1, 4)) == ()


def test_any_dice_of_the_roll_may_be_kept_but_at_least_one() -> None:
    state = _turn(GAME, GAME.start(1), "111144")
    assert len(GAME.legal(state)) == 5 * 3 - 1
    with pytest.raises(IllegalAction, match="keep-one"):
        GAME.play(state, Keep(()))
    with pytest.raises(IllegalAction, match="not-free"):
        GAME.play(state, Keep((4, 4, 4)))


def test_dice_kept_on_an_earlier_roll_cannot_be_kept_again_or_given_up() -> None:
    state = _turn(GAME, GAME.start(1), "344512 k45 6326")
    assert (state.locked, state.free) == ((4, 5), (2, 3, 6, 6))
    with pytest.raises(IllegalAction, match="not-free"):
        GAME.play(state, Keep((5,)))


def test_a_turn_lasts_at_most_six_rolls() -> None:
    state = _turn(GAME, GAME.start(2), "222222 k2 22222 k2 2222 k2 222 k2 22 k2 2 k2")
    assert (state.scores, GAME.mover(state), GAME.to_roll(state)) == ((0,), 1, 6)


def test_all_six_may_be_kept_at_once() -> None:
    assert _turn(GAME, GAME.start(2), "114465 k114456").scores == (16,)


def _result(*turns: str) -> RoundResult | None:
    return GAME.result(_turn(GAME, GAME.start(len(turns)), *turns))


def test_the_highest_wins_and_all_who_tie_for_it() -> None:
    assert _result("146666 k146666", "145666 k145666", "146666 k146666") == RoundResult(
        (RoundSeat(0), RoundSeat(2)), (24, 23, 24)
    )


def test_nobody_wins_if_nobody_qualifies() -> None:
    assert _result("222222 k222222", "666666 k666666") == RoundResult((), (0, 0))


def test_a_round_is_not_over_before_the_last_seat_has_played() -> None:
    state = _turn(GAME, GAME.start(2), "146666 k146666")
    assert GAME.result(state) is None
    assert (GAME.score(state, RoundSeat(0)), GAME.score(state, RoundSeat(1))) == (24, None)


def test_banking_is_for_when_every_die_is_kept() -> None:
    state = _turn(GAME, GAME.start(1), "344512")
    with pytest.raises(IllegalAction, match="bank-early") as error:
        GAME.choose(state, "bank", (4, 5))
    assert error.value.facts["undecided"] == 4
    for other in ((6,), (6, 6, 6, 6, 6, 6), (1, 2, 3, 4, 4, 5, 5)):
        with pytest.raises(IllegalAction, match="not-free"):
            GAME.choose(state, "bank", other)
    assert GAME.choose(state, "bank", state.free) == GAME.choose(state, "roll", state.free) == Keep(state.free)
    with pytest.raises(IllegalAction, match="no-keep"):
        GAME.choose(GAME.start(1), "bank", ())


@pytest.mark.parametrize("text", ["k7", "k", "45", "k4-", "K45", "k 4", "hold", "", "k０"])
def test_a_keep_that_does_not_parse_is_refused(text: str) -> None:
    with pytest.raises(BadNotation, match="action"):
        GAME.read_action(text)
