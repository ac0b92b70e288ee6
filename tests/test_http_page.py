"""docs/build/http.md and docs/build/notation.md: what they show is played, read and named by the program itself."""

import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from pubdice.core.errors import BadNotation
from pubdice.games import GAMES
from pubdice.match.formats import read_format
from pubdice.match.notation import parse
from pubdice.server.wire import REQUESTS, View
from support.house_process import House

PAGE = (Path(__file__).parents[1] / "docs/build/http.md").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is missing")
def test_the_lines_of_the_page_play_a_match(tmp_path: Path) -> None:
    first, *blocks = re.findall(r"^```\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    house = House(tmp_path)
    house.open()
    try:
        begin = first.replace("http://127.0.0.1:4224", f"http://127.0.0.1:{house.port}")
        assert begin != first
        script = "\n".join(["set -eu", begin, *blocks])
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
        )
    finally:
        house.stop()
    assert done.returncode == 0, done.stdout + done.stderr
    answers = done.stdout.replace("}{", "}\n{")
    assert "Ann's turn" in answers or "Your turn" in answers, answers
    assert "['s93', 's84', 's75']" in answers
    assert re.search(r"\d{13} play s93$", answers, re.MULTILINE), answers


def test_the_fields_that_it_names_are_there() -> None:
    named = re.findall(r"^\| `(\w+)` \|", PAGE.partition("## Read the view")[2].partition("## Move")[0], re.MULTILINE)
    assert set(named) <= set(View.__struct_fields__)
    deeds = re.findall(r"^\| `(\w+)` \|", PAGE.partition("## Move")[2], re.MULTILINE)
    assert set(deeds) - {"do"} <= set(REQUESTS)


NOTATION = (Path(__file__).parents[1] / "docs/build/notation.md").read_text(encoding="utf-8")
HEAD = "pubdice 1\ngame: midnight\nseats: Ann, Bob\n"
LINES = {"draw": "draw Ann\n", "round": "round 1\n", "back": "back Ann\n", "turn": "Ann: 344512\n"}


def test_every_short_form_the_page_names_is_the_full_one_it_says() -> None:
    said = NOTATION[NOTATION.index("You may leave numbers out") : NOTATION.index("A colon may stand")]
    pairs = [
        (short, full)
        for shorts, full in re.findall(r"((?:`[^`]+`(?:, | and )?)+) (?:is|are)\s+`([^`]+)`", said)
        for short in re.findall(r"`([^`]+)`", shorts)
    ]
    assert len(pairs) == 6
    for short, full in pairs:
        assert read_format(short).write() == full
    for shown in ("rounds:5", "pot:2:3", "pot 2 3"):
        assert f"`{shown}`" in NOTATION
        read_format(shown)


def _formats() -> list[str]:
    """All that the page's rule for a format derives, with 2 and 3 for its numbers."""
    rule = re.search(r"^format  = (.+?)   ;", NOTATION, re.MULTILINE)
    assert rule
    found = []
    for alternative in rule[1].split(" / "):
        parts = [(part[2:-2], "") if part[0] == "[" else (part,) for part in re.findall(r"\[ .+? \]|\S+", alternative)]
        found += [" ".join(part.strip('"') for part in some if part) for some in product(*parts)]
    return [text.replace("number", "2", 1).replace("number", "3", 1) for text in dict.fromkeys(found)]


def test_every_format_of_the_formal_grammar_is_read() -> None:
    assert {"pot", "pot 2 rounds", "pot rounds 2", "pot 2 3", "pot 2 rounds 3", "race"} <= set(_formats())
    for text in _formats():
        assert read_format(text).write().startswith(text.split(maxsplit=1)[0])


def test_the_grammar_of_lives_is_read() -> None:
    assert 'lives   = "lives" [ number ] [ "mexico" ] [ number ]' in NOTATION
    for text in ("lives", "lives 2", "lives mexico 2", "lives 3 mexico 2", "lives 3 2"):
        assert GAMES["mexico"].format(text).write().startswith("lives ")


@pytest.mark.parametrize("kinds", [kinds for size in range(4) for kinds in product(LINES, repeat=size)], ids="-".join)
def test_a_body_parses_exactly_if_the_formal_grammar_derives_it(kinds: tuple[str, ...]) -> None:
    """A turn or a back never comes first. There its line is read as a header line, and no key has its name."""
    assert "body    = ( draw / round ) *( draw / round / back / turn )" in NOTATION
    text = HEAD + "".join(LINES[kind] for kind in kinds)
    if kinds[:1] in (("turn",), ("back",)):
        with pytest.raises(BadNotation):
            GAMES["midnight"].normalize(parse(text).header)
    else:
        GAMES["midnight"].normalize(parse(text).header)
        heads = [token.kind for token in parse(text).tokens if token.kind in ("draw", "round", "back", "seat")]
        assert heads == ["seat" if kind == "turn" else kind for kind in kinds]
