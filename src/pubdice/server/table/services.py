"""The services that every live table of a house needs: time, background tasks, dice, bots, broadcaster, languages.

Knows no table.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from pubdice.core.cup import Cup
from pubdice.core.errors import NotStored, Unsolved
from pubdice.core.game import pick
from pubdice.core.seal import Seals
from pubdice.match.match import MatchState
from pubdice.room import Room, RoomState
from pubdice.room.commands import Bot
from pubdice.room.setup import with_seats
from pubdice.server.answers import Answers
from pubdice.server.observe import EventLog, Metrics
from pubdice.server.table.commit import Trace
from pubdice.text.language import Language

# The clock of a house: the time, and timers. A running house has the machine's time and the event loop's timers.


QUICK_MS = 200
"""An answer that took longer is too inexact to set a clock by."""

TRIES = 5
"""The most times the clock is asked at the start, until an answer is quick."""


class Clock(Protocol):
    """Time, as a house is given it."""

    def now(self) -> int:
        """The time in milliseconds since 1970."""

    def after(self, delay_s: float, do: Callable[[], None]) -> Any:
        """Call ``do`` after some seconds; the timer returned has a ``cancel``."""


class LoopClock:
    """The time by ``time_ns`` (ns since 1970), and the timers of the running event loop."""

    def __init__(self, time_ns: Callable[[], int]) -> None:
        self._time_ns = time_ns
        self._loop = asyncio.get_running_loop()

    def now(self) -> int:
        """The time in milliseconds since 1970."""
        return self._time_ns() // 1_000_000

    def after(self, delay_s: float, do: Callable[[], None]) -> Any:
        """Call ``do`` after some seconds; the timer returned has a ``cancel``."""
        return self._loop.call_later(delay_s, do)


class SharedClock(LoopClock):
    """The time shared by all processes of a house, in spite of each machine's clock and its changes."""

    def __init__(self, time_ns: Callable[[], int]) -> None:
        super().__init__(time_ns)
        self._zero_ms = super().now() - self._monotonic_ms()

    def now(self) -> int:
        """The time in milliseconds since 1970."""
        return self._zero_ms + self._monotonic_ms()

    def begin(self, ask: Callable[[], int]) -> None:
        """Set this clock for the first time. ask: the shared time, in ms since 1970.

        Of ``TRIES`` answers the quickest counts, however long it took: this machine's own clock may be hours off.
        """
        best: tuple[int, int] | None = None
        for _ in range(TRIES):
            asked_at = self.now()
            shared_ms, took = ask(), self.now() - asked_at
            if best is None or took < best[0]:
                best = took, shared_ms - (asked_at + took // 2)
            if took <= QUICK_MS:
                break
        if best is not None:
            self._zero_ms += best[1]

    def follow(self, shared_ms: int, asked_at: int) -> None:
        """Set this clock by the shared time: it was ``shared_ms`` between ``asked_at``, by this clock, and now."""
        took = self.now() - asked_at
        if took <= QUICK_MS:
            off = shared_ms - (asked_at + took // 2)
            self._zero_ms += off if abs(off) > took else 0

    def _monotonic_ms(self) -> int:
        return int(1000 * self._loop.time())


# Background tasks: referred to until they are done; their errors are counted and logged.


REST_S = 1.0
"""The time that a house that closes waits for tasks under way."""


class Background:
    """The background tasks of one house, and where errors that no client hears of go."""

    def __init__(self, event_log: EventLog, metrics: Metrics) -> None:
        self._event_log, self._metrics = event_log, metrics
        self._tasks: set[asyncio.Future[None]] = set()

    def spawn(self, work: Awaitable[None]) -> None:
        """Run a task, and refer to it until it is done: the event loop alone would let it be garbage-collected."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: "asyncio.Future[None]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self.failed(error)

    def failed(self, error: Exception) -> None:
        """Count and log an error that no client hears of."""
        self._metrics.faults += 1
        self._event_log.failed(error)

    async def drain(self) -> None:
        """Wait for tasks under way, a second at most."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=REST_S)


# A bot's move: weighted actions from the bot process, and the draw between them. The table's timer (``autoplay``)
# asks for it, and ``room.decide.play_bot`` makes it.


HURRY, HURRY_MS = 1000, 5000
"""The most actions in a number of ms of all bots whose pace is below a second: 200 a second, and at once if nobody else
hurries.
"""


class ChooseAction(Protocol):
    """Computes a bot's choice: ``BotProcess`` in a house, a function in tests."""

    async def __call__(
        self, rules: Mapping[str, str], bot: str, match: MatchState[Any], *, people: bool = True, asker: str = ""
    ) -> Sequence[tuple[Any, int]]:
        """The weighted actions at a decision. people: true if anybody plays at the table; such tables come first.

        asker: whose tables share a turn, ``TableActor.asker``.
        """


class Hurry:
    """A budget of fast bots' actions: ``HURRY`` in each window of ``HURRY_MS``, shared out by asker and then by table.

    Beyond them a table may still have what it lacks of an equal share of its asker's equal share, so no table is slowed
    down by those that came first. All together never take more than twice the budget.
    """

    def __init__(self) -> None:
        self._window = self._total = 0
        self._before, self._taken = dict[str, Counter[int]](), dict[str, Counter[int]]()

    def take(self, asker: str, table: int, now: int) -> bool:
        """Take one action now (ms since 1970), if it is within the budget. table: its number."""
        if now // HURRY_MS != self._window:
            self._window, self._before, self._taken = now // HURRY_MS, self._taken, {}
            self._total = 0
        own = self._taken.setdefault(asker, Counter())
        askers = max(len(self._before), len(self._taken))
        tables = max(len(self._before.get(asker, ())), len(own) + (table not in own))
        if self._total >= HURRY and (self._total >= 2 * HURRY or own[table] >= HURRY // askers // tables):
            return False
        own[table] += 1
        self._total += 1
        return True


class Bots:
    """Chooses for the bots of all tables. cup: where the draw between a bot's weighted actions comes from."""

    def __init__(self, choose: ChooseAction, cup: Cup, background: Background) -> None:
        self._choose, self._cup, self._background = choose, cup, background
        self.hurry = Hurry()

    async def command(self, room: Room, state: RoomState, gone: Mapping[int, int], asker: str = "") -> Bot:
        """The move of the bot whose turn it is: a roll where one is due, else the action it draws.

        asker: whose tables share a turn, ``TableActor.asker``. Raises NotStored("no-bots") if the bot process has died,
        or too many tables wait for it.
        """
        live, mover = state.match, state.mover
        if live is None or mover is None or live.table.match.to_roll(live.state.match):
            return Bot()
        people = any(chair.kind == "person" and seat not in gone for seat, chair in enumerate(state.chairs))
        usual_bot, bot = room.kit.bots[0], state.chairs[mover].bot
        rules = with_seats(state.setup.rules, len(state.chairs))
        try:
            weighted = await self._choose(rules, bot or usual_bot, live.state.match, people=people, asker=asker)
        except Exception as error:
            if bot in ("", usual_bot) or isinstance(error, NotStored):
                raise
            if not isinstance(error, Unsolved):  # that a match may be too large is said where a bot is chosen
                self._background.failed(error)
            # people are waiting: the usual bot plays for the one that failed
            weighted = await self._choose(rules, usual_bot, live.state.match, people=people, asker=asker)
        return Bot(pick(tuple(weighted), lambda number: self._cup.draw(number, live.state.moved)))


# Batched broadcasts: which tables have news for their spectators, and in which turn of the event loop they send it.
#
# Answers come first: the loop carries out the commands that have come in before it turns to broadcasts. Each turn
# sends those of a share of the waiting tables, so that no table waits long; a table's news of meanwhile go in the
# same message.


SHARE = 16
"""The share of waiting tables, one in 16, whose news one turn of the event loop sends, and one more."""


class Broadcaster:
    """The tables of one house with news to send, the longest waiting first."""

    def __init__(self) -> None:
        self._waiting: dict[Callable[[], None], None] = {}

    def schedule(self, broadcast: Callable[[], None]) -> None:
        """Have a table send its spectators what has happened, soon."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._let_answers_go)
        self._waiting[broadcast] = None

    def _let_answers_go(self) -> None:
        """Wait one turn of the loop: tasks that await an answer go on in this one."""
        asyncio.get_running_loop().call_soon(self._broadcast_some)

    def _broadcast_some(self) -> None:
        tables = list(islice(self._waiting, 1 + len(self._waiting) // SHARE))
        for table in tables:
            del self._waiting[table]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._broadcast_some)
        for broadcast in tables:
            broadcast()


@dataclass(frozen=True, slots=True)
class TableServices:
    """The services that a house hands to its actors.

    cup: where rolls come from. seals: of sealed dice. link: the address of the table with this code, with its secret.
    seen_before: when one of these people was last at the table with this code (ms since 1970), 0 if nobody knows.
    answers: works out what choices are worth. reload: loads the table with this code again, where memory and log may
    differ. ended: hears of the table with this code whose match has just ended, where somebody watches. trace: follows
    commands in the event log; None follows none.
    """

    clock: Clock
    background: Background
    metrics: Metrics
    broadcaster: Broadcaster
    bots: Bots
    answers: Answers
    cup: Callable[[], Cup]
    seals: Seals
    language: Callable[[str], Language]
    link: Callable[[str], str]
    seen_before: Callable[[str, Iterable[str]], int]
    reload: Callable[[str], None]
    ended: Callable[[str], None]
    trace: Trace | None = None
