"""A solver of matches of games in which each seat has one turn a round: the value of every position to every seat.

A match is a series of rounds (``rounds.py``). The payoffs of a round are the values of the match after it
(``Standings``), so a match is solved from its last round backwards.

Utilities, by format and seats:

- ``rounds``, two seats: the share of the match, ½ each if it is shared. Exact through the whole match.
- ``rounds``, three to six seats: the same, in the subgame-perfect equilibrium of ``rounds.py``, if the standings take
  no more than ``MOST_TURNS`` turns (``MOST_TURNS_PLAIN`` without numba). One round is within the limit for all numbers
  of seats. With numba, all 20 rounds are within it for three seats. Otherwise the utility is round wins, one round at a
  time: every round is played for its own sake.
- ``pot``: chips won or lost, through the whole match, under the same limit. Otherwise one round at a time, as if a pot
  that goes on were shared. The calculation shares a pot equally if it is carried for ``HANGING`` more rounds. With two
  seats ``bound`` is the difference between giving that pot to one seat and to the other. Values rise with a seat's
  share at the end, so the true value lies between. With more seats there is no such order, and ``bound`` is the mean
  number of chips shared in that way. It covers other endings under the play found, not other equilibria.
- ``replay`` (tied seats play a round again): as above, and the value of a replay is a fixed point (``with_replays``).
- ``loser`` (the lowest score opens) with three or more seats: the winner does not determine the next opener, so one
  round at a time.
- One seat: the mean score of a round.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from pubdice.core.errors import Unsolved
from pubdice.core.game import Keep, Result, RoundState, Seat, TurnTaking, unlimited
from pubdice.match.formats import replays
from pubdice.match.match import Match
from pubdice.solve import acceleration
from pubdice.solve.arrays import Floats
from pubdice.solve.numerics import ROUNDING
from pubdice.solve.solver import MOST_SOLVED_SEATS, TURN_PRIZES, outside_round, score_alone
from pubdice.solve.turns.rounds import Before, Round, SoloRound, among, with_replays, work_out
from pubdice.solve.turns.standings import GameState, Standings, as_begun, count
from pubdice.solve.turns.turn import Solved, turn

HANGING = 16
STEP = 4
"""The step by which the greatest length of a carried pot grows. Pots carried 1 to 4 times already share one limit, 5 to
8 times the next, and so on, so fewer tables of standings are needed."""
MOST_TURNS, MOST_TURNS_PLAIN = 65_000, 7_000


class TurnSolver:
    """The values of one match (``solve.solver.Solver``).

    Of equally good keeps, the mover's mean score decides, then the turn's smaller node (``rounds.py``). ``folder`` is
    not used: no solution is stored, because the largest takes only seconds.

    Raises Unsolved if the match has too many seats or another format, and TypeError if the game is no ``TurnTaking``.
    """

    def __init__(self, match: Match[RoundState, Keep], folder: Path | None = None) -> None:
        game = match.game
        if not isinstance(game, TurnTaking):
            raise TypeError(f"no game of one turn a seat: {game}")
        title = type(game).__name__
        if match.seats > MOST_SOLVED_SEATS:
            raise Unsolved("too-many-seats", title=title, seats=match.seats, most=MOST_SOLVED_SEATS)
        if match.seats > 1 and match.format.prize not in TURN_PRIZES:
            raise Unsolved("format", title=title)
        self.match, self._game = match, game
        self.turn = turn(unlimited(game))
        self._stake = match.format.stake
        self._whole = self._fits()
        self._standings: dict[tuple[int, tuple[float, ...]], Standings] = {}
        self._rounds: dict[object, Round] = {}

    def _fits(self) -> bool:
        match = self.match
        if match.seats == 1:
            return False
        once = match.format.is_one_round
        if match.seats > 2 and match.opener == "loser" and not once:
            return False
        most = MOST_TURNS if acceleration.numba_there() else MOST_TURNS_PLAIN
        return once or match.seats == 2 or count(match, len(self.turn.scores), HANGING) <= most

    @property
    def utility(self) -> str:
        """The name of the utility that the seats maximise."""
        if self.match.seats == 1:
            return score_alone(self._game.lowest_wins)
        if self._stake:
            return "chips" if self._whole else "chips, one round at a time"
        return "share of the match" if self._whole else "round wins, one round at a time"

    @cached_property
    def bound(self) -> float:
        """The error bound at the start of a match.

        A pot that has been carried already has another bound, with more rounds and chips.
        """
        seats, planned = self.match.seats, self.match.format.rounds_planned
        if not self._whole:
            size = float(self._stake * seats) if self._stake else 1.0
            if replays(self.match.format):
                return with_replays(self.begun, self._prizes(self._stake * seats)[None])[1]
            return ROUNDING * seats * (float(np.abs(self.turn.points).max()) if seats == 1 else size)
        if replays(self.match.format):
            start = self.match.start() if self.match.first is not None else self.match.draw(self.match.start(), Seat(0))
            standings = self._of(start)
            standings.start(start)
            return standings.error * planned + ROUNDING * seats * planned * max(1, self._stake * seats)
        if not self._stake:
            return ROUNDING * seats * planned
        rounding = ROUNDING * seats * (planned + HANGING) * self._stake * seats * HANGING
        start = self.match.start() if self.match.first is not None else self.match.draw(self.match.start(), Seat(0))
        if seats > 2:
            return rounding + float(self._of(start).start(start)[seats])
        first, second = (self._of(start, (1.0 - seat, float(seat))).start(start)[0] for seat in (0, 1))
        return rounding + float(abs(first - second))

    def values(self, state: GameState) -> tuple[float, ...]:
        """Return the value of every seat at the table."""
        return tuple(map(float, self._values(state)))

    def _values(self, state: GameState) -> Floats:
        if state.over:
            return self._final(state)
        if state.round is None:
            # each round is solved by itself, so its points are final
            if state.roll_off is not None and not self._whole:
                return self._points(state)
            if state.roll_off is not None:
                return np.array(outside_round(self.match, state, self.values))
            firsts = [self.match.draw(state, Seat(seat)) for seat in range(self.match.seats)]
            mean: Floats = np.mean([self._values(first) for first in firsts], axis=0)
            return mean
        return self._under_way(state)

    def begun(self, payoffs: Floats, coming: int) -> Floats:
        """Return [rounds, columns] the values of rounds about to begin. payoffs: [rounds, sets of winners, columns]."""
        found: Floats = work_out(self.turn, payoffs, coming)[0][:, 0, 0]
        return found

    def _under_way(self, state: GameState) -> Floats:
        assert state.round is not None, "asked of a round under way"
        before, solved = self._to_play(state, state.round.scores)
        alone = self._game.alone(state.round)
        if self._game.legal(alone):
            node = self.turn.choice(solved, [node for _, node in self.turn.after(alone)])
        else:
            node = self.turn.node(alone)
        outcomes = self._round(state).outcomes(before)[:, : self.match.seats]
        return self._points(state) + self._at_table(state, solved.chance[node] @ outcomes)

    def action_values(self, state: GameState) -> list[tuple[Keep, float]]:
        """Return the mover's keeps, each with its value to the mover."""
        if state.round is None or not self._game.legal(state.round):
            return []
        before, solved = self._to_play(state, state.round.scores)
        mine = self._points(state)[state.order[before.seat]]
        after = self.turn.after(self._game.alone(state.round))
        return [(keep, float(mine + solved.value[node])) for keep, node in after]

    def node_values(self, state: GameState) -> Floats:
        """Return [nodes] the mover's value of every node of its turn (``turn``), without the points that it already
        has.
        """
        assert state.round is not None, "asked of a round under way"
        return self._to_play(state, state.round.scores)[1].value

    def facts(self, state: GameState) -> list[tuple[Keep, dict[str, float]]]:
        """Return for each keep ``TurnNodes.facts`` under best play afterwards, against the best score so far."""
        best = self.turn.rank(None if state.round is None else self._game.best(state.round.scores))
        return [(keep, self.turn.facts(best, chance)) for keep, chance in self.chances(state)]

    def between(self, state: GameState) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
        """If rounds are solved one at a time (``ByRound``), return every seat's points at the end of the last round,
        and at the start of the next round. Otherwise return None. A single seat's scores do not add up, so its next
        round begins at 0.
        """
        if self._whole or state.last is None or state.tally.began is not None:
            return None
        if self.match.seats == 1:
            return tuple(map(float, self._alone(state.last))), (0.0,)
        points = self._points(state)
        if self._stake:  # before the next stakes are paid, a pot that goes on belongs to all seats
            points += state.tally.pot / self.match.seats
        ended = tuple(map(float, points))
        return ended, ended

    def chances(self, state: GameState) -> list[tuple[Keep, Floats]]:
        """Return the mover's keeps, each with the chance of every score of this turn under best play."""
        if state.round is None or not self._game.legal(state.round):
            return []
        solved = self._to_play(state, state.round.scores)[1]
        return [(keep, solved.chance[node]) for keep, node in self.turn.after(self._game.alone(state.round))]

    def _to_play(self, state: GameState, scores: Sequence[int]) -> tuple[Before, Solved]:
        """Return the state before the mover's turn, and the solved turn. scores: the scores of this round's finished
        turns.
        """
        best = self._game.best(tuple(scores))
        holders = sum(1 << seat for seat, score in enumerate(scores) if score == best)
        before = Before(len(scores), self.turn.rank(best), holders)
        return before, self._round(state).solved(before)

    def _at_table(self, state: GameState, local: Floats) -> Floats:
        values = np.zeros(self.match.seats)
        resting = [seat for seat in as_begun(state).order if seat not in state.order]
        values[[*state.order, *resting]] = local
        return values

    def _points(self, state: GameState) -> Floats:
        """Return the points that the seats already have, if the round is solved without them. Otherwise return 0."""
        adds_up = self.match.seats > 1 and (bool(self._stake) or not self._whole)
        return np.array(state.tally.points, dtype=np.float64) if adds_up else np.zeros(self.match.seats)

    def _final(self, state: GameState) -> Floats:
        if not self._whole or self._stake:
            assert state.last is not None, "a match that is over has had a round"
            if self.match.seats == 1:
                return self._alone(state.last)
            return np.array(state.tally.points, dtype=np.float64)
        return np.array(self.match.shares(state.tally))

    def _alone(self, last: Result) -> Floats:
        """Return [1] a single seat's utility: its score or, if the lowest score wins, the negative of its score."""
        return self.turn.mean[[self.turn.rank(last.scores[0])]]

    def _of(self, state: GameState, shares: tuple[float, ...] = ()) -> Standings:
        """Return the standings that follow a state. Its pot can be carried for at least ``HANGING`` more rounds."""
        seats = self.match.seats
        hanging = state.tally.pot // (self._stake * seats) - 1 if self._stake else 0
        limit = HANGING + -(-hanging // STEP) * STEP
        key = limit, shares
        if key not in self._standings:
            shared = np.array(shares) if shares else np.full(seats, 1 / seats)
            self._standings[key] = Standings(self.match, self.turn, limit, shared, self.begun)
        return self._standings[key]

    def _round(self, state: GameState) -> Round:
        tally, mine, order = state.tally, self._of(state), as_begun(state).order
        behind = tuple([max(tally.points) - tally.points[seat] for seat in order]) if not self._stake else ()
        at = [order.index(seat) for seat in state.order]
        key = (tally.rounds, tally.pot, behind, *at) if self._whole else (tally.pot, *at)
        if key not in self._rounds:
            kind = Round if self.match.seats > 1 else SoloRound
            payoff = mine.payoff(state) if self._whole else self._one_round(tally.pot)
            self._rounds[key] = kind(self.turn, among(payoff, at))
        return self._rounds[key]

    def _one_round(self, pot: int) -> Floats:
        """Return [sets of winners, seats] the payoffs of a round by itself."""
        payoff = self._prizes(pot)
        return with_replays(self.begun, payoff[None])[0][0] if replays(self.match.format) else payoff

    def _prizes(self, pot: int) -> Floats:
        """Return [sets of winners, seats] the prizes of a round. All seats share a pot that goes on."""
        seats = self.match.seats
        payoff = np.zeros((1 << seats, seats))
        for winners in range(1 << seats):
            won = [seat for seat in range(seats) if winners >> seat & 1]
            if not self._stake:
                payoff[winners, won] = 1.0
            else:
                payoff[winners] = pot / seats
                if len(won) == 1:
                    payoff[winners] = [pot * (seat in won) for seat in range(seats)]
        return payoff
