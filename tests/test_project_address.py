"""Where the project is stands in one place, and every other address in the repository agrees with it."""

import re
import shutil
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import yaml

from support.annexes import of_all_annexes

ROOT = Path(__file__).parents[1]
ADDRESS = re.compile(r"(?:github\.com|ghcr\.io)/([\w.-]+)/pubdice\b|([\w.-]+)\.github\.io/pubdice\b")
UNFILLED = "_" + "OWNER_"
"""What stands where the account's name belongs: no account can have that name."""


def tracked(folder: Path) -> list[Path]:
    """Every file of the repository, but for pictures."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=folder, capture_output=True, text=True, check=True).stdout
    return [folder / name for name in listed.split("\0") if name and (folder / name).is_file()]


def text_of(file: Path) -> str:
    return file.read_text("utf-8", errors="replace")


@cache
def telling() -> dict[str, str]:
    """The texts of the repository's files in which an address of the project stands, or has to be filled in."""
    texts = {str(file.relative_to(ROOT)): text_of(file) for file in tracked(ROOT)}
    return {name: text for name, text in texts.items() if UNFILLED in text or ADDRESS.search(text)}


def named(folder: Path) -> dict[str, set[str]]:
    """The accounts that each file names in an address of the project."""
    texts = telling() if folder == ROOT else {str(file.relative_to(folder)): text_of(file) for file in tracked(folder)}
    found = {name: ADDRESS.findall(text) for name, text in texts.items()}
    return {name: {one or other for one, other in accounts} for name, accounts in found.items() if accounts}


def account(folder: Path) -> str:
    """The account that ``[project.urls]`` names."""
    urls = tomllib.loads(text_of(folder / "pyproject.toml"))["project"]["urls"]
    found = re.fullmatch(r"https://github\.com/([\w.-]+)/pubdice", urls["Repository"])
    assert found
    assert all(found[1] in url for url in urls.values())
    return found[1]


def listed(folder: Path) -> set[str]:
    """The files that the page about publishing lists."""
    table = text_of(folder / "docs/contribute/publishing.md").split("## Where the project is\n")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE))


def check(folder: Path) -> None:
    """Every address of the project names the account, and stands in a file that the page lists."""
    places = named(folder)
    assert {one for accounts in places.values() for one in accounts} == {account(folder)}
    assert places.keys() <= listed(folder)


@of_all_annexes
def test_every_address_of_the_project_agrees_with_the_one_place_and_is_listed() -> None:
    check(ROOT)
    holds = {name for name, text in telling().items() if UNFILLED in text}
    assert holds in (set(), listed(ROOT)), "every file that has to be filled in is listed, and none that hasn't"


def test_the_command_of_the_page_fills_in_every_place(tmp_path: Path) -> None:
    for name in {"pyproject.toml", "docs/contribute/publishing.md", *telling()}:  # no other file can come to differ
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    subprocess.run("git init --quiet && git add --all", shell=True, cwd=tmp_path, check=True)
    (command,) = re.findall(r"^git grep .*$", text_of(tmp_path / "docs/contribute/publishing.md"), re.MULTILINE)
    subprocess.run(command.replace("YOUR-ACCOUNT", "somebody"), shell=True, cwd=tmp_path, check=False)
    assert not [file for file in tracked(tmp_path) if UNFILLED in text_of(file)]
    check(tmp_path)
    assert account(tmp_path) in {"somebody", account(ROOT)}


def test_an_address_elsewhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "docs/contribute").mkdir(parents=True)
    for name in ("pyproject.toml", "docs/contribute/publishing.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "other.md").write_text("/".join(("Clone github.com", "stranger", "pubdice.\n")), "utf-8")
    subprocess.run("git init --quiet && git add --all", shell=True, cwd=tmp_path, check=True)
    assert named(tmp_path)["other.md"] == {"stranger"}
    assert "other.md" not in listed(tmp_path)


def test_the_citation_names_the_same_place_and_the_newest_release() -> None:
    cited = yaml.safe_load(text_of(ROOT / "CITATION.cff"))
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    assert cited["repository-code"] == project["urls"]["Repository"]
    assert cited["url"] == project["urls"]["Homepage"]
    assert (cited["version"], cited["license"]) == (project["version"], project["license"])
    assert f"## {cited['version']} ({cited['date-released']})\n" in text_of(ROOT / "CHANGELOG.md")
