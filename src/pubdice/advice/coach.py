"""The coach: each legal action's value, the value that it loses, and its grade. It needs only a solver.

- *Value*: the mover's mean utility under best play from here on (``solve.solver``).
- *Value lost*: the best action's value less the value of this action.
- *Yardstick*: the amount that value lost is compared with. It is 1 for chances, shares and round wins, and one round's
  stakes for chips. For a seat that plays alone for its score, it is the value of a fresh match.
- *Verdict*: the grade of a value lost. Below ``MISTAKE`` times the yardstick, a loss is small. From ``BLUNDER`` times
  the yardstick on, it is a blunder. Differences within the solver's error bound count as equal.

A decision *counts* unless all its actions are equal. A decision is *forced* if it has only one action.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from pubdice.core.dice import rolls
from pubdice.match.match import Match, MatchState
from pubdice.solve.numerics import NOTHING, best_first
from pubdice.solve.solver import Solver

Verdict = Literal["best", "equal", "small", "mistake", "blunder"]
MISTAKE, BLUNDER = 0.01, 0.05  # the least losses with these verdicts, as parts of the yardstick
WIN_NOW = "win_now"  # the key of a fact: the chance that the next roll ends the round in the mover's favour


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal action with its value to the mover, its value lost, and the solver's facts that can explain it."""

    action: Any
    value: float
    lost: float
    verdict: Verdict
    facts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Advice:
    """Every legal action of a decision, best first. Equally good actions stay in the rules' order."""

    choices: tuple[Choice, ...]

    @property
    def best(self) -> Choice:
        """The best choice. Of equally good choices it is the first."""
        return self.choices[0]

    @property
    def counts(self) -> bool:
        """True if at least one action loses value."""
        return self.choices[-1].lost > 0

    def of(self, action: Any) -> Choice:
        """Return the choice with this action. Raises KeyError if the action is not legal."""
        for choice in self.choices:
            if choice.action == action:
                return choice
        raise KeyError(action)


class Coach:
    """A coach who advises on one match, by the match's solver."""

    def __init__(self, solver: Solver, match: Match[Any, Any]) -> None:
        self.solver, self.match = solver, match

    @cached_property
    def yardstick(self) -> float:
        """The amount that value lost is compared with. See the head of the module."""
        if stake := self.match.format.stake:
            return float(stake * self.match.seats)
        return abs(self.solver.values(self.match.start())[0]) if self.match.seats == 1 else 1.0

    @cached_property
    def same(self) -> float:
        """The tolerance for equal values. It is never 0, however small the solver's error bound."""
        return max(2 * self.solver.bound, NOTHING * self.yardstick)

    def verdict(self, lost: float) -> Verdict:
        """Return the grade of a loss.

        A loss within the tolerance is "equal". Only ``advise`` grades a choice as "best".
        """
        if lost <= self.same:
            return "equal"
        share = lost / self.yardstick
        return "small" if share < MISTAKE else "mistake" if share < BLUNDER else "blunder"

    def advise(self, state: MatchState[Any]) -> Advice:
        """Grade every legal action at a decision. Raises ValueError if there is no legal action."""
        valued = self.solver.action_values(state)
        if not valued:
            raise ValueError("no decision")
        best = max(value for _, value in valued)
        facts = dict(self.solver.facts(state))
        choices: list[Choice] = []
        for action, value in valued:
            verdict = self.verdict(best - value)
            lost = 0.0 if verdict == "equal" else best - value
            choices.append(Choice(action, value, lost, verdict, facts.get(action, {})))
        first, *others = best_first(choices, lambda choice: -choice.lost, same=self.same)
        return Advice((Choice(first.action, first.value, 0.0, "best", first.facts), *others))

    def outlook(self, state: MatchState[Any]) -> Mapping[str, float]:
        """Return the facts of the mover's position under best play. Empty if the solver has no facts.

        At a decision, they are the best action's facts. Before a roll, they are the mean over all hands, weighted by
        the number of rolls that give the hand. The chance that the roll itself wins the round is one of them.
        """
        if self.match.legal(state):
            return self._best_facts(state)
        mover, due, sides = self.match.mover(state), self.match.to_roll(state), self.match.game.faces.sides
        found: dict[str, float] = {}
        for hand, times in rolls(due, sides) if due else ():
            after = self.match.roll(state, hand)
            facts: Mapping[str, float] = {}
            result = self.match.round_ended(state, after)
            if result is not None:
                facts = {WIN_NOW: float(mover in result.winners)}
            elif self.match.mover(after) == mover and self.match.legal(after):
                facts = self._best_facts(after)
            for name, number in facts.items():
                found[name] = found.get(name, 0.0) + number * times / sides**due
        return found

    def _best_facts(self, state: MatchState[Any]) -> Mapping[str, float]:
        """Return the facts of the best action, as ``advise`` finds it, without grading all actions.

        This is faster. Before Midnight's first roll, ``outlook`` needs these facts for 462 hands.
        """
        valued = self.solver.action_values(state)
        most, same = max([value for _, value in valued]), self.same
        best = next(action for action, value in valued if most - value <= same)
        return next((facts for action, facts in self.solver.facts(state) if action == best), {})
