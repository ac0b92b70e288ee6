"""Answers to questions about positions, worked out in worker processes and cached. No table waits for them.

A question that takes longer than ``WAIT_S`` goes on in the background, and a later request gets its answer. Questions
wait in bounded queues. Askers take turns in each queue (``FairLock``).
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from pubdice.core.errors import Refused
from pubdice.server.fair_lock import FairLock
from pubdice.server.jobs import (
    best_play_figure,
    find_highlights,
    find_turning_point,
    price_rules,
    teach,
    tell_chances,
    weigh_losses,
    write_ledger,
    write_receipt,
)
from pubdice.server.processes import DirectWorker, Worker

P = ParamSpec("P")
T = TypeVar("T")

WAIT_S = 2.0
"""The time that a request waits for an answer."""
MOST_KEPT, MOST_ASKED, MOST_OF_ONE = 256, 32, 6
"""The most answers in the cache (LRU), questions in one queue, and questions of one asker in all queues."""
LEFT_AFTER_S = 30.0
"""If no request asks for a question in parts for this time, it is abandoned. Pages ask every 2 or 3 s."""
MOST_RECEIPTS = 24
"""The most receipts in the cache. One takes up to 1 MB."""
MOST_TURNING_POINTS = 64
"""The most turning points in the cache. One takes up to 0.5 MB, and usually 10 KB."""
MOST_LIVE = 64
"""The most lessons and chances of running matches in the cache. They are many, and each is asked for once or twice."""
AT_TABLES: tuple[Callable[..., Any], ...] = (teach, tell_chances)
"""Jobs of running matches. ``MOST_OF_ONE`` does not limit them, because the many tables of a pub share one address."""

AHEAD = "ahead"
"""The asker of questions worked out in advance. Such a question waits until no other question waits."""


class AbandonedError(Exception):
    """The question was given up, because no request has asked for its answer for a while."""


@dataclass(slots=True, eq=False)
class _Queue:
    """A worker, and the lock that hands the worker one question at a time."""

    worker: Worker
    turns: FairLock = field(default_factory=FairLock)


@dataclass(slots=True, eq=False)
class _Question:
    """A question to work out. ``places`` maps each asker who waits for the answer to its task."""

    key: tuple[object, ...]
    queue: _Queue
    work: Callable[..., Any]
    arguments: tuple[object, ...]
    asked_at: float = 0.0  # the time of the latest request for it, in s of the event loop's clock
    answer: "asyncio.Future[Any]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    places: "dict[str, asyncio.Task[None]]" = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)  # the askers in ``places`` who have had a turn


class Answers:
    """The house's answers, from up to three workers with a queue each.

    ``worker`` works out positions, ``figures`` pages of best play and of prices and the players' book, ``live`` lessons
    and chances. So no position waits for a page of best play, which may take a minute, and no move for a stranger's
    question. Without ``figures`` and ``live`` there is one queue. ``cache`` is the folder of solutions.

    A question is counted under its asker: a client's address, or ``TableActor.asker``. Askers take turns, so a question
    waits for about one question of each other asker. ``MOST_OF_ONE`` of an asker's questions are accepted at a time. In
    a full queue the busiest asker makes room. A question that several askers ask has a place for each of them, until
    other questions need the places.
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
        self._asked: dict[tuple[object, ...], _Question] = {}
        self._cache = cache
        alone: tuple[Callable[..., Any], ...] = (
            write_receipt, write_ledger, weigh_losses, find_highlights, find_turning_point,
        )  # fmt: skip
        self._alone = {work: FairLock() for work in alone}
        self._ahead = FairLock()
        self._found: OrderedDict[tuple[object, ...], asyncio.Future[Any]] = OrderedDict()

    @property
    def in_background(self) -> bool:
        """True if another process or thread works out answers. False in a browser: there, they hold up moves."""
        return not isinstance(self._positions.worker, DirectWorker)

    async def ask(
        self, asker: str, work: Callable[Concatenate[Path | None, P], T], *given: P.args, **named: P.kwargs
    ) -> T | None:
        """Return the result of a job of ``server.jobs``, or None if it is not ready within ``WAIT_S``.

        Raises Refused("asks-waiting") if the queue is full, and Refused("no-answer") if the worker process died.
        """
        assert not named, "a worker takes no keywords"
        key, now = (work, *given), asyncio.get_running_loop().time()
        future = self._found.get(key)
        if future is None or not future.done() or future.exception() is not None:  # an error is no answer: try again
            question = self._asked.get(key) or _Question(key, self._queue(work), work, (self._cache, *given))
            question.asked_at = now
            self._take_place(question, asker)
            future = question.answer
        self._found.move_to_end(key)
        done, _ = await asyncio.wait([future], timeout=WAIT_S)
        if not done:
            return None
        try:
            found: T = future.result()
        except AbandonedError:  # it was abandoned just now
            return None
        except (BrokenExecutor, OSError):  # the process died, perhaps of a question too large for the machine
            raise Refused("no-answer") from None
        return found

    def known(self, work: Callable[Concatenate[Path | None, P], T], *given: P.args, **named: P.kwargs) -> T | None:
        """Return the result of a job if it is in the cache, else None. Starts no work."""
        assert not named, "a worker takes no keywords"
        key = (work, *given)
        future = self._found.get(key)
        if future is None or not future.done() or future.exception() is not None:
            return None
        self._found.move_to_end(key)
        found: T = future.result()
        return found

    def is_asked(self, work: Callable[Concatenate[Path | None, P], T], *given: P.args, **named: P.kwargs) -> bool:
        """Return True if a job is being worked out. The caller then need not load the job's arguments to ask again."""
        assert not named, "a worker takes no keywords"
        return (work, *given) in self._asked

    def _take_place(self, question: _Question, asker: str) -> None:
        """Give an asker a place at a question, and start to work the question out. Raises Refused("asks-waiting")."""
        if asker in question.places:
            return
        try:
            lost = self._room_made(question, asker)
        except Refused:
            if question.places:  # this asker gets its answer in the turn of another asker
                return
            raise
        self._asked[question.key], self._found[question.key] = question, question.answer
        question.places[asker] = asyncio.ensure_future(self._work_out(question, asker))
        if lost is not None:  # only now, because a question ends with its last place
            last, its = lost
            last.places[its].cancel()
            self._leave(last, its)
        self._drop()

    def _room_made(self, question: _Question, asker: str) -> tuple[_Question, str] | None:
        """Choose a place to give up for a new place of this asker. None if the queue has room.

        A place is returned as its question and its asker.

        A full queue gives up the latest place of the question with the most places, so a popular question takes no room
        from others. If each question has one place, it gives up a place of the busiest asker, if that asker holds at
        least two places more than this asker. If this question has a place already, only the second rule applies. A
        place that has had a turn is never given up.

        Raises Refused("asks-waiting") if no place can be given up.
        """
        in_all = [(each, by) for each in self._asked.values() for by in each.places]
        own = sum(by == asker and each.work not in AT_TABLES for each, by in in_all)
        if question.work not in AT_TABLES and own >= MOST_OF_ONE:
            raise Refused("asks-waiting")
        places = [(each, by) for each, by in in_all if each.queue is question.queue]
        if len(places) < MOST_ASKED:
            return None
        held = Counter(by for _, by in places)
        waiting = [(each, by) for each, by in places if by not in each.begun]
        spare = [(each, by) for each, by in waiting if len(each.places) > 1]
        if question.places or not spare:
            spare = [(each, by) for each, by in waiting if held[by] >= held[asker] + 2]
        if question.places:
            spare = [(each, by) for each, by in spare if each is question]
        if not spare:
            raise Refused("asks-waiting")
        return max(reversed(spare), key=lambda place: (len(place[0].places), held[place[1]]))

    def _leave(self, question: _Question, asker: str) -> None:
        """Give back an asker's place. The last place takes the question with it."""
        if question.places.pop(asker, None) is not None and not question.places:
            self._end(question, Refused("asks-waiting"))

    def _end(self, question: _Question, found: object) -> None:
        """Give back all places of a question, then publish its result or error. Its askers may then ask again."""
        for task in question.places.values():
            if task is not asyncio.current_task():
                task.cancel()
        question.places.clear()
        del self._asked[question.key]
        if isinstance(found, Exception):
            del self._found[question.key]  # the next request asks again
            question.answer.set_exception(found)
            question.answer.exception()  # marks it as retrieved, as perhaps no request waits for it
        else:
            question.answer.set_result(found)

    def _queue(self, work: Callable[..., Any]) -> _Queue:
        if work in (best_play_figure, price_rules, write_ledger):
            return self._figures
        return self._live if work in AT_TABLES else self._positions

    async def _work_out(self, question: _Question, asker: str) -> None:
        """Work a question out, part by part. Other questions have their turn between parts.

        At most one question of each kind in ``_alone`` is under way, as the worker keeps few unfinished jobs.
        """
        alone, queue, found = self._alone.get(question.work), question.queue, None
        if asker == AHEAD:
            alone = self._ahead  # it may wait long for the worker, and other askers' questions must not wait behind it
        try:
            async with nullcontext() if alone is None else alone.turn(asker):
                while found is None:
                    async with queue.turns.turn(asker, int(asker == AHEAD)):
                        question.begun.add(asker)
                        if asyncio.get_running_loop().time() - question.asked_at > LEFT_AFTER_S:
                            raise AbandonedError
                        found = await queue.worker.run(question.work, *question.arguments)
        except asyncio.CancelledError:
            self._leave(question, asker)
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the asker gets it
            found = error
        self._end(question, found)

    def _drop(self) -> None:
        """Drop the least recently used answers above each limit. Unfinished questions stay."""
        for kinds, most in (
            ((write_receipt,), MOST_RECEIPTS),
            ((find_turning_point,), MOST_TURNING_POINTS),
            (AT_TABLES, MOST_LIVE),
        ):
            self._keep([key for key in self._found if key[0] in kinds], most)
        self._keep(list(self._found), MOST_KEPT)

    def _keep(self, keys: list[tuple[object, ...]], most: int) -> None:
        for key in [key for key in keys if self._found[key].done()][: max(0, len(keys) - most)]:
            del self._found[key]
