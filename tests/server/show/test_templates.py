"""Templates are compiled once for all starts of a house, one at a time. Damaged or missing files cost no page."""

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from stat import S_IMODE

import jinja2
import pytest

from pubdice.server import app
from pubdice.server.web import render


def test_all_are_compiled_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    render._house.cache_clear()
    monkeypatch.setattr(app, "APART_S", 0.001)
    compiled: list[int] = []

    async def opening() -> None:
        cache = render._house().cache
        assert cache is not None
        app.load_templates(render.templates())
        while len(cache) < len(render.templates()):
            compiled.append(len(cache))
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(opening(), 30))
    assert {name for name in render.templates() if name.startswith(("front", "table", "play"))}
    assert compiled[0] == 1, "others have their turn after the first"
    assert sorted(set(compiled)) == list(range(1, len(render.templates())))


FEW = ("evening.html", "help.html", "privacy.html")


@pytest.fixture
def all_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """The names of templates compiled, in a house whose cache is empty."""
    found: list[str] = []
    compile_template = jinja2.Environment.compile

    def noting(env: jinja2.Environment, source: str, name: str, *rest: object) -> object:
        found.append(name)
        return compile_template(env, source, name, *rest)  # type: ignore[call-overload]

    monkeypatch.setattr(jinja2.Environment, "compile", noting)
    monkeypatch.setenv("PUBDICE_CACHE", str(tmp_path / "cache"))
    yield found
    render._house.cache_clear()


@pytest.fixture
def compiled(all_compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The same, in a house that has three templates: each is kept in a file of its own, so three tell as much."""
    assert set(FEW) < set(render.templates())
    monkeypatch.setattr(render, "templates", lambda: FEW)
    return all_compiled


def start() -> None:
    """Load all templates, as a house does that starts."""
    render._house.cache_clear()
    for name in render.templates():
        render.load(name)


def test_a_second_start_compiles_nothing(all_compiled: list[str], tmp_path: Path) -> None:
    start()
    assert sorted(all_compiled) == list(render.templates())
    all_compiled.clear()
    start()
    assert all_compiled == []
    (folder,) = (tmp_path / "cache").iterdir()
    assert len(list(folder.iterdir())) == len(render.templates()), "one file each, and none besides"


def test_a_template_that_has_changed_is_compiled(compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    start()
    read = render._template
    monkeypatch.setattr(render, "_template", lambda name: read(name) + (" " if name == "help.html" else ""))
    compiled.clear()
    start()
    assert compiled == ["help.html"]


def one_bit_off(code: bytes) -> bytes:
    """As a disk may give it back: still bytecode that loads, for the most part."""
    return code[:-40] + bytes([code[-40] ^ 4]) + code[-39:]


@pytest.mark.parametrize("damage", [lambda code: b"", lambda code: code[:40], one_bit_off], ids=["empty", "cut", "bit"])
def test_damaged_files_are_compiled_and_written_again(
    damage: Callable[[bytes], bytes], compiled: list[str], tmp_path: Path
) -> None:
    start()
    for file in (tmp_path / "cache").rglob("*.bin"):
        file.write_bytes(damage(file.read_bytes()))
    compiled.clear()
    start()
    assert sorted(compiled) == list(render.templates())
    compiled.clear()
    start()
    assert compiled == []


def test_what_another_jinja_compiled_is_compiled_again(compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    start()
    compiled.clear()
    monkeypatch.setattr(jinja2, "__version__", "0")
    start()
    assert sorted(compiled) == list(render.templates())


def test_only_the_user_may_read_kept_templates(compiled: list[str], tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        start()
    finally:
        os.umask(before)
    (folder,) = (tmp_path / "cache").iterdir()
    assert {S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert S_IMODE(folder.stat().st_mode) == 0o700


def put_elsewhere(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def put_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    "hostile", [put_elsewhere, put_a_pipe, lambda path: path.chmod(0o620), lambda path: path.chmod(0o602)]
)
def test_a_template_that_others_may_write_is_compiled(
    hostile: Callable[[Path], None], compiled: list[str], tmp_path: Path
) -> None:
    start()
    compiled.clear()
    (file,) = (path for path in (tmp_path / "cache").rglob("*.bin") if b"help.html" in path.read_bytes())
    hostile(file)
    start()
    assert compiled == ["help.html"]


@pytest.mark.parametrize(
    "hostile",
    [put_elsewhere, lambda path: path.chmod(0o770), lambda path: path.chmod(0o707)],
    ids=["link", "group", "all"],
)
def test_a_folder_that_others_may_write_is_not_used(
    hostile: Callable[[Path], None], compiled: list[str], tmp_path: Path
) -> None:
    start()
    (folder,) = (tmp_path / "cache").iterdir()
    hostile(folder)
    for _ in range(2):
        compiled.clear()
        start()
        assert sorted(compiled) == list(render.templates())


def test_a_folder_of_another_user_is_not_used(
    compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start()
    compiled.clear()
    monkeypatch.setattr(os, "getuid", lambda: (tmp_path / "cache").stat().st_uid + 1)
    start()
    assert sorted(compiled) == list(render.templates())


def test_a_folder_that_cannot_be_written_holds_up_no_page(compiled: list[str], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    start()
    assert sorted(compiled) == list(render.templates())


def test_a_folder_removed_meanwhile_holds_up_no_page(
    compiled: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    render._house.cache_clear()
    render._house()
    for folder in (tmp_path / "cache").iterdir():
        folder.rmdir()
    for name in render.templates():
        render.load(name)
    assert sorted(compiled) == list(render.templates())
