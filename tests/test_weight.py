"""The scale of the repository: what it counts, and that a room that grows unsaid is named."""

from pathlib import Path

import pytest

import weight
from weight import ROOT, code_lines, problems, room_of, script_lines, weigh, written

MODULE = '''"""A docstring
of two lines."""

import os
from pathlib import (
    Path,
)

MOST = 5
"""Why five."""


def told(name: str) -> str:
    """One more."""
    # why this line
    text = """a text
    of two lines"""
    return text + name  # and this
'''


def test_code_is_counted_without_blanks_comments_docstrings_and_imports() -> None:
    assert code_lines(MODULE) == 5


@pytest.mark.parametrize(
    ("suffix", "text", "number"),
    [
        (".js", "/** A\n comment. */\n\nconst a = 'http://x';\n// one more\nlet b; // and this\n", 2),
        (".css", "/* A\n comment. */\na { color: red }\n\nb { }\n", 2),
        (".html", "<!-- a -->\n{# b\nc #}\n<p>\n</p>\n", 2),
    ],
)
def test_scripts_are_counted_without_blanks_and_comments(suffix: str, text: str, number: int) -> None:
    assert script_lines(text, suffix) == number


def test_a_room_that_grows_by_more_than_a_hundredth_is_named_and_one_that_shrinks_is_not() -> None:
    known = {"code": {"core": 1000, "store": 1000}}
    assert problems({"code": {"core": 1010, "store": 10}}, known) == []
    assert problems({"code": {"core": 1011, "store": 1000}}, known) == [
        "code of core: 1,011 now, 1,000 is written down (1.1 % more)."
    ]


def test_a_room_that_is_new_is_named_and_one_that_is_gone_is_not() -> None:
    told = problems({"code": {"attic": 3}}, {"code": {"cellar": 3}})
    assert told == ["code of attic: 3 now, nothing is written down."]


def test_every_file_is_in_a_room(tmp_path: Path) -> None:
    found = weigh()
    core = ROOT / "src/pubdice"
    assert {room_of(path, core) for path in core.rglob("*.py")} <= found["code"].keys()
    assert {f"packages/{folder.name}" for folder in ROOT.glob("packages/*")} <= found["code"].keys()
    assert sum(found["code"].values()) > 30_000
    assert sum(found["documents"].values()) > 30_000


def test_it_ends_with_a_status_and_writes_what_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(weight, "FILE", tmp_path / "weight.toml")
    assert weight.main(["--write"]) == 0
    assert weight.main([]) == 0
    light = {kind: dict.fromkeys(rooms, 1) for kind, rooms in weigh().items()}
    (tmp_path / "weight.toml").write_text(written(light), "utf-8")
    assert weight.main([]) == 1
    assert "run make weight, and say in the commit what weighs more" in capsys.readouterr().out
