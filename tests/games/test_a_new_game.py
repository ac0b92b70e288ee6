"""A game is one folder and one line: two games, laid beside the house's in a copy of the house, are played and solved.

Trio is of the usual kind, one turn a seat in which dice are kept. In Twenty-One nothing is kept: everybody opens, then
actions are ``draw`` and ``stand``, and dice add up. The folders are ``trio`` beside this and ``twentyone`` of the laws;
the line of each is its entry in ``GAMES``. Nothing else of the copy is touched.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pubdice
from games.trio.rules import Trio
from games.twentyone.rules import TwentyOne, TwentyOneRound
from oracles.expectimax import expectimax
from pubdice.games import GAMES
from support.console import COMMAND
from support.house_process import House, Phone, run
from support.paths import LAWS, TESTS

ADDED = ("trio", "twentyone")
FOLDERS = [folder / "games" / name for folder, name in zip((TESTS, LAWS), ADDED, strict=True)]
MOST_LINES = 350
"""What a small game may take."""
LIST = "for kit in ("
HEAD = "pubdice 1\ngame: trio\nseats: Ann\nformat: rounds 1\nopener: rotate\nfirst: Ann\n\n"
ONE = HEAD + "round 1\nAnn: 655 k6 34 k4 5 k5 = 9\n"
MEAN = float(expectimax(Trio(), Trio().start(1), lambda result: Fraction(result.scores[0])))
"""Of a turn played for its score, by a solver in fractions that knows the rules only."""
WITHIN_S = 60
ENTERED = "655\nk 6\nr\n3 4\nk 4\nr\n5\n"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The house with a folder and a line more for each game; what to put before it in PYTHONPATH."""
    place = tmp_path_factory.mktemp("house")
    house = place / "pubdice"
    shutil.copytree(Path(pubdice.__file__).parent, house)
    for folder in FOLDERS:
        shutil.copytree(folder, house / "games" / folder.name)
    games = house / "games" / "__init__.py"
    text = games.read_text(encoding="utf-8")
    assert text.count(LIST) == 1
    entries = "".join(f"{name}.KIT, " for name in ADDED)
    imports = f"from pubdice.games import {', '.join(ADDED)}\n"
    games.write_text(imports + text.replace(LIST, LIST + entries), encoding="utf-8")
    return place


@pytest.fixture
def home(copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for games; every process from now on is the copy's."""
    monkeypatch.setenv("PYTHONPATH", str(copy))
    monkeypatch.setenv("PUBDICE_DATA", str(tmp_path))
    return tmp_path


def told(*words: str, typed: str = "") -> str:
    """What the command says; it must end well."""
    command = [str(COMMAND), *words]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, ""), (words, done.stdout)
    return done.stdout


@pytest.mark.parametrize("folder", FOLDERS, ids=ADDED)
def test_a_small_game_is_small(folder: Path) -> None:
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in folder.iterdir() if path.is_file())
    assert lines <= MOST_LINES


def test_the_copy_and_not_this_house_knows_it(copy: Path, home: Path) -> None:
    said = told("play", "--help")
    assert re.search(r"GAME +.*\btrio\b", said)
    assert "trio" not in GAMES
    assert "You need a 6." in told("rules", "trio")
    code = "import pubdice.games as games; print(games.__file__, *games.GAMES)"
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert asked.startswith(str(copy))


def test_it_is_played_in_the_terminal_and_its_record_is_written_and_read(home: Path) -> None:
    said = told("play", "trio", "--seats", "Ann", "--format", "rounds:1", "--dice", "real", typed=ENTERED)
    assert "Ann kept 6." in said
    assert "Ann scored 9: 5 4." in said
    record = told("record", "1")
    assert record == ONE
    assert "Ann scored 9: 5 4." in told("replay", "-", typed=record)
    assert json.loads(told("replay", "1", "--json"))["finished"]
    assert told("games") == "1. Trio, Ann: over. Ann wins with 9.\n"


def test_its_bots_play_whole_matches_in_every_format(home: Path) -> None:
    for form in ("rounds:2", "pot:1"):
        seats = "bot:tip,bot:lucky,bot:perfect" if form == "pot:1" else "bot:perfect,bot:tip"
        assert "This was game" in told("play", "trio", "--seats", seats, "--format", form, "--seed", "1")


@pytest.mark.nightly
def test_it_is_coached_reviewed_and_drilled(home: Path) -> None:
    said = told("play", "trio", "--seats", "Ann", "--format", "rounds:1", "--dice", "real", typed="644\nhint\nt\n")
    assert re.search(r"Keep 6 is best: 8\.\d\d points", said)
    assert "Chance to score: 100.0%. On average: 8." in said
    review = told("review", "-", typed=ONE)
    assert re.search(rf"Ann: expected {MEAN:.2f} points, plus .* points by luck", review)
    drilled = told("drill", "trio", "--count", "1", "--seed", "1", typed="k 6\nr\n")
    assert "of 1 position right." in drilled


def test_the_house_answers_questions_about_it(home: Path) -> None:
    """It names no solver and no question: odds, advice and prices are the house's, and the mean is an oracle's too."""
    assert f"Value {MEAN:.4f}." in told("odds", "trio")
    first, second = map(float, re.findall(r"([\d.]+)%", told("odds", "trio", "--seats", "2", "--format", "rounds:1")))
    assert first + second == pytest.approx(100)
    assert told("advise", "trio", "--roll", "644").startswith("Keep 6: 8.")
    assert "opener fixed: " in told("price", "trio")


