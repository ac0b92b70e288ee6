"""Sentences of the page of strategy that stand beside its tables: what they say, asked of plain solvers or of cards."""

import re

import numpy as np
import pytest

from oracles import naive_midnight as naive
from oracles import naive_ship, naive_threes
from test_bots_as_told import PAGE, _alone

TOLD = " ".join(PAGE.split())


def card(title: str) -> list[str]:
    """The numbered lines of a card, without what they cost."""
    part = PAGE[PAGE.index(f"```\n{title}") :].partition("\n```\n")[0]
    return [line.partition(" Ignored")[0] for line in re.findall(r"^\d\. (.+)$", part, re.MULTILINE)]


def test_play_for_the_mean_qualifies_as_often_as_can_be_and_has_not_the_best_chance_of_a_24() -> None:
    """Midnight's first table, from the rules alone, and the sum of the newsgroup's total."""
    steady = naive.best(naive.SCORES)
    mean, qualify, top = float(steady @ naive.SCORES), 1 - float(steady[0]), float(steady[24])
    qualified, reached = (float(naive.values((least <= naive.SCORES).astype(float))) for least in (1, 24))
    assert qualify == pytest.approx(qualified, abs=1e-12)
    assert top < reached
    figures = f"{mean:.4f}", *(f"{100 * part:.2f}%" for part in (qualify, qualified, top, reached))
    assert f"| 1 and 4 | {' | '.join(figures)} |" in PAGE
    assert f"{mean:.4f} + 5 × {qualify:.6f} = {mean + 5 * qualify:.4f}" in TOLD
    assert f"{mean + 5 * qualify:.2f}" == "23.46", "what the newsgroup has"


def test_until_both_dice_are_kept_one_die_a_roll_loses_nothing_of_the_mean() -> None:
    """As the page says in a minute, for the mean score and for the chance to qualify."""

    def one(locked: naive.Dice, rolled: naive.Dice) -> list[naive.Dice]:
        lacked = {face for face in (1, 4) if face not in locked}
        kept = naive.keeps(rolled)
        return [each for each in kept if len(each) == 1 or lacked <= set(each)]

    aims = np.column_stack([naive.SCORES, naive.SCORES > 0])
    assert naive.values(aims, one) == pytest.approx(naive.values(aims), abs=1e-12)


def test_played_alone_420_takes_the_turns_that_the_page_says() -> None:
    assert f"it takes {_alone()[()]:.3f} turns on average to reach 20" in TOLD


def test_all_three_come_aboard_as_often_as_the_page_says_and_8_is_best_for_the_mean_cargo() -> None:
    assert f"All three come aboard {100 * float(naive_ship.all_aboard()):.2f}% of the time" in TOLD
    means = {
        least: sum(score * chance for score, chance in naive_ship.stopping_from(least).items())
        for least in range(2, 13)
    }
    assert max(means, key=lambda least: means[least]) in (7, 8), "with one roll left a 7 is as good as another roll"
    assert means[8] == naive_ship.best_mean()
    assert "rolls a cargo below 8 again, which is best for the mean cargo" in TOLD


def test_the_last_to_roll_has_the_better_seat_at_midnight_and_threes_and_the_first_at_mexico() -> None:
    """As the page says in a minute, and in its sections."""
    assert float(naive_threes.opener()) < 0.5
    assert f"{100 * float(naive_threes.opener()):.2f}%" in PAGE
    first = [float(cell) for cell in re.findall(r"both dice rolled \| ([\d.]+)%", PAGE)]
    assert first
    assert min(first) > 50
    assert "Midnight, to win: rolling last is an advantage." in TOLD
    assert "So the last to roll has an advantage." in TOLD
    assert "With two players, rolling first is an advantage" in TOLD


def test_lines_that_the_page_speaks_of_by_number_are_those_lines() -> None:
    """``cards.Midnight`` reads lines 3 and 4 under line 2, as the page says, and finds the same costs."""
    lines = card("Midnight")
    assert lines[1].startswith("Until you have both, keep just one die a roll.")
    assert lines[2].startswith("Keep every 6.")
    assert lines[3].startswith("Keep every 5 if that leaves at most 1 die")
    assert lines[7].startswith("Last, the leader has 19+")
    assert len(lines) == 8
    assert "one 6, or one 5 if at most one die is left then. Line 8 is about the leader's score" in TOLD


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Ship", "Ship for two: five lines tell you everything. Stop with a cargo of 9, with one roll left with 8."),
        ("Mexico", "Stop with 54 at first, with 61 after that."),
        ("420", "420 for two: three lines tell you everything"),
    ],
)
def test_what_is_said_in_a_minute_is_on_the_card(title: str, said: str) -> None:
    assert said in TOLD
    lines = " ".join(card(title))
    assert all(f"{number} or" in lines for number in re.findall(r"\b(?:9|8|54|61)\b", said))
    told = {"five": 5, "three": 4}  # the fourth of 420's is what the rules leave
    for word, number in told.items():
        assert f"{word} lines" not in said or len(card(title)) == number
