"""The standings of a match, found forward from its start by ``Match`` alone.

A *standing* is the tally at the start of a round, seen from the opener. It lists the seats that are in, from the opener
round the table, then the seats that are out, in the order in which they left. All seats are alike (a test of the game's
laws proves it), so states with equal standings are alike, up to a renumbering of the seats (``where``). The columns of
values are in turn order: playing seats, resting seats, seats that are out (``seats_of``). A standing leaves out facts
on which the future cannot depend:

- If the format plans no number of rounds, the number of rounds played. Otherwise the rounds beyond the planned number.
- If the format has a stake, the chips won before. They are added to the values.

Both are tested, not trusted. Every consequence is computed again with more rounds played and with other chips. If that
changes anything, the match is refused. A format's comparisons of scores are recorded (``WatchedScore``), so one call
answers for all results that the format would treat alike: seven calls for 9,261 results of a round of Mexico.

A pot that is carried ``hanging`` times in a row is given out by ``shares``, and the next pot begins empty, so there are
finitely many standings. If no rounds are left, its stakes go back. The last column of the values counts the chips given
out in this way.
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
from pubdice.solve.plain.cycles import Numbers
from pubdice.solve.plain.positions import Progress
from pubdice.solve.plain.tallies import (
    Comparison,
    Gained,
    WatchedScore,
    hanging,
    prizes,
    round_the_table,
    seats_of,
    tally_of,
    where,
)

MOST_STANDINGS = 20_000
MOST_ENDINGS = 2_000_000
"""The most calls of ``Match.ended`` for one match. A call takes some microseconds."""
MORE_ROUNDS = (1, 2, 3, 10, 1000)
"""Numbers of extra rounds, to test that a format without a planned number of rounds does not count them."""


@dataclass(frozen=True, slots=True)
class RoundBranch:
    """The consequence of a round's result: the payments, and the next standing."""

    gained: Gained
    """The payment to every column of the standing. The last column is for chips of a pot that is given out."""
    following: int
    """The number of the next standing, or -1 if the match is over."""
    where: tuple[int, ...]
    """For every column of this standing, the same seat's column in the next standing."""


@dataclass(frozen=True, slots=True)
class FoundStanding:
    """A standing (a round about to begin), with the consequence of each possible result."""

    state: MatchState[Any]  # the state of the match at this standing, with the seats renumbered
    branches: list[int] = field(default_factory=list)  # for each result, its index in ``StandingFinder.branches``

    @property
    def playing(self) -> int:
        """The number of seats that play."""
        return len(self.state.order)


class StandingFinder:
    """The standings that can follow a start.

    ``results`` returns the possible results of a round, by the number of seats that play. ``shares`` divides a pot that
    is given out. ``branches`` has each different consequence of a round once.
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
        """The number of columns: one for each seat and, if the format has a stake, one for chips given out."""
        return self.match.seats + bool(self.match.format.stake)

    def explore(self, state: MatchState[Any], progress: Progress | None = None) -> int:
        """Find a state's standing and all standings that can follow it. Return the state's standing as its number.

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
        """Compute the consequence of every result.

        Test that it does not depend on facts that the standing leaves out.
        """
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
        scores = [0] * self.match.seats
        for seat, score in zip(state.order, result.scores, strict=True):
            scores[seat] = score
        return Result(tuple([state.order[seat] for seat in result.winners]), tuple(scores))

    def _watch(self, state: MatchState[Any], last: Result) -> tuple[int, list[Comparison] | None]:
        """Compute a consequence and watch the scores: (the branch, the comparisons of scores).

        If the format does more with scores than compare them, the comparisons are None.
        """
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
        """Raise Unsolved("format") if extra rounds or other chips change the consequence of a result."""
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
        """Return the consequence of a result, with the seats numbered as in a standing."""
        after = self.match.ended(state, state.round, last)
        if self.match.format.stake:
            return self._chips(state, after)
        if after.over:
            won = prizes(self.match, after.tally)
            return RoundBranch(tuple([won[seat] for seat in seats_of(state)]), -1, ())
        return RoundBranch((0.0,) * self.match.seats, self._numbers(after), where(state, after))

    def _chips(self, state: MatchState[Any], after: MatchState[Any]) -> RoundBranch:
        """Return the consequence in a game for chips. A pot that is carried too often is given out."""
        antes, hung = self.match.format.stake * self.match.seats, 0
        gained = [float(after.tally.points[seat] - state.tally.points[seat]) for seat in seats_of(state)]
        if not after.over and hanging(self.match, after) >= self.hanging:
            hung = after.tally.pot - antes
            gained = [chips + hung * share for chips, share in zip(gained, self.shares, strict=True)]
            after = replace(after, tally=replace(after.tally, pot=antes))
            if after.tally.rounds >= self.match.format.rounds_planned:  # if no round is left, the stakes go back
                return RoundBranch((*[chips + self.match.format.stake for chips in gained], float(hung)), -1, ())
        if after.over:
            return RoundBranch((*gained, 0.0), -1, ())
        return RoundBranch((*gained, float(hung)), self._numbers(after), where(state, after))


def alike_results(log: list[Comparison], scores: Numbers) -> NDArray[np.bool_]:
    """Return [results] True if every comparison has its recorded outcome for the result. scores: [results, seats]."""
    same = np.ones(len(scores), dtype=np.bool_)
    for how, seat, other, number, outcome in dict.fromkeys(log):
        same &= how(scores[:, seat], number if other is None else scores[:, other]) == outcome
    return same
