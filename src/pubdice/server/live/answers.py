"""Answers to questions about positions, worked out in a process of their own and cached; nobody's table waits for them.

A question that takes longer than ``WAIT_S`` goes on in the background, and a later request gets its answer. Questions
wait in one bounded queue, and the latest answers are kept.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pubdice.advice.chances_told import SeatChances
from pubdice.advice.ledger import Ledger
from pubdice.advice.lesson import Lesson
from pubdice.advice.losses import MatchLosses
from pubdice.advice.receipt_parts import Highlights, Receipt
from pubdice.advice.rule_prices_told import PricedPart
from pubdice.core.errors import Refused
from pubdice.match.match import MatchState
from pubdice.server.live.solver_process import (
    Answer,
    DayAnswer,
    FigureAnswer,
    HeaderRules,
    NoAnswer,
    best_play_figure,
    check_solvable,
    find_highlights,
    price_rules,
    rank_day,
    rank_decision,
    rank_position,
    teach,
    tell_chances,
    weigh_losses,
    write_ledger,
    write_receipt,
)

T = TypeVar("T")

WAIT_S = 2.0
"""How long a request waits for an answer."""
MOST_KEPT, MOST_ASKED = 256, 32
"""Answers cached, the latest used; and questions that wait or are worked on."""
MOST_RECEIPTS = 24
"""Receipts among them: one takes up to 1 MB."""
MOST_LIVE = 64
"""Lessons and chances of matches under way among them: each is asked for once or twice, and there are many."""
RECEIPT, HIGHLIGHTS, LOSSES, LEDGER, LIVE = "receipt", "highlights", "losses", "ledger", "live"


class Worker(Protocol):
    """Runs a function where it delays nobody: ``WorkerProcess`` in a house, a thread in tests."""

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """The function's result. Raises BrokenExecutor or OSError if there is no process."""


class ThreadWorker:
    """Runs a function in a thread of this process."""

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Return the function's result."""
        return await asyncio.to_thread(work, *arguments)


class _Queue:
    """A worker and the lock that hands it one question at a time."""

    def __init__(self, worker: Worker) -> None:
        self.worker, self.one_at_a_time = worker, asyncio.Lock()


