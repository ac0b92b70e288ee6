"""Asks a house with one page more for that page, in every way there is, and prints what it answers as JSON.

Run by ``test_a_new_page`` with the copy before the house in PYTHONPATH.
"""

import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from pubdice.server import answers
from pubdice.server.processes import ThreadWorker
from pubdice.server.web.limits import Rate
from support.house import UNLIMITED, Pub
from support.http_wire import Answer

PAGE = "/worth/threes?roll=33621"
MOST = 5
"""Questions in a row before the limit."""


class HeldWorker(ThreadWorker):
    """A worker that works once it may."""

    def __init__(self) -> None:
        self.may, self.done = asyncio.Event(), asyncio.Event()

    async def run(self, work: Any, *arguments: object) -> Any:
        """The result, of a time when it may work."""
        await self.may.wait()
        found = work(*arguments)
        self.done.set()
        return found


def told(answer: Answer) -> dict[str, Any]:
    """An answer as JSON."""
    return {"status": answer.status, "headers": answer.headers, "text": answer.text}


async def asked(folder: Path) -> dict[str, Any]:
    """The answers, by what was asked."""
    answers.WAIT_S = 0.01
    pub, worker = Pub(folder / "house.db", limits=replace(UNLIMITED, questions=Rate(1e-6, MOST))), HeldWorker()
    pub.worker = worker
    await pub.open()
    ann, found = pub.client("Ann"), dict[str, Answer]()
    found["waiting"] = await ann.get(PAGE, "text/html")
    worker.may.set()
    await worker.done.wait()
    await pub.settle()
    found["page"] = await ann.get(PAGE, "text/html")
    found["data"] = await ann.get(PAGE)
    found["in German"] = await ann.request("GET", PAGE, accept="text/html", accept_language="de")
    found["no such game"] = await ann.get("/worth/chess?roll=1")
    found["too often"] = await ann.get(PAGE)
    found["wrong field"] = await ann.get("/worth/threes?roll=77")
    found["no field"] = await ann.get("/worth/threes", "text/html")
    found["posted"] = await ann.send("/worth/threes", roll="33621")
    found["described"] = await ann.get("/openapi.json")
    await pub.close()
    pub.sound()
    return {name: told(answer) for name, answer in found.items()}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(asked(Path(sys.argv[1])))))
