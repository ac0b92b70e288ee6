"""The positions of a round for one or two seats, found from the rules alone and without numpy, and best play in the
round.

The round must end and have few positions (``MOST_POSITIONS``). Larger rounds need a house. The value of an end is the
opener's value, and the other seat has the rest. So the opener takes the greatest value, and the other seat the least.
If actions are equally good, the mover takes the one with the best mean of its own score, then the first one in the
rules' order (``plain.best_play``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter, mul
from typing import Any

from pubdice.core.dice import rolls
from pubdice.core.errors import Unsolved
from pubdice.core.game import CanonicalStates, Game, RoundResult
from pubdice.solve.numerics import SAME, TIE

CHANCE, END = -1, -2  # values of ``mover`` that are no seat: for a roll, and for the end of the round
MOST_POSITIONS, MOST_MOVES = 20_000, 100_000  # Mexico for two has about 4,000 positions and 7,000 moves


@dataclass(frozen=True, slots=True)
class SmallPosition:
    """A position of a round."""

    mover: int  # a seat, CHANCE or END
    after: tuple[int, ...] = ()  # the numbers of the positions that can follow
    chances: tuple[float, ...] = ()  # at a roll, the chance of each position that can follow
    result: int = -1  # at an end, the number of the result


FactRow = tuple[float, ...]
"""The outcome of best play, for each seat: the means of the scores, then the chances to win alone, then the chances to
win together with others."""


class SmallRound:
    """A round of a game. Raises Unsolved("needs-house") if it is too large, or if it may never end."""

    def __init__(self, game: Game[Any, Any], seats: int) -> None:
        self.game, self.seats = game, seats
        self._canonical = game.canonical if isinstance(game, CanonicalStates) else None
        self.number: dict[Any, int] = {}
        self.results: dict[RoundResult, int] = {}
        self.follow: list[SmallPosition] = []
        self._find()
        self.order = _upward(game, self.follow)
        self.place = {at: place for place, at in enumerate(self.order)}
        self.sign = -1 if game.lowest_wins else 1
        self.slack = SAME * max([1, *[abs(score) for result in self.results for score in result.scores]])
        self.ends = [self._at_end(result) for result in self.results]

    def canonical(self, state: Any) -> Any:
        """Return the state that stands for all equivalent states."""
        return state if self._canonical is None else self._canonical(state)

    def position(self, state: Any) -> int:
        """Return the number of the position. Raises Unsolved("not-reached") if the round has no such position."""
        found = self.number.get(self.canonical(state))
        if found is None:
            raise Unsolved("not-reached")
        return found

    def _find(self) -> None:
        game, canonical, number, moves = self.game, self._canonical, self.number, 0
        waiting = [self.canonical(game.start(self.seats))]
        number[waiting[0]] = 0
        for state in waiting:
            result = game.result(state)
            if result is not None:
                self.follow.append(SmallPosition(END, result=self.results.setdefault(result, len(self.results))))
                continue
            due = game.to_roll(state)
            chances: list[float] = []
            if due:
                fallen = rolls(due, game.faces.sides)
                total = sum(ways for _, ways in fallen)
                following, chances = [game.roll(state, hand) for hand, _ in fallen], [w / total for _, w in fallen]
            else:
                following = [game.play(state, action) for action in game.legal(state)]
            mover = CHANCE if due else game.mover(state)
            if mover is None or not following:
                raise ValueError(f"a round that is not over goes on: {state}")
            after = []
            for each in following:
                here = each if canonical is None else canonical(each)
                # the state is hashed only once, because hashing is a fifth of the search
                found = number.setdefault(here, len(number))
                if found == len(waiting):
                    waiting.append(here)
                after.append(found)
            moves += len(after)
            if len(number) > MOST_POSITIONS or moves > MOST_MOVES:
                raise needs_house(game)
            self.follow.append(SmallPosition(mover, tuple(after), tuple(chances)))

    def merged(self, kinds: Sequence[int]) -> "SmallGraph":
        """Return the round as a graph that has enough to compute values. ``kinds`` is [results] the number of the end
        that each result becomes, from 0 without a gap.
        """
        node: list[int] = [-1] * len(self.follow)
        ends = max(kinds) + 1
        made: dict[tuple[Any, ...], int] = {}
        for at in self.order:
            each = self.follow[at]
            if each.mover == END:
                node[at] = kinds[each.result]
                continue
            row: dict[int, float] = {}
            for place, after in enumerate(each.after):
                row[node[after]] = row.get(node[after], 0.0) + (each.chances[place] if each.chances else 0.0)
            if len(row) == 1:
                node[at] = next(iter(row))
                continue
            key = (each.mover, *sorted(row.items()))
            node[at] = made.setdefault(key, ends + len(made))
        steps = [SmallStep(key[0], [a for a, _ in key[1:]], [c for _, c in key[1:]]) for key in made]
        return SmallGraph(ends, tuple(steps), tuple(node))

    def _at_end(self, result: RoundResult) -> FactRow:
        won = [float(seat in result.winners) for seat in range(self.seats)]
        lost = [0.0] * self.seats
        wins = [won, lost] if len(result.winners) == 1 else [lost, won]
        return (*map(float, result.scores), *wins[0], *wins[1])


class SmallStep:
    """A node of the graph that is not an end: its mover, the nodes that can follow, and the chance of each."""

    __slots__ = ("after", "chances", "mover", "pick")

    def __init__(self, mover: int, after: Sequence[int], chances: Sequence[float]) -> None:
        self.mover, self.after, self.chances = mover, tuple(after), tuple(chances)
        # always two nodes or more, so ``itemgetter`` gives a tuple
        self.pick: Callable[[Sequence[float]], tuple[float, ...]] = itemgetter(*after)


@dataclass(frozen=True, slots=True)
class SmallGraph:
    """A round in which positions are merged if they have the same value for any values of the ends."""

    ends: int  # the number of ends; they are the first nodes
    steps: tuple[SmallStep, ...]  # the other nodes
    node: tuple[int, ...]  # [positions] the node of each position

    def every(self, payoff: Sequence[float]) -> list[float]:
        """Return [nodes] the opener's value. ``payoff`` is [ends] the opener's value at each end."""
        value = [*payoff]
        for step in self.steps:
            following = step.pick(value)
            if step.mover == CHANCE:
                value.append(sum(map(mul, step.chances, following)))
            else:
                value.append(min(following) if step.mover else max(following))
        return value

    def values(self, payoff: Sequence[float], along: Sequence[float]) -> tuple[float, float]:
        """Return the opener's value at the start of the round, and the mean of a second payoff, ``along`` [ends], under
        the same play.
        """
        value, start = self.every(payoff), self.node[0]
        if not any(along):
            return value[start], 0.0
        other = [*along]
        for step in self.steps:
            if step.mover == CHANCE:
                other.append(sum(map(mul, step.chances, step.pick(other))))
            else:
                other.append(other[(min if step.mover else max)(step.after, key=value.__getitem__)])
        return value[start], other[start]


class PlayedRound:
    """Best play in a round. ``payoff`` is [ends] the value at each end of the graph, for the opener or a single seat.

    Values are computed at once. Facts are computed on demand, for a position and for all positions that can follow it.
    """

    def __init__(self, played: SmallRound, graph: SmallGraph, payoff: Sequence[float]) -> None:
        self._round, self._node, self._value = played, graph.node, graph.every(payoff)
        self._slack = TIE * max(1.0, *[abs(each) for each in payoff])
        self._facts: dict[int, FactRow] = {}

    def value(self, position: int) -> float:
        """Return the value of a position for the opener."""
        return self._value[self._node[position]]

    def facts(self, position: int) -> FactRow:
        """Return the outcome of best play from a position on."""
        if position not in self._facts:
            known, follow, waiting = self._facts, self._round.follow, [position]
            missing = {position}
            for at in waiting:
                for each in follow[at].after:
                    if each not in known and each not in missing:
                        missing.add(each)
                        waiting.append(each)
            for at in sorted(waiting, key=self._round.place.__getitem__):
                known[at] = self._worked_out(follow[at])
        return self._facts[position]

    def _worked_out(self, each: SmallPosition) -> FactRow:
        known = self._facts
        if each.mover == END:
            return self._round.ends[each.result]
        if each.mover == CHANCE:
            rows = zip(*[known[after] for after in each.after], strict=True)
            return tuple([sum(map(mul, each.chances, row)) for row in rows])
        if len(each.after) == 1:
            return known[each.after[0]]
        sign = -1.0 if each.mover else 1.0
        values = [sign * self.value(after) for after in each.after]
        least = max(values) - self._slack
        best = [known[after] for after, value in zip(each.after, values, strict=True) if value >= least]
        if len(best) == 1:
            return best[0]
        means = [self._round.sign * row[each.mover] for row in best]
        most = max(means) - self._round.slack
        return next(row for row, mean in zip(best, means, strict=True) if mean >= most)


def needs_house(game: object) -> Unsolved:
    """Return the refusal of a match that is too large without numpy."""
    return Unsolved("needs-house", title=type(game).__name__)


def _upward(game: object, follow: Sequence[SmallPosition]) -> list[int]:
    """Return the positions in an order in which each position comes after all positions that can follow it. Raises
    Unsolved("needs-house") if a position can come back.
    """
    left = [len(set(each.after)) for each in follow]
    before: list[list[int]] = [[] for _ in follow]
    for at, each in enumerate(follow):
        for after in set(each.after):
            before[after].append(at)
    found = [at for at, count in enumerate(left) if not count]
    for at in found:
        for earlier in before[at]:
            left[earlier] -= 1
            if not left[earlier]:
                found.append(earlier)
    if len(found) < len(follow):
        raise needs_house(game)
    return found
