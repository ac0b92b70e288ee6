"""During the match: rolls, choices and real dice, bots and the turn clock, reminders and the bots' pace.

The room checks whose turn it is; the match table alone decides what the rules allow.
"""

from typing import assert_never

from pubdice.core.errors import Refused
from pubdice.match.table import Draw, EnterDice, Mark, PlayAction, RollOrBank, TakeBack
from pubdice.room.commands import Bot, Nudge, Pace, Play, Retime, TimeUp
from pubdice.room.decision import Decision
from pubdice.room.events import BotPaceSet, Nudged, Retimed, TimedOut
from pubdice.room.setup import MOST_PACE_MS, within
from pubdice.room.timers import clock

NUDGE_MS = 20_000
"""The mover is reminded no sooner than this after their turn began, or after the last reminder."""


def play(decision: Decision, command: Play) -> None:
    """A player rolls, marks, banks, enters real dice, draws Player 1, or takes back what was entered."""
    match command:
        case RollOrBank() | Mark():
            _check_turn(decision)
            decision.check_seen()
            decision.move(command)
        case EnterDice() | Draw():  # anybody who sits here may type in real dice, and who is Player 1
            decision.check_seated()
            decision.check_running()
            decision.check_seen()
            decision.move(command)
        case TakeBack():
            decision.check_seated()
            decision.check_running()
            decision.check_no_rematch()
            decision.check_seen()
            decision.move(command)
        case _:
            assert_never(command)


def _check_turn(decision: Decision) -> None:
    """It must be the caller's turn, and no bot may be playing it."""
    decision.check_going_on()
    mover, seat = decision.state.mover, decision.own_seat()
    if mover is None:
        return  # the match table says that Player 1 must be drawn first
    if mover != seat:
        raise Refused("not-your-turn", name=decision.chair(mover).name)
    if decision.state.plays(seat):
        raise Refused("bot-plays")


def play_bot(decision: Decision, command: Bot) -> None:
    """The bot whose turn it is acts."""
    decision.check_own_timer()
    decision.check_going_on()
    mover = decision.state.mover
    if mover is None or not decision.state.plays(mover):
        raise Refused("no-bot-plays")
    decision.move(RollOrBank("roll") if command.action is None else PlayAction(command.action))


def time_up(decision: Decision, _: TimeUp) -> None:
    """The turn clock has run out. Raises Refused if that turn has ended meanwhile, and the next one's time goes on."""
    decision.check_own_timer()
    decision.check_going_on()
    mover, deadline = decision.state.mover, clock(decision.state)
    if mover is None or deadline is None or decision.caller.now < deadline:
        raise Refused("no-clock")
    decision.add(TimedOut(mover))


def retime(decision: Decision, _: Retime) -> None:
    """The turn under way has all its time again. Raises Refused if no clock runs."""
    decision.check_own_timer()
    decision.check_going_on()
    if clock(decision.state) is None:
        raise Refused("no-clock")
    decision.add(Retimed())


def nudge(decision: Decision, _: Nudge) -> None:
    """The caller reminds the mover."""
    decision.check_going_on()
    seat, mover = decision.own_seat(), decision.state.mover
    if mover is None or decision.state.plays(mover) or mover == seat:
        raise Refused("nobody-to-nudge")
    wait = max(decision.state.turn_at, decision.state.nudged_at) + NUDGE_MS - decision.caller.now
    if wait > 0:
        raise Refused("nudge-soon", seconds=-(-wait // 1000), name=decision.chair(mover).name)
    decision.add(Nudged(seat))


def set_pace(decision: Decision, command: Pace) -> None:
    """The host sets how long bots wait before each action."""
    decision.check_host()
    decision.add(BotPaceSet(within("pace", command.ms, 0, MOST_PACE_MS)))
