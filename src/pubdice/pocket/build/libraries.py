"""What goes into a browser's Python: the interpreter's standard library, the libraries and pubdice, as files by path.

What the house never imports stays out. An application in a browser has no processes, no command line, no debugger and
no servers but its own, and reads text in the Unicode encodings only.
"""

import io
import json
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pubdice
from pubdice.core.errors import Refused
from pubdice.pocket.build.parts import BROWSER, ENGINE, WHEELS, Run, Wheel, run_here, zipped
from pubdice.text.catalogues import CODES, ENGLISH, kept

ENGINE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""Files of the engine's package that are passed on as they are."""
LIBRARY, LOCK = "python_stdlib.zip", "pyodide-lock.json"
NATIVE = ".so"
WITHOUT = frozenset((
    "__hello__.py", "__phello__", "_markupbase.py", "_pydatetime.py", "_pyio.py", "_pyrepl", "antigravity.py",
    "argparse.py", "asyncio/__main__.py", "asyncio/proactor_events.py", "asyncio/tools.py",
    "asyncio/windows_events.py", "asyncio/windows_utils.py", "bdb.py", "cProfile.py", "cmd.py", "code.py",
    "colorsys.py", "compileall.py", "configparser.py", "ctypes", "difflib.py", "doctest.py", "email/mime",
    "filecmp.py", "fileinput.py", "ftplib.py", "getopt.py", "getpass.py", "html/parser.py", "http/cookiejar.py",
    "imaplib.py", "json/__main__.py", "json/tool.py", "logging/config.py", "logging/handlers.py", "mailbox.py",
    "modulefinder.py", "multiprocessing/dummy", "multiprocessing/forkserver.py", "multiprocessing/heap.py",
    "multiprocessing/managers.py", "multiprocessing/pool.py", "multiprocessing/popen_fork.py",
    "multiprocessing/popen_forkserver.py", "multiprocessing/popen_spawn_posix.py",
    "multiprocessing/popen_spawn_win32.py", "multiprocessing/resource_sharer.py",
    "multiprocessing/resource_tracker.py", "multiprocessing/shared_memory.py", "multiprocessing/sharedctypes.py",
    "multiprocessing/spawn.py", "multiprocessing/synchronize.py", "netrc.py", "nturl2path.py", "optparse.py",
    "pdb.py", "pickletools.py", "plistlib.py", "poplib.py", "profile.py", "pstats.py", "pty.py", "py_compile.py",
    "pyclbr.py", "pydoc.py", "pyodide/console.py", "rlcompleter.py", "runpy.py", "sched.py", "shelve.py",
    "smtplib.py", "sqlite3/__main__.py", "sqlite3/dump.py", "sre_compile.py", "sre_constants.py", "sre_parse.py",
    "symtable.py", "sysconfig/__main__.py", "tabnanny.py", "tarfile.py", "this.py", "tomllib", "trace.py",
    "tracemalloc.py", "tty.py", "unittest", "urllib/robotparser.py", "wave.py", "webbrowser.py",
    "wsgiref/validate.py", "xml/dom", "xml/etree", "xml/parsers", "xml/sax/expatreader.py", "xmlrpc", "zipapp.py",
    "zipfile/__main__.py",
))  # fmt: skip
"""Modules and packages of the standard library that are left out: with the encodings half of it."""
ENCODINGS = frozenset((
    "__init__", "aliases", "ascii", "charmap", "cp437", "cp1252", "idna", "latin_1", "punycode",
    "raw_unicode_escape", "unicode_escape", "utf_16", "utf_8", "utf_8_sig",
))  # fmt: skip
"""Encodings that are kept, of 122."""
UNUSED = (
    "anyio/_backends/_trio.py", "anyio/pytest_plugin.py", "anyio/to_interpreter.py", "anyio/to_process.py",
    "idna/", "jinja2/constants.py",
    "jinja2/ext.py", "jinja2/meta.py", "jinja2/nativetypes.py", "jinja2/sandbox.py", "prometheus_client/aiohttp/",
    "prometheus_client/bridge/", "prometheus_client/django/", "prometheus_client/openmetrics/parser.py",
    "prometheus_client/twisted/", "segno/cli.py", "starlette/middleware/opentelemetry.py",
    "starlette/middleware/sessions.py", "starlette/middleware/wsgi.py", "starlette/schemas.py",
    "starlette/templating.py", "starlette/testclient.py",
)  # fmt: skip
"""What of the libraries is never imported: other frameworks, command lines, tests, names of hosts."""
OUTSIDE = (
    "cli.py", "lab", "library.py", "pocket/build", "pocket/cli.py", "pocket/static", "server/cli.py",
    "server/house_parts.py", "server/moving.py", "server/run", "store/copying.py", "store/places.py",
    "store/postgres", "store/sqlite/copying.py", "terminal",
)  # fmt: skip
"""What of pubdice a browser has no use for: command lines, and what starts processes and servers."""
SOURCES = frozenset((".css", ".html", ".js", ".md", ".py", ".svg", ".txt"))
"""What belongs to pubdice in its folder; an editor's copies do not. Of ``.po`` files it has what is read from them."""


