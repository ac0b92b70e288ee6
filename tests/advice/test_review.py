"""Reviews of known matches: what counts, which keep was worst, which roll was best, and rounds played one by one."""

from typing import Any

import pytest

from advice.known_match import WON, coached
from pubdice.advice.analysis import analyse
from pubdice.advice.coach import Coach
from pubdice.advice.review import Review, review
from pubdice.text.catalogues import language
from pubdice.text.language import Language


def _reviewed(text: str) -> tuple[Coach, Review, dict[str, Any]]:
    checked, coach = coached(text)
    found = review(coach, checked.steps)
    return coach, found, found.data(checked.header.names, checked.match.game.write_action)


@pytest.mark.nightly
def test_a_review_says_itself_in_any_language_and_gives_the_same_data() -> None:
    found = analyse(*coached(WON))
    assert "Bob: 1 choice that counts. 1 mistake." in found.sentences(Language())
    assert "Bob: 1 Entscheidung, die zählt; 1 Fehler." in found.sentences(language("de", strict=True))
    assert found.data()["worst"]["verdict"] == "mistake"
    assert set(found.data()["luck_rank"]["seats"]) == {"Ann", "Bob"}


def test_a_match_is_split_into_what_was_expected_luck_and_skill() -> None:
    _, found, data = _reviewed(WON)
    ann, bob = found.splits
    assert ann.expectation + bob.expectation == pytest.approx(1)
    assert (ann.result, bob.result) == (1, 0)
    assert ann.luck == pytest.approx(-bob.luck)
    assert ann.skill == pytest.approx(0, abs=1e-12)
    assert bob.skill < -0.001
    assert ann.given == pytest.approx(-bob.skill)
    assert data["utility"] == "share of the match"
    assert data["seats"]["Ann"]["result"] == 1
    assert data["best_roll"] == {
        "turn": 1, "round": 1, "seat": "Ann", "roll": [4, 6, 6, 6, 1, 6], "gain": data["best_roll"]["gain"],
    }  # fmt: skip


def test_every_decision_with_a_choice_is_graded_and_the_worst_is_named() -> None:
    coach, found, data = _reviewed(WON)
    assert [each["kept"] for each in data["decisions"]] == ["k146666", "k5", "k1", "k4", "k111"]
    assert data["decisions"][0]["verdict"] == "best"
    worst = data["worst"]
    assert worst["kept"] == "k5"
    assert worst["lost"] == max(each["lost"] for each in data["decisions"])
    assert worst["best"] == coach.match.game.write_action(found.decisions[1].best.action)
    assert worst["value"] + worst["lost"] == pytest.approx(found.decisions[1].best.value)
    assert [each["turn"] for each in data["decisions"]] == [1, 2, 2, 2, 2]
    last = data["decisions"][-1]
    assert not last["counts"], "Bob cannot even tie any more"
    assert last["verdict"] in ("best", "equal")


def test_forced_choices_are_no_decisions() -> None:
    _, _, data = _reviewed(
        "pubdice 1\ngame: 420\nseats: Ann, Bob\nformat: race\n\nround 1\nAnn: 6666\nBob: 1111\nAnn: k- 5555\n"
    )
    assert data["decisions"] == []
    assert data["worst"] is None
    assert data["best_roll"]["roll"] == [5, 5, 5, 5]


def test_an_empty_record_is_worth_what_is_expected() -> None:
    _, found, data = _reviewed("pubdice 1\ngame: 420\nseats: Ann, Bob\nformat: race\n")
    assert data["best_roll"] is None
    for split in found.splits:
        assert split.result == split.expectation
        assert (split.luck, split.skill, split.given) == (0, 0, 0)


def test_an_unfinished_record_is_worth_what_it_stands_at() -> None:
    coach, found, _ = _reviewed(
        "pubdice 1\ngame: 420\nseats: Ann, Bob\nformat: race\n\nround 1\nAnn: 6541\nBob: 1111\n"
    )
    state = coach.match.roll(coach.match.roll(coach.match.start(), (1, 4, 5, 6)), (1, 1, 1, 1))
    assert [split.result for split in found.splits] == pytest.approx(list(coach.solver.values(state)))


def test_the_draw_of_player_1_is_luck() -> None:
    _, found, data = _reviewed("pubdice 1\ngame: 420\nseats: Ann, Bob, Cid\nformat: drinks\n\ndraw Bob\n")
    assert sum(split.luck for split in found.splits) == pytest.approx(0, abs=1e-12)
    assert found.splits[1].luck > 0, "who opens buys less often"
    assert data["best_roll"] is None


ROUNDS = """pubdice 1
game: midnight
seats: {seats}
format: rounds 2

round 1
"""
TURN = "{name}: 466616 k146666\n"


def test_rounds_played_one_at_a_time_each_bring_their_own_expectation() -> None:
    text = ROUNDS.format(seats="Ann, Bob, Cid").replace("rounds 2", "rounds 2\nopener: loser")
    for _ in range(2):
        text += "".join(TURN.format(name=name) for name in ("Ann", "Bob", "Cid"))
    coach, found, _ = _reviewed(text)
    fresh = coach.solver.values(coach.match.start())
    assert [split.result for split in found.splits] == [2, 2, 2]
    assert coach.solver.utility == "round wins, one round at a time"
    assert [split.expectation for split in found.splits] == pytest.approx([2 * value for value in fresh])
    assert all(split.skill == pytest.approx(0, abs=1e-9) for split in found.splits)


def test_a_single_seat_plays_for_the_sum_of_its_scores() -> None:
    coach, found, data = _reviewed(ROUNDS.format(seats="Ann") + TURN.format(name="Ann") * 2)
    (ann,) = found.splits
    assert ann.result == 48
    assert ann.expectation == pytest.approx(2 * coach.solver.values(coach.match.start())[0])
    assert 16 < ann.expectation / 2 < 20
    assert ann.given == 0
    assert data["utility"] == "score"
