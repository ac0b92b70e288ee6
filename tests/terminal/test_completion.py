"""What Tab completes, in real shells: bash always, zsh and fish in the nightly."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from pubdice import annexes
from pubdice.cli import COMMANDS, HOUSE
from pubdice.games import GAMES
from pubdice.terminal.declared import SHELLS
from support.console import COMMAND, one_sentence, pubdice

PATIENCE_S = 30.0
COMPLETED = {
    "pla": "play",
    "move": "move-house",
    "play mid": "midnight",
    "play midnight --sea": "--seats",
    "play --format li": "lives",
    "play --moon fi": "first",
    "play threes --opener wi": "winner",
    "rules 4": "420",
    "odds midnight --go": "--goal",
    "advise midnight --loc": "--locked",
    "replay --js": "--json",
    "--lang d": "de",
    "--lang de rules me": "mexico",
    "serve --por": "--port",
    "simulate mid": "midnight",
    "simulate 420 --wor": "--workers",
    "arena 420 --pro": "--program",
    "plot exp": "exploitability",
    "completion fi": "fish",
    "play --pla": "--plain",
}
"""The one word that completes a line, after ``pubdice``."""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The script of each shell, in a file."""
    folder = tmp_path_factory.mktemp("completion")
    for shell in SHELLS:
        told = pubdice("completion", shell, data=folder / "data")
        assert (told.status, told.err) == (0, "")
        (folder / shell).write_text(told.out, encoding="utf-8")
    return {shell: folder / shell for shell in SHELLS}


def _program(shell: str) -> str:
    found = shutil.which(shell)
    if found is None:
        if os.environ.get("PUBDICE_CI"):
            pytest.fail(f"{shell} is not installed, and PUBDICE_CI says it must be")
        pytest.skip(f"no {shell}: .ci/install nightly installs it")
    return found


def _in_bash(script: Path, line: str, folder: Path) -> list[str]:
    """What bash offers for a line that ends at the cursor."""
    asks = (
        'source "$1"; shift; COMP_WORDS=(pubdice "$@"); COMP_CWORD=$#; '
        '_shtab_pubdice pubdice "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    words = [_program("bash"), "--norc", "--noprofile", "-c", asks, "bash", str(script), *line.split(" ")]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(("line", "word"), COMPLETED.items())
def test_bash_completes_a_word(line: str, word: str, scripts: dict[str, Path], tmp_path: Path) -> None:
    assert _in_bash(scripts["bash"], line, tmp_path) == [word]


def test_bash_offers_every_command_every_game_and_files(scripts: dict[str, Path], tmp_path: Path) -> None:
    assert sorted(_in_bash(scripts["bash"], "", tmp_path)) == sorted([*COMMANDS, *HOUSE, *annexes.names()])
    options = _in_bash(scripts["bash"], "-", tmp_path)
    assert sorted(options) == ["--help", "--lang", "--plain", "--version"]
    assert _in_bash(scripts["bash"], "play ", tmp_path) == list(GAMES)
    assert _in_bash(scripts["bash"], "play midnight ", tmp_path) == [], "the game is named already"
    (tmp_path / "evening.record").touch()
    assert _in_bash(scripts["bash"], "review ev", tmp_path) == ["evening.record"]
    assert _in_bash(scripts["bash"], "play --first ", tmp_path) == [], "any name"


@pytest.mark.nightly
@pytest.mark.parametrize(("line", "word"), COMPLETED.items())
def test_fish_completes_a_word(line: str, word: str, scripts: dict[str, Path], tmp_path: Path) -> None:
    asks = f"source {scripts['fish']}; complete -C 'pubdice {line}'"
    environ = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    words = [_program("fish"), "--no-config", "-c", asks]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=environ, cwd=tmp_path)
    assert [row.partition("\t")[0] for row in done.stdout.splitlines()] == [word]


START = {
    "bash": "bash --norc --noprofile -i",
    "zsh": "zsh -f -i",
    "fish": "fish --no-config",
}
READ = {
    "bash": "source {script}",
    "zsh": "autoload -U compinit; compinit -u -d {folder}/dump; source {script}",
    "fish": "source {script}",
}


@pytest.mark.parametrize("shell", ["bash", *(pytest.param(shell, marks=pytest.mark.nightly) for shell in SHELLS[1:])])
def test_tab_completes_in_a_real_terminal(shell: str, scripts: dict[str, Path], tmp_path: Path) -> None:
    _program(shell)
    tmux = _program("tmux")
    socket = str(tmp_path / "tmux")

    def run(*words: str) -> str:
        done = subprocess.run([tmux, "-S", socket, *words], capture_output=True, text=True, timeout=60, check=True)
        return done.stdout

    def wait(text: str) -> None:
        until = time.monotonic() + PATIENCE_S
        while text not in run("capture-pane", "-p", "-J"):
            assert time.monotonic() < until, f"no {text!r}:\n" + run("capture-pane", "-p")
            time.sleep(0.05)

    environ = f"env HOME={tmp_path} XDG_CONFIG_HOME={tmp_path} TERM=screen PATH={COMMAND.parent}:$PATH"
    run("-f", "/dev/null", "new-session", "-d", "-x", "150", "-y", "40", f"{environ} {START[shell]}")
    try:
        run("send-keys", "-l", READ[shell].format(script=scripts[shell], folder=tmp_path) + "; echo re''ady")
        run("send-keys", "Enter")
        wait("\nready")
        for typed, shown in (("pubdice rul", "pubdice rules "), ("sh", "pubdice rules sh"), ("utb", "rules shutbox")):
            run("send-keys", "-l", typed)
            wait(typed)
            run("send-keys", "Tab")
            wait(shown)
    finally:
        run("kill-server")


@pytest.mark.parametrize("words", [(), ("powershell",)])
def test_a_shell_that_is_missing_or_unknown_is_a_sentence(words: tuple[str, ...], tmp_path: Path) -> None:
    told = pubdice("completion", *words, data=tmp_path)
    assert told.status == 2
    assert ("SHELL" if not words else "bash, zsh, fish") in one_sentence(told, "completion")


def test_a_game_that_is_installed_is_completed_too(tmp_path: Path) -> None:
    kit = GAMES["420"]
    told = pubdice("completion", "bash", data=tmp_path, games={"farkle": kit})
    script = tmp_path / "script"
    script.write_text(told.out, encoding="utf-8")
    assert _in_bash(script, "play far", tmp_path) == ["farkle"]
