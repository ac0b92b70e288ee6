"""Tests of ``pubdice game check``: it reports faults in sentences, for a new game and for a game of the house."""

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest

from catalogue_notes import quoted
from laws.test_move_laws import LETTERS
from one_game.test_one_game import (
    test_the_labels_of_its_moves_are_found_by_who_looks_for_sentences as _labels_are_found,
)
from pubdice.annexes import CommandContext
from pubdice.games import GAMES
from pubdice.games.shutbox.words import ShutTheBoxWords
from pubdice.terminal import console
from pubdice.text.catalogues import CODES
from pubdice.text.language import Language
from pubdice_workshop.check import LATE, LAWS_FOLDER, Checker, GameFolder, check, find_games, importable
from pubdice_workshop.cli import run
from pubdice_workshop.new_game import new_game
from support.console import COMMAND, pubdice

ROOT = Path(__file__).parents[3]
WRONG = """
    def rolled(self, language, game: HeapRules, name: str, before: object, dice: tuple[int, ...]) -> list[str]:
        return [language.about("{name} shakes the cup.", "You shakes the cup.", name)]
"""
"""A verb in the present tense, an argument without a type, and sentences without German."""
MANY = [f"Stone {number} falls." for number in range(20)]


def checked(target: str | Path, within_s: int) -> subprocess.CompletedProcess[str]:
    command = [str(COMMAND), "game", "check", str(target), "--within", str(within_s)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=700)


def test_what_is_wrong_is_told_as_the_law_the_game_and_what_broke_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)  # two workers, not one for each processor
    monkeypatch.setattr(Checker, "_types", lambda self: None)  # tested below: mypy takes 8 s for all of pubdice
    new_game("heap", tmp_path / "heap")
    package = tmp_path / "heap/src/pubdice_heap"
    with (package / "words.py").open("a", encoding="utf-8") as file:
        file.write(WRONG)
        file.write("".join(f"        language.say({key!r})\n" for key in MANY))
    (package / "de.po").write_text('msgid "Heap"\nmsgstr "Haufen"\n', encoding="utf-8")
    found = StringIO()
    assert check(str(tmp_path / "heap"), found, 600, ("one_game", "laws/test_words_laws.py")) == 1
    told = found.getvalue()
    for said in (
        "Its code is clean.",
        "- Events are told in the past and fit a name and you [heap].\n",
        "shakes",
        "- All its sentences are translated [heap].\n",
        'msgid "{name} shakes the cup."',
        "RULES.de.md is missing",
        "Draw 1: (heap-",
        "heap does not hold yet.",
    ):
        assert said in told, told
    assert all(f"msgid {quoted(key)}" in told for key in MANY), "all of them, however many"
    assert "assert " not in told.partition("- All its sentences")[2].partition("\n- ")[0]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def keep(dice): ...\n", "Its types do not agree:\nwords.py:1: error: Function is missing a type annotation"),
        ("def keep(dice: int) -> int:\n    return dice\n", "Its types agree.\n"),
        pytest.param(
            f"from pubdice.text.language import Language\nclass Words:{WRONG.replace('HeapRules', 'int')}",
            "Its types do not agree:\nwords.py:3: error: Function is missing a type annotation for one or more",
            marks=pytest.mark.nightly,
            id="of a game",
        ),
    ],
)
def test_what_mypy_finds_is_told(code: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "words.py").write_text(code, encoding="utf-8")
    found = StringIO()
    checker = Checker(GameFolder("heap", tmp_path, tmp_path), os.environ, found, 600, ())
    checker._types()
    assert found.getvalue().startswith(said)
    assert checker.faults == int("not" in said)


