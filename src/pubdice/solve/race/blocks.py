"""Work on arrays in blocks that touch nothing of one another, in a few threads. Knows no numbers.

For work that holds no lock: numpy's products and what numba compiles without the interpreter. Which thread takes which
block changes no number, and nor does how many there are.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

THREADS = 2
"""How many threads work unless somebody says otherwise: this layer does not ask the machine for its cores."""


def spread(work: Callable[[int, int], T], size: int, block: int, threads: int = THREADS) -> list[T]:
    """``work(begin, end)`` for blocks from 0 to ``size``, in order.

    >>> spread(lambda begin, end: end - begin, 10, 4)
    [4, 4, 2]
    """
    begins = range(0, size, block)
    if threads == 1 or len(begins) < 2:
        return [work(begin, min(begin + block, size)) for begin in begins]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda begin: work(begin, min(begin + block, size)), begins))
