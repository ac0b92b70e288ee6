"""A race solved: n seats in turn, each with its own dice, and the first to win ends the round. Knows no game.

Every seat is the same automaton (``automaton``): in kind k it takes one of the actions A(k); action o wins at once
with chance w[o] and leads to kind k' with chance P[o, k'].

States       (t; k0, k1, …, k_(n-1)): the kinds of the mover, of the next seat in turn, and so on; t = 0 … S - 1 is the
             stage, the mover's place counted from Player 1. S = 1 where nothing depends on who was Player 1, else S =
             n.
Utility      if the mover of stage t wins, the seat j places after it gets pay[t][j]. The plain race: pay[j] = 1 if j
             = 0.
Values       V[t][j](k0, rest): what the seat j places after the mover gets on average, j = 0 … n - 1.
Actions      Q[t][j](o, rest) = w[o] pay[t][j] + sum over k' of P[o, k'] V[t + 1 mod S][j - 1 mod n](rest, k').
Bellman      V[t][j](k0, rest) = Q[t][j](o*, rest), o* = the action in A(k0) with the greatest Q[t][0](o, rest).

The equilibrium. With two seats and one prize this is a zero-sum game: values are unique (the tests' oracle encloses
them by interval iteration). With three or more, or several rounds, it is not: what is computed is a stationary
Markov-perfect equilibrium in which all seats use one policy. Actions whose Q[t][0] is within ``TIE`` of the best are
equally good to the mover, and the first in the automaton's order (the rules' order) is taken; ``SolvedRace.gap`` tells
how far any choice was from being one. No theorem makes it the only equilibrium, and none makes the iteration below
converge: it is the residual that is proof of the result.

Iteration. V <- V + correction(residual), residual = (sweep of V) - V. The correction solves the residual's equations
as if nobody looked at other hands (``decoupled``); if the residual has not become smaller by it, the next correction is
the residual itself: a plain sweep. Stop when no residual exceeds ``TOLERANCE``, or after ``MOST`` sweeps.

Bound. At the end let the policy be the last sweep's, and |residual| <= e with e including the rounding of the sums.
Every action wins with chance w_min at least, so a turn under the policy is a contraction in the maximum norm with
modulus 1 - w_min, and V differs from the policy's true values by e / w_min at most. The same e bounds what changing
one's action can gain in a state, beyond ``TIE``; what it gains in all is in ``response``.

References: the method is policy iteration with inexact evaluation (M. Puterman, Markov Decision Processes, 6.5), made
quick by a preconditioner; the game is a stochastic game with perfect information.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.solve.arrays import Floats
from pubdice.solve.race.automaton import Automaton
from pubdice.solve.race.decoupled import SeatChain, mean_chain
from pubdice.solve.race.sweep import (
    CHUNK,
    GREEDY,
    AutomatonArrays,
    Kernel,
    PolicyChoices,
    Work,
    sweep,
    sweep_all,
    table,
)

VERSION = 1
"""Part of the key of a stored solution: one more whenever the numbers may change."""
TOLERANCE = 5e-15
MOST = 2000
PRECISION = np.float32
"""Of residuals as they are stored and corrected: of a correction only the first digits count, the next sweep finds the
others. Values are double, and the greatest residual is taken before it is stored."""


@dataclass(frozen=True, slots=True)
class SolvedRace:
    """A solved race: ``values[S, n, K**n]``, ``policy[S, K**n]`` (an action each), and how sure it is."""

    automaton: Automaton
    pay: Floats
    values: Floats
    policy: PolicyChoices
    residual: float
    sweeps: int

    @property
    def seats(self) -> int:
        """How many seats race."""
        return int(self.values.shape[1])

    @property
    def rounding(self) -> float:
        """No sum of a sweep is further off than this: K + 2 products and sums, each rounded once."""
        return (self.automaton.kinds + 3) * float(np.finfo(np.float64).eps) * max(1.0, float(np.abs(self.pay).max()))

    @property
    def bound(self) -> float:
        """No value is further than this from its true one under the policy."""
        return (self.residual + self.rounding) / float(self.automaton.least_win)

    def place(self, kinds: Sequence[int]) -> int:
        """The number of a state within its stage."""
        place = 0
        for kind in kinds:
            place = place * self.automaton.kinds + kind
        return place

    def value(self, stage: int, kinds: Sequence[int]) -> Floats:
        """The value of each seat, the mover's first."""
        return np.asarray(self.values[stage % len(self.values), :, self.place(kinds)])

    def after(self, stage: int, action: int, others: Sequence[int]) -> Floats:
        """The value of each seat, the mover's first, once the mover has taken an action and before its dice fall."""
        kinds = self.automaton.kinds
        begin = self.place(others) * kinds
        following = self.values[(stage + 1) % len(self.values), :, begin : begin + kinds]
        chances = np.array(self.automaton.ways[action]) / self.automaton.total
        won = self.automaton.wins[action] / self.automaton.total
        return np.asarray(won * self.pay[stage % len(self.pay)] + np.roll(following, 1, axis=0) @ chances)

    def start(self, stage: int = 0) -> Floats:
        """The value of each seat in turn order when nobody has rolled."""
        return self.value(stage, (self.automaton.start,) * self.seats)

    def gap(self) -> float:
        """The least difference to the mover between the action chosen and another that is no worse by less than a tie.

        Infinite if there is never a second action.
        """
        least, rules, kinds = np.inf, table(self.automaton), self.automaton.kinds
        for stage, pays in enumerate(self.pay):
            rows = self.values[(stage + 1) % len(self.values), self.seats - 1].reshape(-1, kinds)
            for begin in range(0, len(rows), CHUNK):
                own = rules.move @ rows[begin : begin + CHUNK].T + (rules.win * pays[0])[:, None]
                for choices in rules.choices:
                    if len(choices) > 1:
                        two = np.partition(own[choices], len(choices) - 2, axis=0)[-2:]
                        least = min(least, float((two[1] - two[0]).min()))
        return least


