"""``backward_induction`` compiled by numba, if it is installed, for many utilities, ``LANES`` at a time.

The module ``backward_induction`` explains the mathematics. Each utility is a *lane*, a column. Each block of ``LANES``
utilities is copied into an array of its own. The innermost loop then runs over neighbours in memory and becomes vector
instructions. A block's working set, ``nodes + decisions`` rows of ``LANES`` numbers, stays in the second-level cache.
Blocks are independent and nothing is summed across them, so the number of threads does not change the results.

Decisions share their choices. Many decisions offer all choices of another decision of their layer or a lower one, and a
few more. The maximum of such a decision starts from the other's maximum. That leaves fewer than half of the comparisons
(31,500 of 71,752 in a turn of six dice). The shared choices are found once for each graph.

These loops add in the order of a graph's branches, but numpy adds in pairs. So the results differ by rounding, less
than 1e-12 (tested).
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from pubdice.cache_folder import cache_folder
from pubdice.solve.acceleration import code_folder, compile_all, most_threads, numba_there
from pubdice.solve.arrays import Floats
from pubdice.solve.finite import loops
from pubdice.solve.finite.graph import Flat, Graph, Ints
from pubdice.solve.finite.loops import LANES, chances, plan, values

READY, COLD = 120_000_000, 1_200_000_000
"""The least work for which numba is loaded, if its compiled code is cached (``READY``) or not (``COLD``).

Work is the number of choices and branches, times the lanes. numpy does 240 million a second, so this is the work that
it does while numba loads (0.5 s) or compiles (5 s).
"""
CHANCES = 4
"""The cost of the chances of the ends (70 million a second), as a multiple of the cost of a value, rounded up."""


def pays(graph: Graph, lanes: int, times: int = 1) -> bool:
    """Return True if the work is large enough to load numba for it.

    If numba is already loaded, ``LANES`` lanes are enough. ``lanes`` counts the lanes of this call and of later calls
    that the caller expects. ``times`` is the cost of a lane as a multiple of a value's, such as ``CHANCES``.
    """
    if not numba_there():
        return False
    if kernels.cache_info().currsize:
        return lanes >= LANES
    flat = graph.flat
    work = times * lanes * (len(flat.after) + len(flat.branch))
    kept = folder()
    return work >= (READY if kept is not None and kept.exists() else COLD)


def folder() -> Path | None:
    """Return the folder that caches compiled code, or None. Its name has a hash of the file ``loops.py``."""
    below = cache_folder()
    return None if below is None else code_folder(below, Path(loops.__file__))


@cache
def kernels() -> tuple[Callable[..., None], Callable[..., None], Callable[..., None]]:
    """Return the compiled functions ``values``, ``chances`` and ``plan`` of ``loops``."""
    kept = folder()
    if kept is None:
        return _compiled(None)
    try:
        return _compiled(kept)
    except Exception:  # noqa: BLE001  numba cannot write to the folder, and raises errors of its own
        return _compiled(None)


def _compiled(kept: Path | None) -> tuple[Callable[..., None], Callable[..., None], Callable[..., None]]:
    compiled = compile_all(kept, values, chances, plan)
    return compiled[0], compiled[1], compiled[2]


def start_values(graph: Graph, utility: Floats) -> Floats:
    """Return [lanes] the value of the start under best play. ``utility``: [ends, lanes]."""
    flat, out = graph.flat, np.empty(utility.shape[1])
    _run(kernels()[0], (*_shared(graph), flat.branch, flat.prob, flat.branch_starts, flat.spans, utility, out), out)
    return out


def start_chances(graph: Graph, utility: Floats, second: Floats, same: float) -> Floats:
    """Return [ends, lanes] the chance of every end from the start. Of equal choices, ``second`` [ends] decides."""
    flat, out = graph.flat, np.empty(utility.shape)
    fixed = (flat.after, flat.after_starts, flat.branch, flat.prob, flat.branch_starts, flat.spans)
    _run(kernels()[1], (*fixed, utility, second, same, out), out)
    return out


def _run(kernel: Callable[..., None], args: tuple[Any, ...], out: Floats) -> None:
    """Run a kernel over all blocks of lanes, on as many threads as there are cores."""
    blocks = -(-out.shape[-1] // LANES)
    threads = min(blocks, most_threads())
    bounds = [blocks * thread // threads for thread in range(threads + 1)]
    if threads <= 1:
        kernel(*args, 0, blocks)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda at: kernel(*args, bounds[at], bounds[at + 1]), range(threads)))


_plans: WeakKeyDictionary[Flat, tuple[Ints, Ints, Ints, Ints]] = WeakKeyDictionary()


def _shared(graph: Graph) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the plan of shared choices (``loops.plan``) as four arrays.

    - the decisions, in the order in which they are computed
    - for each of them, the decision whose choices it shares, or -1
    - the nodes that it adds to these choices, run by run
    - the starts of the runs
    """
    flat = graph.flat
    if flat not in _plans:
        sizes = np.diff(flat.after_starts)
        layer = np.repeat(np.arange(len(flat.spans)), flat.spans[:, 1] - flat.spans[:, 0])
        order, by_size = np.lexsort((sizes, layer)).astype(np.int32), np.argsort(sizes, kind="stable")
        ranks = np.argsort(by_size)
        masks = np.zeros((graph.decisions, graph.nodes // 64 + 1), dtype=np.uint64)
        owner = np.repeat(np.arange(graph.decisions), sizes)
        np.bitwise_or.at(masks, (owner, flat.after // 64), np.uint64(1) << (flat.after % 64).astype(np.uint64))
        base = np.full(graph.decisions, -1, dtype=np.int32)
        rest, rest_starts = np.empty_like(flat.after), np.zeros(graph.decisions + 1, dtype=np.int32)
        kernels()[2](flat.after, flat.after_starts, flat.spans, order, by_size, ranks, masks, base, rest, rest_starts)
        _plans[flat] = order, base, rest[: rest_starts[-1]], rest_starts
    return _plans[flat]
