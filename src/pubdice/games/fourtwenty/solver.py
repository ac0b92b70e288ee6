"""420 solved, by the house's solver of races of hands."""

from typing import Any

from pubdice.core.game import Keep
from pubdice.games.fourtwenty.reroll import over
from pubdice.match.match import MatchState
from pubdice.solve.race.races import HandRaceSolver


class FourTwentySolver(HandRaceSolver):
    """A match of 420, race or drinks, with a fact of its own: how often a reroll goes over."""

    title = "420"

    def facts(self, state: MatchState[Any]) -> tuple[tuple[Keep, dict[str, float]], ...]:
        """For each keep, the chances that rerolling the rest wins at once (``win_now``) and goes over (``over``)."""
        return tuple((keep, {**facts, "over": over(keep.dice)}) for keep, facts in super().facts(state))
