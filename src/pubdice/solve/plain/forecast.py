"""A forecast of a round's size from smaller rounds, within a second, and a size that would be solved.

Counting millions of positions takes half a minute, only to find that there are too many. So a round that is not small
is first counted at smaller sizes: with fewer seats, and with a smaller number in each integer option of the game (its
fields). The size is taken to grow as a power of an option, and by a constant factor a seat. That is a guess, so it
refuses only rounds well over a limit (``SURE``). All others are counted.
"""

from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import pairwise
from math import log
from typing import Any

from pubdice.core.errors import Unsolved
from pubdice.core.game import Game
from pubdice.solve.plain.positions import find_positions, limits

SMALL = 60_000
"""The most moves of a round counted for a forecast by an option: a fifth of a second."""
SEATS_LESS = 250_000
"""The same for a round with fewer seats, of which a forecast needs two."""
SIZES = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
"""The numbers to try in a field."""
SURE = 1.25
"""The forecast load, as a multiple of the limit, above which a round is refused."""
CAREFUL = 1.1
"""The safety factor on the forecast of a size that the refusal names as solved."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The expected size of a round, and a smaller one that would be solved."""

    load: float
    """The part of its limit that the round will take. 0 if there is no forecast."""
    moves: int
    """The number of moves it will have. 0 if there is no forecast."""
    field: str = ""
    """An option of the game, "seats", or "" for none."""
    size: int = 0
    """The greatest number in ``field`` that would be solved."""

    @property
    def facts(self) -> dict[str, object]:
        """The size that would be solved, as facts of a refusal."""
        return {"field": self.field, "size": self.size} if self.field else {}


def forecast(game: Game[Any, Any], seats: int) -> Forecast:
    """The forecast with the greatest load, from each option and from the seats."""
    found = [_by_field(game, seats, field) for field in _numbers(game)]
    found.append(_by_seats(game, seats))
    return max(found, key=lambda each: (each.load, bool(each.field)))


def refuse_early(game: Game[Any, Any], seats: int) -> None:
    """Refuse a round whose forecast is far too large. Raises Unsolved("too-large")."""
    if _size(game, seats, SMALL) is not None:
        return
    ahead = forecast(game, seats)
    if ahead.load > SURE:
        raise Unsolved("too-large", count=_about(ahead.moves), most=limits(seats)[1], **ahead.facts)


def _about(number: int) -> int:
    """The number rounded to two significant figures.

    >>> _about(7_667_550)
    7700000
    """
    return round(number, 2 - len(str(number)))


def _numbers(game: Any) -> list[str]:
    """The names of a game's integer fields."""
    if not is_dataclass(game):
        return []
    return [field.name for field in fields(game) if type(getattr(game, field.name)) is int and field.init]


def _size(game: Game[Any, Any], seats: int, most_moves: int) -> tuple[float, int] | None:
    """(the part of the nearest limit, the moves) of a round. None if it has more than ``most_moves``."""
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
        except (ValueError, ArithmeticError, LookupError, TypeError):  # the game does not allow that number
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
