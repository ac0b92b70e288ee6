"""The card of Threes: best play in a few lines.

If the last seat is behind, it keeps as few dice as possible, because each die kept is one less that can fall as a 3.
Cards with the numbers below lose the least value. ``tests/games/threes/test_card.py`` tries others.
"""

from functools import cache, partial

from pubdice.advice.card import LineCard, LineNames, card_line, lead
from pubdice.core.dice import Hand, without
from pubdice.core.game import Keep, RoundState
from pubdice.games.threes.rules import FREE, Threes

LOW = (1, 2, FREE)
"""The low faces. If only these fall, the line ``low`` may keep all dice at once."""
MOST = 5
"""The highest score with which the line ``low`` keeps all dice."""
FEW = 2
"""The limit of the line ``ones``. If at most this many dice are left to roll, it also keeps a 1 beside a 3 or the
lowest die."""

LINES = (
    card_line("stop", "Last to roll: keep all once that beats the leader."),
    card_line("behind", "Last and behind: keep just your 3s, or else your lowest die."),
    card_line("low", "Only 1s, 2s and 3s that come to {number} or less: keep them all.", number=MOST),
    card_line("threes", "Keep every {face}.", (FREE,), face=FREE),
    card_line("lowest", "No {face}: keep your lowest die.", face=FREE),
    card_line("ones", "At most {number} dice left after that: keep every 1, too.", (1,), number=FEW),
)


def card(game: Threes) -> LineCard:
    """Return the card. It is the same under every house rule.

    A line for the moon (five sixes) would be worth only 0.01 % of a round.
    """
    return LineCard(LINES, lambda names: partial(_play, names))


def _play(names: LineNames, game: Threes, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Return the keep that the card's named lines prescribe.

    If the lines leave the keep open, return a keep of each single die, with equal weights for all dice.
    """
    ahead = lead(game, state) or 0
    if ahead > 0 and "stop" in names:
        return ((Keep(state.free), 1),)
    return _kept(names, game, state.free, ahead < 0 and "behind" in names)


@cache
def _kept(names: LineNames, game: Threes, free: Hand, behind: bool) -> tuple[tuple[Keep, int], ...]:
    """Return the keeps that the named lines prescribe while keeping all dice does not win yet. Cached, because the
    keeps do not depend on the scores.
    """
    if not behind and "low" in names and all(face in LOW for face in free) and game.worth(free) <= MOST:
        return ((Keep(free), 1),)
    kept = tuple(face for face in free if face == FREE and (behind or "threes" in names))
    if FREE not in free and (behind or "lowest" in names):
        kept = free[:1]
    rest = without(free, kept)
    if "ones" in names and not behind and len(rest) <= FEW:
        kept = (*kept, *(face for face in rest if face == 1))
    if kept:
        return ((Keep(tuple(sorted(kept))), 1),)
    return tuple((Keep((face,)), free.count(face)) for face in sorted(set(free)))
