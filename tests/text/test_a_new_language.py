"""A language is files: it is dropped into a copy of pubdice, nothing else is touched, and it is spoken everywhere."""

import json
import os
import re
import shutil
import subprocess
import sys
from gettext import c2py
from pathlib import Path
from typing import Any

import pytest

from catalogues import begin, facts_of, translated
from catalogues import write as write_catalogues
from made_up_language import CODE, NAME, marked, write
from pubdice.text.catalogues import CODES, PARTS
from sentences import SOURCE, WHOLE
from support.html_tree import Node, read
from support.paths import LAWS, PATHS, ROOT, TESTS

ASKED = Path(__file__).with_name("asked_of_a_language.py")
PUBDICE = "import sys; from pubdice.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Add a language to a copy of pubdice. Return the folder for PYTHONPATH."""
    place = tmp_path_factory.mktemp("house")
    # Compiled files are copied too, except those that another process is writing.
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
    names = ("help.txt", "laws.toml", *(f"{part}.po" for part in PARTS))
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

    assert offered(found["English front"]) == []
    assert (CODE, NAME) in offered(found["languages"])
    assert ("en", "English") in offered(found["languages"])
    links = [node for node in read(found["front"]).all("a") if str(node.attrs["href"]).startswith("/language")]
    assert [node.words() for node in links] == [NAME]
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


def test_the_guide_says_how_many_sentences_each_file_has() -> None:
    """Check the numbers to a twentieth, as sentences come and go."""
    guide = (ROOT / "docs/contribute/translating.md").read_text(encoding="utf-8")
    told = {part: re.search(rf"\b{part}\.po`[^\n]*?([\d,]+)(?: \||\))", guide) for part in PARTS}
    for part, number in told.items():
        assert number, part
        held = len(translated(SOURCE / f"locale/de/{part}.po")[0])
        assert int(number[1].replace(",", "")) == pytest.approx(held, rel=0.05), part
    for game in SOURCE.glob("games/*/de.po"):
        assert 10 <= len(translated(game)[0]) <= 90, "as the guide says of each game"


def test_a_language_is_begun_with_what_players_read(tmp_path: Path) -> None:
    """The table and the games come first. Each later catalogue begins once all before it are whole."""
    source = tmp_path / "src/pubdice"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__", "*.py", "static"))
    code = "cs"
    lacking = write_catalogues(code, facts_of(code), source)
    games = sorted(path.parent for path in SOURCE.glob("games/*/de.po"))
    assert {path.relative_to(source).as_posix() for path in lacking} == {
        f"locale/{code}/table.po",
        *(f"{game.relative_to(SOURCE).as_posix()}/{code}.po" for game in games),
    }
    table = source / f"locale/{code}/table.po"
    text = table.read_text(encoding="utf-8")
    assert '"X-Native-Name: Čeština\\n"' in text
    assert "nplurals=3;" in text
    german, _ = translated(SOURCE / "locale/de/table.po")
    assert lacking[table] == len(german) == text.count("\nmsgid ")
    assert text.count("\nmsgstr[2]") > 20
    assert write_catalogues(code, facts_of(code), source) == lacking
    assert table.read_text(encoding="utf-8") == text, "written twice, it is the same"
    for path in lacking:
        path.write_text(re.sub(r'^(msgstr(?:\[\d\])?) ""$', r'\1 "x"', path.read_text("utf-8"), flags=re.M), "utf-8")
    next_ = write_catalogues(code, facts_of(code), source)
    assert {path.name for path, number in next_.items() if number} == {"pages.po"}
    made = {path.name for path in begin(code, source)}
    assert made == {"laws.toml", f"RULES.{code}.md"}
    assert begin(code, source) == []


def test_catalogues_are_whole_and_as_make_words_writes_them(tmp_path: Path) -> None:
    """The one test that fails if a sentence is new, reworded or gone, or if a whole language lacks a translation."""
    stale, lacking = set[str](), dict[str, int]()
    for code in CODES[1:]:
        source = tmp_path / code / "src/pubdice"
        shutil.copytree(SOURCE / "locale" / code, source / "locale" / code)
        for game in SOURCE.glob(f"games/*/{code}.po"):
            (source / "games" / game.parent.name).mkdir(parents=True)
            shutil.copy(game, source / "games" / game.parent.name)
        for path, number in write_catalogues(code, facts_of(code), source, more=False).items():
            name = path.relative_to(source)
            if path.read_bytes() != (SOURCE / name).read_bytes():
                stale.add(name.as_posix())
            if number and code in WHOLE:
                lacking[name.as_posix()] = number
    assert not stale, f"Run make words. It writes {', '.join(sorted(stale))}"
    assert not lacking, f"Fill in the empty entries of {lacking}"


def test_plural_rules_are_those_of_unicode() -> None:
    """French says 0 as 1, Polish has three forms, Hebrew one for two."""
    rules = {code: facts_of(code)["plural"] for code in ("de", "fr", "pl", "he", "pt")}
    forms = {code: [c2py(str(rule))(number) for number in (0, 1, 2, 5, 12, 22)] for code, rule in rules.items()}
    assert forms == {
        "de": [1, 0, 1, 1, 1, 1],
        "fr": [0, 0, 1, 1, 1, 1],
        "pl": [2, 0, 1, 2, 2, 1],
        "he": [2, 0, 1, 2, 2, 2],
        "pt": [0, 0, 1, 1, 1, 1],
    }


def test_the_guide_names_the_laws_as_they_are_called() -> None:
    """Who reads that a law has failed finds it in the guide."""
    guide = (TESTS.parent / "docs/contribute/translating.md").read_text(encoding="utf-8")
    laws = re.findall(r"^\| `([a-z0-9_]{12,})` \|", guide, re.MULTILINE)
    assert len(laws) > 10
    sources = "".join(
        path.read_text(encoding="utf-8") for folder in (TESTS, LAWS) for path in folder.rglob("test_*.py")
    )
    assert [law for law in laws if not re.search(rf"def test_\w*{law}", sources)] == []
