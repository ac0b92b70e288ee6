"""docs/build/tour.ipynb, run cell by cell: its outputs are true. "python tests/test_tour.py" writes them again."""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

TOUR = Path(__file__).parents[1] / "docs/build/tour.ipynb"


def shown(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a cell; its outputs as a notebook keeps them: what it printed, and the value of its last line."""
    tree, out, value = ast.parse(source), io.StringIO(), None
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(out):
        exec(compile(tree, TOUR.name, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), TOUR.name, "eval"), names)
    found: list[dict[str, Any]] = []
    if out.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": lines(out.getvalue())})
    if value is not None:
        data = {"text/plain": lines(repr(value))}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = lines(value._repr_svg_())
        found.append({"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data})
    return found


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def run(notebook: Any) -> list[list[dict[str, Any]]]:
    """The outputs of every cell of code, in order, as one session gives them."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [shown("".join(cell["source"]), names) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_the_tour_shows_what_stands_in_it() -> None:
    notebook = json.loads(TOUR.read_text("utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 6
    assert run(notebook) == [cell["outputs"] for cell in cells]


def test_the_tour_is_a_notebook_that_ends_in_a_picture() -> None:
    notebook = json.loads(TOUR.read_text("utf-8"))
    assert notebook["nbformat"] == 4
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    last = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"][-1]
    picture = "".join(last["outputs"][-1]["data"]["image/svg+xml"])
    assert ElementTree.fromstring(picture).tag.endswith("svg")


def main() -> None:
    """Write the outputs of every cell into the notebook."""
    notebook = json.loads(TOUR.read_text("utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell, outputs in zip(cells, run(notebook), strict=True):
        cell["outputs"] = outputs
    TOUR.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
