"""A match as a graph of standings, those that lead to the same merged, in the order in which they can be worked out.

Standings are alike if the same number of seats play and every result pays the same and leads to standings that are
alike. Found from the end backward, this makes one of all standings of a match of rounds in which the lead is the same.
A standing after which every result leads to the same is *decided*: its followers are added to the branches before it.
Standings that can come back (``cyclic``) are not merged.

Results are alike if they lead to the same from every standing: they are the ends of the round (``kinds``).
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.core.errors import Unsolved
from pubdice.core.game import Result, RoundResult, RoundSeat, Seat
from pubdice.match.formats import Tally
from pubdice.match.match import Match, MatchState
from pubdice.solve.arrays import Floats
from pubdice.solve.plain.cycles import Numbers, heights
from pubdice.solve.plain.round_graph import Progress
from pubdice.solve.plain.tallies import (
    Comparison,
    Gained,
    WatchedScore,
    components,
    hanging,
    prizes,
    round_the_table,
    seats_of,
    tally_of,
    where,
)

# Where a match can stand as a round begins, and what follows every result of that round; asked of ``Match`` alone.
#
# A *standing* is the tally seen from the opener: the seats that are in from the opener round the table, then those
# that are out, in the order in which they left. A match looks the same from every chair (a law proves it), so states
# with equal standings are alike, and who sits where is a renumbering (``where``). Values have their columns by turn
# order: those who play, those who rest, those who are out (``seats_of``). What the future cannot depend on is left
# out:
#
# - how many rounds were played, where the format plans none, or beyond those it plans;
# - chips won before, where the format has a stake: they are added on top of the values.
#
# Both are tried, not trusted: every branch is asked for again with more rounds played and with other chips, and where
# that changes anything the match is refused. What a format looks at in a result is noted (``WatchedScore``), so that
# one question answers for all results it would treat alike: seven for 9,261 results of a round of Mexico.
#
# A pot that hangs for ``hanging`` rounds in a row is given out as ``shares`` say and the next begins empty, so that
# the standings are finite; where no rounds are left its stakes go back. The last column counts the chips given out
# so.


MOST_STANDINGS = 20_000
MOST_ENDINGS = 2_000_000
"""The most calls of ``Match.ended``, some microseconds each."""
MORE_ROUNDS = (1, 2, 3, 10, 1000)
"""Rounds played more, to see whether a format counts them where it plans none."""


@dataclass(frozen=True, slots=True)
class RoundBranch:
    """The consequence of a round's result.

    gained: its pay to every column of its standing, the last that of hung chips. following: the next standing's number;
    -1 if the match is over. where: every seat's column there.
    """

    gained: Gained
    following: int
    where: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FoundStanding:
    """A round about to begin. state: the match there, seats renumbered. branches: one for each result of the round."""

    state: MatchState[Any]
    branches: list[int] = field(default_factory=list)

    @property
    def playing(self) -> int:
        """The number of seats that play."""
        return len(self.state.order)


class StandingFinder:
    """The standings that can follow a start, found forward.

    results: of a round, by the number of seats that play it. shares: of a pot given out. branches: each once.
    """

    def __init__(
        self, match: Match[Any, Any], results: Callable[[int], tuple[RoundResult, ...]], hanging: int, shares: Gained
    ) -> None:
        self.match, self.results, self.hanging, self.shares = match, results, hanging, shares
        self.number: dict[Tally, int] = {}
        self.standings: list[FoundStanding] = []
        self.branches: list[RoundBranch] = []
        self._numbered: dict[RoundBranch, int] = {}
        self._followed = self._asked = 0

    @property
    def columns(self) -> int:
        """A column for each seat, and where chips are played for, one for those given out."""
        return self.match.seats + bool(self.match.format.stake)

    def explore(self, state: MatchState[Any], progress: Progress | None = None) -> int:
        """The number of a state's standing; it and all that can follow it are known from now on.

        Raises Unsolved: "too-many-standings", "too-many-endings" or "format".
        """
        first = self._numbers(state)
        while self._followed < len(self.standings):
            self._follow(self.standings[self._followed])
            self._followed += 1
            if progress is not None:
                progress(self._followed, len(self.standings))
        return first

    def _numbers(self, state: MatchState[Any]) -> int:
        key = tally_of(self.match, state)
        found = self.number.get(key)
        if found is None:
            if len(self.number) == MOST_STANDINGS:
                raise Unsolved("too-many-standings", count=MOST_STANDINGS + 1, most=MOST_STANDINGS)
            found = self.number[key] = len(self.number)
            seats = round_the_table(state)
            order = tuple([Seat(seats.index(seat)) for seat in state.order])
            fresh = self.match.at(MatchState(order, None, key, None, state.number), state.round)
            self.standings.append(FoundStanding(fresh))
        return found

    def _follow(self, standing: FoundStanding) -> None:
        """Ask what follows every result, and try what the standing leaves out."""
        results = self.results(standing.playing)
        branches = np.full(len(results), -1, dtype=np.int64)
        scores = np.array([result.scores for result in results], dtype=np.int64)
        winners: dict[tuple[RoundSeat, ...], int] = {}
        won = np.array([winners.setdefault(result.winners, len(winners)) for result in results])
        tried: dict[int, Result] = {}
        for at, result in enumerate(results):
            if branches[at] < 0:
                last = self._at_table(standing.state, result)
                branch, log = self._watch(standing.state, last)
                alike = slice(at, at + 1) if log is None else (won == won[at]) & alike_results(log, scores)
                branches[alike] = branch
                tried.setdefault(branch, last)
        standing.branches.extend(branches.tolist())
        for branch, last in tried.items():
            self._try(standing.state, last, self.branches[branch])

    def _at_table(self, state: MatchState[Any], result: RoundResult) -> Result:
        """A result of a standing's round, in its seats."""
        scores = [0] * self.match.seats
        for seat, score in zip(state.order, result.scores, strict=True):
            scores[seat] = score
        return Result(tuple([state.order[seat] for seat in result.winners]), tuple(scores))

    def _watch(self, state: MatchState[Any], last: Result) -> tuple[int, list[Comparison] | None]:
        """(the branch, how scores were compared on the way; None if more was done with them)."""
        log: list[Comparison] = []
        scores: list[Any] = list(last.scores)
        for place, seat in enumerate(state.order):
            scores[seat] = WatchedScore(last.scores[seat], place, log)
        watched = Result(last.winners, tuple(scores))
        try:
            return self._branch(state, watched), log
        except TypeError:
            return self._branch(state, last), None

    def _branch(self, state: MatchState[Any], last: Result) -> int:
        self._asked += 1
        if self._asked > MOST_ENDINGS:
            raise Unsolved("too-many-endings", count=self._asked, most=MOST_ENDINGS)
        found = self._found(state, last)
        if found not in self._numbered:
            self._numbered[found] = len(self.branches)
            self.branches.append(found)
        return self._numbered[found]

    def _try(self, state: MatchState[Any], last: Result, branch: RoundBranch) -> None:
        """Raise Unsolved("format") if rounds that are over, or chips had, change what follows a result."""
        form, tally = self.match.format, state.tally
        others: list[Tally] = []
        if tally.rounds >= form.rounds_planned:
            others += [replace(tally, rounds=tally.rounds + more) for more in MORE_ROUNDS]
        if form.stake:
            others.append(replace(tally, points=tuple([7 * seat - 3 for seat in range(self.match.seats)])))
        for other in others:
            if self._found(replace(state, tally=other), last) != branch:
                raise Unsolved("format", title=type(self.match.game).__name__)

    def _found(self, state: MatchState[Any], last: Result) -> RoundBranch:
        """The consequence of a result; seats are numbered as in a standing."""
        after = self.match.ended(state, state.round, last)
        if self.match.format.stake:
            return self._chips(state, after)
        if after.over:
            won = prizes(self.match, after.tally)
            return RoundBranch(tuple([won[seat] for seat in seats_of(state)]), -1, ())
        return RoundBranch((0.0,) * self.match.seats, self._numbers(after), where(state, after))

    def _chips(self, state: MatchState[Any], after: MatchState[Any]) -> RoundBranch:
        """The consequence in a game for chips; a pot that hangs too long is given out."""
        antes, hung = self.match.format.stake * self.match.seats, 0
        gained = [float(after.tally.points[seat] - state.tally.points[seat]) for seat in seats_of(state)]
        if not after.over and hanging(self.match, after) >= self.hanging:
            hung = after.tally.pot - antes
            gained = [chips + hung * share for chips, share in zip(gained, self.shares, strict=True)]
            after = replace(after, tally=replace(after.tally, pot=antes))
            if after.tally.rounds >= self.match.format.rounds_planned:  # no round is left: the stakes go back
                return RoundBranch((*[chips + self.match.format.stake for chips in gained], float(hung)), -1, ())
        if after.over:
            return RoundBranch((*gained, 0.0), -1, ())
        return RoundBranch((*gained, float(hung)), self._numbers(after), where(state, after))


