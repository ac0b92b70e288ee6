"""The sweep of ``sweep`` compiled by numba, if it is installed: the same sums in another order, 256 columns at a time.

A column is one combination of the kinds of hand of all seats but the mover. It is called a *lane*. All functions that a
compiled function calls are in this file (``solve.acceleration``). Each call works on its own blocks of columns and
nothing is summed across blocks, so the number of threads does not change the results.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.solve.acceleration import code_folder, compile_all
from pubdice.solve.arrays import Floats
from pubdice.solve.numerics import TIE
from pubdice.solve.race.sweep import (
    GREEDY,
    RESPONSE,
    THREADS,
    AutomatonArrays,
    Kernel,
    PolicyChoices,
    SweepStage,
    spread,
)

LANES = 256
PITCH = LANES + 8
"""The distance between rows of lanes in memory. It is not a power of two, so rows do not compete for the same lines of
the first-level cache."""
BLOCK = 32 * LANES


def fast_sweep(folder: Path | None = None, threads: int = THREADS) -> Kernel:
    """Return a ``sweep`` compiled by numba. If a folder is given, it caches the compiled code."""
    block = _compiled(folder)

    def run(rules: AutomatonArrays, turn: SweepStage, mode: int = GREEDY) -> float:
        arrays = (*_arrays(rules), turn.there, turn.here, turn.pay, turn.policy, turn.out, mode)
        rests = rules.kinds ** (len(turn.there) - 1)

        def part(begin: int, end: int) -> float:
            return float(block(*arrays, begin, end))

        return max(spread(part, rests, BLOCK, threads))

    return run


@cache
def _compiled(folder: Path | None) -> Callable[..., float]:
    """Compile the loop and try it. If the cache in the folder fails, compile without it."""
    constants = repr((GREEDY, RESPONSE, TIE))
    kept = None if folder is None else code_folder(folder, Path(__file__), constants)
    try:
        block: Callable[..., float] = compile_all(kept, _block, fastmath={"nnan", "nsz", "contract"})[0]
        _try(block)
    except Exception:
        if kept is None:
            raise
        return _compiled(None)
    return block


def _try(block: Callable[..., float]) -> None:
    values, pay, policy = np.zeros((2, 1)), np.zeros(2), np.zeros(1, dtype=np.uint8)
    rules = AutomatonArrays(np.ones(1), np.zeros((1, 1)), (np.zeros(1, dtype=np.intp),))
    block(*_arrays(rules), values, values, pay, policy, np.zeros((2, 1), dtype=np.float32), GREEDY, 0, 1)


def _arrays(rules: AutomatonArrays) -> tuple[NDArray[Any], ...]:
    """Return the automaton as flat arrays.

    They are the nonzero chances by action, and the choices by kind, each with the starts of its runs.
    """
    actions, kinds = np.nonzero(rules.move)
    first = np.searchsorted(actions, np.arange(len(rules.win) + 1))
    begins = np.cumsum([0, *map(len, rules.choices)])
    return (rules.win, first, kinds, rules.move[actions, kinds], begins, np.concatenate(rules.choices))


def _block(  # noqa: C901, PLR0912, PLR0917  one nest of loops, which numba compiles as a whole
    win: Floats,
    first: NDArray[np.intp],
    reached: NDArray[np.intp],
    chance: Floats,
    begins: NDArray[np.intp],
    choices: NDArray[np.intp],
    there: Floats,
    here: Floats,
    pay: Floats,
    policy: PolicyChoices,
    out: NDArray[Any],
    mode: int,
    begin: int,
    end: int,
) -> float:
    """Sweep columns ``begin`` to ``end``. Return the greatest residual among them."""
    seats = there.shape[0]
    kinds = len(begins) - 1
    actions = len(win)
    rests = there.shape[1] // kinds
    lanes = np.zeros((kinds, PITCH))
    after = np.zeros((actions, PITCH))
    picked = np.zeros((kinds, LANES), np.uint8)
    same = np.zeros(kinds, np.bool_)
    best = np.zeros(LANES)
    peak = np.zeros(LANES)
    for low in range(begin, end, LANES):
        width = min(LANES, end - low)
        for seat in range(seats):
            source = there[seat - 1 if seat > 0 else seats - 1]
            for lane in range(width):
                for kind in range(kinds):
                    lanes[kind, lane] = source[(low + lane) * kinds + kind]
            for action in range(actions):
                row = after[action]
                row[:] = win[action] * pay[seat]
                for entry in range(first[action], first[action + 1]):
                    weight, values = chance[entry], lanes[reached[entry]]
                    for lane in range(LANES):
                        row[lane] += weight * values[lane]
            if seat == 0:
                tie = TIE if mode == GREEDY else 0.0
                for kind in range(kinds):
                    one, last = begins[kind], begins[kind + 1]
                    best[:] = -np.inf
                    for choice in range(one, last):
                        row = after[choices[choice]]
                        for lane in range(LANES):
                            best[lane] = row[lane] if row[lane] > best[lane] else best[lane]
                    picks = picked[kind]
                    for choice in range(last - 1, one - 1, -1):
                        row, number = after[choices[choice]], np.uint8(choices[choice])
                        for lane in range(LANES):
                            picks[lane] = number if row[lane] >= best[lane] - tie else picks[lane]
                    if mode == GREEDY:
                        policy[kind * rests + low : kind * rests + low + width] = picks[:width]
            if seat == 1 and mode == RESPONSE:
                for kind in range(kinds):
                    picked[kind, :width] = policy[kind * rests + low : kind * rests + low + width]
            if seat == 0 or (seat == 1 and mode == RESPONSE):
                for kind in range(kinds):
                    agree = True
                    for lane in range(1, width):
                        agree &= picked[kind, lane] == picked[kind, 0]
                    same[kind] = agree
            for kind in range(kinds):
                place = kind * rests + low
                old, new, picks = here[seat, place : place + width], out[seat, place : place + width], picked[kind]
                if same[kind]:
                    row = after[picks[0]]
                    for lane in range(width):
                        best[lane] = row[lane] - old[lane]
                else:
                    for lane in range(width):
                        best[lane] = after[picks[lane], lane] - old[lane]
                for lane in range(width):
                    new[lane] = best[lane]
                    size = abs(best[lane])
                    peak[lane] = size if size > peak[lane] else peak[lane]
    return float(peak.max())
