"""Commands that other distributions bring: found, run, completed; and one that is broken costs no other anything."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pubdice.annexes import EXTRAS
from support.annexes import PACKAGES
from support.console import COMMAND
from support.house_process import House, Phone
from support.house_process import run as run_evening
from support.paths import PATHS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/contribute/annexes.md").read_text("utf-8")
COMMAND_SHOWN, SUITE_SHOWN = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
SHELF = ROOT / "examples/shelf"
STORE_SHOWN = (SHELF / "pubdice_shelf.py").read_text("utf-8")
ANNEXES = sorted(ROOT.glob("packages/*/pyproject.toml"))


def installed(folder: Path, name: str, text: str, entry: str = "[pubdice.commands]\n{name} = pubdice_{name}\n") -> None:
    """Lay a package beside pubdice, as an index would install it. entry: by which the core finds it."""
    (folder / f"pubdice_{name}.py").write_text(text, "utf-8")
    about = folder / f"pubdice_{name}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pubdice-{name}\nVersion: 1\n", "utf-8")
    (about / "entry_points.txt").write_text(entry.format(name=name), "utf-8")


def run(folder: Path, *words: str) -> tuple[int, str, str]:
    environ = {**os.environ, "PYTHONPATH": str(folder), "HOME": str(folder)}
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, env=environ, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def hello(tmp_path: Path) -> Path:
    """A folder with the command that the page shows."""
    installed(tmp_path, "hello", COMMAND_SHOWN)
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


STORE_ENTRY = "[pubdice.stores]\n{name} = pubdice_{name}:read_address\n"


def test_the_example_is_a_package_with_the_entry_point_of_the_page() -> None:
    about = tomllib.loads((SHELF / "pyproject.toml").read_text("utf-8"))["project"]
    assert about["entry-points"] == {"pubdice.stores": {"shelf": "pubdice_shelf:read_address"}}
    assert '[project.entry-points."pubdice.stores"]\nshelf = "pubdice_shelf:read_address"\n' in PAGE


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the store of ``examples/shelf``, which all processes of this test find."""
    installed(tmp_path, "shelf", STORE_SHOWN, STORE_ENTRY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


def test_the_store_of_the_example_serves_a_table_that_survives_a_kill(shelf: Path) -> None:
    place = f"shelf://{shelf}/pub.shelf"

    async def first(house: House) -> tuple[str, bytes]:
        ann = Phone(house.port, "Ann")
        code = await ann.open_table(game="midnight")
        answer = await ann.do(code, do="roll", key="a-key-of-mine")
        assert answer.status == 200, answer.body
        return code, answer.body

    async def again(house: House, code: str) -> tuple[int, bytes]:
        answer = await Phone(house.port, "Ann").do(code, do="roll", key="a-key-of-mine")
        return answer.status, answer.body

    with House(shelf, "--store", place, forked=False) as house:
        code, body = run_evening(first(house))
        house.kill()
        house.open()
        assert run_evening(again(house, code)) == (200, body)
    status, out, err = run(shelf, "check", "--store", place, "--against", place)
    assert (status, err, out.splitlines()[1]) == (0, "", f"{place} has everything that {place} has.")
    assert out.startswith("1 table is sound, ")
    assert run(shelf, "backup", str(shelf / "copy.db"), "--store", place)[:2] == (
        0,
        f"Copied all tables to {shelf}/copy.db.\n",
    )
    assert f"Fine: The folder of {place} is there.\n" in run(shelf, "doctor", "--store", place)[1]
    assert (
        run(shelf, "check", "--store", f"shelf://{shelf}/none")[2]
        == f"pubdice check: There's no house in shelf://{shelf}/none.\n"
    )


def test_the_store_of_the_example_keeps_what_every_store_promises(shelf: Path) -> None:
    """In a process of its own, with no settings of this one."""
    suite = shelf / "test_shelf.py"
    suite.write_text(SUITE_SHOWN, "utf-8")
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(shelf), str(suite)]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(shelf), PATHS])}
    done = subprocess.run(words, capture_output=True, text=True, env=environ, cwd=shelf, check=False)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_an_address_that_no_package_knows_and_one_whose_package_is_broken_cost_a_sentence(shelf: Path) -> None:
    assert "no address of a database." in run(shelf, "check", "--store", "mysql://h/x")[2]
    installed(shelf, "torn", "raise OSError('torn', 'in two\\nlines')\n", STORE_ENTRY)
    status, out, err = run(shelf, "check", "--store", "torn://me:secret@h/x")
    assert (status, out) == (1, "")
    assert err == "pubdice check: torn:// is broken (OSError: [Errno torn] in two lines).\n"
    assert "no house" in run(shelf, "check", "--store", "SHELF:///none/x")[2]


def test_a_command_of_the_core_keeps_its_name(tmp_path: Path) -> None:
    installed(tmp_path, "rules", "def run(words, context):\n    return 42\n")
    status, out, _ = run(tmp_path, "rules", "midnight")
    assert status == 0
    assert "Midnight" in out


def test_each_annex_is_of_the_cores_version_and_brings_the_commands_that_the_core_knows() -> None:
    assert ANNEXES
    core = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for file in ANNEXES:
        annex = tomllib.loads(file.read_text("utf-8"))["project"]
        extra = file.parent.name
        assert (annex["name"], annex["version"]) == (f"pubdice-{extra}", core["version"])
        needed = [re.sub(r"\[\w+\]", "", line) for line in annex["dependencies"]]
        assert f"pubdice=={core['version']}" in needed
        assert core["optional-dependencies"][extra] == [f"pubdice-{extra}=={core['version']}"]
        known = {name for name, of in EXTRAS.items() if of == extra}
        assert annex["entry-points"]["pubdice.commands"].keys() == known
        assert f"| `pubdice-{extra}` |" in PAGE
        assert len((file.parent / "README.md").read_text("utf-8").splitlines()) <= 40, "one screen"


def test_the_core_names_no_module_of_an_annex_but_at_its_door() -> None:
    """What is imported is linted; this finds what is only written, such as the name in a string."""
    found = {
        str(file.relative_to(ROOT / "src"))
        for file in (ROOT / "src").rglob("*.py")
        if any(name in file.read_text("utf-8") for name in PACKAGES)
    }
    assert found == {"pubdice/__init__.py"}


REMOVABLE = sorted({*PACKAGES} - {"pubdice_workshop"})
"""The workshop holds the laws, which the core's own tests try."""


def test_the_tests_of_the_core_pass_without_an_annex() -> None:
    """What imports one at the head of its file would not be collected; it asks for it first, and is skipped."""
    for file in (ROOT / "tests").rglob("*.py"):
        text = file.read_text("utf-8")
        for name in REMOVABLE:
            if re.search(rf"^(?:from|import) {name}\b", text, re.MULTILINE):
                assert f'pytest.importorskip("{name}"' in text, file.name


@pytest.mark.parametrize("name", [".importlinter", "tsconfig.json"])
def test_no_list_of_the_core_names_a_folder_of_an_annex(name: str) -> None:
    """A checker that is given a folder that is gone fails; each annex has lists of its own."""
    assert "packages/" not in (ROOT / name).read_text("utf-8")
