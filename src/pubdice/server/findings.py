"""Findings about a house, in sentences, and what a doctor knows about the house."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from pathlib import Path

from pubdice.core.errors import NotStored
from pubdice.text.language import Language

MB = 1_000_000
LEAST_FREE = 50 * MB
"""The free bytes that the disk should have. With less, a house will soon fail to save moves."""
WITHIN_S = 5.0
"""The time that a server has to answer the doctor."""
OLDEST_MS = 1_767_225_600_000
"""1 January 2026 in ms since 1970. A clock that shows less was never set."""


class Urgency(Enum):
    """The urgency of a finding."""

    FINE = auto()
    LOOK = auto()
    WRONG = auto()


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence of the doctor."""

    urgency: Urgency
    said: str


@dataclass(frozen=True, slots=True)
class Patient:
    """A house for the doctor to look at."""

    host: str
    port: int
    address: str  # the address that people type (``trusted_hosts.read_address``), or ""
    home: Path | None  # the platform's folder, which a house makes itself
    now_ms: int
    language: Language
    trouble: Callable[[NotStored], str]  # the sentence for an error of the store
    named: bool = False  # True if the operator named the place, so tables are expected there
    root: Path = Path("/")  # the root of the file system
    least_free: int = LEAST_FREE  # bytes on the disk


def minute(ms: int) -> str:
    """Write a time, given in ms since 1970, as text to the minute."""
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
