"""The drawing of a table that ``join`` plays, made from the house's view of that table.

The house may belong to a stranger. So the drawing uses only parts of the right shape, and at most as many as a table
can have.
"""

from dataclasses import is_dataclass
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from pubdice.core.dice import SIX, DieFaces
from pubdice.match.table import Die
from pubdice.terminal.board import SeatRow, TableLayout
from pubdice.terminal.house_messages import fits
from pubdice.text.game_words import Beam, Ladder, Rail, Things
from pubdice.text.language import printable

T = TypeVar("T")
MOST_DICE = 20
"""The most dice that are drawn, even if the house sends more."""
MOST_PARTS = 64
"""The most parts of a row that are drawn, even if the house sends more."""


def faces_of(view: dict[str, Any]) -> DieFaces:
    """Return the faces of the table's dice. If the house sends invalid ones, return the faces 1 to 6."""
    try:
        return DieFaces(tuple(view["faces"])) if view.get("faces") else SIX
    except (TypeError, ValueError):
        return SIX


def dice_of(view: dict[str, Any]) -> tuple[Die, ...]:
    """Return the dice on the table. A die with an unknown status counts as free."""
    most = faces_of(view).sides
    shown = [(die["place"], die["face"], die["status"]) for die in view["dice"] if 0 < die["face"] <= most][:MOST_DICE]
    return tuple([Die(at, face, status if status in ("marked", "locked") else "free") for at, face, status in shown])


def told(line: dict[str, Any], seat: int | None) -> str:
    """Return a line as the player in this seat should read it. A line about the seat itself says "you"."""
    return printable(line.get("own", {}).get(str(seat), line["text"]))


def seen_from_afar(
    view: dict[str, Any], seat: int | None, place: str, game: str = "", *, places: bool
) -> TableLayout | None:
    """Return the layout of a table. If no match is under way, return None. ``seat`` is the player's seat, or None for a
    spectator.

    ``place`` names the house. ``game`` is the game's name, or "" if the house does not send it.
    """
    if view.get("stage") != "playing" or (not view.get("dice") and not view.get("due")):
        return None
    rail, red = _part(Rail, view.get("rail"), seat), view.get("red")
    return TableLayout(
        head=" · ".join(filter(None, [game, _part(str, view.get("counter"), seat)])) or place,
        seats=[_seat(row, at == view["mover"]) for at, row in enumerate(view["seats"])],
        dice=[die for die in dice_of(view) if rail is None or die.status != "locked"],
        due=max(0, min(MOST_DICE, _part(int, view.get("due"), seat) or 0)),
        red=red if fits(red, [int]) and red else (),
        faces=faces_of(view),
        places=places,
        rail=rail,
        beam=_part(Beam, view.get("beam"), seat),
        ladder=_part(Ladder, view.get("ladder"), seat),
        things=_part(Things, view.get("things"), seat),
    )


def _seat(row: dict[str, Any], moves: bool) -> SeatRow:
    name, score, points, note = (_part(str, row.get(key), None) or "" for key in ("name", "score", "points", "note"))
    return SeatRow(name, score, " ".join(filter(None, [points, note])), moves)


def _part(kind: type[T], value: Any, seat: int | None) -> T | None:
    """Convert a part of the view to the type ``kind``, with texts as this seat should read them. Return None if its
    shape is wrong.
    """
    try:
        part: T = _made(kind, value, seat)
    except (TypeError, KeyError, AttributeError):
        return None
    return part


def _made(kind: Any, value: Any, seat: int | None) -> Any:
    """Build a value of this type. Raises TypeError, KeyError and AttributeError."""
    if is_dataclass(kind):
        return kind(**{name: _made(of, value[name], seat) for name, of in get_type_hints(kind).items()})  # type: ignore[operator]
    if get_origin(kind) is tuple:
        return tuple([_made(get_args(kind)[0], each, seat) for each in value[:MOST_PARTS]])
    if kind is str:
        return told(value if isinstance(value, dict) else {"text": value}, seat)
    if type(value) is not kind:
        raise TypeError(value)
    return value