def engine_files(parts: Path) -> dict[str, bytes]:
    """The engine's files by name, as they are in its package, but for a lock file without packages."""
    with tarfile.open(parts / ENGINE.file) as package:
        found = {name: _member(package, name) for name in (*ENGINE_FILES, LIBRARY, LOCK)}
    lock = {**json.loads(found[LOCK]), "packages": {}}  # packages of the engine's own index, which nobody fetches here
    return {**found, LOCK: json.dumps(lock, sort_keys=True).encode()}


def engine(parts: Path, standard: Mapping[str, bytes]) -> dict[str, bytes]:
    """The engine's files by name. standard: the modules of its standard library.

    Compiled modules of libraries are among them: the engine loads them before Python begins (static/interpreter.js).
    """
    compiled = {Path(path).name: each for path, each in compiled_modules(parts).items()}
    return {**engine_files(parts), LIBRARY: zipped(standard), **compiled}


def standard_modules(parts: Path) -> dict[str, bytes]:
    """The modules of the standard library that are shipped, by path."""
    return _kept_modules(engine_files(parts)[LIBRARY])


def _kept_modules(library: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(library)) as modules:
        return {name: modules.read(name) for name in modules.namelist() if _is_kept(name)}


def _member(package: tarfile.TarFile, name: str) -> bytes:
    file = package.extractfile(f"package/{name}")
    assert file is not None  # the package's hash says that it is there
    return file.read()


def _is_kept(name: str) -> bool:
    """Whether a file of the standard library is shipped."""
    if name.endswith("/") or any(name == out or name.startswith(f"{out}/") for out in WITHOUT):
        return False
    top, _, rest = name.partition("/")
    return top != "encodings" or rest.removesuffix(".py") in ENCODINGS


def compiled_modules(parts: Path) -> dict[str, bytes]:
    """Modules of libraries that are WebAssembly, by path."""
    found = {path: each for wheel in WHEELS for path, each in library(parts, wheel).items()}
    return {path: each for path, each in found.items() if path.endswith(NATIVE)}


def libraries(parts: Path) -> dict[str, bytes]:
    """All else of the libraries by path, as a folder that Python imports from."""
    found = {path: each for wheel in WHEELS for path, each in library(parts, wheel).items()}
    return {path: each for path, each in found.items() if not path.endswith(NATIVE)}


def pubdice_files() -> dict[str, bytes]:
    """Pubdice itself, and the version that it asks for."""
    folder, number = Path(pubdice.__file__).parent, version("pubdice")
    metadata = f"Metadata-Version: 2.1\nName: pubdice\nVersion: {number}\n"
    files = {f"pubdice-{number}.dist-info/METADATA": metadata.encode()}
    files |= {f"pubdice/locale/{code}.json": kept(code) for code in CODES if code != ENGLISH}
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder).as_posix()
        if file.suffix in SOURCES and not any(path == out or path.startswith(f"{out}/") for out in OUTSIDE):
            files[f"pubdice/{path}"] = file.read_bytes()
    return files


def library(parts: Path, wheel: Wheel) -> dict[str, bytes]:
    """What of a wheel is imported, by path; compiled modules are only of use if they are for browsers."""
    with zipfile.ZipFile(parts / wheel.file) as archive:
        names = [name for name in archive.namelist() if _is_used(name, wheel)]
        return {name: archive.read(name) for name in names}


def _is_used(name: str, wheel: Wheel) -> bool:
    path = Path(name)
    if name.startswith(UNUSED):
        return False
    if path.suffix == NATIVE:
        return wheel.platform == BROWSER
    return path.suffix == ".py" and ".dist-info" not in name


def licences(parts: Path, wheel: Wheel) -> str:
    """What a wheel says of its licence, all files of it in one text."""
    with zipfile.ZipFile(parts / wheel.file) as archive:
        names = [name for name in sorted(archive.namelist()) if ".dist-info/licenses/" in name and name[-1] != "/"]
        return "\n\n".join(archive.read(name).decode("utf-8") for name in names)


# Modules as bytecode, compiled by the engine that runs them: most of a first visit was to compile them in the
# browser.
#
# Node, which comes with npm, runs the pinned engine (``in_engine.py``). The same sources give the same bytes, so what
# was made is kept beside the fetched parts, by a hash of all it follows from.


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
    files = engine_files(parts)
    return _made(parts, files, {"sources.zip": zipped(standard_modules(parts))}, run)


def house(parts: Path, standard: Mapping[str, bytes], run: Run = run_here) -> CompiledHouse:
    """Pubdice and the libraries, compiled. standard: the standard library. Raises Refused."""
    files = {**engine_files(parts), LIBRARY: zipped(standard)}
    others = _made(parts, files, {"sources.zip": zipped(libraries(parts))}, run)
    beside = {**others, **compiled_modules(parts)}
    ours = {"sources.zip": zipped(pubdice_files()), "libraries.zip": zipped(beside)}
    made = _made(parts, files, ours, run)
    needed = set(json.loads(made.pop(FIRST)))
    found = {**others, **made}
    first = {name for name in found if name in needed or not name.endswith(COMPILED)}
    return CompiledHouse({name: found[name] for name in first}, {name: found[name] for name in found.keys() - first})


def _made(parts: Path, engine: Mapping[str, bytes], sources: Mapping[str, bytes], run: Run) -> dict[str, bytes]:
    """What the engine makes of some sources, or has made before."""
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
        beside.write_bytes(made.read_bytes())  # with this user's rights, which the engine does not know
        return _read(beside.replace(kept).read_bytes())


def _read(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        return {name: files.read(name) for name in files.namelist()}
