"""A roll-off in what is told after a match: its dice are luck, they decide it, and nobody chose anything."""

import pytest

from play import KITS, read
from pubdice.advice import luck_rank as ranks
from pubdice.advice.analysis import AnalysisJob
from pubdice.advice.coach import Coach
from pubdice.advice.receipt import build_receipt
from pubdice.advice.review import review
from pubdice.checked_record import read_checked
from pubdice.text.catalogues import language
from support.console import pubdice

TIED = """pubdice 1
game: midnight
seats: Ann, Bob
format: rounds 2 rolloff

round 1
Ann: 144666 k144666 = 22
Bob: 222222 k222222 = 0
round 2
Bob: 144666 k144666 = 22
Ann: 222222 k222222 = 0
round 3
Bob: 1
Ann: 6
"""
THREE = """pubdice 1
game: ship
seats: Ann, Bob, Cid
format: rounds 2 rolloff
opener: loser

round 1
Ann: 11111 11111 11111 = 0
Bob: 65466 k45666 = 12
Cid: 11111 11111 11111 = 0
round 2
Ann: 65466 k45666 = 12
Bob: 11111 11111 11111 = 0
Cid: 11111 11111 11111 = 0
round 3
Ann: 4
Bob: 4
round 4
Ann: 2
Bob: 3
"""


def test_a_roll_off_is_luck_and_changes_half_of_the_match_into_all_or_nothing() -> None:
    checked = read_checked(TIED, KITS, language("en"))
    found = review(Coach(KITS["midnight"].solver(checked.match), checked.match), checked.steps)  # type: ignore[misc]
    tied, rolled, ended = found.line[-3:]
    assert tied == pytest.approx((0.5, 0.5), abs=1e-12)
    assert rolled == pytest.approx((11 / 12, 1 / 12), abs=1e-12)
    assert ended == pytest.approx((1, 0), abs=1e-12)
    assert [split.result for split in found.splits] == [1, 0]
    assert {decision.state.roll_off for decision in found.decisions} == {None}


def test_the_best_roll_may_be_one_of_the_roll_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "MOST_REPLAYS", 20)
    record = TIED.replace("Bob: 1\nAnn: 6", "Bob: 5\nAnn: 6")
    told = pubdice("review", "-", typed=record)
    assert told.status == 0, told.err
    assert "The best roll: 6 by Ann in the roll-off, plus 75.0%." in told.out, told.out
    checked = read_checked(record, KITS, language("en"))
    weighed = AnalysisJob(checked, Coach(KITS["midnight"].solver(checked.match), checked.match)).go_on()  # type: ignore[misc]
    assert weighed is not None
    receipt = build_receipt(weighed, language("en"))
    assert receipt.luckiest is not None
    assert (receipt.luckiest.dice, receipt.luckiest.where) == ((6,), "Ann, roll-off")
    assert receipt.moves[-1].where == "Roll-off"
    assert "Ann wins the roll-off!" in receipt.moves[-1].lines[-1]


def test_where_each_round_counts_for_its_own_sake_a_roll_off_adds_nothing() -> None:
    end = read(THREE)[1][-1].after
    assert end.tally.won == 1
    checked = read_checked(THREE, KITS, language("en"))
    coach = Coach(KITS["ship"].solver(checked.match), checked.match)  # type: ignore[misc]
    assert coach.solver.utility == "round wins, one round at a time"
    found = review(coach, checked.steps)
    assert [split.result for split in found.splits] == pytest.approx([1, 1, 0], abs=1e-9)
    for split in found.splits:
        assert split.expectation + split.luck + split.skill + split.given == pytest.approx(split.result, abs=1e-9)
    assert [row == pytest.approx(found.line[-1]) for row in found.line[-5:]] == [True] * 5
