"""Files on the disk: fsync and flock. Also the network file systems, on which neither is reliable."""

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows has no flock; only the counts of lines and unique rows keep two writers apart there
    fcntl = None  # type: ignore[assignment]


def sync_file(path: Path, flags: int = os.O_RDWR) -> None:
    """Wait until the whole file is on the disk. Raise OSError."""
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk. A system that cannot sync a folder does not need it."""
    with suppress(OSError):
        sync_file(folder, os.O_RDONLY)


def lock_file(file: IO[Any], *, wait: bool) -> None:
    """Lock an open file until it is closed.

    Without ``wait``, raise BlockingIOError if another process holds the lock.
    """
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


MOUNTS = Path("proc/self/mountinfo")
"""The list of mounted file systems on Linux (proc_pid_mountinfo(5)), relative to the root."""
OVER_NETWORKS = frozenset((
    "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse.ceph", "fuse.davfs", "fuse.glusterfs", "fuse.rclone",
    "fuse.s3fs", "fuse.sshfs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "orangefs", "smb2", "smb3", "smbfs",
))  # fmt: skip
"""The network file systems, whose locks and syncs are unreliable for SQLite (https://sqlite.org/useovernet.html)."""
_OCTAL = re.compile(rb"\\([0-7]{3})")


def network_file_system(folder: Path, root: Path = Path("/")) -> str:
    """Return the kind of network file system on which a folder is, such as "nfs4".

    For any other or unknown file system, return "". ``root`` is the root of the system's files.
    """
    try:
        lines = (root / MOUNTS).read_bytes().splitlines()
    except OSError:  # not Linux
        return ""
    there, longest, found = folder.resolve(), 0, ""
    for line in lines:
        mounted, _, system = line.partition(b" - ")
        fields = mounted.split(b" ")
        if len(fields) < 5 or not system:
            continue
        place = Path(os.fsdecode(_OCTAL.sub(lambda escaped: bytes([int(escaped[1], 8) & 255]), fields[4])))
        if len(place.parts) >= longest and there.is_relative_to(place):  # a later mount hides an earlier
            longest, found = len(place.parts), os.fsdecode(system.split(b" ")[0])
    return found if found in OVER_NETWORKS else ""
