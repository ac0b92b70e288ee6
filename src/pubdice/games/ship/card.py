"""Ship's card: the cargo to stop with, and the cargo dice to hold. The cargo is the only choice in the game.

Cards with the numbers below lose the least value. ``tests/games/ship/test_card.py`` tries others.
"""

from collections.abc import Callable
from functools import partial

from pubdice.advice.card import CardLine, LineCard, LineNames, card_line, lead
from pubdice.core.dice import without
from pubdice.core.game import Keep, RoundState
from pubdice.games.ship.rules import ROLLS, Ship, comes_aboard

STOP, STOP_LATE = 9, 8
"""The least cargo with which to stop: ``STOP`` in general, ``STOP_LATE`` with one roll left."""
HOLD, HOLD_LATE = (5, 6), 4
"""The faces to hold if each cargo die may be rolled by itself: ``HOLD``, and ``HOLD_LATE`` too with one roll left."""
Reading = Callable[[LineNames, Ship, RoundState], Keep | None]
"""A function that returns the keep prescribed by the named lines, or None if they leave it open."""


def _stop(names: LineNames, game: Ship, state: RoundState) -> Keep | None:
    """Return the keep that the named lines prescribe if the house rule is ``together``: both cargo dice stay, or
    none.
    """
    crew, cargo = comes_aboard(state.locked, state.free), game.worth(tuple(sorted((*state.locked, *state.free))))
    ahead = lead(game, state) or 0
    if ahead > 0 and "ahead" in names:
        return Keep(state.free)
    if ahead < 0 and "behind" in names:
        return Keep(crew)
    if ("stop" in names and cargo >= STOP) or ("late" in names and _late(state) and cargo >= STOP_LATE):
        return Keep(state.free)
    return Keep(crew) if "again" in names else None


def _hold(names: LineNames, game: Ship, state: RoundState) -> Keep | None:
    """Return the keep that the named lines prescribe if the house rule is ``single``: each cargo die may be rolled by
    itself.
    """
    crew, ahead = comes_aboard(state.locked, state.free), lead(game, state) or 0
    if ahead > 0 and "ahead" in names:
        return Keep(state.free)
    faces = (*(HOLD if "hold" in names else ()), *([HOLD_LATE] if "late" in names and _late(state) else []))
    cargo = without(state.free, crew)
    held = tuple(face for face in cargo if face in faces)
    if ahead < 0 and "behind" in names and held == cargo:
        held = held[1:]
    return Keep(tuple(sorted((*crew, *held)))) if held or "again" in names else None


def _late(state: RoundState) -> bool:
    return state.rolls == ROLLS - 1


AHEAD = card_line("ahead", "Last to roll: stop as soon as you lead.")
CARDS: dict[str, tuple[Reading, tuple[CardLine, ...]]] = {
    "together": (
        _stop,
        (
            AHEAD,
            card_line("behind", "Last and behind: roll again."),
            card_line("stop", "Stop with {number} or more.", number=STOP),
            card_line("late", "One roll left: stop with {number} or more.", number=STOP_LATE),
            card_line("again", "Otherwise roll your cargo again."),
        ),
    ),
    "single": (
        _hold,
        (
            AHEAD,
            card_line("behind", "Last and behind: roll your lower die at least."),
            card_line("hold", "Hold a {low} and a {high}, roll the rest.", HOLD, low=HOLD[0], high=HOLD[1]),
            card_line("late", "One roll left: hold a {face}, too.", (HOLD_LATE,), face=HOLD_LATE),
            card_line("again", "Nothing to hold: roll both cargo dice."),
        ),
    ),
    "stays": (_stop, ()),
}


def card(game: Ship) -> LineCard:
    """Return the card under these house rules. If cargo stays, it has no line, because no choice is left then."""
    reading, lines = CARDS[game.cargo]
    return LineCard(lines, lambda names: partial(_play, reading, names))


def _play(reading: Reading, names: LineNames, game: Ship, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    legal = game.legal(state)
    kept = reading(names, game, state) if len(legal) > 1 else None
    return tuple((keep, 1) for keep in legal) if kept is None else ((kept, 1),)
