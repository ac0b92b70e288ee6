"""A round of two seats, a turn each, without numpy: the equation of ``turns.turn`` for two seats, on lists.

Payoffs are what a round won by a set of winners, as bits, is worth to both seats, the opener first.
"""

import json
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pubdice.core.dice import digits
from pubdice.core.game import GameOfTurns, Keep, Result, RoundResult, RoundState, Seat, TurnTaking
from pubdice.match.match import Match, MatchState
from pubdice.solve.finite.enumerated import EnumeratedLayer, EnumeratedRound
from pubdice.solve.numerics import SAME, TIE
from pubdice.solve.pauses import may_pause
from pubdice.solve.turns.bare_turn import BareSolved, BareTurn
from pubdice.solve.turns.turn_nodes import dot, file_name

# The last seat's best reply to a score to beat, for every worth of a tie, without numpy.
#
# The mathematics is that of ``turns.turn``, for two seats that share a constant: F_b(θ), the greatest of
# finitely many lines, each the chances (to win, to tie) of a policy. A line is looked for when a question falls
# between known ones that do not meet on F_b; ``complete`` looks for all of them, after which no question needs a turn
# to be solved.


ALIKE = 10 * SAME
"""Chances, values and θ that differ by less are one, as in ``turns.turn``."""
Line = tuple[float, float]
"""The chances to win and to tie."""
KnownLines = tuple[list[float], list[Line]]
"""The θ that were asked for, in order, and the line at each."""


class BareReplies:
    """F_b for every score b of a turn, by its rank. known: lines found before, by rank."""

    def __init__(self, turned: BareTurn, known: dict[int, KnownLines] | None = None) -> None:
        self.turn = turned
        self.known: dict[int, KnownLines] = {} if known is None else known

    def line(self, best: int, theta: float) -> Line:
        """The chances to win and to tie of the best reply to a score where a tie is worth θ, 0 to 1."""
        if best not in self.known:
            self.known[best] = [0.0, 1.0], [self.solve_line(best, 0.0), self.solve_line(best, 1.0)]
        while True:
            found, ask = self._look(best, theta)
            if found is not None:
                return found
            self._add(best, ask)

    def complete(self) -> None:
        """Find every line of every score."""
        for best in range(len(self.turn.scores)):
            self.line(best, 0.0)
            at = 0
            while at + 1 < len(thetas := self.known[best][0]):
                self.line(best, (thetas[at] + thetas[at + 1]) / 2)
                at += self.known[best][0] is thetas

    def _look(self, best: int, theta: float) -> tuple[Line | None, float]:
        """(the line, None if it is not known; at which θ to look for it then)."""
        thetas, lines = self.known[best]
        high = min(max(bisect_left(thetas, theta), 1), len(thetas) - 1)
        (low_at, high_at), (low, top) = thetas[high - 1 : high + 1], lines[high - 1 : high + 1]
        if abs(low_at - theta) <= SAME:
            return low, theta
        if abs(high_at - theta) <= SAME:
            return top, theta
        rise, fall = top[1] - low[1], low[0] - top[0]
        if abs(rise) <= ALIKE and abs(fall) <= ALIKE:
            return low, theta
        meet = min(max(fall / rise if rise else fall, low_at), high_at)
        across = (_height(top, high_at) - _height(low, low_at)) / (high_at - low_at)
        if _height(low, low_at) + across * (meet - low_at) - _height(low, meet) <= ALIKE:
            return (low if theta <= meet else top), theta
        return None, meet

    def _add(self, best: int, theta: float) -> None:
        line, (thetas, lines) = self.solve_line(best, theta), self.known[best]
        place = bisect_left(thetas, theta)
        # both lists at once: Ctrl-C between two inserts left one θ too many
        self.known[best] = [*thetas[:place], theta, *thetas[place:]], [*lines[:place], line, *lines[place:]]

    def solve_line(self, best: int, theta: float) -> Line:
        """The line of best play at θ, by solving a turn; where two meet, the one that ties more often."""
        ranks = range(len(self.turn.scores))
        ties = [float(rank == best) for rank in ranks]
        solved = self.turn.solve([(rank > best) + theta * tied for rank, tied in zip(ranks, ties, strict=True)], ties)
        tied = solved.other[self.turn.start]
        return solved.value[self.turn.start] - theta * tied, tied


def _height(line: Line, theta: float) -> float:
    return line[0] + theta * line[1]


def lines_read(rows: Sequence[Sequence[float]]) -> dict[int, KnownLines]:
    """Lines as ``lines_data`` wrote them: [rank, θ, chance to win, chance to tie], in order."""
    known: dict[int, KnownLines] = {}
    for best, theta, win, tie in rows:
        thetas, lines = known.setdefault(int(best), ([], []))
        thetas.append(theta)
        lines.append((win, tie))
    return known


def lines_data(known: dict[int, KnownLines]) -> list[list[float]]:
    """Known lines as rows of numbers."""
    return [
        [best, theta, *line]
        for best in sorted(known)
        for theta, line in zip(known[best][0], known[best][1], strict=True)
    ]


