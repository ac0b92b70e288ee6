"""What whoever runs the house can see of it: figures for Prometheus, and a log of one JSON line an event.

Knows no names, and lets none out: of the texts in a log entry only those under the keys in ``PLAIN`` stand there as
they are; addresses, tables and persons are written as a hash with a salt that dies with the process, so that the lines
of one evening can be put together and no two evenings'. Of an error the kind and the places are kept, no message.
"""

import json
import logging
import os
import re
import sys
import traceback
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import IO

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
PLAIN = ("route", "method", "refusal", "game", "version", "signal")
"""Keys whose texts are ours, not people's."""
_OURS = re.compile(r"[A-Za-z0-9 _./{}:<>+-]{0,80}")
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_LOG = logging.getLogger("pubdice")


class Counter:
    """A figure that only grows, one for every set of labels; also a gauge, if it is set."""

    def __init__(self, name: str, said: str, labels: Sequence[str] = (), kind: str = "counter") -> None:
        self.name, self._said, self._labels, self._kind = name, said, tuple(labels), kind
        self._values: dict[tuple[str, ...], float] = {} if labels else {(): 0}

    def add(self, *labels: str, by: float = 1) -> None:
        """Count one more, or as many as ``by``."""
        self._values[labels] = self._values.get(labels, 0) + by

    def set(self, value: float, *labels: str) -> None:
        """Say how many there are now."""
        self._values[labels] = value

    def value(self, *labels: str) -> float:
        """The figure as it stands."""
        return self._values.get(labels, 0)

    def lines(self) -> Iterable[str]:
        """The figure in Prometheus' text format."""
        yield from _head(self.name, self._said, self._kind)
        for labels, value in sorted(self._values.items()):
            yield f"{self.name}{_labels(zip(self._labels, labels, strict=True))} {value:g}"


class Histogram:
    """How long something took, in seconds, as counts up to bounds."""

    def __init__(self, name: str, said: str, bounds_s: Sequence[float] = _SECONDS) -> None:
        self.name, self._said, self._bounds_s = name, said, tuple(bounds_s)
        self._counts = [0] * (len(self._bounds_s) + 1)
        self._sum_s = 0.0

    def add(self, seconds: float) -> None:
        """Count one that took so long."""
        self._counts[bisect_left(self._bounds_s, seconds)] += 1
        self._sum_s += seconds

    def lines(self) -> Iterable[str]:
        """The figure in Prometheus' text format."""
        yield from _head(self.name, self._said, "histogram")
        total = 0
        for bound, count in zip((*map(str, self._bounds_s), "+Inf"), self._counts, strict=True):
            total += count
            yield f'{self.name}_bucket{{le="{bound}"}} {total}'
        yield f"{self.name}_sum {self._sum_s:.9g}"
        yield f"{self.name}_count {total}"


class Figures:
    """All figures of one house."""

    def __init__(self) -> None:
        self.moves = Counter("pubdice_moves_total", "Commands done and stored.")
        self.refused = Counter("pubdice_refused_total", "Requests refused, by code.", ("code",))
        self.requests = Counter("pubdice_requests_total", "Requests answered.", ("route", "status"))
        self.faults = Counter("pubdice_faults_total", "Requests that went wrong inside the house.")
        self.streams = Counter("pubdice_streams", "Event streams open now.", kind="gauge")
        self.tables = Counter("pubdice_tables", "Tables live now.", kind="gauge")
        self.commits = Histogram("pubdice_commit_seconds", "From handing events to the store to their being durable.")
        self.commands = Histogram("pubdice_command_seconds", "From a command's arrival to its answer.")

    def text(self) -> str:
        """All of them, as /metrics serves them."""
        lines = [line for figure in vars(self).values() for line in figure.lines()]
        lines += _head("process_resident_memory_bytes", "Resident memory.", "gauge")
        return "\n".join([*lines, f"process_resident_memory_bytes {resident_bytes()}", ""])


class Journal:
    """Writes events of the house; its salt comes from outside and is kept nowhere."""

    def __init__(self, salt: bytes) -> None:
        self._salt = salt

    def write(self, event: str, /, level: int = logging.INFO, **facts: object) -> None:
        """An event and its facts: numbers and texts of ours as they are, every other text as its hash."""
        _LOG.log(level, event, extra={"facts": {key: self._told(key, fact) for key, fact in facts.items()}})

    def failed(self, error: BaseException, **facts: object) -> None:
        """Something that should not have happened: what kind of error, and where, without its message."""
        told = {key: self._told(key, fact) for key, fact in facts.items()}
        _LOG.error("failed", extra={"facts": told | error_facts(error)})

    def alias(self, text: str) -> str:
        """What stands for a text in this process's log."""
        return blake2b(text.encode(), key=self._salt[:64], digest_size=6).hexdigest()

    def _told(self, key: str, fact: object) -> object:
        if fact is None or isinstance(fact, bool | int | float):
            return fact
        text = str(fact)
        return text if key in PLAIN and _OURS.fullmatch(text) else self.alias(text)


class JsonLines(logging.Formatter):
    """A log entry as one line of JSON. Of other libraries' entries the sentence is kept, without what fills it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        entry: dict[str, object] = {"at": at, "level": record.levelname.lower(), "event": str(record.msg).strip()}
        entry |= getattr(record, "facts", {})
        if record.exc_info and record.exc_info[1]:
            entry |= error_facts(record.exc_info[1])
        return json.dumps(entry, ensure_ascii=True)


def _is_news(record: logging.LogRecord) -> bool:
    """Whatever is no HTTP is nobody's fault here, and whoever sends it could fill the log."""
    return record.msg != "Invalid HTTP request received."


def start_log(stream: IO[str] | None = None, level: int = logging.INFO) -> Callable[[], None]:
    """Send the whole process's log to a stream (stderr), a line of JSON an event. What it gives back ends that."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(_is_news)
    root = logging.getLogger()
    root.addHandler(handler)
    _LOG.setLevel(level)

    def end() -> None:
        root.removeHandler(handler)

    return end


def error_facts(error: BaseException) -> dict[str, object]:
    """An error without its message: its kind, and the places it came through, the last first."""
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    return {
        "error": type(error).__name__,
        "places": [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames)],
    }


def resident_bytes() -> int:
    """Resident memory of the process; where the system does not tell, the most it ever was; 0 if not even that."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        try:
            import resource  # noqa: PLC0415 - not on every system
        except ImportError:
            return 0
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")


def _head(name: str, said: str, kind: str) -> list[str]:
    return [f"# HELP {name} {said}", f"# TYPE {name} {kind}"]


def _labels(pairs: Iterable[tuple[str, str]]) -> str:
    told = ",".join(f'{key}="{_escaped(value)}"' for key, value in pairs)
    return f"{{{told}}}" if told else ""


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
