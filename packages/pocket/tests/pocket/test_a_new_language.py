"""Tests that a language added to a copy of pubdice works in a pocket built there."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from made_up_language import CODE, marked, write
from pubdice.text.catalogues import CODES
from sentences import ANNEXES, SOURCE

pytestmark = pytest.mark.nightly
POCKET = "packages/pocket/src/pubdice_pocket"
ASKED = """
import json
from pubdice_pocket.build.contents import said_outside
from pubdice_pocket.build.libraries import pubdice_files
from pubdice.text.catalogues import CODES
print(json.dumps({"said": said_outside(), "files": [*pubdice_files()], "codes": CODES}))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of pubdice and of the pocket, with one more language."""
    place = tmp_path_factory.mktemp("copy")
    for folder, to in ((SOURCE, "src/pubdice"), (ANNEXES["pubdice_pocket"], POCKET)):
        shutil.copytree(folder, place / to, ignore=shutil.ignore_patterns("__pycache__"))
    write(place / "src/pubdice")
    return place


def test_a_new_language_adds_its_words_and_its_catalogue(copy: Path) -> None:
    own = {f"{POCKET}/words/{CODE}.json", f"{POCKET}/{CODE}.po"}
    assert {file.relative_to(copy).as_posix() for file in (copy / POCKET).rglob(f"{CODE}*")} == own


def test_the_pocket_speaks_a_new_language_before_its_engine(copy: Path) -> None:
    paths = os.pathsep.join(str(copy / path) for path in ("src", "packages/pocket/src"))
    environ = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, env=environ, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["codes"] == [*CODES, CODE]
    assert found["said"][CODE]["shell"]["ready"] == marked("Ready.")
    names = ("locale/{}/table", "locale/{}/pages", "games/ship/{}")
    assert {f"pubdice/{name.format(CODE)}.json" for name in names} <= {*found["files"]}
