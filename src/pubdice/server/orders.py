"""A table as it is ordered, by a program or on the front page's form: into a ``party.Setup``. Knows no HTTP."""

from collections.abc import Mapping
from typing import Any

import msgspec

from pubdice.formats import read_format
from pubdice.game import BadNotation
from pubdice.kit import PERFECT, Kit
from pubdice.party import Setup
from pubdice.party.setup import MOST_PERFECT, checked
from pubdice.server.wire import Order, OrderKey, wrong


class OrderError(ValueError):
    """An order that cannot be. ``field`` is the form's; the cause says why."""

    def __init__(self, field: str, why: BadNotation) -> None:
        super().__init__(f"{field}: {why}")
        self.field, self.why = field, why


def setup(order: Order, games: Mapping[str, Kit], host: str, now: int) -> Setup:
    """What was ordered, checked. Raises OrderError."""
    kit = games.get(order.game)
    if kit is None:
        raise OrderError("game", BadNotation("game", found=order.game, games=tuple(games)))
    seats = (order.people or 1) + len(order.bots)
    if PERFECT in order.bots and seats > MOST_PERFECT:
        raise OrderError(f"{kit.name}.bot", BadNotation("perfect-seats", most=MOST_PERFECT))
    wanted = Setup(
        rules={**order.rules, "game": order.game},
        seats=seats,
        host=host,
        first_stays=True,
        opened=now,
        bots=tuple(order.bots),
        dice=order.dice,
        listed=order.listed,
        grace_s=order.grace_s,
        clock_s=order.clock_s,
        pace_ms=order.pace_ms,
        grows=order.people is None,
    )
    try:
        return checked(kit, wanted)
    except BadNotation as error:
        raise OrderError(_field(error, kit), error) from None


def _field(error: BadNotation, kit: Kit) -> str:
    """The form's field that a fault is about; "" for none of them."""
    if error.fault == "number-range":
        return str(error.facts["key"])
    if error.fault in ("seats", "people-none"):
        return ""
    if error.fault == "option":
        return f"{kit.name}.{error.facts['key']}"
    if error.fault == "first-draw":
        return f"{kit.name}.first"
    if error.fault.startswith("format"):
        return f"{kit.name}.format"
    return f"{kit.name}.{error.fault}"


def from_form(form: Mapping[str, str], games: Mapping[str, Kit]) -> Order:
    """The order on a form; what is left out is usual.

    Raises OrderError for what is no number or no such game, Refused for a key that is none.
    """
    kit = games.get(form.get("game", next(iter(games))))
    if kit is None:
        raise OrderError("game", BadNotation("game", found=form.get("game", ""), games=tuple(games)))
    mine = {key.removeprefix(f"{kit.name}."): value for key, value in form.items() if key.startswith(f"{kit.name}.")}

    def number(field: str, text: str | None, usual: int) -> int:
        if text is None or not text.strip():
            return usual
        if not (text.strip().isascii() and text.strip().isdigit()) or len(text.strip()) > 7:
            raise OrderError(field, BadNotation("number", found=text))
        return int(text)

    kind = mine.get("format", kit.formats[0])
    written = {
        "rounds": "rounds {}".format(number(f"{kit.name}.rounds", mine.get("rounds"), 5)),
        "pot": "pot {} rounds {}".format(
            number(f"{kit.name}.stake", mine.get("stake"), 1),
            number(f"{kit.name}.pot-rounds", mine.get("pot-rounds"), 5),
        ),
    }.get(kind, kind)
    rules = {"game": kit.name, "format": written}
    for key in (option.key for option in kit.options):
        if key in mine:
            rules[key] = mine[key]
    if kind in ("rounds", "pot") and mine.get("opener"):
        rules["opener"] = mine["opener"]
    if mine.get("first"):
        rules["first"] = mine["first"]
    try:
        key = msgspec.convert(form.get("key", ""), OrderKey)
    except msgspec.ValidationError as error:
        raise wrong(error, "key") from None
    against = form.get("with") == "bot"
    return Order(
        key=key,
        game=kit.name,
        name=form.get("name", ""),
        people=number(f"{kit.name}.people", mine["people"], 2) if mine.get("people") else None,
        bots=[mine.get("bot") or next(iter(kit.bots))] if against else [],
        rules=rules,
        listed=form.get("door") == "open",
        dice="real" if form.get("dice") == "real" else "house",
        grace_s=number("grace", form.get("grace"), 120),
        clock_s=number("clock", form.get("clock"), 0),
        pace_ms=number("pace", form.get("pace"), 1200),
        start=against or form.get("start", "") not in ("", "0", "false"),
    )


def to_form(setup: Setup, kit: Kit) -> dict[str, str]:
    """The fields of a form that would order a table like this one, as ``from_form`` reads them."""
    form = {"dice": setup.dice, "grace": str(setup.grace_s), "clock": str(setup.clock_s), "pace": str(setup.pace_ms)}
    for key, value in setup.rules.items():
        form[f"{kit.name}.{key}"] = value
    kind, *numbers = read_format(setup.rules.get("format", kit.formats[0])).write().split()
    form[f"{kit.name}.format"] = kind
    if kind == "rounds":
        form[f"{kit.name}.rounds"] = numbers[0]
    elif kind == "pot":
        form[f"{kit.name}.stake"], form[f"{kit.name}.pot-rounds"] = numbers[0], numbers[-1]
    return form


def changes_from_form(form: Mapping[str, str], kit: Kit) -> dict[str, Any]:
    """What a form changes of the rules of a table, as the fields of a ``Request``: it has those of the front page's.

    Raises OrderError, Refused.
    """
    order = from_form({**form, "game": kit.name}, {kit.name: kit})
    fields: dict[str, Any] = {}
    mine = {key.removeprefix(f"{kit.name}.") for key in form if key.startswith(f"{kit.name}.")}
    if mine:
        rules = {key: value for key, value in order.rules.items() if key != "game"}
        if "format" not in mine:
            del rules["format"]
        fields["rules"] = {**rules, **({"first": ""} if "first" in mine and "first" not in rules else {})}
    given = {"dice": order.dice, "clock": order.clock_s, "grace": order.grace_s, "pace": order.pace_ms}
    named = {"dice": "dice", "clock": "clock_s", "grace": "grace_s", "pace": "pace_ms"}
    return {**fields, **{named[key]: value for key, value in given.items() if key in form}}