class Answers:
    """The house's answers. cache: the folder in which solutions are kept.

    figures: works out pages of best play and of prices, of which a first one may take a minute, and the players' book,
    so that no position waits for them.
    """

    def __init__(self, worker: Worker, cache: Path | None = None, figures: Worker | None = None) -> None:
        self._positions = _Queue(worker)
        self._figures = self._positions if figures is None else _Queue(figures)
        self._cache = cache
        self._one_receipt, self._one_ledger = asyncio.Lock(), asyncio.Lock()
        self._found: OrderedDict[tuple[object, ...], asyncio.Future[Any]] = OrderedDict()

    async def by_flags(self, game: str, given: tuple[tuple[str, str], ...], code: str) -> Answer | None:
        """The ranking of a position that flags describe, in the language of this code; None: not yet.

        Raises Refused("asks-waiting") or Refused("no-answer").
        """
        return await self._get((game, given, code), self._work_out, rank_position, game, given, code, self._cache)

    async def at_decision(self, text: str, number: int | None, code: str) -> Answer | None:
        """The ranking at a decision of a record, from 1, or at its end; None: not yet. Raises Refused as above."""
        return await self._get((text, number, code), self._work_out, rank_decision, text, number, code, self._cache)

    async def of_day(self, games: tuple[str, ...], day: int, code: str) -> DayAnswer | None:
        """The position of a day, by its number, with its answer; None: not yet. Raises Refused as above."""
        return await self._get((games, day, code), self._work_out, rank_day, games, day, code, self._cache)

    async def figure(self, game: str, name: str, code: str) -> FigureAnswer | None:
        """A figure of a game's best play; None: not yet. Raises Refused as above."""
        return await self._get(
            (game, name, code, "figure"), self._work_out, best_play_figure, game, name, code, self._cache
        )

    async def lesson(self, rules: HeaderRules, state: MatchState[Any], code: str) -> Lesson | NoAnswer | None:
        """The lesson at a decision of a match under way; None: not yet. Raises Refused as above."""
        return await self._get((LIVE, rules, state, code), self._work_out, teach, rules, state, code, self._cache)

    async def chances(
        self, rules: HeaderRules, states: tuple[MatchState[Any], ...], code: str
    ) -> SeatChances | NoAnswer | None:
        """Every seat's chances in these states, or at the start if there is none; None: not yet. Raises Refused."""
        key = (LIVE, rules, states, code)
        return await self._get(key, self._work_out, tell_chances, rules, states, code, self._cache)

    async def prices(self, game: str, rules: tuple[tuple[str, str], ...], part: str, code: str) -> PricedPart | None:
        """A part of what the rules of a match come to; None: not yet. Raises Refused as above."""
        key = (game, rules, part, code, "prices")
        return await self._get(key, self._in_parts, price_rules, game, rules, part, code, self._cache)

    def known_receipt(self, match: tuple[str, int], code: str) -> Receipt | NoAnswer | None:
        """The receipt of a match, by its table and its events, if it is worked out already."""
        found: Receipt | NoAnswer | None = self._known((RECEIPT, match, code))
        return found

    def _known(self, key: tuple[object, ...]) -> Any:
        """What was asked under this key, if it is worked out; else None."""
        future = self._found.get(key)
        if future is None or not future.done() or future.exception() is not None:
            return None
        self._found.move_to_end(key)
        return future.result()

    def known_highlights(self, match: tuple[str, int], code: str) -> Highlights | NoAnswer | None:
        """The dearest keep and the luckiest roll of a match, by its table and its events, if they are found already."""
        found: Highlights | NoAnswer | None = self._known((HIGHLIGHTS, match, code))
        return found

    async def highlights(self, match: tuple[str, int], text: str, code: str) -> Highlights | NoAnswer | None:
        """Those of a match that is over; text: its record. None: not yet. Raises Refused as above."""
        return await self._get((HIGHLIGHTS, match, code), self._work_out, find_highlights, text, code, self._cache)

    async def receipt(self, match: tuple[str, int], text: str, code: str) -> Receipt | NoAnswer | None:
        """The receipt of a match that is over; text: its record. None: not yet. Raises Refused as above."""
        return await self._get((RECEIPT, match, code), self._write, text, code)

    def known_losses(self, table: str) -> MatchLosses | NoAnswer | None:
        """What the seats of a table lost, if it is worked out already."""
        found: MatchLosses | NoAnswer | None = self._known((LOSSES, table))
        return found

    async def losses(self, table: str, text: str, but: frozenset[int]) -> MatchLosses | NoAnswer | None:
        """What the seats of a table lost whose match is over, but for these; text: its record. None: not yet.

        Raises as above.
        """
        return await self._get((LOSSES, table), self._work_out, weigh_losses, text, but, self._cache)

    async def solvable(self, rules: tuple[tuple[str, str], ...], code: str) -> NoAnswer | bool | None:
        """True if the house can solve a match of these rules; or why not. None: not yet. Raises as above."""
        return await self._get((rules, code, "solvable"), self._work_out, check_solvable, rules, code, self._cache)

    async def _write(self, text: str, code: str) -> Receipt | NoAnswer:
        """Write a receipt part by part: other receipts wait."""
        async with self._one_receipt:
            return await self._in_parts(write_receipt, text, code, self._cache)

    async def ledger(self, match: tuple[str, int], text: str) -> Ledger | NoAnswer:
        """What a match that is over says of each seat's play; text: its record. Raises Refused as above.

        Waits until it is worked out, as nobody waits for it: the players' book asks in the background.
        """
        found: Ledger | NoAnswer | None = None
        while found is None:
            found = await self._get((LEDGER, match), self._enter, text)
        return found

    async def _enter(self, text: str) -> Ledger | NoAnswer:
        """Write a ledger part by part: the others wait, as the worker keeps no more than two that are begun."""
        async with self._one_ledger:
            return await self._in_parts(write_ledger, text, self._cache)

    async def _get(
        self, key: tuple[object, ...], work: Callable[..., Coroutine[Any, Any, T]], *arguments: object
    ) -> T | None:
        future = self._found.get(key)
        if future is None:
            if sum(not asked.done() for asked in self._found.values()) >= MOST_ASKED:
                raise Refused("asks-waiting")
            future = self._found[key] = asyncio.ensure_future(work(*arguments))
            future.add_done_callback(_seen)
            self._drop()
        self._found.move_to_end(key)
        done, _ = await asyncio.wait([future], timeout=WAIT_S)
        if not done:
            return None
        try:
            found: T = future.result()
        except (BrokenExecutor, OSError):  # its process was ended, perhaps by a question too large for the machine
            self._found.pop(key, None)
            raise Refused("no-answer") from None
        return found

    async def _work_out(self, work: Callable[..., T], *arguments: object) -> T:
        queue = self._figures if work in (best_play_figure, price_rules, write_ledger) else self._positions
        async with queue.one_at_a_time:
            return await queue.worker.run(work, *arguments)

    async def _in_parts(self, work: Callable[..., T | None], *arguments: object) -> T:
        """Work something out part by part, so that other questions have their turn between."""
        while (found := await self._work_out(work, *arguments)) is None:
            pass
        return found

    def _drop(self) -> None:
        """Forget the answers longest unused; questions still worked on stay."""
        for kind, most in ((RECEIPT, MOST_RECEIPTS), (LIVE, MOST_LIVE)):
            self._keep([key for key in self._found if key[0] == kind], most)
        self._keep(list(self._found), MOST_KEPT)

    def _keep(self, keys: list[tuple[object, ...]], most: int) -> None:
        for key in [key for key in keys if self._found[key].done()][: max(0, len(keys) - most)]:
            del self._found[key]


def _seen(future: "asyncio.Future[Any]") -> None:
    """Take note of a failure nobody waited for, which asyncio would report otherwise."""
    if not future.cancelled():
        future.exception()
