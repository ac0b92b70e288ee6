"""How many tables are in play at once: from one address, and in the house. Knows no hubs; it is told how they stand."""

from collections.abc import Callable

from pubdice.server.limits import block_of
from pubdice.table import Refused

MOST_HERE = 60
"""Tables in play that were opened from one address: a pub's worth, and more."""
MOST_IN_ALL = 3_000
"""Tables in play in one house."""
NEW_MS = 10 * 60 * 1000
"""A table counts as in play for so long after it was opened, whether somebody goes there or not."""


class InPlay:
    """Tables by the address that opened them. stands: whether a table is in play; None if it is not in memory."""

    def __init__(self, stands: Callable[[str], bool | None]) -> None:
        self._stands = stands
        self._opened: dict[str, dict[str, int]] = {}

    def check(self, address: str, in_all: int, now: int) -> None:
        """Raise Refused where one more would be too many."""
        if in_all >= MOST_IN_ALL:
            raise Refused("tables-in-all", most=MOST_IN_ALL)
        here = self._opened.get(block_of(address), {})
        self._tidy(here, now)
        if len(here) >= MOST_HERE:
            raise Refused("tables-here", most=MOST_HERE)

    def opened(self, address: str, code: str, now: int) -> None:
        """A table was opened from an address."""
        block = block_of(address)
        for other in list(self._opened)[:2]:  # two looked at for one that is added, so that forgetting keeps pace
            here = self._opened.pop(other)
            self._tidy(here, now)
            if here:
                self._opened[other] = here
        self._opened.setdefault(block, {})[code] = now

    def _tidy(self, here: dict[str, int], now: int) -> None:
        for code, at in list(here.items()):
            stands = self._stands(code)
            if stands is False or (stands is None and now > at + NEW_MS):
                del here[code]
