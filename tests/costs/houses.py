"""Houses in which every SQL statement and every byte sent is counted, and deeds in them whose cost is measured."""

import asyncio
import gc
import json
import os
import re
import sqlite3
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast
from unittest.mock import patch

from starlette.types import Message, Receive, Scope, Send

from costs.counting import PLANS, SOON_S, STATEMENTS, counted_calls, in_threads
from costs.jumping_loop import JumpingLoop
from costs.measured import Cost, cost_of
from pubdice.cache_folder import cache_folder
from pubdice.server import app as web
from pubdice.server.observe import LoopLag
from pubdice.server.web import render
from pubdice.server.web.guard import Guard
from pubdice.server.web.turns import Turns
from pubdice.solve import acceleration
from support.disk import Disk
from support.house import Pub

T = TypeVar("T")
NO_TABLES = ("SCAN CONSTANT ROW", "SCAN (")
"""What SQLite's plans have of rows that are in no table. A table with an alias goes by that."""
VALUES, MOST_TEXT = re.compile(r"x?'(?:[^']|'')*'|\b\d+(?:\.\d+)?\b"), 120
"""Values in a statement, as SQLite tells it; and how much of its text tells it from others."""
WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
WAIT_S, MOST_WAITS = 0.01, 200
MOST_JUMP_S = 10.0
"""The longest that a deed may wait for a timer: a disk that hangs is given up after 8 s."""


class Traffic:
    """SQL statements, the bytes of the values that were written by them, and the bytes sent to browsers."""

    def __init__(self) -> None:
        self.statements = self.bytes_stored = self.bytes_sent = self.steps = 0
        self.asked: dict[str, Path] = {}  # statements of SQLite's, and the file that each was for
        self.texts = Counter[str]()  # statements without their values

    def numbers(self) -> dict[str, int]:
        """The statements and the bytes, as they stand."""
        return {name: number for name, number in vars(self).items() if isinstance(number, int) and name != "steps"}

    def scans(self) -> Mapping[str, int]:
        """Each statement's reading of a whole table or index since ``asked`` was emptied, as SQLite's plan has it."""
        found = Counter[str]()
        for query, file in self.asked.items():
            with closing(sqlite3.connect(file)) as db:
                plan = [str(row[3]) for row in db.execute(f"EXPLAIN QUERY PLAN {query}")]
            steps = [step for step in plan if step.startswith("SCAN ") and not step.startswith(NO_TABLES)]
            found.update(PLANS + step for step in steps)
        return found

    def stepped(self) -> None:
        """Note a step of SQLite's virtual machine."""
        self.steps += 1

    def statement(self, query: str, values: object = ()) -> None:
        """Note a statement."""
        self.statements += 1
        self.texts[f"{STATEMENTS}{' '.join(VALUES.sub('?', query).split())[:MOST_TEXT]}"] += 1
        self.stored(query, values)

    def traced(self, file: Path, query: str) -> None:
        """Note a statement of SQLite's; of what is within one, such as a trigger's, it tells as a comment."""
        if not query.startswith("--"):
            self.statement(query)
        if query.lstrip().upper().startswith((*WRITES, "SELECT", "WITH")):
            self.asked[query] = file

    def stored(self, query: str, values: object = ()) -> None:
        """Note what a statement stores."""
        if query.lstrip().upper().startswith(WRITES):
            self.bytes_stored += size_of(values)


