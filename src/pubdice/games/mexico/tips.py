"""A tip for Mexico as a policy: who opens stops early, everybody else stops as soon as somebody is lower."""

from pubdice.core.game import Keep
from pubdice.games.mexico.rules import Mexico, MexicoRound, worth

GOOD = 54
"""What the opener stops with: the median of one roll, where Wikipedia's article ("Strategy and Odds") puts it."""


def tip(game: Mexico, state: MexicoRound) -> tuple[tuple[Keep, int], ...]:
    """The opener stops with an average roll; the others need not be high, only not lowest (the same section)."""
    have = worth(state.free)
    enough = have > min(state.scores) if state.scores else have >= GOOD
    stops = enough or len(game.legal(state)) == 1
    return ((Keep(state.free if stops else ()), 1),)
