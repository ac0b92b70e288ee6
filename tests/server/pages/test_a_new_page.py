"""A page is one module and one template: one that is laid into a copy of the house is served, described and limited.

The page is in ``tests/server/pages/added``. Besides its two files, the copy has its name in the list of pages and its
sentence in German. Nothing else is touched.
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
MOST_FILES, MOST_LINES = 4, 100
"""Files of src that a page touches, and the most lines of a small one."""
IMPORT, PAGES = "from pubdice.server.pages import (\n", "PAGES = (\n"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The house with one page more, for PYTHONPATH."""
    place = tmp_path_factory.mktemp("house")
    house = place / "pubdice"
    # Compiled files go with it, except those that another process is just writing.
    shutil.copytree(SOURCE, house, ignore=shutil.ignore_patterns("*.pyc.*"))
    for name in ("worth.py", "worth.html"):
        shutil.copy(ADDED / name, house / "server/pages" / name)
    app, german = house / "server/app.py", house / "locale/de/pages.po"
    text = app.read_text(encoding="utf-8")
    assert text.count(IMPORT) == text.count(PAGES) == 1
    app.write_text(text.replace(IMPORT, f"{IMPORT}    worth,\n").replace(PAGES, f"{PAGES}    worth,\n"), "utf-8")
    german.write_text(german.read_text(encoding="utf-8") + (ADDED / "de.po").read_text(encoding="utf-8"), "utf-8")
    return place


@pytest.fixture(scope="module")
def answers(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The copy's answers, by request."""
    script, folder = Path(__file__).with_name("asked_of_a_copy.py"), tmp_path_factory.mktemp("data")
    paths = f"{copy}{os.pathsep}{PATHS}"
    environment = {**os.environ, "PYTHONPATH": paths, "PUBDICE_CACHE": str(folder)}
    command = [sys.executable, str(script), str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def files(folder: Path) -> dict[Path, bytes]:
    """Every file of a house, by its place."""
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder): path.read_bytes() for path in found}


def test_a_page_touches_four_files_and_a_small_one_is_small(copy: Path) -> None:
    ours, theirs = files(SOURCE), files(copy / "pubdice")
    touched = [str(path) for path, content in theirs.items() if ours.get(path) != content]
    assert ours.keys() <= theirs.keys()
    assert {"server/pages/worth.py", "server/pages/worth.html"} < set(touched)
    assert len(touched) <= MOST_FILES, touched
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in ADDED.glob("worth.*")) <= MOST_LINES


def test_it_asks_again_while_the_worker_is_at_it(answers: dict[str, Any]) -> None:
    waiting = answers["waiting"]
    assert (waiting["status"], waiting["headers"]["retry-after"]) == (202, "2")
    assert "<h1>The best keep of 33621</h1>" in waiting["text"]


def test_it_is_shown_as_a_page_in_each_language_and_as_data(answers: dict[str, Any]) -> None:
    page, data = answers["page"], answers["data"]
    assert page["status"] == data["status"] == 200
    assert page["headers"]["content-type"].startswith("text/html")
    best = json.loads(data["text"])["best"]
    assert best in page["text"]
    assert json.loads(data["text"]) == {"roll": "33621", "best": best}
    assert "<h1>Das beste Behalten bei 33621</h1>" in answers["in German"]["text"]


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [("wrong field", 422, "fields"), ("too often", 429, "often"), ("no such game", 404, "no-page")],
)
def test_what_it_cannot_answer_it_refuses(answers: dict[str, Any], asked: str, status: int, code: str) -> None:
    assert (answers[asked]["status"], json.loads(answers[asked]["text"])["code"]) == (status, code)


def test_a_refusal_is_a_page_for_a_browser(answers: dict[str, Any]) -> None:
    assert answers["no field"]["status"] == 422
    assert "<h1" in answers["no field"]["text"]
    assert answers["posted"]["status"] == 405
    assert "GET" in answers["posted"]["headers"]["allow"]


def test_it_is_described(answers: dict[str, Any]) -> None:
    described = json.loads(answers["described"]["text"])
    operation = described["paths"]["/worth/{game}"]["get"]
    assert {"200", "202", "404", "422", "429", "503"} <= set(operation["responses"])
    roll = {"type": "string", "pattern": "^[1-6]{1,6}$"}
    assert {"name": "roll", "in": "query", "required": True, "description": "The dice as they fell."} | {
        "schema": roll
    } in operation["parameters"]
    shape = operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert shape == {"$ref": "#/components/schemas/RollWorth"}
    assert described["components"]["schemas"]["RollWorth"]["required"] == ["roll", "best"]
