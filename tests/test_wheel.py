"""The wheel, built and tried in an empty environment with an empty home: what ``pipx install pubdice`` will give."""

import ast
import os
import subprocess
import sys
import zipfile
from email import message_from_string
from pathlib import Path

import platformdirs
import pytest

from release.index_page import absolute
from support.paths import TESTS

ROOT = Path(__file__).parents[1]


def _run(*words: str | Path, typed: str = "", home: Path | None = None, cwd: Path | None = None) -> str:
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("PUBDICE", "PYTHON", "XDG"))}
    environ |= {"HOME": str(home)} if home else {}
    done = subprocess.run(
        [*map(str, words)], input=typed, capture_output=True, text=True, env=environ, cwd=cwd, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def built(project: Path, folder: Path) -> Path:
    """A wheel, built as a release would be: with what builds it in this environment already."""
    _run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, project)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the core."""
    return built(ROOT, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the workshop, which has the laws."""
    return built(ROOT / "packages/workshop", tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``pubdice``, installed from the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    _run(sys.executable, "-m", "venv", "--without-pip", folder)  # to lay pip there would cost as much as all else
    # What is imported is compiled then: a third of the files.
    _run(sys.executable, "-m", "pip", "--python", folder, "install", "--quiet", "--no-compile", wheel)
    return folder / "bin" / "pubdice"


IN_WHEEL = "pubdice_workshop/laws/"
"""The tests that people try their own games with: see docs/decisions/0019."""


def test_the_wheel_holds_the_package_its_rules_and_its_types_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    pages = [f"games/{game}/{page}" for game in ("midnight", "fourtwenty") for page in ("RULES.md", "de.po")]
    for needed in ("py.typed", "cli.py", "server/web/static/table.js", *pages):
        assert f"pubdice/{needed}" in names
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"pubdice"}
    assert not [name for name in names if name.startswith("test") or "/test" in name or name.endswith(".pyc")]
    assert any(name.endswith("LICENSE") for name in names)


def test_the_wheel_of_the_workshop_holds_the_laws_and_what_they_import_of_the_tests(workshop: Path) -> None:
    """Without ``support/profiles.py``, which had been new, no game could be checked outside a clone."""
    with zipfile.ZipFile(workshop) as files:
        sizes = {each.filename: each.compress_size for each in files.infolist()}
        laws = {name.removeprefix(IN_WHEEL): files.read(name) for name in sizes if name.startswith(IN_WHEEL)}
    assert not [name for name in sizes if name.endswith(".pyc")]
    assert sum(size for name, size in sizes.items() if name.startswith(IN_WHEEL)) < 150_000
    wanted = dict[str, str]()
    for name, text in laws.items():
        for node in ast.walk(ast.parse(text)) if name.endswith(".py") else ():
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                modules = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            wanted |= {f"{module.replace('.', '/')}.py": name for module in modules}
    lacking = {file: name for file, name in wanted.items() if (TESTS / file).exists() and file not in laws}
    assert "support/profiles.py" in wanted.keys() & laws.keys(), "nothing was looked at"
    assert not lacking


def test_the_page_that_an_index_shows_is_the_readme(wheel: Path) -> None:
    """Once the project has an address, the links lead to the release (``tests/test_project_address.py``)."""
    with zipfile.ZipFile(wheel) as files:
        (name,) = (each for each in files.namelist() if each.endswith(".dist-info/METADATA"))
        metadata = message_from_string(files.read(name).decode())
    page, readme = str(metadata.get_payload()), (ROOT / "README.md").read_text("utf-8")
    assert metadata["Description-Content-Type"] == "text/markdown"
    urls = dict(url.split(", ", 1) for url in metadata.get_all("Project-URL", []))
    expected = absolute(readme, urls["Repository"], metadata["Version"]) if urls else readme
    assert page.strip() == expected.strip()


