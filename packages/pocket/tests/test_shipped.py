"""The wheel of the pocket: the builder, the browser's modules, and their sentences."""

import json
import zipfile
from pathlib import Path

import pytest

from pubdice_pocket.build.parts import NPM_PACKAGES, WHEELS
from release.bill import bill, licence_named
from release.lock_file import read_lock
from support.paths import ROOT
from terminal.test_languages_spoken import EVERY_CODE, is_helped_in_its_language, is_refused_in_german
from test_wheel import built


def test_the_wheel_holds_what_a_folder_is_built_of_and_no_tests(tmp_path: Path) -> None:
    names = zipfile.ZipFile(built(ROOT / "packages/pocket", tmp_path)).namelist()
    for needed in (
        "build/in_engine.mjs",
        "build/parts.py",
        "static/sw.js",
        "static/sw/lzma.js",
        "words/en.json",
        "de.po",
    ):
        assert f"pubdice_pocket/{needed}" in names
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"pubdice_pocket"}
    assert not [name for name in names if name.startswith("test") or "/test" in name or name.endswith(".pyc")]


LOCK = ROOT / "deploy/requirements.txt"
VERSION, COMMIT, EPOCH = "0.9.0", "0123456789abcdef0123456789abcdef01234567", 1_763_640_000


@pytest.mark.nightly
def test_the_bill_of_materials_names_every_part_and_who_needs_it() -> None:
    written = bill(VERSION, COMMIT, EPOCH, read_lock(LOCK))
    assert written == bill(VERSION, COMMIT, EPOCH, read_lock(LOCK))
    found = json.loads(written)
    refs = {part["bom-ref"] for part in found["components"]}
    assert refs == {
        "pubdice-pocket",
        *(f"{each.name}@{each.version}" for each in read_lock(LOCK)),
        *(f"pocket:{each.name}@{each.version}" for each in (*NPM_PACKAGES, *WHEELS)),
    }
    needed = {each["ref"]: each.get("dependsOn", []) for each in found["dependencies"]}
    assert any(ref.startswith("starlette@") for ref in needed["pubdice"])
    (starlette,) = (needs for ref, needs in needed.items() if ref.startswith("starlette@"))
    assert any(ref.startswith("anyio@") for ref in starlette)
    assert len(needed["pubdice-pocket"]) == len(NPM_PACKAGES) + len(WHEELS)
    assert found["metadata"]["timestamp"].startswith("2025-11-20T12:00:00")
    named = [part for part in found["components"] if part.get("licenses")]
    assert len(named) > len(refs) * 0.8
    assert (licence_named("starlette"), licence_named("nobody-at-all")) == ("BSD-3-Clause", "")


@EVERY_CODE
def test_its_help_is_in_the_language(code: str) -> None:
    is_helped_in_its_language("pocket", code)


def test_its_refusals_are_german_too(tmp_path: Path) -> None:
    is_refused_in_german("pocket none --verify", "Den Ordner none gibt es nicht.", tmp_path)
