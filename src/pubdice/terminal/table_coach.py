"""The coach at a table in the terminal: advice and chances on request, and a warning before a costly action."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

from pubdice.advice.coach import Advice, Coach
from pubdice.advice.spoken_advice import MOST_OTHERS, SpokenAdvice
from pubdice.command_line import FaultError
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.failures import TOO_LARGE, exit_status
from pubdice.kit import Kit
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import turn_to_tell
from pubdice.terminal.console import Console
from pubdice.terminal.sentences import T, explain
from pubdice.text.language import Language

QUICK_SEATS = 4
"""The most seats for which the coach solves a match without being asked. With more seats, that may take minutes."""


def solved(kit: Kit, match: Match[Any, Any], language: Language, line: Console | None = None) -> Coach:
    """Solve a match and return its coach. Raises FaultError with a sentence if it cannot be solved."""
    solve = kit.solver
    if solve is None:
        raise FaultError(not_solved(language, kit), 1)
    return worked_out(kit, language, line, lambda: Coach(solve(match), match))


def worked_out(kit: Kit, language: Language, line: Console | None, work: Callable[[], T], text: str = "") -> T:
    """Run some work on solved games, and return its result. If the work takes long, say ``text`` on ``line``, by
    default that it takes long. Raises FaultError.
    """
    try:
        with working(language, line, text):
            return work()
    except ImportError:
        told = language.say("Advice needs numpy. To install it: pip install numpy.")
        raise FaultError(told, 1) from None
    except (Unsolved, BadNotation) as error:
        raise FaultError(explain(language, error, kit.words), exit_status(error)) from None
    except (MemoryError, RecursionError):
        raise FaultError(language.say(TOO_LARGE), 1) from None


def working(language: Language, line: Console | None, text: str = "") -> AbstractContextManager[None]:
    """If the block takes longer than ``console.PATIENCE_S``, say so on ``line``, in the words of ``text`` if it is
    given. Without a line, say nothing.
    """
    if line is None:
        return nullcontext()
    return line.waiting(text or language.say("Working it out. This may take a minute."))


def not_solved(language: Language, kit: Kit) -> str:
    """Return the sentence for a game without a solver."""
    return language.say("{title} is not solved here, so the coach has nothing to say.", title=kit.words.title)


class TableCoach:
    """The coach of one table, in sentences. It solves the match when it is first asked.

    - ``line``: the console that says so if work takes long.
    - ``warn``: the least value lost from which the coach warns, as a fraction of the yardstick (1 for chances, shares
      and rounds won, a round's stakes for chips). None never warns.
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
        self.line = line
        self._coach: Coach | None = None
        self._warned: set[tuple[MatchState[Any], Any]] = set()

    @property
    def coach(self) -> Coach:
        """The solved match. It is solved at the first use. Raises FaultError."""
        if self._coach is None:
            self._coach = solved(self.kit, self.match, self.language, self.line)
        return self._coach

    @property
    def spoken(self) -> SpokenAdvice:
        """The coach's advice in sentences. Raises FaultError."""
        return SpokenAdvice(self.words, self.match, self.language, self.coach.solver)

    def advise(self, state: MatchState[Any]) -> Advice:
        """Return the values of all actions at a decision. Raises FaultError."""
        return worked_out(self.kit, self.language, self.line, partial(self.coach.advise, state))

    def advice(self, state: MatchState[Any], marked: Any = None, others: int = MOST_OTHERS) -> list[str]:
        """Return sentences on the best action and a few others. ``marked`` is the action that is marked now. Raises
        FaultError.
        """
        say = self.language.say
        if state.over:
            return [say("The match is over.")]
        if self.match.to_draw(state):
            return [say("Draw Player 1 first.")]
        if not self.match.legal(state):
            return [say("You can't choose yet. Roll first.")]
        return self.spoken.advise(state, self.advise(state), marked, others)

    def chance(self, state: MatchState[Any]) -> list[str]:
        """Return the mover's chances in sentences. Return nothing if the chances are unknown, or if it would take long
        to compute them.
        """
        if self.kit.solver is None or state.over or state.round is None:
            return []
        if self._coach is None and self.match.seats > QUICK_SEATS:
            return []
        try:
            with working(self.language, self.line):
                facts = self.coach.outlook(state)
            return self.words.chance(self.language, self.match.game, turn_to_tell(self.match, state).round, facts)
        except (FaultError, MemoryError, RecursionError):
            return []

    def has_warned(self, state: MatchState[Any], action: Any) -> bool:
        """Return True if ``holds_back`` has already warned of this action at this state. Then the action is done when
        it is typed again.
        """
        return (state, action) in self._warned

    def holds_back(self, state: MatchState[Any], action: Any) -> list[str]:
        """Return a warning if the action is costly and this is the first time it is typed. Otherwise return nothing.

        Raises FaultError.
        """
        if self.warn is None or self.has_warned(state, action):
            return []
        advice = self.advise(state)
        chosen = advice.of(action)
        if chosen.lost == 0 or chosen.lost < self.warn * self.coach.yardstick:
            return []
        self._warned.add((state, action))
        again = self.language.say("Nothing is done yet. Type it again to do it anyway, or do something else.")
        return [f"{self.spoken.warning(state, chosen, advice.best)} {again}"]
