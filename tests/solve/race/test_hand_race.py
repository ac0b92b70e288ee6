"""Which races of hands can be solved as such."""

from dataclasses import dataclass

import pytest

from eights import DICE, Eights, Table
from pubdice.core.errors import Unsolved
from pubdice.core.game import Keep, keeps
from pubdice.solve.race.seat import one_seat


@dataclass(frozen=True, slots=True)
class EightsOfAny(Eights):
    """A 1 may be kept, too, though no second die makes 8 with it."""

    def legal(self, state: Table) -> tuple[Keep, ...]:
        legal = Eights.legal(self, state)
        return legal and tuple(keep for keep in keeps(state.hands[state.mover]) if len(keep.dice) < DICE)


def test_a_race_in_which_a_keep_cannot_win_at_once_is_refused() -> None:
    assert one_seat(Eights()).automaton.least_win > 0
    with pytest.raises(Unsolved, match="no-bound"):
        one_seat(EightsOfAny())
