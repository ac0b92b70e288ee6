"""One turn, solved for any utility over its score; and a round of several seats, a turn each.

The graph of the turn is enumerated from the rules by ``solve.finite.graph`` and solved by ``solve.finite``, which state
the mathematics; scores, ranks and nodes are those of ``bare_turn``, which does the same without numpy.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.core.errors import BadNotation
from pubdice.core.game import Game, GameOfTurns, Policy, RoundState, TurnGame
from pubdice.solve.arrays import Floats
from pubdice.solve.finite.backward_induction import (
    best_choices,
    distributions,
    start_chances,
    start_pairs,
    start_values,
)
from pubdice.solve.finite.enumerated import Sheet
from pubdice.solve.finite.graph import enumerate_round
from pubdice.solve.numerics import ROUNDING, SAME, TIE, first_best
from pubdice.solve.turns.bare_turn import NEVER, NumberRow, TurnNodes
from pubdice.solve.turns.goals import win

__all__ = ["NEVER", "Solved", "TurnGraph", "turn"]


@dataclass(frozen=True)
class Solved:
    """A turn under best play for one utility.

    value: [nodes] of every node. chance: [nodes, scores] of every final score from every node. slack: choices whose
    values differ by no more are equally good.
    """

    value: Floats
    chance: Floats
    slack: float = SAME


class TurnGraph(TurnNodes):
    """The turn of a game, as arrays."""

    def __init__(self, game: GameOfTurns) -> None:
        inherited = type(game).play is TurnGame.play  # where a keep leads depends on nothing but the dice locked
        self.graph = enumerate_round(game, game.start(1), rerolled=inherited)
        super().__init__(game, self.graph.results, self.graph.chance, self.graph.nodes)
        # Ends are numbered as enumeration found them, scores ascend: one permutation translates.
        self._order = np.array(self.ends)  # of ends, in terms of scores
        self._points = np.array(self.scores, dtype=np.float64)
        # Negative, as everything below maximises.
        self._mean = -self._points if game.lowest_wins else self._points

    @property
    def points(self) -> Floats:
        """[scores] the scores as numbers."""
        return self._points

    @property
    def mean(self) -> Floats:
        """[scores] the points, or where the lowest score wins their negative."""
        return self._mean

    def by_end(self, by_score: Floats) -> Floats:
        """[ends, …] of [scores, …]."""
        found: Floats = by_score[self._order]
        return found

    def _by_score(self, chances: Floats) -> Floats:
        """[scores, …] of [ends, …]."""
        found = np.zeros((len(self.scores), *chances.shape[1:]))
        found[self._order] = chances
        return found

    def best(self, utilities: Floats, coming: int = 0) -> Floats:
        """[lanes] the value of a fresh turn for each of the utilities, [scores, lanes].

        coming: the number of lanes still to be asked for, see ``solve.finite``.
        """
        return start_values(self.graph, self.by_end(utilities), coming)

    def pairs(self, utilities: Floats, along: Floats) -> tuple[Floats, Floats]:
        """([lanes] values of a fresh turn, [lanes] what it is worth in ``along`` if played so); see
        ``backward_induction``.
        """
        return start_pairs(self.graph, self.by_end(utilities), self.by_end(along))

    def chances(self, utilities: Floats, coming: int = 0) -> Floats:
        """[scores, lanes] the chance of every score of a fresh turn, played best for each of the utilities.

        Between equally good keeps the mean score decides, as in ``solve``.
        """
        return self._by_score(start_chances(self.graph, self.by_end(utilities), self.by_end(self.mean), coming))

    def solve(self, utility: NumberRow, second: NumberRow | None = None) -> Solved:
        """The turn for one utility, [scores]; see ``TurnNodes.solve``."""
        worth: Floats = np.asarray(utility, dtype=np.float64)
        other = self._mean if second is None else np.asarray(second, dtype=np.float64)
        value, chosen = best_choices(self.graph, self.by_end(worth), self.by_end(other))
        # Relative to the greatest value: chips of a hundred rounds round more coarsely than shares of 1.
        slack = SAME * max(1.0, float(np.abs(worth).max()))
        return Solved(value, self._by_score(distributions(self.graph, chosen).T).T, slack)


@cache
def turn(game: GameOfTurns) -> TurnGraph:
    """The turn of a game, enumerated once."""
    return TurnGraph(game)


# A round of two given policies: exact distributions pushed against each other.
#
# The first seat's score comes from its policy with nothing to beat, the second's from its own with the first's score
# to beat; the better score has the round, and equal ones, two misses too, have half of it each, as in a match of one
# round. Distributions: ``solve.finite.enumerated``, over ``scores``. Nothing is simulated.


@dataclass(frozen=True)
class PolicyScores:
    """A policy's scores: ``opens[score]``, and ``replies[score to beat, score]``."""

    opens: Floats
    replies: Floats


