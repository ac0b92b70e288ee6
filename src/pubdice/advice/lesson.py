"""A lesson about one decision: the coach's advice, and a warning before a costly choice. Works for any game.

The sentences are the same as the terminal coach's (``advice.spoken_advice.SpokenAdvice``).
"""

from dataclasses import dataclass
from typing import Any

from pubdice.advice.coach import Coach
from pubdice.advice.spoken_advice import SpokenAdvice
from pubdice.match.match import MatchState
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language

OTHERS = 1
"""The number of choices shown besides the best. Once the match is over, a link shows the other choices."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The coach's advice on a decision, in words."""

    hint: str  # the best choice
    costs: tuple[float, ...]  # for each legal action, in the rules' order, its loss as a part of the prize
    warnings: tuple[str, ...]  # for each legal action, a sentence on its loss, or "" if it loses nothing


def lesson(coach: Coach, words: GameWords, language: Language, state: MatchState[Any]) -> Lesson:
    """Write the lesson at a decision of a match."""
    advice, spoken = coach.advise(state), SpokenAdvice(words, coach.match, language, coach.solver)
    choices = [advice.of(action) for action in coach.match.legal(state)]
    return Lesson(
        hint=" ".join(spoken.advise(state, advice, others=OTHERS)),
        costs=tuple([choice.lost / coach.yardstick for choice in choices]),
        warnings=tuple([spoken.warning(state, choice, advice.best) if choice.lost else "" for choice in choices]),
    )
