"""The sums of ``backward_induction``, compiled by numba where it is installed: many utilities, ``LANES`` side by side.

The mathematics stands in ``backward_induction``. A block of lanes is copied out, so that the
innermost loop runs over neighbours in memory and becomes vector instructions, and all a block needs (``nodes +
decisions`` rows of ``LANES`` numbers) stays in the second-level cache. Blocks know nothing of each other: nothing is
summed across them, so the numbers do not depend on how many threads work.

Choices are shared. Many decisions offer all that another one of their layer offers, and a little more; the maximum of
the one is begun from the maximum of the other, which leaves fewer than half of the comparisons (31,500 of 71,752 in a
turn of six dice). They are found from the graph, once.

Sums run through a graph in the order of its branches, numpy's in pairs: the two differ by rounding, less than 1e-12
(tested).
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
from pubdice.solve.finite.graph import Flat, Graph, Ints

# The loops that numba compiles: plain loops over arrays, types as numba sees them.
#
# All that is compiled is in this file, with the constants it takes: its hash names the folder of the compiled code.


LANES = 16
"""Lanes of a block: two vectors of eight doubles, or four of four."""


def plan(  # type: ignore[no-untyped-def]  # noqa: PLR0917
    after, after_starts, spans, order, by_size, ranks, masks, base, rest, rest_starts
):
    """For each decision, in order, the largest of its layer or a lower one whose choices are all its own."""
    behind = 0
    of = np.empty(len(order), dtype=np.int32)
    for layer in range(spans.shape[0]):
        of[spans[layer, 0] : spans[layer, 1]] = layer
    for layer in range(spans.shape[0]):
        for place in range(spans[layer, 0], spans[layer, 1]):
            decision = order[place]
            for rank in range(ranks[decision] - 1, -1, -1):
                other = by_size[rank]
                inside = of[other] <= layer
                for word in range(masks.shape[1]):
                    if masks[other, word] & ~masks[decision, word]:
                        inside = False
                        break
                if inside:
                    base[place] = other
                    break
            for at in range(after_starts[decision], after_starts[decision + 1]):
                node = after[at]
                known = base[place] >= 0 and masks[base[place], node // 64] >> np.uint64(node % 64) & np.uint64(1)
                if not known:
                    rest[behind] = node
                    behind += 1
            rest_starts[place + 1] = behind


def values(  # type: ignore[no-untyped-def]  # noqa: C901, PLR0912, PLR0917
    order, bases, rest, rest_starts, branch, prob, branch_starts, spans, utility, out, first, behind
):
    """Upward induction, block by block."""
    ends, lanes = utility.shape
    nodes, decisions = spans[-1, 3], spans[-1, 1]
    value, best = np.zeros((nodes, LANES)), np.empty((decisions, LANES))
    for block in range(first, behind):
        base = block * LANES
        width = min(LANES, lanes - base)
        for end in range(ends):
            for lane in range(width):
                value[end, lane] = utility[end, base + lane]
        for layer in range(spans.shape[0]):
            for place in range(spans[layer, 0], spans[layer, 1]):
                decision, begin = order[place], rest_starts[place]
                if bases[place] >= 0:
                    for lane in range(LANES):
                        best[decision, lane] = best[bases[place], lane]
                else:
                    for lane in range(LANES):
                        best[decision, lane] = value[rest[begin], lane]
                for at in range(begin, rest_starts[place + 1]):
                    node = rest[at]
                    for lane in range(LANES):
                        best[decision, lane] = max(best[decision, lane], value[node, lane])
            for node in range(spans[layer, 2], spans[layer, 3]):
                for lane in range(LANES):
                    value[node, lane] = 0.0
                for at in range(branch_starts[node - ends], branch_starts[node - ends + 1]):
                    chance, decision = prob[at], branch[at]
                    for lane in range(LANES):
                        value[node, lane] += chance * best[decision, lane]
        for lane in range(width):
            out[base + lane] = value[nodes - 1, lane]


def chances(  # type: ignore[no-untyped-def]  # noqa: C901, PLR0912, PLR0917
    after, after_starts, branch, prob, branch_starts, spans, utility, second, same, out, first, behind
):
    """Upward induction with the choices noted, then chances pushed down from the start along them."""
    ends, lanes = utility.shape
    nodes, decisions = spans[-1, 3], spans[-1, 1]
    value, other, reach = np.zeros((nodes, LANES)), np.zeros((nodes, LANES)), np.empty((nodes, LANES))
    best, best_other = np.empty((decisions, LANES)), np.empty((decisions, LANES))
    chosen, slack = np.empty((decisions, LANES), dtype=np.int32), np.empty(LANES)
    least, least_other, picked = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    for block in range(first, behind):
        base = block * LANES
        width = min(LANES, lanes - base)
        slack[:] = 1.0
        for end in range(ends):
            for lane in range(width):
                value[end, lane] = utility[end, base + lane]
                slack[lane] = max(slack[lane], abs(value[end, lane]))
            other[end, :] = second[end]
        slack *= same
        for layer in range(spans.shape[0]):
            for decision in range(spans[layer, 0], spans[layer, 1]):
                begin, stop = after_starts[decision], after_starts[decision + 1]
                for lane in range(LANES):
                    least[lane] = -np.inf
                    least_other[lane] = -np.inf
                for at in range(begin, stop):
                    node = after[at]
                    for lane in range(LANES):
                        least[lane] = max(least[lane], value[node, lane])
                for lane in range(LANES):
                    least[lane] -= slack[lane]
                for at in range(begin, stop):
                    node = after[at]
                    for lane in range(LANES):
                        it, its_other = value[node, lane], other[node, lane]  # both read first: selects, no branches
                        seen = its_other if it >= least[lane] else -np.inf
                        least_other[lane] = seen if seen > least_other[lane] else least_other[lane]
                for lane in range(LANES):
                    least_other[lane] -= same
                for at in range(stop - 1, begin - 1, -1):
                    node = after[at]
                    name = float(node)
                    for lane in range(LANES):
                        it, its_other, kept = value[node, lane], other[node, lane], picked[lane]
                        taken = name if its_other >= least_other[lane] else kept
                        picked[lane] = taken if it >= least[lane] else kept
                for lane in range(LANES):
                    chosen[decision, lane] = picked[lane]
                    best[decision, lane] = value[chosen[decision, lane], lane]
                    best_other[decision, lane] = other[chosen[decision, lane], lane]
            for node in range(spans[layer, 2], spans[layer, 3]):
                value[node, :] = 0.0
                other[node, :] = 0.0
                for at in range(branch_starts[node - ends], branch_starts[node - ends + 1]):
                    chance, decision = prob[at], branch[at]
                    for lane in range(LANES):
                        value[node, lane] += chance * best[decision, lane]
                        other[node, lane] += chance * best_other[decision, lane]
        reach[:] = 0.0
        reach[nodes - 1, :] = 1.0
        best[:] = 0.0  # from here on: the chance of every decision
        for layer in range(spans.shape[0] - 1, -1, -1):
            for node in range(spans[layer, 2], spans[layer, 3]):
                for at in range(branch_starts[node - ends], branch_starts[node - ends + 1]):
                    chance, decision = prob[at], branch[at]
                    for lane in range(LANES):
                        best[decision, lane] += chance * reach[node, lane]
            for decision in range(spans[layer, 0], spans[layer, 1]):
                for lane in range(LANES):
                    reach[chosen[decision, lane], lane] += best[decision, lane]
        for end in range(ends):
            for lane in range(width):
                out[end, base + lane] = reach[end, lane]


READY, COLD = 120_000_000, 1_200_000_000
"""Choices and branches, over all lanes, that numpy works out while numba is loaded (0.5 s), and while it compiles
(5 s), for values of the start: 240 million a second."""
CHANCES = 4
"""Chances of the ends take this many times as long, rounded up: 70 million a second."""


def pays(graph: Graph, lanes: int, times: int = 1) -> bool:
    """True if this many lanes, now and in calls to come, are work enough to load numba for; once it is loaded, any.

    times: how many times as long it takes as values do, such as ``CHANCES``.
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
    """The folder that caches compiled code, versioned by the loops' file; None without one."""
    below = cache_folder()
    return None if below is None else code_folder(below, Path(__file__))


