"""``pubdice serve`` in a process of its own, of which each route that is read is asked once, in place of being served.

Prints, as JSON by route: the modules and templates that its first request loads, and how many Python calls it makes.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jinja2

from pubdice import cli as program
from pubdice.games import GAMES
from pubdice.server import answers, cli
from support.asgi_client import Client

PLACES = {"code": "AAAAAA", "number": "1", "date": "2026-10-01", "hash": "x", "name": "table.js", "opened": "0" * 16}
AT_WORK = ("concurrent.futures.thread",)
"""Modules of the first task in a thread: 2 ms."""


class NeverDone:
    """A worker that answers nothing: a house's are processes of their own, and import there what they need."""

    async def run(self, work: Any, *arguments: object) -> Any:
        await asyncio.Event().wait()

    def close(self) -> None:
        """End nothing."""


async def evening(factory: Callable[[], Any]) -> dict[str, Any]:
    """The cost of each route's first request."""
    app, started, ended = factory(), asyncio.Event(), asyncio.Event()

    async def receive() -> dict[str, str]:
        if started.is_set():
            await ended.wait()
            return {"type": "lifespan.shutdown"}
        return {"type": "lifespan.startup"}

    async def send(message: dict[str, str]) -> None:
        started.set()

    life = asyncio.ensure_future(app({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send))
    await started.wait()
    compiled, calls = list[str](), 0
    compile_template = jinja2.Environment.compile

    def noting(*given: Any, **named: Any) -> Any:
        compiled.append(f"template {given[2]}")
        return compile_template(*given, **named)

    def counting(frame: Any, event: str, _: Any) -> None:
        nonlocal calls
        calls += event == "call"

    jinja2.Environment.compile = noting  # type: ignore[method-assign]
    ann, found = Client(SimpleNamespace(app=app), "Ann", "en"), {}  # type: ignore[arg-type]
    targets = [
        route.path.format(**PLACES, game=game)
        for route in app.app.routes
        if "GET" in route.methods and not route.path.endswith("/events")
        for game in (GAMES if "{game}" in route.path else ("",))
    ]
    for target in targets:
        modules, calls = set(sys.modules), 0
        compiled.clear()
        sys.setprofile(counting)
        await ann.get(target, "text/html")
        sys.setprofile(None)
        loaded = sorted({*sys.modules} - modules - {*AT_WORK})
        found[target] = {"loaded": [*loaded, *compiled], "calls": calls}
    ended.set()
    await life
    return found


def instead(factory: Callable[[], Any], **_: Any) -> int:
    """Ask the house in place of serving it."""
    json.dump(asyncio.run(evening(factory)), sys.stdout)
    return 0


if __name__ == "__main__":
    answers.WAIT_S = 0
    setattr(cli, "serve", instead)  # noqa: B010
    setattr(cli, "WorkerProcess", NeverDone)  # noqa: B010
    with tempfile.TemporaryDirectory() as folder:
        sys.argv = ["pubdice", "serve", "--data", f"{folder}/house.db", "--port", "0"]
        program.main()
