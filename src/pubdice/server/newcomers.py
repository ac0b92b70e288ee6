"""How many people of one address sit down at a table that is listed for everybody: one program takes not all seats.

Where the host is, a whole pub may be behind one address, so people there sit down as they like; so they do at tables
that are not listed, which are found by a link or code. Kept in memory only: after a restart it is counted again.
"""

from weakref import WeakKeyDictionary

from pubdice.server.hub import Hub
from pubdice.server.limits import block_of
from pubdice.table import Refused

MOST_SEATED = 3
"""People of one address that may sit at a listed table at a time, but for the host's address; and never most of it."""
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
        if not hub.state.setup.listed or self._hosts.get(hub) == block or hub.state.kept_for(person):
            return
        if len(self._lately(hub, block).keys() - {person}) >= _most(hub):
            raise Refused("seats-here")

    def note(self, hub: Hub, person: str | None, address: str) -> None:
        """Somebody is here; whoever has a seat is remembered with their address, and nobody else."""
        state, block = hub.state, block_of(address)
        if not state.setup.listed or state.seat_of(person) is None or person is None:
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
            if hub.state.seat_of(person) is not None:
                people[person] = now
        for person in [each for each, at in people.items() if now > at + GONE_MS]:
            del people[person]
        return people


def _most(hub: Hub) -> int:
    return MOST_SEATED if hub.state.setup.grows else max(1, min(MOST_SEATED, (len(hub.state.chairs) - 1) // 2))
