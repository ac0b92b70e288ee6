"""The contract of ``odds``, ``advise`` and ``price`` for Midnight: names, numbers, refusals."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from support.console import one_sentence, pubdice

HERE = Path("nowhere")  # nothing asked here keeps a game


def _json(*words: str) -> Any:
    told = pubdice(*words, "--json", data=HERE)
    assert (told.status, told.err) == (0, "")
    return json.loads(told.out)


def _out(*words: str) -> str:
    return pubdice(*words, data=HERE).out


def test_the_odds_of_a_turn_are_a_value_a_chance_and_a_distribution() -> None:
    data = _json("odds", "midnight", "--goal", "score")
    assert set(data) >= {"value", "qualify", "distribution", "bound"}
    assert len(data["distribution"]) == 25
    assert sum(data["distribution"]) == pytest.approx(1, abs=1e-12)
    assert sum(score * chance for score, chance in enumerate(data["distribution"])) == pytest.approx(data["value"])
    assert data["value"] == pytest.approx(18.676337195775705, abs=1e-9)
    assert 0 < data["bound"] < 1e-9


def test_the_best_chance_to_qualify_is_that_of_the_encyclopedia() -> None:
    """The encyclopedia, "Maximum probability of scoring": 1 - (2 (5/6)^21 - (4/6)^21)."""
    data = _json("odds", "midnight", "--goal", "qualify")
    formula = 1 - (2 * (5 / 6) ** 21 - (4 / 6) ** 21)
    assert data["value"] == pytest.approx(formula, abs=1e-12)
    assert data["qualify"] == pytest.approx(formula, abs=1e-12)


@pytest.mark.parametrize("need", ["1,4", "2,4"])
def test_a_goal_for_exactly_24_is_the_chance_of_24(need: str) -> None:
    data = _json("odds", "midnight", "--goal", "exactly:24", "--need", need)
    assert data["value"] == pytest.approx(data["distribution"][24], abs=1e-12)
    assert data["value"] == pytest.approx(_json("odds", "midnight", "--goal", "reach:24", "--need", need)["value"])


@pytest.mark.parametrize(
    ("game", "asked"),
    [("midnight", "--locked 1,4 --roll 6,6,3,2 --goal exactly:12"), ("threes", "--roll 6,5,4,1,1 --goal exactly:9")],
)
def test_no_reason_is_given_for_a_goal_of_one_score(game: str, asked: str) -> None:
    """Neither a mean nor "18 or more" counts there."""
    told = pubdice("advise", game, *asked.split(), data=HERE)
    assert re.search(r"^Keep .* lost\.$", told.out, re.MULTILINE)
    assert "average, " not in told.out
    assert "or more" not in told.out
    assert "or less" not in told.out


def test_one_choice_is_not_called_one_of_several() -> None:
    told = pubdice("advise", "mexico", "--roll", "2,1", data=HERE)
    assert told.out.startswith("There is only one choice, stop with Mexico: ")


def test_advice_lists_every_legal_keep_best_first() -> None:
    data = _json("advise", "midnight", "--locked", "1,4", "--roll", "6,5,2,2", "--goal", "score")
    assert data["actions"][0]["keep"] == [6]
    assert data["actions"][0]["lost"] == 0.0
    assert len(data["actions"]) == 11, "the distinct choices of at least one of 6 5 2 2"
    values = [row["value"] for row in data["actions"]]
    assert values == sorted(values, reverse=True)
    assert all(row["lost"] == pytest.approx(data["value"] - row["value"], abs=1e-12) for row in data["actions"])


def test_the_last_seat_settles_for_what_beats_the_leader() -> None:
    data = _json("advise", "midnight", "--locked", "1,4,6,6", "--roll", "5,1", "--goal", "win", "--to-beat", "17")
    assert data["actions"][0]["keep"] == [5]
    assert data["value"] == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("opener", ["rotate", "fixed", "winner", "loser"])
@pytest.mark.parametrize("form", ["rounds:1", "rounds:3", "pot:1", "pot"])
def test_the_shares_of_two_seats_are_the_whole(form: str, opener: str) -> None:
    data = _json("odds", "midnight", "--seats", "2", "--format", form, "--opener", opener)
    assert sum(data["share"]) == pytest.approx(1, abs=1e-9)
    assert len(data["share"]) == 2
    assert data["bound"] < 1e-9


def test_the_pot_is_a_fixed_point() -> None:
    """With a fixed opener a tied round is played again alike, so the share is that of the rounds that are decided."""
    share = _json("odds", "midnight", "--format", "pot:1", "--opener", "fixed")["share"]
    rotating = _json("odds", "midnight", "--format", "pot:1", "--opener", "rotate")["share"]
    assert share[0] < rotating[0] < 0.5, "opening again after a tie is worse than having the other open"


def test_every_seat_has_its_share_of_one_round() -> None:
    data = _json("odds", "midnight", "--seats", "3", "--format", "rounds:1")
    assert sum(data["share"]) == pytest.approx(1, abs=1e-9)
    assert data["share"] == sorted(data["share"])


@pytest.mark.nightly
def test_prices_compare_one_rule_at_a_time() -> None:
    data = _json("price", "midnight")
    rows = {(row["rule"], row["choice"]): row for row in data["rows"]}
    assert rows["opener", "rotate"]["share"] == rows["need", "1 4"]["share"]
    assert rows["opener", "fixed"]["share"][0] < rows["opener", "rotate"]["share"][0]
    assert rows["seats", "6"]["advantage"] == pytest.approx(rows["seats", "6"]["share"][0] - 1 / 6)


def test_answers_are_told_in_sentences() -> None:
    assert "95.7%" in _out("odds", "midnight", "--goal", "qualify")
    assert _out("advise", "midnight", "--roll", "6,5,5,4,1,3").startswith("Keep ")
    assert "In turn order: 46.0%, 54.0%." in _out("odds", "midnight", "--format", "rounds:1")


@pytest.mark.parametrize(
    "words",
    [
        "odds",
        "odds chess",
        "odds midnight --goal chance",
        "odds midnight --goal reach:99",
        "odds midnight --goal score --to-beat 19",
        "odds midnight --goal win --to-beat 19 --holders 0",
        "odds midnight --goal win --to-beat x",
        "odds threes --moon yes --goal win --to-beat 31 --holders 1",
        "advise ship --boxcars yes --roll 6,5,4,6,6 --goal win --to-beat 12 --holders 1",
        "odds midnight --goal score --seats 2",
        "odds midnight --need 1,7",
        "odds midnight --seats 0",
        "odds midnight --seats 21",
        "odds midnight --seats two",
        "odds midnight --format race",
        "odds midnight --format rounds:21",
        "odds midnight --opener me",
        "advise midnight",
        "advise midnight --roll 6,5",
        "advise midnight --roll 7,5,1,1,1,1",
        "advise midnight --locked 1,4,6,6,6,6 --roll 1",
        "advise midnight --locked x --roll 6,5,2,2",
        "advise midnight --roll 6,5,2,2,1,1 --ties each",
        "price",
        "price pig",
    ],
)
def test_what_cannot_be_asked_is_one_sentence_and_nothing_on_standard_output(words: str) -> None:
    told = pubdice(*words.split(), data=HERE)
    assert told.status == 2
    one_sentence(told, words.split(maxsplit=1)[0])


@pytest.mark.parametrize(("form", "status"), [("rounds:2", 1), ("pot", 2)])
def test_what_is_too_large_to_solve_is_one_sentence(form: str, status: int) -> None:
    """1, as it was read, and could not be done; 2 where the flag itself goes to six seats."""
    told = pubdice(*f"odds midnight --seats 7 --format {form}".split(), data=HERE)
    assert told.status == status
    one_sentence(told, "odds")


def test_round_wins_are_not_called_a_share() -> None:
    """With a losing opener and three seats, who scored least does not follow from who won: one round at a time."""
    data = _json("odds", "midnight", "--seats", "3", "--opener", "loser")
    assert "share" not in data
    assert sum(data["round_wins"]) > 1


@pytest.mark.parametrize("flag", ["--goal score --goal qualify", "--need 1,4 --need 2,4"])
def test_a_flag_given_twice_is_refused(flag: str) -> None:
    told = pubdice(*f"odds midnight {flag}".split(), data=HERE)
    assert told.status == 2
    assert "given twice" in one_sentence(told, "odds")


def test_dice_with_an_empty_place_are_refused() -> None:
    told = pubdice("advise", "midnight", "--roll", ",6,,5,2,2", data=HERE)
    assert told.status == 2
    one_sentence(told, "advise")
