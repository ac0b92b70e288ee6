"""Tolerances, comparison and ordering of computed values, and extrapolation of an iteration's limit.

Values are sums of products of chances, so values that should be equal differ by rounding. The more sums a value has
gone through, the wider its tolerance. Every tolerance is far below any difference that a player could notice.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import mul
from typing import TypeVar

STILL = 1e-15
"""The greatest change at which an iteration over chances counts as finished: a few units in the last place near 1."""
ROUNDING = 1e-13
"""The most that rounding can change a value of one round, for utilities of at most 1 (``backward_induction``)."""
SAME = ROUNDING
"""The tolerance for equal choices while a round is being solved. Equal choices then differ only by that round's
rounding."""
TIE = 1e-12
"""The tolerance for equal values of a solved game. It is ten times ``ROUNDING``, as such values have gone through
several rounds or iterations."""
NOTHING = 1e-9
"""The limit for losses. A smaller loss, as a share of the prize, is reported as no loss, because it is a difference of
two values, up to 24 points each, from different computations."""

T = TypeVar("T")


def leveled(values: Sequence[float], same: float = TIE) -> list[float]:
    """Raise each value to the greatest value within ``same``, so a stable sort keeps the order of nearly equal values.

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
    """Sort the options from best to worst by the first of ``values``. Later values break ties, then the given order."""
    given = list(options)
    levels = [leveled([value(option) for option in given], same) for value in values]
    return [given[at] for at in sorted(range(len(given)), key=lambda at: [-level[at] for level in levels])]


def first_best(options: Iterable[T], *values: Callable[[T], float], same: float = TIE) -> T:
    """Return the first option of ``best_first``. Raises IndexError if there are no options.

    >>> first_best(["a", "b", "c"], {"a": 0.3, "b": 0.5, "c": 0.5 + 1e-14}.__getitem__)
    'b'
    """
    given = list(options)
    if len(given) > 1:
        worth = [values[0](option) for option in given]
        top = max(worth)
        best = [option for option, value in zip(given, worth, strict=True) if top - value <= same]
        if len(best) == 1 or len(values) == 1:  # nearly always one of these
            return best[0]
    return best_first(given, *values, same=same)[0]


MOST_SHRINKING = 0.99
"""The limit for extrapolation, as the ratio of one step of the sequence to the step before. At a greater ratio the
guess would be far off."""


def guessed_limit(one: Sequence[float], two: Sequence[float], three: Sequence[float]) -> Sequence[float]:
    """Guess the limit of a sequence of vectors by geometric extrapolation, from three vectors equally many steps apart.

    If the steps do not shrink, return the last vector.

    >>> [round(each, 9) for each in guessed_limit([1.5], [1.25], [1.125])]
    [1.0]
    """
    before = [late - early for early, late in zip(one, two, strict=True)]
    after = [late - early for early, late in zip(two, three, strict=True)]
    shrinks = sum(map(mul, before, after)) / (sum(map(mul, before, before)) or 1.0)
    if not 0 < shrinks < MOST_SHRINKING:
        return three
    return [value + step * shrinks / (1 - shrinks) for value, step in zip(three, after, strict=True)]
