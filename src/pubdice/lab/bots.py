"""Every bot against every bot, exactly: two seats, one round of Midnight, one race of 420.

Shares are the first seat's: of the round at Midnight, ½ each for equal scores; the chance to win at 420. How they are
found is stated in ``games.midnight.contest`` and ``solve.versus``: distributions pushed on, nothing simulated. The bot
``perfect`` plays best for the match, here of one round, on the assumption that the others do so, too.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from pubdice.games import GAMES
from pubdice.games.fourtwenty.contest import best, contest
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.games.midnight.contest import contest as midnight_contest
from pubdice.kit import PERFECT

ORDER = ("lucky", "tip", "steady", "cautious", "bold", PERFECT)
WATCHES = ("tip",)
"""The bots, beside ``perfect``, that look at the score to beat."""


@dataclass(frozen=True, slots=True)
class Table:
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
def midnight() -> tuple[Table, tuple[Spread, ...]]:
    """The table of Midnight, and each bot's scores."""
    house, policies = midnight_contest(), GAMES["midnight"].policies
    players = {name: house.player(policies[name], name in WATCHES) for name in ORDER if name != PERFECT}
    players[PERFECT] = house.perfect()
    scores = house.turn.mean
    spreads = []
    for name in ORDER:
        opens = players[name].opens
        mean = float(opens @ scores)
        deviation = float(np.sqrt(opens @ (scores - mean) ** 2))
        low = float(opens[(scores > 0) & (scores <= 16)].sum())
        spreads.append(Spread(name, mean, float(1 - opens[0]), deviation, float(opens[-1]), low))
    share = tuple(tuple(house.share(players[one], players[other]) for other in ORDER) for one in ORDER)
    return Table(ORDER, share), tuple(spreads)


@cache
def fourtwenty() -> Table:
    """The table of 420."""
    house, policies = contest(FourTwenty()), GAMES["420"].policies
    players = {name: house.player(best if name == PERFECT else policies[name]) for name in ORDER}
    share = tuple(tuple(house.wins(players[one], players[other]) for other in ORDER) for one in ORDER)
    return Table(ORDER, share)
