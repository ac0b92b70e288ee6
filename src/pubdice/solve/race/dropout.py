"""Races one after another, the winner of each leaving, until one seat is left. Knows no game; the match has the rule.

A round of n seats is a race (``race``) with stages: who opens the next round depends on who was Player 1. Count places
of a round from its Player 1. The winner leaves with utility 1; the next Player 1 is the next seat still in to the
left of the last, so place 1, or place 2 if place 1 has won; turn order stays. With u[m] the values of a fresh round
of m seats in turn order, place p of the remaining seats in the new order gets u[n - 1][p], and u[1] = (0): the last
one left pays.

    pay[t][j] = 1 if j = 0, else u[n - 1][place of seat t + j mod n in the next round]

Utility: leaving as a winner, before being the last. The values of all seats of a round of n sum to n - 1. Errors add
up over the rounds: a value is off by no more than the bounds of its own round and all later ones together.
"""

import numpy as np

from pubdice.solve.arrays import Floats
from pubdice.solve.race.race import SolvedRace
from pubdice.solve.race.response import Response, respond
from pubdice.solve.race.sweep import Kernel, sweep


def remaining(seats: int, winner: int) -> tuple[int, ...]:
    """The places of this round that play the next one, in its turn order.

    >>> remaining(4, 0), remaining(4, 1), remaining(4, 2)
    ((1, 2, 3), (2, 3, 0), (1, 3, 0))
    """
    return tuple(place % seats for place in range(1, seats + 1) if place % seats != winner)


def prizes(following: Floats) -> Floats:
    """``pay[t, j]`` of a round one seat larger than the round with these start values."""
    seats = len(following) + 1
    pay = np.zeros((seats, seats))
    for winner in range(seats):
        pay[winner, 0] = 1.0
        for place, seat in enumerate(remaining(seats, winner)):
            pay[winner, (seat - winner) % seats] = following[place]
    return pay


def respond_rounds(rounds: tuple[SolvedRace, ...], kernel: Kernel = sweep) -> Response:
    """Best responses of a seat that deviates in all rounds, from the start of the largest."""
    following = np.zeros(1)
    bound, regret = 0.0, 0.0
    for race in rounds:
        found = respond(race, prizes(following), kernel)
        bound, regret, following = bound + found.bound, max(regret, found.regret), found.start
    return Response(found.start, found.gains, regret, bound)
