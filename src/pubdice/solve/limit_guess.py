"""Where values that are gone through again and again lead to, guessed, so that going through them ends sooner.

Aitken's delta-squared process for the dominant mode of what is missing. A guess needs no bound: the solver goes on from
it as before, and stops by how much a step then moves the values.
"""

from collections.abc import Sequence
from operator import mul

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
