"""A lesson about one decision: the coach's advice, and the warning before a choice that loses much. Knows no game.

The sentences are those of the terminal's coach (``advice.spoken_advice.SpokenAdvice``).
"""

from dataclasses import dataclass
from typing import Any

from pubdice.advice.coach import Coach
from pubdice.advice.spoken_advice import SpokenAdvice
from pubdice.match.match import MatchState
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language

OTHERS = 1
"""Choices told beside the best: all of them are a link away once the match is over."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A decision in words. hint: the best choice. costs, warnings: by legal action, in the rules' order, the part of
    the prize that it loses, and a sentence about it.
    """

    hint: str
    costs: tuple[float, ...]
    warnings: tuple[str, ...]


def lesson(coach: Coach, words: GameWords, language: Language, state: MatchState[Any]) -> Lesson:
    """The lesson at a decision of a match."""
    advice, spoken = coach.advise(state), SpokenAdvice(words, coach.match, language, coach.solver)
    choices = [advice.of(action) for action in coach.match.legal(state)]
    return Lesson(
        hint=" ".join(spoken.advise(state, advice, others=OTHERS)),
        costs=tuple([choice.lost / coach.yardstick for choice in choices]),
        warnings=tuple([spoken.warning(state, choice, advice.best) if choice.lost else "" for choice in choices]),
    )
