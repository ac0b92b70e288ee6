"""The value of winning one round, before any seat's turn, by the best score so far, its holders and the seats to play.

State before a turn: the rank b of the best score so far (its index among the scores, from worst to best), the number k
of seats that hold it (0 at b = 0), and the number m of seats still to play, including the mover. Each seat maximises
its own winnings. At the end of the round, the tie rule decides the winnings of the holders of the best score and of the
other seats:

    share   1 / k for each of k holders    0 for the others
    each    1 for every holder             0
    carry   1 for a single holder          0
            1 / seats for every seat if there are several holders or none: the pot goes on

(Under ``carry`` a pot that goes on has the same value for every seat, as all seats start alike.) Let H and L be the
values of holding and of not holding the best score before m more turns. Then

    H(b, k, m) = sum over s of D(s) · h(s),   h(s) = H(b, k, m-1)     if s < b,
                                                     H(b, k+1, m-1)   if s = b,
                                                     L(s, 1, m-1)     if s > b,

and L likewise. D is the distribution of the next seat's score when it plays best for

    u(s) = L(b, k, m-1)     if s < b or s = 0,
           H(b, k+1, m-1)   if s = b,
           H(s, 1, m-1)     if s > b.

Of equally good replies, a seat takes the one with the higher mean score.
"""

from functools import cache
from typing import Literal, get_args

from pubdice.core.game import GameOfTurns
from pubdice.solve.pauses import may_pause
from pubdice.solve.turns.turn_nodes import NumberRow, dot, one_turn

Ties = Literal["share", "each", "carry"]
TIES: tuple[Ties, ...] = get_args(Ties)


class Win:
    """The value of winning a round among ``seats`` seats under a tie rule.

    ``no_winner`` is each seat's payoff if no score can win. Under ``carry`` it is 1 / seats. It is also 1 / seats in a
    match of one round, because all seats then share the match.
    """

    def __init__(self, game: GameOfTurns, ties: Ties, seats: int, no_winner: float = 0.0) -> None:
        self.turn = one_turn(game)
        self.ties, self.seats = ties, seats
        self.no_winner = 1 / seats if ties == "carry" else no_winner
        self._chances: dict[tuple[int, int, int], NumberRow] = {}
        self._values: dict[tuple[int, int, int], tuple[float, float]] = {}

    def to_beat(self, score: int | None, holders: int, to_come: int) -> list[float]:
        """Return [scores] the value of each score to the mover, against a score to beat. If ``score`` is None, no score
        can win yet.
        """
        return self.utility(self.turn.rank(score), holders, to_come)

    def utility(self, best: int, holders: int, to_come: int) -> list[float]:
        """Return [scores] the value of each score to the mover.

        ``to_come`` seats play after it. ``best``: the rank to beat.
        """
        return [self._worth(rank, best, holders, to_come) for rank in range(len(self.turn.scores))]

    def _worth(self, rank: int, best: int, holders: int, to_come: int) -> float:
        if rank > best:
            return self.values(rank, 1, to_come)[0]
        if rank == best > 0:
            return self.values(best, holders + 1, to_come)[0]
        return self.values(best, holders, to_come)[1]

    def values(self, best: int, holders: int, to_play: int) -> tuple[float, float]:
        """Return (the value to each holder, the value to each other seat that has played), if ``to_play`` seats are to
        play.
        """
        if to_play == 0 or best == self.turn.at_once > 0:
            if not holders or (self.ties == "carry" and holders > 1):
                return self.no_winner, self.no_winner
            return (1 / holders if self.ties == "share" else 1.0), 0.0
        key = (best, holders, to_play)
        if key not in self._values:
            held = other = 0.0
            for rank, chance in enumerate(self.chance(*key)):
                if rank > best:
                    _, lost = self.values(rank, 1, to_play - 1)
                    held, other = held + chance * lost, other + chance * lost
                    continue
                more = holders + 1 if rank == best > 0 else holders
                kept, lost = self.values(best, more, to_play - 1)
                held, other = held + chance * kept, other + chance * lost
            self._values[key] = held, other
        return self._values[key]

    def chance(self, best: int, holders: int, to_play: int) -> NumberRow:
        """Return [scores] the chance of each score of the next seat under its best play, if ``to_play`` seats are to
        play.
        """
        key = (best, holders, to_play)
        if key not in self._chances:
            solved = self.turn.solve(self.utility(best, holders, to_play - 1))
            self._chances[key] = solved.chance[self.turn.start]
            may_pause()
        return self._chances[key]

    def by_seat(self) -> list[float]:
        """Return every seat's value before the first turn, in turn order."""
        values = [0.0] * self.seats
        found: dict[tuple[int, int], float] = {(0, 0): 1.0}  # the chance of each (best, holders) before a seat's turn
        for seat in range(self.seats):
            following: dict[tuple[int, int], float] = {}
            for (best, holders), weight in found.items():
                if best == self.turn.at_once > 0:  # the round is over: this seat has no turn
                    following[best, holders] = following.get((best, holders), 0.0) + weight
                    continue
                chances = self.chance(best, holders, self.seats - seat)
                worth = self.utility(best, holders, self.seats - seat - 1)
                values[seat] += weight * dot(chances, worth)
                for rank, chance in enumerate(chances):
                    more = holders + 1 if rank == best > 0 else holders
                    after = (rank, 1) if rank > best else (best, more)
                    following[after] = following.get(after, 0.0) + weight * float(chance)
            found = following
        return values


@cache
def win(game: GameOfTurns, ties: Ties, seats: int, no_winner: float = 0.0) -> Win:
    """Return the solved round of a game under one tie rule with this many seats, cached."""
    return Win(game, ties, seats, no_winner)
