"""Games of packages beside pubdice: found by their entry points, left out if broken, and kept when they are gone."""

import json
import os
import subprocess
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from pubdice.games import INSTALLED
from pubdice.games.installed import InstalledGames, is_any_installed
from pubdice_workshop.check import find_games
from pubdice_workshop.new_game import new_game
from support.beside import installed
from support.console import COMMAND
from support.house_process import House, Phone, run

HEAD = "pubdice 1\ngame: heap\nseats: Ann\nformat: rounds 1\nopener: rotate\nfirst: Ann\n\n"
RECORD = HEAD + "round 1\nAnn: 655 k56 4 k4 = 15\n"
BROKEN = {
    "torn": ("raise RuntimeError('it was made for a newer pubdice')", "RuntimeError: it was made for a newer pubdice"),
    "quits": ("raise SystemExit(3)", "SystemExit: 3"),
    "nokit": ("KIT = 5", "its entry point names a int, not a Kit"),
    "other": (
        "from dataclasses import replace\nfrom pubdice.games import midnight\nKIT = replace(midnight.KIT, name='x')",
        'its kit is called "x"',
    ),
    "mute": (
        "from dataclasses import replace\nfrom pubdice.games import midnight\n"
        "class Words:\n    title = tagline = 'Mute'\n    faults = {}\n"
        "KIT = replace(midnight.KIT, name='mute', words=Words())",
        "its words lack action_sentences, aim, ask, ",
    ),
    "midnight": ("KIT = None", 'another game is called "midnight"'),
}
"""Games that cannot be played, with the reason that is given."""


@pytest.fixture
def heap(tmp_path: Path) -> dict[str, str]:
    """The environment of a Python beside which Heap, the smallest game, is installed."""
    new_game("heap", tmp_path / "heap")
    (game,) = find_games(str(tmp_path / "heap"))
    place = installed(tmp_path / "site", "heap", game.entry)
    path = os.pathsep.join([str(place), str(game.package.parent)])
    return {**os.environ, "PYTHONPATH": path, "PUBDICE_DATA": str(tmp_path / "data")}


