"""A solver of matches for two whose scores add up, in games of one turn a seat: first to N points, or the highest
total.

Before a turn only the totals count: the points that each seat still needs, or the lead. So a match is a table of
values. An entry is one turn, and the utility of a score is the entry after it. The seats are alike, so values are the
mover's: P before the opener's turn, Q before the second's.

First to N. With x points needed by the opener, y by the second, and s the score of the turn,

    P(x, y) = max over policies of  E[ 1 if s ≥ x,  1 - Q(y, x - s) ],
    Q(y, x) = max over policies of  E[ 1 if s ≥ y,  F(x, y - s) ].

F is the second's share before the next round: P(y - s, x) if the second opens it, otherwise 1 - P(x, y - s). (If the
round is played out and the opener reaches N, d points ahead of the second, then the second wins with more than d points
and shares the match with d.) With ``winner`` and ``loser`` the next opener depends on both scores, so Q also depends on
the opener's score.

A turn that scores nothing leads back to the same needs. All others lead to smaller needs. Apart from turns that score
nothing, entries whose sums of needs differ by less than the least score do not lead to each other. So they are solved
together, as lanes of one turn, in the order of the sums. Within them the equation is iterated to its fixed point. A
step affects the next only if both seats score nothing. So each step moves the values by at most a small part q of the
last step's move. The remaining error is at most q / (1 - q) of the last move, with q the greatest ratio seen. The
errors of the entries that follow are added, so the bound is the sum over all steps of needs.

A total of R rounds ends by itself. It has the rounds left and the lead instead of the needs.

If the opener's number of rolls limits the second's (``OpenerLimits``), Q also depends on that limit. The opener's
utility is then Q for the number of rolls that its turn took.
"""

from collections import deque
from collections.abc import Sequence
from functools import cache, cached_property
from math import isqrt
from threading import Lock
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from pubdice.core.errors import Unsolved
from pubdice.core.game import (
    GameOfTurns,
    Keep,
    Result,
    RoundState,
    Seat,
    TurnTaking,
    is_limited,
    unlimited,
    without_limit,
)
from pubdice.match.formats import Points, Rounds, Total
from pubdice.match.match import Match, MatchState
from pubdice.solve import acceleration
from pubdice.solve.arrays import Floats
from pubdice.solve.numerics import ROUNDING
from pubdice.solve.pauses import may_pause
from pubdice.solve.solver import outside_round
from pubdice.solve.turns.limited import CountedTurn, solve_limited
from pubdice.solve.turns.rounds import in_units
from pubdice.solve.turns.turn import Solved, TurnGraph, turn

SEATS = 2
SMALL = 1e-12
"""The iteration stops after a step that moves no value by more."""
MOST_SWEEPS = 200
MOST_TURNS, MOST_TURNS_PLAIN = 2_000_000, 120_000
"""The most turns in the tables of a match, with numba and without: about a minute of one processor."""
SWEEPS = 10
"""The estimated number of iterations of an entry."""
COUNTED = 2
"""The cost of a turn with counted rolls, in turns without a limit."""
MOST_KEPT = 64
"""The most solved turns cached for a match."""
EVEN = 0.5
_REACHING = Lock()
"""Held while tables are computed. One for all, as a solver with its own lock could not be pickled."""
Places = NDArray[np.intp]


class RoundScores:
    """The scores of a turn, and the opener of the next round after two of them.

    ``points``: [scores] as they add up. ``top``: the most. ``least``: the fewest above 0. ``at_once``: the rank of the
    score after which the second has no turn, 0 for none. ``opens``: [opener's scores, second's] True if the second
    opens the next round, with one row if it does not depend on the opener's. ``fresh``: the solver of a turn from its
    start.
    """

    def __init__(self, game: GameOfTurns, opener: str, loser_lost: bool) -> None:
        self.turn = turn(unlimited(game))
        counts = is_limited(game)
        self.fresh: FreshTurn = CountedTurn(self.turn, game.start(1).limit) if counts else PlainTurn(self.turn)
        scores = self.turn.scores
        self.points = np.array([max(0, score) for score in scores])
        self.top = int(self.points.max())
        self.least = int(min((score for score in self.points if score), default=1))
        self.at_once = self.turn.at_once
        match = Match(game, SEATS, Rounds(2), opener, Seat(0), loser_lost)
        opens = np.array([[_second_opens(match, one, two) for two in scores] for one in scores])
        self.depends = bool((opens != opens[:1]).any())
        self.opens = opens if self.depends else opens[:1]

    @property
    def kinds(self) -> int:
        """The number of opener's scores that are told apart: one, if the next opener does not depend on it."""
        return len(self.opens)

    @property
    def work(self) -> int:
        """The cost of the second's turns with one score of the opener, in turns without a limit."""
        return COUNTED * self.fresh.rolls if self.fresh.rolls > 1 else 1


