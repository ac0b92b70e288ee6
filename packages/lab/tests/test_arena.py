"""Arenas: exact shares, removal of luck without bias, and a user's own players with every kind of fault."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from xml.etree import ElementTree

import pytest

import pubdice as door
from pubdice.core.errors import BadNotation, Refused
from pubdice.match.record import Played, advance
from pubdice.text.language import Language
from pubdice_lab import arena as arenas
from pubdice_lab.arena import ArenaPlan, ArenaShares, concluded, hold
from pubdice_lab.chain import SharedRows
from pubdice_lab.cli import INTERRUPTED
from pubdice_lab.counting import SimulationPlan
from pubdice_lab.players import LONGEST_ANSWER, PlayerView
from pubdice_lab.simulation import simulate
from pubdice_lab.workers import Workers
from support.console import COMMAND, one_sentence, pubdice

PAGE = Path(__file__).parents[3] / "docs/build/laboratory.md"


class Wrapped:
    """A bot of the house, wrapped as a user's own player."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, view: PlayerView) -> str:
        return door.bot(self.name, f"{view.match} {view.seat}")(door.read_position(view.position))


class First:
    """A player that takes its first legal move and stores all its views."""

    def __init__(self) -> None:
        self.seen: list[PlayerView] = []

    def choose(self, view: PlayerView) -> str:
        self.seen.append(view)
        return view.moves[0]


def _share(found: Any, first: str, second: str) -> Any:
    return next(order for order in found.orders if (order.first, order.second) == (first, second))


def test_rows_are_made_once_for_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arenas, "SharedRows", made := Mock(wraps=SharedRows))
    door.arena("mexico", ["tip", "lucky", "perfect"], seed="rows made once", format="lives 1")
    assert made.call_count == 1, "the cache of arena._rows"


def test_a_chain_that_is_too_large_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = ("tip", "steady"), ("steady", "tip")
    exact = {pair: simulate("ship", pair, 1_000, format="rounds 1").seats[0].share.exact for pair in pairs}
    for name in ("chain.MOST_NODES", "counting.MOST_NODES", "counting.LEAST_NODES"):
        monkeypatch.setattr(f"pubdice_lab.{name}", 3)
    arenas._rows.cache_clear()
    found = door.arena("ship", ["tip", "steady"], 3_000, seed=1, format="rounds 1")
    arenas._rows.cache_clear()
    assert "Luck is not taken out" in str(found)
    for order in found.orders:
        value, error = order.share.value, order.share.error
        assert (order.matches, order.share.exact) == (3_000, None)
        assert error is not None
        assert abs(value - (exact[order.first, order.second] or 0)) < 4 * error


def test_a_share_without_luck_has_the_mean_and_a_smaller_error() -> None:
    game, form = "mexico", "lives 1"
    found = door.arena(game, {"tip": None, "mine": Wrapped("tip")}, 200, seed=5, format=form)
    exact = simulate(game, ["tip", "tip"], 1_000, seed=1, format=form).seats[0].share.exact
    for order in found.orders:
        clean = order.without_luck
        assert exact is not None
        assert clean is not None
        assert clean.error is not None
        assert order.share.error is not None
        assert abs(clean.value - exact) < 4 * clean.error
        assert abs(order.share.value - exact) < 4 * order.share.error
        assert clean.error < order.share.error


class Positions(First):
    """A player that takes varying moves and stores the last position of each match."""

    def choose(self, view: PlayerView) -> str:
        super().choose(view)
        return view.moves[(view.match + len(view.position)) % len(view.moves)]


