"""The key of a standing, the layout of seats, and the prizes; asked of ``Match`` alone. Needs no numpy.

See ``match_graph`` for what a standing is.
"""

import operator
from collections.abc import Callable
from typing import Any, NoReturn

from pubdice.core.game import Seat
from pubdice.match.formats import Tally
from pubdice.match.match import Match, MatchState
from pubdice.solve.solver import score_alone


def components(after: list[list[int]]) -> list[list[int]]:
    """The components, each after all that can follow it; ``after``: of every node, those that follow it.

    Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1 (1972), without recursion.

    >>> components([[1], [2], [1, 3], []])
    [[3], [1, 2], [0]]
    """
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    done: set[int] = set()
    found: list[list[int]] = []
    for root in range(len(after)):
        if root in number:
            continue
        number[root] = low[root] = len(number)
        path.append(root)
        stack = [(root, iter(after[root]))]
        while stack:
            node, rest = stack[-1]
            for each in rest:
                if each not in number:
                    number[each] = low[each] = len(number)
                    path.append(each)
                    stack.append((each, iter(after[each])))
                    break
                if each not in done:
                    low[node] = min(low[node], number[each])
            else:
                stack.pop()
                if stack:
                    low[stack[-1][0]] = min(low[stack[-1][0]], low[node])
                if low[node] == number[node]:
                    cut = path.index(node)
                    component, path = path[cut:], path[:cut]
                    done.update(component)
                    found.append(sorted(component))
    return found


Gained = tuple[float, ...]


def round_the_table(state: MatchState[Any]) -> tuple[Seat, ...]:
    """The seats that are in, from the opener round the table, and then those that are out, as they left."""
    still_in, opener = state.tally.still_in, state.order[0]
    turn = still_in.index(opener)
    return (*still_in[turn:], *still_in[:turn], *state.tally.out)


def seats_of(state: MatchState[Any]) -> tuple[Seat, ...]:
    """The seats by column: in turn order those who play, then those who rest, then those who are out."""
    return (*state.order, *[seat for seat in round_the_table(state) if seat not in state.order])


def where(before: MatchState[Any], after: MatchState[Any]) -> tuple[int, ...]:
    """The column after a round of every seat, by its column before."""
    columns = seats_of(after)
    return tuple([columns.index(seat) for seat in seats_of(before)])


def tally_of(match: Match[Any, Any], state: MatchState[Any]) -> Tally:
    """The key of the standing of a state."""
    form, tally, seats = match.format, state.tally, round_the_table(state)
    place = {seat: Seat(at) for at, seat in enumerate(seats)}
    points = (0,) * match.seats if form.stake else tuple([tally.points[seat] for seat in seats])
    out, resting = (tuple([place[seat] for seat in some]) for some in (tally.out, tally.resting))
    return Tally(min(tally.rounds, form.rounds_planned), points, tally.pot, out, resting)


def hanging(match: Match[Any, Any], state: MatchState[Any]) -> int:
    """For how many rounds in a row the pot has been hanging; 0 where nobody stakes anything."""
    stake = match.format.stake
    return state.tally.pot // (stake * match.seats) - 1 if stake else 0


def prizes(match: Match[Any, Any], tally: Tally) -> Gained:
    """Every seat's prize of a match that is over with this tally, in a match without chips.

    An equal share of the match for every champion; where the last one left loses, 1 for all others.
    """
    if match.format.prize != "leaving":
        return match.shares(tally)
    champions = match.format.champions(tally)
    return tuple([float(seat in champions) for seat in range(match.seats)])


def maximised(match: Match[Any, Any]) -> str:
    """The aim of each seat, in a few words, such as "share of the match"."""
    if match.seats == 1:
        return score_alone(match.game.lowest_wins)
    if match.format.stake:
        return "chips"
    return "chance of not buying" if match.format.prize == "leaving" else "share of the match"


Comparison = tuple[Callable[[Any, Any], Any], int, "int | None", int, bool]
"""A comparison of scores: the operator, the seat, the other seat or (None) the number, and the outcome."""


class WatchedScore:
    """A score that notes what it is compared with.

    A format is asked what follows a result. It may look at the winners and at scores, and most look little: rounds at
    winners only, a format of lives at which score is the least. ``WatchedScore`` stands for a score and notes each
    comparison with its outcome; another result with the same winners, for which every comparison noted comes out the
    same, would have been answered in the same way (a path condition: King, Symbolic execution and program testing,
    Communications of the ACM 19, 1976). Anything else done to such a score, such as adding it up, raises TypeError, and
    the results are then asked about one by one.
    """

    __slots__ = ("log", "seat", "value")

    def __init__(self, value: int, seat: int, log: list[Comparison]) -> None:
        self.value, self.seat, self.log = value, seat, log

    def _compared(self, other: object, how: Callable[[Any, Any], Any]) -> bool:
        if isinstance(other, WatchedScore):
            outcome = bool(how(self.value, other.value))
            self.log.append((how, self.seat, other.seat, 0, outcome))
        elif isinstance(other, int):
            outcome = bool(how(self.value, other))
            self.log.append((how, self.seat, None, other, outcome))
        else:
            raise TypeError(f"a score is compared with {other!r}")
        return outcome

    def __lt__(self, other: object) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: object) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: object) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: object) -> bool:
        return self._compared(other, operator.ge)

    def __eq__(self, other: object) -> bool:
        return self._compared(other, operator.eq)

    def __ne__(self, other: object) -> bool:
        return self._compared(other, operator.ne)

    def __bool__(self) -> bool:
        return self._compared(0, operator.ne)

    def _used(self, *_: object) -> NoReturn:
        raise TypeError("a score is used other than by comparing it")

    def __hash__(self) -> int:
        raise TypeError("a score is used other than by comparing it")

    __str__ = __repr__ = __format__ = _used
