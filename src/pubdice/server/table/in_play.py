"""Tables in play: the most that one address and the house may have, and those that a list shows.

Knows no actors; it asks a function whether a table is in play.
"""

import hmac
from collections import Counter
from collections.abc import Callable, Sequence

from pubdice.core.errors import Refused
from pubdice.server.web.limits import block_of

MOST_HERE = 60
"""Tables in play that were opened from one address: a pub's worth, and more."""
MOST_IN_ALL = 3_000
"""Tables in play in one house."""
NEW_MS = 10 * 60 * 1000
"""A table counts as in play for so long after it was opened, even if nobody goes there."""
MOST_SHOWN = 3
"""Tables of one address that a list shows before those of others."""
REMEMBERED = 5_000
"""Tables whose opener's address is known; the oldest are forgotten, and all when the house ends."""


def opener_of(secret: bytes, address: str) -> bytes:
    """Two bytes for an address, stored with each table that it opens: every process knows by them which tables are one
    asker's, also after a restart. They are too few to tell whose address it was. secret: the house's.
    """
    return hmac.digest(secret, f"opener {block_of(address)}".encode(), "sha256")[:2]


class InPlay:
    """Tables by the address that opened them. is_in_play: of a table's code; None if the table is not in memory."""

    def __init__(self, is_in_play: Callable[[str], bool | None]) -> None:
        self._is_in_play = is_in_play
        self._opened: dict[str, dict[str, int]] = {}
        self._from: dict[str, str] = {}

    def check(self, address: str, in_all: int, now: int) -> None:
        """Raise Refused if one more table would be too many. in_all: tables in memory. now: ms since 1970."""
        if in_all >= MOST_IN_ALL:
            raise Refused("tables-in-all", most=MOST_IN_ALL)
        here = self._opened.get(block_of(address), {})
        self._tidy(here, now)
        if len(here) >= MOST_HERE:
            raise Refused("tables-here", most=MOST_HERE)

    def opened(self, address: str, code: str, now: int) -> None:
        """A table was opened from an address."""
        block = block_of(address)
        for other in list(self._opened)[:2]:  # tidy two blocks for each one added, so that forgetting keeps pace
            here = self._opened.pop(other)
            self._tidy(here, now)
            if here:
                self._opened[other] = here
        self._opened.setdefault(block, {})[code] = now
        self._from[code] = block
        if len(self._from) > REMEMBERED:
            del self._from[next(iter(self._from))]

    def is_crowded(self, codes: Sequence[str]) -> bool:
        """True if one address opened more than ``MOST_SHOWN`` of these tables."""
        return max(Counter(self._from.get(code, "") for code in codes).values(), default=0) > MOST_SHOWN

    def in_turn(self, codes: Sequence[str], most: int) -> list[str]:
        """At most ``most`` of these tables, in their order: a few of each address, then others while places are left.

        Tables whose address is not known count as those of one address.
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
