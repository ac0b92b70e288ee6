"""Orders for a table, from a program or from the front page's form, as a ``room.Setup``. Knows no HTTP."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import msgspec

from pubdice.core.dice import whole_number
from pubdice.core.errors import BadNotation
from pubdice.kit import PERFECT, Kit
from pubdice.match.table import Dice
from pubdice.room import Setup
from pubdice.room.setup import CLOCK_S, GRACE_S, MOST_CHAIRS, MOST_PERFECT, PACE_MS, checked
from pubdice.server.table.game_offers import MOST_BOTS, OTHERS, match_fields
from pubdice.server.wire import Order, OrderKey, wrong

SHOWN = "shown"
"""The form's value of ``chances`` if the table's page shows them."""


class OrderError(BadNotation):
    """An order that the house can't carry out. ``field`` is the form's field with the mistake; "" for none."""

    def __init__(self, field: str, why: BadNotation) -> None:
        super().__init__(why.code, why.place, **why.facts)
        self.field = field


def setup_ordered(order: Order, games: Mapping[str, Kit], host: str, now: int) -> Setup:
    """Return the setup that an order asks for, checked. ``now`` is in ms since 1970. Raises OrderError."""
    kit = games.get(order.game)
    if kit is None:
        raise OrderError("game", BadNotation("game", found=order.game, games=tuple(games)))
    if order.rules.get("game", kit.name) != kit.name:
        raise OrderError("game", BadNotation("header-key", found="game", key="game", keys=tuple(order.rules)))
    seats = max(order.people or 1, 1 + len(order.others)) + len(order.bots)
    if PERFECT in order.bots and seats > MOST_PERFECT:
        raise OrderError(f"{kit.name}.bot", BadNotation("perfect-seats", most=MOST_PERFECT))
    if seats > MOST_CHAIRS:
        least = kit.usual_game.least_seats
        raise OrderError("", BadNotation("seats", found=seats, least=least, most=MOST_CHAIRS))
    unchecked = Setup(
        rules={**order.rules, "game": order.game},
        seats=seats,
        host=host,
        first_stays=True,
        loser_lost=True,
        opened=now,
        bots=tuple(order.bots),
        dice=order.dice,
        listed=order.listed,
        grace_s=order.grace_s,
        clock_s=order.clock_s,
        pace_ms=order.pace_ms,
        lessons=order.lessons,
        chances=order.chances,
        grows=order.people is None,
    )
    try:
        return checked(kit, unchecked)
    except BadNotation as error:
        raise OrderError(_field(error, kit), error) from None


def _field(error: BadNotation, kit: Kit) -> str:
    """Return the form's field with the mistake. "" if it is in no field."""
    if error.code == "number-range":
        return str(error.facts["key"])
    if error.code in ("seats", "people-none"):
        return ""
    if error.code == "option":
        return f"{kit.name}.{error.facts['key']}"
    if error.code == "first-draw":
        return f"{kit.name}.first"
    if error.code.startswith("format"):
        return f"{kit.name}.format"
    return f"{kit.name}.{error.code}"


def from_form(form: Mapping[str, str], games: Mapping[str, Kit]) -> Order:
    """Read the order on a form. A field left out has its usual value.

    Raises OrderError for text that is not a number and for an unknown game. Raises Refused for a malformed key.
    """
    kit = games.get(form.get("game", next(iter(games))))
    if kit is None:
        raise OrderError("game", BadNotation("game", found=form.get("game", ""), games=tuple(games)))
    fields = {key.removeprefix(f"{kit.name}."): value for key, value in form.items() if key.startswith(f"{kit.name}.")}

    def number(field: str, text: str | None, usual: int) -> int:
        if text is None or not text.strip():
            return usual
        found = whole_number(text.strip())
        if found is None:
            raise OrderError(field, BadNotation("number", found=text))
        return found

    format_text = fields.get("format", kit.formats[0].name)
    kind = next((kind for kind in kit.formats if kind.name == format_text), None)
    if kind is not None:
        numbers = [number(f"{kit.name}.{field.key}", fields.get(field.key), field.usual) for field in kind.fields]
        format_text = kind.write(tuple(numbers))
    rules = {"game": kit.name, "format": format_text}
    for key in (option.key for option in kit.options):
        if key in fields:
            rules[key] = fields[key]
    if kind is not None and len(kind.usual.openers) > 1 and fields.get("opener"):
        rules["opener"] = fields["opener"]
    if fields.get("first"):
        rules["first"] = fields["first"]
    try:
        key = msgspec.convert(form.get("key", ""), OrderKey)
    except msgspec.ValidationError as error:
        raise wrong(error, "key") from None
    against_bot, named = form.get("with") == "bot", form.get("with") == "phone"
    others = [other for other in (form.get(field, "") for field in OTHERS) if other.strip()]
    bots = _bots(number("bots", form.get("bots"), 0), others) if named else int(against_bot)
    return Order(
        key=key,
        game=kit.name,
        name=form.get("name", ""),
        people=number(f"{kit.name}.people", fields["people"], 2) if fields.get("people") else None,
        others=others if named else [],
        bots=[fields.get("bot") or next(iter(kit.bots))] * bots,
        rules=rules,
        listed=form.get("door") == "open",
        dice=next((dice for dice in get_args(Dice) if dice == form.get("dice")), "house"),
        grace_s=number("grace", form.get("grace"), GRACE_S),
        clock_s=number("clock", form.get("clock"), CLOCK_S),
        pace_ms=number("pace", form.get("pace"), PACE_MS),
        lessons=number("lessons", form.get("lessons"), 0),
        chances=form.get("chances", "") == SHOWN,
        start=against_bot or named or form.get("start", "") not in ("", "0", "false"),
    )


def _bots(asked: int, others: Sequence[str]) -> int:
    """Return the number of bots that the pocket's form seats. A single player gets one. Raises OrderError."""
    if asked not in range(1 + MOST_BOTS):
        raise OrderError("bots", BadNotation("number-range", found=asked, key="bots", least=0, most=MOST_BOTS))
    return asked or int(not others)


def to_form(setup: Setup, kit: Kit) -> dict[str, str]:
    """Return a form's fields, as ``from_form`` reads them, that order a table with this setup."""
    form = {"dice": setup.dice, "grace": str(setup.grace_s), "clock": str(setup.clock_s), "pace": str(setup.pace_ms)}
    form |= {"lessons": str(setup.lessons), "chances": SHOWN if setup.chances else ""}
    return form | match_fields(kit, setup.rules)


def changes_from_form(form: Mapping[str, str], kit: Kit) -> dict[str, Any]:
    """Read the changes in a table's form of rules, as fields of a request. Raises OrderError, Refused."""
    order = from_form({**form, "game": kit.name}, {kit.name: kit})
    changes: dict[str, Any] = {}
    game_fields = {key.removeprefix(f"{kit.name}.") for key in form if key.startswith(f"{kit.name}.")}
    if game_fields:
        rules = {key: value for key, value in order.rules.items() if key != "game"}
        if "format" not in game_fields:
            del rules["format"]
        changes["rules"] = {**rules, **({"first": ""} if "first" in game_fields and "first" not in rules else {})}
    fields = {"dice": "dice", "clock": "clock_s", "grace": "grace_s", "pace": "pace_ms"}
    fields |= {"lessons": "lessons", "chances": "chances"}
    return {**changes, **{field: getattr(order, field) for key, field in fields.items() if key in form}}
