"""The page of each game: its house rules, its example, its picture, and which number of an observation stands where."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from pubdice import read_record
from pubdice.games import GAMES
from pubdice_lab.stepwise import StepwiseMatch
from pubdice_lab.strategy import OBSERVED, PAGES, made_part
from pubdice_lab.strategy_drawn import drawn
from pubdice_lab.strategy_observed import MEANINGS, observations

GAMES_FOLDER = Path(__file__).parents[3] / "docs/games"
TEXTS = {name: (GAMES_FOLDER / f"{page}.md").read_text("utf-8") for name, page in PAGES.items()}
MOST_WORDS = 1150
SECTIONS = ["Sources", "Best play", "Notation", "For learners"]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_its_sections_and_is_short(name: str) -> None:
    page = TEXTS[name]
    assert page.startswith(f"# {GAMES[name].words.title}\n\n![")
    assert re.findall(r"^## (.+)$", page, re.MULTILINE)[-4:] == SECTIONS
    assert len(page.split()) <= MOST_WORDS


@pytest.mark.parametrize("name", PAGES)
def test_a_page_names_every_house_rule_and_its_players(name: str) -> None:
    kit, page = GAMES[name], TEXTS[name]
    for option in kit.options:
        assert f"| `{option.key}` | " in page
        rows = page[page.index(f"| `{option.key}` |") :].partition("\n\n")[0]
        at = [rows.index(f"`{choice}`") for choice in option.choices]
        assert at == sorted(at), "the usual one is the first"
    game = kit.usual_game
    assert re.search(rf"\b{game.least_seats} to {game.most_seats} players", page.replace("\n", " "))


@pytest.mark.parametrize("name", PAGES)
def test_the_example_of_a_page_is_a_record(name: str) -> None:
    (example,) = re.findall(r"^```text\n(pubdice 1\n.*?)^```", TEXTS[name], re.MULTILINE | re.DOTALL)
    assert read_record(example).over


@pytest.mark.parametrize("name", PAGES)
def test_the_picture_of_a_page_is_small_and_is_what_is_drawn(name: str) -> None:
    file = GAMES_FOLDER / f"{PAGES[name]}.svg"
    assert file.read_text("utf-8") == drawn(name)
    assert file.stat().st_size < 12_000
    assert ElementTree.parse(file).getroot().get("viewBox")
    assert re.search(rf"!\[[^\]]{{20,}}\]\({PAGES[name]}\.svg\)", TEXTS[name])


def _between(values: str) -> list[int]:
    """The least and the most of all numbers that a cell of values names."""
    numbers = [int(number) for number in re.findall(r"-?\d+", re.sub(r"`[^`]*`", "", values))]
    return [min(numbers), max(numbers)]


ROW = re.compile(r"^\| (\d+)(?:–(\d+))?(, `aec` only)? \| `(\w+)` \| (.+?) \| (.+?) \|$", re.MULTILINE)


@pytest.mark.parametrize("name", PAGES)
def test_the_page_tells_the_numbers_of_observations(name: str) -> None:
    """Matches of every house rule, played at random."""
    assert made_part(TEXTS[name], OBSERVED).strip() == observations(name).strip()
    rows = ROW.findall(made_part(TEXTS[name], OBSERVED))
    own, random = rows.pop(), np.random.default_rng(7)
    seen: list[set[int]] = [set() for _ in rows]
    for option in GAMES[name].options or (None,):
        for choice in option.choices if option else ("",):
            table = StepwiseMatch(name, 2, {option.key: choice} if option else {})
            assert [int(row[0]) for row in rows] == [
                *np.cumsum([0, *[int(row[1] or row[0]) - int(row[0]) + 1 for row in rows]])[:-1]
            ]
            assert int(own[0]) == table.size == int(rows[-1][1] or rows[-1][0]) + 1
            assert f" {len(table.actions)} actions" in " ".join(TEXTS[name].split())
            for _ in range(60):
                table.begin(random)
                while not table.state.over:
                    numbers = table.observation()
                    for at, (first, last, *_) in enumerate(rows):
                        seen[at].update(map(int, numbers[int(first) : int(last or first) + 1]))
                    table.play(int(random.choice(np.flatnonzero(table.mask()))), random)
    for (*_, meaning, values), found in zip(rows, seen, strict=True):
        least, most = _between(values)
        assert all(least <= number <= most for number in found), (meaning, found)


def test_every_field_that_is_told_is_there() -> None:
    for name, told in MEANINGS.items():
        state: Any = GAMES[name].usual_game.start(2)
        assert set(told) >= set(state.__dataclass_fields__)
