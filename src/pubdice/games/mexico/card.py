"""Mexico's card: when to stop, and which die to hold. Each line is priced in a round of two.

Cards with the numbers below lose the least value. ``tests/games/mexico/test_card.py`` tries others. Each number is a
score by ``worth``, in which every double and Mexico is higher than all other rolls.
"""

from functools import partial

from pubdice.advice.card import LineCard, LineNames, card_line
from pubdice.core.game import Keep
from pubdice.games.mexico.rules import HOLDABLE, Mexico, MexicoRound, worth

STOP, STOP_EARLY = 61, 54
"""The least score with which to stop: ``STOP`` in general, ``STOP_EARLY`` for the opener with two rolls left."""
HOLD_AGAINST = 64
"""The least score to beat for which the last seat holds a die."""
EARLY = 2
"""The number of rolls left for which ``STOP_EARLY`` applies."""

STOPS = (
    card_line("ahead", "Last to roll: stop as soon as you lead."),
    card_line("behind", "Last and behind: roll again."),
    card_line("stop", "Stop with {number} or more.", number=STOP),
    card_line("early", "First to roll, two rolls left: stop with {number} or more.", number=STOP_EARLY),
)
BOTH = card_line("again", "Otherwise roll both again.")
HOLDS = (
    card_line("both", "Last, less than {number} to beat: roll both.", number=HOLD_AGAINST),
    card_line("hold", "Hold a {low} or a {high} if you may, roll the other die.", HOLDABLE, low=1, high=2),
)


def card(game: Mexico) -> LineCard:
    """Return the card. It has lines on holding a die only if the house rules allow that."""
    return LineCard((*STOPS, *(HOLDS if game.hold else ()), BOTH), lambda names: partial(_play, names))


def _play(names: LineNames, game: Mexico, state: MexicoRound) -> tuple[tuple[Keep, int], ...]:
    """Return the keep that the card's named lines prescribe.

    If the lines leave several keeps open, return all of these, with equal weights.
    """
    legal, stop, both = game.legal(state), Keep(state.free), Keep(())
    if len(legal) == 1:
        return ((stop, 1),)
    have, left = worth(state.free), state.limit - state.rolls
    beat = max(state.scores) if state.scores and len(state.scores) == state.seats - 1 else None
    ahead = beat is not None and have > beat and "ahead" in names
    behind = beat is not None and have < beat and "behind" in names
    early = not state.scores and left == EARLY and have >= STOP_EARLY and "early" in names
    if ahead or (not behind and (early or (have >= STOP and "stop" in names))):
        return ((stop, 1),)
    against_little = beat is not None and beat < HOLD_AGAINST and "both" in names
    held = [keep for keep in legal if len(keep.dice) == 1]
    if held and "hold" in names and not against_little:
        return ((held[0], 1),)
    if "again" in names or against_little:
        return ((both, 1),)
    return tuple((keep, 1) for keep in legal if not (behind and keep == stop))
