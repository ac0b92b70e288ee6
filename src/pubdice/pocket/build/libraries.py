"""The content of a browser's Python: the interpreter's standard library, the libraries and pubdice, as files by path.

Modules that the house never imports stay out. An application in a browser has no processes, no command line, no
debugger and no servers but its own, and reads text in the Unicode encodings only.
"""

import base64
import hashlib
import io
import json
import lzma
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from threading import Event

import pubdice
from pubdice.core.errors import Refused
from pubdice.games import GAMES, INSTALLED
from pubdice.text.catalogues import CODES, catalogue_file, kept

# What a pocket house is made of besides pubdice: an interpreter from npm, wheels from the Python index, all pinned.
#
# Fetched by the machine's own ``npm`` and ``pip``, so from the registries it is set up for, into a folder, and used
# from there the next time. Every file is checked against the hash that stands here before anything of it is used.


BROWSER = "pyemscripten_2026_0_wasm32"
"""The platform tag of wheels for the interpreter's version of Emscripten."""
WITHIN_S = 900
"""Seconds for npm, and for pip: 20 MB at 200 kbit/s."""
AT_ONCE = 5
"""Commands: npm for each of its packages, and pip for each platform."""
Run = Callable[[Sequence[str], Path], str]
"""Run a command in a folder; its error output if it failed, "" if all went well."""


