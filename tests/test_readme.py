"""The README and the documents say what the program does."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMMAND = Path(sys.executable).with_name("pubdice")


def test_the_transcript_of_the_readme_is_what_the_program_prints(tmp_path: Path) -> None:
    found = re.search(
        r"```\n\$ pubdice ([^\n]*)\n(.*?)\n```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert found
    typed = "".join(f"{line[2:]}\n" for line in found[2].splitlines() if line.startswith("> "))
    done = subprocess.run(
        [COMMAND, *shlex.split(found[1])],
        input=typed,
        capture_output=True,
        text=True,
        env={"PUBDICE_DATA": str(tmp_path)},
        check=True,
    )
    assert done.stdout.rstrip().splitlines() == found[2].splitlines()


@pytest.mark.parametrize(
    "page", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/**/*.md")), ids=lambda page: page.name
)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_every_word_of_the_table_of_words_is_told_once() -> None:
    words = re.findall(r"^\| ([a-zA-Z1 ,]+) \|", (ROOT / "docs/glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(words) == len(set(words)) > 40


def test_the_notation_page_shows_a_record_that_replays(tmp_path: Path) -> None:
    text = (ROOT / "docs/notation.md").read_text(encoding="utf-8")
    record = text[text.index("```\npubdice 1") + 4 :].split("```")[0]
    done = subprocess.run([COMMAND, "replay", "-"], input=record, capture_output=True, text=True, check=True)
    assert "Bob scored 21" in done.stdout


@pytest.mark.parametrize(
    "folder",
    ["advice", "core", "lab", "library", "match", "room", "server", "solve", "store", "terminal", "text", "typed"],
)
def test_the_map_names_every_module(folder: str) -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    modules = {path.stem for path in (ROOT / "src/pubdice" / folder).rglob("*.py")} - {"__init__"}
    assert {name for name in modules if not re.search(rf"\b{name}\b", text)} == set()


def test_make_quick_names_tests_that_are_there() -> None:
    named = re.findall(
        r"(?:tests|src)[\w/]*(?:\.py)?(?= |$)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(named) > 20
    assert [path for path in named if not (ROOT / path).exists()] == []
