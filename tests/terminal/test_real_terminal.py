"""A real terminal: tmux types the keys and reads the screen. Whole games in plain lines, and tables that are drawn."""

import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.console import COMMAND

TMUX = shutil.which("tmux")
PATIENCE_S = 20.0


@pytest.fixture(autouse=True)
def _has_tmux() -> None:
    if TMUX is None:
        if os.environ.get("PUBDICE_CI"):
            pytest.fail("tmux is not installed, and PUBDICE_CI says it must be")
        pytest.skip("no tmux: .ci/install installs it")


class Terminal:
    """A shell in a terminal of its own."""

    def __init__(self, folder: Path, columns: int = 150, rows: int = 50) -> None:
        self.socket, self.folder = str(folder / "tmux"), folder
        environ = (
            f"env -u NO_COLOR LC_ALL=C.UTF-8 PUBDICE_DATA={shlex.quote(str(folder / 'data'))} PS1='$ ' TERM=screen"
        )
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), f"{environ} sh")
        self.tmux("set-option", "-g", "history-limit", "20000")

    def tmux(self, *words: str) -> str:
        assert TMUX is not None
        done = subprocess.run(
            [TMUX, "-S", self.socket, *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def type(self, line: str) -> None:
        self.tmux("send-keys", "-l", line)
        self.tmux("send-keys", "Enter")

    def screen(self, *, colours: bool = False) -> str:
        """All that was on the screen, from the first line."""
        return self.tmux("capture-pane", "-p", "-J", "-S", "-", *(["-e"] if colours else []))

    def wait(self, pattern: str, times: int = 1) -> str:
        """The screen once it shows the pattern so many times at least."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            screen = self.screen()
            if len(re.findall(pattern, screen, re.MULTILINE)) >= times:
                return screen
            time.sleep(0.02)
        raise AssertionError(f"no {pattern!r} on the screen:\n{self.screen()}")

    def play(self, command: str, answer: str) -> str:
        """Play a game to its end, answering every choice alike; the screen."""
        self.type(f"{COMMAND} {command}")
        answered = 0
        until = time.monotonic() + 3 * PATIENCE_S
        while time.monotonic() < until:
            screen = self.screen()
            if "This was game" in screen:
                return self.wait(r"^\$ ?\Z|^\$ $")
            asked = len(re.findall(r"(?:Enter rolls\.|[Ww]hich\s+dice\s+do\s+you\s+keep\?.*)\n> ?", screen))
            if asked > answered and re.search(r"\n> ?\s*\Z", screen):
                rolls = re.findall(r"Enter rolls\.|you\s+keep\?", screen)[-1] == "Enter rolls."
                self.type("r" if rolls else answer)
                answered += 1
            time.sleep(0.02)
        raise AssertionError(self.screen())


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    sitting = Terminal(tmp_path)
    yield sitting
    sitting.tmux("kill-server")


def _plain(screen: str) -> None:
    assert "Traceback" not in screen
    assert "\x1b" not in screen


def test_a_game_of_midnight_is_played_in_a_real_terminal(terminal: Terminal) -> None:
    told = terminal.play("play midnight --plain --seed 7 --format rounds:1 --pause 0 --keys position", "x 1 r")
    _plain(told)
    assert "Tip wins with 22. You have nothing." in told
    terminal.type(f"{COMMAND} games")
    terminal.wait(r"1\. Midnight.*over")


def test_a_game_of_420_is_played_in_a_real_terminal_with_a_pause(terminal: Terminal) -> None:
    told = terminal.play("play 420 --plain --seed 7 --pause 0.05", "k - r")
    _plain(told)
    assert "the race!" in told


def test_control_c_and_control_d_keep_the_game(terminal: Terminal) -> None:
    terminal.type(f"{COMMAND} play midnight --plain --seed 7 --seats Ann,Bob")
    terminal.wait("Enter rolls")
    terminal.type("r")
    terminal.wait("Which dice")
    terminal.tmux("send-keys", "C-c")
    terminal.wait("Game 1 is saved")
    terminal.type("echo left with $?")
    terminal.wait("left with 130")
    terminal.type(f"{COMMAND} --plain resume")
    terminal.wait("Which dice", 2)
    terminal.tmux("send-keys", "C-d")
    terminal.wait("Game 1 is saved", 2)
    terminal.type("echo and with $?")
    screen = terminal.wait("and with 0")
    _plain(screen)


@pytest.mark.parametrize(
    ("command", "shown", "status"), [("--plain", r"^> ?$", 130), ("serve --port 0 --no-qr", r"Ctrl\+C", 0)]
)
def test_control_c_leaves_the_shell_a_line_of_its_own(
    terminal: Terminal, command: str, shown: str, status: int
) -> None:
    (terminal.folder / "data").mkdir()
    terminal.type(f"{COMMAND} {command}")
    terminal.wait(shown)
    terminal.tmux("send-keys", "C-c")
    terminal.wait(r"^\$ ?\Z|^\$ $")
    terminal.type("echo left with $?")
    screen = terminal.wait(rf"^left with {status}$")
    assert not re.search(r"^(?:> |\^C).*\$", screen, re.MULTILINE)


def test_a_fault_breaks_between_words(tmp_path: Path) -> None:
    sitting = Terminal(tmp_path, 60, 20)
    sitting.type(f"PATH={COMMAND.parent} pubdice nosuch")
    sitting.wait(r"--help\.")
    screen = sitting.tmux("capture-pane", "-p")
    sitting.tmux("kill-server")
    told = screen[screen.index("pubdice: ") :]
    assert '"nosuch" is no command.' in " ".join(told.split())
    assert all(len(line) <= 60 for line in told.splitlines())
    for name in ("completion", "move-house", "new-game"):
        assert re.search(rf"\b{name}\b", told), name


def test_no_color_and_a_dumb_terminal_show_no_colour(terminal: Terminal) -> None:
    for at, environ in enumerate(("NO_COLOR=1", "TERM=dumb"), 1):
        terminal.type(f"{environ} {COMMAND} play 420 --seed {at} --seats Ann,Bob")
        terminal.wait("Enter rolls", at)
        terminal.type("q")
        terminal.wait(f"Game {at} is saved")
        assert "\x1b" not in terminal.screen(colours=True).replace("\x1b[39m", "").replace("\x1b[0m", "")


RULE = "\u2500\u2500 "
"""The beginning of the picture."""
SIZES = [(80, 24), (60, 20), (120, 40)]


def _asked(sitting: Terminal, *told: str) -> str:
    """The screen once all of this is on it, and below it nothing but a prompt."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        screen = sitting.screen()
        if screen.rstrip().endswith("\n>") and all(piece in screen for piece in told):
            return screen
        time.sleep(0.02)
    raise AssertionError(f"no {told} above a prompt:\n{sitting.screen()}")


@pytest.mark.parametrize(
    ("game", "columns", "rows"),
    [(game, *SIZES[at % 3]) for at, game in enumerate(("midnight", "420", "mexico", "ship", "threes", "shutbox"))],
)
def test_the_table_is_drawn_once_below_what_happened(game: str, columns: int, rows: int, tmp_path: Path) -> None:
    """One picture at a time, however often it was drawn, and above it the sentences that a pipe reads."""
    sitting = Terminal(tmp_path, columns, rows)
    try:
        sitting.type(f"{COMMAND} play {game} --seats Ann,bot --first Ann --seed 7 --pause 0.05")
        _asked(sitting, "Enter rolls")
        sitting.type("")
        screen = _asked(sitting, "Ann rolled")
        assert screen.count(f"\n{RULE}") == 1, screen
        assert screen.count("Ann rolled") == 1
        sitting.type("zz")
        told = _asked(sitting, '> zz\n"zz" means nothing here.')
        assert told.count(f"\n{RULE}") == 1, told
        sitting.type("q")
        left = sitting.wait("Game 1 is saved")
        assert RULE not in left, "the picture is gone, the sentences stay"
    finally:
        sitting.tmux("kill-server")


def test_another_size_is_followed_while_somebody_types(tmp_path: Path) -> None:
    sitting = Terminal(tmp_path, 100, 30)
    try:
        sitting.type(f"{COMMAND} play midnight --seats Ann,Bob --seed 7")
        _asked(sitting, "Enter rolls")
        sitting.type("")
        _asked(sitting, "Which dice do you keep?")
        sitting.tmux("send-keys", "-l", "1 6")
        sitting.wait("^> 1 6")
        for columns in (60, 90):
            sitting.tmux("resize-window", "-x", str(columns))
            until = time.monotonic() + PATIENCE_S
            rules: list[int] = []
            while rules != [columns]:
                assert time.monotonic() < until, sitting.screen()
                screen = sitting.tmux("capture-pane", "-p").rstrip()  # what scrolled away stays as it was
                rules = [len(line) for line in screen.splitlines() if line.startswith(RULE)]
            sitting.wait(r"^> 1 6\s*\Z")
        sitting.tmux("send-keys", "Enter")
        _asked(sitting, "Keep 1 6, reroll 2 3 5 5. Enter rolls.")
    finally:
        sitting.tmux("kill-server")


def test_plain_and_a_screen_reader_draw_nothing(terminal: Terminal) -> None:
    for at, words in enumerate((f"{COMMAND} --plain play", f"ACCESSIBLE=1 {COMMAND} play"), 1):
        terminal.type(f"{words} midnight --seats Ann,Bob")
        terminal.wait("Enter rolls", at)
        terminal.type("q")
        screen = terminal.wait(f"Game {at} is saved")
    assert RULE not in screen


def test_what_is_typed_while_bots_play_is_not_shown_and_the_terminal_shows_it_again_after(terminal: Terminal) -> None:
    terminal.type(f"{COMMAND} play midnight --seats bot,bot --seed 7 --pause 0.2 --format rounds:1")
    terminal.wait("rolled")
    terminal.tmux("send-keys", "-l", "xyzzy")
    screen = terminal.wait("This was game 1")
    assert "xyzzy" not in screen.partition("This was game 1")[0]
    terminal.type("; echo shown again")
    terminal.wait("^shown again")
