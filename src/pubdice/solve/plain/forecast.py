"""A forecast of a round's size from smaller rounds, within a second, and a smaller size that could be solved.

Counting millions of positions takes half a minute, only to find that there are too many. So a round that is not small
is first counted at smaller sizes: with fewer seats, and with a smaller number in each integer option of the game (its
dataclass fields). The forecast assumes that the size grows as a power of an option, and by a constant factor for each
seat. That is a guess, so only rounds well over a limit are refused by it (``SURE``). All others are counted.
"""

from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import pairwise
from math import log
from typing import Any

from pubdice.core.errors import Unsolved
from pubdice.core.game import Game
from pubdice.solve.plain.positions import find_positions, limits

SMALL = 60_000
"""The most moves (rolls and actions) of a smaller round that is counted for a forecast by an option: a fifth of a
second."""
SEATS_LESS = 250_000
"""The most moves of a round with fewer seats that is counted for a forecast. Such a forecast needs two rounds."""
SIZES = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
"""The numbers that a forecast tries in a field."""
SURE = 1.25
"""The limit for a refusal, as a multiple of the most that can be solved. A round with a greater forecast is refused
uncounted."""
CAREFUL = 1.1
"""The safety factor of the smaller size that a refusal names as solvable. The forecast of a round of that size is the
limit divided by this factor."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The expected size of a round, and a smaller size that could be solved."""

    load: float
    """The expected size divided by its limit, for positions or moves: the larger ratio. 0 without a forecast."""
    moves: int
    """The expected number of moves. 0 if there is no forecast."""
    field: str = ""
    """The option of the game from which the forecast was made, "seats", or "" for none."""
    size: int = 0
    """The greatest number in ``field`` with which the round could be solved."""

    @property
    def facts(self) -> dict[str, object]:
        """The size that could be solved, as facts of a refusal."""
        return {"field": self.field, "size": self.size} if self.field else {}


def forecast(game: Game[Any, Any], seats: int) -> Forecast:
    """Return the forecast with the greatest load, of the forecasts from each option and from the number of seats."""
    found = [_by_field(game, seats, field) for field in _numbers(game)]
    found.append(_by_seats(game, seats))
    return max(found, key=lambda each: (each.load, bool(each.field)))


def refuse_early(game: Game[Any, Any], seats: int) -> None:
    """Refuse a round whose forecast is far too large: raise Unsolved("too-large")."""
    if _size(game, seats, SMALL) is not None:
        return
    ahead = forecast(game, seats)
    if ahead.load > SURE:
        raise Unsolved("too-large", count=_about(ahead.moves), most=limits(seats)[1], **ahead.facts)


def _about(number: int) -> int:
    """Round the number to two significant figures.

    >>> _about(7_667_550)
    7700000
    """
    return round(number, 2 - len(str(number)))


def _numbers(game: Any) -> list[str]:
    """Return the names of a game's integer fields."""
    if not is_dataclass(game):
        return []
    return [field.name for field in fields(game) if type(getattr(game, field.name)) is int and field.init]


def _size(game: Game[Any, Any], seats: int, most_moves: int) -> tuple[float, int] | None:
    """Return (the load, the number of moves) of a round. Return None if the round has more than ``most_moves``."""
    try:
        found = find_positions(game, seats, most_moves=most_moves)
    except Unsolved:
        return None
    most, moves = limits(seats)
    return max(len(found.mover) / most, len(found.after) / moves), len(found.after)


def _by_field(game: Any, seats: int, field: str) -> Forecast:
    now: int = getattr(game, field)
    known: list[tuple[int, float, int]] = []
    for size in SIZES:
        if size >= now:
            break
        try:
            found = _size(replace(game, **{field: size}), seats, SMALL)
        # the game does not allow this number in the field
        except (ValueError, ArithmeticError, LookupError, TypeError):
            continue
        if found is None:
            break
        known.append((size, *found))
    if len(known) < 2 or not known[-2][1] < known[-1][1]:
        return Forecast(0.0, 0)
    (less, before, _), (size, load, moves) = known[-2:]
    power = log(load / before) / log(size / less)
    grown = (now / size) ** power
    most = int(size * (1 / (CAREFUL * load)) ** (1 / power))
    return Forecast(load * grown, int(moves * grown), field, min(most, now - 1))


def _by_seats(game: Game[Any, Any], seats: int) -> Forecast:
    known: list[tuple[int, int]] = []
    for fewer in range(max(2, game.least_seats), seats):
        if len(known) > 1 and known[-1][1] ** 2 > SEATS_LESS * known[-2][1]:
            break
        found = _size(game, fewer, SEATS_LESS)
        if found is None:
            break
        known.append((fewer, found[1]))
    if not known:
        return Forecast(0.0, 0)
    solved = max((fewer for fewer, moves in known if moves <= limits(fewer)[1]), default=0)
    steps = [after / before for (_, before), (_, after) in pairwise(known)]
    moves = known[-1][1] * (steps[-1] ** (seats - known[-1][0]) if steps else 1.0)
    load = moves / limits(seats)[1] if steps else 0.0
    return Forecast(load, int(moves), "seats" if solved else "", solved)
