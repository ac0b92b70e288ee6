"""Two houses that differ in a secret alone: all that they send and store must be the same, byte for byte."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from support.asgi_client import Client


def same_bytes(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    all_bytes: Callable[[Path, bytes], Sequence[bytes]],
    secrets: tuple[bytes, bytes],
) -> None:
    """Hold that all that is seen of a house is the same with either secret, each in a folder of its own."""
    both = []
    for number, secret in enumerate(secrets):
        monkeypatch.setattr(Client, "_numbers", iter(range(10**6)))
        folder = tmp_path / str(number)
        folder.mkdir()
        both.append(all_bytes(folder, secret))
    assert len(both[0]) > 10
    for one, other in zip(*both, strict=True):
        assert _untimed(one) == _untimed(other)


def _untimed(sent: bytes) -> bytes:
    """Bytes without times (of commands, commits, turns of the loop) and memory in use, which always differ."""
    sent = re.sub(rb'(?m)^.*"event": "loop-held".*\n', b"", sent)
    return re.sub(rb"(?m)^pubdice_(commit|command|loop_lag)_seconds\S*.*$|^process_.*$", b"", sent)
