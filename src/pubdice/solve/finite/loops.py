"""The loops that numba compiles, as plain loops over arrays of types that numba can compile.

All compiled code and the constants that it uses are in this file, because the file's hash names the folder of the
compiled code.
"""

import numpy as np

LANES = 16
"""The number of lanes (utilities) in a block: two vector registers of eight doubles, or four registers of four."""


def plan(  # type: ignore[no-untyped-def]  # noqa: PLR0917
    after, after_starts, spans, order, by_size, ranks, masks, base, rest, rest_starts
):
    """For each decision, find the largest other decision whose choices are a subset of its own.

    The other decision must be of the same layer or a lower one. Its number goes to ``base``, and the choices that only
    the first decision has go to ``rest``.
    """
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
    """Compute the value of the start by backward induction, block by block."""
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
    """Choose by backward induction, then push the chances down from the start along the choices."""
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
                        # both are read first, so the compiler can select instead of branch
                        it, its_other = value[node, lane], other[node, lane]
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
        best[:] = 0.0  # reused from here on for the chance of every decision
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
