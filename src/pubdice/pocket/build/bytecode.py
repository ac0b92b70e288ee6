"""Modules as bytecode, compiled by the engine that runs them: most of a first visit was to compile them in the browser.

Node, which comes with npm, runs the pinned engine (``in_engine.py``). The same sources give the same bytes, so what was
made is kept beside the fetched parts, by a hash of all it follows from.
"""

import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pubdice.core.errors import Refused
from pubdice.pocket.build import libraries
from pubdice.pocket.build.archives import zipped
from pubdice.pocket.build.parts import ENGINE, Run, run_here

SCRIPTS = ("in_engine.mjs", "in_engine.py")
FIRST = "first.json"
COMPILED = (".pyc", ".bin")
"""How names of modules end, and those of templates that are compiled."""


@dataclass(frozen=True, slots=True)
class CompiledHouse:
    """The house's files by path. first: what it takes to show the front page; later: all others."""

    first: Mapping[str, bytes]
    later: Mapping[str, bytes]


def standard_library(parts: Path, run: Run = run_here) -> dict[str, bytes]:
    """The standard library, compiled. Raises Refused: there is no Node, or it couldn't."""
    files = libraries.engine_files(parts)
    return _made(parts, files, {"sources.zip": zipped(libraries.standard_modules(parts))}, run)


def house(parts: Path, standard: Mapping[str, bytes], run: Run = run_here) -> CompiledHouse:
    """Pubdice and the libraries, compiled. standard: the standard library. Raises Refused."""
    files = {**libraries.engine_files(parts), libraries.LIBRARY: zipped(standard)}
    others = _made(parts, files, {"sources.zip": zipped(libraries.libraries(parts))}, run)
    beside = {**others, **libraries.compiled_modules(parts)}
    ours = {"sources.zip": zipped(libraries.pubdice_files()), "libraries.zip": zipped(beside)}
    made = _made(parts, files, ours, run)
    needed = set(json.loads(made.pop(FIRST)))
    found = {**others, **made}
    first = {name for name in found if name in needed or not name.endswith(COMPILED)}
    return CompiledHouse({name: found[name] for name in first}, {name: found[name] for name in found.keys() - first})


def _made(parts: Path, engine: Mapping[str, bytes], sources: Mapping[str, bytes], run: Run) -> dict[str, bytes]:
    """What the engine makes of some sources, or has made before."""
    scripts = [(Path(__file__).parent / name).read_bytes() for name in SCRIPTS]
    summed = sha256(ENGINE.integrity.encode())
    for each in (engine[libraries.LIBRARY], *scripts, *sources.values()):
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
        beside.write_bytes(made.read_bytes())  # with this user's rights, which the engine does not know
        return _read(beside.replace(kept).read_bytes())


def _read(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        return {name: files.read(name) for name in files.namelist()}
