"""What the solvers rely on in numba that is no API of its: each name, and what breaks without it.

Any release may take one away. pyproject.toml bounds the version; raise the bound only when this passes with it.
"""

import ast
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import pubdice
from pubdice.solve.acceleration import numba_there

CONFIG = "numba.config"
PUBLIC = {(CONFIG, "NUMBA_NUM_THREADS"), ("numba", "njit"), ("numba", "config")}
"""What numba's own reference describes."""
PRIVATE = (
    (
        CONFIG,
        "CACHE_DIR",
        "the reference has NUMBA_CACHE_DIR only; where compiled code is cached is set by it per call",
    ),
)
SOURCE = Path(pubdice.__file__).parent
PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def used() -> set[tuple[str, str]]:
    """Each module of numba's, and each name that our sources read or set there."""
    found: set[tuple[str, str]] = set()
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if '"numba' not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Constant(value=str(name)) if name.startswith("numba."):
                    found.add((name, "*"))
                case ast.Attribute(value=ast.Name(id="config") | ast.Attribute(attr="config")):
                    found.add((CONFIG, node.attr))
                case ast.Attribute(value=ast.Name(id="numba") | ast.Call(func=ast.Name(id="import_module"))):
                    found.add(("numba", node.attr))
    return found


def test_the_sources_use_no_name_of_numbas_but_these_and_all_of_these() -> None:
    assert used() == PUBLIC | {(thing, name) for thing, name, _ in PRIVATE}


@pytest.mark.skipif(not numba_there(), reason="needs the extra fast: pip install 'pubdice[fast]'")
def test_every_name_is_there() -> None:
    whys = {(thing, name): why for thing, name, why in PRIVATE}
    numba = import_module("numba")
    objects = {"numba": numba, CONFIG: numba.config}
    gone = [(*pair, whys.get(pair, "public")) for pair in used() if not hasattr(objects[pair[0]], pair[1])]
    assert not gone, f"numba {numba.__version__}"


def test_every_extra_bounds_numbas_version() -> None:
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    wanted = [need for needs in extras.values() for need in needs if need.startswith("numba")]
    assert len(wanted) == 2
    assert all(",<" in need for need in wanted)
