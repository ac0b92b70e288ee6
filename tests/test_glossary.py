"""docs/glossary.md has few words, each once, and each is one that the house uses."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs/glossary.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| ---", "| word |"))
]
"""The word or words of a row, their meaning, and what else they are called, which may be empty."""
WORDS = [word for row in ROWS for word in row[0].split(", ")]
MOST = 60


def test_every_row_has_words_and_a_meaning_and_there_are_few() -> None:
    assert 40 < len(ROWS) <= MOST
    assert [row for row in ROWS if len(row) != 3 or not (row[0] and row[1])] == []


def test_no_word_is_told_twice() -> None:
    assert len(set(map(str.lower, WORDS))) == len(WORDS)


def test_every_word_is_used_in_the_source_or_the_pages() -> None:
    sources = [path for kind in ("py", "html", "md") for path in sorted((ROOT / "src/pubdice").rglob(f"*.{kind}"))]
    used = " ".join(path.read_text(encoding="utf-8") for path in sources)
    assert [word for word in WORDS if not re.search(rf"\b{re.escape(word)}", used, re.IGNORECASE)] == []
