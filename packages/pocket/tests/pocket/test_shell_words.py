"""The shell's sentences are complete in every language, in the house's manner, and all used. So are its colours."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import pubdice_pocket
from prose import MUDDLED, RIDDLES
from pubdice.server.web.static_files import STATIC as HOUSE_STATIC
from pubdice.text.catalogues import CODES
from pubdice.text.language import RIGHT_TO_LEFT
from pubdice_pocket.build.contents import _WORDS as WORDS
from pubdice_pocket.build.contents import SPEAKING, _static, said_outside, shell_style, speaking
from sentences import unsaid

STATIC = Path(pubdice_pocket.__file__).parent / "static"
SCRIPTS = "".join(file.read_text("utf-8") for file in sorted(STATIC.glob("shell*.js")) if file.name not in SPEAKING)
PAGE = (STATIC / "index.html").read_text("utf-8")


def words(script: str = "shell_words.js") -> dict[str, dict[str, str]]:
    return {code: told[SPEAKING[script]] for code, told in said_outside().items()}


def facts(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def read(code: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((WORDS / f"{code}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("code", CODES)
def test_every_language_has_every_sentence_with_its_facts(code: str) -> None:
    english, told = read("en"), read(code)
    assert list(told) == list(english) == ["noscript", *SPEAKING.values()]
    assert told["noscript"].strip() == told["noscript"] != ""
    for part in SPEAKING.values():
        assert list(told[part]) == list(english[part]), part
        for key, text in told[part].items():
            assert text.strip() == text != "", key
            assert facts(text) == facts(english[part][key]), key


def test_a_script_has_the_words_of_every_language_built_in() -> None:
    for script, part in SPEAKING.items():
        found = re.search(
            r"^(?:export )?const WORDS = (\{\n.*?^\});$", speaking(script).decode(), re.DOTALL | re.MULTILINE
        )
        assert found, script
        assert json.loads(found[1]) == {code: read(code)[part] for code in CODES}


def test_the_shell_knows_the_languages_from_right_to_left() -> None:
    """It needs them before the house's code is there, so it has a list of its own."""
    found = re.search(r"^const RIGHT_TO_LEFT = \[(.*)\];$", speaking("shell_words.js").decode(), re.MULTILINE)
    assert found
    assert tuple(re.findall(r"'(\w+)'", found[1])) == RIGHT_TO_LEFT


def test_the_page_asks_for_javascript_in_every_language() -> None:
    asked = re.findall(r'<span lang="(\w+)">([^<]+)</span>', _static()["index.html"].decode())
    assert [(code, text) for code, text in asked] == [(code, read(code)["noscript"]) for code in CODES[1:]]
    assert f">{read('en')['noscript']}<" in PAGE


def test_every_sentence_is_there_and_is_said() -> None:
    keys = set(words()["en"])
    asked = set(re.findall(r'data-(?:say|label|title)="(\w+)"', PAGE)) | set(
        re.findall(r"\b(?:put|tell|told|stop|say|resume)\((?:[\w.]+(?:\('\w+'\))?, )?'(\w+)'", SCRIPTS)
    )
    assert asked <= keys
    literal = set(re.findall(r"'(\w+)'", SCRIPTS)) | asked | set(re.findall(r"^\s*(\w+): ", SCRIPTS, re.MULTILINE))
    assert keys <= literal, "sentences that no script says"


def test_every_sentence_about_other_phones_is_said_and_no_other() -> None:
    script = "".join((STATIC / "phones" / name).read_text("utf-8") for name in ("panel.js", "sheet.js"))
    said, own = set(re.findall(r"'(phones_\w+)'", script)), set(words("phones/words.js")["en"])
    assert said == own
    assert own.isdisjoint(words()["en"]), "the shell has both"


def test_the_page_speaks_english_before_its_script_runs() -> None:
    said = re.findall(r'data-say="(\w+)">([^<]+)<', PAGE)
    assert len(said) > 8
    assert [words()["en"][key] for key, _ in said] == [text for _, text in said]


@pytest.mark.parametrize("code", CODES)
def test_the_shell_speaks_in_no_riddles(code: str) -> None:
    patterns = (RIDDLES, MUDDLED) if code == "en" else unsaid(code)
    said = [read(code)["noscript"], *(text for part in SPEAKING.values() for text in read(code)[part].values())]
    assert [text for text in said for pattern in patterns if pattern.search(text)] == []


def colours(style: str) -> list[dict[str, str]]:
    """Return the variables of a stylesheet's first three ``:root`` blocks, by name.

    The first block has each colour by day and at night. The second and third switch to night: by the device's
    setting, and by choice.
    """
    blocks = re.findall(r":root(?:[^{}]*)\{([^}]*)\}", style)
    return [dict(re.findall(r"(--[\w-]+|color-scheme): ([^;]+);", block)) for block in blocks[:3]]


def test_the_shell_has_the_colours_of_the_house() -> None:
    house, shell = (HOUSE_STATIC / "house.css").read_text("utf-8"), shell_style().decode()
    assert colours(shell) == colours(house)
    every, by_device, chosen = colours(shell)
    assert len(every) > 25
    assert by_device == chosen == {"--day": "var(--x,)", "--night": "initial"}
    rules = re.sub(r"/\*.*?\*/", "", shell.partition("box-sizing")[0], flags=re.DOTALL)
    names = set(re.findall(r"^\s*([\w-]+):", rules, re.MULTILINE))
    assert {name for name in names if not name.startswith("--")} == {"color-scheme"}, "and nothing but its colours"


def test_the_shell_uses_no_colour_that_it_does_not_have() -> None:
    style = shell_style().decode()
    own: Any = re.findall(r"(--[\w-]+):", style)
    assert set(re.findall(r"var\((--[\w-]+)\)", style)) <= set(own)
