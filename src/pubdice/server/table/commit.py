"""Group commit: all appends of one turn of the event loop go to the store's thread together.

An append gets its outcome after its fsync. If that takes longer than 8 s, it first gets NotStored("not-known"). Knows
no table's state and decides nothing.

A command is stored under an idempotency key, and counts once. The same key with another request is refused. The store
recognises a repeated command (``store.writer``: the outcome ``Repeated``). Reactions are not stored, so the actor
recognises a repeated reaction (``check_same``).
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from time import perf_counter
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict

from pubdice.core.errors import NotStored
from pubdice.server.observe import Durations
from pubdice.server.wire import FIELDS, Asked, Order
from pubdice.store.house_store import HouseStore
from pubdice.store.writer import Entry, Outcome, Stored, TableSummary, is_same

HASH_BYTES = 16
"""Length of the hash of a request. With 128 bits, two requests under one key do not share a hash by chance."""


class Key(NamedTuple):
    """A person's key as the store has it, with a hash of the request. If the hash is empty, it is not compared."""

    key: str
    body: bytes = b""

    def step(self, number: int) -> "Key":
        """Return a key for one of the several commands that a request leads to."""
        return Key(f"{self.key} {number}", self.body)


UNASKED = {"change": False, "decider": False}
"""Values of optional fields that mean the same as leaving the field out. They are not hashed."""


def key_of(person: str, request: Asked | Order) -> Key:
    """Return a person's key with the hash of a request.

    As a form and as JSON, the same request has the same hash, also in later versions.
    """
    asked: object = request
    if isinstance(request, Asked):
        told = [(name, getattr(request, name, UNSET)) for name in FIELDS]
        order = {name: said for name, said in told if said is not UNSET and said is not UNASKED.get(name)}
        asked = {"key": request.key, "do": request.do, **order}
    return Key(f"{person} {request.key}", blake2b(msgspec.json.encode(asked), digest_size=HASH_BYTES).digest())


def fields_of(request: Asked) -> dict[str, Any]:
    """Return the fields that are set in a request."""
    return {name: value for name, value in asdict(request).items() if value is not UNSET}


def check_same(known: Key, key: Key, table: int) -> bool:
    """Return True if two keys are the same. Raises NotStored("key-used") if they came with different requests."""
    if known.key != key.key:
        return False
    if not is_same(known.body, key.body):
        raise NotStored("key-used", table=table)
    return True


Found = TypeVar("Found")


class Reads(Protocol):
    """Runs a read of the store: of a file in the event loop (``at_once``), of a database server on a few threads."""

    async def __call__(self, ask: Callable[..., Found], *values: object) -> Found:
        """Return the result of the read."""


async def at_once(ask: Callable[..., Found], *values: object) -> Found:
    """Run a read in the event loop. It takes well below 1 ms with a file in memory. A thread would take longer."""
    return ask(*values)


KNOWN_WITHIN_S = 8.0
"""The longest wait for a disk that does not answer. Clients wait longer than this for a command's answer."""

MOST_IN_FLIGHT = 5_000
"""The most appends waiting for a store that does not answer. Further appends are refused at once."""


@dataclass(slots=True, eq=False)
class Append:
    """One entry on its way to the disk. ``late`` is called if the outcome comes after ``done`` got "not-known"."""

    entry: Entry
    done: Callable[[Outcome], None]
    late: Callable[[], object]
    began: float
    settled: bool = False


