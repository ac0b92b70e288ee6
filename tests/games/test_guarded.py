"""A fault of an installed game costs its own table. The table says so in a sentence, and all others go on."""

import asyncio
import json
import os
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from pubdice_workshop.check import find_games
from pubdice_workshop.new_game import new_game
from support.beside import installed
from support.console import COMMAND
from support.house_process import Ear, House, Phone, run

RULES = '''
    def worth(self, hand: Hand) -> int:
        """Spoil the table as its first die says."""
        kind = min(hand)
        if kind == 1:
            os._exit(3)
        if kind == 2:
            sys.exit(4)
        if kind == 3:
            raise KeyError("lost")
        if kind == 4:
            while True:
                kind += 0
        return 10**5_000 if kind == 5 else sum(hand)
'''
SAID = "Trap has a fault, so this table can't go on. Nothing is lost."


def trap(folder: Path) -> Path:
    """Write the game, and return its package."""
    new_game("trap", folder / "trap")
    (game,) = find_games(str(folder / "trap"))
    rules = game.package / "rules.py"
    text = rules.read_text().replace("from dataclasses", "import os\nimport sys\nfrom dataclasses", 1)
    at, end = text.index("    def worth"), text.index("def tip")
    rules.write_text(text[:at] + RULES.lstrip("\n") + "\n\n" + text[end:].replace("max(state.free)", "min(state.free)"))
    installed(folder / "site", "trap", game.entry)
    return game.package


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    package = trap(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "site"), str(package.parent)]))
    monkeypatch.setenv("PUBDICE_DATA", str(tmp_path / "data"))
    return dict(os.environ)


