"""Tests of the files that a pocket keeps on a phone, in a real browser: as a file system, and as SQLite uses them."""

import lzma
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

import pubdice_pocket
from pubdice_pocket.build import bytecode
from pubdice_pocket.build.archives import zipped
from pubdice_pocket.build.libraries import LIBRARY
from pubdice_pocket.build.parts import ENGINE
from support.browser import phone_running
from support.paths import TESTS
from support.static_host import StaticHost

HERE = Path(__file__).parent
TOOLS = ("_pytest", "iniconfig", "packaging", "pluggy", "pygments", "pytest")
"""The packages that run a test suite in the browser. The shipped house has none of them."""
BEGIN = "() => { window.worker = new Worker('kept_worker.mjs', { type: 'module' }); }"
RUN = """code => new Promise((came, failed) => {
  worker.onmessage = ({ data }) => ('failed' in data ? failed(new Error(data.failed)) : came(data.came));
  worker.onerror = error => failed(new Error(error.message));
  worker.postMessage(code);
})"""


@pytest.fixture(scope="module")
def site(pocket_folder: Path, pocket_parts: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A host with the shipped files, unpacked, with the engine's whole standard library, and with a test runner.

    Its library has the shipped bytecode, because compiling took 2 s of processor time for each of the two engines.
    """
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(pocket_folder / "pocket" / "kept_files.js", folder)
    shutil.copy(pocket_folder / "pocket" / "libraries.js", folder)
    shutil.copy(HERE / "kept_worker.mjs", folder)
    for packed in (pocket_folder / "pocket" / "engine").glob("*.so.lzma"):
        (folder / packed.stem).write_bytes(lzma.decompress(packed.read_bytes()))
    (folder / "house.zip").write_bytes(lzma.decompress((pocket_folder / "pocket" / "house.zip.lzma").read_bytes()))
    # tarfile is not used: Python 3.12 and 3.13 warn if it has no filter, and the 3.11.2 of Debian 12 has no filters.
    subprocess.run(["tar", "--extract", "--file", pocket_parts / ENGINE.file, "--directory", folder], check=True)
    (folder / "package").rename(folder / "engine")
    library = folder / "engine" / LIBRARY
    shipped = bytecode._read(lzma.decompress((pocket_folder / "pocket" / "engine" / f"{LIBRARY}.lzma").read_bytes()))
    others = {name: each for name, each in bytecode._read(library.read_bytes()).items() if f"{name}c" not in shipped}
    library.write_bytes(zipped(shipped | others))
    packages = Path(pytest.__file__).parents[1]
    files = {
        file.relative_to(packages).as_posix(): file.read_bytes()
        for tool in TOOLS
        for file in (packages / tool).rglob("*.py")
    }
    files["py.py"] = (packages / "py.py").read_bytes()
    files["test_stores.py"] = (TESTS / "contracts" / "test_stores.py").read_bytes()
    (folder / "tests.zip").write_bytes(zipped(files))
    (folder / "index.html").write_text("<!doctype html><title>Files</title>")
    with StaticHost(folder) as host:
        yield host.address


def killed(page: Page) -> None:
    """Kill the worker at once, and start another one."""
    page.evaluate("() => worker.terminate()")
    page.evaluate(BEGIN)


FILES = """
import os
from pathlib import Path

kept = Path('/kept/files')
kept.mkdir()
(kept / 'a').write_bytes(b'one')
(kept / 'below' / 'deep').mkdir(parents=True)
(kept / 'below' / 'deep' / 'b').write_bytes(b'two' * 5_000)
os.replace(kept / 'below' / 'deep' / 'b', kept / 'a')
(kept / 'below' / 'deep').rmdir()
(kept / 'c').write_bytes(b'three')
os.truncate(kept / 'c', 2)
(kept / 'gone').write_bytes(b'four' * 5_000)
(kept / 'gone').unlink()
(kept / 'fresh').touch()
with open(kept / 'c', 'r+b') as file:
    file.seek(0, os.SEEK_END)
    file.write(b'!')
    file.flush()
    os.fsync(file.fileno())
faults = []
for what in (lambda: (kept / 'none').read_bytes(), lambda: (kept / ('x' * 500)).touch(), lambda: os.mkdir(kept / 'a')):
    try:
        what()
    except OSError as error:
        faults.append(type(error).__name__)
str(faults)
"""
FOUND = """
from pathlib import Path

kept = Path('/kept/files')
str(sorted((path.relative_to(kept).as_posix(), path.read_bytes()[:4]) for path in kept.rglob('*') if path.is_file()))
"""


CONTRACT = """
import pytest

flags = ['-q', '--capture=sys', '-k', 'no_threads', '--basetemp=/kept/tests']
without = 'cacheprovider debugging doctest faulthandler threadexception unittest unraisableexception'.split()
str(int(pytest.main([*flags, *(f'-pno:{name}' for name in without), '/packages/test_stores.py'])))
"""


FLUSHES = """
import disk
from pathlib import Path

from pubdice.store.direct_writer import DirectWriter
from pubdice.store.sqlite.schema import exclusive
from pubdice.store.sqlite.store import SqliteStore

store = SqliteStore(Path('/kept/house.db'), connect=exclusive, writer=DirectWriter)
table, found = store.create('setup'), []
for seen in range(1, 21):
    before = disk.flushes()
    store.append(table, seen, [f'move {seen}'])
    found.append(disk.flushes() - before)
str((found, len(store.read(table))))
"""
READ = """
from pathlib import Path

from pubdice.store.direct_writer import DirectWriter
from pubdice.store.sqlite.schema import exclusive
from pubdice.store.sqlite.store import SqliteStore

str(SqliteStore(Path('/kept/house.db'), connect=exclusive, writer=DirectWriter).read(1)[-1])
"""


@pytest.fixture(scope="module")
def found(site: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The outcome of each script, by name. An engine takes 5 s to start, so two engines run all scripts one after
    another.
    """
    told: list[str] = []
    with phone_running(tmp_path_factory.mktemp("phone")) as context:
        page = context.new_page()
        page.goto(site)
        page.evaluate(BEGIN)
        found: dict[str, str] = {"files": page.evaluate(RUN, FILES), "flushes": page.evaluate(RUN, FLUSHES)}
        killed(page)
        found |= {"found": page.evaluate(RUN, FOUND), "read": page.evaluate(RUN, READ)}
        page.on("console", lambda message: told.append(message.text))
        # the last line that the script prints
        with page.expect_console_message(lambda message: " in " in message.text, timeout=300_000):
            found["contract"] = page.evaluate(RUN, CONTRACT)
    return {**found, "told": "\n".join(told), "last": told[-1]}


@pytest.mark.nightly
def test_the_next_engine_finds_the_files_of_the_one_before(found: dict[str, str]) -> None:
    assert found["files"] == "['FileNotFoundError', 'OSError', 'FileExistsError']"
    assert found["found"] == "[('a', b'twot'), ('c', b'th!'), ('fresh', b'')]"


def test_a_move_is_on_the_disk_when_it_is_answered_by_one_flush(found: dict[str, str]) -> None:
    assert found["flushes"] == str(([1] * 20, 21))
    assert found["read"] == "move 20"


def test_a_pocket_houses_store_keeps_every_stores_promises(found: dict[str, str]) -> None:
    assert found["contract"] == "0", found["told"]
    assert " passed" in found["last"], found["told"]


STATIC = Path(pubdice_pocket.__file__).parent / "static"
PLACE = "async folder => (await import(`/${folder}/pocket/places.js`)).FILES"


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    for folder in ("a", "b", "a b"):
        (tmp_path / "site" / folder / "pocket").mkdir(parents=True)
        shutil.copy(STATIC / "places.js", tmp_path / "site" / folder / "pocket")
    (tmp_path / "site/index.html").write_text("<!doctype html><title>Places</title>")
    with StaticHost(tmp_path / "site") as host, phone_running(tmp_path / "phone") as context:
        page = context.new_page()
        page.goto(host.address)
        yield page


@pytest.mark.nightly
def test_each_folder_has_files_of_its_own(page: Page) -> None:
    assert page.evaluate(PLACE, "a") == "pubdice files %2Fa%2F"
    assert page.evaluate(PLACE, "b") == "pubdice files %2Fb%2F"
    assert page.evaluate(PLACE, "a b") == "pubdice files %2Fa%2520b%2F"
