"""The solver of a race: n seats take turns, each with its own dice, and the first seat to win ends the round.

It knows no particular game. Every seat is the same automaton (``automaton``), whose states are kinds of hand. With a
hand of kind k, a seat takes one of the actions A(k). Action o wins at once with chance w[o] and leads to kind k' with
chance P[o, k'].

States       (t; k0, k1, …, k_(n-1)): the kinds of the mover, of the next seat in turn, and so on. t = 0 … S - 1 is the
             stage, the mover's place counted from Player 1. S = 1 if nothing depends on Player 1's seat, else S = n.
Utility      If the mover of stage t wins, the seat j places after it gets pay[t][j]. The plain race: pay[j] = 1 if j
             = 0.
Values       V[t][j](k0, rest): the expected prize of the seat j places after the mover, j = 0 … n - 1.
Actions      Q[t][j](o, rest) = w[o] pay[t][j] + sum over k' of P[o, k'] V[t + 1 mod S][j - 1 mod n](rest, k').
Bellman      V[t][j](k0, rest) = Q[t][j](o*, rest), o* = the action in A(k0) with the greatest Q[t][0](o, rest).

The equilibrium. With two seats and one prize this is a zero-sum game and its values are unique (the tests' oracle
encloses them by interval iteration). With three or more seats, or several rounds, it is not zero-sum. The result is
then a stationary Markov-perfect equilibrium in which all seats use one policy. Actions whose Q[t][0] is within ``TIE``
of the best are equally good to the mover, and it takes the first in the automaton's order (the rules' order).
``SolvedRace.gap`` is the least distance of any choice from a tie. No theorem makes the equilibrium unique, and none
makes the iteration converge. The residual proves the result.

Iteration. V <- V + correction(residual), residual = (sweep of V) - V. The correction solves the residual's equations as
if no seat looked at other hands (``SeatChain``). If a correction has not made the residual smaller, the next correction
is the residual itself: a plain sweep. The iteration stops when no residual exceeds ``TOLERANCE``, or after
``MOST_SWEEPS`` sweeps.

Bound. Take the policy of the last sweep, and let e bound |residual| plus the rounding of the sums. Every action wins
with a chance of at least w_min, so a turn under the policy is a contraction in the maximum norm with modulus 1 - w_min.
So V differs from the policy's true values by at most e / w_min. The same e bounds the gain from changing one action in
one state, beyond ``TIE``. ``Response`` has the gain from changing all actions.

References: the method is policy iteration with inexact evaluation (M. Puterman, Markov Decision Processes, 6.5), with a
preconditioner for speed. The game is a stochastic game with perfect information.
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
"""The part of the Neumann series in ``SeatChain`` that may be left out. Summation stops when the remainder is this part
or less."""


def mean_chain(rules: AutomatonArrays, policy: PolicyChoices) -> Floats:
    """Return A[k, k'], one seat's transition matrix under a policy ``[…, K**seats]``, averaged over the other seats'
    hands.
    """
    kinds, actions = rules.kinds, len(rules.win)
    # The mover's kind is the most significant digit of a state's number, so reshaping makes it an axis without a copy.
    chosen = policy.reshape(-1, kinds, policy.shape[-1] // kinds)
    counts = [np.bincount(chosen[:, kind].ravel(), minlength=actions) for kind in range(kinds)]
    return np.array(counts) / chosen[:, 0].size @ rules.move


class SeatChain:
    """The Markov chain of one seat, with its own work memory, because allocating memory would cost more than the sums.

    If the mover's action depends only on its own kind, each seat is a Markov chain with one substochastic matrix A[k,
    k'], whose missing chances are wins. A turn is the linear map (T v)(k0, rest) = sum over k' of A[k0, k'] v(rest,
    k'). One round of n turns is then the map B = T^n = A x A x … x A, one factor for each seat.

    ``cycle`` solves the linear system x_i = r_i + T x_(i-1) round a cycle of n stages. It folds the cycle into one
    equation, x_0 = r + B x_0 with r = r_0 + T (r_(n-1) + T (r_(n-2) + …)). It sums the Neumann series by doubling, (1 +
    B)(1 + B^2)(1 + B^4) … r, and unfolds. B^m is the n-fold product of A^m and costs n products with a K x K matrix.

    The real policy rarely depends on other hands, so this solution nearly cancels the residual of the real equations.
    The series need not be summed to the end. The next iteration corrects the remainder, and the difference between the
    real policy and A.
    """

    def __init__(self, chain: Floats, seats: int, kind: Any, threads: int = THREADS) -> None:
        self.seats = seats
        self.kinds = len(chain)
        self.threads = threads
        self.room = [np.empty(self.kinds**seats, dtype=kind) for _ in range(3)]
        self.follow(chain)

    def follow(self, chain: Floats) -> None:
        """Replace the transition matrix, in the same memory."""
        self.chain = chain.astype(self.room[0].dtype)
        self.powers = [self.chain]
        # The norm of A^m, to the power of the number of seats, bounds the norm of the n-fold product. For a policy that
        # never wins, the limit of 60 doublings ends the sum.
        while np.linalg.norm(self.powers[-1] @ self.powers[-1], np.inf) ** self.seats > LEFT and len(self.powers) < 60:
            self.powers.append(self.powers[-1] @ self.powers[-1])

    def turn(self, matrix: NDArray[Any], value: NDArray[Any], out: NDArray[Any]) -> None:
        """Apply one seat's turn: multiply along its axis and rotate the axes by one."""
        # The mover's axis is first before its turn and last after it. Writing the product transposed rotates the axes
        # without a copy.
        rows, columns = value.reshape(-1, self.kinds), out.reshape(self.kinds, -1)

        def part(begin: int, end: int) -> None:
            for low in range(begin, end, CHUNK):
                high = min(low + CHUNK, end)
                np.matmul(matrix, rows[low:high].T, out=columns[:, low:high])

        spread(part, len(rows), BLOCK, self.threads)

    def cycle(self, parts: list[NDArray[Any]]) -> None:
        """Replace r_0, r_1, … by x_0, x_1, … with x_i = r_i + T x_(i-1), counted round the cycle."""
        room, spare, _ = self.room
        room[:] = parts[1 % len(parts)]
        for part in (*parts[2:], parts[0]):
            self.turn(self.chain, room, spare)
            spare += part
            # The two arrays are swapped, not copied, because each has a number for every state: ``K**n`` of them.
            room, spare = spare, room
        parts[0][:] = self._summed(room)
        for before, part in pairwise(parts):
            self.turn(self.chain, before, self.room[0])
            np.add(part, self.room[0], out=part)

    def _summed(self, value: NDArray[Any]) -> NDArray[Any]:
        # ``value`` is one of the three arrays of ``room``, and the sum is built in it. So it is found by identity.
        ahead, behind = (room for room in self.room if room is not value)
        for power in self.powers:
            source = value
            for _ in range(self.seats):
                self.turn(power, source, ahead)
                source, ahead, behind = ahead, behind, ahead
            value += source
        return value


VERSION = 1
"""The version of the method, a part of the key of a stored solution. It goes up when the numbers may change."""
TOLERANCE = 5e-15
MOST_SWEEPS = 2000
PRECISION = np.float32
"""The type of stored residuals. Single precision is enough, because the next sweep finds the digits that a correction
lacks. Values are double, and the greatest residual is taken before rounding."""


@dataclass(frozen=True, slots=True)
class SolvedRace:
    """A solved race: ``values[S, n, K**n]``, ``policy[S, K**n]`` (an action for each state), and its accuracy."""

    automaton: Automaton
    pay: Floats
    values: Floats
    policy: PolicyChoices
    residual: float
    sweeps: int

    @property
    def seats(self) -> int:
        """The number of seats."""
        return int(self.values.shape[1])

    @property
    def rounding(self) -> float:
        """The rounding bound of a sum in a sweep: K + 2 products and sums, each rounded once."""
        return (self.automaton.kinds + 3) * float(np.finfo(np.float64).eps) * max(1.0, float(np.abs(self.pay).max()))

    @property
    def bound(self) -> float:
        """The error bound of a value, compared with the true value of the policy."""
        return (self.residual + self.rounding) / float(self.automaton.least_win)

    def place(self, kinds: Sequence[int]) -> int:
        """Return the number of a state within its stage, from the kinds of the mover, the next seat, and so on."""
        place = 0
        for kind in kinds:
            place = place * self.automaton.kinds + kind
        return place

    def value(self, stage: int, kinds: Sequence[int]) -> Floats:
        """Return the value of each seat in turn order, the mover's first."""
        return np.asarray(self.values[stage % len(self.values), :, self.place(kinds)])

    def after(self, stage: int, action: int, others: Sequence[int]) -> Floats:
        """Return the value of each seat, the mover's first, after the mover's choice and before its dice fall."""
        kinds = self.automaton.kinds
        begin = self.place(others) * kinds
        following = self.values[(stage + 1) % len(self.values), :, begin : begin + kinds]
        chances = np.array(self.automaton.ways[action]) / self.automaton.total
        won = self.automaton.wins[action] / self.automaton.total
        return np.asarray(won * self.pay[stage % len(self.pay)] + np.roll(following, 1, axis=0) @ chances)

    def start(self, stage: int = 0) -> Floats:
        """Return the value of each seat in turn order, before the first roll."""
        return self.value(stage, (self.automaton.start,) * self.seats)

    def gap(self) -> float:
        """Return the least difference between a mover's best and second-best action, over all states.

        If no state has two actions, it is infinite.
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
    """Return the prizes of a plain race: 1 to the seat that wins, 0 to the others."""
    return np.eye(1, seats)


def solve(
    automaton: Automaton, seats: int, pay: Floats | None = None, chain: Floats | None = None, kernel: Kernel = sweep
) -> SolvedRace:
    """Solve the race of at least two seats.

    pay: ``[1, seats]`` or ``[seats, seats]``, as in the head of the module. The default is the plain race.
    chain: the first guess of a seat's transition matrix. The default comes from the race of two.
    kernel: ``sweep``, or a compiled sweep made by ``fast_sweep``.

    Raises ValueError if the shapes do not fit, or if there are more than 255 actions.
    """
    prizes = plain_pay(seats) if pay is None else np.asarray(pay, dtype=np.float64)
    stages, size = len(prizes), automaton.kinds**seats
    # At most 255 actions, because the policy stores an action in one byte.
    if seats < 2 or prizes.shape not in {(1, seats), (seats, seats)} or len(automaton.wins) > 255:
        raise ValueError(f"no race: {seats} seats, prizes {prizes.shape}, {len(automaton.wins)} actions")
    rules = table(automaton)
    values, policy = np.zeros((stages, seats, size)), np.zeros((stages, size), dtype=np.uint8)
    work = Work(values, prizes, policy, np.zeros(values.shape, dtype=PRECISION))
    if chain is None and seats > 2:
        # The race of two is small. The mean chain of its policy is a good first guess for more seats.
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
    """Iterate until no residual exceeds ``TOLERANCE``. Return (the greatest residual, the number of sweeps).

    ``work`` must hold values and their residual. If ``smooth``, the first step corrects the residual (``correct``)
    before it is added to the values. Otherwise the residual is added as it is.
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
    for first in range(stages):  # one stage later, each seat is one place nearer the mover
        alone.cycle([residual[(first - seat) % stages, seat] for seat in range(seats)])


def _guess(work: Work, chain: Floats) -> None:
    """Set the residual for values that are all 0: the mover's chance to win now under the chain, times the prizes."""
    won = 1 - chain.sum(axis=1)
    shaped = work.residual.reshape(*work.residual.shape[:2], len(chain), -1)
    shaped[:] = work.pay[:, :, None, None] * won[None, None, :, None]


@dataclass(frozen=True, slots=True)
class Response:
    """Best responses to one policy: a single seat deviates from it, and all other seats follow it.

    Definition. The *best response* values B[t][j](k0, rest) of the seat j places after the mover solve

        B[t][0](k0, rest) = max over o in A(k0) of w[o] pay[t][0] + sum over k' of P[o, k'] B[t + 1][n - 1](rest, k')
        B[t][j](k0, rest) = w[o] pay[t][j] + sum over k' of P[o, k'] B[t + 1][j - 1](rest, k'), o = policy[t](k0, rest)

    for j > 0. The deviator maximises its own value at each of its moves, and all other seats follow the policy. This is
    a Markov decision process for each seat, so B is unique, and B >= V, the values of the policy. *NashConv* is the sum
    over seats of B - V at the start of the round (M. Lanctot et al., A unified game-theoretic approach, 2017). It is 0
    exactly in an equilibrium.

    Iteration, stopping rule and bound are as in the head of the module. A turn, also with the maximum, is a contraction
    with a modulus of at most 1 - w_min, so the error of B is at most (residual + rounding) / w_min.
    """

    start: Floats  # the value of each seat's best response, in turn order, before the first roll
    gains: Floats  # ``start`` minus the value of following the policy
    regret: float  # the greatest B - V in any state for any seat
    bound: float  # the error bound of a gain

    @property
    def nash_conv(self) -> float:
        """The sum of all seats' gains, at least 0. Its error is at most ``bound`` for each seat.

        If one sweep shows that no state's gain from a single turn exceeds ``TOLERANCE``, it is exactly 0.
        """
        return max(0.0, float(self.gains.sum()))


def respond(race: SolvedRace, pay: Floats | None = None, kernel: Kernel = sweep) -> Response:
    """Compute the best responses to the policy of a race. The race's values must be the values of its policy.

    pay: the deviator's prizes. They may exceed the race's own prizes, because the seat deviates in later rounds too.
    """
    rules = table(race.automaton)
    work = Work(race.values, race.pay if pay is None else pay, race.policy, np.zeros(race.values.shape, PRECISION))
    worst, count = sweep_all(kernel, rules, work, RESPONSE), 0
    if worst > TOLERANCE:  # the policy is not an equilibrium, so values change: work on a copy
        alone = SeatChain(mean_chain(rules, race.policy), race.seats, PRECISION)
        work = Work(race.values.copy(), work.pay, race.policy, work.residual)
        worst, count = settle(kernel, rules, work, alone, RESPONSE, worst=worst)
    bound = (worst + race.rounding) / float(race.automaton.least_win)
    regret = float((work.values - race.values).max()) if count else 0.0
    start = work.values[0, :, race.place((race.automaton.start,) * race.seats)].copy()
    return Response(start, start - race.start(), max(0.0, regret), bound + race.bound)


def remaining(seats: int, winner: int) -> tuple[int, ...]:
    """Return the places (of this round) of the seats that play the next round, in the turn order of the next round.

    >>> remaining(4, 0), remaining(4, 1), remaining(4, 2)
    ((1, 2, 3), (2, 3, 0), (1, 3, 0))
    """
    return tuple(place % seats for place in range(1, seats + 1) if place % seats != winner)


def prizes(following: Floats) -> Floats:
    """Return ``pay[t, j]`` of a round of drinks, from the start values of the next round, which has one seat fewer.

    The winner of each race leaves, until one seat is left. This function knows no game: the match has the rule.

    A round of n seats is a race with n stages, because the place of Player 1 decides the opener of the next round.
    Places of a round are counted from its Player 1. The winner leaves with utility 1. The next Player 1 is the next
    remaining seat to the left of the last Player 1: place 1, or place 2 if place 1 has won. The turn order stays. Let
    u[m] be the values of a fresh round of m seats in turn order. Place p of the remaining seats in the new order gets
    u[n - 1][p], and u[1] = (0): the last seat left pays.

        pay[t][j] = 1 if j = 0, else u[n - 1][place of seat t + j mod n in the next round]

    The utility is the chance to leave as a winner, before being the last. The values of all seats of a round of n sum
    to n - 1. Errors add up: the bound of a value is the sum of the bounds of its round and of all later ones.
    """
    seats = len(following) + 1
    pay = np.zeros((seats, seats))
    for winner in range(seats):
        pay[winner, 0] = 1.0
        for place, seat in enumerate(remaining(seats, winner)):
            pay[winner, (seat - winner) % seats] = following[place]
    return pay


def respond_rounds(rounds: tuple[SolvedRace, ...], kernel: Kernel = sweep) -> Response:
    """Compute the best responses of a seat that deviates in all rounds, from the start of the largest round.

    rounds: the rounds by number of seats, from two up.
    """
    following = np.zeros(1)
    bound, regret = 0.0, 0.0
    for race in rounds:
        found = respond(race, prizes(following), kernel)
        bound, regret, following = bound + found.bound, max(regret, found.regret), found.start
    return Response(found.start, found.gains, regret, bound)
