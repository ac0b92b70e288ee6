"""A table of a house on the web as ``join`` draws it, from what the house says of it.

The house may be anybody's: of what it says only that is drawn which has the right shape, and of it no more than a table
can have.
"""

from collections.abc import Collection
from typing import Any

from pubdice.core.dice import SIX, DieFaces
from pubdice.match.table import Die
from pubdice.terminal.board import SeatRow, TableLayout
from pubdice.terminal.house_messages import TOLD, fits
from pubdice.text.game_words import Beam, Count, Ladder, Rail, Rung, Slot, Things, Tile
from pubdice.text.language import printable

MOST_DICE = 20
"""More on one side of a table are none of ours."""
FREE = ("free", "reroll")
"""The statuses of dice that can be chosen."""
SLOT: Any = {"face": int, "want": int, "preview": bool}
RAIL: Any = {"slots": list, "label": TOLD, "total_label": TOLD, "total": str}
BEAM: Any = {"value": int, "target": int, "most": int, "label": str}
RUNG: Any = {"label": str, "here": bool, "under": bool}
TILE: Any = {"number": int, "label": str, "up": bool}
COUNT: Any = {"label": str, "amount": str}


def faces_of(view: dict[str, Any]) -> DieFaces:
    """The faces of a table's dice; the usual ones, if no dice can have those that a house says."""
    try:
        return DieFaces(tuple(view["faces"])) if view.get("faces") else SIX
    except (TypeError, ValueError):
        return SIX


def dice_of(view: dict[str, Any], free: Collection[str] = FREE) -> tuple[Die, ...]:
    """The dice that lie there. free: the statuses in the house of those that are free; others are marked or locked."""
    most = faces_of(view).sides
    shown = [die for die in view["dice"] if 0 < die["face"] <= most][:MOST_DICE]
    return tuple([
        Die(each["place"], each["face"], "marked" if status == "marked" else "free" if status in free else "locked")
        for each in shown
        for status in [each["status"]]
    ])  # fmt: skip


def seen_from_afar(view: dict[str, Any], seat: int | None, place: str, *, places: bool) -> TableLayout | None:
    """The layout of a table, as a seat (None: a spectator) sees it; None while no match is under way.

    place: the house, in words. places: dice are named by their places.
    """
    if view.get("stage") != "playing" or (not view.get("dice") and not view.get("due")):
        return None
    faces = faces_of(view)
    rail = _rail(view.get("rail"), seat, faces)
    due, red, counter = view.get("due"), view.get("red"), view.get("counter")
    return TableLayout(
        head=printable(counter) if isinstance(counter, str) and counter else place,
        seats=[_seat(row, at == view["mover"]) for at, row in enumerate(view["seats"])],
        dice=[die for die in dice_of(view, (*FREE, "lying")) if rail is None or die.status != "locked"],
        due=max(0, min(MOST_DICE, due)) if fits(due, int) and due else 0,
        red=red if fits(red, [int]) and red else (),
        faces=faces,
        places=places,
        rail=rail,
        beam=_beam(view.get("beam")),
        ladder=_ladder(view.get("ladder")),
        things=_things(view.get("things")),
    )


def _seat(row: dict[str, Any], moves: bool) -> SeatRow:
    def text(key: str) -> str:
        said = row.get(key)
        return printable(said) if isinstance(said, str) else ""

    return SeatRow(text("name"), text("score"), " ".join(filter(None, [text("points"), text("note")])), moves)


def _told(line: dict[str, Any], seat: int | None) -> str:
    return printable(line.get("own", {}).get(str(seat), line["text"]))


def _flags(rows: Any, shape: Any) -> list[dict[str, Any]]:
    """The rows of a list that have this shape, as many as a table can show."""
    if not isinstance(rows, list):
        return []
    numbers = {key: kind for key, kind in shape.items() if kind is not bool}
    flags = [key for key, kind in shape.items() if kind is bool]
    return [row for row in rows[:64] if fits(row, numbers) and all(isinstance(row.get(key), bool) for key in flags)]


def _rail(rail: Any, seat: int | None, faces: DieFaces) -> Rail | None:
    if not fits(rail, {**RAIL, "slots": [{"face": int}]}):
        return None
    slots = [
        Slot(row["face"], row["want"], row["preview"])
        for row in _flags(rail["slots"], SLOT)
        if 0 <= row["face"] <= faces.sides and 0 <= row["want"] <= faces.sides
    ]
    label, total_label = _told(rail["label"], seat), _told(rail["total_label"], seat)
    return Rail(tuple(slots), label, total_label, printable(rail["total"]), "")


def _beam(beam: Any) -> Beam | None:
    if not fits(beam, BEAM):
        return None
    return Beam(beam["value"], beam["target"], beam["most"], printable(beam["label"]), "")


def _ladder(ladder: Any) -> Ladder | None:
    rungs = _flags(ladder.get("rungs") if isinstance(ladder, dict) else None, RUNG)
    return (
        Ladder(tuple(Rung(printable(row["label"]), row["here"], row["under"]) for row in rungs), "", "")
        if rungs
        else None
    )


def _things(things: Any) -> Things | None:
    if not isinstance(things, dict):
        return None
    tiles = tuple(Tile(row["number"], printable(row["label"]), row["up"]) for row in _flags(things.get("tiles"), TILE))
    counts = tuple(
        Count(printable(row["label"]), printable(row["amount"])) for row in _flags(things.get("counts"), COUNT)
    )
    return Things("", tiles=tiles, counts=counts) if tiles or counts else None
