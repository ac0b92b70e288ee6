"""Things that Sphinx lacks: notebooks as pages, the HTTP reference, links to other files, fenced code in docstrings.

A notebook is not run here: its outputs stand in its file, and ``tests/test_tour.py`` runs it and compares them.
"""

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from docutils import nodes
from made_http import reference
from myst_parser.parsers.sphinx_ import MystParser
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

import pubdice
from pubdice.server.app import ROUTES
from pubdice.server.web.openapi import describe

ROOT = Path(__file__).parents[1]
SHOWN = {
    "CHANGELOG.md": "contribute/changes.md",
    "CONTRIBUTING.md": "contribute/contributing.md",
    "SECURITY.md": "host/security.md",
    "benchmarks/README.md": "contribute/benchmarks.md",
    "docs/decisions": "decisions/index.md",
}
"""Paths of the repository that are no pages here, and the page of the site that shows each."""
BLANK_END = re.compile(r"\n\n+(?= *```\Z)")
"""The empty line that doctest wants behind an example's last output."""
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")


def within(text: str, page: str, repository: str) -> str:
    """A page's Markdown for the site. A link to a file that is no page leads to the repository, or names the file.

    The links are relative to ``page``, a path from the repository's root. ``repository`` is the address of the
    repository, or "" as long as the project is not published. Raises ValueError if a link leads to no file.
    """

    def led(link: re.Match[str]) -> str:
        words, target = link[1], link[2]
        if re.match(r"[a-z]+:|#", target):
            return link[0]
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        if shown := SHOWN.get(path):
            return f"[{words}](/{shown}{anchor and '#' + anchor})"
        if path.startswith("docs/") and (ROOT / path).is_file() and path.endswith((".md", ".ipynb", ".jpg", ".svg")):
            return f"[{words}](/{path.removeprefix('docs/')}{anchor and '#' + anchor})"
        if not (ROOT / path).exists():
            raise ValueError(f"{page} links to {path}, which is not there")
        if repository:
            return f"[{words}]({repository}/blob/main/{path})"
        return f"{words} (`{path}`)" if words.strip("`") != path else words

    parts = re.split(r"(^ *```.*?^ *```)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(BLANK_END.sub("\n", part) if at % 2 else LINK.sub(led, part) for at, part in enumerate(parts))


def _lead(app: Sphinx, name: str, content: list[str]) -> None:
    """Rewrite the links of a page that Sphinx has just read."""
    page = next((path for path, at in SHOWN.items() if at == f"{name}.md" and path.endswith(".md")), None)
    if page and "```{shown}" in content[0]:
        text = (ROOT / page).read_text("utf-8")
        content[0] = within(text, page, app.config.repository)
    elif Path(app.env.doc2path(name)).suffix == ".md":
        content[0] = within(content[0], f"docs/{name}.md", app.config.repository)


def markdown(notebook: Mapping[str, Any]) -> str:
    """A notebook as Markdown: its cells, and behind each what it printed or drew."""
    return "\n\n".join(part for cell in notebook["cells"] for part in _cell(cell)) + "\n"


def _cell(cell: Mapping[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    yield source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```"
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        if picture := data.get("image/svg+xml"):
            drawn = "".join(picture).replace("\n", " ")
            yield f"```{{raw}} html\n<div class='drawn'>{drawn}</div>\n```"
        elif text := "".join(output.get("text", data.get("text/plain", ""))).rstrip():
            yield f"```text\n{text}\n```"


class Notebook(MystParser):
    """Reads a notebook as the Markdown of its cells."""

    supported = ("ipynb",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Read a notebook's JSON into ``document``."""
        super().parse(markdown(json.loads(inputstring)), document)


class HttpAddresses(SphinxDirective):
    """``{http-addresses}``: the HTTP reference, from the description that a house serves at ``/openapi.json``."""

    def run(self) -> list[nodes.Node]:
        """Draw every address and message."""
        self.env.note_reread()
        text = reference(describe(ROUTES, self.config.release))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def unfenced(lines: list[str]) -> list[str]:
    """A docstring's lines with each fence of Markdown as a directive of reStructuredText."""
    found, inside = list[str](), False
    for line in lines:
        fence = line.strip().startswith("```")
        inside ^= fence
        if fence:
            found += [line.replace("```", ".. code-block:: "), ""] if inside else []
        else:
            found.append(f"    {line}" if inside and line else line)
    return found


def _unfence(app: Sphinx, what: str, name: str, *of_it: Any) -> None:
    """Rewrite a docstring that autodoc has just read. Its lines come last."""
    of_it[-1][:] = unfenced(of_it[-1])


def _unsigned(app: Sphinx, what: str, *of_it: object) -> tuple[str, None] | None:
    """Leave out how a class is made. Readers get their objects from functions."""
    return ("", None) if what in ("class", "exception") else None


def _public(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, shown: nodes.TextElement
) -> nodes.Element | None:
    """The link of a public type in a signature. The signature names its module, the page its public name."""
    name = str(node.get("reftarget")).rpartition(".")[2]
    if node.get("refdomain") != "py" or name not in pubdice.__all__:
        return None
    return env.get_domain("py").resolve_xref(env, node["refdoc"], app.builder, "obj", f"pubdice.{name}", node, shown)


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the parser, the directive and the links."""
    app.add_config_value("repository", "", "env", str)
    app.add_source_suffix(".ipynb", "ipynb")
    app.add_source_parser(Notebook)
    app.add_directive("http-addresses", HttpAddresses)
    app.connect("source-read", _lead)
    app.connect("autodoc-process-docstring", _unfence, priority=400)  # before napoleon
    app.connect("autodoc-process-signature", _unsigned)
    app.connect("missing-reference", _public)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
