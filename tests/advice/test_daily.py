"""Last orders: a position a day, worked out from the date, the same in every house; a streak that keeps its word."""

import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubdice.advice.coach import Coach
from pubdice.advice.daily import LEAST_GAP, MOST_CHOICES, MOST_GAP, DayQuestion, asked, find
from pubdice.advice.days import DAY_MS, FIRST_DAY, number_at, read_day, written_day
from pubdice.advice.drill import drill_question
from pubdice.advice.explained_day import explain_day
from pubdice.advice.streak import KEPT, Grade, Streak, read_streak
from pubdice.checked_record import read_checked
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.match.match import Match
from pubdice.solve.solver import Solver
from pubdice.text.language import Language

JOINS = "2027-01-01"
GRADES: tuple[Grade, ...] = ("best", "close", "off")


@cache
def _solver(name: str, match: Match[Any, Any]) -> Solver:
    kit = GAMES[name]
    assert kit.solver is not None
    return kit.solver(match)


def _solve(kit: Kit, match: Match[Any, Any]) -> Solver:
    return _solver(kit.name, match)


def _of(number: int) -> DayQuestion:
    return find(GAMES, number, _solve)


# The days


@given(st.integers(1, 200_000))
def test_the_calendar_is_the_gregorian_one(number: int) -> None:
    day = (date.fromisoformat(FIRST_DAY) + timedelta(number - 1)).isoformat()
    assert written_day(number) == day
    assert read_day(day, number) == number
    start = (date.fromisoformat(day) - date(1970, 1, 1)).days * DAY_MS
    assert (number_at(start - 1), number_at(start), number_at(start + DAY_MS - 1)) == (number - 1, number, number)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *[(text, "day") for text in ("", "x", "2025-02-29", "2025-13-01", "2025-00-01", "2025-04-31", "20251120")],
        *[(text, "day") for text in ("2025-11-20 ", "2025-W47-4", "٢٠٢٥-١١-٢٠", "2025-11-20\n")],
        ("2025-11-21", "day-future"),
        ("9999-12-31", "day-future"),
        ("2025-04-20", "day-early"),
        ("0001-01-01", "day-early"),
    ],
)
def test_what_is_no_day_with_a_position_is_refused(text: str, code: str) -> None:
    with pytest.raises(BadNotation) as refused:
        read_day(text, 214)
    assert refused.value.code == code


# The positions


@pytest.mark.parametrize("first", [1, pytest.param(500, marks=pytest.mark.nightly)])
def test_each_of_60_days_has_a_worthwhile_question_and_every_game_occurs(first: int) -> None:
    games = []
    for number in range(first, first + 60):
        question = _of(number)
        checked = read_checked(question.record, GAMES, Language())
        state, match = checked.steps[-1].after, checked.match
        advice = Coach(_solver(question.game, match), match).advise(state)
        gap = min(choice.lost for choice in advice.choices if choice.lost > 0)
        assert 2 <= len(advice.choices) <= MOST_CHOICES
        assert LEAST_GAP <= gap <= MOST_GAP
        games.append(question.game)
    assert set(games) == {name for name, kit in GAMES.items() if kit.solver and kit.joins <= written_day(first)}
    assert all(games[at] != games[at + 1] for at in range(59)), "the games take turns"


def test_a_game_that_joins_goes_round_from_its_day_and_changes_none_before() -> None:
    def game_of(number: int, names: Iterable[str]) -> str:
        kits = {name: replace(GAMES[name], joins=JOINS if name == "threes" else "") for name in names}
        return find(kits, number, _solve).game

    first, names = next(day for day in range(1, 2000) if written_day(day) == JOINS), ("midnight", "ship", "threes")
    before, after = range(first - 4, first), range(first, first + 3)
    assert [game_of(day, names) for day in before] == [game_of(day, names[:2]) for day in before]
    assert {game_of(day, names) for day in after} == set(names)


def test_a_day_at_one_game_asks_nothing_that_the_day_itself_asks() -> None:
    """Its moves may be ranked before an answer, and then the day's own would be known."""
    for number in range(583, 589):
        own = _of(number)
        alone = drill_question(GAMES[own.game], number, _solve, own.day)
        assert (alone.game, alone.record != own.record) == (own.game, True)


