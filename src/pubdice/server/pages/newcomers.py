"""A limit on seats from one address at a table listed for everybody, so that one program cannot take all seats.

A whole pub may share the host's address, so people there have no limit; nor have people at tables that are not listed,
who had a link or a code. The counts are in memory only, and begin again after a restart.
"""

from weakref import WeakKeyDictionary

from pubdice.core.errors import Refused
from pubdice.server.table.actor import Hub
from pubdice.server.table.house import House
from pubdice.server.web.limits import block_of

MOST_SEATED = 3
"""Seats of one address, and people of it in the queue, at a listed table at a time; and never most of its seats.

The host's address has no such limit."""
GONE_MS = 10 * 60 * 1000
"""A person who has left still counts for so long: else one could take seats by sitting down and leaving in turn."""


class Newcomers:
    """The people at listed tables, by the address they sat down from."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._hosts: WeakKeyDictionary[Hub, str] = WeakKeyDictionary()
        self._sat: WeakKeyDictionary[Hub, dict[str, dict[str, int]]] = WeakKeyDictionary()

    def check(self, hub: Hub, person: str, address: str) -> None:
        """Raise Refused if enough people of an address sit at a table, or did lately, for a person to sit there too."""
        block = block_of(address)
        if hub.state.is_host(person):
            self._hosts[hub] = block
        own = len(hub.state.seats_of(person))  # several, if people share the phone
        if not hub.state.setup.listed or self._hosts.get(hub) == block or hub.state.kept_for(person):
            return
        if sum(_seats(hub, other) for other in self._lately(hub, block) if other != person) + own >= _most(hub):
            raise Refused("seats-here")

    def note(self, hub: Hub, person: str | None, address: str) -> None:
        """Remember the address of a person who has a seat, or waits for one."""
        state = hub.state
        if not state.setup.listed or person is None or not _is_in(hub, person):
            return
        block = block_of(address)
        if state.is_host(person):
            self._hosts[hub] = block
        else:
            self._lately(hub, block)[person] = self._house.now()

    def _lately(self, hub: Hub, block: str) -> dict[str, int]:
        """The people of an address who sit at a table or did lately, and when each was there last (ms since 1970)."""
        people = self._sat.setdefault(hub, {}).setdefault(block, {})
        now = self._house.now()
        for person in people:
            if _is_in(hub, person):
                people[person] = now
        for person in [person for person, at in people.items() if now > at + GONE_MS]:
            del people[person]
        return people


def _is_in(hub: Hub, person: str) -> bool:
    """Whether somebody has a seat, or waits for one in the queue."""
    return hub.state.seat_of(person) is not None or person in dict(hub.state.queue)


def _seats(hub: Hub, person: str) -> int:
    """How many seats a person counts for: several where they share a phone."""
    return max(1, len(hub.state.seats_of(person)))


def _most(hub: Hub) -> int:
    return MOST_SEATED if hub.state.setup.grows else max(1, min(MOST_SEATED, (len(hub.state.chairs) - 1) // 2))
