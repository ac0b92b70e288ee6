"""A command at a table is one module: one laid into a copy of the house is decided, stored, told, typed and described.

The command is in ``tests/room/added``. Besides its module, the copy has its name in the list of commands, its button in
a template and its sentences in German; nothing else is touched.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pubdice
from support.paths import PATHS

ADDED = Path(__file__).with_name("added")
SOURCE = Path(pubdice.__file__).parent
MOST_FILES, MOST_LINES = 5, 60
"""Of src that a command touches; and what a small one may take."""
NUDGE, BESIDE = "    nudge,\n", "    nudge,\n    toast,\n"
"""What changes in the list of commands, twice: it is imported, and a slice."""
BEFORE = '{{ start("nudging", "nudge") }}\n'


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The house with one command more; what to put before it in PYTHONPATH."""
    place = tmp_path_factory.mktemp("house")
    house = place / "pubdice"
    # What is compiled goes with it, but for what another process is just writing.
    shutil.copytree(SOURCE, house, ignore=shutil.ignore_patterns("*.pyc.*"))
    shutil.copy(ADDED / "toast.py", house / "room/toast.py")
    listed, page, german = (
        house / "room/commands.py",
        house / "server/web/templates/play.html",
        house / "locale/de/table.po",
    )
    text = listed.read_text(encoding="utf-8")
    assert text.count(NUDGE) == 2
    listed.write_text(text.replace(NUDGE, BESIDE), "utf-8")
    text = page.read_text(encoding="utf-8")
    assert text.count(BEFORE) == 1
    page.write_text(text.replace(BEFORE, (ADDED / "toast.html").read_text("utf-8") + BEFORE), "utf-8")
    german.write_text(german.read_text(encoding="utf-8") + (ADDED / "de.po").read_text(encoding="utf-8"), "utf-8")
    return place


@pytest.fixture(scope="module")
def answers(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the copy answers, by what it was asked."""
    script, folder = Path(__file__).with_name("asked_of_a_copy.py"), tmp_path_factory.mktemp("data")
    environment = {**os.environ, "PYTHONPATH": f"{copy}{os.pathsep}{PATHS}", "PUBDICE_CACHE": str(folder)}
    command = [sys.executable, str(script), str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def files(folder: Path) -> dict[Path, bytes]:
    """Every file of a house, by its place."""
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder): path.read_bytes() for path in found}


def test_a_command_touches_five_files_and_a_small_one_is_small(copy: Path) -> None:
    ours, theirs = files(SOURCE), files(copy / "pubdice")
    touched = [str(path) for path, content in theirs.items() if ours.get(path) != content]
    assert ours.keys() <= theirs.keys()
    assert "room/toast.py" in touched
    assert len(touched) <= MOST_FILES, touched
    assert len((ADDED / "toast.py").read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_it_is_decided_stored_and_read_again(answers: dict[str, Any]) -> None:
    assert answers["done"] == 200
    assert [line.split(" ", 1)[1] for line in answers["log"]] == ["toasted 0 stout", "toasted 1 pint"]
    assert answers["read"] == ["Toasted", "Toasted"]
    assert answers["again"] == "over"


def test_it_is_told_in_each_language_and_stands_on_the_page(answers: dict[str, Any]) -> None:
    assert answers["said"][-1] == "Bob hebt ein pint."
    assert '<button id="toast"' in answers["page"]


def test_it_can_be_typed_and_the_help_names_it(answers: dict[str, Any]) -> None:
    assert answers["typed"] == 200
    assert answers["help"]["toast"] == "raise a glass"


def test_what_it_cannot_do_is_refused_in_words(answers: dict[str, Any]) -> None:
    assert answers["early"] == {"code": "nothing-to-toast", "why": "Noch hat niemand gewonnen."}
    assert (answers["wrong field"]["code"], "name" in answers["wrong field"]["why"]) == ("fields", True)


def test_it_is_described(answers: dict[str, Any]) -> None:
    assert answers["schema"]["properties"]["do"] == {"enum": ["toast"]}
    assert answers["schema"]["description"] == "Raise a glass to the winners. name: of what is in it."
