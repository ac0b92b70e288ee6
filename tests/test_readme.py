"""The README and the documents say what the program does."""

import os
import re
import shlex
import subprocess
import tomllib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from benchmarks.first_minutes import BEGIN, END, PAGE, FirstMinutes
from pubdice import annexes
from pubdice.cli import COMMANDS, HOUSE
from pubdice.games import GAMES
from support.annexes import of_all_annexes
from support.console import COMMAND, pubdice

ROOT = Path(__file__).parents[1]


def test_the_transcript_of_a_match_is_what_the_program_prints(tmp_path: Path) -> None:
    found = re.search(
        r"```\n\$ pubdice ([^\n]*)\n(.*?)\n```", (ROOT / "docs/play/terminal.md").read_text(encoding="utf-8"), re.DOTALL
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


def test_the_readme_is_one_screen_with_a_picture_that_loads_at_once() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(page.splitlines()) <= 60
    (picture,) = re.findall(r"^!\[[^\]]{20,}\]\((docs/[\w-]+\.jpg)\)$", page, re.MULTILINE)
    assert (ROOT / picture).stat().st_size < 120_000


@of_all_annexes
@pytest.mark.parametrize(
    "page", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/**/*.md")), ids=lambda page: page.name
)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


PAGES = [
    page
    for pattern in ("*.md", "docs/**/*.md", "benchmarks/*.md", "tests/*/*.md", "packages/*/*.md")
    for page in ROOT.glob(pattern)
]
FOLDERS = ("src", "packages", "tests", "docs", "deploy", "benchmarks", "release", "examples")
SOURCE_FILE = re.compile(
    r"(?<![\w/.:{~$-])((?:[\w@-]+/)*[\w@-]+\.(?:py|sql|js|mjs|md|yaml|css|html|service|toml))\b(?![\w/(*])"
)
IN_A_FOLDER = re.compile(rf"(?<![\w/.:{{~$-])((?:{'|'.join(FOLDERS)})(?:/[\w@.-]+)+)")
MADE_LATER = {"pocket/licences.html", "server/pages/X.py", "X.html", "bot.py"}
"""Files that a build makes, or that somebody who adds a page or a bot does."""
A_COMMAND = re.compile(r"^(?:\S*/)?(pubdice|make|python3?)((?: [^\s#&|]+)+)", re.MULTILINE)


@cache
def help_of(*words: str) -> str:
    told = pubdice(*words, "--help")
    assert (told.status, told.err) == (0, "")
    return told.out


def spoken(page: Path) -> list[str]:
    """The code of a page: its blocks, and what stands in backquotes."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [block.replace("\\\n", " ") for block in blocks] + re.findall(r"`([^`\n]+)`", text)


@of_all_annexes
def test_every_file_that_a_page_names_is_there() -> None:
    files = {file.relative_to(ROOT).as_posix() for folder in FOLDERS for file in (ROOT / folder).rglob("*.*")}
    files |= {file.name for file in ROOT.glob("*.*")}
    ends = {"/".join(file.split("/")[at:]) for file in files for at in range(file.count("/") + 1)}
    ends |= {end.replace("pubdice_pocket/static/", "pocket/") for end in ends}  # as a built pocket has them
    named = [(page.name, path) for page in PAGES for code in spoken(page) for path in SOURCE_FILE.findall(code)]
    assert len(named) > 200
    assert [each for each in named if each[1] not in ends | MADE_LATER and "CODE" not in each[1]] == []
    folders = [(page.name, path) for page in PAGES for code in spoken(page) for path in IN_A_FOLDER.findall(code)]
    assert [each for each in folders if not (ROOT / each[1]).exists() and "CODE" not in each[1]] == []


@of_all_annexes
def test_every_command_that_a_page_names_is_there_with_its_flags() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    asked: dict[str, set[str]] = {}
    for program, words in (found for page in PAGES for code in spoken(page) for found in A_COMMAND.findall(code)):
        first, *others = words.split()
        if program == "make":
            assert first in targets, words
        elif program == "pubdice" and re.fullmatch("[a-z][a-z-]*", first):
            flags = (re.match(r"--[a-z][a-z-]*", word) for word in others)
            asked.setdefault(first, set()).update(flag[0] for flag in flags if flag)
        elif first == "-m":
            assert find_spec(others[0]), words
    assert asked.keys() <= {*COMMANDS, *HOUSE, *annexes.names()}
    assert len(asked.keys() & {*HOUSE, "pocket"}) > 5
    for command in sorted(asked.keys() & {*HOUSE, "pocket"}):  # other commands have flags by game
        assert asked[command] <= set(re.findall(r"--[a-z][a-z-]*", help_of(command))), command


def test_a_command_that_a_page_names_asks_for_bots_that_its_game_has() -> None:
    asked = re.compile(r"pubdice \w+ (\w+)\b[^\n|]*? --(?:seats|bots) ([a-z][\w,:]+)")
    named = {(page.name, *found) for page in PAGES for code in spoken(page) for found in asked.findall(code)}
    assert {page for page, _, _ in named} >= {"README.md", "laboratory.md", "terminal.md"}
    for page, game, bots in named:
        if page != "CHANGELOG.md":  # it names old mistakes
            for bot in bots.split(","):
                assert bot in ("you", "Ann") or GAMES[game].read_bot(bot), (page, game)


def test_the_map_names_every_room() -> None:
    text = (ROOT / "docs/contribute/architecture.md").read_text(encoding="utf-8")
    rooms = {path.parent.name for path in (ROOT / "src/pubdice").rglob("__init__.py")} - {"pubdice"}
    assert {name for name in rooms if not re.search(rf"\b{name}\b", text)} == set()


def test_the_changelog_goes_by_releases_and_the_newest_is_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first, *releases = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert first == "Unreleased"
    numbers = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+) \(20\d\d-\d\d-\d\d\)", each) for each in releases]
    versions = [tuple(map(int, found.groups())) for found in numbers if found]
    assert len(versions) == len(releases)
    assert versions == sorted(set(versions), reverse=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == ".".join(map(str, versions[0]))
    sections = set(re.findall(r"^### (.+)$", text, re.MULTILINE))
    assert sections <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_make_quick_names_tests_that_are_there() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    (laws,) = re.findall(r"(?m)^LAWS := (.*)$", text)
    text = text.replace("$(LAWS)", laws)
    named = re.findall(r"(?<![\w/])(?:tests|src|packages)[\w/]*(?:\.py)?(?= |$)", text, re.MULTILINE)
    assert len(named) > 20
    assert [path for path in named if not (ROOT / path).exists()] == []


def asked_of(python: str) -> str:
    """The version of a Python that can make environments, such as "3.11"; "" if it can't, or is none."""
    command = f"{python} -c 'import ensurepip, sys; print(\"%d.%d\" % sys.version_info[:2])'"
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False).stdout.strip()


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
TRIED = tuple(name.rpartition(" ")[2] for name in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", name))
"""The Pythons that the package's page names."""


def test_every_place_names_the_same_pythons() -> None:
    """The oldest and the newest are tried by the workflow, and make takes any of them."""
    oldest, newest = TRIED[0], TRIED[-1]
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text("utf-8"))
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == [oldest, newest]
    assert PROJECT["requires-python"] == f">={oldest}"
    suits = f"not ({oldest.replace('.', ', ')}) <= sys.version_info[:2] <= ({newest.replace('.', ', ')})"
    assert suits in (ROOT / "Makefile").read_text("utf-8")
    assert f"if that is {oldest} to {newest} " in (ROOT / "docs/decisions/0003-venv-and-pip.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("first", "words", "expected"),
    [("shims", [], "/usr/bin/python3"), ("bin", [], "python3"), ("shims", ["PYTHON=python3.13"], "python3.13")],
    ids=["pyenv's", "another", "named"],
)
def test_make_takes_the_systems_python_in_place_of_pyenvs_alone(
    first: str, words: list[str], expected: str, tmp_path: Path
) -> None:
    if expected.startswith("/") and asked_of(expected) not in TRIED:
        expected = "python3"
    python = tmp_path / first / "python3"
    python.parent.mkdir()
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    environ = {"PATH": f"{python.parent}:{os.environ['PATH']}"}
    asked = ["make", "--silent", "--eval", "shown: ; @echo $(PYTHON)", "shown", *words]
    shown = subprocess.run(asked, cwd=ROOT, env=environ, capture_output=True, text=True, check=True).stdout
    assert shown == f"{expected}\n"


