"""The types that the scripts are checked with, as ``wire.d.ts`` has them, are those of what a table sends."""

import re
from pathlib import Path

from msgspec.structs import fields

from pubdice.server import wire
from pubdice.server.web.static_files import STATIC

DECLARED = re.findall(
    r"^  interface (\w+) \{\n(.*?)^  \}", (Path(str(STATIC)).parent / "wire.d.ts").read_text("utf-8"), re.M | re.S
)


def test_every_type_of_the_scripts_has_the_fields_of_its_message() -> None:
    assert {name for name, _ in DECLARED} >= {"Update", "View", "SeatView", "DieView", "Say"}
    for name, body in DECLARED:
        declared = re.findall(r"^    (\w+)\??: ", body, re.M)
        assert declared == [field.name for field in fields(getattr(wire, name))], name
