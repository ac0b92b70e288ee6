"""Fixtures: the folder of a pocket, built once for all processes of a run, and a host that serves it."""

import fcntl
import json
import lzma
import os
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial, wraps
from hashlib import sha256
from importlib.util import find_spec
from inspect import iscoroutinefunction, signature
from pathlib import Path
from tempfile import mkstemp
from typing import Any

import pytest
from platformdirs import user_cache_path

from pocket.pockets import live, opened
from pubdice.core.errors import Refused
from pubdice.server.web.limits import Limits, Rate
from pubdice_pocket.browser import engine, going_on
from pubdice_pocket.build import archives, contents
from pubdice_pocket.build.contents import assemble, make_folder
from pubdice_pocket.build.on_disk import write_folder
from pubdice_pocket.build.parts import fetch_parts
from support.paths import ROOT
from support.profiles import NIGHTLY
from support.static_host import StaticHost

KEPT = ROOT / ".cache" / "packed"
MOST_KEPT = 60  # the most files kept, about 9 for each version; the file unused for longest is deleted first
LARGE, QUICKLY = 1 << 20, {**archives._PACKED, "preset": 0}
"""Larger files are packed quickly instead of well. The pocket's five take 2 s of processor time instead of 15 s, and
are a quarter larger."""
UNPACKED = ("pocket/engine/", "pocket/house.zip")
NO_SNAPSHOT = {"pocket/snapshot_worker.js": b"self.onmessage = () => close();\n"}


@pytest.fixture
def of(tmp_path: Path) -> Path:
    """The folder of a pocket. If a coroutine has this argument, it gets the open pocket itself."""
    return tmp_path


@pytest.fixture
def other(tmp_path: Path) -> Path:
    return tmp_path / "other"


@pytest.fixture
def lived(tmp_path: Path) -> Path:
    """The folder of a pocket after an evening of play."""
    return live(tmp_path).parent


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    free = Rate(1e6, 10**6)
    for module in (engine, going_on):
        monkeypatch.setattr(module, "Limits", partial(Limits, requests=free, records=free, comings=free))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    """If a test is a coroutine, open the pockets among its arguments while it runs (``support/async_tests.py`` runs
    it).
    """
    test = pyfuncitem.obj
    asked = [name for name in ("of", "other", "lived") if name in signature(test).parameters]
    if not (asked and iscoroutinefunction(test)):
        return

    @wraps(test)
    async def at_pockets(**given: Any) -> None:
        async with AsyncExitStack() as stack:
            for name in asked:
                given[name] = await stack.enter_async_context(opened(given[name]))
            await test(**given)

    pyfuncitem.obj = at_pockets


@pytest.fixture(autouse=True)
def _no_solution_is_left_in_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Move the solutions of an engine in this process to another folder. If they stayed in the source, a wheel would
    contain them.
    """
    monkeypatch.setattr(engine, "SOLUTIONS", tmp_path / "solutions")


def packed_here(file: bytes) -> bytes:
    """Return the packed file, in a form that the same code unpacks. Large files are packed with less effort than the
    shipped ones.
    """
    return lzma.compress(file, lzma.FORMAT_ALONE, filters=[QUICKLY]) if len(file) > LARGE else archives.packed(file)


def _last_used(file: Path) -> float:
    """Return the time in seconds when a kept file was last used, or 0 if another process has just removed it."""
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def packed_before(file: bytes) -> bytes:
    """Return the packed file, from an earlier run if it is kept.

    The name of a kept file is a hash of the file, of the sources that pack it, and of this Python with its lzma. So a
    change of any of them leads to a new file. A fresh clone packs each file once.
    """
    made_by = b"".join(Path(each).read_bytes() for each in (archives.__file__, __file__)) + sys.version.encode()
    kept = KEPT / (sha256(file).hexdigest() + sha256(made_by).hexdigest()[:12])
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        # a unique name, because two threads may pack equal files at the same time
        number, beside = mkstemp(dir=KEPT.parent)
        with open(number, "wb") as target:
            target.write(packed_here(file))
        os.replace(beside, kept)
        for old in sorted(KEPT.iterdir(), key=_last_used)[:-MOST_KEPT]:
            old.unlink(missing_ok=True)
    os.utime(kept)
    return kept.read_bytes()


@pytest.fixture(scope="session", autouse=True)
def _packed_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if not NIGHTLY:
            patch.setattr(contents, "packed", packed_before)
        yield


@pytest.fixture(scope="session")
def pocket_parts() -> Path:
    """The folder with the interpreter and the wheels, in the machine's own cache. Their hashes are checked, so they are
    the same in every run.
    """
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
    """A built folder. Tests only read it."""
    return _written("pocket-folder", pocket_parts)


def _written(name: str, parts: Path) -> Path:
    """Return a folder in the cache of the run. It is built once for all processes."""
    shared = Path(os.environ["PUBDICE_CACHE"])
    shared.mkdir(parents=True, exist_ok=True)
    folder = shared / name
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "sw.js").exists():  # this file is written last, so with it the folder is complete
            write_folder(make_folder(parts), folder)
    return folder


@pytest.fixture(scope="session")
def quick_folder(pocket_parts: Path) -> Path:
    """A built folder that opens quickly on a new phone. At night it is the folder as shipped. Tests only read it.

    Its engine and house are not packed, which saves 0.7 s of processor time at a first visit. It makes no snapshot of
    memory, which saves 2.0 s after a visit.
    """
    if NIGHTLY:
        return _written("pocket-folder", pocket_parts)
    static, small = contents._static(), tuple(each for each in contents.PACKED if not each.startswith(UNPACKED))
    assert NO_SNAPSHOT.keys() <= static.keys()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contents, "PACKED", small)
        patch.setattr(contents, "_static", lambda: {**static, **NO_SNAPSHOT})
        return _written("quick-folder", pocket_parts)


@pytest.fixture(scope="session")
def shell_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the shipped service worker, and the shipped page that shows the house in a frame. Tests only read
    it.

    Two small files replace the engine and the house, because unpacking those takes 2.5 s at every first visit. The
    script that draws QR codes draws an empty square.
    """
    folder = tmp_path_factory.mktemp("shell") / "folder"
    stands_in = dict.fromkeys(("pocket/engine/pyodide.asm.wasm", "pocket/house.zip"), b"stands in" * 1000)
    square = b"""export default () => '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="90"/>';"""
    headers = [["content-type", "text/html"], ["content-security-policy", "frame-ancestors 'self'"]]
    front = {code: {"headers": headers, "body": f"{code} /~prefix~/ https://~origin~ ~key~"} for code in ("en", "de")}
    answers = {"/": front, "/static/a.css": {"": {"headers": [["content-type", "text/css"]], "body": "a {}"}}}
    drawn = {"pocket/phones/qr/index.js": square, "pocket/front.json": json.dumps(answers).encode()}
    write_folder(assemble({**contents._static(), **stands_in, **drawn}), folder)
    return folder


@pytest.fixture(scope="session")
def pocket_host(quick_folder: Path) -> Iterator[str]:
    """The address of a web server for a built folder, with a slash at its end."""
    with StaticHost(quick_folder) as host:
        yield host.address


@pytest.fixture(scope="session")
def shell_host(shell_folder: Path) -> Iterator[str]:
    """The address of a web server for the folder without an engine."""
    with StaticHost(shell_folder) as host:
        yield host.address


if find_spec("playwright") is not None:
    from pocket.shell_pages import chromium, closed, home, host

    __all__ = ["chromium", "closed", "home", "host"]
