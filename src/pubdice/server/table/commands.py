"""What a person asks of a table. Most of it needs the table alone; the rest needs other tables, the store, or a secret.

Knows no HTTP.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never, get_args

import msgspec
from msgspec import UnsetType

from pubdice.core.dice import faces_in
from pubdice.core.errors import BadNotation, IllegalAction, NotStored, Refused
from pubdice.core.game import Seat
from pubdice.match.table import Dice, Draw, EnterDice, Mark, RollOrBank, TakeBack
from pubdice.room import RoomState, commands
from pubdice.room.state import is_done
from pubdice.server.requests import Done, Request
from pubdice.server.table import typed_line
from pubdice.server.table.actor import Hub, QueuedCommand
from pubdice.server.table.codes import EARLIER, LANGUAGES, same_words
from pubdice.server.table.commit import Key, await_commit
from pubdice.server.table.house import House

# Turns a request, as it comes over the wire, into a command of the room. Changes nothing, decides nothing.


def decode(request: Request, state: RoomState) -> commands.Command:  # noqa: C901, PLR0912 - a table
    """The command a request stands for. Raises Refused or BadNotation.

    ``ask`` does ``join``, ``rematch``, ``forget``, ``react``, ``type`` and ``hint``: they raise
    ValueError here.
    """
    seat = None if isinstance(request.seat, UnsetType) else request.seat
    name = "" if isinstance(request.name, UnsetType) else request.name
    bot = "" if isinstance(request.bot, UnsetType) else request.bot.strip().lower()
    marks = None if isinstance(request.marks, UnsetType) else tuple(request.marks)
    do = request.do
    match do:
        case "roll" | "bank":
            return RollOrBank(do, marks)
        case "reroll":
            return RollOrBank("roll", sure=True)
        case "mark":
            return Mark(marks or ())
        case "enter":
            return EnterDice(_dice("" if isinstance(request.dice, UnsetType) else request.dice))
        case "draw":
            return Draw(None if seat is None else Seat(seat))
        case "back":
            return TakeBack()
        case "resume":
            return commands.Resume()
        case "nudge":
            return commands.Nudge()
        case "ready":
            return commands.Ready()
        case "unready":
            return commands.Unready()
        case "seed":
            at = _seat_meant(seat, name, state) if name else seat
            if not isinstance(request.digest, UnsetType):
                return commands.Commit(request.digest, at)
            return commands.AddSeed("" if isinstance(request.seed, UnsetType) else request.seed, at)
        case "pause":
            return commands.Pause()
        case "unpause":
            return commands.Unpause()
        case "admit":
            return commands.Admit()
        case "sit":
            return commands.Sit(seat, name)
        case "share":
            return commands.Share(name)
        case "queue":
            return commands.Queue(name)
        case "rename":
            return commands.Rename(name, seat)
        case "rules":
            return _rules(request)
        case "plan":
            play, times = ("" if isinstance(text, UnsetType) else text for text in (request.play, request.times))
            return commands.Plan(play, times, {} if isinstance(request.rules, UnsetType) else request.rules)
        case "unplan" if not isinstance(request.to, UnsetType) and not isinstance(request.play, UnsetType):
            return commands.Unplan(request.to, request.play)
        case "unplan":
            raise Refused("not-planned")
        case "pace":
            return commands.Pace(state.pace_ms if isinstance(request.ms, UnsetType) else request.ms)
        case "give":
            return commands.Give(bot)
        case "start":
            return commands.Start(bot)
        case "add-bot":
            return commands.AddBot(bot)
        case "leave":
            return commands.Leave(_seat_meant(seat, name, state) if name else seat)
        case "drop" if seat is None and name:
            return commands.Unqueue(name)
        case "vote":
            return commands.Vote(_seat_meant(seat, name, state), bot)
        case "move":
            return _shift(_seat_meant(seat, name, state), request.to)
        case "handover":
            return commands.HandOver(_seat_meant(seat, name, state))
        case "remove":
            return commands.Remove(_seat_meant(seat, name, state))
        case "close" | "drop":
            return commands.Close(_seat_meant(seat, name, state))
        case "join" | "rematch" | "forget" | "react" | "type" | "hint":
            raise ValueError(f"the house makes {do} itself")
        case _:
            assert_never(do)


def _seat_meant(seat: int | None, name: str, state: RoomState) -> int:
    """The seat that a command is about. Raises Refused if the person named sits there no longer."""
    if seat is None:
        raise Refused("name-a-seat")
    if name and seat < len(state.chairs) and name != state.names[seat]:
        raise Refused("seat-moved")
    return seat


def _shift(seat: int, to: int | UnsetType) -> commands.Shift:
    """The command that moves a seat. Raises Refused."""
    if isinstance(to, UnsetType):
        raise Refused("name-a-seat")
    return commands.Shift(seat, to)


def _rules(request: Request) -> commands.Rules:
    """The match to play. Raises BadNotation."""
    dice = None if isinstance(request.dice, UnsetType) else request.dice
    if dice is not None and dice not in get_args(Dice):
        raise BadNotation("dice", found=dice)
    clock_s, grace_s, pace_ms = (
        None if isinstance(value, UnsetType) else value for value in (request.clock_s, request.grace_s, request.pace_ms)
    )
    rules = {} if isinstance(request.rules, UnsetType) else request.rules
    lessons = None if isinstance(request.lessons, UnsetType) else request.lessons
    chances = None if isinstance(request.chances, UnsetType) else request.chances
    return commands.Rules(rules, dice, clock_s, grace_s, pace_ms, lessons, chances)  # type: ignore[arg-type]


def _dice(text: str) -> tuple[int, ...]:
    """Real dice as they fell. Raises BadNotation."""
    faces = faces_in("".join(text.split()), between=",.;-")
    if not faces:
        raise BadNotation("face", found=text)
    return faces


# Rematches: from a table whose match is over, each person who asks gets their seat at the next; the first creates it.
#
# Knows no HTTP and decides nothing about seats; ``room`` does.


MOST_HOPS = 50
"""A latecomer is led along so many tables of a chain to its last."""


async def follow(house: House, hub: Hub, person: str, key: Key, address: str, *, ready: bool) -> bytes:
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
        setup = hub.room.again(before, house.now(), hub.code, house.seals)
        match_key = Key(f"{hub.code} {match.state.seq}")  # so each match has one next table
        code = await house.open_next(setup, match_key, address)
    names = [state.chairs[seat].name for seat in state.seats_of(person)] or [queued_name or ""]
    last = await _last(house, code)
    await _sit_at(last, names, person, key, ready=ready)
    go = Done(0, go=house.link(last.code) + ("" if ready else "?change=1"))
    if not state.rematch:
        return await hub.ask(commands.Rematch(code), person, key, go)
    if set(state.seats_of(person)) <= set(state.inside):
        return await hub.store_answer(Done(state.seq, go.go), key)
    return await hub.ask(commands.Follow(), person, key, go)


async def _last(house: House, code: str) -> Hub:
    """The last table of the chain that goes on with this code. Raises Refused("no-table")."""
    hub = await house.find(code)
    if hub is None:
        raise Refused("no-table")
    for _ in range(MOST_HOPS):
        following = await house.find(hub.state.rematch) if hub.state.rematch else None
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


SITTING = ("sit", "join", "leave", "share")
"""Commands that change whose page it is: the page must be loaded again."""
PLANNING = ("plan", "unplan")
"""Commands that the next table's setup depends on: between matches they wait while a rematch sets it up."""
BESIDE_THE_HUB = ("rematch", "react", "forget", "type", "rename", "hint", *PLANNING, *SITTING)
"""Commands for ``ask`` and not ``submit``, as they need more than the hub; a new name is the browser's cookie, too."""
MOST_TRIALS = 3
"""A command at a table with lessons is weighed again if the table has changed meanwhile, so often at most."""


