"""No file names an address before the project has one. Publishing writes the same address into every place."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from release.address import Unplaced, places, publish
from release.index_page import absolute

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ADDRESS = re.compile(r"(?:github\.com|ghcr\.io)/([\w.-]+)/pubdice\b|([\w.-]+)\.github\.io/pubdice\b")
INDEXED = re.compile(r"pipx? (?:run|install) (?:-\S+ )*'?pubdice\b")
"""A command that asks the package index."""
UNFILLED = "_" + "OWNER_"
unpublished = pytest.mark.skipif("urls" in PROJECT, reason="the project has its address")


def texts(folder: Path) -> dict[str, str]:
    """The text of every file of the repository that stands in a folder."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = [name for name in listed.split("\0") if (folder / name).is_file()]
    return {name: (folder / name).read_text("utf-8", errors="replace") for name in names}


def accounts(folder: Path) -> dict[str, set[str]]:
    """The accounts that each file names in an address of the project."""
    found = {name: ADDRESS.findall(text) for name, text in texts(folder).items() if not name.startswith("tests/")}
    return {name: {(one or other).lower() for one, other in named} for name, named in found.items() if named}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the files that publishing writes, and of two that it must leave alone."""
    for name in (*places(ROOT), "CHANGELOG.md", "docs/contribute/publishing.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_every_address_of_the_project_is_the_one_in_its_metadata() -> None:
    assert [name for name, text in texts(ROOT).items() if UNFILLED in text] == []
    named = accounts(ROOT)
    if "urls" not in PROJECT:
        assert named == {}
        return
    (account,) = {one for found in named.values() for one in found}
    assert named.keys() == places(ROOT).keys()
    assert all(account in url.lower() for url in PROJECT["urls"].values())


@unpublished
def test_publishing_writes_an_invented_address_into_every_place(copy: Path) -> None:
    before = texts(copy)
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from pathlib import Path; from release.address import publish; "
         "print(*publish(sys.argv[1], Path(sys.argv[2])), sep='\\n')", "Red-Lion", str(copy)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert set(done.stdout.split()) == places(copy).keys()
    after = texts(copy)
    assert {name for name in before if after[name] != before[name]} == places(copy).keys()
    assert accounts(copy) == {name: {"red-lion"} for name in places(copy)}
    for name in (name for name in places(copy) if name.endswith("pyproject.toml")):
        urls = tomllib.loads(after[name])["project"]["urls"]
        assert urls["Repository"] == "https://github.com/Red-Lion/pubdice"
        page = urls["Documentation"].removeprefix("https://red-lion.github.io/pubdice/docs/").removesuffix(".html")
        assert not page or (ROOT / f"docs/{page}.md").exists(), name
    assert yaml.safe_load(after["CITATION.cff"])["url"] == "https://red-lion.github.io/pubdice/"
    assert "](https://red-lion.github.io/pubdice/)" in after["README.md"]
    assert "\ngit clone https://github.com/Red-Lion/pubdice && cd pubdice\nmake serve" in after["README.md"]
    assert yaml.safe_load(after[".github/ISSUE_TEMPLATE/config.yml"])["contact_links"][0]["url"].startswith("https://")
    for name in ("docs/host/club.md", "docs/host/operating.md"):
        assert "ghcr.io/red-lion/pubdice" in after[name]
        assert "podman build" not in after[name]
        assert "un the image of the newest" in after[name], "the page tells no reader to build it"
    terminal = after["docs/play/terminal.md"]
    assert "\ngit clone https://github.com/Red-Lion/pubdice && cd pubdice\nmake play" in terminal
    assert "| without the folder | `pipx run pubdice` plays at once" in terminal
    assert "`pipx install 'pubdice[web]'`" in terminal
    assert "install ." not in terminal
    assert "Open <https://red-lion.github.io/pubdice/>, or the link" in after["docs/play/pocket.md"]
    annexes = [text for name, text in after.items() if re.fullmatch(r"packages/\w+/README\.md", name)]
    for target in re.findall(r"red-lion\.github\.io/pubdice/docs/([\w/-]+)\.html", "".join(annexes)):
        assert (ROOT / f"docs/{target}.md").exists(), target
    assert "](../" not in "".join(annexes)
    with pytest.raises(Unplaced, match="has an address already"):
        publish("other", copy)


@unpublished
def test_no_page_for_players_installs_a_package_that_no_index_has() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs/play").glob("*.md")]
    found = [
        (page.name, line) for page in pages for line in page.read_text("utf-8").splitlines() if INDEXED.search(line)
    ]
    assert found == []
    assert INDEXED.search("`pipx install 'pubdice[web]'`")


@unpublished
@pytest.mark.parametrize("name", ["README.md", "SECURITY.md", "docs/host/club.md", "packages/lab/pyproject.toml"])
def test_a_place_that_is_gone_is_named_and_nothing_is_written(copy: Path, name: str) -> None:
    if not (copy / name).exists():
        pytest.skip("an annex that is not here")
    (copy / name).write_text("Another text.\n", "utf-8")
    before = texts(copy)
    with pytest.raises(Unplaced, match=rf"{re.escape(name)}: .*Nothing was written"):
        publish("red-lion", copy)
    assert texts(copy) == before


@pytest.mark.parametrize("account", ["", "-red", "red lion", "red/lion", "a" * 40])
def test_what_is_no_account_is_refused(copy: Path, account: str) -> None:
    with pytest.raises(Unplaced, match="no name of an account"):
        publish(account, copy)


def test_the_page_of_a_package_index_leads_into_the_release() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    page = absolute(readme, "https://github.com/red-lion/pubdice", "1.2.3")
    led = re.findall(r"\]\(https://github\.com/red-lion/pubdice/(blob|raw)/v1\.2\.3/([^)#]+)", page)
    assert len(led) > 6
    assert [target for kind, target in led if not (ROOT / target).exists()] == []
    assert {target for kind, target in led if kind == "raw"} == {"docs/phone-and-tablet.jpg"}
    assert all(target.startswith("https://") for target in re.findall(r"\]\(([^)#]+)\)", page))


def test_the_citation_names_the_newest_release() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert (cited["version"], cited["license"]) == (PROJECT["version"], PROJECT["license"])
    assert f"## {cited['version']} ({cited['date-released']})\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")