def told(*words: str, env: dict[str, str], typed: str = "", status: int = 0) -> tuple[str, str]:
    command = [str(COMMAND), *words]
    done = subprocess.run(command, input=typed, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == status, (words, done.stdout, done.stderr)
    return done.stdout, done.stderr


def test_the_house_has_none_and_looks_for_them_in_no_call_of_its_own() -> None:
    assert InstalledGames() == INSTALLED
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    found = is_any_installed()
    sys.setprofile(None)
    assert not found
    assert calls < 10, "at every start"


def test_an_installed_game_is_played_told_and_asked_about(heap: dict[str, str]) -> None:
    assert "heap: Heap, from pubdice_heap\n" in told("game", "list", env=heap)[0]
    assert "18 at best" in told("rules", "heap", env=heap)[0]
    typed = "655\nk 6 5\nr\n4\nk 4\nr\n"
    said, complained = told(
        "play", "heap", "--seats", "Ann", "--format", "rounds:1", "--dice", "real", env=heap, typed=typed
    )
    assert "Ann scored 15" in said
    assert complained == ""
    assert told("record", "1", env=heap)[0] == RECORD
    assert "Value 1" in told("odds", "heap", env=heap)[0]
    assert "This was game" in told("play", "heap", "--seats", "bot:perfect,bot:tip", "--seed", "1", env=heap)[0]


def test_a_broken_game_is_named_in_a_sentence_and_costs_no_other_game_anything(
    heap: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, (source, _) in BROKEN.items():
        place = installed(tmp_path / "site", name, f"broken_{name}:KIT") / f"broken_{name}"
        place.mkdir()
        (place / "__init__.py").write_text(source)
    listed, _ = told("game", "list", env=heap)
    for name, (_, why) in BROKEN.items():
        assert f"The game {name} of pubdice-{name} is left out: {why}" in listed
    assert "midnight: Midnight\n" in listed
    assert "heap: Heap" in listed
    said, complained = told("play", "heap", "--seats", "bot:tip,bot:lucky", "--seed", "1", env=heap)
    assert "This was game" in said
    lines = complained.splitlines()
    assert len(lines) == len(BROKEN)
    assert all(line.startswith("pubdice: The game ") and line.endswith(".") for line in lines)
    monkeypatch.setenv("PYTHONPATH", heap["PYTHONPATH"])
    (tmp_path / "house").mkdir()
    with House(tmp_path / "house", "--no-qr", forked=False) as house:
        pass
    logged = [json.loads(line) for line in house.errors().splitlines() if line[:1] == "{"]
    told_of = {(line["game"], line["package"]) for line in logged if line["event"] == "game-left-out"}
    assert told_of == {(name, f"pubdice-{name}") for name in BROKEN}


@pytest.mark.nightly
def test_a_saved_game_and_a_record_of_a_game_that_is_gone_are_kept_and_say_so(heap: dict[str, str]) -> None:
    seats = ("--seats", "Ann", "--format", "rounds:1", "--dice", "real")
    told("play", "heap", *seats, env=heap, typed="655\nk 6 5\nr\n")
    without = {**heap, "PYTHONPATH": ""}
    why = "but heap is not installed here. Once it is, the game goes on as it was."
    assert why in told("games", env=without)[0]
    assert why in told("resume", "1", env=without, status=1)[1]
    assert why in told("record", "1", env=without, status=1)[1]
    for command in ("replay", "review"):
        complained = told(command, "-", env=without, typed=RECORD, status=2)[1]
        assert "The game of this record is not installed here. Here are midnight, 420" in complained
    assert "Ann scored 15" in told("resume", "1", env=heap, typed="4\nk 4\nr\n")[0]


GONE = "This game is not installed here: heap. Nothing is lost. Once it is, the table opens as it was."


def test_a_table_of_a_game_that_is_gone_says_so_and_is_played_on_once_it_is_back(
    heap: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a file that outlives three houses: with the game, without it, and with it again."""
    data, without = tmp_path / "data", {**heap, "PYTHONPATH": ""}
    data.mkdir()
    house, codes, seen = House(data, "--no-qr", forked=False), dict[str, str](), dict[str, Any]()
    order = {"bots": ["tip"], "rules": {"format": "rounds 1"}}

    async def begin() -> None:
        ann = Phone(house.port, "Ann")
        for game in ("heap", "midnight"):
            codes[game] = await ann.open_table(game=game, **order)
        await ann.do(codes["heap"], do="roll")
        seen["dice"] = (await ann.view(codes["heap"]))["dice"]
        assert seen["dice"]

    async def meet_without() -> None:
        ann = Phone(house.port, "Ann")
        page = await ann.ask("GET", f"/t/{codes['heap']}", headers={"Accept": "text/html"})
        assert page.status == 503
        assert GONE in page.body.decode()
        german = await ann.ask("GET", f"/t/{codes['heap']}", headers={"Accept": "text/html", "Accept-Language": "de"})
        assert "Dieses Spiel ist hier nicht installiert: heap." in german.body.decode()
        assert "This game is not installed here" in (await ann.ask("GET", "/")).body.decode()
        assert (await ann.do(codes["midnight"], do="roll")).status == 200

    async def meet_again() -> None:
        ann = Phone(house.port, "Ann")
        assert (await ann.view(codes["heap"]))["dice"] == seen["dice"]
        assert "not installed" not in (await ann.ask("GET", "/")).body.decode()
        marks = [die["place"] for die in seen["dice"]]
        assert (await ann.do(codes["heap"], do="roll", marks=marks)).status == 200

    def visit(environment: dict[str, str], meet: Coroutine[Any, Any, None]) -> None:
        monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])
        with house:
            run(meet)

    visit(heap, begin())
    said, _ = told("check", env=without)
    assert "its game, heap, is not installed here, so it was not replayed. It is kept as it is." in said
    assert "1 table is sound" in said
    told("backup", str(tmp_path / "copy.zip"), env=without)
    again = tmp_path / "again"
    again.mkdir()
    told("restore", str(tmp_path / "copy.zip"), env={**without, "PUBDICE_DATA": str(again)})
    assert "2 tables are sound" in told("check", env={**heap, "PUBDICE_DATA": str(again)})[0]
    visit(without, meet_without())
    visit(heap, meet_again())
    assert "2 tables are sound" in told("check", env=heap)[0]
