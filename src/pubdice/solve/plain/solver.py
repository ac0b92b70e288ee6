"""A solver of any match, from the Game protocol and ``Match``, without knowledge of any particular game.

- ``positions`` finds and counts the positions of a round, for each number of seats that can still be playing.
  ``standings`` does so for the standings of the match (its situations at the start of a round). If there are too many
  of either, the match is refused before anything is solved.
- ``round_graph`` merges positions that are alike, and ``match_graph`` standings that are alike.
- ``solution`` solves standings from the last rounds backward. If two seats share a constant and play can repeat,
  ``TwoSided`` solves the match from below and from above. With more seats, a round that need not end is iterated until
  play no longer changes (``best_play``).

Utilities. If the format has a stake, a seat maximises the chips that it wins. If the last seat left loses the match, a
seat maximises its chance of not being the last. In all other formats it maximises its share of the match, in equal
parts for equal champions. A single seat plays for its score, one round at a time.
"""

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pubdice.core.errors import Unsolved
from pubdice.core.game import Game, RoundSeat, Seat
from pubdice.match.match import Match, MatchState
from pubdice.solve.arrays import Floats
from pubdice.solve.numerics import ROUNDING
from pubdice.solve.plain.best_play import UNENDED, every_value
from pubdice.solve.plain.cycles import Numbers
from pubdice.solve.plain.forecast import forecast, refuse_early
from pubdice.solve.plain.positions import CHANCE, END, Positions, Progress, find_positions
from pubdice.solve.plain.round_graph import RoundGraph, build
from pubdice.solve.plain.solution import PlainSolution, WholeMatch
from pubdice.solve.plain.tallies import hanging, maximised, prizes, seats_of
from pubdice.solve.plain.two_sided import WIDEST, play_out
from pubdice.solve.solver import outside_round


class RoundChances:
    """A round whose ends also differ by their winners. ``kinds``: [results] the ends as the match tells them apart.

    Ends that are alike to the match may have different winners. So the positions are merged again, by the kind of end
    and by its winners. Besides the payoff, a value has columns for winning alone and for winning with others. No seat
    maximises these columns.
    """

    def __init__(self, found: Positions, kinds: Numbers) -> None:
        self.found = found
        numbered: dict[tuple[int, tuple[int, ...]], int] = {}
        pairs = zip(kinds.tolist(), [tuple(result.winners) for result in found.results], strict=True)
        self.graph = build(found, np.array([numbered.setdefault(pair, len(numbered)) for pair in pairs]))
        self._kind = np.array([kind for kind, _ in numbered])
        self._won = np.zeros((len(numbered), 2 * found.seats))
        for end, (_, winners) in enumerate(numbered):
            tied = len(winners) > 1
            self._won[end, [seat + found.seats * tied for seat in winners]] = 1.0

    def table(self, payoff: Floats) -> Floats:
        """Return [nodes, 3 · seats] the chances to win alone and to share, and the mean score to come, of every seat.

        The first columns are every seat's chance to win alone, then every seat's chance to share, then the scores.

        ``payoff``, [kinds, columns], is what the seats maximise.
        """
        columns = payoff.shape[1]
        played_for = np.concatenate((payoff[self._kind], self._won), axis=1)
        return every_value(self.graph, played_for[:, None, :])[:, 0, columns:]

    def facts(self, table: Floats, position: int, seat: int) -> dict[str, float]:
        """Return a seat's chances, from a position, to ``win`` the round and to ``share`` it, and the ``mean`` of its
        score.
        """
        win, tie, score = table[self.graph.node[position]].reshape(3, -1)[:, seat].tolist()
        return {"win": win, "share": tie, "mean": float(self.graph.had[position, seat]) + score}


class RoundAlone:
    """A round for one seat. The seat maximises its score or, if the lowest score wins, the negative of its score."""

    def __init__(self, game: Game[Any, Any], found: Positions) -> None:
        self.sign = -1 if game.lowest_wins else 1
        self.graph = build(found, np.arange(len(found.results)))
        scores = np.array([result.scores[0] for result in found.results], dtype=np.float64)
        self._payoff: Floats = self.sign * scores
        self.most = float(np.abs(scores).max())

    def table(self) -> Floats:
        """Return [nodes, 1] the value of each node."""
        return every_value(self.graph, self._payoff[:, None, None])[:, 0, :1]


HANGING = 32
"""The number of rounds in a row after which a carried pot is given out in equal parts, so a match has finitely many
standings."""
MOST_TABLES = 32
"""The most rounds whose values are cached, for rounds under way and rounds that a review has just left."""


