"""The processes in which bots choose, so no table waits for a solver.

A process is sent a match as the fields of its record's header, with the match's state. The process keeps its solvers.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG
from time import perf_counter
from typing import Any

from pubdice.advice.bots import Perfect
from pubdice.core.errors import NotStored, Unsolved
from pubdice.games import GAMES
from pubdice.kit import PERFECT, Kit
from pubdice.match.header import RawHeader
from pubdice.match.match import Match, MatchState
from pubdice.server.fair_lock import FairLock
from pubdice.server.jobs import HeaderRules, process_part
from pubdice.server.processes import Worker, WorkerProcess
from pubdice.solve.pauses import PausedError, all_at_once, pausing

MOST_WAITING = 512
"""The most decisions that wait for one process. A table without people is refused if half as many wait."""
MOST_CACHED = 256 << 20
"""The most bytes of solutions on the disk. Beyond that, the least recently used are deleted."""
_MOST_SOLVED = 6
"""The most perfect bots kept in memory (LRU) after they have finished a decision."""
_MOST_UNFINISHED, _ABANDONED_S = 32, 600.0
"""The most unfinished solvers that are kept, of up to 2 MB each, and the time after which an unused one is dropped.

If there is no room for one more, its decision is worked out in one go. A full queue takes less than 600 s to serve all
its tables once, so no solver is dropped while its table still waits.
"""


class BotProcess:
    """Chooses for bots, a part of a decision at a time. The perfect bot has its own process, so other bots don't wait
    for it.

    Tables with people come first. Askers take turns (``FairLock``), because one address may keep 60 tables busy. A
    table asks for one decision at a time.
    """

    def __init__(self, cache: Path | None, worker: Callable[[], Worker] = WorkerProcess) -> None:
        self._cache = cache
        self._workers = {True: worker(), False: worker()}
        self._queues = {True: WorkerQueue(), False: WorkerQueue()}

    async def choose(
        self, rules: Mapping[str, str], bot: str, match: MatchState[Any], *, people: bool = True, asker: str = ""
    ) -> Sequence[tuple[Any, int]]:
        """Return the weighted actions of a bot at a decision. ``people``: True if a person plays at the table.

        ``asker`` is ``TableActor.asker``. Raises NotStored("no-bots") if the process died or its queue is full. The
        caller may then ask again.
        """
        solves, begun = bot == PERFECT, False
        while True:
            async with self._queues[solves].turn(asker, first=people, begun=begun):
                try:
                    found = await self._workers[solves].run(weigh, tuple(rules.items()), bot, match, self._cache)
                except BrokenExecutor:
                    raise NotStored("no-bots") from None
            if found is not None:
                return found
            begun = True

    def close(self) -> None:
        """End both processes, even in the middle of a choice."""
        for worker in self._workers.values():
            worker.close()


class WorkerQueue:
    """A bounded queue of tables that wait for one worker process."""

    def __init__(self) -> None:
        self._lock = FairLock()

    @asynccontextmanager
    async def turn(self, asker: str, *, first: bool, begun: bool = False) -> AsyncIterator[None]:
        """Wait for a turn. ``first``: people play at the table. Raises NotStored("no-bots") if the queue is full and
        the decision is not ``begun``.
        """
        if not begun and self._lock.waiting >= (MOST_WAITING if first else MOST_WAITING // 2):
            raise NotStored("no-bots")
        async with self._lock.turn(asker, not first):
            yield


_solved: dict[HeaderRules, Perfect] = {}
"""Perfect bots that have finished their last decision, at most ``_MOST_SOLVED``, the most recently used last."""
_unfinished: dict[HeaderRules, tuple[Perfect, float]] = {}
"""Perfect bots in the middle of a decision, each with the time of its latest request in s, the latest last."""


def weigh(rules: HeaderRules, bot: str, state: MatchState[Any], cache: Path | None) -> Sequence[tuple[Any, int]] | None:
    """Return the weighted actions of a bot at a decision, or None if a part is done and the caller must ask again."""
    if bot != PERFECT:
        kit, match = _match(rules)
        return kit.policies[bot](match.game, state.round)
    if rules in _unfinished:
        perfect, _ = _unfinished.pop(rules)
    else:
        perfect = _solved.pop(rules) if rules in _solved else _new_perfect(rules, cache)
    try:
        with pausing(process_part()):
            action = perfect.action(state)
    except PausedError:
        _forget_abandoned()
        if len(_unfinished) < _MOST_UNFINISHED:
            _unfinished[rules] = perfect, perf_counter()
            return None
        with pausing(all_at_once):
            action = perfect.action(state)
    _solved[rules] = perfect
    if len(_solved) > _MOST_SOLVED:
        del _solved[next(iter(_solved))]
    return [(action, 1)]


def _forget_abandoned() -> None:
    """Drop the solvers that no request has used for ``_ABANDONED_S``. Their tables must have closed."""
    for rules, (_, asked) in list(_unfinished.items()):
        if asked > perf_counter() - _ABANDONED_S:
            return
        del _unfinished[rules]


@lru_cache(maxsize=64)
def _match(rules: HeaderRules) -> tuple[Kit, Match[Any, Any]]:
    fields = dict(rules)
    kit = GAMES[fields["game"]]
    return kit, kit.match(kit.normalize(RawHeader(fields)))


def _new_perfect(rules: HeaderRules, cache: Path | None) -> Perfect:
    kit, match = _match(rules)
    solve = kit.with_cache(cache).solver
    if solve is None:
        raise Unsolved("no-solver", title=kit.words.title)
    perfect = Perfect(solve(match))
    if cache is not None:
        forget_least_used(cache, MOST_CACHED)
    return perfect


def forget_least_used(folder: Path, most: int) -> None:
    """Delete the least recently used solutions until at most ``most`` bytes of them are left."""
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
