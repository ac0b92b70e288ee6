"""Asks a house with one command more for that command, in every way there is, and prints what it answers as JSON.

Run by ``test_a_new_command`` with the copy before the house in PYTHONPATH.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from pubdice.room.events import read_line
from pubdice.server.app import ROUTES
from pubdice.server.web.openapi import describe
from pubdice.terminal.sentences import ASKING_THE_HOUSE
from support.house import Pub


async def asked(folder: Path) -> dict[str, Any]:
    """The answers, by what was asked."""
    pub = Pub(folder / "house.db")
    await pub.open()
    ann, bob = pub.client("Ann"), pub.client("Bob", "de")
    code = await ann.order(game="shutbox", people=2, rules={"format": "rounds 1"})
    await bob.ask(code, "sit", name="Bob")
    found: dict[str, Any] = {"early": (await bob.ask(code, "toast")).data, "page": (await ann.page(code)).text}
    while (await pub.view(code))["stage"] == "playing":
        view = await pub.view(code)
        mover = (ann, bob)[view["mover"]]
        moves = view["moves"]
        done = await mover.ask(code, "choose", action=moves[0]["move"]) if moves else await mover.ask(code, "roll")
        assert done.status == 200, done.data
    found["done"] = (await ann.ask(code, "toast", name="stout")).status
    found["wrong field"] = (await ann.ask(code, "toast", name=3)).data
    found["typed"] = (await bob.ask(code, "type", text="toast")).status
    found["log"] = pub.stored(code)[-2:]
    found["read"] = [type(read_line(None, line).event).__name__ for line in found["log"]]
    found["said"] = [line["text"] for line in (await pub.view(code, "de"))["last"]]
    found["schema"] = describe(ROUTES, "1")["components"]["schemas"]["Toast"]
    found["help"] = dict(ASKING_THE_HOUSE)
    await pub.close()
    again = Pub(folder / "house.db")
    await again.open()
    found["again"] = (await again.view(code))["stage"]
    await again.close()
    return found


print(json.dumps(asyncio.run(asked(Path(sys.argv[1])))))
