"""Helpers of ``standings``: the key of a standing, the order of seats, and the prizes. They need no numpy."""

import operator
from collections.abc import Callable
from typing import Any, NoReturn

from pubdice.core.game import Seat
from pubdice.match.formats import Tally
from pubdice.match.match import Match, MatchState
from pubdice.solve.solver import score_alone


def components(after: list[list[int]]) -> list[list[int]]:
    """Find the strongly connected components of a graph. Each component comes after all components that can follow it.

    ``after`` has the followers of every node. Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on
    Computing 1 (1972), without recursion.

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
    """Return the seats that are in, from the opener round the table, then the seats that are out, by when they left."""
    still_in, opener = state.tally.still_in, state.order[0]
    turn = still_in.index(opener)
    return (*still_in[turn:], *still_in[:turn], *state.tally.out)


def seats_of(state: MatchState[Any]) -> tuple[Seat, ...]:
    """Return the seats by column: playing seats in turn order, then resting seats, then seats that are out."""
    return (*state.order, *[seat for seat in round_the_table(state) if seat not in state.order])


def where(before: MatchState[Any], after: MatchState[Any]) -> tuple[int, ...]:
    """For every column before a round, return the same seat's column after it."""
    columns = seats_of(after)
    return tuple([columns.index(seat) for seat in seats_of(before)])


def tally_of(match: Match[Any, Any], state: MatchState[Any]) -> Tally:
    """Return the key of a state's standing: two states with the same key have the same future."""
    form, tally, seats = match.format, state.tally, round_the_table(state)
    place = {seat: Seat(at) for at, seat in enumerate(seats)}
    points = (0,) * match.seats if form.stake else tuple([tally.points[seat] for seat in seats])
    out, resting = (tuple([place[seat] for seat in some]) for some in (tally.out, tally.resting))
    # a replay by all seats is like the round's first play
    began = place[tally.began] if tally.began is not None and resting else None
    return Tally(min(tally.rounds, form.rounds_planned), points, tally.pot, out, resting, began=began)


def hanging(match: Match[Any, Any], state: MatchState[Any]) -> int:
    """Return the number of rounds in a row that the pot has been carried. Without a stake this is 0."""
    stake = match.format.stake
    return state.tally.pot // (stake * match.seats) - 1 if stake else 0


def prizes(match: Match[Any, Any], tally: Tally) -> Gained:
    """Return every seat's prize in a format without chips: equal shares of 1 for the champions.

    If the prize is "leaving", the last seat left loses: its prize is 0, and every other seat's prize is 1.
    """
    if match.format.prize != "leaving":
        return match.shares(tally)
    champions = match.format.champions(tally)
    return tuple([float(seat in champions) for seat in range(match.seats)])


def maximised(match: Match[Any, Any]) -> str:
    """Return the utility of each seat, in a few words, such as "share of the match"."""
    if match.seats == 1:
        return score_alone(match.game.lowest_wins)
    if match.format.stake:
        return "chips"
    return "chance of not buying" if match.format.prize == "leaving" else "share of the match"


Comparison = tuple[Callable[[Any, Any], Any], int, "int | None", int, bool]
"""A comparison: the operator, the score's seat, the seat of the other score (or None), the number compared, and the
outcome."""


class WatchedScore:
    """A score that records its comparisons.

    A format computes the consequence of a result. It may use winners and scores, and most use little: a format of
    rounds uses only winners, a format of lives only the lowest score. A ``WatchedScore`` stands in for a score and
    records each comparison with its outcome. Another result has the same consequence if it has the same winners and
    every recorded comparison has the same outcome (a path condition: King, Symbolic execution and program testing,
    Communications of the ACM 19, 1976). Any other use of the score, such as addition, raises TypeError. Then the
    consequence of each result is computed one by one.
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
