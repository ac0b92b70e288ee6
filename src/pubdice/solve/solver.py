"""The Solver protocol: the questions that every solver answers about one match, by any method and for any game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from pubdice.core.game import Seat
from pubdice.match.match import Match, MatchState

TURN_PRIZES = ("round wins", "chips")
"""The prizes (``Format.prize``) that ``solve.turns`` can maximise."""
MOST_SOLVED_SEATS = 6
"""The most seats that ``solve.turns`` solves."""
LOW_SCORE = "score, the lowest wins"
"""The utility of a seat that plays alone, if the lowest score wins. The solver maximises the negative of the score.
``as_counted`` makes it positive again."""


def score_alone(lowest_wins: bool) -> str:
    """Return the name of the utility of a seat that plays alone: its score."""
    return LOW_SCORE if lowest_wins else "score"


def as_counted(utility: str, amount: float) -> float:
    """Convert a solver's value, or a difference of values, to the game's own count: a low score is positive again.

    >>> as_counted(LOW_SCORE, -6.25), as_counted("chips", -6.25)
    (6.25, -6.25)
    """
    return 0.0 - amount if utility == LOW_SCORE else amount


def outside_round(
    match: Match[Any, Any], state: MatchState[Any], values: Callable[[MatchState[Any]], Sequence[float]]
) -> tuple[float, ...]:
    """Return the value of every seat at the table while no round is under way.

    Before Player 1 is drawn, a seat's value is its mean over all possible draws. In a roll-off, it is the seat's chance
    to win the roll-off.

    Solvers need not model roll-offs. Tied seats share a match equally, and in a roll-off each of them has the same
    chance. So every earlier state has the same value with a roll-off as without.
    """
    if state.roll_off is not None:
        return state.roll_off.chances(match.game.faces.sides, match.seats)
    drawn = [values(match.draw(state, Seat(seat))) for seat in range(match.seats)]
    return tuple([sum(column) / len(drawn) for column in zip(*drawn, strict=True)])


class Solver(Protocol):
    """The values of one match under best play.

    A value is the mean of a seat's utility if every seat plays best from here on. Several actions may be equally good
    for the mover but not for the other seats. Each solver's docstring says which of these it takes.
    """

    @property
    def utility(self) -> str:
        """The name of the utility that the seats maximise, in a few words, such as "share of the match"."""

    @property
    def bound(self) -> float:
        """The error bound: no value differs from its exact value by more."""

    def values(self, state: Any) -> Sequence[float]:
        """Return the value of every seat at the table, in any state: at a draw, a roll, a decision, or the end."""

    def action_values(self, state: Any) -> Sequence[tuple[Any, float]]:
        """Return the mover's legal actions at a decision, in the rules' order, each with its value to the mover."""

    def facts(self, state: Any) -> Sequence[tuple[Any, Mapping[str, float]]]:
        """Return the mover's legal actions, each with exact figures by name, such as the chance to qualify."""


@runtime_checkable
class InUnits(Protocol):
    """A game's own solver that also states its unit: the sentence in which an amount of the utility is said."""

    @property
    def amount(self) -> str:
        """The sentence for an amount of the utility, as a format string that contains ``{amount}``."""


@runtime_checkable
class ByRound(Protocol):
    """A solver whose values may end with the round under way, instead of the match."""

    def between(self, state: Any) -> tuple[Sequence[float], Sequence[float]] | None:
        """Return every seat's payoff of the round that has just ended, and its value at the start of the next round.

        ``state`` is the start of a round that follows another round. If values look through the whole match, return
        None.
        """
