"""Every command of the room, and the function that decides it. With ``assert_never`` mypy finds one that is missing."""

from typing import assert_never

from pubdice.match.table import Draw, EnterDice, Mark, RollOrBank, TakeBack
from pubdice.room import commands, interval, lobby, planning, playing, seating, standins
from pubdice.room.decision import Decision
from pubdice.room.typed_lines import do_line


def decide(decision: Decision, command: commands.Command) -> None:  # noqa: C901, PLR0912, PLR0915 - a table, one line a command
    """Add the lines that a command leads to. Raises Refused, IllegalAction or BadNotation."""
    match command:
        case RollOrBank() | Mark() | EnterDice() | Draw() | TakeBack():  # first, as nearly all commands are these
            playing.play(decision, command)
        case commands.Bot():
            playing.play_bot(decision, command)
        case commands.Typed():
            do_line(decision, command)
        case commands.TimeUp():
            playing.time_up(decision, command)
        case commands.Retime():
            playing.retime(decision, command)
        case commands.Nudge():
            playing.nudge(decision, command)
        case commands.Pace():
            playing.set_pace(decision, command)
        case commands.Sit():
            seating.sit(decision, command)
        case commands.Share():
            seating.share(decision, command)
        case commands.Join():
            seating.join(decision, command)
        case commands.Leave():
            seating.leave(decision, command)
        case commands.Remove():
            seating.remove(decision, command)
        case commands.Admit():
            seating.admit(decision, command)
        case commands.Rename():
            seating.rename(decision, command)
        case commands.HandOver():
            seating.hand_over(decision, command)
        case commands.Close():
            seating.close(decision, command)
        case commands.AddBot():
            seating.add_bot(decision, command)
        case commands.Shift():
            seating.shift(decision, command)
        case commands.Ready():
            lobby.ready(decision, command)
        case commands.Unready():
            lobby.unready(decision, command)
        case commands.Commit():
            lobby.commit(decision, command)
        case commands.AddSeed():
            lobby.add_seed(decision, command)
        case commands.Rules():
            lobby.change_rules(decision, command)
        case commands.Plan():
            planning.plan(decision, command)
        case commands.Unplan():
            planning.unplan(decision, command)
        case commands.Start():
            lobby.start(decision, command)
        case commands.Begin():
            lobby.begin(decision, command)
        case commands.Give():
            standins.give(decision, command)
        case commands.Resume():
            standins.resume(decision, command)
        case commands.Vote():
            standins.vote(decision, command)
        case commands.Queue():
            interval.queue(decision, command)
        case commands.Unqueue():
            interval.unqueue(decision, command)
        case commands.Rematch():
            interval.rematch(decision, command)
        case commands.Follow():
            interval.follow(decision, command)
        case commands.Pause():
            interval.pause(decision, command)
        case commands.Unpause():
            interval.unpause(decision, command)
        case _:
            assert_never(command)
