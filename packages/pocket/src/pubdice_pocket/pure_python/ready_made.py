"""Solutions for two seats, made for a pocket with numpy (``two_turns``): turns, best replies, values of standings.

They have the same bytes on every machine, and the same as with lists alone. Each sum is computed on lists and rounded
once (``bare_turn.dot``). Arrays do not multiply or add. They only look numbers up, and take the greatest or the least.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from pubdice.core.game import GameOfTurns
from pubdice.match.formats import Format
from pubdice.match.match import Match
from pubdice.solve.finite.enumerated import EnumeratedRound
from pubdice.solve.turns.turn_nodes import NumberRow
from pubdice_pocket.pure_python.bare_turn import BareTurn, enumerated_turn
from pubdice_pocket.pure_python.best_replies import BareReplies, lines_data
from pubdice_pocket.pure_python.checked_json import with_checksum
from pubdice_pocket.pure_python.kept_solutions import file_name, standings_name, turn_data
from pubdice_pocket.pure_python.turn_match import EQUAL, HANGING
from pubdice_pocket.pure_python.two_seat_standings import TwoSeatStandings
from pubdice_pocket.pure_python.two_turns import Pair

SHARES: tuple[Pair, ...] = (EQUAL, (1.0, 0.0), (0.0, 1.0))
"""The ways to share out a pot that is carried too long. Both seats get an equal share. For the error bound, one seat
gets all."""


class ArrayTurn(BareTurn):
    """A turn whose decisions are taken with arrays. Midnight's 6,931 decisions take a tenth of the time that lists
    need.
    """

    def __init__(self, game: GameOfTurns, found: EnumeratedRound) -> None:
        super().__init__(game, found)
        self._flat = [np.array([node for after in layer.after for node in after], np.intp) for layer in found.layers]
        self._begins = [np.cumsum([0, *map(len, layer.after)])[:-1] for layer in found.layers]
        self._known: dict[tuple[float, ...], float] = {}

    def best(self, utility: NumberRow) -> float:
        """Do the same as ``BareTurn.best``, with a cache. One in nine standings has the same utility as another."""
        told = tuple(utility)
        if told not in self._known:
            self._known[told] = super().best(utility)
        return self._known[told]

    def _greatest(self, layer: int, value: Sequence[float]) -> list[float]:
        # + 0.0 turns -0.0 into 0.0, because numpy may take either as the greater
        return self._of_each(np.maximum, layer, np.array(value) + 0.0)

    def _least(self, layer: int, place: Sequence[int]) -> list[int]:
        return self._of_each(np.minimum, layer, np.array(place))

    def _of_each(self, pick: np.ufunc, layer: int, numbers: Any) -> list[Any]:
        begins = self._begins[layer]
        found: list[Any] = pick.reduceat(numbers[self._flat[layer]], begins).tolist() if len(begins) else []
        return found


def ready_made(game: GameOfTurns, formats: Iterable[Format], turned: type[BareTurn] = ArrayTurn) -> tuple[str, bytes]:
    """Return the name and the bytes of a game's file. It has the values of standings in these formats, for an ante of
    1.
    """
    found = enumerated_turn(game)
    replies = BareReplies(turned(game, found))
    replies.complete()
    standings = {}
    for form in formats:
        for opener in form.openers:
            match = Match(game, 2, form, opener)
            for shares in SHARES if form.stake else (EQUAL,):
                standings[standings_name(match, shares)] = _values(match, replies, shares)
    data = {"game": repr(game), "turn": turn_data(found), "lines": lines_data(replies.known), "standings": standings}
    return file_name(game), with_checksum(data)


def _values(match: Match[Any, Any], replies: BareReplies, shares: Pair) -> Sequence[Sequence[float]]:
    worth = TwoSeatStandings(match, replies, HANGING, shares)
    worth.start(match.start())
    return [
        [*standing, *value]
        for standing, value in sorted(worth.known.items())
        if shares == EQUAL or not standing[1]  # the error bound needs only the standings in which a pot begins
    ]