@dataclass(frozen=True, slots=True)
class NpmPackage:
    """An npm package. integrity: the hash of its file, as npm's lock files write it."""

    name: str
    version: str
    integrity: str
    licence: str

    @property
    def file(self) -> str:
        """The name of the package's file."""
        return f"{self.name}-{self.version}.tgz"

    @property
    def sha512(self) -> str:
        """The SHA-512 of its file in hexadecimal digits."""
        return base64.b64decode(self.integrity.removeprefix("sha512-")).hex()


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel of the Python index. sha256: of its file; platform and python: the tags that it is for."""

    name: str
    version: str
    sha256: str
    licence: str
    platform: str = "any"
    python: str = "314"

    @property
    def file(self) -> str:
        """The name it is kept by: two builds of one version have two."""
        return f"{self.name}-{self.version}-{self.sha256[:12]}.whl"

    @property
    def asked(self) -> str:
        """A line of a requirements file."""
        return f"{self.name}=={self.version} --hash=sha256:{self.sha256}\n"


ENGINE = NpmPackage(
    "pyodide",
    "314.0.7",
    "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
    "MPL-2.0",
)
"""CPython 3.14 in WebAssembly (docs/decisions/0011-pyodide.md)."""
QR = NpmPackage(
    "qr",
    "0.7.0",
    "sha512-/VrrACmOAwZVipuRITwfEwOL5oAMEHH5PTmBWaGtlTom2Thxaa+rhmna4zU9PRN2uLw2wdccbkHOLGZb1Q9SdA==",
    "MIT OR Apache-2.0",
)
"""Draws and reads the codes by which phones find each other (docs/decisions/0022-phones-without-a-house.md)."""
NPM_PACKAGES = (ENGINE, QR)
QR_FILES = ("index.js", "decode.js")
WHEELS = (
    Wheel("anyio", "4.16.0", "c66ae634e0b8228396b801741beb3294326d4b6102f7bba4041c0dfb58c29026", "MIT"),
    Wheel("idna", "3.20", "ab7ae7122974553370f0bdb919e1a960b2cd1bc1ef0276416d896db81c14582c", "BSD-3-Clause"),
    Wheel("jinja2", "3.1.6", "85ece4451f492d0c13c5dd7c13a64681a86afae63a5f347908daf103ce6d2f67", "BSD-3-Clause"),
    Wheel(
        # It has no wheel for browsers: its Python files do without the compiled one.
        "markupsafe",
        "3.0.4",
        "8e124f974786f831d6043728e38296969d3579db8896fe004682f5758e613581",
        "BSD-3-Clause",
        "manylinux2014_x86_64",
        "312",
    ),
    Wheel(
        "msgspec", "0.22.0", "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022", "BSD-3-Clause", BROWSER
    ),
    Wheel(
        "prometheus-client",
        "0.26.0",
        "fa93d06737aa02bacd05794768508bb97d2fbee28cb3bca04eaae92f0ca953d6",
        "Apache-2.0 AND BSD-2-Clause",
    ),
    Wheel("segno", "1.6.6", "28c7d081ed0cf935e0411293a465efd4d500704072cdb039778a2ab8736190c7", "BSD-3-Clause"),
    Wheel("starlette", "1.10.0", "478c0ab3b4ced6e82719849c118fa406f0278a3499c1a898cd15cd31bdc38ce4", "BSD-3-Clause"),
    Wheel("typing-extensions", "4.16.0", "481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8", "PSF-2.0"),
)


def run_here(command: Sequence[str], folder: Path) -> str:
    """Run npm or pip. Raises Refused if the machine has no such command."""
    try:
        started = subprocess.Popen(  # noqa: S603 - the words are ours
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    except FileNotFoundError:
        raise Refused("no-command", command=command[0]) from None
    with started:
        _running.add(started)
        try:
            if _ended.is_set():
                started.kill()
            out, err = started.communicate(timeout=WITHIN_S)
        except subprocess.TimeoutExpired:
            started.kill()
            return f"no end after {WITHIN_S} seconds"
        finally:
            _running.discard(started)
    said = (err.strip() or out.strip()).splitlines()
    return "" if started.returncode == 0 else (said or [f"exit status {started.returncode}"])[-1]


_running: set[subprocess.Popen[str]] = set()
_ended = Event()


def end_work() -> None:
    """End the commands under way, and what is being packed: this process ends, and would wait for its threads."""
    _ended.set()
    for each in tuple(_running):
        each.kill()


def fetch_parts(folder: Path, run: Run = run_here) -> None:
    """Have every part in the folder, checked; parts that are there and sound are not fetched again.

    All at once, as each command waits for a registry most of its time. Raises Refused (a command is missing, a part
    cannot be fetched, or is another than the pinned one; of several faults the first in the order of this file),
    OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch, ThreadPoolExecutor(AT_ONCE) as commands:
        lacking = [each for each in NPM_PACKAGES if not _sound(folder / each.file, "sha512", each.sha512)]
        if lacking and shutil.which("npm") is None:
            raise Refused("no-command", command="npm")
        fetching = [commands.submit(_fetch_package, each, folder, Path(scratch), run) for each in lacking]
        missing = [wheel for wheel in WHEELS if not _sound(folder / wheel.file, "sha256", wheel.sha256)]
        kinds = {(wheel.platform, wheel.python): Path(scratch) / str(at) for at, wheel in enumerate(missing)}
        for (platform, python), beside in kinds.items():
            alike = [wheel for wheel in missing if (wheel.platform, wheel.python) == (platform, python)]
            fetching.append(commands.submit(_fetch_wheels, folder, beside, alike, run))
        for each in fetching:
            each.result()


def _fetch_package(package: NpmPackage, folder: Path, scratch: Path, run: Run) -> None:
    npm = shutil.which("npm") or "npm"
    wanted = f"{package.name}@{package.version}"
    why = run([npm, "pack", "--silent", "--ignore-scripts", "--pack-destination", str(scratch), wanted], scratch)
    found = scratch / package.file
    if why or not found.exists():
        raise Refused("not-fetched", part=wanted, command="npm", why=why or "no file came")
    _keep(found, folder / package.file, wanted, "sha512", package.sha512)


