"""Commands that other distributions bring: found, run, completed; and one that is broken costs no other anything."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from pubdice.annexes import EXTRAS
from support.console import COMMAND

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/annexes.md").read_text("utf-8")
ANNEXES = sorted(ROOT.glob("packages/*/pyproject.toml"))


def installed(folder: Path, name: str, text: str) -> None:
    """Lay a package with the command of this name beside pubdice, as an index would install it."""
    (folder / f"pubdice_{name}.py").write_text(text, "utf-8")
    about = folder / f"pubdice_{name}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pubdice-{name}\nVersion: 1\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[pubdice.commands]\n{name} = pubdice_{name}\n", "utf-8")


def run(folder: Path, *words: str) -> tuple[int, str, str]:
    environ = {**os.environ, "PYTHONPATH": str(folder), "HOME": str(folder)}
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, env=environ, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def hello(tmp_path: Path) -> Path:
    """A folder with the command that the page shows."""
    (shown,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    installed(tmp_path, "hello", shown)
    return tmp_path


def test_the_command_of_the_page_is_found_run_completed_and_meant(hello: Path) -> None:
    status, out, err = run(hello, "hello", "Ann")
    assert (status, err) == (0, "")
    assert out.startswith("Hello, Ann. Here are midnight, 420, ")
    assert "usage: pubdice hello" in run(hello, "hello", "--help")[1]
    assert "hello" in run(hello, "completion", "bash")[1]
    assert "Did you mean pubdice hello?" in run(hello, "helo")[2]


def test_a_package_that_cannot_be_imported_costs_its_own_command_alone(hello: Path) -> None:
    installed(hello, "torn", "raise OSError('torn', 'in two\\nlines')\n")
    status, out, err = run(hello, "torn")
    assert (status, out) == (1, "")
    assert err == "pubdice: torn is broken (OSError: [Errno torn] in two lines).\n"
    assert run(hello, "hello", "Ann")[0] == 0
    assert run(hello, "completion", "bash")[0] == 0
    assert run(hello, "games")[0] == 0


def test_a_command_of_the_core_keeps_its_name(tmp_path: Path) -> None:
    installed(tmp_path, "rules", "def run(words, context):\n    return 42\n")
    status, out, _ = run(tmp_path, "rules", "midnight")
    assert status == 0
    assert "Midnight" in out


def test_each_annex_is_of_the_cores_version_and_brings_the_commands_that_the_core_knows() -> None:
    assert ANNEXES
    core = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    brought = dict[str, str]()
    for file in ANNEXES:
        annex = tomllib.loads(file.read_text("utf-8"))["project"]
        extra = file.parent.name
        assert (annex["name"], annex["version"]) == (f"pubdice-{extra}", core["version"])
        assert f"pubdice=={core['version']}" in annex["dependencies"]
        assert core["optional-dependencies"][extra] == [f"pubdice-{extra}=={core['version']}"]
        brought |= dict.fromkeys(annex["entry-points"]["pubdice.commands"], extra)
        assert f"| `pubdice-{extra}` |" in PAGE
        assert len((file.parent / "README.md").read_text("utf-8").splitlines()) <= 40, "one screen"
    assert brought == EXTRAS


def test_the_core_names_no_module_of_an_annex_but_at_its_door() -> None:
    """What is imported is linted; this finds what is only written, such as the name in a string."""
    packages = [folder.name for folder in ROOT.glob("packages/*/src/*")]
    found = {
        str(file.relative_to(ROOT / "src"))
        for file in (ROOT / "src").rglob("*.py")
        if any(name in file.read_text("utf-8") for name in packages)
    }
    assert found == {"pubdice/__init__.py"}
