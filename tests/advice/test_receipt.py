"""What a receipt prints adds up, whatever the numbers; its moves are those of the record, its questions the dearest."""

import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advice.known_match import WON, coached
from pubdice.advice import luck_rank
from pubdice.advice.analysis import Analysis, AnalysisJob, printed_splits, rounded
from pubdice.advice.receipt import build_receipt
from pubdice.advice.receipt_parts import MOST_OPTIONS, Receipt
from pubdice.advice.review import Split
from pubdice.library.match_in_play import cup, new_match
from pubdice.library.players import HouseBot, play_out
from pubdice.text.catalogues import language

VALUES = st.floats(-3, 3).map(lambda value: round(value, 12))


@cache
def weighed(text: str, code: str) -> Analysis:
    """A match weighed once for all who read of it in a language."""
    found = AnalysisJob(*coached(text, language(code))).go_on()
    assert found is not None
    return found


def receipt_of(text: str, code: str = "en", you: int | None = None) -> Receipt:
    return build_receipt(weighed(text, code), language(code), you)


@pytest.fixture
def _few_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck_rank, "MOST_REPLAYS", 1)


def _alone(game: str, seed: int) -> Receipt:
    return receipt_of(play_out(new_match(game, 1, format="rounds 1"), HouseBot("lucky", cup(seed)), cup(seed)).record)


@pytest.mark.parametrize(("game", "low"), [("threes", True), ("shutbox", True), ("ship", False)])
def test_a_seat_alone_is_told_whether_its_points_grow_and_whether_that_is_good(game: str, low: bool) -> None:
    kind, told = set[bool](), set[str]()
    for seed in range(6):
        found = _alone(game, seed)
        luck = found.seats[0].parts[1]
        grows = luck.amount.startswith("+")
        assert f"{luck.amount[1:]} points {'more' if grows else 'less'} than on average" in luck.line
        assert ("were kind" in luck.line) == (grows != low)
        kind.add("were kind" in luck.line)
        if found.luckiest is not None:
            told.add("luckiest")
            _, gave, went = found.luckiest.lines
            before, after = map(float, re.findall(r"[0-9.]+(?= point)", went))
            assert (after < before) == low == ("saved" in gave)
        if found.dearest is not None:
            told.add("dearest")
            assert ("would have saved" in found.dearest.lines[1]) == low
    assert (kind, told) == ({True, False}, {"luckiest", "dearest"})


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


@pytest.mark.nightly
def test_a_known_match_is_told() -> None:
    found = receipt_of(WON)
    assert found.result == ("Ann wins with 24.", "Bob has 8.")
    ann, bob = found.seats
    assert [part.name for part in ann.parts] == ["seat", "luck", "skill", "others", "result"]
    assert ann.parts[2].line == "Ann always chose what was best."
    assert ann.parts[-1].amount == "100.0%"
    assert bob.parts[2].units < 0
    assert bob.parts[3].line == "The others' choices changed nothing for Bob."
    assert found.decided in ("The dice were on Ann's side.", "The dice were against Bob.")
    assert found.dearest is not None
    assert found.dearest.lines[0] == "Bob kept 5."
    assert re.fullmatch(r"Keep .+ was worth \d+ more, out of 100\.", found.dearest.lines[1])
    assert found.luckiest is not None
    assert found.luckiest.dice == (4, 6, 6, 6, 1, 6)
    assert found.moves[found.luckiest.number].lines[0] == "Ann rolled 4 6 6 6 1 6."
    assert found.turning.challenge == "Would you keep 5?"


@pytest.mark.usefixtures("_few_replays")
def test_turning_points_of_several_rounds_name_player_and_round() -> None:
    """Bob errs in round 1 alone; in round 2 the last roll makes sure of the match, and no roll before it can."""
    found = receipt_of(WON.replace("rounds 1", "rounds 2") + "\nround 2\nBob: 466616 k146666\nAnn: 466616 k146666\n")
    assert found.dearest is not None
    assert found.luckiest is not None
    assert (found.dearest.where, found.luckiest.where) == ("Bob, round 1", "Ann, round 2")


def told(found: Receipt) -> str:
    """All that a page of it says, but what is there to be handed on."""
    turning = [line for each in (found.dearest, found.luckiest) if each for line in (*each.lines, each.where)]
    seats = [text for seat in found.seats for text in (*(part.line for part in seat.parts), seat.rank)]
    moves = [line for move in found.moves for line in move.lines]
    asked = [text for each in found.questions for text in (each.title, *each.before, each.played)]
    decisions = [line for each in found.decisions for line in each.lines]
    return " ".join([found.decided, *found.result, *found.names, *turning, *seats, *moves, *asked, *decisions])