class FreshTurn(Protocol):
    """A turn from its start, for many utilities at once."""

    @property
    def rolls(self) -> int:
        """The most rolls of a turn, or 1 if they are not counted."""

    def opener(self, worth: Floats, coming: int) -> Floats:
        """[lanes] its value for each utility, [rolls, scores, lanes]."""

    def second(self, worth: Floats, coming: int) -> Floats:
        """[limits, lanes] its value within 1, 2, … rolls for each utility, [scores, lanes]."""


class PlainTurn:
    """A turn without a limit, as a ``FreshTurn`` that does not count rolls."""

    rolls = 1

    def __init__(self, turned: TurnGraph) -> None:
        self._turn = turned

    def opener(self, worth: Floats, coming: int) -> Floats:
        """[lanes] its value for each utility, [1, scores, lanes]."""
        return self._turn.best(worth[0], coming)

    def second(self, worth: Floats, coming: int) -> Floats:
        """[1, lanes] its value for each utility, [scores, lanes]."""
        return self._turn.best(worth, coming)[None]


def _second_opens(match: Match[RoundState, Keep], one: int, two: int) -> bool:
    """True if the second seat opens the next round after these scores."""
    state, best = match.start(), cast(GameOfTurns, match.game).best((one, two))
    won = tuple([Seat(seat) for seat, score in enumerate((one, two)) if score == best])
    return match.ended(state, cast(RoundState, state.round), Result(won, (one, two))).order[0] == 1