def alike_results(log: list[Comparison], scores: Numbers) -> NDArray[np.bool_]:
    """[results] those for which every comparison comes out as noted; scores: [results, seats]."""
    same = np.ones(len(scores), dtype=np.bool_)
    for how, seat, other, number, outcome in dict.fromkeys(log):
        same &= how(scores[:, seat], number if other is None else scores[:, other]) == outcome
    return same


@dataclass(frozen=True, eq=False)
class MatchGraph:
    """Merged standings of a match.

    node: [standings found] the node of each. playing: [nodes] the number of seats. branches: the possible consequences
    of a round; ``following`` is a node. ends: [nodes] for every kind of end of the round the number of its branch.
    kinds: by the number of seats that play, [results] the kind of each result. levels: nodes that can be worked out
    together, once those of the levels before are: (whether they can come back, the nodes).
    """

    node: Numbers
    playing: tuple[int, ...]
    branches: tuple[RoundBranch, ...]
    ends: tuple[Numbers, ...]
    kinds: dict[int, Numbers]
    levels: tuple[tuple[bool, Numbers], ...]


class _Merger:
    """Nodes made so far, each with a row of branches that lead to nodes."""

    def __init__(self, found: StandingFinder) -> None:
        self.found = found
        self.node = np.full(len(found.standings), -1, dtype=np.int64)
        self.standing: list[int] = []  # a standing of each node
        self.rows: list[Numbers] = []
        self.branches: list[RoundBranch] = []
        self.decided: dict[int, RoundBranch] = {}  # by standing
        self._numbered: dict[RoundBranch, int] = {}
        self._moved: dict[int, int] = {}  # branches between standings to branches between nodes
        self._nodes: dict[tuple[int, bytes], int] = {}

    def add(self, standing: int) -> None:
        """A standing all of whose followers have nodes."""
        row = self.row(standing)
        only = self.branches[row[0]]
        if (row == row[0]).all() and only.following < 0:
            self.decided[standing] = only
        playing = self.found.standings[standing].playing
        self.node[standing] = node = self._nodes.setdefault((playing, row.tobytes()), len(self.rows))
        if node == len(self.rows):
            self.standing.append(standing)
            self.rows.append(row)

    def row(self, standing: int) -> Numbers:
        """The branches of a standing, as branches that lead to nodes."""
        return np.array([self.moved(branch) for branch in self.found.standings[standing].branches], dtype=np.int64)

    def moved(self, branch: int) -> int:
        """The number of a branch once what follows has its node."""
        number = self._moved.get(branch)
        if number is None:
            there = self.found.branches[branch]
            if there.following in self.decided:
                last = self.decided[there.following]
                extra = [last.gained[place] for place in there.where] + list(last.gained[len(there.where) :])
                gained = tuple([now + then for now, then in zip(there.gained, extra, strict=True)])
                there = RoundBranch(gained, -1, ())
            elif there.following >= 0:
                there = RoundBranch(there.gained, int(self.node[there.following]), there.where)
            number = self._moved[branch] = self._numbered.setdefault(there, len(self.branches))
            if number == len(self.branches):
                self.branches.append(there)
        return number


