"""A claim somebody printed about a game, judged by exact numbers. Knows no game."""

from collections.abc import Callable
from dataclasses import dataclass

from pubdice.solve.numerics import NOTHING
from pubdice.text.language import Language

ENGLISH = Language()
ClaimWords = Callable[[Language], str]
"""How something is said in a language. The numbers in it are worked out before, once for all languages."""


def per_cent(share: float, digits: int = 2, language: Language = ENGLISH) -> str:
    """A share as it is printed beside a claim.

    >>> per_cent(0.04966), per_cent(-0.0)
    ('4.97 %', '0.00 %')
    """
    return f"{language.number(share * 100 + 0.0, digits)} %"


def claim_words(sentence: str, **facts: object) -> ClaimWords:
    """A sentence whose facts are the same in every language."""
    return lambda language: language.say(sentence, **facts)


@dataclass(frozen=True, slots=True)
class Claim:
    """source: the document and section. advice: what it says, in our words. precise: how that was made precise, and
    for which utility.

    costs: what following it costs, by the case it was looked at in, in the unit of that case's utility. shown: the
    numbers in sentences. holds: for a claim of fact, whether it is so, case by case.
    """

    source: ClaimWords
    advice: ClaimWords
    precise: ClaimWords
    costs: tuple[tuple[str, float], ...]
    shown: ClaimWords
    holds: tuple[tuple[str, bool], ...] = ()

    @property
    def verdict(self) -> str:
        """*true* if it holds, or following it costs nothing, in every case, *false* if in none, otherwise *depends*."""
        free = [held for _, held in self.holds] or [cost < NOTHING for _, cost in self.costs]
        return "true" if all(free) else "depends" if any(free) else "false"
