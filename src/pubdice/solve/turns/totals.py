"""A solver of matches of two in which scores add up, for games of one turn a seat: first to N points, or highest total.

Before a turn only the totals count: the points that each seat still needs, or the lead. So a match is a table of
values. An entry is the value of one turn, and the utility of a score is the entry to which it leads. The seats are
alike, so values are the mover's: P before the opener's turn, Q before the second seat's.

First to N. With x points needed by the opener, y by the second seat, and s the score of the turn,

    P(x, y) = max over policies of  E[ 1 if s ≥ x,  1 - Q(y, x - s) ],
    Q(y, x) = max over policies of  E[ 1 if s ≥ y,  F(x, y - s) ].

F is the second seat's share before the next round: P(y - s, x) if the second seat opens it, otherwise 1 - P(x, y - s).
(If the round is played out and the opener reaches N, d points ahead of the second seat, then the second seat wins with
more than d points and shares the match with d.) If the winner or the loser of a round opens the next, the opener
depends on both scores, so Q also depends on the opener's score.

A turn that scores nothing leads back to the same needs. All other turns lead to smaller needs. Apart from turns that
score nothing, entries whose sums of needs differ by less than the least score do not lead to each other. So all entries
with such sums (a *step*) are solved together, as *lanes* of one turn (utilities that are solved at once), in the order
of the sums. Within a step the equation is iterated to its fixed point. An iteration affects the next only if both seats
score nothing. So each iteration moves the values by at most a small part q of the move before. The remaining error is
at most q / (1 - q) of the last move, with q the greatest ratio seen. The errors of the entries that follow are added,
so the bound is the sum over all steps.

A total of R rounds ends by itself. Its tables have the rounds left and the lead instead of the needs.

If the opener's number of rolls limits the second seat's (``OpenerLimits``), Q also depends on that limit. The opener's
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
from pubdice.match.formats import LastIn, Points, Rounds, Total
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
"""The greatest change at which the iteration stops."""
MOST_SWEEPS = 200
MOST_TURNS, MOST_TURNS_PLAIN = 2_000_000, 120_000
"""The most turns in the tables of a match, with numba and without: about a minute of one processor."""
NODES = 300
"""The nodes of a turn up to which its cost is that of one. Larger turns cost in proportion: twelve tiles have 4,170."""
SWEEPS = 10
"""The estimated number of iterations of an entry."""
COUNTED = 2
"""The cost of one roll of a turn with counted rolls, as a multiple of the cost of a turn without a limit."""
MOST_KEPT = 64
"""The most solved turns cached for a match."""
EVEN = 0.5
_REACHING = Lock()
"""Held while tables are computed. All tables share this lock, because a solver with its own lock could not be
pickled.
"""
Places = NDArray[np.intp]


class RoundScores:
    """The scores of a turn, and the opener of the next round after the scores of both seats.

    - ``points``: [scores] the points that each score adds to a total.
    - ``top``: the most points.
    - ``least``: the fewest points above 0.
    - ``at_once``: the rank of the score after which the second seat has no turn, 0 if there is no such score.
    - ``opens``: [opener's scores, second seat's scores] True if the second seat opens the next round. If that does not
      depend on the opener's score, the first axis has length 1.
    - ``fresh``: the solver of a turn from its start.
    """

    def __init__(self, game: GameOfTurns, opener: str, loser_lost: bool) -> None:
        self.turn = turn(unlimited(game))
        counts = is_limited(game)
        self.fresh: FreshTurn = CountedTurn(self.turn, game.start(1).limit) if counts else PlainTurn(self.turn)
        scores = self.turn.scores
        self.points = np.array([max(0, score) for score in scores])
        self.top = int(self.points.max())
        self.least = int(min((score for score in self.points if score), default=1))
        self.at_once, self.missed = self.turn.at_once, game.missed
        match = Match(game, SEATS, Rounds(2), opener, Seat(0), loser_lost)
        opens = np.array([[_second_opens(match, one, two) for two in scores] for one in scores])
        self.depends = bool((opens != opens[:1]).any())
        self.opens = opens if self.depends else opens[:1]

    @property
    def kinds(self) -> int:
        """The number of the opener's scores that the tables tell apart.

        It is 1 if the next opener does not depend on the score.
        """
        return len(self.opens)

    @property
    def work(self) -> int:
        """The cost of the second seat's turns after one score of the opener. A turn without a limit costs 1."""
        return COUNTED * self.fresh.rolls if self.fresh.rolls > 1 else 1


