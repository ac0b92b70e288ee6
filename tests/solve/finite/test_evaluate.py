from fractions import Fraction

import pytest

from oracles.expectimax import expectimax
from pubdice.core.dice import Hand
from pubdice.core.game import Keep, keeps, uniform
from pubdice.games import GAMES
from pubdice.games.midnight import Midnight
from pubdice.games.midnight.rules import RoundState
from pubdice.solve.finite.sheet import Sheet

GAME = Midnight()
LOCKED: tuple[Hand, ...] = ((1, 4, 6), (1, 2, 6, 6), (2, 3, 5))


@pytest.mark.parametrize("locked", LOCKED)
def test_best_play_among_all_legal_keeps_is_what_the_oracle_finds(locked: Hand) -> None:
    start = RoundState(1, (), locked)
    found = Sheet(GAME, start).best(lambda state: keeps(state.free, 1), lambda result: result.scores[0])
    assert found == pytest.approx(float(expectimax(GAME, start, lambda result: Fraction(result.scores[0]))), abs=1e-12)


@pytest.mark.parametrize("locked", LOCKED)
@pytest.mark.parametrize("name", ["lucky", "tip", "steady"])
def test_the_value_of_a_policy_is_the_mean_over_its_chances(name: str, locked: Hand) -> None:
    sheet, policy = Sheet(GAME, RoundState(1, (), locked)), GAMES["midnight"].policies[name]
    chances = sheet.chances(policy)
    assert sum(chances.values()) == pytest.approx(1, abs=1e-13)
    mean = sum(result.scores[0] * chance for result, chance in chances.items())
    assert sheet.value(policy, lambda result: result.scores[0]) == pytest.approx(mean, abs=1e-12)


def test_one_die_left_is_a_sum_by_hand() -> None:
    """A 4 is lacking: one time in six the four others count, 6 + 6 + 6 + 6; else nothing does."""
    sheet = Sheet(GAME, RoundState(1, (), (1, 6, 6, 6, 6)))
    assert sheet.value(uniform, lambda result: result.scores[0]) == pytest.approx(24 / 6, abs=1e-13)


def test_mixed_weights_are_shares_of_their_sum() -> None:
    """With a 3 and a 2 to choose from, 1 and 4 in hand: either one time in three, both in the third."""
    start = RoundState(1, (), (1, 4, 6, 6))
    weighted = tuple((keep, 7) for keep in (Keep((2,)), Keep((3,)), Keep((2, 3))))

    def policy(game: object, state: RoundState) -> tuple[tuple[Keep, int], ...]:
        return weighted if state.free == (2, 3) else ((Keep(state.free), 1),)

    rest = 3.5 * 2 - 2 * 5 / 36  # what falls otherwise is kept as it is
    mixed = 2 / 36 * (5.5 + 6.5 + 5) / 3
    assert Sheet(GAME, start).value(policy, lambda result: result.scores[0]) == pytest.approx(
        12 + rest + mixed, abs=1e-12
    )
