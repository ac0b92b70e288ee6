"""Policy evaluation in a round, even if the round need not end.

Let pi(a | position) be the share of action a in the mover's policy. Then

    v(end) = u(result),   v(roll) = sum over hands of prob · v(after),   v(choice) = sum over a of pi(a) · v(after a).

Positions that cannot reach a cycle are computed once, from the ends upward. The others are computed again and again,
together with the chance that the round has ended, until this chance is at least 1 - ``UNENDED`` at the start. Each
sweep takes the positions furthest from the start first (block Gauss-Seidel), so one sweep computes a whole turn and few
sweeps are needed.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pubdice.core.errors import Unsolved
from pubdice.core.game import Game, Policy
from pubdice.solve.arrays import Floats
from pubdice.solve.plain.best_play import MOST_SWEEPS, UNENDED
from pubdice.solve.plain.cycles import Numbers, heights, rows
from pubdice.solve.plain.positions import CHANCE, MOST_MOVES, MOST_POSITIONS, find_positions

Shares = Floats
"""[moves] the chance that one policy takes each action at its choice. 0 at rolls. A *move* is an action or a roll of
dice."""


class FollowedRound:
    """A round in which each seat follows a given policy. Raises Unsolved if the round has too many positions or moves.

    A policy is asked at every choice of the round, in canonical form if the game has one (``CanonicalStates``).
    """

    def __init__(self, game: Game[Any, Any], seats: int) -> None:
        self.game = game
        self._found = find_positions(game, seats, most=MOST_POSITIONS, most_moves=MOST_MOVES, turned=False)
        self._states = list(self._found.number)
        found, runs = self._found, np.diff(self._found.starts)
        self._mover = np.repeat(found.mover, runs)
        total = np.add.reduceat(np.append(found.ways, 0), found.starts[:-1])
        self._chance = np.where(self._mover == CHANCE, found.ways / np.repeat(np.where(runs, total, 1), runs), 0.0)
        height = heights(found.starts, found.after)
        self._levels = [np.flatnonzero(height == level) for level in range(1, int(height.max()) + 1)]
        depth = self._depths()
        self._loose = [np.flatnonzero((height < 0) & (depth == each)) for each in np.unique(depth[height < 0])[::-1]]

    def _depths(self) -> Numbers:
        """Return [positions] the fewest steps from the start to each position."""
        found, step = self._found, 0
        depth = np.full(len(found.mover), -1, dtype=np.int64)
        here = np.zeros(1, dtype=np.int64)
        while len(here):
            depth[here] = step
            after, step = np.unique(found.after[rows(found.starts, here)]), step + 1
            here = after[depth[after] < 0]
        return depth

    def shares(self, policy: Policy[Any, Any]) -> Shares:
        """Return the policy as the share of each action. Raises ValueError if the policy plays an illegal action."""
        found, game, shares = self._found, self.game, np.zeros(len(self._found.after))
        for at in np.flatnonzero(found.mover >= 0).tolist():
            state, first = self._states[at], int(found.starts[at])
            place = {action: number for number, action in enumerate(game.legal(state), first)}
            weighted = policy(game, state)
            total = sum(weight for _, weight in weighted)
            for action, weight in weighted:
                if action not in place:
                    raise ValueError(f"The card's policy plays {action}, which is not legal in {state}.")
                shares[place[action]] += weight / total
        return shares

    def value(self, played: Sequence[Shares], payoff: Sequence[float]) -> float:
        """Return the value of the round at its start. Raises Unsolved if the round does not end within ``MOST_SWEEPS``.

        played: the shares of each seat's policy, by seat. payoff: the utility of each of ``results``.
        """
        prob = self._chance.copy()
        for seat, shares in enumerate(played):
            np.copyto(prob, shares, where=self._mover == seat)
        found = self._found
        table = np.zeros((len(found.mover), 2))  # columns: the value so far, the chance to have ended
        over = found.result >= 0
        table[over] = np.stack([np.array(payoff)[found.result[over]], np.ones(int(over.sum()))], axis=1)
        for level in self._levels:
            self._step(table, prob, level)
        for _ in range(MOST_SWEEPS):
            if table[0, 1] >= 1 - UNENDED:
                return float(table[0, 0])
            for block in self._loose:
                self._step(table, prob, block)
        raise Unsolved("unsettled", steps=MOST_SWEEPS)

    @property
    def results(self) -> Sequence[Any]:
        """The possible results of the round, each once."""
        return self._found.results

    def _step(self, table: Floats, prob: Floats, here: Numbers) -> None:
        moves = rows(self._found.starts, here)
        runs = self._found.starts[here + 1] - self._found.starts[here]
        parts = table[self._found.after[moves]] * prob[moves, None]
        table[here] = np.add.reduceat(parts, np.cumsum(runs) - runs)