class FreshTurn(Protocol):
    """A solver of a turn from its start, for many utilities at once."""

    @property
    def rolls(self) -> int:
        """The most rolls of a turn, or 1 if rolls are not counted."""

    def opener(self, worth: Floats, coming: int) -> Floats:
        """Return [lanes] the opener's value for each utility, [rolls, scores, lanes]."""

    def second(self, worth: Floats, coming: int) -> Floats:
        """Return [limits, lanes] the second seat's value with up to 1, 2, … rolls. ``worth``: [scores, lanes] the
        utilities.
        """


class PlainTurn:
    """A ``FreshTurn`` for a turn without a limit. It does not count rolls."""

    rolls = 1

    def __init__(self, turned: TurnGraph) -> None:
        self._turn = turned

    def opener(self, worth: Floats, coming: int) -> Floats:
        """Return [lanes] the opener's value for each utility, [1, scores, lanes]."""
        return self._turn.best(worth[0], coming)

    def second(self, worth: Floats, coming: int) -> Floats:
        """Return [1, lanes] the second seat's value for each utility, [scores, lanes]."""
        return self._turn.best(worth, coming)[None]


def _second_opens(match: Match[RoundState, Keep], one: int, two: int) -> bool:
    """Return True if the second seat opens the next round after these scores."""
    state, best = match.start(), cast(GameOfTurns, match.game).best((one, two))
    won = tuple([Seat(seat) for seat, score in enumerate((one, two)) if score == best])
    return match.ended(state, cast(RoundState, state.round), Result(won, (one, two))).order[0] == 1


class FirstTo:
    """The tables of matches to some number of points: the mover's share, by the points that each seat needs.

    The second seat's tables are also by its limit of rolls and by the opener's score. The tables hold for every number
    of points up to ``number``, because a match to more points passes through the same needs. ``reach`` raises
    ``number``.
    """

    def __init__(self, scores: RoundScores, even: bool, out: bool = False, shut: bool = False) -> None:
        self.even, self.out, self.shut = even, out, shut
        self.scores, self.number, self._off, self._coming = scores, 0, 0.0, 0
        # the steps still to compute up to ``_goal``: (number, needs x, needs y) of all entries of a step
        self._steps, self._goal = deque[tuple[int, Places, Places]](), 0
        self._kind_done = 0  # in the first of ``_steps``, how many of the opener's scores are done
        self._opener = np.zeros((1, 1))
        self._second = np.zeros((scores.fresh.rolls, scores.kinds, 1, 1))
        self._kind = np.arange(len(scores.points)) if scores.depends else np.zeros(len(scores.points), np.intp)
        # The lead d of an opener that has reached the number falls below, on or between the points of scores. By that
        # place: [limits, places] the second seat's share. It is 0 if the opener has won.
        self._leads = np.unique(scores.points)
        leads = np.append(np.stack([self._leads - 0.5, self._leads], axis=1), scores.top + 0.5)
        self._behind = np.zeros((scores.fresh.rolls, len(leads)))
        if even or out:
            self._behind = scores.fresh.second(self._duel(scores.points[:, None], leads[None, :]), 0)

    @property
    def bound(self) -> float:
        """The error bound of a value."""
        return self._off + ROUNDING

    def utility(self, needs: Sequence[int], opened: int | None) -> Floats:
        """Return [rolls, scores] the mover's utility of each score, if its turn takes 1, 2, … rolls.

        If rolls do not matter, there is one row.

        needs: the points that the opener needs, then the second seat's. opened: the opener's score if it is the second
        seat's turn, otherwise None.
        """
        x, y = needs
        if opened is None:
            return self._before_opener(np.array([x]), np.array([y]))[:, :, 0]
        if x <= 0:
            return self._duel(self.scores.points, np.array(y - x))[None]
        kind = self.scores.turn.rank(opened) if self.scores.depends else 0
        return self._before_second(np.array([y]), np.array([x]), kind)[None, :, 0]

    def _duel(self, points: Places, behind: Places | Floats) -> Floats:
        """Return the utility of points to a seat that is ``behind`` points behind: 1 for more, half for as many.

        If low totals win, the seat has 1 for less.
        """
        won = points < behind if self.out else points > behind
        found: Floats = won + EVEN * (points == behind)
        return found

    def reach(self, number: int) -> None:
        """Compute the tables up to this number of points. After a pause, the next call goes on.

        Raises Unsolved("unsettled"). Within a step, may raise PausedError after each of the opener's scores that the
        tables tell apart. All matches of a process share the tables, on any thread. If Ctrl-C interrupts a step, the
        next call computes it again.
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
                # all entries up to N are known after the step in which both seats need N: (2 N - 2) // least
                reached = ((step + 1) * self.scores.least + 1) // 2
                self.number = max(self.number, min(reached, self._goal))

    def _begin(self, number: int) -> None:
        """Make room for the entries up to this number of points, and list the steps that are not computed yet."""
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
        """Return [rolls, scores, lanes] the utility of each score to an opener, if it needs x points and the second
        seat y.
        """
        left = x[None, :] - self.scores.points[:, None]
        there = np.maximum(left, 0)
        after = 1.0 - self._second[:, self._kind[:, None], y[None, :], there]
        lead = np.where(left <= 0, y[None, :] - left, 0)
        place = sum(np.searchsorted(self._leads, lead, side) for side in ("left", "right"))
        won = 1.0 - self._behind[:, place]
        if rank := self.scores.at_once:  # the second seat has no turn
            opens, there, won[:, rank] = self.scores.opens[self._kind[rank], 0], there[rank], 1.0
            behind = np.maximum(y - self.scores.missed, 0) if self.out else y
            after[:, rank] = 1.0 - self._opener[behind, there] if opens else self._opener[there, behind]
            after[:, rank] = np.where((behind == 0) | self.shut, 1.0, after[:, rank])
        return np.where(left <= 0, won, after)

    def _before_second(self, y: Places, x: Places, kind: int) -> Floats:
        """Return [scores, lanes] the utility of each score to a second seat that needs y points.

        The opener needs x after a score of this kind: its rank, or 0 if the tables do not tell scores apart.
        """
        left = y[None, :] - self.scores.points[:, None]
        there, other = np.maximum(left, 0), x[None, :]
        opens = self.scores.opens[kind][:, None]
        after = np.where(opens, self._opener[there, other], 1.0 - self._opener[other, there])
        if self.shut:
            after[self.scores.at_once] = 1.0
        return np.where(left <= 0, 0.0 if self.out else 1.0, after)

    def _settle(self, x: Places, y: Places) -> float:
        """Compute all entries with these needs. Return the error bound that they add.

        The entries lead to each other only by turns that score nothing. Of the second seat's entries, only those after
        an opener's score of kind 0 (no points) are computed here. ``reach`` computes the others.
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


