"""Tests of the folder of a pocket: its files, the same bytes at every build, and the check that finds a changed
file.
"""

import asyncio
import hashlib
import io
import json
import lzma
import re
import secrets
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any, TextIO

import pytest

from pocket.pockets import in_node
from pubdice.annexes import CommandContext
from pubdice.core.errors import Refused
from pubdice.games import GAMES
from pubdice.server.web import static_files
from pubdice.text.catalogues import CODES, language
from pubdice_pocket import cli
from pubdice_pocket.browser.engine import Engine, PocketRequest
from pubdice_pocket.build import archives, libraries, parts, solutions
from pubdice_pocket.build.contents import AT_ROOT, SPEAKING, TRUSTED, WORKER_PARTS, Folder, is_packed, make_folder
from pubdice_pocket.build.in_engine import KEY, ORIGIN, PREFIX
from pubdice_pocket.build.libraries import WITHOUT, standard_modules
from pubdice_pocket.build.on_disk import write_folder
from pubdice_pocket.build.parts import ENGINE, NPM_PACKAGES, WHEELS, Wheel, fetch_parts, run_here
from pubdice_pocket.cli import run
from support.profiles import NIGHTLY
from support.script_imports import waited_for
from support.shipped_script import COMMENT, check_shipped

HERE = Path(__file__).parent
MOST_BYTES = 9_000_000
MOST_TO_JOIN, MOST_FOR_PHONES = 41_500, 62_100
"""The most bytes that a guest loads besides the page, and the most bytes of all scripts about other phones.

The latter include a reader of QR codes, which is loaded only by browsers without their own reader. They also include
1,500 bytes for the panel's announcements, and 323 for the limit on a guest's messages. Six languages more are 7,900 of
either. The hashes of the two scripts that read dice are 80. All numbers here count the sentences of nine languages."""
MOST_OF_HOTSPOTS = 2_600  # the most bytes that are loaded if two phones cannot connect
MOST_TO_KEEP = 7_800  # the most bytes that a guest loads when it opens a table, to keep the table's log
LICENCE = re.compile(rb"/\*!.*?\*/", re.DOTALL)
STATIC = Path(libraries.__file__).parents[1] / "static"


def _names(folder: Path) -> set[str]:
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


def _contents(folder: Path, name: str, packed: bool) -> bytes:
    return lzma.decompress((folder / f"{name}.lzma").read_bytes()) if packed else (folder / name).read_bytes()


STEPS = (
    "Fetching what browsers need, once.",
    "Solving the games, and drawing their figures, once: some minutes.",
    "Packing the files.",
)


def context(cache: Path | None, out: TextIO, err: TextIO) -> CommandContext:
    return CommandContext(language("en"), GAMES, out, err, time.monotonic, lambda: "", cache, plain=True)


def _pocket(*words: str, cache: Path) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = run(["pocket", *words], context(cache, out, err), solve=lambda cache, told: ())  # solutions take minutes
    told = [line for line in err.getvalue().splitlines(keepends=True) if line.rstrip() not in STEPS]
    return status, out.getvalue(), "".join(told)


def test_without_a_folder_for_what_is_fetched_it_says_so(tmp_path: Path) -> None:
    out, err = io.StringIO(), io.StringIO()
    assert run(["pocket", str(tmp_path / "site")], context(None, out, err)) == 1
    assert (out.getvalue(), err.getvalue().count("\n")) == ("", 1)
    assert err.getvalue().startswith("pubdice pocket: ")
    assert not (tmp_path / "site").exists()


@pytest.mark.usefixtures("_built_before")
def test_each_step_is_told_into_a_pipe_too(pocket_folder: Path, pocket_parts: Path) -> None:
    words, log = ["pocket", "--verify", str(pocket_folder)], io.StringIO()

    def told_and_made(cache: Path, told: Callable[[str], object]) -> Iterable[tuple[str, bytes]]:
        for name in ("", "turns-ship", "figures of ship"):
            told(name)
        return [("turns-ship", b""), ("figures-en", b"")]

    run(words, context(pocket_parts.parent, io.StringIO(), log), solve=told_and_made)
    first, second, *files, last = log.getvalue().splitlines()
    assert (first, second, last) == STEPS
    assert files == ["  turns-ship", "  figures of ship"]


