"""Policy evaluation for a round that ends: the exact value of a given policy, or its chance of every result.

Let pi(a | state) be the weight of action a under the policy, divided by the sum of weights. The chances C are

    C(end) = 1 at its result,   C(roll) = sum over hands of ways / s^n · C(after),
    C(decision) = sum over a of pi(a | decision) · C(after a).

Every position that the policy reaches is computed once. Nothing is maximised or sampled. The results are sums of
nonnegative products of chances, with a rounding error below 1e-13 (see ``backward_induction``). ``value`` computes a
utility instead of the results: V(end) = u(result). It is faster, because each position has one number instead of a
table of chances.

A ``Sheet`` caches the rules' answers for each position, so many policies can be evaluated on it.
"""

from collections.abc import Callable, Sequence
from typing import Any

from pubdice.core.dice import rolls
from pubdice.core.game import Game, Policy, RoundResult

Chances = dict[RoundResult, float]
RollOutcome = tuple[float, Any, dict[Any, Any] | None]
"""One outcome of a roll: its chance, the position after it, and a cache of the position that each action leads to. The
cache is None if there is no choice."""
AllowedActions = Callable[[Any], Sequence[Any]]
RoundStep = RoundResult | list[tuple[float, list[int]]]
"""One position of the round: its result if it is an end. Otherwise, for each outcome of the roll, its chance and the
numbers of the positions that may follow."""


class Sheet:
    """The positions of a round from ``start`` on.

    When a policy first reaches a position, the rules are asked for it, once.
    """

    def __init__(self, game: Game[Any, Any], start: Any) -> None:
        self.game = game
        self.start = start
        self._falls: dict[Any, list[RollOutcome]] = {}
        self._one_of: dict[Any, Any] = {}  # Equal positions share one object, because lookup by identity is faster.
        self._held_to: AllowedActions | None = None
        self._held: list[RoundStep] = []

    def falls(self, state: Any) -> list[RollOutcome]:
        """Return all outcomes of the roll due at a position.

        A choice that follows a choice counts as one outcome with chance 1.
        """
        found = self._falls.get(state)
        if found is None:
            game, due = self.game, self.game.to_roll(state)
            fallen = rolls(due, game.faces.sides) if due else ()
            outcomes = [(count, game.roll(state, hand)) for hand, count in fallen] or [(1, state)]
            found = self._falls[state] = [
                (count / game.faces.sides**due, each, {} if game.legal(each) else None) for count, each in outcomes
            ]
        return found

    def value(self, policy: Policy[Any, Any], utility: Callable[[RoundResult], float], start: Any = None) -> float:
        """Return the policy's expected utility. Raises RecursionError if the round need not end."""
        game, known = self.game, dict[Any, float]()

        def at(state: Any) -> float:
            value = known.get(state)
            if value is None:
                result = game.result(state)
                value = known[state] = utility(result) if result is not None else rolled(state)
            return value

        def rolled(state: Any) -> float:
            total = 0.0
            for chance, fallen, after in self.falls(state):
                if after is None:
                    total += chance * at(fallen)
                    continue
                weighted = policy(game, fallen)
                weights = chance if len(weighted) == 1 else chance / sum(weight for _, weight in weighted)
                for action, weight in weighted:
                    total += weights * (weight if len(weighted) > 1 else 1) * at(self._after(fallen, after, action))
            return total

        return at(self.start if start is None else start)

    def chances(self, policy: Policy[Any, Any], start: Any = None) -> Chances:
        """Return the chance of every result under the policy. Raises RecursionError if the round need not end."""
        known: dict[Any, Chances] = {}

        def at(state: Any) -> Chances:
            found = known.get(state)
            if found is None:
                result = self.game.result(state)
                found = known[state] = {result: 1.0} if result is not None else rolled(state)
            return found

        def rolled(state: Any) -> Chances:
            total: Chances = {}
            for chance, fallen, after in self.falls(state):
                weighted = () if after is None else policy(self.game, fallen)
                weights = sum(weight for _, weight in weighted)
                parts = [(chance * weight / weights, self._after(fallen, after, act)) for act, weight in weighted]
                for share, following in parts or [(chance, fallen)]:
                    for result, part in at(following).items():
                        total[result] = total.get(result, 0.0) + share * part
            return total

        return at(self.start if start is None else start)

    def best(self, allowed: AllowedActions, utility: Callable[[RoundResult], float]) -> float:
        """Return the value of the best policy that plays only ``allowed`` actions.

        The graph of the last ``allowed`` is cached, so a call with the same function object is faster.
        """
        if allowed is not self._held_to:
            self._held_to, self._held = allowed, self._steps(allowed)
        value: list[float] = []
        for step in self._held:
            total = 0.0
            if isinstance(step, RoundResult):
                total = utility(step)
            else:
                for chance, following in step:
                    total += chance * max([value[number] for number in following])
            value.append(total)
        return value[-1]

    def _steps(self, allowed: AllowedActions) -> list[RoundStep]:
        """Return the positions that ``allowed`` actions reach.

        Each position comes after all positions that follow it, so the start is last.
        """
        numbers, steps = dict[Any, int](), list[RoundStep]()

        def at(state: Any) -> int:
            number = numbers.get(state)
            if number is None:
                result = self.game.result(state)
                step = rolled(state) if result is None else result
                number = numbers[state] = len(steps)
                steps.append(step)
            return number

        def rolled(state: Any) -> RoundStep:
            step = []
            for chance, fallen, after in self.falls(state):
                following = [fallen] if after is None else [self._after(fallen, after, act) for act in allowed(fallen)]
                step.append((chance, list(map(at, following))))
            return step

        at(self.start)
        return steps

    def _after(self, fallen: Any, after: dict[Any, Any] | None, action: Any) -> Any:
        assert after is not None, "asked where there is a choice"
        found = after.get(action)
        if found is None:
            made = self.game.play(fallen, action)
            found = after[action] = self._one_of.setdefault(made, made)
        return found