class GroupCommit:
    """Hands one house's appends to its store. ``grown`` gets each stored entry, before its sender has the answer."""

    def __init__(
        self,
        store: HouseStore,
        took: Durations,
        grown: Callable[[Entry], object] | None = None,
    ) -> None:
        self._store, self._took, self._grown = store, took, grown
        self._group: list[Append] = []
        self._pending: deque[Append] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._in_flight = 0

    def append(self, entry: Entry, done: Callable[[Outcome], None], late: Callable[[], object]) -> None:
        """Store an entry, together with all other entries of this turn of the loop. ``done`` is called in the loop."""
        loop = asyncio.get_running_loop()
        if self._in_flight >= MOST_IN_FLIGHT:
            # Not at once: the caller sets its own state after ``append``, which would overwrite the state set by
            # ``done``.
            loop.call_soon(done, NotStored("store-unwritable"))
            return
        self._in_flight += 1
        # The first append of a turn schedules the flush. The flush runs after all handlers of this turn, so one
        # transaction has all of their appends.
        if not self._group:
            loop.call_soon(self._flush)
        self._group.append(Append(entry, done, late, perf_counter()))

    def _flush(self) -> None:
        """Hand the group to the store's thread, which calls back into the loop once for the whole group."""
        group, self._group = self._group, []
        loop = asyncio.get_running_loop()
        self._store.submit([(append.entry, partial(self._came, append)) for append in group], loop.call_soon_threadsafe)
        # Outcomes come in the order of the appends, so the settled appends are at the front.
        while self._pending and self._pending[0].settled:
            self._pending.popleft()
        self._pending.extend(group)
        if self._timer is None:
            self._timer = loop.call_later(KNOWN_WITHIN_S, self._give_up)

    def _came(self, append: Append, outcome: Outcome) -> None:
        """The store has an outcome. Call ``done``, or ``late`` if ``done`` already got "not-known"."""
        # Here and not in ``_give_up``: an append answered with "not-known" is still in flight.
        self._in_flight -= 1
        if self._grown is not None and isinstance(outcome, Stored):
            self._grown(append.entry)
        # After "not-known", memory may be behind the log or ahead of it. Only the log knows.
        if append.settled:
            append.late()
        else:
            self._settle(append, outcome)

    def _settle(self, append: Append, outcome: Outcome) -> None:
        # Before ``done``, which may raise.
        append.settled = True
        self._took.add(perf_counter() - append.began)
        append.done(outcome)

    def _give_up(self) -> None:
        """Answer "not-known" to all appends that have waited for 8 s. One timer serves all."""
        pending, until, self._timer = self._pending, perf_counter() - KNOWN_WITHIN_S, None
        while pending and (pending[0].settled or pending[0].began <= until):
            append = pending.popleft()
            if not append.settled:
                self._settle(append, NotStored("not-known"))
        if pending:
            # Appends stand in the order in which they began, so the first has the least time left.
            self._timer = asyncio.get_running_loop().call_later(pending[0].began - until, self._give_up)


class TableLog:
    """The log of one table."""

    def __init__(self, commit: GroupCommit, store: HouseStore, table: int, read: Reads = at_once) -> None:
        self._commit, self._store, self._read, self.table = commit, store, read, table

    def append(
        self,
        length: int,
        lines: tuple[str, ...],
        done: Callable[[Outcome], None],
        late: Callable[[], object],
        *,
        key: Key | None = None,
        answer: bytes = b"",
        summary: TableSummary | None = None,
    ) -> None:
        """Append lines to a log that has ``length`` lines so far (optimistic concurrency).

        If the log has another length, the outcome is NotStored("moved-on"). With an idempotency key, the answer is
        stored too. If the key is already stored, the outcome is Repeated with that answer, and nothing is appended.
        """
        # ``key.body`` is a hash of the request. The store refuses the same key with another hash as "key-used".
        entry = Entry(self.table, length, lines, key and key.key, answer, summary, key.body if key else b"")
        self._commit.append(entry, done, late)

    async def answer(self, key: Key) -> bytes | None:
        """Return the answer stored under a key.

        Returns None if there is none. Raises NotStored("key-used") if the request differs.
        """
        async with within():
            return await self._read(self._store.answer, self.table, *key)


@asynccontextmanager
async def within() -> AsyncIterator[None]:
    """Limit a read to ``KNOWN_WITHIN_S``, as a write is: a database may hang. Raises NotStored("store-unreadable")."""
    try:
        async with asyncio.timeout(KNOWN_WITHIN_S):
            yield
    except TimeoutError:
        raise NotStored("store-unreadable") from None


async def await_commit(submit: Callable[..., None]) -> Any:
    """Wait until a rare write is on the disk, such as a new table or a setting. Return its outcome.

    ``submit`` takes ``done``, and the function that calls it in the loop. Raises NotStored, with "not-known" if the
    disk does not answer in 8 s. A write under way cannot be stopped, so a cancelled task waits for it first.
    """
    loop = asyncio.get_running_loop()
    known: list[Any] = []
    cancelled, waiting = False, loop.create_future()

    def done(outcome: Any) -> None:
        if not known:
            known.append(outcome)
            if not waiting.done():
                waiting.set_result(None)

    submit(done, loop.call_soon_threadsafe)
    # The timer calls the same ``done`` as the store. The first call counts.
    timer = loop.call_later(KNOWN_WITHIN_S, done, NotStored("not-known"))
    while not known:
        try:
            await waiting
        except asyncio.CancelledError:
            # A new future: cancelling the task also cancelled the future that it awaited.
            cancelled, waiting = True, loop.create_future()
    timer.cancel()
    task = asyncio.current_task()
    if cancelled and task is not None:
        task.cancel()  # takes effect at the task's next await
    if isinstance(known[0], NotStored):
        raise known[0]
    return known[0]
