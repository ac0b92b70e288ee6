"""Comparison of computed values: equal within rounding, the best or the order of them; and the limit of an iteration.

Values are sums of products of chances, so equal ones differ by rounding, in whatever order they were added. The further
a value is from the sum, the wider its tolerance; each is far below any difference that a player could notice.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import mul
from typing import TypeVar

STILL = 1e-15
"""A fixed point of chances is reached when a step moves none by more: a few units in the last place near 1."""
ROUNDING = 1e-13
"""Of the greatest utility: by how much rounding may move a value of one round (``finite.backward_induction``)."""
SAME = ROUNDING
"""Choices this close are equal while a round is being solved, where nothing but its own rounding lies between them."""
TIE = 1e-12
"""Values of a solved game this close are equal: ten roundings, as they went through several rounds or sweeps."""
NOTHING = 1e-9
"""The share of the prize below which a loss is reported as none. Costs are differences of values that were worked out
in different ways, up to 24 points each.
"""

T = TypeVar("T")


def leveled(values: Sequence[float], same: float = TIE) -> list[float]:
    """The values, each raised to the greatest that it is equal to, so that sorting leaves equal ones in their order.

    >>> leveled([0.5, 0.3, 0.5 + 1e-14])
    [0.50000000000001, 0.3, 0.50000000000001]
    """
    raised = list(values)
    level = max(values, default=0.0)
    for at in sorted(range(len(values)), key=lambda at: -values[at]):
        if level - values[at] > same:
            level = values[at]
        raised[at] = level
    return raised


def best_first(options: Iterable[T], *values: Callable[[T], float], same: float = TIE) -> list[T]:
    """The options, the best first; of those equal by one value the better by the next, then in the order given."""
    given = list(options)
    levels = [leveled([value(option) for option in given], same) for value in values]
    return [given[at] for at in sorted(range(len(given)), key=lambda at: [-level[at] for level in levels])]


def first_best(options: Iterable[T], *values: Callable[[T], float], same: float = TIE) -> T:
    """The first of ``best_first``. Raises IndexError without options.

    >>> first_best(["a", "b", "c"], {"a": 0.3, "b": 0.5, "c": 0.5 + 1e-14}.__getitem__)
    'b'
    """
    given = list(options)
    if len(given) > 1:
        worth = [values[0](option) for option in given]
        top = max(worth)
        best = [option for option, value in zip(given, worth, strict=True) if top - value <= same]
        if len(best) == 1 or len(values) == 1:  # nearly always
            return best[0]
    return best_first(given, *values, same=same)[0]


MOST_SHRINKING = 0.99
"""Above that a guess would lie far off."""


def guessed_limit(one: Sequence[float], two: Sequence[float], three: Sequence[float]) -> Sequence[float]:
    """The limit of three rows of values, each as many steps after the last; the last where what is missing grows.

    >>> [round(each, 9) for each in guessed_limit([1.5], [1.25], [1.125])]
    [1.0]
    """
    before = [late - early for early, late in zip(one, two, strict=True)]
    after = [late - early for early, late in zip(two, three, strict=True)]
    shrinks = sum(map(mul, before, after)) / (sum(map(mul, before, before)) or 1.0)
    if not 0 < shrinks < MOST_SHRINKING:
        return three
    return [value + step * shrinks / (1 - shrinks) for value, step in zip(three, after, strict=True)]
