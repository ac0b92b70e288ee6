"""The oracle for matches: best play of every seat for itself, in exact fractions, by ``Match`` alone and one by one.

    V(end) = what is played for,   V(roll) = sum over hands of ways / 6^n · V(after),   V(choice) = V(after a),

where the mover takes the action worth most to it; of equally good ones that with the greatest mean of its own score in
this round (the least, where the lowest score wins); of those the first in the rules' order. Nothing is merged but
states in which the same seats in the same order have the same round and tally, so it has no shortcut in common with
what it checks.

A tie that leaves all as it was makes a match that need not end. Such matches are gone through with floats, again and
again from equal shares, until nothing moves.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pubdice.core.dice import rolls
from pubdice.core.game import Result, Seat
from pubdice.match.match import Match, MatchState

Number = Fraction | float
Values = tuple[Number, ...]


def payoff(match: Match[Any, Any], state: MatchState[Any], best: int = 1) -> tuple[Fraction, ...]:
    """What a match that is over has come to for every seat: chips, the chance not to buy, or a share of the match.

    A single seat plays for its score, or where the lowest wins (``best``), for its negative.
    """
    seats = range(match.seats)
    if match.seats == 1:
        assert state.last is not None
        return (Fraction(best * state.last.scores[0]),)
    if match.format.stake:
        return tuple(Fraction(state.tally.points[seat]) for seat in seats)
    champions = match.format.champions(state.tally)
    parts = 1 if match.format.prize == "leaving" else len(champions)
    return tuple(Fraction(int(seat in champions), parts) for seat in seats)


@dataclass
class MaxN:
    """A match, and the values found so far. best: 1 where the highest score wins a round, -1 where the lowest does.

    again: where given, what a fresh round is worth is asked there and not worked out.
    """

    match: Match[Any, Any]
    best: int = 1
    again: Callable[[MatchState[Any]], Values] | None = None
    known: dict[Any, tuple[Values, Values]] = field(default_factory=dict)

    def values(self, state: MatchState[Any]) -> Values:
        """Every table seat's value."""
        return self._both(state)[0]

    def action_values(self, state: MatchState[Any]) -> list[tuple[Any, Number]]:
        """The mover's actions, each with what it is worth to it."""
        mover = self.match.mover(state)
        assert mover is not None
        return [(action, self._after(state, action)[0][mover]) for action in self.match.legal(state)]

    def _both(self, state: MatchState[Any]) -> tuple[Values, Values]:
        """(values, means of each seat's score in this round still to be counted)."""
        key = (state.order, state.round, state.tally, state.over)
        if key not in self.known:
            self.known[key] = self._found(state)
        return self.known[key]

    def _found(self, state: MatchState[Any]) -> tuple[Values, Values]:
        match = self.match
        nothing: Values = (self._number(0),) * match.seats
        if state.over:
            return self._paid(state), nothing
        if match.to_draw(state):
            drawn = [self.values(match.draw(state, Seat(seat))) for seat in range(match.seats)]
            return tuple(sum(column) / match.seats for column in zip(*drawn, strict=True)), nothing
        if due := match.to_roll(state):
            fall = rolls(due, match.game.faces.sides)
            after = [self._step(state, match.roll(state, hand)) for hand, _ in fall]
            chances = [self._number(Fraction(ways, match.game.faces.sides**due)) for _, ways in fall]
            return _mean(chances, [values for values, _ in after]), _mean(chances, [means for _, means in after])
        mover = match.mover(state)
        assert mover is not None
        after = [self._after(state, action) for action in match.legal(state)]
        most = max(values[mover] for values, _ in after)
        after = [both for both in after if both[0][mover] >= most - self._slack]
        most = max(self.best * means[mover] for _, means in after)
        return next(both for both in after if self.best * both[1][mover] >= most - self._slack)

    @property
    def _slack(self) -> float:
        return 0 if self.again is None else 1e-12

    def _number(self, exact: Fraction | int) -> Number:
        return Fraction(exact) if self.again is None else float(exact)

    def _paid(self, state: MatchState[Any]) -> Values:
        return tuple([self._number(value) for value in payoff(self.match, state, self.best)])

    def _after(self, state: MatchState[Any], action: Any) -> tuple[Values, Values]:
        return self._step(state, self.match.play(state, action))

    def _step(self, state: MatchState[Any], after: MatchState[Any]) -> tuple[Values, Values]:
        ended: Result | None = self.match.round_ended(state, after)
        if ended is None:
            return self._both(after)
        scores: Values = tuple([self._number(score) for score in ended.scores])
        if after.over:
            return self._paid(after), scores
        return (self.again or self.values)(after), scores


def _mean(chances: list[Number], parts: list[Values]) -> Values:
    def mean(column: Values) -> Number:
        return sum(chance * number for chance, number in zip(chances, column, strict=True))

    return tuple(mean(column) for column in zip(*parts, strict=True))


def settled(
    match: Match[Any, Any], key: Callable[[MatchState[Any]], Any], best: int = 1, steps: int = 200
) -> Callable[[MatchState[Any]], Values]:
    """Values of fresh rounds of a match that need not end, gone through until nothing moves; by ``key`` of the state.

    Two states with equal keys must be alike, seat by seat. Raises AssertionError if it goes on for more than ``steps``.
    """
    met: dict[Any, MatchState[Any]] = {}
    found: dict[Any, Values] = {}

    def again(state: MatchState[Any]) -> Values:
        name = key(state)
        met.setdefault(name, state)
        return found.setdefault(name, (1 / match.seats,) * match.seats)

    start = match.start()
    again(start)
    for _ in range(steps):
        moved, known = 0.0, list(met.items())
        for name, state in known:
            values = tuple(map(float, MaxN(match, best, again).values(state)))
            moved = max([moved, *(abs(a - b) for a, b in zip(values, found[name], strict=True))])
            found[name] = values
        if moved < 1e-15 and len(met) == len(known):
            return again
    raise AssertionError("nothing settled")
