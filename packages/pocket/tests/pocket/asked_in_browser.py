"""A script for the shipped Python in Node (``run_in_node.mjs``). It asks for pages, and opens a table."""

import json
import os
import time
from pathlib import Path
from typing import Any

from pubdice_pocket.browser.engine import Engine, PocketRequest

PAGES = ("/", "/rules/midnight", "/book", "/verify", "/metrics", "/openapi.json")
ORDER = {"game": "midnight", "name": "Ann", "people": 1, "bots": ["tip"], "pace_ms": 0, "rules": {"format": "rounds 1"}}


async def ask(engine: Engine, method: str, target: str, accept: str, body: bytes = b"") -> tuple[int, str]:
    heads: list[int] = []
    parts: list[bytes] = []
    headers = [("accept", accept), ("sec-fetch-site", "same-origin")]
    if body:
        headers += [("content-type", "application/json"), ("content-length", str(len(body)))]
    asked = PocketRequest(method, target, headers, body)
    await engine.answer(asked, lambda status, sent: heads.append(status), lambda part, more: parts.append(bytes(part)))
    return heads[0], b"".join(parts).decode()


async def main() -> str:
    engine = Engine(Path("/pocket"), time.time_ns, os.urandom)
    await engine.begin()
    told: dict[str, Any] = {page: (await ask(engine, "GET", page, "text/html"))[0] for page in PAGES}
    status, answer = await ask(engine, "POST", "/tables", "application/json", json.dumps(ORDER).encode())
    told["opened"] = status
    status, page = await ask(engine, "GET", json.loads(answer)["go"], "text/html")
    return json.dumps({**told, "table": status, "named": "Ann" in page})
