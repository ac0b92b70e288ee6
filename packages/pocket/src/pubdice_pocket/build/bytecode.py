"""Modules compiled to bytecode by the engine (Pyodide) that will run them. Compiling on the phone would take most of a
first visit.

The pinned engine runs in Node, which comes with npm (``in_engine.py``). The same sources give the same bytes. So the
output is kept beside the fetched parts, under a hash of its sources and of the engine.
"""

import io
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pubdice.core.errors import Refused
from pubdice_pocket.build.archives import zipped
from pubdice_pocket.build.libraries import (
    LIBRARY,
    compiled_modules,
    engine_files,
    libraries,
    pubdice_files,
    standard_modules,
)
from pubdice_pocket.build.parts import ENGINE, Run, run_here

SCRIPTS = ("in_engine.mjs", "in_engine.py")
FRONT = "front.json"


@dataclass(frozen=True, slots=True)
class CompiledHouse:
    """The compiled files by path."""

    standard: Mapping[str, bytes]  # the standard library
    files: Mapping[str, bytes]  # pubdice and its libraries
    front: bytes  # the front page of a house without tables, as JSON (``in_engine.py``)


def compiled_house(parts: Path, run: Run = run_here) -> CompiledHouse:
    """Compile all modules. One run of Node compiles the standard library and the libraries. Another run compiles
    pubdice.

    The runs are separate because the output of the first run does not change with pubdice, so it is kept for longer.
    Raises Refused if there is no Node, or if it fails.
    """
    files, theirs = engine_files(parts), libraries(parts)
    standard = _made(parts, files, {"sources.zip": zipped(standard_modules(parts) | theirs)}, run)
    modules = {name.rpartition(".")[0] for name in theirs}
    others = {name: standard.pop(name) for name in [*standard] if name.rpartition(".")[0] in modules}
    beside = {**others, **compiled_modules(parts)}
    ours = {"sources.zip": zipped(pubdice_files()), "libraries.zip": zipped(beside)}
    made = _made(parts, {**files, LIBRARY: zipped(standard)}, ours, run)
    front = made.pop(FRONT)
    return CompiledHouse(standard, {**others, **made}, front)


def _made(parts: Path, engine: Mapping[str, bytes], sources: Mapping[str, bytes], run: Run) -> dict[str, bytes]:
    """Return the files that the engine makes from these sources. If the files of an earlier run are kept, return
    those.
    """
    scripts = [(Path(__file__).parent / name).read_bytes() for name in SCRIPTS]
    summed = sha256(ENGINE.integrity.encode())
    for each in (engine[LIBRARY], *scripts, *sources.values()):
        summed.update(sha256(each).digest())
    kept = parts / f"bytecode-{summed.hexdigest()[:16]}.zip"
    if kept.exists():
        return _read(kept.read_bytes())
    node = shutil.which("node")
    if node is None:
        raise Refused("no-command", command="node")
    with tempfile.TemporaryDirectory(dir=parts) as folder:
        for name, contents in {**engine, **sources}.items():
            (Path(folder) / name).write_bytes(contents)
        why = run([node, str(Path(__file__).parent / SCRIPTS[0]), folder], Path(folder))
        made = Path(folder) / "made.zip"
        if why or not made.exists():
            raise Refused("not-compiled", why=why or "nothing was made")
        beside = Path(folder) / kept.name
        # copy the file, because its access rights are those that the engine set
        beside.write_bytes(made.read_bytes())
        return _read(beside.replace(kept).read_bytes())


def _read(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        return {name: files.read(name) for name in files.namelist()}
