"""The files of a browser's Python by path: the interpreter's standard library, the libraries and pubdice.

Modules that the house never imports are left out. An application in a browser has no processes, no command line, no
debugger and no other servers. It reads text only in the Unicode encodings.
"""

import io
import json
import tarfile
import zipfile
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

import pubdice
import pubdice_pocket
from pubdice.games import GAMES, INSTALLED
from pubdice.text.catalogues import CODES, catalogue_file, has_part, kept
from pubdice_pocket.build.archives import zipped
from pubdice_pocket.build.parts import BROWSER, ENGINE, QR, QR_FILES, WHEELS, Wheel

ENGINE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""The files of the engine's package that are shipped unchanged."""
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
"""The modules and packages of the standard library that are left out. Together with the encodings they are half
of it."""
ENCODINGS = frozenset((
    "__init__", "aliases", "ascii", "charmap", "cp437", "cp1252", "idna", "latin_1", "punycode",
    "raw_unicode_escape", "unicode_escape", "utf_16", "utf_8", "utf_8_sig",
))  # fmt: skip
"""The encodings that are kept. The standard library has 122."""
UNUSED = (
    "anyio/_backends/_trio.py", "anyio/pytest_plugin.py", "anyio/to_interpreter.py", "anyio/to_process.py",
    "idna/", "jinja2/constants.py",
    "jinja2/ext.py", "jinja2/meta.py", "jinja2/nativetypes.py", "jinja2/sandbox.py", "prometheus_client/aiohttp/",
    "prometheus_client/bridge/", "prometheus_client/django/", "prometheus_client/openmetrics/parser.py",
    "prometheus_client/twisted/", "segno/cli.py", "starlette/middleware/opentelemetry.py",
    "starlette/middleware/sessions.py", "starlette/middleware/wsgi.py", "starlette/schemas.py",
    "starlette/templating.py", "starlette/testclient.py",
)  # fmt: skip
"""The parts of the libraries that are never imported: support for other frameworks, command lines, tests, and host
names with other letters than ASCII."""
OUTSIDE = (
    "pubdice/annexes.py", "pubdice/cli.py", "pubdice/library", "pubdice/server/banner.py", "pubdice/server/checks.py",
    "pubdice/server/cli.py", "pubdice/server/file_place.py", "pubdice/server/findings.py",
    "pubdice/server/house_place.py", "pubdice/server/serve.py", "pubdice/server/stores.py", "pubdice/server/teller.py",
    "pubdice/server/uvicorn_protocol.py", "pubdice/store/lost_events.py", "pubdice/terminal", "pubdice_pocket/build",
    "pubdice_pocket/cli.py", "pubdice_pocket/pure_python/ready_made.py", "pubdice_pocket/static",
)  # fmt: skip
"""The parts of pubdice and of this package that a browser does not need: command lines, and code that builds a pocket
or starts processes and servers."""
PLAYERS = ("table", "pages")
"""The parts of a language's catalogues that are shipped. A pocket has no commands and no host's terminal."""
SOURCES = frozenset((".bin", ".css", ".html", ".js", ".md", ".py", ".svg", ".txt"))
"""The file types of pubdice that are shipped. This leaves out an editor's copies. It also leaves out ``.po`` files,
since their contents are shipped as JSON."""


def engine_files(parts: Path) -> dict[str, bytes]:
    """Return the engine's files by name, as in its package. Only the lock file differs: it lists no packages."""
    with tarfile.open(parts / ENGINE.file) as package:
        found = {name: _member(package, name) for name in (*ENGINE_FILES, LIBRARY, LOCK)}
    # with an empty list, the pocket fetches no package from the engine's own index
    lock = {**json.loads(found[LOCK]), "packages": {}}
    return {**found, LOCK: json.dumps(lock, sort_keys=True).encode()}


def qr_files(parts: Path) -> dict[str, bytes]:
    """Return the scripts that draw and read QR codes, by their names in the package."""
    with tarfile.open(parts / QR.file) as package:
        return {name: _member(package, name) for name in QR_FILES}


