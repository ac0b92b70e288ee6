"""Positions that can never be told apart: the coarsest partition of a graph of choices, by refinement. Knows no game.

Definition. Items 0 … N - 1 each offer actions; an action is a distribution, whole-number ways by the item reached, or
``END`` where play stops with a win. All actions count the same total of ways. A partition of the items is *stable* if
any two items of a block offer the same set of distributions over blocks (and ``END``); equal distributions within one
item count once. There is a coarsest stable partition (bisimulation, the union of all of them), and there every
function of blocks that solves a Bellman equation of the items solves it on the blocks, so values may be computed on
blocks.

Algorithm. Start with one block; split blocks by what their items offer over the present blocks; stop when nothing
splits. Each step is exact integer arithmetic, and the N - 1 possible splits bound the number of steps.

Reference: R. Paige, R. Tarjan, Three partition refinement algorithms (1987); the plain version here, which is quick
enough for hundreds of items.
"""

from collections.abc import Mapping, Sequence

END = -1

Distribution = Mapping[int, int]
Merged = tuple[tuple[int, int], ...]
"""A distribution over blocks: (block or END, ways), ascending."""


def over_blocks(distribution: Distribution, block: Sequence[int]) -> Merged:
    """The distribution over blocks; ``END`` stays itself.

    >>> over_blocks({0: 1, 1: 2, END: 3}, [0, 0])
    ((-1, 3), (0, 3))
    """
    ways: dict[int, int] = {}
    for item, count in distribution.items():
        reached = END if item == END else block[item]
        ways[reached] = ways.get(reached, 0) + count
    return tuple(sorted(ways.items()))


def lump(offers: Sequence[Sequence[Distribution]]) -> tuple[int, ...]:
    """The block of each item in the coarsest stable partition, numbered in the order the blocks first appear.

    >>> lump([[{1: 1, END: 1}], [{0: 1, END: 1}], [{2: 1, END: 1}, {END: 2}]])
    (0, 0, 1)
    """
    block = [0] * len(offers)
    blocks = 1 if offers else 0
    while True:
        seen: dict[int, Merged] = {}  # the same distribution may be offered by many items: merge it once
        number: dict[tuple[int, frozenset[Merged]], int] = {}
        finer = []
        for item, actions in enumerate(offers):
            for action in actions:
                if id(action) not in seen:
                    seen[id(action)] = over_blocks(action, block)
            offered = frozenset(seen[id(action)] for action in actions)
            finer.append(number.setdefault((block[item], offered), len(number)))
        block = finer
        if len(number) == blocks:
            return tuple(block)
        blocks = len(number)
