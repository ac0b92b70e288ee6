"""How the seats of a Midnight round stand: who leads with what, and what the scores are so far."""

from collections.abc import Sequence
from functools import lru_cache

from pubdice.games.midnight.rules import BEST
from pubdice.text.language import Language

LINES = 1024
"""Lines that are kept of each kind: a turn says the same at every move."""


def _has(language: Language, names: Sequence[str], score: int) -> str:
    """Who has this score, as the beginning of a sentence."""
    others = [name for name in names if name]
    if len(names) == 1:
        return language.about("{name} has {score}", "You have {score}", names[0], score=score)
    text = "{names} have {score}" if len(others) == len(names) else "You and {names} have {score}"
    return language.say(text, names=language.join(others), score=score)


def points(language: Language, score: int) -> str:
    """A score in a word."""
    return str(score) if score else language.say("nothing")


@lru_cache(maxsize=LINES)
def this_round(language: Language, scores: tuple[int, ...], names: tuple[str, ...]) -> str:
    """The scores so far."""
    done = zip(names, scores, strict=False)
    told = [
        language.about("{name} {score}", "you {score}", name, score=points(language, score)) for name, score in done
    ]
    return language.say("This round: {scores}.", scores=", ".join(told))


@lru_cache(maxsize=LINES)
def lead(language: Language, scores: tuple[int, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """Who leads with what, and what the mover needs; nothing before anybody has played."""
    if not scores:
        return ()
    best, mover = max(scores), names[len(scores)]
    if not best:
        return (language.say("Nobody has scored yet. Anything leads."),)
    leaders = [name for name, score in zip(names, scores, strict=False) if score == best]
    has = _has(language, leaders, best)
    if best == BEST:
        return (language.about("{has}: {name} can only tie.", "{has}: you can only tie.", mover, has=has),)
    text = "{has}, {name} needs {more}.", "{has}, you need {more}."
    return (language.about(*text, mover, has=has, more=best + 1),)
