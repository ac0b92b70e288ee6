"""A request into a command: what the wire says into what the table understands. Changes nothing, decides nothing."""

from msgspec import UnsetType

from pubdice.game import BadNotation, Seat
from pubdice.party import PartyState
from pubdice.party import commands as ask
from pubdice.server.wire import Request
from pubdice.table import Refused


def command(request: Request, state: PartyState) -> ask.Command:
    """The command a request is; ``join`` and ``rematch`` are the house's to make. Raises Refused or BadNotation."""
    plain = PLAIN.get(request.do)
    if plain is not None:
        return plain
    bot = "" if isinstance(request.bot, UnsetType) else request.bot.strip().lower()
    if request.do in ("roll", "bank"):
        marks = None if isinstance(request.marks, UnsetType) else tuple(request.marks)
        return ask.Go("roll" if request.do == "roll" else "bank", marks)
    if request.do == "mark":
        return ask.Mark(() if isinstance(request.marks, UnsetType) else tuple(request.marks))
    if request.do == "enter":
        return ask.Enter(_dice("" if isinstance(request.dice, UnsetType) else request.dice))
    if request.do == "sit":
        name = "" if isinstance(request.name, UnsetType) else request.name
        return ask.Sit(None if isinstance(request.seat, UnsetType) else request.seat, name)
    if request.do == "draw":
        return ask.Draw(None if isinstance(request.seat, UnsetType) else Seat(request.seat))
    if request.do == "give":
        return ask.Give(bot)
    if request.do == "start":
        return ask.Start(bot)
    if request.do == "pace":
        return ask.Pace(state.pace_ms if isinstance(request.ms, UnsetType) else request.ms)
    if isinstance(request.seat, UnsetType):
        raise Refused("name-a-seat")
    if request.do == "vote":
        return ask.Vote(request.seat, bot)
    return ask.Remove(request.seat) if request.do == "remove" else ask.Close(request.seat)


PLAIN: dict[str, ask.Command] = {
    "back": ask.TakeBack(),
    "resume": ask.Resume(),
    "leave": ask.Leave(),
    "nudge": ask.Nudge(),
}


def _dice(text: str) -> tuple[int, ...]:
    """Real dice as they fell. Raises BadNotation."""
    digits = [char for char in text if not char.isspace() and char not in ",.;-"]
    if not digits or any(digit not in "123456" for digit in digits):
        raise BadNotation("face", found=text)
    return tuple(map(int, digits))
