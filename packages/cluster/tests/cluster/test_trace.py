"""Tests of the trace: the logs of all processes show a command under the same id, from request to commit to answer."""

import json
from pathlib import Path
from typing import Any

from cluster.houses import houses
from support.house_process import House, Phone, run


def lines(house: House) -> list[dict[str, Any]]:
    """Return the lines about commands in a process's log."""
    told = [json.loads(line) for line in house.errors().splitlines()]
    return [line for line in told if line["event"].startswith("command-")]


async def asked_at_both(one: House, other: House) -> tuple[str, int]:
    """Send the same command to both houses. Return the table's code, and the number of its events afterwards."""
    ann, again = Phone(one.port, "ann"), Phone(other.port, "ann")
    code = await ann.open_table(game="midnight")
    roll = {"key": ann.key(), "do": "roll"}
    first = await ann.ask("POST", f"/t/{code}", roll)
    assert (await again.ask("POST", f"/t/{code}", roll)).body == first.body
    assert (await again.do(code, do="vote", seat=0)).status == 409
    return code, int(first.data["seq"])


def test_a_command_has_one_id_at_every_process(tmp_path: Path, empty_database: str) -> None:
    with houses(empty_database, tmp_path, 2, "--trace") as (one, other):
        code, seq = run(asked_at_both(one, other))
        here, there = lines(one), lines(other)
        assert [line["event"] for line in here] == ["command-asked", "command-stored", "command-answered"]
        roll = here[0]["command"]
        assert (here[0]["do"], here[1]["seq"]) == ("RollOn", seq + 1)
        assert {line["command"] for line in here} == {roll}
        same = [line for line in there if line["command"] == roll]
        assert [line["event"] for line in same] == ["command-asked", "command-answered"]
        assert there[-1]["event"] == "command-answered"
        assert there[-1]["refusal"]
        assert len({line["node"] for line in (*here, *there)}) == 2
        for house in (one, other):
            assert not {code, "ann", Phone(one.port, "ann").person} & set(house.errors().replace('"', " ").split())


def test_nothing_is_followed_unless_it_is_asked_for(tmp_path: Path) -> None:
    async def rolled(house: House) -> None:
        ann = Phone(house.port, "ann")
        assert (await ann.do(await ann.open_table(game="midnight"), do="roll")).status == 200

    with House(tmp_path) as house:
        run(rolled(house))
        assert not lines(house)
