"""A discrete-event simulation of a house: its processes, the shards of its database, and hints between processes.

A *process* is one server, as Python runs one thread at a time. Its event loop works in turns: a turn takes all that is
there when it begins, and then tells the news of some tables, as ``pubdice.server.live.broadcaster`` does. A turn has a
cost, and so has each thing in it: the busier a process is, the less a move costs.

A *writer* is a process's connection to a shard: one group of appends at a time, none sooner than a window after the
last one began. A *shard* is a database of so many cores, with one queue.

Commands arrive by a Poisson process, spread over many tables. A *move* is timed from when its command arrives, or would
have arrived had its process not died, to when its answer leaves.
"""

from dataclasses import dataclass
from itertools import islice
from math import inf, log
from random import Random

from benchmarks.queueing.figures import Costs
from benchmarks.queueing.stations import Busy, Clock, Station

MOST = 512
"""Appends in a group."""
SHARE = 16
"""A turn tells the news of one table in so many of those that wait, and of one more."""
AGAIN_S = 0.25
"""Over how long pages ask again for what was not answered: half a second, a quarter less or more."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is simulated, for how long, and which random numbers.

    rate: commands a second of all tables. cells: a process writes to one shard, and hears of its tables only; else it
    writes to all. cores: of each shard. by_table: all phones of a table come to one process;
    else each to one by lot. broadcast: every process hears every hint, through the database; else by subject, so only
    those that serve the table do. constant:
    services take their mean; else they are exponential. Only moves that come within ``seconds`` after ``warm_s`` count.

    dies_s: when a process dies, counted from the start. phones: of all processes; those of the dead one open their
    streams at others after back_s to back_s + spread_s, and ask again for moves after back_s to back_s + AGAIN_S.
    """

    rate: float
    processes: int = 1
    shards: int = 1
    cells: bool = False
    cores: int = 4
    seats: int = 4
    by_table: bool = True
    broadcast: bool = True
    constant: bool = False
    seconds: float = 5.0
    warm_s: float = 0.5
    seed: int = 1
    dies_s: float = inf
    phones: int = 0
    back_s: float = 0.375
    spread_s: float = AGAIN_S


@dataclass(slots=True, eq=False)
class Move:
    """A command on its way. here: phones of its table at its process; elsewhere: at others, by their number."""

    came: float
    process: int
    shard: int
    here: int
    elsewhere: dict[int, int]
    answered: float = inf


News = list[tuple[Move, int]]
"""Moves that a process has to follow, each with how many of its phones it has to tell."""


class Writer:
    """A process's connection to a shard."""

    def __init__(self, world: "World", process: "Process", shard: Station) -> None:
        self._world, self._process, self._shard = world, process, shard
        self._waiting: list[Move] = []
        self._busy = False
        self._next_s = 0.0

    def submit(self, moves: list[Move]) -> None:
        """Have moves stored."""
        self._waiting += moves
        self._begin()

    def _begin(self) -> None:
        """The next group, if there is one, once the last is stored and its window over."""
        if self._waiting and not self._busy:
            self._busy = True
            self._world.clock.at(max(self._world.clock.now, self._next_s), self._write)

    def _write(self) -> None:
        world, costs = self._world, self._world.costs
        group, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
        self._next_s = world.clock.now + costs.window
        world.groups += 1
        world.appends += len(group)
        service = world.takes(costs.group + costs.append * len(group))
        self._shard.serve("groups", service, costs.flush, self._stored, group)

    def _stored(self, group: list[Move]) -> None:
        self._busy = False
        self._process.outcomes += group
        self._process.wake()
        self._begin()


