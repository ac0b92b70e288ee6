"""A seat that plays alone for its score: told as the game counts, and asked about where a game seats one."""

import json
import re
from pathlib import Path

import pytest

import pubdice
from pubdice.advice.analysis import AnalysisJob
from pubdice.advice.coach import Coach
from pubdice.advice.receipt import build_receipt
from pubdice.checked_record import read_checked
from pubdice.cli import main
from pubdice.games import GAMES
from pubdice.text.language import Language

RECORD = """pubdice 1
game: threes
seats: Ann
format: rounds 2

round 1
Ann: 33211 k33211 = 4
round 2
Ann: 66655 k5 6543 k3 654 k4 65 k5 6 k6 = 20
"""
MEAN = 6.2540
"""Of Threes, played best: Mathematics, question 4482277."""


def _said(capfd: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0
    out, err = capfd.readouterr()
    assert not err
    return out


@pytest.mark.nightly
def test_a_review_of_a_seat_alone_is_told_as_the_game_counts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Threes: 4 and 20 were scored. The first roll was worth 2.25 points less, which is good."""
    (tmp_path / "solo.record").write_text(RECORD)
    text = _said(capfd, "review", str(tmp_path / "solo.record"))
    split = "expected 12.51 points, plus 11.49 points by luck, plus 0.00 points by own choices: 24.00 points."
    assert f"Ann: {split}" in text
    assert "The best roll: 3 3 2 1 1 by Ann in round 1, minus 2.25 points." in text
    assert not re.search(r"[-−][0-9]", text)
    data = json.loads(_said(capfd, "review", str(tmp_path / "solo.record"), "--json"))
    ann = data["seats"]["Ann"]
    assert (ann["expectation"], ann["result"]) == pytest.approx((2 * MEAN, 24), abs=1e-4)
    assert all(each["value"] > 0 and each["lost"] == 0 for each in data["decisions"])


def test_a_receipt_of_a_seat_alone_is_told_as_the_game_counts() -> None:
    checked = read_checked(RECORD, GAMES, Language())
    assert checked.kit.solver is not None
    weighed = AnalysisJob(checked, Coach(checked.kit.solver(checked.match), checked.match)).go_on()
    assert weighed is not None
    found = build_receipt(weighed, Language())
    parts = {part.name: part.amount for part in found.seats[0].parts}
    assert parts == {"seat": "12.51", "luck": "+11.49", "skill": "0.00", "result": "24.00"}
    assert found.seats[0].parts[1].line == "The dice were unkind to Ann: 11.49 points more than on average."
    assert found.moves[-1].said == ("24.00",)
    assert found.luckiest is not None
    assert found.luckiest.lines[1:] == ("That saved Ann 2.25 points.", "6.25 points before it, 4.00 points after it.")


def test_the_library_says_the_odds_and_the_keeps_of_a_seat_alone_as_the_game_counts() -> None:
    match = pubdice.new_match("threes", seats=["Ann"])
    assert pubdice.odds(match).values["Ann"] == pytest.approx(MEAN, abs=1e-4)
    rolled = match.roll("66655")
    ranked = pubdice.advise(rolled).ranked
    assert 0 < ranked[0].value < ranked[-1].value
    assert [each.lost for each in ranked] == sorted(each.lost for each in ranked)


@pytest.mark.parametrize(("game", "mean"), [("threes", "6.254"), ("midnight", "18.676")])
def test_the_odds_of_a_game_that_seats_one_are_its_mean_score(
    game: str, mean: str, capfd: pytest.CaptureFixture[str]
) -> None:
    said = _said(capfd, "odds", game, "--seats", "1")
    assert said.startswith(f"Alone you score {mean} a round on average if you play best.\n")
    data = json.loads(_said(capfd, "odds", game, "--seats", "1", "--format", "pot:1:1", "--json"))
    assert data["score"] == [pytest.approx(float(mean), abs=1e-3)]


@pytest.mark.parametrize(("words", "least"), [("mexico --seats 1", 2), ("420 --seats 1", 2), ("threes --seats 0", 1)])
def test_too_few_seats_are_refused_with_the_bounds_of_the_game(
    words: str, least: int, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", *words.split()]) == 2
    out, err = capfd.readouterr()
    assert not out
    assert re.fullmatch(rf'pubdice odds: "[01]": --seats is a whole number: {least} to [0-9]+\.\n', err)
