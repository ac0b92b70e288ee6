"""Answers to questions about positions, worked out in a process of their own and cached; nobody's table waits for them.

A question that takes longer than ``WAIT_S`` goes on in the background, and a later request gets its answer. Questions
wait in bounded queues, shared out by asker in turns (``FairLock``), and the latest answers are kept.
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
"""Answers cached, the latest used; questions of one queue that wait or are worked on; and those of one asker in all."""
LEFT_AFTER_S = 30.0
"""An answer worked out in parts is given up if nobody has asked for it for so long: pages ask again every 2 or 3 s."""
MOST_RECEIPTS = 24
"""Receipts among them: one takes up to 1 MB."""
MOST_TURNING_POINTS = 64
"""Turning points of matches among them: one takes up to 0.5 MB, and usually 10 KB."""
MOST_LIVE = 64
"""Lessons and chances of matches under way among them: each is asked for once or twice, and there are many."""
AT_TABLES: tuple[Callable[..., Any], ...] = (teach, tell_chances)
"""Work that matches under way ask for: a pub's many tables may have more of it at a time than ``MOST_OF_ONE``."""

AHEAD = "ahead"
"""The asker of what people are about to ask for. Its questions wait until nobody else's do."""


class AbandonedError(Exception):
    """Nobody asks any longer for what is being worked out."""


@dataclass(slots=True, eq=False)
class _Queue:
    """A worker, and the lock that hands it one question at a time."""

    worker: Worker
    turns: FairLock = field(default_factory=FairLock)


@dataclass(slots=True, eq=False)
class _Question:
    """A question to work out. asked_at: when somebody asked for it last (s, of the loop). places: the askers who wait
    for it, each with the task that waits for the worker. begun: those among them who have had a turn.
    """

    key: tuple[object, ...]
    queue: _Queue
    work: Callable[..., Any]
    arguments: tuple[object, ...]
    asked_at: float = 0.0
    answer: "asyncio.Future[Any]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    places: "dict[str, asyncio.Task[None]]" = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)


class Answers:
    """The house's answers. cache: the folder in which solutions are kept.

    figures: works out pages of best play and of prices, of which a first one may take a minute, and the players' book,
    so that no position waits for them. live: works out lessons and chances, so that no move waits for a stranger's
    question. Without them all is one queue.

    asker: by whom a question is counted, a client's address or ``TableActor.asker``. They take turns, so a question
    waits for about one of each other asker's, however many those have; ``MOST_OF_ONE`` of an asker's are worked on at a
    time, and in a full queue the asker with the most makes room. A question that several ask has a place for each of
    them, as long as no other question needs it.
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
    def delays_nobody(self) -> bool:
        """True if answers are worked out beside the house, and not where moves wait for them, as in a browser."""
        return not isinstance(self._positions.worker, DirectWorker)

    async def ask(
        self, asker: str, work: Callable[Concatenate[Path | None, P], T], *given: P.args, **named: P.kwargs
    ) -> T | None:
        """The result of a job of ``server.jobs``; None: not yet.

        Raises Refused("asks-waiting") or Refused("no-answer").
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
        except AbandonedError:  # it was given up just now
            return None
        except (BrokenExecutor, OSError):  # its process was ended, perhaps by a question too large for the machine
            raise Refused("no-answer") from None
        return found

    def known(self, work: Callable[Concatenate[Path | None, P], T], *given: P.args, **named: P.kwargs) -> T | None:
        """The result of a job if it is worked out already, which costs nobody anything; else None."""
        assert not named, "a worker takes no keywords"
        key = (work, *given)
        future = self._found.get(key)
        if future is None or not future.done() or future.exception() is not None:
            return None
        self._found.move_to_end(key)
        found: T = future.result()
        return found

    def is_asked(self, work: Callable[Concatenate[Path | None, P], T], *given: P.args, **named: P.kwargs) -> bool:
        """True if a job is being worked out: who asks for it now need not have what it is worked out from."""
        assert not named, "a worker takes no keywords"
        return (work, *given) in self._asked

    def _take_place(self, question: _Question, asker: str) -> None:
        """Have something worked out for an asker, unless it is already. Raises Refused("asks-waiting")."""
        if asker in question.places:
            return
        try:
            lost = self._room_made(question, asker)
        except Refused:
            if question.places:  # it comes in another's turn
                return
            raise
        self._asked[question.key], self._found[question.key] = question, question.answer
        question.places[asker] = asyncio.ensure_future(self._work_out(question, asker))
        if lost is not None:  # only now: it may be the last other place of this question, which would end with it
            last, its = lost
            last.places[its].cancel()
            self._leave(last, its)
        self._drop()

    def _room_made(self, question: _Question, asker: str) -> tuple[_Question, str] | None:
        """The place, by its question and asker, to be lost for one more of an asker; None: there is room.

        Raises Refused("asks-waiting").

        A full queue loses the latest place of the question with the most places, so that a question that many ask takes
        no room from others; where each has one, that of the asker with the most, if it has two more than this asker.
        For a question that waits already nothing else is lost than another place of it, by the same rule.
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
        """Give an asker's place back; the last one takes the question with it."""
        if question.places.pop(asker, None) is not None and not question.places:
            self._end(question, Refused("asks-waiting"))

    def _end(self, question: _Question, found: object) -> None:
        """Tell what a question came to, an error if it came to nothing, once all its places are given back: its askers
        may ask for something else with the answer in their hands.
        """
        for task in question.places.values():
            if task is not asyncio.current_task():
                task.cancel()
        question.places.clear()
        del self._asked[question.key]
        if isinstance(found, Exception):
            del self._found[question.key]  # it may be asked for again
            question.answer.set_exception(found)
            question.answer.exception()  # perhaps nobody waits for it
        else:
            question.answer.set_result(found)

    def _queue(self, work: Callable[..., Any]) -> _Queue:
        """The queue of some work."""
        if work in (best_play_figure, price_rules, write_ledger):
            return self._figures
        return self._live if work in AT_TABLES else self._positions

    async def _work_out(self, question: _Question, asker: str) -> None:
        """Work a question out, part by part if it is done so: other questions have their turn between.

        Of each kind one at a time, as the worker keeps few that are begun.
        """
        alone, queue, found = self._alone.get(question.work), question.queue, None
        if asker == AHEAD:
            alone = self._ahead  # it may wait long for the worker: nobody else's is to wait for that
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
        """Forget the answers longest unused; questions still worked on stay."""
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
