"""What a seat could gain by leaving the policy of a solved race while all others keep to it. Knows no game.

Definition. The *best response* values B[t][j](k0, rest) of the seat j places after the mover solve

    B[t][0](k0, rest) = max over o in A(k0) of w[o] pay[t][0] + sum over k' of P[o, k'] B[t + 1][n - 1](rest, k')
    B[t][j](k0, rest) = w[o] pay[t][j] + sum over k' of P[o, k'] B[t + 1][j - 1](rest, k'), o = policy[t](k0, rest)

for j > 0: the deviator chooses what is best for itself whenever it moves, everybody else follows the policy. This is a
Markov decision problem for each seat, so B is unique, and B >= V, the values of the policy. *NashConv* is the sum over
seats of B - V at the start of the round (M. Lanctot et al., A unified game-theoretic approach, 2017); it is 0 exactly
in an equilibrium. Because every state is answered, ``regret``, the greatest B - V anywhere, is told as well.

Iteration, stopping rule and bound are those of ``race``: a turn is a contraction with modulus 1 - w_min at most, for
the maximum too, so B is known to (residual + rounding) / w_min.
"""

from dataclasses import dataclass

import numpy as np

from pubdice.solve.arrays import Floats
from pubdice.solve.race.decoupled import SeatChain, mean_chain
from pubdice.solve.race.race import PRECISION, TOLERANCE, SolvedRace, settle
from pubdice.solve.race.sweep import RESPONSE, Kernel, Work, sweep, sweep_all, table


@dataclass(frozen=True, slots=True)
class Response:
    """Best responses to one policy.

    start: the value of a best response by each seat in turn order, when nobody has rolled. gains: how much that is
    more than following the policy. regret: the greatest gain in any state for any seat. bound: no gain is further
    off.
    """

    start: Floats
    gains: Floats
    regret: float
    bound: float

    @property
    def nash_conv(self) -> float:
        """The gains of all seats together, off by no more than ``bound`` a seat; not below 0, whatever the rounding.

        It is 0 where one sweep shows that no state's gain of a single turn exceeds the tolerance of ``race``.
        """
        return max(0.0, float(self.gains.sum()))


def respond(race: SolvedRace, pay: Floats | None = None, kernel: Kernel = sweep) -> Response:
    """Best responses to the policy of a race whose values are those of its policy.

    pay: what the deviator gets where that is more than the race's own prizes, as when it deviates in later rounds too.
    """
    rules = table(race.automaton)
    work = Work(race.values, race.pay if pay is None else pay, race.policy, np.zeros(race.values.shape, PRECISION))
    worst, count = sweep_all(kernel, rules, work, RESPONSE), 0
    if worst > TOLERANCE:  # not the equilibrium itself: work on a copy
        alone = SeatChain(mean_chain(rules, race.policy), race.seats, PRECISION)
        work = Work(race.values.copy(), work.pay, race.policy, work.residual)
        worst, count = settle(kernel, rules, work, alone, RESPONSE, worst=worst)
    bound = (worst + race.rounding) / float(race.automaton.least_win)
    regret = float((work.values - race.values).max()) if count else 0.0
    start = work.values[0, :, race.place((race.automaton.start,) * race.seats)].copy()
    return Response(start, start - race.start(), max(0.0, regret), bound + race.bound)
