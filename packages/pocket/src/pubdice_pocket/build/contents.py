"""All files of a pocket's folder by name, and the list of them with their hashes."""

import hashlib
import html
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pubdice
import pubdice_pocket
from pubdice.server.web.guard import HEADERS
from pubdice.server.web.static_files import served, without_comments
from pubdice.text.catalogues import CODES, ENGLISH
from pubdice_pocket.build import libraries
from pubdice_pocket.build.archives import packed, zipped
from pubdice_pocket.build.bytecode import compiled_house
from pubdice_pocket.build.parts import ENGINE, QR, WHEELS
from pubdice_pocket.framing import framed

AT_ROOT = frozenset(("index.html", "manifest.webmanifest", "sw.js"))
"""The files at the root of the folder. All other files are in the folder ``pocket``, since all other names at the root
are pages of the house."""
LIST, WORKER, PAGE, STYLE = "files.json", "sw.js", "index.html", "shell.css"
NO_LIST = 'const BUILT = { version: "", files: [] };'
"""The line of the service worker that the build replaces with the list of files."""
WORKER_PARTS = "sw/"  # the folder of the service worker's parts, which the build appends to ``sw.js``
NO_COLOURS, AFTER_COLOURS = "/* colours */\n", "\n.slate {\n  --ink"
"""The mark in ``shell.css`` that the house's colours replace, and the rule that follows the colours in
``house.css``."""
NO_VERSION = '<meta name="version" content="">'
NO_WORDS = "const WORDS = {};"  # the line of a script that the build replaces with the script's sentences
SPEAKING = {
    "shell_words.js": "shell",
    "shell_missing.js": "missing",
    WORKER: "worker",
    "phones/words.js": "phones",
    "phones_apart/words.js": "phones_apart",
    "going_on/words.js": "going_on",
}
"""The scripts that contain sentences, and the key of each script's sentences in ``words/CODE.json``."""
HASH_DIGITS = 40  # the number of hex digits of each script's SHA-256 in ``trusted.js``, which explains this number
TRUSTED, NO_POLICY, NO_SCRIPTS = "phones/trusted.js", "export const POLICY = '';", "const SCRIPTS = {};"
"""The script with which a guest's phone checks the house's pages and scripts, and its two lines that the build
replaces."""
NO_NOSCRIPT = "<!-- in other languages -->"
"""The mark that is replaced by the sentence that asks for JavaScript, in every language but English."""
NOSCRIPT = "noscript"
PACKED = ("pocket/engine/", "pocket/house.zip", "pocket/front.json", "pocket/phones", "pocket/going_on/")
"""The beginnings of the names of files that the folder holds compressed, so they have the same size on every host. They
are loaded only by the engine's worker and the service worker, or serve play with other phones."""
_STATIC = Path(pubdice_pocket.__file__).parent / "static"
_WORDS = _STATIC.with_name("words")
_HOUSE = Path(pubdice.__file__).parent / "server" / "web" / "static"


@dataclass(frozen=True, slots=True)
class Folder:
    """A built folder."""

    version: str  # pubdice's version, and 12 hex digits of a hash of the contents
    files: Mapping[str, bytes]  # the contents by name
    packed: Mapping[str, bytes]  # the compressed bytes of the files that are compressed on the host

    def shipped(self) -> dict[str, bytes]:
        """Return the files as they are on the host, by their names on the host."""
        return {on_host(name): self.packed.get(name, each) for name, each in self.files.items()}


def is_packed(name: str) -> bool:
    """Return True if the host has this file compressed."""
    return name.startswith(PACKED)


def on_host(name: str) -> str:
    """Return the name that a file has on the host."""
    return f"{name}.lzma" if is_packed(name) else name


@dataclass(frozen=True, slots=True)
class Ahead:
    """The files that depend on the fetched parts alone. They are made while another thread solves games."""

    house: Mapping[str, bytes]  # the files of ``house.zip``
    files: Mapping[str, bytes]  # all other files
    packed: Mapping[str, bytes]  # the compressed bytes of the files that are compressed on the host