def test_a_folder_without_a_game_and_a_game_that_does_not_load_are_refused_in_a_sentence(tmp_path: Path) -> None:
    assert "neither a game here (midnight, 420, " in checked(tmp_path, 9).stderr
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    assert 'names no game: it lacks [project.entry-points."pubdice.games"].' in checked(tmp_path, 9).stderr
    for odd in (
        "project = 3\n",
        '[project.entry-points]\n"pubdice.games" = "x"\n',
        "[project.entry-points]\n'pubdice.games' = {x = 1}\n",
    ):
        (tmp_path / "pyproject.toml").write_text(odd)
        assert "Couldn't read" in checked(tmp_path, 9).stderr, odd
    (tmp_path / "pyproject.toml").unlink()
    new_game("heap", tmp_path / "heap")
    (tmp_path / "heap/src/pubdice_heap/__init__.py").write_text("import no_such_module\n")
    done = checked(tmp_path / "heap", 9)
    assert done.returncode == 1
    assert "The game heap of pubdice-heap is left out: ModuleNotFoundError: No module named 'no_such_module'." in (
        done.stdout
    )
    again = subprocess.run(
        [str(COMMAND), "new-game", "heap", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (again.returncode, again.stdout) == (2, "")
    assert "Name a new folder." in again.stderr


@pytest.mark.parametrize("name", ["midnight", "420"])
def test_no_game_is_begun_under_a_name_that_is_taken(name: str, tmp_path: Path) -> None:
    told = pubdice("new-game", name, str(tmp_path / "new"))
    said = f"There is already a game called {name}. Choose another name."
    assert (told.status, told.out, told.err) == (2, "", f"pubdice new-game: {said}\n")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["true", "none", "kit", "keep", "turn"])
def test_a_game_may_have_the_name_of_what_its_own_files_import(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pubdice("new-game", name, str(tmp_path)).status == 0
    monkeypatch.syspath_prepend(tmp_path / "src")
    kit = import_module(f"pubdice_{name}").KIT
    assert kit.usual_game.worth((1, 2, 3)) == 6


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Say check, words or list: pubdice game check DIR."),
        (("foo",), '"foo" is none of check, words, list. See pubdice game --help.'),
    ],
)
def test_without_a_deed_the_command_names_its_three(words: tuple[str, ...], said: str) -> None:
    told = pubdice("game", *words)
    assert (told.status, told.out, told.err) == (2, "", f"pubdice game: {said}\n")


@pytest.mark.parametrize("seconds", ["nan", "inf", "-inf", "0", "-1", "1e300", "86401"])
def test_a_time_that_is_none_is_refused(seconds: str, tmp_path: Path) -> None:
    told = pubdice("game", "check", str(tmp_path), f"--within={seconds}")
    said = "--within is a number of seconds above 0, 86400 at most."
    assert (told.status, told.out, told.err) == (2, "", f"pubdice game: {said}\n")


@pytest.mark.nightly
def test_laws_that_the_time_is_too_short_for_are_named_and_no_success() -> None:
    """The laws of receipts run with just enough time for this machine to collect them."""
    words = ["--game", "mexico", "--game-folder", "src/pubdice/games/mexico", "-p", "no:cacheprovider"]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n0",
        *words,
        str(LAWS_FOLDER / "laws/test_receipt_laws.py"),
        "--until",
    ]
    for seconds in (0.5, 1, 2, 4, 8, 16):
        until = str(time.time() + seconds)
        done = subprocess.run([*command, until], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == LATE, done.stdout
        if "None was tried, as the time was over while they were being read" not in done.stdout:
            break
    told = r"(?m)^\d+ were not tried, as the time was over \(--within gives them more\): [A-Z].*\.$"
    assert re.search(told, done.stdout), done.stdout


def test_the_laws_sit_down_as_many_as_a_game_has_room_for(tmp_path: Path) -> None:
    """A game for two or three seats with dice of four sides. The house's games allow six or more."""
    new_game("heap", tmp_path / "heap")
    rules = tmp_path / "heap/src/pubdice_heap/rules.py"
    few = "    least_seats: ClassVar[int] = 2\n    most_seats: ClassVar[int] = 3\n"
    few += "    faces: ClassVar[DieFaces] = numbered(4)\n"
    text = rules.read_text("utf-8").replace("import Hand\n", "import DieFaces, Hand, numbered\n")
    assert text.count("    one_turn_each:") == 1
    rules.write_text(text.replace("    one_turn_each:", few + "    one_turn_each:"), "utf-8")
    (game,) = find_games(str(tmp_path / "heap"))
    words = ["-q", "-n0", "-p", "no:cacheprovider", "--game", "heap", "--game-folder", str(game.package)]
    laws = [str(LAWS_FOLDER / f"laws/test_{name}_laws.py") for name in ("rules", "opener", "turn", "words")]
    with importable(game) as environment:
        command = [sys.executable, "-m", "pytest", *words, *laws, "-k", "test_"]
        done = subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600
        )
    assert done.returncode == 0, done.stdout[-3000:]
    assert re.search(r"(?m)^[1-9]\d laws hold, 0 do not", done.stdout)


