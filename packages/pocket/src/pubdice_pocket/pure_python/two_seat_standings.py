"""The values of the standings (rounds about to begin) of a match of two, without numpy, in games in which each seat has
one turn a round.

Standings, and those that follow them, are as in ``turns.solver``. Values are in rounds won, or in antes if the format
has a stake. Values that were computed before (``known``) are looked up. They depend on the rounds left, the opener and
the rule for the opener, but not on the number of rounds planned.
"""

from collections.abc import Sequence
from dataclasses import replace

from pubdice.core.game import Keep, Result, RoundState, Seat, TurnTaking
from pubdice.match.match import Match, MatchState
from pubdice.solve.pauses import may_pause
from pubdice_pocket.pure_python.best_replies import BareReplies
from pubdice_pocket.pure_python.two_turns import BareRound, Pair

TurnMatchState = MatchState[RoundState]
TwoSeatStanding = tuple[int, int, int, int]
"""A standing: (the rounds left with this one, the rounds for which the pot has been carried, the round wins by
which the opener is behind, the round wins by which the other seat is behind). An item that the format does not have is
0."""
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
        return [self._after(state, winners) for winners in range(4)]

    def start(self, state: TurnMatchState) -> Pair:
        """Return the values of both seats in a state in which a round begins. Chips that they have already are not
        counted.
        """
        standing = self.standing(state)
        found = self.known.get(standing)
        if found is None:
            found = self.known[standing] = BareRound(self.replies, self.payoff(state)).start()
            may_pause()
        return found

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
