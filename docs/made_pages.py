"""Three things that Sphinx does not bring: a notebook as a page, the HTTP reference, links to files that are no pages.

A notebook is not run here: its outputs stand in its file, and ``tests/test_tour.py`` runs it and compares them.
"""

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

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
    return "".join(part if at % 2 else LINK.sub(led, part) for at, part in enumerate(parts))


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
            yield "```{raw} html\n<div class='drawn'>" + "".join(picture).replace("\n", " ") + "</div>\n```"
        elif text := "".join(output.get("text", data.get("text/plain", ""))).rstrip():
            yield f"```text\n{text}\n```"


class Notebook(MystParser):
    """Reads a notebook as the Markdown of its cells."""

    supported = ("ipynb",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Read a notebook's JSON into ``document``."""
        super().parse(markdown(json.loads(inputstring)), document)


def _type(schema: Mapping[str, Any] | bool) -> str:
    """A field's type in a few words: ``string``, ``list of Tile``, ``"a" or "b"``."""
    if isinstance(schema, bool):
        return "anything"
    if ref := schema.get("$ref"):
        return f"{ref.rsplit('/', 1)[1]}"
    if values := schema.get("enum"):
        return " or ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in values)
    if several := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(_type(one) for one in several))
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if kind == "object" and isinstance(more := schema.get("additionalProperties"), dict):
        return f"map to {_type(more)}"
    bounds = [str(schema[key]) for key in ("minimum", "maximum") if key in schema]
    if kind == "string" and "maxLength" in schema:
        return f"string of {schema.get('minLength', 0)} to {schema['maxLength']} characters"
    return f"{kind} ({' to '.join(bounds)})" if len(bounds) == 2 else str(kind)


def addresses(api: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the page about HTTP: every address, then every message, from the OpenAPI description."""
    yield "## Addresses\n"
    for path, operations in api["paths"].items():
        for method, operation in operations.items():
            if method != "head":
                yield f"### `{method.upper()} {path}`\n"
                yield from _address(operation)
    yield "## Messages\n"
    for name, schema in api["components"]["schemas"].items():
        yield f"### {name}\n"
        if told := schema.get("description"):
            yield f"{told}\n"
        yield from _fields(schema)


def _address(operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"{operation['summary']}\n"
    for parameter in operation.get("parameters", ()):
        told = parameter.get("description", "")
        yield f"- `{parameter['name']}` in the {parameter['in']}: {told or _type(parameter['schema'])}"
    for kind, body in operation.get("requestBody", {}).get("content", {}).items():
        yield f"- takes `{kind}`: {_type(body['schema'])}"
    answers = operation["responses"]
    refused = [status for status, answer in answers.items() if "$ref" in answer]
    for status, answer in answers.items():
        if status not in refused:
            kinds = [f"`{kind}`: {_type(body['schema'])}" for kind, body in answer.get("content", {}).items()]
            yield f"- {status} {'; '.join(kinds) or answer['description']}"
    yield f"- refused with {', '.join(refused)}\n" if refused else ""


def _fields(schema: Mapping[str, Any]) -> Iterator[str]:
    needed = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        told = f": {field['description']}" if "description" in field else ""
        yield f"- `{name}`, {_type(field)}{'' if name in needed else ', optional'}{told}"
    if "properties" not in schema:
        yield f"- {_type(schema)}"
    yield ""


class HttpAddresses(SphinxDirective):
    """``{http-addresses}``: the HTTP reference, from the description that a house serves at ``/openapi.json``."""

    def run(self) -> list[nodes.Node]:
        """Draw every address and message."""
        text = "\n".join(addresses(describe(ROUTES, self.config.release)))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the parser, the directive and the links."""
    app.add_config_value("repository", "", "env", str)
    app.add_source_suffix(".ipynb", "ipynb")
    app.add_source_parser(Notebook)
    app.add_directive("http-addresses", HttpAddresses)
    app.connect("source-read", _lead)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
