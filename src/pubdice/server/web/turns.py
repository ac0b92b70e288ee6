"""Turns by address: a fair queue for the one thread that answers all requests. Knows no requests and no clients.

A rate limit counts requests and not their cost: 24 pages for one address at once held the event loop for 200 ms. Here a
request is answered in steps, each from one wait to the next. After a step the loop first looks at its connections. Then
the next lane (the requests of one address) has a turn (round robin). Each step is charged to its lane by the time it
held the loop. A lane that has used more than ``Limits.work`` waits until it has paid, and is not refused. Work that
other requests wait for needs no turn (``shared_lock``).

Moves at a table need no turn (``Guard.submit``). While a move is under way, the next step waits for it, in proportion
to the length of the last step. A commit needs Python's lock several times, and would wait for a whole page each time.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from time import perf_counter
from types import coroutine
from typing import Any

from pubdice.server.shared_lock import NEEDED
from pubdice.server.web.limits import Buckets, Limits

MOST_WAITING = 400
"""The most requests of one lane that wait for a turn. One address may have as many streams."""
MOVES_FIRST = 2.0
"""A step waits for moves at most for this multiple of the last step's time. So neither can starve the other."""


class Turns:
    """The lanes of an event loop. ``clock`` returns the time in seconds. ``held`` returns the seconds by which a step's
    length is measured.

    A lane lasts while it has waiting requests. Without a crowd no request waits: a step runs at once if none has run
    since the loop last looked at its connections.
    """

    def __init__(
        self, limits: Limits, held: Callable[[], float] = perf_counter, clock: Callable[[], float] = perf_counter
    ) -> None:
        # Wall-clock time: on a busy machine a page of 5 ms of processor time may hold the loop for 60 ms.
        self._clock, self._held = clock, held
        self._work = Buckets(limits.work, limits.remembered)
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._order: deque[str] = deque()  # lanes that have paid
        self._free = True  # false while a step, a callback of the loop, or the timer is pending
        self._timer: asyncio.TimerHandle | None = None
        self._until = 0.0
        self.moves = 0

    def is_crowded(self, lane: str) -> bool:
        """Return True if no more requests of a lane may wait."""
        return len(self._waiting.get(lane, ())) >= MOST_WAITING

    @coroutine
    def take(self, lane: str, work: Coroutine[Any, Any, None]) -> Generator[Any, Any, None]:
        """Do some work in steps, each in a turn of its lane."""
        fault: BaseException | None = None
        NEEDED.set(0)  # the task of a pipelined request inherits the value of the request before
        while True:
            its_turn = not NEEDED.get()
            if its_turn and not (self._free and self._may_begin(lane)):
                turn = self._wait(lane)
                try:
                    yield from turn
                except BaseException as error:  # noqa: BLE001 - the work's own: it was cancelled, so it goes on at once
                    fault, its_turn = error, not turn.cancelled()
            begun, held = self._clock(), self._held()
            try:
                waits_for = work.send(None) if fault is None else work.throw(fault)
            except StopIteration:
                return
            finally:
                fault = None  # otherwise a cycle: its traceback refers to this frame
                self._ran(lane, begun, self._held() - held, its_turn)
            try:
                yield waits_for
            except BaseException as error:  # noqa: BLE001 - the work's own, too
                fault = error

    def move_ends(self) -> None:
        """Note that a move counted in ``moves`` is answered."""
        self.moves -= 1
        if not self.moves and self._timer is not None:
            self._timer.cancel()
            self._next()

    def _wait(self, lane: str) -> "asyncio.Future[None]":
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        if lane not in self._waiting:
            self._waiting[lane] = deque()
            self._back(lane)
        self._waiting[lane].append(turn)
        return turn

    def _back(self, lane: str) -> None:
        """Put a lane behind all other lanes."""
        self._order.append(lane)
        if self._free:
            self._free = False
            asyncio.get_running_loop().call_soon(self._next)

    def _may_begin(self, lane: str) -> bool:
        now = self._clock()
        return not self._waiting and not (self.moves and now < self._until) and not self._work.wait(lane, now, 0)

    def _ran(self, lane: str, begun: float, held: float, its_turn: bool) -> None:
        now = self._clock()
        self._work.charge(lane, now, 1000 * held)
        if its_turn:
            self._free, self._until = False, now + MOVES_FIRST * (now - begun)
            asyncio.get_running_loop().call_soon(self._look)

    def _look(self) -> None:
        """Let the loop look at its connections before the next turn, so waiting moves come first."""
        if self._order:
            asyncio.get_running_loop().call_soon(self._next)
        else:
            self._free = True

    def _next(self) -> None:
        self._timer = None
        loop, now = asyncio.get_running_loop(), self._clock()
        if self.moves and now < self._until:
            self._timer = loop.call_later(self._until - now, self._next)
            return
        while self._order:
            lane = self._order.popleft()
            if left := self._work.wait(lane, now, 0):
                loop.call_later(left, self._back, lane)
                continue
            waiting = self._waiting[lane]
            turn = waiting.popleft()
            if waiting:
                self._order.append(lane)
            else:
                del self._waiting[lane]
            if not turn.done():  # otherwise its request was given up
                turn.set_result(None)
                return
        self._free = True
