"""How many people of one address sit down at a table that is listed for everybody: one program takes not all seats.

Where the host is, a whole pub may be behind one address, so people there sit down as they like; so they do at tables
that are not listed, which are found by a link or code. Kept in memory only: after a restart it is counted again.
"""

from weakref import WeakKeyDictionary

from pubdice.server.hub import Hub
from pubdice.server.limits import block_of
from pubdice.table import Refused

MOST_SEATED = 3
"""Seats of one address, and people of it in the queue, at a listed table at a time; and never most of its seats.

The host's address has no such limit."""
GONE_MS = 10 * 60 * 1000
"""Who has left counts for so long, as somebody who sits down and leaves again and again is no end of people."""


class Newcomers:
    """Who sat down from where."""

    def __init__(self) -> None:
        self._hosts: WeakKeyDictionary[Hub, str] = WeakKeyDictionary()
        self._sat: WeakKeyDictionary[Hub, dict[str, dict[str, int]]] = WeakKeyDictionary()

    def check(self, hub: Hub, person: str, address: str) -> None:
        """Somebody asks for a seat. Raises Refused where enough of their address sit there, or did lately."""
        block = block_of(address)
        if hub.state.is_host(person):
            self._hosts[hub] = block
        own = len(hub.state.seats_of(person))  # who shares a phone
        if not hub.state.setup.listed or self._hosts.get(hub) == block or hub.state.kept_for(person):
            return
        if sum(_seats(hub, each) for each in self._lately(hub, block) if each != person) + own >= _most(hub):
            raise Refused("seats-here")

    def note(self, hub: Hub, person: str | None, address: str) -> None:
        """Remember the address of a person who has a seat, or waits for one."""
        state, block = hub.state, block_of(address)
        if not state.setup.listed or person is None or not _is_in(hub, person):
            return
        if state.is_host(person):
            self._hosts[hub] = block
        else:
            self._lately(hub, block)[person] = hub.keeper.now()

    def _lately(self, hub: Hub, block: str) -> dict[str, int]:
        """Who of an address sits there or did lately, and when they were seen there last."""
        people = self._sat.setdefault(hub, {}).setdefault(block, {})
        now = hub.keeper.now()
        for person in people:
            if _is_in(hub, person):
                people[person] = now
        for person in [each for each, at in people.items() if now > at + GONE_MS]:
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
