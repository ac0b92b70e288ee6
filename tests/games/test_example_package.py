"""``examples/pig``: a game of its own package, installed beside pubdice by pip, played, and taken away again."""

import asyncio
import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.console import COMMAND
from support.house_process import House, Phone, run

EXAMPLE = Path(__file__).parents[2] / "examples/pig"
MOST_LINES = 150
"""Of Python, in a game of this kind."""
WITHIN_S = 60
RECORD = "pubdice 1\ngame: pig\ngoal: 20\nseats: Ann, Bob\nformat: race\nfirst: Ann\n\nround 1\n"
PLAYED = "Ann: 6 roll 6 roll 5 hold\nBob: 1\nAnn: 2 roll 3 hold\n"


def _pip(python: Path, *words: str) -> None:
    command = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A throw-away environment, which has what this one has."""
    folder = tmp_path_factory.mktemp("beside") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (here,) = folder.glob("lib/python*/site-packages")
    (here / "beside.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    return folder / "bin/python"


@pytest.fixture(scope="module")
def site(python: Path) -> Iterator[Path]:
    """Where pip has installed Pig."""
    _pip(python, "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", str(EXAMPLE))
    (here,) = python.parents[1].glob("lib/python*/site-packages")
    assert (here / "pubdice_pig/de.po").is_file()
    yield here
    _pip(python, "uninstall", "--quiet", "--yes", "pubdice-pig")
    assert not (here / "pubdice_pig").exists()


@pytest.fixture
def home(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.setenv("PUBDICE_DATA", str(tmp_path))
    return tmp_path


def told(*words: str, typed: str = "", status: int = 0) -> str:
    command = [str(COMMAND), *words]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == status, (words, done.stdout, done.stderr)
    return done.stdout + done.stderr


def test_it_is_small() -> None:
    lines = [line for path in EXAMPLE.rglob("*.py") for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) <= MOST_LINES


@pytest.mark.nightly
def test_it_is_played_in_the_terminal_and_its_record_is_written_and_told(home: Path) -> None:
    assert "pig: Pig, from pubdice_pig" in told("game", "list")
    assert "A race for 2 or more, with 1 die." in told("rules", "pig")
    seats = ("--seats", "Ann,Bob", "--goal", "20", "--dice", "real")
    said = told("play", "pig", *seats, typed="6\nr\n6\nr\n5\nb\n1\n2\nr\n3\n")
    assert "Ann held 17." in said
    assert "The turn is lost." in said
    assert "Ann wins" in said
    record = told("record", "1")
    assert record.startswith(RECORD[: RECORD.index("format")])
    assert record.splitlines()[-1].startswith("Ann: 2 roll 3")
    assert "Ann held 5." in told("replay", "-", typed=record)
    assert json.loads(told("replay", "1", "--json"))["finished"]


@pytest.mark.nightly
def test_its_bots_play_and_it_is_solved_where_it_is_small(home: Path) -> None:
    assert "This was game" in told("play", "pig", "--seats", "bot:tip,bot:lucky", "--goal", "50", "--seed", "1")
    assert "This was game" in told("play", "pig", "--seats", "bot:perfect,bot:tip", "--goal", "20", "--seed", "1")
    shares = [float(share) for share in re.findall(r"([\d.]+)%", told("odds", "pig", "--goal", "20", "--seats", "2"))]
    assert sum(shares[:2]) == pytest.approx(100, abs=0.11)
    assert shares[0] > 50, "it is good to go first"


@pytest.mark.nightly
def test_it_is_played_on_the_web_in_english_and_in_german(home: Path) -> None:
    with House(home, "--no-qr", forked=False) as house:

        async def play() -> None:
            ann = Phone(house.port, "Ann")
            front = (await ann.ask("GET", "/")).body.decode()
            assert "roll on or hold, and a 1 loses the turn" in front
            german = (await ann.ask("GET", "/", headers={"Accept-Language": "de"})).body.decode()
            assert "weiterwürfeln oder aufhören" in german
            page = await ann.ask("GET", "/rules/pig", headers={"Accept-Language": "de"})
            assert "Ein Rennen für 2 oder mehr" in page.body.decode()
            code = await ann.open_table(game="pig", bots=["tip"], rules={"goal": "20"})
            async with asyncio.timeout(WITHIN_S):
                while (view := await ann.view(code))["stage"] != "over":
                    if view["mover"] != 0:
                        await asyncio.sleep(0.05)
                        continue
                    offered = [move["move"] for move in view["moves"]]
                    do = {"do": "choose", "action": "hold"} if "hold" in offered else {"do": "roll"}
                    answer = await ann.do(code, **do)
                    assert answer.status == 200, answer.body
            assert re.search(r"\bwins?\b", view["result"][0]["text"])

        run(play())


@pytest.mark.nightly
def test_it_is_gone_once_it_is_uninstalled_and_back_once_it_is_installed(
    python: Path, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.setenv("PUBDICE_DATA", str(tmp_path))
    told("play", "pig", "--seats", "Ann,Bob", "--goal", "20", "--dice", "real", typed="6\n")
    _pip(python, "uninstall", "--quiet", "--yes", "pubdice-pig")
    assert "pig is not installed here" in told("games")
    assert "The game of this record is not installed here" in told("replay", "-", typed=RECORD + PLAYED, status=2)
    _pip(python, "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", str(EXAMPLE))
    assert "Ann held 6." in told("resume", "1", typed="b\n1\n")
    assert os.environ["PYTHONPATH"] == str(site)
