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
    """A claim of printed advice. ``precise`` is the advice put precisely, with the utility that is measured.

    ``costs`` has for each case the cost of following the advice, in the unit of that case's utility. A claim about a
    fact has no costs. Its ``holds`` has for each case True if the fact is so.
    """

    source: str
    advice: str
    precise: str
    costs: tuple[tuple[str, float], ...]
    shown: str
    holds: tuple[tuple[str, bool], ...] = ()

    @property
    def verdict(self) -> str:
        """*true* if the claim costs nothing, or holds, in every case, *false* if in no case, otherwise *depends*."""
        free = [held for _, held in self.holds] or [cost < NOTHING for _, cost in self.costs]
        return "true" if all(free) else "depends" if any(free) else "false"
