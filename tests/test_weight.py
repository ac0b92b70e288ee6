"""The scale of the repository: what it counts, and that nothing passes or raises a ceiling."""

from pathlib import Path

import pytest

import weight
from weight import ROOT, code_lines, lowered, problems, room_of, script_lines, weigh, written

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


def test_a_room_above_its_ceiling_is_named_and_a_new_one_is() -> None:
    ceilings = {"code": {"core": 1000, "cellar": 3}}
    assert problems({"code": {"core": 1000}}, ceilings) == []
    assert problems({"code": {"core": 1001, "attic": 3}}, ceilings) == [
        "code of attic: 3 of 0 at most.",
        "code of core: 1,001 of 1,000 at most.",
    ]


def test_a_ceiling_falls_with_its_room_and_never_rises() -> None:
    ceilings = {"code": {"core": 1000, "store": 1000, "match": 1000, "cellar": 3}}
    assert lowered({"code": {"core": 500, "store": 995, "match": 2000, "attic": 3}}, ceilings) == {
        "code": {"core": 505, "store": 1000, "match": 1000}
    }


def test_every_file_is_in_a_room() -> None:
    found = weigh()
    core = ROOT / "src/pubdice"
    assert {room_of(path, core) for path in core.rglob("*.py")} <= found["code"].keys()
    assert {f"packages/{folder.name}" for folder in ROOT.glob("packages/*")} <= found["code"].keys()
    assert sum(found["code"].values()) > 30_000
    assert sum(found["documents"].values()) > 30_000


def test_what_is_too_heavy_ends_with_a_status_and_stays_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = {"code": {"core": 10}}
    monkeypatch.setattr(weight, "FILE", tmp_path / "weight.toml")
    monkeypatch.setattr(weight, "weigh", lambda: now)
    weight.FILE.write_text(written(now), "utf-8")
    assert weight.main([]) == 0
    now["code"]["core"] = 11
    assert weight.main(["--lower"]) == 1
    assert weight.main([]) == 1
    assert "code of core: 11 of 10 at most." in capsys.readouterr().out
