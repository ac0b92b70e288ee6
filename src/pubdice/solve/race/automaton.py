"""One seat of a race as an automaton, minimised by bisimulation, for any game.

Definition. Items 0 … N - 1 each offer actions. An action is a distribution: whole-number ways by the item reached, or
by ``END`` if play stops with a win. All actions have the same total of ways. A partition of the items into blocks is
*stable* if any two items of a block offer the same set of distributions over blocks (and ``END``). Equal distributions
within one item count once. There is a coarsest stable partition (the union of all bisimulations). Each function of its
blocks that solves a Bellman equation on the blocks solves it on the items, so values may be computed on blocks.

Algorithm. Start with one block. Split blocks by their items' offers over the present blocks. Stop when nothing splits.
Each step is exact integer arithmetic. At most N - 1 splits are possible, which bounds the number of steps.

Reference: R. Paige, R. Tarjan, Three partition refinement algorithms (1987). The version here is the plain one. It is
fast enough for hundreds of items.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import chain

END = -1

Distribution = Mapping[int, int]
Merged = tuple[tuple[int, int], ...]
"""A distribution over blocks: pairs (block or END, ways), in ascending order."""


def over_blocks(distribution: Distribution, block: Sequence[int]) -> Merged:
    """Add up a distribution's ways by block. ``END`` is a block of its own.

    >>> over_blocks({0: 1, 1: 2, END: 3}, [0, 0])
    ((-1, 3), (0, 3))
    """
    ways: dict[int, int] = {}
    for item, count in distribution.items():
        reached = END if item == END else block[item]
        ways[reached] = ways.get(reached, 0) + count
    return tuple(sorted(ways.items()))


def lump(offers: Sequence[Sequence[Distribution]]) -> tuple[int, ...]:
    """Return the block of each item in the coarsest stable partition.

    Blocks are numbered in the order in which they first appear.

    >>> lump([[{1: 1, END: 1}], [{0: 1, END: 1}], [{2: 1, END: 1}, {END: 2}]])
    (0, 0, 1)
    """
    block = [0] * len(offers)
    blocks = 1 if offers else 0
    while True:
        seen: dict[int, Merged] = {}  # many items may offer the same object: merge it once
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


@dataclass(frozen=True, slots=True)
class Automaton:
    """One seat of a race: its kinds of hand 0 … K - 1, its actions 0 … M - 1, and the kind of a fresh hand (``start``).

    ``wins`` has the ways of each action to win at once, ``ways`` its ways to each kind, ``choices`` the actions of each
    kind.
    """

    wins: tuple[int, ...]
    ways: tuple[tuple[int, ...], ...]
    choices: tuple[tuple[int, ...], ...]
    total: int
    start: int = 0

    def __post_init__(self) -> None:
        for won, ways in zip(self.wins, self.ways, strict=True):
            if won + sum(ways) != self.total or len(ways) != len(self.choices):
                raise ValueError(f"an action counts {won} + {ways}, not {self.total} ways over {len(self.choices)}")

    @property
    def kinds(self) -> int:
        """The number of kinds of hand."""
        return len(self.choices)

    @property
    def least_win(self) -> Fraction:
        """The least chance of any action to win at once. 1 minus this chance is the contraction modulus of a race."""
        return Fraction(min(self.wins), self.total)

    def key(self) -> str:
        """Return a hash of all numbers of the automaton."""
        told = repr((self.wins, self.ways, self.choices, self.total, self.start))
        return sha256(told.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Merge:
    """An automaton made by merging items, with the way back to the items."""

    automaton: Automaton
    kind: tuple[int, ...]  # the kind of each item
    action: tuple[tuple[int, ...], ...]  # for each item, the action that stands for each of its offers


def merge(offers: Sequence[Sequence[Mapping[int, int]]], start: int = 0) -> Merge:
    """Merge items into the minimised automaton (see ``lump``). All actions must have the same total of ways.

    Kinds and actions are numbered in the order in which they first appear. Equal offers of one item are one action. The
    choices of a kind are in the order of its first item.
    """
    kind = lump(offers)
    kinds = max(kind) + 1
    number: dict[Merged, int] = {}
    seen: dict[int, int] = {}  # many items may offer the same object: merge it once
    for offer in chain.from_iterable(offers):
        if id(offer) not in seen:
            seen[id(offer)] = number.setdefault(over_blocks(offer, kind), len(number))
    action = tuple(tuple(seen[id(offer)] for offer in offered) for offered in offers)
    choices: list[tuple[int, ...]] = [()] * kinds
    for item, block in enumerate(kind):
        choices[block] = choices[block] or tuple(dict.fromkeys(action[item]))
    merged = [dict(offer) for offer in number]
    automaton = Automaton(
        tuple(ways.get(END, 0) for ways in merged),
        tuple(tuple(ways.get(block, 0) for block in range(kinds)) for ways in merged),
        tuple(choices),
        sum(merged[0].values()),
        kind[start],
    )
    return Merge(automaton, kind, action)
