"""Checks that the house's rating of skill finds the better player of two, or of a league, in fewer games than Glicko-2.

Players of known skill play a game of the house with seeded dice. A player of slackness s takes an action with the
weight exp(-lost / s), where ``lost`` is the loss of the action by the solver. Slackness 0 is best play, and more is
worse at each decision. The house's rating (``pubdice.advice.rating``) sees each match's ledger, whose losses and stakes
are the solver's own. Glicko-2 sees the results, in rating periods of ten games. Both are asked after 1, 2, 3, … games
of each player.

*Two players* play each other, in many leagues of each pair. The figure is the share of leagues in which the better
player is ahead. An equal rating counts half. *A league* of six plays a random pairing each round. Its figure is the
share of all pairs in the right order. The script prints the number of games from which on the share stays at least 90
%, with a 95 % band: the numbers at which the upper and the lower end of Wilson's interval reach it. It also tests the
bands of the house's ratings: how often the band after some games holds the value of thousands of games.

    .venv/bin/python -m benchmarks.ratings [--game threes] [--format "rounds 1"] [--leagues 200] [--games 300]
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, inf
from random import Random
from typing import Any

from benchmarks.ratings.glicko2 import Glicko, after_period
from pubdice.advice.coach import Coach
from pubdice.advice.ledger import SeatLedger
from pubdice.advice.luck_rank import wilson
from pubdice.advice.rating import Sums, rating, sums_of
from pubdice.cache_folder import cache_folder
from pubdice.core.dice import FACES, rolls
from pubdice.core.game import Seat
from pubdice.games import GAMES
from pubdice.match.header import RawHeader
from pubdice.match.match import Match, MatchState

PERIOD = 10
"""The games of a player in a rating period. Glickman advises 10 to 15."""
GOAL = 0.9
PAIRS = ((0.0, 0.02), (0.02, 0.05), (0.05, 0.15), (0.15, 0.5))
"""The slackness of the better and of the worse player, for each pair."""
LEAGUE = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5)
KNOWN = 2_000
"""The games that give a player's true rating."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A decision: its actions with the states they lead to, the loss of each, and the loss of a random choice."""

    after: tuple[MatchState[Any], ...]
    lost: tuple[float, ...]
    blind: float


