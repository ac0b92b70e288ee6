"""A pocket's file in the Python that is shipped: taken, played on, saved again, and read by ordinary Python."""

import base64
import json
import lzma
import shutil
import subprocess
from pathlib import Path

import pytest

from pocket.pockets import NODE, at, content, live, records
from pubdice.store.bundle import TABLES
from pubdice_pocket.browser.pocket import Pocket

TESTS = Path(__file__).parents[1]


async def save(of: Pocket) -> bytes:
    return of.save()


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node: .ci/install installs it with npm")
def test_the_shipped_engine_takes_a_file_and_saves_it_again(pocket_folder: Path, tmp_path: Path) -> None:
    """The folder's own Python, in Node: no threads, SQLite's journal truncated, in memory instead of a phone's disk."""
    folder, engine = live(tmp_path / "pocket").parent, tmp_path / "engine"
    before = content(folder / TABLES)
    file = at(folder, save)
    for packed in (pocket_folder / "pocket").rglob("*.lzma"):
        unpacked = engine / packed.relative_to(pocket_folder / "pocket").with_suffix("")
        unpacked.parent.mkdir(exist_ok=True, parents=True)
        unpacked.write_bytes(lzma.decompress(packed.read_bytes()))
    shutil.copy(pocket_folder / "pocket" / "libraries.js", engine)
    script = (TESTS / "pocket/saved_in_browser.py").read_text("utf-8")
    (tmp_path / "script.py").write_text(script.replace('FILE = ""', f'FILE = "{base64.b64encode(file).decode()}"'))
    node = [*NODE, str(TESTS / "pocket/run_in_node.mjs"), str(engine), str(tmp_path / "script.py")]
    done = subprocess.run(node, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["record"] == at(folder, lambda of: records(of, ["SHYPPP"]))["SHYPPP"]
    assert told["why"] == "bundle-damaged"
    assert not [name for name in told["files"] if ".new." in name or "replacing" in name]
    other = tmp_path / "other"
    other.mkdir()
    at(other, lambda of: of.restore(base64.b64decode(told["saved"])))
    assert content(other / TABLES) == before
