"""The files of ``deploy/``, and what a house really has: its flags, routes and variables."""

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from pubdice.server.app import ROUTES
from support.console import COMMAND

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PACKAGE = ROOT / "src" / "pubdice"
PATHS = frozenset(route.path for route in ROUTES)


def tool(name: str) -> str:
    """A program that was installed beside Python."""
    found = Path(sys.executable).with_name(name)
    assert found.exists(), f"{name} is an extra of dev"
    return str(found)


def program(name: str) -> str:
    """A program of the system; the test is skipped without it, which fails in CI."""
    kept = Path.home() / ".cache/pubdice/programs/usr/bin" / name
    found = shutil.which(name) or (str(kept) if kept.exists() else None)
    if found is None:
        pytest.skip(f"no {name}: .ci/install installs it, some only as `.ci/install nightly`")
    return found


def ran(*words: str | Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """A command that has ended; its output and errors are one."""
    asked, env, within_s = [str(word) for word in words], environ or None, 120
    pipe, same = subprocess.PIPE, subprocess.STDOUT
    return subprocess.run(asked, stdout=pipe, stderr=same, text=True, timeout=within_s, check=False, env=env)


@cache
def flags() -> frozenset[str]:
    """The flags that ``pubdice serve --help`` names."""
    return frozenset(re.findall(r"--[a-z][a-z-]+", ran(COMMAND, "serve", "--help").stdout))


def flags_in(words: list[str]) -> set[str]:
    """The flags among words."""
    return {word.partition("=")[0] for word in words if word.startswith("--")}


@cache
def compose() -> Any:
    """The compose file, its anchors carried out."""
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


@cache
def variables_read() -> frozenset[str]:
    """The environment variables that pubdice's own code names."""
    found = (re.findall(r"\bPUBDICE_[A-Z]+\b", file.read_text("utf-8")) for file in PACKAGE.rglob("*.py"))
    return frozenset(name for names in found for name in names)
