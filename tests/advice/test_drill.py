"""The drill: the same positions in every house, each a real question, and a score that brings missed ones back."""

import pytest

from pubdice.advice.coach import Coach
from pubdice.advice.drill import LATER, MOST_MISSED, MOST_NUMBER, DrillScore, drill_question, read_scores, write_scores
from pubdice.checked_record import read_checked
from pubdice.games import GAMES
from pubdice.games.threes import KIT
from pubdice.solve.choose import solve_match
from pubdice.text.language import Language


@pytest.mark.parametrize("number", [1, 2, 17, MOST_NUMBER])
def test_a_number_is_always_the_same_question_with_something_to_lose(number: int) -> None:
    question = drill_question(KIT, number, lambda kit, match: solve_match(match))
    assert (question.number, question.game) == (number, "threes")
    assert question == drill_question(KIT, number, lambda kit, match: solve_match(match))
    checked = read_checked(question.record, GAMES, Language())
    advice = Coach(solve_match(checked.match), checked.match).advise(checked.steps[-1].after)
    assert advice.best.lost == 0
    assert any(choice.lost > 0 for choice in advice.choices)


def test_numbers_are_different_questions() -> None:
    found = {drill_question(KIT, number, lambda kit, match: solve_match(match)).record for number in range(1, 13)}
    assert len(found) == 12


def test_what_is_missed_comes_again_after_three_others_until_it_is_right() -> None:
    score, asked = DrillScore(), []
    for _ in range(10):
        asked.append(score.next)
        score = score.after(score.next, right=score.next != 2 or len(asked) > 8)
    assert asked == [1, 2, 3, 4, 5, 2, 6, 7, 8, 2]
    assert score == DrillScore(8, 10, 8)


def test_only_the_position_that_was_asked_counts_and_once() -> None:
    score = DrillScore().after(1, right=True)
    assert score.after(1, right=True) == score
    assert score.after(500, right=True) == score
    assert score.after(0, right=False) == score


def test_no_score_grows_without_bound() -> None:
    score = DrillScore()
    for _ in range(200):
        score = score.after(score.next, right=False)
    assert len(score.missed) <= MOST_MISSED
    full = DrillScore(MOST_NUMBER, MOST_NUMBER, MOST_NUMBER)
    assert full.next == MOST_NUMBER
    assert full.after(full.next, right=True) == full


def test_scores_are_read_as_they_were_written() -> None:
    scores = {"threes": DrillScore(9, 12, 10, ((3, 12), (7, 15))), "420": DrillScore(1, 1, 1)}
    assert write_scores(scores) == "threes.9.12.10.3-12.7-15~420.1.1.1"
    assert read_scores(write_scores(scores), GAMES) == scores
    assert read_scores(write_scores(scores), ["420"]) == {"420": scores["420"]}


def test_the_largest_scores_of_all_games_fit_into_a_cookie() -> None:
    missed = tuple((MOST_NUMBER - at, MOST_NUMBER) for at in range(MOST_MISSED))
    text = write_scores(dict.fromkeys(GAMES, DrillScore(MOST_NUMBER, MOST_NUMBER, MOST_NUMBER, missed)))
    assert len(text) < 2_000
    assert set(read_scores(text, GAMES)) == set(GAMES)
    many = [f"game{number}" for number in range(40)]
    text = write_scores(dict.fromkeys(many, DrillScore(MOST_NUMBER, MOST_NUMBER, MOST_NUMBER, missed)))
    assert len(text) <= 2_000
    assert list(read_scores(text, many))[-1] == "game39"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "threes",
        "threes.1.1",
        "threes.1.1.2",
        "threes.1.1.1.2-3",
        "threes.5.5.4.0-6",
        "threes.5.5.4.3-9",
        "threes.5.5.4.3",
        "threes.-1.1.1",
        "threes.1234567.1.1",
        "threes.\u0661.1.1",
        "roulette.1.1.1",
        "~" * 5_000,
        "threes." + "9" * 5_000,
    ],
)
def test_what_is_no_score_is_none(text: str) -> None:
    assert read_scores(text, GAMES) == {}
    assert LATER == 3
