"""A lesson about one decision: what the coach advises, and what is said before a choice that loses much. Knows no game.

The sentences are those of the terminal's coach (``advice.losses.SpokenAdvice``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pubdice.advice.coach import Coach
from pubdice.advice.losses import UTILITIES, Amounts, SpokenAdvice
from pubdice.match.match import MatchState
from pubdice.solve.solver import as_counted
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language

OTHERS = 1
"""Choices told beside the best: all of them are a link away once the match is over."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A decision, told. hint: what is best. costs, warnings: by legal action, in the rules' order, the part of what is
    played for that it loses, and a sentence about it.
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


# Every seat's chances in a match under way, told: exact values under best play. Knows no game, only a solver.


@dataclass(frozen=True, slots=True)
class SeatChances:
    """What the seats may expect. units: a row a state, in printed units (``scale`` of them make 1), every seat's.

    said: the same as it is read out. utility: what the values are. chances: whether they are read in percent. outlook:
    the mover's chances in the last state, such as to beat a score; empty where the game has none to tell.
    """

    units: tuple[tuple[int, ...], ...]
    said: tuple[tuple[str, ...], ...]
    utility: str
    scale: int
    chances: bool
    outlook: str


def chances(coach: Coach, words: GameWords, language: Language, states: Sequence[MatchState[Any]]) -> SeatChances:
    """The chances in these states of a match, of which there is one at least, the latest last."""
    amounts, utility = Amounts(language, coach.solver), coach.solver.utility
    rows = [[as_counted(utility, value) for value in coach.solver.values(state)] for state in states]
    last, outlook = states[-1], ""
    if last.round is not None and not last.over:
        outlook = " ".join(words.chance(language, coach.match.game, last.round, coach.outlook(last)))
    return SeatChances(
        units=tuple([tuple([round(value * amounts.scale) for value in row]) for row in rows]),
        said=tuple([tuple([amounts.value(value) for value in row]) for row in rows]),
        utility=language.say(UTILITIES[utility]),
        scale=amounts.scale,
        chances=amounts.are_chances,
        outlook=outlook,
    )
