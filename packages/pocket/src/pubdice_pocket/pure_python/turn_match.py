"""A solver without numpy (a ``solve.solver.Solver``) for matches of one or two seats, in games in which each seat has
one turn a round.

Utilities, values, facts, and the choice between equally good keeps, are as in ``turns.solver``. The mathematics is in
``turns.solver`` and ``turns.rounds``. With two seats the utility is always for the whole match.
"""

from functools import cached_property, partial
from pathlib import Path

from pubdice.core.errors import Unsolved
from pubdice.core.game import Keep, Seat, TurnTaking
from pubdice.match.formats import replays
from pubdice.match.match import Match
from pubdice.solve.numerics import ROUNDING
from pubdice.solve.solver import outside_round, score_alone
from pubdice_pocket.pure_python.bare_turn import BareSolved, bare_turn
from pubdice_pocket.pure_python.best_replies import BareReplies
from pubdice_pocket.pure_python.kept_solutions import kept_lines, kept_standings, kept_turn
from pubdice_pocket.pure_python.two_seat_standings import TurnMatchState, TwoSeatStandings
from pubdice_pocket.pure_python.two_turns import BareRound, Found, Pair

HANGING, STEP = 16, 4
"""The number of rounds for which a carried pot is followed, as in ``turns.solver``, and the step by which this grows if
the pot has been carried already."""
EQUAL: Pair = (0.5, 0.5)
ALL_OR_NOTHING: tuple[Pair, Pair] = (1.0, 0.0), (0.0, 1.0)
SPARED, LEAST_SEEN = 5e-11, 1e-16
"""In antes: the error that is allowed for the values of a carried pot, and the least difference that is more than
rounding."""
MOST_BARE_SEATS = 2
MOST_PLANNED = 20  # the most rounds of a match of rounds, and of a pot
MOST_ROUNDS = 64  # the most rounds whose solved turns are in memory at once


