"""Names, ranges and units of the numbers of an observation (``stepwise.observed``), derived from the rules.

A number belongs to a field of the round's state. Its range holds in every position of the round, with the padding of
rows included. The range of a field follows from the rules: from the fresh round, the faces of the dice, the scores of
whole turns. A game of another package may have a field of an unknown name. If each seat has one turn
(``one_turn_each``), its range comes from all positions of a turn. Otherwise it is all numbers of 32 bits.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache, partial
from typing import Any

from pubdice.core.dice import hands
from pubdice.core.game import Keep, KeepGame, kept_by

SLOTS = 12
"""The number of numbers for each row of a state, such as dice, tiles or scores. Shorter rows are padded with
``NOTHING``."""
NOTHING, ABSENT = -1, -2
"""The padding of a row, and the padding if the row's value is None, such as the dice kept before a choice."""
LARGEST = 2**31 - 1
MOST_POSITIONS = 20_000
"""The most positions of a turn that are visited for the range of an unknown field."""
LONGEST_TURN = 1_000
"""The most choices of a turn that are tried for the number of its rolls."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A number of an observation. Both ends of its range are included, and so is the padding of its row."""

    name: str
    low: int
    high: int
    unit: str


Span = tuple[int, int]
"""The lowest and the highest number of a field, without padding."""
ANY_NUMBER: Span = (-LARGEST - 1, LARGEST)


@lru_cache(maxsize=16)
def _positions(game: Any) -> frozenset[Any]:
    """Return all positions of a turn. Empty if the turns differ, or if there are more than ``MOST_POSITIONS``."""
    found, waiting = set[Any](), [game.start(1)] if getattr(game, "one_turn_each", False) else []
    while waiting:
        if (state := waiting.pop()) not in found:
            found.add(state)
            if due := game.to_roll(state):
                waiting += [game.roll(state, hand) for hand in hands(due, game.faces.sides)]
            else:
                waiting += [game.play(state, action) for action in game.legal(state)]
        if len(found) > MOST_POSITIONS:
            return frozenset()
    return frozenset(found)


def _reached(field: str, game: Any, _: Any) -> Span:
    """Return the range of a field in all positions of a turn. ``ANY_NUMBER`` if they are not known."""
    found = [number for state in _positions(game) for number in _flat(getattr(state, field))]
    return (min(found), max(found)) if found else ANY_NUMBER


def _flat(value: Any) -> list[int]:
    """Return all numbers of a field."""
    return [number for part in value for number in _flat(part)] if isinstance(value, tuple) else [int(value or 0)]


def _scores(game: Any, start: Any) -> Span:
    """Return the range of the scores: of each hand that ends a turn at once, or of the tiles that a move can take."""
    found = {0}
    if hasattr(start, "up"):
        found.add(game.worth(start.up))
    elif isinstance(game, KeepGame):
        for hand in hands(game.to_roll(start), game.faces.sides):  # type: ignore[attr-defined]
            after = game.roll(start, hand)  # type: ignore[attr-defined]
            if Keep(hand) in game.legal(after):  # type: ignore[attr-defined]
                found.update(game.play(after, Keep(hand)).scores)  # type: ignore[attr-defined]
    else:
        return _reached("scores", game, start)
    return min(found), max(found)


def _longest(field: str, game: Any, start: Any) -> Span:
    """Return the range of a count of rolls, from 0, in a turn of low dice that keeps as few of them as it may."""
    state, most = start, getattr(start, field)
    for _ in range(LONGEST_TURN):
        if game.mover(state) != game.mover(start):
            break
        if due := game.to_roll(state):
            state = game.roll(state, (1,) * due)
        else:
            state = game.play(state, min(game.legal(state), key=lambda action: len(kept_by(game, action))))
        most = max(most, getattr(state, field))
    return 0, most


def _dice(game: Any, _: Any) -> Span:
    return 1, game.faces.sides


SPANS: dict[str, tuple[str, Callable[[Any, Any], Span]]] = {
    "seats": ("players", lambda game, start: (game.least_seats, game.most_seats)),
    "scores": ("points", _scores),
    **dict.fromkeys(("locked", "free", "hands", "kept", "held", "dice"), ("face", _dice)),
    "rolls": ("rolls", partial(_longest, "rolls")),
    "limit": ("rolls", partial(_longest, "limit")),
    "mover": ("place", lambda game, start: (0, len(start.hands) - 1)),
    "up": ("tile", lambda game, start: (min(start.up), max(start.up))),
    "number": ("dice", lambda game, start: (0, game.to_roll(start))),
}
"""Of each known field of a round's state the unit, and a function from the rules and a fresh round to the range."""


def features(game: Any, seats: int) -> tuple[Feature, ...]:
    """Return the numbers of an observation of a round, in order. A row has ``SLOTS`` of them.

    >>> from pubdice.games import GAMES
    >>> features(GAMES["midnight"].usual_game, 2)[25]
    Feature(name='free[0]', low=-1, high=6, unit='face')
    """
    start, found = game.start(seats), list[Feature]()
    for field in fields(start):
        unit, span = SPANS.get(field.name, ("", partial(_reached, field.name)))
        low, high = span(game, start)
        value = getattr(start, field.name)
        if isinstance(value, int):
            # Gymnasium warns if a range is one number. A limit that is not used would have such a range.
            found.append(Feature(field.name, low, max(high, low + 1), unit))
            continue
        many = bool(value) and isinstance(value[0], tuple)
        names = [f"{field.name}[{seat}]" for seat in range(seats)] if many else [field.name]
        least = min(low, ABSENT if "None" in str(field.type) else NOTHING)
        found += [Feature(f"{name}[{slot}]", least, high, unit) for name in names for slot in range(SLOTS)]
    return tuple(found)