def test_the_page_about_games_names_the_letters_that_no_move_may_have() -> None:
    page = (ROOT / "docs/build/game.md").read_text("utf-8")
    said = re.search(r"`keys` has a letter for each move, but not ([a-z ]+)\.", page)
    assert said
    assert set(said[1].split()) == LETTERS


COLLECTING = """
import gc, time

def test_a_law_that_takes_long_and_collects_garbage_as_the_time_ends():
    ends = time.monotonic() + 60

    def wait(phase, told):
        until = time.monotonic() + 4
        while time.monotonic() < until:
            time.sleep(0.01)

    gc.callbacks.append(wait)
    try:
        gc.collect(0)
        while time.monotonic() < ends:
            time.sleep(0.01)
    finally:
        gc.callbacks.remove(wait)
"""


@pytest.mark.nightly
def test_the_time_ends_a_law_that_collects_garbage_just_then(tmp_path: Path) -> None:
    """Python drops an exception raised in a gc callback, and Hypothesis has one."""
    done = of_one_law(tmp_path, COLLECTING, 8, processes=0)
    assert done.returncode == LATE, done.stdout + done.stderr
    assert "0 laws hold, 0 do not" in done.stdout


STUCK = """
import ctypes, time

def test_a_law_in_compiled_code_that_nothing_ends():
    ctypes.PyDLL(None).sleep(50)
"""
DROPPED = """
import time

class Dropped:
    def __del__(self):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            time.sleep(0.01)

def test_a_law_in_whose_finalizer_the_time_ends():
    Dropped()
    raise ValueError("after the end")
"""


