"""JSON files whose last line is the SHA-256 of the rest. A damaged file counts as missing."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

_SUM_BYTES = 65  # the number of bytes in the line with the checksum


def with_checksum(data: dict[str, Any]) -> bytes:
    """Return the bytes of a file: the data as JSON, then a line with the SHA-256."""
    told = json.dumps(data, separators=(",", ":")).encode() + b"\n"
    return told + sha256(told).hexdigest().encode() + b"\n"


def read_checked(path: Path) -> dict[str, Any] | None:
    """Return the content of a file, or None if it is missing or damaged."""
    try:
        whole = path.read_bytes()
        told, summed = whole[:-_SUM_BYTES], whole[-_SUM_BYTES:].decode("ascii").strip()
        found = json.loads(told) if sha256(told).hexdigest() == summed else None
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
