"""The processes in which bots choose, so that a solver at work delays nobody's table.

A process gets a match by the fields of its record's header, with its state, and keeps the solvers it has made.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG
from typing import Any

from pubdice.advice.bots import Perfect
from pubdice.core.errors import NotStored, Unsolved
from pubdice.games import GAMES
from pubdice.kit import PERFECT, Kit
from pubdice.match.match import Match, MatchState
from pubdice.match.notation import RawHeader
from pubdice.server.live.fair_lock import FairLock
from pubdice.server.live.worker import Worker
from pubdice.server.live.worker_process import WorkerProcess

MOST_WAITING = 512
"""Decisions that wait for one process; those of tables without people half as many."""
MOST_CACHED = 256 << 20
"""Bytes of solutions on the disk; beyond that the least recently used are deleted."""
_MOST_SOLVERS = 6
"""Solvers kept in memory, the latest used."""


class BotProcess:
    """Chooses for bots, one decision at a time; the perfect bot has a process of its own, so that no other bot waits.

    Of the tables that wait, those with people come first; among them the worker is shared out by asker (``FairLock``),
    as one address may keep 60 tables busy. A table asks for one decision at a time.
    """

    def __init__(self, cache: Path | None, worker: Callable[[], Worker] = WorkerProcess) -> None:
        self._cache = cache
        self._workers = {True: worker(), False: worker()}
        self._queues = {True: WorkerQueue(), False: WorkerQueue()}

    async def choose(
        self, rules: Mapping[str, str], bot: str, match: MatchState[Any], *, people: bool = True, asker: str = ""
    ) -> Sequence[tuple[Any, int]]:
        """The weighted actions of a bot at a decision. people: whether anybody plays there. asker: ``Hub.asker``.

        Raises NotStored("no-bots") if its process has died, or if too many wait; ask again.
        """
        solves = bot == PERFECT
        async with self._queues[solves].turn(asker, first=people):
            try:
                return await self._workers[solves].run(weigh, tuple(rules.items()), bot, match, self._cache)
            except BrokenExecutor:
                raise NotStored("no-bots") from None

    def close(self) -> None:
        """End both processes, even in the middle of a choice."""
        for worker in self._workers.values():
            worker.close()


class WorkerQueue:
    """The tables that wait for one worker process: a bounded queue."""

    def __init__(self) -> None:
        self._lock = FairLock()

    @asynccontextmanager
    async def turn(self, asker: str, *, first: bool) -> AsyncIterator[None]:
        """Have a turn once it comes. Raises NotStored("no-bots") if too many wait already."""
        if self._lock.waiting >= (MOST_WAITING if first else MOST_WAITING // 2):
            raise NotStored("no-bots")
        async with self._lock.turn(asker, not first):
            yield


def weigh(
    rules: tuple[tuple[str, str], ...], bot: str, state: MatchState[Any], cache: Path | None
) -> Sequence[tuple[Any, int]]:
    """The weighted actions of a bot at a decision."""
    kit, match = _match(rules)
    if bot == PERFECT:
        return [(_perfect(rules, cache).action(state), 1)]
    return kit.policies[bot](match.game, state.round)


@lru_cache(maxsize=64)
def _match(rules: tuple[tuple[str, str], ...]) -> tuple[Kit, Match[Any, Any]]:
    fields = dict(rules)
    kit = GAMES[fields["game"]]
    return kit, kit.match(kit.normalize(RawHeader(fields)))


@lru_cache(maxsize=_MOST_SOLVERS)
def _perfect(rules: tuple[tuple[str, str], ...], cache: Path | None) -> Perfect:
    kit, match = _match(rules)
    solve = kit.with_cache(cache).solver
    if solve is None:
        raise Unsolved("no-solver", title=kit.words.title)
    perfect = Perfect(solve(match))
    if cache is not None:
        forget_least_used(cache, MOST_CACHED)
    return perfect


def forget_least_used(folder: Path, most: int) -> None:
    """Delete the least recently used solutions until no more than ``most`` bytes of them are left."""
    found = []
    for file in folder.rglob("*.npz"):
        with suppress(OSError):
            status = file.stat()
            if S_ISREG(status.st_mode):
                found.append((max(status.st_atime_ns, status.st_mtime_ns), status.st_size, file))
    total = sum(size for _, size, _ in found)
    for _, size, file in sorted(found):
        if total <= most:
            return
        with suppress(OSError):
            file.unlink()
            total -= size