def size_of(value: object) -> int:
    """The bytes of a value that is stored; a number is counted as 8."""
    if isinstance(value, Mapping):
        return sum(map(size_of, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(size_of, value))
    if isinstance(value, str):
        return len(value.encode())
    return len(value) if isinstance(value, bytes) else 0 if value is None else 8


class CountedApp:
    """The app, with all that it sends counted. Commands are submitted as the server does."""

    def __init__(self, app: Guard, traffic: Traffic) -> None:
        self.app, self._guard, self._traffic = app.app, app, traffic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def counted(message: Message) -> None:
            headers = message.get("headers", ())
            self._traffic.bytes_sent += len(message.get("body", b"")) + sum(len(k) + len(v) + 4 for k, v in headers)
            await send(message)

        await self._guard(scope, receive, counted)

    def submit(self, scope: Scope, body: bytes, exchange: Any) -> bool:
        """Hand over a command."""
        reply = exchange.reply

        def counted(status: int, head: bytes, answer: bytes) -> None:
            self._traffic.bytes_sent += len(head) + len(answer)
            reply(status, head, answer)

        exchange.reply = counted
        return self._guard.submit(scope, body, exchange)


class GatedWorker:
    """Works in a thread, once its gate is open. working: how much is under way."""

    def __init__(self) -> None:
        self.gate, self.working = asyncio.Event(), 0

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """The result, of a time when the gate is open."""
        await self.gate.wait()
        self.working += 1
        try:
            return await asyncio.to_thread(work, *arguments)
        finally:
            self.working -= 1

    def close(self) -> None:
        """End nothing: threads end with their work."""


class CountedPub(Pub):
    """A house whose traffic is counted, and where nothing is worked out before its worker's gate is open."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "house.db")
        self.traffic = Traffic()
        self.disk = _CountedDisk(self.traffic)
        self.gated = GatedWorker()
        self.worker = self.gated
        self.solutions = cache_folder()  # of the process that measures, and of no other

    async def open(self) -> None:
        """Open the house; its templates are loaded already, as in a house that was opened a second ago.

        Its loop's lag is sampled by the test's clock: by the machine's, samples would be counted now and then. Nor do
        requests pay for the time that they take: on a busy machine some would wait.
        """
        by_clock = partial(
            LoopLag,
            after=self._after,
            clock=lambda: self.clock.now() / 1000,
            computed=lambda: 0.0,
        )
        turns = partial(Turns, held=lambda: 0.0, clock=lambda: self.clock.now() / 1000)
        # of this process, which only measures
        vars(web).update(load_templates=lambda names: None, LoopLag=by_clock, Turns=turns)
        await super().open()
        if (book := getattr(self.players, "file", None)) is not None:
            self.players._db.set_trace_callback(partial(self.traffic.traced, book))
        self.app: Any = CountedApp(self.app, self.traffic)

    def _after(self, delay_s: float, do: Callable[[], None]) -> Any:
        return self.clock.after(delay_s, do)  # the clock of now: a house that opens gets another

    async def cost(self, deed: Callable[[], Awaitable[T]]) -> tuple[Cost, T]:
        """The cost of a deed, until all that follows from it at once is done; and what it gave."""
        await self.settle()
        before = self.traffic.numbers()
        self.traffic.asked.clear()
        self.traffic.texts.clear()
        with counted_calls() as calls:
            found = await deed()
            await self.settle()
            for _ in range(MOST_WAITS):  # a timer that is set again and again has no end
                if not self.is_due_soon() and not self.is_writing():
                    break
                await asyncio.sleep(WAIT_S)
                await self.settle()
        more = {name: number - before[name] for name, number in self.traffic.numbers().items()}
        scans = self.traffic.scans()
        cost = cost_of(calls, **more, scans=sum(scans.values()))
        return replace(cost, functions={**cost.functions, **self.traffic.texts, **scans}), found

    def is_writing(self) -> bool:
        """Whether a record is being written, in a thread: a match that ends has its own written at once."""
        return bool(self.house._records._one_at_a_time.locked())

    def is_due_soon(self) -> bool:
        """Whether a timer of the event loop's own is about to go off; those of the house are its clock's."""
        loop: Any = asyncio.get_running_loop()
        return any(not timer.cancelled() and timer.when() - loop.time() <= SOON_S for timer in loop._scheduled)


class _CountedDisk(Disk):
    def __init__(self, traffic: Traffic) -> None:
        super().__init__()
        self._traffic = traffic

    def connect(self, path: str) -> sqlite3.Connection:
        disk, traffic = self, self._traffic

        class Counted(sqlite3.Connection):
            def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
                traffic.stored(statement, values)
                return super().execute(disk(statement, in_transaction=self.in_transaction), *values)

        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Counted)
        db.set_trace_callback(partial(traffic.traced, Path(path)))  # a cursor's too, ``executemany`` and scripts
        db.set_progress_handler(traffic.stepped, 1)
        return db


def prepare() -> None:
    """Load what ``pubdice serve`` has loaded before it serves; nothing is compiled by numba, where there is one."""
    acceleration.numba_there = lambda: False  # type: ignore[assignment]
    from pubdice.server import cli  # noqa: F401, PLC0415

    own = os.environ["PUBDICE_CACHE"]
    compiled = os.environ.get("COMPILED_TEMPLATES", own)  # by another process of the run: to do so takes 0.6 s
    with patch.dict(os.environ, PUBDICE_CACHE=compiled):
        for name in render.templates():
            render.load(name)
    threading.setprofile(in_threads)
    gc.collect()
    gc.freeze()  # what is loaded is not looked through at each count


def at_home(scene: Callable[[CountedPub], Awaitable[T]]) -> T:
    """Play a scene in a house of its own; return its result.

    Time goes on only where all wait for a timer. By the machine's clock an earlier deed's timer would be counted with a
    later deed on a busy machine: a question is waited for until 2 s later, and a commit is looked after 8 s later.
    """
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(_played(scene))


async def _played(scene: Callable[[CountedPub], Awaitable[T]]) -> T:
    with tempfile.TemporaryDirectory() as folder:
        pub, loop = CountedPub(Path(folder)), cast("JumpingLoop", asyncio.get_running_loop())
        await pub.open()
        loop.is_busy, loop.jumps = pub._is_storing, MOST_JUMP_S
        try:
            return await scene(pub)
        finally:
            pub.gated.gate.set()
            await pub.close()
            pub.sound()


def in_child(work: Callable[[], T]) -> T:
    """The result of some work, which is JSON, in a copy of this process: it finds the caches as they are here."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        status = 1
        try:
            os.close(out)
            with os.fdopen(into, "w") as pipe:
                json.dump(work(), pipe)
            status = 0
        except BaseException:  # noqa: BLE001 - the parent reports it
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stderr.flush()
            os._exit(status)
    os.close(into)
    with os.fdopen(out) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if status:
        raise RuntimeError("the child has failed")
    result: T = json.loads(text)
    return result
