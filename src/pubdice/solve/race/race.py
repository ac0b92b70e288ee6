"""A race solved: n seats in turn, each with its own dice, and the first to win ends the round. Knows no game.

Every seat is the same automaton (``automaton``): in kind k it takes one of the actions A(k); action o wins at once
with chance w[o] and leads to kind k' with chance P[o, k'].

States       (t; k0, k1, …, k_(n-1)): the kinds of the mover, of the next seat in turn, and so on; t = 0 … S - 1 is the
             stage, the mover's place counted from Player 1. S = 1 where nothing depends on who was Player 1, else S =
             n.
Utility      if the mover of stage t wins, the seat j places after it gets pay[t][j]. The plain race: pay[j] = 1 if j
             = 0.
Values       V[t][j](k0, rest): the average prize of the seat j places after the mover, j = 0 … n - 1.
Actions      Q[t][j](o, rest) = w[o] pay[t][j] + sum over k' of P[o, k'] V[t + 1 mod S][j - 1 mod n](rest, k').
Bellman      V[t][j](k0, rest) = Q[t][j](o*, rest), o* = the action in A(k0) with the greatest Q[t][0](o, rest).

The equilibrium. With two seats and one prize this is a zero-sum game: values are unique (the tests' oracle encloses
them by interval iteration). With three or more, or several rounds, it is not: the result is a stationary
Markov-perfect equilibrium in which all seats use one policy. Actions whose Q[t][0] is within ``TIE`` of the best are
equally good to the mover, and the first in the automaton's order (the rules' order) is taken; ``SolvedRace.gap`` tells
how far any choice was from being one. No theorem makes it the only equilibrium, and none makes the iteration below
converge: it is the residual that is proof of the result.

Iteration. V <- V + correction(residual), residual = (sweep of V) - V. The correction solves the residual's equations
as if nobody looked at other hands (``_Decoupled``); if the residual has not become smaller by it, the next correction
is the residual itself: a plain sweep. Stop when no residual exceeds ``TOLERANCE``, or after ``MOST_SWEEPS`` sweeps.

Bound. At the end let the policy be the last sweep's, and |residual| <= e with e including the rounding of the sums.
Every action wins with chance w_min at least, so a turn under the policy is a contraction in the maximum norm with
modulus 1 - w_min, and V differs from the policy's true values by e / w_min at most. The same e bounds what changing
one's action can gain in a state, beyond ``TIE``; what it gains in all is in ``Response``.

References: the method is policy iteration with inexact evaluation (M. Puterman, Markov Decision Processes, 6.5), made
quick by a preconditioner; the game is a stochastic game with perfect information.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.solve.arrays import Floats
from pubdice.solve.race.automaton import Automaton
from pubdice.solve.race.sweep import (
    CHUNK,
    GREEDY,
    RESPONSE,
    THREADS,
    AutomatonArrays,
    Kernel,
    PolicyChoices,
    Work,
    spread,
    sweep,
    sweep_all,
    table,
)

BLOCK = 64 * CHUNK
LEFT = 0.01
"""The series is summed until its remainder is at most this part of it."""


def mean_chain(rules: AutomatonArrays, policy: PolicyChoices) -> Floats:
    """A[k, k']: each kind's chances averaged over all hands of the others, under a policy ``[…, K**seats]``."""
    kinds, actions = rules.kinds, len(rules.win)
    # The mover's kind is the most significant digit of a state's number, so it is an axis of its own without a copy.
    chosen = policy.reshape(-1, kinds, policy.shape[-1] // kinds)
    counts = [np.bincount(chosen[:, kind].ravel(), minlength=actions) for kind in range(kinds)]
    return np.array(counts) / chosen[:, 0].size @ rules.move


class SeatChain:
    """The chain of one seat, and room to work in, made once: fresh memory costs more than the sums done in it.

    If the mover's action depends on its own kind alone, each seat is a Markov chain of its own with one matrix A[k, k']
    (less than stochastic: what is missing are wins), and a turn is the linear map (T v)(k0, rest) = sum over k' of
    A[k0, k'] v(rest, k'). Values one round of n turns on are then B = T^n = A x A x … x A, one factor a seat.

    To solve x_i = r_i + T x_(i-1) round a cycle of n stages: fold the cycle into one equation, x_0 = r + B x_0 with r =
    r_0 + T (r_(n-1) + T (r_(n-2) + …)), sum its Neumann series by doubling, (1 + B)(1 + B^2)(1 + B^4) … r, where B^m is
    the n-fold product of A^m and costs n products with a K x K matrix, and unfold.

    The real policy looks at other hands only here and there, so a residual of the real equations is nearly annihilated
    by solving for it as if nobody looked. Nothing depends on the series being summed to the end: what is left over is
    left to the next iteration, and so is the difference between the real policy and A.
    """

    def __init__(self, chain: Floats, seats: int, kind: Any, threads: int = THREADS) -> None:
        self.seats = seats
        self.kinds = len(chain)
        self.threads = threads
        self.room = [np.empty(self.kinds**seats, dtype=kind) for _ in range(3)]
        self.follow(chain)

    def follow(self, chain: Floats) -> None:
        """Solve another chain from now on, in the same memory."""
        self.chain = chain.astype(self.room[0].dtype)
        self.powers = [self.chain]
        # The norm of A^m to the power of the seats bounds the n-fold product's. 60 doublings end any sum, should a
        # policy never win.
        while np.linalg.norm(self.powers[-1] @ self.powers[-1], np.inf) ** self.seats > LEFT and len(self.powers) < 60:
            self.powers.append(self.powers[-1] @ self.powers[-1])

    def turn(self, matrix: NDArray[Any], value: NDArray[Any], out: NDArray[Any]) -> None:
        """One seat's turn: its axis multiplied, and all axes moved on by one."""
        # The mover's axis is last after its turn and first before it: writing transposed moves all axes on without a
        # copy.
        rows, columns = value.reshape(-1, self.kinds), out.reshape(self.kinds, -1)

        def part(begin: int, end: int) -> None:
            for low in range(begin, end, CHUNK):
                high = min(low + CHUNK, end)
                np.matmul(matrix, rows[low:high].T, out=columns[:, low:high])

        spread(part, len(rows), BLOCK, self.threads)

    def cycle(self, parts: list[NDArray[Any]]) -> None:
        """Replace r_0, r_1, … by x_0, x_1, … where x_i = r_i + T x_(i-1), counted round the cycle."""
        room, spare, _ = self.room
        room[:] = parts[1 % len(parts)]
        for part in (*parts[2:], parts[0]):
            self.turn(self.chain, room, spare)
            spare += part
            # Swapped, not copied: each holds a number for every state, ``K**n`` of them.
            room, spare = spare, room
        parts[0][:] = self._summed(room)
        for before, part in pairwise(parts):
            self.turn(self.chain, before, self.room[0])
            np.add(part, self.room[0], out=part)

    def _summed(self, value: NDArray[Any]) -> NDArray[Any]:
        # By identity: ``value`` is one of the three, and the sum is built in it.
        ahead, behind = (room for room in self.room if room is not value)
        for power in self.powers:
            source = value
            for _ in range(self.seats):
                self.turn(power, source, ahead)
                source, ahead, behind = ahead, behind, ahead
            value += source
        return value


