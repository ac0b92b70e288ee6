"""A sit-down and a roll, followed from the socket to the screens: the chain of calls, of which none goes up the ladder.

A module may call what it imports, also by way of others, and a game it was given. Every other call goes to what a
module was given, or is a callback: each is listed here with what it is for.
"""

import asyncio
import json
import os
import signal
import time
from pathlib import Path

import grimp
import pytest

from support.house_process import Ear, House, Phone, run

TRACED = Path(__file__).parents[1] / "support/traced_house.py"
PAGES, TABLE, WEB = "pubdice.server.pages.", "pubdice.server.table.", "pubdice.server.web."
GIVEN = {
    (WEB + "guard", PAGES + "commands"): "the guard is given who carries out commands",
    (WEB + "guard", "pubdice.server.app"): "the guard is given how often an address may ask, and tells each status",
    (WEB + "guard", "pubdice.server.uvicorn_protocol"): "a whole answer is given the request's connection",
    ("pubdice.server.table.presence", WEB + "guard"): "a stream is given how to send",
    ("pubdice.store.writer", "pubdice.store.sqlite.store"): "the writer is given its database's transactions",
    (TABLE + "services", TABLE + "stream"): "tables tell the broadcaster that they have news",
}
"""A callback given to a module. It goes on down the roll's way."""
BACK = {
    ("pubdice.store.writer", TABLE + "commit"): "the outcome of a commit, once it is on the disk",
    (TABLE + "commit", TABLE + "actor"): "the outcome of a table's append",
    (TABLE + "actor", PAGES + "commands"): "the answer to a command",
}
"""Callbacks that bring the outcome."""


MOST_MODULES, MOST_SITTING = 46, 53
"""Of src, for a roll and for sitting down: from the bytes read to the view of every screen, rules and words, too.

Five more than before requests were answered in turns by address (turns, limits and trusted_hosts, which was part of
guard), how deep a body nests was bounded (json_depth), and the field's example was one of this state (mover_choices).
Three more for sitting down since seats, chairs, the beginning of a match and the words of a line-up are modules.
"""


Traced = tuple[list[str], list[tuple[str, str]]]
"""The modules that were entered, and which called which."""


def traced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Traced, Traced]:
    """Bob sitting down, as Ann watches, and a roll of Ann's, as Bob watches."""
    told = folder / "calls.json"
    monkeypatch.setenv("PUBDICE_CALLS", str(told))
    house = House(folder, script=TRACED)

    async def tell(number: int, answer: Path) -> None:
        """Send the house a signal, and wait until it has answered by a file."""
        answer.unlink(missing_ok=True)
        os.kill(house.pid, number)
        until = time.monotonic() + 60
        while not answer.exists():
            assert time.monotonic() < until
            await asyncio.sleep(0.02)

    async def noted() -> Traced:
        await tell(signal.SIGUSR2, told)
        entered, calls = json.loads(told.read_text(encoding="utf-8"))
        return entered, calls

    async def play() -> tuple[Traced, Traced]:
        ann, bob = Phone(house.port, "ann"), Phone(house.port, "bob")
        code = await ann.open_table(people=2)
        ear = Ear(ann, code)
        listening = asyncio.ensure_future(ear.listen())
        await ear.began.wait()
        await tell(signal.SIGUSR1, told.with_suffix(".begun"))
        sat = await bob.do(code, do="sit", name="Bob")
        assert sat.status == 200, sat.body
        await ear.until(sat.data["seq"])
        sitting = await noted()
        ear = Ear(bob, code)
        also = asyncio.ensure_future(ear.listen())  # Ann's goes on: a stream that ends would be seen, now or later
        await ear.began.wait()
        first = await ann.do(code, do="roll")
        await ear.until(first.data["seq"])
        await tell(signal.SIGUSR1, told.with_suffix(".begun"))
        rolled = await ann.do(code, do="roll", marks=[0])
        assert rolled.status == 200, rolled.body
        await ear.until(rolled.data["seq"])
        rolling = await noted()
        listening.cancel()
        also.cancel()
        return sitting, rolling

    with house:
        return run(play())


OF_GAMES = ("pubdice.games.", "pubdice.core.game", "pubdice.text.game_words", "pubdice.text.turn_words")
"""Games, and what they inherit."""


def test_a_roll_goes_down_the_ladder_and_back_by_callbacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (sat, _), (made, called) = traced(tmp_path, monkeypatch)
    calls = {(caller, callee) for caller, callee in called}
    graph = grimp.build_graph("pubdice")
    up = {call for call in calls if not graph.chain_exists(importer=call[0], imported=call[1])}
    rules = {(caller, callee) for caller, callee in up if callee.startswith(OF_GAMES)}
    assert up - rules == GIVEN.keys() | BACK.keys()
    assert {"pubdice.match.match", "pubdice.match.narrate"} <= {
        caller for caller, callee in calls if callee.startswith(OF_GAMES)
    }, "games are given"
    assert len(made) <= MOST_MODULES, "\n".join(made)
    assert len(sat) <= MOST_SITTING, sat
    assert "pubdice.server.pages.visit" not in made, "a command of a seated person has a way of its own"