class FirstTo:
    """The tables of matches to some number of points: the mover's share, by the points needed.

    The second's tables are also by its limit of rolls and the opener's score. The tables hold for every number up to
    ``number``, which ``reach`` raises, since a match to more points passes through the same needs.
    """

    def __init__(self, scores: RoundScores, even: bool) -> None:
        self.scores, self.even, self.number, self._off, self._coming = scores, even, 0, 0.0, 0
        self._steps, self._goal = deque[tuple[int, Places, Places]](), 0  # the steps left to a goal, with their needs
        self._kind_done = 0  # of the first step
        self._opener = np.zeros((1, 1))
        self._second = np.zeros((scores.fresh.rolls, scores.kinds, 1, 1))
        self._kind = np.arange(len(scores.points)) if scores.depends else np.zeros(len(scores.points), np.intp)
        points, behind = scores.points[:, None], np.arange(scores.top + 1)[None, :]
        # [limits, d] the second's share after the opener has reached the number and leads by d points
        self._behind = np.zeros((scores.fresh.rolls, 1))
        if even:
            self._behind = np.pad(scores.fresh.second(_duel(points, behind), 0), ((0, 0), (0, 1)))

    @property
    def bound(self) -> float:
        """The error bound of a value."""
        return self._off + ROUNDING

    def utility(self, needs: Sequence[int], opened: int | None) -> Floats:
        """[rolls, scores] the mover's utility of each score, after 1, 2, … rolls. One row if the rolls do not matter.

        needs: of the opener, then of the second. opened: the opener's score in the second's turn, None in its own.
        """
        x, y = needs
        if opened is None:
            return self._before_opener(np.array([x]), np.array([y]))[:, :, 0]
        if x <= 0:
            return _duel(self.scores.points, np.array(y - x))[None]
        kind = self.scores.turn.rank(opened) if self.scores.depends else 0
        return self._before_second(np.array([y]), np.array([x]), kind)[None, :, 0]

    def reach(self, number: int) -> None:
        """Compute the tables up to this number. The next call goes on after a pause.

        Raises Unsolved("unsettled"), and PausedError between the kinds of the opener's scores in each step of needs.
        All matches of a process share the tables, on any thread. If Ctrl-C interrupts a step, the next call computes it
        again.
        """
        with _REACHING:
            while self.number < number:
                if not self._steps:
                    self._begin(number)
                step, x, y = self._steps[0]
                if not self._kind_done:
                    self._off += self._settle(x, y)
                    self._kind_done = 1
                    may_pause()
                while (kind := self._kind_done) < self.scores.kinds:
                    worth = self._before_second(y, x, kind)
                    self._second[:, kind, y, x] = self.scores.fresh.second(worth, self._coming)
                    self._kind_done += 1
                    may_pause()
                self._kind_done = 0
                self._steps.popleft()
                # all is known up to N after the step in which both need N: (2 N - 2) // least
                reached = ((step + 1) * self.scores.least + 1) // 2
                self.number = max(self.number, min(reached, self._goal))

    def _begin(self, number: int) -> None:
        """Make room for the entries up to this number, and list the steps above the number reached so far."""
        known = self.number
        self._coming = (number**2 - known**2) * (self.scores.kinds + SWEEPS) * self.scores.fresh.rolls
        self._second, self._opener = _with_room(self._second, number), _with_room(self._opener, number)
        needs = np.arange(1, number + 1)
        x, y = (each.ravel() for each in np.meshgrid(needs, needs, indexing="ij"))
        new = np.maximum(x, y) > known
        x, y = x[new], y[new]
        step = (x + y - 2) // self.scores.least
        order = np.argsort(step, kind="stable")
        bands = np.split(order, np.flatnonzero(np.diff(step[order])) + 1)
        self._goal, self._steps = number, deque([(int(step[band[0]]), x[band], y[band]) for band in bands])

    def _before_opener(self, x: Places, y: Places) -> Floats:
        """[rolls, scores, lanes] the utility of each score to an opener that needs x, if the second needs y."""
        left = x[None, :] - self.scores.points[:, None]
        there = np.maximum(left, 0)
        after = 1.0 - self._second[:, self._kind[:, None], y[None, :], there]
        won = np.ones(after.shape)
        if self.even:
            won -= self._behind[:, np.minimum(np.where(left <= 0, y[None, :] - left, 0), self.scores.top + 1)]
        if rank := self.scores.at_once:  # the second has no turn
            opens, there, won[:, rank] = self.scores.opens[self._kind[rank], 0], there[rank], 1.0
            after[:, rank] = 1.0 - self._opener[y, there] if opens else self._opener[there, y]
        return np.where(left <= 0, won, after)

    def _before_second(self, y: Places, x: Places, kind: int) -> Floats:
        """[scores, lanes] the utility to a second that needs y, if the opener needs x after a score of this kind."""
        left = y[None, :] - self.scores.points[:, None]
        there, other = np.maximum(left, 0), x[None, :]
        opens = self.scores.opens[kind][:, None]
        return np.where(left <= 0, 1.0, np.where(opens, self._opener[there, other], 1.0 - self._opener[other, there]))

    def _settle(self, x: Places, y: Places) -> float:
        """Compute all entries with these needs. Returns the error bound that they add.

        The entries lead to each other only by turns that score nothing. Of the second's, only entries after the first
        kind of score are computed.
        """
        before = np.clip(x - self.scores.least, 0, None), np.clip(y - self.scores.least, 0, None)
        known = (before[0] > 0) & (before[1] > 0)
        self._opener[x, y] = np.where(known, self._opener[before], EVEN)
        moved, shrinks = 1.0, 0.0
        for _ in range(MOST_SWEEPS):
            last = self._opener[x, y]
            self._second[:, 0, y, x] = self.scores.fresh.second(self._before_second(y, x, 0), self._coming)
            self._opener[x, y] = self.scores.fresh.opener(self._before_opener(x, y), self._coming)
            was, moved = moved, float(np.abs(self._opener[x, y] - last).max())
            if moved <= SMALL:
                break
            shrinks = max(shrinks, moved / was)
        else:
            raise Unsolved("unsettled", steps=MOST_SWEEPS)
        return (moved * shrinks + ROUNDING) / (1 - shrinks)


def _duel(points: Places, behind: Places) -> Floats:
    """The utility of points to a seat that needs more than ``behind``: 1 for more, half for as many."""
    found: Floats = (points > behind) + EVEN * (points == behind)
    return found


def _with_room(table: Floats, number: int) -> Floats:
    """A table with its last two axes, the needs, padded for this number of points."""
    more = (0, max(0, number + 1 - table.shape[-1]))
    return np.pad(table, [*[(0, 0)] * (table.ndim - 2), more, more])