VERSION = 1
"""Part of the key of a stored solution: one more whenever the numbers may change."""
TOLERANCE = 5e-15
MOST_SWEEPS = 2000
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
        """The number of seats that race."""
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
    """Solve the race of these seats, 2 at least.

    pay: ``[1, seats]`` or ``[seats, seats]``, see above; the plain race if not given. chain: the first guess of a
    seat's moves, which looks at no other hand; taken from the race of two if not given. kernel: ``sweep`` or its like.
    """
    prizes = plain_pay(seats) if pay is None else np.asarray(pay, dtype=np.float64)
    stages, size = len(prizes), automaton.kinds**seats
    # 255 actions at most, as a policy is kept in a byte a state.
    if seats < 2 or prizes.shape not in {(1, seats), (seats, seats)} or len(automaton.wins) > 255:
        raise ValueError(f"no race: {seats} seats, prizes {prizes.shape}, {len(automaton.wins)} actions")
    rules = table(automaton)
    values, policy = np.zeros((stages, seats, size)), np.zeros((stages, size), dtype=np.uint8)
    work = Work(values, prizes, policy, np.zeros(values.shape, dtype=PRECISION))
    if chain is None and seats > 2:
        # The race of two is small, and its mean policy a good first guess of that of more seats.
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
    while worst > TOLERANCE and count < MOST_SWEEPS:
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
    """Replace residuals by their sum over all turns to come, as if no seat looked at other hands."""
    stages, seats = residual.shape[:2]
    for first in range(stages):  # a seat keeps its identity along a cycle: one stage on, one place nearer the mover
        alone.cycle([residual[(first - seat) % stages, seat] for seat in range(seats)])


