"""The revision that last wrote ``costs.toml`` down, laid out in a folder, where a cost that grew is counted as it was.

It is unpacked from an archive of git's, which leaves the repository as it is: a worktree would stand in it until
somebody prunes it, if the test were killed.
"""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

SHORT = 12
"""Digits by which a revision is named."""


class NotKnown(Exception):
    """It is not known what something was before; the text says why, and goes on after "as"."""


def revision_of(file: Path) -> str:
    """The revision that last wrote a file, which is as it was there. Raises NotKnown."""
    found, *parents = _git(file.parent, "log", "-1", "--format=%H %P", "--", file.name).decode().split() or [""]
    if not found:
        raise NotKnown(f"no revision has {file.name}")
    if not parents and _git(file.parent, "rev-parse", "--is-shallow-repository") == b"true\n":
        raise NotKnown(f"this clone of the repository has nothing before {found[:SHORT]}")
    if _git(file.parent, "show", f"{found}:./{file.name}") != file.read_bytes():
        raise NotKnown(f"{file.name} is not as {found[:SHORT]} wrote it")
    return found[:SHORT]


def unpack(repository: Path, revision: str, folder: Path) -> None:
    """Lay a revision out in a folder. repository: any folder of it. Raises NotKnown."""
    top = os.fsdecode(_git(repository, "rev-parse", "--show-toplevel")).removesuffix("\n")
    with ZipFile(BytesIO(_git(Path(top), "archive", "--format=zip", "-0", revision))) as archive:
        archive.extractall(folder)


def packages_of(folder: Path) -> Sequence[Path]:
    """What a revision that is laid out in a folder has in place of what is installed. That stays in ``sys.path`` behind
    it, so what looks through all folders there finds two more.
    """
    annexes = sorted(folder.glob("packages/*/src"))
    laws, counted = folder.glob("packages/*/src/*/laws"), folder.glob("packages/*/tests/costs")
    return [folder / "src", folder / "tests", *annexes, *sorted(laws), *sorted(each.parent for each in counted)]


def output_of(command: Sequence[str], environ: Mapping[str, str], folder: Path, most_s: float) -> str:
    """What a command prints, which ends in so many seconds with all that it has started. Raises NotKnown."""
    with subprocess.Popen(
        command,
        env=environ,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            printed, said = process.communicate(timeout=most_s)
        except subprocess.TimeoutExpired:
            raise NotKnown(f"it was not counted within {most_s:g} s") from None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode:
        raise NotKnown(f"it cannot be counted by this Python: {(said.splitlines() or ['?'])[-1]}")
    return printed


def _git(folder: Path, *words: str) -> bytes:
    """What git prints. Raises NotKnown, as where there is no git, or no repository."""
    # In a hook, git's own variables name the repository that it belongs to.
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        return subprocess.run(["git", *words], cwd=folder, env=environ, capture_output=True, check=True).stdout
    except FileNotFoundError:
        raise NotKnown("there is no git") from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise NotKnown(f"git {words[0]} says: {said}") from None
