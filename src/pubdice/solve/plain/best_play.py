"""Best play of a round that ends, every seat for itself (max^n), for many payoffs at once.

Columns of a value: what is played for, one a seat and perhaps more that nobody maximises, and behind them the score
that each seat still makes, as mean. Lanes are payoffs solved together. With u on the ends,

    v(end) = u(end),   v(roll) = sum over branches of prob · (v(after) + paid),   v(choice) = v(a) + paid(a),

where the mover m takes the action a with the greatest v_m; of those within ``TIE`` of it, times the greatest |u|, the
one with the greatest mean of its own score (the least, where the lowest wins a round: ``RoundGraph.sign``); of those,
the first in the rules' order. Seats are not named in it, so a match is played alike from every chair.

(Luckhardt and Irani, An algorithmic solution of N-person games, AAAI 1986, has max^n; Sturtevant and Korf, On pruning
techniques for multi-player games, AAAI 2000, that its values depend on how ties are broken.) Rounding moves a value by
less than ``ROUNDING`` (``solve.finite.backward_induction``).
"""

import numpy as np
from numpy.typing import NDArray

from pubdice.solve.arrays import Floats
from pubdice.solve.plain.positions import CHANCE
from pubdice.solve.plain.round_graph import GraphStep, RoundGraph
from pubdice.solve.tolerance import SAME, TIE

MOST_CELLS = 4_000_000
"""Numbers in a table of values, and in what is gathered from it for one step: 32 MB each."""


def lanes_at_once(graph: RoundGraph, columns: int) -> int:
    """How many lanes fit."""
    widest = max((len(step.after) for step in graph.steps), default=1)
    return max(1, MOST_CELLS // (max(graph.nodes, widest) * (columns + graph.seats)))


def start_values(graph: RoundGraph, payoff: Floats) -> Floats:
    """[lanes, columns] what the round is worth at its start; payoff: [ends, lanes, columns], a column a seat first."""
    lanes, columns = payoff.shape[1:]
    few = lanes_at_once(graph, columns)
    parts = [every_value(graph, payoff[:, at : at + few])[graph.start, :, :columns] for at in range(0, lanes, few)]
    return np.concatenate(parts)


def every_value(graph: RoundGraph, payoff: Floats) -> Floats:
    """[nodes, lanes, columns and scores still to come] under best play; payoff: [ends, lanes, columns]."""
    ends, lanes, columns = payoff.shape
    table = np.zeros((graph.nodes, lanes, columns + graph.seats))
    table[:ends, :, :columns] = payoff
    slack = TIE * np.maximum(1.0, np.abs(payoff[:, :, : graph.seats]).max(axis=(0, 2)))
    score_slack = SAME * max(1.0, float(np.abs(graph.scores).max()))
    lane = np.arange(lanes)
    for step in graph.steps:
        after = table[step.after]
        if step.pays:
            after[:, :, columns:] += graph.scores[step.paid][:, None, :]
        if step.mover == CHANCE:
            after *= step.prob[:, None, None]
            table[step.first : step.behind] = np.add.reduceat(after, step.starts)
        else:
            mine, score = after[:, :, step.mover], graph.sign * after[:, :, columns + step.mover]
            table[step.first : step.behind] = after[chosen(step, mine, score, slack, score_slack), lane]
    return table


def chosen(step: GraphStep, mine: Floats, score: Floats, slack: Floats, score_slack: float) -> NDArray[np.int64]:
    """[nodes, lanes] the place in ``step.after`` of the action taken. mine, score: [after, lanes] to the mover."""
    starts = step.starts
    runs = np.diff(np.append(starts, len(step.after)))
    least = np.maximum.reduceat(mine, starts) - slack
    best = mine >= np.repeat(least, runs, axis=0)
    scores = np.where(best, score, -np.inf)
    least = np.maximum.reduceat(scores, starts) - score_slack
    places = np.arange(len(step.after))[:, None]
    best = scores >= np.repeat(least, runs, axis=0)
    return np.minimum.reduceat(np.where(best, places, len(step.after)), starts)
