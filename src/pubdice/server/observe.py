"""Observability for the operator: metrics, and an event log with one JSON line an event.

Logs no names. Only texts under the keys in ``PLAIN`` are logged as they are. Addresses, tables and persons are logged
as hashes. Their salt dies with the process, so lines of two processes can't be linked. An error is logged with its type
and its places in the code, without its message.
"""

import asyncio
import json
import logging
import re
import sys
import time
import traceback
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from time import perf_counter
from typing import IO

PLAIN = ("route", "method", "refusal", "game", "version", "signal", "command", "do", "package", "server", "before")
"""Keys whose texts come from the program, not from people."""
_OURS = re.compile(r"[A-Za-z0-9 _./{}:<>+-]{0,120}")
BOUNDS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The upper bounds of a histogram's buckets."""
THREAD_TIME: Callable[[], float] = getattr(time, "thread_time", time.process_time)
"""The processor time of this thread in s. A browser's Python has one thread, and measures the whole process."""
_LOG = logging.getLogger("pubdice")


class Durations:
    """A histogram of durations as counts between bounds. To add a duration is a search in eleven bounds, without a
    lock.
    """

    __slots__ = ("_counts", "sum_s")

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS_S) + 1)
        self.sum_s = 0.0

    def add(self, seconds: float) -> None:
        """Count one duration."""
        self._counts[bisect_left(BOUNDS_S, seconds)] += 1
        self.sum_s += seconds

    def buckets(self) -> list[tuple[str, int]]:
        """Return the cumulative count up to each bound. The last bound is "+Inf"."""
        return list(zip((*map(str, BOUNDS_S), "+Inf"), accumulate(self._counts), strict=True))


class Metrics:
    """The counters of one house, as plain numbers. One event loop counts, so there are no locks.

    - moves: commands done and stored.
    - refused: refusals by code.
    - requests: answers by route and status.
    - faults: requests that failed by a fault of ours.
    - commits: times from handing events to the store until they are durable.
    - commands: times from a command's arrival to its answer.
    - loop_lag: the delay of the event loop's timers (``LoopLag``).
    """

    __slots__ = ("commands", "commits", "faults", "loop_lag", "moves", "refused", "requests")

    def __init__(self) -> None:
        self.moves = self.faults = 0
        self.refused: Counter[str] = Counter()
        self.requests: Counter[tuple[str, int]] = Counter()
        self.commits, self.commands, self.loop_lag = Durations(), Durations(), Durations()


class EventLog:
    """Writes events of the house. The caller gives the salt of the hashes. It is stored nowhere."""

    def __init__(self, salt: bytes) -> None:
        self._salt = salt

    def write(self, event: str, /, level: int = logging.INFO, **facts: object) -> None:
        """Log an event and its facts: numbers and our texts as they are, every other text as a hash."""
        _LOG.log(level, event, extra={"facts": {key: self._loggable(key, fact) for key, fact in facts.items()}})

    def failed(self, error: BaseException, **facts: object) -> None:
        """Log an unexpected error: its type and its place, without its message."""
        told = {key: self._loggable(key, fact) for key, fact in facts.items()}
        _LOG.error("failed", extra={"facts": told | error_facts(error)})

    def alias(self, text: str) -> str:
        """Return the alias of a text in this process's log."""
        return blake2b(text.encode(), key=self._salt[:64], digest_size=6).hexdigest()

    def _loggable(self, key: str, fact: object) -> object:
        if fact is None or isinstance(fact, bool | int | float):
            return fact
        text = str(fact)
        return text if key in PLAIN and _OURS.fullmatch(text) else self.alias(text)


SAMPLE_S = 0.005
HELD_S = 0.01
LOGGED_EVERY_S = 1.0
"""The interval of lag samples during requests, the least lag that is logged, and the least time between two entries."""


def _soon(delay_s: float, do: Callable[[], None]) -> object:
    return asyncio.get_running_loop().call_later(delay_s, do)


