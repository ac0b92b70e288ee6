"""Limits on tables in play, for one address and for the house. Also a choice of tables in which no
address fills the list.
"""

import hmac
from collections import Counter
from collections.abc import Callable, Sequence

from pubdice.core.errors import Refused
from pubdice.server.web.limits import block_of

MOST_HERE = 60
"""The most tables in play from one address. A full pub needs fewer."""
MOST_IN_ALL = 3_000
"""The most tables in play in one house."""
NEW_MS = 10 * 60 * 1000
"""A new table counts as in play for 10 minutes, even if no page opens it."""
MOST_SHOWN = 3
"""The number of one address's tables that a list shows before it shows more of any address."""
REMEMBERED = 5_000
"""The most tables whose opener's address is known. The oldest are forgotten first. All are forgotten at a restart."""


def opener_of(secret: bytes, address: str) -> bytes:
    """Return two bytes for an address, which are stored with each table that it opens. ``secret`` is the house's.

    So every process can tell which tables one client opened, also after a restart. They are too few to find the
    address.
    """
    return hmac.digest(secret, f"opener {block_of(address)}".encode(), "sha256")[:2]


class InPlay:
    """The tables in play, by the address that opened them. ``is_in_play`` returns None if a table is not in memory."""

    def __init__(self, is_in_play: Callable[[str], bool | None]) -> None:
        self._is_in_play = is_in_play
        self._opened: dict[str, dict[str, int]] = {}
        self._from: dict[str, str] = {}

    def check(self, address: str, in_all: int, now: int) -> None:
        """Raise Refused if one more table from this address is too many.

        ``in_all`` is the number of tables in memory. ``now`` is in ms since 1970.
        """
        if in_all >= MOST_IN_ALL:
            raise Refused("tables-in-all", most=MOST_IN_ALL)
        here = self._opened.get(block_of(address), {})
        self._tidy(here, now)
        if len(here) >= MOST_HERE:
            raise Refused("tables-here", most=MOST_HERE)

    def opened(self, address: str, code: str, now: int) -> None:
        """Note that a table was opened from an address."""
        block = block_of(address)
        for other in list(self._opened)[:2]:  # tidies two addresses for each table added, so forgetting keeps pace
            here = self._opened.pop(other)
            self._tidy(here, now)
            if here:
                self._opened[other] = here
        self._opened.setdefault(block, {})[code] = now
        self._from[code] = block
        if len(self._from) > REMEMBERED:
            del self._from[next(iter(self._from))]

    def is_crowded(self, codes: Sequence[str]) -> bool:
        """Return True if one address opened more than ``MOST_SHOWN`` of these tables."""
        return max(Counter(self._from.get(code, "") for code in codes).values(), default=0) > MOST_SHOWN

    def in_turn(self, codes: Sequence[str], most: int) -> list[str]:
        """Return at most ``most`` of these tables, in their order: ``MOST_SHOWN`` of each address, then more of any.

        Tables whose address is not known count as one address.
        """
        shown: Counter[str] = Counter()
        first: list[str] = []
        rest: list[str] = []
        for code in codes:
            shown[block := self._from.get(code, "")] += 1
            (first if shown[block] <= MOST_SHOWN else rest).append(code)
        picked = {*first[:most], *rest[: max(0, most - len(first))]}
        return [code for code in codes if code in picked]

    def _tidy(self, here: dict[str, int], now: int) -> None:
        for code, at in list(here.items()):
            in_play = self._is_in_play(code)
            if in_play is False or (in_play is None and now > at + NEW_MS):
                del here[code]
