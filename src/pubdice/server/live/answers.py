"""Answers to questions about positions, worked out in a process of their own and cached; nobody's table waits for them.

A question that takes longer than ``WAIT_S`` goes on in the background, and a later request gets its answer. Questions
wait in one bounded queue, and the latest answers are kept.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TypeVar

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
    rank_drill,
    rank_position,
    teach,
    tell_chances,
    weigh_losses,
    write_ledger,
    write_receipt,
)
from pubdice.server.live.worker import Worker

T = TypeVar("T")

WAIT_S = 2.0
"""How long a request waits for an answer."""
MOST_KEPT, MOST_ASKED, MOST_OF_ONE = 256, 32, 6
"""Answers cached, the latest used; questions of one queue that wait or are worked on; and those of one asker in all."""
LEFT_AFTER_S = 30.0
"""An answer worked out in parts is given up if nobody has asked for it for so long: pages ask again every 2 or 3 s."""
MOST_RECEIPTS = 24
"""Receipts among them: one takes up to 1 MB."""
MOST_LIVE = 64
"""Lessons and chances of matches under way among them: each is asked for once or twice, and there are many."""
RECEIPT, HIGHLIGHTS, LOSSES, LEDGER, LIVE = "receipt", "highlights", "losses", "ledger", "live"


class AbandonedError(Exception):
    """Nobody asks any longer for what is being worked out."""


class _Queue:
    """A worker, the lock that hands it one question at a time, and how many are not answered yet."""

    def __init__(self, worker: Worker) -> None:
        self.worker, self.one_at_a_time, self.waiting = worker, asyncio.Lock(), 0


class Answers:
    """The house's answers. cache: the folder in which solutions are kept.

    figures: works out pages of best play and of prices, of which a first one may take a minute, and the players' book,
    so that no position waits for them. live: works out lessons and chances, so that no move waits for a stranger's
    question. Without them all is one queue. asker: who asks, such as a client's address; ``MOST_OF_ONE`` of their
    questions are worked on at a time, so that they cannot keep all others from asking.
    """

    def __init__(
        self,
        worker: Worker,
        cache: Path | None = None,
        figures: Worker | None = None,
        live: Worker | None = None,
    ) -> None:
        self._positions = _Queue(worker)
        self._figures = self._positions if figures is None else _Queue(figures)
        self._live = self._positions if live is None else _Queue(live)
        self._askers: Counter[str] = Counter()
        self._asked_at: dict[tuple[object, ...], float] = {}
        self._cache = cache
        alone: tuple[Callable[..., Any], ...] = (write_receipt, write_ledger, weigh_losses, find_highlights)
        self._alone = {work: asyncio.Lock() for work in alone}
        self._found: OrderedDict[tuple[object, ...], asyncio.Future[Any]] = OrderedDict()

    async def by_flags(
        self, game: str, given: tuple[tuple[str, str], ...], code: str, *, asker: str = ""
    ) -> Answer | None:
        """The ranking of a position that flags describe, in the language of this code; None: not yet.

        Raises Refused("asks-waiting") or Refused("no-answer").
        """
        return await self._get((game, given, code), rank_position, game, given, code, self._cache, asker=asker)

    async def at_decision(self, text: str, number: int | None, code: str, *, asker: str = "") -> Answer | None:
        """The ranking at a decision of a record, from 1, or at its end; None: not yet. Raises Refused as above."""
        return await self._get((text, number, code), rank_decision, text, number, code, self._cache, asker=asker)

    async def of_day(self, games: tuple[str, ...], day: int, code: str) -> DayAnswer | None:
        """The position of a day, by its number, with its answer; None: not yet. Raises Refused as above."""
        return await self._get((games, day, code), rank_day, games, day, code, self._cache)

    async def of_drill(self, game: str, number: int, code: str, *, asker: str = "") -> DayAnswer | None:
        """A position of a game's drill, by its number, with its answer; None: not yet. Raises Refused as above."""
        return await self._get((game, number, code, "drill"), rank_drill, game, number, code, self._cache, asker=asker)

    def known_drill(self, game: str, number: int, code: str) -> DayAnswer | None:
        """That answer if it is known, which costs nobody anything."""
        found: DayAnswer | None = self._known((game, number, code, "drill"))
        return found

    async def figure(self, game: str, name: str, code: str, *, asker: str = "") -> FigureAnswer | None:
        """A figure of a game's best play; None: not yet. Raises Refused as above."""
        return await self._get(
            (game, name, code, "figure"), best_play_figure, game, name, code, self._cache, asker=asker
        )

    async def lesson(self, rules: HeaderRules, state: MatchState[Any], code: str) -> Lesson | NoAnswer | None:
        """The lesson at a decision of a match under way; None: not yet. Raises Refused as above."""
        return await self._get((LIVE, rules, state, code), teach, rules, state, code, self._cache)

    async def chances(
        self, rules: HeaderRules, states: tuple[MatchState[Any], ...], code: str
    ) -> SeatChances | NoAnswer | None:
        """Every seat's chances in these states, or at the start if there is none; None: not yet. Raises Refused."""
        key = (LIVE, rules, states, code)
        return await self._get(key, tell_chances, rules, states, code, self._cache)

    async def prices(
        self, game: str, rules: tuple[tuple[str, str], ...], part: str, code: str, *, asker: str = ""
    ) -> PricedPart | None:
        """A part of what the rules of a match come to; None: not yet. Raises Refused as above."""
        key = (game, rules, part, code, "prices")
        return await self._get(key, price_rules, game, rules, part, code, self._cache, asker=asker)

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
        return await self._get((HIGHLIGHTS, match, code), find_highlights, text, code, self._cache)

    async def receipt(self, match: tuple[str, int], text: str, code: str) -> Receipt | NoAnswer | None:
        """The receipt of a match that is over; text: its record. None: not yet. Raises Refused as above."""
        return await self._get((RECEIPT, match, code), write_receipt, text, code, self._cache)

    def known_losses(self, table: str) -> MatchLosses | NoAnswer | None:
        """What the seats of a table lost, if it is worked out already."""
        found: MatchLosses | NoAnswer | None = self._known((LOSSES, table))
        return found

    async def losses(self, table: str, text: str, but: frozenset[int]) -> MatchLosses | NoAnswer | None:
        """What the seats of a table lost whose match is over, but for these; text: its record. None: not yet.

        Raises as above.
        """
        return await self._get((LOSSES, table), weigh_losses, text, but, self._cache)

    async def solvable(self, rules: tuple[tuple[str, str], ...], code: str) -> NoAnswer | bool | None:
        """True if the house can solve a match of these rules; or why not. None: not yet. Raises as above."""
        return await self._get((rules, code, "solvable"), check_solvable, rules, code, self._cache)

    async def ledger(self, match: tuple[str, int], text: str) -> Ledger | NoAnswer:
        """What a match that is over says of each seat's play; text: its record. Raises Refused as above.

        Waits until it is worked out, as nobody waits for it: the players' book asks in the background.
        """
        found: Ledger | NoAnswer | None = None
        while found is None:
            found = await self._get((LEDGER, match), write_ledger, text, self._cache)
        return found

    async def _get(
        self, key: tuple[object, ...], work: Callable[..., T | None], *arguments: object, asker: str = ""
    ) -> T | None:
        """What some work comes to; None: not yet. Raises Refused as above."""
        future = self._found.get(key)
        if future is None:
            future = self._begin(key, work, arguments, asker)
        if not future.done():
            self._asked_at[key] = asyncio.get_running_loop().time()
        self._found.move_to_end(key)
        done, _ = await asyncio.wait([future], timeout=WAIT_S)
        if not done:
            return None
        try:
            found: T = future.result()
        except AbandonedError:  # it was given up just now
            return None
        except (BrokenExecutor, OSError):  # its process was ended, perhaps by a question too large for the machine
            raise Refused("no-answer") from None
        return found

    def _begin(
        self, key: tuple[object, ...], work: Callable[..., T | None], arguments: tuple[object, ...], asker: str
    ) -> "asyncio.Future[T]":
        """Have something worked out. Raises Refused("asks-waiting")."""
        queue = self._queue(work)
        if queue.waiting >= MOST_ASKED or (asker and self._askers[asker] >= MOST_OF_ONE):
            raise Refused("asks-waiting")
        self._asked_at[key] = asyncio.get_running_loop().time()
        future = self._found[key] = asyncio.ensure_future(self._work_out(key, work, *arguments))
        queue.waiting += 1
        self._askers[asker] += 1

        def ended(future: "asyncio.Future[T]") -> None:
            queue.waiting -= 1
            self._askers[asker] -= 1
            if not self._askers[asker]:
                del self._askers[asker]
            self._asked_at.pop(key, None)
            if future.cancelled() or future.exception() is not None:  # it is asked for again
                self._found.pop(key, None)

        future.add_done_callback(ended)
        self._drop()
        return future

    def _queue(self, work: Callable[..., Any]) -> _Queue:
        """Where some work waits."""
        if work in (best_play_figure, price_rules, write_ledger):
            return self._figures
        return self._live if work in (teach, tell_chances) else self._positions

    async def _work_out(self, key: tuple[object, ...], work: Callable[..., T | None], *arguments: object) -> T:
        """Work something out, part by part if it is done so: other questions have their turn between.

        Of each kind one at a time, as the worker keeps few that are begun. Raises AbandonedError.
        """
        queue = self._queue(work)
        async with self._alone.get(work, nullcontext()):
            while True:
                async with queue.one_at_a_time:
                    if asyncio.get_running_loop().time() - self._asked_at[key] > LEFT_AFTER_S:
                        raise AbandonedError
                    found = await queue.worker.run(work, *arguments)
                if found is not None:
                    return found

    def _drop(self) -> None:
        """Forget the answers longest unused; questions still worked on stay."""
        for kind, most in ((RECEIPT, MOST_RECEIPTS), (LIVE, MOST_LIVE)):
            self._keep([key for key in self._found if key[0] == kind], most)
        self._keep(list(self._found), MOST_KEPT)

    def _keep(self, keys: list[tuple[object, ...]], most: int) -> None:
        for key in [key for key in keys if self._found[key].done()][: max(0, len(keys) - most)]:
            del self._found[key]
