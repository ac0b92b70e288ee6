"""Turns with a limited number of rolls, and matches of two in which the opener's rolls limit the second seat's rolls.

``totals`` solves matches in which scores add up, with the turns of this module.

Every step of a turn without the limit (``TurnGraph``) is a roll. So a turn with counted rolls is the same graph, solved
once for each roll, from the last to the first. Let u(k, s) be the utility of a turn that ends with the score s after k
rolls, and m the most rolls. Then

    V(k, end) = u(k, its score),   V(m, node) = none,
    V(k, node) = sum over falls of chance · max over keeps of V(k + 1, after it).

The second of two seats has the opener's score b to beat and its rolls m. So for every k its u is the payoff of winning,
tying or losing. The opener's u(k, s) is the part of the payoff that remains for it if the second seat must beat s
within k rolls. In both cases the game has a constant sum, so this is optimal. Several utilities are solved at once.
Each is a *lane*, a column of the arrays.

Of keeps that are equally good to the mover, it takes the one with the better mean score, then the turn's smaller node.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pubdice.core.errors import Unsolved
from pubdice.core.game import Keep, RoundState, is_limited, without_limit
from pubdice.match.match import Match
from pubdice.solve.arrays import Floats
from pubdice.solve.finite.backward_induction import start_values
from pubdice.solve.finite.graph import Graph, Ints, Layer
from pubdice.solve.numerics import SAME
from pubdice.solve.turns.solver import TurnSolver
from pubdice.solve.turns.standings import GameState
from pubdice.solve.turns.turn import Solved, TurnGraph

SEATS = 2
LANES = 32
"""The number of utilities per pass: as many as keep a layer's choices in the processor's cache."""


def _step(graph: Graph, after: Floats) -> Floats:
    """Return [nodes, lanes] the value of a roll at every node, given the values after the keep. The entries of ends are
    0.
    """
    flat = graph.flat
    best = np.maximum.reduceat(after[flat.after], flat.after_starts[:-1])
    weighted = best[flat.branch]
    weighted *= flat.prob[:, None]
    found = np.zeros(after.shape)
    found[graph.ends :] = np.add.reduceat(weighted, flat.branch_starts[:-1])
    return found


def first_rolls(turned: TurnGraph, worth: Floats) -> Floats:
    """Return [rolls, lanes] the values of a fresh turn with at most 1, 2, … rolls.

    worth: [rolls, scores, lanes] the utility of each score after each roll. If all rows of ``worth`` are the same, the
    turn is limited to 1, 2, … rolls. Otherwise it has 1, 2, … rolls left.
    """
    rolls, _, lanes = worth.shape
    found = np.empty((rolls, lanes))
    for first in range(0, lanes, LANES):
        here = slice(first, first + LANES)
        after = np.full((turned.graph.nodes, min(LANES, lanes - first)), -np.inf)
        for left in range(rolls):
            after[: turned.graph.ends] = turned.by_end(worth[rolls - 1 - left, :, here])
            after = _step(turned.graph, after)
            found[left, here] = after[turned.start]
    return found


class CountedTurn:
    """A turn with its rolls counted, as a graph for each limit. An end is a pair of a score and a number of rolls.

    The graph lets ``kernels`` solve the turn for many utilities at once. It has 120,000 choices for a turn with all its
    rolls, instead of 430,000 when the turn is solved once for each roll.
    """

    def __init__(self, turned: TurnGraph, most: int) -> None:
        self.turn, self.rolls = turned, most
        self._graphs = [_counted(turned.graph, limit) for limit in range(1, most + 1)]

    def opener(self, worth: Floats, coming: int) -> Floats:
        """Return [lanes] the value of a fresh turn for each utility. ``worth``: [rolls taken, scores, lanes] the
        utilities.
        """
        return start_values(self._graphs[-1], np.concatenate([self.turn.by_end(each) for each in worth]), coming)

    def second(self, worth: Floats, coming: int) -> Floats:
        """Return [limits, lanes] the value of a fresh turn of up to 1, 2, … rolls. ``worth``: [scores, lanes] the
        utilities.
        """
        ends = self.turn.by_end(worth)
        return np.stack(
            [start_values(graph, np.tile(ends, (limit, 1)), coming) for limit, graph in enumerate(self._graphs, 1)]
        )


def _counted(graph: Graph, limit: int) -> Graph:
    """Return the graph of a turn of at most ``limit`` rolls. After the last roll all dice must be kept.

    The nodes are numbered from the last roll to the first.
    """
    flat, ends = graph.flat, graph.ends
    after, branch = _runs(flat.after, flat.after_starts), _runs(flat.branch, flat.branch_starts)
    prob = np.split(flat.prob, flat.branch_starts[1:-1])
    nodes, decisions = [[graph.nodes - 1]], list[list[int]]()
    for _ in range(limit):
        decisions.append(sorted({decision for node in nodes[-1] for decision in branch[node - ends]}))
        nodes.append(sorted({node for decision in decisions[-1] for node in after[decision] if node >= ends}))
    layers, places = list[Layer](), dict[int, int]()
    first_node, first_decision = limit * ends, 0
    for done in reversed(range(limit)):
        leads = [
            [done * ends + node if node < ends else places[node] for node in after[at] if node < ends or node in places]
            for at in decisions[done]
        ]
        named = {decision: first_decision + at for at, decision in enumerate(decisions[done])}
        follow = [[named[decision] for decision in branch[node - ends]] for node in nodes[done]]
        places = {node: first_node + at for at, node in enumerate(nodes[done])}
        layers.append(
            Layer(
                decisions=(first_decision, first_decision + len(leads)),
                after=np.array([node for run in leads for node in run], dtype=np.int32),
                after_starts=_starts(leads),
                kinds=(first_node, first_node + len(follow)),
                branch=np.array([decision for run in follow for decision in run], dtype=np.int32),
                prob=np.concatenate([prob[node - ends] for node in nodes[done]]),
                branch_starts=_starts(follow),
            )
        )
        first_node, first_decision = first_node + len(follow), first_decision + len(leads)
    return Graph(graph.results * limit, tuple(layers), {})


def _runs(joined: Ints, starts: Ints) -> list[list[int]]:
    return [run.tolist() for run in np.split(joined, starts[1:-1])]


def _starts(runs: list[list[int]]) -> Ints:
    return np.cumsum([0, *[len(run) for run in runs[:-1]]]).astype(np.int32)


@dataclass(frozen=True)
class LimitedTurn:
    """A turn under best play, for one utility."""

    value: Floats  # [rolls so far, nodes] the value of each node
    chance: Floats  # [rolls so far, nodes, scores] the chance of each final score
    slack: float


def solve_limited(turned: TurnGraph, worth: Floats) -> LimitedTurn:
    """Solve a turn for one utility. worth: [rolls, scores] the utility of each score after each roll.

    The number of rows of ``worth`` is the most rolls of the turn.
    """
    graph, most = turned.graph, len(worth)
    flat, ends = graph.flat, graph.ends
    runs = np.diff(flat.after_starts)
    slack = SAME * max(1.0, float(np.abs(worth).max()))
    value = np.full((most + 1, graph.nodes), -np.inf)
    mean = np.zeros((most + 1, graph.nodes))
    chance = np.zeros((most + 1, graph.nodes, len(turned.scores)))
    for done in reversed(range(most + 1)):
        value[done, :ends] = turned.by_end(worth[max(0, done - 1)])
        mean[done, :ends] = turned.by_end(turned.mean)
        chance[done, np.arange(ends), turned.ends] = 1.0
        if done == most:
            continue
        values, means = value[done + 1, flat.after], mean[done + 1, flat.after]
        least = np.maximum.reduceat(values, flat.after_starts[:-1]) - slack
        means = np.where(values >= np.repeat(least, runs), means, -np.inf)
        least = np.maximum.reduceat(means, flat.after_starts[:-1]) - SAME
        nodes = np.where(means >= np.repeat(least, runs), flat.after, graph.nodes)
        chosen = np.minimum.reduceat(nodes, flat.after_starts[:-1])[flat.branch]
        for table in (value, mean, chance):
            weighted = table[done + 1, chosen] * (flat.prob if table.ndim == 2 else flat.prob[:, None])
            table[done, ends:] = np.add.reduceat(weighted, flat.branch_starts[:-1])
    return LimitedTurn(value, chance, slack)


class LimitedSolver(TurnSolver):
    """The solver of a match of two in which the opener's rolls limit the second seat's rolls (``OpenerLimits``).

    It has the utilities and bounds of ``TurnSolver``. A seat that plays alone may roll as often as the game allows.
    Raises Unsolved for more than two seats.
    """

    def __init__(self, match: Match[RoundState, Keep], folder: Path | None = None) -> None:
        game: object = match.game
        assert is_limited(game), "chosen for it"
        if match.seats > SEATS:
            title = type(game.unlimited).__name__
            raise Unsolved("too-many-seats", title=title, seats=match.seats, most=SEATS)
        super().__init__(match, folder)
        self.most = match.game.start(1).limit
        self._turns: dict[object, LimitedTurn] = {}
        rank = np.arange(len(self.turn.scores))
        beats = np.where(rank[:, None] > rank, 2, np.where((rank[:, None] == rank) & (rank > 0), 3, 1))
        beats[0, 0] = 0
        self._winners = beats
        """[second seat's score, opener's score] the winners of the round, as bits."""

    def begun(self, payoffs: Floats, coming: int) -> Floats:
        """Return [rounds, seats] the values of rounds about to begin. payoffs: [rounds, sets of winners, seats]."""
        total = payoffs.sum(axis=2)[:, 0]
        opener = self.first_worth(payoffs)
        mine = first_rolls(self.turn, opener)[-1]
        return np.stack([mine, total - mine], axis=1)

    def first_worth(self, payoffs: Floats) -> Floats:
        """Return [rolls, scores, rounds] the opener's utility if its turn ends after this many rolls with this score,
        for each round.

        payoffs: [rounds, sets of winners, seats].
        """
        rounds, scores = len(payoffs), len(self.turn.scores)
        worth = payoffs[:, self._winners, 1].transpose(1, 2, 0).reshape(1, scores, -1)
        replies = first_rolls(self.turn, np.broadcast_to(worth, (self.most, *worth.shape[1:]))).reshape(
            self.most, scores, rounds
        )
        left: Floats = payoffs.sum(axis=2)[:, 0] - replies
        return left

    def _under_way(self, state: GameState) -> Floats:
        solved, mover = self._solved(state), state.mover
        at = state.round
        assert at is not None
        assert mover is not None
        if self.match.game.legal(at):
            node = self.turn.choice(solved, [node for _, node in self._after(at)])
        else:
            node = self.turn.node(without_limit(at))
        mine = float(solved.value[node])
        if self.match.seats == 1:
            return np.array([mine])
        values: Floats = self._points(state) + self._total(state) - mine
        values[mover] += 2 * mine - self._total(state)
        return values

    def action_values(self, state: GameState) -> list[tuple[Keep, float]]:
        """Return the mover's keeps, each with its value to the mover."""
        if state.round is None or not self.match.game.legal(state.round):
            return []
        assert state.mover is not None
        solved, mine = self._solved(state), self._points(state)[state.mover]
        return [(keep, float(mine + solved.value[node])) for keep, node in self._after(state.round)]

    def chances(self, state: GameState) -> list[tuple[Keep, Floats]]:
        """Return the mover's keeps, each with the chance of every score of this turn under best play."""
        if state.round is None or not self.match.game.legal(state.round):
            return []
        solved = self._solved(state)
        return [(keep, solved.chance[node]) for keep, node in self._after(state.round)]

    def _after(self, at: RoundState) -> list[tuple[Keep, int]]:
        legal = set(self.match.game.legal(at))
        return [(keep, node) for keep, node in self.turn.after(without_limit(at)) if keep in legal]

    def _total(self, state: GameState) -> float:
        return float(self._payoff_of(state)[0].sum())

    def _payoff_of(self, state: GameState) -> Floats:
        """Return [sets of winners, seats in turn order] the payoffs of the round under way."""
        found: Floats = self._round(state).payoff
        return found

    def _solved(self, state: GameState) -> Solved:
        """Return the mover's turn under best play, from the number of rolls that it has had."""
        at = state.round
        assert at is not None
        payoff = np.zeros(0) if self.match.seats == 1 else self._payoff_of(state)
        key = payoff.tobytes(), at.scores, at.limit
        if key not in self._turns:
            self._turns[key] = solve_limited(self.turn, self._worth(payoff, at))
        found = self._turns[key]
        return Solved(found.value[at.rolls], found.chance[at.rolls], found.slack)

    def _worth(self, payoff: Floats, at: RoundState) -> Floats:
        """Return [rolls, scores] the mover's utility if its turn ends after this many rolls with this score."""
        if self.match.seats == 1:
            return np.repeat(self.turn.mean[None], self.most, axis=0)
        if not at.scores:
            return self.first_worth(payoff[None])[:, :, 0]
        rank = self.turn.rank(self._game.best(at.scores))
        return np.repeat(payoff[self._winners[:, rank], 1][None], at.limit, axis=0)
