import pytest

from pubdice.core.game import Game, Keep, uniform
from pubdice.games import GAMES
from pubdice.games.fourtwenty.rules import FourTwenty, RoundState
from pubdice.solve.race.contest import BothHandsPolicy, OwnHandPolicy, best, contest, wins
from pubdice.solve.race.solutions import odds

HOUSE = contest(FourTwenty())


def test_best_play_against_itself_is_the_solved_race() -> None:
    perfect = HOUSE.player(best)
    chance, bound = wins(HOUSE.arena, perfect, perfect)
    assert bound < 1e-12
    assert chance == pytest.approx(odds(FourTwenty(), 2).chances[0], abs=1e-11)


def test_rerolling_all_four_always_is_a_geometric_series() -> None:
    """Both win with p = 35/1296 a turn, so Player 1 wins with p / (1 - (1 - p)^2)."""

    def reset(game: Game[RoundState, Keep], state: RoundState) -> tuple[tuple[Keep, int], ...]:
        return ((Keep(()), 1),)

    p = 35 / 1296
    player = HOUSE.player(reset)
    assert HOUSE.share(player, player) == pytest.approx(p / (1 - (1 - p) ** 2), abs=1e-12)


@pytest.mark.nightly
def test_nobody_beats_best_play() -> None:
    perfect = HOUSE.player(best)
    value = HOUSE.share(perfect, perfect)
    for policy in GAMES["420"].policies.values():
        player = HOUSE.player(policy)
        assert HOUSE.share(player, perfect) <= value + 1e-12
        assert HOUSE.share(perfect, player) >= value - 1e-12


def test_looking_at_the_other_hand_makes_a_choice_of_pairs() -> None:
    assert isinstance(HOUSE.player(GAMES["420"].policies["tip"]), BothHandsPolicy)
    assert isinstance(HOUSE.player(uniform), OwnHandPolicy)


def test_a_mixed_policy_that_looks_at_the_other_hand_is_refused() -> None:
    def nosy(game: Game[RoundState, Keep], state: RoundState) -> tuple[tuple[Keep, int], ...]:
        return uniform(game, state) if sum(state.hands[1]) % 2 else uniform(game, state)[:1]

    with pytest.raises(ValueError, match="one action"):
        HOUSE.player(nosy)
