"""Several files replaced as one, with a kill at every step: all of the old, or all of the new."""

import builtins
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pubdice.store import SqliteStore, staged_files
from pubdice.store.staged_files import StagedFiles

OLD = {"house.db": b"old tables", "house.db.players": b"old book", "house.db-journal": b"old journal"}
NEW = {"house.db.players": b"new book", "house.db.opened": b"new seals", "house.db": b"new tables"}
STEPS = (builtins, "open"), (io, "open"), *((os, name) for name in ("open", "rename", "replace", "remove", "unlink"))
"""The steps that change a folder. An audit hook would see them too, but it stays, and slows this process down."""


class Killed(BaseException):
    """The process ends here: nothing that comes after is done."""


class Fate:
    """Counts the steps on files of a folder, and ends the process at one of them, for good."""

    def __init__(self) -> None:
        self.folder, self.left = "", 0

    def _counting(self, step: Callable[..., Any]) -> Callable[..., Any]:
        def counted(path: Any, *more: Any, **named: Any) -> Any:
            if str(path).startswith(self.folder):
                self.left -= 1
                if self.left < 0:
                    raise Killed
            return step(path, *more, **named)

        return counted

    def run(self, folder: Path, steps: int, work: Callable[[], object]) -> bool:
        """Do something for so many steps. Return True if it came to its end."""
        self.folder, self.left = str(folder), steps
        with pytest.MonkeyPatch.context() as patch:
            for module, name in STEPS:
                patch.setattr(module, name, self._counting(getattr(module, name)))
            try:
                work()
            except Killed:
                return False
        return True


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return lay(tmp_path)


def lay(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for name, content in OLD.items():
        (folder / name).write_bytes(content)
    return folder / "house.db"


def exchange(data: Path) -> None:
    staged = StagedFiles(data)
    for name, content in NEW.items():
        with staged.create(name) as file:
            file.write(content)
    staged.commit(NEW, ["house.db-journal"])
    staged.settle()


def found(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_files_are_replaced_added_and_taken_away(data: Path) -> None:
    exchange(data)
    assert found(data.parent) == NEW


def test_a_kill_at_any_step_leaves_all_old_or_all_new(tmp_path: Path) -> None:
    fate, outcomes = Fate(), list[str]()
    for steps in range(100):
        data = lay(tmp_path / f"{steps}")
        whole = fate.run(data.parent, steps, lambda data=data: exchange(data))  # type: ignore[misc]
        again = 0  # the next start is killed at every step, too
        while not fate.run(data.parent, again, StagedFiles(data).settle):
            again += 1
            assert again < 100
        files = found(data.parent)
        assert files in (OLD, NEW), (steps, files)
        outcomes.append("new" if files == NEW else "old")
        if whole:
            break
    assert outcomes == sorted(outcomes, reverse=True), "once it counts it counts"
    assert min(outcomes.count("old"), outcomes.count("new")) > 5, outcomes


def test_everything_is_on_the_disk_before_it_counts(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    rename = Path.replace

    def renamed(path: Path, to: Path) -> Path:
        done.append(f"rename to {to.name}")
        return rename(path, to)

    monkeypatch.setattr(staged_files, "sync_file", lambda path: done.append(f"sync {path.name}"))
    monkeypatch.setattr(staged_files, "sync_folder", lambda path: done.append("sync names"))
    monkeypatch.setattr(Path, "replace", renamed)
    exchange(data)
    assert done == [
        *[f"sync house.db.new.{name}" for name in NEW],
        "sync names",
        "sync house.db.replacing.part",
        "rename to house.db.replacing",
        "sync names",
        *[f"rename to {name}" for name in NEW],
        "sync names",
        "sync names",
    ]


def test_what_the_disk_lost_before_it_was_in_place_never_counts(data: Path) -> None:
    staged = StagedFiles(data)
    for name, content in NEW.items():
        with staged.create(name) as file:
            file.write(content)
    staged.commit(NEW)
    staged.path("house.db.players").write_bytes(b"new boo")
    staged.settle()
    assert found(data.parent) == OLD


@pytest.mark.parametrize("mark", ["", "{", "[]", json.dumps({"new": []}), '{"new": {"a": "b"}'])
def test_a_mark_that_cannot_be_read_counts_for_nothing(data: Path, mark: str) -> None:
    data.with_name("house.db.replacing").write_text(mark)
    with StagedFiles(data).create("house.db") as file:
        file.write(b"half")
    StagedFiles(data).settle()
    assert found(data.parent) == OLD


def test_a_store_puts_staged_files_in_place_before_it_opens(tmp_path: Path) -> None:
    data, other = tmp_path / "house.db", tmp_path / "other.db"
    for path, code in ((data, "OLDOLD"), (other, "NEWNEW")):
        store = SqliteStore(path)
        store.create("setup")
        store.settle("name", code.encode())
        store.close()
    with StagedFiles(data).create("house.db") as file:
        file.write(other.read_bytes())
    StagedFiles(data).commit(["house.db"])
    store = SqliteStore(data)
    assert store.setting("name") == b"NEWNEW"
    store.close()
