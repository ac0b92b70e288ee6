"""What a card prints is what was priced: its words are read back as a policy, and that policy is valued."""

import re
from functools import cache, partial
from itertools import combinations_with_replacement as hands
from pathlib import Path

import pytest

import cards
from pubdice.advice.card_prices import answer
from pubdice.core.game import RoundResult
from pubdice.games.midnight import KIT
from pubdice.games.midnight.card import maker
from pubdice.games.midnight.rules import Midnight
from pubdice.solve.finite.sheet import Sheet
from pubdice.solve.turns.turn import turn
from pubdice.text.language import Language

PAGE = Path(__file__).parents[2] / "docs/games/midnight.md"
NEEDS = ((1, 4), pytest.param((2, 4), marks=pytest.mark.nightly))


@cache
def sheet(need: tuple[int, int]) -> Sheet:
    game = Midnight(need)
    return Sheet(game, game.start(1))


@cache
def told(need: tuple[int, int]) -> list[str]:
    return answer(KIT, {"need": f"{need[0]} {need[1]}"}).sentences(Language())


def mean(need: tuple[int, int], lines: tuple[str, ...]) -> float:
    return sheet(need).value(cards.Midnight(need, lines).against(None), lambda result: result.scores[0])


def share(need: tuple[int, int], lines: tuple[str, ...]) -> float:
    """The last seat's share of a round of two whose opener plays for the mean score; equal scores share it."""
    turned, policy = turn(Midnight(need)), cards.Midnight(need, lines)
    opens = turned.solve(turned.mean).chance[turned.start]
    total = 0.0
    for beat, chance in zip(turned.scores, opens, strict=True):
        total += float(chance) * sheet(need).value(policy.against(beat), partial(_shared, beat))
    return total


def _shared(beat: int, result: RoundResult) -> float:
    return 1.0 if result.scores[0] > beat else 0.5 if result.scores[0] == beat else 0.0


def rounded(cost: str, value: float) -> str:
    return f"{value:.{len(cost.partition('.')[2])}f}"


def test_the_page_of_midnight_prints_the_usual_card() -> None:
    """``packages/lab/tests/test_strategy.py`` takes it from there, as its price takes some seconds."""
    assert "\n".join(["```text", *told((1, 4)), "```", ""]) in PAGE.read_text(encoding="utf-8")


@pytest.mark.nightly
@pytest.mark.parametrize("need", NEEDS, ids=str)
def test_ignoring_a_line_of_midnight_costs_what_stands_beside_it(need: tuple[int, int]) -> None:
    lines = cards.printed(told(need))
    assert len(lines) == 8
    texts = tuple(line.text for line in lines)
    whole = {"points": mean(need, texts), "% of the round": share(need, texts)}
    for at, line in enumerate(lines):
        others = texts[:at] + texts[at + 1 :]
        value = mean(need, others) if line.unit == "points" else share(need, others)
        cost = (whole[line.unit] - value) * (1 if line.unit == "points" else 100)
        assert rounded(line.cost, cost) == line.cost, line.text


@pytest.mark.parametrize("need", NEEDS, ids=str)
def test_the_foot_of_midnights_card_is_what_its_words_come_to(need: tuple[int, int]) -> None:
    texts = tuple(line.text for line in cards.printed(told(need)))
    own, most, up = map(float, re.findall(r"\d+\.\d+", told(need)[-2]))
    assert own == round(mean(need, texts), 4)
    assert most == round(float(turn(Midnight(need)).best(turn(Midnight(need)).mean[:, None])[0]), 4)
    assert most - own == pytest.approx(up, abs=1.1e-4)
    assert float(re.findall(r"\d+\.\d", told(need)[-1])[0]) == round(100 * share(need, texts), 1)


@pytest.mark.parametrize("need", NEEDS, ids=str)
def test_the_words_of_midnights_card_keep_what_its_lines_keep(need: tuple[int, int]) -> None:
    """Die for die, in every position of a turn, and whatever is to beat."""
    game, lines = Midnight(need), maker(need).lines
    words = cards.Midnight(need, [line.text for line in cards.printed(told(need))])
    looked = 0
    for locked, free in _decisions(need):
        for beat in (None, 0, 4, 15, 18, 19, 23, 24):
            kept = [keep.dice for keep, _ in lines.keep(game, locked, free, beat)]
            assert [tuple(sorted(dice)) for dice in words.keeps(locked, free, beat)] == kept
            looked += 1
    assert looked > 5000


def _decisions(need: tuple[int, int]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return [
        (locked, free)
        for dice in range(2, 7)
        for locked in hands(range(1, 7), 6 - dice)
        for free in hands(range(1, 7), dice)
    ][::3]