@pytest.mark.nightly
def test_the_laws_of_the_wheel_are_tried_over_a_game_elsewhere(wheel: Path, workshop: Path, tmp_path: Path) -> None:
    """In a Python that has what the extra ``laws`` installs, and no clone."""
    for each in (wheel, workshop):
        zipfile.ZipFile(each).extractall(tmp_path / "site")
    environ = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    pubdice = [sys.executable, "-c", "import sys; from pubdice.cli import main; sys.exit(main())"]
    for words in (["new-game", "heap", "heap"], ["game", "check", "heap", "--within", "600"]):
        done = subprocess.run(
            [*pubdice, *words], capture_output=True, text=True, env=environ, cwd=tmp_path, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "laws hold, 0 do not" in done.stdout
    assert "heap holds." in done.stdout


def test_the_installed_command_plays_a_whole_game_and_tells_it_again(command: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()

    def pubdice(*words: str, typed: str = "") -> str:
        return _run(command, *words, typed=typed, home=home, cwd=tmp_path)

    assert "usage: pubdice" in pubdice("--help")
    assert pubdice("--version").startswith("pubdice ")
    assert not list(home.iterdir()), "looking leaves nothing behind"
    for game in ("midnight", "420"):
        assert len(pubdice("rules", game).split()) > 100
    told = pubdice(
        "play", "midnight", "--seats", "Ann", "--format", "rounds:1", "--dice", "real", typed="344512\nk 344512\nb\n\n"
    )
    assert "Ann scored 14" in told
    assert "This was game 1" in told
    assert "Ann scored 14" in pubdice("replay", "1")
    record = pubdice("record", "1")
    assert "Ann scored 14" in pubdice("replay", "-", typed=record)
    assert "This was game 2" in pubdice("play", "420", "--seats", "bot,bot")
    assert len(pubdice("games").splitlines()) == 2
    assert list(home.rglob("1.log")), "games are kept in the home of who plays"


def test_serve_without_its_libraries_says_the_command_that_installs_them(command: Path, tmp_path: Path) -> None:
    for words in (["serve"], ["restore", "b.zip"], ["check"]):
        done = subprocess.run(
            [command, *words], capture_output=True, text=True, env={"HOME": str(tmp_path)}, cwd=tmp_path, check=False
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == (
            f"pubdice: {words[0]} is not installed. To install it: pip install 'pubdice[web]'; "
            "with pipx: pipx install --force 'pubdice[web]'.\n"
        )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "how"),
    [
        ("serve --port 99999", "make serve"),
        ("doctor", "make .venv/.web"),
        ("pocket site", "make pocket"),
        ("move-house a b", "make .venv/.web"),
    ],
)
def test_in_a_clone_make_installs_what_a_command_needs(words: str, how: str, tmp_path: Path) -> None:
    """After ``make play``: an environment in the clone, which has pubdice without the libraries of the web."""
    (tmp_path / "src").symlink_to(ROOT / "src")
    (tmp_path / "Makefile").symlink_to(ROOT / "Makefile")
    _run(sys.executable, "-m", "venv", "--without-pip", tmp_path / ".venv")
    (place,) = tmp_path.glob(".venv/lib/python*/site-packages")
    (place / "clone.pth").write_text(str(tmp_path / "src"), "utf-8")
    (place / "platformdirs").symlink_to(Path(platformdirs.__file__).parent)
    asked: list[str | Path] = [
        tmp_path / ".venv/bin/python",
        "-c",
        "import sys; from pubdice.cli import main; sys.exit(main())",
    ]
    done = subprocess.run([*asked, *words.split()], capture_output=True, text=True, env={"LANG": "C"}, check=False)
    name = words.partition(" ")[0]
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"pubdice: {name} is not installed. To install it: {how}\n"
    named = _run("make", "--dry-run", how.partition(" ")[2], cwd=ROOT)
    assert "No rule" not in named


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        *[(words, "lab") for words in ("simulate mexico", "arena mexico", "plot values mexico", "paper article")],
        *[(words, "workshop") for words in ("new-game heap", "game check heap")],
        ("pocket site", "pocket"),
    ],
)
def test_a_command_of_an_annex_that_is_not_there_says_how_to_get_it(
    words: str, extra: str, command: Path, tmp_path: Path
) -> None:
    asked: list[str | Path] = [command, *words.split()]
    environ = {"HOME": str(tmp_path)}
    done = subprocess.run(asked, capture_output=True, text=True, env=environ, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"pubdice: {words.partition(' ')[0]} is not installed. To install it: pip install 'pubdice[{extra}]'; "
        f"with pipx: pipx install --force 'pubdice[{extra}]'.\n"
    )


def test_the_library_without_the_lab_says_how_to_get_it(command: Path, tmp_path: Path) -> None:
    asked: list[str | Path] = [command.with_name("python"), "-c", "import pubdice; pubdice.odds; pubdice.simulate"]
    done = subprocess.run(asked, capture_output=True, text=True, cwd=tmp_path, check=False)
    last = done.stderr.splitlines()[-1]
    assert last == "ImportError: pubdice.simulate is not installed. To install it: pip install 'pubdice[lab]'."


@pytest.mark.parametrize(
    "runner",
    [["pipx", "run", "--spec"], pytest.param(["uvx", "--no-config", "--from"], marks=pytest.mark.nightly)],
    ids=lambda it: it[0],
)
def test_it_plays_without_being_installed(runner: list[str], wheel: Path, tmp_path: Path) -> None:
    program = Path(sys.executable).with_name(runner[0])
    words: tuple[str | Path, ...] = (program, *runner[1:], wheel, "pubdice")
    assert "This was game 1" in _run(*words, "play", "420", "--seats", "bot,bot", home=tmp_path, cwd=tmp_path)
    assert list(tmp_path.rglob("1.log")), "kept in the home of who plays"
