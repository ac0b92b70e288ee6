"""What a person asks of a table. Most of it needs the hub alone; the rest needs other tables, the store, or a secret.

Knows no HTTP.
"""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from msgspec import UnsetType

from pubdice.core.errors import BadNotation, IllegalAction, NotStored, Refused
from pubdice.core.frozen import quick
from pubdice.room import RoomState, Step, commands
from pubdice.room.bounds import is_done
from pubdice.server.live import typed_line as typed
from pubdice.server.live.commit import await_commit
from pubdice.server.live.decode_command import decode
from pubdice.server.live.house import House
from pubdice.server.live.hub import Hub
from pubdice.server.live.idempotency import Key
from pubdice.server.live.pending import Pending, Reply
from pubdice.server.live.rematch import follow
from pubdice.server.live.seat_words import EARLIER, LANGUAGES, same_words
from pubdice.server.requests import Done, Request

SITTING = ("sit", "join", "leave", "share")
"""Commands that change whose page it is: the page must be loaded again."""
PLANNING = ("plan", "unplan")
"""Commands that the next table's setup depends on: between matches they wait while a rematch sets it up."""
BESIDE_THE_HUB = ("rematch", "react", "forget", "type", "rename", "hint", *PLANNING, *SITTING)
"""Commands for ``ask`` and not ``submit``, as they need more than the hub; a new name is the browser's cookie, too."""
MOST_TRIALS = 3
"""A command at a table with lessons is weighed again if the table has changed meanwhile, so often at most."""


@quick
@dataclass(frozen=True, slots=True)
class TableRequest:
    """What a person asks of a table, and under which idempotency key.

    language: the code of the language in which typed lines and lessons are answered. address: the client's. arrived:
    the table's last event in this process as the request was read; None where other processes serve the table, too.
    """

    request: Request
    person: str
    key: Key
    language: str = "en"
    address: str = ""
    arrived: int | None = None


def submit(hub: Hub, table_request: TableRequest, reply: Reply) -> None:
    """Carry out a command that needs the hub alone, without a task. ``reply`` may get NotStored("moved-on").

    Raises Refused, BadNotation.
    """
    request = table_request.request
    command = decode(request, hub.loaded.state)
    hub.submit(Pending(command, table_request.person, table_request.key, reply, seen=seen_by(hub, table_request)))


def known_now(hub: Hub | None) -> int | None:
    """The last event of a table in memory, for ``TableRequest.arrived``; None if other processes may know more."""
    return None if hub is None or hub.is_shared else hub.loaded.state.seq


def seen_by(hub: Hub, table_request: TableRequest) -> int | None:
    """The last event that the sender of a command had seen, as it says, but none after its request was read.

    Where it doesn't say, it counts as having seen what was known then: of two that are read before either is stored,
    the second comes too late. Not where several processes serve the table: what the sender was just answered by another
    may not be known here yet. There None, and any dice count as seen, if it doesn't say.
    """
    said = table_request.request.seen
    if hub.is_shared:
        return None if isinstance(said, UnsetType) else said
    arrived = hub.loaded.state.seq if table_request.arrived is None else table_request.arrived
    return arrived if isinstance(said, UnsetType) else min(said, arrived)


async def ask(house: House, hub: Hub, table_request: TableRequest) -> bytes:
    """Do what a person asks of a table. Raises Refused, IllegalAction or BadNotation with nothing changed."""
    try:
        return await _ask(house, hub, table_request)
    except NotStored as error:
        if error.code != "moved-on":
            raise
    fresh = await reloaded(house, hub)  # perhaps this very command was stored: then its answer is in the log
    return await _ask(house, fresh, table_request)


async def reloaded(house: House, hub: Hub) -> Hub:
    """The table as its log has it now. Raises NotStored."""
    if house.hubs.get(hub.code) is hub:
        house.reload(hub.code)
    fresh = await house.find(hub.code)
    if fresh is None:  # an older copy of the store was put back
        raise NotStored("no-table", table=hub.number)
    return fresh


