"""``pubdice daily``: the page's position asked at the keyboard, graded the same, with a streak of its own."""

import json
import re

import pytest

from pubdice.advice.days import DAY_MS
from pubdice.core.errors import NotStored
from pubdice.games import GAMES
from pubdice.store import MemoryStore
from pubdice.terminal.answer_logs import DayLog
from pubdice.text.catalogues import language
from sentences import WHOLE
from support.console import Room, one_sentence

NOW = 1_763_640_000_000
"""2025-11-20, number 214: Threes, 2 locked, 2 2 3 5 rolled."""


def test_a_position_is_asked_graded_and_kept() -> None:
    room = Room(now_ms=NOW)
    told = room.run("daily", "k 2 3 r")
    assert (told.status, told.err) == (0, "")
    assert "Last orders 214: Threes, 2025-11-20." in told.out
    assert "You rolled 5 2 2 3." in told.out
    answer = json.loads(room.run("daily --json").out)["answer"]
    lost = next(each["lost"] for each in answer["actions"] if each["action"] == "k23")
    assert f"{100 * lost:.1f}% off." in told.out
    assert told.out.rstrip().endswith(f"Last orders 214 · {100 * lost:.1f}% off · 1 day")
    assert room.store.tables() == room.drills.tables() == []


@pytest.mark.parametrize("code", WHOLE)
def test_who_answers_is_called_you_in_the_language_of_the_terminal(code: str) -> None:
    tongue = language(code)
    told = Room(now_ms=NOW, language=tongue).run("daily", "q")
    assert told.status == 0
    assert re.search(rf"\b{tongue.say('you')}\b", told.out)
    assert not re.search(r"\byou\b", told.out, re.IGNORECASE)


def test_the_first_answer_counts_and_days_make_a_streak() -> None:
    room = Room(now_ms=NOW)
    room.run("daily", "k 3 r")
    again = room.run("daily", "k 2 r")
    assert "You answered: Keep 3." in again.out
    assert "Best!" in again.out
    assert len(room.days.read(1)) == 2
    room.now_ms += DAY_MS
    told = room.run("daily", "k 6 4 r")
    assert told.out.rstrip().endswith("2 days")
    assert "You answered: Keep 3." in room.run("daily 2025-11-20").out


def test_leaving_is_no_answer_and_the_coach_is_silent() -> None:
    room = Room(now_ms=NOW)
    told = room.run("daily", "hint", "q")
    assert "Answer first, then the coach tells you." in told.out
    assert "Not answered yet." in told.out
    assert room.days.tables() == []
    assert json.loads(room.run("daily --json").out)["answer"] is None


def test_an_earlier_day_is_told_with_its_answer() -> None:
    told = Room(now_ms=NOW).run("daily 2025-11-19")
    assert told.status == 0
    assert "is best." in told.out


@pytest.mark.parametrize("date", ["2025-11-21", "2025-04-20", "20251120", "2025-02-29", "x"])
def test_a_day_without_a_position_is_refused_in_a_sentence(date: str) -> None:
    told = Room(now_ms=NOW).run(f"daily {date}")
    assert told.status == 2
    one_sentence(told, "daily")


def test_a_house_without_solved_games_says_so() -> None:
    told = Room(now_ms=NOW, games={}).run("daily")
    assert told.status == 1
    assert "no position today" in one_sentence(told, "daily")


@pytest.mark.parametrize(
    "line", ["x", "[]", '{"number": 1}', '{"number": 1, "grade": "good", "choice": 0}', "[" * 10_000]
)
def test_a_damaged_log_is_said_to_be_so(line: str) -> None:
    store = MemoryStore()
    store.create('{"pubdice": 1, "daily": 1}', line)
    with pytest.raises(NotStored):
        DayLog(store).streak()
    assert "damaged" in one_sentence(Room(now_ms=NOW, days=store).run("daily"), "daily")


def test_every_game_is_asked() -> None:
    found = set()
    for day in range(len(GAMES)):
        room = Room(now_ms=NOW + day * DAY_MS)
        told = room.run("daily", "q")
        assert told.status == 0, told.err
        found.add(json.loads(room.run("daily --json").out)["game"])
    assert found == {name for name, kit in GAMES.items() if not kit.joins}
