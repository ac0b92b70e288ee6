"""A round of several seats, each playing best for itself, by backward induction over the seats. Many rounds at once.

State before seat i's turn: the rank b of the best score so far (its index among the scores, from worst to best) and the
set H of seats that hold it (empty at b = 0). Let payoff(W) be the value to every seat of a round won by the set W, and
R(i, b, H) the values of all seats. Then

    R(n, b, H) = payoff(H),
    R(i, b, H) = sum over s of D(s) · R(i + 1, next(b, H, i, s)),

    next = (b, H)       if s < b or s = 0,
           (b, H + i)   if s = b,
           (s, {i})     if s > b.

If a score wins at once, R(i, that score, H) = payoff(H) before every seat. D is the distribution of seat i's score when
it plays best for the utility u(s) = R(i + 1, next)[i]. The last seat's utility is known, so this ends after n steps.

With two seats and payoffs of a constant sum, R is the value of a zero-sum game. With more seats it is a subgame-perfect
equilibrium. Of equally good replies a seat takes the reply with the higher mean score, and then the turn's smaller
node. Replies are equally good if they differ by at most ``SAME`` of the range of u. If no score matters to a seat by
more than ``TIE``, the seat plays for its mean score. ``solve.plain`` takes the first reply in the rules' order instead
of the smaller node. So if a seat can no longer win and two keeps have the same mean, the two solvers may differ by some
1e-5. Both results are equilibria (``tests/solve/test_early_ends.py``).

Many rounds, which differ in their payoffs, are solved at once. Three things save turns. The last seat's utility has
only three values, so its turn is looked up (``Replies``). Equal utilities are solved once. With two seats and a
constant sum only the opener's value is needed, not its choices.

If tied seats play a round again, payoff(W) of several winners is the value of a round among W alone. That value is a
fixed point, since W may tie once more (``with_replays``).

Payoffs may have more columns than there are seats. The additional values are averaged along, and no seat maximises
them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.core.errors import BadNotation, Unsolved
from pubdice.core.game import GameOfTurns
from pubdice.solve.arrays import Floats
from pubdice.solve.numerics import ROUNDING, SAME, TIE
from pubdice.solve.turns.best_reply import replies
from pubdice.solve.turns.turn import Solved, TurnGraph, turn

COLUMN_DIGITS = 14
"""Decimal places to which two utilities, scaled to 0 … 1, must agree to be solved once. Smaller differences are below
``SAME``."""


def lanes(scores: int, seats: int) -> int:
    """Return the most turns to solve in a round with this many scores.

    The last seat's turns are looked up, so not counted.
    """
    return sum(len(_states(scores, seat)[0]) for seat in range(seats - 1))


def work_out(turn: TurnGraph, payoffs: Floats, coming: int = 0) -> list[Floats]:
    """Compute the values before each seat's turn, and after the last turn.

    Returns [seats + 1] tables [rounds, scores, 2 ** seat, columns].

    payoffs: [rounds, 2 ** seats, columns]. Scores are in the order of ``TurnGraph.scores``. The third axis is the set
    of seats that hold the best score, as bits. coming: the number of turns that the caller will ask for later
    (``backward_induction``). Impossible entries, such as a best score without a holder, are 0.
    """
    seats = payoffs.shape[1].bit_length() - 1
    shape = (len(payoffs), len(turn.scores), payoffs.shape[1], payoffs.shape[2])
    tables = [np.broadcast_to(payoffs[:, None], shape)]
    duel = payoffs.shape[1:] == (4, 2) and bool(np.ptp(payoffs.sum(axis=2), axis=1).max() < TIE)
    for seat in reversed(range(seats)):
        best, holders = _states(len(turn.scores), seat)
        if seat == seats - 1 and seats > 1:
            values = _last(turn, payoffs, coming, duel)
        else:
            outcomes = tables[0][:, *_following(len(turn.scores), seat)]
            values = _play(turn, outcomes, seat, coming, duel)
        table = np.zeros((*shape[:2], 1 << seat, shape[3]))
        table[:, best, holders] = values
        if turn.at_once:  # the round was over before this seat's turn
            table[:, turn.at_once] = payoffs[:, : 1 << seat]
        tables.insert(0, table)
    return tables


@cache
def _states(scores: int, seat: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """List the states before a seat's turn: (the ranks of the best score, the sets of holders as bits)."""
    pairs = [(0, 0), *((best, held) for best in range(1, scores) for held in range(1, 1 << seat))]
    return np.array([best for best, _ in pairs]), np.array([held for _, held in pairs])