Pair = tuple[float, float]
"""A number to the opener, and to the other seat."""
OPENER, OTHER = 0b01, 0b10


@dataclass(frozen=True, slots=True)
class Found:
    """The state in which a seat's turn begins: the best score so far as a rank (0: none), and its holders, as bits."""

    seat: int
    best: int = 0
    holders: int = 0


class BareRound:
    """A round with a payoff: [4] by the set of winners."""

    def __init__(self, replies: BareReplies, payoff: Sequence[Pair]) -> None:
        self.turn, self.replies, self.payoff = replies.turn, replies, payoff
        sums = [sum(pair) for pair in payoff]
        self._duel = max(sums) - min(sums) < TIE
        self._solved: dict[Found, BareSolved] = {}
        self._second: list[Pair] = []

    def start(self) -> Pair:
        """The value of the round before anybody rolls."""
        outcomes = self._outcomes(Found(0))
        own = [pair[0] for pair in outcomes]
        if self._duel:
            mine = self.turn.best(own)
            return mine, sum(outcomes[0]) - mine
        chances = _in_units(self.turn, own)[0].chance[self.turn.start]
        return dot(chances, own), dot(chances, [pair[1] for pair in outcomes])

    def _outcomes(self, found: Found) -> list[Pair]:
        """[scores] what each score of the seat to play is worth to both."""
        ranks = range(len(self.turn.scores))
        if found.seat:
            return [self.payoff[self._winners(found, rank)] for rank in ranks]
        if not self._second:
            self._second = [self._before_last(rank) for rank in ranks]
        return self._second

    def _winners(self, found: Found, rank: int) -> int:
        if rank > found.best:
            return OTHER
        return found.holders | OTHER if rank == found.best > 0 else found.holders

    def _before_last(self, best: int) -> Pair:
        """The value of the round to both when the opener has this score."""
        held = OPENER if best else 0
        lose, win, tie = self.payoff[held], self.payoff[OTHER], self.payoff[held | OTHER if best else 0]
        if best and best == self.turn.at_once:
            return lose
        stake = win[1] - lose[1]
        if self._duel and abs(stake) <= TIE and abs(tie[1] - lose[1]) <= TIE:
            return tie  # nothing is at stake in this round any more, so no turn need be solved
        theta = (tie[1] - lose[1]) / stake if stake > TIE else -1.0
        if self._duel and -SAME <= theta <= 1 + SAME:
            won, tied = self.replies.line(best, theta)
        else:
            chances = self.solved(Found(1, best, held)).chance[self.turn.start]
            won, tied = sum(chances[best + 1 :]), chances[best]
        lost = 1 - won - tied
        one, two = (won * win[at] + tied * tie[at] + lost * lose[at] for at in (0, 1))
        return one, two

    def outcome(self, found: Found, chances: Sequence[float]) -> Pair:
        """The value to both of these chances of each score of the seat to play."""
        outcomes = self._outcomes(found)
        return dot(chances, [pair[0] for pair in outcomes]), dot(chances, [pair[1] for pair in outcomes])

    def solved(self, found: Found) -> BareSolved:
        """The turn of the seat to play, played best for itself."""
        if found not in self._solved:
            solved, low, span = _in_units(self.turn, [pair[found.seat] for pair in self._outcomes(found)])
            value = [low + span * each for each in solved.value]
            self._solved[found] = BareSolved(value, solved.other, solved.chance, span * solved.slack)
        return self._solved[found]


def _in_units(turn: BareTurn, utility: Sequence[float]) -> tuple[BareSolved, float, float]:
    """(the turn played for a utility, from 0 to 1; its least value, its range); see ``turns.turn.in_units``."""
    low = min(utility)
    span = max(utility) - low
    return turn.solve([(each - low) / span if span > TIE else 0.0 for each in utility]), low, span


# What the standings of a match of two are worth, in a game of one turn a seat, without numpy.
#
# Standings and what follows them are those of ``turns.solver``; values are in rounds won or, where chips are
# played for, in antes. Values that were worked out before (``known``) are looked up: they depend on the rounds left,
# who opens and how, and not on how many rounds were planned.


TurnMatchState = MatchState[RoundState]
TwoSeatStanding = tuple[int, int, int, int]
"""Rounds left, this one among them; rounds for which the pot has hung; by how many round wins the opener and the other
are behind. Of the last three those that the format has, else 0.
"""
TwoSeatValues = dict[TwoSeatStanding, Pair]


