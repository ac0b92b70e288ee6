"""A pocket house, built once a run for all of its processes, and a host for it."""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from pubdice.core.errors import Refused
from pubdice.pocket.build.contents import make_folder
from pubdice.pocket.build.on_disk import write_folder
from pubdice.pocket.build.parts import fetch_parts
from support.static_host import StaticHost


@pytest.fixture(scope="session")
def pocket_parts() -> Path:
    """The interpreter and the wheels: in the machine's own cache, as they are checked and the same for every run."""
    folder = user_cache_path("pubdice", appauthor=False) / "pocket"
    try:
        fetch_parts(folder)
    except Refused as refused:
        if refused.code == "no-command":
            pytest.skip("no npm: .ci/install installs it")
        raise
    return folder


@pytest.fixture(scope="session")
def pocket_folder(pocket_parts: Path) -> Path:
    """A built folder; tests only read it."""
    shared = Path(os.environ["PUBDICE_CACHE"])
    shared.mkdir(parents=True, exist_ok=True)
    folder = shared / "pocket-folder"
    with (shared / "pocket-folder.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "sw.js").exists():  # it is written last
            write_folder(make_folder(pocket_parts), folder)
    return folder


@pytest.fixture(scope="session")
def pocket_host(pocket_folder: Path) -> Iterator[str]:
    """The address of a web server that hands the folder out, with a slash at its end."""
    with StaticHost(pocket_folder) as host:
        yield host.address
