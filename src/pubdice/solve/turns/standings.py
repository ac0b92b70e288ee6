"""The standings of a match of several rounds, and the value of each standing to every seat.

A *standing* is a round about to begin, seen in turn order. Seats are alike, so a standing has only

- in ``rounds``: the rounds left, including this one, and each seat's distance in round wins from the leader. A seat
  with a distance greater than the rounds left can no longer be champion, so all such distances count as one. Once only
  one seat can be champion, the match is over.
- in ``pot``: the rounds left (0 if all rounds are played and the pot is still carried), and the number of rounds in a
  row for which the pot has been carried. Chips won before are added to the values.

``Match.ended`` gives the consequence of a round, with one match state for each standing. So standings are found from
the start forwards, and solved backwards. Standings with equally many rounds left (then by pot) are lanes of one turn
(utilities that are solved at once):

    V(standing) = value of the round whose payoff for winners W is V(the standing after W), moved into this turn order.

If tied seats play a round again, only its single winners lead to other standings. A replay belongs to the standing in
which its round began (``as_begun``), so its seats are a set of seats of that standing.

A pot that is carried for ``limit`` rounds in a row is divided among the seats by ``shares``, and the next pot begins
empty, so there are finitely many standings. Payoffs then have one more column: the chips divided in this way.
"""

from dataclasses import dataclass, replace
from math import comb
from typing import NamedTuple

import numpy as np

from pubdice.core.game import Keep, Result, RoundState, Seat
from pubdice.match.formats import replays
from pubdice.match.match import Match, MatchState
from pubdice.solve.arrays import Floats
from pubdice.solve.pauses import may_pause
from pubdice.solve.turns.rounds import Begun, lanes, with_replays
from pubdice.solve.turns.turn import TurnGraph

PART = 32
"""The number of standings solved in one part, which takes 0.2 s at Midnight for four. After each part, other work can
run. All standings of a level at once would take 0.9 s, and the total would be 5 % less."""

GameState = MatchState[RoundState]
STEPS = 3
"""The times that a round which may come again is solved, once equal rounds count as one: 1.6 to 5 in eight matches of
Midnight and Ship with three to six seats."""


def as_begun(state: GameState) -> GameState:
    """Return a replay as its round began, with all its seats in turn order. Return any other state unchanged."""
    tally = state.tally
    if tally.began is None:
        return state
    at = tally.still_in.index(tally.began)
    order = (*tally.still_in[at:], *tally.still_in[:at])
    return replace(state, order=order, tally=replace(tally, began=None, resting=()))


class MatchStanding(NamedTuple):
    """A standing, with the fields described in the head of the module."""

    left: int
    hanging: int  # the number of rounds that the pot has been carried, 0 in ``rounds``
    behind: tuple[int, ...]  # each seat's distance from the leader, in turn order, empty in ``pot``


@dataclass(frozen=True)
class Branch:
    """The consequence of a round won by a set of winners."""

    gained: Floats  # the payment to each seat in turn order, then the chips of a pot that is divided
    following: MatchStanding | None
    seats: tuple[int, ...]  # for each seat in this turn order, its place in the next turn order


def count(match: Match[RoundState, Keep], scores: int, hanging: int) -> int:
    """Return the most turns to solve for all standings of a match, in a game with this many scores."""
    number, found = match.format.rounds_planned, 0
    if replays(match.format):
        seats = match.seats
        turns = sum(comb(seats, size) * lanes(scores, size) for size in range(2, seats + 1))
        if match.format.stake:
            return number * STEPS * turns
        return sum(comb(played + seats - 1, seats - 1) for played in range(number)) * STEPS * turns
    if match.format.stake:
        return (number + 1) * (hanging + 1) * lanes(scores, match.seats)
    for played in range(number):
        most = min(played, number - played + 1)  # the greatest distance from the leader
        found += (most + 1) ** match.seats - most**match.seats
    return found * lanes(scores, match.seats)


