"""The parts of a pocket that come from elsewhere: an interpreter from npm and wheels from PyPI, with fixed versions and
hashes.

The machine's own ``npm`` and ``pip`` fetch them into a folder, from the registries that the machine is set up for. A
later build uses the fetched files again. Before any use, each file is checked against its hash in this module.
"""

import base64
import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Event

from pubdice.core.errors import Refused

# the platform tag of wheels for the version of Emscripten that the interpreter uses
BROWSER = "pyemscripten_2026_0_wasm32"
WITHIN_S = 900  # the time limit in seconds for npm, and for pip: enough for 20 MB at 200 kbit/s
AT_ONCE = 5  # the most commands at a time: one npm for each package, and one pip for each platform
Run = Callable[[Sequence[str], Path], str]
"""A function that runs a command in a folder. If the command fails, it returns the error output, otherwise ""."""


@dataclass(frozen=True, slots=True)
class NpmPackage:
    """An npm package."""

    name: str
    version: str
    integrity: str  # the hash of the package's file, in the form of npm's lock files
    licence: str

    @property
    def file(self) -> str:
        """The name of the package's file."""
        return f"{self.name}-{self.version}.tgz"

    @property
    def sha512(self) -> str:
        """The SHA-512 of the package's file, in hexadecimal digits."""
        return base64.b64decode(self.integrity.removeprefix("sha512-")).hex()


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel from PyPI."""

    name: str
    version: str
    sha256: str  # the hash of the wheel's file
    licence: str
    platform: str = "any"  # the platform tag
    python: str = "314"  # the Python tag

    @property
    def file(self) -> str:
        """The name under which the wheel is kept. It contains the hash, so two builds of the same version have
        different names.
        """
        return f"{self.name}-{self.version}-{self.sha256[:12]}.whl"

    @property
    def asked(self) -> str:
        """The line for this wheel in a requirements file of pip."""
        return f"{self.name}=={self.version} --hash=sha256:{self.sha256}\n"


ENGINE = NpmPackage(
    "pyodide",
    "314.0.7",
    "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
    "MPL-2.0",
)
"""The engine: CPython 3.14 in WebAssembly (docs/decisions/0011-pyodide.md)."""
QR = NpmPackage(
    "qr",
    "0.7.0",
    "sha512-/VrrACmOAwZVipuRITwfEwOL5oAMEHH5PTmBWaGtlTom2Thxaa+rhmna4zU9PRN2uLw2wdccbkHOLGZb1Q9SdA==",
    "MIT OR Apache-2.0",
)
"""A library for QR codes, with which phones connect (docs/decisions/0022-phones-without-a-house.md)."""
NPM_PACKAGES = (ENGINE, QR)
QR_FILES = ("index.js", "decode.js")
WHEELS = (
    Wheel("anyio", "4.16.0", "c66ae634e0b8228396b801741beb3294326d4b6102f7bba4041c0dfb58c29026", "MIT"),
    Wheel("idna", "3.20", "ab7ae7122974553370f0bdb919e1a960b2cd1bc1ef0276416d896db81c14582c", "BSD-3-Clause"),
    Wheel("jinja2", "3.1.6", "85ece4451f492d0c13c5dd7c13a64681a86afae63a5f347908daf103ce6d2f67", "BSD-3-Clause"),
    Wheel(
        # This library has no wheel for browsers. Its Python files also work without the compiled module.
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
    """Run a command (npm, pip or node). Return "", or the last line of its error output. Raises Refused if the machine
    does not have the command.
    """
    try:
        started = subprocess.Popen(  # noqa: S603 - the words are ours
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    except FileNotFoundError:
        raise Refused("no-command", command=command[0]) from None
    with started:
        _running.add(started)
        try:
            if ended.is_set():
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
ended = Event()


def end_work() -> None:
    """End running commands, and the threads that pack files. Otherwise this process would wait for them before
    it ends.
    """
    ended.set()
    for each in tuple(_running):
        each.kill()


def fetch_parts(folder: Path, run: Run = run_here) -> None:
    """Fetch each part into the folder and check it. Parts that are there already and sound are not fetched again.

    All commands run at once, because each spends most of its time waiting for a registry. Raises OSError. Raises
    Refused if a command is missing, or if a part cannot be fetched or has another hash. If there are several faults, it
    reports the first one in the order of this file.
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
    """Fetch the wheels for one platform with a single pip, because each start of pip takes a second of
    processor time.
    """
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
    if not _sound(found, kind, expected):
        raise Refused("part-differs", part=part)
    found.replace(file)


def _sound(file: Path, kind: str, expected: str) -> bool:
    try:
        with file.open("rb") as contents:
            return hashlib.file_digest(contents, kind).hexdigest() == expected
    except OSError:
        return False
