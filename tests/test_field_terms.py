"""Somebody who searches src for a mechanism by its usual name finds the module that has it (``docs/style.md``)."""

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src/pubdice"
WHERE = {
    "idempotency": "server/table/commit.py",
    "rate limit": "server/web/limits.py",
    "GCRA": "server/web/limits.py",
    "token bucket": "server/web/limits.py",
    "snapshot": "server/replay.py",
    "heartbeat": "server/table/house.py",
    "CSRF": "server/web/trusted_hosts.py",
    "forged or foreign origin": "server/web/guard.py",
    "garbage collection": "server/garbage.py",
    "GIL": "store/sqlite/store.py",
    "middleware": "server/web/guard.py",
    "migration": "store/sqlite/schema.py",
    "reconnect": "server/replay.py",
    "spectator": "server/table/stream.py",
    "repeated command": "server/table/commit.py",
    "bot's move": "server/table/bot_moves.py",
    "after a crash": "server/table/house.py",
    "slate in words": "match/formats/format.py",
    "crash recovery": "server/table/house.py",
    "replay of the log": "server/replay.py",
    "event sourcing": "room/events.py",
    "optimistic concurrency": "store/log_store.py",
    "slowloris": "server/uvicorn_protocol.py",
    "request smuggling": "server/uvicorn_protocol.py",
}


@pytest.mark.parametrize(("term", "module"), WHERE.items())
def test_a_search_for_a_mechanism_finds_its_module(term: str, module: str) -> None:
    text = " ".join((SOURCE / module).read_text(encoding="utf-8").split())
    assert re.search(rf"\b{term}", text, re.IGNORECASE), f"{module} has it, and doesn't say so"
