"""The wheel of the pocket: what builds a folder, what runs in a browser, and what is said there."""

import zipfile
from pathlib import Path

from support.paths import ROOT
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
