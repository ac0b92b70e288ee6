"""Many rounds at once, seat by seat from the last, as lanes of one turn; the equation is in ``rounds.py``.

The rounds differ in their payoffs. Three things spare turns: the last seat's utility has three values, so its turn is
looked up (``best_reply``); equal utilities are solved once; and with two seats and a constant sum the opener's value
alone, without its choices, is enough.

Payoffs may have more columns than there are seats: values that nobody plays for, averaged along.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from pubdice.solve.arrays import Floats
from pubdice.solve.tolerance import SAME, TIE
from pubdice.solve.turns.best_reply import replies
from pubdice.solve.turns.turn import TurnGraph

COLUMN_DIGITS = 14
"""Utilities in units that agree to so many digits are one, and solved once: what is left out is below ``SAME``."""


def lanes(scores: int, seats: int) -> int:
    """How many turns a round comes to at most, with so many scores; the last seat's are looked up."""
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
    """What a seat may find: the ranks of best scores, and sets of holders."""
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
