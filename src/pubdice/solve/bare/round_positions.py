"""The positions of a round for one or two seats, from the rules alone and without numpy, and best play in it.

Few positions only (``MOST_POSITIONS``), of a round that ends: larger ones are for a house. What an end is worth is the
opener's, and the other seat has what is left; so the opener takes the greatest value and the other the least. Of
equally good actions the one is taken with the best mean of the mover's own score, then the first in the rules' order,
as ``plain.best_play`` takes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pubdice.core.dice import rolls
from pubdice.core.errors import Unsolved
from pubdice.core.game import CanonicalStates, Game, RoundResult
from pubdice.solve.plain.score_sign import best_score
from pubdice.solve.tolerance import SAME, TIE

CHANCE, END = -1, -2
"""In the place of a mover: the dice decide, or nothing does."""
MOST_POSITIONS, MOST_MOVES = 20_000, 100_000
"""Some 4,000 and 7,000 at Mexico for two."""


@dataclass(frozen=True, slots=True)
class SmallPosition:
    """A position. mover: a seat, CHANCE or END. after: what follows, numbers of positions. chances: of each, at a roll.

    result: its number, at an end.
    """

    mover: int
    after: tuple[int, ...] = ()
    chances: tuple[float, ...] = ()
    result: int = -1


@dataclass(frozen=True, slots=True)
class PlayedPosition:
    """What best play comes to from a position on.

    value: to the opener. scores: the mean of every seat's score. wins, ties: the chance to win alone, or with others.
    """

    value: float
    scores: tuple[float, ...]
    wins: tuple[float, ...]
    ties: tuple[float, ...]


class SmallRound:
    """A round of a game. Raises Unsolved("needs-house") if it is too large, or need not end."""

    def __init__(self, game: Game[Any, Any], seats: int) -> None:
        self.game, self.seats = game, seats
        self.number: dict[Any, int] = {}
        self.results: dict[RoundResult, int] = {}
        self.follow: list[SmallPosition] = []
        self._find()
        self.order = _upward(game, self.follow)
        self.sign = best_score(self.results)
        self._slack = SAME * max([1, *[abs(score) for result in self.results for score in result.scores]])

    def canonical(self, state: Any) -> Any:
        """The state under which a position is found."""
        return self.game.canonical(state) if isinstance(self.game, CanonicalStates) else state

    def position(self, state: Any) -> int:
        """The number of a position. Raises Unsolved("not-reached")."""
        found = self.number.get(self.canonical(state))
        if found is None:
            raise Unsolved("not-reached")
        return found

    def _find(self) -> None:
        game, waiting, moves = self.game, [self.canonical(self.game.start(self.seats))], 0
        self.number[waiting[0]] = 0
        for state in waiting:
            result = game.result(state)
            if result is not None:
                self.follow.append(SmallPosition(END, result=self.results.setdefault(result, len(self.results))))
                continue
            due = game.to_roll(state)
            chances: list[float] = []
            if due:
                fallen = rolls(due)
                total = sum(ways for _, ways in fallen)
                following, chances = [game.roll(state, hand) for hand, _ in fallen], [w / total for _, w in fallen]
            else:
                following = [game.play(state, action) for action in game.legal(state)]
            mover = CHANCE if due else game.mover(state)
            if mover is None or not following:
                raise ValueError(f"a round that is not over goes on: {state}")
            after = []
            for each in following:
                here = self.canonical(each)
                if here not in self.number:
                    self.number[here] = len(self.number)
                    waiting.append(here)
                after.append(self.number[here])
            moves += len(after)
            if len(self.number) > MOST_POSITIONS or moves > MOST_MOVES:
                raise needs_house(game)
            self.follow.append(SmallPosition(mover, tuple(after), tuple(chances)))

    def merged(self, kinds: Sequence[int]) -> "SmallGraph":
        """The round as a graph for values alone; kinds: of every result, 0 to the greatest without a gap."""
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
        steps = [(key[0], tuple([a for a, _ in key[1:]]), tuple([c for _, c in key[1:]])) for key in made]
        return SmallGraph(ends, tuple(steps), node[0])

    def played(self, payoff: Sequence[float]) -> list[PlayedPosition]:
        """Best play from every position; payoff: [results] to the opener, or to a single seat."""
        found: list[PlayedPosition | None] = [None] * len(self.follow)
        slack = TIE * max(1.0, *[abs(each) for each in payoff])
        results = [self._at_end(result, value) for result, value in zip(self.results, payoff, strict=True)]
        for at in self.order:
            each = self.follow[at]
            if each.mover == END:
                found[at] = results[each.result]
                continue
            after = [found[number] for number in each.after]
            found[at] = _mean(after, each.chances) if each.mover == CHANCE else self._chosen(after, each.mover, slack)
        return found  # type: ignore[return-value]  # every position comes after those that follow it

    def _at_end(self, result: RoundResult, value: float) -> PlayedPosition:
        won = [float(seat in result.winners) for seat in range(self.seats)]
        nobody = (0.0,) * self.seats
        alone = len(result.winners) == 1
        wins, ties = (tuple(won), nobody) if alone else (nobody, tuple(won))
        return PlayedPosition(value, tuple(map(float, result.scores)), wins, ties)

    def _chosen(self, after: Sequence[Any], mover: int, slack: float) -> PlayedPosition:
        sign = -1.0 if mover else 1.0
        least = max([sign * each.value for each in after]) - slack
        best = [each for each in after if sign * each.value >= least]
        most = max([self.sign * each.scores[mover] for each in best]) - self._slack
        found: PlayedPosition = next(each for each in best if self.sign * each.scores[mover] >= most)
        return found


@dataclass(frozen=True, slots=True)
class SmallGraph:
    """A round merged by what its ends are worth. ends: the first nodes. steps: the others: (mover, after, chances)."""

    ends: int
    steps: tuple[tuple[int, tuple[int, ...], tuple[float, ...]], ...]
    start: int

    def values(self, payoff: Sequence[float], along: Sequence[float]) -> tuple[float, float]:
        """What the round is worth at its start to the opener, and what it comes to in a second currency."""
        value, other = [*payoff], [*along]
        for mover, after, chances in self.steps:
            if mover == CHANCE:
                value.append(sum([chance * value[node] for node, chance in zip(after, chances, strict=True)]))
                other.append(sum([chance * other[node] for node, chance in zip(after, chances, strict=True)]))
            else:
                best = (min if mover else max)(after, key=value.__getitem__)
                value.append(value[best])
                other.append(other[best])
        return value[self.start], other[self.start]


def needs_house(game: object) -> Unsolved:
    """Why a match is not solved where there is no numpy."""
    return Unsolved("needs-house", title=type(game).__name__)


def _mean(after: Sequence[Any], chances: Sequence[float]) -> PlayedPosition:
    def mean(rows: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
        return tuple([sum(map(float.__mul__, chances, column)) for column in zip(*rows, strict=True)])

    value = sum([chance * each.value for chance, each in zip(chances, after, strict=True)])
    scores, wins, ties = (mean([getattr(each, name) for each in after]) for name in ("scores", "wins", "ties"))
    return PlayedPosition(value, scores, wins, ties)


def _upward(game: object, follow: Sequence[SmallPosition]) -> list[int]:
    """The positions, each after all that follow it. Raises Unsolved("needs-house") where one can come back."""
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
