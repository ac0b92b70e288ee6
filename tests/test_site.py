"""The site of the documents: it builds without a warning, has every name and address, loads its own files alone."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from made_http import reference
from made_pages import markdown, unfenced, within

import pubdice
from manner import sentences
from pubdice.server.app import ROUTES
from pubdice.server.web.openapi import describe
from support.annexes import of_all_annexes

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "decisions" not in page.parts]
MOST_WORDS, MOST_IN_A_PAGE, MOST_IN_A_CELL = 38_000, 2_500, 40
pytestmark = of_all_annexes


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site. A link that leads nowhere, a page that no menu has, and a docstring that is no markup end it."""
    folder = tmp_path_factory.mktemp("site")
    flags: list[str | Path] = ["--fail-on-warning", "--keep-going", "--quiet", "--doctree-dir", folder / "trees"]
    command: list[str | Path] = [sys.executable, "-m", "sphinx", *flags, DOCS, folder / "html"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "html"


class Loaded(HTMLParser):
    """What a page loads: scripts, styles, pictures, frames."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag in ("script", "img", "iframe", "source") or (tag == "link" and "stylesheet" in (named.get("rel") or "")):
            self.addresses.append(named.get("src") or named.get("href") or "")


def test_every_page_loads_its_own_files_alone(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = Loaded(page.read_text("utf-8")).addresses
        assert [address for address in loaded if re.match(r"[a-z]+:|//", address)] == [], page.name


def test_the_menu_has_the_five_doors_on_every_page(site: Path) -> None:
    for page in (site / "index.html", site / "host/security.html"):
        doors = re.findall(r'<span class="caption-text">(.*?)</span>', page.read_text("utf-8"))
        assert list(dict.fromkeys(doors)) == ["Play", "Host", "Solve", "Build", "Contribute"]


def test_the_reference_has_every_public_name(site: Path) -> None:
    text = (site / "build/reference.html").read_text("utf-8")
    names = set(pubdice.__all__) - {"__version__"}
    assert {name for name in names if f'id="pubdice.{name}"' not in text} == set()


def test_the_http_reference_has_every_address(site: Path) -> None:
    text = re.sub(r"<[^>]+>", "", (site / "build/http-reference.html").read_text("utf-8"))
    assert [route.path for route in ROUTES if f"{route.method} {route.path}" not in text] == []


def test_the_http_reference_has_every_message_with_its_fields() -> None:
    api = describe(ROUTES, "1")
    text = reference(api)
    commands = [each["$ref"].rpartition("/")[2] for each in api["components"]["schemas"]["Request"]["anyOf"]]
    for name, schema in api["components"]["schemas"].items():
        fields = schema.get("properties", {})
        if name in commands:
            row = next(line for line in text.splitlines() if line.startswith(f"| `{fields['do']['enum'][0]}` |"))
            assert [field for field in fields if f"`{field}`" not in row] == ["do", "key", "seen"], name
        else:
            _, _, section = text.partition(f"(message-{name})=")
            assert section, name
            shown = section.partition("\n(message-")[0]
            assert [field for field in fields if f"| `{field}`" not in shown] == [], name


def test_the_description_of_a_message_is_split_into_its_fields() -> None:
    note = "A seat. name: of the player; kind, here: as told.\n\n    The turn:\n\n    - dice: Faces:\n      1 to 6.\n"
    fields = {name: {"type": "string"} for name in ("name", "kind", "here", "dice")}
    messages = {"Seat": {"description": note, "properties": fields, "required": ["name"]}}
    command = {"properties": {"do": {"enum": ["sit"]}, "key": {}}}
    api = {
        "paths": {"/a": {"get": {"summary": "A.", "responses": {"200": {"description": "Here."}}}}},
        "components": {
            "responses": {},
            "schemas": {**messages, "Sit": command, "Request": {"anyOf": [{"$ref": "x/Sit"}]}},
        },
    }
    rows = [line for line in reference(api).splitlines() if line.startswith("|")]
    assert "| `name` | text | Of the player. |" in rows
    assert {f"| `{name}` ? | text | As told. |" for name in ("kind", "here")} <= set(rows)
    assert "| `dice` ? | text | Faces: 1 to 6. |" in rows


def test_fences_of_docstrings_are_directives() -> None:
    lines = ["Examples:", "    ```python", "    a = 1", "", "    ```", "Then."]
    directive = ["    .. code-block:: python", "", "        a = 1", ""]
    assert unfenced(lines) == ["Examples:", *directive, "Then."]


def test_the_tour_shows_its_picture_and_the_search_knows_its_words(site: Path) -> None:
    assert re.search(r"<svg [^>]*viewBox=", (site / "build/tour.html").read_text("utf-8"))
    index = (site / "searchindex.js").read_text("utf-8").lower()
    assert [
        word for word in ("midnight", "postgresql", "gymnasium", "rate limit") if word.split()[0] not in index
    ] == []


def test_a_link_to_a_file_of_the_repository_leads_there_or_names_it() -> None:
    text = "See [the unit](../../deploy/pubdice.service) and [Play](../play/pocket.md#x)."
    page = "docs/host/club.md"
    assert within(text, page, "") == "See the unit (`deploy/pubdice.service`) and [Play](/play/pocket.md#x)."
    assert "(https://host/a/blob/main/deploy/pubdice.service)" in within(text, page, "https://host/a")
    assert within("[a](../../CONTRIBUTING.md#a-new-game)", page, "") == "[a](/contribute/contributing.md#a-new-game)"
    assert within("```\n[a](gone.md)\n\n```", page, "") == "```\n[a](gone.md)\n```"
    with pytest.raises(ValueError, match=r"docs/host/gone\.md"):
        within("[a](gone.md)", page, "")


def test_a_notebook_is_its_cells_and_what_they_printed() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title"]},
        {"cell_type": "code", "source": ["1 + 1"], "outputs": [{"data": {"text/plain": ["2"]}}]},
        {"cell_type": "code", "source": ["draw()"], "outputs": [{"data": {"image/svg+xml": ["<svg/>"]}}]},
    ]
    text = markdown({"cells": cells})
    assert text.startswith("# Title\n\n```python\n1 + 1\n```\n\n```text\n2\n```\n")
    assert "<div class='drawn'><svg/></div>" in text


def test_the_documents_are_short() -> None:
    words = {page.relative_to(DOCS).as_posix(): len(page.read_text("utf-8").split()) for page in PAGES}
    assert {page: number for page, number in words.items() if number > MOST_IN_A_PAGE} == {}
    assert sum(words.values()) <= MOST_WORDS


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: str(page.relative_to(DOCS)))
def test_no_cell_of_a_table_is_a_paragraph(page: Path) -> None:
    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("|")]
    assert [cell for row in rows for cell in row.split("|") if len(cell.split()) > MOST_IN_A_CELL] == []


def test_sentences_name_a_page_by_its_title() -> None:
    """A reader who installed pubdice by pip has no folder docs."""
    catalogues = (*(ROOT / "src").rglob("*.po"), *(ROOT / "packages").glob("*/src/*/de.po"))
    told = [text for path in catalogues for _, text in sentences(path.read_text("utf-8"))]
    assert [text for text in told if "docs/" in text] == []
    named = {title for text in told for title in re.findall(r'"([^"]+)" in the documents', text)}
    titles = {page.read_text("utf-8").partition("\n")[0].removeprefix("# ") for page in (ROOT / "docs").rglob("*.md")}
    assert len(named) == 3
    assert named <= titles