class PlainSolver:
    """The values of one match (``solve.solver.Solver``).

    Raises Unsolved("not-reached") for states that no play reaches.

    Of equally good actions, the mover takes the one with the best mean of its own score, then the first in the rules'
    order (``best_play``). If the match is too large, the constructor raises Unsolved before anything is solved.
    """

    def __init__(self, match: Match[Any, Any], folder: Path | None = None, progress: Progress | None = None) -> None:
        self.match, self._folder, self._progress = match, folder, progress
        self._positions: dict[int, Positions] = {}
        self._solutions: dict[int, PlainSolution] = {}
        self._values: dict[int, WholeMatch] = {}
        self._tables: dict[tuple[int, int], Floats] = {}
        self._facts: dict[tuple[int, int], Floats] = {}
        self._round_chances: dict[tuple[int, int], RoundChances] = {}
        start = match.start()
        self._first = match.draw(start, Seat(0)) if match.to_draw(start) else start
        self._solo = RoundAlone(match.game, self._found(1)) if match.seats == 1 else None
        if self._solo is None:
            self._solution(HANGING)

    def _found(self, seats: int) -> Positions:
        if seats not in self._positions:
            refuse_early(self.match.game, seats)
            try:
                self._positions[seats] = find_positions(self.match.game, seats, self._progress)
            except Unsolved as refused:
                solved = forecast(self.match.game, seats).facts
                raise Unsolved(refused.code, **refused.facts, **solved) from refused
        return self._positions[seats]

    def _solution(self, limit: int) -> PlainSolution:
        if limit not in self._solutions:
            shares = (1 / self.match.seats,) * self.match.seats
            self._solutions[limit] = PlainSolution(
                self.match,
                positions=self._found,
                first=self._first,
                hanging=limit,
                shares=shares,
                progress=self._progress,
            )
        return self._solutions[limit]

    def _of(self, state: MatchState[Any]) -> tuple[int, PlainSolution, int]:
        """Return (the most rounds that a pot is carried, the solution, the node of the standing) for a state."""
        limit = HANGING
        while 2 * hanging(self.match, state) > limit:
            limit *= 2
        solution = self._solution(limit)
        node = solution.node(state)
        if node is None:
            raise Unsolved("not-reached")
        return limit, solution, node

    def _solved(self, limit: int) -> WholeMatch:
        if limit not in self._values:
            self._values[limit] = self._solution(limit).solve(self._folder, self._progress)
        return self._values[limit]

    @property
    def utility(self) -> str:
        """The name of the utility that the seats maximise."""
        return maximised(self.match)

    @cached_property
    def bound(self) -> float:
        """The error bound of a value: the gap left by the iteration, plus the pots that were given out early."""
        if self._solo is not None:
            return (UNENDED if self._solo.graph.loose else 0.0) * 2 * self._solo.most + ROUNDING * self._solo.most
        solved = self._solved(HANGING)
        if not self.match.format.stake:
            return solved.bound
        solution = self._solution(HANGING)
        node = solution.node(self._first)
        return solved.bound + float(solved.value[node, -1])

    def sizes(self) -> dict[str, int]:
        """Return the size of the match: positions, moves, merged nodes, standings and merged standings.

        For one seat, both numbers of standings are 0.
        """
        found = self._positions.values()
        graphs = [self._solo.graph] if self._solo is not None else list(self._solution(HANGING).rounds.values())
        solution = None if self._solo is not None else self._solution(HANGING)
        return {
            "positions": sum(len(each.mover) for each in found),
            "moves": sum(len(each.after) for each in found),
            "nodes": sum(graph.nodes for graph in graphs),
            "standings": len(solution.finder.standings) if solution is not None else 0,
            "merged": len(solution.graph.playing) if solution is not None else 0,
        }

    def values(self, state: MatchState[Any]) -> tuple[float, ...]:
        """Return the value of every seat at the table.

        Before Player 1 is drawn, it is the mean over all possible draws.
        """
        if state.over:
            return self._at_end(state)
        if state.round is None:
            return outside_round(self.match, state, self.values)
        local = self._table(state)[self._node(state, state.round)]
        found = [0.0] * self.match.seats
        for seat, value in zip(seats_of(state), local.tolist(), strict=False):
            found[seat] = value + self._had(state, seat)
        return tuple(found)

    def action_values(self, state: MatchState[Any]) -> list[tuple[Any, float]]:
        """Return the mover's legal actions, each with its value to the mover."""
        legal = self.match.legal(state)
        if not legal:
            return []
        game, table = self.match.game, self._table(state)
        mover = self.match.mover(state)
        assert mover is not None, "a seat has a choice"
        had, local = self._had(state, mover), state.local(mover)
        after = [self._node(state, game.play(state.round, action)) for action in legal]
        return [(action, had + float(table[node, local])) for action, node in zip(legal, after, strict=True)]

    def facts(self, state: MatchState[Any]) -> list[tuple[Any, dict[str, float]]]:
        """Return exact figures for each legal action, if play is best afterwards.

        The figures are the chances to ``win`` the round alone and to ``share`` it with others, and the ``mean`` of the
        mover's score. If the round need not end, the only figure is ``win_now``: the chance that the action, or the
        roll after it, wins.
        """
        legal = self.match.legal(state)
        if not legal:
            return []
        if self._solo is not None:
            return [(action, {"mean": self._solo.sign * value}) for action, value in self.action_values(state)]
        found, mover = self._found(len(state.order)), self.match.game.mover(state.round)
        assert mover is not None, "a seat has a choice"
        after = [self._number(found, self.match.game.play(state.round, action)) for action in legal]
        limit, solution, node = self._of(state)
        graph = solution.rounds[found.seats]
        if graph.loose:
            return [(action, {"win_now": _wins_now(found, at, mover)}) for action, at in zip(legal, after, strict=True)]
        chances = self._chances(limit, found.seats)
        key = limit, node
        if key not in self._facts:
            _make_room(self._facts)
            payoff = solution.payoffs.at(np.array([node]), self._solved(limit).value)
            self._facts[key] = chances.table(payoff[:, 0])
        table = self._facts[key]
        return [(action, chances.facts(table, at, mover)) for action, at in zip(legal, after, strict=True)]

    def _chances(self, limit: int, seats: int) -> RoundChances:
        key = limit, seats
        if key not in self._round_chances:
            kinds = self._solution(limit).graph.kinds[seats]
            self._round_chances[key] = RoundChances(self._found(seats), kinds)
        return self._round_chances[key]

    def between(self, state: MatchState[Any]) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
        """Return a single seat's score of the last round, and 0 for the next round (``solve.solver.ByRound``)."""
        if self._solo is None or state.last is None:
            return None
        return (float(self._solo.sign * state.last.scores[0]),), (0.0,)

    def _had(self, state: MatchState[Any], seat: Seat) -> float:
        """Return the chips that a seat already has, to add to its value. Without a stake this is 0."""
        return float(state.tally.points[seat]) if self.match.format.stake and self._solo is None else 0.0

    def _at_end(self, state: MatchState[Any]) -> tuple[float, ...]:
        if self._solo is not None:
            assert state.last is not None, "a match that is over has had a round"
            return (float(self._solo.sign * state.last.scores[0]),)
        if self.match.format.stake:
            return tuple(map(float, state.tally.points))
        return prizes(self.match, state.tally)

    def _node(self, state: MatchState[Any], position: Any) -> int:
        if self._solo is not None:
            return int(self._solo.graph.node[self._number(self._found(1), position)])
        seats = len(state.order)
        return int(self._of(state)[1].rounds[seats].node[self._number(self._found(seats), position)])

    def _number(self, found: Positions, position: Any) -> int:
        """Return the number of a position. Raises Unsolved("not-reached")."""
        number = found.at(self.match.game, position)
        if number is None:
            raise Unsolved("not-reached")
        return number

    def _table(self, state: MatchState[Any]) -> Floats:
        """Return [nodes, columns] the values of every node of the round under way."""
        if self._solo is not None:
            if not self._tables:
                self._tables[0, 0] = self._solo.table()
            return self._tables[0, 0]
        limit, solution, node = self._of(state)
        key = limit, node
        if key not in self._tables:
            value = self._solved(limit).value
            graph, payoff = solution.rounds[len(state.order)], solution.payoffs.at(np.array([node]), value)
            table = _swept(graph, payoff, solution.total)
            if table is None:
                table = every_value(graph, payoff)[:, 0, : self.match.seats]
            _make_room(self._tables)
            self._tables[key] = table
        return self._tables[key]


