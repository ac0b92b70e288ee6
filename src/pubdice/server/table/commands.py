"""A person's commands at a table: read from a request, then carried out.

Most commands need the table alone. The rest need other tables, the store, or a secret. Knows no HTTP.
"""

from dataclasses import dataclass
from functools import partial
from typing import assert_never, get_args

import msgspec
from msgspec import UnsetType

from pubdice.core.dice import SIX, DieFaces
from pubdice.core.errors import BadNotation, IllegalAction, NotStored, Refused
from pubdice.core.game import Seat
from pubdice.match.notation import no_face
from pubdice.match.table import Dice, Draw, EnterDice, Mark, PlayAction, RollOrBank, TakeBack
from pubdice.room import RoomState, commands
from pubdice.room.log_bounds import is_done
from pubdice.server.table.actor import QueuedCommand, TableActor
from pubdice.server.table.commit import Key, await_commit
from pubdice.server.table.house import House
from pubdice.server.table.rematches import follow
from pubdice.server.table.typed_field import done, line_of, read_moves
from pubdice.server.wire import Done, Request

SITTING = ("sit", "join", "leave", "share")
"""Commands that change whose page it is: the page must be loaded again."""
PLANNING = ("plan", "unplan")
"""Commands that the next table's setup depends on: between matches they wait while a rematch sets it up."""
BESIDE_THE_ACTOR = ("rematch", "react", "forget", "type", "rename", "hint", *PLANNING, *SITTING)
"""Commands for ``ask`` and not ``submit``, as they need more than the actor; a new name is a cookie, too."""
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


def submit(actor: TableActor, table_request: TableRequest) -> None:
    """Carry out a command that needs the table alone, without a task. ``reply`` may get NotStored("moved-on").

    Raises NotStored("moved-on") for a request that the table refuses as it is now: ``ask`` asks the log whether it was
    done before.
    """
    try:
        table_request.command = decode(table_request.request, actor.loaded.state)
    except (Refused, IllegalAction, BadNotation) as refusal:
        raise NotStored("moved-on") from refusal
    table_request.seen = seen_by(actor, table_request)
    actor.submit(table_request)


def known_now(actor: TableActor | None) -> int | None:
    """The last event of a table in memory, for ``TableRequest.arrived``; None if other processes may know more."""
    return None if actor is None or actor.is_shared else actor.loaded.state.seq


def seen_by(actor: TableActor, table_request: TableRequest) -> int | None:
    """The last event that the sender of a command had seen, as it says, but none after its request was read.

    A sender that doesn't say counts as having seen all that was known then: of two that are read before either is
    stored, the second comes too late. Not if several processes serve the table: another may just have answered the
    sender with events not known here yet. There None, and any dice count as seen, if it doesn't say.
    """
    said = table_request.request.seen
    if actor.is_shared:
        return None if isinstance(said, UnsetType) else said
    arrived = actor.loaded.state.seq if table_request.arrived is None else table_request.arrived
    return arrived if isinstance(said, UnsetType) else min(said, arrived)


async def ask(house: House, actor: TableActor, table_request: TableRequest) -> bytes:
    """Do what a person asks of a table. Raises Refused, IllegalAction or BadNotation with nothing changed."""
    try:
        return await _ask(house, actor, table_request)
    except (Refused, IllegalAction, BadNotation):
        if (known := await actor.answer(table_request.key)) is None:
            raise
        return known  # a request that is sent again: seats and rules that it was read by may have changed since
    except NotStored as error:
        if error.code != "moved-on":
            raise
    fresh = await reloaded(house, actor)  # perhaps this very command was stored: then its answer is in the log
    return await _ask(house, fresh, table_request)


async def reloaded(house: House, actor: TableActor) -> TableActor:
    """The table as its log has it now. Raises NotStored."""
    if house.actors.get(actor.code) is actor:
        house.reload(actor.code)
    fresh = await house.find(actor.code)
    if fresh is None:  # an older copy of the store was put back
        raise NotStored("no-table", table=actor.number)
    return fresh