class Standings:
    """The standings of one match. Each is solved once.

    ``begun`` computes the values of rounds as they begin.
    """

    def __init__(
        self,
        match: Match[RoundState, Keep],
        turned: TurnGraph,
        limit: int,
        shares: Floats,
        begun: Begun,
    ) -> None:
        self.match, self.turn, self.limit, self.shares, self.begun = match, turned, limit, shares, begun
        self.error = 0.0  # the greatest error of the replays of one round
        self._sets = [1 << at for at in range(match.seats)] if replays(match.format) else range(1 << match.seats)
        self._complete: dict[MatchStanding, Floats] = {}  # the payoffs of rounds that may come again
        self._branches: dict[MatchStanding, tuple[Branch, ...]] = {}
        self._values: dict[MatchStanding, Floats] = {}

    def payoff(self, state: GameState) -> Floats:
        """Return [sets of winners, columns] the payoffs of this round, without chips won before.

        The columns are the seats in turn order (of the round's first play) and, if needed, the chips of a pot that is
        divided.
        """
        standing = self._explore(as_begun(state))
        if not replays(self.match.format):
            return self._payoff(standing)
        if standing not in self._complete:
            self._work_out([standing])
        return self._complete[standing]

    def start(self, state: GameState) -> Floats:
        """Return [columns] the values of a state in which a round begins, without chips won before.

        The columns are those of ``payoff``.
        """
        standing = self._explore(state)
        if standing not in self._values:
            self._work_out([standing])
        return self._values[standing]

    def _standing(self, state: GameState) -> MatchStanding:
        tally, form = state.tally, self.match.format
        left = form.rounds_planned - tally.rounds
        if form.stake:
            hanging = tally.pot // (form.stake * self.match.seats) - 1
            return MatchStanding(max(0, left), hanging, ())
        points = [tally.points[seat] for seat in state.order]
        return MatchStanding(left, 0, tuple([min(max(points) - have, left + 1) for have in points]))

    def _explore(self, state: GameState) -> MatchStanding:
        """Record all standings that can follow a state.

        They are stored all at once, because Ctrl-C may interrupt the search.
        """
        first = self._standing(state)
        waiting, new = {first: state}, dict[MatchStanding, tuple[Branch, ...]]()
        while waiting:
            standing, here = waiting.popitem()
            if standing in self._branches or standing in new:
                continue
            found = [self._branch(here, winners) for winners in self._sets]
            new[standing] = tuple([branch for branch, _ in found])
            waiting.update([(branch.following, after) for branch, after in found if branch.following is not None])
        self._branches.update(new)
        return first

    def _branch(self, state: GameState, winners: int) -> tuple[Branch, GameState]:
        order, seats = state.order, range(self.match.seats)
        assert state.round is not None, "a round is under way"
        won = tuple([order[local] for local in seats if winners >> local & 1])
        lowest = self.turn.game.lowest_wins
        # the next opener may depend on the loser, so the losers get the worse score
        scores = tuple([int((Seat(seat) in won) != lowest) for seat in seats])
        after = self.match.ended(state, state.round, Result(won, scores))
        gained = np.zeros(self.match.seats + 1)
        if stake := self.match.format.stake:
            gained[:-1] = [after.tally.points[seat] - state.tally.points[seat] for seat in order]
            if not after.over and self._standing(after).hanging >= self.limit:
                stakes = stake * self.match.seats
                hung = after.tally.pot - stakes
                gained[:-1] += hung * self.shares
                gained[-1] = hung
                if self._standing(after).left == 0:  # no rounds are left, so the stakes go back
                    gained[:-1] += stake
                    return Branch(gained, None, tuple(seats)), after
                after = replace(after, tally=replace(after.tally, pot=stakes))
        else:
            standing = None if after.over else self._standing(after)
            still = [] if standing is None else [behind <= standing.left for behind in standing.behind]
            if standing is None or sum(still) == 1:
                shares = self.match.shares(after.tally)
                gained[:-1] = [shares[seat] for seat in order]
                return Branch(gained, None, tuple(seats)), after
        if after.over:
            return Branch(gained, None, tuple(seats)), after
        return Branch(gained, self._standing(after), tuple([after.local(seat) for seat in order])), after

    def _payoff(self, standing: MatchStanding) -> Floats:
        missing = {branch.following for branch in self._branches[standing] if branch.following is not None}
        self._work_out([each for each in missing if each not in self._values])
        seats = self.match.seats
        columns = seats + 1 if self.match.format.stake and seats > 2 else seats
        payoff = np.zeros((1 << seats, columns))
        for winners, branch in zip(self._sets, self._branches[standing], strict=True):
            payoff[winners] = branch.gained[:columns]
            if branch.following is not None:
                values = self._values[branch.following]
                payoff[winners] += values[[*branch.seats, *range(seats, columns)]]
        return payoff

    def _work_out(self, wanted: list[MatchStanding]) -> None:
        """Compute the values of these standings and of all that can follow them, from the last rounds backwards."""
        needed = {standing for standing in wanted if standing not in self._values}
        new = needed
        while new:
            following = {branch.following for standing in new for branch in self._branches[standing]}
            new = {each for each in following if each is not None and each not in self._values} - needed
            needed |= new
        levels: dict[tuple[int, int], list[MatchStanding]] = {}
        for standing in needed:
            overtime = (
                0 if standing.left else -standing.hanging
            )  # after the last round, a carried pot leads only to standings in which it has been carried longer
            levels.setdefault((standing.left, overtime), []).append(standing)
        coming = len(needed) * max(1, lanes(len(self.turn.scores), self.match.seats))
        for level in sorted(levels):
            here = levels[level]
            for first in range(0, len(here), PART):
                part = here[first : first + PART]
                coming -= len(part) * lanes(len(self.turn.scores), self.match.seats)
                payoffs = np.stack([self._payoff(each) for each in part])
                if replays(self.match.format):
                    payoffs, error = with_replays(self.begun, payoffs, coming)
                    self.error = max(self.error, error)
                    self._complete.update(zip(part, payoffs, strict=True))
                    values = payoffs[:, 0]
                else:
                    values = self.begun(payoffs, coming)
                self._values.update(zip(part, values, strict=True))
                may_pause()
