"""The workflows: what linters say, and that nothing is published which two machines have not built alike."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from deploy.deployed import ROOT, ran, tool
from release.make_release import sums
from release.notes import NotReady, notes

FOLDER = ROOT / ".github"
WORKFLOWS = sorted((FOLDER / "workflows").glob("*.yml"))
RELEASE = FOLDER / "workflows" / "release.yml"
PUBLISHES = {"package", "image", "image-name", "pocket", "page"}


def jobs(file: Path) -> Any:
    return yaml.safe_load(file.read_text("utf-8"))["jobs"]


def needed(name: str) -> set[str]:
    """All jobs that have to end well before a job of the release begins."""
    asked = jobs(RELEASE)[name].get("needs", [])
    direct = {asked} if isinstance(asked, str) else set(asked)
    return direct.union(*(needed(each) for each in direct))


def script(job: str, step: str) -> str:
    (found,) = (each["run"] for each in jobs(RELEASE)[job]["steps"] if each.get("name") == step)
    return str(found)


def test_the_linters_find_nothing_and_look(tmp_path: Path) -> None:
    assert ran(tool("actionlint"), *WORKFLOWS).stdout == ""
    strict = ("--offline", "--persona", "pedantic", "--quiet", "--no-progress")
    assert ran(tool("zizmor"), *strict, FOLDER).returncode == 0
    text = RELEASE.read_text("utf-8")
    worse = tmp_path / "worse.yml"
    worse.write_text(text.replace("needs: package", "needs: packages"), "utf-8")
    assert "packages" in ran(tool("actionlint"), worse).stdout
    worse.write_text(re.sub(r"checkout@\w+", "checkout@main", text), "utf-8")
    assert ran(tool("zizmor"), *strict, worse).returncode != 0


@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ("github-workflows", "workflows/*.yml"),
        ("github-issue-forms", "ISSUE_TEMPLATE/[!c]*.yml"),
        ("github-issue-config", "ISSUE_TEMPLATE/config.yml"),
        ("dependabot", "dependabot.yml"),
        ("citation-file-format", "../CITATION.cff"),
    ],
)
def test_each_file_keeps_to_its_schema(schema: str, pattern: str) -> None:
    import check_jsonschema  # noqa: PLC0415 - it compiles 38 grammars as it is loaded, which one process alone need do

    files = sorted(FOLDER.glob(pattern)) or [(FOLDER / pattern).resolve()]
    asked = ["--builtin-schema", f"vendor.{schema}", *map(str, files)]
    found = CliRunner().invoke(check_jsonschema.main, asked)
    assert found.exit_code == 0, found.output


def test_actions_are_github_s_own_and_named_by_a_commit() -> None:
    used = {each for file in WORKFLOWS for each in re.findall(r"uses: (.*)", file.read_text("utf-8"))}
    assert used
    assert [each for each in used if not re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each)] == []
    assert len({each.split("@")[0] for each in used}) == len(used), "the same commit everywhere"


def test_a_release_waits_for_two_machines_with_the_same_bytes() -> None:
    release = jobs(RELEASE)
    writes = {name for name, job in release.items() if {"write"} & set(map(str, job["permissions"].values()))}
    assert writes == PUBLISHES
    assert all({"notes", "build", "compare"} <= needed(name) for name in PUBLISHES)
    assert needed("page") == release.keys() - {"page"}, "the page comes last"
    assert "image" in needed("package"), "what can't be taken back, after what may still fail"
    assert len(release["build"]["strategy"]["matrix"]["copy"]) == 2
    for name in PUBLISHES - {"image-name"}:
        taken = [each["with"]["name"] for each in release[name]["steps"] if "download" in each.get("uses", "")]
        assert "release" in taken, "the bytes that were compared, and no others"
        assert not [each for each in release[name]["steps"] if "make release" in each.get("run", "")]


def test_solved_tables_come_from_the_compared_wheel() -> None:
    """``packages/lab/tests/test_paper.py`` makes them."""
    step = script("paper", "paper")
    assert 'made/"$folder"/pubdice-*.whl' in step
    assert "make " not in step
    made = re.search(r'--file "(\$folder-solved\.tar\.gz)" "\$folder-solved"', step)
    assert made is not None
    assert f'"{made[1]}"' in script("page", "page"), "and stand on the release's page"


def test_a_step_that_is_tried_again_lays_a_site_of_its_own() -> None:
    """Where a run has two sites under one name, GitHub lays neither."""
    steps = [each["with"] for each in jobs(RELEASE)["pocket"]["steps"] if "pages" in each.get("uses", "")]
    (laid, taken) = (steps[0]["name"], steps[1]["artifact_name"])
    assert laid == taken
    assert "github.run_attempt" in laid


def test_only_a_tag_of_a_version_publishes() -> None:
    text = RELEASE.read_text("utf-8")
    assert re.findall(r"^on:\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL) == [
        '  push:\n    tags: ["v[0-9]+.[0-9]+.[0-9]+"]'
    ]
    assert "secrets." not in text, "no password that somebody could lose"


def test_copies_that_differ_by_a_byte_are_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "copy-one" / "pubdice-1.2.3"
    (folder / "deploy").mkdir(parents=True)
    (folder / "a.whl").write_bytes(b"wheel")
    (folder / "deploy" / "roll").write_bytes(b"roll")
    (folder / "SHA256SUMS").write_text(sums(folder), "ascii")
    shutil.copytree(tmp_path / "copy-one", tmp_path / "copy-two")

    def compare() -> int:
        words, environ = ["bash", "-e", "-c", script("compare", "compare")], {**os.environ, "TAG": "v1.2.3"}
        return subprocess.run(words, cwd=tmp_path, env=environ, capture_output=True, check=False).returncode

    assert compare() == 0
    (tmp_path / "copy-two" / "pubdice-1.2.3" / "a.whl").write_bytes(b"whee!")
    assert compare() != 0
    (folder / "a.whl").write_bytes(b"whee!")
    assert compare() != 0, "both the same, and neither as its sums say"


def test_the_shell_of_every_step_can_be_read() -> None:
    steps = [each["run"] for file in WORKFLOWS for job in jobs(file).values() for each in job["steps"] if "run" in each]
    assert len(steps) > 8
    for step in steps:
        assert subprocess.run(["bash", "-n", "-c", step], capture_output=True, check=False).returncode == 0, step


def released(
    folder: Path,
    *,
    version: str = "1.2.3",
    urls: str = '[project.urls]\nRepository = "https://github.com/red-lion/it"\n',
    unreleased: str = "",
) -> Path:
    (folder / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n{urls}', "utf-8")
    told = "### Added\n\n- Ships.\n"
    (folder / "CHANGELOG.md").write_text(
        f"# Changelog\n\n## Unreleased\n{unreleased}\n## 1.2.3 (2026-01-02)\n\n{told}\n## 1.2.2 (2026-01-01)\n\nOld.\n",
        "utf-8",
    )
    return folder


def test_the_notes_of_a_release_are_its_part_of_the_changelog(tmp_path: Path) -> None:
    assert notes("v1.2.3", released(tmp_path)) == "### Added\n\n- Ships.\n"


@pytest.mark.parametrize(
    ("tag", "wrong", "why"),
    [
        ("v1.2.4", {}, "it would be v1.2.3"),
        ("1.2.3", {}, "it would be v1.2.3"),
        ("v1.2.4", {"version": "1.2.4"}, "has no section 1.2.4"),
        ("v1.2.3", {"urls": ""}, "no address yet"),
        ("v1.2.3", {"unreleased": "\n- More.\n"}, "unreleased lines"),
    ],
)
def test_a_tag_that_names_no_release_is_refused_in_a_sentence(
    tmp_path: Path, tag: str, wrong: dict[str, str], why: str
) -> None:
    with pytest.raises(NotReady, match=re.escape(why)):
        notes(tag, released(tmp_path, **wrong))


def test_hooks_before_a_commit_call_the_project_s_own_lint() -> None:
    asked = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    entries = [hook["entry"] for repo in asked["repos"] for hook in repo["hooks"]]
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = [words.split()[2:] for words in entries]
    assert named == [["lint"], ["types", "imports"]]
    assert {each for words in named for each in words} <= targets


def test_the_page_about_publishing_names_the_workflow_s_needs() -> None:
    text = (ROOT / "docs/contribute/publishing.md").read_text("utf-8")
    once = text.split("## Five things to do once\n")[1].split("\n## ")[0]
    assert len(re.findall(r"^\d\. ", once, re.MULTILINE)) == 5
    environments = {job["environment"]["name"] for job in jobs(RELEASE).values() if "environment" in job}
    assert {f"`{name}`" for name in environments | {RELEASE.name}} <= set(re.findall(r"`[^`]+`", once))