def make_ahead(parts: Path) -> Ahead:
    """Compile and pack all files that do not depend on solutions. The parts must be fetched and checked."""
    house = compiled_house(parts)
    engine = {f"pocket/engine/{name}": each for name, each in libraries.engine(parts, house.standard).items()}
    codes = {f"pocket/phones/qr/{name}": without_comments(each) for name, each in libraries.qr_files(parts).items()}
    files = {**_static(), **engine, **codes, **_licences(parts), "pocket/front.json": house.front}
    return Ahead(house.files, files, _packed(files))


def make_folder(parts: Path, solved: Mapping[str, bytes] | None = None, ahead: Ahead | None = None) -> Folder:
    """Return the folder of this pubdice. The parts must be fetched and checked. ``solved`` has the files of
    ``solutions``, if there are any.
    """
    ahead = ahead or make_ahead(parts)
    archive = zipped({**ahead.house, **_as_house_files(solved or {})})
    return assemble({**ahead.files, "pocket/house.zip": archive}, ahead.packed)


def _packed(files: Mapping[str, bytes]) -> dict[str, bytes]:
    large = [name for name in files if is_packed(name)]
    with ThreadPoolExecutor() as threads:  # in threads, because the longest file takes half of the whole time
        return dict(zip(large, threads.map(packed, [files[name] for name in large]), strict=True))


def assemble(files: Mapping[str, bytes], ahead: Mapping[str, bytes] | None = None) -> Folder:
    """Return a folder of these files. The build puts its version into the page, and the list of files into the service
    worker.

    ``ahead`` has the files that are compressed already.
    """
    filled, before = dict(files), ahead or {}
    done = {**before, **_packed({name: each for name, each in files.items() if name not in before})}
    number = f"{version('pubdice')}+{hashlib.sha256(_list(files, done)).hexdigest()[:12]}"
    filled[PAGE] = _filled(files[PAGE], NO_VERSION, NO_VERSION.replace('""', f'"{number}"'))
    worker = filled.pop(WORKER)  # the worker contains the list, so the list cannot contain the worker's hash
    filled[LIST] = listed = _list(filled, done, number)
    filled[WORKER] = _filled(worker, NO_LIST, f"const BUILT = {listed.decode().strip()};")
    return Folder(number, filled, done)


def service_worker() -> bytes:
    """Return the service worker and its parts as one script. The list of files is still empty in it.

    The parts are not imported with importScripts, for two reasons. Imported parts would escape the check of their
    SHA-256. And they could be of another version, because a host's folder is replaced file by file, and browsers take
    imports from the HTTP cache.
    """
    parts = sorted((_STATIC / WORKER_PARTS).glob("*.js"))
    return b"\n".join((speaking(WORKER), *(file.read_bytes() for file in parts)))


@cache
def said_outside() -> dict[str, dict[str, Any]]:
    """Return the sentences that a pocket shows outside the pages of the house, by language. If a translation is
    missing, the English sentence takes its place.
    """
    files = {code: _WORDS / f"{code}.json" for code in CODES}
    found = {code: json.loads(file.read_bytes()) for code, file in files.items() if file.is_file()}
    english = found[ENGLISH]
    for told in found.values():
        told |= {part: {**english[part], **told.get(part, {})} for part in SPEAKING.values()}
    return found


def speaking(name: str) -> bytes:
    """Return a script that contains its sentences in every language."""
    words = {code: told[SPEAKING[name]] for code, told in said_outside().items()}
    listed = json.dumps(words, ensure_ascii=False, indent=1)
    return _filled((_STATIC / name).read_bytes(), NO_WORDS, f"const WORDS = {listed};")


def _first_page() -> bytes:
    """Return the page with the sentence that asks for JavaScript, in every language."""
    told = [
        f' <span lang="{code}">{html.escape(each[NOSCRIPT])}</span>'
        for code, each in said_outside().items()
        if NOSCRIPT in each
    ]
    return _filled((_STATIC / PAGE).read_bytes(), NO_NOSCRIPT, "".join(told[1:]))


def shell_style() -> bytes:
    """Return the style sheet of the page round the house, with the colours of ``house.css``. It is needed because this
    page is shown before the house.
    """
    colours, found, _ = (_HOUSE / "house.css").read_text("utf-8").partition(AFTER_COLOURS)
    assert found, AFTER_COLOURS
    return _filled((_STATIC / STYLE).read_bytes(), NO_COLOURS, colours[colours.index(":root") :])


