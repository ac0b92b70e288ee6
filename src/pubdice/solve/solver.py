"""The Solver protocol: the answers of a solved game about one match, by any method. Knows no game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from pubdice.core.game import Seat
from pubdice.match.match import Match, MatchState

TURN_PRIZES = ("round wins", "chips")
"""The prizes (``Format.prize``) that ``solve.turns`` can maximise."""
MOST_SOLVED_SEATS = 6
"""The most seats that ``solve.turns`` solves."""
LOW_SCORE = "score, the lowest wins"
"""The utility of a seat that plays alone in a game that the lowest score wins. The solver maximises the negative of the
score. ``as_counted`` turns it back."""


def score_alone(lowest_wins: bool) -> str:
    """The utility of a seat that plays alone: its score."""
    return LOW_SCORE if lowest_wins else "score"


def as_counted(utility: str, amount: float) -> float:
    """A solver's value, or a difference of values, as the game counts it: a low score is positive again.

    >>> as_counted(LOW_SCORE, -6.25), as_counted("chips", -6.25)
    (6.25, -6.25)
    """
    return 0.0 - amount if utility == LOW_SCORE else amount


def outside_round(
    match: Match[Any, Any], state: MatchState[Any], values: Callable[[MatchState[Any]], Sequence[float]]
) -> tuple[float, ...]:
    """Every table seat's value while no round is under way.

    Before Player 1 is drawn, the mean over the seats that may be drawn. In a roll-off, each seat's chance to win it.

    Tied seats share a match, and each of them has the same chance in a roll-off. So every earlier state has the same
    value with a roll-off and without, and solvers need not model it.
    """
    if state.roll_off is not None:
        return state.roll_off.chances(match.game.faces.sides, match.seats)
    drawn = [values(match.draw(state, Seat(seat))) for seat in range(match.seats)]
    return tuple([sum(column) / len(drawn) for column in zip(*drawn, strict=True)])


class Solver(Protocol):
    """The values of one match under best play.

    A value is the average of a seat's utility if every seat plays best from here on. Several ways to play may be
    equally good for the mover but not for the other seats. Each solver's docstring says which it takes.
    """

    @property
    def utility(self) -> str:
        """The utility that is maximised, in a few words, such as "share of the match"."""

    @property
    def bound(self) -> float:
        """The error bound: no value differs from the true one by more."""

    def values(self, state: Any) -> Sequence[float]:
        """Every table seat's value in a state of the match: at a draw, a roll, a decision, or the end."""

    def action_values(self, state: Any) -> Sequence[tuple[Any, float]]:
        """The mover's legal actions at a decision, in the rules' order, each with its value to the mover."""

    def facts(self, state: Any) -> Sequence[tuple[Any, Mapping[str, float]]]:
        """The mover's legal actions with exact sub-values by name, such as the chance to qualify."""


@runtime_checkable
class InUnits(Protocol):
    """The unit and wording of a utility, for a game's own solver."""

    @property
    def amount(self) -> str:
        """The sentence for an amount of the utility, with ``{amount}`` in it."""


@runtime_checkable
class ByRound(Protocol):
    """A solver that may look only to the end of the round under way."""

    def between(self, state: Any) -> tuple[Sequence[float], Sequence[float]] | None:
        """Every seat's payoff of the round that has just ended, and the start of the next round's values.

        ``state`` is one in which a round has just begun after another. None if values look through the whole match.
        """
