"""The last seat's best reply to a score to beat, for each possible worth θ of a tie (0 to 1), without numpy.

``turns.best_reply`` has the mathematics. If the values of two seats have a constant sum, the value F_b(θ) of the best
reply is the greatest of finitely many lines. Each line comes from one way to play: its chance to win, plus θ times its
chance to tie. If the line at some θ is wanted, and the two nearest known lines do not meet on F_b, a turn is solved to
find a new line between them. ``complete`` finds all lines beforehand. After that, no turn has to be solved.
"""

from bisect import bisect_left
from collections.abc import Sequence

from pubdice.solve.numerics import SAME
from pubdice_pocket.pure_python.bare_turn import BareTurn

ALIKE = 10 * SAME  # chances, values and θ that differ by no more than this count as equal, as in ``turns.best_reply``
Line = tuple[float, float]  # the chance to win and the chance to tie
KnownLines = tuple[list[float], list[Line]]  # the θ for which lines are known, in order, and the line for each θ


class BareReplies:
    """The values F_b (see above) of the best replies to each score b of a turn, by the rank of b. ``known`` has lines
    that were found before, by rank.
    """

    def __init__(self, turned: BareTurn, known: dict[int, KnownLines] | None = None) -> None:
        self.turn = turned
        self.known: dict[int, KnownLines] = {} if known is None else known

    def line(self, best: int, theta: float) -> Line:
        """Return the best reply's chances to win and to tie against the score of rank ``best``, if a tie is worth θ (0
        to 1).
        """
        if best not in self.known:
            self.known[best] = [0.0, 1.0], [self.solve_line(best, 0.0), self.solve_line(best, 1.0)]
        while True:
            found, ask = self._look(best, theta)
            if found is not None:
                return found
            self._add(best, ask)

    def complete(self) -> None:
        """Find all lines for all scores."""
        for best in range(len(self.turn.scores)):
            self.line(best, 0.0)
            at = 0
            while at + 1 < len(thetas := self.known[best][0]):
                self.line(best, (thetas[at] + thetas[at + 1]) / 2)
                at += self.known[best][0] is thetas

    def _look(self, best: int, theta: float) -> tuple[Line | None, float]:
        """If the line at ``theta`` is known, return it and ``theta``. Otherwise return None, and the θ whose line must
        be found next. ``best`` is the rank of the score to beat.
        """
        thetas, lines = self.known[best]
        high = min(max(bisect_left(thetas, theta), 1), len(thetas) - 1)
        (low_at, high_at), (low, top) = thetas[high - 1 : high + 1], lines[high - 1 : high + 1]
        if abs(low_at - theta) <= SAME:
            return low, theta
        if abs(high_at - theta) <= SAME:
            return top, theta
        rise, fall = top[1] - low[1], low[0] - top[0]
        if abs(rise) <= ALIKE and abs(fall) <= ALIKE:
            return low, theta
        meet = min(max(fall / rise if rise else fall, low_at), high_at)
        across = (_height(top, high_at) - _height(low, low_at)) / (high_at - low_at)
        if _height(low, low_at) + across * (meet - low_at) - _height(low, meet) <= ALIKE:
            return (low if theta <= meet else top), theta
        return None, meet

    def _add(self, best: int, theta: float) -> None:
        line, (thetas, lines) = self.solve_line(best, theta), self.known[best]
        place = bisect_left(thetas, theta)
        # both lists change at once, because Ctrl-C between two inserts once left a θ too many
        self.known[best] = [*thetas[:place], theta, *thetas[place:]], [*lines[:place], line, *lines[place:]]

    def solve_line(self, best: int, theta: float) -> Line:
        """Return the line of best play at θ, by solving a turn. If two lines meet there, return the line that ties more
        often.
        """
        ranks = range(len(self.turn.scores))
        ties = [float(rank == best) for rank in ranks]
        solved = self.turn.solve([(rank > best) + theta * tied for rank, tied in zip(ranks, ties, strict=True)], ties)
        tied = solved.other[self.turn.start]
        return solved.value[self.turn.start] - theta * tied, tied


def _height(line: Line, theta: float) -> float:
    return line[0] + theta * line[1]


def lines_read(rows: Sequence[Sequence[float]]) -> dict[int, KnownLines]:
    """Return the lines from the rows of ``lines_data``. A row is [rank, θ, chance to win, chance to tie]."""
    known: dict[int, KnownLines] = {}
    for best, theta, win, tie in rows:
        thetas, lines = known.setdefault(int(best), ([], []))
        thetas.append(theta)
        lines.append((win, tie))
    return known


def lines_data(known: dict[int, KnownLines]) -> list[list[float]]:
    """Return known lines as rows of numbers: [rank, θ, chance to win, chance to tie]."""
    return [
        [best, theta, *line]
        for best in sorted(known)
        for theta, line in zip(known[best][0], known[best][1], strict=True)
    ]
