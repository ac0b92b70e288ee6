"""Findings about a house, in sentences, and what a doctor knows of the house that it looks at."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from pathlib import Path

from pubdice.core.errors import NotStored
from pubdice.text.language import Language

MB = 1_000_000
LEAST_FREE = 50 * MB
"""Bytes on the disk below which a house will soon save no move."""
WITHIN_S = 5.0
"""The time that somebody who is asked has to answer."""
OLDEST_MS = 1_767_225_600_000
"""The first of January 2026: a clock that shows less was never set."""


class Urgency(Enum):
    """The urgency of what the doctor found."""

    FINE = auto()
    LOOK = auto()
    WRONG = auto()


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence of the doctor's."""

    urgency: Urgency
    said: str


@dataclass(frozen=True, slots=True)
class Patient:
    """A house that is looked at. home: the platform's folder, which a house makes; address: the one people type
    (``trusted_hosts.read_address``), or "".

    trouble: the sentence for an error of the store. root: of the system's files. least_free: bytes on the disk.
    """

    host: str
    port: int
    address: str
    home: Path | None
    now_ms: int
    language: Language
    trouble: Callable[[NotStored], str]
    root: Path = Path("/")
    least_free: int = LEAST_FREE


def minute(ms: int) -> str:
    """A time in ms since 1970, to the minute."""
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
