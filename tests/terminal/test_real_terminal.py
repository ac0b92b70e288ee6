"""A whole game of each in a real terminal: tmux types the keys and reads the screen."""

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

    def __init__(self, folder: Path) -> None:
        self.socket, self.folder = str(folder / "tmux"), folder
        environ = f"env -u NO_COLOR PUBDICE_DATA={shlex.quote(str(folder / 'data'))} PS1='$ ' TERM=screen"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "150", "-y", "50", f"{environ} sh")
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
            asked = len(re.findall(r"(?:r rolls\.|[Ww]hich\s+dice\s+do\s+you\s+keep\?.*)\n> ?", screen))
            if asked > answered and re.search(r"\n> ?\s*\Z", screen):
                rolls = re.findall(r"r rolls\.|you\s+keep\?", screen)[-1] == "r rolls."
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
    told = terminal.play("play midnight --seed 7 --format rounds:1 --pause 0 --keys position", "x 1 r")
    _plain(told)
    assert "Tip wins with 22. You nothing." in told
    terminal.type(f"{COMMAND} games")
    terminal.wait(r"1\. Midnight.*over")


def test_a_game_of_420_is_played_in_a_real_terminal_with_a_pause(terminal: Terminal) -> None:
    told = terminal.play("play 420 --seed 7 --pause 0.05", "k - r")
    _plain(told)
    assert "the race!" in told


def test_control_c_and_control_d_keep_the_game(terminal: Terminal) -> None:
    terminal.type(f"{COMMAND} play midnight --seed 7 --seats Ann,Bob")
    terminal.wait("r rolls")
    terminal.type("r")
    terminal.wait("Which dice")
    terminal.tmux("send-keys", "C-c")
    terminal.wait("Game 1 is kept")
    terminal.type("echo left with $?")
    terminal.wait("left with 130")
    terminal.type(f"{COMMAND} resume")
    terminal.wait("Which dice", 2)
    terminal.tmux("send-keys", "C-d")
    terminal.wait("Game 1 is kept", 2)
    terminal.type("echo and with $?")
    screen = terminal.wait("and with 0")
    _plain(screen)


def test_no_color_and_a_dumb_terminal_show_no_colour(terminal: Terminal) -> None:
    for at, environ in enumerate(("NO_COLOR=1", "TERM=dumb"), 1):
        terminal.type(f"{environ} {COMMAND} play 420 --seed {at} --seats Ann,Bob")
        terminal.wait("r rolls", at)
        terminal.type("q")
        terminal.wait(f"Game {at} is kept")
        assert "\x1b" not in terminal.screen(colours=True).replace("\x1b[39m", "").replace("\x1b[0m", "")
