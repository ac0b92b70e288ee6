"""Mexico on a card: when to stop, and which die to hold; the house finds what each line is worth in a round of two.

The numbers below lose least, as ``tests/games/mexico/test_card.py`` finds by trying others. A number is that of two
dice: doubles and Mexico are more.
"""

from functools import partial

from pubdice.advice.card import LineCard, LineNames, card_line
from pubdice.core.game import Keep
from pubdice.games.mexico.rules import HOLDABLE, Mexico, MexicoRound, worth

STOP, STOP_EARLY = 61, 54
"""The least to stop with, and for the first to roll with two rolls left."""
HOLD_AGAINST = 64
"""The least score against which the last seat holds a die."""
EARLY = 2
"""The rolls left that ``STOP_EARLY`` is about."""

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
    """The card under this house rule."""
    return LineCard((*STOPS, *(HOLDS if game.hold else ()), BOTH), lambda names: partial(_play, names))


def _play(names: LineNames, game: Mexico, state: MexicoRound) -> tuple[tuple[Keep, int], ...]:
    """The lines' keep: one thing, or the choices they leave open, all equally likely."""
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