class TwoSeatStandings:
    """The standings of one match. limit: a pot that hangs so long is shared out as ``shares`` say."""

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
        """The standing of a match in a state."""
        tally, form = state.tally, self.match.format
        left = form.rounds_planned - tally.rounds
        if form.stake:
            return max(0, left), tally.pot // (form.stake * 2) - 1, 0, 0
        one, two = (tally.points[seat] for seat in state.order)
        most = max(one, two)
        return left, 0, min(most - one, left + 1), min(most - two, left + 1)

    def payoff(self, state: TurnMatchState) -> list[Pair]:
        """[4] what the round of this state is worth by its winners, as bits, chips had aside."""
        return [self._after(state, winners) for winners in range(4)]

    def start(self, state: TurnMatchState) -> Pair:
        """The values of a state in which a round begins, chips had aside."""
        standing = self.standing(state)
        found = self.known.get(standing)
        if found is None:
            found = self.known[standing] = BareRound(self.replies, self.payoff(state)).start()
            may_pause()
        return found

    def _after(self, state: TurnMatchState, winners: int) -> Pair:
        """The value of a round that these win, with all that follows it."""
        assert state.round is not None, "a round is under way"
        order = state.order
        won = tuple([seat for place, seat in enumerate(order) if winners >> place & 1])
        scores = tuple([int((Seat(seat) in won) != self._lowest) for seat in (0, 1)])  # the opener may be who lost
        after = self.match.ended(state, state.round, Result(won, scores))
        gained = [0.0, 0.0]
        if stake := self.match.format.stake:
            gained = [(after.tally.points[seat] - state.tally.points[seat]) / stake for seat in order]
            left, hanging, _, _ = self.standing(after)
            if not after.over and hanging >= self.limit:
                hung = after.tally.pot // stake - 2
                gained = [antes + hung * share for antes, share in zip(gained, self.shares, strict=True)]
                if not left:  # no rounds are left: the antes go back
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


# What a pocket house is given ready-made, so that it need not be worked out there: turns, best replies, standings.
#
# One file a game and its options, ``turns-….json``, written where numpy is (``ready_made``) and read where
# it is not. A file is JSON with a line of its checksum behind it; one that is damaged, or of another version, is as
# good as not there. Values are written by ``repr``, so they are read back to the last bit.


_MOST_GAMES = 16
_SEAL = 65
"""Bytes of the line with the checksum."""


def kept_lines(game: GameOfTurns, folder: Path | None) -> dict[int, KnownLines] | None:
    """The best replies in a game; None where they are not kept."""
    found = _read(game, folder)
    return lines_read(found["lines"]) if found else None


def kept_standings(match: Match[Any, Any], shares: Pair, folder: Path | None) -> TwoSeatValues | None:
    """The kept values of standings of matches like this one; None if none are kept."""
    assert isinstance(match.game, TurnTaking)
    found = _read(match.game, folder)
    rows = found["standings"].get(standings_name(match, shares)) if found else None
    return {tuple(row[:4]): (row[4], row[5]) for row in rows} if rows else None


def kept_turn(game: GameOfTurns, folder: Path | None) -> EnumeratedRound | None:
    """The turn of a game as it was enumerated; None where it is not kept."""
    found = _read(game, folder)
    return turn_read(found["turn"]) if found else None


def turn_data(turn: EnumeratedRound) -> dict[str, Any]:
    """A turn as plain data; dice as digits, as there are thousands of positions."""
    return {
        "scores": [result.scores[0] for result in turn.results],
        "winners": [list(result.winners) for result in turn.results],
        "layers": [[layer.decisions, layer.after, layer.kinds, layer.branches] for layer in turn.layers],
        "chance": [[digits(at.locked), digits(at.free), at.rolls, node] for at, node in turn.chance.items()],
    }


def turn_read(told: dict[str, Any]) -> EnumeratedRound:
    """A turn as ``turn_data`` told it."""
    results = zip(told["winners"], told["scores"], strict=True)
    layers = [
        EnumeratedLayer((first, behind), after, (low, high), branches)
        for (first, behind), after, (low, high), branches in told["layers"]
    ]
    chance = {
        RoundState(1, (), tuple(map(int, locked)), tuple(map(int, free)), rolls): node
        for locked, free, rolls, node in told["chance"]
    }
    return EnumeratedRound(
        tuple([RoundResult(tuple(winners), (score,)) for winners, score in results]), tuple(layers), chance
    )


def standings_name(match: Match[Any, Any], shares: Pair) -> str:
    """The key of values of standings, besides the game: the prize, the rule for the opener, the rule for pots."""
    if not match.format.stake:
        return f"{match.format.prize}, {match.opener}"
    return f"{match.format.prize}, {match.opener}, {shares[0]:g}"


def sealed(data: dict[str, Any]) -> bytes:
    """A file's bytes: the data as JSON, and a line with the SHA-256 of what stands before it."""
    told = json.dumps(data, separators=(",", ":")).encode() + b"\n"
    return told + sha256(told).hexdigest().encode() + b"\n"


def unsealed(path: Path) -> dict[str, Any] | None:
    """The content of a file; None if it is not there, or damaged."""
    try:
        whole = path.read_bytes()
        told, summed = whole[:-_SEAL], whole[-_SEAL:].decode("ascii").strip()
        found = json.loads(told) if sha256(told).hexdigest() == summed else None
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


@lru_cache(maxsize=_MOST_GAMES)
def _read(game: GameOfTurns, folder: Path | None) -> dict[str, Any] | None:
    found = unsealed(folder / file_name(game)) if folder is not None else None
    return found if found is not None and found.get("game") == repr(game) else None