def _with_room(table: Floats, number: int) -> Floats:
    """Pad the last two axes of a table, the needs, for this number of points."""
    more = (0, max(0, number + 1 - table.shape[-1]))
    return np.pad(table, [*[(0, 0)] * (table.ndim - 2), more, more])


class MostAfter:
    """The tables of a match for the highest total: the mover's share, by the rounds left and the mover's lead."""

    def __init__(self, scores: RoundScores, rounds: int) -> None:
        self.scores, self.rounds = scores, rounds
        self.far = scores.top * (rounds + 1)
        self._coming = rounds * self.far * (scores.kinds + 1) * scores.fresh.rolls
        self._kind = np.arange(len(scores.points)) if scores.depends else np.zeros(len(scores.points), np.intp)
        lead = np.arange(-self.far, self.far + 1)
        self._opener = [np.where(lead > 0, 1.0, np.where(lead < 0, 0.0, EVEN))]
        # in each table of the list: [second seat's limit of rolls, opener's score, lead]
        self._second = [self._opener[0][None, None]]
        self._kind_done = 0  # in the last table of ``_second``, how many of the opener's scores are done

    def reach(self) -> None:
        """Compute the tables, the last rounds first. May raise PausedError. The next call then goes on."""
        with _REACHING:
            while len(self._opener) <= self.rounds:
                self._work_out(len(self._opener))

    @property
    def bound(self) -> float:
        """The error bound of a value."""
        return 2 * self.rounds * ROUNDING

    def utility(self, lead: int, left: int, opened: int | None) -> Floats:
        """Return [rolls, scores] the mover's utility of each score, with this lead and ``left`` rounds to play.

        ``left`` includes this round. See ``FirstTo.utility``.
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
        if rank := self.scores.at_once:  # the second seat has no turn
            opens, after = self.scores.opens[self._kind[rank], 0], after[rank]
            later = self._opener[left - 1]
            found[:, rank] = 1.0 - later[after] if opens else later[2 * self.far - after]
        return found

    def _before_second(self, lead: Places, left: int, kind: int) -> Floats:
        after, opener = self._place(lead[None, :] + self.scores.points[:, None]), self._opener[left - 1]
        return np.where(self.scores.opens[kind][:, None], opener[after], 1.0 - opener[2 * self.far - after])

    def _work_out(self, left: int) -> None:
        """Compute the tables with ``left`` rounds left. May pause between parts.

        If a lead is too large to make up, its entry is decided without a turn.
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
    """The solver of a match of two in which scores add up: each seat's share of the match.

    Raises Unsolved if there are not two seats, or if it would take more than a minute.
    """

    utility = "share of the match"

    def __init__(self, match: Match[RoundState, Keep]) -> None:
        game, form = match.game, match.format
        if not isinstance(game, TurnTaking):
            raise TypeError(f"no game of one turn a seat: {game}")
        title = type(unlimited(game)).__name__
        if match.seats != SEATS:
            raise Unsolved("adds-up-seats", title=title)
        if not isinstance(form, Points | Total | LastIn) or game.lowest_wins != isinstance(form, LastIn):
            raise Unsolved("format", title=title)
        self.match, self._game = match, game
        scores = _scores(game, match.opener, match.loser_lost)
        if form.number > (most := most_number(scores, form)):
            raise Unsolved("too-many-rounds" if isinstance(form, Total) else "too-many-points", most=most)
        self._form: Points | Total | LastIn = form
        self._scores, self.turn = scores, scores.turn
        self._solved: dict[tuple[object, ...], tuple[Floats, Solved]] = {}

    @cached_property
    def _to_points(self) -> FirstTo:
        form = self._form
        if isinstance(form, LastIn):
            tables = _first_to(self._scores, False, out=True, shut=bool(form.shut))
        else:
            assert isinstance(form, Points)
            tables = _first_to(self._scores, bool(form.even))
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
        return self._total.bound if isinstance(self._form, Total) else self._to_points.bound

    def values(self, state: MatchState[RoundState]) -> tuple[float, ...]:
        """Return the share of every seat at the table."""
        if state.over:
            return self.match.shares(state.tally)
        if state.round is None:
            return outside_round(self.match, state, self.values)
        mine = self._mine(state.round, *self._to_play(state))
        return tuple([mine if seat == state.mover else 1.0 - mine for seat in range(SEATS)])

    def action_values(self, state: MatchState[RoundState]) -> list[tuple[Keep, float]]:
        """Return the mover's keeps, each with its value to the mover."""
        if state.round is None or not self._game.legal(state.round):
            return []
        _, solved = self._to_play(state)
        return [(keep, float(solved.value[node])) for keep, node in self._after(state.round)]

    def facts(self, state: MatchState[RoundState]) -> list[tuple[Keep, dict[str, float]]]:
        """Return for each keep ``TurnNodes.facts`` under best play afterwards, without a score to beat."""
        if state.round is None or not self._game.legal(state.round):
            return []
        _, solved = self._to_play(state)
        return [(keep, self.turn.facts(0, solved.chance[node])) for keep, node in self._after(state.round)]

    def _mine(self, at: RoundState, worth: Floats, solved: Solved) -> float:
        return float(solved.chance[self._node(at, solved)] @ worth[0])

    def _node(self, at: RoundState, solved: Solved) -> int:
        """Return the node of a position. At a choice, return the node of the best keep."""
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
        """Return ([rolls, scores] the mover's utility of each score, its turn solved for this utility)."""
        assert state.round is not None, "a round is under way"
        scores, had = state.round.scores, [state.tally.points[seat] for seat in state.order]
        opened = scores[0] if scores else None
        now = [have + (scores[0] if scores and not at else 0) for at, have in enumerate(had)]
        key = (opened, *now, state.tally.rounds if isinstance(self._form, Total) else 0, *self._counted(state.round))
        if key not in self._solved:
            if len(self._solved) == MOST_KEPT:
                del self._solved[next(iter(self._solved))]
            if not isinstance(self._form, Total):
                worth = self._to_points.utility([self._form.number - have for have in now], opened)
            else:
                lead = now[0] - now[1] if opened is None else now[1] - now[0]
                worth = self._total.utility(lead, self._form.number - state.tally.rounds, opened)
            self._solved[key] = worth, self._solve(worth, state.round)
        return self._solved[key]

    def _counted(self, at: RoundState) -> tuple[int, ...]:
        """Return the facts about rolls on which the turn depends. Without a limit there are none."""
        return ()


class LimitedTotals(TotalsSolver):
    """A ``TotalsSolver`` for games in which the opener's rolls limit the second seat's rolls (``OpenerLimits``)."""

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


def most_number(scores: RoundScores, form: Points | Total | LastIn) -> int:
    """Return the most points, or the most rounds, with which such a match is solved within a minute."""
    most = MOST_TURNS if acceleration.numba_there() else MOST_TURNS_PLAIN
    most = most * NODES // max(NODES, scores.turn.graph.nodes)
    if not isinstance(form, Total):
        return isqrt(most // (scores.work * (scores.kinds + SWEEPS)))
    return isqrt(most // (scores.work * scores.top * (scores.kinds + 1)))