@cache
def _following(scores: int, seat: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return [states, scores] for each score of a seat, the state before the next seat's turn (``_states``)."""
    best, held = (each[:, None] for each in _states(scores, seat))
    score = np.arange(scores)
    equal = np.where((score == best) & (best > 0), held | 1 << seat, held)
    return np.maximum(best, score), np.where(score > best, 1 << seat, equal)


def in_units(utility: Floats) -> tuple[Floats, Floats, Floats]:
    """Scale utilities: (the utilities from 0 to 1, their least value, their range).

    If the range is within ``TIE``, all become 0.
    """
    low = utility.min(axis=0)
    span = np.ptp(utility, axis=0)
    return (utility - low) / np.where(span > TIE, span, np.inf), low, span


def _chances(turn: TurnGraph, utility: Floats, coming: int) -> Floats:
    """Return [scores, lanes] the chances of scores if play is best for each utility. Equal utilities are solved
    once.
    """
    unit = in_units(utility)[0]
    _, first, back = np.unique(np.round(unit, COLUMN_DIGITS), axis=1, return_index=True, return_inverse=True)
    chances: Floats = turn.chances(unit[:, first], coming)[:, back.ravel()]
    return chances


def _play(turn: TurnGraph, outcomes: Floats, seat: int, coming: int, duel: bool) -> Floats:
    """Return [rounds, states, columns] the values before a seat's turn. ``outcomes``: [rounds, states, scores,
    columns].
    """
    rounds, states, scores, columns = outcomes.shape
    own = outcomes[..., seat].reshape(-1, scores).T
    if duel:  # this is the opener of two seats, so the other seat gets the remainder
        mine = turn.best(own, coming).reshape(rounds, states)
        return np.stack([mine, outcomes[:, :, 0].sum(axis=-1) - mine], axis=-1)
    chances = _chances(turn, own, coming)
    values: Floats = np.einsum("slc,ls->lc", outcomes.reshape(-1, scores, columns).transpose(1, 0, 2), chances.T)
    return values.reshape(rounds, states, columns)


def _last(turn: TurnGraph, payoffs: Floats, coming: int, duel: bool) -> Floats:
    """Return [rounds, states, columns] the values before the last seat's turn. The last seat wins, ties or loses."""
    seat = payoffs.shape[1].bit_length() - 2
    best, held = _states(len(turn.scores), seat)
    shape = (len(payoffs), len(best), payoffs.shape[2])
    win = np.broadcast_to(payoffs[:, None, 1 << seat], shape)
    tie, lose = payoffs[:, np.where(best > 0, held | 1 << seat, 0)], payoffs[:, held]
    stake = (win - lose)[..., seat].ravel()
    theta = (tie - lose)[..., seat].ravel() / np.where(np.abs(stake) > TIE, stake, 1.0)
    number = np.tile(best, len(payoffs))
    known = (stake > TIE) & (theta >= -SAME) & (theta <= 1 + SAME)
    line = np.empty((len(theta), 2))
    line[known] = replies(turn.game, fair=not duel).lines(number[known], theta[known])
    other = np.flatnonzero(~known)
    if len(other):
        score = np.arange(len(turn.scores))[:, None]
        b = number[other]
        mine = [each[..., seat].ravel()[other] for each in (win, tie, lose)]
        chances = _chances(turn, np.where(score > b, mine[0], np.where(score == b, mine[1], mine[2])), coming)
        line[other, 0] = (chances * (score > b)).sum(axis=0)
        line[other, 1] = (chances * (score == b)).sum(axis=0)
    won, tied = (line[:, at].reshape(*shape[:2], 1) for at in (0, 1))
    values: Floats = won * win + tied * tie + (1 - won - tied) * lose
    return values


@dataclass(frozen=True)
class Before:
    """The state of a round before a seat's turn."""

    seat: int
    best: int = 0  # the rank of the best score so far, 0 if no score can win yet
    holders: int = 0  # the seats that have the best score, a bit for each


class Round:
    """A round. ``payoff``: [2 ** seats, seats] the payoff to every seat, by the set of winners as bits."""

    def __init__(self, turn: TurnGraph, payoff: Floats) -> None:
        self.turn, self.payoff = turn, payoff
        self.seats = len(payoff).bit_length() - 1
        self._tables: list[Floats] = []
        self._solved: dict[Before, Solved] = {}

    def values(self, before: Before) -> Floats:
        """Return [seats] the value of every seat before a turn, or after the last turn."""
        if before.seat == self.seats:
            final: Floats = self.payoff[before.holders]
            return final
        if not self._tables:
            self._tables = work_out(self.turn, self.payoff[None])
        found: Floats = self._tables[before.seat][0, before.best, before.holders]
        return found

    def next(self, before: Before, rank: int) -> Before:
        """Return the state before the next seat's turn, after a score of this rank."""
        seat, best, holders = before.seat, before.best, before.holders
        if rank > best:
            return Before(seat + 1, rank, 1 << seat)
        return Before(seat + 1, best, holders | (1 << seat) if rank == best > 0 else holders)

    def outcomes(self, before: Before) -> Floats:
        """Return [scores, seats] every seat's value after each score of the seat to play."""
        return np.stack([self.values(self.next(before, rank)) for rank in range(len(self.turn.scores))])

    def solved(self, before: Before) -> Solved:
        """Solve the turn of the seat to play, under best play for itself."""
        if before not in self._solved:
            unit, low, span = in_units(self.outcomes(before)[:, before.seat])
            found = self.turn.solve(unit)
            self._solved[before] = Solved(low + span * found.value, found.chance, float(span) * found.slack)
        return self._solved[before]


class SoloRound(Round):
    """A round of a single seat, which plays for its mean score."""

    def values(self, before: Before) -> Floats:
        """Return [1] the score made, or before the turn the expected score."""
        if before.seat:
            return self.turn.mean[[before.best]]
        return self.solved(before).value[[self.turn.start]]

    def solved(self, before: Before) -> Solved:
        """Solve the turn for its mean score."""
        if before not in self._solved:
            self._solved[before] = self.turn.solve(self.turn.mean)
        return self._solved[before]


MOST_STEPS = 200
MOST_AGAIN = 0.99
"""The greatest chance to play again that is extrapolated."""
Begun = Callable[[Floats, int], Floats]
"""A function that computes the values of rounds as they begin, [rounds, columns]. Its arguments are the payoffs of the
rounds, [rounds, sets of winners, columns], and the number of turns still to solve later."""


def with_replays(begun: Begun, payoffs: Floats, coming: int = 0) -> tuple[Floats, float]:
    """Complete the payoffs of rounds that tied seats play again: (the payoffs, their error bound).

    payoffs: [rounds, sets of winners, columns], of which only the payoffs to single winners count. The value x of a
    replay by a set of seats is the value of a round in which x is the payoff if they all tie, or if no seat wins. With
    a fixed policy, two successive changes of x have the ratio of the chance q to play again, so two steps give the x of
    that policy. The policy of x is best, once x no longer moves. Then the last change divided by 1 - q bounds the error
    of x. The sets of few seats come first, because the larger ones lead to them.

    Raises Unsolved("unsettled") if the best replies of three or more seats never settle.
    """
    seats, columns = payoffs.shape[1].bit_length() - 1, payoffs.shape[2]
    payoffs, error = payoffs.copy(), 0.0
    for size in range(2, seats + 1):
        sets = list(combinations(range(seats), size))
        tables = np.concatenate([among(payoffs, each) for each in sets])
        rows, back = np.unique(tables.reshape(-1, columns << size), axis=0, return_inverse=True)
        found, bound = _again(begun, rows.reshape(-1, 1 << size, columns), coming)
        error += bound
        for each, rounds in zip(sets, back.reshape(len(sets), -1), strict=True):
            payoffs[:, sum(1 << at for at in each), _columns(each, columns)] = found[rounds]
    payoffs[:, 0] = payoffs[:, -1]
    return payoffs, error


def among(payoffs: Floats, chosen: Sequence[int]) -> Floats:
    """[…, sets of chosen seats, columns] the payoffs of a replay by some seats of a round. Their columns come first.

    payoffs: […, sets of winners, columns].
    """
    sets = [sum(1 << seat for at, seat in enumerate(chosen) if won >> at & 1) for won in range(1 << len(chosen))]
    found: Floats = payoffs[..., sets, :][..., _columns(chosen, payoffs.shape[-1])]
    if found.shape[-2] < payoffs.shape[-2]:
        found[..., 0, :] = found[..., -1, :]  # without a winner, the same seats play on
    return found


def _columns(chosen: Sequence[int], columns: int) -> list[int]:
    return [*chosen, *[at for at in range(columns) if at not in chosen]]


def _again(begun: Begun, payoffs: Floats, coming: int) -> tuple[Floats, float]:
    """Return ([rounds, columns] the values of rounds that come again after a tie of all seats, their error bound)."""
    singles = payoffs[:, [1 << at for at in range(payoffs.shape[1].bit_length() - 1)]]
    x, part = singles.mean(axis=1), 0.0
    scale = max(1.0, float(np.abs(singles).max()))

    def step(x: Floats) -> Floats:
        payoffs[:, 0] = payoffs[:, -1] = x
        return begun(payoffs, coming)

    for _ in range(MOST_STEPS):
        one = step(x)
        two = step(one)
        before, moves = one - x, two - one
        size = (before**2).sum(axis=1)
        clear = size > (ROUNDING * scale) ** 2
        ratio = np.clip((before * moves).sum(axis=1) / np.where(clear, size, 1.0), 0.0, MOST_AGAIN) * clear
        part, moved = max(part, float(ratio.max())), float(np.abs(moves).max())
        x = two + moves * (ratio / (1 - ratio))[:, None]
        if moved <= ROUNDING * scale:
            return two, (moved + ROUNDING * scale) / (1 - part)
    raise Unsolved("unsettled", steps=2 * MOST_STEPS)


def pot_share(game: GameOfTurns, seats: int, opener: str) -> dict[str, Any]:
    """Compute each seat's chance to win one pot, in turn order from its opener.

    A pot is carried over if a round has several winners or none. Let v(j) be the share of the j-th seat in turn order.
    Then v is the value of a round in which a sole winner takes the pot, and after any other result the next round is
    worth v again, rotated by the rule for the next opener. So v is a fixed point, found by iteration until no share
    moves. A round is undecided with chance q < 1, so the last change divided by 1 - q bounds the error.

    Raises BadNotation if the loser opens and there are more than two seats.
    """
    if opener == "loser" and seats > 2:  # the winners alone do not tell which seat has the lowest score and opens
        raise BadNotation("opener", found=opener, openers=("rotate", "fixed", "winner"))
    turned = turn(game)
    share = np.full(seats, 1 / seats)
    moved, left = 1.0, 0.0  # the last change, and the greatest ratio of two successive changes
    for _ in range(MOST_STEPS):
        payoff = np.empty((1 << seats, seats))
        for winners in range(1 << seats):
            first = (winners & -winners).bit_length() - 1
            following = {"rotate": 1 % seats, "winner": max(first, 0)}.get(opener, 0)
            payoff[winners] = np.eye(seats)[first] if winners.bit_count() == 1 else np.roll(share, following)
        after = Round(turned, payoff).values(Before(0))
        before, moved, share = moved, float(np.abs(after - share).max()), after
        if moved < ROUNDING:
            break
        left = max(left, moved / before)
    bound = (moved + ROUNDING) / (1 - left)
    return {"share": share.tolist(), "utility": "the pot, carried until a player takes it", "bound": bound}
