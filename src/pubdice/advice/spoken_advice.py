"""A coach's advice in sentences: amounts in the solver's unit, actions in words, losses with their reasons."""

from typing import Any

from pubdice.advice.coach import Advice, Choice
from pubdice.advice.losses import LossUnit
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import turn_to_tell
from pubdice.solve.solver import LOW_SCORE, InUnits, Solver, as_counted
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language, sentence

UNITS = {"chips": "{amount} chips", "score": "{amount} points", "round wins": "{amount} round wins"}
"""The words for an amount, by the start of its utility's name. Utilities that are not listed are read in percent."""
UTILITIES = {
    "score": "The mean score, with best play after it.",
    LOW_SCORE: "The mean score, with best play after it.",
    "chips": "Chips, with best play after it.",
    "chips, one round at a time": "Chips in this round, with best play after it.",
    "share of the match": "The share of the match, with best play after it.",
    "round wins, one round at a time": "The share of this round, with best play after it.",
    "chance of winning": "The chance to win, with best play after it.",
    "winning": "The chance to win, with best play after it.",
    "chance of not buying": "The chance not to buy the drinks, with best play after it.",
    "not buying": "The chance not to buy the drinks, with best play after it.",
}
"""A solver's utility in a sentence, by its name."""
BRIEFLY = {
    "score": "score",
    LOW_SCORE: "score",
    "chips": "chips",
    "chips, one round at a time": "chips, one round at a time",
    "share of the match": "share of the match",
    "round wins, one round at a time": "round wins, one round at a time",
    "chance of winning": "chance of winning",
    "winning": "winning",
    "chance of not buying": "chance of not buying",
    "not buying": "not buying",
    "the pot, carried until a player takes it": "the pot, carried until a player takes it",
}
"""A solver's utility in brackets behind a value, by its name."""
MOST_OTHERS = 3  # how many more choices are told besides the best


def briefly(language: Language, utility: str) -> str:
    """Translate the name of a utility. An unknown name stays as it is."""
    return language.say(BRIEFLY[utility]) if utility in BRIEFLY else utility


class Amounts:
    """A solver's values and losses in words: in the solver's own unit, or in percent if it has none."""

    def __init__(self, language: Language, solver: Solver | LossUnit) -> None:
        self._language = language
        self._utility = solver.utility
        self._counted = solver.utility.partition(",")[0]
        self._own_unit = solver.amount if isinstance(solver, InUnits) else ""

    @property
    def are_chances(self) -> bool:
        """True if values are chances or shares, which are read in percent."""
        return not self._own_unit and self._counted not in UNITS

    def value(self, amount: float) -> str:
        """Return an amount in words: a loss, or a value as the game counts it (``as_counted``)."""
        if abs(amount) < 5e-5:
            amount = 0.0
        said = self._language.number(amount, 2)
        if self._own_unit:
            return self._language.say(self._own_unit, amount=said)
        if self._counted in UNITS:
            return self._language.say(UNITS[self._counted], amount=said)
        chance = self._language.per_cent(abs(amount))
        return chance if amount >= 0 else "-" + chance

    def worth(self, value: float) -> str:
        """Return a solver's value in words, as the game counts it."""
        return self.value(as_counted(self._utility, value))

    @property
    def scale(self) -> int:
        """The number of printed units that make 1: 1,000 for chances (tenths of a percent), 100 for anything else."""
        return 1000 if self.are_chances else 100

    def printed(self, units: int) -> str:
        """Write printed units (``scale``) as text without a unit's name: as percent, or as a number."""
        amount = abs(units) / self.scale
        said = self._language.per_cent(amount, 1) if self.are_chances else self._language.number(amount, 2)
        return ("−" if units < 0 else "") + said

    def change(self, amount: float) -> str:
        """Return a change in words, with plus or minus."""
        text = "minus {amount}" if amount < -5e-5 else "plus {amount}"
        return self._language.say(text, amount=self.value(abs(amount)))


class SpokenAdvice:
    """A coach's advice on one match in the words of a language."""

    def __init__(self, words: GameWords, match: Match[Any, Any], language: Language, solver: Solver) -> None:
        self._words, self._match, self._language, self._utility = words, match, language, solver.utility
        self.amounts = Amounts(language, solver)

    def advise(
        self, state: MatchState[Any], advice: Advice, marked: Any = None, others: int = MOST_OTHERS
    ) -> list[str]:
        """Return sentences on the best actions, and on at most ``others`` worse actions.

        If the action ``marked`` loses value and is not among these, add a sentence on it.
        """
        say, best = self._language.say, advice.best
        utility = briefly(self._language, self._utility)
        value = self.amounts.worth(best.value)
        if len(advice.choices) == 1:
            act = self.act(state, best)
            return [say("There is only one choice, {act}: {value} ({utility}).", act=act, value=value, utility=utility)]
        if not advice.counts:
            return [say("Every choice is equally good here: {value} ({utility}).", value=value, utility=utility)]
        equals = [self.act(state, choice) for choice in advice.choices if choice.lost == 0][: 1 + others]
        acts = self._language.join(equals, "{some} or {last}")
        told = [sentence(say("{acts} is best: {value} ({utility}).", acts=acts, value=value, utility=utility))]
        worse = [choice for choice in advice.choices if choice.lost > 0]
        shown = worse[:others]
        told += [self.compared(state, choice, best) for choice in shown]
        if marked is not None and (mine := advice.of(marked)).lost > 0 and mine not in shown:
            told.append(say("What is marked: {compared}", compared=self.compared(state, mine, best)))
        return told

    def warning(self, state: MatchState[Any], choice: Choice, best: Choice) -> str:
        """Return sentences on the loss of a choice, and on the best choice."""
        told = self._language.say("{act} is best.", act=self.act(state, best))
        return f"{self.compared(state, choice, best)} {sentence(told)}"

    def act(self, state: MatchState[Any], choice: Choice) -> str:
        """Return an action in the game's words."""
        return self._words.choice(self._language, self._match.game, state.round, choice.action)

    def compared(self, state: MatchState[Any], choice: Choice, best: Choice) -> str:
        """Return a sentence on the loss of an action against the best action, with its reason."""
        facts = {"act": self.act(state, choice), "lost": self.amounts.value(choice.lost)}
        told = turn_to_tell(self._match, state).round
        why = self._words.why(self._language, self._match.game, told, best.facts, choice.facts)
        said = "{act} loses {lost}: {why}." if why else "{act} loses {lost}."
        return sentence(self._language.say(said, why=why, **facts))
