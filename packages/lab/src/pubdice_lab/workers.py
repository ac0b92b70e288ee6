"""Distributes tasks to processes, to a Dask cluster or to any executor, and collects the results in order."""

import logging
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import islice
from multiprocessing import active_children, get_context
from typing import Any, TypeVar

from pubdice.core.errors import Refused
from pubdice_lab.players import RUNNING, kill_group

T = TypeVar("T")
Task = TypeVar("Task", bound=tuple[Any, ...])

MOST_WORKERS = 64
CLUSTER_WITHIN_S = 5.0
"""The seconds in which a cluster must answer."""
LOOKS_S = 10.0
"""The seconds without a result after which it is checked that workers are left."""


@dataclass(frozen=True, slots=True)
class Workers:
    """The workers of an executor. Without an executor, the tasks run in this process.

    ``look`` raises Refused if no worker is left.
    """

    executor: Executor | None = None
    number: int = 1
    look: Callable[[], None] | None = None

    def in_order(self, work: Callable[..., T], tasks: Iterable[Task]) -> Iterator[tuple[Task, T]]:
        """Yield each task with its result, in the order of the tasks. Raises Refused("worker-died").

        Two tasks for each worker are under way or waiting. Further tasks are not yet sent.
        """
        if self.executor is None:
            for task in tasks:
                yield task, work(*task)
            return
        waiting, left = deque[tuple[Task, Future[T]]](), iter(tasks)
        try:
            while True:
                more = islice(left, 2 * self.number - len(waiting))
                waiting += [(task, self.executor.submit(work, *task)) for task in more]
                if not waiting:
                    return
                task, future = waiting.popleft()
                while self.look and not wait([future], LOOKS_S).done:
                    self.look()
                yield task, future.result()
        except BrokenExecutor:
            raise Refused("worker-died") from None
        finally:
            for _, future in waiting:
                future.cancel()


def started(
    number: int, executor: Executor | None = None, cluster: str | None = None
) -> AbstractContextManager[Workers]:
    """Start workers for the block. Raises Refused ("no-dask", "no-cluster", "no-cluster-workers")."""
    if cluster is not None:
        return _cluster(cluster)
    return nullcontext(Workers(executor, number)) if executor or number == 1 else _processes(number)


def _begin() -> None:
    """Set up the signals of a worker process.

    It ignores Ctrl-C, because only the main process handles that. On SIGTERM it kills the programs of players and
    exits.
    """

    def end(*_: object) -> None:
        for group in RUNNING:
            kill_group(group)
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, end)


@contextmanager
def _processes(number: int) -> Iterator[Workers]:
    """Yield workers that are processes of our own. If the block ends early, they are terminated."""
    others = set(active_children())
    with ProcessPoolExecutor(number, get_context("spawn"), _begin) as pool:
        try:
            yield Workers(pool, number)
        except BaseException:
            for each in set(active_children()) - others:
                each.terminate()
            raise


@contextmanager
def _cluster(address: str) -> Iterator[Workers]:
    """Yield workers on a Dask cluster. If one of them dies, another one repeats its task."""
    try:
        import distributed  # noqa: PLC0415  heavy, and an extra
    except ModuleNotFoundError:
        raise Refused("no-dask") from None
    dask: Any = distributed  # the package has no type hints
    for name in [name for name in logging.root.manager.loggerDict if name.startswith(("distributed", "tornado"))]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # a lost cluster is reported in a sentence of ours
    try:
        # "none", because for "" Dask would start a cluster here
        client = dask.Client(address or "none", timeout=CLUSTER_WITHIN_S)
    except Exception:  # noqa: BLE001 each kind of address fails in its own way
        raise Refused("no-cluster", address=address) from None
    with client:
        try:
            client.wait_for_workers(1, CLUSTER_WITHIN_S)
        except TimeoutError:
            raise Refused("no-cluster-workers", address=address) from None

        def look() -> None:
            """Raise Refused if no worker is left. A Dask client does not notice that, nor that the scheduler has
            ended.
            """
            try:
                client.wait_for_workers(1, CLUSTER_WITHIN_S)
            except Exception:  # noqa: BLE001  each end fails in its own way
                raise Refused("worker-died") from None

        try:
            yield Workers(client.get_executor(), max(1, sum(client.nthreads().values())), look)
        except (CancelledError, OSError, dask.KilledWorker):
            raise Refused("worker-died") from None
