"""A format and a game the house has not, each one module in tests/: played, told, recorded and shown as they are."""

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

import mexico
from lives import LIVES
from play import Case, bot_match, read
from pubdice.core.errors import Unsolved
from pubdice.core.game import Seat
from pubdice.games import GAMES
from support.console import Room, dice, pubdice
from support.house import Pub, at_the_pub, play_out

MEXICO = {"mexican": mexico.KIT}
THREE = (Seat(0), Seat(1), Seat(2))


def test_it_is_played_in_the_terminal_to_its_end() -> None:
    room = Room(games=MEXICO, rolls=dice("64", "31", "51", "62"))
    told = room.run("play mexican --seats Ann,Bob --format lives:2", "r", "b", "r", "r", "b", "r")
    assert (told.status, told.err) == (0, "")
    for line in (
        "Mexico: 2 lives each",
        "Bob loses a life with 31",
        "Lives: Ann has 2, Bob has 1",
        "Ann is the last one in and wins",
    ):
        assert line in told.out, told.out


def test_it_is_offered_recorded_and_replayed_by_the_command_line(tmp_path: Path) -> None:
    manual = pubdice("play", "--help", data=tmp_path, games=MEXICO).out
    assert "the lowest score loses a life" in " ".join(manual.split())
    asked = pubdice(data=tmp_path, games=MEXICO, typed="change\nmexican\nAnn,Bob\nlives 10\nq\n")
    assert "Enter a number: 1 to 9." in asked.out
    record = bot_match(Case(mexico.KIT, (("format", "lives 2"), ("opener", "loser"))), 4, "recorded").text()
    data = json.loads(pubdice("replay", "-", "--json", data=tmp_path, games=MEXICO, typed=record).out)
    assert (data["header"]["format"], data["finished"], len(data["winners"])) == ("lives 2", True, 1)
    assert sorted(data["slate"]["out"]) == sorted({"Ann", "Bob", "Cid", "Dot"} - set(data["winners"]))
    assert read(record)[1][-1].after.over


@at_the_pub(games={**GAMES, **MEXICO})
async def test_it_is_ordered_shown_and_played_on_the_web(pub: Pub) -> None:
    ann = pub.client("Ann")
    front = unescape((await ann.get("/", accept="text/html")).text)
    assert 'value="mexican"' in front
    front = unescape((await ann.send("/houserules", game="mexican")).text)
    assert 'value="lives"' in front
    assert "Lives each" in front
    choice = re.search(r'<select id="mexican.lives".*?</select>', front, re.DOTALL)
    assert choice is not None
    assert re.findall(r"<option(?: selected)?>(.)", choice[0]) == ["1", "2", "3", "4", "5"]
    assert "<option selected>3" in choice[0]
    key = "key-of-the-table"
    form = {"mexican.format": "lives", "mexican.lives": "2", "mexican.opener": "loser", "mexican.bot": "lucky"}
    answer = await ann.send("/tables", key=key, game="mexican", name="Ann", **form, **{"with": "bot"})
    assert answer.status == 303, answer.text
    code = answer.headers["location"].split("?")[0].rsplit("/", 1)[1]
    assert pub.actor(code).state.setup.rules["format"] == "lives 2"
    assert [seat["points"] for seat in (await pub.view(code))["seats"]] == ["♥♥", "♥♥"]
    view = await play_out(pub, code, [ann])
    assert len(view["won"]) == 1
    assert "the last one in" in view["result"][0]["text"]
    assert [seat["out"] for seat in view["seats"]].count(True) == 1


UNSOLVED = {"midnight": (3, "too-many-moves"), "420": (2, "format")}
"""From how many seats on a game has no values in lives, and why: its round is too large for ``solve.plain``, or its own
solver knows no lives."""

SLOW = ("midnight", "shutbox", "threes")
"""Games whose rounds of two or three have some 100,000 positions: 6 to 25 s of the processor."""


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(name, marks=pytest.mark.nightly if name in SLOW else ())
        for name, kit in GAMES.items()
        if kit.solver is not None
    ],
)
def test_it_is_solved_from_its_rules_or_refused_with_the_reason(game: str) -> None:
    kit = replace(GAMES[game], formats=(LIVES,))
    match = kit.match(Case(kit, ()).header(2))
    assert kit.solver is not None
    seats, reason = UNSOLVED.get(game, (0, ""))
    if reason:
        with pytest.raises(Unsolved, match=reason):
            kit.solver(kit.match(Case(kit, ()).header(seats)))
    if seats == match.seats:
        return
    solver = kit.solver(match)
    values = solver.values(match.start())
    assert sum(values) == pytest.approx(1, abs=1e-9)
    assert all(0.4 < value < 0.6 for value in values)
    assert solver.bound < 1e-9


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("opener", LIVES.usual.openers)
def test_the_houses_own_games_are_played_in_it_too(game: str, opener: str) -> None:
    kit = replace(GAMES[game], formats=(LIVES,))
    live = bot_match(Case(kit, (("format", "lives 1"), ("opener", opener))), 4, f"lives {opener}")
    assert live.end.match.over
    assert len(live.end.match.tally.still_in) == 1
