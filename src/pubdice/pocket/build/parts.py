"""What a pocket house is made of besides pubdice: an interpreter from npm, wheels from the Python index, all pinned.

Fetched by the machine's own ``npm`` and ``pip``, so from the registries it is set up for, into a folder, and used from
there the next time. Every file is checked against the hash that stands here before anything of it is used.
"""

import base64
import hashlib
import io
import lzma
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pubdice.core.errors import Refused

BROWSER = "pyemscripten_2026_0_wasm32"
"""The platform tag of wheels for the interpreter's version of Emscripten."""
WITHIN_S = 900
"""Seconds for npm, and for pip: 20 MB at 200 kbit/s."""
Run = Callable[[Sequence[str], Path], str]
"""Run a command in a folder; what it said if it failed, "" if all went well."""


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
        done = subprocess.run(  # noqa: S603 - the words are ours
            command, cwd=folder, capture_output=True, text=True, timeout=WITHIN_S, check=False
        )
    except FileNotFoundError:
        raise Refused("no-command", command=command[0]) from None
    except subprocess.TimeoutExpired:
        return f"no end after {WITHIN_S} seconds"
    said = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return "" if done.returncode == 0 else (said or [f"exit status {done.returncode}"])[-1]


def fetch_parts(folder: Path, run: Run = run_here) -> None:
    """Have every part in the folder, checked; parts that are there and sound are not fetched again.

    Raises Refused (a command is missing, a part cannot be fetched, or is another than the pinned one), OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        if not _sound(folder / ENGINE.file, "sha512", _engine_hash()):
            _fetch_engine(folder, Path(scratch), run)
        for number, wheel in enumerate(WHEELS):
            if not _sound(folder / wheel.file, "sha256", wheel.sha256):
                _fetch_wheel(folder, Path(scratch) / str(number), wheel, run)


def _fetch_engine(folder: Path, scratch: Path, run: Run) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise Refused("no-command", command="npm")
    wanted = f"{ENGINE.name}@{ENGINE.version}"
    why = run([npm, "pack", "--silent", "--ignore-scripts", "--pack-destination", str(scratch), wanted], scratch)
    found = scratch / ENGINE.file
    if why or not found.exists():
        raise Refused("not-fetched", part=wanted, command="npm", why=why or "no file came")
    _keep(found, folder / ENGINE.file, wanted, "sha512", _engine_hash())


def _fetch_wheel(folder: Path, scratch: Path, wheel: Wheel, run: Run) -> None:
    scratch.mkdir()
    asked, wanted = scratch / "wanted.txt", f"{wheel.name}=={wheel.version}"
    asked.write_text(wheel.asked, "utf-8")
    words = ["--platform", wheel.platform, "--implementation", "cp", "--python-version", wheel.python]
    quiet = ["--quiet", "--disable-pip-version-check"]
    pip = [sys.executable, "-m", "pip", "download", *quiet, "--no-deps", "--only-binary", ":all:", *words]
    why = run([*pip, "--require-hashes", "--requirement", str(asked), "--dest", str(scratch)], scratch)
    found = sorted(scratch.glob("*.whl"))
    if why or not found:
        raise Refused("not-fetched", part=wanted, command="pip", why=why or "no file came")
    _keep(found[0], folder / wheel.file, wanted, "sha256", wheel.sha256)


def _keep(found: Path, file: Path, part: str, kind: str, expected: str) -> None:
    """Move a fetched file to its place, if it is what was pinned."""
    if not _sound(found, kind, expected):
        raise Refused("part-differs", part=part)
    found.replace(file)


def _sound(file: Path, kind: str, expected: str) -> bool:
    """Whether a file is there and has this hash, in hexadecimal digits."""
    try:
        with file.open("rb") as contents:
            return hashlib.file_digest(contents, kind).hexdigest() == expected
    except OSError:
        return False


def _engine_hash() -> str:
    """The engine's SHA-512 in hexadecimal digits."""
    return base64.b64decode(ENGINE.integrity.removeprefix("sha512-")).hex()


# Archives with the same bytes at every build: sorted names, one fixed time, nothing of the machine.


FIXED_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip archive can say."""
READABLE = 0o100644 << 16
_PACKED = {"id": lzma.FILTER_LZMA1, "preset": 9, "lc": 3, "lp": 0, "pb": 0, "dict_size": 1 << 24}
PROPERTIES = b"\x03"
"""How a file packed so begins: (pb * 5 + lp) * 9 + lc. ``static/sw/lzma.js`` unpacks no other."""
MOST_MEMORY = 1 << 26
"""Bytes that unpacking may take, whatever a file says."""


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
    return lzma.compress(contents, lzma.FORMAT_ALONE, filters=[_PACKED])


def unpacked(file: bytes, most: int) -> bytes | None:
    """What was packed; None if it is damaged, packed as no phone unpacks it, or has more than ``most`` bytes."""
    if file[:1] != PROPERTIES:
        return None
    unpacking = lzma.LZMADecompressor(lzma.FORMAT_ALONE, MOST_MEMORY)
    try:
        contents = unpacking.decompress(file, most + 1)
    except (lzma.LZMAError, EOFError):
        return None
    whole = unpacking.eof and not unpacking.unused_data and len(contents) <= most
    return contents if whole else None
