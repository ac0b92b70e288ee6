"""A request into a command: what the wire says into what the table understands. Changes nothing, decides nothing."""

from collections.abc import Callable
from typing import get_args

from msgspec import UnsetType

from pubdice.game import BadNotation, Seat
from pubdice.party import PartyState
from pubdice.party import commands as ask
from pubdice.server.wire import Request
from pubdice.table import Dice, Refused


def command(request: Request, state: PartyState) -> ask.Command:
    """The command a request is; ``join`` and ``rematch`` are the house's to make. Raises Refused or BadNotation."""
    plain = PLAIN.get(request.do)
    if plain is not None:
        return plain
    seat = None if isinstance(request.seat, UnsetType) else request.seat
    if request.do in PLAYING:
        return _played(request, seat)
    if request.do in NAMED:
        return _named(request, seat)
    if request.do == "rules":
        return _rules(request)
    if request.do == "pace":
        return ask.Pace(state.pace_ms if isinstance(request.ms, UnsetType) else request.ms)
    bot = "" if isinstance(request.bot, UnsetType) else request.bot.strip().lower()
    made = BOTTED.get(request.do)
    return made(bot) if made is not None else _of_seat(request, seat, bot, state)


def _played(request: Request, seat: int | None) -> ask.Command:
    """A command of the match. Raises BadNotation."""
    marks = None if isinstance(request.marks, UnsetType) else tuple(request.marks)
    if request.do == "mark":
        return ask.Mark(marks or ())
    if request.do == "enter":
        return ask.Enter(_dice("" if isinstance(request.dice, UnsetType) else request.dice))
    if request.do == "draw":
        return ask.Draw(None if seat is None else Seat(seat))
    return ask.Go("roll" if request.do == "roll" else "bank", marks)


def _of_seat(request: Request, seat: int | None, bot: str, state: PartyState) -> ask.Command:
    """A command about a seat: of whoever is meant, as the seats may have moved meanwhile. Raises Refused."""
    if request.do == "leave":
        return ask.Leave(seat)
    meant = "" if isinstance(request.name, UnsetType) else request.name
    if request.do == "drop" and seat is None and meant:
        return ask.Unqueue(meant)
    if seat is None:
        raise Refused("name-a-seat")
    if meant and seat < len(state.chairs) and meant != state.names[seat]:
        raise Refused("seat-moved")
    if request.do == "vote":
        return ask.Vote(seat, bot)
    if request.do == "move":
        if isinstance(request.to, UnsetType):
            raise Refused("name-a-seat")
        return ask.Shift(seat, request.to)
    if request.do == "handover":
        return ask.HandOver(seat)
    return ask.Remove(seat) if request.do == "remove" else ask.Close(seat)


def _named(request: Request, seat: int | None) -> ask.Command:
    """A command that gives somebody a name."""
    name = "" if isinstance(request.name, UnsetType) else request.name
    if request.do == "sit":
        return ask.Sit(seat, name)
    if request.do == "share":
        return ask.Share(name)
    if request.do == "queue":
        return ask.Queue(name)
    return ask.Rename(name, seat)


def _rules(request: Request) -> ask.Rules:
    """What is to be played. Raises BadNotation."""
    dice = None if isinstance(request.dice, UnsetType) else request.dice
    if dice is not None and dice not in get_args(Dice):
        raise BadNotation("dice", found=dice)
    clock_s, grace_s, pace_ms = (
        None if isinstance(value, UnsetType) else value for value in (request.clock_s, request.grace_s, request.pace_ms)
    )
    rules = {} if isinstance(request.rules, UnsetType) else request.rules
    return ask.Rules(rules, dice, clock_s, grace_s, pace_ms)  # type: ignore[arg-type]


PLAIN: dict[str, ask.Command] = {
    "back": ask.TakeBack(),
    "reroll": ask.Go("roll", sure=True),
    "resume": ask.Resume(),
    "nudge": ask.Nudge(),
    "ready": ask.Ready(),
    "unready": ask.Unready(),
    "pause": ask.Pause(),
    "unpause": ask.Unpause(),
    "admit": ask.Admit(),
}
PLAYING = ("roll", "bank", "mark", "enter", "draw")
NAMED = ("sit", "share", "queue", "rename")
BOTTED: dict[str, Callable[[str], ask.Command]] = {"give": ask.Give, "start": ask.Start, "add-bot": ask.AddBot}


def _dice(text: str) -> tuple[int, ...]:
    """Real dice as they fell. Raises BadNotation."""
    digits = [char for char in text if not char.isspace() and char not in ",.;-"]
    if not digits or any(digit not in "123456" for digit in digits):
        raise BadNotation("face", found=text)
    return tuple(map(int, digits))