class Contest:
    """Rounds of a game between two seats, policy against policy."""

    def __init__(self, game: GameOfTurns) -> None:
        self.game = game
        self.turn = turn(game)
        self.scores = self.turn.scores
        self.sheet = Sheet(self.game, self.game.start(1))
        against = np.arange(len(self.scores))
        # -1, 0, 1 become 0, ½, 1: lost, shared, won. Numbers of scores compare as the scores do, since those are in
        # order.
        self._half = (np.sign(against[:, None] - against[None, :]) + 1) / 2  # first seat's share, [first, second]
        if self.turn.at_once:  # the second seat has no turn
            self._half[self.turn.at_once] = 1

    def chances(self, policy: Policy[Any, Any], beat: int | None = None) -> Floats:
        """[scores] how a turn ends, as first of two seats, or as second with a score to beat."""
        scores = () if beat is None else (beat,)

        def seated(game: Game[Any, Any], state: Any) -> tuple[tuple[Any, int], ...]:
            return policy(game, of_two(state, scores))

        found = np.zeros(len(self.scores))
        for result, chance in self.sheet.chances(seated).items():
            found[self.scores.index(result.scores[0])] += chance
        return found

    def player(self, policy: Policy[Any, Any], watches: bool = True) -> PolicyScores:
        """A policy's scores. watches: true if it looks at the score to beat; if not, it is asked once, not 22 times."""
        opens = self.chances(policy)
        if not watches:
            return PolicyScores(opens, np.array([opens] * len(self.scores)))
        never = np.zeros(len(self.scores))  # no turn ends with it, so no policy can say what to do against it
        replies = [never if beat == NEVER else self.chances(policy, beat) for beat in self.scores]
        return PolicyScores(opens, np.array(replies))

    def share(self, first: PolicyScores, second: PolicyScores) -> float:
        """The first seat's share of the round."""
        # Sum over own scores of their chance times the mean share against the reply to that score.
        return float(first.opens @ (second.replies * self._half).sum(axis=1))

    def result(self, first: PolicyScores, second: PolicyScores) -> tuple[float, float, float]:
        """The chances that the first seat wins the round, that it is equal, and that the second wins it."""
        joint = first.opens[:, None] * second.replies
        return tuple(float(joint[self._half == share].sum()) for share in (1.0, 0.5, 0.0))  # type: ignore[return-value]


def of_two(state: Any, scores: tuple[int, ...]) -> Any:
    """The state of a seat that plays alone as that of the first of two, or of the second after these scores."""
    if isinstance(state, RoundState):
        return RoundState(2, scores, state.locked, state.free, state.rolls)
    return replace(state, seats=2, scores=scores)


@cache
def contest(game: GameOfTurns) -> Contest:
    """The contest of two seats."""
    return Contest(game)


def best(game: Any, state: Any) -> tuple[tuple[Any, int], ...]:
    """Best play in one round of two, as a policy; of equally good keeps the first, as the bot ``perfect`` has it."""
    value = _solved(game, state.scores[0] if state.scores else None).value
    return ((first_best(_after(game, game.alone(state)), lambda after: float(value[after[1]]))[0], 1),)


@cache
def _after(game: GameOfTurns, alone: Any) -> Sequence[tuple[Any, int]]:
    """As ``TurnNodes.after``: every score to beat asks for the same keeps."""
    return turn(game).after(alone)


@cache
def _solved(game: GameOfTurns, beat: int | None) -> Solved:
    """A turn of the first seat of two, or of the second with a score to beat."""
    return turn(game).solve(duel(game, beat))


def duel(game: GameOfTurns, beat: int | None) -> Floats:
    """[scores] a seat's share of a round of two: of the first, or of the last, which finds a score to beat."""
    table = win(game, "share", 2, nobody=0.5)
    if beat is None:
        return np.array(table.to_beat(None, 0, 1))
    return np.array(table.to_beat(beat, 0 if beat == game.scoreless else 1, 0))


