"""The values of the standings (rounds about to begin) of a match of two, without numpy, in games in which each seat has
one turn a round.

Standings, and those that follow them, are as in ``turns.solver``. Values are in rounds won, or in antes if the format
has a stake. Values that were computed before (``known``) are looked up. They depend on the rounds left, the opener and
the rule for the opener, but not on the number of rounds planned.
"""

from collections.abc import Sequence
from dataclasses import replace

from pubdice.core.errors import Unsolved
from pubdice.core.game import Keep, Result, RoundState, Seat, TurnTaking
from pubdice.match.formats import replays
from pubdice.match.match import Match, MatchState
from pubdice.solve.numerics import ROUNDING
from pubdice.solve.pauses import may_pause
from pubdice_pocket.pure_python.best_replies import BareReplies
from pubdice_pocket.pure_python.two_turns import OPENER, OTHER, BareRound, Pair

TurnMatchState = MatchState[RoundState]
TwoSeatStanding = tuple[int, int, int, int]
"""A standing: (the rounds left with this one, the rounds for which the pot has been carried, the round wins by
which the opener is behind, the round wins by which the other seat is behind). An item that the format does not have is
0."""
MOST_STEPS = 200
MOST_AGAIN = 0.99  # the greatest chance to play a round again that is extrapolated
TwoSeatValues = dict[TwoSeatStanding, Pair]


class TwoSeatStandings:
    """The standings of one match. A pot carried for ``limit`` rounds is divided by ``shares``."""

    def __init__(
        self,
        match: Match[RoundState, Keep],
        replies: BareReplies,
        limit: int,
        shares: Pair,
        known: TwoSeatValues | None = None,
    ) -> None:
        assert isinstance(match.game, TurnTaking)
        self.match, self.replies, self.limit, self.shares = match, replies, limit, shares
        self.known: TwoSeatValues = {} if known is None else known
        self._lowest = match.game.lowest_wins
        self.error = 0.0  # the greatest error of a round that may come again
        self._going: dict[TwoSeatStanding, float] = {}  # the opener's values of rounds that are being solved

    def standing(self, state: TurnMatchState) -> TwoSeatStanding:
        """Return the standing of a state."""
        tally, form = state.tally, self.match.format
        left = form.rounds_planned - tally.rounds
        if form.stake:
            return max(0, left), tally.pot // (form.stake * 2) - 1, 0, 0
        one, two = (tally.points[seat] for seat in state.order)
        most = max(one, two)
        return left, 0, min(most - one, left + 1), min(most - two, left + 1)

    def payoff(self, state: TurnMatchState) -> list[Pair]:
        """Return [4] the value of the round of this state, for each set of winners as bits. Chips that the seats have
        already are not counted.
        """
        if replays(self.match.format):
            again = self.start(state)
            return [again, self._after(state, OPENER), self._after(state, OTHER), again]
        return [self._after(state, winners) for winners in range(4)]

    def start(self, state: TurnMatchState) -> Pair:
        """Return the values of both seats in a state in which a round begins. Chips that they have already are not
        counted.
        """
        standing = self.standing(state)
        found = self.known.get(standing)
        if found is None:
            if replays(self.match.format):
                found = self._again(standing, self._after(state, OPENER), self._after(state, OTHER))
            else:
                found = BareRound(self.replies, self.payoff(state)).start()
            self.known[standing] = found
            may_pause()
        return found

    def _again(self, standing: TwoSeatStanding, one: Pair, two: Pair) -> Pair:
        """Return the value of a round that both seats play again if neither wins (``turns.rounds.with_replays``).

        one, two: the payoffs if one seat wins. After a pause, the search goes on where it was. Raises
        Unsolved("unsettled").
        """
        total, part = sum(one), 0.0

        def step(x: float) -> float:
            again = x, total - x
            return BareRound(self.replies, (again, one, two, again)).start()[0]

        x = self._going.get(standing, (one[0] + two[0]) / 2)
        for _ in range(MOST_STEPS):
            first = step(x)
            second = step(first)
            before, moved = first - x, second - first
            ratio = min(max(moved / before, 0.0), MOST_AGAIN) if abs(before) > ROUNDING else 0.0
            part = max(part, ratio)
            if abs(moved) <= ROUNDING:
                self.error = max(self.error, (abs(moved) + ROUNDING) / (1 - part))
                return second, total - second
            x = self._going[standing] = second + moved * ratio / (1 - ratio)
            may_pause()
        raise Unsolved("unsettled", steps=2 * MOST_STEPS)

    def _after(self, state: TurnMatchState, winners: int) -> Pair:
        """Return the value of a round with these winners, and of all that follows it, for both seats."""
        assert state.round is not None, "a round is under way"
        order = state.order
        won = tuple([seat for place, seat in enumerate(order) if winners >> place & 1])
        # these scores tell the rule for the opener which seat has lost
        scores = tuple([int((Seat(seat) in won) != self._lowest) for seat in (0, 1)])
        after = self.match.ended(state, state.round, Result(won, scores))
        gained = [0.0, 0.0]
        if stake := self.match.format.stake:
            gained = [(after.tally.points[seat] - state.tally.points[seat]) / stake for seat in order]
            left, hanging, _, _ = self.standing(after)
            if not after.over and hanging >= self.limit:
                hung = after.tally.pot // stake - 2
                gained = [antes + hung * share for antes, share in zip(gained, self.shares, strict=True)]
                if not left:  # no round is left, so the antes go back
                    return gained[0] + 1, gained[1] + 1
                after = replace(after, tally=replace(after.tally, pot=2 * stake))
        elif after.over or self._decided(after):
            shares = self.match.shares(after.tally)
            return shares[order[0]], shares[order[1]]
        if after.over:
            return gained[0], gained[1]
        following = self.start(after)
        places: Sequence[int] = [after.local(seat) for seat in order]
        return gained[0] + following[places[0]], gained[1] + following[places[1]]

    def _decided(self, state: TurnMatchState) -> bool:
        left, _, one, two = self.standing(state)
        return (one <= left) + (two <= left) == 1