class MostAfter:
    """The tables of a total: the mover's share, by the rounds left and the mover's lead in points."""

    def __init__(self, scores: RoundScores, rounds: int) -> None:
        self.scores, self.rounds = scores, rounds
        self.far = scores.top * (rounds + 1)
        self._coming = rounds * self.far * (scores.kinds + 1) * scores.fresh.rolls
        self._kind = np.arange(len(scores.points)) if scores.depends else np.zeros(len(scores.points), np.intp)
        lead = np.arange(-self.far, self.far + 1)
        self._opener = [np.where(lead > 0, 1.0, np.where(lead < 0, 0.0, EVEN))]
        self._second = [self._opener[0][None, None]]  # by the second's limit, and the opener's score
        self._kind_done = 0  # of the second's latest table

    def reach(self) -> None:
        """Compute the tables, the last rounds first. Raises PausedError: the next call goes on."""
        with _REACHING:
            while len(self._opener) <= self.rounds:
                self._work_out(len(self._opener))

    @property
    def bound(self) -> float:
        """The error bound of a value."""
        return 2 * self.rounds * ROUNDING

    def utility(self, lead: int, left: int, opened: int | None) -> Floats:
        """[rolls, scores] the mover's utility with this lead in the ``left``-th round from the end
        (``FirstTo.utility``).
        """
        if opened is None:
            return self._before_opener(np.array([lead]), left)[:, :, 0]
        kind = self.scores.turn.rank(opened) if self.scores.depends else 0
        return self._before_second(np.array([lead]), left, kind)[None, :, 0]

    def _place(self, lead: Places) -> Places:
        return np.clip(lead, -self.far, self.far) + self.far

    def _before_opener(self, lead: Places, left: int) -> Floats:
        after = self._place(-(lead[None, :] + self.scores.points[:, None]))
        found: Floats = 1.0 - self._second[left][:, self._kind[:, None], after]
        if rank := self.scores.at_once:  # the second has no turn
            opens, after = self.scores.opens[self._kind[rank], 0], after[rank]
            later = self._opener[left - 1]
            found[:, rank] = 1.0 - later[after] if opens else later[2 * self.far - after]
        return found

    def _before_second(self, lead: Places, left: int, kind: int) -> Floats:
        after, opener = self._place(lead[None, :] + self.scores.points[:, None]), self._opener[left - 1]
        return np.where(self.scores.opens[kind][:, None], opener[after], 1.0 - opener[2 * self.far - after])

    def _work_out(self, left: int) -> None:
        """Compute the tables with ``left`` rounds left. Leads too large to make up are decided. May pause between
        parts.
        """
        most = self.scores.top * left
        near, fresh = np.arange(-most, most + 1), self.scores.fresh
        decided = np.where(np.arange(-self.far, self.far + 1) > 0, 1.0, 0.0)
        if len(self._second) == left:
            self._kind_done = 0
            self._second.append(np.tile(decided, (fresh.rolls, self.scores.kinds, 1)))
        while (kind := self._kind_done) < self.scores.kinds:
            worth = self._before_second(near, left, kind)
            self._second[left][:, kind, self._place(near)] = fresh.second(worth, self._coming)
            self._kind_done += 1
            may_pause()
        opener = decided.copy()
        opener[self._place(near)] = fresh.opener(self._before_opener(near, left), self._coming)
        self._opener.append(opener)


_scores = cache(RoundScores)
_first_to = cache(FirstTo)
_most_after = cache(MostAfter)