def test_each_fault_is_a_refusal_at_its_table_and_the_house_plays_on(beside: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with House(tmp_path / "data", "--no-qr", forked=False) as house:

        async def play() -> None:
            ann = Phone(house.port, "Ann")
            other = await ann.open_table(game="midnight", bots=["tip"], rules={"format": "rounds 1"})
            for kind in range(1, 7):
                code = await ann.open_table(game="trap", rules={"format": "rounds 1"}, dice="real")
                rolled = await ann.do(code, do="enter", dice=str(kind) * 3, marks=[])
                assert rolled.status == 200, rolled.body
                banked = await ann.do(code, do="roll", marks=[0, 1, 2])
                assert banked.status == (200 if kind == 6 else 503), (kind, banked.body)
                if kind != 6:
                    assert SAID in banked.body.decode()
                assert (await ann.view(code))["stage"] == ("playing" if kind != 6 else "over")
            assert (await ann.do(other, do="roll")).status == 200

        run(play())
    logged = [json.loads(line) for line in house.errors().splitlines() if line[:1] == "{"]
    failed = [line["error"] for line in logged if line["event"] == "game-failed"]
    assert failed == ["EndsProcessError", "SystemExit", "KeyError", "OverrunError", "OverflowError"]


@pytest.mark.parametrize(
    ("source", "why"),
    [("while True:\n    pass\n", "OverrunError: it took too long"), ("import os\nos._exit(7)\n", "EndsProcessError")],
)
def test_a_game_that_loops_or_ends_the_process_as_it_is_imported_is_left_out(
    source: str, why: str, tmp_path: Path
) -> None:
    place = installed(tmp_path / "site", "bad", "bad_game:KIT") / "bad_game"
    place.mkdir()
    (place / "__init__.py").write_text(source)
    env = {**os.environ, "PYTHONPATH": str(place.parent), "PUBDICE_DATA": str(tmp_path)}
    done = subprocess.run([str(COMMAND), "game", "list"], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert f"The game bad of pubdice-bad is left out: {why}" in done.stdout
    assert "midnight: Midnight" in done.stdout


def test_a_player_in_the_terminal_reads_the_fault_and_the_match_is_kept(beside: dict[str, str]) -> None:
    words = [str(COMMAND), "play", "trap", "--seats", "Ann", "--format", "rounds:1", "--dice", "real"]
    done = subprocess.run(
        words, env=beside, input="333\nk 333\nb\n", capture_output=True, text=True, timeout=60, check=False
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert "Trap has a fault: KeyError: 'lost'. The match is saved." in done.stdout + done.stderr


def test_words_that_raise_cost_the_pages_of_their_table_alone(beside: dict[str, str], tmp_path: Path) -> None:
    words = next(tmp_path.rglob("words.py"))
    raising = "\n    def stand(self, *facts):\n        raise RuntimeError(facts)\n"
    words.write_text(words.read_text() + raising)
    (tmp_path / "data").mkdir()
    with House(tmp_path / "data", "--no-qr", forked=False) as house:

        async def play() -> None:
            ann = Phone(house.port, "Ann")
            other = await ann.open_table(game="midnight", rules={"format": "rounds 1"})
            code = await ann.open_table(game="trap", rules={"format": "rounds 1"})
            assert (await ann.do(code, do="roll")).status == 200, "the roll is stored"
            html = {"Accept": "text/html"}
            place = (await ann.ask("GET", f"/t/{code}", headers=html)).headers["location"]
            page = await ann.ask("GET", place, headers=html)
            assert page.status == 503
            assert SAID in unescape(page.body.decode())
            german = await ann.ask("GET", place, headers={**html, "Accept-Language": "de"})
            assert "Trap hat einen Fehler, also kann dieser Tisch nicht weiterspielen." in german.body.decode()
            assert (await ann.do(other, do="roll")).status == 200

        run(play())


LOOPS = """
class Lost(RoundState):
    def __hash__(self):
        while True:
            pass

    def __eq__(self, other):
        raise KeyError("lost")

    @property
    def turn(self):
        while True:
            pass
"""
ASKED = """
import pubdice.guarded as guarded
guarded.BUDGET_S = 0.2
from pubdice.core.errors import Refused
from pubdice.games import GAMES
import pubdice_trap.rules as rules

state, said = object.__new__(rules.Lost), []
for ask in (lambda: hash(state), lambda: state == 3, lambda: GAMES["trap"].words.tiles, lambda: hash(state)) * 2:
    try:
        ask()
    except Refused as error:
        said.append(error.facts["why"])
print(*said, sep="|")
"""


def test_states_that_loop_or_raise_when_they_are_compared_and_properties_of_words_are_refused(
    beside: dict[str, str], tmp_path: Path
) -> None:
    """After three calls that took too long, each call of the game is refused at once."""
    rules, words = next(tmp_path.rglob("rules.py")), next(tmp_path.rglob("words.py"))
    rules.write_text(rules.read_text() + LOOPS)
    words.write_text(
        words.read_text() + "\n    @property\n    def tiles(self):\n        while True:\n            pass\n"
    )
    done = subprocess.run([sys.executable, "-c", ASKED], env=beside, capture_output=True, text=True, check=False)
    slow, often = "OverrunError: it took too long", "it took too long several times"
    assert done.stdout.strip().split("|") == [slow, "KeyError: 'lost'", slow, slow, *[often] * 4], done.stderr


def test_a_bot_that_loops_costs_its_own_table(beside: dict[str, str], tmp_path: Path) -> None:
    rules = next(tmp_path.rglob("rules.py"))
    text = rules.read_text().replace("kind = min(hand)", "kind = 6")
    rules.write_text(text[: text.index("def tip")] + "def tip(game, state):\n    while True:\n        pass\n")
    (tmp_path / "data").mkdir()
    with House(tmp_path / "data", "--no-qr", forked=False) as house:

        async def play() -> None:
            ann, codes = Phone(house.port, "Ann"), []
            for game, dice in (("trap", 3), ("midnight", 6)):
                code = await ann.open_table(game=game, bots=["tip"], rules={"format": "rounds 1", "opener": "fixed"})
                codes.append(code)
                for marks in ([], list(range(dice))):
                    assert (await ann.do(code, do="roll", marks=marks)).status == 200
            ear = Ear(ann, code)
            hearing = asyncio.create_task(ear.listen())
            async with asyncio.timeout(60):  # the bot that loops is stopped after two seconds, then this one chooses
                while ear.view is None or ear.view["stage"] != "over":
                    ear.news.clear()
                    await ear.news.wait()
            hearing.cancel()
            assert (await ann.view(codes[0]))["stage"] == "playing"

        run(play())


def test_the_houses_bots_are_no_calls_of_the_game(beside: dict[str, str]) -> None:
    """``steady`` works out a whole turn, which may take longer than a call of the game may."""
    script = (
        "from pubdice.games import GAMES\n"
        "bots = GAMES['trap'].policies\n"
        "print(*sorted(name for name in bots if hasattr(bots[name], '__wrapped__')), 'of', len(bots))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], env=beside, capture_output=True, text=True, check=True)
    assert done.stdout == "tip of 5\n"
