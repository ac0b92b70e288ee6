"""Where the bots sit: a process of their own, so that a solver at work holds up nobody's table.

The process is told a position as the match's record has it, and keeps the solvers it has made.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG
from typing import Any

from pubdice.bots import Perfect
from pubdice.games import GAMES
from pubdice.kit import PERFECT, Kit
from pubdice.match import Match, MatchState
from pubdice.notation import Header
from pubdice.server.aside import Aside
from pubdice.server.turns import Turns
from pubdice.store import NotStored

MOST_WAITING = 512
"""Decisions that wait for one process; those of tables without people half as many."""
MOST_CACHED = 256 << 20
"""Bytes of solutions on the disk; beyond that those least lately used are deleted."""
_KEPT = 6
"""Solvers kept in memory, the latest used."""


class Bench:
    """Chooses for bots, one at a time; those that solve sit apart, as others must not wait for them.

    Of the tables that wait, those with people come first, then whoever has waited longest. A table waits once.
    """

    def __init__(self, cache: Path | None) -> None:
        self._cache = cache
        self._asides = {True: Aside(), False: Aside()}
        self._lines = {True: Line(), False: Line()}

    async def choose(
        self, rules: Mapping[str, str], bot: str, match: MatchState[Any], *, people: bool = True
    ) -> Sequence[tuple[Any, int]]:
        """The weighted actions of a bot at a decision. people: whether anybody plays there.

        NotStored("no-bots") if its process has died, or if too many wait; ask again.
        """
        solves = bot == PERFECT
        async with self._lines[solves].turn(first=people):
            aside = self._asides[solves]
            try:
                return await aside.run(weigh, tuple(rules.items()), bot, match, self._cache)
            except BrokenExecutor:
                aside.close()
                raise NotStored("no-bots") from None

    def close(self) -> None:
        """Send the bots home."""
        for aside in self._asides.values():
            aside.close()


class Line:
    """Who waits for one process, bounded."""

    def __init__(self) -> None:
        self._turns = Turns()

    @asynccontextmanager
    async def turn(self, *, first: bool) -> AsyncIterator[None]:
        """Wait for one's turn, and have it. NotStored("no-bots") where too many wait already."""
        if self._turns.waiting >= (MOST_WAITING if first else MOST_WAITING // 2):
            raise NotStored("no-bots")
        async with self._turns.turn(not first):
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
    return kit, kit.match(kit.settle(Header(fields)))


@lru_cache(maxsize=_KEPT)
def _perfect(rules: tuple[tuple[str, str], ...], cache: Path | None) -> Perfect:
    kit, match = _match(rules)
    assert kit.solver is not None, "perfect is a bot of solved games only"
    perfect = Perfect(kit.keeping(cache).solver(match))  # type: ignore[misc]
    if cache is not None:
        forget_least_used(cache, MOST_CACHED)
    return perfect


def forget_least_used(folder: Path, most: int) -> None:
    """Delete the files used least lately until no more than so many bytes are left."""
    found = []
    for file in folder.rglob("*.npz"):
        with suppress(OSError):
            about = file.stat()
            if S_ISREG(about.st_mode):
                found.append((max(about.st_atime_ns, about.st_mtime_ns), about.st_size, file))
    in_all = sum(size for _, size, _ in found)
    for _, size, file in sorted(found):
        if in_all <= most:
            return
        with suppress(OSError):
            file.unlink()
            in_all -= size
