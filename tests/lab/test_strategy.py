from pathlib import Path

from pubdice.lab.strategy import main, page

PAGE = Path(__file__).parents[2] / "docs" / "strategy.md"


def test_the_page_of_strategy_is_what_the_solution_says_today() -> None:
    """Made by ``python -m pubdice.lab.strategy docs/strategy.md``; make it again if a figure has a reason to change."""
    assert PAGE.read_text(encoding="utf-8").splitlines() == page().splitlines()


def test_the_page_never_says_optimal() -> None:
    assert "optimal" not in PAGE.read_text(encoding="utf-8").lower()


def test_the_command_writes_the_file_named(tmp_path: Path) -> None:
    assert main([str(tmp_path / "page.md")]) == 0
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page()