async def _ask(house: House, hub: Hub, table_request: TableRequest) -> bytes:
    request, person, key = table_request.request, table_request.person, table_request.key
    hub.used = house.now()  # so that the house does not forget it meanwhile
    if request.do == "rematch":
        async with hub.rematch_lock:
            return await follow(house, hub, person, key, table_request.address, ready=not request.change)
    if request.do in PLANNING and is_done(hub.state):
        async with hub.rematch_lock:
            return await _weighed(house, hub, table_request, decode(request, hub.state))
    if request.do == "react":
        return await hub.react(person, 0 if isinstance(request.phrase, UnsetType) else request.phrase, key)
    if request.do in ("join", "forget") and (known := await hub.answer(key)) is not None:
        return known  # before the check of words and seats, which may have changed since
    if request.do == "forget":
        return await _forget(house, hub, person, key)
    if request.do == "hint":
        tongue = house.config.language(table_request.language)
        said = await hub.lessons.hint(lambda: hub.state, person, tongue, table_request.language)
        return msgspec.json.encode(Done(hub.state.seq, said=said))
    if request.do == "type":
        typed_in = commands.Typed(typed.read_moves(typed.line_of(request)))
        told = partial(typed.done, house.config.language(table_request.language), typed_in.intents)
        return await _weighed(house, hub, table_request, typed_in, told=told)
    command = _join(house, hub, request, person) if request.do == "join" else decode(request, hub.state)
    answer = Done(0, go=house.link(hub.code)) if request.do in SITTING else None
    return await _weighed(house, hub, table_request, command, answer)


async def _weighed(
    house: House,
    hub: Hub,
    table_request: TableRequest,
    command: commands.Command,
    answer: Done | None = None,
    *,
    told: Callable[[RoomState], str] | None = None,
) -> bytes:
    """Carry out a command. A table with lessons may warn of it first, Refused("costly"), and weighs the next choice."""
    person, seen = table_request.person, seen_by(hub, table_request)
    carry_out = partial(hub.ask, command, person, table_request.key, answer, told=told, seen=seen)
    if not hub.state.setup.lessons:
        return await carry_out()
    done = await _taught(house, hub, table_request, partial(hub.on_trial, command, person, seen), carry_out)
    house.background.spawn(hub.lessons.prepare(hub.state, table_request.language))
    return done


async def _taught(
    house: House,
    hub: Hub,
    table_request: TableRequest,
    on_trial: Callable[[], tuple[Step, ...]],
    carry_out: Callable[..., Coroutine[Any, Any, bytes]],
) -> bytes:
    """Carry out a command at a table with lessons, unless they warn of it first. Raises Refused("costly").

    on_trial, carry_out: ``hub.on_trial`` and ``hub.ask`` of it.
    """
    key, code = table_request.key, table_request.language
    if (known := await hub.answer(key)) is not None:
        return known  # else what it would do now is weighed, and perhaps warned of
    for _ in range(MOST_TRIALS):
        state = hub.state
        try:
            steps = on_trial()
        except (Refused, IllegalAction, BadNotation):
            break  # it may have been done under this key already, which the hub knows
        await hub.lessons.check(state, steps, key, house.config.language(code), code)
        if done := await carry_out(only=state):
            return done
    return await carry_out()


async def _forget(house: House, hub: Hub, person: str, key: Key) -> bytes:
    """List a table no longer for a person who has left it, or once its match is over."""
    state = hub.state
    if state.seat_of(person) is not None and not is_done(state):
        raise Refused("still-seated")
    if state.setup.night:
        raise Refused("night-kept")
    if not await house.read(house.store.sat, person, hub.code):  # there is nothing to forget, and nothing to store
        return msgspec.json.encode(Done(state.seq, go="/"))
    await await_commit(partial(house.store.submit_forgetting, hub.number, person))
    return await hub.store_answer(Done(state.seq, go="/"), key)


def _join(house: House, hub: Hub, request: Request, person: str) -> commands.Join:
    words = request.words if isinstance(request.words, str) else ""
    for seat, chair in enumerate(hub.state.chairs):
        if chair.people and same_words(words, *[house.words(hub, seat, code) for code in (*LANGUAGES, EARLIER)]):
            return commands.Join(seat)
    raise Refused("wrong-words")
