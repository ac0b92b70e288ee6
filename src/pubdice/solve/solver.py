"""The Solver protocol: the answers of a solved game about one match, by any method. Knows no game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from pubdice.core.game import Seat
from pubdice.match.match import Match, MatchState

TURN_PRIZES = ("round wins", "chips")
"""The prizes that ``solve.turns`` knows how to play for (``Format.prize``)."""
MOST_SOLVED_SEATS = 6
"""The seats that it solves at most."""
LOW_SCORE = "score, the lowest wins"
"""The utility of a seat that plays alone where the lowest score wins. The value maximised is the negative of the score;
it is reported as the game counts it (``as_counted``).
"""


def score_alone(lowest_wins: bool) -> str:
    """The utility of a seat that plays alone: its score."""
    return LOW_SCORE if lowest_wins else "score"


def as_counted(utility: str, amount: float) -> float:
    """A solver's value, or a change of one, as the game counts it: no score is told below zero.

    >>> as_counted(LOW_SCORE, -6.25), as_counted("chips", -6.25)
    (6.25, -6.25)
    """
    return 0.0 - amount if utility == LOW_SCORE else amount


def outside_round(
    match: Match[Any, Any], state: MatchState[Any], values: Callable[[MatchState[Any]], Sequence[float]]
) -> tuple[float, ...]:
    """Every table seat's value where no round is under way: before Player 1 is drawn, the mean over the seats that may
    be, in their order; in a roll-off, the chance to win it.

    Those who tie share a match, and in a roll-off each of them has the same chance to win it. So what comes before is
    worth the same with a roll-off and without, and solvers need not know of it.
    """
    if state.roll_off is not None:
        return state.roll_off.chances(match.game.faces.sides, match.seats)
    drawn = [values(match.draw(state, Seat(seat))) for seat in range(match.seats)]
    return tuple([sum(column) / len(drawn) for column in zip(*drawn, strict=True)])


class Solver(Protocol):
    """The values of one match under best play.

    Values are what a seat's utility is worth on average if everybody plays best from here on; where several ways to
    play are equally good for the mover but not for others, the solver says in its docstring which it takes.
    """

    @property
    def utility(self) -> str:
        """The utility that is maximised, in a few words, such as "share of the match"."""

    @property
    def bound(self) -> float:
        """No value differs from the true one by more than this."""

    def values(self, state: Any) -> Sequence[float]:
        """Every table seat's value in a state of the match: at a draw, a roll, a decision, or the end."""

    def action_values(self, state: Any) -> Sequence[tuple[Any, float]]:
        """The mover's legal actions at a decision with the value of each to the mover, in the rules' order."""

    def facts(self, state: Any) -> Sequence[tuple[Any, Mapping[str, float]]]:
        """The mover's legal actions with exact sub-values to reason from, such as the chance to qualify; by name."""


@runtime_checkable
class InUnits(Protocol):
    """Unit and wording of a utility, for a solver of a game's own whose values no solver here counts."""

    @property
    def amount(self) -> str:
        """The sentence for an amount of the utility, with ``{amount}`` in it."""


@runtime_checkable
class ByRound(Protocol):
    """A solver that may look no further than the end of the round under way."""

    def between(self, state: Any) -> tuple[Sequence[float], Sequence[float]] | None:
        """The worth of a round that has just ended for every seat, and the part of it that the next one's values start
        from.

        Asked of a state in which a round has just begun after another. None where values look through the whole match.
        """
