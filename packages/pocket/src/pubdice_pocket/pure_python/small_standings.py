"""The values of the standings (rounds about to begin) of a match of two, in any game, without numpy:
``plain.match_graph`` on lists.

This module finds each standing that can follow a start, and the branch (consequence) of each result of its round. If
two results have the same branch in every standing, they are one kind of end. The positions of the round are merged by
these kinds. The value of a standing is the opener's. The sum of both seats' values must not depend on the result of the
round. Otherwise the match is refused. Standings that can come back are iterated until no value changes
(``plain.solution`` explains the error bound).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pubdice.core.errors import Unsolved
from pubdice.core.game import Result, RoundResult, RoundSeat, Seat
from pubdice.match.formats import Tally
from pubdice.match.match import Match, MatchState
from pubdice.solve.numerics import ROUNDING, STILL, TIE, guessed_limit
from pubdice.solve.pauses import may_pause
from pubdice.solve.plain.tallies import (
    Comparison,
    WatchedScore,
    components,
    hanging,
    prizes,
    round_the_table,
    seats_of,
    tally_of,
    where,
)
from pubdice_pocket.pure_python.round_positions import SmallGraph, SmallRound, needs_house

MOST_STANDINGS = 2_000
MOST_STEPS = 500
NEARLY_STILL = 1e-13  # a smaller change in a step may be rounding alone, and says nothing about convergence
ROUND_WINS = "round wins"  # the prize (``Format.prize``) of a match in which only the lead in points counts


@dataclass(frozen=True, slots=True)
class SmallBranch:
    """The consequence of a result of a round."""

    gained: tuple[float, float]  # the pay of both seats, the opener's first
    hung: float  # the number of chips shared out from a pot that was carried too long
    following: int  # the number of the next standing, or -1 if there is none
    stays: bool  # True if the opener also opens the next round


class SmallStandings:
    """The standings of a match from a given state on.

    If the pot has been carried for ``limit`` rounds in a row, the two seats share the carried chips equally.
    """

    def __init__(self, match: Match[Any, Any], played: SmallRound, start: MatchState[Any], limit: int) -> None:
        self.match, self.played, self.limit = match, played, limit
        self.number: dict[Tally, int] = {}
        self._states: list[MatchState[Any]] = []
        self._branches: dict[SmallBranch, int] = {}
        self._results = list(played.results)
        self._groups: dict[tuple[tuple[Comparison, ...], tuple[RoundSeat, ...]], int] = {}
        self._members: list[frozenset[int]] = []
        self._left: dict[tuple[int, ...], int] = {}
        self._number(start)
        rows = [self._row(state) for state in self._states]  # the list of states grows during this loop
        self.branches = list(self._branches)
        self.graph, self._ends = self._merged(rows)
        self.values: list[float] = [0.0] * len(rows)
        self.totals: list[float] = [0.0] * len(rows)
        self.hung: list[float] = [0.0] * len(rows)
        self._size = max([1.0, *[abs(each) for branch in self.branches for each in branch.gained]])
        self._after = [sorted({self.branches[each].following for each in set(row)} - {-1}) for row in self._ends]
        self._levels = [0] * len(rows)
        self._known: dict[Any, tuple[float, float]] = {}
        self._unsettled = 0.0
        self._parts = iter(components(self._after))

    def payoff(self, state: MatchState[Any]) -> tuple[list[float], float]:
        """Return [ends of the graph] the value of the round to its opener, and the sum of both seats' values. Chips
        that the seats have already are not counted.

        Raises Unsolved("not-reached").
        """
        at = self.number.get(self.key(state))
        if at is None:
            raise Unsolved("not-reached")
        return [self._worth(branch)[0] for branch in self._ends[at]], self.totals[at]

    def key(self, state: MatchState[Any]) -> Tally:
        """Return the key of a state's standing. If the prize is round wins, the key has the lead only, up to the rounds
        left plus one.
        """
        tally, form = tally_of(self.match, state), self.match.format
        if form.prize != ROUND_WINS:
            return tally
        behind, most = min(tally.points), form.rounds_planned - tally.rounds + 1
        return replace(tally, points=tuple([min(points - behind, most) for points in tally.points]))

    def _number(self, state: MatchState[Any]) -> int:
        key = self.key(state)
        found = self.number.get(key)
        if found is None:
            if len(self.number) == MOST_STANDINGS:
                raise needs_house(self.match.game)
            found = self.number[key] = len(self.number)
            seats = round_the_table(state)
            order = tuple([Seat(seats.index(seat)) for seat in state.order])
            self._states.append(self.match.at(MatchState(order, None, key, None, state.number), state.round))
        return found

    def _row(self, state: MatchState[Any]) -> dict[int, int]:
        """Return the branch of each group of results, in the order in which the groups were found."""
        if len(state.order) != self.played.seats:
            raise needs_house(self.match.game)
        row: dict[int, int] = {}
        while (at := self._next(tuple(row))) >= 0:
            branch, group = self._watch(state, self._results[at], at)
            row[group] = branch
        return row

    def _next(self, groups: tuple[int, ...]) -> int:
        """Return the first result that is in none of these groups, or -1 if there is none."""
        if groups not in self._left:
            every = frozenset[int]().union(*[self._members[group] for group in groups])
            self._left[groups] = next((at for at in range(len(self._results)) if at not in every), -1)
        return self._left[groups]

    def _merged(self, rows: Sequence[dict[int, int]]) -> tuple[SmallGraph, list[tuple[int, ...]]]:
        """Return the graph of a round, and for each standing the branches of its ends. Results with the same branch in
        all standings are one end.

        Standings divide the results into groups in only a few different ways. So results are first told apart by these
        ways, which is quicker.
        """
        parted = list(dict.fromkeys([tuple(row) for row in rows]))
        told: dict[tuple[int, ...], int] = {}
        kinds = []
        for at in range(len(self._results)):
            groups = tuple([next(group for group in parts if at in self._members[group]) for parts in parted])
            kinds.append(told.setdefault(groups, len(told)))
        places = {parts: place for place, parts in enumerate(parted)}
        columns = [[row[groups[places[tuple(row)]]] for row in rows] for groups in told]
        numbered: dict[tuple[int, ...], int] = {}
        end = [numbered.setdefault(tuple(column), len(numbered)) for column in columns]
        return self.played.merged([end[kind] for kind in kinds]), list(zip(*numbered, strict=True))

    def _watch(self, state: MatchState[Any], result: RoundResult, at: int) -> tuple[int, int]:
        """Return the branch of a result, and the group of all results that lead to it for the same reasons."""
        log: list[Comparison] = []
        scores: list[Any] = [0] * self.match.seats
        for place, seat in enumerate(state.order):
            scores[seat] = WatchedScore(result.scores[place], place, log)
        winners = tuple([state.order[seat] for seat in result.winners])
        try:
            branch = self._branch(state, Result(winners, tuple(scores)))
        except TypeError:
            plain = [score.value if isinstance(score, WatchedScore) else score for score in scores]
            self._members.append(frozenset((at,)))
            return self._branch(state, Result(winners, tuple(plain))), len(self._members) - 1
        key = tuple(dict.fromkeys(log)), result.winners
        if key not in self._groups:
            self._groups[key] = len(self._members)
            others = enumerate(self._results)
            self._members.append(
                frozenset([n for n, one in others if one.winners == result.winners and _same(key[0], one.scores)])
            )
        return branch, self._groups[key]

    def _branch(self, state: MatchState[Any], last: Result) -> int:
        match, antes = self.match, self.match.format.stake * self.match.seats
        after = match.ended(state, state.round, last)
        columns = seats_of(state)
        gained, hung = [0.0, 0.0], 0.0
        if antes:
            gained = [float(after.tally.points[seat] - state.tally.points[seat]) for seat in columns]
            if not after.over and hanging(match, after) >= self.limit:
                hung = float(after.tally.pot - antes)
                gained = [chips + hung / match.seats for chips in gained]
                after = replace(after, tally=replace(after.tally, pot=antes))
                if after.tally.rounds >= match.format.rounds_planned:  # no round is left, so the stakes go back
                    return self._noted(SmallBranch(_two([c + match.format.stake for c in gained]), hung, -1, True))
        elif after.over:
            won = prizes(match, after.tally)
            gained = [won[seat] for seat in columns]
        if after.over:
            return self._noted(SmallBranch(_two(gained), hung, -1, True))
        return self._noted(SmallBranch(_two(gained), hung, self._number(after), where(state, after)[0] == 0))

    def _noted(self, branch: SmallBranch) -> int:
        return self._branches.setdefault(branch, len(self._branches))

    def _worth(self, number: int) -> tuple[float, float, float]:
        """Return the value of a branch to the opener and to both seats together, and the mean of the chips shared out
        from pots that were carried too long.
        """
        branch = self.branches[number]
        mine, both, at = branch.gained[0], sum(branch.gained), branch.following
        if at < 0:
            return mine, both, branch.hung
        value, total = self.values[at], self.totals[at]
        return mine + (value if branch.stays else total - value), both + total, branch.hung + self.hung[at]

    def solve(self) -> None:
        """Find all values, from the last rounds backward. Raises Unsolved, and PausedError between two parts."""
        for part in self._parts:
            self._levels_of(part)
            if len(part) > 1 or part[0] in self._after[part[0]]:
                self._settle(part)
            else:
                self._step(part[0], self._known)
            may_pause()
        self._known.clear()

    @property
    def bound(self) -> float:
        """The greatest possible error of a value, after ``solve`` has ended."""
        return self._unsettled + ROUNDING * self._size * max(self._levels) + self.hung[0]

    def _levels_of(self, part: Sequence[int]) -> None:
        """Note the depth of these standings: the most computations that follow one another up to their values. The
        error bound needs it, because each computation rounds.
        """
        level = 1 + max([self._levels[each] for at in part for each in self._after[at]], default=0)
        for at in part:
            self._levels[at] = level

    def _settle(self, part: Sequence[int]) -> None:
        """Iterate standings that lead back to each other, until no value changes."""
        self._begin(part)
        size = moved = self._size
        most = 0.0
        latest = [[self.values[at] for at in part]]
        # if two standings lead to each other, their values alternate, so every second step is compared
        stride = 1 if len(part) == 1 else 2
        for _ in range(MOST_STEPS):
            before, moved = moved, max([self._step(at, {}) for at in part])
            if moved <= STILL * size:
                break
            most = max(most, moved / before) if NEARLY_STILL * size < before < size else most
            latest.append([self.values[at] for at in part])
            if len(latest) > 2 * stride:
                for at, value in zip(part, guessed_limit(*latest[::stride]), strict=True):
                    self.values[at] = value
                moved, latest = size, [[self.values[at] for at in part]]
        else:
            raise Unsolved("unsettled", steps=MOST_STEPS)
        self._unsettled = max(self._unsettled, (moved + ROUNDING * size) / (1 - min(most, 1 - ROUNDING)))

    def _begin(self, part: Sequence[int]) -> None:
        """Set the first values of standings on a cycle. Each value is the mean over the branches that leave the cycle.
        If there are no such branches, it is half of the sum of both seats' values.
        """
        total = max({sum(branch.gained) for branch in self.branches if branch.following < 0})
        for at in part:
            self.totals[at], self.values[at] = total, total / 2
        for at in part:
            others = [each for each in dict.fromkeys(self._ends[at]) if self.branches[each].following not in part]
            if others:
                self.values[at] = sum([self._worth(each)[0] for each in others]) / len(others)

    def _step(self, at: int, known: dict[Any, tuple[float, float]]) -> float:
        """Compute the value of a standing again, and return its change. ``known`` caches values by payoff."""
        worth = [self._worth(branch) for branch in self._ends[at]]
        both = [each[1] for each in worth]
        if max(both) - min(both) > TIE * max(1.0, abs(both[0])):
            raise needs_house(self.match.game)
        payoff = tuple([each[0] for each in worth]), tuple([each[2] for each in worth])
        if payoff not in known:  # standings with the same lead have the same payoff
            known[payoff] = self.graph.values(*payoff)
        value, hung = known[payoff]
        moved = abs(value - self.values[at])
        self.values[at], self.totals[at], self.hung[at] = value, both[0], hung
        return moved


def _two(gained: Sequence[float]) -> tuple[float, float]:
    one, two = gained
    return one, two


def _same(log: Sequence[Comparison], scores: Sequence[int]) -> bool:
    """Return True if, with these scores, every comparison in the log has its logged outcome."""
    how: Callable[[Any, Any], Any]
    for how, seat, other, number, outcome in log:
        if bool(how(scores[seat], number if other is None else scores[other])) != outcome:
            return False
    return True
