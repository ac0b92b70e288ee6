"""A claim of printed advice, with its cost by exact numbers and a verdict."""

from dataclasses import dataclass

from pubdice.solve.numerics import NOTHING
from pubdice.text.language import Language


def per_cent(share: float, digits: int = 2) -> str:
    """A share as the page of strategy prints it.

    >>> per_cent(0.04966), per_cent(-0.0)
    ('4.97%', '0.00%')
    """
    return Language().per_cent(share + 0.0, digits)


@dataclass(frozen=True, slots=True)
class Claim:
    """source: the document and section. advice: its text, in our words. precise: its precise reading, and the utility.

    costs: of following it, by the case looked at, in the unit of that case's utility. shown: the numbers in sentences.
    holds: for a claim of fact, whether it is so, case by case.
    """

    source: str
    advice: str
    precise: str
    costs: tuple[tuple[str, float], ...]
    shown: str
    holds: tuple[tuple[str, bool], ...] = ()

    @property
    def verdict(self) -> str:
        """*true* if it holds, or following it costs nothing, in every case, *false* if in none, otherwise *depends*."""
        free = [held for _, held in self.holds] or [cost < NOTHING for _, cost in self.costs]
        return "true" if all(free) else "depends" if any(free) else "false"
