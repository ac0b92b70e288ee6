"""The size of a round, told within a second from smaller ones, and a size that would be solved.

Counting millions of positions takes half a minute, and says in the end no more than that there are too many. So a round
that is not small is counted at smaller numbers first: fewer seats, and each whole number among the game's options (its
fields) made smaller. What grows with a number is taken to grow on by the same power of it, and with each seat by the
same factor. That is a guess: only what is well over a limit is refused by it (``SURE``), all else is counted.
"""

from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import pairwise
from math import log
from typing import Any

from pubdice.core.errors import Unsolved
from pubdice.core.game import Game
from pubdice.solve.plain.positions import find_positions, limits

SMALL = 60_000
"""Moves of a round that is counted to look ahead: a fifth of a second."""
SEATS_LESS = 250_000
"""The same, of a round with fewer seats, of which two must be known."""
SIZES = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
"""Numbers that a field is tried with."""
SURE = 1.25
"""By how much of a limit a guess must be over it."""
CAREFUL = 1.1
"""By how much of its guess a size that is named as solved may be wrong."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """load: the part of its limit that a round will take; moves: how many it will have; 0 where nothing can be said.

    field, size: an option and the greatest number of it that would be solved; "seats", as many seats; "" for none.
    """

    load: float
    moves: int
    field: str = ""
    size: int = 0

    @property
    def facts(self) -> dict[str, object]:
        """The size that would be solved, as facts of a refusal."""
        return {"field": self.field, "size": self.size} if self.field else {}


def forecast(game: Game[Any, Any], seats: int) -> Forecast:
    """The size of a round, by what smaller ones say of it."""
    found = [_by_field(game, seats, field) for field in _numbers(game)]
    found.append(_by_seats(game, seats))
    return max(found, key=lambda each: (each.load, bool(each.field)))


def refuse_early(game: Game[Any, Any], seats: int) -> None:
    """Refuse a round that will be far too large. Raises Unsolved("too-large")."""
    if _size(game, seats, SMALL) is not None:
        return
    ahead = forecast(game, seats)
    if ahead.load > SURE:
        raise Unsolved("too-large", count=_about(ahead.moves), most=limits(seats)[1], **ahead.facts)


def _about(number: int) -> int:
    """The number in two figures.

    >>> _about(7_667_550)
    7700000
    """
    return round(number, 2 - len(str(number)))


def _numbers(game: Any) -> list[str]:
    """The options of a game that are whole numbers, by field."""
    if not is_dataclass(game):
        return []
    return [field.name for field in fields(game) if type(getattr(game, field.name)) is int and field.init]


def _size(game: Game[Any, Any], seats: int, most_moves: int) -> tuple[float, int] | None:
    """(the part of the nearest limit, the moves) of a round; None if it has more than so many moves."""
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
        except (ValueError, ArithmeticError, LookupError, TypeError):  # no game with that number
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