@cache
def kernels() -> tuple[Callable[..., None], Callable[..., None], Callable[..., None]]:
    """The kernels, compiled: values of the start, chances of the ends from the start, and what decisions share."""
    kept = folder()
    if kept is None:
        return _compiled(None)
    try:
        return _compiled(kept)
    except Exception:  # noqa: BLE001  numba finds no place for the code there, and says so in ways of its own
        return _compiled(None)


def _compiled(kept: Path | None) -> tuple[Callable[..., None], Callable[..., None], Callable[..., None]]:
    compiled = compile_all(kept, values, chances, plan)
    return compiled[0], compiled[1], compiled[2]


def start_values(graph: Graph, utility: Floats) -> Floats:
    """[lanes] the value of the start; ``utility``: [ends, lanes]."""
    flat, out = graph.flat, np.empty(utility.shape[1])
    _run(kernels()[0], (*_shared(graph), flat.branch, flat.prob, flat.branch_starts, flat.spans, utility, out), out)
    return out


def start_chances(graph: Graph, utility: Floats, second: Floats, same: float) -> Floats:
    """[ends, lanes] the chance of every end from the start; ``second``: [ends] decides between equals."""
    flat, out = graph.flat, np.empty(utility.shape)
    fixed = (flat.after, flat.after_starts, flat.branch, flat.prob, flat.branch_starts, flat.spans)
    _run(kernels()[1], (*fixed, utility, second, same, out), out)
    return out


def _run(kernel: Callable[..., None], args: tuple[Any, ...], out: Floats) -> None:
    """Blocks of lanes, shared out between as many threads as there are cores."""
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
    """(decisions in order, for each the one it builds on or -1, the nodes to add run by run, where each run starts)."""
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
