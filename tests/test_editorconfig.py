"""Files as editors are told to keep them, and the list of the night's cases in order."""

import subprocess
from pathlib import Path

import editorconfig

ROOT = Path(__file__).parents[1]
BINARY = (".bin", ".png", ".jpg", ".jpeg", ".ico", ".zip", ".gz", ".woff2")
NOT_OURS = ("packages/pocket/src/pubdice_pocket/static/licences/",)


def wrong(name: str, written: bytes) -> list[str]:
    """What is not as the file's properties say."""
    asked = editorconfig.get_properties(str(ROOT / name))
    lines = written.split(b"\n")
    found = {
        "charset": asked.get("charset") == "utf-8" and written.decode("utf-8", "replace").encode() != written,
        "end_of_line": asked.get("end_of_line") == "lf" and b"\r\n" in written,
        "insert_final_newline": asked.get("insert_final_newline") == "true" and written[-1:] not in (b"", b"\n"),
        "trim_trailing_whitespace": asked.get("trim_trailing_whitespace") == "true"
        and any(line.endswith((b" ", b"\t")) for line in lines),
        "indent_style": asked.get("indent_style") == "space" and any(line.startswith(b"\t") for line in lines),
    }
    return [key for key, is_wrong in found.items() if is_wrong]


def test_every_file_is_as_editors_are_told_to_keep_it() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = [name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    ours = [name for name in names if not name.endswith(BINARY) and not name.startswith(NOT_OURS)]
    assert len(ours) > 900
    assert [(name, found) for name in ours if (found := wrong(name, (ROOT / name).read_bytes()))] == []


def test_it_looks() -> None:
    assert wrong("README.md", b"a \nb") == ["insert_final_newline", "trim_trailing_whitespace"]
    assert wrong("Makefile", b"all:\n\ttrue\n") == []
    assert wrong("Makefile.py", b"if x:\r\n\ttrue\r\n") == ["end_of_line", "indent_style"]


HERE = Path(__file__).parent
LINES = [line for line in (HERE / "at_night.txt").read_text().splitlines() if not line.startswith("#")]


def test_it_is_in_order_and_names_each_once() -> None:
    assert sorted(set(LINES)) == LINES
    assert [line for line in LINES if line.partition("[")[0] in LINES and "[" in line] == []