class Process:
    """A process of the house."""

    def __init__(self, world: "World", number: int) -> None:
        self._world, self.number, self.alive = world, number, True
        self.busy = Busy(world.since, world.until)
        self.outcomes: list[Move] = []
        self._again: list[Move] = []
        self._joining = 0
        self._heard: list[tuple[int, News]] = []
        self._read: News = []
        self._news: dict[Move, int] = {}
        self._grown: list[Move] = []
        self.home = number % len(world.shards)
        shards = world.shards[self.home : self.home + 1] if world.setting.cells else world.shards
        self._writers = [Writer(world, self, shard) for shard in shards]
        self._working = self._sending = False
        self.next_s = world.next_command(0.0)
        if self.next_s < inf:
            world.clock.at(self.next_s, self.wake)

    def come(self, move: Move | None) -> None:
        """A phone that was at a process which died: it asks again for a move, or opens its stream."""
        if move is None:
            self._joining += 1
        else:
            move.process = self.number
            move.answered = inf
            self._again.append(move)
        self.wake()

    def wake(self) -> None:
        """Begin a turn, if none is under way and there is something to do."""
        now = self._world.clock.now
        if self._working or not self.alive:
            return
        if self.next_s <= now or (
            self.outcomes or self._again or self._heard or self._read or self._news or self._joining
        ):
            self._working = True
            self._turn(now)

    def _turn(self, begun: float) -> None:
        """Do what is there, and have what follows from it done at the end."""
        world, costs, takes = self._world, self._world.costs, self._world.takes
        now = begun + costs.turn
        answered, self.outcomes = self.outcomes, []
        for move in answered:
            now += takes(costs.answer)
            move.answered = now
            if costs.delivery and move.here:
                self._news[move] = move.here
        commands, self._again = self._again, []
        for _ in commands:
            now += takes(costs.command)
        while self.next_s <= begun:
            commands.append(world.command(self.next_s, self.number, self.home))
            now += takes(costs.command)
            self.next_s = world.next_command(self.next_s)
        self.busy.add("moves", begun, now - begun)
        hints = self._hear() if self._heard or self._read else 0.0
        joins = 0.0
        if self._joining:
            joins = sum(takes(costs.join) for _ in range(self._joining))
            self._joining = 0
        told = 0.0
        if self._news:
            for move in list(islice(self._news, 1 + len(self._news) // SHARE)):
                told += takes(costs.delivery * self._news.pop(move))
                world.told_s.append((move.came, now + hints + joins + told))
        if hints or joins or told:
            for what, took in (("hints", hints), ("joins", joins), ("deliveries", told)):
                self.busy.add(what, now, took)
                now += took
        world.clock.at(now, self._end_turn, commands, answered)

    def _hear(self) -> float:
        """Take hints, and logs that were read because of them; how long it takes."""
        world, costs = self._world, self._world.costs
        heard, self._heard = self._heard, []
        read, self._read = self._read, []
        for _, news in heard:
            for move, phones in news:
                world.shards[move.shard].serve("reads", world.takes(costs.read), 0.0, self._take, move, phones)
        for move, phones in read:
            self._news[move] = phones
        took = sum(costs.message + costs.hint * hints for hints, _ in heard)
        return took + sum(world.takes(costs.follow) for _ in read)

    def _take(self, move: Move, phones: int) -> None:
        self._read.append((move, phones))
        self.wake()

    def _end_turn(self, commands: list[Move], answered: list[Move]) -> None:
        self._working = False
        if not self.alive:
            return
        if len(self._writers) == 1 and commands:
            self._writers[0].submit(commands)
        elif commands:
            for shard, writer in enumerate(self._writers):
                if mine := [move for move in commands if move.shard == shard]:
                    writer.submit(mine)
        if answered:
            self._hint(answered)
        self.wake()
        if not self._working and self.next_s < inf:
            self._world.clock.at(self.next_s, self.wake)

    def _hint(self, stored: list[Move]) -> None:
        """Tell other processes what is stored."""
        world = self._world
        if world.setting.broadcast:
            if world.peers(self):
                self._grown += stored
                self._send()
            return
        for move in stored:
            for number, phones in move.elsewhere.items():
                heard = world.processes[number].hear
                world.clock.at(world.clock.now + world.costs.subject, heard, 1, [(move, phones)])

    def _send(self) -> None:
        """One message for all hints that wait, and one message at a time."""
        if self._grown and not self._sending:
            world, costs = self._world, self._world.costs
            self._sending, grown, self._grown = True, self._grown, []
            service = world.takes(costs.notify + costs.signal * len(world.peers(self)))
            world.shards[self.home].serve("hints", service, costs.flush, self._sent, grown)

    def _sent(self, grown: list[Move]) -> None:
        self._sending = False
        news: dict[int, News] = {}
        for move in grown:
            for number, phones in move.elsewhere.items():
                news.setdefault(number, []).append((move, phones))
        for other in self._world.peers(self):
            other.hear(len(grown), news.get(other.number, []))
        self._send()

    def hear(self, hints: int, news: News) -> None:
        """Get a message with hints, some of them about tables of this process."""
        if self.alive:
            self._heard.append((hints, news))
            self.wake()


class World:
    """All of it."""

    def __init__(self, setting: Setting, costs: Costs) -> None:
        self.setting, self.costs, self.clock = setting, costs, Clock()
        self.since, self.until = setting.warm_s, setting.warm_s + setting.seconds
        self.alive = setting.processes
        self._peers: dict[int, list[Process]] = {}
        self.random = Random(setting.seed)
        self.groups = self.appends = 0
        self.moves: list[Move] = []
        self.told_s: list[tuple[float, float]] = []
        self.shards = [Station(self.clock, Busy(self.since, self.until, setting.cores)) for _ in range(setting.shards)]
        self.processes = [Process(self, number) for number in range(setting.processes)]
        if setting.dies_s < inf:
            self.clock.at(setting.dies_s, self._die)
        self.clock.run()

    def peers(self, process: Process) -> list[Process]:
        """The others that hear what a process broadcasts."""
        if process.number not in self._peers:
            others = [each for each in self.processes if each is not process and each.alive]
            near = [each for each in others if each.home == process.home] if self.setting.cells else others
            self._peers[process.number] = near
        return self._peers[process.number]

    def takes(self, mean_s: float) -> float:
        """How long a service takes."""
        return mean_s if self.setting.constant else -mean_s * log(1.0 - self.random.random())

    def next_command(self, after: float) -> float:
        """When a process gets its next command; never, once the time is over."""
        when = after + self.random.expovariate(self.setting.rate / self.setting.processes)
        return when if when < self.until else inf

    def command(self, came: float, process: int, shard: int) -> Move:
        """A command of some table. shard: where it is, if processes and shards are in cells."""
        here, elsewhere = self.setting.seats, dict[int, int]()
        if not self.setting.by_table:
            here = 1
            for _ in range(self.setting.seats - 1):
                other = int(self.random.random() * self.setting.processes)
                if other == process:
                    here += 1
                else:
                    elsewhere[other] = elsewhere.get(other, 0) + 1
        if not self.setting.cells:
            shard = int(self.random.random() * len(self.shards))
        move = Move(came, process, shard, here, elsewhere)
        self.moves.append(move)
        return move

    def _die(self) -> None:
        """A process dies. Its phones come to others, and ask there for what it has not answered, or would have got."""
        setting, lost = self.setting, self.processes[-1]
        lost.alive, self.alive = False, self.alive - 1
        self._peers.clear()
        near = self.peers(lost)
        late = [move for move in self.moves if move.process == lost.number and move.answered > self.clock.now]
        while lost.next_s < inf:
            late.append(self.command(lost.next_s, lost.number, lost.home))
            lost.next_s = self.next_command(lost.next_s)
        for move in [*late, *[None] * (setting.phones // setting.processes)]:
            spread_s = setting.spread_s if move is None else AGAIN_S
            back_s = self.clock.now + setting.back_s + spread_s * self.random.random()
            other = self.random.choice(near)
            self.clock.at(back_s if move is None else max(back_s, move.came), other.come, move)
