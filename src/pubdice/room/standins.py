"""Bots in people's seats: given by the player, or voted in by the others while the player is away."""

from pubdice.core.errors import Refused
from pubdice.room.commands import Give, Resume, Vote
from pubdice.room.decision import Decision
from pubdice.room.events import BotSubstituted, Resumed, Voted


def give(decision: Decision, command: Give) -> None:
    """A bot plays the caller's seat, until they resume."""
    decision.check_playing()
    seat = decision.own_seat()
    if decision.chair(seat).bot:
        raise Refused("bot-plays-already")
    decision.add(BotSubstituted(seat, decision.bot_named(command.bot), "gave"))


def resume(decision: Decision, command: Resume) -> None:
    """A person plays their seat again; the table gives the command for a person who was voted away and is back."""
    decision.check_playing()
    seat = decision.own_seat() if decision.caller.person is not None or command.seat is None else command.seat
    if decision.chair(seat).kind != "standin":
        raise Refused("no-bot-plays")
    decision.add(Resumed(seat))


def vote(decision: Decision, command: Vote) -> None:
    """The caller votes for a bot at an absent seat; a majority of those present seats it."""
    decision.check_going_on()
    decision.own_seat()
    absent, gone, bot = command.seat, decision.caller.gone, decision.bot_named(command.bot)
    seats = decision.state.seats_of(decision.caller.person)
    if decision.chair(absent).kind != "person" or absent not in gone or absent in seats:
        raise Refused("not-absent")
    wait = gone[absent] + 1000 * decision.state.setup.grace_s - decision.caller.now
    if wait > 0:
        raise Refused("still-waiting", seconds=-(-wait // 1000), name=decision.chair(absent).name)
    voters = [seat for seat in seats if seat not in decision.state.voters(absent, gone[absent])]
    for seat in voters:
        decision.add(Voted(seat, absent))
    votes, needed = decision.state.ballot(absent, gone)
    if votes >= needed:
        decision.add(BotSubstituted(absent, bot, "voted"))
    elif not voters:
        raise Refused("voted-already")