# A round of several seats, each playing best for itself, by backward induction over the seats.
#
# State before seat i's turn: the rank b of the best score so far and the set H of seats that hold it (none, at b =
# 0). With payoff(W), what a round won by the set W is worth to every seat, and R(i, b, H) the values of all seats,
#
#     R(n, b, H) = payoff(H),
#     R(i, b, H) = sum over s of D(s) · R(i + 1, next(b, H, i, s)),
#
#     next = (b, H) if s < b or s = 0;  (b, H + i) if s = b;  (s, {i}) if s > b,
#
# (and where a score wins at once, R(i, that score, H) = payoff(H) before every seat)
#
# where D is the distribution of seat i's score when it plays its turn best for the utility u(s) = R(i + 1, next)[i].
# The last seat knows all it needs, so this ends after n steps. With two seats whose payoffs have a constant sum it is
# the value of a zero-sum game; with more it is the subgame-perfect equilibrium in which a seat with several equally
# good replies takes the one with the higher mean score, and then the turn's smaller node. Equally good: within
# ``SAME`` of the range of u; a seat to which no score matters by more than ``TIE`` plays for its mean.
# ``solve.plain`` takes the first in the rules' order in place of the smaller node. Where a seat cannot win any more
# and two keeps have the same mean, the solvers may so differ by some 1e-5; both are equilibria
# (``tests/solve/test_early_ends.py``). The equation is solved for one round or for many at once.


# The last seat's best reply to a score to beat, for every worth of a tie.
#
# The last seat of a round wins, ties or loses. Let these be worth w > l and t to it, and θ = (t - l) / (w - l) the
# *relative worth* of a tie, 0 to 1. Against the score b its turn is worth
#
#     l + (w - l) · F_b(θ),   F_b(θ) = max over policies of  P(score > b) + θ · P(score = b),
#
# (a seat that faces no score, rank 0, ties by scoring nothing). F_b is the greatest of finitely many lines, a line
# being the chances (to win, to tie) of a policy, so it is convex and piecewise linear. Lines are found as they are
# asked for and remembered: between two θ whose lines meet in between, best play where they meet either is worth what
# they give, and then there is nothing between them, or is a new line, and each half is a case for itself. After a
# thousand turns at most all is known, and every further question is answered without one.
#
# Where two lines meet both are best. With ``fair`` false either is given: enough for a value. With ``fair`` true the
# line is there that of the policy ``TurnGraph.solve`` chooses, the mean score deciding between equals; anywhere else
# the slope of F_b, and so the line, is the same for all best policies.
#
# Reference: Eisner and Severance, Mathematical techniques for efficient record segmentation in large shared
# databases, J. ACM 23 (1976), section 5.


ALIKE = 10 * SAME
"""Chances, values and θ that differ by less are one: sums of the same chances in another order."""


class Replies:
    """F_b for every score b of a turn, by its rank in ``TurnGraph.scores``."""

    def __init__(self, turned: TurnGraph, fair: bool) -> None:
        self.turn, self.fair = turned, fair
        scores = np.arange(len(turned.scores))
        self._wins = (scores[:, None] > scores).astype(np.float64)
        self._ties = np.eye(len(scores))
        ends = np.array([0.0, 1.0])
        found = self._best(np.repeat(scores, 2), np.tile(ends, len(scores)))
        # (θ in order, the line at each) of each score. A pair is never changed, but replaced: threads share it, and
        # Ctrl-C may end the search for the next line.
        self._found = [(ends, lines) for lines in found.reshape(len(scores), 2, 2)]

    def lines(self, best: NDArray[np.intp], theta: Floats) -> Floats:
        """[questions, 2] the chances to win and to tie of the best reply to each score at each worth of a tie."""
        out = np.empty((len(theta), 2))
        waiting = np.arange(len(theta))
        while len(waiting):
            asked: list[tuple[int, float]] = []
            left = []
            for b in np.unique(best[waiting]):
                mine = waiting[best[waiting] == b]
                thetas, lines = self._found[b]
                at, ask = self._known(thetas, lines, theta[mine])
                out[mine[at >= 0]] = lines[at[at >= 0]]
                left.append(mine[at < 0])
                asked += [(int(b), theta) for theta in np.unique(ask[at < 0]).tolist()]
            waiting = np.concatenate(left)
            if asked:
                self._ask(asked)
        return out

    def _known(self, thetas: Floats, lines: Floats, theta: Floats) -> tuple[NDArray[np.intp], Floats]:
        """(the number of the line, or -1 if it is not known; at which θ to look for it then)."""
        high = np.clip(np.searchsorted(thetas, theta), 1, len(thetas) - 1)
        low = high - 1
        rise, fall = lines[1:, 1] - lines[:-1, 1], lines[:-1, 0] - lines[1:, 0]
        alike = (np.abs(rise) <= ALIKE) & (np.abs(fall) <= ALIKE)
        meet = np.clip(
            np.where(alike, thetas[1:], fall / np.where(alike | (rise == 0), 1.0, rise)), thetas[:-1], thetas[1:]
        )
        height = (lines * np.stack([np.ones(len(thetas)), thetas], axis=1)).sum(axis=1)  # F at the known θ
        across = np.diff(height) / np.diff(thetas)
        gap = height[:-1] + across * (meet - thetas[:-1]) - (lines[:-1, 0] + meet * lines[:-1, 1])
        settled = (alike | (gap <= ALIKE))[low]
        at = np.where(settled, np.where(theta <= meet[low], low, high), -1)
        ask = np.where(settled, theta, meet[low])
        if self.fair:
            near = np.abs(theta - meet[low]) * np.abs(rise)[low] <= ALIKE
            at = np.where(near & ~alike[low], -1, at)
            ask = np.where(near, theta, ask)
        at = np.where(np.abs(thetas[high] - theta) <= SAME, high, at)
        return np.where(np.abs(thetas[low] - theta) <= SAME, low, at), ask

    def _ask(self, asked: list[tuple[int, float]]) -> None:
        best, theta = np.array([b for b, _ in asked]), np.array([theta for _, theta in asked])
        for b, at, line in zip(best, theta, self._best(best, theta), strict=True):
            thetas, lines = self._found[b]
            place = int(np.searchsorted(thetas, at))
            if at not in thetas[place : place + 1]:  # no other thread has found it meanwhile
                self._found[b] = np.insert(thetas, place, at), np.insert(lines, place, line, axis=0)

    def _best(self, best: NDArray[np.intp], theta: Floats) -> Floats:
        """[questions, 2] the same by solving a turn for each."""
        wins, ties = self._wins[:, best], self._ties[:, best]
        if not self.fair:
            value, tied = self.turn.pairs(wins + theta * ties, ties)
            return np.stack([value - theta * tied, tied], axis=1)
        chances = self.turn.chances(wins + theta * ties)
        return np.stack([(wins * chances).sum(axis=0), (ties * chances).sum(axis=0)], axis=1)