async def _ask(house: House, actor: TableActor, table_request: TableRequest) -> bytes:
    request, person, key = table_request.request, table_request.person, table_request.key
    actor.used = house.now()  # so that the house does not forget it meanwhile
    if request.do == "rematch":
        async with actor.rematch_lock:
            ready, decides = not request.change, request.decider
            return await follow(house, actor, person, key, table_request.address, ready=ready, decides=decides)
    if request.do in PLANNING and is_done(actor.state):
        async with actor.rematch_lock:
            return await _weighed(house, actor, table_request, decode(request, actor.state))
    if request.do == "react":
        return await actor.react(person, 0 if isinstance(request.phrase, UnsetType) else request.phrase, key)
    if request.do in ("join", "forget") and (known := await actor.answer(key)) is not None:
        return known  # before the check of words and seats, which may have changed since
    if request.do == "forget":
        return await _forget(house, actor, person, key)
    if request.do == "hint":
        tongue = house.config.language(table_request.language)
        said = await actor.lessons.hint(lambda: actor.state, person, tongue, table_request.language)
        return msgspec.json.encode(Done(actor.state.seq, said=said))
    if request.do == "type":
        tongue = house.config.language(table_request.language)
        state, keeps = actor.state, actor.room.kit.keeps_dice
        read = read_moves(tongue, line_of(request), die_of(state), names_dice=keeps, enters=enters(state))
        typed_in = commands.Typed(read)
        table_request.sentence = partial(done, tongue, typed_in.intents)
        return await _weighed(house, actor, table_request, typed_in)
    command = _join(house, actor, request, person) if request.do == "join" else decode(request, actor.state)
    table_request.answer = Done(0, go=house.link(actor.code)) if request.do in SITTING else None
    return await _weighed(house, actor, table_request, command)


async def _weighed(house: House, actor: TableActor, table_request: TableRequest, command: commands.Command) -> bytes:
    """Carry out a command. A table with lessons may warn of it first, Refused("costly"), and weighs the next choice."""
    table_request.command, table_request.seen = command, seen_by(actor, table_request)
    if not actor.state.setup.lessons:
        return await actor.carry_out(table_request)
    done = await _taught(house, actor, table_request, command)
    house.background.spawn(actor.lessons.prepare(actor.state, table_request.language))
    return done


async def _taught(house: House, actor: TableActor, table_request: TableRequest, command: commands.Command) -> bytes:
    """Carry out a command at a table with lessons, unless they warn of it first. Raises Refused("costly")."""
    person, key, code = table_request.person, table_request.key, table_request.language
    if (known := await actor.answer(key)) is not None:
        return known  # else what it would do now is weighed, and perhaps warned of
    for _ in range(MOST_TRIALS):
        state = actor.state
        try:
            steps = actor.dry_run(command, person, table_request.seen)
        except (Refused, IllegalAction, BadNotation):
            break  # it may have been done under this key already, which the actor knows
        await actor.lessons.check(state, steps, key, house.config.language(code), code)
        table_request.only = state
        if done := await actor.carry_out(table_request):
            return done
    table_request.only = None
    return await actor.carry_out(table_request)


async def _forget(house: House, actor: TableActor, person: str, key: Key) -> bytes:
    """List a table no longer for a person who has left it, or once its match is over."""
    state = actor.state
    if state.seat_of(person) is not None and not is_done(state):
        raise Refused("still-seated")
    if state.setup.night:
        raise Refused("night-kept")
    if not await house.read(house.store.sat, person, actor.code):  # there is nothing to forget, and nothing to store
        return msgspec.json.encode(Done(state.seq, go="/"))
    await await_commit(partial(house.store.submit_forgetting, actor.number, person))
    return await actor.store_answer(Done(state.seq, go="/"), key)


def _join(house: House, actor: TableActor, request: Request, person: str) -> commands.Join:
    words = request.words if isinstance(request.words, str) else ""
    for seat in range(len(actor.state.chairs)):
        if house.is_seat(actor, seat, words):
            return commands.Join(seat)
    raise Refused("wrong-words")


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
        case "choose":
            return _move("" if isinstance(request.action, UnsetType) else request.action, state)
        case "reroll":
            return RollOrBank("roll", sure=True)
        case "mark":
            return Mark(marks or ())
        case "enter":
            return EnterDice(_dice("" if isinstance(request.dice, UnsetType) else request.dice, die_of(state)))
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


def _move(notation: str, state: RoomState) -> PlayAction:
    """The command that takes an action. Raises Refused before the match, and BadNotation."""
    if state.match is None:
        raise Refused("not-started")
    return PlayAction(state.match.table.match.game.read_action(notation), rolls=True)


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
    return commands.Rules(rules, dice, clock_s, grace_s, pace_ms, lessons, chances)


def enters(state: RoomState) -> bool:
    """True if real dice are due."""
    live = state.match
    return live is not None and live.table.enters_dice(live.state)


def die_of(state: RoomState) -> DieFaces:
    """The faces of the dice of the match under way."""
    return SIX if state.match is None else state.match.table.match.game.faces


def _dice(text: str, die: DieFaces) -> tuple[int, ...]:
    """Real dice as they fell. Raises BadNotation."""
    faces = die.read(".".join(text.split()), between=",.;-")
    if not faces:
        raise no_face(die, found=text)
    return faces