README = (ROOT / "README.md").read_text(encoding="utf-8")
START, COMMANDS_PAGE = ((ROOT / f"docs/play/{page}.md").read_text(encoding="utf-8") for page in ("start", "terminal"))


def test_the_python_of_the_readme_prints_what_stands_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    source = README.partition("```python\n")[2].partition("```")[0]
    beside = re.findall(r"^print\(.*\)  # (.+)$", source, re.MULTILINE)
    assert len(beside) == 2
    exec(compile(source, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == beside


LISTED = (*COMMANDS, *HOUSE, *annexes.names())
NAMED = sorted({line for line in re.findall(r"`pubdice ([^`]+)`", COMMANDS_PAGE) if line.split()[0] in LISTED})


@of_all_annexes
@pytest.mark.parametrize("line", [line for line in NAMED if "--" in line])
def test_a_command_that_the_page_names_has_its_flags(line: str) -> None:
    words = shlex.split(line.replace("…", "").replace("...", ""))
    helped = help_of(*(word for word in words[:2] if word == words[0] or word in GAMES))
    flags = [word for word in words if word.startswith("--")]
    assert [flag for flag in flags if not re.search(rf"{flag}\b", helped)] == []


@of_all_annexes
def test_the_page_of_commands_names_every_one() -> None:
    assert {line.split()[0] for line in NAMED} == set(LISTED)


def test_the_pages_count_the_games_and_name_the_bots() -> None:
    assert len(GAMES) == 6
    assert "All six games are solved" in README
    assert "All six games are solved" in START
    everywhere, elsewhere = ("lucky", "tip", "perfect"), ("cautious", "bold", "steady")
    for name, kit in GAMES.items():
        assert set(kit.bots) == {*everywhere, *(() if name in ("mexico", "shutbox") else elsewhere)}
        assert kit.solver is not None
    named = f"bots: {', '.join(everywhere)}, and in all games but Mexico and Shut the Box {', '.join(elsewhere)} "
    assert named in COMMANDS_PAGE


@of_all_annexes
def test_the_buttons_that_players_pages_name_are_there() -> None:
    """In bold stands what a button or a field says. A number in it is a fact of the moment."""
    bold = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
    pages = [(page.name, page.read_text("utf-8")) for page in sorted((ROOT / "docs/play").glob("*.md"))]
    named = {(page, " ".join(name.split())) for page, text in pages for name in bold.findall(text)}
    assert len(named) > 40
    catalogue = "".join(path.read_text("utf-8") for path in (ROOT / "src/pubdice/locale/de").glob("*.po"))
    said = {
        re.sub(r"\{\w+\}", "#", text) for text in re.findall(r'^msgid(?:_plural)? "(.+)"$', catalogue, re.MULTILINE)
    }
    pocket = (ROOT / "packages/pocket/src/pubdice_pocket/words/en.json").read_text("utf-8")
    known = {each for each in named if each[1] in pocket or re.sub(r"\d(?:[\d ]*\d)?", "#", each[1]) in said}
    assert named - known == set()


def test_the_page_by_ear_has_every_key_of_the_help() -> None:
    helped = re.findall(r'\(\["([^\W\d_]|\?)"', (ROOT / "src/pubdice/server/pages/help.html").read_text("utf-8"))
    listed = re.findall(
        r"^\| ([^\W\d_]|\?)(?: or \w+)? \|", (ROOT / "docs/play/by-ear.md").read_text("utf-8"), re.MULTILINE
    )
    assert len(helped) > 8
    assert sorted(listed) == sorted(helped)


def test_the_notation_page_shows_a_record_that_replays(tmp_path: Path) -> None:
    text = (ROOT / "docs/build/notation.md").read_text(encoding="utf-8")
    record = text[text.index("```\npubdice 1") + 4 :].split("```")[0]
    assert "Bob scored 21" in pubdice("replay", "-", data=tmp_path, typed=record).out


def test_sentences_and_words_to_learn_are_counted() -> None:
    told = "Enter plays Midnight. Type change.\n> \nYour seat is sealed!\n"
    found = FirstMinutes("terminal", 2, 1, 12.4, told)
    assert found.sentences == ["Enter plays Midnight.", "Type change.", "Your seat is sealed!"]
    assert found.row == "| terminal | 2 | 1 | 12 | 3 | 1 |"


def test_the_page_has_figures_of_every_way_and_the_readme_says_each() -> None:
    table = PAGE.read_text("utf-8").split(BEGIN)[1].split(END)[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
    assert [row[0].split(":")[0] for row in rows] == ["terminal", "browser", "Python"]
    assert all(int(cell) >= 0 for row in rows for cell in row[1:])
    assert all(int(row[1]) <= 3 and int(row[2]) <= 2 for row in rows), "more would be worth a look"
    asked = {command for row in rows for command in re.findall(r"`(make \w+)`", row[0])}
    assert all(command in README for command in asked)
