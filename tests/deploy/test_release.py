"""A release: its lock holds what pyproject asks for, and it can be made twice."""

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from platformdirs import user_cache_path

from deploy.deployed import DEPLOY, ROOT
from release.lock_file import Locked, read_lock
from release.make_release import pack, sums
from support.annexes import of_all_annexes

LOCK, TOOLS = DEPLOY / "requirements.txt", ROOT / "release" / "tools.txt"
PROJECT: Any = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
COMMIT, EPOCH = "0123456789abcdef0123456789abcdef01234567", 1_763_640_000


def asked_for() -> list[Requirement]:
    """What a house over PostgreSQL needs to run."""
    cluster = tomllib.loads((ROOT / "packages/cluster/pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    lines = (*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["web"], *cluster)
    return [Requirement(line) for line in lines if not line.startswith("pubdice")]


def holds(lock: tuple[Locked, ...], asked: Requirement) -> bool:
    """Whether a lock has the package, and each version of it is one of those asked for."""
    found = [each for each in lock if each.name == canonicalize_name(asked.name)]
    return bool(found) and all(asked.specifier.contains(each.version) for each in found)


@of_all_annexes
def test_the_lock_holds_what_pyproject_asks_for() -> None:
    lock = read_lock(LOCK)
    missing = [str(asked) for asked in asked_for() if not holds(lock, asked)]
    assert not missing, "make lock"
    assert not holds(lock, Requirement("numpy>=99"))
    assert not holds(lock, Requirement("nobody"))
    named = {canonicalize_name(asked.name) for asked in asked_for()}
    direct = {each.name for each in lock if any(via.startswith("pubdice") for via in each.via)}
    assert direct == named, "nothing that pyproject has not asked for, or no longer asks for"
    assert {"psycopg-binary", "psycopg-pool"} < {each.name for each in lock}, "the extras of cluster's packages"
    assert all(
        via in {each.name for each in lock} for each in lock for via in each.via if not via.startswith("pubdice")
    )


def test_the_tools_of_a_release_are_locked_beside_it() -> None:
    lines = [line for line in TOOLS.with_suffix(".in").read_text("utf-8").splitlines() if not line.startswith("#")]
    lock, both = read_lock(TOOLS), {each.name: each.version for each in read_lock(LOCK) if not each.marker}
    assert not [line for line in lines if not holds(lock, Requirement(line))], "make lock"
    assert not [each for each in lock if both.get(each.name, each.version) != each.version], "one environment has both"
    builder = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    assert all(holds(lock, Requirement(line)) for line in builder)


@pytest.mark.parametrize("file", [LOCK, TOOLS], ids=lambda file: file.name)
def test_a_lock_names_no_index_and_no_place(file: Path) -> None:
    text = file.read_text("utf-8")
    assert not [
        word
        for word in ("http", "index-url", "find-links", "file:", "://")
        if f"{word}" in text.replace("httptools", "")
    ]
    assert "make lock" in text.splitlines()[1]


def test_a_lock_that_pins_nothing_is_refused(tmp_path: Path) -> None:
    for line in ("numpy>=2 \\\n    --hash=sha256:" + "0" * 64, "numpy==2.4.6"):
        (tmp_path / "lock.txt").write_text(line + "\n", "utf-8")
        with pytest.raises(ValueError, match="numpy"):
            read_lock(tmp_path / "lock.txt")


def test_archives_and_sums_say_nothing_of_the_machine(tmp_path: Path) -> None:
    archives = []
    for name, mode in (("one", 0o600), ("two", 0o755)):
        folder = tmp_path / name / "folder"
        folder.mkdir(parents=True)
        for each in ("b", "a") if name == "one" else ("a", "b"):
            (folder / each).write_text(each, "ascii")
            (folder / each).chmod(mode)
        pack(folder, tmp_path / f"{name}.zip", EPOCH)
        archives.append((tmp_path / f"{name}.zip").read_bytes())
        assert sums(folder).splitlines()[0].endswith("  a")
    assert archives[0] == archives[1]
    (first, _) = zipfile.ZipFile(tmp_path / "one.zip").infolist()
    assert (first.filename, first.date_time) == ("a", (2025, 11, 20, 12, 0, 0))


def make(clone: Path, umask: int) -> dict[str, bytes]:
    """``make release`` in a clone; its files by name."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PUBDICE", "PYTHON", "MAKE"))}
    environ["PUBDICE_CACHE"] = str(user_cache_path("pubdice", appauthor=False))  # the parts of the pocket lie there
    words = ["make", "release", "FOLDER=made", f"PYTHON={sys.executable}"]
    done = subprocess.run(
        words, cwd=clone, env=environ, umask=umask, capture_output=True, text=True, timeout=3000, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (folder,) = (clone / "made").iterdir()
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.nightly
def test_a_commit_gives_the_same_bytes_in_two_clones(tmp_path: Path) -> None:
    clones = [tmp_path / name for name in ("here", "some-where-else")]
    for clone, source in zip(clones, (ROOT, clones[0]), strict=True):
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(source), str(clone)], check=True)
        (clone / "src/pubdice/left_over.py").write_text("NOT_COMMITTED = 1\n", "ascii")
    one, two = (make(clone, umask) for clone, umask in zip(clones, (0o022, 0o077), strict=True))
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []
    version = PROJECT["version"]
    whole = {f"pubdice-{version}{end}" for end in ("-py3-none-any.whl", ".tar.gz", "-pocket.zip", ".cdx.json")}
    whole |= {f"pubdice_cluster-{version}-py3-none-any.whl"}
    assert whole | {"SHA256SUMS", "deploy/Containerfile", "deploy/requirements.txt"} < one.keys()
    listed = {line.split("  ")[1] for line in one["SHA256SUMS"].decode().splitlines()}
    assert listed == one.keys() - {"SHA256SUMS"}
    names = zipfile.ZipFile(
        tmp_path / "here/made" / f"pubdice-{version}" / f"pubdice-{version}-py3-none-any.whl"
    ).namelist()
    assert "pubdice/left_over.py" not in names
