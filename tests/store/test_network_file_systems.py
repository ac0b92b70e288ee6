"""Folders on network file systems, by a list of mounts made up as Linux writes it (proc_pid_mountinfo(5))."""

import socket
from pathlib import Path

import pytest

from pubdice.cli import main
from pubdice.store import disk
from pubdice.store.disk import MOUNTS, network_file_system

MOUNTED = r"""
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
30 27 0:40 / /srv rw,relatime shared:2 master:3 - nfs4 nas:/srv rw,vers=4.2,addr=192.0.2.1
31 30 254:2 / /srv/local rw - xfs /dev/vdb rw
32 27 0:41 / /home/My\040Pub\134new rw - cifs //nas/pub rw
33 27 0:42 / /mnt/auto rw - autofs systemd-1 rw
34 33 0:43 / /mnt/auto rw - nfs nas:/auto rw
35 27 0:44 /sub /mnt/ssh rw - fuse.sshfs ann@nas:/ rw
36 27 0:45 / /mnt/c rw - 9p drvfs rw
37 27 0:46 / /mnt/over rw - nfs nas:/over rw
38 37 254:3 / /mnt/over rw - btrfs /dev/vdc rw
39 27 0:47 / /mnt/cut
no line of mounts
40 27 0:48 / /mnt/ram rw -
"""
KINDS = {
    "/": "",
    "/var/lib/pubdice": "",
    "/srv": "nfs4",
    "/srv/pub/evening": "nfs4",
    "/srv2": "",
    "/srv/local/pub": "",
    "/srv/locals": "nfs4",
    "/srv/local/../pub": "nfs4",
    "/home/My Pub\\new/tables": "cifs",
    "/mnt/auto/pub": "nfs",
    "/mnt/ssh": "fuse.sshfs",
    "/mnt/c/Users": "9p",
    "/mnt/over": "",
    "/mnt/cut": "",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / MOUNTS).parent.mkdir(parents=True)
    (tmp_path / MOUNTS).write_text(MOUNTED, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("folder", KINDS)
def test_the_longest_mount_that_holds_a_folder_says_its_kind(root: Path, folder: str) -> None:
    assert network_file_system(Path(folder), root) == KINDS[folder]


def test_a_link_counts_as_where_it_leads(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/srv/pub")
    assert network_file_system(tmp_path / "link", root) == "nfs4"


def test_where_no_list_is_nothing_is_said(tmp_path: Path) -> None:
    assert network_file_system(Path("/srv"), tmp_path) == ""
    assert network_file_system(tmp_path) == "", "of this machine"


def test_serve_says_so_and_goes_on(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / MOUNTS).write_text(f"{MOUNTED}\n41 27 0:49 / {tmp_path} rw - nfs nas:/pub rw\n", encoding="utf-8")
    monkeypatch.setattr(disk, "MOUNTS", root / MOUNTS)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        status = main(["serve", "--port", str(taken.getsockname()[1]), "--data", str(tmp_path / "house.db")])
    first, second = capsys.readouterr().err.splitlines()[:2]
    assert first == (
        f"pubdice serve: {tmp_path} is on a network file system (nfs), where SQLite loses data. "
        "Move it to a local disk, or use PostgreSQL."
    )
    assert (status, "is in use already" in second) == (1, True)
