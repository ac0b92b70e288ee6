"""The article is what the solution says today, and its theorems hold where they can be tried."""

import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from pubdice.core.errors import Refused
from pubdice.workshop import paper as made
from support.console import pubdice

ROOT = Path(__file__).parents[2]
ARTICLE = (ROOT / "docs" / "paper" / "paper.md").read_text("utf-8")
"""Made by ``pubdice paper DIR``; again if a figure has a reason to change."""


def test_the_openers_and_the_plies_of_the_article_are_those_of_today() -> None:
    assert made._openers() in ARTICLE
    assert made._plies() in ARTICLE


def test_every_placeholder_of_the_article_is_filled() -> None:
    assert "{" not in ARTICLE
    assert "}" not in ARTICLE


@pytest.mark.nightly
def test_all_of_it_is_made_again_with_its_checksums(tmp_path: Path) -> None:
    written = made.paper(tmp_path)
    assert (tmp_path / "paper.md").read_text("utf-8") == ARTICLE
    assert (tmp_path / "strategy.md").read_text("utf-8") == (ROOT / "docs" / "strategy.md").read_text("utf-8")
    lines = [line.split("  ") for line in (tmp_path / "SHA256SUMS").read_text("utf-8").splitlines()]
    sums = {name: digest for digest, name in lines}
    assert set(sums) == {path.name for path in written} - {"SHA256SUMS"}
    for name, digest in sums.items():
        assert sha256((tmp_path / name).read_bytes()).hexdigest() == digest
        assert f"`{name}`" in ARTICLE or name.endswith(".md")


@pytest.mark.parametrize("lives", [1, 2, 3, 5])
@pytest.mark.parametrize("chance", [0.3, 0.5895, 0.9])
def test_it_is_the_same_whether_the_loser_or_the_winner_opens(lives: int, chance: float) -> None:
    """Theorem 3, by going through all matches."""

    @cache
    def wins(mine: int, others: int, opens: bool, loser: bool) -> float:
        if not mine or not others:
            return float(mine > 0)
        won = chance if opens else 1 - chance
        after = wins(mine, others - 1, not loser, loser), wins(mine - 1, others, loser, loser)
        return won * after[0] + (1 - won) * after[1]

    assert wins(lives, lives, True, True) == pytest.approx(wins(lives, lives, True, False), abs=1e-12)


def test_what_cannot_be_written_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("")
    done = pubdice("paper", str(file))
    assert done.status == 1
    assert done.out == ""
    assert done.err == f"pubdice: Couldn't write {file} (File exists).\n"
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(made, "DRAWN", (("scores", "mexico"),))
    with pytest.raises(Refused, match="no-matplotlib"):
        made.paper(tmp_path / "folder")
