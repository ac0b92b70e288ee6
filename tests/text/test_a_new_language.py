"""A language is files: it is dropped into a copy of pubdice, nothing else is touched, and it is spoken everywhere."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from begin_language import begin, facts_of
from made_up_language import CODE, NAME, marked, write
from pubdice.text.catalogues import CODES
from sentences import SOURCE
from support.html_tree import Node, read
from support.paths import LAWS, PATHS, TESTS

ASKED = Path(__file__).with_name("asked_of_a_language.py")
PUBDICE = "import sys; from pubdice.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pubdice with one language more; what to put before it in PYTHONPATH."""
    place = tmp_path_factory.mktemp("house")
    # What is compiled goes with it, but for what another process is just writing.
    shutil.copytree(SOURCE, place / "pubdice", ignore=shutil.ignore_patterns("*.pyc.*"))
    write(place / "pubdice")
    return place


def run(copy: Path, *command: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """A Python with the copy; its folders are in the copy's."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))}
    environment |= {"PYTHONPATH": f"{copy}{os.pathsep}{PATHS}", "PYTHONUTF8": "1"}
    environment |= {"PUBDICE_CACHE": str(copy / "cache"), "PUBDICE_DATA": str(copy / "data"), **more}
    return subprocess.run(
        [sys.executable, *command],
        input=typed,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def terminal(copy: Path, *words: str, typed: str = "", **more: str) -> str:
    done = run(copy, "-c", PUBDICE, *words, typed=typed, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def found(copy: Path) -> dict[str, Any]:
    """What a house with the language shows, by the place it was looked for."""
    (copy / "data").mkdir()
    done = run(copy, str(ASKED), str(copy / "data"))
    assert done.returncode == 0, done.stderr
    shown: dict[str, Any] = json.loads(done.stdout)
    return shown


def test_a_language_touches_its_folder_and_those_of_the_games_and_no_file_that_is_there(copy: Path) -> None:
    def files(folder: Path) -> dict[Path, bytes]:
        paths = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        return {path.relative_to(folder): path.read_bytes() for path in paths}

    ours, theirs = files(SOURCE), files(copy / "pubdice")
    assert {path: theirs.get(path) for path in ours} == ours
    new = {path.as_posix() for path in theirs.keys() - ours.keys()}
    names = ("help.txt", "laws.toml", "messages.po")
    games = [path.parent.relative_to(SOURCE) for path in SOURCE.glob("games/*/de.po")]
    assert new == {f"locale/{CODE}/{name}" for name in names} | {
        f"{game.as_posix()}/{name}" for game in games for name in (f"{CODE}.po", f"RULES.{CODE}.md")
    }


def test_every_page_is_there_in_the_language_for_a_browser_that_asks_for_it(found: dict[str, Any]) -> None:
    for name in ("front", "rules", "help", "table"):
        page = read(found[name])
        assert page.one("html").attrs["lang"] == CODE, name
    assert marked("Start a game") in found["rules"]
    assert marked("Help and keys") in read(found["help"]).one("h1").words()
    assert read(found["rules"]).one("h1").words() == marked("Midnight")


def test_it_is_offered_by_its_own_name_and_can_be_chosen(found: dict[str, Any]) -> None:
    def offered(page: str) -> list[tuple[str | None, str]]:
        buttons: list[Node] = [node for node in read(page).all("button") if node.attrs.get("name") == "language"]
        return [(node.attrs["lang"], node.words()) for node in buttons]

    assert (CODE, NAME) in offered(found["English front"])
    assert ("en", "English") in offered(found["front"])
    assert (CODE, NAME) not in offered(found["front"])
    assert f"language={CODE};" in found["chosen"]
    assert found["codes"] == [*CODES, CODE]
    assert found["names"][-1] == [CODE, NAME]


def test_its_numbers_and_plurals_are_those_of_its_head(found: dict[str, Any]) -> None:
    assert found["numbers"] == ["0,5", "12\N{NO-BREAK SPACE}345"]
    assert found["plurals"] == [marked("{number} round").format(number=1)] + [
        marked("{number} rounds").format(number=number) for number in (3, 12)
    ]


def test_a_language_without_a_list_of_words_has_the_english_one(found: dict[str, Any]) -> None:
    assert CODE not in found["with words"]


def test_the_terminal_speaks_it_for_its_locale_and_its_flag(copy: Path) -> None:
    words = ("play", "midnight", "--seed", "7")
    heard = terminal(copy, *words, LANG=f"{CODE}_XX.UTF-8")
    assert marked("Roll {number} dice.").format(number=6) in heard
    assert terminal(copy, "--lang", CODE, *words).splitlines()[:2] == heard.splitlines()[:2]
    assert marked("real dice on the table.") in terminal(copy, "--help", "--lang", CODE)
    assert marked("Midnight") in terminal(copy, "rules", "midnight", "--lang", CODE)


def test_its_words_for_commands_are_typed_and_english_ones_too(copy: Path) -> None:
    for help_, leave in ((marked("help"), marked("quit")), ("help", "quit"), ("?", "q")):
        heard = terminal(copy, "play", "midnight", "--seed", "7", "--lang", CODE, typed=f"{help_}\n{leave}\n")
        assert marked("To ask and to leave:") in heard, help_


def test_a_language_that_is_begun_has_every_sentence_to_fill_in(tmp_path: Path) -> None:
    """Of a language that is there its files are as they were, and only what is missing is written."""
    source = tmp_path / "pubdice"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__", "*.py", "static"))
    made = begin("pl", facts_of("pl"), source)
    assert len(made) == 3 + 2 * len(list(source.glob("games/*/RULES.md")))
    text = (source / "locale/pl/messages.po").read_text(encoding="utf-8")
    assert '"X-Native-Name: Polski\\n"' in text
    assert "nplurals=3;" in text
    german = (source / "locale/de/messages.po").read_text(encoding="utf-8")
    assert text.count("\nmsgid ") == german.count("\nmsgid ") - 1, "but for the head, which is the first line here"
    assert text.count("\nmsgstr[2]") == german.count("\nmsgstr[1]") > 20
    assert begin("pl", facts_of("pl"), source) == begin("de", facts_of("de"), source) == []


@pytest.mark.nightly
def test_a_sentence_that_a_language_lacks_is_put_there_to_be_filled_in(copy: Path) -> None:
    file = copy / f"pubdice/games/ship/{CODE}.po"
    before = file.read_text(encoding="utf-8")
    entry = f'msgid "both dice together (standard)"\nmsgstr "{marked("both dice together (standard)")}"\n'
    assert entry in before
    file.write_text(before.replace(entry, ""), encoding="utf-8")
    try:
        for told in (f"src/pubdice/games/ship/{CODE}.po has 1 sentence more", ""):
            done = run(copy, str(TESTS / "begin_language.py"), CODE)
            assert done.stdout.splitlines()[:-1] == [told][: len(told)], done
        assert file.read_text(encoding="utf-8").endswith('msgid "both dice together (standard)"\nmsgstr ""\n')
    finally:
        file.write_text(before, encoding="utf-8")


def test_the_guide_names_the_laws_as_they_are_called() -> None:
    """Who reads that a law has failed finds it in the guide."""
    guide = (TESTS.parent / "docs/contribute/translating.md").read_text(encoding="utf-8")
    laws = re.findall(r"^\| `([a-z0-9_]{12,})` \|", guide, re.MULTILINE)
    assert len(laws) > 10
    sources = "".join(
        path.read_text(encoding="utf-8") for folder in (TESTS, LAWS) for path in folder.rglob("test_*.py")
    )
    assert [law for law in laws if not re.search(rf"def test_\w*{law}", sources)] == []
