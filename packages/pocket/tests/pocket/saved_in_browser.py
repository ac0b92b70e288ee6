"""A script for the shipped Python in Node (``run_in_node.mjs``). It restores a pocket's file, plays on, and saves
again.

The test fills FILE with the file, in base64.
"""

import base64
import json
import os
import time
from functools import partial
from pathlib import Path

from pubdice.core.errors import NotStored
from pubdice_pocket.browser.engine import Engine, PocketRequest
from pubdice_pocket.browser.pocket import Pocket

FILE = ""


async def ask(pocket: Pocket, target: str) -> str:
    parts: list[bytes] = []
    request = PocketRequest("GET", target, [("accept", "*/*"), ("sec-fetch-site", "same-origin")], b"")
    await pocket.answer(request, lambda status, sent: None, lambda part, more: parts.append(bytes(part)))
    return b"".join(parts).decode()


async def main() -> str:
    """Return a table's record, the code of the refusal of a damaged file, and the saved file, as JSON."""
    given = base64.b64decode(FILE)
    pocket = Pocket(partial(Engine, Path("/pocket"), time.time_ns, os.urandom))
    await pocket.begin()
    await pocket.restore(given)
    saved = pocket.save()
    try:
        await pocket.restore(given[:-1])
        why = ""
    except NotStored as error:
        why = error.code
    told = {
        "record": await ask(pocket, "/t/SHYPPP/record"),
        "why": why,
        "saved": base64.b64encode(saved).decode(),
        "files": sorted(path.name for path in Path("/pocket").iterdir()),
    }
    await pocket.end()
    return json.dumps(told)
