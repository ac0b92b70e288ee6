"""A script that the pinned engine runs in Node (``bytecode.py``). It compiles the modules in ``sources.zip``.

A module keeps its line numbers and assertions. It loses its column numbers, and the docstrings of modules and
functions, which are a third of its compressed bytes. If pubdice is among the modules, the script also compiles
pubdice's templates, and lets a house draw its front page. A first visit shows that page while the engine loads.
"""

import ast
import importlib
import importlib._bootstrap_external as python
import json
import re
import secrets
import sys
import tempfile
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE, HOUSE = Path("/made"), Path("/house")
AS_SOURCE = ("anyio/__init__.py",)  # modules that must stay source, because they read their own source to import lazily
COMPILED, TEMPLATES = ".pyc", HOUSE / "pubdice/server/web/compiled"
FRONT = "front.json"
PREFIX, ORIGIN, KEY = "/~prefix~", "https://~origin~", "~key~"
"""Marks in a drawn page. They stand for the path of the folder, for its host, and for the key of the form for a new
table. Each phone replaces them with its own values (``static/sw/front.js``)."""
BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
"""The fields of a statement in which other statements, or parts with statements, are nested."""
FIXED_TIME = (1980, 1, 1, 0, 0, 0)


def compiled(name: str, source: bytes) -> bytes:
    """Return a module's bytecode, in a form that Python imports without looking for the source."""
    tree = ast.parse(source, name)
    blocks: list[ast.AST] = [tree]
    while blocks:  # ast.walk would also visit every expression, and takes four times as long
        node = blocks.pop()
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            _without_docstring(node)
        for field in BLOCKS:
            blocks += getattr(node, field, ())
    code = compile(tree, name, "exec", dont_inherit=True)
    return bytes(python._code_to_hash_pyc(code, bytes(8), False))  # type: ignore[attr-defined]


def _without_docstring(node: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
    first = node.body[0] if node.body else None
    if not (isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)):
        return
    if not isinstance(first.value.value, str):
        return
    if isinstance(node, ast.ClassDef):
        # a dataclass without a docstring makes one itself, which takes longer than the rest of the class
        first.value.value = "."
    elif len(node.body) > 1:
        del node.body[0]
    else:
        node.body[0] = ast.copy_location(ast.Pass(), first)


def read(archive: Path) -> dict[str, bytes]:
    """Return the files of an archive by name."""
    with zipfile.ZipFile(archive) as files:
        return {name: files.read(name) for name in files.namelist()}


def write(archive: Path, made: Mapping[str, bytes]) -> None:
    """Write files to a compressed archive."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files:
        for name in sorted(made):
            files.writestr(zipfile.ZipInfo(name, FIXED_TIME), made[name], zipfile.ZIP_DEFLATED)


def put(made: Mapping[str, bytes]) -> None:
    """Put files into a folder, and let Python import from it."""
    for name, contents in made.items():
        file = HOUSE / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(contents)
    sys.path.insert(0, str(HOUSE))


async def front() -> dict[str, dict[str, Any]]:
    """Return the answers to a browser that opens a house without tables: the front page, and the files that it names.

    The keys are the path, then the language ("" if the file is the same for all). Each entry has the body, and the
    headers without cookies. All templates are compiled on the way.
    """
    TEMPLATES.mkdir()
    # imported here, because before ``put`` Python cannot find it
    browser = importlib.import_module("pubdice_pocket.browser.engine")
    render = importlib.import_module("pubdice.server.web.render")
    catalogues = importlib.import_module("pubdice.text.catalogues")
    engine = browser.Engine(Path(tempfile.mkdtemp()), time.time_ns, secrets.token_bytes, prefix=PREFIX, origin=ORIGIN)

    async def drawn(path: str, tag: str = "") -> dict[str, Any]:
        found: dict[str, Any] = {"body": ""}

        def begin(status: int, headers: list[tuple[str, str]]) -> None:
            assert status == 200, (path, status)
            found["headers"] = [each for each in headers if each[0] not in ("set-cookie", "content-length")]

        def part(piece: bytes, more: bool) -> None:
            found["body"] += piece.decode()

        headers = [("accept", "text/html" if tag else "*/*"), ("accept-language", tag)]
        await engine.answer(browser.PocketRequest("GET", PREFIX + path, headers, b""), begin, part)
        return found

    pages = {tag: await drawn("/", tag) for tag in catalogues.CODES}
    for page in pages.values():
        page["body"], keys = re.subn('(?<= name="key" value=")[^"]+', KEY, page["body"])
        assert keys == 1, keys
    named = re.findall(f'(?:href|src)="{PREFIX}(/static/[^"]+)"', "".join(page["body"] for page in pages.values()))
    answers = {"/": pages, **{path: {"": await drawn(path)} for path in sorted(set(named))}}
    for name in render.templates():
        render.load(name)
    return answers


async def main() -> None:
    """Compile the modules of ``sources.zip``."""
    made: dict[str, bytes] = {}
    for name, source in read(HERE / "sources.zip").items():
        if name.endswith(".py") and name not in AS_SOURCE:
            made[name.removesuffix(".py") + COMPILED] = compiled(name, source)
        else:
            made[name] = source
    house = HERE / "libraries.zip"
    if house.exists():
        put(read(house) | made)
        drawn = await front()
        made |= {file.relative_to(HOUSE).as_posix(): file.read_bytes() for file in TEMPLATES.iterdir()}
        made[FRONT] = json.dumps(drawn, ensure_ascii=False, sort_keys=True).encode()
    write(HERE / "made.zip", made)