def _fetch_wheels(folder: Path, scratch: Path, wheels: Sequence[Wheel], run: Run) -> None:
    """Fetch wheels of one platform by one pip, which takes a second of processor to start."""
    scratch.mkdir()
    asked, first = scratch / "wanted.txt", wheels[0]
    asked.write_text("".join(wheel.asked for wheel in wheels), "utf-8")
    words = ["--platform", first.platform, "--implementation", "cp", "--python-version", first.python]
    quiet = ["--quiet", "--disable-pip-version-check"]
    pip = [sys.executable, "-m", "pip", "download", *quiet, "--no-deps", "--only-binary", ":all:", *words]
    why = run([*pip, "--require-hashes", "--requirement", str(asked), "--dest", str(scratch)], scratch)
    found = {sha256(file.read_bytes()).hexdigest(): file for file in scratch.glob("*.whl")}
    if why:
        named = next((wheel for wheel in wheels if wheel.name in why), first)
        raise Refused("not-fetched", part=named.asked.split()[0], command="pip", why=why)
    strange = found.keys() - {wheel.sha256 for wheel in wheels}
    for wheel in wheels:
        if wheel.sha256 in found:
            found[wheel.sha256].replace(folder / wheel.file)
        elif strange:
            raise Refused("part-differs", part=wheel.asked.split()[0])
        else:
            raise Refused("not-fetched", part=wheel.asked.split()[0], command="pip", why="no file came")


def _keep(found: Path, file: Path, part: str, kind: str, expected: str) -> None:
    """Move a fetched file to its place, if it is what was pinned."""
    if not _sound(found, kind, expected):
        raise Refused("part-differs", part=part)
    found.replace(file)


def _sound(file: Path, kind: str, expected: str) -> bool:
    """True if a file is there and has this hash, in hexadecimal digits."""
    try:
        with file.open("rb") as contents:
            return hashlib.file_digest(contents, kind).hexdigest() == expected
    except OSError:
        return False


# Archives with the same bytes at every build: sorted names, one fixed time, nothing of the machine.


FIXED_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip archive can say."""
READABLE = 0o100644 << 16
_PACKED = {"id": lzma.FILTER_LZMA1, "preset": 9, "lc": 3, "lp": 0, "pb": 0, "dict_size": 1 << 24}
PROPERTIES = b"\x03"
"""The first byte of a file packed so: (pb * 5 + lp) * 9 + lc. ``static/sw/lzma.js`` unpacks no other."""
PIECE = 1 << 20
"""Bytes that are packed in one go, half a second: what is packed does not depend on it."""
MOST_MEMORY = 1 << 26
"""Bytes that unpacking may take, in spite of the file's claim."""


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip archive of files by name, not compressed: packed as a whole it is 13 % smaller than file by file."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as members:
        for name in sorted(files):
            member = zipfile.ZipInfo(name, FIXED_TIME)
            member.create_system, member.external_attr = 3, READABLE  # not those of the machine that builds
            members.writestr(member, files[name])
    return archive.getvalue()


def packed(contents: bytes) -> bytes:
    """The contents compressed, as ``static/sw/lzma.js`` unpacks them. A quarter less than gzip, in 7 s for 9 MB."""
    packing, found = lzma.LZMACompressor(lzma.FORMAT_ALONE, filters=[_PACKED]), []
    for begin in range(0, len(contents), PIECE):
        if _ended.is_set():
            raise InterruptedError
        found.append(packing.compress(contents[begin : begin + PIECE]))
    return b"".join((*found, packing.flush()))


def unpacked(file: bytes, most: int) -> bytes | None:
    """The unpacked content; None if it is damaged, packed as no phone unpacks it, or has more than ``most`` bytes."""
    if file[:1] != PROPERTIES:
        return None
    unpacking = lzma.LZMADecompressor(lzma.FORMAT_ALONE, MOST_MEMORY)
    try:
        contents = unpacking.decompress(file, most + 1)
    except (lzma.LZMAError, EOFError):
        return None
    whole = unpacking.eof and not unpacking.unused_data and len(contents) <= most
    return contents if whole else None


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
"""The parts of the libraries that are never imported: other frameworks, command lines, tests, names of hosts."""
OUTSIDE = (
    "annexes.py", "cli.py", "library", "pocket/build", "pocket/cli.py", "pocket/static", "server/banner.py",
    "server/checks.py", "server/cli.py", "server/file_place.py", "server/findings.py", "server/house_place.py",
    "server/serve.py", "server/stores.py", "server/teller.py", "server/uvicorn_protocol.py",
    "solve/pure_python/ready_made.py", "store/lost_events.py", "terminal",
)  # fmt: skip
"""The parts of pubdice that a browser has no use for: command lines, and code that starts processes and servers."""
SOURCES = frozenset((".css", ".html", ".js", ".md", ".py", ".svg", ".txt"))
"""The kinds of file that belong to pubdice in its folder; an editor's copies do not. Of ``.po`` files it has what is
read from them.
"""


