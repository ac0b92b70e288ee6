"""Files of a house on the disk: fsync, flock, the secret, the seals that were opened, and files replaced together."""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from hashlib import file_digest
from pathlib import Path
from typing import IO, Any

from pubdice.core.errors import NotStored
from pubdice.core.seal import Seal

try:
    import fcntl
except ImportError:  # no flock on Windows: there only the counts of lines and unique rows keep two writers apart
    fcntl = None  # type: ignore[assignment]


def sync_file(path: Path, flags: int = os.O_RDWR) -> None:
    """Wait until all of a file is on the disk. Raises OSError."""
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk. Systems that cannot sync a folder need not."""
    with suppress(OSError):
        sync_file(folder, os.O_RDONLY)


def lock_file(file: IO[Any], *, wait: bool) -> None:
    """Lock an open file until it is closed. Without ``wait`` raises BlockingIOError if another process has the lock."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


MOUNTS = Path("proc/self/mountinfo")
"""The mounted file systems, as Linux lists them (proc_pid_mountinfo(5)), below the root."""
OVER_NETWORKS = frozenset((
    "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse.ceph", "fuse.davfs", "fuse.glusterfs", "fuse.rclone",
    "fuse.s3fs", "fuse.sshfs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "orangefs", "smb2", "smb3", "smbfs",
))  # fmt: skip
"""File systems whose locks and syncs SQLite can't rely on (https://sqlite.org/useovernet.html)."""
_OCTAL = re.compile(rb"\\([0-7]{3})")