@dataclass(slots=True, eq=False, kw_only=True)
class TableRequest(QueuedCommand):
    """A command that a person asks for: the same record, with the request as it came.

    language: the code of the language in which typed lines and lessons are answered. address: the client's. arrived:
    the table's last event in this process as the request was read; None where other processes serve the table, too.
    """

    request: Request
    person: str
    key: Key
    language: str = "en"
    address: str = ""
    arrived: int | None = None


def submit(hub: Hub, table_request: TableRequest) -> None:
    """Carry out a command that needs the table alone, without a task. ``reply`` may get NotStored("moved-on").

    Raises Refused, BadNotation.
    """
    table_request.command = decode(table_request.request, hub.loaded.state)
    table_request.seen = seen_by(hub, table_request)
    hub.submit(table_request)


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
        typed_in = commands.Typed(typed_line.read_moves(typed_line.line_of(request)))
        table_request.told = partial(typed_line.done, house.config.language(table_request.language), typed_in.intents)
        return await _weighed(house, hub, table_request, typed_in)
    command = _join(house, hub, request, person) if request.do == "join" else decode(request, hub.state)
    table_request.answer = Done(0, go=house.link(hub.code)) if request.do in SITTING else None
    return await _weighed(house, hub, table_request, command)


async def _weighed(house: House, hub: Hub, table_request: TableRequest, command: commands.Command) -> bytes:
    """Carry out a command. A table with lessons may warn of it first, Refused("costly"), and weighs the next choice."""
    table_request.command, table_request.seen = command, seen_by(hub, table_request)
    if not hub.state.setup.lessons:
        return await hub.carry_out(table_request)
    done = await _taught(house, hub, table_request, command)
    house.background.spawn(hub.lessons.prepare(hub.state, table_request.language))
    return done


async def _taught(house: House, hub: Hub, table_request: TableRequest, command: commands.Command) -> bytes:
    """Carry out a command at a table with lessons, unless they warn of it first. Raises Refused("costly")."""
    person, key, code = table_request.person, table_request.key, table_request.language
    if (known := await hub.answer(key)) is not None:
        return known  # else what it would do now is weighed, and perhaps warned of
    for _ in range(MOST_TRIALS):
        state = hub.state
        try:
            steps = hub.dry_run(command, person, table_request.seen)
        except (Refused, IllegalAction, BadNotation):
            break  # it may have been done under this key already, which the hub knows
        await hub.lessons.check(state, steps, key, house.config.language(code), code)
        table_request.only = state
        if done := await hub.carry_out(table_request):
            return done
    table_request.only = None
    return await hub.carry_out(table_request)


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
