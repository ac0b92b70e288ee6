"""docs/glossary.md says each word whole and once, and names nothing that is gone."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/pubdice"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs/glossary.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ")
][2:]
PLACE = re.compile(r"(?:(?P<classes>every class|`\w+`(?:, `\w+`)*) in )?`(?P<module>[\w/]+\.py)`")


def _classes(path: Path) -> set[str]:
    nodes = ast.parse(path.read_text(encoding="utf-8")).body
    return {node.name for node in nodes if isinstance(node, ast.ClassDef) and not node.name.startswith("_")}


def _named() -> dict[str, set[str]]:
    """The classes the last column names, by module."""
    named: dict[str, set[str]] = {}
    for row in ROWS:
        for place in row[3].split("; "):
            found = PLACE.fullmatch(place)
            assert found, place
            path, classes = SOURCE / found["module"], found["classes"] or ""
            assert path.exists(), place
            every = _classes(path) if classes == "every class" else set(re.findall(r"\w+", classes))
            named.setdefault(found["module"], set()).update(every)
    return named


def test_every_row_says_the_word_its_meaning_its_other_names_and_where_it_is() -> None:
    assert ROWS
    assert [row for row in ROWS if len(row) != 4 or not (row[0] and row[1] and row[3])] == []
    words = [row[0] for row in ROWS]
    assert words == sorted(set(words), key=str.lower)


def test_the_glossary_names_no_class_that_is_gone() -> None:
    assert {module: gone for module, names in _named().items() if (gone := names - _classes(SOURCE / module))} == {}
