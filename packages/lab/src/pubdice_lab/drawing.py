"""Sampling of many matches at once from the rows of a ``MatchChain``, with alias tables and a counter-based random
generator.

Method. A row of n outcomes becomes n columns of equal chance. A column belongs to at most two outcomes (Walker, An
efficient method for generating discrete random variables with general distributions, ACM Transactions on Mathematical
Software 3, 1977; built as by Vose, IEEE Transactions on Software Engineering 17, 1991). One 64-bit word draws one turn.
Its upper half chooses the column, and its lower half chooses between the two outcomes. So in a row of n outcomes, a
chance is off by at most n / 2^32.

Matches are drawn in blocks. Each block has its own stream of words: Philox 4x64-10 (Salmon, Moraes, Dror and Shaw,
Parallel random numbers: as easy as 1, 2, 3, SC 2011). The key comes from the seed, and the counter from the number of
the block. In each pass, every unfinished match of the block draws one turn, in order. So the counts of a block depend
only on the seed, the block and its size. Counts are integers, so their sums are the same in any order. The loops run in
numpy, or in numba if it is installed. Both draw the same matches from the same words.
"""

from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.cache_folder import cache_folder
from pubdice.core.errors import Unsolved
from pubdice.match.match import MatchState
from pubdice.solve.acceleration import code_folder, compile_all, numba_there
from pubdice.solve.finite.graph import Ints
from pubdice_lab.chain import OVER, MatchChain, TurnEvent, WholeChain

Words = NDArray[np.uint64]

HALF = 1 << 32
MOST_STATES = 400_000
"""The most nodes that are stored, about 0.5 GB. If there are more, only the nodes are kept at which an unfinished match
stands."""
LONGEST_MATCH = 1_000_000
"""The most turns of a match. There must be a limit, because under some policies a match never ends."""


CUT, OTHER, TO, EVENT = range(4)
"""The four numbers of a column.

- CUT: if the lower half of the word is below this, the column's own outcome is drawn.
- OTHER: the column whose outcome is drawn otherwise. A column without another outcome has itself.
- TO: the node that follows the column's own outcome.
- EVENT: the number of the event of the column's own outcome."""


def step(words, at, rows, columns, counts):  # type: ignore[no-untyped-def]  # compiled by numba
    """Draw one turn of each match. Returns the number of matches that go on. ``at`` gets the next nodes of those
    matches.
    """
    left = 0
    for match in range(len(words)):
        word, node = words[match], at[match]
        upper = word >> np.uint64(32)
        column = rows[node, 0] + (upper * rows[node, 1] >> np.uint64(32))
        if np.uint32(word) >= np.uint32(columns[column, 0]):
            column = np.uint64(columns[column, 1])
        counts[columns[column, 3]] += 1
        following = columns[column, 2]
        at[left] = following
        left += following >= 0
    return left


def plain_step(words: Words, at: Ints, rows: Any, columns: Ints, counts: Any) -> int:
    """Do the same as ``step``, in numpy."""
    row, half = rows.take(at, axis=0), np.uint64(32)
    outcome = (row[:, 0] + ((words >> half) * row[:, 1] >> half)).astype(np.intp)
    column = columns.take(outcome, axis=0)
    shared = words.astype(np.uint32) >= column[:, CUT].view(np.uint32)
    outcome = np.where(shared, column[:, OTHER], outcome)
    counts += np.bincount(columns[:, EVENT].take(outcome), minlength=len(counts))
    following = columns[:, TO].take(outcome)
    following = following[following >= 0]
    at[: len(following)] = following
    return len(following)


@cache
def compiled_step() -> Callable[..., int]:
    """Return ``step`` compiled by numba. Its machine code is cached if there is a folder for it."""
    below = cache_folder()
    try:
        return compile_all(below and code_folder(below, Path(__file__)), step)[0]
    except Exception:  # noqa: BLE001 numba may be unable to write there, and it raises different errors for that
        return compile_all(None, step)[0]


def alias(chances: list[float]) -> tuple[list[int], list[int]]:
    """Return the alias table of a row, as two lists by column: the cuts (of 2^32), and the other columns.

    If a draw is below the cut, it takes the column's own outcome. Otherwise it takes the outcome of the other column.

    >>> alias([0.75, 0.25])
    ([4294967296, 2147483648], [0, 0])
    """
    number, total = len(chances), sum(chances)
    parts = [int(chance / total * number * HALF) for chance in chances]
    parts[parts.index(max(parts))] += number * HALF - sum(parts)  # the largest part gets what rounding has lost
    other = list(range(number))
    small, large = ([at for at in other if (parts[at] < HALF) == less] for less in (True, False))
    while small and large:
        poor, rich = small.pop(), large[-1]
        other[poor] = rich
        parts[rich] -= HALF - parts[poor]
        if parts[rich] < HALF:
            small.append(large.pop())
    return parts, other


