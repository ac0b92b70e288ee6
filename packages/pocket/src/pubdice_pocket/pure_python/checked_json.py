"""Files of JSON with their SHA-256 in a last line. A damaged file counts as missing."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

_SUM_BYTES = 65  # the bytes of the line with the checksum


def with_checksum(data: dict[str, Any]) -> bytes:
    """A file's bytes: the data as JSON, then a line with its SHA-256."""
    told = json.dumps(data, separators=(",", ":")).encode() + b"\n"
    return told + sha256(told).hexdigest().encode() + b"\n"


def read_checked(path: Path) -> dict[str, Any] | None:
    """The content of a file; None if it is missing or damaged."""
    try:
        whole = path.read_bytes()
        told, summed = whole[:-_SUM_BYTES], whole[-_SUM_BYTES:].decode("ascii").strip()
        found = json.loads(told) if sha256(told).hexdigest() == summed else None
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