LAST_DRAWS = TwentyOneRound(((6, 6, 6), (4, 5, 5)), (18,))
"""18 to beat, and 14 so far."""
TWENTYONE = "pubdice 1\ngame: twentyone\nseats: Ann, Bob\nformat: rounds 1\n\nround 1\n"
SURE = TWENTYONE + "Ann: 66\nBob: 54\nAnn: draw 6 stand = 18\nBob: draw 5 draw 5 stand = 19\n"


def test_a_game_without_keeps_is_typed_and_its_record_gives_each_seat_its_lines(home: Path) -> None:
    seats = ("--seats", "Ann,Bob", "--format", "rounds:1", "--dice", "real")
    said = told("play", "twentyone", *seats, typed="66\n54\nr\n6\nd\n?\nb\nr\n5\nr\n5\nb\n")
    assert "Ann rolled 6. That makes 18." in said
    assert "Dice: 6 6 6." in said
    assert "To play:" in said
    assert "To choose dice:" not in said
    assert "Bob wins with 19." in said
    assert told("record", "1").endswith(SURE.split("\n\n")[1])
    assert "Ann stood with 18." in told("replay", "-", typed=SURE)


@pytest.mark.nightly
def test_a_game_without_keeps_is_coached_reviewed_drilled_and_asked_about(home: Path) -> None:
    review = told("review", "-", typed=SURE)
    assert "by Ann in round 1 with 6 6 6: stand with 18 loses 4.2%. Best was draw a die." in review
    drilled = told("drill", "twentyone", "--count", "1", "--seed", "1", typed="r\n")
    assert re.search(r"\d of 1 position right\.", drilled)
    asked = told("advise", "twentyone", "-", typed=SURE.rpartition(" draw 5 stand")[0] + "\n")
    share = expectimax(TwentyOne(), LAST_DRAWS, lambda result: Fraction(1 in result.winners, len(result.winners)))
    assert asked.startswith(f"Draw a die is best: {100 * float(share):.1f}% (share of the match).\n")


@pytest.mark.parametrize("laws", ["text", pytest.param("laws", marks=pytest.mark.nightly)])
def test_the_laws_hold_for_a_game_without_keeps(laws: str, home: Path) -> None:
    """As docs/build/game.md says, step by step: nothing outside the folder has to know it."""
    run = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", str(LAWS / laws)]
    by_day = {**os.environ, "PUBDICE_PROFILE": "default"}  # at night a game is asked for Spanish, which it lacks
    done = subprocess.run(
        [*run, "-k", "twentyone"], capture_output=True, text=True, check=False, cwd=TESTS.parent, env=by_day
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert re.search(r"\d+ passed", done.stdout)


def test_it_is_played_over_http(home: Path) -> None:
    with House(home, "--no-qr", forked=False) as house:

        async def play() -> None:
            ann = Phone(house.port, "Ann")
            front = await ann.ask("GET", "/")
            assert b"Three dice: get a 6, then score high" in front.body
            page = await ann.ask("GET", "/rules/trio", headers={"Accept-Language": "de"})
            assert "Du brauchst eine 6." in page.body.decode()
            code = await ann.open_table(game="trio", bots=["perfect"], rules={"format": "rounds 1"})
            async with asyncio.timeout(WITHIN_S):
                while (view := await ann.view(code))["stage"] != "over":
                    if view["mover"] != 0:
                        await asyncio.sleep(0.05)
                        continue
                    marks = [die["place"] for die in view["dice"] if die["marks"] is not None]
                    answer = await ann.do(code, do="roll", **({"marks": marks} if marks else {}))
                    assert answer.status == 200, answer.body
            assert re.search(r"\b(wins?|ties?)\b|No points", view["result"][0]["text"])

        run(play())


@pytest.mark.nightly
def test_it_is_played_in_a_browser(home: Path) -> None:
    pytest.importorskip("playwright.sync_api", reason="no Playwright: make .venv/.dev installs it")
    from playwright.sync_api import expect  # noqa: PLC0415

    from support.browser import BEHIND, chromium_running, context_of, open_table  # noqa: PLC0415

    with chromium_running() as chromium, House(home, *BEHIND, forked=False) as house:
        context = context_of(chromium, house, reduced_motion="reduce")
        page, table = context.new_page(), open_table(context, game="trio", bots=["tip"])
        page.goto(table)
        view: dict[str, Any] = {}
        until = time.monotonic() + WITHIN_S
        while time.monotonic() < until and view.get("stage") != "over":
            view = context.request.get(f"{table}/state").json()["view"]
            if view["mover"] != 0 or page.locator("#table").get_attribute("data-seq") != str(view["seq"]):
                page.wait_for_timeout(50)
                continue
            # One step, and then the state again: between a mark and the roll after it there is one more.
            ready = "#main:not([hidden]):not([aria-disabled])"
            page.locator(
                ready if view["main"]["ready"] else "#dice li:not([hidden]) .die:not([aria-disabled])"
            ).first.click()
            page.locator(f"#table:not([data-seq='{view['seq']}'])").wait_for()
        expect(page.locator("#heading")).to_have_text(re.compile(r"\b(wins?|ties?)\b|No points"))
        context.close()