@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize(("you", "name", "other"), [(0, "Ann", "Bob"), (1, "Bob", "Ann")])
def test_who_reads_it_is_you_and_what_is_handed_on_has_names(you: int, name: str, other: str, code: str) -> None:
    found = receipt_of(WON, code, you)
    assert name not in told(found)
    assert other in told(found)
    assert found.names[you] == {"en": "You", "de": "Du"}[code]
    by_name = receipt_of(WON, code)
    assert (found.turning, found.data) == (by_name.turning, by_name.data), "all that a picture has"
    assert [seat.name for seat in found.seats] == ["Ann", "Bob"]
    assert (found.you, by_name.you) == (you, None)
    assert not re.search(r"\b[Yy]ou (?!do\?)|\bDu\b|\bdu (?!tun\?)", told(by_name)), "a stranger reads names"


def test_each_decision_says_where_from_what_what_was_done_what_was_better_and_what_it_cost() -> None:
    first, second, *_ = receipt_of(WON).decisions
    assert (first.where, first.hand, first.verdict) == (
        "Choice 1 of 5: Ann.",
        "Dice: 1 4 6 6 6 6.",
        "Nothing was better.",
    )
    assert second.stands == "Ann has 24: Bob can only tie."
    assert second.lines[2:4] == ("Dice: 1 2 3 4 4 5.", "Bob kept 5.")
    assert re.fullmatch(r"Keep 5 loses 2\.9%: .*\. Keep 1 is best\.", second.verdict)
    assert [each.hand for each in receipt_of(WON).decisions][2] == "Locked: 5. Dice: 1 4 6 6 6."
    assert [each.number for each in receipt_of(WON).decisions if each.worst] == [2]


def test_luck_and_play_are_points_of_a_hundred() -> None:
    for seat in receipt_of(WON).seats:
        for part in seat.parts[1:-1]:
            assert re.fullmatch(r"[+−]?\d+", part.points)
            assert abs(10 * int(part.points.replace("−", "-")) - part.units) <= 5


def test_forced_moves_are_no_moves_of_their_own_and_each_value_stands_after_its_move() -> None:
    found = receipt_of(WON)
    assert len(found.moves) == 1 + 10
    assert [move.decision for move in found.moves if move.decision] == [1, 2, 3, 4, 5]
    assert found.turning.rows[-1] == (1000, 0)
    assert all(sum(row) == 1000 for row in found.turning.rows)
    rows = found.data["line"]
    assert len(rows) == len(found.moves)
    assert [rows[0][0], rows[-1][0]] == pytest.approx([found.data["seats"]["Ann"]["expectation"], 1])


ROUND = "pubdice 1\ngame: {game}\nseats: {seats}\nformat: {form}\nopener: rotate\nfirst: Ann\n\nround 1\n"
ALONE = ROUND.format(game="shutbox\ndie: no\nleft: digits", seats="Ann", form="rounds 1")
EVEN = ROUND.format(game="ship\ncargo: together\nboxcars: no", seats="Ann, Bob", form="rounds 1")

LET = "Cid: 14126 k6 4556 k45 41 k14 = 5\n"
SHARED = """pubdice 1
game: ship
cargo: together
boxcars: no
seats: Ann, Bob, Cid, Dan, Eve, Fay
format: rounds 2
opener: rotate
first: Ann

round 1
Ann: 26116 k6 2355 k5 662 k266 = 0
Bob: 35453 k- 21341 k- 14635 k13456 = 4
Cid: 16242 k6 4125 k45 45 k45 = 9
Dan: 16455 k14556 = 6
Eve: 55334 k- 31241 k- 43154 k13445 = 0
Fay: 61613 k6 2535 k5 454 k445 = 9
round 2
Bob: 31366 k6 4343 k- 5533 k3355 = 0
Cid: 66144 k6 3431 k- 6261 k1266 = 0
Dan: 45123 k- 61266 k6 2613 k1236 = 0
Eve: 46435 k456 42 k- 25 k25 = 7
Fay: 13553 k- 21244 k- 44642 k24446 = 0
Ann: 22265 k56 255 k- 533 k335 = 0
"""


@pytest.mark.usefixtures("_few_replays")
def test_who_plays_alone_throws_nothing_away() -> None:
    """The digits 16789 are left by good dice and one choice that was dear."""
    text = f"{ALONE}Ann: 14 s32 45 s54 56 = 16789\n"
    assert receipt_of(text).decided == "Ann could have done better."
    assert receipt_of(text, "de", 0).decided == "Du hättest mehr herausholen können."
    assert receipt_of(text, "de").turning.challenge == "Würdest du 3 und 2 schließen?"