def of_one_law(tmp_path: Path, law: str, within_s: float, processes: int = 1) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "one_game/test_long.py"
    file.parent.mkdir(exist_ok=True)
    file.write_text(law, encoding="utf-8")
    words = ["-q", f"-n{processes}", "-p", "no:cacheprovider", "-p", "law_plugin", "-c", os.devnull, "-W", "error"]
    command = [sys.executable, "-m", "pytest", *words, "--rootdir", str(tmp_path), "--game", "mexico"]
    return subprocess.run(
        [*command, "--until", str(time.time() + within_s), str(file)],
        env={**os.environ, "PYTHONPATH": str(LAWS_FOLDER)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.nightly
def test_a_law_that_cannot_be_ended_is_named_and_not_waited_for(tmp_path: Path) -> None:
    """Compiled code holds the interpreter lock, so no alarm reaches it."""
    done = of_one_law(tmp_path, STUCK, 15)
    assert done.returncode == LATE, done.stdout + done.stderr
    assert "1 were not tried, as the time was over" in done.stdout
    assert "A law in compiled code that nothing ends." in done.stdout


@pytest.mark.nightly
def test_a_law_that_fails_as_the_time_ends_it_is_one_that_was_not_tried(tmp_path: Path) -> None:
    """Python drops an exception raised in a finalizer, and pytest counts that as a fault of the law."""
    done = of_one_law(tmp_path, DROPPED, 8, processes=0)
    assert done.returncode == LATE, done.stdout + done.stderr
    assert "0 laws hold, 0 do not" in done.stdout


@pytest.mark.nightly
def test_a_fault_that_is_found_counts_though_the_time_ends_the_search_for_a_smaller_one(tmp_path: Path) -> None:
    """A busy machine may take eight seconds to collect the law, so longer times are tried next."""
    for within_s in (8, 32, 128):
        done = of_one_law(tmp_path, SHRINKING, within_s, processes=0)
        if "1 were not tried" not in done.stdout:
            break
    assert done.returncode == 1, done.stdout + done.stderr
    assert "too many stones" in done.stdout


SHRINKING = """
import time
from hypothesis import given, strategies as st

@given(st.lists(st.integers(), min_size=3))
def test_a_law_that_is_broken_slowly(stones):
    time.sleep(0.5)
    raise ValueError("too many stones")
"""


def test_no_step_goes_on_when_the_time_is_over_and_each_that_was_left_out_is_named(tmp_path: Path) -> None:
    new_game("heap", tmp_path / "heap")
    found, begun = StringIO(), time.monotonic()
    assert check(str(tmp_path / "heap"), found, 0.01) == 3
    assert time.monotonic() - begun < 60, "none was waited for"
    assert "Whether it loads: not looked at, as the time was over (--within gives more).\n" in found.getvalue()


def test_an_interrupted_check_says_so_and_ends_with_130(tmp_path: Path) -> None:
    new_game("heap", tmp_path / "heap")
    command = [str(COMMAND), "game", "check", str(tmp_path / "heap")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith("heap, in ")
        assert running.stdout.readline() == "Its code is clean.\n"
        running.send_signal(signal.SIGINT)
        said = running.stdout.read()
        assert running.wait(60) == 130
    assert said.endswith("heap: interrupted, so the rest was not looked at.\n")


def test_a_game_prints_whole_files_of_the_words_that_its_languages_lack(tmp_path: Path) -> None:
    new_game("heap", tmp_path / "heap")
    command = [str(COMMAND), "game", "words", str(tmp_path / "heap")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    for code in ("de", "es"):
        package = tmp_path / "heap/src/pubdice_heap"
        assert f"# {(package / code).as_posix()}.po (a new file)\n" in done.stdout
        said = done.stdout.partition(f"/{code}.po")[2]
        assert 'msgid "three dice: keep one at least, score high"\nmsgstr ""\n' in said


def test_a_check_names_all_languages_without_a_catalogue_at_once(tmp_path: Path) -> None:
    new_game("heap", tmp_path / "heap")
    (tmp_path / "heap/src/pubdice_heap/de.po").write_text("")
    (game,), out = find_games(str(tmp_path / "heap")), StringIO()
    Checker(game, {}, out, 1, ())._languages()
    codes = ", ".join(code for code in CODES if code not in ("en", "de"))
    assert f"where it has no catalogue: {codes}. `pubdice game words" in out.getvalue()
    assert out.getvalue().count("\n") == 1


@pytest.mark.nightly
def test_a_game_whose_laws_were_not_all_tried_holds_as_far_as_it_was_tried() -> None:
    done = checked("420", 1)
    if "as the time was over" in done.stdout:  # some or no laws were tried; otherwise the machine is quick
        assert (done.returncode, done.stdout.splitlines()[-1]) == (3, "420 holds as far as it was tried.")
    else:
        assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "420 holds.")


def test_a_label_that_is_put_together_is_named() -> None:
    words = ShutTheBoxWords()
    words.labels = {**words.labels, "r2": "roll " + "both"}
    kit = replace(GAMES["shutbox"], words=words)
    with pytest.raises(pytest.fail.Exception, match=r"write these out as strings in labels and told.*: 'roll both'"):
        _labels_are_found(kit)


def test_a_terminal_that_waits_for_missing_words_is_told_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    new_game("heap", tmp_path / "heap")
    terminal, out = StringIO(), StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(console, "PATIENCE_S", 0)
    context = CommandContext(Language(), GAMES, out, terminal, time.monotonic, str, cache=None, plain=False)
    assert run(["game", "words", str(tmp_path / "heap")], context) == 1
    assert terminal.getvalue() == "Working it out. This may take a minute.\n"
    assert "msgid" in out.getvalue()


@pytest.mark.parametrize("code", CODES)
def test_the_page_of_help_names_all_that_game_can_do(code: str) -> None:
    told, choices = (
        pubdice("--lang", code, "--help").out,
        re.search(r"game \[-h\] (\S+)", pubdice("game", "--help").out),
    )
    assert choices
    names = choices[1].split("|")
    assert len(names) == 3
    assert [name for name in names if f"\n  game {name} " not in told] == []
