"""The people's commands at a table: who may ask for what, and the lines it leads to.

The table alone decides what the match allows. Lines are made one by one, each on the state after the one before, so
that all of them stand or none.
"""

from pubdice.names import find_name, read_name
from pubdice.notation import Header
from pubdice.party import commands as ask
from pubdice.party.asking import Asking
from pubdice.party.due import clock
from pubdice.party.events import (
    Botted,
    Closed,
    Joined,
    Left,
    Nudged,
    Paced,
    Rematched,
    Removed,
    Resumed,
    Sat,
    Started,
    StoodIn,
    TimedOut,
    Voted,
)
from pubdice.party.setup import MOST_PACE_MS, placeholders, unused, within
from pubdice.table import Act, Do, Draw, Enter, Mark, Refused, TakeBack

NUDGE_MS = 20_000
"""The mover is left in peace for so long after a turn began or a reminder."""


class Sitting(Asking):
    """A table, and somebody who asks something of it."""

    def do(self, command: ask.Command) -> None:
        """Do what is asked. Raises Refused, IllegalAction or BadNotation."""
        getattr(self, f"_{type(command).__name__.lower()}")(command)

    # seats

    def _sit(self, command: ask.Sit) -> None:
        if self.state.stage == "over":
            raise Refused("match-over")
        if self.state.seat_of(self.asker.person) is not None:
            raise Refused("seated-already")
        if self.asker.person in self.state.barred:
            raise Refused("removed-before")
        seat = command.seat if command.seat is not None else self._free()
        if self.chair(seat).people:
            raise Refused("seat-taken", name=self.chair(seat).name)
        name = read_name(command.name)
        others = [chair.name for at, chair in enumerate(self.state.chairs) if at != seat]
        if find_name(name, others) is not None:
            raise Refused("name-taken", name=name)
        assert self.asker.person is not None, "only people sit down"
        self.add(Sat(seat, self.asker.person, name))
        self._start_if_full()

    def _free(self) -> int:
        """The first empty seat, or else the first bot's."""
        for kind in ("empty", "bot"):
            for seat, chair in enumerate(self.state.chairs):
                if chair.kind == kind:
                    return seat
        raise Refused("table-full")

    def _join(self, command: ask.Join) -> None:
        if self.state.seat_of(self.asker.person) is not None:
            raise Refused("seated-already")
        if self.asker.person in self.state.barred:
            raise Refused("removed-before")
        if not self.chair(command.seat).people:
            raise Refused("seat-empty")
        assert self.asker.person is not None, "only people join"
        self.add(Joined(command.seat, self.asker.person))

    def _leave(self, command: ask.Leave) -> None:
        self._vacate(Left(self.own()))

    def _remove(self, command: ask.Remove) -> None:
        self.host()
        if not self.chair(command.seat).people:
            raise Refused("seat-empty")
        if command.seat == self.own():
            raise Refused("remove-oneself")
        if self.state.is_host(self.asker.person):
            self._vacate(Removed(command.seat))
        elif command.seat in self.lost():
            self._vacate(Left(command.seat))
        else:
            raise Refused("not-host")

    def _vacate(self, event: Left | Removed) -> None:
        """The seat becomes empty; in a match a bot takes it."""
        if self.state.stage == "over":
            raise Refused("match-over")
        self.add(event)
        if self.state.stage == "playing":
            self._seat_bot(event.seat, self.bot(""))

    def _seat_bot(self, seat: int, bot: str) -> None:
        names = [chair.name for chair in self.state.chairs]
        self.add(Botted(seat, bot, unused(bot.capitalize(), names)))

    def _close(self, command: ask.Close) -> None:
        self.host()
        if self.state.play is not None:
            raise Refused("started")
        if self.chair(command.seat).kind not in ("empty", "bot"):
            raise Refused("seat-taken", name=self.chair(command.seat).name)
        seats = ", ".join(placeholders(len(self.state.chairs)))
        game = self.kit.build(self.kit.settle(Header({**self.state.setup.rules, "seats": seats})).fields)
        if len(self.state.chairs) <= game.least_seats:
            raise Refused("too-few-seats", least=game.least_seats)
        self.add(Closed(command.seat))
        self._start_if_full()

    def _start(self, command: ask.Start) -> None:
        self.host()
        if self.state.play is not None:
            raise Refused("started")
        self.own()
        bot = self.bot(command.bot)
        for seat, chair in enumerate(self.state.chairs):
            if chair.kind == "empty":
                self._seat_bot(seat, bot)
        self.begin()

    def _start_if_full(self) -> None:
        full = all(chair.kind != "empty" for chair in self.state.chairs)
        if self.state.play is None and full and self.state.people:
            self.begin()

    def begin(self) -> None:
        """The match begins, and the house draws Player 1 where that is done."""
        self.add(Started())
        table, play = self.match()
        if table.dice == "house" and table.match.to_draw(play.match):
            self.moves(Draw())

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
        seat, absent, gone, bot = self.own(), command.seat, self.asker.gone, self.bot(command.bot)
        if self.chair(absent).kind != "person" or absent not in gone or absent == seat:
            raise Refused("not-absent")
        wait = gone[absent] + 1000 * self.state.setup.grace_s - self.asker.now
        if wait > 0:
            raise Refused("still-waiting", seconds=-(-wait // 1000), name=self.chair(absent).name)
        voted = seat in self.state.voters(absent, gone[absent])
        if not voted:
            self.add(Voted(seat, absent))
        votes, needed = self.state.ballot(absent, gone)
        if votes >= needed:
            self.add(StoodIn(absent, bot, "voted"))
        elif voted:
            raise Refused("voted-already")

    def _pace(self, command: ask.Pace) -> None:
        self.host()
        self.add(Paced(within("pace", command.ms, 0, MOST_PACE_MS)))

    def _nudge(self, command: ask.Nudge) -> None:
        self.under_way()
        seat, mover = self.own(), self.state.mover
        if mover is None or self.state.plays(mover) or mover == seat:
            raise Refused("nobody-to-nudge")
        wait = max(self.state.turn_at, self.state.nudged_at) + NUDGE_MS - self.asker.now
        if wait > 0:
            raise Refused("nudge-soon", seconds=-(-wait // 1000), name=self.chair(mover).name)
        self.add(Nudged(seat))

    def _rematch(self, command: ask.Rematch) -> None:
        seat = self.own()
        if self.state.stage != "over":
            raise Refused("not-over")
        if self.state.rematch:
            raise Refused("rematch-laid", table=self.state.rematch)
        self.add(Rematched(seat, command.code))

    # the match

    def _timeup(self, command: ask.TimeUp) -> None:
        """The turn that the clock was set for may have passed meanwhile, and another have all its time."""
        assert self.asker.person is None, "the table's own"
        self.under_way()
        mover, up = self.state.mover, clock(self.state, 0)
        if mover is None or up is None or self.asker.now < up:
            raise Refused("no-clock")
        self.add(TimedOut(mover))

    def _bot(self, command: ask.Bot) -> None:
        assert self.asker.person is None, "the table's own"
        self.under_way()
        mover = self.state.mover
        if mover is None or not self.state.plays(mover):
            raise Refused("no-bot-plays")
        self.moves(Do("roll") if command.action is None else Act(command.action))

    def _go(self, command: ask.Go) -> None:
        self._check_turn()
        table, play = self.match()
        if command.marks is not None and command.marks != play.marks and table.match.legal(play.match):
            self.moves(Mark(command.marks))
        self.moves(Do(command.verb))

    def _mark(self, command: Mark) -> None:
        self._check_turn()
        self.moves(command)

    def _enter(self, command: Enter) -> None:
        """Real dice are typed in by whoever has the phone out, and so is Player 1."""
        self.own()
        self.moves(command)

    def _draw(self, command: Draw) -> None:
        self.own()
        self.moves(command)

    def _takeback(self, command: TakeBack) -> None:
        self.own()
        if self.state.rematch:
            raise Refused("rematch-laid", table=self.state.rematch)
        self.moves(command)

    def _check_turn(self) -> None:
        self.under_way()
        mover, seat = self.state.mover, self.own()
        if mover is None:
            return  # the table says that Player 1 is to be drawn
        if mover != seat:
            raise Refused("not-your-turn", name=self.chair(mover).name)
        if self.state.plays(seat):
            raise Refused("bot-plays")
