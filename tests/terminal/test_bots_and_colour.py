"""Bots wait a little only where somebody watches; colour is only ever an extra."""

import io
import re

import pytest

from faults.plan import plan
from pubdice.terminal.console import Console
from pubdice.terminal.standard_streams import standard
from support.console import Room, dice, unprintable

TABLE = "play midnight --seats bot,bot:lucky --format rounds:1 --seed 7"


def test_bots_do_not_wait_where_the_input_is_no_terminal() -> None:
    room = Room()
    assert room.run(TABLE).status == 0
    assert room.pauses == []


def test_bots_wait_a_little_before_each_act_at_a_terminal() -> None:
    room = Room(live=True)
    assert room.run(TABLE).status == 0
    acts = len(room.log())
    assert 0 < len(room.pauses) <= acts
    assert set(room.pauses) == {room.pauses[0]}
    assert 0 < room.pauses[0] <= 2


@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize("pause", ["0", "0.25", "3"])
def test_the_pause_is_as_asked(pause: str, live: bool) -> None:
    room = Room(live=live)
    assert room.run(f"{TABLE} --pause {pause}").status == 0
    assert set(room.pauses) == ({float(pause)} if float(pause) else set())


def test_nobody_waits_for_a_person() -> None:
    room = Room(live=True, rolls=dice("344512", "123"))
    room.run("play midnight --seats Ann,Bob", "r", "k 445 r")
    assert room.pauses == []


def test_the_same_seed_gives_the_same_game_however_often_people_leave() -> None:
    command = "play midnight --seats Ann,bot,bot:lucky --format rounds:2 --seed luck"
    scratch = Room()
    scratch.run(command)
    lines = plan((), scratch.store.read(1)[0], 1).lines
    whole, left = Room(), Room()
    assert whole.run(command, *lines).status == 0
    for at, line in enumerate(lines):
        assert left.run("resume" if at else command, line).status == 0
    assert left.log() == whole.log()
    assert "over" in left.run("games").out


def test_different_seeds_give_different_dice() -> None:
    logs = set()
    for seed in range(5):
        room = Room()
        room.run(f"play 420 --seats bot,bot --seed {seed}")
        logs.add(tuple(room.log()))
    assert len(logs) == 5


def test_colour_adds_nothing_but_escape_sequences() -> None:
    plain, coloured = (
        Room(rolls=dice("344512", "6326"), live=True, colour=colour).run(
            "play midnight --seats Ann,Bob", "r", "k 4 5 r", "?", "t"
        )
        for colour in (False, True)
    )
    assert not unprintable(plain.out)
    assert coloured.out != plain.out
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured.out) == plain.out


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("terminal", "environ", "coloured"),
    [
        (True, {}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
        (True, {"NO_COLOR": ""}, True),
        (False, {}, False),
    ],
)
def test_colour_needs_a_terminal_and_respects_no_color(
    terminal: bool, environ: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    sink = _Terminal() if terminal else io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO("r\n"))
    monkeypatch.setattr("sys.stdout", sink)
    assert standard(environ).ask("Roll?") == "r"
    assert ("\x1b" in sink.getvalue()) is coloured


def test_answers_are_echoed_only_where_nobody_typed_them() -> None:
    for live in (True, False):
        sink = io.StringIO()
        assert Console(io.StringIO(" 1 4 \x1b[31m\n"), sink, live=live).ask("Keep which?") == "1 4 \x1b[31m"
        assert ("1 4" in sink.getvalue()) is not live
        assert "\x1b" not in sink.getvalue()