class LoopLag:
    """Event loop lag: the delay of a timer, sampled while requests come, and the requests that held the loop.

    It costs nothing without requests. It finds every time that the loop is held for ``SAMPLE_S`` + ``HELD_S`` or
    longer, and most that are longer than ``HELD_S``. A log entry ``loop-held`` has the time in ms, and for how many of
    them this thread computed. If a request held the loop, the entry has the route whose answer ended the longest
    stretch. If this thread computed little, the machine, the disk or another thread held the loop.

    ``after`` is a timer of the event loop. ``clock`` and ``computed`` (this thread's processor time) are in seconds.
    The loop's own clock would not do, because it stands still while the loop is held.
    """

    def __init__(
        self,
        lag: Durations,
        log: Callable[..., None],
        after: Callable[[float, Callable[[], None]], object] = _soon,
        clock: Callable[[], float] = perf_counter,
        computed: Callable[[], float] = THREAD_TIME,
    ) -> None:
        self._lag, self._log, self._after, self._clock, self._computed = lag, log, after, clock, computed
        self._due = self._at = self._longest = self._cpu = 0.0
        self._logged_at = -LOGGED_EVERY_S
        self._route: str | None = None
        self._sampling = self._busy = False

    def begins(self) -> None:
        """Note the arrival of a request."""
        self._at = self._clock()
        self._busy = True
        if not self._sampling:
            self._sampling, self._cpu = True, self._computed()
            self._sample()

    def ends(self, route: str) -> None:
        """Note an answer under this route. The loop may have worked on it since the last arrival or answer."""
        now = self._clock()
        if now - self._at > self._longest:
            self._longest, self._route = now - self._at, route
        self._at = now

    def _sample(self) -> None:
        self._due, self._longest, self._busy = self._clock() + SAMPLE_S, 0.0, False
        self._after(SAMPLE_S, self._came)

    def _came(self) -> None:
        now, cpu = self._clock(), self._computed()
        late = max(0.0, now - self._due)
        self._lag.add(late)
        if late > HELD_S and now - self._logged_at >= LOGGED_EVERY_S:
            self._logged_at = now
            route = self._route if self._longest > late / 2 else None
            ms, computed_ms = (round(1000 * seconds, 1) for seconds in (late, cpu - self._cpu))
            self._log("loop-held", ms=ms, computed_ms=computed_ms, route=route)
        self._cpu, self._sampling = cpu, self._busy
        if self._busy:
            self._sample()


class JsonLines(logging.Formatter):
    """A log entry as one line of JSON. Entries of other libraries keep their message's template, without its values."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the entry as one JSON object."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        entry: dict[str, object] = {"at": at, "level": record.levelname.lower(), "event": str(record.msg).strip()}
        entry |= getattr(record, "facts", {})
        if record.exc_info and record.exc_info[1]:
            entry |= error_facts(record.exc_info[1])
        return json.dumps(entry, ensure_ascii=True)


def _is_news(record: logging.LogRecord) -> bool:
    """Return True if an entry is worth logging. Two kinds are not.

    Bytes that are not HTTP are no fault of the house, and their sender could fill the log. When the house stops, each
    request that is cut off would be a line, and there may be hundreds. uvicorn logs it once.
    """
    cut_off = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return record.msg != "Invalid HTTP request received." and not cut_off


def start_log(stream: IO[str] | None = None, level: int = logging.INFO) -> Callable[[], None]:
    """Send the whole process's log to a stream (stderr), a line of JSON an event. Return a function that ends this."""
    return _start([logging.StreamHandler(stream or sys.stderr)], level)


MOST_LOGGED = 1_000_000
"""The most bytes of a log file. A full one gets a second name, and the one before it is lost."""


def _log_file(file: Path) -> logging.Handler:
    """Return a handler that writes to a file. Raises OSError if it can't be opened."""
    from logging.handlers import RotatingFileHandler  # noqa: PLC0415  a pocket's Python has no such module

    handler = RotatingFileHandler(file, maxBytes=MOST_LOGGED, backupCount=1, encoding="utf-8")
    # A full disk loses the entry. It is no reason to fill the terminal with tracebacks.
    handler.handleError = lambda record: None  # type: ignore[method-assign]
    return handler


class _Alarm(logging.Handler):
    """Calls a function at the first error, and at no later one."""

    def __init__(self, tell: Callable[[], object]) -> None:
        super().__init__(logging.ERROR)
        self._tell: Callable[[], object] | None = tell

    def emit(self, record: logging.LogRecord) -> None:
        """Note an error."""
        tell, self._tell = self._tell, None
        if tell is not None:
            with suppress(OSError, ValueError):  # the terminal is gone
                tell()


def start_quiet_log(file: Path | None, tell: Callable[[bool], object]) -> Callable[[], None]:
    """Keep the whole process's log off a terminal: in a file, if one is named. Return a function that ends this.

    ``tell`` is called at the first error. It gets True if the file keeps the log, and False if it can't be written.
    """
    kept: list[logging.Handler] = []
    if file is not None:
        with suppress(OSError):
            kept.append(_log_file(file))
    return _start([*kept, _Alarm(partial(tell, bool(kept)))], logging.INFO)


def _start(handlers: Sequence[logging.Handler], level: int) -> Callable[[], None]:
    root = logging.getLogger()
    for handler in handlers:
        handler.setFormatter(JsonLines())
        handler.addFilter(_is_news)
        root.addHandler(handler)
    _LOG.setLevel(level)

    def end() -> None:
        for handler in handlers:
            root.removeHandler(handler)
            if isinstance(handler, logging.FileHandler):
                handler.close()

    return end


def error_facts(error: BaseException) -> dict[str, object]:
    """Describe an error without its message: its type, and the places in the code it came through, innermost first."""
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    return {
        "error": type(error).__name__,
        "places": [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames)],
    }
