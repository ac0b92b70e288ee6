"""Every bot against every bot, exactly: two seats, one round of Midnight, one race of 420.

Shares are the first seat's: of the round at Midnight, ½ each for equal scores; the chance to win at 420. How they are
found is stated in ``solve.turns.contest`` and ``solve.hand_race.contest``: distributions pushed on, nothing simulated.
The bot ``perfect`` plays best for the match, here of one round, on the assumption that the others do so, too.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from pubdice.games import GAMES
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.games.midnight.rules import Midnight
from pubdice.kit import PERFECT
from pubdice.solve.hand_race.contest import best as best_420
from pubdice.solve.hand_race.contest import contest as contest_420
from pubdice.solve.turns.contest import best as best_midnight
from pubdice.solve.turns.contest import contest as contest_midnight

ORDER = ("lucky", "tip", "steady", "cautious", "bold", PERFECT)
WATCHES = ("tip",)
"""The bots, beside ``perfect``, that look at the score to beat."""


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
def midnight() -> tuple[ShareTable, tuple[Spread, ...]]:
    """The table of Midnight, and each bot's scores."""
    house, policies = contest_midnight(Midnight()), GAMES["midnight"].policies
    players = {name: house.player(policies[name], watches=name in WATCHES) for name in ORDER if name != PERFECT}
    players[PERFECT] = house.player(best_midnight)
    scores = house.turn.mean
    spreads = []
    for name in ORDER:
        opens = players[name].opens
        mean = float(opens @ scores)
        deviation = float(np.sqrt(opens @ (scores - mean) ** 2))
        low = float(opens[(scores > 0) & (scores <= 16)].sum())
        spreads.append(Spread(name, mean, float(1 - opens[0]), deviation, float(opens[-1]), low))
    share = tuple(tuple(house.share(players[one], players[other]) for other in ORDER) for one in ORDER)
    return ShareTable(ORDER, share), tuple(spreads)


@cache
def fourtwenty() -> ShareTable:
    """The table of 420."""
    house, policies = contest_420(FourTwenty()), GAMES["420"].policies
    players = {name: house.player(best_420 if name == PERFECT else policies[name]) for name in ORDER}
    share = tuple(tuple(house.share(players[one], players[other]) for other in ORDER) for one in ORDER)
    return ShareTable(ORDER, share)
