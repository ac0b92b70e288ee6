"""Turns a request, as it comes over the wire, into a command of the room. Changes nothing, decides nothing."""

from typing import assert_never, get_args

from msgspec import UnsetType

from pubdice.core.dice import faces_in
from pubdice.core.errors import BadNotation, Refused
from pubdice.core.game import Seat
from pubdice.match.table import Dice, Draw, EnterDice, Mark, RollOrBank, TakeBack
from pubdice.room import RoomState, commands
from pubdice.server.requests import Request


def decode(request: Request, state: RoomState) -> commands.Command:  # noqa: C901, PLR0912 - a table
    """The command a request stands for. Raises Refused or BadNotation.

    ``table_service.ask`` does ``join``, ``rematch``, ``forget``, ``react``, ``type`` and ``hint``: they raise
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