def merged(found: StandingFinder) -> MatchGraph:
    """The graph of all standings found."""
    merger = _Merger(found)
    following = [_after(found.branches, standing.branches) for standing in found.standings]
    starts = np.concatenate(([0], np.cumsum([len(each) for each in following]))).astype(np.int64)
    height = heights(starts, np.array([each for some in following for each in some], dtype=np.int64))
    for standing in np.argsort(height, kind="stable").tolist():
        if height[standing] >= 0:
            merger.add(standing)
    rest = np.flatnonzero(height < 0)
    merger.node[rest] = len(merger.rows) + np.arange(len(rest))
    merger.standing += rest.tolist()
    merger.rows += [merger.row(standing) for standing in rest.tolist()]
    playing = [found.standings[standing].playing for standing in merger.standing]
    kinds, ends = _kinds(playing, merger.rows)
    after = [_after(merger.branches, row.tolist()) for row in ends]
    return MatchGraph(merger.node, tuple(playing), tuple(merger.branches), ends, kinds, _levels(after))


def _after(branches: list[RoundBranch], chosen: list[int]) -> list[int]:
    """The numbers of what some branches lead to."""
    return sorted({branches[each].following for each in set(chosen)} - {-1})


def _kinds(playing: list[int], found: list[Numbers]) -> tuple[dict[int, Numbers], tuple[Numbers, ...]]:
    """(the kind of every result by the number of seats that play, [nodes] the branch of every kind of end)."""
    kinds: dict[int, Numbers] = {}
    ends: list[Numbers] = [np.zeros(0, dtype=np.int64)] * len(found)
    for seats in sorted(set(playing)):
        mine = [node for node, many in enumerate(playing) if many == seats]
        columns = np.ascontiguousarray(np.stack([found[node] for node in mine]).T)
        numbered: dict[bytes, int] = {}
        kinds[seats] = np.array([numbered.setdefault(column.tobytes(), len(numbered)) for column in columns])
        firsts = np.unique(kinds[seats], return_index=True)[1]
        for place, node in enumerate(mine):
            ends[node] = columns[firsts, place]
    return kinds, tuple(ends)