@dataclass
class Club:
    """Plays matches of one game. It solves each position once, and keeps the result."""

    game: str
    form: str
    random: Random
    known: dict[MatchState[Any], Weights] = field(default_factory=dict)
    spread: dict[MatchState[Any], tuple[float, ...]] = field(default_factory=dict)
    valued: dict[MatchState[Any], Sequence[float]] = field(default_factory=dict)

    @cached_property
    def coach(self) -> Coach:
        """The game's coach."""
        kit = GAMES[self.game].with_cache(cache_folder())
        header = kit.normalize(RawHeader({"game": self.game, "seats": "Ann, Bob", "format": self.form}))
        match = kit.match(header)
        if kit.solver is None:
            raise SystemExit("this game has no solver")
        return Coach(kit.solver(match), match)

    def play(self, slack: Sequence[float]) -> tuple[tuple[SeatLedger, ...], tuple[float, ...]]:
        """Play a match of players with this slackness. Return each seat's ledger, and each seat's share of the win."""
        match, values = self.coach.match, self._values
        state = match.start()
        begun = values(state)
        variance, lost, stake, count, given = ([0.0] * match.seats for _ in range(5))
        while not state.over:
            mover = match.mover(state)
            if match.to_draw(state) or (due := match.to_roll(state)):
                for seat, each in enumerate(self._spread(match, state)):
                    variance[seat] += each
                if match.to_draw(state):
                    state = match.draw(state, Seat(self.random.randrange(match.seats)))
                else:
                    state = match.roll(state, tuple(sorted(self.random.choices(FACES, k=due))))
                continue
            assert mover is not None, "somebody chooses"
            here, weights = values(state), self._weights(match, state)
            at = self._choice(weights, slack[mover])
            if weights.blind > 0:
                count[mover] += 1
                lost[mover] += weights.lost[at]
                stake[mover] += weights.blind
            state = weights.after[at]
            for seat, value in enumerate(values(state)):
                given[seat] += value - here[seat]
        champions = match.format.champions(state.tally)
        ended = values(state)
        ledgers = tuple(
            SeatLedger(
                begun[seat], ended[seat] - begun[seat] - given[seat], -lost[seat], given[seat] + lost[seat],
                ended[seat], variance[seat], int(count[seat]), lost[seat], stake[seat],
            )
            for seat in range(match.seats)
        )  # fmt: skip
        return ledgers, tuple(float(seat in champions) / len(champions) for seat in range(match.seats))

    def _values(self, state: MatchState[Any]) -> Sequence[float]:
        if state not in self.valued:
            self.valued[state] = self.coach.solver.values(state)
        return self.valued[state]

    def _choice(self, weights: Weights, slack: float) -> int:
        if len(weights.after) == 1:
            return 0
        if not slack:
            return weights.lost.index(0.0)
        chances = [exp(-lost / slack) for lost in weights.lost]
        return self.random.choices(range(len(chances)), chances)[0]

    def _weights(self, match: Match[Any, Any], state: MatchState[Any]) -> Weights:
        if state not in self.known:
            choices = self.coach.advise(state).choices
            after = tuple(match.play(state, choice.action) for choice in choices)
            lost = tuple(choice.lost for choice in choices)
            self.known[state] = Weights(after, lost, sum(lost) / len(lost))
        return self.known[state]

    def _spread(self, match: Match[Any, Any], state: MatchState[Any]) -> tuple[float, ...]:
        """Return the variance of each seat's value over the outcomes of a draw or roll."""
        if state not in self.spread:
            due = match.to_roll(state)
            if match.to_draw(state):
                after = [(match.draw(state, Seat(seat)), 1 / match.seats) for seat in range(match.seats)]
            else:
                after = [(match.roll(state, hand), ways / len(FACES) ** due) for hand, ways in rolls(due)]
            values = self._values
            here = values(state)
            found = [0.0] * match.seats
            for outcome, chance in after:
                for seat, value in enumerate(values(outcome)):
                    found[seat] += chance * (value - here[seat]) ** 2
            self.spread[state] = tuple(found)
        return self.spread[state]


class Table:
    """Both ratings of some players, updated game by game."""

    def __init__(self, players: int) -> None:
        self.sums = [Sums()] * players
        self.begun = [Glicko()] * players
        self.games: list[list[tuple[Glicko, float]]] = [[] for _ in range(players)]

    def enter(self, seats: Sequence[int], ledgers: Sequence[SeatLedger], scores: Sequence[float]) -> None:
        """Enter a match of two players."""
        for place, player in enumerate(seats):
            self.sums[player] += sums_of(ledgers[place])
        one, two = seats
        self.games[one].append((self.begun[two], scores[0]))
        self.games[two].append((self.begun[one], scores[1]))

    def end_period(self) -> None:
        """End a rating period of Glicko-2."""
        self.begun = [after_period(*each) for each in zip(self.begun, self.games, strict=True)]
        self.games = [[] for _ in self.games]

    @property
    def ours(self) -> list[float]:
        """Return the house's ratings."""
        return [rating([sums]).value for sums in self.sums]

    @property
    def glicko(self) -> list[float]:
        """Return Glicko-2's ratings, as if the period under way ended now."""
        return [after_period(*each).rating for each in zip(self.begun, self.games, strict=True)]


def ordered(ratings: Sequence[float]) -> float:
    """Return the share of pairs in the right order. The best player comes first. An equal rating counts half."""
    pairs = [(one, two) for at, one in enumerate(ratings) for two in ratings[at + 1 :]]
    return sum((one > two) + (one == two) / 2 for one, two in pairs) / len(pairs)


