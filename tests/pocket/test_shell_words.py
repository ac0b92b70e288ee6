"""The shell's own sentences and colours: whole in both languages, said as the house says things, and all in use."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import pubdice
from pubdice.pocket.build.contents import shell_style
from pubdice.server.web.assets import STATIC as HOUSE_STATIC
from test_prose import MUDDLED, RIDDLES, STIFF

STATIC = Path(pubdice.__file__).parent / "pocket/static"
WITH_WORDS = ("shell_words.js", "shell_missing.js")
"""The second has its own, as it must need no other script."""
OF_SCRIPTS = pytest.mark.parametrize("script", WITH_WORDS)
SCRIPTS = "".join(file.read_text("utf-8") for file in sorted(STATIC.glob("shell*.js")) if file.name not in WITH_WORDS)
PAGE = (STATIC / "index.html").read_text("utf-8")


def words(script: str = "shell_words.js") -> dict[str, dict[str, str]]:
    """The sentences, which stand in the script as JSON."""
    text = (STATIC / script).read_text("utf-8")
    found = re.search(r"^const WORDS = (\{\n.*?^\});$", text, re.DOTALL | re.MULTILINE)
    assert found
    told: dict[str, dict[str, str]] = json.loads(found[1])
    return told


def facts(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@OF_SCRIPTS
def test_every_sentence_is_there_in_both_languages_with_the_same_facts(script: str) -> None:
    told = words(script)
    assert set(told) == {"en", "de"}
    assert list(told["en"]) == list(told["de"])
    for key, text in told["en"].items():
        german = told["de"][key]
        assert text.strip() == text != "", key
        assert german.strip() == german != "", key
        assert facts(text) == facts(german), key


def test_every_sentence_is_said_and_every_one_that_is_said_is_there() -> None:
    keys = set(words()["en"])
    asked = set(re.findall(r'data-(?:say|label|title)="(\w+)"', PAGE)) | set(
        re.findall(r"\b(?:put|tell|told|stop|say|resume)\((?:[\w.]+(?:\('\w+'\))?, )?'(\w+)'", SCRIPTS)
    )
    assert asked <= keys
    literal = set(re.findall(r"'(\w+)'", SCRIPTS)) | asked | set(re.findall(r"^\s*(\w+): ", SCRIPTS, re.MULTILINE))
    assert keys <= literal, "sentences that nobody says"


def test_the_page_says_in_english_what_it_says_before_its_script_runs() -> None:
    said = re.findall(r'data-say="(\w+)">([^<]+)<', PAGE)
    assert len(said) > 8
    assert [words()["en"][key] for key, _ in said] == [text for _, text in said]


@OF_SCRIPTS
def test_the_shell_speaks_in_no_riddles(script: str) -> None:
    for language, pattern in (("en", RIDDLES), ("en", MUDDLED), ("de", STIFF)):
        assert [text for text in words(script)[language].values() if pattern.search(text)] == []


def colours(style: str) -> list[dict[str, str]]:
    """The values by their names, of the light look and of both dark ones."""
    blocks = re.findall(r":root(?:[^{}]*)\{([^}]*)\}", style)
    return [dict(re.findall(r"(--[\w-]+|color-scheme): ([^;]+);", block)) for block in blocks[:3]]


def test_the_shell_has_the_colours_of_the_house() -> None:
    house, shell = (HOUSE_STATIC / "house.css").read_text("utf-8"), shell_style().decode()
    assert colours(shell) == colours(house)
    assert [len(look) > 15 for look in colours(shell)] == [True] * 3
    assert ".slate" not in shell.partition("*, ::before")[0], "and nothing but its colours"


def test_the_shell_uses_no_colour_that_it_does_not_have() -> None:
    style = shell_style().decode()
    own: Any = re.findall(r"(--[\w-]+):", style)
    assert set(re.findall(r"var\((--[\w-]+)\)", style)) <= set(own)


@pytest.mark.parametrize("file", sorted(STATIC.glob("shell*")), ids=lambda file: str(file.name))
def test_the_shell_stays_small(file: Path) -> None:
    assert len(file.read_text("utf-8").splitlines()) <= 350
