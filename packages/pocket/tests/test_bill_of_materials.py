"""The bill of materials of a release holds all of its lock, and every part of the pocket."""

import json

from pubdice_pocket.build.parts import NPM_PACKAGES, WHEELS
from release.bill import bill, licence_named
from release.lock_file import read_lock
from support.paths import ROOT

LOCK = ROOT / "deploy/requirements.txt"
VERSION, COMMIT, EPOCH = "0.8.0", "0123456789abcdef0123456789abcdef01234567", 1_763_640_000


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