def _guess(work: Work, chain: Floats) -> None:
    """The residual of all values 0 if everybody follows the chain: the mover's chance to win now, as prizes."""
    won = 1 - chain.sum(axis=1)
    shaped = work.residual.reshape(*work.residual.shape[:2], len(chain), -1)
    shaped[:] = work.pay[:, :, None, None] * won[None, None, :, None]


@dataclass(frozen=True, slots=True)
class Response:
    """Best responses to one policy.

    start: the value of a best response by each seat in turn order, when nobody has rolled. gains: its excess over
    following the policy. regret: the greatest gain in any state for any seat. bound: no gain is further off.

    Definition. The *best response* values B[t][j](k0, rest) of the seat j places after the mover solve

        B[t][0](k0, rest) = max over o in A(k0) of w[o] pay[t][0] + sum over k' of P[o, k'] B[t + 1][n - 1](rest, k')
        B[t][j](k0, rest) = w[o] pay[t][j] + sum over k' of P[o, k'] B[t + 1][j - 1](rest, k'), o = policy[t](k0, rest)

    for j > 0: the deviator chooses what is best for itself whenever it moves, everybody else follows the policy. This
    is a Markov decision problem for each seat, so B is unique, and B >= V, the values of the policy. *NashConv* is the
    sum over seats of B - V at the start of the round (M. Lanctot et al., A unified game-theoretic approach, 2017); it
    is 0 exactly in an equilibrium. Because every state is answered, ``regret``, the greatest B - V anywhere, is told as
    well.

    Iteration, stopping rule and bound are those of ``race``: a turn is a contraction with modulus 1 - w_min at most,
    for the maximum too, so B is known to (residual + rounding) / w_min.
    """

    start: Floats
    gains: Floats
    regret: float
    bound: float

    @property
    def nash_conv(self) -> float:
        """The gains of all seats together, off by no more than ``bound`` a seat; not below 0 in spite of rounding.

        It is 0 where one sweep shows that no state's gain of a single turn exceeds the tolerance of ``race``.
        """
        return max(0.0, float(self.gains.sum()))


def respond(race: SolvedRace, pay: Floats | None = None, kernel: Kernel = sweep) -> Response:
    """Best responses to the policy of a race whose values are those of its policy.

    pay: the deviator's prizes if they are more than the race's own, as when it deviates in later rounds too.
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


def remaining(seats: int, winner: int) -> tuple[int, ...]:
    """The places of this round that play the next one, in its turn order.

    >>> remaining(4, 0), remaining(4, 1), remaining(4, 2)
    ((1, 2, 3), (2, 3, 0), (1, 3, 0))
    """
    return tuple(place % seats for place in range(1, seats + 1) if place % seats != winner)


def prizes(following: Floats) -> Floats:
    """``pay[t, j]`` of a round one seat larger than the round with these start values.

    Races one after another, the winner of each leaving, until one seat is left. Knows no game; the match has the rule.

    A round of n seats is a race (``race``) with stages: who opens the next round depends on who was Player 1. Count
    places of a round from its Player 1. The winner leaves with utility 1; the next Player 1 is the next seat still in
    to the left of the last, so place 1, or place 2 if place 1 has won; turn order stays. With u[m] the values of a
    fresh round of m seats in turn order, place p of the remaining seats in the new order gets u[n - 1][p], and u[1] =
    (0): the last one left pays.

        pay[t][j] = 1 if j = 0, else u[n - 1][place of seat t + j mod n in the next round]

    Utility: leaving as a winner, before being the last. The values of all seats of a round of n sum to n - 1. Errors
    add up over the rounds: a value is off by no more than the bounds of its own round and all later ones together.
    """
    seats = len(following) + 1
    pay = np.zeros((seats, seats))
    for winner in range(seats):
        pay[winner, 0] = 1.0
        for place, seat in enumerate(remaining(seats, winner)):
            pay[winner, (seat - winner) % seats] = following[place]
    return pay


def respond_rounds(rounds: tuple[SolvedRace, ...], kernel: Kernel = sweep) -> Response:
    """Best responses of a seat that deviates in all rounds, from the start of the largest."""
    following = np.zeros(1)
    bound, regret = 0.0, 0.0
    for race in rounds:
        found = respond(race, prizes(following), kernel)
        bound, regret, following = bound + found.bound, max(regret, found.regret), found.start
    return Response(found.start, found.gains, regret, bound)