def _swept(graph: RoundGraph, payoff: Floats, total: float | None) -> Floats | None:
    """Return [nodes, 2] the values of a round of two seats, solved from below and above. Return None if the round must
    end, or if the values from below and above do not meet.
    """
    if not graph.loose or total is None:
        return None
    try:
        low, high = play_out(graph, payoff[:, :, 0], payoff[:, :, 0])
    except Unsolved:
        return None
    if (high - low).max() > WIDEST * max(1.0, float(np.abs(payoff).max())):
        return None
    middle = (low + high) / 2
    return np.concatenate((middle, total - middle), axis=1)


def _make_room(tables: dict[tuple[int, int], Floats]) -> None:
    while len(tables) >= MOST_TABLES:
        del tables[next(iter(tables))]


def _wins_now(found: Positions, position: int, seat: RoundSeat) -> float:
    """Return the chance that a seat wins at this position, or with the roll that is due there."""
    if found.mover[position] == END:
        return float(seat in found.results[found.result[position]].winners)
    if found.mover[position] != CHANCE:
        return 0.0
    run = slice(found.starts[position], found.starts[position + 1])
    won = [found.mover[at] == END and seat in found.results[found.result[at]].winners for at in found.after[run]]
    return float(found.ways[run] @ won / found.ways[run].sum())