def _levels(after: list[list[int]]) -> tuple[tuple[bool, Numbers], ...]:
    level: dict[int, int] = {}
    groups: dict[tuple[int, bool], list[int]] = {}
    for component in components(after):
        inside = set(component)
        behind = {level[each] for node in component for each in after[node] if each not in inside}
        here = max(behind, default=-1) + 1
        level.update((node, here) for node in component)
        cyclic = len(component) > 1 or component[0] in after[component[0]]
        groups.setdefault((here, cyclic), []).extend(component)
    return tuple((cyclic, np.array(sorted(nodes))) for (_, cyclic), nodes in sorted(groups.items()))


# What a round is played for: at every kind of end, what the match is worth afterwards.


@dataclass(frozen=True, eq=False)
class Payoffs:
    """The branches of a match graph as arrays.

    gained: [branches, columns]. following: [branches] the node, -1 for none. where: [branches, columns] the column in
    the next node. ends: [nodes] the branch of every kind of end.
    """

    gained: Floats
    following: Numbers
    where: Numbers
    ends: tuple[Numbers, ...]

    @classmethod
    def of(cls, graph: MatchGraph) -> "Payoffs":
        """The payoffs of a graph."""
        columns = range(len(graph.branches[0].gained))
        return cls(
            np.array([branch.gained for branch in graph.branches], dtype=np.float64),
            np.array([branch.following for branch in graph.branches], dtype=np.int64),
            np.array([(*branch.where, *columns[len(branch.where) :]) for branch in graph.branches], dtype=np.int64),
            graph.ends,
        )

    def at(self, nodes: Numbers, value: Floats) -> Floats:
        """[ends, lanes, columns] for rounds that begin at some nodes, a lane each; value: [all nodes, columns]."""
        branch = np.stack([self.ends[node] for node in nodes.tolist()], axis=1)
        payoff: Floats = self.gained[branch]
        goes_on = self.following[branch] >= 0
        there = branch[goes_on]
        payoff[goes_on] += value[self.following[there][:, None], self.where[there]]
        return payoff

    def constant(self) -> float | None:
        """The sum that two seats share, if it is always the same and paid when the match ends; else None."""
        over = self.following < 0
        sums = self.gained[over].sum(axis=1)
        if self.gained.shape[1] != 2 or self.gained[~over].any() or not over.any() or (sums != sums[0]).any():
            return None
        return float(sums[0])

    def bounds(self, nodes: Numbers, low: Floats, high: Floats, total: float) -> tuple[Floats, Floats]:
        """([ends, lanes] the least, the greatest) value of a round for the opener of two seats; low, high: [all nodes].

        If the other seat opens the next round, its least is this one's greatest.
        """
        branch = np.stack([self.ends[node] for node in nodes.tolist()], axis=1)
        following, stays = self.following[branch], self.where[branch, 0] == 0
        least = np.where(stays, low[following], total - high[following])
        most = np.where(stays, high[following], total - low[following])
        over = following < 0
        gained = self.gained[branch, 0]
        return np.where(over, gained, least), np.where(over, gained, most)
