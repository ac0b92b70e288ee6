"""``docs/notation.md`` and the program say the same: short forms of a format, and the formal grammar."""

import re
from itertools import product
from pathlib import Path

import pytest

from pubdice.core.errors import BadNotation
from pubdice.games import GAMES
from pubdice.match.formats import read_format
from pubdice.match.notation import parse

PAGE = (Path(__file__).parents[1] / "docs" / "notation.md").read_text(encoding="utf-8")
HEAD = "pubdice 1\ngame: midnight\nseats: Ann, Bob\n"
LINES = {"draw": "draw Ann\n", "round": "round 1\n", "turn": "Ann: 344512\n"}


def test_every_short_form_the_page_names_is_the_full_one_it_says() -> None:
    said = PAGE[PAGE.index("You may leave numbers out") : PAGE.index("In a pot you may also")]
    pairs = [
        (short, full)
        for shorts, full in re.findall(r"((?:`[^`]+`(?:, | and )?)+) (?:is|are)\s+`([^`]+)`", said)
        for short in re.findall(r"`([^`]+)`", shorts)
    ]
    assert len(pairs) == 5
    for short, full in pairs:
        assert read_format(short).write() == full
    for shown in ("rounds:5", "pot:2:3", "pot 2 3"):
        assert f"`{shown}`" in PAGE
        read_format(shown)


def _formats() -> list[str]:
    """All that the page's rule for a format derives, with 2 and 3 for its numbers."""
    rule = re.search(r"^format  = (.+?)   ;", PAGE, re.MULTILINE)
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
    assert 'lives   = "lives" [ number ] [ "mexico" ] [ number ]' in PAGE
    for text in ("lives", "lives 2", "lives mexico 2", "lives 3 mexico 2", "lives 3 2"):
        assert GAMES["mexico"].format(text).write().startswith("lives ")


@pytest.mark.parametrize("kinds", [kinds for size in range(4) for kinds in product(LINES, repeat=size)], ids="-".join)
def test_a_body_parses_exactly_if_the_formal_grammar_derives_it(kinds: tuple[str, ...]) -> None:
    """A turn never comes first: before the body its line is read as a header line, and no key is called so."""
    assert "body    = ( draw / round ) *( draw / round / turn )" in PAGE
    text = HEAD + "".join(LINES[kind] for kind in kinds)
    if kinds[:1] == ("turn",):
        with pytest.raises(BadNotation):
            GAMES["midnight"].normalize(parse(text).header)
    else:
        GAMES["midnight"].normalize(parse(text).header)
        assert len([token for token in parse(text).tokens if token.kind in ("draw", "round", "seat")]) == len(kinds)