@pytest.mark.nightly
def test_another_process_finds_the_same_position() -> None:
    script = (
        "import json, sys\nfrom pubdice.games import GAMES\nfrom pubdice.advice.daily import find\n"
        "games = dict(reversed(GAMES.items()))\n"
        "print(json.dumps([find(games, day, lambda kit, match: kit.solver(match)).record for day in (214, 217)]))"
    )
    there = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert json.loads(there.stdout) == [_of(214).record, _of(217).record]


def test_the_position_of_a_day_never_changes() -> None:
    """If this fails, houses of two versions ask two questions on one day: give the dice's domain the next number."""
    assert _of(217).record == (
        "pubdice 1\ngame: midnight\nneed: 1 4\nseats: Ann, Bob\nformat: rounds 1\nopener: rotate\nfirst: Ann\n\n"
        "round 1\nAnn: 656353 k6 16412 k146 35\n"
    )


def test_a_house_without_solved_games_says_so_and_a_game_without_a_solver_has_no_day() -> None:
    with pytest.raises(Unsolved):
        find({}, 1, _solve)
    assert asked({"a": GAMES["midnight"]}) == ("a",)


@pytest.mark.parametrize("number", range(214, 219))
def test_a_position_is_told_without_its_answer_and_its_choices_stand_in_the_rules_order(number: int) -> None:
    question = _of(number)
    checked = read_checked(question.record, GAMES, Language())
    told = explain_day(question, checked, lambda: _solver(question.game, checked.match), Language())
    legal = checked.match.legal(checked.steps[-1].after)
    assert [choice.action for choice in told.choices] == [checked.match.game.write_action(action) for action in legal]
    assert sorted(choice.row for choice in told.choices) == list(range(len(legal)))
    assert len({choice.label for choice in told.choices}) == len(legal)
    assert "%" not in told.stands + told.ask
    assert [choice.at for choice in told.choices] == list(range(len(legal)))
    for choice in told.choices:
        lost = told.ranking.data["actions"][choice.row]["lost"]
        assert (choice.grade == "best") == (lost == 0) == (told.ranking.rows[choice.row].lost == "")
        assert (choice.grade == "off") == (lost >= 0.05)


# The streak

ANSWERS = st.lists(st.tuples(st.integers(1, 60), st.sampled_from(GRADES), st.integers(0, 11)), max_size=40)


@given(ANSWERS)
def test_a_streak_counts_days_without_a_gap_and_comes_back_from_its_text(answers: list[tuple[int, Grade, int]]) -> None:
    streak, kept = Streak(), dict[int, tuple[Grade, int]]()
    for number, grade, choice in answers:
        streak = streak.answered(number, grade, choice)
        if number > max(kept, default=0):
            kept[number] = grade, choice
    last = max(kept, default=0)
    assert streak.last == last
    assert streak.days == next(days for days in range(61) if last - days not in kept)
    assert (streak.running(last + 1), streak.running(last + 2)) == (streak.days, 0)
    for number in range(max(1, last - KEPT + 1), last + 1):
        mark = streak.of(number)
        assert (None if mark is None else (mark.grade, mark.choice)) == kept.get(number)
    if kept:
        text = streak.write()
        assert len(text) <= 54
        assert read_streak(text, last) == streak
        assert read_streak(text, last - 1) == Streak(), "no answer comes from the future"


@given(st.text(alphabet="0123456789.bcoa-", max_size=40))
def test_any_text_is_a_streak_or_a_fresh_start(text: str) -> None:
    streak = read_streak(text, 1000)
    assert streak == Streak() or streak.write() == text
    assert streak.answered(1001, "best", 0).running(1001) >= 1


def test_the_first_answer_of_a_day_counts() -> None:
    first = Streak().answered(7, "close", 2)
    assert first.answered(7, "best", 0) is first
    assert first.answered(6, "best", 0) is first
    assert [mark.grade for mark in first.answered(9, "best", 0).row(10, 4)] == ["close", None, "best", None]
