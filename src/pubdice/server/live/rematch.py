"""Rematches: from a table whose match is over, each person who asks gets their seat at the next; the first creates it.

Knows no HTTP and decides nothing about seats; ``room`` does.
"""

from dataclasses import replace
from typing import Protocol

from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.core.seal import Seals
from pubdice.room import Setup, commands
from pubdice.room.bounds import is_done
from pubdice.server.live.hub import Hub
from pubdice.server.live.idempotency import Key
from pubdice.server.requests import Done

MOST_HOPS = 50
"""A latecomer is led along so many tables of a chain to its last."""


class RematchServices(Protocol):
    """The house, as a rematch needs it."""

    @property
    def seals(self) -> Seals:
        """What makes and opens the seals of sealed dice."""

    async def find(self, code: str) -> Hub | None:
        """The table with this code."""

    async def open_next(self, setup: Setup, key: Key, address: str) -> str:
        """Set up the next table, unless this key has one; its code. Raises Refused, NotStored."""

    def link(self, code: str) -> str:
        """Where the table of a code is."""

    def now(self) -> int:
        """The time in milliseconds since 1970."""


async def follow(tables: RematchServices, hub: Hub, person: str, key: Key, address: str, *, ready: bool) -> bytes:
    """Set up the next table, or find it, and sit this person there; nobody else moves.

    If that match is over as well, the person goes to the last table of the chain. If all who played have left, somebody
    in the queue sets up the next table and is its host. address: the client's.
    """
    known = await hub.answer(key)
    if known is not None:
        return known
    state, match = hub.state, hub.state.match
    queued_name = dict(state.queue).get(person)
    may_go = state.seat_of(person) is not None or (queued_name and (state.rematch or not state.people))
    if match is None or not is_done(state) or not may_go:  # the room says why not
        return await hub.ask(commands.Rematch(""), person, key)
    code = state.rematch
    if not code:
        before = state if state.people else replace(state, host=person)
        setup = hub.room.again(before, tables.now(), hub.code, tables.seals)
        match_key = Key(f"{hub.code} {match.state.seq}")  # so each match has one next table
        code = await tables.open_next(setup, match_key, address)
    names = [state.chairs[seat].name for seat in state.seats_of(person)] or [queued_name or ""]
    last = await _last(tables, code)
    await _sit_at(last, names, person, key, ready=ready)
    go = Done(0, go=tables.link(last.code) + ("" if ready else "?change=1"))
    if not state.rematch:
        return await hub.ask(commands.Rematch(code), person, key, go)
    if set(state.seats_of(person)) <= set(state.inside):
        return await hub.store_answer(Done(state.seq, go.go), key)
    return await hub.ask(commands.Follow(), person, key, go)


async def _last(tables: RematchServices, code: str) -> Hub:
    """The last table of the chain that goes on with this code. Raises Refused("no-table")."""
    hub = await tables.find(code)
    if hub is None:
        raise Refused("no-table")
    for _ in range(MOST_HOPS):
        following = await tables.find(hub.state.rematch) if hub.state.rematch else None
        if following is None:
            break
        hub = following
    return hub


async def _sit_at(hub: Hub, names: list[str], person: str, key: Key, *, ready: bool) -> None:
    """Have a person sit at a table, and be ready, if its dice are not sealed: their seed comes after they see the seal.
    A latecomer queues for the match after; if refused, they watch.
    """
    steps: list[commands.Command] = [commands.Queue(names[0])]
    if hub.state.match is None:
        kept = hub.state.kept_for(person)
        steps = [commands.Sit(None, "")] if kept else [commands.Sit(None, names[0]), *map(commands.Share, names[1:])]
        steps += [commands.Ready()] if ready else []
    for number, command in enumerate(steps):
        try:
            await hub.ask(command, person, key.step(number))
        except (Refused, NotStored, BadNotation):
            continue
