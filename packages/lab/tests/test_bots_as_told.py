"""The bots' rows on the page of strategy, found again from its sentences by a solver that knows the rules only."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from oracles import naive_420
from oracles import naive_midnight as naive

PAGE = (Path(__file__).parents[3] / "docs" / "strategy.md").read_text(encoding="utf-8")
TOLD = {
    match[1]: " ".join(match[2].split())
    for match in re.finditer(r"^- `(\w+)` (.+?)(?=^- `|^\n)", PAGE, re.MULTILINE | re.DOTALL)
}
BOTS = ("lucky", "tip", "steady", "cautious", "bold", "perfect")
REACHED = [0, *range(4, 25)]


def rows(heading: str, section: str) -> dict[str, list[str]]:
    """The rows of the first table with such a heading after a title of the page."""
    lines = PAGE[PAGE.index(section) :].splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith(heading))
    found = {}
    for line in lines[at + 2 :]:
        if not line.startswith("|"):
            break
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        found[name] = cells
    return found


def _tip(leader: int, locked: naive.Dice, rolled: naive.Dice) -> list[naive.Dice]:
    """Word for word what the page says of ``tip`` at Midnight."""
    lacks = [face for face in (1, 4) if face not in locked]
    kept = [face for face in lacks if face in rolled]
    if len(kept) == len(lacks):
        rest = list(rolled)
        for face in kept:
            rest.remove(face)
        kept += [6] * rest.count(6)
        counting = list(locked)
        for face in (1, 4):
            if face in counting:
                counting.remove(face)
        for _ in range(rest.count(5)):
            fives = kept.count(5) + 1
            reach = 24 - sum(6 - face for face in counting) - fives
            if reach >= leader + 1:
                kept.append(5)
    return [tuple(sorted(kept or [max(rolled)]))]


@cache
def opens(bot: str) -> naive.Floats:
    """The scores of a bot that rolls first."""
    told = TOLD[bot]
    reach = re.search(
        r"plays for the best chance of (\d+) or more at Midnight; of equal keeps, .* the best mean score", told
    )
    if reach:
        return naive.best((int(reach[1]) <= naive.SCORES).astype(float))
    if bot == "lucky":
        assert told == "takes any keep the rules allow, all equally likely."
        return naive.played(lambda locked, rolled: naive.keeps(rolled))
    if bot == "tip":
        return naive.played(lambda locked, rolled: _tip(0, locked, rolled))
    if bot == "steady":
        assert told.startswith("plays for the best mean score at Midnight")
        return naive.best(naive.SCORES)
    return naive.best(1 - answered())


@cache
def answered() -> naive.Floats:
    """What best play of the second seat makes of each score of the first."""
    return naive.values(np.array([naive.against(score) for score in range(25)]).T)


@cache
def reply(bot: str, beat: int) -> naive.Floats:
    if bot == "tip":
        return naive.played(lambda locked, rolled: _tip(beat, locked, rolled))
    return opens(bot)


def share(first: str, second: str) -> float:
    """The first seat's share of the round."""
    if second == "perfect":
        return float(opens(first) @ (1 - answered()))
    return float(sum(opens(first)[score] * (1 - reply(second, score) @ naive.against(score)) for score in REACHED))


@pytest.mark.parametrize("bot", BOTS)
def test_a_bots_scores_are_found_again_from_what_the_page_says_of_it(bot: str) -> None:
    chances = opens(bot)
    mean = float(chances @ naive.SCORES)
    spread = float(np.sqrt(chances @ (naive.SCORES - mean) ** 2))
    found = [
        f"{mean:.3f}",
        f"{spread:.3f}",
        *(f"{100 * float(part):.2f}%" for part in (1 - chances[0], chances[4:17].sum(), chances[24])),
    ]
    assert rows("| bot | mean score", "Their scores")[bot] == found


@pytest.mark.parametrize("bot", BOTS)
def test_a_bots_row_of_shares_is_found_again_from_what_the_page_says_of_it(bot: str) -> None:
    """Two misses share the round, as the page says."""
    found = [f"{100 * share(bot, other):.2f}%" for other in BOTS]
    assert rows("| first |", "### Midnight, one round of two")[bot] == found


def _least(kept: list[naive_420.Dice]) -> list[naive_420.Dice]:
    """Those of the lowest total; the page leaves no two of them open."""
    return sorted(kept, key=sum)[:1]


def _tip_420(own: naive_420.Dice, other: naive_420.Dice) -> list[naive_420.Dice]:
    """Word for word what the page says of ``tip`` at 420."""
    allowed = naive_420.keeps(own)
    sized = {size: [kept for kept in allowed if len(kept) == size] for size in range(4)}
    ideal = [kept for kept in sized[3] if sum(kept) == 15]
    pressed = sum(other) <= 20 and any(len(kept) == 3 and sum(kept) == 15 for kept in naive_420.keeps(other))
    if ideal:
        return ideal[:1]
    if pressed and sized[3]:
        return _least(sized[3])
    return next(_least(sized[size]) for size in (2, 1, 3, 0) if sized[size])


def _alone() -> dict[naive_420.Dice, float]:
    """The fewest turns on average that every keep needs."""
    turns = np.zeros(len(naive_420.HANDS))
    while True:
        needed = 1 + naive_420.MOVE @ turns
        after = np.where(naive_420.ALLOWED, needed, np.inf).min(axis=1)
        if np.abs(after - turns).max() < 1e-12:
            return dict(zip(naive_420.KEEPS, map(float, needed), strict=True))
        turns = after


@cache
def chosen_420(bot: str) -> naive_420.Chosen:
    """What a bot keeps at 420, by what the page says of it."""
    told = TOLD[bot]
    if bot == "lucky":
        return naive_420.chosen(lambda own, other: naive_420.keeps(own))
    if bot == "tip":
        return naive_420.chosen(_tip_420)
    if bot == "steady":
        assert told.endswith("for the fewest turns to 20 on average at 420.")
        needed = _alone()
        return naive_420.chosen(lambda own, other: [min(naive_420.keeps(own), key=lambda kept: round(needed[kept], 9))])
    if bot == "perfect":
        return naive_420.best()
    keys = {
        "it takes the keep with the greatest share of wins among the rolls that win or go over 20; "
        "of equal keeps, the one that wins more often.": _share_of_wins,
        "it takes the keep whose next roll wins most often; of equal keeps, the one that goes over 20 less often.": (
            lambda kept: (round(naive_420.wins(kept), 12), -naive_420.overs(kept))
        ),
    }
    key = next(key for sentence, key in keys.items() if told.endswith(sentence))
    return naive_420.chosen(lambda own, other: [max(naive_420.keeps(own), key=key)])


def _share_of_wins(kept: naive_420.Dice) -> tuple[float, float]:
    won, over = naive_420.wins(kept), naive_420.overs(kept)
    return round(won / (won + over), 12), won


@pytest.mark.parametrize("bot", BOTS)
def test_a_bots_row_at_420_is_found_again_from_what_the_page_says_of_it(bot: str) -> None:
    found = [f"{100 * naive_420.race(chosen_420(bot), chosen_420(other)):.2f}%" for other in BOTS]
    assert rows("| first |", "### 420, a race of two")[bot] == found