def qr_licence(parts: Path) -> bytes:
    """Return the text of the licence of the QR scripts."""
    with tarfile.open(parts / QR.file) as package:
        return _member(package, "LICENSE-MIT")


def engine(parts: Path, standard: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the engine's files by name. ``standard`` has the modules of its standard library.

    They include the libraries' modules in WebAssembly, because the engine loads these before Python starts
    (static/interpreter.js).
    """
    compiled = {Path(path).name: each for path, each in compiled_modules(parts).items()}
    return {**engine_files(parts), LIBRARY: zipped(standard), **compiled}


def standard_modules(parts: Path) -> dict[str, bytes]:
    """Return the modules of the standard library that are shipped, by path."""
    return _kept_modules(engine_files(parts)[LIBRARY])


def _kept_modules(library: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(library)) as modules:
        return {name: modules.read(name) for name in modules.namelist() if _is_kept(name)}


def _member(package: tarfile.TarFile, name: str) -> bytes:
    file = package.extractfile(f"package/{name}")
    assert file is not None  # the package's hash has been checked, so the file is there
    return file.read()


def _is_kept(name: str) -> bool:
    if name.endswith("/") or any(name == out or name.startswith(f"{out}/") for out in WITHOUT):
        return False
    top, _, rest = name.partition("/")
    return top != "encodings" or rest.removesuffix(".py") in ENCODINGS


def compiled_modules(parts: Path) -> dict[str, bytes]:
    """Return the libraries' modules in WebAssembly, by path."""
    found = {path: each for wheel in WHEELS for path, each in library(parts, wheel).items()}
    return {path: each for path, each in found.items() if path.endswith(NATIVE)}


def libraries(parts: Path) -> dict[str, bytes]:
    """Return the libraries' files except modules in WebAssembly, by path, for a folder that Python imports from."""
    found = {path: each for wheel in WHEELS for path, each in library(parts, wheel).items()}
    return {path: each for path, each in found.items() if not path.endswith(NATIVE)}


def pubdice_files() -> dict[str, bytes]:
    """Return the files of pubdice and of this package, with the version metadata, the catalogues, and games from other
    installed packages.
    """
    number = version("pubdice")
    metadata = f"Metadata-Version: 2.1\nName: pubdice\nVersion: {number}\n"
    files = {f"pubdice-{number}.dist-info/METADATA": metadata.encode()}
    parts = [(code, part) for code in CODES[1:] for part in PLAYERS if has_part(code, part)]
    files |= {f"pubdice/locale/{code}/{part}.json": kept(code, part=part) for code, part in parts}
    files |= {path: each.read_bytes() for path, each in INSTALLED.files().items() if each.suffix in SOURCES}
    files |= INSTALLED.metadata()
    for home in {kit.home for kit in GAMES.values()} - {""}:
        path = home.replace(".", "/")
        own = [code for code in CODES[1:] if catalogue_file(code, home).is_file()]
        files |= {f"{path}/{code}.json": kept(code, home) for code in own}
    for package in (pubdice, pubdice_pocket):
        folder = Path(str(package.__file__)).parent
        for file in sorted(folder.rglob("*")):
            path = file.relative_to(folder.parent).as_posix()
            if file.suffix in SOURCES and not any(path == out or path.startswith(f"{out}/") for out in OUTSIDE):
                files[path] = file.read_bytes()
    return files


def library(parts: Path, wheel: Wheel) -> dict[str, bytes]:
    """Return the files of a wheel that are imported, by path. Compiled modules are included only if they are for
    browsers.
    """
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
    """Return all licence files of a wheel as one text."""
    with zipfile.ZipFile(parts / wheel.file) as archive:
        names = [name for name in sorted(archive.namelist()) if ".dist-info/licenses/" in name and name[-1] != "/"]
        return "\n\n".join(archive.read(name).decode("utf-8") for name in names)
