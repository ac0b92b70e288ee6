"""Tests of a pocket that is built where other games are installed: Pig (``examples/pig``), and a game with other faces
on its dice.

By day its files run in ordinary Python, in the engine's layout and without numpy. At night the pocket is built, and a
whole match of each game is played in Chromium by touch, in English and in German.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pubdice.games import GAMES
from support.beside import pig_and_aces
from support.paths import LAWS, TESTS

LAID = """
import sys
from pathlib import Path
from pubdice_pocket.build.libraries import pubdice_files
for name, contents in pubdice_files().items():
    file = Path(sys.argv[1]) / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(contents)
"""
MODULES = (TESTS, LAWS, Path(__file__).parents[1])  # the folders of the tests' own modules
FIGURES = """
import json
from dataclasses import replace
from pubdice.games import GAMES
from pubdice_pocket.build.solutions import solutions
for name in [*GAMES]:
    if name not in ("pig", "aces"):
        del GAMES[name]
rules = type(GAMES["pig"].usual_game)
GAMES["pig"] = replace(GAMES["pig"], options=(), build=lambda options: rules(9_999))
found = dict(solutions(None, processes=0))
print(json.dumps({game: [*each] for game, each in json.loads(found["figures-de.json"].splitlines()[0]).items()}))
"""
"""A script that makes a pocket's solutions and figures. One of its games is Pig, which is far too large to solve."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pig_and_aces(tmp_path_factory.mktemp("site"))


def python(code: str, *words: object, path: tuple[Path, ...]) -> str:
    """Run Python with imports from these folders first. Return its output."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    command = [sys.executable, *(["-c"] if "\n" in code else []), code, *map(str, words)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def laid(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of pubdice and of the games, in the engine's layout."""
    folder = tmp_path_factory.mktemp("laid")
    python(LAID, folder, path=(site,))
    return folder


def played(laid: Path, tables: Path, game: str, rules: dict[str, str]) -> dict[str, Any]:
    script = str(Path(__file__).with_name("played_from_files.py"))
    found: dict[str, Any] = json.loads(python(script, tables, game, json.dumps(rules), path=(laid, *MODULES)))
    assert found["games"] == [*GAMES, "aces", "pig"]
    assert found["left_out"] == []
    assert found["stage"] == "over"
    return found


def test_a_pocket_has_the_files_of_the_games_with_their_german(laid: Path) -> None:
    names = {file.name for file in (laid / "pubdice_pig").iterdir()}
    assert {"__init__.py", "rules.py", "words.py", "RULES.md", "RULES.de.md", "de.json"} <= names
    assert (laid / "pubdice_aces/__init__.py").is_file()
    entries = (laid / "pubdice_games-0.dist-info/entry_points.txt").read_text("utf-8")
    assert entries.splitlines()[1:] == ["aces = pubdice_aces:KIT", "pig = pubdice_pig:KIT"]


def test_pig_is_played_from_these_files_in_both_languages(laid: Path, tmp_path: Path) -> None:
    found = played(laid, tmp_path, "pig", {"goal": "20"})
    assert "roll on or hold, and a 1 loses the turn" in found["/"][1]
    assert "weiterwürfeln oder aufhören" in found["de /"][1]
    assert "Ein Rennen für 2 oder mehr" in found["de /rules/{}"][1]
    assert found["/drill/{}/1"][0] == 422, "its rounds come back, which a browser's Python does not solve"
    assert "Ein Haus, also ein Computer mit pubdice, kann es." in found["de /drill/{}/1"][1]
    assert re.search("gewinnt|gewinnst", found["result"])


@pytest.mark.nightly
def test_a_pocket_is_built_with_an_unsolved_game(site: Path) -> None:
    """There are no figures for such a game, and its pages in the pocket say why in a sentence."""
    found = json.loads(python(FIGURES, path=(site,)))
    assert found["pig"] == []
    assert "first-rolls" in found["aces"]
