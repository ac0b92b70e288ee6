"""A turn and a round of two of Midnight in exact fractions, in whole numbers over the graph of a turn.

The graph itself is compared with the rules by ``solve/finite/test_graph``.
"""

from fractions import Fraction
from functools import cache
from math import lcm

from pubdice.games.midnight.rules import Midnight
from pubdice.solve.turns.turn import turn

TURN = turn(Midnight())


def exact_turn(utility: list[Fraction]) -> Fraction:
    """Best play of a turn in whole numbers."""
    flat, graph = TURN.graph.flat, TURN.graph
    scale = lcm(*(each.denominator for each in utility)) * 6**21  # the denominator six dice come to: 6+5+4+3+2+1
    value = [int(utility[TURN.scores.index(result.scores[0])] * scale) for result in graph.results]
    best: list[int] = []
    after, branch = flat.after.tolist(), flat.branch.tolist()
    starts, kinds = flat.after_starts.tolist(), flat.branch_starts.tolist()
    ways = [round(chance * 6**6) for chance in flat.prob.tolist()]
    for first, behind, low, high in flat.spans.tolist():
        best += [max([value[n] for n in after[starts[at] : starts[at + 1]]]) for at in range(first, behind)]
        for kind in range(low - graph.ends, high - graph.ends):
            run = range(kinds[kind], kinds[kind + 1])
            value.append(sum([ways[at] * best[branch[at]] for at in run]) // 6**6)
    return Fraction(value[-1], scale)


@cache
def exact_duel(leads: tuple[Fraction, Fraction, Fraction]) -> Fraction:
    """What a round of two is worth to its opener in exact fractions; ``leads``: won by the opener, level, lost."""
    won, level, lost = leads
    faced = []
    for best in TURN.scores:
        second = [-lost if score > best else -level if score == best else -won for score in TURN.scores]
        faced.append(-exact_turn(second))
    return exact_turn(faced)
