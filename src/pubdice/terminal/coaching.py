"""The coach at a table: advice and chances when asked for, a word before a keep that loses much. Solves only then."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from pubdice.advice.coach import MISTAKE, Advice, Choice, Coach
from pubdice.advice.losses import MOST_OTHERS, Amounts, SpokenAdvice
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.failures import OTHER, TOO_LARGE
from pubdice.kit import Kit
from pubdice.match.match import Match, MatchState
from pubdice.terminal.console import Console
from pubdice.terminal.sentences import FaultError, explain
from pubdice.text.language import Language

USUAL_PER_CENT = MISTAKE * 100
"""The least value lost that is warned of, in percent of the yardstick, unless somebody says otherwise."""
QUICK_SEATS = 4
"""With more seats a solution may take minutes: then it waits until advice is asked for outright."""


def solved(kit: Kit, match: Match[Any, Any], language: Language) -> Coach:
    """A coach for a match. Raises FaultError where it is not solved, in a sentence."""
    if kit.solver is None:
        raise FaultError(not_solved(language, kit), 1)
    try:
        return Coach(kit.solver(match), match)
    except ImportError:
        told = language.say("Advice needs numpy, which is not installed here: pip install numpy.")
        raise FaultError(told, 1) from None
    except (Unsolved, BadNotation) as error:
        raise FaultError(explain(language, error, kit.words), OTHER) from None


def working(language: Language, line: Console | None) -> AbstractContextManager[None]:
    """A word if what stands inside takes longer than a moment, as solving may; nothing where no line is given."""
    return nullcontext() if line is None else line.waiting(language.say("Working it out. This may take a minute."))


def not_solved(language: Language, kit: Kit) -> str:
    """What is said where a game has no solver."""
    return language.say("{title} is not solved here, so the coach has nothing to say.", title=kit.words.title)


def too_much(language: Language) -> FaultError:
    """What is said where a solution outgrows the machine."""
    return FaultError(language.say(TOO_LARGE), 1)


class Counsel:
    """What the coach says at one table, in sentences; nothing is solved before it is asked.

    line: where somebody waits for it, if anybody does. warn: the least value lost, as a part of the yardstick, that is
    warned of; None never warns.
    """

    def __init__(
        self,
        kit: Kit,
        match: Match[Any, Any],
        language: Language,
        line: Console | None = None,
        warn: float | None = None,
    ) -> None:
        self.kit, self.match, self.words, self.language, self.warn = kit, match, kit.words, language, warn
        self._line = line
        self._coach: Coach | None = None
        self._warned: set[tuple[MatchState[Any], Any]] = set()

    def working(self) -> AbstractContextManager[None]:
        """A word to those who wait, if what stands inside takes longer than a moment."""
        return working(self.language, self._line)

    @property
    def coach(self) -> Coach:
        """The coach, made when first asked for. Raises FaultError."""
        if self._coach is None:
            with self.working():
                self._coach = solved(self.kit, self.match, self.language)
        return self._coach

    @property
    def _quick(self) -> bool:
        """Whether this match is solved within a few seconds."""
        return self.match.seats <= QUICK_SEATS

    @property
    def amounts(self) -> Amounts:
        """How this match's values are said."""
        return self._spoken.amounts

    @property
    def _spoken(self) -> SpokenAdvice:
        return SpokenAdvice(self.words, self.match, self.language, self.coach.solver)

    def advise(self, state: MatchState[Any]) -> Advice:
        """The advice at a decision. Raises FaultError."""
        coach = self.coach
        try:
            with self.working():
                return coach.advise(state)
        except (MemoryError, RecursionError):
            raise too_much(self.language) from None

    def advice(self, state: MatchState[Any], marked: Any = None, others: int = MOST_OTHERS) -> list[str]:
        """The best action and a few others; ``marked``: the one that is marked now. Raises FaultError."""
        say = self.language.say
        if state.over:
            return [say("The match is over.")]
        if state.round is None:
            return [say("Draw Player 1 first.")]
        if not self.match.legal(state):
            return [say("You can't choose yet. Roll first.")]
        return self._spoken.advise(state, self.advise(state), marked, others)

    def act(self, state: MatchState[Any], choice: Choice) -> str:
        """An action in words."""
        return self._spoken.act(state, choice)

    def compared(self, state: MatchState[Any], choice: Choice, best: Choice) -> str:
        """What an action loses against the best, and why."""
        return self._spoken.compared(state, choice, best)

    def chance(self, state: MatchState[Any]) -> list[str]:
        """The mover's chances; nothing where they are not known, or not quickly."""
        if self.kit.solver is None or state.over or state.round is None:
            return []
        if self._coach is None and not self._quick:
            return []
        try:
            with self.working():
                facts = self.coach.outlook(state)
            return self.words.chance(self.language, self.match.game, state.round, facts)
        except (FaultError, MemoryError, RecursionError):
            return []

    def holds_back(self, state: MatchState[Any], action: Any) -> list[str]:
        """What to say before an action that loses too much, once; nothing if it may go ahead. Raises FaultError."""
        if self.warn is None or (state, action) in self._warned:
            return []
        advice = self.advise(state)
        chosen = advice.of(action)
        if chosen.lost == 0 or chosen.lost < self.warn * self.coach.yardstick:
            return []
        self._warned.add((state, action))
        again = self.language.say("Nothing is done yet. Type it again to do it anyway, or do something else.")
        return [f"{self._spoken.warning(state, chosen, advice.best)} {again}"]
