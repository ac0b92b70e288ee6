"""A table's events as the lines of a log, and as the moves of a record. Decides nothing.

Logs are kept permanently, so their text is written out here: no word of a line follows from the name of a class.
"""

from collections.abc import Iterable

from pubdice.core.errors import BadNotation
from pubdice.core.game import Seat
from pubdice.core.whole_number import whole_number
from pubdice.match.record import Drawn, Move, Played, Rolled
from pubdice.match.table import Marked, Table, TableEvent, TakenBack

MOST_DICE = 100
"""The most digits that a log's line may have as one roll; every game has fewer dice."""


def moves(events: Iterable[TableEvent]) -> list[Move]:
    """The moves among a table's events, as a record holds them: no places, and nothing that was taken back."""
    found: list[Move] = []
    for event in events:
        if isinstance(event, TakenBack):
            while isinstance(found.pop(), Played):
                pass
        elif not isinstance(event, Marked):
            found.append(Played(event.action) if isinstance(event, Played) else event)
    return found


def write_event(table: Table, event: TableEvent) -> str:
    """An event as one line of a log: ``draw 1``, ``roll 344512``, ``mark 0 3``, ``play k45 0 3``, ``back``."""
    if isinstance(event, Drawn):
        return f"draw {event.seat}"
    if isinstance(event, Rolled):
        return "roll " + "".join(map(str, event.dice))
    if isinstance(event, Marked):
        return " ".join(["mark", *map(str, event.places)])
    if isinstance(event, TakenBack):
        return "back"
    action = table.match.game.write_action(event.action)
    return " ".join(["play", action, *map(str, event.places)]) if event.places else f"play {action}"


def read_event(table: Table, text: str) -> TableEvent:
    """The event in a line of a log. Raises BadNotation."""
    kind, _, rest = text.partition(" ")
    if kind == "play":
        action, *places = rest.split(" ")
        return Played(table.match.game.read_action(action), _numbers(places, text) if places else None)
    if text == "back":
        return TakenBack()
    if kind == "roll" and whole_number(rest, MOST_DICE) is not None:
        return Rolled(tuple(map(int, rest)))  # the rules refuse a 7
    numbers = _numbers(rest.split(" ") if rest else [], text)
    if kind == "mark":
        return Marked(numbers)
    if kind == "draw" and len(numbers) == 1:
        return Drawn(Seat(numbers[0]))
    raise BadNotation("event", found=text[:99])


def _numbers(words: list[str], text: str) -> tuple[int, ...]:
    """The words of a line as numbers. Raises BadNotation. text: the line, for the error."""
    numbers = [number for word in words if (number := whole_number(word)) is not None]
    if len(numbers) < len(words):
        raise BadNotation("event", found=text[:99])
    return tuple(numbers)
