"""Every seat's chances in a match under way, exact under best play, in words. It needs only a solver."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pubdice.advice.coach import Coach
from pubdice.advice.spoken_advice import UTILITIES, Amounts
from pubdice.match.match import MatchState
from pubdice.match.narrate import turn_to_tell
from pubdice.solve.solver import as_counted
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class SeatChances:
    """The seats' values in some states of a match."""

    units: tuple[tuple[int, ...], ...]
    """A row for each state: each seat's value in printed units, ``scale`` of which make 1."""
    said: tuple[tuple[str, ...], ...]  # the values of ``units``, in words
    utility: str  # the name of the values
    scale: int
    chances: bool  # True if the values are read in percent
    outlook: str  # the mover's chances in the last state, such as to beat a score. "" if the game has no such chances.


def chances(coach: Coach, words: GameWords, language: Language, states: Sequence[MatchState[Any]]) -> SeatChances:
    """Return the seats' chances in these states of a match, in order of time. There must be at least one state."""
    amounts, utility = Amounts(language, coach.solver), coach.solver.utility
    rows = [[as_counted(utility, value) for value in coach.solver.values(state)] for state in states]
    last, outlook = states[-1], ""
    if last.round is not None and not last.over:
        told = turn_to_tell(coach.match, last).round
        outlook = " ".join(words.chance(language, coach.match.game, told, coach.outlook(last)))
    return SeatChances(
        units=tuple([tuple([round(value * amounts.scale) for value in row]) for row in rows]),
        said=tuple([tuple([amounts.value(value) for value in row]) for row in rows]),
        utility=language.say(UTILITIES[utility]),
        scale=amounts.scale,
        chances=amounts.are_chances,
        outlook=outlook,
    )