@cache
def replies(game: GameOfTurns, fair: bool) -> Replies:
    """The replies in a game, remembered for all matches."""
    return Replies(turn(game), fair)


# Many rounds at once, seat by seat from the last, as lanes of one turn; the equation is in ``rounds.py``.
#
# The rounds differ in their payoffs. Three things spare turns: the last seat's utility has three values, so its turn
# is looked up (``Replies``); equal utilities are solved once; and with two seats and a constant sum the opener's
# value alone, without its choices, is enough.
#
# Payoffs may have more columns than there are seats: values that nobody plays for, averaged along.


COLUMN_DIGITS = 14
"""Digits to which utilities in units have to agree to be one, and solved once: the rest is below ``SAME``."""


def lanes(scores: int, seats: int) -> int:
    """The most turns a round takes with this many scores; the last seat's are looked up."""
    return sum(len(_states(scores, seat)[0]) for seat in range(seats - 1))


def work_out(turn: TurnGraph, payoffs: Floats, coming: int = 0) -> list[Floats]:
    """[seats + 1] tables [rounds, scores, 2 ** seat, columns]: the values before each seat's turn, and after the last.

    payoffs: [rounds, 2 ** seats, columns]. Scores stand in the order of ``TurnGraph.scores``. coming: see
    ``solve.finite``. Entries that cannot occur, such as a best score that nobody holds, are 0.
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
    """The states a seat may find: the ranks of best scores, and sets of holders."""
    pairs = [(0, 0), *((best, held) for best in range(1, scores) for held in range(1, 1 << seat))]
    return np.array([best for best, _ in pairs]), np.array([held for _, held in pairs])


@cache
def _following(scores: int, seat: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """[states, scores] what the next seat finds."""
    best, held = (each[:, None] for each in _states(scores, seat))
    score = np.arange(scores)
    equal = np.where((score == best) & (best > 0), held | 1 << seat, held)
    return np.maximum(best, score), np.where(score > best, 1 << seat, equal)


def in_units(utility: Floats) -> tuple[Floats, Floats, Floats]:
    """(utility from 0 to 1, its least value, its range); all 0 if no more than ``TIE`` is at stake."""
    low = utility.min(axis=0)
    span = np.ptp(utility, axis=0)
    return (utility - low) / np.where(span > TIE, span, np.inf), low, span


def _chances(turn: TurnGraph, utility: Floats, coming: int) -> Floats:
    """[scores, lanes] how best play for each utility, [scores, lanes], ends; equal ones are solved once."""
    unit = in_units(utility)[0]
    _, first, back = np.unique(np.round(unit, COLUMN_DIGITS), axis=1, return_index=True, return_inverse=True)
    chances: Floats = turn.chances(unit[:, first], coming)[:, back.ravel()]
    return chances


def _play(turn: TurnGraph, outcomes: Floats, seat: int, coming: int, duel: bool) -> Floats:
    """[rounds, states, columns] what the rounds are worth; ``outcomes``: [rounds, states, scores, columns]."""
    rounds, states, scores, columns = outcomes.shape
    own = outcomes[..., seat].reshape(-1, scores).T
    if duel:  # the opener: what is left is the other's
        mine = turn.best(own, coming).reshape(rounds, states)
        return np.stack([mine, outcomes[:, :, 0].sum(axis=-1) - mine], axis=-1)
    chances = _chances(turn, own, coming)
    values: Floats = np.einsum("slc,ls->lc", outcomes.reshape(-1, scores, columns).transpose(1, 0, 2), chances.T)
    return values.reshape(rounds, states, columns)


def _last(turn: TurnGraph, payoffs: Floats, coming: int, duel: bool) -> Floats:
    """[rounds, states, columns] the same for the last seat, which wins, ties or loses."""
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
    """The target of a seat when its turn begins: the best score so far, and its holders, as a bit for each seat.

    best: its rank in ``TurnGraph.scores``; 0 while no score can win.
    """

    seat: int
    best: int = 0
    holders: int = 0


class Round:
    """A round of ``seats`` seats with ``payoff``: [2 ** seats, seats], by the set of winners as bits, to every seat."""

    def __init__(self, turn: TurnGraph, payoff: Floats) -> None:
        self.turn, self.payoff = turn, payoff
        self.seats = len(payoff).bit_length() - 1
        self._tables: list[Floats] = []
        self._solved: dict[Before, Solved] = {}

    def values(self, before: Before) -> Floats:
        """[seats] the value of every seat before a turn, or after the last one."""
        if before.seat == self.seats:
            final: Floats = self.payoff[before.holders]
            return final
        if not self._tables:
            self._tables = work_out(self.turn, self.payoff[None])
        found: Floats = self._tables[before.seat][0, before.best, before.holders]
        return found

    def next(self, before: Before, rank: int) -> Before:
        """The target of the next seat after a score of this rank."""
        seat, best, holders = before.seat, before.best, before.holders
        if rank > best:
            return Before(seat + 1, rank, 1 << seat)
        return Before(seat + 1, best, holders | (1 << seat) if rank == best > 0 else holders)

    def outcomes(self, before: Before) -> Floats:
        """[scores, seats] what each score of the seat to play is worth to every seat."""
        return np.stack([self.values(self.next(before, rank)) for rank in range(len(self.turn.scores))])

    def solved(self, before: Before) -> Solved:
        """The turn of the seat to play, played best for itself."""
        if before not in self._solved:
            unit, low, span = in_units(self.outcomes(before)[:, before.seat])
            found = self.turn.solve(unit)
            self._solved[before] = Solved(low + span * found.value, found.chance, float(span) * found.slack)
        return self._solved[before]


class SoloRound(Round):
    """A round of one seat, played for its mean score."""

    def values(self, before: Before) -> Floats:
        """[1] the score made, or to be expected."""
        if before.seat:
            return self.turn.mean[[before.best]]
        return self.solved(before).value[[self.turn.start]]

    def solved(self, before: Before) -> Solved:
        """The turn played for its mean, in pips."""
        if before not in self._solved:
            self._solved[before] = self.turn.solve(self.turn.mean)
        return self._solved[before]


# One pot, played for until somebody takes it, by value iteration over its rounds.


MOST_STEPS = 200


def pot_share(game: GameOfTurns, seats: int, opener: str) -> dict[str, Any]:
    """Each seat's chance to take one pot that ties and missed rounds carry over, from its opener on.

    With v(j) the share of the j-th seat in turn order, v is the value of a round whose sole winner has it all and which
    otherwise begins again, with v handed on as the opener rule says: a fixed point, found by going round until nothing
    moves. A round is left undecided with chance q < 1, so what the last step moved, divided by 1 - q, bounds the error.
    """
    if opener == "loser" and seats > 2:  # who scored least does not follow from who won
        raise BadNotation("opener", found=opener, openers=("rotate", "fixed", "winner"))
    turned = turn(game)
    share = np.full(seats, 1 / seats)
    moved, left = 1.0, 0.0  # what the last step moved, and the greatest part of a move that a later step still made
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
    return {"share": share.tolist(), "utility": "the pot, carried until somebody takes it", "bound": bound}
