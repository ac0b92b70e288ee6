"""A group counted as it was at the revision that wrote the costs down; and written down, with a page that is new."""

import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest

from costs.before import SHORT
from costs.contract import COSTS, Before
from costs.groups import measured_before
from costs.measured import Cost
from support.paths import LAWS, TESTS

MEASURE = """
import json, sys
from lab import SAID
from pub import CALLS
json.dump({"A roll": {"numbers": {"calls": CALLS}, "functions": {f"{SAID} {sys.argv[1:]}": CALLS}}}, sys.stdout)
"""
ENDLESS = """
import subprocess, sys, time
from pathlib import Path
Path("../../started").write_text(str(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]).pid))
time.sleep(60)
"""
FILES = {
    f"tests/costs/{COSTS}": "",
    "tests/costs/measure.py": MEASURE,
    "src/pub.py": "CALLS = 60",
    "packages/lab/src/lab.py": "SAID = 'asked'",
}


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(folder: Path, **files: str) -> str:
    """Write files, which are named by their stem, and commit all; the revision."""
    for path in FILES:
        if Path(path).stem in files:
            (folder / path).write_text(files[Path(path).stem], encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "x")
    return git(folder, "rev-parse", "HEAD")[:SHORT]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One with costs that were written down, and code that has changed since; what is temporary has a folder beside."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    folder = tmp_path / "repository"
    for path in FILES:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
    git(folder, "init")
    commit(folder, **{Path(path).stem: text for path, text in FILES.items()})
    return folder


def then(repository: Path, most_s: float = 60) -> Before:
    """What is counted of a repository as it was; nothing stays in the folder for what is temporary."""
    found = measured_before("deeds", "address", file=repository / "tests/costs" / COSTS, most_s=most_s)
    assert not list(Path(tempfile.gettempdir()).glob("pubdice-costs-*"))
    return found


def test_a_group_is_counted_as_it_was_when_the_costs_were_written_down(repository: Path) -> None:
    written = commit(repository, costs="# once more", pub="CALLS = 70", lab="SAID = 'said'")
    commit(repository, pub="CALLS = 80", lab="SAID = 'sung'", measure="raise SystemExit('of another day')")
    (repository / "src/pub.py").write_text("CALLS = 90", encoding="utf-8")
    assert then(repository) == Before(written, {"A roll": Cost({"calls": 70}, {"said ['deeds', 'address']": 70})})
    assert git(repository, "status", "--short") == "M src/pub.py"
    assert git(repository, "worktree", "list").count("\n") == 0


def test_where_the_file_is_not_as_that_revision_wrote_it_it_says_so(repository: Path) -> None:
    written = commit(repository, costs="# once more")
    (repository / "tests/costs" / COSTS).write_text("# by hand", encoding="utf-8")
    assert then(repository) == Before(unknown=f"costs.toml is not as {written} wrote it")


def test_without_git_or_a_repository_or_a_revision_it_says_so(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, new = tmp_path / "tests/costs" / COSTS, repository / "new" / COSTS
    for file in (alone, new):
        file.parent.mkdir(parents=True)
        file.touch()
    assert measured_before("deeds", file=new).unknown == "no revision has costs.toml"
    assert measured_before("deeds", file=alone).unknown.startswith("git log says: fatal: not a git repository")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert then(repository) == Before(unknown="there is no git")


def test_what_cannot_be_counted_any_more_is_told_with_its_reason(repository: Path) -> None:
    commit(repository, costs="# once more", measure="import nothing_like_this")
    why = "it cannot be counted by this Python: ModuleNotFoundError: No module named 'nothing_like_this'"
    assert then(repository).unknown == why
    commit(repository, costs="# other numbers", measure="""print('{"A roll": {"all": 1}}')""")
    assert then(repository).unknown.startswith("it was counted in another way")


def test_what_takes_too_long_is_ended_with_all_that_it_started(repository: Path) -> None:
    commit(repository, costs="# once more", measure=ENDLESS)
    started = Path(tempfile.gettempdir()) / "started"
    for most_s in (2, 8, 32):  # in 2 s a busy machine may not come to start the child
        assert then(repository, most_s=most_s).unknown == f"it was not counted within {most_s} s"
        if started.exists() and started.read_text():
            break
    child = int(started.read_text())
    until = time.monotonic() + 10
    while time.monotonic() < until and is_running(child):
        time.sleep(0.01)
    assert not is_running(child)


def is_running(process: int) -> bool:
    """Whether a process runs; one that has ended may wait for somebody to ask how."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


# `make costs`

WITH_A_NEW_PAGE = """
from costs import groups, pages
from costs.measured import Cost
from pubdice.server.web.routing import Route
from support.paths import TESTS

def counted(group, folder):
    assert group == "pages"
    paths = [path.replace("{game}", pages.GAME) for path in pages.routes()]
    return {f"GET {path}, cold: 200": Cost({"calls": 10, "library_calls": 10}) for path in paths}

pages.ROUTES = (*pages.ROUTES, Route("GET", "/one-more", None, "New."))
groups.measured = counted
"""


def test_the_costs_of_a_new_page_are_written_down_at_the_first_run_and_nothing_fails(tmp_path: Path) -> None:
    """In a copy of these tests, with pages that are not really asked; all that runs before pages do is run."""
    costs = tmp_path / "costs"
    costs.mkdir()
    for file in (TESTS / "costs").iterdir():
        if file.suffix in {".py", ".toml"} and file.name != Path(__file__).name:
            (costs / file.name).write_bytes(file.read_bytes())
    (tmp_path / "tests").mkdir()
    for name in ("conftest.py", "tests/at_night.txt"):
        (tmp_path / name).symlink_to(TESTS.parent / name)
    (tmp_path / "support").symlink_to(TESTS / "support")
    (tmp_path / "with_a_new_page.py").write_text(WITH_A_NEW_PAGE, encoding="utf-8")
    (tmp_path / "pytest.ini").touch()
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PUBDICE"))}
    environ["PYTHONPATH"] = os.pathsep.join((str(tmp_path), str(LAWS)))
    chosen = "test_contract and not copy_of_the_process or test_a_page"
    command = [sys.executable, "-m", "pytest", "-p", "with_a_new_page", "-q", "-k", chosen, "--write-costs", "costs"]
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert '\n"GET /one-more, cold: 200" = { calls = 10' in (costs / COSTS).read_text(encoding="utf-8")