class TotalsSolver:
    """Shares of a match of two seats. Raises Unsolved for other seats, or if it would take more than a minute."""

    utility = "share of the match"

    def __init__(self, match: Match[RoundState, Keep]) -> None:
        game, form = match.game, match.format
        if not isinstance(game, TurnTaking):
            raise TypeError(f"no game of one turn a seat: {game}")
        title = type(unlimited(game)).__name__
        if match.seats != SEATS:
            raise Unsolved("adds-up-seats", title=title)
        if not isinstance(form, Points | Total) or game.lowest_wins:
            raise Unsolved("format", title=title)
        self.match, self._game = match, game
        scores = _scores(game, match.opener, match.loser_lost)
        if form.number > (most := most_number(scores, form)):
            raise Unsolved("too-many-points" if isinstance(form, Points) else "too-many-rounds", most=most)
        self._form: Points | Total = form
        self._scores, self.turn = scores, scores.turn
        self._solved: dict[tuple[object, ...], tuple[Floats, Solved]] = {}

    @cached_property
    def _to_points(self) -> FirstTo:
        assert isinstance(self._form, Points)
        tables = _first_to(self._scores, bool(self._form.even))
        tables.reach(self._form.number)
        return tables

    @cached_property
    def _total(self) -> MostAfter:
        tables = _most_after(self._scores, self._form.number)
        tables.reach()
        return tables

    @property
    def bound(self) -> float:
        """The error bound of a value. See the head of the module."""
        return self._to_points.bound if isinstance(self._form, Points) else self._total.bound

    def values(self, state: MatchState[RoundState]) -> tuple[float, ...]:
        """Every table seat's share."""
        if state.over:
            return self.match.shares(state.tally)
        if state.round is None:
            return outside_round(self.match, state, self.values)
        mine = self._mine(state.round, *self._to_play(state))
        return tuple([mine if seat == state.mover else 1.0 - mine for seat in range(SEATS)])

    def action_values(self, state: MatchState[RoundState]) -> list[tuple[Keep, float]]:
        """The mover's keeps with their values to it."""
        if state.round is None or not self._game.legal(state.round):
            return []
        _, solved = self._to_play(state)
        return [(keep, float(solved.value[node])) for keep, node in self._after(state.round)]

    def facts(self, state: MatchState[RoundState]) -> list[tuple[Keep, dict[str, float]]]:
        """For each keep, ``TurnNodes.facts`` under best play afterwards, without a score to beat."""
        if state.round is None or not self._game.legal(state.round):
            return []
        _, solved = self._to_play(state)
        return [(keep, self.turn.facts(0, solved.chance[node])) for keep, node in self._after(state.round)]

    def _mine(self, at: RoundState, worth: Floats, solved: Solved) -> float:
        return float(solved.chance[self._node(at, solved)] @ worth[0])

    def _node(self, at: RoundState, solved: Solved) -> int:
        """The node of a position. At a choice, the node of the best keep."""
        if self._game.legal(at):
            return self.turn.choice(solved, [node for _, node in self._after(at)])
        return self.turn.node(self._alone(at))

    def _alone(self, at: RoundState) -> RoundState:
        alone: RoundState = self._game.alone(at)
        return alone

    def _after(self, at: RoundState) -> list[tuple[Keep, int]]:
        return list(self.turn.after(self._alone(at)))

    def _solve(self, worth: Floats, at: RoundState) -> Solved:
        unit, low, span = in_units(worth[0])
        solved = self.turn.solve(unit)
        return Solved(low + span * solved.value, solved.chance, float(span) * solved.slack)

    def _to_play(self, state: MatchState[RoundState]) -> tuple[Floats, Solved]:
        """([rolls, scores] the mover's utility of each score, its turn solved for that)."""
        assert state.round is not None, "a round is under way"
        scores, had = state.round.scores, [state.tally.points[seat] for seat in state.order]
        opened = scores[0] if scores else None
        now = [have + (scores[0] if scores and not at else 0) for at, have in enumerate(had)]
        key = (opened, *now, state.tally.rounds if isinstance(self._form, Total) else 0, *self._counted(state.round))
        if key not in self._solved:
            if len(self._solved) == MOST_KEPT:
                del self._solved[next(iter(self._solved))]
            if isinstance(self._form, Points):
                worth = self._to_points.utility([self._form.number - have for have in now], opened)
            else:
                lead = now[0] - now[1] if opened is None else now[1] - now[0]
                worth = self._total.utility(lead, self._form.number - state.tally.rounds, opened)
            self._solved[key] = worth, self._solve(worth, state.round)
        return self._solved[key]

    def _counted(self, at: RoundState) -> tuple[int, ...]:
        """The facts about a position's rolls that its turn depends on: none, without a limit."""
        return ()


class LimitedTotals(TotalsSolver):
    """The same values if the opener's number of rolls limits the second's (``OpenerLimits``)."""

    def _mine(self, at: RoundState, worth: Floats, solved: Solved) -> float:
        return float(solved.value[self._node(at, solved)])

    def _alone(self, at: RoundState) -> RoundState:
        return without_limit(at)

    def _after(self, at: RoundState) -> list[tuple[Keep, int]]:
        legal = set(self._game.legal(at))
        return [(keep, node) for keep, node in super()._after(at) if keep in legal]

    def _solve(self, worth: Floats, at: RoundState) -> Solved:
        limited = solve_limited(self.turn, np.broadcast_to(worth, (at.limit, worth.shape[1])))
        return Solved(limited.value[at.rolls], limited.chance[at.rolls], limited.slack)

    def _counted(self, at: RoundState) -> tuple[int, ...]:
        return at.limit, at.rolls


def most_number(scores: RoundScores, form: Points | Total) -> int:
    """The most points, or rounds, of such a match that are solved within a minute."""
    most = MOST_TURNS if acceleration.numba_there() else MOST_TURNS_PLAIN
    if isinstance(form, Points):
        return isqrt(most // (scores.work * (scores.kinds + SWEEPS)))
    return isqrt(most // (scores.work * scores.top * (scores.kinds + 1)))
