"""docs/host/club.md, followed: its commands are carried out as they stand, in folders of the test."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from databases.every_event import spend
from deploy.deployed import DEPLOY, ROOT, program, ran
from support.console import COMMAND

PAGE = (ROOT / "docs/host/club.md").read_text("utf-8")
SUDO = '#!/bin/sh\nexec "$@"\n'
SYSTEMS = {"apt", "systemctl", "hostnamectl", "podman"}
"""Programs that change the system itself: these are only named here."""


def block(name: str) -> list[str]:
    """The commands of a block, a line each."""
    (found,) = re.findall(rf"<!-- {name} -->\n```\n(.*?)```", PAGE, re.DOTALL)
    return [str(line) for line in found.splitlines()]


class Machine:
    """A machine of a club: its folders are below one of the test's, and pubdice is the one that is tested."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.bin = folder, folder / "bin"
        for name in ("bin", "opt/pubdice/bin", "usr/local/bin", "etc/cron.d", "etc/systemd/system", "tmp", "var/lib"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "opt/pubdice/bin/pubdice").symlink_to(COMMAND)
        self.program("sudo", SUDO)
        for name in SYSTEMS:
            self.program(name, f'#!/bin/sh\necho "{name} $*" >>{folder}/asked\n')
        (self.bin / "pubdice").symlink_to(COMMAND)

    def program(self, name: str, text: str) -> None:
        (self.bin / name).write_text(text, "utf-8")
        (self.bin / name).chmod(0o700)

    def here(self, line: str) -> str:
        """A command of the page with the folders of this machine."""
        return re.sub(r"(?<![\w/])/(opt|usr|etc|var|tmp)/", rf"{self.folder}/\1/", line)

    def follow(self, lines: list[str], cwd: Path | None = None) -> str:
        """Carry out lines as they stand; all that they said."""
        environ = {key: value for key, value in os.environ.items() if not key.startswith(("PUBDICE", "GIT_"))}
        environ |= {"PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": str(self.folder)}
        done = subprocess.run(
            ["sh", "-e", "-c", "\n".join(map(self.here, lines))],
            cwd=cwd or self.folder,
            env=environ,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def asked(self) -> list[str]:
        return (self.folder / "asked").read_text("utf-8").splitlines()


def made(folder: Path) -> Machine:
    """A machine with a house that has had an evening."""
    made = Machine(folder / "machine")
    (made.folder / "var/lib/pubdice").mkdir()
    spend(made.folder / "var/lib/pubdice/house.db")
    return made


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Such a machine for one test."""
    return made(tmp_path)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """Such a machine after its first night, for tests that leave its house and its backup as they are."""
    machine = made(tmp_path_factory.mktemp("club"))
    save(machine)
    return machine


def newest(lines: list[str]) -> list[str]:
    """The page names a day; the backup of the test is of today."""
    return [re.sub(r"\d{4}-\d\d-\d\d", f"{datetime.now(UTC).astimezone():%Y-%m-%d}", line) for line in lines]


def save(machine: Machine) -> None:
    """What cron does in one night."""
    (machine.folder / "pubdice.cron").write_text("\n".join(block("cron")) + "\n", "utf-8")
    machine.follow(block("backup"))
    assert (machine.folder / "etc/cron.d/pubdice").read_text("utf-8").count("root") == 2
    fields = [re.fullmatch(r"(?:[\d*]+ ){5}root (.*)", line) for line in block("cron")]
    machine.follow([found[1].replace(r"\%", "%") for found in fields if found])


def test_the_tables_are_saved_and_the_rehearsal_puts_them_back(saved: Machine) -> None:
    (backup,) = (saved.folder / "var/backups/pubdice").iterdir()
    said = saved.follow(newest(block("rehearsal")))
    assert len(re.findall(r"\d+ tables are sound", said)) == 2
    assert not (saved.folder / "tmp/rehearsal").exists()
    old = saved.folder / "var/backups/pubdice/2020-01-01.zip"
    shutil.copy(backup, old)
    os.utime(old, (0, 0))
    saved.follow([line.split(" root ")[1] for line in block("cron") if "find" in line])
    assert (backup.exists(), old.exists()) == (True, False)


@pytest.mark.nightly
def test_on_a_bad_day_the_house_is_whole_again(saved: Machine) -> None:
    tables = saved.folder / "var/lib/pubdice"
    check = ["pubdice check --data /var/lib/pubdice/house.db"]
    before = saved.follow(check)
    (tables / "house.db").write_bytes(b"\0" * 4096)
    saved.follow(newest(block("bad day")))
    assert saved.follow(check) == before
    assert (tables / "old/house.db").read_bytes() == b"\0" * 4096
    assert saved.asked() == ["systemctl stop pubdice", "systemctl start pubdice"]


def test_it_starts_at_boot_by_a_unit_that_systemd_reads(machine: Machine) -> None:
    shutil.copy(DEPLOY / "pubdice-club.service", machine.folder)
    machine.follow(block("boot"))
    unit = machine.folder / "etc/systemd/system/pubdice.service"
    assert "systemctl enable --now pubdice" in machine.asked()
    text = unit.read_text("utf-8")
    unit.write_text(text.replace("/opt/pubdice/bin/pubdice", str(COMMAND)), "utf-8")
    found = ran(program("systemd-analyze"), "verify", unit)
    assert (found.returncode, found.stdout) == (0, "")
    rated = ran(program("systemd-analyze"), "security", "--offline=true", "--threshold=20", "--no-pager", unit)
    assert rated.returncode == 0, rated.stdout[-400:]


def test_a_club_s_unit_differs_from_a_proxied_one_by_its_host() -> None:
    def kept(name: str) -> list[str]:
        lines = (DEPLOY / name).read_text("utf-8").splitlines()
        dropped = ("#", "ExecStart=", "EnvironmentFile=", "Description=")
        return [line for line in lines if line and not line.startswith(dropped)]

    assert kept("pubdice-club.service") == kept("pubdice.service")
    assert "--host 0.0.0.0" in (DEPLOY / "pubdice-club.service").read_text("utf-8")


def test_the_pocket_is_pushed_to_a_host_of_pages(machine: Machine) -> None:
    with zipfile.ZipFile(machine.folder / "pubdice-0.9.0-pocket.zip", "w") as archive:
        archive.writestr("index.html", "Pubdice")
    pages = machine.folder / "pages.git"
    subprocess.run(["git", "init", "--quiet", "--bare", str(pages)], check=True)
    (machine.folder / ".gitconfig").write_text("[user]\n\tname = Ann\n\temail = ann@example.org\n", "utf-8")
    machine.follow([line.replace("git@github.com:YOU/dice.git", "../pages.git") for line in block("pages")])
    shown = ["git", "-C", str(pages), "show", "main:index.html"]
    assert subprocess.run(shown, capture_output=True, text=True, check=True).stdout == "Pubdice"


@pytest.mark.nightly
def test_it_is_installed_and_updated_as_the_page_says(tmp_path: Path) -> None:
    """From the wheel: the package index need not have it."""
    machine = Machine(tmp_path)
    built = [sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(built, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    shutil.rmtree(tmp_path / "opt/pubdice")
    (machine.bin / "pubdice").unlink()
    (machine.bin / "pubdice").symlink_to(tmp_path / "usr/local/bin/pubdice")

    def from_file(lines: list[str]) -> list[str]:
        return [line.replace("'pubdice[web]'", f"'./{wheel.name}[web]'") for line in lines]

    said = machine.follow([*from_file(block("install"))[:-1], "pubdice --version", "pubdice doctor --host 127.0.0.1"])
    assert said.splitlines()[0].startswith("pubdice ")
    assert said.endswith("Nothing is wrong.\n")
    (tmp_path / "var/lib/pubdice").mkdir()
    (tmp_path / "var/backups/pubdice").mkdir(parents=True)
    spend(tmp_path / "var/lib/pubdice/house.db")
    machine.follow(from_file(block("update")))
    assert (tmp_path / "var/backups/pubdice/before-update.zip").exists()
    assert "systemctl restart pubdice" in machine.asked()


@pytest.mark.nightly
def test_caddy_takes_what_the_page_shows(tmp_path: Path) -> None:
    (text,) = re.findall(r"<!-- caddy -->\n *```\n(.*?)```", PAGE, re.DOTALL)
    file = tmp_path / "Caddyfile"
    file.write_text(re.sub(r"(?m)^   ", "", text).rstrip() + "\n", "utf-8")
    said = ran(program("caddy"), "adapt", "--config", file, "--adapter", "caddyfile")
    assert said.returncode == 0, said.stdout


def test_each_block_of_commands_is_tried_or_the_system_s() -> None:
    named = re.findall(r"<!-- ([a-z ]+) -->", PAGE)
    tried = {"install", "boot", "backup", "cron", "rehearsal", "bad day", "update", "pages", "caddy", "name"}
    assert set(named) == tried
    assert all(line.split()[1] in SYSTEMS for line in block("name"))
    others = re.sub(r"(?s)<!--.*?```.*?```", "", PAGE)
    assert [text.split()[0] for text in re.findall(r"```\n(.*?)```", others, re.DOTALL)] == ["podman"]
