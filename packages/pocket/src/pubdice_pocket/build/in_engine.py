"""A script for the pinned engine in Node (``bytecode.py``): it compiles the modules in ``sources.zip``.

A module keeps its line numbers and assertions. It loses columns, and the docstrings of modules and functions: they are
a third of its compressed bytes. If pubdice is among the modules, the script compiles its templates too, and a house
draws its front page. A first visit shows that page while the engine loads.
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
AS_SOURCE = ("anyio/__init__.py",)  # modules that read their own source, to import lazily
COMPILED, TEMPLATES = ".pyc", HOUSE / "pubdice/server/web/compiled"
FRONT = "front.json"
PREFIX, ORIGIN, KEY = "/~prefix~", "https://~origin~", "~key~"
"""Marks in a drawn page for the folder's path, its host, and the key of the form for a new table. Each phone puts its
own in their places (``static/sw/front.js``).
"""
BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
"""Fields of a statement that hold statements, or parts with statements."""
FIXED_TIME = (1980, 1, 1, 0, 0, 0)


def compiled(name: str, source: bytes) -> bytes:
    """A module's bytecode, as a file that Python imports without looking for the source."""
    tree = ast.parse(source, name)
    blocks: list[ast.AST] = [tree]
    while blocks:  # ast.walk also visits every expression, and takes four times as long
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
        first.value.value = "."  # a dataclass without a docstring makes one, and that takes longer than the rest of it
    elif len(node.body) > 1:
        del node.body[0]
    else:
        node.body[0] = ast.copy_location(ast.Pass(), first)


def read(archive: Path) -> dict[str, bytes]:
    """The files of an archive by name."""
    with zipfile.ZipFile(archive) as files:
        return {name: files.read(name) for name in files.namelist()}


def write(archive: Path, made: Mapping[str, bytes]) -> None:
    """Write files to a compressed archive."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files:
        for name in sorted(made):
            files.writestr(zipfile.ZipInfo(name, FIXED_TIME), made[name], zipfile.ZIP_DEFLATED)


def put(made: Mapping[str, bytes]) -> None:
    """Put files in a folder that Python imports from."""
    for name, contents in made.items():
        file = HOUSE / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(contents)
    sys.path.insert(0, str(HOUSE))


async def front() -> dict[str, dict[str, Any]]:
    """The answers to a browser that opens a house without tables: the front page, then the files that it names.

    They are by path, then by language ("" for all): the body, and the headers without a cookie. All templates get
    compiled.
    """
    TEMPLATES.mkdir()
    browser = importlib.import_module("pubdice_pocket.browser.engine")  # it can be imported only now
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