@pytest.mark.parametrize("game", ["420", "mexico", "ship", "threes"])
def test_a_share_is_the_one_without_luck_and_all_luck(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    moves, real = list[Any](), advance

    def noted(match: Any, state: Any, move: Any) -> Any:
        after = real(match, state, move)
        moves.append((state, move, after))
        return after

    monkeypatch.setattr(arenas, "advance", noted)
    base = SimulationPlan(game, arenas.SEATS, 12, "3")
    solver = arenas._solved(base)[2]
    assert solver is not None
    plan = ArenaPlan(base, {"one": Positions(), "two": Positions()}, 5.0)
    for number in range(12):
        moves.clear()
        ((share, without),) = arenas._played(plan, ("one", "two"), number, number + 1)  # type: ignore[misc]
        luck = [
            solver.values(after)[0] - solver.values(before)[0]
            for before, move, after in moves
            if not isinstance(move, Played)
        ]
        assert share == pytest.approx(without + sum(luck), abs=1e-9)


def test_a_match_that_is_not_solved_for_shares_says_so() -> None:
    found = door.arena("midnight", {"tip": None, "mine": First()}, 20, seed=1, format="pot 1 rounds 2")
    assert all(order.without_luck is None for order in found.orders)
    assert "Luck is not taken out" in str(found)


@pytest.mark.nightly
def test_a_seed_has_one_result_for_any_number_of_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    players = {"tip": None, "mine": Wrapped("lucky"), "program": _program(tmp_path, FIRST)}
    monkeypatch.setattr(arenas, "BLOCK", 10)
    found = [door.arena("mexico", players, 30, seed=7, workers=workers, format="lives 1") for workers in (1, 2)]
    assert found[0] == found[1]
    assert found[0] != door.arena("mexico", players, 30, seed=8, format="lives 1")
    fewer = door.arena("mexico", {name: players[name] for name in ("tip", "mine")}, 30, seed=7, format="lives 1")
    assert _share(fewer, "tip", "mine") == _share(found[0], "tip", "mine"), "others change nothing"


def test_a_view_has_all_that_lies_on_the_table() -> None:
    mine = First()
    door.arena("420", {"mine": mine, "tip": None}, 3, seed=2)
    assert {view.seat for view in mine.seen} == {1, 2}
    for view in mine.seen:
        match = door.read_position(view.position)
        assert (view.moves, view.game, view.format) == (match.legal, "420", "race")
        assert match.turn == match.names[view.seat - 1]
        assert view.rules["seats"] == ", ".join(match.names)
        assert " ".join(view.dice).split() == re.findall(r"\d+", str(match.dice).replace(" ", ""))
        assert len(view.scores) == len(view.points) == 2
    with pytest.raises(FrozenInstanceError):
        mine.seen[0].seat = 3  # type: ignore[misc]


class Raises(First):
    def choose(self, view: PlayerView) -> str:
        raise SystemExit(3) if view.match > 4 else ZeroDivisionError


class Loops(First):
    def choose(self, view: PlayerView) -> str:
        while True:
            with suppress(Exception):
                time.sleep(0.01)


class Wrong(First):
    def choose(self, view: PlayerView) -> Any:
        return "k99" if view.match else 7


@pytest.mark.parametrize(
    ("player", "reason"),
    [(Raises(), "it raised ZeroDivisionError in match 1"), (Loops(), "it took too long"), (Wrong(), '"k99"')],
)
def test_an_object_with_a_fault_is_out_and_named(player: Any, reason: str) -> None:
    found = door.arena("mexico", {"bad": player, "tip": None, "lucky": None}, 10, seed=1, seconds=0.2, format="lives 1")
    assert list(found.strengths) == ["tip", "lucky"]
    assert found.strengths == door.arena("mexico", ["tip", "lucky"], format="lives 1").strengths
    assert reason in str(found).splitlines()[-1]
    assert str(found).splitlines()[-1].startswith("bad is out: ")


class Ctrl(First):
    def choose(self, view: PlayerView) -> str:
        raise KeyboardInterrupt


class SaysNothing(First):
    class Unsayable(Exception):
        def __str__(self) -> str:
            raise ValueError

    def choose(self, view: PlayerView) -> str:
        raise self.Unsayable


class Equal(str):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


class Cheats(First):
    def choose(self, view: PlayerView) -> str:
        return Equal("9 9 9")


class Unseen:
    def __repr__(self) -> str:
        raise ValueError


class Answers(First):
    def choose(self, view: PlayerView) -> Any:
        return Unseen()


@pytest.mark.parametrize("player", [Ctrl(), SaysNothing(), Cheats(), Answers()])
def test_an_object_that_means_harm_is_out_and_harms_nobody(player: First) -> None:
    found = door.arena("mexico", {"bad": player, "tip": None}, 5, seed=1, format="lives 1")
    assert [each.name for each in found.out] == ["bad"]
    assert "bad is out: it " in str(found)


def test_what_a_player_does_to_its_view_is_seen_by_nobody_else() -> None:
    class Clears(First):
        def choose(self, view: PlayerView) -> str:
            view.rules.clear()  # type: ignore[attr-defined]
            return view.moves[0]

    found = [
        door.arena("mexico", {"tip": None, "mine": player()}, 4, seed=1, format="lives 1") for player in (Clears, First)
    ]
    assert found[0] == found[1]
    assert not found[0].out


def test_any_executor_plays_the_same_arena() -> None:
    players = {"tip": None, "lucky": None, "mine": First()}
    alone = door.arena("mexico", players, 300, seed=3, format="lives 1")
    with ThreadPoolExecutor(3) as threads:
        assert door.arena("mexico", players, 300, seed=3, workers=3, executor=threads, format="lives 1") == alone


class Rare:
    """A player that plays best, except in match 59, where it takes its first legal move."""

    def choose(self, view: PlayerView) -> str:
        return view.moves[0] if view.match == 59 else door.bot("perfect")(door.read_position(view.position))


def test_matches_that_are_all_alike_still_have_an_error() -> None:
    found = door.arena("ship", {"perfect": None, "rare": Rare()}, 50, seed=1, format="rounds 1")
    error = found.strengths["rare"].error
    assert error is not None
    assert error >= 1 / 50 / 2
    assert "50.00% to 50.00%" not in str(found)


@pytest.mark.nightly
def test_95_of_100_intervals_hold_the_exact_share() -> None:
    """The code takes the larger of two errors. With the smaller one, 88 of 100 intervals held the share."""
    exact, held = door.arena("mexico", ["tip", "lucky"], format="lives 1").strengths["tip"].value, 0
    for seed in range(400):
        found = door.arena("mexico", {"mine": Wrapped("tip"), "lucky": None}, 100, seed=seed, format="lives 1")
        low, high = arenas._interval(found.strengths["mine"])
        held += low <= exact <= high
    assert held >= 368, "95 of 100, less three standard errors"


def test_in_another_thread_a_slow_object_is_out_afterwards() -> None:
    class Slow(First):
        def choose(self, view: PlayerView) -> str:
            time.sleep(0.1)
            return view.moves[0]

    found = list[Any]()
    players = {"slow": Slow(), "tip": None}
    thread = threading.Thread(target=lambda: found.append(door.arena("threes", players, 5, seconds=0.05)))
    thread.start()
    thread.join()
    assert [each.code for each in found[0].out] == ["slow"]


FIRST = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print("ready" if "protocol" in asked else asked["moves"][0], flush=True)
"""


def _program(folder: Path, source: str, name: str = "bot.py") -> tuple[str, ...]:
    (folder / name).write_text(source)
    return sys.executable, str(folder / name)


def _faulty(lines: str) -> str:
    """Return a program that answers correctly, but runs these lines before its third answer to a choice."""
    body = "\n".join("        " + line for line in lines.splitlines())
    return (
        "import json, os, subprocess, sys, time\ncount = 0\nfor line in sys.stdin:\n    asked = json.loads(line)\n"
        f"    count += 1\n    if count == 4:\n{body}\n"
        '    print("ready" if "protocol" in asked else asked["moves"][0], flush=True)\n'
    )


FLOOD = "while True: print('e' * 5000, file=sys.stderr, flush=True) or time.sleep(0.001)"
"""Lines of a program that write more than any pipe holds, without a busy loop."""
FAULTS = {
    "dies at once": ("import sys; sys.exit('no licence')", "ended with status 1", ": no licence"),
    "dies in the middle": (_faulty("raise ValueError('oh no')"), "ended with status 1", ": ValueError: oh no"),
    "is killed": (_faulty("os.kill(os.getpid(), 9)"), "ended with status 137", ""),
    "sleeps": (_faulty("time.sleep(60)"), "took too long", ""),
    "never is ready": ("import time; time.sleep(60)", "took too long", ""),
    "floods": (_faulty("while True: print('k' * 500, end='', flush=True)"), f"{LONGEST_ANSWER} bytes or more", ""),
    "floods lines": (
        _faulty("while True: print(100 * f\"{asked['moves'][0]}\\n\", flush=True)"),
        "without being asked",
        "",
    ),
    "floods its errors": (_faulty(FLOOD), "took too long", "e"),
    "prints no newline": (_faulty("print('k1', end='', flush=True)\ntime.sleep(60)"), "took too long", ""),
    "plays what is no move": (_faulty("print('k123456789', flush=True)\ncontinue"), '"k123456789", which is no', ""),
    "talks unasked": (_faulty("print('k1\\nhello', flush=True)\ncontinue"), '"hello"', ""),
    "is not ready": ("input(); print('hello', flush=True); input()", '"hello" in place of "ready"', ""),
}


@pytest.mark.parametrize(
    ("source", "reason", "last"),
    [
        pytest.param(*fault, id=name, marks=[pytest.mark.nightly] * (name in ("floods its errors", "never is ready")))
        for name, fault in FAULTS.items()
    ],
)
def test_a_program_with_a_fault_is_out_and_named(
    source: str, reason: str, last: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a busy machine needs 60 s, unless the program must take too long. 3 s suffice to read its errors first
    seconds = 60.0 if reason != "took too long" else 3.0 if last else 1.0
    monkeypatch.setattr("pubdice_lab.players.READY_S", 0.4 if "60)" in source and "count" not in source else 60.0)
    players = {"tip": None, "bad": _program(tmp_path, source), "lucky": None}
    found = door.arena("mexico", players, 30, seed=1, seconds=seconds, format="lives 1")
    line = str(found).splitlines()[-1]
    assert line.startswith("bad is out: it ")
    assert reason in line
    assert re.search(r"match [1-9]\d* against tip", line)
    assert line.removesuffix("…").endswith(last or ".")  # the last line may be cut, if the arena has not read all of it
    assert found.strengths == door.arena("mexico", ["tip", "lucky"], format="lives 1").strengths
    _gone(tmp_path)


def _gone(folder: Path) -> None:
    """Assert that no process of a program in this folder is running."""
    for _ in range(3000):
        listed = subprocess.run(["ps", "-eo", "stat,args"], capture_output=True, text=True, check=True).stdout
        if not [line for line in listed.splitlines() if str(folder) in line and not line.startswith("Z")]:
            return
        time.sleep(0.02)
    pytest.fail(f"still there: {listed}")


def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    child = tmp_path / "child.py"
    child.write_text("import time; time.sleep(600)")
    source = f"import subprocess, sys; subprocess.Popen([sys.executable, {str(child)!r}])" + FIRST
    found = door.arena("mexico", {"tip": None, "mine": _program(tmp_path, source)}, 3, seed=1)
    assert len(found.orders) == 2
    _gone(tmp_path)
    dies = f"import subprocess, sys; subprocess.Popen([sys.executable, {str(child)!r}]); sys.exit(5)"
    found = door.arena("mexico", {"tip": None, "mine": _program(tmp_path, dies)}, 3, seed=1)
    assert [(each.code, each.found) for each in found.out] == [("ended", "5")], "though another holds its pipes"
    _gone(tmp_path)


def _waits(ready: Callable[[], bool]) -> None:
    by = time.monotonic() + 30
    while not ready():
        assert time.monotonic() < by
        time.sleep(0.02)


@pytest.mark.parametrize(("ends", "workers"), [(signal.SIGINT, "2"), (signal.SIGTERM, "1")])
def test_programs_end_with_an_arena_that_is_ended(ends: signal.Signals, workers: str, tmp_path: Path) -> None:
    source = f"open({str(tmp_path / 'there')!r}, 'w').close()\nimport time" + FIRST.replace(
        "print", "time.sleep(0.01) or print"
    )
    command = " ".join(_program(tmp_path, source))
    words = ("arena", "mexico", "--bots", "tip,lucky", "--program", f"mine={command}", "--games", "100000")
    process = subprocess.Popen(
        [COMMAND, *words, "--workers", workers],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PUBDICE_DATA": str(tmp_path / "data")},
    )
    try:
        _waits((tmp_path / "there").exists)
        time.sleep(0.3 * int(workers))  # meanwhile, another worker may finish the pair of bots
        process.send_signal(ends)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    _gone(tmp_path)
    assert (process.returncode, err) == ((INTERRUPTED, "") if ends == signal.SIGINT else (143, ""))
    if ends == signal.SIGINT:
        assert re.search("Interrupted: [01] of 3 pairs are done.", out)
        assert workers == "2" or "tip sits first: 74.51% against lucky." in out


def _command(*words: str) -> Any:
    return pubdice("arena", "mexico", "--format", "lives:1", *words)


def test_the_command_says_writes_and_draws_strengths(tmp_path: Path) -> None:
    command = " ".join(_program(tmp_path, FIRST))
    words = ("--bots", "tip,lucky", "--program", f"mine={command}", "--games", "60", "--seed", "4")
    told = _command(*words, "--csv", str(tmp_path / "a.csv"), "--svg", str(tmp_path / "a.svg"))
    assert (told.status, told.err) == (0, "")
    lines = told.out.splitlines()
    assert lines[0] == "Mexico, lives 1: each player's mean share against all others, in both orders."
    assert re.fullmatch(r"\w+: \d+\.\d\d% \(95% sure: \d+\.\d\d% to \d+\.\d\d%\)\.", lines[1])
    assert lines[-1] == "± is one standard error. The seed is 4."
    as_json = json.loads(_command(*words, "--json").out)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text())))
    assert {row["quantity"] for row in rows} == {"strength", "share", "share without luck"}
    for row in rows[:3]:
        assert float(row["value"]) == pytest.approx(as_json["strengths"][row["first"]]["value"])
    errors = {(row["first"], row["second"], row["quantity"]): float(row["error"] or 0) for row in rows}
    told_of = [re.match(r"(\w+) first, against (\w+): .* as good as ([\d.]+) times as many", line) for line in lines]
    assert any(told_of)
    for found in filter(None, told_of):
        played, without = (errors[found[1], found[2], quantity] for quantity in ("share", "share without luck"))
        assert float(found[3]) == pytest.approx((played / without) ** 2, abs=0.06)
    drawn = ElementTree.parse(tmp_path / "a.svg").getroot()
    texts = ["".join(each.itertext()) for each in drawn]
    assert texts[:2] == ["Mexico, lives 1", " ".join(lines[1:4])]
    assert {"tip", "lucky", "mine", "50%"} <= set(texts)
    for code, word in (("de", "Startwert"), ("es", "semilla")):
        spoken = pubdice("--lang", code, "arena", "mexico", *words, "--games", "4")
        assert word in spoken.out.splitlines()[-1]
        assert "each player" not in spoken.out


def test_an_arena_of_bots_alone_is_exact() -> None:
    told = _command()
    assert re.findall(r"^(\w+): [\d.]+%, exactly\.$", told.out, re.MULTILINE) == ["perfect", "tip", "lucky"]
    assert "seed" not in told.out


def test_an_interrupted_arena_has_the_pairs_that_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    real, begun = arenas._work, list[Any]()

    def interrupted(plan: ArenaPlan, *task: Any) -> Any:
        begun.append(task)
        if len(begun) == 4:
            raise KeyboardInterrupt
        return real(plan, *task)

    monkeypatch.setattr(arenas, "_work", interrupted)
    told = _command("--bots", "tip,lucky,perfect")
    assert told.status == INTERRUPTED
    assert "Interrupted: 1 of 3 pairs are done." in told.out
    assert "lucky sits first" in told.out
    assert "perfect" not in told.out


@pytest.mark.parametrize(
    ("players", "more", "code"),
    [
        (["tip"], {}, "players-number"),
        (["tip", "tip"], {}, "name-twice"),
        (["tip", "genius"], {}, "bot"),
        ({"tip": None, "lucky": First()}, {}, "name-twice"),
        ({"tip": None, "mine": 7}, {}, "no-chooser"),
        ({"tip": None, "a|b": First()}, {}, "name-characters"),
        (["tip", "lucky"], {"seconds": 0}, "player-seconds"),
        (["tip", "lucky"], {"games": 0}, "flag-number"),
        (["tip", "lucky"], {"games": 2_000_000}, "flag-number"),
        (["tip", "lucky"], {"workers": 0}, "flag-number"),
        ({"tip": None, "mine": type("Local", (), {"choose": lambda self, view: ""})()}, {"workers": 2}, "no-pickle"),
    ],
)
def test_an_arena_that_cannot_be_is_one_sentence(players: Any, more: Any, code: str) -> None:
    with pytest.raises((BadNotation, Refused)) as refused:
        door.arena("mexico", players, **more)
    assert (refused.value.code, refused.value.sentence != "") == (code, True)


def test_a_missing_program_is_refused_in_a_sentence() -> None:
    told = _command("--program", "mine=no-such-program --fast")
    assert (told.status, told.out) == (2, "")
    assert '"no-such-program"' in one_sentence(told, "arena")


def test_an_arena_names_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    told = _command("--svg", str(tmp_path / "nowhere" / "a.svg"))
    assert (told.status, told.out) == (1, "")
    assert "nowhere" in told.err
    told = _command("--svg", str(tmp_path))
    assert (told.status, "exactly" in told.out) == (1, True)
    assert f"Couldn't write {tmp_path}" in told.err


def _on_the_page(language: str) -> str:
    """Return the bot that docs/build/laboratory.md shows in this programming language."""
    found = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return str(next(text for text in found if "ready" in text))


@pytest.mark.nightly
def test_the_bots_of_the_page_play(tmp_path: Path) -> None:
    script = tmp_path / "bot.sh"
    script.write_text(_on_the_page("sh"))
    python = _program(tmp_path, _on_the_page("python"))
    assert len(_on_the_page("python").strip().splitlines()) <= 10
    for game in ("midnight", "shutbox"):
        found = door.arena(game, {"one": python, "other": ("sh", str(script)), "tip": None}, 8, seed=1, seconds=5)
        assert found.out == ()
        assert len(found.orders) == 6


def test_an_arena_tells_progress_by_pairs() -> None:
    alone = ArenaPlan(SimulationPlan("ship", arenas.SEATS, 1, "1"), {"a": None}, 1.0)
    assert concluded(alone, ArenaShares(), []).orders == ()
    plan = ArenaPlan(SimulationPlan("ship", arenas.SEATS, 2, "1"), {"tip": None, "lucky": None}, 1.0)
    found, told = ArenaShares(), list[Any]()
    hold(plan, Workers(), found, [], lambda done, of: told.append((done, of)))
    assert told == [(0, 2), (1, 2), (2, 2)]
    assert concluded(plan, found, []).sentences(Language())
