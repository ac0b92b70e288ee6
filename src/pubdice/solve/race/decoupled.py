"""A race in which nobody looks at the others' hands, solved at once: the accelerator of ``race``.

If the mover's action depends on its own kind alone, each seat is a Markov chain of its own with one matrix A[k, k']
(less than stochastic: what is missing are wins), and a turn is the linear map (T v)(k0, rest) = sum over k' of A[k0,
k'] v(rest, k'). Values one round of n turns on are then B = T^n = A x A x … x A, one factor a seat.

To solve x_i = r_i + T x_(i-1) round a cycle of n stages: fold the cycle into one equation, x_0 = r + B x_0 with
r = r_0 + T (r_(n-1) + T (r_(n-2) + …)), sum its Neumann series by doubling, (1 + B)(1 + B^2)(1 + B^4) … r, where B^m
is the n-fold product of A^m and costs n products with a K x K matrix, and unfold.

The real policy looks at other hands only here and there, so a residual of the real equations is nearly annihilated by
solving for it as if nobody looked. Nothing depends on the series being summed to the end: what is left over is left to
the next iteration, and so is the difference between the real policy and A.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.solve.arrays import Floats
from pubdice.solve.race.blocks import THREADS, spread
from pubdice.solve.race.sweep import CHUNK, AutomatonArrays, PolicyChoices

BLOCK = 64 * CHUNK
LEFT = 0.01
"""The series is summed until its remainder is at most this part of it."""


def mean_chain(rules: AutomatonArrays, policy: PolicyChoices) -> Floats:
    """A[k, k']: each kind's chances averaged over all hands of the others, under a policy ``[…, K**seats]``."""
    kinds, actions = rules.kinds, len(rules.win)
    chosen = policy.reshape(-1, kinds, policy.shape[-1] // kinds)
    counts = [np.bincount(chosen[:, kind].ravel(), minlength=actions) for kind in range(kinds)]
    return np.array(counts) / chosen[:, 0].size @ rules.move


class SeatChain:
    """The chain of one seat, and room to work in, made once: fresh memory costs more than the sums done in it."""

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
        while np.linalg.norm(self.powers[-1] @ self.powers[-1], np.inf) ** self.seats > LEFT and len(self.powers) < 60:
            self.powers.append(self.powers[-1] @ self.powers[-1])

    def turn(self, matrix: NDArray[Any], value: NDArray[Any], out: NDArray[Any]) -> None:
        """One seat's turn: its axis multiplied, and all axes moved on by one."""
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
            room, spare = spare, room
        parts[0][:] = self._summed(room)
        for before, part in pairwise(parts):
            self.turn(self.chain, before, self.room[0])
            np.add(part, self.room[0], out=part)

    def _summed(self, value: NDArray[Any]) -> NDArray[Any]:
        ahead, behind = (room for room in self.room if room is not value)
        for power in self.powers:
            source = value
            for _ in range(self.seats):
                self.turn(power, source, ahead)
                source, ahead, behind = ahead, behind, ahead
            value += source
        return value
