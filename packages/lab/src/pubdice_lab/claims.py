"""A claim of printed advice, with its exact cost and a verdict."""

from dataclasses import dataclass

from pubdice.solve.numerics import NOTHING
from pubdice.text.language import Language


def per_cent(share: float, digits: int = 2) -> str:
    """Format a share as the page of strategy prints it.

    >>> per_cent(0.04966), per_cent(-0.0)
    ('4.97%', '0.00%')
    """
    return Language().per_cent(share + 0.0, digits)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of printed advice. ``precise`` is the advice made precise, with the utility.

    ``costs`` has the cost of following it by case, each in the unit of that case's utility. A claim of fact has no
    costs. Its ``holds`` is True for each case in which it holds.
    """

    source: str
    advice: str
    precise: str
    costs: tuple[tuple[str, float], ...]
    shown: str
    holds: tuple[tuple[str, bool], ...] = ()

    @property
    def verdict(self) -> str:
        """*true* if the claim is right or free in every case, *false* if in none, otherwise *depends*."""
        free = [held for _, held in self.holds] or [cost < NOTHING for _, cost in self.costs]
        return "true" if all(free) else "depends" if any(free) else "false"
