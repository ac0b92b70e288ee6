"""Every bot against every bot, exactly: two seats, one round, at 420 one race, at Mexico one round and three lives too.

Shares are the first seat's: of the round, ½ each for equal scores; the chance to win at 420 and with lives. How they
are found is stated in ``solve.turns.turn``, ``solve.race.contest`` and, for Mexico, ``solve.finite.evaluate``:
chances pushed on, nothing simulated. The bot ``perfect`` plays best for the match on the assumption that the others do
so, too.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pubdice.advice.bots import Perfect
from pubdice.core.game import Policy, Seat
from pubdice.core.turn_game import TurnGame
from pubdice.games import GAMES
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.games.mexico.lives import Lives
from pubdice.games.mexico.rules import Mexico
from pubdice.kit import PERFECT
from pubdice.match.formats import Rounds
from pubdice.match.match import Match
from pubdice.solve.choose import solve_match
from pubdice.solve.finite.evaluate import Sheet
from pubdice.solve.race.contest import best as best_420
from pubdice.solve.race.contest import contest as contest_420
from pubdice.solve.turns.turn import Contest, PolicyScores, contest
from pubdice.solve.turns.turn import best as best_turn

ORDER = ("lucky", "tip", "steady", "cautious", "bold", PERFECT)
MEXICANS = ("lucky", "tip", PERFECT)
"""The bots of Mexico, where turns depend on those before them, so that nobody plays for a goal of their own."""
WATCHES = ("tip",)
"""The bots, beside ``perfect``, that look at the score to beat."""
LIVES = 3
"""Of Mexico's usual match."""


@dataclass(frozen=True, slots=True)
class ShareTable:
    """share[a][b]: the share of ``names[a]`` as first seat against ``names[b]`` as second."""

    names: tuple[str, ...]
    share: tuple[tuple[float, ...], ...]

    def averaged(self, one: int, other: int) -> float:
        """The share of one against another, the mean of both orders."""
        return (self.share[one][other] + 1 - self.share[other][one]) / 2


@dataclass(frozen=True, slots=True)
class Spread:
    """A Midnight bot's score as first of two seats: mean, chance to qualify, standard deviation, and some chances."""

    name: str
    mean: float
    qualify: float
    deviation: float
    best: float
    modest: float


@cache
def _players(name: str) -> tuple[Contest, dict[str, PolicyScores]]:
    """The scores of every bot of a game of one turn a seat, under its usual rules."""
    kit = GAMES[name]
    game = kit.usual_game
    assert isinstance(game, TurnGame), name
    house = contest(game)
    players = {name: house.player(kit.policies[name], watches=name in WATCHES) for name in ORDER if name != PERFECT}
    return house, {**players, PERFECT: house.player(best_turn)}


@cache
def turns(name: str) -> ShareTable:
    """The table of a game of one turn a seat: Midnight, Ship or Threes."""
    house, players = _players(name)
    share = tuple(tuple(house.share(players[one], players[other]) for other in ORDER) for one in ORDER)
    return ShareTable(ORDER, share)


@cache
def midnight_scores() -> tuple[Spread, ...]:
    """Each bot's scores at Midnight, rolling first."""
    house, players = _players("midnight")
    scores = house.turn.mean
    spreads = []
    for name in ORDER:
        opens = players[name].opens
        mean = float(opens @ scores)
        deviation = float(np.sqrt(opens @ (scores - mean) ** 2))
        low = float(opens[(scores > 0) & (scores <= 16)].sum())
        spreads.append(Spread(name, mean, float(1 - opens[0]), deviation, float(opens[-1]), low))
    return tuple(spreads)


@cache
def fourtwenty() -> ShareTable:
    """The table of 420."""
    house, policies = contest_420(FourTwenty()), GAMES["420"].policies
    players = {name: house.player(best_420 if name == PERFECT else policies[name]) for name in ORDER}
    share = tuple(tuple(house.share(players[one], players[other]) for other in ORDER) for one in ORDER)
    return ShareTable(ORDER, share)


@cache
def mexico() -> tuple[ShareTable, ShareTable]:
    """The tables of Mexico: one round, and a match of three lives that the loser of a round goes on to open.

    With lives a tie is played off by the same opener, and best play of a round is the same at every standing
    (``games.mexico.lives.same_openers``): so the chance q that an opener wins a round that somebody loses is all that a
    match depends on.
    """
    one_round = {one: {other: _round(one, other, Rounds(1)) for other in MEXICANS} for one in MEXICANS}
    lives = {one: {other: _round(one, other, Lives(LIVES)) for other in MEXICANS} for one in MEXICANS}

    def opens(one: str, other: str) -> float:
        won, tied = lives[one][other]
        return won / (1 - tied)

    def share(one: str, other: str) -> float:
        first, second = opens(one, other), opens(other, one)

        def left(own: int, others: int, opener: bool) -> float:
            if not own or not others:
                return float(own > 0)
            won = first if opener else 1 - second
            return won * left(own, others - 1, False) + (1 - won) * left(own - 1, others, True)

        return left(LIVES, LIVES, True)

    return (
        ShareTable(MEXICANS, tuple(tuple(won + tied / 2 for won, tied in row.values()) for row in one_round.values())),
        ShareTable(MEXICANS, tuple(tuple(share(one, other) for other in MEXICANS) for one in MEXICANS)),
    )


@cache
def _round(one: str, other: str, form: Rounds | Lives) -> tuple[float, float]:
    """The chances that the opener wins a round of Mexico for two, and that it is tied. form: for ``perfect``."""
    seated = [_mexican(name, form) for name in (one, other)]
    found = _SHEET.chances(lambda game, state: seated[game.mover(state)](game, state))
    won = sum(chance for result, chance in found.items() if result.winners == (0,))
    return won, sum(chance for result, chance in found.items() if len(result.winners) > 1)


@cache
def _mexican(name: str, form: Rounds | Lives) -> Policy[Any, Any]:
    """A bot of Mexico; ``perfect`` as it plays the first round of a match of two."""
    if name != PERFECT:
        return GAMES["mexico"].policies[name]
    match = Match(Mexico(), 2, form, form.openers[0], Seat(0))
    bot, start = Perfect(solve_match(match)), match.start()

    @cache
    def play(game: Any, state: Any) -> tuple[tuple[Any, int], ...]:
        return ((bot.action(match.at(start, state)), 1),)

    return play


_SHEET = Sheet(Mexico(), Mexico().start(2))
"""A round of two, each position asked of the rules once."""