def plain_pay(seats: int) -> Floats:
    """The prize of a plain race: 1 to the seat that wins."""
    return np.eye(1, seats)


def solve(
    automaton: Automaton, seats: int, pay: Floats | None = None, chain: Floats | None = None, kernel: Kernel = sweep
) -> SolvedRace:
    """The race of so many seats, 2 at least.

    pay: ``[1, seats]`` or ``[seats, seats]``, see above; the plain race if not given. chain: how a seat moves that
    looks at no other hand, to begin with; taken from the race of two if not given. kernel: ``sweep`` or its like.
    """
    prizes = plain_pay(seats) if pay is None else np.asarray(pay, dtype=np.float64)
    stages, size = len(prizes), automaton.kinds**seats
    if seats < 2 or prizes.shape not in {(1, seats), (seats, seats)} or len(automaton.wins) > 255:
        raise ValueError(f"no race: {seats} seats, prizes {prizes.shape}, {len(automaton.wins)} actions")
    rules = table(automaton)
    values, policy = np.zeros((stages, seats, size)), np.zeros((stages, size), dtype=np.uint8)
    work = Work(values, prizes, policy, np.zeros(values.shape, dtype=PRECISION))
    if chain is None and seats > 2:
        chain = mean_chain(rules, solve(automaton, 2).policy)
    if chain is not None:
        _guess(work, chain)
    alone = SeatChain(np.zeros((automaton.kinds,) * 2) if chain is None else chain, seats, PRECISION)
    worst, count = settle(kernel, rules, work, alone, GREEDY, smooth=chain is not None)
    return SolvedRace(automaton, prizes, values, policy, worst, count)


def settle(
    kernel: Kernel,
    rules: AutomatonArrays,
    work: Work,
    alone: SeatChain,
    mode: int,
    *,
    worst: float = np.inf,
    smooth: bool = True,
) -> tuple[float, int]:
    """Iterate from values and their residual until no residual is too large: the greatest one, and how many sweeps.

    smooth: correct the residual given, rather than take it as it is.
    """
    least, count = np.inf, 0
    while worst > TOLERANCE and count < MOST:
        if smooth:
            correct(alone, work.residual)
        np.add(work.values, work.residual, out=work.values)
        worst, count = sweep_all(kernel, rules, work, mode), count + 1
        smooth = count < 3 or worst < least * 0.9
        if smooth and mode == GREEDY:
            alone.follow(mean_chain(rules, work.policy))
        least = min(least, worst)
    return worst, count


def correct(alone: SeatChain, residual: NDArray[Any]) -> None:
    """Replace residuals by what they come to in all turns to come, as if nobody looked at other hands."""
    stages, seats = residual.shape[:2]
    for first in range(stages):  # a seat keeps its identity along a cycle: one stage on, one place nearer the mover
        alone.cycle([residual[(first - seat) % stages, seat] for seat in range(seats)])


def _guess(work: Work, chain: Floats) -> None:
    """The residual of all values 0 if everybody follows the chain: the mover's chance to win now, as prizes."""
    won = 1 - chain.sum(axis=1)
    shaped = work.residual.reshape(*work.residual.shape[:2], len(chain), -1)
    shaped[:] = work.pay[:, :, None, None] * won[None, None, :, None]