@pytest.fixture(scope="module")
def built(pocket_parts: Path) -> Folder:
    """A second build, made by this process. Another process may have built the folder."""
    return make_folder(pocket_parts)


@pytest.fixture
def _built_before(built: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the command a finished build, because building takes 0.8 s."""
    monkeypatch.setattr(cli, "make_ahead", lambda parts: None)
    monkeypatch.setattr(cli, "make_folder", lambda parts, solved, ahead: built)


@pytest.fixture
def copied(pocket_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(pocket_folder, tmp_path / "copied"))


def test_two_builds_are_the_same_bytes(pocket_folder: Path, built: Folder, tmp_path: Path) -> None:
    again = tmp_path / "again"
    write_folder(built, again)
    assert _names(again) == _names(pocket_folder)
    assert [name for name in _names(again) if (again / name).read_bytes() != (pocket_folder / name).read_bytes()] == []


def test_a_file_is_packed_to_the_same_bytes_every_time(pocket_folder: Path, built: Folder) -> None:
    """Packing gives the shipped bytes again. This is checked because the tests keep large files that an earlier run
    packed.
    """
    name = "pocket/engine/pyodide.mjs"
    file = built.files[name]
    assert archives.packed(file) == archives.packed(file) == (pocket_folder / f"{name}.lzma").read_bytes()


@pytest.mark.nightly
def test_bytecode_is_compiled_to_the_same_bytes(pocket_folder: Path, pocket_parts: Path, tmp_path: Path) -> None:
    """Nothing is taken from a cache: another process compiles in another folder."""
    for name in (each.file for each in (*NPM_PACKAGES, *WHEELS)):
        shutil.copy(pocket_parts / name, tmp_path / name)
    again = make_folder(tmp_path)
    for name in ("pocket/house.zip", "pocket/engine/python_stdlib.zip"):
        assert again.files[name] == _contents(pocket_folder, name, True), name


@pytest.mark.parametrize(
    ("folder", "without", "most"),
    [
        ("", "", MOST_BYTES),
        ("pocket/phones", "", MOST_FOR_PHONES),
        ("pocket/phones", "decode.js.lzma", MOST_TO_JOIN),
        ("pocket/phones_apart", "", MOST_OF_HOTSPOTS),
        ("pocket/going_on", "", MOST_TO_KEEP),
    ],
)
def test_what_is_loaded_at_a_time_is_small(pocket_folder: Path, folder: str, without: str, most: int) -> None:
    files = [file for file in (pocket_folder / folder).rglob("*") if file.is_file()]
    assert not without or without in {file.name for file in files}
    assert 0 < sum(file.stat().st_size for file in files if file.name != without) <= most


def test_where_a_hotspots_switch_is_is_loaded_only_then() -> None:
    for file in STATIC.rglob("*.js"):
        assert not re.search(r"^import .*hotspot", file.read_text("utf-8"), re.MULTILINE), file


def test_scripts_of_others_are_shipped_without_comments(pocket_folder: Path, pocket_parts: Path) -> None:
    for name, written in libraries.qr_files(pocket_parts).items():
        sent = _contents(pocket_folder, f"pocket/phones/qr/{name}", True)
        assert re.findall(LICENCE, sent) == re.findall(LICENCE, written)
        check_shipped(re.sub(LICENCE, b"", written), re.sub(LICENCE, b"", sent), name)


def test_our_scripts_are_shipped_without_their_comments(pocket_folder: Path) -> None:
    for file in STATIC.rglob("*.js"):
        name = file.relative_to(STATIC).as_posix()
        if name.startswith(WORKER_PARTS):
            continue  # the script is part of sw.js
        shipped = name if name in AT_ROOT else f"pocket/{name}"
        sent = _contents(pocket_folder, shipped, is_packed(shipped))
        if name in {*SPEAKING, TRUSTED}:  # the build has put sentences or hashes into the script
            assert not any(COMMENT.match(line) for line in sent.split(b"\n")), name
        else:
            check_shipped(file.read_bytes(), sent, name)


def test_the_list_has_every_file_with_the_hash_of_its_contents(pocket_folder: Path) -> None:
    built = json.loads((pocket_folder / "files.json").read_bytes())
    shipped = {each["name"] + (".lzma" if each["packed"] else "") for each in built["files"]}
    assert shipped | {"files.json", "sw.js"} == _names(pocket_folder)
    for each in built["files"]:
        found = _contents(pocket_folder, each["name"], each["packed"])
        assert (len(found), hashlib.sha256(found).hexdigest()) == (each["bytes"], each["sha256"]), each["name"]
    worker = (pocket_folder / "sw.js").read_text("utf-8")
    listed = re.search(r"^const BUILT = (\{.*?\n\});$", worker, re.MULTILINE | re.DOTALL)
    assert listed
    assert json.loads(listed[1]) == built
    assert f'<meta name="version" content="{built["version"]}">' in (pocket_folder / "index.html").read_text("utf-8")


@pytest.mark.usefixtures("_built_before")
def test_verify_says_that_all_files_are_those_of_this_version(pocket_folder: Path, pocket_parts: Path) -> None:
    status, out, err = _pocket("--verify", str(pocket_folder), cache=pocket_parts.parent)
    built = json.loads((pocket_folder / "files.json").read_bytes())
    assert (status, err) == (0, "")
    assert out == f"Pubdice {built['version']}: all {len(_names(pocket_folder))} files are what this pubdice builds.\n"


@pytest.mark.nightly
@pytest.mark.usefixtures("_built_before")
def test_verify_tells_each_difference_in_a_line(copied: Path, pocket_parts: Path) -> None:
    (copied / "pocket/shell.js").write_bytes(b"fetch('/elsewhere');\n")
    (copied / "pocket/worker.js").unlink()
    (copied / "pocket/more.js").write_bytes(b"")
    (copied / "pocket/engine/pyodide.mjs.lzma").write_bytes(b"no archive")
    house = copied / "pocket/house.zip.lzma"
    quick = [{"id": lzma.FILTER_LZMA1, "preset": 0, "lc": 3, "lp": 0, "pb": 0}]
    house.write_bytes(lzma.compress(lzma.decompress(house.read_bytes()) + b" ", lzma.FORMAT_ALONE, filters=quick))
    stdlib = copied / "pocket/engine/python_stdlib.zip.lzma"
    before = stdlib.read_bytes()
    stdlib.write_bytes(lzma.compress(lzma.decompress(before), lzma.FORMAT_ALONE, filters=quick))
    assert stdlib.read_bytes() != before
    status, out, err = _pocket("--verify", str(copied), cache=pocket_parts.parent)
    assert (status, err) == (1, "")
    *lines, last = out.splitlines()
    assert [line.split()[0] for line in lines] == [
        "pocket/engine/pyodide.mjs.lzma",
        "pocket/house.zip.lzma",
        "pocket/more.js",
        "pocket/shell.js",
        "pocket/worker.js",
    ]
    assert [line.split(" ", 1)[1][:12] for line in lines] == [
        "is damaged.",
        "is damaged.",
        "does not bel",
        "differs: its",
        "is missing.",
    ]
    assert last.startswith("This is not Pubdice ")


@pytest.mark.nightly
def test_a_new_version_takes_the_earlier_ones_files_away(copied: Path, pocket_parts: Path) -> None:
    listed = json.loads((copied / "files.json").read_bytes())
    outside = copied.parent / "mine.txt"
    outside.write_text("mine")
    more = [{"name": name, "packed": False} for name in ("pocket/of_old.js", "../mine.txt")]
    (copied / "pocket/of_old.js").write_text("")
    (copied / "files.json").write_text(json.dumps({**listed, "files": [*listed["files"], *more]}))
    status, out, err = _pocket(str(copied), cache=pocket_parts.parent)
    assert (status, err) == (0, "")
    assert f"Built Pubdice {listed['version']}" in out
    assert not (copied / "pocket/of_old.js").exists()
    assert outside.read_text() == "mine", "a list may name what it likes: outside the folder nothing goes"
    assert _pocket("--verify", str(copied), cache=pocket_parts.parent)[0] == 0


@pytest.mark.usefixtures("_built_before")
@pytest.mark.parametrize(
    "found", [{"photo.jpg": "x"}, {"files.json": "{}", "sw.js": ""}, {"files.json": "[1", "a": ""}]
)
def test_a_folder_with_other_files_is_left_alone(found: dict[str, str], pocket_parts: Path, tmp_path: Path) -> None:
    for name, text in found.items():
        (tmp_path / name).write_text(text)
    status, out, err = _pocket(str(tmp_path), cache=pocket_parts.parent)
    assert (status, out) == (1, "")
    assert err == f"pubdice pocket: {tmp_path} has other files in it. Name a new folder, or one that pubdice built.\n"
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == found


@pytest.mark.usefixtures("_built_before")
def test_a_file_is_no_place_for_a_folder(pocket_parts: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    status, out, err = _pocket(str(tmp_path / "mine"), cache=pocket_parts.parent)
    assert (status, out) == (1, "")
    assert err == f"pubdice pocket: {tmp_path / 'mine'} is a file. Name a new folder, or one that pubdice built.\n"


def test_what_is_no_folder_cannot_be_verified(tmp_path: Path) -> None:
    status, out, err = _pocket("--verify", str(tmp_path / "none"), cache=tmp_path)
    assert (status, out, err) == (1, "", f"pubdice pocket: There is no folder {tmp_path / 'none'}.\n")


@pytest.mark.parametrize("lacks", ["files.json", "index.html"])
def test_a_folder_that_is_no_pocket_is_refused_before_building(lacks: str, tmp_path: Path) -> None:
    for name in {"files.json", "index.html"} - {lacks}:
        (tmp_path / name).write_text("")
    status, out, err = _pocket("--verify", str(tmp_path), cache=tmp_path / "none")
    assert (status, out, err) == (1, "", f"pubdice pocket: {tmp_path} is no pocket: it lacks {lacks}.\n")


def test_of_many_files_that_differ_ten_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder("1", {f"{number:02}.js": b"x" for number in range(12)}, {})
    for name in ("files.json", "index.html"):
        (tmp_path / name).write_text("")
    monkeypatch.setattr(cli, "_made", lambda *given: folder)
    status, out, _ = _pocket("--verify", str(tmp_path), cache=tmp_path)
    lines = out.splitlines()
    assert (status, len(lines), lines[9:]) == (
        1,
        12,
        ["09.js is missing.", "and 4 more", "This is not Pubdice 1: 14 of its files differ."],
    )


def test_an_option_that_there_is_not_is_told_in_one_sentence(tmp_path: Path) -> None:
    status, out, err = _pocket("--everything", str(tmp_path / "none"), cache=tmp_path)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("pubdice pocket: ")
    assert "--everything" in err


def test_every_part_is_named_with_version_checksum_and_licence(pocket_folder: Path) -> None:
    page = (pocket_folder / "pocket/licences.html").read_text("utf-8")
    for name, version, checksum in [
        *[(each.name, each.version, each.integrity) for each in NPM_PACKAGES],
        *[(wheel.name, wheel.version, wheel.sha256) for wheel in WHEELS],
    ]:
        row = next(line for line in page.splitlines() if line.startswith(f"<tr><td>{name}</td>"))
        assert f"<td>{version}</td>" in row
        assert checksum in row
        (text,) = re.findall(r'href="(licences/[^"]+)"', row)
        assert len((pocket_folder / "pocket" / text).read_text("utf-8")) > 900


def test_the_manifest_names_pictures_of_the_size_it_says(pocket_folder: Path) -> None:
    manifest = json.loads((pocket_folder / "manifest.webmanifest").read_bytes())
    pictures = [*manifest["icons"], *manifest["screenshots"]]
    assert {each.get("purpose") for each in manifest["icons"]} == {None, "maskable"}
    assert {each["form_factor"] for each in manifest["screenshots"]} == {"narrow", "wide"}
    for each in pictures:
        if each["sizes"] != "any":
            found = _size((pocket_folder / each["src"]).read_bytes())
            assert f"{found[0]}x{found[1]}" == each["sizes"], each["src"]
    assert (pocket_folder / "pocket/icon.svg").read_bytes() == (static_files.STATIC / "icon.svg").read_bytes()
    assert [manifest[key] for key in ("start_url", "scope", "display")] == ["./", "./", "standalone"], (
        "in any folder of a host"
    )


def _size(picture: bytes) -> tuple[int, int]:
    """Return the width and height of a PNG (from its header) or of a JPEG (from the start of a frame)."""
    if picture.startswith(b"\x89PNG"):
        return int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])
    at = 2
    while picture[at + 1] not in (0xC0, 0xC2):
        at += 2 + int.from_bytes(picture[at + 2 : at + 4])
    return int.from_bytes(picture[at + 7 : at + 9]), int.from_bytes(picture[at + 5 : at + 7])


def test_nothing_of_ours_names_another_host() -> None:
    for file in sorted(STATIC.rglob("*")):
        if file.suffix in (".js", ".css", ".webmanifest") or file.name == "index.html":
            assert re.findall(r"""(?:https?:)?//[\w-]+\.[^\s"']*""", file.read_text("utf-8")) == [], file.name


def test_the_policy_of_the_page_is_that_of_the_service_worker() -> None:
    page = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', (STATIC / "index.html").read_text())
    header = re.search(r"'content-security-policy':\s+(\"[^;]+;.*?),\n  'x-", (STATIC / "sw.js").read_text(), re.DOTALL)
    assert page
    assert header
    said = "".join(re.findall(r'"([^"]*)"', header[1]))
    assert said == f"{page[1]}; frame-ancestors 'none'", "a meta element may not say frame-ancestors"
    assert not re.search(r"'unsafe-|\*|https?:|data:|blob:", said.replace("'wasm-unsafe-eval'", ""))


def test_no_module_that_is_shipped_needs_one_that_is_left_out(pocket_parts: Path) -> None:
    """Only imports at the top of a module are checked. Imports inside functions belong to code that the house does not
    call.
    """
    modules = standard_modules(pocket_parts)
    left_out = {name.removesuffix(".py").replace("/", ".") for name in WITHOUT}
    for name, source in modules.items():
        if name.endswith(".py"):
            found = re.findall(rb"^(?:from|import) ([\w.]+)", source, re.MULTILINE)
            needed = {each.decode() for each in found}
            assert not {each for each in needed if any(f"{each}.".startswith(f"{out}.") for out in left_out)}, name


@pytest.mark.nightly
def test_the_shipped_engine_runs_the_house(pocket_folder: Path, tmp_path: Path) -> None:
    """The folder's own engine, standard library and wheels run the house in Node. So it needs none of the omitted
    modules.
    """
    told = in_node(pocket_folder, tmp_path, HERE / "asked_in_browser.py")
    assert (told.pop("opened"), told.pop("named")) == (201, True)
    assert set(told.values()) == {200}, told


def test_the_archives_say_nothing_of_the_machine(pocket_folder: Path) -> None:
    for name in ("pocket/house.zip", "pocket/engine/python_stdlib.zip"):
        packed = (pocket_folder / f"{name}.lzma").read_bytes()
        assert packed[:13] == bytes([3, 0, 0, 0, 1, *[255] * 8]), "settings and no length: no time, no name"
        members = zipfile.ZipFile(io.BytesIO(lzma.decompress(packed))).infolist()
        assert [member.filename for member in members] == sorted(member.filename for member in members)
        assert {member.date_time for member in members} == {(1980, 1, 1, 0, 0, 0)}
        assert {member.create_system for member in members} == {3}


def test_the_house_has_its_languages_and_no_command_lines(pocket_folder: Path) -> None:
    house = zipfile.ZipFile(io.BytesIO(_contents(pocket_folder, "pocket/house.zip", True)))
    names = set(house.namelist())
    assert {"pubdice/server/app.pyc", "pubdice/locale/de/table.json"} <= names
    assert not [name for name in names if name.startswith(("numpy", "pubdice_pocket/build", "pubdice_lab"))]
    assert [name for name in names if name.endswith((".py", ".pyi", ".po"))] == ["anyio/__init__.py"]
    assert not [name for name in names if name.startswith("babel")]
    assert not [name for name in names if name.endswith(".so")]
    libraries = [
        Path(name).name
        for name in re.findall(r"'(.+\.so)'", _contents(pocket_folder, "pocket/libraries.js", False).decode())
    ]
    assert sorted(libraries) == sorted(file.stem for file in (pocket_folder / "pocket" / "engine").glob("*.so.lzma"))


@pytest.mark.parametrize(
    "code", [code if code in ("de", "he") else pytest.param(code, marks=pytest.mark.nightly) for code in CODES]
)
def test_the_front_page_is_shipped_as_the_engine_draws_it(pocket_folder: Path, tmp_path: Path, code: str) -> None:
    shipped = json.loads(_contents(pocket_folder, "pocket/front.json", True))
    found: dict[str, Any] = {"body": b""}

    def begin(status: int, headers: list[tuple[str, str]]) -> None:
        found["headers"] = dict(headers)

    def part(piece: bytes, more: bool) -> None:
        found["body"] += piece

    async def ask() -> None:
        engine = Engine(tmp_path, time.time_ns, secrets.token_bytes, prefix=PREFIX, origin=ORIGIN)
        headers = [("accept", "text/html"), ("accept-language", code)]
        await engine.answer(PocketRequest("GET", f"{PREFIX}/", headers, b""), begin, part)
        engine.close()

    asyncio.run(ask())
    page, keys = re.subn(r'(?<= name="key" value=")[\w-]+', KEY, found["body"].decode())
    assert keys == 1
    assert shipped["/"][code]["body"] == page
    assert found["headers"].keys() - dict(shipped["/"][code]["headers"]).keys() == {"set-cookie", "content-length"}
    assert dict(shipped["/"][code]["headers"]).items() <= found["headers"].items()
    assert set(re.findall(r'="/~prefix~(/static/[^"]+)"', page)) == shipped.keys() - {"/"}
    files = {name.rpartition("/")[2]: each[""]["body"] for name, each in shipped.items() if name != "/"}
    assert not [name for name, text in files.items() if PREFIX in text or "url(" in text]
    assert waited_for(set(files), lambda name: files[name].encode()) <= files.keys()


class Fetching:
    """A replacement for npm and pip. It writes files with these bytes, or fails. ``commands`` has the calls."""

    def __init__(self, contents: bytes = b"", said: str = "") -> None:
        self._contents, self._said = contents, said
        self.commands: list[list[str]] = []

    def __call__(self, command: Sequence[str], folder: Path) -> str:
        self.commands.append(list(command))
        if self._contents:
            (folder / (ENGINE.file if "pack" in command else "some.whl")).write_bytes(self._contents)
        return self._said


@pytest.fixture
def npm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")


@pytest.mark.usefixtures("npm")
def test_a_part_with_another_hash_is_refused_and_not_kept(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        fetch_parts(tmp_path, Fetching(b"another"))
    assert (refused.value.code, refused.value.facts["part"]) == ("part-differs", "pyodide@314.0.7")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("npm")
def test_a_damaged_part_is_fetched_again_and_a_sound_one_is_not(pocket_parts: Path, tmp_path: Path) -> None:
    for file in (each.file for each in (*NPM_PACKAGES, *WHEELS)):
        shutil.copy(pocket_parts / file, tmp_path / file)
    nothing = Fetching()
    fetch_parts(tmp_path, nothing)
    assert nothing.commands == []
    segno = next(wheel for wheel in WHEELS if wheel.name == "segno")
    (tmp_path / segno.file).write_bytes(b"cut off")
    again = Fetching((pocket_parts / segno.file).read_bytes())
    # pip leaves its file in the folder that --dest names, in which it also runs
    fetch_parts(tmp_path, again)
    (command,) = again.commands
    assert "--require-hashes" in command
    assert (tmp_path / segno.file).read_bytes() == (pocket_parts / segno.file).read_bytes()


def test_a_machine_without_npm_is_told_so_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    status, out, err = _pocket(str(tmp_path / "site"), cache=tmp_path)
    assert (status, out, err) == (1, "", "pubdice pocket: This needs npm. It is not installed here.\n")
    assert not (tmp_path / "site").exists()


@pytest.mark.usefixtures("npm")
def test_a_silent_registry_is_told_in_its_own_words(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        fetch_parts(tmp_path, Fetching(said="npm error network"))
    assert refused.value.facts == {"part": "pyodide@314.0.7", "command": "npm", "why": "npm error network"}


@pytest.mark.parametrize(
    ("said", "why", "part"),
    [
        ("ERROR: no route", "ERROR: no route", WHEELS[0]),
        ("", "no file came", WHEELS[0]),
        ("ERROR: no matching jinja2", "ERROR: no matching jinja2", WHEELS[2]),
    ],
)
def test_a_wheel_that_does_not_come_is_told_with_what_pip_says(
    said: str, why: str, part: Wheel, pocket_parts: Path, tmp_path: Path
) -> None:
    for each in NPM_PACKAGES:
        shutil.copy(pocket_parts / each.file, tmp_path / each.file)
    with pytest.raises(Refused) as refused:
        fetch_parts(tmp_path, Fetching(said=said))
    named = f"{part.name}=={part.version}"
    assert (refused.value.code, refused.value.facts) == ("not-fetched", {"part": named, "command": "pip", "why": why})


def test_a_wheel_that_is_not_the_pinned_one_is_refused(pocket_parts: Path, tmp_path: Path) -> None:
    for each in NPM_PACKAGES:
        shutil.copy(pocket_parts / each.file, tmp_path / each.file)
    with pytest.raises(Refused) as refused:
        fetch_parts(tmp_path, Fetching(b"another"))
    assert refused.value.code == "part-differs"
    assert {file.name for file in tmp_path.iterdir()} == {each.file for each in NPM_PACKAGES}


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo done; echo careful >&2", ""),
        ("echo out; echo first >&2; echo last >&2; exit 1", "last"),
        ("echo first; echo last; exit 1", "last"),
        ("echo ' ' >&2; echo out; exit 1", "out"),
        ("exit 3", "exit status 3"),
    ],
)
def test_a_failed_command_is_told_by_its_last_error_or_line(script: str, why: str, tmp_path: Path) -> None:
    assert run_here(["sh", "-c", script], tmp_path) == why


@pytest.mark.nightly
def test_any_number_of_processes_makes_the_same_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    ship = GAMES["ship"]
    cargo, *others = ship.options
    fewer = (cargo if NIGHTLY else replace(cargo, choices=cargo.choices[:1]), *others)
    monkeypatch.setattr(solutions, "GAMES", {"ship": replace(ship, options=fewer)})
    told: list[str] = []
    alone, shared = (dict(solutions.solutions(None, told.append, processes)) for processes in (0, 3))
    assert alone == shared
    assert len(alone) == len([*solutions.turn_games()]) + len(CODES) == (6 if NIGHTLY else 2) + len(CODES)
    assert all(
        told.count(name) == 2 for name in ("figures of ship", *[each for each in alone if "figures" not in each])
    )


def test_what_cannot_be_fetched_ends_the_solving_at_once(tmp_path: Path) -> None:
    def fetch(parts: Path) -> None:
        raise Refused("no-command", command="npm")

    def solve(cache: Path, told: Callable[[str], object]) -> Iterator[tuple[str, bytes]]:
        for _ in range(3000):
            told("")
            time.sleep(0.01)
        yield "after half a minute", b""

    out, err = io.StringIO(), io.StringIO()
    words = ["pocket", str(tmp_path / "site")]
    assert run(words, context(tmp_path, out, err), fetch=fetch, solve=solve) == 1
    assert err.getvalue().endswith("pubdice pocket: This needs npm. It is not installed here.\n")
    assert not (tmp_path / "site").exists()


INTERRUPTED = """
import io, sys, time
from functools import partial
from pathlib import Path
from pubdice_pocket import cli
from pubdice_pocket.build import solutions
from pubdice_pocket.build.parts import run_here
from pubdice.annexes import CommandContext
from pubdice.games import GAMES
from pubdice.text.catalogues import language

def fetch(parts):
    run_here(["sleep", "60"], Path.cwd())

def solve(cache, told):
    return solutions._made({name: partial(time.sleep, 60) for name in ("one", "two")}, told, 2)

context = CommandContext(language("en"), GAMES, io.StringIO(), sys.stderr, time.monotonic, str, Path.cwd(), True)
cli.run(["pocket", "site"], context, fetch=fetch, solve=solve)
"""


def test_ctrl_c_ends_all_that_was_started_at_once(tmp_path: Path) -> None:
    """The processes of npm, pip, Node and the solver end even if the signal reaches only the main process."""
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as begun:
        until = time.monotonic() + 60
        while time.monotonic() < until and _in_session(begun.pid) < 5:
            time.sleep(0.1)
        assert _in_session(begun.pid) >= 5, "this one, sleep, multiprocessing's tracker, and two that solve"
        begun.send_signal(signal.SIGINT)
        told = begun.communicate(timeout=30)[1]
        assert begun.returncode == -signal.SIGINT
    assert told.rstrip().endswith("KeyboardInterrupt")
    until = time.monotonic() + 10
    while time.monotonic() < until and _in_session(begun.pid):
        time.sleep(0.1)
    assert _in_session(begun.pid) == 0
    assert not (tmp_path / "site").exists()


def _in_session(number: int) -> int:
    listed = subprocess.run(["ps", "-o", "stat=", "-s", str(number)], capture_output=True, text=True, check=False)
    return sum(not line.startswith("Z") for line in listed.stdout.splitlines())


def test_what_is_being_packed_ends_with_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = Event()
    monkeypatch.setattr(parts, "ended", ended)
    monkeypatch.setattr(archives, "ended", ended)
    packed = archives.packed(b"pubdice")
    assert lzma.decompress(packed) == b"pubdice"
    parts.end_work()
    with pytest.raises(InterruptedError):
        archives.packed(b"pubdice")


def test_pieces_are_packed_to_the_bytes_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    contents = Path(archives.__file__).read_bytes()
    whole = archives.packed(contents)
    monkeypatch.setattr(archives, "PIECE", 1000)
    assert archives.packed(contents) == whole


def test_a_solution_is_made_once_and_whole(tmp_path: Path) -> None:
    made, folder = [b"solved"], tmp_path / "solutions"
    assert [solutions._once(folder, "turns", made.pop), solutions._once(folder, "turns", made.pop)] == [
        ("turns", b"solved")
    ] * 2
    assert _names(folder) == {"turns"}