class DrawnMatches:
    """Matches of a chain, drawn block by block. If ``whole`` is None, each row is computed when it is first needed.

    ``compiled`` is True for numba and False for numpy. None takes numba if it is installed.
    """

    def __init__(self, chain: MatchChain, whole: WholeChain | None, seed: str, *, compiled: bool | None = None) -> None:
        self.chain = chain
        self.key = int.from_bytes(sha256(seed.encode()).digest()[:16], "little")
        self.step = compiled_step() if (numba_there() if compiled is None else compiled) else plain_step
        self._adding = Lock()  # threads share the rows, and without a whole chain each thread adds rows
        self._events: dict[TurnEvent, int] = {}
        self._clear([chain.start])
        self._whole = whole is not None
        if whole is not None:
            self._events = {event: at for at, event in enumerate(whole.events)}
            rows = np.split(np.arange(len(whole.source)), np.flatnonzero(np.diff(whole.source)) + 1)
            for row in rows:
                self._add(int(whole.source[row[0]]), whole.chance[row], whole.target[row], whole.event[row])
            self._rowless = 0

    def block(self, number: int, games: int) -> dict[TurnEvent, int]:
        """Draw a block of matches and count their events. Raises Unsolved("endless-match")."""
        with nullcontext() if self._whole else self._adding:
            return self._block(np.random.Philox(key=self.key, counter=[0, 0, number, 0]), games)

    def _block(self, words: np.random.Philox, games: int) -> dict[TurnEvent, int]:
        at = np.zeros(games, dtype=np.int32)
        if not self._whole:
            at[:] = self._number(self.chain.start)
        counts, left = np.zeros(len(self._events), dtype=np.int64), games
        for _ in range(LONGEST_MATCH):
            if self._rowless:
                self._work_out(at[:left])
                counts = np.concatenate([counts, np.zeros(len(self._events) - len(counts), dtype=np.int64)])
            left = self.step(words.random_raw(left), at[:left], self._rows, self._columns, counts)
            if not left:
                return {event: int(met) for event, met in zip(self._events, counts, strict=False) if met}
        raise Unsolved("endless-match", most=LONGEST_MATCH)

    def _clear(self, states: list[MatchState[Any]]) -> None:
        self._known: dict[MatchState[Any], int] = {}
        self._states: list[MatchState[Any]] = []
        self._rows = np.zeros((1024, 2), dtype=np.uint32)
        self._columns = np.zeros((4096, 4), dtype=np.int32)
        self._entries = self._rowless = 0
        for state in states:
            self._number(state)

    def _number(self, state: MatchState[Any]) -> int:
        number = self._known.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
            self._rowless += 1
            if number == len(self._rows):
                self._rows = _longer(self._rows)
        return number

    def _work_out(self, at: Ints) -> None:
        """Compute the rows that the matches' nodes lack. If there are too many nodes, drop most, and renumber those in
        ``at``.
        """
        if len(self._states) > MOST_STATES:
            here, back = np.unique(at, return_inverse=True)
            self._clear([self._states[node] for node in here.tolist()])
            at[:] = back.ravel()
        for node in np.unique(at[self._rows[at, 1] == 0]).tolist():
            row = self.chain.row(self._states[node])
            targets = [OVER if each.node is None else self._number(each.node) for each in row]
            events = [self._events.setdefault(each.event, len(self._events)) for each in row]
            self._add(node, [each.chance for each in row], targets, events)
            self._rowless -= 1

    def _add(self, node: int, chances: Any, targets: Any, events: Any) -> None:
        begin, behind = self._entries, self._entries + len(chances)
        while node >= len(self._rows):
            self._rows = _longer(self._rows)
        while behind > len(self._columns):
            self._columns = _longer(self._columns)
        cut, other = alias(list(map(float, chances)))
        block = self._columns[begin:behind]
        block[:, CUT] = np.array(cut, dtype=np.uint64).astype(np.uint32).view(np.int32)
        block[:, OTHER] = np.add(other, begin)
        block[:, TO], block[:, EVENT] = targets, events
        self._rows[node] = begin, len(chances)
        self._entries = behind


def _longer(array: Any) -> Any:
    return np.concatenate([array, np.zeros_like(array)])
