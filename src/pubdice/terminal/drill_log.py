"""The positions of the drill that were missed, in an append-only log of their own: a line for each answer that matters.

A position is the text of a record that ends at the decision. What was said of it last holds: missed, or not any more.
"""

from typing import Any

from pubdice.store import Store
from pubdice.terminal.json_log import JsonLog


class Misses:
    """What was missed and is not yet put right, oldest first."""

    def __init__(self, store: Store) -> None:
        self._log = JsonLog(store, "drill")

    def positions(self) -> list[str]:
        """Their texts. Raises NotStored."""
        missed: dict[str, None] = {}
        for position, lost in self._log.read(_answer):
            missed.pop(position, None)
            if lost:
                missed[position] = None
        return list(missed)

    def note(self, position: str, *, missed: bool, kept: str) -> None:
        """Remember how a position was answered. Raises NotStored."""
        self._log.append({"position": position, "missed": missed, "kept": kept})


def _answer(data: Any) -> tuple[str, bool]:
    """The position in a line, and whether it was missed. Raises TypeError or KeyError."""
    position = data["position"]
    if not isinstance(position, str):
        raise TypeError(position)
    return position, bool(data["missed"])
