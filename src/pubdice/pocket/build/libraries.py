"""What goes into a browser's Python: the interpreter's standard library, the libraries and pubdice, as files by path.

What the house never imports stays out. An application in a browser has no processes, no command line, no debugger and
no servers but its own, and reads text in the Unicode encodings only.
"""

import io
import json
import tarfile
import zipfile
from importlib.metadata import version
from pathlib import Path

import pubdice
from pubdice.pocket.build.archives import zipped
from pubdice.pocket.build.parts import BROWSER, ENGINE, WHEELS, Wheel

ENGINE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""Files of the engine's package that are passed on as they are."""
LIBRARY, LOCK = "python_stdlib.zip", "pyodide-lock.json"
COMPILED = ".so"
WITHOUT = frozenset((
    "__hello__.py", "__phello__", "_pyio.py", "_pyrepl", "antigravity.py", "bdb.py", "cProfile.py", "cmd.py",
    "code.py", "colorsys.py", "configparser.py", "ctypes", "doctest.py", "filecmp.py", "fileinput.py",
    "ftplib.py", "getpass.py", "imaplib.py", "mailbox.py", "modulefinder.py", "netrc.py", "nturl2path.py",
    "optparse.py", "pdb.py", "pickletools.py", "plistlib.py", "poplib.py", "profile.py", "pstats.py", "pty.py",
    "pyclbr.py", "pydoc.py", "rlcompleter.py", "sched.py", "shelve.py", "smtplib.py", "symtable.py",
    "tabnanny.py", "tarfile.py", "this.py", "trace.py", "tty.py", "unittest", "wave.py", "webbrowser.py",
    "xml/dom", "xml/etree", "xml/parsers", "xmlrpc", "zipapp.py",
))  # fmt: skip
"""Modules and packages of the standard library that are left out: with the encodings 0.8 of 2.2 MB, compressed."""
ENCODINGS = frozenset((
    "__init__", "aliases", "ascii", "charmap", "cp437", "cp1252", "idna", "latin_1", "punycode",
    "raw_unicode_escape", "unicode_escape", "utf_16", "utf_8", "utf_8_sig",
))  # fmt: skip
"""Encodings that are kept, of 122."""
LOCALES = frozenset(("root", "en", "de"))
"""Locale data of Babel that is kept, of 1,085 files: the languages of the house, and what both inherit."""
OUTSIDE = (
    "cli.py", "lab", "library", "pocket/build", "pocket/cli.py", "pocket/static", "server/cli.py", "server/run",
    "terminal",
)  # fmt: skip
"""What of pubdice a browser has no use for: command lines, and what starts processes and servers."""
SOURCES = frozenset((".css", ".html", ".js", ".md", ".po", ".py", ".svg", ".txt"))
"""What belongs to pubdice in its folder; an editor's copies do not."""


def engine(parts: Path) -> dict[str, bytes]:
    """The engine's files by name, with a standard library and a lock file that have what the house uses.

    Compiled modules of libraries are among them: the engine loads them before Python begins (static/interpreter.js).
    """
    with tarfile.open(parts / ENGINE.file) as package:
        found = {name: _member(package, name) for name in (*ENGINE_FILES, LIBRARY, LOCK)}
    found[LIBRARY] = zipped(_kept_modules(found[LIBRARY]))
    lock = {**json.loads(found[LOCK]), "packages": {}}  # packages of the engine's own index, which nobody fetches here
    found[LOCK] = json.dumps(lock, sort_keys=True).encode()
    for wheel in WHEELS:
        found |= {Path(path).name: each for path, each in library(parts, wheel).items() if path.endswith(COMPILED)}
    return found


def standard_modules(parts: Path) -> dict[str, bytes]:
    """The modules of the standard library that are shipped, by path."""
    with tarfile.open(parts / ENGINE.file) as package:
        return _kept_modules(_member(package, LIBRARY))


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


def house(parts: Path) -> dict[str, bytes]:
    """Pubdice and the libraries by path, as a folder that Python imports from."""
    files = _pubdice()
    for wheel in WHEELS:
        files |= {path: each for path, each in library(parts, wheel).items() if not path.endswith(COMPILED)}
    return files


def _pubdice() -> dict[str, bytes]:
    """Pubdice itself, and the version that it asks for."""
    folder, number = Path(pubdice.__file__).parent, version("pubdice")
    metadata = f"Metadata-Version: 2.1\nName: pubdice\nVersion: {number}\n"
    files = {f"pubdice-{number}.dist-info/METADATA": metadata.encode()}
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
    if path.suffix == ".dat" and path.parent.name == "locale-data":
        return path.stem in LOCALES
    if path.suffix == COMPILED:
        return wheel.platform == BROWSER
    return path.suffix in (".py", ".dat") and ".dist-info" not in name


def licences(parts: Path, wheel: Wheel) -> str:
    """What a wheel says of its licence, all files of it in one text."""
    with zipfile.ZipFile(parts / wheel.file) as archive:
        names = [name for name in sorted(archive.namelist()) if ".dist-info/licenses/" in name and name[-1] != "/"]
        return "\n\n".join(archive.read(name).decode("utf-8") for name in names)