def engine_files(parts: Path) -> dict[str, bytes]:
    """The engine's files by name, as they are in its package, but for a lock file without packages."""
    with tarfile.open(parts / ENGINE.file) as package:
        found = {name: _member(package, name) for name in (*ENGINE_FILES, LIBRARY, LOCK)}
    lock = {**json.loads(found[LOCK]), "packages": {}}  # packages of the engine's own index, which nobody fetches here
    return {**found, LOCK: json.dumps(lock, sort_keys=True).encode()}


def qr_files(parts: Path) -> dict[str, bytes]:
    """The scripts that draw and read codes, by name, as they are in their package."""
    with tarfile.open(parts / QR.file) as package:
        return {name: _member(package, name) for name in QR_FILES}


def qr_licence(parts: Path) -> bytes:
    """The text of the licence under which they are passed on."""
    with tarfile.open(parts / QR.file) as package:
        return _member(package, "LICENSE-MIT")


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
    """True if a file of the standard library is shipped."""
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
    """Pubdice itself, and the version that it asks for; with the games that are installed beside it."""
    folder, number = Path(pubdice.__file__).parent, version("pubdice")
    metadata = f"Metadata-Version: 2.1\nName: pubdice\nVersion: {number}\n"
    files = {f"pubdice-{number}.dist-info/METADATA": metadata.encode()}
    files |= {f"pubdice/locale/{code}/messages.json": kept(code) for code in CODES[1:]}
    files |= {path: each.read_bytes() for path, each in INSTALLED.files().items() if each.suffix in SOURCES}
    files |= INSTALLED.metadata()
    for home in {kit.home for kit in GAMES.values()} - {""}:
        path = home.replace(".", "/")
        own = [code for code in CODES[1:] if catalogue_file(code, home).is_file()]
        files |= {f"{path}/{code}.json": kept(code, home) for code in own}
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder).as_posix()
        if file.suffix in SOURCES and not any(path == out or path.startswith(f"{out}/") for out in OUTSIDE):
            files[f"pubdice/{path}"] = file.read_bytes()
    return files


def library(parts: Path, wheel: Wheel) -> dict[str, bytes]:
    """The parts of a wheel that are imported, by path; compiled modules are only of use if they are for browsers."""
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
    """A wheel's licence, all files of it in one text."""
    with zipfile.ZipFile(parts / wheel.file) as archive:
        names = [name for name in sorted(archive.namelist()) if ".dist-info/licenses/" in name and name[-1] != "/"]
        return "\n\n".join(archive.read(name).decode("utf-8") for name in names)


# Modules as bytecode, compiled by the engine that runs them: most of a first visit was to compile them in the
# browser.
#
# Node, which comes with npm, runs the pinned engine (``in_engine.py``). The same sources give the same bytes, so what
# was made is kept beside the fetched parts, by a hash of all it follows from.


SCRIPTS = ("in_engine.mjs", "in_engine.py")
FRONT = "front.json"


@dataclass(frozen=True, slots=True)
class CompiledHouse:
    """Files by path. standard: the standard library. files: pubdice and its libraries. front: the front page of a house
    without tables, as JSON (``in_engine.py``).
    """

    standard: Mapping[str, bytes]
    files: Mapping[str, bytes]
    front: bytes


def house(parts: Path, run: Run = run_here) -> CompiledHouse:
    """All that is imported, compiled: what does not change with pubdice in one run of Node, pubdice in another.

    Raises Refused: there is no Node, or it couldn't.
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
    """The engine's output for some sources, or an earlier one."""
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
