"""``join`` draws the table that a house shows, as ``play`` draws its own; whatever a house may send."""

import copy
import re
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pubdice.games import GAMES
from pubdice.terminal.board import LEAST, PIP, ROOM
from pubdice.terminal.remote_board import seen_from_afar
from pubdice.terminal.web_client import HouseError, WebTable
from support.console import COMMAND
from support.house_process import House
from terminal.house_tables import own_table
from terminal.test_real_terminal import RULE, Terminal

SIZES = [(40, 16), (80, 24), (120, 40)]


def seated(house: House, **order: Any) -> WebTable:
    """A table at which Ann sits, alone with a bot unless the order says otherwise."""
    return own_table(house, **{"name": "Ann", "people": 1, "bots": ["lucky"], "pace_ms": 0, "rules": {}, **order})


def views(table: WebTable, most: int = 12) -> Iterator[dict[str, Any]]:
    """The table again and again while Ann plays."""
    for _ in range(most):
        view = table.state()["view"]
        yield view
        if view["stage"] != "playing":
            return
        if view["mover"] != 0:
            time.sleep(0.05)
        elif view["ask"] == "keep":
            free = [die["place"] for die in view["dice"] if die["status"] == "free"]
            try:
                table.ask("roll", marks=free[:1])
            except HouseError:  # at Ship a 6 comes first
                table.ask("reroll")
        elif view["ask"] == "move":
            table.ask("choose", action=view["moves"][0]["move"])
        else:
            table.ask("roll")


def text(view: dict[str, Any], width: int = 80, height: int = 24, game: str = "") -> str:
    layout = seen_from_afar(view, 0, "pub", game, places=True)
    lines = [] if layout is None else layout.draw(width, height)
    return "\n".join("".join(piece for piece, _ in line.pieces) for line in lines)


@pytest.mark.parametrize("game", GAMES)
def test_the_table_of_every_game_is_drawn_in_the_room_there_is(game: str, house: House) -> None:
    drawn = 0
    for view in views(seated(house, game=game)):
        layout = seen_from_afar(view, 0, "pub", places=True)
        for width, height in SIZES if layout is not None else ():
            assert layout is not None
            lines = layout.draw(width, height)
            assert len(lines) <= height - ROOM
            assert all(line.width() <= width for line in lines)
            drawn += any("╭" in line.write() for line in lines)
        if layout is not None:
            assert layout.draw(LEAST[0] - 1, 40) == []
            assert "Ann" in text(view)
    assert drawn >= len(SIZES), "a match of 420 can be over with its first hand"


def test_the_picture_says_what_the_house_says(house: House) -> None:
    table = seated(house, game="midnight", people=2, bots=[], rules={"format": "rounds 5"})
    bob = WebTable(table.address, time.sleep)
    bob.ask("sit", name="Bob")
    assert "╌" in text(table.state()["view"]), "dice in the cup"
    table.ask("roll")
    view = table.state()["view"]
    shown = text(view)
    assert f"── Midnight · {view['counter']} ─" in text(view, game=table.state()["game"])
    assert re.search(r"▸ Ann", shown)
    assert re.search(r"You need +1 +4", shown)
    assert shown.count(PIP) == sum(die["face"] for die in view["dice"])
    mark = view["dice"][0]["place"]
    table.ask("mark", marks=[mark])
    assert text(table.state()["view"]).count("┏") == 1


JUNK: list[Any] = [None, True, -1, 10**9, "x" * 300, "\x1b[2J", [], {}, [1], ["x"] * 5_000, {"text": "\x1b[31m"}, 1.5]


def test_whatever_a_house_sends_is_drawn_in_bounds_or_not_at_all(house: House) -> None:
    """It may be anybody's; of the fields that every update must have, web_client has looked at the shape already."""
    lots, drawn = Random(5), 0
    checked = {"seq", "stage", "mover", "ask", "places", "dice", "seats"}
    for game in ("midnight", "mexico", "shutbox"):
        for view in views(seated(house, game=game), 5):
            for _ in range(150):
                forged = copy.deepcopy(view)
                spots = [forged]
                for _ in range(lots.randint(1, 3)):
                    spot = lots.choice(spots)
                    key = lots.choice([key for key in spot if spot is not forged or key not in checked])
                    inner = spot[key]
                    if isinstance(inner, list) and inner and isinstance(inner[0], dict):
                        inner = inner[0]
                    if isinstance(inner, dict) and inner and lots.random() < 0.6:
                        spots.append(inner)
                    else:
                        spot[key] = lots.choice(JUNK)
                layout = seen_from_afar(forged, 0, "pub", places=False)
                for line in layout.draw(80, 24) if layout is not None else ():
                    drawn += 1
                    assert line.width() <= 80
                    assert not re.search(r"[\x00-\x1f]", "".join(piece for piece, _ in line.pieces))
    assert drawn > 1_000


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    sitting = Terminal(tmp_path, 80, 24)
    yield sitting
    sitting.tmux("kill-server")


@pytest.mark.nightly
def test_a_table_on_the_web_is_drawn_once_and_what_is_being_typed_stays(house: House, terminal: Terminal) -> None:
    ann = seated(house, game="midnight", people=2, bots=[], rules={"format": "rounds 1"})
    terminal.type(f"{COMMAND} join {ann.address} --name Bob")
    terminal.wait(r"▸ Ann")
    terminal.tmux("send-keys", "-l", "whose")
    terminal.wait(r"^> whose$")
    ann.ask("roll")
    terminal.wait(r"Ann rolled")
    screen = terminal.wait(r"╭─+╮ .*\n(?:.*\n)*> whose$")
    assert len(re.findall(f"^{RULE}", screen, re.MULTILINE)) == 1
    terminal.tmux("send-keys", "Enter")
    terminal.wait(r"Ann's turn\.")
    terminal.type("q")
    left = terminal.wait(r"^\$ ?\Z|^\$ $")
    assert not re.search(f"^{RULE}", left, re.MULTILINE), "the picture is taken away"


@pytest.mark.parametrize("environ", ["NO_COLOR=1", "TERM=dumb", "BRLTTY=1"])
def test_where_play_is_plain_join_is_too(environ: str, house: House, terminal: Terminal) -> None:
    ann = seated(house, game="midnight", people=2, bots=[], rules={"format": "rounds 1"})
    terminal.type(f"{environ} {COMMAND} join {ann.address} --name Bob")
    terminal.wait("Type \\? for all the commands")
    ann.ask("roll")
    screen = terminal.wait(r"Ann rolled")
    assert not re.search(f"^{RULE}|[╭▸]", screen, re.MULTILINE)
