"""A claim somebody printed about a game, judged by exact numbers. Knows no game."""

from dataclasses import dataclass

from pubdice.solve.tolerance import NOTHING


def per_cent(share: float, digits: int = 2) -> str:
    """A share as it is printed beside a claim.

    >>> per_cent(0.04966), per_cent(-0.0)
    ('4.97 %', '0.00 %')
    """
    return f"{share * 100 + 0.0:.{digits}f} %"


@dataclass(frozen=True, slots=True)
class Claim:
    """source: the document and section. advice: what it says, in our words. precise: how that was made precise, and
    for which utility.

    costs: what following it costs, by the case it was looked at in, in the unit of that case's utility. shown: the
    numbers in sentences. holds: for a claim of fact, whether it is so, case by case.
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
