"""Rematches: each player who asks gets a seat at the next table. The first to ask creates it. Knows no HTTP."""

from dataclasses import replace

from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.room import commands
from pubdice.room.state import is_done
from pubdice.server.table.actor import TableActor
from pubdice.server.table.commit import Key
from pubdice.server.table.house import House
from pubdice.server.wire import Done

MOST_HOPS = 50
"""The most tables of a chain to walk from a latecomer's table to the last one."""


async def follow(
    house: House, actor: TableActor, person: str, key: Key, address: str, *, ready: bool, decides: bool = False
) -> bytes:
    """Set up the next table, or find it, and seat this person there. Moves no other player.

    If the match at the next table is over too, the person goes to the last table of the chain. If all players have
    left, the first asker in the queue sets up the next table, and is its host. ``decides`` asks for one deciding round
    between the seats that share this match. ``address`` is the client's.
    """
    known = await actor.answer(key)
    if known is not None:
        return known
    state, match = actor.state, actor.state.match
    queued_name = dict(state.queue).get(person)
    may_go = state.seat_of(person) is not None or (queued_name and (state.rematch or not state.people))
    if match is None or not is_done(state) or not may_go:  # the room's refusal says why
        return await actor.ask(commands.Rematch(""), person, key)
    code = state.rematch
    if not code:
        before = state if state.people else replace(state, host=person)
        setup = actor.room.again(before, house.now(), actor.code, house.seals, decides=decides)
        match_key = Key(f"{actor.code} {match.state.seq}")  # one key for each match, so a match has one next table
        code = await house.open_next(setup, match_key, address)
    names = [state.chairs[seat].name for seat in state.seats_of(person)] or [queued_name or ""]
    last = await _last(house, code)
    await _sit_at(last, names, person, key, ready=ready)
    go = Done(0, go=house.link(last.code) + ("" if ready else "?change=1"))
    if not state.rematch:
        return await actor.ask(commands.Rematch(code), person, key, go)
    if set(state.seats_of(person)) <= set(state.inside):
        return await actor.store_answer(Done(state.seq, go.go), key)
    return await actor.ask(commands.Follow(), person, key, go)


async def _last(house: House, code: str) -> TableActor:
    """Return the last table of the chain from this code on. Raises Refused("no-table")."""
    actor = await house.find(code)
    if actor is None:
        raise Refused("no-table")
    for _ in range(MOST_HOPS):
        following = await house.find(actor.state.rematch) if actor.state.rematch else None
        if following is None:
            break
        actor = following
    return actor


async def _sit_at(actor: TableActor, names: list[str], person: str, key: Key, *, ready: bool) -> None:
    """Seat a person at a table, or queue them if its match has begun. If the table refuses, they watch.

    A table with sealed dice refuses ``Ready`` here, because a phone sends its seed only after it sees the seal.
    """
    steps: list[commands.Command] = [commands.Queue(names[0])]
    if actor.state.match is None:
        kept = actor.state.kept_for(person)
        steps = [commands.Sit(None, "")] if kept else [commands.Sit(None, names[0]), *map(commands.Share, names[1:])]
        steps += [commands.Ready()] if ready else []
    for number, command in enumerate(steps):
        try:
            await actor.ask(command, person, key.step(number))
        except (Refused, NotStored, BadNotation):
            continue
