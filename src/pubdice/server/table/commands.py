"""A person's commands at a table: read from a request, then carried out.

Most commands need the table alone. The rest need other tables, the store, or a secret. Knows no HTTP.
"""

from dataclasses import dataclass
from functools import partial

import msgspec
from msgspec import UNSET, UnsetType

from pubdice.core.errors import BadNotation, IllegalAction, NotStored, Refused
from pubdice.room import commands
from pubdice.room.decision import RoomCommand
from pubdice.room.state import is_done
from pubdice.server.table.actor import QueuedCommand, TableActor
from pubdice.server.table.commit import Key, await_commit
from pubdice.server.table.house import House
from pubdice.server.table.rematches import follow
from pubdice.server.table.typed_field import done, line_of, read_moves
from pubdice.server.wire import (
    FIELDS,
    REQUESTS,
    Asked,
    AskHint,
    AskRematch,
    CallOut,
    Done,
    Forget,
    JoinByWords,
    TypeLine,
)

SITTING = ("sit", "join", "leave", "share")
"""Commands that change the seats of the person at a page. The page must then be loaded again."""
PLANNING = ("plan", "unplan")
"""Commands that change the next table's setup. After a match, they wait while a rematch sets that table up."""
BESIDE_THE_ACTOR = ("rematch", "react", "forget", "type", "rename", "hint", *PLANNING, *SITTING)
"""Commands for ``ask`` and not ``submit``: they need more than the actor. A new name also needs a cookie."""
MOST_TRIALS = 3
"""The most times that lessons weigh one command again because the table changed meanwhile."""


@dataclass(slots=True, eq=False, kw_only=True)
class TableRequest(QueuedCommand):
    """A person's command with its request, on its way to the answer. ``language`` is the code for typed lines and
    lessons. ``arrived`` is the table's last event when the request was read. None if the table was not in memory.
    """

    request: Asked
    person: str
    key: Key
    language: str = "en"
    address: str = ""
    arrived: int | None = None


def submit(actor: TableActor, table_request: TableRequest) -> None:
    """Carry out a command that needs the table alone, without a task. ``reply`` may get NotStored("moved-on")."""
    table_request.command = command_of(table_request.request)
    table_request.seen = actor.last_seen(table_request.request.seen, table_request.arrived)
    actor.submit(table_request)


def known_now(actor: TableActor | None) -> int | None:
    """Return the last event of a table in memory, for ``TableRequest.arrived``. None if there is none."""
    return None if actor is None else actor.loaded.state.seq


async def ask(house: House, actor: TableActor, table_request: TableRequest) -> bytes:
    """Carry out a person's request. Raises Refused, IllegalAction or BadNotation with nothing changed."""
    try:
        return await _ask(house, actor, table_request)
    except (Refused, IllegalAction, BadNotation):
        if (known := await actor.answer(table_request.key)) is None:
            raise
        return known  # A repeated command: seats and rules may have changed since the first one.
    except NotStored as error:
        if error.code != "moved-on":
            raise
    fresh = await reloaded(house, actor)  # if this command is stored already, the log has its answer
    return await _ask(house, fresh, table_request)


async def reloaded(house: House, actor: TableActor) -> TableActor:
    """Load a table again, and return its actor. Raises NotStored."""
    if house.actors.get(actor.code) is actor:
        house.reload(actor.code)
    fresh = await house.find(actor.code)
    if fresh is None:  # an older copy of the store was put back
        raise NotStored("no-table", table=actor.number)
    return fresh


