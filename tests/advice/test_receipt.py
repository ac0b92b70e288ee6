"""What a receipt prints adds up, whatever the numbers; its moves are those of the record, its questions the dearest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play import KITS
from pubdice.advice.coach import Coach
from pubdice.advice.receipt import MOST_OPTIONS, AnalysisJob, Receipt, printed_splits, rounded, told
from pubdice.advice.review import Split
from pubdice.kit import read_checked
from pubdice.text.catalogues import language

VALUES = st.floats(-3, 3).map(lambda value: round(value, 12))
WON = """pubdice 1
game: midnight
seats: Ann, Bob
format: rounds 1

round 1
Ann: 466616 k146666
Bob: 344512 k5 14666 k1 4666 k4 111 k111
"""


def receipt_of(text: str, code: str = "en") -> Receipt:
    checked = read_checked(text, KITS, language(code))
    assert checked.kit.solver is not None
    weighed = AnalysisJob(checked, Coach(checked.kit.solver(checked.match), checked.match)).go_on()
    assert weighed is not None
    return told(weighed, language(code))


@given(st.lists(VALUES, min_size=1, max_size=6))
def test_rounded_parts_add_up_to_the_rounded_sum(parts: list[float]) -> None:
    units = rounded(parts, 100)
    assert sum(units) == round(round(sum(round(100 * part, 6) for part in parts), 9))
    assert all(abs(unit - 100 * part) < 1.000001 for unit, part in zip(units, parts, strict=True))
    assert all(unit == 0 for unit, part in zip(units, parts, strict=True) if part == 0)


@given(st.lists(st.tuples(VALUES, VALUES, VALUES, VALUES), min_size=1, max_size=6))
def test_printed_splits_add_up_across_and_down(rows: list[tuple[float, float, float, float]]) -> None:
    splits = [Split(*row, sum(row)) for row in rows]
    printed = printed_splits(splits, 1000)
    for split, row in zip(splits, printed, strict=True):
        assert row.expectation + row.luck + row.skill + row.given == row.result
        for name in ("expectation", "luck", "skill", "given", "result"):
            assert abs(getattr(row, name) - 1000 * getattr(split, name)) < 2.001 or not (
                split.luck and split.skill and split.given
            )
    assert sum(row.result for row in printed) == pytest.approx(1000 * sum(split.result for split in splits), abs=0.51)


def test_a_known_match_is_told() -> None:
    found = receipt_of(WON)
    assert found.result == ("Ann wins with 24.", "Bob 8.")
    ann, bob = found.seats
    assert [part.name for part in ann.parts] == ["seat", "luck", "skill", "others", "result"]
    assert ann.parts[2].line == "Ann always chose what was best."
    assert ann.parts[-1].amount == "100.0 %"
    assert bob.parts[2].units < 0
    assert found.decided.startswith("The dice decided it: they ")
    assert found.dearest is not None
    assert found.dearest.lines[0] == "Bob kept 5."
    assert found.dearest.lines[1].startswith("Keep 5 loses ")
    assert found.dearest.lines[2].endswith(" is best.")
    assert found.luckiest is not None
    assert found.luckiest.dice == (4, 6, 6, 6, 1, 6)
    assert found.moves[found.luckiest.number].lines[0] == "Ann rolled 4 6 6 6 1 6."
    assert found.share.startswith("Ann wins with 24. Ann: Seat ")


def test_forced_moves_are_no_moves_of_their_own_and_each_value_stands_after_its_move() -> None:
    found = receipt_of(WON)
    assert len(found.moves) == 1 + 10
    assert [move.decision for move in found.moves if move.decision] == [1, 2, 3, 4, 5]
    assert found.moves[-1].units == (1000, 0)
    assert all(sum(move.units) == 1000 for move in found.moves)
    rows = found.data["line"]
    assert len(rows) == len(found.moves)
    assert [rows[0][0], rows[-1][0]] == pytest.approx([found.data["seats"]["Ann"]["expectation"], 1])


def test_questions_are_the_dearest_keeps_in_the_order_of_the_match() -> None:
    found = receipt_of(WON)
    lost = [each["lost"] for each in found.data["decisions"]]
    asked = [question.number for question in found.questions]
    assert asked == sorted(asked) == [number for number, each in enumerate(lost, 1) if each > 0]
    for question in found.questions:
        played = next(option for option in question.options if option.played)
        assert played.lost == lost[question.number - 1]
        assert min(option.lost for option in question.options) == 0


def test_a_question_offers_no_two_options_that_lose_the_same_while_there_are_others() -> None:
    """Of six dice with three 1s, Keep 1 loses what Keep 1 6 loses, and so on; six losses differ."""
    (question,) = receipt_of(WON[: WON.index("Bob: 3445")] + "Bob: 111246 k1 22222 k2 1111 k1111\n").questions
    lost = [round(option.lost, 6) for option in question.options]
    assert len(lost) == len(set(lost)) == MOST_OPTIONS


def test_a_match_that_is_not_over_has_no_receipt() -> None:
    with pytest.raises(ValueError, match="not over"):
        receipt_of(WON[: WON.index("Bob: 3445")])
