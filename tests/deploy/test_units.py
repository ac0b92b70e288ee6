"""The units for systemd: what systemd says of them, and that they name what the house has."""

import re
from pathlib import Path

import pytest

from deploy.deployed import DEPLOY, flags, flags_in, program, ran, variables_read
from pubdice.server.serve import MOST_FILES, STOP_WITHIN_S
from support.console import COMMAND

UNITS = ("pubdice.service", "pubdice@.service")
MOST_EXPOSED = 20
"""Tenths of systemd's points, of 100; a service that says nothing has 96."""


def settings(unit: str) -> dict[str, list[str]]:
    """What a unit sets, all of its values for each name."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", (DEPLOY / unit).read_text("utf-8"), re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


def installed(unit: str, folder: Path) -> Path:
    """The unit as it stands on a machine where pubdice is installed."""
    text = (DEPLOY / unit).read_text("utf-8").replace("/opt/pubdice/bin/pubdice", str(COMMAND))
    file = folder / unit.replace("@.", "@4224.")
    file.write_text(text, "utf-8")
    return file


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_reads_it_and_finds_it_hardened(unit: str, tmp_path: Path) -> None:
    analyze, file = program("systemd-analyze"), installed(unit, tmp_path)
    found = ran(analyze, "verify", file)
    assert (found.returncode, found.stdout) == (0, "")
    rated = ran(analyze, "security", "--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager", file)
    assert rated.returncode == 0, rated.stdout[-400:]
    text = file.read_text("utf-8")
    file.write_text(text.replace("ProtectSystem=strict", "ProtectSystems=strict"), "utf-8")
    assert "ProtectSystems" in ran(analyze, "verify", file).stdout, "it looks"
    file.write_text(re.sub(r"(?m)^(Protect|Private|Restrict|SystemCall|Dynamic|Cap).*\n", "", text), "utf-8")
    open_wide = ran(analyze, "security", "--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager", file)
    assert open_wide.returncode != 0, "it looks"


@pytest.mark.parametrize("unit", UNITS)
def test_it_names_flags_and_limits_of_a_house(unit: str) -> None:
    found = settings(unit)
    (command,) = found["ExecStart"]
    words = command.split()
    assert words[1] == "serve"
    assert flags_in(words) < flags()
    assert words[words.index("--host") + 1] == words[words.index("--proxy") + 1] == "127.0.0.1"
    assert int(found["LimitNOFILE"][0]) == MOST_FILES
    assert int(found["TimeoutStopSec"][0]) >= 15 + STOP_WITHIN_S
    assert (found["DynamicUser"], found["ProtectSystem"]) == (["yes"], ["strict"])
    assert found["KillSignal"] == ["SIGTERM"]


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_starts_a_house_after_its_needs_and_forever(unit: str, tmp_path: Path) -> None:
    section = re.search(r"^\[Unit\]\n(.*?)^\[", (DEPLOY / unit).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert section, "systemd reads it in this section only"
    assert "StartLimitIntervalSec=0\n" in section[1]
    found = settings(unit)
    assert (found["Restart"], found["Wants"]) == (["always"], ["network-online.target"])
    needed = (
        ["network-online.target"]
        if "--data" in found["ExecStart"][0]
        else ["network-online.target", "postgresql.service"]
    )
    assert found["After"] == [" ".join(needed)], "a database on the same machine first"
    file = installed(unit, tmp_path)
    text = file.read_text("utf-8").replace("StartLimitIntervalSec=0\n", "")
    file.write_text(text.replace("[Service]\n", "[Service]\nStartLimitIntervalSec=0\n"), "utf-8")
    assert "StartLimitIntervalSec" in ran(program("systemd-analyze"), "verify", file).stdout, "it looks"


def test_a_house_has_the_time_to_leave_that_the_pages_promise() -> None:
    manual = DEPLOY.parent / "docs/host/operating.md"
    pages = [*(DEPLOY / unit for unit in UNITS), DEPLOY / "compose.yaml", manual]
    for page in pages:
        assert set(re.findall(r"[Ee]nds,? within (\d+) s", page.read_text("utf-8"))) == {"15"}, page.name
    (given,) = {seconds for unit in UNITS for seconds in settings(unit)["TimeoutStopSec"]}
    assert f"Give it {given} s before you kill it" in manual.read_text("utf-8")
    assert int(given) >= 15 + STOP_WITHIN_S


@pytest.mark.parametrize("unit", UNITS)
def test_the_example_has_the_variables_of_a_unit(unit: str) -> None:
    offered = (DEPLOY / "pubdice.env").read_text("utf-8")
    asked = set(re.findall(r"\$\{(\w+)\}", settings(unit)["ExecStart"][0])) - {"STATE_DIRECTORY"}
    assert asked <= set(re.findall(r"^(\w+)=", offered, re.MULTILINE))
    assert "PASSWORD" not in (DEPLOY / unit).read_text("utf-8")
    assert settings(unit)["EnvironmentFile"] == ["/etc/pubdice/pubdice.env"]


def test_the_houses_of_one_machine_share_a_user_and_its_folders() -> None:
    assert settings("pubdice@.service")["User"] == ["pubdice"], "or each instance would own the folders in turn"
    assert "%i" in settings("pubdice@.service")["ExecStart"][0]
    only = settings("pubdice@.service").keys() ^ settings("pubdice.service").keys()
    assert only == {"User"}


def test_the_house_reads_the_variables_of_the_example() -> None:
    offered = set(re.findall(r"^# (PUBDICE_\w+)=", (DEPLOY / "pubdice.env").read_text("utf-8"), re.MULTILINE))
    assert offered == {"PUBDICE_STORE"}
    assert offered < variables_read()
