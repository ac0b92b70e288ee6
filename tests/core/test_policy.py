from collections import Counter

import pytest

from pubdice.core.game import pick, uniform
from pubdice.games.midnight import Midnight


def test_each_action_is_picked_as_often_as_its_weight() -> None:
    weighted = (("a", 1), ("b", 3), ("c", 2))

    def lot(number: int) -> str:
        return pick(weighted, lambda among: number if among == 6 else -1)

    assert Counter(map(lot, range(6))) == {"a": 1, "b": 3, "c": 2}


def test_a_sole_action_needs_no_draw() -> None:
    def never(number: int) -> int:
        raise AssertionError(f"drew among {number}")

    assert pick((("only", 5),), never) == "only"


def test_a_policy_that_gives_nothing_is_a_fault() -> None:
    with pytest.raises(ValueError, match="no action"):
        pick((), lambda number: 0)


def test_lucky_takes_any_legal_action_equally() -> None:
    game = Midnight()
    state = game.roll(game.start(1), (1, 1, 1, 1, 4, 4))
    assert uniform(game, state) == tuple((action, 1) for action in game.legal(state))
