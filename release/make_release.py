"""``make release``: all that a release is, in one folder, from the commit that is checked out.

The same commit gives the same bytes on machines with the same Python: the commit is built and not the folder it lies
in, every file has the commit's time (SOURCE_DATE_EPOCH), and all tools are locked (``release/tools.txt``).
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
SUMS = "SHA256SUMS"
READABLE = 0o100644 << 16
MAIN = "import sys; from pubdice.cli import main; sys.exit(main())"


def run(*words: str | Path, cwd: Path = ROOT, **environ: str) -> str:
    """Run a command; what it wrote. Raises CalledProcessError."""
    asked = [str(word) for word in words]
    known = {**os.environ, **environ}
    return subprocess.run(asked, cwd=cwd, env=known, check=True, stdout=subprocess.PIPE, text=True).stdout


def make_release(to: Path, *, pocket: bool = True) -> Path:
    """Build the commit that is checked out; the release's folder below ``to``, which replaces an earlier one."""
    commit, epoch = run("git", "rev-parse", "HEAD").strip(), int(run("git", "show", "-s", "--format=%ct", "HEAD"))
    with tempfile.TemporaryDirectory(prefix="pubdice-release-") as scratch:
        source, site, made = (Path(scratch, name) for name in ("source", "site", "made"))
        export(commit, source)
        version = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["project"]["version"]
        python = (sys.executable, "-m")
        for project in (source, *sorted(file.parent for file in source.glob("packages/*/pyproject.toml"))):
            run(*python, "build", "--no-isolation", "--outdir", made, project, SOURCE_DATE_EPOCH=str(epoch))
        wheels = [found for name in ("pubdice", "pubdice_pocket") for found in made.glob(f"{name}-*.whl")]
        run(*python, "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", site, *wheels)
        if pocket:
            run(sys.executable, "-c", MAIN, "pocket", Path(scratch, "pocket"), PYTHONPATH=str(site), cwd=Path(scratch))
            pack(Path(scratch, "pocket"), made / f"pubdice-{version}-pocket.zip", epoch)
        shutil.copytree(source / "deploy", made / "deploy")
        (made / f"pubdice-{version}.cdx.json").write_text(write_bill(site, source, version, commit, epoch), "utf-8")
        (made / SUMS).write_text(sums(made), "ascii")
        folder = to / f"pubdice-{version}"
        if folder.exists():
            shutil.rmtree(folder)
        shutil.copytree(made, folder)
    return folder


def export(commit: str, to: Path) -> None:
    """Write the files of a commit, and nothing else that lies in the working tree."""
    to.mkdir()
    archive = to.with_suffix(".tar")
    run("git", "archive", "--format=tar", "--output", archive, commit)
    # not by tarfile: Python 3.12 and 3.13 warn without a filter, and the 3.11.2 of Debian 12 knows none
    run("tar", "--extract", "--file", archive, "--directory", to)


def write_bill(site: Path, source: Path, version: str, commit: str, epoch: int) -> str:
    """The bill of materials, by the pubdice that was just built: it names the parts of its pocket house."""
    words = (source / "deploy/requirements.txt", version, commit, str(epoch))
    return run(sys.executable, "-m", "release.bill", *words, PYTHONPATH=str(site))


def pack(folder: Path, to: Path, epoch: int) -> None:
    """Pack a folder as a zip archive, not compressed: sorted, at the commit's time, with nothing of the machine."""
    at = time.gmtime(epoch)[:6]
    with zipfile.ZipFile(to, "w", zipfile.ZIP_STORED) as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            member = zipfile.ZipInfo(file.relative_to(folder).as_posix(), at)
            member.create_system, member.external_attr = 3, READABLE
            archive.writestr(member, file.read_bytes())


def sums(folder: Path) -> str:
    """A line for each file of a folder, as ``sha256sum --check`` reads it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS)
    hashed = ((hashlib.sha256(file.read_bytes()).hexdigest(), file.relative_to(folder).as_posix()) for file in files)
    return "".join(f"{digest}  {name}\n" for digest, name in hashed)


def main(words: Sequence[str]) -> int:
    """Build into a folder, and say what came of it; the exit status."""
    parser = argparse.ArgumentParser(prog="make release", description="Builds a release of the commit checked out.")
    parser.add_argument("folder", type=Path, help="where the release's own folder goes")
    parser.add_argument("--no-pocket", action="store_true", help="leave the pocket house out, which takes minutes")
    options = parser.parse_args(words)
    if run("git", "status", "--porcelain"):
        sys.stderr.write("There are changes that are not committed. They are left out.\n")
    try:
        folder = make_release(options.folder.resolve(), pocket=not options.no_pocket)
    except subprocess.CalledProcessError as error:
        sys.stderr.write(f"{error}\n{error.stdout}")
        return 1
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        sys.stdout.write(f"{file.stat().st_size:>12,}  {file.relative_to(folder)}\n")
    sys.stdout.write(f"Built {folder}. To check it there: sha256sum --check {SUMS}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
