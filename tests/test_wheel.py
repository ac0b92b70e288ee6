"""The wheel, built and tried in an empty environment with an empty home: what ``pipx install pubdice`` will give."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def _run(*words: str | Path, typed: str = "", home: Path | None = None, cwd: Path | None = None) -> str:
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("PUBDICE", "PYTHON", "XDG"))}
    environ |= {"HOME": str(home)} if home else {}
    done = subprocess.run(
        [*map(str, words)], input=typed, capture_output=True, text=True, env=environ, cwd=cwd, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel, built as a release would be."""
    folder = tmp_path_factory.mktemp("dist")
    _run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``pubdice``, installed from the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    _run(sys.executable, "-m", "venv", "--without-pip", folder)  # to lay pip there would cost as much as all else
    _run(sys.executable, "-m", "pip", "--python", folder, "install", "--quiet", wheel)
    return folder / "bin" / "pubdice"


def test_the_wheel_holds_the_package_its_rules_and_its_types_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    pages = [f"games/{game}/{page}" for game in ("midnight", "fourtwenty") for page in ("RULES.md", "de.po")]
    for needed in ("py.typed", "cli.py", "pocket/build/parts.py", "pocket/static/sw.js", *pages):
        assert f"pubdice/{needed}" in names
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"pubdice"}
    assert not [name for name in names if name.startswith("test") or "/test" in name or name.endswith(".pyc")]
    assert any(name.endswith("LICENSE") for name in names)


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
