"""The costs of requests from a pocket's own page and from a guest, in ordinary Python. The first request of each kind
is not counted.
"""

import asyncio
import json
import tempfile
from functools import partial
from pathlib import Path
from random import Random

from costs.counting import counted_calls
from costs.jumping_loop import JumpingLoop
from costs.measured import Cost, cost_of
from pubdice.server import app as web
from pubdice.server.observe import LoopLag
from pubdice.server.web.turns import Turns
from pubdice_pocket.browser.engine import Engine, PocketRequest
from pubdice_pocket.browser.pocket import Pocket
from support.house import START_MS

JSON = [("content-type", "application/json"), ("accept", "application/json")]
ORDER = {"game": "midnight", "name": "Ann", "people": 1, "rules": {"format": "rounds 9"}}
GUEST = "10.1.2.3"


class Asked:
    """A pocket that gets one request after another. ``cookies`` are the guest's."""

    def __init__(self, of: Pocket) -> None:
        self._of, self.cookies = of, dict[str, str]()

    async def ask(self, target: str, data: object = None, *, guest: str = "") -> tuple[Cost, bytes]:
        """Return the cost of a request with its immediate consequences, and the body of its answer."""
        body, sent, answered = b"" if data is None else json.dumps(data).encode(), b"", 0
        headers = [("accept", "text/html")] if data is None else [*JSON, ("content-length", str(len(body)))]
        headers += [("cookie", "; ".join(self.cookies.values()))] if guest and self.cookies else []

        def begin(status: int, found: list[tuple[str, str]]) -> None:
            nonlocal answered
            answered = status
            given = [value.partition(";")[0] for name, value in found if guest and name.lower() == "set-cookie"]
            self.cookies.update({each.partition("=")[0]: each for each in given})

        def part(piece: bytes, more: bool) -> None:
            nonlocal sent
            sent += piece

        request = PocketRequest("GET" if data is None else "POST", target, headers, body, bool(guest), guest)
        with counted_calls() as calls:
            await self._of.answer(request, begin, part)
            for _ in range(20):
                await asyncio.sleep(0)
        assert answered in (200, 201), (target, sent)
        return cost_of(calls, bytes_sent=len(sent)), sent


async def asked(folder: Path) -> dict[str, Cost]:
    """Return the cost of each kind of request, as measured at the second one."""
    clock, source = 1_000_000 * START_MS, Random(7)
    pocket = Pocket(lambda: Engine(folder, lambda: clock, source.randbytes))
    await pocket.begin()
    of, found = Asked(pocket), {}
    for name, guest in (("its own page", ""), ("a guest", GUEST)):
        for _ in range(2):
            found[f"The front page, for {name}"], _ = await of.ask("/", guest=guest)
        table = json.loads((await of.ask("/tables", ORDER, guest=guest))[1])
        for _ in range(2):
            found[f"A table, for {name}"], _ = await of.ask(table["go"], guest=guest)
        data = {"do": "roll", "key": "key-00000001"}
        found[f"A roll, of {name}"], _ = await of.ask(f"/t/{table['code']}", data, guest=guest)
    await pocket.end()
    return found


def measure() -> dict[str, Cost]:
    with tempfile.TemporaryDirectory() as folder:
        by_clock = partial(LoopLag, after=lambda *_: None, clock=lambda: 0.0, computed=lambda: 0.0)
        # without this, other load on the machine would count as a guest's cost
        turns = partial(Turns, held=lambda: 0.0, clock=lambda: 0.0)
        # changes only this process, and it ends after measuring
        vars(web).update(load_templates=lambda names: None, LoopLag=by_clock, Turns=turns)
        # the clock of this loop stands still, so no timer fires
        with asyncio.Runner(loop_factory=JumpingLoop) as runner:
            return runner.run(asked(Path(folder)))