def _trusted() -> bytes:
    """Return the script with which a guest's phone checks the house's pages and scripts. It contains the pages' content
    security policy and the scripts' hashes.
    """
    names = sorted(file.name for file in _HOUSE.glob("*.js"))
    hashes = {name: hashlib.sha256(served(name)).hexdigest()[:HASH_DIGITS] for name in names}
    policy = framed(dict(HEADERS)[b"content-security-policy"].decode())
    script = _filled((_STATIC / TRUSTED).read_bytes(), NO_POLICY, f"export const POLICY = {json.dumps(policy)};")
    return _filled(script, NO_SCRIPTS, f"const SCRIPTS = {json.dumps(hashes, indent=1)};")


def _as_house_files(solved: Mapping[str, bytes]) -> dict[str, bytes]:
    return {f"pubdice_pocket/solutions/{name}": each for name, each in solved.items()}


def _static() -> dict[str, bytes]:
    """Return the files of ``static`` by their paths in the folder, with everything that the build puts into them.
    Scripts lose their comments.
    """
    named = {file.relative_to(_STATIC).as_posix(): file for file in _STATIC.rglob("*") if file.is_file()}
    found = {name: file.read_bytes() for name, file in named.items() if not name.startswith(WORKER_PARTS)}
    found["icon.svg"] = (_HOUSE / "icon.svg").read_bytes()
    found |= {name: speaking(name) for name in SPEAKING}
    found[TRUSTED] = _trusted()
    found[WORKER], found[STYLE], found[PAGE] = service_worker(), shell_style(), _first_page()
    found |= {name: without_comments(each) for name, each in found.items() if name.endswith(".js")}
    return {name if name in AT_ROOT else f"pocket/{name}": each for name, each in sorted(found.items())}


def _list(files: Mapping[str, bytes], done: Mapping[str, bytes], number: str = "") -> bytes:
    """Return the list of files as JSON. Each entry has the file's name, its size, its SHA-256, and its size on the host
    if it is compressed there.

    ``bytes`` (the size) and ``sha256`` are those of the unpacked file. ``packed`` (the size on the host) is 0 if the
    file is not compressed there.
    """
    listed = [
        {
            "name": name,
            "bytes": len(files[name]),
            "sha256": hashlib.sha256(files[name]).hexdigest(),
            "packed": len(done.get(name, b"")),
        }
        for name in sorted(files)
    ]
    return json.dumps({"version": number, "files": listed}, indent=1).encode() + b"\n"


def _filled(text: bytes, mark: str, filling: str) -> bytes:
    """Return a text in which the filling replaces the mark."""
    before, found, after = text.decode("utf-8").partition(mark)
    assert found, mark
    return f"{before}{filling}{after}".encode()


def _licences(parts: Path) -> dict[str, bytes]:
    """Return the texts of the licences, and a page that lists the engine and all libraries with version, licence and
    checksum.
    """
    texts = {f"pocket/licences/{wheel.name}.txt": libraries.licences(parts, wheel).encode() for wheel in WHEELS}
    texts[f"pocket/licences/{QR.name}.txt"] = libraries.qr_licence(parts)
    rows = [_row(ENGINE.name, ENGINE.version, ENGINE.licence, f"npm, {ENGINE.integrity}", "MPL-2.0.txt")]
    rows.append(_row("CPython", "3.14", "PSF-2.0", "in pyodide", "PSF-2.0.txt"))
    rows.append(_row("SQLite, zlib and others", "", "public domain, MIT, BSD, Zlib", "in pyodide", "engine-parts.txt"))
    rows.append(_row(QR.name, QR.version, QR.licence, f"npm, {QR.integrity}", f"{QR.name}.txt"))
    rows += [
        _row(wheel.name, wheel.version, wheel.licence, f"PyPI, sha256 {wheel.sha256}", f"{wheel.name}.txt")
        for wheel in WHEELS
    ]
    page = (_STATIC / "licences.html").read_bytes()
    return {**texts, "pocket/licences.html": _filled(page, "<!-- rows -->", "\n".join(rows))}


def _row(name: str, number: str, licence: str, checksum: str, text: str) -> str:
    cells = [html.escape(name), html.escape(number), f'<a href="licences/{text}">{html.escape(licence)}</a>']
    cells.append(f"<code>{html.escape(checksum)}</code>")
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