class BareTurnSolver:
    """The values of one match. Raises Unsolved: "needs-house" for more than two seats or too many rounds, "format" for
    a prize other than round wins and chips.
    """

    def __init__(self, match: Match, folder: Path | None = None) -> None:  # type: ignore[type-arg]
        game = match.game
        if not isinstance(game, TurnTaking):
            raise TypeError(f"no game of one turn a seat: {game}")
        title = type(game).__name__
        if match.seats > MOST_BARE_SEATS or (match.seats > 1 and match.format.rounds_planned > MOST_PLANNED):
            raise Unsolved("needs-house", title=title)
        if match.seats > 1 and match.format.prize not in ("round wins", "chips"):
            raise Unsolved("format", title=title)
        self.match, self._game, self._folder = match, game, folder
        self.turn = bare_turn(game, partial(kept_turn, game, folder))
        self._stake = match.format.stake
        self._replies = BareReplies(self.turn, kept_lines(game, folder))
        self._standings: dict[tuple[int, Pair], TwoSeatStandings] = {}
        self._rounds: dict[object, BareRound] = {}

    @property
    def utility(self) -> str:
        """A phrase that names the utility."""
        if self.match.seats == 1:
            return score_alone(self.match.game.lowest_wins)
        return "chips" if self._stake else "share of the match"

    @cached_property
    def bound(self) -> float:
        """The greatest possible error of a value at the start (see ``turns.solver``)."""
        seats, planned = self.match.seats, self.match.format.rounds_planned
        if seats == 1:
            return ROUNDING * max([abs(point) for point in self.turn.points])
        start = self.match.start()
        if self.match.to_draw(start):
            start = self.match.draw(start, Seat(0))
        if replays(self.match.format):
            standings = self._of(start)
            standings.start(start)
            return (standings.error + ROUNDING * seats) * planned * max(1, self._stake)
        if not self._stake:
            return ROUNDING * seats * planned
        first, second = (self._of(start, shares).start(start)[0] for shares in ALL_OR_NOTHING)
        rounding = ROUNDING * seats * (planned + HANGING) * self._stake * seats * HANGING
        return rounding + abs(first - second) * self._stake

    def values(self, state: TurnMatchState) -> tuple[float, ...]:
        """Return the value of each seat, by its number."""
        match = self.match
        if state.over:
            return self._final(state)
        if state.round is None:
            return outside_round(match, state, self.values)
        found, solved = self._to_play(state)
        alone = self._game.alone(state.round)
        if self._game.legal(alone):
            node = self.turn.choice(solved, [node for _, node in self.turn.after(alone)])
        else:
            node = self.turn.node(alone)
        if match.seats == 1:
            return (solved.value[node],)
        local = self._round(state).outcome(found, solved.chance[node])
        return tuple([self._had(state, Seat(seat)) + local[state.local(Seat(seat))] for seat in range(match.seats)])

    def action_values(self, state: TurnMatchState) -> list[tuple[Keep, float]]:
        """Return the mover's legal keeps, each with its value."""
        if state.round is None or not self._game.legal(state.round):
            return []
        found, solved = self._to_play(state)
        had = self._had(state, state.order[found.seat])
        return [(keep, had + solved.value[node]) for keep, node in self.turn.after(self._game.alone(state.round))]

    def facts(self, state: TurnMatchState) -> list[tuple[Keep, dict[str, float]]]:
        """Return the outcome of each keep if all later play is the best (``TurnNodes.facts``)."""
        if state.round is None or not self._game.legal(state.round):
            return []
        _, solved = self._to_play(state)
        best = self.turn.rank(self._game.best(state.round.scores))
        after = self.turn.after(self._game.alone(state.round))
        for _, node in after:
            if node not in solved.facts:
                solved.facts[node] = self.turn.facts(best, solved.chance[node])
        return [(keep, solved.facts[node]) for keep, node in after]

    def between(self, state: TurnMatchState) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
        """Return a single seat's payoff of the last round, and 0 for all that follows, because its score starts again
        in every round (``solve.solver.ByRound``). Return None for two seats, or before a round has ended.
        """
        if self.match.seats > 1 or state.last is None:
            return None
        return self._final(state), (0.0,)

    def _to_play(self, state: TurnMatchState) -> tuple[Found, BareSolved]:
        """Return the score to beat, and the mover's turn solved for it."""
        assert state.round is not None, "a round is under way"
        scores = state.round.scores
        if self.match.seats == 1:
            return Found(0), self._solo
        best = self._game.best(scores)
        holders = sum(1 << seat for seat, score in enumerate(scores) if score == best)
        found = Found(len(scores), self.turn.rank(best), holders)
        return found, self._round(state).solved(found)

    @cached_property
    def _solo(self) -> BareSolved:
        return self.turn.solve(self.turn.mean)

    def _had(self, state: TurnMatchState, seat: Seat) -> float:
        """If the prize is chips, return the chips that a seat has already. Otherwise return 0."""
        return float(state.tally.points[seat]) if self._stake and self.match.seats > 1 else 0.0

    def _final(self, state: TurnMatchState) -> tuple[float, ...]:
        match = self.match
        if match.seats == 1:
            assert state.last is not None, "a match that is over has had a round"
            return (self.turn.mean[self.turn.rank(state.last.scores[0])],)
        if self._stake:
            return tuple(map(float, state.tally.points))
        return match.shares(state.tally)

    def _of(self, state: TurnMatchState, shares: Pair = EQUAL) -> TwoSeatStandings:
        """Return the standings that follow a state. The pot may be carried for at least ``HANGING`` more
        rounds.

        The solutions made beforehand are for a pot that has not been carried yet. If the error is small enough, they
        also serve a pot that has been carried for some rounds (``_rounds_to_spare``). A new solution would take 28
        solved turns at Midnight.
        """
        hanging = state.tally.pot // (self._stake * 2) - 1 if self._stake else 0
        more = -(-hanging // STEP) * STEP if hanging and hanging > self._rounds_to_spare else 0
        return self._up_to(HANGING + more, shares)

    def _up_to(self, limit: int, shares: Pair) -> TwoSeatStandings:
        key = limit, shares
        if key not in self._standings:
            usual = limit == HANGING and not replays(self.match.format)
            kept = kept_standings(self.match, shares, self._folder) if usual else None
            self._standings[key] = TwoSeatStandings(self.match, self._replies, limit, shares, kept)
        return self._standings[key]

    @cached_property
    def _rounds_to_spare(self) -> int:
        """Return the most rounds for which a pot may have been carried before its kept values are wrong by ``SPARED``
        antes.

        The values kept for the bound show how much a fresh pot depends on the seat that gets it at the end. This is at
        most all antes times the chance p that the pot is carried for ``HANGING`` rounds. Each round fewer divides it by
        the chance that the pot is carried for one round.
        """
        matters = 0.0
        for at in range(1, self.match.format.rounds_planned + 1):
            one, other = (self._up_to(HANGING, shares).known.get((at, 0, 0, 0)) for shares in ALL_OR_NOTHING)
            if one is None or other is None:
                return 0
            matters = max(matters, abs(one[0] - other[0]), LEAST_SEEN)
        hangs = (matters / (HANGING + 1)) ** (1 / HANGING)
        return next(rounds for rounds in range(HANGING) if matters / hangs ** (rounds + 1) > SPARED)

    def _round(self, state: TurnMatchState) -> BareRound:
        standings = self._of(state)
        key = standings.limit, standings.standing(state)
        if key not in self._rounds:
            if len(self._rounds) == MOST_ROUNDS:
                del self._rounds[next(iter(self._rounds))]
            unit = float(self._stake or 1)
            payoff = [(one * unit, two * unit) for one, two in standings.payoff(state)]
            self._rounds[key] = BareRound(self._replies, payoff)
        return self._rounds[key]
