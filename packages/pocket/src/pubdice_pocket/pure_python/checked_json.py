"""Files of JSON with a line of their SHA-256 behind it: one that is damaged is as good as not there."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

_SUM_BYTES = 65
"""Bytes of the line with the checksum."""


def with_checksum(data: dict[str, Any]) -> bytes:
    """A file's bytes: the data as JSON, and a line with the SHA-256 of what stands before it."""
    told = json.dumps(data, separators=(",", ":")).encode() + b"\n"
    return told + sha256(told).hexdigest().encode() + b"\n"


def read_checked(path: Path) -> dict[str, Any] | None:
    """The content of a file; None if it is not there, or damaged."""
    try:
        whole = path.read_bytes()
        told, summed = whole[:-_SUM_BYTES], whole[-_SUM_BYTES:].decode("ascii").strip()
        found = json.loads(told) if sha256(told).hexdigest() == summed else None
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
