"""The way from a table whose match is over to the next: it is laid once, and whoever asks is sat down there.

Knows no HTTP and decides nothing about seats; ``party`` does.
"""

from dataclasses import replace
from typing import Protocol

from pubdice.game import BadNotation
from pubdice.party import Setup
from pubdice.party import commands as deeds
from pubdice.party.bounds import is_done
from pubdice.server.hub import Hub
from pubdice.server.keys import Key
from pubdice.server.wire import Done
from pubdice.table import Refused

MOST_HOPS = 50
"""Tables of a chain that somebody is led along who comes late."""


class Tables(Protocol):
    """The house, as a rematch needs it."""

    async def find(self, code: str) -> Hub | None:
        """The table with this code."""

    async def lay_next(self, setup: Setup, under: Key, address: str) -> str:
        """A table as it begins, or the one that was laid under this key; its code. Raises Refused, NotStored."""

    def answer(self, hub: Hub, key: Key) -> bytes | None:
        """The answer stored under a key."""

    def link(self, code: str) -> str:
        """Where the table of a code is."""

    def now(self) -> int:
        """Milliseconds since 1970."""


async def follow(tables: Tables, hub: Hub, person: str, key: Key, address: str, *, ready: bool) -> bytes:
    """Lay the next table, or find the one that is laid, and sit this person there; nobody else is moved.

    Where that match is over as well, it is the last of the chain. Where all who played have left, somebody of the queue
    lays it, and is its host. address: where it is asked from.
    """
    known = tables.answer(hub, key)
    if known is not None:
        return known
    state = hub.state
    queued = dict(state.queue).get(person)
    if not is_done(state) or (state.seat_of(person) is None and not (queued and (state.rematch or not state.people))):
        return await hub.ask(deeds.Rematch(""), person, key)
    assert state.play is not None, "a match has begun"
    code = state.rematch
    if not code:
        before = state if state.people else replace(state, host=person)
        setup, under = hub.party.again(before, tables.now(), hub.code), Key(f"{hub.code} {state.play.seq}")
        code = await tables.lay_next(setup, under, address)  # the same, if asked again
    names = [state.chairs[seat].name for seat in state.seats_of(person)] or [queued or ""]
    last = await _last(tables, code)
    await _sit_at(last, names, person, key, ready=ready)
    go = Done(0, go=tables.link(last.code) + ("" if ready else "?change=1"))
    if not state.rematch:
        return await hub.ask(deeds.Rematch(code), person, key, go)
    if set(state.seats_of(person)) <= set(state.inside):
        return await hub.note(Done(state.seq, go.go), key)
    return await hub.ask(deeds.Follow(), person, key, go)


async def _last(tables: Tables, code: str) -> Hub:
    """The last table that was laid after this one."""
    hub = await tables.find(code)
    for _ in range(MOST_HOPS):
        if hub is None or not hub.state.rematch:
            break
        hub = await tables.find(hub.state.rematch)
    assert hub is not None, "it is stored"
    return hub


async def _sit_at(hub: Hub, names: list[str], person: str, key: Key, *, ready: bool) -> None:
    """Have a person sit at a table, and be ready; who is too late waits for the match after; who cannot, watches."""
    wanted: list[deeds.Command] = [deeds.Queue(names[0])]
    if hub.state.play is None:
        kept = hub.state.kept_for(person)
        wanted = [deeds.Sit(None, "")] if kept else [deeds.Sit(None, names[0]), *map(deeds.Share, names[1:])]
        wanted += [deeds.Ready()] if ready else []
    for number, each in enumerate(wanted):
        try:
            await hub.ask(each, person, key.step(number))
        except (Refused, BadNotation):
            continue
