"""One Bellman sweep of a race in numpy: residuals and the actions chosen. ``race`` has the mathematics.

``there`` are the values one turn later and ``here`` the values to test, both ``[seats, K**seats]``. The output is the
residual, ``out = (sweep of there) - here``, so small differences keep their digits when ``out`` is float32. Let R =
K**(seats - 1). Column ``rest`` of mover kind k0 is state ``k0 * R + rest``. The hands one turn later are the row ``rest
* K + k'``.

If numba is installed, ``compiled_sweep.fast_sweep`` does the same sums faster.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pubdice.solve.arrays import Floats
from pubdice.solve.numerics import TIE
from pubdice.solve.race.automaton import Automaton

T = TypeVar("T")

THREADS = 2
"""The default number of threads. It is fixed, because this layer does not ask the machine for its number of cores."""


def spread(work: Callable[[int, int], T], size: int, block: int, threads: int = THREADS) -> list[T]:
    """Call ``work(begin, end)`` for blocks from 0 to ``size``, on several threads. Return the results in order.

    >>> spread(lambda begin, end: end - begin, 10, 4)
    [4, 4, 2]

    It serves work that releases the interpreter's lock: numpy's products and compiled code. The number of threads, and
    their shares of the work, do not change the results.
    """
    begins = range(0, size, block)
    if threads == 1 or len(begins) < 2:
        return [work(begin, min(begin + block, size)) for begin in begins]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda begin: work(begin, min(begin + block, size)), begins))


PolicyChoices = NDArray[np.uint8]

GREEDY, RESPONSE = 0, 1
"""Modes of a sweep. GREEDY: the mover takes the best action for itself. RESPONSE: each seat's value is computed as if
it alone deviated. At its own moves it takes the best action, and at all other moves the given policy decides."""
CHUNK = 1024
"""The number of columns per step. They stay in the second-level cache, and OpenBLAS uses one thread for products of
this size. With more columns, its threads can make it ten times slower (seen on a shared machine)."""


@dataclass(frozen=True, slots=True)
class AutomatonArrays:
    """An automaton as arrays: the chances ``win[M]`` and ``move[M, K]``, and for each kind its ``choices``."""

    win: Floats
    move: Floats
    choices: tuple[NDArray[np.intp], ...]

    @property
    def kinds(self) -> int:
        """The number of kinds of hand."""
        return len(self.choices)


@dataclass(frozen=True, slots=True)
class SweepStage:
    """The arrays of one sweep over one stage of a race, as in the head of the module.

    If the mover wins now, the seat j places after it gets ``pay[j]``. ``there``, ``here``, ``out``: ``[seats,
    K**seats]``. ``policy``: ``[K**seats]``, an action for each state.
    """

    there: Floats
    here: Floats
    pay: Floats
    policy: PolicyChoices
    out: NDArray[Any]


@dataclass(frozen=True, slots=True)
class Work:
    """The arrays of a ``SweepStage`` for all S stages of a race, with the stage as the first axis."""

    values: Floats
    pay: Floats
    policy: PolicyChoices
    residual: NDArray[Any]

    def turn(self, stage: int) -> SweepStage:
        """Return the arrays of one stage. Its ``there`` has the values of the next stage."""
        there = self.values[(stage + 1) % len(self.values)]
        return SweepStage(there, self.values[stage], self.pay[stage], self.policy[stage], self.residual[stage])


Kernel = Callable[..., float]
"""A sweep of one stage: the function ``sweep``, or a compiled one."""


def table(automaton: Automaton) -> AutomatonArrays:
    """Return the automaton with its chances as floats."""
    return AutomatonArrays(
        np.array(automaton.wins) / automaton.total,
        np.array(automaton.ways, dtype=np.float64) / automaton.total,
        tuple(np.array(choices, dtype=np.intp) for choices in automaton.choices),
    )


def sweep(rules: AutomatonArrays, turn: SweepStage, mode: int = GREEDY) -> float:
    """Write residuals to ``out`` and, if ``GREEDY``, actions to ``policy``. Return the greatest residual.

    Of the actions within ``TIE`` of the mover's best, the mover takes the first in the automaton's order.
    """
    seats, kinds = len(turn.there), rules.kinds
    rests = kinds ** (seats - 1)
    # Views without a copy. After a turn the mover is the last seat, so its kind is the last axis of ``there``. Before
    # the turn it is the first seat, so its kind is the first axis of ``here``.
    rows = turn.there.reshape(seats, rests, kinds)
    new, old = turn.out.reshape(seats, kinds, rests), turn.here.reshape(seats, kinds, rests)
    chosen = turn.policy.reshape(kinds, rests)
    worst = 0.0
    # A chunk fits the cache. A matrix of all states and actions would be larger than the values.
    for begin in range(0, rests, CHUNK):
        part = slice(begin, min(begin + CHUNK, rests))
        gained = [rules.win * pay for pay in turn.pay]
        # ``seats - 1``: one turn later, the mover is the last seat.
        own = rules.move @ rows[seats - 1, part].T + gained[0][:, None]
        if mode == GREEDY:
            for kind, choices in enumerate(rules.choices):
                chosen[kind, part] = best(own, choices, TIE)
        for seat in range(seats):
            after = own if seat == 0 else rules.move @ rows[seat - 1, part].T + gained[seat][:, None]
            for kind, choices in enumerate(rules.choices):
                # No tolerance here: if a deviator left out small gains, the bound on gains would not hold.
                picked = best(own, choices, 0.0) if mode == RESPONSE and seat == 0 else chosen[kind, part]
                change = _taken(after, picked) - old[seat, kind, part]
                new[seat, kind, part] = change
                worst = max(worst, float(np.abs(change).max()))
    return worst


def best(values: Floats, choices: NDArray[np.intp], tie: float) -> PolicyChoices:
    """For each column, return the first action among ``choices`` whose value is within ``tie`` of the best."""
    if len(choices) == 1:
        return np.full(values.shape[1], choices[0], dtype=np.uint8)
    offered = values[choices]
    # ``argmax`` of booleans is the first True. So the rules' order decides ties, on every machine alike.
    return np.asarray(choices[np.argmax(offered >= offered.max(axis=0) - tie, axis=0)], dtype=np.uint8)


def _taken(values: Floats, picked: PolicyChoices) -> Floats:
    first = picked[0]
    # Most blocks take the same action everywhere. A row as a view is much cheaper than a gather.
    if (picked == first).all():
        return np.asarray(values[first])
    return np.asarray(values[picked, np.arange(len(picked))])


def sweep_all(kernel: Kernel, rules: AutomatonArrays, work: Work, mode: int = GREEDY) -> float:
    """Sweep all stages. Return the greatest residual."""
    return max(kernel(rules, work.turn(stage), mode) for stage in range(len(work.values)))