@pytest.mark.usefixtures("_few_replays")
def test_nothing_decides_a_match_that_ends_about_as_was_expected() -> None:
    nothing = "33344 k- 33344 k- 33344 k33344 = 0"
    found = receipt_of(f"{EVEN}Ann: {nothing}\nBob: {nothing}\n")
    assert found.result[0] == "No points, so it's a tie."
    assert found.decided == ""
    assert bool(found.turning.challenge) == bool(found.dearest)
    pots = EVEN.replace("rounds 1", "pot 1 rounds 2")
    first = "Ann: 24646 k6 5535 k5 344 k344\nBob: 51351 k- 51334 k- 21526 k12256\n"
    found = receipt_of(f"{pots}{first}round 2\nBob: 54115 k- 14546 k456 44 k44\nAnn: 64515 k14556\n")
    assert found.result[0].endswith("everybody is even.")
    assert found.decided == ""


@pytest.mark.usefixtures("_few_replays")
def test_who_wins_alone_by_the_choices_of_others_is_let_win() -> None:
    head = EVEN.replace("Ann, Bob", "Bob, Ann, Cid").replace("first: Ann", "first: Bob")
    found = receipt_of(f"{head}Bob: 35652 k56 516 k- 254 k245 = 7\nAnn: 56554 k456 44 k44 = 8\n{LET}")
    assert found.decided == "The others let Ann win."


@pytest.mark.usefixtures("_few_replays")
def test_nobody_has_thrown_away_a_match_that_two_share() -> None:
    """Who opens at Mexico could expect 0.59: Ann stopped with 31, which Bob rolled too."""
    text = ROUND.format(game="mexico\nhold: none", seats="Ann, Bob", form="rounds 1")
    found = receipt_of(f"{text}Ann: 13 k13 = 31\nBob: 13 k13 = 31\n")
    assert found.seats[0].parts[2].units < -300
    assert found.decided == ""


@pytest.mark.usefixtures("_few_replays")
def test_nobody_is_let_win_who_shares_the_match() -> None:
    """Dan's blunder gave Cid more than the dice did, but three won a round each."""
    found = receipt_of(SHARED)
    assert found.result[0] == "It's a tie: Cid, Eve and Fay!"
    cid = {part.name: part.units for part in found.seats[2].parts}
    assert cid["others"] > cid["luck"] > 0
    assert found.decided == ""


@pytest.mark.usefixtures("_few_replays")
def test_before_a_roll_the_tiles_are_told_and_no_dice() -> None:
    head = ALONE.replace("die: no", "die: may").replace("digits", "sum")
    text = f"{head}Ann: 21 s3 35 s521 62 s8 25 s7 36 s9 one 2 = 10\n"
    question = next(each for each in receipt_of(text).questions if not each.dice)
    assert question.title == "It was Ann's turn. What would you do?"
    assert "Up: 4 6. They count 10." in question.before
    assert {option.label for option in question.options} == {"Roll one die", "Roll two dice"}
    for code, said in (("en", "by Ann in round 1: "), ("de", "von Ann in Runde 1: "), ("es", "de Ann en la ronda 1: ")):
        assert any(said in line for line in weighed(text, code).sentences(language(code)))


@pytest.mark.usefixtures("_few_replays")
@pytest.mark.parametrize(("code", "said"), [("de", "damit hat man zu"), ("es", "así se tiene lo más bajo")])
def test_a_review_of_others_does_not_speak_to_who_reads_it(code: str, said: str) -> None:
    text = ROUND.format(game="mexico\nhold: 1 2", seats="Ann, Bob", form="rounds 1")
    lines = weighed(f"{text}Ann: 31 k13\nBob: 34\n", code).sentences(language(code))
    assert any(said in line for line in lines)
    assert not re.search(r"\b(du|tienes|empatas)\b", " ".join(lines))


def test_questions_are_the_dearest_keeps_in_the_order_of_the_match() -> None:
    found = receipt_of(WON)
    lost = [each["lost"] for each in found.data["decisions"]]
    asked = [question.number for question in found.questions]
    assert asked == sorted(asked) == [number for number, each in enumerate(lost, 1) if each > 0]
    for question in found.questions:
        played = next(option for option in question.options if option.played)
        assert played.lost == lost[question.number - 1]
        assert min(option.lost for option in question.options) == 0
    match = (checked := coached(WON)[0]).match
    before = next(step.before for step in checked.steps if match.mover(step.before) == 1 and match.legal(step.before))
    typed = [option.key for option in found.questions[0].options]
    assert typed == [key for key in map(match.game.write_action, match.legal(before)) if key in typed], (
        "the options stand as in the rules, not best first"
    )


def test_a_question_offers_no_two_options_that_lose_the_same_while_there_are_others() -> None:
    """Of six dice with three 1s, Keep 1 loses what Keep 1 6 loses, and so on; six losses differ."""
    (question,) = receipt_of(WON[: WON.index("Bob: 3445")] + "Bob: 111246 k1 22222 k2 1111 k1111\n").questions
    lost = [round(option.lost, 6) for option in question.options]
    assert len(lost) == len(set(lost)) == MOST_OPTIONS


def test_a_match_that_is_not_over_has_no_receipt() -> None:
    with pytest.raises(ValueError, match="not over"):
        receipt_of(WON[: WON.index("Bob: 3445")])
