"""The messages that a house (a server) sends to ``join``: their length and their shape.

A server that sends other messages is no house of pubdice. The house may belong to a stranger and may send anything. So
a line has a greatest length, and each message is checked once before any code uses it. This module knows the fields
that ``join`` reads, and no HTTP.
"""

from collections.abc import Callable, Iterator
from typing import Any

MOST_LINE = 1_000_000
"""The most bytes of a message, and of a line of the event stream. An update of a table of 64 seats has about 40,000."""
MOST_LIST = 4_096

OWN = {str: str}
"""A shape (``fits``): an object with any keys, each with a text."""
TOLD: Any = {"text": str, "own?": OWN}
DIE: Any = {"place": int, "face": int, "status": str}
SEAT: Any = {"name": str, "dice": [int], "hand": str, "own_hand?": str}
SEAL: Any = {"words": [str], "unseeded": [int], "seal?": str, "header?": str, "unopened?": [int], "digests?": [str]}
MOVE: Any = {"move": str, "label": str, "key": str, "takes": [int]}
VIEW: Any = {
    "seq": int, "stage": str, "mover": (int, None), "ask": str, "places": int, "dice": [DIE], "seats": [SEAT],
    "rematch": (str, None), "seal?": (SEAL, None), "planned?": str, "verbs?": [[str]], "last": [TOLD], "result": [TOLD],
    "moves?": [MOVE], "main?": ({}, None), "counter?": (str, None),
    **dict.fromkeys(("heading", "status", "whose", "scores", "standing", "beat"), TOLD),
}  # fmt: skip
UPDATE: Any = {
    "seq": int, "log": [str], "say": [{**TOLD, "level": int}], "view": VIEW, "seat?": (int, None), "game?": str,
}  # fmt: skip
CHANCES: Any = {"seq": int, "say": str}
DONE: Any = {"seq": int, "go?": (str, None), "said?": (str, None)}


class TooLongError(ValueError):
    """A message, or a line of the event stream, is longer than ``MOST_LINE``."""


def messages(read_line: Callable[[int], bytes]) -> Iterator[tuple[str, str]]:
    """Parse an event stream (server-sent events). Yield the name and the data of each message. Raises TooLongError.

    ``read_line(n)`` returns the next line, at most n bytes of it. At the end it returns b"".
    """
    name, data = "", ""
    while raw := read_line(MOST_LINE + 1):
        if len(raw) > MOST_LINE or len(data) > MOST_LINE:
            raise TooLongError
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if not line and data:
            yield name, data
        if not line:
            name, data = "", ""
        elif line.startswith("event: "):
            name = line[7:]
        elif line.startswith("data: "):
            data += line[6:]


def fits(value: object, shape: Any) -> bool:
    """Return True if a value has this shape.

    A shape is a type, None, [shape] for a list, {key: shape} for an object, or (shape, …) if any of them will do. The
    key "key?" is optional.

    >>> fits({"seq": 3, "go": None}, DONE), fits({"seq": True}, DONE), fits([], DONE)
    (True, False, False)
    """
    if isinstance(shape, tuple):
        return any(fits(value, each) for each in shape)
    if isinstance(shape, list):
        return isinstance(value, list) and len(value) <= MOST_LIST and all(fits(each, shape[0]) for each in value)
    if shape == OWN:
        return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(_has(value, key, each) for key, each in shape.items())
    return value is None if shape is None else isinstance(value, shape) and not isinstance(value, bool)


def _has(value: dict[str, object], key: str, shape: Any) -> bool:
    if key.endswith("?") and key[:-1] not in value:
        return True
    name = key.removesuffix("?")
    return name in value and fits(value[name], shape)


def is_update(update: object) -> bool:
    """Return True if a message is an update of a table.

    Return False for a house of an older version, because it counts the places of dice from 1. There a mark would reach
    the die beside the intended one. An update of such a house is recognised by its last die, whose place is one too
    high.
    """
    if not fits(update, UPDATE):
        return False
    view: Any = update["view"]  # type: ignore[index]
    seats, places = len(view["seats"]), [die["place"] for die in view["dice"]]
    mover, seat = view["mover"], update.get("seat")  # type: ignore[attr-defined]
    if not all(0 <= place < view["places"] for place in places) or len(set(places)) != len(places):
        return False
    return all(at is None or 0 <= at < seats for at in (mover, seat))