def leagues(
    club: Club, slack: Sequence[float], number: int, games: int
) -> tuple[list[float], list[float], list[tuple[Sums, ...]]]:
    """Play leagues. Return the mean share of right pairs after each number of games, by our rating and by Glicko-2, and
    the last sums.
    """
    ours, glicko, last = [0.0] * games, [0.0] * games, []
    for _ in range(number):
        table = Table(len(slack))
        for game in range(games):
            players = list(range(len(slack)))
            club.random.shuffle(players)
            for at in range(0, len(players), 2):
                pair = players[at : at + 2]
                table.enter(pair, *club.play([slack[player] for player in pair]))
            ours[game] += ordered(table.ours) / number
            glicko[game] += ordered(table.glicko) / number
            if game % PERIOD == PERIOD - 1:
                table.end_period()
        last.append(tuple(table.sums))
    return ours, glicko, last


def reached(shares: Sequence[float], goal: float, told: Callable[[float], float] = lambda share: share) -> float:
    """Return the number of games from which on all shares reach the goal; inf if the last share does not."""
    found = inf
    for count in range(len(shares), 0, -1):
        if told(shares[count - 1]) < goal:
            break
        found = count
    return found


def first(shares: Sequence[float], trials: int) -> tuple[float, float, float]:
    """Return the games until the goal, and the ends of its band."""
    return (
        reached(shares, GOAL),
        reached(shares, GOAL, lambda share: wilson(share, trials)[1]),
        reached(shares, GOAL, lambda share: wilson(share, trials)[0]),
    )


def said(found: tuple[float, float, float], games: int) -> str:
    """Return the games until the goal, as printed."""
    middle, low, high = (f"over {games}" if each == inf else str(int(each)) for each in found)
    return f"{middle} ({low} to {high})"


def known(club: Club, slack: float, other: float) -> Sums:
    """Return the sums of a player over ``KNOWN`` games."""
    total = Sums()
    for game in range(KNOWN):
        seat = game % 2
        ledgers, _ = club.play([slack, other] if not seat else [other, slack])
        total += sums_of(ledgers[seat])
    return total


def main() -> int:
    """Print the tables. Return exit status 1 if Glicko-2 needs fewer games anywhere."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="threes")
    parser.add_argument("--format", default="rounds 1")
    parser.add_argument("--leagues", type=int, default=200)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    club = Club(chosen.game, chosen.format, Random(chosen.seed))
    print(f"{chosen.game}, {chosen.format}: games of each player until 90 % of pairs are in order (95 % band)")
    missed = False
    number, games = chosen.leagues, chosen.games
    covered: list[bool] = []
    for slack in (*PAIRS, LEAGUE):
        few = number if len(slack) == 2 else max(1, number // 4)
        ours, glicko, last = leagues(club, slack, few, games)
        mine, theirs = first(ours, few), first(glicko, few)
        missed |= mine[0] > theirs[0]
        name = f"slackness {', '.join(map(str, slack))}"
        print(f"  {name}: ours {said(mine, games)}, Glicko-2 {said(theirs, games)}; "
              f"after {games}: {ours[-1]:.1%}, {glicko[-1]:.1%}", flush=True)  # fmt: skip
        if len(slack) == 2:
            for seat in range(2):
                truth = known(club, slack[seat], slack[1 - seat])
                value = 100 * (1 - truth.lost / truth.at_stake)
                bands = [rating([sums[seat]]) for sums in last]
                inside = [band.low - 1e-9 <= value <= band.high + 1e-9 for band in bands]
                covered += inside
                width = sum(band.high - band.low for band in bands) / len(bands)
                share = sum(inside) / len(inside)
                print(f"    slackness {slack[seat]}: rating {value:.1f}; after {games} games the band is", end=" ")
                print(f"{width:.1f} wide and holds it in {share:.0%}", flush=True)
    print(f"  all bands: {sum(covered) / len(covered):.1%}")
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
