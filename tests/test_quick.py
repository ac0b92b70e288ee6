"""`make quick` runs the tests that a change can break, and ends in time."""

import subprocess
import sys
from pathlib import Path

import pytest

from support.quick import places

HERE = Path(__file__).parent
FILES = {
    ".gitignore": ".testmon*\n__pycache__\n.pytest_cache\n",
    "pytest.ini": "[pytest]\npythonpath = src/pubdice/core\n",
    "src/pubdice/core/add.py": "def add(a, b):\n    return a + b\n\n\ndef less(a, b):\n    return a - b\n",
    "src/pubdice/text/words.po": "",
    "tests/core/test_add.py": "from add import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
    "tests/core/test_less.py": "from add import less\n\n\ndef test_less():\n    assert less(2, 1) == 1\n",
    "tests/text/test_words.py": "def test_words():\n    pass\n",
}


def _run(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "pytest", "-v", "--numprocesses=0", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def _quick(folder: Path, *arguments: str) -> tuple[set[str], str]:
    """The names of the tests that passed or failed, and all that was told."""
    mapped = ["--testmon", "--testmon-nocollect"] if (folder / ".testmondata").exists() else []
    told = _run(folder, "-p", "support.quick", *mapped, *arguments)
    lines = [line for line in told.splitlines() if " PASSED" in line or " FAILED" in line]
    return {line.partition("::")[2].split()[0] for line in lines}, told


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project on a branch of its own, without a change."""
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for command in ("init -qb main", "add .", "-c user.name=a -c user.email=a@b commit -qm a", "checkout -qb mine"):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True)
    return tmp_path


def test_the_map_and_the_kind_of_file_choose_and_time_ends_it(project: Path) -> None:
    module = project / "src/pubdice/core/add.py"
    module.write_text(module.read_text().replace("a - b", "b - a"))
    assert _quick(project)[0] == {"test_add", "test_less"}  # no map: all of the room
    module.write_text(FILES["src/pubdice/core/add.py"])
    _run(project, "--testmon")
    assert _quick(project)[0] == set()
    module.write_text(module.read_text().replace("a - b", "b - a"))
    assert _quick(project)[0] == {"test_less"}
    (project / "src/pubdice/text/words.po").write_text('msgid ""\n')
    assert _quick(project)[0] == {"test_less", "test_words"}
    names, told = _quick(project, "--within=0")
    assert names == set()
    assert "2 skipped" in told


def test_each_kind_of_file_has_its_tests() -> None:
    page = "src/pubdice/server/pages/book.html"
    assert places({"src/pubdice/room/nudge.py", page, "README.md"}, mapped=True) == (
        "tests/browser/client/", "tests/server/", "tests/server/pages/", "tests/server/show/",
    )  # fmt: skip
    changed = {"src/pubdice/room/nudge.py", "packages/lab/tests/test_arena.py", "tests/test_weight.py"}
    assert places(changed, mapped=False) == ("packages/lab/", "tests/room/", "tests/test_weight.py")
