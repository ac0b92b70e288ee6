"""A fault of an installed game costs its own table. The table says so in a sentence, and all others go on."""

import json
import os
import subprocess
from html import unescape
from pathlib import Path

import pytest

from pubdice_workshop.check import find_games
from pubdice_workshop.new_game import new_game
from support.beside import installed
from support.console import COMMAND
from support.house_process import House, Phone, run

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
    assert "Trap has a fault: KeyError: 'lost'. The match is kept." in done.stdout + done.stderr


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
