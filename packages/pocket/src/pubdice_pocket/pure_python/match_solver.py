"""A solver without numpy (a ``solve.solver.Solver``) for any match of one or two seats whose rounds end and are small.

Utilities, values, facts, and the choice between equally good actions, are as in ``plain.solver``.
"""

from functools import cached_property
from typing import Any

from pubdice.core.errors import Unsolved
from pubdice.core.game import Seat
from pubdice.match.match import Match, MatchState
from pubdice.solve.numerics import ROUNDING
from pubdice.solve.pauses import PausedError, may_pause
from pubdice.solve.plain.tallies import (
    hanging,
    maximised,
    prizes,
)
from pubdice.solve.solver import outside_round
from pubdice_pocket.pure_python.round_positions import PlayedRound, SmallRound, needs_house
from pubdice_pocket.pure_python.small_standings import SmallStandings

HANGING = 32  # the number of rounds for which a carried pot is followed, as in ``plain.solver``
MOST_BARE_SEATS = 2
MOST_TABLES = 256  # the most rounds whose values are in memory at once
MOST_BEGUN = 4
_BEGUN: dict[Match[Any, Any], "BareMatchSolver"] = {}  # solvers that have begun a match and have not finished


def solved_bare(match: Match[Any, Any]) -> "BareMatchSolver":
    """Return the solver of a match, after it has solved the match. If this raises PausedError (``solve.pauses``), call
    it again later. Raises as ``solve`` does.
    """
    solver = _BEGUN.pop(match, None) or BareMatchSolver(match)
    try:
        solver.solve()
    except PausedError:
        while len(_BEGUN) >= MOST_BEGUN:
            del _BEGUN[next(iter(_BEGUN))]
        _BEGUN[match] = solver
        raise
    return solver


class BareMatchSolver:
    """The values of one match, solved on demand. Raises Unsolved("needs-house") if the match is too large without
    numpy.
    """

    def __init__(self, match: Match[Any, Any]) -> None:
        if match.seats > MOST_BARE_SEATS:
            raise needs_house(match.game)
        self.match = match
        self._rounds: list[SmallRound] = []
        self._standings: dict[int, SmallStandings] = {}
        self._tables: dict[Any, tuple[PlayedRound, float]] = {}
        start = match.start()
        self._first = match.draw(start, Seat(0)) if match.to_draw(start) else start
        self._sign = -1.0 if match.game.lowest_wins else 1.0

    def solve(self) -> None:
        """Solve the parts that every question needs. Raises Unsolved and PausedError."""
        if self.match.seats == 1:
            _ = self._round
        else:
            self._of(HANGING)

    @property
    def _round(self) -> SmallRound:
        if not self._rounds:
            self._rounds.append(SmallRound(self.match.game, self.match.seats))
            may_pause()
        return self._rounds[0]

    def _of(self, limit: int) -> SmallStandings:
        if limit not in self._standings:
            self._standings[limit] = SmallStandings(self.match, self._round, self._first, limit)
            may_pause()
        standings = self._standings[limit]
        try:
            standings.solve()
        except PausedError:
            raise
        except BaseException:  # half-solved standings must not count as solved
            del self._standings[limit]
            raise
        return standings

    @property
    def utility(self) -> str:
        """A phrase that names the utility."""
        return maximised(self.match)

    @cached_property
    def bound(self) -> float:
        """The greatest possible error of a value (see ``plain.solver``)."""
        if self.match.seats == 1:
            return ROUNDING * max([abs(result.scores[0]) for result in self._round.results])
        return self._of(HANGING).bound

    def values(self, state: MatchState[Any]) -> tuple[float, ...]:
        """Return the value of each seat, by its number. Before Player 1 is drawn, this is the mean over the seats that
        may be drawn.
        """
        if state.over:
            return self._at_end(state)
        if state.round is None:
            return outside_round(self.match, state, self.values)
        table, total = self._table(state)
        value = table.value(self._round.position(state.round))
        found = [value, total - value]
        return tuple(
            [self._had(state, Seat(seat)) + found[state.local(Seat(seat))] for seat in range(self.match.seats)]
        )

    def action_values(self, state: MatchState[Any]) -> list[tuple[Any, float]]:
        """Return the mover's legal actions, each with its value."""
        after = self._after(state)
        if not after:
            return []
        (table, total), mover = self._table(state), self._mover(state)
        had, others = self._had(state, mover), state.local(mover) > 0
        values = [(action, table.value(at)) for action, at in after]
        return [(action, had + (total - value if others else value)) for action, value in values]

    def facts(self, state: MatchState[Any]) -> list[tuple[Any, dict[str, float]]]:
        """Return for each action the chance to ``win`` the round alone, the chance to ``share`` it, and the ``mean`` of
        its score. Play after the action is the best.
        """
        after = self._after(state)
        if not after:
            return []
        table, seats = self._table(state)[0], self.match.seats
        if seats == 1:
            return [(action, {"mean": self._sign * table.value(at)}) for action, at in after]
        mover, rows = state.local(self._mover(state)), [(action, table.facts(at)) for action, at in after]
        return [
            (action, {"win": row[seats + mover], "share": row[2 * seats + mover], "mean": row[mover]})
            for action, row in rows
        ]

    def between(self, state: MatchState[Any]) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
        """Return a single seat's payoff of the last round, and 0 for all that follows, because its score starts again
        in every round (``solve.solver.ByRound``). Return None for two seats, or before a round has ended.
        """
        if self.match.seats > 1 or state.last is None:
            return None
        return self._at_end(state), (0.0,)

    def _after(self, state: MatchState[Any]) -> list[tuple[Any, int]]:
        legal, game = self.match.legal(state), self.match.game
        return [(action, self._round.position(game.play(state.round, action))) for action in legal]

    def _mover(self, state: MatchState[Any]) -> Seat:
        mover = self.match.mover(state)
        assert mover is not None, "a seat has a choice"
        return mover

    def _had(self, state: MatchState[Any], seat: Seat) -> float:
        """If the prize is chips, return the chips that a seat has already. Otherwise return 0."""
        return float(state.tally.points[seat]) if self.match.format.stake and self.match.seats > 1 else 0.0

    def _at_end(self, state: MatchState[Any]) -> tuple[float, ...]:
        if self.match.seats == 1:
            assert state.last is not None, "a match that is over has had a round"
            return (self._sign * state.last.scores[0],)
        if self.match.format.stake:
            return tuple(map(float, state.tally.points))
        return prizes(self.match, state.tally)

    def _table(self, state: MatchState[Any]) -> tuple[PlayedRound, float]:
        """Return best play in the round under way, and the sum of both seats' values."""
        if self.match.seats == 1:
            key: Any = None
        else:
            limit = HANGING
            while 2 * hanging(self.match, state) > limit:
                limit *= 2
            key = limit, self._of(limit).key(state)
        if key not in self._tables:
            found = self._played(state, key)
            while len(self._tables) >= MOST_TABLES:
                del self._tables[next(iter(self._tables))]
            self._tables[key] = found
        return self._tables[key]

    def _played(self, state: MatchState[Any], key: Any) -> tuple[PlayedRound, float]:
        if key is None:
            payoff = [self._sign * result.scores[0] for result in self._round.results]
            return PlayedRound(self._round, self._round.merged(range(len(payoff))), payoff), 0.0
        if state.round is None:
            raise Unsolved("not-reached")
        standings = self._of(key[0])
        payoff, total = standings.payoff(state)
        return PlayedRound(self._round, standings.graph, payoff), total
