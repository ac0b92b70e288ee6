"""The oracle for matches: each seat's best play for itself, in exact fractions, computed from ``Match`` alone.

    V(end) = payoff,   V(roll) = sum over hands of ways / 6^n · V(after),   V(choice) = V(after a),

Here the mover takes the action with the greatest value for itself. Ties go to the greatest mean of its own score in
this round (the least mean if the lowest score wins), then to the first action in the rules' order. The oracle merges
two states only if the same seats in the same order have the same round and tally. So it shares no shortcut with the
solvers that it checks.

A tie can leave everything as it was, so a match need not end. The oracle solves such a match by value iteration with
floats: it starts from equal shares and repeats until no value changes.
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
    """Return each seat's payoff in a finished match: its chips, 1 or 0 for a match with a buyer (1 if the seat is not
    the buyer), or its share of the match. A single seat plays for its score. If the lowest score wins (``best`` is -1),
    it plays for the negative of its score.
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
    """The values of a match's states. ``best`` is -1 if the lowest score wins, otherwise 1. If ``again`` is given, it
    returns the values at the start of a round, which are then not computed here.
    """

    match: Match[Any, Any]
    best: int = 1
    again: Callable[[MatchState[Any]], Values] | None = None
    known: dict[Any, tuple[Values, Values]] = field(default_factory=dict)

    def values(self, state: MatchState[Any]) -> Values:
        return self._both(state)[0]

    def action_values(self, state: MatchState[Any]) -> list[tuple[Any, Number]]:
        """Return the mover's legal actions, each with its value for the mover."""
        mover = self.match.mover(state)
        assert mover is not None
        return [(action, self._after(state, action)[0][mover]) for action in self.match.legal(state)]

    def _both(self, state: MatchState[Any]) -> tuple[Values, Values]:
        """Return each seat's value, and the mean of its score in this round. The mean is 0 after the round."""
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
    """Compute the values at the start of rounds, for a match that need not end, by value iteration. Return a function
    from a state to its values.

    ``key`` must differ for states with different values. Raises AssertionError if the values still change after
    ``steps`` iterations.
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