async def _ask(house: House, actor: TableActor, table_request: TableRequest) -> bytes:
    request, person, key = table_request.request, table_request.person, table_request.key
    actor.used = house.now()  # otherwise the house may forget the table meanwhile
    if isinstance(request, AskRematch):
        async with actor.rematch_lock:
            ready, decides = request.change is not True, request.decider is True
            return await follow(house, actor, person, key, table_request.address, ready=ready, decides=decides)
    if request.do in PLANNING and is_done(actor.state):
        async with actor.rematch_lock:
            return await _weighed(house, actor, table_request, command_of(request))
    if isinstance(request, CallOut):
        return await actor.react(person, 0 if isinstance(request.phrase, UnsetType) else request.phrase, key)
    if isinstance(request, JoinByWords | Forget) and (known := await actor.answer(key)) is not None:
        return known  # before the check of words and seats, which may have changed since
    if isinstance(request, Forget):
        return await _forget(house, actor, person, key)
    if isinstance(request, AskHint):
        tongue = house.config.language(table_request.language)
        said = await actor.lessons.hint(lambda: actor.state, person, tongue, table_request.language)
        return msgspec.json.encode(Done(actor.state.seq, said=said))
    if isinstance(request, TypeLine):
        tongue = house.config.language(table_request.language)
        state, keeps = actor.state, actor.room.kit.keeps_dice
        live = state.match
        enters = live is not None and live.table.enters_dice(live.state)
        read = read_moves(tongue, line_of(request), state.die, names_dice=keeps, enters=enters)
        typed_in = commands.Typed(read)
        table_request.sentence = partial(done, tongue, typed_in.intents)
        return await _weighed(house, actor, table_request, typed_in)
    command: RoomCommand
    command = _join(house, actor, request) if isinstance(request, JoinByWords) else command_of(request)
    table_request.answer = Done(0, go=house.link(actor.code)) if request.do in SITTING else None
    return await _weighed(house, actor, table_request, command)


async def _weighed(house: House, actor: TableActor, table_request: TableRequest, command: commands.Command) -> bytes:
    """Carry out a command.

    At a table with lessons, it may raise Refused("costly") first, and prepares the next lesson afterwards.
    """
    table_request.command = command
    table_request.seen = actor.last_seen(table_request.request.seen, table_request.arrived)
    if not actor.state.setup.lessons:
        return await actor.carry_out(table_request)
    done = await _taught(house, actor, table_request, command)
    house.background.spawn(actor.lessons.prepare(actor.state, table_request.language))
    return done


async def _taught(house: House, actor: TableActor, table_request: TableRequest, command: commands.Command) -> bytes:
    """Carry out a command at a table with lessons. Raises Refused("costly") if the lessons warn of it."""
    person, key, code = table_request.person, table_request.key, table_request.language
    if (known := await actor.answer(key)) is not None:
        return known  # otherwise a repeated command would be weighed again, and perhaps refused
    for _ in range(MOST_TRIALS):
        state = actor.state
        try:
            steps = actor.dry_run(command, person, table_request.seen)
        except (Refused, IllegalAction, BadNotation):
            break  # it may be a repeated command, which the actor answers
        await actor.lessons.check(state, steps, key, house.config.language(code), code)
        table_request.only = state
        if done := await actor.carry_out(table_request):
            return done
    table_request.only = None
    return await actor.carry_out(table_request)


async def _forget(house: House, actor: TableActor, person: str, key: Key) -> bytes:
    """Remove a table from a person's list, if the person has left the table or the match is over."""
    state = actor.state
    if state.seat_of(person) is not None and not is_done(state):
        raise Refused("still-seated")
    if state.setup.night:
        raise Refused("night-kept")
    if not await house.read(house.store.sat, person, actor.code):  # nothing to store
        return msgspec.json.encode(Done(state.seq, go="/"))
    await await_commit(partial(house.store.submit_forgetting, actor.number, person))
    return await actor.store_answer(Done(state.seq, go="/"), key)


def _join(house: House, actor: TableActor, request: JoinByWords) -> commands.Join:
    words = request.words if isinstance(request.words, str) else ""
    for seat in range(len(actor.state.chairs)):
        if house.is_seat(actor, seat, words):
            return commands.Join(seat)
    raise Refused("wrong-words")


_NAMES = frozenset(("key", "do", *FIELDS))


def request_of(told: object, *, strict: bool = True) -> Asked:
    """Read the request in a message. An unknown field is refused, but the field of another request is ignored.

    If ``strict`` is false, numbers may be texts, as in a form. Raises ValidationError.
    """
    if not isinstance(told, dict):
        raise msgspec.ValidationError("Expected `object`")
    if unknown := told.keys() - _NAMES:
        raise msgspec.ValidationError(f"Object contains unknown field `{min(unknown)}`")
    do = told.get("do")
    kind = REQUESTS.get(do) if isinstance(do, str) else None
    if kind is None:
        raise msgspec.ValidationError("Invalid value - at `$.do`")
    return msgspec.convert(told, kind, strict=strict)


def read_request(body: bytes) -> Asked:
    """Return the request in a body of JSON. Raises DecodeError, ValidationError."""
    return request_of(msgspec.json.decode(body))


def command_of(request: Asked) -> RoomCommand:
    """Return the room's command for a request."""
    told = [(name, getattr(request, name)) for name in request.own]
    return request.makes(**{name: value for name, value in told if value is not UNSET})
