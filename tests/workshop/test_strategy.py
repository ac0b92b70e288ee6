import re
from pathlib import Path

import pytest

from pubdice.cli import main as main_of_pubdice
from pubdice.workshop.strategy import main, page

PAGE = Path(__file__).parents[2] / "docs" / "strategy.md"


def test_the_page_of_strategy_is_what_the_solution_says_today() -> None:
    """Made by ``python -m pubdice.workshop.strategy docs/strategy.md``; again if a figure has a reason to change."""
    assert PAGE.read_text(encoding="utf-8").splitlines() == page().splitlines()


BLOCK = PAGE.read_text(encoding="utf-8").rpartition("## Find all this again")[2]
COMMANDS = [re.split(r"  |>", line)[0].split()[1:] for line in BLOCK.splitlines() if line.startswith("pubdice ")]


def test_the_last_block_has_commands_for_every_part() -> None:
    assert {words[0] for words in COMMANDS} == {"odds", "advise", "card"}


@pytest.mark.parametrize(
    "words",
    [pytest.param(words, marks=[pytest.mark.nightly] * (words[0] == "card")) for words in COMMANDS],
    ids=" ".join,
)
def test_a_command_of_the_last_block_answers(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    """A card takes as long as the page; ``games/test_cards_as_printed.py`` reads them back."""
    assert main_of_pubdice(words) == 0
    out, err = capfd.readouterr()
    assert out
    assert not err


def test_the_page_never_says_optimal() -> None:
    assert "optimal" not in PAGE.read_text(encoding="utf-8").lower()


def test_the_command_writes_the_file_named(tmp_path: Path) -> None:
    assert main([str(tmp_path / "page.md")]) == 0
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page()
