"""Best play of a round, in which each seat maximises its own value (max^n), for many payoffs at once.

The columns of a value are, in order: one prize for each seat, perhaps further figures that no seat maximises, and for
each seat the mean of the score that it will still make. Payoffs that are solved together are called *lanes*. With u on
the ends,

    v(end) = u(end),   v(roll) = sum over branches of prob · (v(after) + paid),   v(choice) = v(a) + paid(a).

The mover m takes the action a with the greatest v_m. If several actions are within ``TIE`` times the greatest |u| of
it, the mover takes the one with the best mean of its own score (``RoundGraph.sign``). Of those, it takes the first in
the rules' order. No seat is treated differently, so every seat plays alike.

Luckhardt and Irani, An algorithmic solution of N-person games, AAAI 1986, has max^n. Its values depend on how ties are
broken (Sturtevant and Korf, On pruning techniques for multi-player games, AAAI 2000). Rounding moves a value by less
than ``ROUNDING`` (``solve.finite.backward_induction``).

A round that need not end is solved by value iteration (Shapley, Stochastic games, PNAS 39, 1953). Its loose nodes
(which can reach a cycle) start from the least payoff. Of equally good actions, the mover takes the action after which
the round ends in the fewest rolls on average, instead of the action with the best score. So no seat delays the end for
nothing.

With more than two seats, value iteration need not converge, because each seat's choice changes the others' values. So
the policy is watched too: once it no longer changes, the chance that the round has ended since then is counted. The
round is solved when this chance is at least 1 - ``UNENDED`` at every node. The values are then the values of that
policy, to within ``UNENDED`` of the stake, and each choice is the best reply to the others. That is an equilibrium,
perhaps not the only one. If the iteration gets no further, the round is refused ("unsettled").
"""

import numpy as np
from numpy.typing import NDArray

from pubdice.core.errors import Unsolved
from pubdice.solve.arrays import Floats
from pubdice.solve.numerics import ROUNDING, SAME, TIE
from pubdice.solve.plain.positions import CHANCE
from pubdice.solve.plain.round_graph import GraphStep, RoundGraph

MOST_CELLS = 4_000_000
"""The most numbers in a table of values, and in the values gathered from it for one step: 32 MB each."""
MOST_SWEEPS = 4_000
UNENDED = ROUNDING
"""The greatest accepted chance that a round has not ended yet. Iteration goes on, and no value counts, until the chance
is this or less."""


def lanes_at_once(graph: RoundGraph, columns: int) -> int:
    """Return the number of lanes that fit in ``MOST_CELLS``."""
    widest = max((len(step.after) for step in graph.steps), default=1)
    return max(1, MOST_CELLS // (max(graph.nodes, widest) * (columns + graph.seats)))


def start_values(graph: RoundGraph, payoff: Floats) -> Floats:
    """Return [lanes, columns] the value of the round at its start.

    payoff: [ends, lanes, columns]. The first columns are one for each seat.
    """
    lanes, columns = payoff.shape[1:]
    few = lanes_at_once(graph, columns)
    parts = [every_value(graph, payoff[:, at : at + few])[graph.start, :, :columns] for at in range(0, lanes, few)]
    return np.concatenate(parts)


def every_value(graph: RoundGraph, payoff: Floats) -> Floats:
    """Return [nodes, lanes, columns and then a score for each seat] the values under best play. payoff: [ends, lanes,
    columns].

    The score is the mean of what the seat will still make. Raises Unsolved("unsettled").
    """
    ends, lanes, columns = payoff.shape
    table = np.zeros((graph.nodes, lanes, columns + graph.seats))
    table[:ends, :, :columns] = payoff
    play = _Play(graph, table, TIE * np.maximum(1.0, np.abs(payoff[:, :, : graph.seats]).max(axis=(0, 2))))
    for step in graph.steps:
        play.follow(step)
    if graph.loose:
        table[graph.loose[0].first :, :, :columns] = payoff.min(axis=0)
        play.settle()
    return table


class _Play:
    """The best policy so far and its values (``every_value``).

    ``slack``: [lanes] values that differ by this or less are equal.
    """

    def __init__(self, graph: RoundGraph, table: Floats, slack: Floats) -> None:
        self.graph, self.table, self.slack = graph, table, slack
        self.score_slack = SAME * max(1.0, float(np.abs(graph.scores).max()))
        self.scores_from = table.shape[2] - graph.seats
        self.lane = np.arange(table.shape[1])

    def follow(self, step: GraphStep) -> None:
        """Compute the values of a step's nodes from the values of their followers, which must be known."""
        graph, after = self.graph, self.table[step.after]
        if step.pays:
            after[:, :, self.scores_from :] += graph.scores[step.paid][:, None, :]
        if step.mover == CHANCE:
            after *= step.prob[:, None, None]
            self.table[step.first : step.behind] = np.add.reduceat(after, step.starts)
        else:
            mine, score = after[:, :, step.mover], graph.sign * after[:, :, self.scores_from + step.mover]
            taken = chosen(step, mine, score, self.slack, self.score_slack)
            self.table[step.first : step.behind] = after[taken, self.lane]

    def settle(self) -> None:
        """Iterate over the loose nodes until the policy no longer changes and the round ends.

        Raises Unsolved("unsettled").
        """
        loose, size = self.graph.loose_steps, self.table.shape[:2]
        ended, rolls = np.ones(size), np.zeros(size)
        before = [np.zeros((0, 0), dtype=np.int64)] * len(loose)
        for _ in range(MOST_SWEEPS):
            changed = False
            for at, step in enumerate(loose):
                here = slice(step.first, step.behind)
                if step.mover == CHANCE:
                    for each in (self.table, ended, rolls):
                        each[here] = _mean(step, each)
                    rolls[here] += 1
                    continue
                mine = self.table[step.after, :, step.mover]
                taken = chosen(step, mine, -rolls[step.after], self.slack, SAME)
                changed, before[at] = changed or not np.array_equal(taken, before[at]), taken
                after = step.after[taken]
                for each in (self.table, ended, rolls):
                    each[here] = each[after, self.lane]
            if changed:
                ended[loose[0].first :] = 0.0
            elif ended.min() >= 1 - UNENDED:
                return
        raise Unsolved("unsettled", steps=MOST_SWEEPS)


def _mean(step: GraphStep, table: Floats) -> Floats:
    after = table[step.after]
    after *= step.prob.reshape(-1, *[1] * (after.ndim - 1))
    mean: Floats = np.add.reduceat(after, step.starts)
    return mean


def chosen(step: GraphStep, mine: Floats, score: Floats, slack: Floats, score_slack: float) -> NDArray[np.int64]:
    """Return [nodes, lanes] the action taken, as an index into ``step.after``.

    mine, score: [after, lanes] the value and the mean score that each action brings the mover.
    """
    starts = step.starts
    runs = np.diff(np.append(starts, len(step.after)))
    least = np.maximum.reduceat(mine, starts) - slack
    best = mine >= np.repeat(least, runs, axis=0)
    scores = np.where(best, score, -np.inf)
    least = np.maximum.reduceat(scores, starts) - score_slack
    places = np.arange(len(step.after))[:, None]
    best = scores >= np.repeat(least, runs, axis=0)
    return np.minimum.reduceat(np.where(best, places, len(step.after)), starts)
