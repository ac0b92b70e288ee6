"""The people's commands at a table: who may ask for what, and the lines it leads to.

The table alone decides what the match allows. Lines are made one by one, each on the state after the one before, so
that all of them stand or none.
"""

from pubdice.party import commands as ask
from pubdice.party.due import clock
from pubdice.party.events import (
    Admitted,
    Closed,
    HandedOver,
    Joined,
    Left,
    Nudged,
    Paced,
    Removed,
    Renamed,
    Resumed,
    StoodIn,
    TimedOut,
    Unpaused,
    Voted,
)
from pubdice.party.interval import Interval
from pubdice.party.setup import MOST_PACE_MS, within
from pubdice.party.typed import Typing
from pubdice.table import Act, Do, Draw, Enter, Mark, Refused, TakeBack

NUDGE_MS = 20_000
"""The mover is left in peace for so long after a turn began or a reminder."""
MOST_RENAMES = 5
"""Names that a person may change at one table."""


class Sitting(Interval, Typing):
    """A table, and somebody who asks something of it."""

    def do(self, command: ask.Command) -> None:
        """Do what is asked. Raises Refused, IllegalAction or BadNotation."""
        getattr(self, f"_{type(command).__name__.lower()}")(command)

    # seats

    def _join(self, command: ask.Join) -> None:
        if self.state.seat_of(self.asker.person) is not None:
            raise Refused("seated-already")
        self.admitted(new=False)
        if not self.chair(command.seat).people:
            raise Refused("seat-empty")
        assert self.asker.person is not None, "only people join"
        self.add(Joined(command.seat, self.asker.person))

    def _leave(self, command: ask.Leave) -> None:
        self.own(command.seat)
        seats = self.state.seats_of(self.asker.person) if command.seat is None else (command.seat,)
        for seat in reversed(seats):
            self._vacate(Left(seat))
        self.start_if_complete()

    def _remove(self, command: ask.Remove) -> None:
        self.host()
        chair = self.chair(command.seat)
        if not chair.people and not chair.awaited:
            raise Refused("seat-empty")
        self.own()
        if command.seat in self.state.seats_of(self.asker.person):
            raise Refused("remove-oneself")
        if self.state.is_host(self.asker.person):
            self._vacate(Removed(command.seat))
        elif command.seat in self.lost() and chair.people:
            self._vacate(Left(command.seat))
        else:
            raise Refused("not-host")
        self.start_if_complete()

    def _admit(self, command: ask.Admit) -> None:
        self.host()
        if not self.state.shut:
            raise Refused("not-shut")
        self.add(Admitted())

    def _vacate(self, event: Left | Removed) -> None:
        """The seat becomes empty; in a match a bot takes it, and where the table grows it goes."""
        if self.state.stage == "over":
            raise Refused("match-over")
        if self.state.paused_at and not set(self.state.people) - set(self.state.chairs[event.seat].people):
            self.add(Unpaused(event.seat))  # nobody else has a seat to do it from
        self.add(event)
        if self.state.stage == "playing":
            self.seat_bot(event.seat, self.bot(""))
        elif self.state.setup.grows and len(self.state.chairs) > 1:
            self.add(Closed(event.seat))

    def _rename(self, command: ask.Rename) -> None:
        seat = self.own(command.seat)
        if self.state.stage == "over":
            raise Refused("match-over")
        chair = self.state.chairs[seat]
        name = self.fresh_name(command.name, seat)
        if name == chair.name:
            raise Refused("nothing-new")
        if sum(map(self.state.renamed.count, chair.people)) >= MOST_RENAMES:
            raise Refused("renamed-often", most=MOST_RENAMES)
        self.add(Renamed(seat, name))

    def _handover(self, command: ask.HandOver) -> None:
        self.host()
        chair = self.chair(command.seat)
        if not chair.people:
            raise Refused("seat-empty")
        if self.state.host in chair.people:
            raise Refused("nothing-new")
        self.add(HandedOver(command.seat))

    # bots in seats

    def _give(self, command: ask.Give) -> None:
        self.under_way()
        seat = self.own()
        if self.chair(seat).bot:
            raise Refused("bot-plays-already")
        self.add(StoodIn(seat, self.bot(command.bot), "gave"))

    def _resume(self, command: ask.Resume) -> None:
        self.under_way()
        seat = self.own() if self.asker.person is not None or command.seat is None else command.seat
        if self.chair(seat).kind != "standin":
            raise Refused("no-bot-plays")
        self.add(Resumed(seat))

    def _vote(self, command: ask.Vote) -> None:
        self.under_way()
        self.running()
        self.own()
        absent, gone, bot = command.seat, self.asker.gone, self.bot(command.bot)
        seats = self.state.seats_of(self.asker.person)
        if self.chair(absent).kind != "person" or absent not in gone or absent in seats:
            raise Refused("not-absent")
        wait = gone[absent] + 1000 * self.state.setup.grace_s - self.asker.now
        if wait > 0:
            raise Refused("still-waiting", seconds=-(-wait // 1000), name=self.chair(absent).name)
        voters = [seat for seat in seats if seat not in self.state.voters(absent, gone[absent])]
        for seat in voters:
            self.add(Voted(seat, absent))
        votes, needed = self.state.ballot(absent, gone)
        if votes >= needed:
            self.add(StoodIn(absent, bot, "voted"))
        elif not voters:
            raise Refused("voted-already")

    def _pace(self, command: ask.Pace) -> None:
        self.host()
        self.add(Paced(within("pace", command.ms, 0, MOST_PACE_MS)))

    def _nudge(self, command: ask.Nudge) -> None:
        self.under_way()
        self.running()
        seat, mover = self.own(), self.state.mover
        if mover is None or self.state.plays(mover) or mover == seat:
            raise Refused("nobody-to-nudge")
        wait = max(self.state.turn_at, self.state.nudged_at) + NUDGE_MS - self.asker.now
        if wait > 0:
            raise Refused("nudge-soon", seconds=-(-wait // 1000), name=self.chair(mover).name)
        self.add(Nudged(seat))

    # the match

    def _timeup(self, command: ask.TimeUp) -> None:
        """The turn that the clock was set for may have passed meanwhile, and another have all its time."""
        assert self.asker.person is None, "the table's own"
        self.under_way()
        self.running()
        mover, up = self.state.mover, clock(self.state, 0)
        if mover is None or up is None or self.asker.now < up:
            raise Refused("no-clock")
        self.add(TimedOut(mover))

    def _bot(self, command: ask.Bot) -> None:
        assert self.asker.person is None, "the table's own"
        self.under_way()
        self.running()
        mover = self.state.mover
        if mover is None or not self.state.plays(mover):
            raise Refused("no-bot-plays")
        self.moves(Do("roll") if command.action is None else Act(command.action))

    def _go(self, command: ask.Go) -> None:
        self._check_turn()
        table, play = self.match()
        if command.marks is not None and command.marks != play.marks and table.match.legal(play.match):
            self.moves(Mark(command.marks))
        self.moves(Do(command.verb, command.sure))

    def _typed(self, command: ask.Typed) -> None:
        self.type(command.intents)

    def _mark(self, command: Mark) -> None:
        self._check_turn()
        self.moves(command)

    def _enter(self, command: Enter) -> None:
        """Real dice are typed in by whoever has the phone out, and so is Player 1."""
        self.own()
        self.running()
        self.moves(command)

    def _draw(self, command: Draw) -> None:
        self.own()
        self.running()
        self.moves(command)

    def _takeback(self, command: TakeBack) -> None:
        self.own()
        self.running()
        if self.state.rematch:
            raise Refused("rematch-laid", table=self.state.rematch)
        self.moves(command)

    def _check_turn(self) -> None:
        self.under_way()
        self.running()
        mover, seat = self.state.mover, self.own()
        if mover is None:
            return  # the table says that Player 1 is to be drawn
        if mover != seat:
            raise Refused("not-your-turn", name=self.chair(mover).name)
        if self.state.plays(seat):
            raise Refused("bot-plays")