def network_file_system(folder: Path, root: Path = Path("/")) -> str:
    """The kind of the network file system that a folder is on, such as "nfs4"; "" for any other, or if nothing tells.

    root: of the system's files.
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
        if len(place.parts) >= longest and there.is_relative_to(place):  # of two at one place the later hides the other
            longest, found = len(place.parts), os.fsdecode(system.split(b" ")[0])
    return found if found in OVER_NETWORKS else ""


# A secret in a file of its own, so that no copy of the tables holds it: 32 random bytes in hex, for its owner only.


SIZE = 32
"""Bytes of a secret."""


def read_secret(file: Path, source: Callable[[int], bytes]) -> bytes:
    """The secret in a file, which is made if there is none. source: returns that many random bytes.

    The file is complete from the moment it has its name. The caller keeps other processes out (the store's lock).
    Raises NotStored("secret-file"), ("store-unwritable") if it cannot be made.
    """
    try:
        if not file.exists():
            _make(file, source(SIZE))
    except OSError as error:
        facts = {"reason": error.strerror or "", "folder": str(file.parent), "file": str(file)}
        raise NotStored("store-unwritable", **facts) from None
    try:
        file.chmod(0o600)
        secret = bytes.fromhex(file.read_text("ascii").strip())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else ""
        raise NotStored("secret-file", file=str(file), reason=reason or "") from None
    if len(secret) != SIZE:
        raise NotStored("secret-file", file=str(file), reason="")
    return secret


def _make(file: Path, secret: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)  # of a process with this number that was killed here
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as opened:
            opened.write(secret.hex() + "\n")
        sync_file(draft)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(file.parent)


# Which seals were opened, in a file of its own: a line for each, ``CHAIN/NUMBER``, 20 bytes a match.
#
# It stays as it is where an older copy of the tables is put back, so no match goes on under a seed that people know.


class OpenedSealsFile:
    """The opened seals of a house. Of each chain the last one counts, as earlier seeds follow from it."""

    def __init__(self, file: Path) -> None:
        """Read the file, if there is one. Raises NotStored("secret-file")."""
        self._file, self._last = file, dict[str, int]()
        try:
            lines = file.read_text("ascii").splitlines() if file.exists() else []
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else ""
            raise NotStored("secret-file", file=str(file), reason=reason or "") from None
        for line in lines:
            chain, _, number = line.partition("/")
            if number.isdecimal():  # a last line that a crash cut short counts for nothing
                self._last[chain] = max(int(number), self._last.get(chain, 0))

    def is_opened(self, seal: Seal) -> bool:
        """True if this seal, or a later one of its chain, was opened."""
        return seal.number <= self._last.get(seal.chain, 0)

    def note(self, seal: Seal) -> None:
        """Note it, once. That it cannot be written is no reason to stop a match that is over."""
        if self.is_opened(seal):
            return
        self._last[seal.chain] = seal.number
        try:
            with self._file.open("a+b") as file:
                if end := file.seek(0, os.SEEK_END):
                    file.seek(end - 1)
                    cut_short = file.read(1) != b"\n"
                    file.write(b"\n" if cut_short else b"")
                file.write(f"{seal.table}\n".encode("ascii"))
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            return


# Several files of a house replaced as one: whenever the process is killed, all are the old ones, or all the new.
#
# New contents are first written beside the old. Then a *mark* is renamed into place, which names them with their
# SHA-256: from that moment the new ones count. They are renamed over the old ones, which needs no more space on the
# disk, and is done again from the start after a kill. So ``settle`` must be called before anything of the house is
# opened; the store does so, under its lock.


NEW, MARK = ".new.", ".replacing"
"""After the name of the tables' file: before the name of a file that is new, and the mark."""


class StagedFiles:
    """New contents of files beside the tables. Its methods raise OSError."""

    def __init__(self, data: Path) -> None:
        self._folder, self._name = data.parent, data.name
        self._mark = data.with_name(data.name + MARK)

    def path(self, name: str) -> Path:
        """The path for the new content of a file."""
        return self._folder / f"{self._name}{NEW}{name}"

    def create(self, name: str) -> IO[bytes]:
        """The new content of a file, empty, which only its owner may read. Raises FileExistsError."""
        return os.fdopen(os.open(self.path(name), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b")

    def commit(self, names: Iterable[str], gone: Iterable[str] = ()) -> None:
        """Let the new contents count, and delete the files named in ``gone``. ``settle`` then puts them in place.

        After an OSError nothing has changed. Names are replaced in the order they are given.
        """
        sums: dict[str, str] = {}
        for name in names:
            sync_file(self.path(name))
            sums[name] = _sum(self.path(name))
        sync_folder(self._folder)
        draft = self._mark.with_name(self._mark.name + ".part")
        draft.write_text(json.dumps({"new": sums, "gone": list(gone)}), "utf-8")
        sync_file(draft)
        draft.replace(self._mark)
        sync_folder(self._folder)

    def settle(self) -> None:
        """Put what counts in place, or take away what does not. Costs one look at a folder where nothing is staged."""
        plan = self._plan()
        if plan is None:
            self.discard()
            return
        new, gone = plan
        waiting = [name for name in new if self.path(name).exists()]
        if len(waiting) == len(new) and any(_sum(self.path(name)) != new[name] for name in waiting):
            self._mark.unlink()  # a disk that lost what it had synced; nothing is replaced yet
            self.discard()
            return
        for name in gone:
            (self._folder / name).unlink(missing_ok=True)
        for name in waiting:
            self.path(name).replace(self._folder / name)
        sync_folder(self._folder)
        self._mark.unlink()
        sync_folder(self._folder)

    def discard(self) -> None:
        """Take away what is staged, unless it counts already."""
        if self._mark.exists():
            return
        with suppress(FileNotFoundError):
            for path in list(self._folder.iterdir()):
                if path.name.startswith(self._name + NEW):
                    path.unlink()
        self._mark.with_name(self._mark.name + ".part").unlink(missing_ok=True)

    def _plan(self) -> tuple[Mapping[str, str], list[str]] | None:
        """The plan in the mark; None without a mark that can be read."""
        try:
            plan = json.loads(self._mark.read_text("utf-8"))
            return dict(plan["new"]), list(plan["gone"])
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            self._mark.unlink()
            return None


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
